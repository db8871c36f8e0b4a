#include "boundary_pairs.h"

#include "lanes.h"

enum { MIDDLE = BOUNDARY_TABLE_COUNT / 2, BITS = 6, MOST = (1 << BITS) - 1 };
#define LARGEST 1.7976931348623157e308
#define EVERY_BYTE(value) (0x0101010101010101 * (uint64_t)(value))

CLONES void boundary_pairs_mark(const double *g, const double *h, size_t n, double least, uint8_t *restrict marks) {
  for (size_t i = 0; i < n; i++) {
    const int step = (h[i] > least * g[i]) | (g[i] > least * h[i]);
    const int known = (g[i] > 0) & (h[i] > 0) & (g[i] <= LARGEST) & (h[i] <= LARGEST);
    marks[i] = (uint8_t)(step * BOUNDARY_STEP | !known * BOUNDARY_UNKNOWN);
  }
}

// Of pairs: whether the second number is the larger one, how many ratios that is above the other, and whether both are depths.
typedef struct {
  words rising, count, known;
} steps;

INLINE void measure(const reals *from, const reals *to, const double *ratios, steps *result) {
  const words rising = *to > *from;
  const reals larger = (reals)SELECT(rising, *to, *from), smaller = (reals)SELECT(rising, *from, *to), size = larger / smaller;
  const double density = (BOUNDARY_RATIO_COUNT - 1) / (ratios[BOUNDARY_RATIO_COUNT - 1] - ratios[0]);
  const reals place = (size - EACH(ratios[0])) * EACH(density), most = EACH((double)BOUNDARY_RATIO_COUNT);
  const reals raised = (reals)SELECT(place > EACH(0.0), place, EACH(0.0)), inside = (reals)SELECT(raised < most, raised, most);
  const reals whole = __builtin_elementwise_ceil(inside), off = whole - inside;
  words count = __builtin_convertvector(whole, words);
  // So near to a ratio only a comparison tells.
  const words doubtful = ((off < EACH(1e-6)) | (off > EACH(1 - 1e-6))) & (inside > EACH(0.0)) & (inside < most);
  if (any(&doubtful) != 0) {
    count = EACH_WORD(0);
    for (int k = 0; k < BOUNDARY_RATIO_COUNT; k++) count -= size > EACH(ratios[k]);
  }
  // NaN and infinity fail as well.
  *result = (steps){rising, count, (smaller > EACH(0.0)) & (larger <= EACH(LARGEST))};
}

// The vector of the numbers from i on.
INLINE void some(const double *numbers, size_t i, size_t n, reals *result) {
  if (n - i >= LANES) {
    LOAD(*result, numbers + i);
  } else {
    double filled[LANES];
    last(numbers + i, n - i, 1.0, filled);
    LOAD(*result, filled);
  }
}

// Moves small counters to the table: pairs with a step in the prediction alone, by the number of ratios less one.
INLINE void empty(words *up, words *down, int64_t *counts) {
  for (int k = 0; k < BOUNDARY_RATIO_COUNT; k++) {
    const words rising = *up >> (k * BITS) & EACH_WORD(MOST), falling = *down >> (k * BITS) & EACH_WORD(MOST);
    counts[MIDDLE + (k + 1) * BOUNDARY_ROW] += total_words(&rising);
    counts[MIDDLE - (k + 1) * BOUNDARY_ROW] += total_words(&falling);
  }
  *up = *down = EACH_WORD(0);
}

CLONES void boundary_pairs_add(const double *a, const double *b, const double *g, const double *h, size_t n, const uint8_t *marks,
                               double least, const double *ratios, int64_t *counts) {
  // Most pairs have a step in the prediction alone: each lane has counters of a few bits for them, which are nearer than the table.
  words up = EACH_WORD(0), down = EACH_WORD(0);
  int added = 0;
  for (size_t i = 0; i < n; i += LANES) {
    reals p, q;
    some(a, i, n, &p);
    some(b, i, n, &q);
    uint64_t marked = 0;
    if (n - i >= LANES) {
      memcpy(&marked, marks + i, LANES);
    } else {
      memcpy(&marked, marks + i, n - i);
    }
    const int isMarked = (marked & EVERY_BYTE(BOUNDARY_STEP)) != 0;
    const words predicted = (q > EACH(least) * p) | (p > EACH(least) * q);
    if (!isMarked && any(&predicted) == 0) continue;
    steps own;
    measure(&p, &q, ratios, &own);
    if (isMarked) {
      reals x, y;
      steps other;
      some(g, i, n, &x);
      some(h, i, n, &y);
      measure(&x, &y, ratios, &other);
      const words count = (own.count ^ ~own.rising) - ~own.rising, otherCount = (other.count ^ ~other.rising) - ~other.rising;
      const words entry = ((count * EACH_WORD(BOUNDARY_ROW) + otherCount) & own.known & other.known) + EACH_WORD(MIDDLE);
      int64_t entries[LANES];
      STORE(entries, entry);
      for (int k = 0; k < LANES; k++) counts[entries[k]]++;
      continue;
    }
    typedef uint8_t octets __attribute__((vector_size(LANES)));
    octets each;
    memcpy(&each, &marked, sizeof(each));
    const words counted = own.known & (own.count > EACH_WORD(0)) & (__builtin_convertvector(each, words) == EACH_WORD(0));
    const words one = (EACH_WORD(1) << ((own.count - 1) * BITS & EACH_WORD(63))) & counted;
    up += one & own.rising;
    down += one & ~own.rising;
    if (++added == MOST) {
      empty(&up, &down, counts);
      added = 0;
    }
  }
  empty(&up, &down, counts);
}
