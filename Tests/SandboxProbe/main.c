// What a confined process tries, and what it must still be able to do; and a parent that takes the kernel's protections away.
//
//   fathom-sandbox-probe file|linked|folder|tool FOLDER     tries all of it; one line for each, and 1 where one is not as it should be;
//                                                    what a missing layer would refuse is not tried
//   fathom-sandbox-probe without LAYER[,LAYER] COMMAND …    runs a command where Landlock or seccomp do not exist
//
// FOLDER holds a file "file".
#define _GNU_SOURCE
#include "../../Sources/CFathomSandbox/filter.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef ARCHITECTURE

static int layers, failures;
static pid_t victim;

static void say(const char *verdict, const char *what, const char *detail) {
  char line[256];
  int length = snprintf(line, sizeof line, "%s: %s%s%s\n", verdict, what, *detail ? ": " : "", detail);
  // A pipe: files may not grow any more.
  if (write(1, line, (size_t)length) < 0) _exit(3);
}

static void refused(const char *what, long result, int error) {
  if (result < 0 && (error == EPERM || error == EACCES || error == ENOSYS)) return say("refused", what, "");
  failures++;
  say("NOT REFUSED", what, result < 0 ? strerror(error) : "");
}

static void works(const char *what, long result, int error) {
  if (result >= 0) return say("works", what, "");
  failures++;
  say("DOES NOT WORK", what, strerror(error));
}

// Not tried without the layer that refuses it.
#define REFUSED_BY(layer, call) do { \
    if (!(layers & (layer))) { say("not tried, a layer is missing", #call, ""); break; } \
    errno = 0; \
    long result = (long)(call); \
    refused(#call, result, errno); \
  } while (0)
#define CALLS(call) REFUSED_BY(FATHOM_LAYER_SECCOMP, call)
#define FILES(call) REFUSED_BY(FATHOM_LAYER_LANDLOCK, call)
#define WORKS(call) do { errno = 0; long result = (long)(call); works(#call, result, errno); } while (0)
// No process may come of it.
#define NO_CHILD(call) CALLS(({ long child = (call); if (child == 0) _exit(0); child; }))

static void *map(int protection) {
  return mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int read_of(const char *path) {
  int file = open(path, O_RDONLY);
  if (file >= 0) close(file);
  return file;
}

static void *nothing(void *argument) { return argument; }

static int thread(void) {
  pthread_t thread;
  int fault = pthread_create(&thread, NULL, nothing, NULL);
  if (!fault) fault = pthread_join(thread, NULL);
  errno = fault;
  return fault ? -1 : 0;
}

// Of other processes: their limits, places and lives. `file` is a descriptor, `socket` another one.
static void reach_others(int socket) {
  struct rlimit low = {1, 1};
  struct f_owner_ex owner = {F_OWNER_PID, victim};
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(0, &processors);
  struct sched_param plain = {0};
  CALLS(kill(victim, 0));
  CALLS(syscall(__NR_tkill, victim, 0));
  CALLS(syscall(__NR_tgkill, victim, victim, 0));
  CALLS(syscall(__NR_rt_sigqueueinfo, victim, 0, NULL));
  CALLS(syscall(424, -1, SIGKILL, NULL, 0));  // pidfd_send_signal
  CALLS(syscall(434, victim, 0));             // pidfd_open
  CALLS(syscall(440, -1, NULL, 0, 0, 0));     // process_madvise
  CALLS(prlimit(victim, RLIMIT_FSIZE, &low, NULL));
  CALLS(prlimit(victim, RLIMIT_CPU, &low, NULL));
  CALLS(prlimit(victim, RLIMIT_NOFILE, NULL, &low));
  CALLS(syscall(__NR_prlimit64, (long)victim | 1L << 40, RLIMIT_CPU, &low, NULL));
  CALLS(fcntl(socket, F_SETOWN_EX, &owner));
  CALLS(fcntl(socket, F_SETOWN, victim));
  CALLS(fcntl(socket, F_SETSIG, SIGKILL));
  CALLS(fcntl(socket, F_SETFL, O_ASYNC | O_RDWR));
  CALLS(fcntl(socket, F_SETLEASE, F_RDLCK));
  CALLS(fcntl(socket, F_NOTIFY, DN_MODIFY));
  int number = 1;
  CALLS(ioctl(socket, FIOASYNC, &number));
  CALLS(ioctl(socket, 0x8901 /* FIOSETOWN */, &victim));
  CALLS(ioctl(socket, TIOCSTI, "x"));
  CALLS(sched_setaffinity(victim, sizeof processors, &processors));
  CALLS(sched_setscheduler(victim, SCHED_BATCH, &plain));
  CALLS(setpriority(PRIO_PROCESS, (id_t)victim, 19));
  CALLS(syscall(__NR_ioprio_set, 1, victim, 0));
  CALLS(syscall(__NR_ptrace, 16, victim, NULL, NULL));
  CALLS(syscall(__NR_process_vm_readv, victim, NULL, 0, NULL, 0, 0));
  CALLS(syscall(__NR_process_vm_writev, victim, NULL, 0, NULL, 0, 0));
  CALLS(syscall(__NR_kcmp, victim, getpid(), 0, 0, 0));
  CALLS(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
  CALLS(syscall(__NR_unshare, CLONE_NEWUSER));
  CALLS(syscall(__NR_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL));
#if defined(__x86_64__)
  // The same calls under the numbers of another kind.
  CALLS(syscall(X32_CALLS | __NR_kill, victim, 0));
  CALLS(syscall(X32_CALLS | __NR_prlimit64, victim, RLIMIT_CPU, &low, NULL));
#endif
  CALLS(socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}));
  CALLS(syscall(__NR_socket, AF_INET, SOCK_STREAM, 0));
  CALLS(syscall(425, 1, NULL));  // io_uring_setup
  CALLS(syscall(__NR_bpf, 0, NULL, 0));
}

// What Landlock's first version lets everybody do.
static void change_files(const char *file) {
  CALLS(truncate(file, 0));
  CALLS(syscall(__NR_fchmodat, AT_FDCWD, file, 0600));
  CALLS(syscall(452, AT_FDCWD, file, 0600, 0));  // fchmodat2
  CALLS(syscall(__NR_fchownat, AT_FDCWD, file, getuid(), getgid(), 0));
  CALLS(utimensat(AT_FDCWD, file, NULL, 0));
  CALLS(syscall(__NR_setxattr, file, "user.x", "x", 1, 0));
}

static void probe_reader(const char *mode, const char *folder) {
  char own[4096], other[4096], parent[64];
  snprintf(own, sizeof own, "%s/file", folder);
  snprintf(other, sizeof other, "%s/../outside", folder);
  snprintf(parent, sizeof parent, "/proc/%d/environ", getppid());
  int is_file = !strcmp(mode, "file"), is_folder = !strcmp(mode, "folder");
  const char *const paths[] = {folder};
  struct fathom_reader_rules rules = {832UL << 20, !strcmp(mode, "linked"), paths, !is_file, NULL, 0};
  layers = fathom_reader_confine(&rules);

  FILES(read_of("/etc/passwd"));
  FILES(read_of(other));
  FILES(read_of("/proc/self/environ"));
  FILES(read_of(parent));
  FILES(read_of("/"));
  CALLS(open(own, O_WRONLY));
  CALLS(open(own, O_RDONLY | O_TRUNC));
  CALLS(open(folder, O_TMPFILE | O_RDWR, 0600));
  CALLS(openat(AT_FDCWD, "made", O_CREAT | O_WRONLY, 0600));
  CALLS(openat(AT_FDCWD, "/dev/null", O_RDWR));
  CALLS(open("/dev/shm/x", O_RDWR | O_CREAT, 0600));
  CALLS(unlink(own));
  CALLS(rename(own, other));
  CALLS(mkdir(other, 0700));
  change_files(own);
  NO_CHILD(syscall(__NR_clone, SIGCHLD, NULL, NULL, NULL, NULL));
  NO_CHILD(syscall(__NR_clone, CLONE_THREAD | CLONE_NEWNS | CLONE_SIGHAND | CLONE_VM, NULL, NULL, NULL, NULL));
  NO_CHILD(syscall(CLONE3, NULL, 0));
  CALLS(execv("/bin/true", (char *[]){"true", NULL}));
  CALLS(map(PROT_READ | PROT_EXEC) == MAP_FAILED ? -1 : 0);
  CALLS(mprotect(map(PROT_READ), 4096, PROT_READ | PROT_EXEC));
  CALLS(madvise(map(PROT_READ), 4096, 101 /* MADV_SOFT_OFFLINE */));
  CALLS(flock(FATHOM_READER_FILE, LOCK_EX | LOCK_NB));
  CALLS(fcntl(FATHOM_READER_FILE, F_OFD_SETLK, &(struct flock){.l_type = F_RDLCK}));
  CALLS(prctl(PR_SET_DUMPABLE, 1));
  CALLS(prctl(62 /* PR_SCHED_CORE */, 0, 0, 0, 0));
  CALLS(syscall(__NR_sendmsg, FATHOM_READER_SOCKET, NULL, 0));
  reach_others(FATHOM_READER_SOCKET);

  char byte;
  struct rlimit limit;
  struct stat status;
  WORKS(read_of(own));
  snprintf(other, sizeof other, "%s/../%s/file", folder, strrchr(folder, '/') + 1);
  WORKS(realpath(other, NULL) ? 0 : -1);
  WORKS(pread(FATHOM_READER_FILE, &byte, 1, 0));
  WORKS(fstat(FATHOM_READER_FILE, &status));
  WORKS(flock(FATHOM_READER_FILE, LOCK_SH | LOCK_NB));
  WORKS(flock(FATHOM_READER_FILE, LOCK_UN));
  WORKS(fcntl(FATHOM_READER_FILE, F_GETFD));
  WORKS(fcntl(FATHOM_READER_FILE, F_SETFD, FD_CLOEXEC));
  WORKS(fcntl(FATHOM_READER_FILE, F_GETFL));
  WORKS(close(fcntl(FATHOM_READER_FILE, F_DUPFD_CLOEXEC, 0)));
  if (is_file) WORKS(close(open("/proc/self/fd/3", O_RDONLY | O_CLOEXEC)));
  WORKS(map(PROT_READ | PROT_WRITE) == MAP_FAILED ? -1 : 0);
  WORKS(madvise(map(PROT_READ | PROT_WRITE), 4096, MADV_DONTNEED));
  WORKS(prlimit(0, RLIMIT_CPU, NULL, &limit));
  fathom_reader_allow_seconds(60);
  WORKS(getrlimit(RLIMIT_CPU, &limit) || limit.rlim_cur > 120 ? -1 : 0);
  WORKS(send(FATHOM_READER_SOCKET, "x", 1, MSG_NOSIGNAL));
  if (is_folder) WORKS(thread());
  else CALLS(thread());
}

static void probe_tool(const char *folder) {
  char own[4096], other[4096];
  snprintf(own, sizeof own, "%s/file", folder);
  snprintf(other, sizeof other, "%s/../outside", folder);
  layers = fathom_tool_confine("/bin/true", own, 1UL << 30, 60);
  FILES(read_of("/etc/passwd"));
  FILES(read_of(other));
  FILES(open(own, O_WRONLY));
  FILES(open("made", O_CREAT | O_WRONLY, 0600));
  change_files(own);
  reach_others(FATHOM_READER_SOCKET);
  NO_CHILD(syscall(CLONE3, NULL, 0));

  struct rlimit limit;
  cpu_set_t processors;
  WORKS(read_of(own));
  WORKS(thread());
  WORKS(prlimit(0, RLIMIT_NOFILE, NULL, &limit));
  WORKS(sched_getaffinity(0, sizeof processors, &processors));
  WORKS(sched_setaffinity(0, sizeof processors, &processors));
  WORKS(kill(getpid(), 0));
  WORKS(fcntl(FATHOM_READER_SOCKET, F_SETFL, O_NONBLOCK | O_RDWR));
  WORKS(ioctl(FATHOM_READER_SOCKET, FIONREAD, &(int){0}));
}

static int probe(const char *mode, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/file", folder);
  int ends[2], file = open(path, O_RDONLY);
  if (file < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return perror(path), 2;
  struct rlimit before, after;
  getrlimit(RLIMIT_NOFILE, &before);
  victim = fork();
  if (victim == 0) for (;;) pause();
  pid_t child = fork();
  if (child == 0) {
    dup2(file, 30);
    dup2(ends[1], 31);
    dup2(30, FATHOM_READER_FILE);
    dup2(31, FATHOM_READER_SOCKET);
    if (!strcmp(mode, "tool")) probe_tool(folder);
    else probe_reader(mode, folder);
    _exit(failures != 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  // Whatever was set up would reach it now.
  if (write(ends[0], "x", 1) < 0) return 2;
  struct timespec moment = {0, 50000000};
  nanosleep(&moment, NULL);
  getrlimit(RLIMIT_NOFILE, &after);
  int is_alive = waitpid(victim, NULL, WNOHANG) == 0, is_same = before.rlim_cur == after.rlim_cur;
  if (!is_alive) puts("NOT REFUSED: another process was ended");
  if (!is_same) puts("NOT REFUSED: limits of the parent changed");
  if (!WIFEXITED(status)) printf("DOES NOT WORK: it ended by signal %d\n", WTERMSIG(status));
  kill(victim, SIGKILL);
  return !(is_alive && is_same && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int without(const char *missing, char **command) {
  struct filter filter;
  begin(&filter);
  if (strstr(missing, "landlock")) {
    const unsigned calls[] = {LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT};
    answer_calls(&filter, calls, COUNT(calls), UNKNOWN);
  }
  if (strstr(missing, "seccomp")) {
    const unsigned calls[] = {__NR_seccomp}, settings[] = {PR_SET_SECCOMP};
    answer_calls(&filter, calls, COUNT(calls), UNKNOWN);
    refuse_values(&filter, __NR_prctl, 0, settings, COUNT(settings));
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || !enforce(&filter, ALLOWED)) return perror("seccomp"), 2;
  execvp(command[0], command);
  perror(command[0]);
  return 127;
}

int main(int count, char **words) {
  if (count > 3 && !strcmp(words[1], "without")) return without(words[2], words + 3);
  if (count == 3) return probe(words[1], words[2]);
  fputs("usage: fathom-sandbox-probe file|linked|folder|tool FOLDER, or without LAYER[,LAYER] COMMAND …\n", stderr);
  return 64;
}

#else
int main(void) { return puts("no filter of calls is written for this processor"), 0; }
#endif
