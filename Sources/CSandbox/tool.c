#define _GNU_SOURCE
#include "include/sandbox.h"
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int allow(int set, const char *path, uint64_t allowed) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  if (descriptor < 0) return 0;  // What is not there is not needed.
  int fault = add_rule(set, descriptor, allowed);
  close(descriptor);
  return fault;
}

// The folder two levels above a program, where its libraries are: "/opt/ffmpeg" of "/opt/ffmpeg/bin/ffmpeg".
static void allow_own(int set, const char *tool, uint64_t allowed) {
  char *real = realpath(tool, NULL);
  if (!real) return;
  for (int level = 0; level < 2; level++) {
    char *slash = strrchr(real, '/');
    if (slash) *slash = 0;
  }
  // Not the whole system where the program lies at its root.
  if (real[0]) allow(set, real, allowed);
  else allow(set, tool, allowed);
  free(real);
}

static int confine_files(const char *tool, const char *file) {
  struct landlock_rules handled = {LANDLOCK_FIRST_VERSION};
  int set = (int)syscall(LANDLOCK_CREATE, &handled, sizeof handled, 0);
  if (set < 0) return 0;
  static const char *const system[] = {"/usr", "/lib", "/lib64", "/lib32", "/bin", "/opt", "/nix", "/snap",
                                       "/etc/ld.so.cache"};
  const uint64_t running = LANDLOCK_EXECUTE | LANDLOCK_READ_FILE | LANDLOCK_READ_FOLDER;
  for (size_t i = 0; i < sizeof system / sizeof *system; i++) allow(set, system[i], running);
  allow_own(set, tool, running);
  int fault = allow(set, file, LANDLOCK_READ_FILE);
  if (!fault) fault = (int)syscall(LANDLOCK_RESTRICT, set, 0);
  close(set);
  return !fault;
}

// What a program with many libraries needs cannot be listed; what a decoder never needs can.
static int confine_calls(void) {
#ifdef ARCHITECTURE
  static const unsigned refused[] = {
      __NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev,
      __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_mount,
      __NR_umount2, __NR_unshare, __NR_setns, __NR_kcmp, __NR_init_module, __NR_finit_module, __NR_kexec_load,
#ifdef __NR_io_uring_setup
      __NR_io_uring_setup,
#endif
  };
  enum { count = sizeof refused / sizeof *refused };
  struct sock_filter lines[count + 6] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
  };
  for (size_t i = 0; i < count; i++)
    lines[4 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[i], (unsigned char)(count - i), 0);
  lines[4 + count] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  lines[5 + count] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  struct sock_fprog whole = {count + 6, lines};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
#else
  return 0;
#endif
}

int fathom_tool_confine(const char *tool, const char *file, unsigned long memory, unsigned long seconds) {
  // Threads of libdispatch block them, and the limit of processor time comes as one.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_DATA, memory);
  // The signal of the softer limit tells its own end from one that the system brings about.
  limit(RLIMIT_CPU, seconds + 5);
  struct rlimit time;
  if (!getrlimit(RLIMIT_CPU, &time) && time.rlim_max > seconds) {
    time.rlim_cur = seconds;
    setrlimit(RLIMIT_CPU, &time);
  }
  limit(RLIMIT_NOFILE, 64);
  int layers = FATHOM_LAYER_LIMITS;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return layers;
  if (confine_files(tool, file)) layers |= FATHOM_LAYER_LANDLOCK;
  if (confine_calls()) layers |= FATHOM_LAYER_SECCOMP;
  return layers;
}
