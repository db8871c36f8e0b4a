// HDF5's shuffle filter: first bytes of all elements, then the second ones, and so on.
#ifndef FATHOM_SHUFFLE_H
#define FATHOM_SHUFFLE_H

#include <stddef.h>
#include <stdint.h>

// Puts the bytes of `count` elements of `size` bytes together again; the two do not overlap.
void shuffle_undo(const uint8_t *shuffled, size_t count, size_t size, uint8_t *elements);

// The reverse.
void shuffle_do(const uint8_t *elements, size_t count, size_t size, uint8_t *shuffled);

#endif
