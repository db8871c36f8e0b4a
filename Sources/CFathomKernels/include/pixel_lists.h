// Pixels of a map one by one, in a list.
#ifndef FATHOM_PIXEL_LISTS_H
#define FATHOM_PIXEL_LISTS_H

#include <stddef.h>
#include <stdint.h>

// Numbers of those of n pixels that are in a state, the first one's being `first`; returns how many there are. indices: room for n.
size_t pixel_lists_of_state(const uint8_t *states, size_t n, uint8_t state, int32_t first, int32_t *indices);

#endif
