#include "closeness.h"

#include <math.h>

#include "lanes.h"

#define LESSER(a, b) ((reals)SELECT((a) < (b), a, b))
#define GREATER(a, b) ((reals)SELECT((a) > (b), a, b))

// Writes where the points lie along an axis, if there is room for it, and returns where the nearer side does.
INLINE double side(const double *x, const double *z, size_t n, double ax, double az, double *along) {
  reals sums = EACH(0.0), lows = EACH(INFINITY), highs = EACH(-INFINITY);
  const size_t whole = n / LANES * LANES;
  for (size_t i = 0; i < whole; i += LANES) {
    reals px, pz;
    LOAD(px, x + i);
    LOAD(pz, z + i);
    const reals t = ax * px + az * pz;
    if (along) memcpy(along + i, &t, sizeof(t));
    lows = LESSER(t, lows);
    highs = GREATER(t, highs);
    sums += t;
  }
  double low = INFINITY, high = -INFINITY, sum = total(&sums), lanes[LANES];
  memcpy(lanes, &lows, sizeof(lanes));
  for (int k = 0; k < LANES; k++) low = lanes[k] < low ? lanes[k] : low;
  memcpy(lanes, &highs, sizeof(lanes));
  for (int k = 0; k < LANES; k++) high = lanes[k] > high ? lanes[k] : high;
  for (size_t i = whole; i < n; i++) {
    const double t = ax * x[i] + az * z[i];
    if (along) along[i] = t;
    low = t < low ? t : low;
    high = t > high ? t : high;
    sum += t;
  }
  // The sum of (t - low)^2 is below that of (high - t)^2 exactly where the mean lies below the middle.
  return sum / (double)n <= (low + high) / 2 ? low : high;
}

CLONES double closeness_side(const double *x, const double *z, size_t n, double ax, double az) {
  return side(x, z, n, ax, az, NULL);
}

// max(nearest, distance to the nearer side), at most what four of can be multiplied.
INLINE void distances(const double *along, const double *across, size_t i, size_t n, double first, double second,
                      double nearest, reals *result) {
  const double farthest = 1e60;
  reals t, u;
  if (i + LANES <= n) {
    LOAD(t, along + i);
    LOAD(u, across + i);
  } else {
    const size_t rest = i < n ? n - i : 0;
    double numbers[LANES];
    last(along + i, rest, farthest, numbers);
    LOAD(t, numbers);
    last(across + i, rest, farthest, numbers);
    LOAD(u, numbers);
  }
  const reals d = MAGNITUDE(t - first), e = MAGNITUDE(u - second);
  const reals lesser = LESSER(d, e);
  *result = LESSER(GREATER(lesser, EACH(nearest)), EACH(farthest));
}

CLONES double closeness_score(const double *x, const double *z, size_t n, double c, double s, double nearest,
                              double *along, double *across) {
  const double first = side(x, z, n, c, s, along), second = side(x, z, n, -s, c, across);
  reals sums = EACH(0.0);
  // A division takes as long as a dozen other steps: one for four numbers.
  for (size_t i = 0; i < n; i += 4 * LANES) {
    reals a, b, p, q;
    distances(along, across, i, n, first, second, nearest, &a);
    distances(along, across, i + LANES, n, first, second, nearest, &b);
    distances(along, across, i + 2 * LANES, n, first, second, nearest, &p);
    distances(along, across, i + 3 * LANES, n, first, second, nearest, &q);
    const reals ab = a * b, pq = p * q;
    sums += ((a + b) * pq + (p + q) * ab) / (ab * pq);
  }
  return total(&sums);
}
