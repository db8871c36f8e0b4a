// What the two passes of scoring share: strips of pixels, and the bins of their errors.
#ifndef FATHOM_ERROR_STRIP_H
#define FATHOM_ERROR_STRIP_H

#include "error_terms.h"
#include "lanes.h"

// The bin of a number that is not negative.
INLINE void bin(const reals *x, words *result) {
  const reals least = EACH(ERROR_BIN_LEAST), most = EACH(ERROR_BIN_MOST);
  const reals raised = (reals)SELECT(*x > least, *x, least), inside = (reals)SELECT(raised < most, raised, most);
  *result = (words)((bits)inside >> ERROR_BIN_SHIFT) - EACH_WORD(ERROR_BIN_BASE);
}

// The vectors of the pixels from i on; returns how many of them there are.
INLINE size_t load(const double *d, const double *g, const double *inverse, size_t i, size_t n, reals *x, reals *y,
                   reals *v) {
  const size_t rest = n - i < LANES ? n - i : LANES;
  if (rest == LANES) {
    LOAD(*x, d + i);
    LOAD(*y, g + i);
    LOAD(*v, inverse + i);
  } else {
    double numbers[LANES];
    last(d + i, rest, 1.0, numbers);
    LOAD(*x, numbers);
    last(g + i, rest, 1.0, numbers);
    LOAD(*y, numbers);
    last(inverse + i, rest, 1.0, numbers);
    LOAD(*v, numbers);
  }
  return rest;
}

// A block of pixels that one loop after the other works on. Each loop has few enough sums for the registers, and what it leaves to the
// next stays in the nearest cache.
enum { STRIP = 128 };
typedef double strip[STRIP] __attribute__((aligned(64)));
typedef int64_t word_strip[STRIP] __attribute__((aligned(64)));
typedef float single_strip[STRIP] __attribute__((aligned(64)));

// The loops' sums, and what the pixels of a strip leave to the next loops.
typedef struct {
  reals terms[ERROR_TERM_COUNT];
  words under[ERROR_LIMIT_COUNT];
  strip absolute, relative, ratio;
} error_strip;

#endif
