#ifndef FATHOM_TIFF_READING_H
#define FATHOM_TIFF_READING_H

#include <stddef.h>
#include <stdint.h>

// TIFF files of one channel as the numbers that they hold, read by libtiff from memory. Its structures, its callbacks and its functions with
// a variable number of arguments stay in these functions.

struct fathom_tiff_header {
  int64_t width, height;
  int bits;       // of a number: 8, 16, 32 or 64
  int is_real;    // floats, or whole numbers without a sign
  int is_signed;  // whole numbers with one
};

// Both return 1; or 0, or −1 where memory was short, with the reason as a part of a sentence, which ends with a zero.
// A file with several channels, or more pixels than most_pixels, is refused.
int fathom_tiff_read_header(const uint8_t *file, size_t size, int64_t most_pixels, struct fathom_tiff_header *header, char *reason,
                            size_t reason_size);

// Fills width × height numbers of the header's bits, in the processor's order, without gaps between the rows.
int fathom_tiff_read_pixels(const uint8_t *file, size_t size, int64_t most_pixels, const struct fathom_tiff_header *header, void *pixels,
                            char *reason, size_t reason_size);

#endif
