// How far the numbers about each pixel lie apart.
#ifndef FATHOM_WINDOW_RANGE_H
#define FATHOM_WINDOW_RANGE_H

#include <stddef.h>

// Room that `window_range` needs, in numbers.
size_t window_range_room(size_t width, size_t height);

// The largest minus the smallest number within `reach` rows and columns of each pixel, NaN skipped; NaN where all
// are.
//
// values, result: `width * height` numbers. room: as above.
void window_range(const float *values, size_t width, size_t height, size_t reach, float *room, float *result);

#endif
