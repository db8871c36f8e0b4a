// What both kinds of confined processes need: limits, and the structures and numbers of Landlock's first version, which headers
// of older systems lack.
#ifndef FATHOM_CONFINEMENT_H
#define FATHOM_CONFINEMENT_H

#include <linux/audit.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct landlock_rules { uint64_t files; };
struct landlock_path { uint64_t allowed; int32_t descriptor; } __attribute__((packed));
#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD 445
#define LANDLOCK_RESTRICT 446
#define LANDLOCK_EXECUTE (1ULL << 0)
#define LANDLOCK_WRITE_FILE (1ULL << 1)
#define LANDLOCK_READ_FILE (1ULL << 2)
#define LANDLOCK_READ_FOLDER (1ULL << 3)
#define LANDLOCK_MAKE_FOLDER (1ULL << 7)
#define LANDLOCK_MAKE_FILE (1ULL << 8)
#define LANDLOCK_FIRST_VERSION ((1ULL << 13) - 1)

// From here on all architectures number their calls alike.
#define FIRST_COMMON_CALL 424
#define CLONE3 435
#define FACCESSAT2 439

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static inline void limit(int resource, rlim_t most) {
  struct rlimit now;
  if (getrlimit(resource, &now)) return;
  if (now.rlim_max < most) most = now.rlim_max;
  struct rlimit wanted = {most, most};
  setrlimit(resource, &wanted);
}

// Allows what a rule says below a descriptor, which may be of a file.
static inline int add_rule(int set, int descriptor, uint64_t allowed) {
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status)) return -1;
  if (!S_ISDIR(status.st_mode)) allowed &= LANDLOCK_EXECUTE | LANDLOCK_READ_FILE;
  struct landlock_path path = {allowed, descriptor};
  return (int)syscall(LANDLOCK_ADD, set, 1, &path, 0);
}

#endif
