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
  reals sum = EACH(0.0);
  words near = EACH_WORD(0), middle = EACH_WORD(0);
  for (size_t i = 0; i < n; i += LANES) {
    reals x, y;
    if (n - i >= LANES) {
      LOAD(x, d + i);
      LOAD(y, g + i);
    } else {
      double numbers[LANES];
      last(d + i, n - i, 1.0, numbers);
      LOAD(x, numbers);
      last(g + i, n - i, 1.0, numbers);
      LOAD(y, numbers);
    }
    const words above = x > y;
    const reals ratio = (reals)SELECT(above, x, y) / (reals)SELECT(above, y, x), error = (y - x) / (x * y);
    sum += MAGNITUDE(error);
    near -= ratio < EACH(tight);
    middle -= ratio < EACH(wide);
  }
  const int64_t filled = (int64_t)((LANES - n % LANES) % LANES);
  within[0] += total_words(&near) - filled;
  within[1] += total_words(&middle) - filled;
  return total(&sum);
}
