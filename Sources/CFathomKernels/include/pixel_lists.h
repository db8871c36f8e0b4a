// Pixels of a map one by one, in a list.
#ifndef FATHOM_PIXEL_LISTS_H
#define FATHOM_PIXEL_LISTS_H

#include <stddef.h>
#include <stdint.h>

// Numbers of those of n pixels that are in a state, the first one's being `first`; returns how many there are. indices: room for n.
size_t pixel_lists_of_state(const uint8_t *states, size_t n, uint8_t state, int32_t first, int32_t *indices);

// Prediction and truth of those of n listed pixels whose prediction is finite and positive; returns how many there are.
//
// reference: the truth of the listed pixels. d, g: room for n.
size_t pixel_lists_predicted(const double *map, const int32_t *indices, const double *reference, size_t n, double *d, double *g);

// The sum of |1/d - 1/g|; adds the numbers of pixels whose max(d/g, g/d) is below two limits.
//
// d, g: finite and positive. tight, wide: above 1.
double pixel_lists_inverse(const double *d, const double *g, size_t n, double tight, double wide, int64_t *within);

#endif
