#ifndef FATHOM_EXR_READING_H
#define FATHOM_EXR_READING_H

#include <stddef.h>
#include <stdint.h>

// EXR files as the numbers that they hold: scan lines or tiles of the first part, half or float or whole numbers. OpenEXR reads through
// functions of ours from memory, reports errors through one, and takes structures with many fields: all of that stays in these functions.

enum { FATHOM_EXR_MOST_CHANNELS = 64, FATHOM_EXR_NAME_BYTES = 256 };

struct fathom_exr_header {
  int64_t width, height;
  int channel_count;
  uint64_t is_half;  // a bit for each channel, the first one lowest
};

// Both return 1; or 0, or −1 where memory was short, with the reason as a part of a sentence, which ends with a zero.
// A file that declares more pixels than most_pixels, or more than its bytes can hold, is refused before memory is asked for.
// names has room for FATHOM_EXR_MOST_CHANNELS names of FATHOM_EXR_NAME_BYTES each, which end with a zero.
int fathom_exr_read_header(const uint8_t *file, size_t size, int64_t most_pixels, struct fathom_exr_header *header, char *names,
                           char *reason, size_t reason_size);

// Fills width × height floats of one channel, without gaps between the rows; fails where the file declares another size.
int fathom_exr_read_channel(const uint8_t *file, size_t size, int64_t most_pixels, const char *channel, int64_t width, int64_t height,
                            float *pixels, char *reason, size_t reason_size);

#endif
