#ifndef FATHOM_TIFF_READING_H
#define FATHOM_TIFF_READING_H

#include <stddef.h>
#include <stdint.h>

// TIFF files of one channel, and pictures, as the numbers that they hold, read by libtiff from memory. Its structures, its callbacks and its functions with
// a variable number of arguments stay in these functions.

struct fathom_tiff_header {
  int64_t width, height;
  int bits;       // of a number: 8, 16, 32 or 64
  int channels;   // 1; 3 of a picture; at most 4
  int is_real;    // floats, or whole numbers without a sign
  int is_signed;  // whole numbers with one
};

// Both return 1; or 0, or −1 where memory was short, with the reason as a part of a sentence, which ends with a zero. A file with more
// pixels than most_pixels is refused, and one with several channels, unless it may be a picture: where that is 1, red, green and blue of
// 8 bits are read, too, and where it is 2, up to four channels of any numbers.
int fathom_tiff_read_header(const uint8_t *file, size_t size, int64_t most_pixels, int may_be_picture, struct fathom_tiff_header *header,
                            char *reason, size_t reason_size);

// Fills width × height × channels numbers of the header's bits, in the processor's order, without gaps between the rows.
int fathom_tiff_read_pixels(const uint8_t *file, size_t size, int64_t most_pixels, const struct fathom_tiff_header *header, void *pixels,
                            char *reason, size_t reason_size);

#endif
