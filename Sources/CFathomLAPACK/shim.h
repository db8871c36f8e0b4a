// LAPACKE's complex types default to C99 `_Complex`, which Swift cannot import; Fathom uses the real routines only.
#define LAPACK_COMPLEX_STRUCTURE
#include <lapacke.h>
