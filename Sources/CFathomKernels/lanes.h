// Vectors of eight numbers, the same on every processor.
#ifndef FATHOM_LANES_H
#define FATHOM_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

// One body, compiled for what the processor has. Lanes are the same everywhere, so the bits are, too.
#if defined(__x86_64__) && defined(__ELF__) && defined(__has_attribute)
// The thread sanitizer's instructions stand in what chooses a clone, too, which runs before the sanitizer does.
#if __has_attribute(target_clones) && !__has_feature(thread_sanitizer)
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#endif
#endif
#ifndef CLONES
#define CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 8 };
typedef double reals __attribute__((vector_size(64)));
typedef float floats __attribute__((vector_size(32)));
typedef int64_t words __attribute__((vector_size(64)));
typedef uint64_t bits __attribute__((vector_size(64)));
typedef int32_t halves __attribute__((vector_size(32)));
typedef uint32_t half_bits __attribute__((vector_size(32)));

#define EACH(value) ((reals){value, value, value, value, value, value, value, value})
#define EACH_WORD(value) ((words){value, value, value, value, value, value, value, value})
#define EACH_SINGLE(value) ((floats){value, value, value, value, value, value, value, value})
#define EACH_HALF(value) ((halves){value, value, value, value, value, value, value, value})
#define LOAD(target, pointer) memcpy(&target, pointer, sizeof(target))
#define STORE(target, vector) memcpy(target, &(vector), sizeof(vector))
#define SELECT(mask, yes, no) ((((words)(yes)) & (mask)) | (((words)(no)) & ~(mask)))
#define MAGNITUDE(x) ((reals)((words)(x) & EACH_WORD(INT64_MAX)))
#define SINGLE(x) __builtin_convertvector(x, floats)
#define SINGLE_MAGNITUDE(x) ((floats)((halves)(x) & EACH_HALF(INT32_MAX)))

INLINE double total(const reals *lanes) {
  double x[LANES];
  memcpy(x, lanes, sizeof(x));
  return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

INLINE int64_t total_words(const words *lanes) {
  int64_t sum = 0, x[LANES];
  memcpy(x, lanes, sizeof(x));
  for (int i = 0; i < LANES; i++) sum += x[i];
  return sum;
}

// Not 0 where a lane is not.
INLINE int64_t any(const words *lanes) { return __builtin_reduce_or(*lanes); }

// `rest` numbers of the last vector, filled up.
INLINE void last(const double *source, size_t rest, double filling, double *vector) {
  for (size_t i = 0; i < LANES; i++) vector[i] = i < rest ? source[i] : filling;
}

#endif
