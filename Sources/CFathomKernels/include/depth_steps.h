// Where a depth map steps, and what lies near.
#ifndef FATHOM_DEPTH_STEPS_H
#define FATHOM_DEPTH_STEPS_H

#include <stddef.h>
#include <stdint.h>

// Puts mask[k] to 1 where pixel k lies within a margin of a step between two neighbouring known depths, else to 0.
//
// depths: width × height, row by row; known ones are finite and positive. A step is a ratio of neighbours above `ratio`, at least 1.
// reachX, reachY: the margin along a row and along a column, pixels.
// since: room for `width` numbers.
void depth_steps_mask(const float *depths, size_t width, size_t height, double ratio, size_t reachX, size_t reachY,
                      uint8_t *mask, uint32_t *since);

#endif
