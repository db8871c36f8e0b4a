#define _GNU_SOURCE
#include "include/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

// Variables that would have the reader load code, or print a trace of its end.
static int is_dropped(const char *variable) {
  return strncmp(variable, "HDF5_", 5) == 0 || strncmp(variable, "SWIFT_BACKTRACE=", 16) == 0;
}

// They end a reader, whoever started it. Not those of the keyboard: what becomes of a job is the program's to say.
static const int ending_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP, SIGXCPU, SIGXFSZ};

pid_t fathom_reader_start(
    const char *executable, const char *subcommand, const char *argument, int file, int socket) {
  size_t count = 0;
  while (environ[count]) count++;
  char **variables = calloc(count + 3, sizeof *variables);
  if (!variables) return -ENOMEM;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!is_dropped(environ[i])) variables[kept++] = environ[i];
  variables[kept++] = "SWIFT_BACKTRACE=enable=no";
  variables[kept++] = "HDF5_PLUGIN_PRELOAD=::";

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Out of the way of the numbers that they shall get: dup2 would close one of them.
  int high_file = fcntl(file, F_DUPFD_CLOEXEC, 10), high_socket = fcntl(socket, F_DUPFD_CLOEXEC, 10);
  int fault = high_file < 0 || high_socket < 0 ? errno : 0;
  for (int number = 0; number < 3 && !fault; number++)
    fault = posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0);
  if (!fault) fault = posix_spawn_file_actions_adddup2(&actions, high_file, FATHOM_READER_FILE);
  if (!fault) fault = posix_spawn_file_actions_adddup2(&actions, high_socket, FATHOM_READER_SOCKET);
  if (!fault) fault = posix_spawn_file_actions_addclosefrom_np(&actions, FATHOM_READER_SOCKET + 1);
  // Who starts it may block signals, as the threads of libdispatch do, and the limit of processor time comes as one.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, ending;
  sigemptyset(&none);
  sigemptyset(&ending);
  for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) sigaddset(&ending, ending_signals[i]);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &ending);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t process = -1;
  if (!fault) {
    char *arguments[] = {"fathom", (char *)subcommand, (char *)argument, NULL};
    fault = posix_spawn(&process, executable, &actions, &attributes, arguments, variables);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (high_file >= 0) close(high_file);
  if (high_socket >= 0) close(high_socket);
  free(variables);
  return fault ? -fault : process;
}

static void limit(int resource, rlim_t most) {
  struct rlimit now;
  if (getrlimit(resource, &now)) return;
  if (now.rlim_max < most) most = now.rlim_max;
  struct rlimit wanted = {most, most};
  setrlimit(resource, &wanted);
}

// The structures and numbers of Landlock's first version, which headers of older systems lack.
struct landlock_rules { uint64_t files; };
struct landlock_path { uint64_t allowed; int32_t descriptor; } __attribute__((packed));
#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD 445
#define LANDLOCK_RESTRICT 446
#define LANDLOCK_READ_FILE (1ULL << 2)
#define LANDLOCK_FIRST_VERSION ((1ULL << 13) - 1)

static int confine_files(int any_file) {
  struct landlock_rules rules = {LANDLOCK_FIRST_VERSION};
  int set = (int)syscall(LANDLOCK_CREATE, &rules, sizeof rules, 0);
  if (set < 0) return 0;
  struct landlock_path path = {LANDLOCK_READ_FILE, FATHOM_READER_FILE};
  if (any_file) path.descriptor = open("/", O_PATH | O_CLOEXEC);
  int fault = syscall(LANDLOCK_ADD, set, 1, &path, 0) || syscall(LANDLOCK_RESTRICT, set, 0);
  if (any_file && path.descriptor >= 0) close(path.descriptor);
  close(set);
  return !fault;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW(number) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// Allowed while none of the bits is set in an argument.
#define ALLOW_WITHOUT(number, argument, bits)                                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD(args[argument]),                       \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 1, 0), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static int confine_calls(void) {
#ifdef ARCHITECTURE
  const unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  struct sock_filter filter[] = {
      LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), LOAD(nr),
      ALLOW(__NR_read), ALLOW(__NR_pread64), ALLOW(__NR_write), ALLOW(__NR_lseek), ALLOW(__NR_fstat),
      ALLOW(__NR_newfstatat), ALLOW(__NR_close), ALLOW(__NR_munmap), ALLOW(__NR_mremap),
      ALLOW(__NR_madvise), ALLOW(__NR_brk), ALLOW(__NR_futex), ALLOW(__NR_clock_gettime),
      ALLOW(__NR_gettimeofday), ALLOW(__NR_exit), ALLOW(__NR_exit_group), ALLOW(__NR_rt_sigreturn),
      ALLOW(__NR_rt_sigaction), ALLOW(__NR_rt_sigprocmask), ALLOW(__NR_getrandom), ALLOW(__NR_fcntl),
      ALLOW(__NR_flock), ALLOW(__NR_sched_yield), ALLOW(__NR_getpid), ALLOW(__NR_gettid),
      ALLOW(__NR_getcwd), ALLOW(__NR_readlinkat), ALLOW(__NR_faccessat), ALLOW(__NR_getrusage),
      // The limit of processor time is moved with every request.
      ALLOW(__NR_prlimit64), ALLOW(__NR_sendto), ALLOW(__NR_recvfrom),
#ifdef __NR_statx
      ALLOW(__NR_statx),
#endif
#if defined(__x86_64__)
      ALLOW(__NR_stat), ALLOW(__NR_lstat), ALLOW(__NR_readlink), ALLOW(__NR_access),
      ALLOW_WITHOUT(__NR_open, 1, writing),
#endif
      ALLOW_WITHOUT(__NR_openat, 2, writing), ALLOW_WITHOUT(__NR_mmap, 2, PROT_EXEC),
      ALLOW_WITHOUT(__NR_mprotect, 2, PROT_EXEC), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)};
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
  return 0;
#endif
}

int fathom_reader_confine(unsigned long memory, int any_file) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_DATA, memory);
  limit(RLIMIT_STACK, 8 << 20);
  limit(RLIMIT_NOFILE, any_file ? 256 : 24);
  int layers = FATHOM_LAYER_LIMITS;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return layers;
  if (confine_files(any_file)) layers |= FATHOM_LAYER_LANDLOCK;
  if (confine_calls()) layers |= FATHOM_LAYER_SECCOMP;
  return layers;
}

void fathom_reader_allow_seconds(unsigned long seconds) {
  struct rusage used;
  struct rlimit allowed;
  if (getrusage(RUSAGE_SELF, &used) || getrlimit(RLIMIT_CPU, &allowed)) return;
  rlim_t until = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 1;
  if (until < allowed.rlim_max) allowed.rlim_cur = until;
  setrlimit(RLIMIT_CPU, &allowed);
}
