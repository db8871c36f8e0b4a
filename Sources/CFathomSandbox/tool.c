#define _GNU_SOURCE
#include "include/sandbox.h"
#include "confinement.h"
#include "filter.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

#ifdef ARCHITECTURE

// What a program with many libraries needs cannot be listed; what a decoder never needs can.
static const unsigned refused_calls[] = {
    // Others to talk to, other processes, what they share.
    __NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev,
    __NR_kcmp, __NR_tkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_setpriority, __NR_ioprio_set,
    __NR_migrate_pages, __NR_move_pages, __NR_shmget, __NR_shmat, __NR_shmctl, __NR_msgget, __NR_msgsnd, __NR_msgrcv,
    __NR_msgctl, __NR_semget, __NR_semop, __NR_semtimedop, __NR_semctl, __NR_mq_open, __NR_mq_unlink,
    // The system.
    __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_mount,
    __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_unshare, __NR_setns, __NR_init_module, __NR_finit_module,
    __NR_delete_module, __NR_kexec_load, __NR_reboot, __NR_swapon, __NR_swapoff, __NR_acct, __NR_quotactl,
    __NR_sethostname, __NR_setdomainname, __NR_settimeofday, __NR_clock_settime, __NR_adjtimex, __NR_clock_adjtime,
    __NR_syslog, __NR_vhangup, __NR_open_by_handle_at, __NR_fanotify_init,
    // What Landlock's first version lets everybody do to files: shorten them, and change what stands beside their bytes.
    __NR_truncate, __NR_fchmod, __NR_fchmodat, __NR_fchown, __NR_fchownat, __NR_utimensat, __NR_setxattr,
    __NR_lsetxattr, __NR_fsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr,
#if defined(__x86_64__)
    __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat, __NR_iopl, __NR_ioperm,
#endif
};

// Of the calls that came later, and of those that are still to come, only these: openat2, close_range, faccessat2, epoll_pwait2,
// futex_waitv, cachestat, map_shadow_stack, futex_wake, futex_wait, futex_requeue, mseal.
static const unsigned later_calls[] = {436, 437, 439, 441, 449, 451, 453, 454, 455, 456, 462};

static int confine_calls(void) {
  struct filter filter;
  begin(&filter);
  answer_calls(&filter, refused_calls, COUNT(refused_calls), REFUSED);
  answer_calls(&filter, later_calls, COUNT(later_calls), ALLOWED);
  load(&filter, NUMBER);
  add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_COMMON_CALL, 0, 1));
  answer(&filter, UNKNOWN);
  // Only the process itself, which stays this one when it becomes the tool.
  const unsigned own[] = {(unsigned)getpid(), 0};
  const unsigned killing[] = {__NR_kill, __NR_tgkill};
  for (size_t i = 0; i < COUNT(killing); i++) allow_values(&filter, killing[i], 0, own, 1);
  const unsigned limiting[] = {__NR_prlimit64, __NR_sched_setaffinity, __NR_sched_setscheduler, __NR_sched_setparam,
                               __NR_sched_setattr};
  for (size_t i = 0; i < COUNT(limiting); i++) allow_values(&filter, limiting[i], 0, own, COUNT(own));
  // No signal from a file, a socket or a terminal, and no letters typed into one.
  const unsigned commands[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY};
  refuse_values(&filter, __NR_fcntl, 1, commands, COUNT(commands));
  const unsigned requests[] = {FIOASYNC, FIOSETOWN, SIOCSPGRP, TIOCSTI};
  refuse_values(&filter, __NR_ioctl, 1, requests, COUNT(requests));
  unsigned of_call = when(&filter, NUMBER, ALL_BITS, __NR_fcntl);
  unsigned of_command = when(&filter, ARGUMENT(1), ALL_BITS, F_SETFL);
  unsigned of_signals = when(&filter, ARGUMENT(2), O_ASYNC, O_ASYNC);
  answer(&filter, REFUSED);
  end(&filter, of_signals);
  end(&filter, of_command);
  end(&filter, of_call);
  allow_bits(&filter, __NR_clone, 0, CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                                       CLONE_NEWPID | CLONE_NEWNET, 0);
  return enforce(&filter, ALLOWED);
}

#else
static int confine_calls(void) { return 0; }
#endif

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
