// libFuzzer calls this; the parsers are Swift.
#include <stddef.h>
#include <stdint.h>
int fathom_fuzz(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fathom_fuzz(data, size); }
