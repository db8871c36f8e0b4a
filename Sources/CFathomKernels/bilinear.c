#include "bilinear.h"

#include <math.h>

#include "lanes.h"

CLONES void bilinear_stretch(const float *row, const int32_t *left, const int32_t *right, const double *weights,
                             size_t n, double *result) {
  for (size_t i = 0; i < n; i++) {
    result[i] = (double)row[left[i]] * (1 - weights[i]) + (double)row[right[i]] * weights[i];
  }
}

CLONES void bilinear_plain(const float *row, size_t n, double *result) {
  // Infinity becomes NaN, as it does where it is weighted.
  for (size_t i = 0; i < n; i++) result[i] = (double)row[i] + (double)row[i] * 0.0;
}

CLONES void bilinear_blend(const double *upper, const double *lower, double weight, size_t n, double *result) {
  const double other = 1 - weight;
  for (size_t i = 0; i < n; i++) result[i] = upper[i] * other + lower[i] * weight;
}

CLONES void bilinear_blend_single(const double *upper, const double *lower, double weight, size_t n, float *result) {
  const double other = 1 - weight;
  for (size_t i = 0; i < n; i++) result[i] = (float)(upper[i] * other + lower[i] * weight);
}

CLONES void bilinear_mix(const double *share, const double *rest, size_t n, float *map) {
  for (size_t i = 0; i < n; i++) {
    const double own = share[i], kept = rest[i], old = map[i];
    const int known = fabs(kept) < (double)INFINITY, mapped = fabs(old) < (double)INFINITY;
    const double alone = own < 1 ? kept / (1 - own) : (double)NAN;
    const double both = mapped ? own * old + kept : alone, mixed = own > 0 ? both : kept;
    map[i] = known ? (float)mixed : map[i];
  }
}
