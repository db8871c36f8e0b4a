#include "covariance.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lanes.h"

// Numbers that the pivots of a selection are taken from, and so few that sorting them takes no longer.
enum { SAMPLE = 32 };

static void sort(double *numbers, size_t n) {
  for (size_t i = 1; i < n; i++) {
    const double number = numbers[i];
    size_t j = i;
    for (; j > 0 && numbers[j - 1] > number; j--) numbers[j] = numbers[j - 1];
    numbers[j] = number;
  }
}

INLINE size_t count_up_to(const double *numbers, size_t n, double limit) {
  words found = EACH_WORD(0);
  const size_t whole = n / LANES * LANES;
  for (size_t i = 0; i < whole; i += LANES) {
    reals x;
    LOAD(x, numbers + i);
    found -= x <= EACH(limit);
  }
  size_t count = (size_t)total_words(&found);
  for (size_t i = whole; i < n; i++) count += numbers[i] <= limit;
  return count;
}

// The number of a rank, from 0; leaves anything in `numbers`.
INLINE double ranked(double *numbers, size_t n, size_t rank) {
  // Places that no order of the numbers foresees.
  uint64_t place = n;
  while (n > SAMPLE) {
    double sample[SAMPLE];
    for (size_t i = 0; i < SAMPLE; i++) {
      place = place * 6364136223846793005u + 1442695040888963407u;
      sample[i] = numbers[(place >> 32) * n >> 32];
    }
    sort(sample, SAMPLE);
    // The first number of the sample that has enough numbers up to it.
    size_t low = 0, high = SAMPLE, below = 0;
    while (low < high) {
      const size_t middle = (low + high) / 2, count = count_up_to(numbers, n, sample[middle]);
      if (count > rank) {
        high = middle;
      } else {
        low = middle + 1;
        below = count;
      }
    }
    const double least = low > 0 ? sample[low - 1] : -INFINITY, most = low < SAMPLE ? sample[low] : INFINITY;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
      const double number = numbers[i];
      numbers[kept] = number;
      kept += (number > least) & (number <= most);
    }
    rank -= below;
    if (kept == n) {
      // The whole sample is the largest number: that one, or one of the others.
      kept = 0;
      for (size_t i = 0; i < n; i++) {
        const double number = numbers[i];
        numbers[kept] = number;
        kept += number < most;
      }
      if (rank >= kept) return most;
    }
    n = kept;
  }
  sort(numbers, n);
  return numbers[rank];
}

// Squared Mahalanobis distances.
INLINE void measure(const double *x, const double *z, size_t n, covariance_moments m, double *distances) {
  const double scale = 1 / (m.xx * m.zz - m.xz * m.xz), a = m.zz * scale, b = -2 * m.xz * scale, c = m.xx * scale;
  const size_t whole = n / LANES * LANES;
  for (size_t i = 0; i < whole; i += LANES) {
    reals u, v;
    LOAD(u, x + i);
    LOAD(v, z + i);
    u -= EACH(m.x);
    v -= EACH(m.z);
    const reals d = EACH(a) * u * u + EACH(b) * u * v + EACH(c) * v * v;
    STORE(distances + i, d);
  }
  for (size_t i = whole; i < n; i++) {
    const double u = x[i] - m.x, v = z[i] - m.z;
    distances[i] = a * u * u + b * u * v + c * v * v;
  }
}

// The vectors of the points from i on that are not farther than a limit, less a centre; 0 for the others.
INLINE void load_near(const double *x, const double *z, const double *distances, size_t i, size_t n, double limit,
                      double centre_x, double centre_z, reals *u, reals *v) {
  reals d;
  if (n - i >= LANES) {
    LOAD(*u, x + i);
    LOAD(*v, z + i);
    LOAD(d, distances + i);
  } else {
    double numbers[LANES];
    last(x + i, n - i, 0, numbers);
    LOAD(*u, numbers);
    last(z + i, n - i, 0, numbers);
    LOAD(*v, numbers);
    last(distances + i, n - i, NAN, numbers);
    LOAD(d, numbers);
  }
  const words near = d <= EACH(limit);
  *u = (reals)((words)(*u - EACH(centre_x)) & near);
  *v = (reals)((words)(*v - EACH(centre_z)) & near);
}

// Mean and covariance of the `count` points that are not farther than a limit.
INLINE covariance_moments moments(const double *x, const double *z, const double *distances, size_t n, double limit,
                                  size_t count) {
  reals sx = EACH(0.0), sz = EACH(0.0), xx = EACH(0.0), xz = EACH(0.0), zz = EACH(0.0), u, v;
  for (size_t i = 0; i < n; i += LANES) {
    load_near(x, z, distances, i, n, limit, 0, 0, &u, &v);
    sx += u;
    sz += v;
  }
  const double number = (double)count, mean_x = total(&sx) / number, mean_z = total(&sz) / number;
  for (size_t i = 0; i < n; i += LANES) {
    load_near(x, z, distances, i, n, limit, mean_x, mean_z, &u, &v);
    xx += u * u;
    xz += u * v;
    zz += v * v;
  }
  return (covariance_moments){
      .x = mean_x, .z = mean_z, .xx = total(&xx) / number, .xz = total(&xz) / number, .zz = total(&zz) / number};
}

CLONES covariance_moments covariance_of_nearest(const double *x, const double *z, size_t n, size_t half,
                                                covariance_moments given, double *room) {
  double *distances = room, *numbers = room + n;
  measure(x, z, n, given, distances);
  memcpy(numbers, distances, n * sizeof(double));
  const double limit = ranked(numbers, n, half - 1);
  // Of points at the distance of the last one, the later ones do not count.
  size_t spare = count_up_to(distances, n, limit) - half;
  for (size_t i = n; spare > 0 && i-- > 0;) {
    if (distances[i] == limit) {
      distances[i] = NAN;
      spare--;
    }
  }
  return moments(x, z, distances, n, limit, half);
}
