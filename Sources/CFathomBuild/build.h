#ifndef FATHOM_BUILD_H
#define FATHOM_BUILD_H

// The commit that this was built from; ", modified" follows where the sources were not those of the commit. "unknown" outside of a checkout.
const char *fathom_build(void);

#endif
