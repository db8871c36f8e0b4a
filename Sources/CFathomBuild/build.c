#include "build.h"

// Defined by the target FathomBuildName, which is linked into the command alone.
__attribute__((weak)) const char *fathom_build_name(void);

const char *fathom_build(void) { return fathom_build_name ? fathom_build_name() : "unknown"; }
