// Makes one call of the C library fail: preloaded into a program, for tests only.
//
//   FATHOM_FAULT        read, write, rename, spawn, allocation (of C libraries) or memory (Swift's: objects, arrays, frames)
//   FATHOM_FAULT_AT     which call fails, from 1; 0 fails none
//   FATHOM_FAULT_WHERE  program or reader: the process in which calls are counted
//   FATHOM_FAULT_COUNT  a file of 64 bytes that takes up the number of calls, and behind its 8 bytes the C library whose allocation failed
//
// cc -shared -fPIC -O2 -o faults.so faults.c -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, READ, WRITE, RENAME, SPAWN, ALLOCATION, MEMORY };

static enum kind wanted = NONE;
static long at;
static _Atomic long own, *count = &own;
static char no_name[56], *refused = no_name;

// Where the code of C libraries lies whose allocations may fail.
static struct { uintptr_t start, end; const char *name; } ranges[64];
static int range_count;
static const char *const c_libraries[] = {
    "libhdf5", "libpng", "libcairo", "libfontconfig", "libfreetype", "libpixman", "libturbojpeg", "libjpeg", "libwebp",
    "libdeflate", "libarchive", "libOpenEXR", "libtiff", "liblapack", "libopenblas", "libblas", "libcrypto", "libz.",
    "libsz", "libaec"};
// Its allocations are those of every Swift object. Foundation's own in C are left alone: where its formatting of numbers gets no memory it
// writes all digits, and says nothing.
static const char *const swift_runtime[] = {"libswiftCore"};

static int note_library(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  const char *name = strrchr(info->dlpi_name, '/');
  const char *const *libraries = wanted == MEMORY ? swift_runtime : c_libraries;
  size_t number = wanted == MEMORY ? 1 : sizeof c_libraries / sizeof *c_libraries;
  for (size_t i = 0; name && i < number; i++) {
    if (strncmp(name + 1, libraries[i], strlen(libraries[i]))) continue;
    for (int j = 0; j < info->dlpi_phnum; j++)
      if (info->dlpi_phdr[j].p_type == PT_LOAD && info->dlpi_phdr[j].p_flags & PF_X && range_count < 64) {
        ranges[range_count].start = info->dlpi_addr + info->dlpi_phdr[j].p_vaddr;
        ranges[range_count].name = libraries[i];
        ranges[range_count].end = ranges[range_count].start + info->dlpi_phdr[j].p_memsz;
        range_count++;
      }
  }
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *kind = getenv("FATHOM_FAULT"), *place = getenv("FATHOM_FAULT_WHERE"), *file = getenv("FATHOM_FAULT_COUNT");
  if (!kind) return;
  static const char *const names[] = {"", "read", "write", "rename", "spawn", "allocation", "memory"};
  enum kind found = NONE;
  for (int i = 1; i < 7; i++)
    if (!strcmp(kind, names[i])) found = i;
  char line[256] = "";
  int words = open("/proc/self/cmdline", O_RDONLY);
  ssize_t length = words < 0 ? 0 : read(words, line, sizeof line - 1);
  if (words >= 0) close(words);
  const char *second = length > 0 ? line + strlen(line) + 1 : "";
  int is_reader = !strncmp(second, "__", 2);
  if (place && (strcmp(place, "reader") == 0) != is_reader) return;
  at = atol(getenv("FATHOM_FAULT_AT") ?: "0");
  int shared = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
  if (shared >= 0) {
    void *page = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (page != MAP_FAILED) count = page, refused = (char *)page + 8;
    close(shared);
  }
  wanted = found;
  dl_iterate_phdr(note_library, NULL);
}

// Counting begins with the program's first call of its own, behind what libraries do when they are loaded.
static _Atomic int has_begun;
int mallopt(int option, int value) {
  atomic_store(&has_begun, 1);
  return ((int (*)(int, int))dlsym(RTLD_NEXT, "mallopt"))(option, value);
}

static int fails(enum kind kind) {
  if (kind != wanted || !atomic_load(&has_begun)) return 0;
  return atomic_fetch_add(count, 1) + 1 == at;
}

// Allocations do not ask by name: dlsym allocates.
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

static int allocation_fails(void *caller) {
  if (wanted != ALLOCATION && wanted != MEMORY) return 0;
  for (int i = 0; i < range_count; i++)
    if ((uintptr_t)caller >= ranges[i].start && (uintptr_t)caller < ranges[i].end) {
      if (!fails(wanted)) return 0;
      strncpy(refused, ranges[i].name, sizeof no_name - 1);
      return 1;
    }
  return 0;
}

#define REFUSE do { errno = ENOMEM; return NULL; } while (0)
void *malloc(size_t size) {
  if (allocation_fails(__builtin_return_address(0))) REFUSE;
  return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
  if (allocation_fails(__builtin_return_address(0))) REFUSE;
  return __libc_calloc(number, size);
}
void *realloc(void *old, size_t size) {
  if (allocation_fails(__builtin_return_address(0))) REFUSE;
  return __libc_realloc(old, size);
}
int posix_memalign(void **place, size_t alignment, size_t size) {
  if (allocation_fails(__builtin_return_address(0))) return ENOMEM;
  *place = __libc_memalign(alignment, size);
  return *place ? 0 : ENOMEM;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define CALL(kind, error, failed, name, ...) \
  do { if (fails(kind)) { errno = (error); return (failed); } return NEXT(name)(__VA_ARGS__); } while (0)

ssize_t read(int file, void *place, size_t size) { CALL(READ, EIO, -1, read, file, place, size); }
ssize_t pread(int file, void *place, size_t size, off_t where) { CALL(READ, EIO, -1, pread, file, place, size, where); }
ssize_t pread64(int file, void *place, size_t size, off64_t where) { CALL(READ, EIO, -1, pread64, file, place, size, where); }
ssize_t recv(int socket, void *place, size_t size, int flags) { CALL(READ, EIO, -1, recv, socket, place, size, flags); }
ssize_t write(int file, const void *place, size_t size) { CALL(WRITE, ENOSPC, -1, write, file, place, size); }
ssize_t pwrite(int file, const void *place, size_t size, off_t where) { CALL(WRITE, ENOSPC, -1, pwrite, file, place, size, where); }
ssize_t pwrite64(int file, const void *place, size_t size, off64_t where) { CALL(WRITE, ENOSPC, -1, pwrite64, file, place, size, where); }
ssize_t writev(int file, const struct iovec *parts, int number) { CALL(WRITE, ENOSPC, -1, writev, file, parts, number); }
ssize_t send(int socket, const void *place, size_t size, int flags) { CALL(WRITE, EPIPE, -1, send, socket, place, size, flags); }
int fsync(int file) { CALL(WRITE, EIO, -1, fsync, file); }
int ftruncate(int file, off_t size) { CALL(WRITE, ENOSPC, -1, ftruncate, file, size); }
size_t fwrite(const void *place, size_t size, size_t number, FILE *file) { CALL(WRITE, ENOSPC, 0, fwrite, place, size, number, file); }
int rename(const char *from, const char *to) { CALL(RENAME, EACCES, -1, rename, from, to); }
int renameat(int a, const char *from, int b, const char *to) { CALL(RENAME, EACCES, -1, renameat, a, from, b, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { CALL(RENAME, EACCES, -1, renameat2, a, from, b, to, flags); }
int link(const char *from, const char *to) { CALL(RENAME, EACCES, -1, link, from, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) { CALL(RENAME, EACCES, -1, linkat, a, from, b, to, flags); }
int posix_spawn(pid_t *number, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const words[], char *const variables[]) {
  if (fails(SPAWN)) return EAGAIN;
  return NEXT(posix_spawn)(number, path, actions, attributes, words, variables);
}
int posix_spawnp(pid_t *number, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                 char *const words[], char *const variables[]) {
  if (fails(SPAWN)) return EAGAIN;
  return NEXT(posix_spawnp)(number, path, actions, attributes, words, variables);
}
