// Makes one call of the C library fail, or ends the process beside it: preloaded into a program, for tests only.
//
//   FATHOM_FAULT        read, write, rename, spawn, allocation (of C libraries) or memory (Swift's: objects, arrays, frames) fails;
//                       kill-before, kill-after: SIGKILL beside a call that writes, names, removes or syncs a file (and none fails)
//   FATHOM_FAULT_AT     which call fails, from 1; 0 fails none
//   FATHOM_FAULT_WHERE  program or reader: the process in which calls are counted
//   FATHOM_FAULT_LOG    a file that takes up those calls and the writes, a line each: words between tabs, paths as they are given
//   FATHOM_FAULT_COUNT  a file of 64 bytes that takes up the number of calls, and behind its 8 bytes the C library whose allocation failed
//
// cc -shared -fPIC -O2 -o faults.so faults.c -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, READ, WRITE, RENAME, SPAWN, ALLOCATION, MEMORY, KILL_BEFORE, KILL_AFTER };

static enum kind wanted = NONE;
static long at;
static _Atomic long own, *count = &own;
static char no_name[56], *refused = no_name;
static int journal = -1;

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
  static const char *const names[] = {"", "read", "write", "rename", "spawn", "allocation", "memory", "kill-before", "kill-after"};
  enum kind found = NONE;
  for (int i = 1; i < 9; i++)
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
  const char *log = getenv("FATHOM_FAULT_LOG");
  if (log) journal = open(log, O_WRONLY | O_APPEND | O_CLOEXEC);
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

// What a descriptor is of, for the journal.
static const char *path_of(int file, char place[static 4096]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, place, 4095);
  place[length < 0 ? 0 : length] = 0;
  return place;
}
static void note(const char *call, const char *path, const char *other) {
  if (journal < 0 || !atomic_load(&has_begun)) return;
  char line[8400];
  int length = snprintf(line, sizeof line, "%s\t%s\t%s\n", call, path, other);
  if (length > 0) (void)!NEXT(write)(journal, line, (size_t)length);
}
// Whether it is one of a file.
static int note_file(const char *call, int file) {
  if (journal < 0) return 0;
  int kept = errno;
  char place[4096];
  int is_file = *path_of(file, place) == '/';
  if (is_file) note(call, place, "");
  errno = kept;
  return is_file;
}
// Beside a step of writing an output or giving it its name, the process may end.
static int dies(void) {
  if ((wanted != KILL_BEFORE && wanted != KILL_AFTER) || !atomic_load(&has_begun)) return 0;
  return atomic_fetch_add(count, 1) + 1 == at;
}
#define STEP(call, path, other, name, ...) \
  do { \
    int is_last = dies(); \
    if (is_last && wanted == KILL_BEFORE) kill(getpid(), SIGKILL); \
    int result = NEXT(name)(__VA_ARGS__), kept = errno; \
    note(result ? call " failed" : call, path, other); \
    if (is_last) kill(getpid(), SIGKILL); \
    errno = kept; \
    return result; \
  } while (0)
#define NOTED(failed, file, name, ...) \
  do { \
    if (fails(WRITE)) { errno = ENOSPC; return (failed); } \
    int is_last = note_file("write", file) && dies(); \
    if (is_last && wanted == KILL_BEFORE) kill(getpid(), SIGKILL); \
    __typeof__(NEXT(name)(__VA_ARGS__)) result = NEXT(name)(__VA_ARGS__); \
    if (is_last) kill(getpid(), SIGKILL); \
    return result; \
  } while (0)

ssize_t read(int file, void *place, size_t size) { CALL(READ, EIO, -1, read, file, place, size); }
ssize_t pread(int file, void *place, size_t size, off_t where) { CALL(READ, EIO, -1, pread, file, place, size, where); }
ssize_t pread64(int file, void *place, size_t size, off64_t where) { CALL(READ, EIO, -1, pread64, file, place, size, where); }
ssize_t recv(int socket, void *place, size_t size, int flags) { CALL(READ, EIO, -1, recv, socket, place, size, flags); }
ssize_t write(int file, const void *place, size_t size) { NOTED(-1, file, write, file, place, size); }
ssize_t pwrite(int file, const void *place, size_t size, off_t where) { NOTED(-1, file, pwrite, file, place, size, where); }
ssize_t pwrite64(int file, const void *place, size_t size, off64_t where) { NOTED(-1, file, pwrite64, file, place, size, where); }
ssize_t writev(int file, const struct iovec *parts, int number) { NOTED(-1, file, writev, file, parts, number); }
ssize_t sendfile(int file, int from, off_t *where, size_t size) { NOTED(-1, file, sendfile, file, from, where, size); }
ssize_t sendfile64(int file, int from, off64_t *where, size_t size) { NOTED(-1, file, sendfile64, file, from, where, size); }
ssize_t copy_file_range(int from, off64_t *a, int file, off64_t *b, size_t size, unsigned flags) {
  NOTED(-1, file, copy_file_range, from, a, file, b, size, flags);
}
ssize_t send(int socket, const void *place, size_t size, int flags) { CALL(WRITE, EPIPE, -1, send, socket, place, size, flags); }
int ftruncate(int file, off_t size) { NOTED(-1, file, ftruncate, file, size); }
int ftruncate64(int file, off64_t size) { NOTED(-1, file, ftruncate64, file, size); }
size_t fwrite(const void *place, size_t size, size_t number, FILE *file) { NOTED(0, fileno(file), fwrite, place, size, number, file); }
static int sync_fails(int file) {
  note_file("sync", file);
  return fails(WRITE);
}
int fsync(int file) {
  if (sync_fails(file)) { errno = EIO; return -1; }
  STEP("synced", "", "", fsync, file);
}
int fdatasync(int file) {
  if (sync_fails(file)) { errno = EIO; return -1; }
  STEP("synced", "", "", fdatasync, file);
}
int syncfs(int file) {
  note_file("sync all", file);
  if (fails(WRITE)) { errno = EIO; return -1; }
  STEP("synced", "", "", syncfs, file);
}
#define RENAMES(call, path, other, name, ...) \
  do { if (fails(RENAME)) { errno = EACCES; return -1; } STEP(call, path, other, name, __VA_ARGS__); } while (0)
int rename(const char *from, const char *to) { RENAMES("rename", from, to, rename, from, to); }
int renameat(int a, const char *from, int b, const char *to) { RENAMES("rename", from, to, renameat, a, from, b, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  if (flags & 2) RENAMES("exchange", from, to, renameat2, a, from, b, to, flags);
  RENAMES("rename", from, to, renameat2, a, from, b, to, flags);
}
int link(const char *from, const char *to) { RENAMES("link", from, to, link, from, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) { RENAMES("link", from, to, linkat, a, from, b, to, flags); }
int unlink(const char *path) { STEP("remove", path, "", unlink, path); }
int unlinkat(int folder, const char *path, int flags) { STEP("remove", path, "", unlinkat, folder, path, flags); }
int rmdir(const char *path) { STEP("remove", path, "", rmdir, path); }
int remove(const char *path) { STEP("remove", path, "", remove, path); }
int mkdir(const char *path, mode_t mode) { STEP("make", path, "", mkdir, path, mode); }
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
