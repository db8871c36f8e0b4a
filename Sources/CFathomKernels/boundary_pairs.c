#include "boundary_pairs.h"

#include "lanes.h"

// Pairs that are looked at together.
enum { STRIP = 128 };
// Behind those of a strip there is room for a whole vector.
typedef double strip[STRIP + LANES] __attribute__((aligned(64)));

// How many ratios the larger of two numbers is above the smaller one, and which is larger.
INLINE void exceeded(const reals *from, const reals *to, const double *ratios, words *count, words *rises) {
  const words rising = *to > *from;
  const reals larger = (reals)SELECT(rising, *to, *from), smaller = (reals)SELECT(rising, *from, *to), size = larger / smaller;
  words found = EACH_WORD(0);
  for (int k = 0; k < BOUNDARY_RATIO_COUNT; k++) found -= size > EACH(ratios[k]);
  *count = found;
  *rises = rising;
}

INLINE int is_depth(double x) { return (x > 0) & (x <= 1.7976931348623157e308); }

CLONES void boundary_pairs_add(const double *a, const double *b, const double *g, const double *h, size_t n, const uint8_t *marks,
                               double least, const double *ratios, int64_t *rising, int64_t *falling) {
  for (size_t from = 0; from < n; from += STRIP) {
    const size_t count = n - from < STRIP ? n - from : STRIP;
    uint8_t steps[STRIP] = {0};
    for (size_t i = 0; i < count; i++) {
      const double p = a[from + i], q = b[from + i];
      steps[i] = (q > least * p) | (p > least * q) | (marks[from + i] != 0);
    }
    strip p, q, x, y;
    size_t found = 0;
    for (size_t first = 0; first < count; first += 8) {
      // Most eights have none.
      uint64_t eight;
      memcpy(&eight, steps + first, 8);
      if (eight == 0) continue;
      for (size_t i = first; i < first + 8; i++) {
        const size_t at = from + (i < count ? i : 0);
        p[found] = a[at];
        q[found] = b[at];
        x[found] = g[at];
        y[found] = h[at];
        found += (steps[i] != 0) & is_depth(a[at]) & is_depth(b[at]) & is_depth(g[at]) & is_depth(h[at]);
      }
    }
    for (size_t i = found; i < found + LANES; i++) p[i] = q[i] = x[i] = y[i] = 1;
    for (size_t i = 0; i < found; i += LANES) {
      reals predicted, next, truth, nextTruth;
      LOAD(predicted, p + i);
      LOAD(next, q + i);
      LOAD(truth, x + i);
      LOAD(nextTruth, y + i);
      words own, ownRises, other, otherRises;
      exceeded(&predicted, &next, ratios, &own, &ownRises);
      exceeded(&truth, &nextTruth, ratios, &other, &otherRises);
      const words row = own * EACH_WORD(BOUNDARY_RATIO_COUNT + 1);
      const words up = (row & ownRises) + (other & otherRises), down = (row & ~ownRises) + (other & ~otherRises);
      int64_t ups[LANES], downs[LANES];
      STORE(ups, up);
      STORE(downs, down);
      for (int k = 0; k < LANES; k++) {
        rising[ups[k]]++;
        falling[downs[k]]++;
      }
    }
  }
}
