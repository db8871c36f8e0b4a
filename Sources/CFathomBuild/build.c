#include "build.h"

// The plug-in FathomBuildIdentity adds a file that defines it with the commit. This stands for a build without that file.
__attribute__((weak)) const char fathom_build_text[] = "unknown";

const char *fathom_build(void) { return fathom_build_text; }
