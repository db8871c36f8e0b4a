#include "pixel_lists.h"

// What belongs is told without a branch: the next one overwrites what does not.

size_t pixel_lists_of_state(const uint8_t *states, size_t n, uint8_t state, int32_t first, int32_t *indices) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) {
    indices[found] = first + (int32_t)i;
    found += states[i] == state;
  }
  return found;
}
