// Rows between the pixels of a map.
#ifndef FATHOM_BILINEAR_H
#define FATHOM_BILINEAR_H

#include <stddef.h>
#include <stdint.h>

// result = row[left] * (1 - weight) + row[right] * weight
void bilinear_stretch(const float *row, const int32_t *left, const int32_t *right, const double *weights, size_t n,
                      double *result);

// result = row, with NaN for what is not finite.
void bilinear_plain(const float *row, size_t n, double *result);

// result = upper * (1 - weight) + lower * weight
void bilinear_blend(const double *upper, const double *lower, double weight, size_t n, double *result);

// The same, rounded.
void bilinear_blend_single(const double *upper, const double *lower, double weight, size_t n, float *result);

// map = share * map + rest where both are known; rest / (1 - share) where the map is not, NaN where nothing is left of it; the map
// stays where the rest is not finite.
void bilinear_mix(const double *share, const double *rest, size_t n, float *map);

#endif
