#include "pixel_lists.h"

#include <math.h>

#include "lanes.h"

// What belongs is told without a branch: the next one overwrites what does not.

size_t pixel_lists_of_state(const uint8_t *states, size_t n, uint8_t state, int32_t first, int32_t *indices) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) {
    indices[found] = first + (int32_t)i;
    found += states[i] == state;
  }
  return found;
}

size_t pixel_lists_predicted(const double *map, const int32_t *indices, const double *reference, size_t n, double *d, double *g) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) {
    const double value = map[indices[i]];
    d[found] = value;
    g[found] = reference[i];
    found += (value > 0) & (value <= 1.7976931348623157e308);
  }
  return found;
}

CLONES double pixel_lists_inverse(const double *d, const double *g, size_t n, double tight, double wide, int64_t *within) {
  enum { STRIP = 128 };
  double sum = 0;
  for (size_t from = 0; from < n; from += STRIP) {
    const size_t count = n - from < STRIP ? n - from : STRIP;
    double errors[STRIP];
    int64_t near = 0, middle = 0;
    for (size_t i = 0; i < count; i++) {
      const double x = d[from + i], y = g[from + i], ratio = (x > y ? x : y) / (x > y ? y : x);
      errors[i] = fabs(1 / x - 1 / y);
      near += ratio < tight;
      middle += ratio < wide;
    }
    within[0] += near;
    within[1] += middle;
    for (size_t i = 0; i < count; i++) sum += errors[i];
  }
  return sum;
}
