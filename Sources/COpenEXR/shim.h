#include <OpenEXR/openexr.h>
