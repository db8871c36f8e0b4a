#include "window_range.h"

#include <math.h>

#include "lanes.h"

// Both extremes along the rows, and a row of each.
size_t window_range_room(size_t width, size_t height) { return 2 * (width * height + width); }

// What is not a number is neither small nor large: comparisons with it are false, and it stands first.
INLINE void widen(const float *from, size_t n, float *low, float *high) {
  for (size_t i = 0; i < n; i++) low[i] = from[i] < low[i] ? from[i] : low[i];
  for (size_t i = 0; i < n; i++) high[i] = from[i] > high[i] ? from[i] : high[i];
}

CLONES void window_range(const float *values, size_t width, size_t height, size_t reach, float *room, float *result) {
  float *lows = room, *highs = lows + width * height;
  for (size_t i = 0; i < width * height; i++) lows[i] = INFINITY;
  for (size_t i = 0; i < width * height; i++) highs[i] = -INFINITY;
  for (size_t row = 0; row < height; row++) {
    const float *line = values + row * width;
    float *low = lows + row * width, *high = highs + row * width;
    for (size_t step = 0; step <= reach && step < width; step++) {
      widen(line + step, width - step, low, high);
      widen(line, width - step, low + step, high + step);
    }
  }
  float *lowest = highs + width * height, *highest = lowest + width;
  for (size_t row = 0; row < height; row++) {
    for (size_t i = 0; i < width; i++) lowest[i] = INFINITY;
    for (size_t i = 0; i < width; i++) highest[i] = -INFINITY;
    const size_t first = row < reach ? 0 : row - reach, end = row + reach + 1 < height ? row + reach + 1 : height;
    for (size_t other = first; other < end; other++) {
      const float *low = lows + other * width, *high = highs + other * width;
      for (size_t i = 0; i < width; i++) lowest[i] = low[i] < lowest[i] ? low[i] : lowest[i];
      for (size_t i = 0; i < width; i++) highest[i] = high[i] > highest[i] ? high[i] : highest[i];
    }
    for (size_t i = 0; i < width; i++) {
      result[row * width + i] = lowest[i] <= highest[i] ? highest[i] - lowest[i] : NAN;
    }
  }
}
