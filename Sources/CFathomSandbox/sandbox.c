#define _GNU_SOURCE
#include "include/sandbox.h"
#include "confinement.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Variables that would have the reader load code, or print a trace of its end.
static int is_dropped(const char *variable) {
  return strncmp(variable, "HDF5_", 5) == 0 || strncmp(variable, "SWIFT_BACKTRACE=", 16) == 0;
}

// They end a reader, whoever started it. Not those of the keyboard: what becomes of a job is the program's to say.
static const int ending_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP, SIGXCPU, SIGXFSZ};

int fathom_ends_itself_by(int signal) {
  for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++)
    if (ending_signals[i] == signal) return 1;
  return 0;
}

int fathom_reader_memory(size_t size) {
  struct rlimit most;
  // A longer file would end the process.
  if (getrlimit(RLIMIT_FSIZE, &most) || most.rlim_cur < size) return -1;
  int memory = memfd_create("fathom", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return -1;
  if (ftruncate(memory, (off_t)size) == 0 && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) return memory;
  close(memory);
  return -1;
}

pid_t fathom_reader_start(
    const char *executable, const char *subcommand, const char *argument, int file, int socket, int memory) {
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
  int high_memory = memory < 0 ? -1 : fcntl(memory, F_DUPFD_CLOEXEC, 10);
  int fault = high_file < 0 || high_socket < 0 || (memory >= 0 && high_memory < 0) ? errno : 0;
  for (int number = 0; number < 3 && !fault; number++)
    fault = posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0);
  if (!fault) fault = posix_spawn_file_actions_adddup2(&actions, high_file, FATHOM_READER_FILE);
  if (!fault) fault = posix_spawn_file_actions_adddup2(&actions, high_socket, FATHOM_READER_SOCKET);
  int next = FATHOM_READER_MEMORY;
  if (!fault && high_memory >= 0) fault = posix_spawn_file_actions_adddup2(&actions, high_memory, next++);
  if (!fault) fault = posix_spawn_file_actions_addclosefrom_np(&actions, next);
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
  if (high_memory >= 0) close(high_memory);
  free(variables);
  return fault ? -fault : process;
}

static int confine_files(const struct fathom_reader_rules *rules) {
  struct landlock_rules handled = {LANDLOCK_FIRST_VERSION};
  int set = (int)syscall(LANDLOCK_CREATE, &handled, sizeof handled, 0);
  if (set < 0) return 0;
  const uint64_t reading = LANDLOCK_READ_FILE | LANDLOCK_READ_FOLDER;
  int fault = 0;
  if (rules->path_count == 0) fault = add_rule(set, FATHOM_READER_FILE, LANDLOCK_READ_FILE);
  for (size_t i = 0; i < rules->path_count; i++) {
    int path = open(rules->paths[i], O_PATH | O_CLOEXEC);
    if (path < 0) continue;  // What is not there is not read.
    if (add_rule(set, path, reading)) fault = 1;
    close(path);
  }
  if (rules->scratch) {
    int scratch = open(rules->scratch, O_PATH | O_CLOEXEC);
    if (add_rule(set, scratch, reading | LANDLOCK_WRITE_FILE | LANDLOCK_MAKE_FOLDER | LANDLOCK_MAKE_FILE)) fault = 1;
    if (scratch >= 0) close(scratch);
  }
  if (!fault) fault = (int)syscall(LANDLOCK_RESTRICT, set, 0);
  close(set);
  return !fault;
}

#ifdef ARCHITECTURE

static const unsigned reading_calls[] = {
    __NR_read, __NR_pread64, __NR_write, __NR_lseek, __NR_fstat, __NR_newfstatat, __NR_close, __NR_munmap, __NR_mremap,
    __NR_brk, __NR_futex, __NR_clock_gettime, __NR_gettimeofday, __NR_exit, __NR_exit_group,
    __NR_rt_sigreturn, __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_getrandom, __NR_sched_yield,
    __NR_getpid, __NR_gettid, __NR_getcwd, __NR_readlinkat, __NR_faccessat, __NR_getrusage,
    __NR_sendto, __NR_recvfrom,
    // A path with ".." is followed with it.
    FACCESSAT2,
#ifdef __NR_statx
    __NR_statx,
#endif
#if defined(__x86_64__)
    __NR_stat, __NR_lstat, __NR_readlink, __NR_access,
#endif
};

// A folder is listed, and its files are decoded by several threads.
static const unsigned folder_calls[] = {
    __NR_getdents64, __NR_set_robust_list, __NR_sched_getaffinity, __NR_sched_getparam, __NR_sched_getscheduler,
    __NR_sched_get_priority_max, __NR_sched_get_priority_min, __NR_membarrier, __NR_clock_nanosleep, __NR_nanosleep,
    __NR_ppoll, __NR_eventfd2, __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait, __NR_sigaltstack,
    __NR_timerfd_create, __NR_timerfd_settime, __NR_uname, __NR_readv,
#ifdef __NR_rseq
    __NR_rseq,
#endif
#if defined(__x86_64__)
    __NR_poll, __NR_epoll_wait,
#endif
};

// None of them makes the file tell somebody by a signal, or keeps others from it.
static const unsigned descriptor_commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL};

// No process of its own, and no namespace.
static const unsigned thread_flags = CLONE_THREAD | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PTRACE;

// `is_unpacking`: files are made, and the next step, which takes that away, can be taken.
static int confine_calls(int of_folder, int is_unpacking) {
  const unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  struct filter filter;
  begin(&filter);
  answer_calls(&filter, reading_calls, COUNT(reading_calls), ALLOWED);
  if (of_folder) {
    answer_calls(&filter, folder_calls, COUNT(folder_calls), ALLOWED);
    // Of the newer call the filter cannot see what it makes, and the library then takes the older one.
    allow_bits(&filter, __NR_clone, 0, thread_flags, CLONE_THREAD);
    const unsigned unseen[] = {CLONE3};
    answer_calls(&filter, unseen, COUNT(unseen), UNKNOWN);
  }
  if (is_unpacking) {
    const unsigned calls[] = {
        __NR_openat, __NR_mkdirat, LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT,
#if defined(__x86_64__)
        __NR_open, __NR_mkdir,
#endif
    };
    answer_calls(&filter, calls, COUNT(calls), ALLOWED);
  } else {
#if defined(__x86_64__)
    allow_bits(&filter, __NR_open, 1, writing, 0);
#endif
    allow_bits(&filter, __NR_openat, 2, writing, 0);
  }
  const unsigned settings[] = {PR_SET_NAME, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP};
  if (of_folder) allow_values(&filter, __NR_prctl, 0, settings, is_unpacking ? COUNT(settings) : 1);
  allow_bits(&filter, __NR_mmap, 2, PROT_EXEC, 0);
  allow_bits(&filter, __NR_mprotect, 2, PROT_EXEC, 0);
  // Advice from 32 on takes pages of memory away from the whole system.
  allow_bits(&filter, __NR_madvise, 2, ~31u, 0);
  // The limit of processor time is moved with every request: the reader's own, never that of another process.
  allow_bits(&filter, __NR_prlimit64, 0, ALL_BITS, 0);
  allow_bits(&filter, __NR_flock, 1, LOCK_EX, 0);
  allow_values(&filter, __NR_fcntl, 1, descriptor_commands, COUNT(descriptor_commands));
  return enforce(&filter, REFUSED);
}

#else
static int confine_calls(int of_folder, int is_unpacking) { return 0; }
#endif

int fathom_reader_confine(const struct fathom_reader_rules *rules) {
  int of_folder = rules->path_count > 0 && !rules->is_linked, is_unpacking = rules->scratch != NULL;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, is_unpacking ? rules->longest_file : 0);
  limit(RLIMIT_DATA, rules->memory);
  limit(RLIMIT_STACK, 8 << 20);
  limit(RLIMIT_NOFILE, rules->path_count > 0 ? 256 : 24);
  int layers = FATHOM_LAYER_LIMITS;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return layers;
  if (confine_files(rules)) layers |= FATHOM_LAYER_LANDLOCK;
  if (confine_calls(of_folder, is_unpacking)) layers |= FATHOM_LAYER_SECCOMP;
  return layers;
}

int fathom_reader_layers(void) {
  pid_t process = fork();
  if (process < 0) return -errno;
  if (process == 0) {
    const char *const folders[] = {"/"};
    struct fathom_reader_rules rules = {.memory = 64 << 20, .paths = folders, .path_count = 1};
    _exit(fathom_reader_confine(&rules));
  }
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}

void fathom_reader_allow_seconds(unsigned long seconds) {
  struct rusage used;
  struct rlimit allowed;
  if (getrusage(RUSAGE_SELF, &used) || getrlimit(RLIMIT_CPU, &allowed)) return;
  rlim_t until = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 1;
  if (until < allowed.rlim_max) allowed.rlim_cur = until;
  setrlimit(RLIMIT_CPU, &allowed);
}
