// What Swift's Glibc module leaves out of glibc: the allocator's settings, renaming with a condition, and the file of a symbol.
#include <malloc.h>

// As in <stdio.h> with _GNU_SOURCE, which must not be defined after another header was read.
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);

static inline int fathom_rename_new(const char *from, const char *to) {
  return renameat2(-100 /* AT_FDCWD */, from, -100, to, 1 /* RENAME_NOREPLACE */);
}

static inline int fathom_rename_exchange(const char *from, const char *to) {
  return renameat2(-100, from, -100, to, 2 /* RENAME_EXCHANGE */);
}

// As in <dlfcn.h> with _GNU_SOURCE.
struct fathom_symbol_place {
  const char *file;
  void *base;
  const char *name;
  void *address;
};
int fathom_dladdr(const void *address, struct fathom_symbol_place *place) __asm__("dladdr");
