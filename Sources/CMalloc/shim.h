// glibc's allocator settings, which Swift's Glibc module leaves out.
#include <malloc.h>
