// Programs for seccomp: which calls a process may make, also by what they are given.
#ifndef FATHOM_FILTER_H
#define FATHOM_FILTER_H

#include "confinement.h"

#ifdef ARCHITECTURE

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>

#define MOST_INSTRUCTIONS 512
struct filter {
  struct sock_filter lines[MOST_INSTRUCTIONS];
  unsigned count;
  int is_too_long;
};

#define ALLOWED SECCOMP_RET_ALLOW
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)
// A program then takes an older call.
#define UNKNOWN (SECCOMP_RET_ERRNO | ENOSYS)

// Fields of a call: its number, and the lower half of an argument. Of all arguments that are judged here the kernel looks at no more.
#define NUMBER ((unsigned)offsetof(struct seccomp_data, nr))
#define ARGUMENT(index) ((unsigned)(offsetof(struct seccomp_data, args) + 8 * (index)))
#define ALL_BITS UINT32_MAX

// Calls of the x32 kind have the same architecture and this bit in their numbers.
#define X32_CALLS 0x40000000

static inline void add(struct filter *filter, struct sock_filter line) {
  if (filter->count < MOST_INSTRUCTIONS) filter->lines[filter->count++] = line;
  else filter->is_too_long = 1;
}

static inline void load(struct filter *filter, unsigned field) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, field));
}

static inline void answer(struct filter *filter, unsigned action) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

// What follows, up to `end`, is for where these bits of a field have this value.
static inline unsigned when(struct filter *filter, unsigned field, unsigned bits, unsigned value) {
  load(filter, field);
  if (bits != ALL_BITS) add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 0));
  return filter->count - 1;
}

static inline void end(struct filter *filter, unsigned start) {
  unsigned lines = filter->count - 1 - start;
  if (lines > UINT8_MAX) filter->is_too_long = 1;
  filter->lines[start].jf = (unsigned char)lines;
}

// Other architectures' calls end the process; those of x32 are refused.
static inline void begin(struct filter *filter) {
  filter->count = 0;
  filter->is_too_long = 0;
  load(filter, offsetof(struct seccomp_data, arch));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  answer(filter, SECCOMP_RET_KILL_PROCESS);
  load(filter, NUMBER);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1));
  answer(filter, REFUSED);
}

// Whatever they are given.
static inline void answer_calls(struct filter *filter, const unsigned *calls, unsigned count, unsigned action) {
  load(filter, NUMBER);
  for (unsigned i = 0; i < count; i++) {
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1));
    answer(filter, action);
  }
}

// A call is allowed where these bits of an argument have this value, and refused otherwise.
static inline void allow_bits(struct filter *filter, unsigned call, int argument, unsigned bits, unsigned value) {
  unsigned of_call = when(filter, NUMBER, ALL_BITS, call);
  unsigned of_value = when(filter, ARGUMENT(argument), bits, value);
  answer(filter, ALLOWED);
  end(filter, of_value);
  answer(filter, REFUSED);
  end(filter, of_call);
}

// A call is allowed where an argument is one of these, and refused otherwise.
static inline void allow_values(
    struct filter *filter, unsigned call, int argument, const unsigned *values, unsigned count) {
  unsigned of_call = when(filter, NUMBER, ALL_BITS, call);
  for (unsigned i = 0; i < count; i++) {
    unsigned of_value = when(filter, ARGUMENT(argument), ALL_BITS, values[i]);
    answer(filter, ALLOWED);
    end(filter, of_value);
  }
  answer(filter, REFUSED);
  end(filter, of_call);
}

// A call is refused where an argument is one of these; otherwise what follows decides.
static inline void refuse_values(
    struct filter *filter, unsigned call, int argument, const unsigned *values, unsigned count) {
  unsigned of_call = when(filter, NUMBER, ALL_BITS, call);
  for (unsigned i = 0; i < count; i++) {
    unsigned of_value = when(filter, ARGUMENT(argument), ALL_BITS, values[i]);
    answer(filter, REFUSED);
    end(filter, of_value);
  }
  end(filter, of_call);
}

// From now on, with `last` for every call that nothing was said of. Returns whether it is in force.
static inline int enforce(struct filter *filter, unsigned last) {
  answer(filter, last);
  if (filter->is_too_long) return 0;
  struct sock_fprog program = {(unsigned short)filter->count, filter->lines};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

#endif
#endif
