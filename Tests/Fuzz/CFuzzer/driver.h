// libFuzzer's entry for programs that have a main of their own; it comes with the compiler.
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*body)(const uint8_t *data, size_t size));
