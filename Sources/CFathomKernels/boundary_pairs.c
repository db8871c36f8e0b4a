#include "boundary_pairs.h"

#include "lanes.h"

// Pairs that are looked at together.
enum { STRIP = 128 };
// Behind those of a strip there is room for a whole vector.
typedef double strip[STRIP + LANES] __attribute__((aligned(64)));

// How many ratios the larger of two numbers is above the smaller one; negative where the second is the smaller one.
INLINE void exceeded(const reals *from, const reals *to, const double *ratios, words *count) {
  const words rising = *to > *from;
  const reals larger = (reals)SELECT(rising, *to, *from), smaller = (reals)SELECT(rising, *from, *to), size = larger / smaller;
  words found = EACH_WORD(0);
  for (int k = 0; k < BOUNDARY_RATIO_COUNT; k++) found -= size > EACH(ratios[k]);
  *count = (found ^ ~rising) - ~rising;
}

// Clears the lanes that are not depth: NaN and infinity fail as well.
INLINE void keep_depths(const reals *x, words *known) { *known &= (*x > EACH(0.0)) & (*x <= EACH(1.7976931348623157e308)); }

CLONES void boundary_pairs_add(const double *a, const double *b, const double *g, const double *h, size_t n, const uint8_t *marks,
                               double least, const double *ratios, int64_t *counts) {
  for (size_t from = 0; from < n; from += STRIP) {
    const size_t count = n - from < STRIP ? n - from : STRIP;
    uint8_t steps[STRIP] = {0};
    for (size_t i = 0; i < count; i++) {
      const double p = a[from + i], q = b[from + i];
      steps[i] = (q > least * p) | (p > least * q) | (marks[from + i] != 0);
    }
    uint8_t places[STRIP + 1];
    size_t found = 0;
    for (size_t first = 0; first < count; first += 8) {
      // Most eights have none.
      uint64_t eight;
      memcpy(&eight, steps + first, 8);
      if (eight == 0) continue;
      for (size_t i = first; i < first + 8; i++) {
        places[found] = (uint8_t)i;
        found += steps[i];
      }
    }
    strip p, q, x, y;
    // One by one: gathers take longer on many processors.
#pragma clang loop vectorize(disable)
    for (size_t i = 0; i < found; i++) {
      const size_t at = from + places[i];
      p[i] = a[at];
      q[i] = b[at];
      x[i] = g[at];
      y[i] = h[at];
    }
    for (size_t i = found; i < found + LANES; i++) p[i] = q[i] = x[i] = y[i] = 1;
    for (size_t i = 0; i < found; i += LANES) {
      reals predicted, next, truth, nextTruth;
      LOAD(predicted, p + i);
      LOAD(next, q + i);
      LOAD(truth, x + i);
      LOAD(nextTruth, y + i);
      words known = EACH_WORD(-1), own, other = EACH_WORD(0);
      keep_depths(&predicted, &known);
      keep_depths(&next, &known);
      keep_depths(&truth, &known);
      keep_depths(&nextTruth, &known);
      exceeded(&predicted, &next, ratios, &own);
      // Most of the pairs have a step in the prediction alone.
      const words trueSteps = (nextTruth > EACH(least) * truth) | (truth > EACH(least) * nextTruth);
      if (any(&trueSteps) != 0) exceeded(&truth, &nextTruth, ratios, &other);
      const words entry = ((own * EACH_WORD(BOUNDARY_ROW) + other) & known) + EACH_WORD(BOUNDARY_TABLE_COUNT / 2);
      int64_t entries[LANES];
      STORE(entries, entry);
      for (int k = 0; k < LANES; k++) counts[entries[k]]++;
    }
  }
}
