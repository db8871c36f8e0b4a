#include "view_agreement.h"

#include <math.h>

#include "lanes.h"

// Nothing is added across lanes, so their number is free.
enum { PIXELS = 16 };
typedef float pixels __attribute__((vector_size(64)));
typedef int32_t lanewise __attribute__((vector_size(64)));

size_t view_agreement_room(size_t views) { return views * PIXELS; }

// Batcher's merge exchange, which sorts any number of rows by the same steps: each lane by itself. D. E. Knuth, "The Art of Computer
// Programming", vol. 3, 5.2.2, algorithm M.
INLINE void sort_lanes(float *rows, size_t count) {
  size_t top = 1;
  while (2 * top < count) top *= 2;
  for (size_t p = top; p > 0; p /= 2) {
    for (size_t q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
      for (size_t i = 0; i + d < count; i++) {
        if ((i & p) != r) continue;
        pixels a, b;
        LOAD(a, rows + i * PIXELS);
        LOAD(b, rows + (i + d) * PIXELS);
        const pixels low = __builtin_elementwise_min(a, b), high = __builtin_elementwise_max(a, b);
        STORE(rows + i * PIXELS, low);
        STORE(rows + (i + d) * PIXELS, high);
      }
      if (q == p) break;
    }
  }
}

// Of the first `count` of a lane's ascending numbers, which are at least one.
INLINE float middle(const float *rows, size_t lane, size_t count) {
  const float upper = rows[count / 2 * PIXELS + lane];
  return count % 2 == 1 ? upper : (rows[(count / 2 - 1) * PIXELS + lane] + upper) / 2;
}

CLONES void view_agreement(const float *maps, size_t views, size_t size, size_t fewest, float spread, float *room,
                           float *result) {
  const pixels none = (pixels){} + INFINITY;
  for (size_t start = 0; start < size; start += PIXELS) {
    const size_t n = size - start < PIXELS ? size - start : PIXELS;
    lanewise counts = {};
    for (size_t view = 0; view < views; view++) {
      pixels depth = none - none;
      const float *source = maps + view * size + start;
      if (n == PIXELS) {
        LOAD(depth, source);
      } else {
        memcpy(&depth, source, n * sizeof(float));
      }
      const lanewise known = depth == depth;
      counts -= known;
      depth = (pixels)(((lanewise)depth & known) | ((lanewise)none & ~known));
      STORE(room + view * PIXELS, depth);
    }
    sort_lanes(room, views);
    pixels medians = {};
    for (size_t lane = 0; lane < n; lane++) {
      if (counts[lane] > 0) medians[lane] = middle(room, lane, (size_t)counts[lane]);
    }
    for (size_t view = 0; view < views; view++) {
      pixels depth;
      LOAD(depth, room + view * PIXELS);
      depth = __builtin_elementwise_abs(depth - medians);
      STORE(room + view * PIXELS, depth);
    }
    sort_lanes(room, views);
    for (size_t lane = 0; lane < n; lane++) {
      const size_t count = (size_t)counts[lane];
      const int agree = count >= fewest && count > 0 && middle(room, lane, count) < spread * medians[lane];
      result[start + lane] = agree ? medians[lane] : NAN;
    }
  }
}
