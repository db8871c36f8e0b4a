#ifndef FATHOM_PNG_READING_H
#define FATHOM_PNG_READING_H

#include <stddef.h>
#include <stdint.h>

// PNG files as the numbers that they hold: no gamma, no colour profile, no scaling. libpng reports errors by longjmp, which must not
// pass through frames of Swift: it begins and ends in these functions.

struct fathom_png_header {
  uint32_t width, height;
  int bit_depth;     // of a channel: 1, 2, 4, 8, 16
  int is_grey;       // one channel: no colour, no palette, no opacity
  int channels;      // 1 to 4; of a palette those of its colours
};

enum fathom_png_form {
  FATHOM_PNG_RGB8,  // three bytes a pixel, from any PNG; opacity is dropped
  FATHOM_PNG_ALL,   // all channels as they stand, unscaled, of one byte or, from 16 bits, of two in the processor's order
};

// Both return 1; or 0, or −1 where memory was short, with the reason as a part of a sentence, which ends with a zero.
int fathom_png_read_header(const uint8_t *file, size_t size, struct fathom_png_header *header, char *reason, size_t reason_size);

// Fills width × height pixels without gaps between the rows; fails where the file declares another size.
int fathom_png_read_pixels(const uint8_t *file, size_t size, enum fathom_png_form form, uint32_t width, uint32_t height, void *pixels,
                           char *reason, size_t reason_size);

#endif
