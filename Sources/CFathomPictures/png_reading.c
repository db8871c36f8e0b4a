#include "png_reading.h"

#include <errno.h>
#include <libdeflate.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
  const uint8_t *bytes;
  size_t size, position;
  char *reason;
  size_t reason_size;
  int is_cut, is_short;
};

// libpng has no numbers for its errors; where it asked for memory in vain, malloc has left one.
static void fail(struct source *source, const char *message) {
  source->is_short = errno == ENOMEM && !source->is_cut;
  const char *start = source->is_cut ? "the PNG is cut short" : "the PNG cannot be read: ";
  snprintf(source->reason, source->reason_size, "%s%s", start, source->is_cut ? "" : message);
}

static void end(png_structp png, png_infop info) { png_destroy_read_struct(&png, &info, NULL); }

// What a caller returns behind an error.
static int failure(const struct source *source, png_structp png, png_infop info) {
  end(png, info);
  return source->is_short ? -1 : 0;
}

static void on_error(png_structp png, png_const_charp message) {
  fail(png_get_error_ptr(png), message);
  longjmp(*png_set_longjmp_fn(png, longjmp, sizeof(jmp_buf)), 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
  struct source *source = png_get_io_ptr(png);
  if (count > source->size - source->position) {
    source->is_cut = 1;
    png_error(png, "it is cut short");
  }
  memcpy(bytes, source->bytes + source->position, count);
  source->position += count;
}

// What is checked of every file before its pixels are: NULL where memory is short.
static png_structp reader(struct source *source) {
  errno = 0;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, source, on_error, on_warning);
  if (png == NULL) fail(source, "memory is short");
  return png;
}

// Reads what stands before the pixels. Chunks that say how the numbers are to be shown change nothing here, and a damaged one does not make
// a map unreadable.
static void begin(png_structp png, png_infop volatile *info, struct source *source) {
  *info = png_create_info_struct(png);
  if (*info == NULL) png_error(png, "memory is short");
  png_set_read_fn(png, source, read_bytes);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_chunk_malloc_max(png, 8000000);
  png_read_info(png, *info);
}

static int channels(png_structp png, png_infop info) {
  if (png_get_color_type(png, info) != PNG_COLOR_TYPE_PALETTE) return png_get_channels(png, info);
  return png_get_valid(png, info, PNG_INFO_tRNS) ? 4 : 3;
}

int fathom_png_read_header(const uint8_t *file, size_t size, struct fathom_png_header *header, char *reason, size_t reason_size) {
  struct source source = {file, size, 0, reason, reason_size, 0, 0};
  png_structp png = reader(&source);
  if (png == NULL) return -1;
  png_infop volatile info = NULL;
  if (setjmp(png_jmpbuf(png))) return failure(&source, png, info);
  begin(png, &info, &source);
  header->width = png_get_image_width(png, info);
  header->height = png_get_image_height(png, info);
  header->bit_depth = png_get_bit_depth(png, info);
  header->is_grey = png_get_color_type(png, info) == PNG_COLOR_TYPE_GRAY;
  header->channels = channels(png, info);
  end(png, info);
  return 1;
}

static uint32_t number(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Joins the data of the IDAT chunks; the first begins at `at`. 0 unless all are whole and IEND alone follows.
static size_t join(const uint8_t *file, size_t size, size_t at, uint8_t *joined) {
  size_t found = 0;
  while (size - at >= 12) {
    const size_t length = number(file + at);
    const uint8_t *kind = file + at + 4, *data = kind + 4;
    if (length > size - at - 12 || libdeflate_crc32(0, kind, length + 4) != number(data + length)) return 0;
    if (memcmp(kind, "IEND", 4) == 0) return length == 0 ? found : 0;
    if (memcmp(kind, "IDAT", 4) != 0) return 0;
    memcpy(joined + found, data, length);
    found += length;
    at += 12 + length;
  }
  return 0;
}

typedef uint8_t sixteen __attribute__((vector_size(16)));

// Adds to every byte of a row those two, four, … places before it: the sums of pixels of two bytes, eight pixels at a time.
static void add_before(uint8_t *row, size_t count) {
  const sixteen none = {0};
  sixteen last = {0};
  size_t i = 0;
  for (; i + sizeof(sixteen) <= count; i += sizeof(sixteen)) {
    sixteen x;
    memcpy(&x, row + i, sizeof(x));
    x += __builtin_shufflevector(none, x, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    x += __builtin_shufflevector(none, x, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
    x += __builtin_shufflevector(none, x, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    x += last;
    memcpy(row + i, &x, sizeof(x));
    last = __builtin_shufflevector(x, x, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15);
  }
  for (; i < count; i++) row[i] += i < 2 ? 0 : row[i - 2];
}

// Takes the filter of a row back (PNG specification, 9.2). above: NULL before the first row; each: bytes of a pixel.
static int unfilter(int filter, uint8_t *row, const uint8_t *above, size_t count, size_t each) {
  switch (filter) {
    case PNG_FILTER_VALUE_NONE: return 1;
    case PNG_FILTER_VALUE_SUB:
      if (each == 2) {
        add_before(row, count);
        return 1;
      }
      for (size_t k = 0; k < each; k++) {
        uint8_t sum = 0;
        for (size_t i = k; i < count; i += each) row[i] = sum += row[i];
      }
      return 1;
    case PNG_FILTER_VALUE_UP:
      for (size_t i = 0; i < count && above != NULL; i++) row[i] += above[i];
      return 1;
    case PNG_FILTER_VALUE_AVG:
      for (size_t i = 0; i < count; i++) row[i] += ((above == NULL ? 0 : above[i]) + (i < each ? 0 : row[i - each])) / 2;
      return 1;
    case PNG_FILTER_VALUE_PAETH:
      for (size_t i = 0; i < count; i++) {
        const int a = i < each ? 0 : row[i - each], b = above == NULL ? 0 : above[i];
        const int c = i < each || above == NULL ? 0 : above[i - each];
        const int p = abs(b - c), q = abs(a - c), r = abs(a + b - 2 * c);
        row[i] += (uint8_t)(p <= q && p <= r ? a : q <= r ? b : c);
      }
      return 1;
    default: return 0;
  }
}

// The pixels of a sound file without interlacing, sooner than by libpng; 0 leaves the file, and what is said of it, to libpng.
//
// at: where the first IDAT chunk begins; pixels: rows of `row` bytes, in the order of the file.
static int read_whole(const uint8_t *file, size_t size, size_t at, size_t row, size_t height, size_t each, uint8_t *pixels) {
  uint8_t *joined = malloc(size), *rows = malloc((row + 1) * height);
  struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
  int is_read = 0;
  if (joined != NULL && rows != NULL && inflater != NULL) {
    const size_t count = join(file, size, at, joined);
    is_read = count > 0 && libdeflate_zlib_decompress(inflater, joined, count, rows, (row + 1) * height, NULL) == 0;
  }
  for (size_t y = 0; is_read && y < height; y++) {
    uint8_t *own = pixels + y * row;
    memcpy(own, rows + y * (row + 1) + 1, row);
    is_read = unfilter(rows[y * (row + 1)], own, y == 0 ? NULL : own - row, row, each);
  }
  libdeflate_free_decompressor(inflater);
  free(rows);
  free(joined);
  return is_read;
}

int fathom_png_read_pixels(const uint8_t *file, size_t size, enum fathom_png_form form, uint32_t width, uint32_t height, void *pixels,
                           char *reason, size_t reason_size) {
  struct source source = {file, size, 0, reason, reason_size, 0, 0};
  png_structp png = reader(&source);
  if (png == NULL) return -1;
  png_infop volatile info = NULL;
  if (setjmp(png_jmpbuf(png))) return failure(&source, png, info);
  begin(png, &info, &source);
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height) png_error(png, "its size changed");
  int depth = png_get_bit_depth(png, info), type = png_get_color_type(png, info);
  size_t bytes_each = 0;
  int is_little = 0;
  switch (form) {
    case FATHOM_PNG_RGB8:
      png_set_expand(png);
      png_set_scale_16(png);
      png_set_gray_to_rgb(png);
      png_set_strip_alpha(png);
      bytes_each = 3;
      break;
    case FATHOM_PNG_ALL: {
      bytes_each = (size_t)channels(png, info) * (depth == 16 ? 2 : 1);
      png_set_packing(png);  // 2 bits become a byte without being scaled
      if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
      const uint16_t one = 1;
      is_little = depth == 16 && *(const uint8_t *)&one == 1;
      if (is_little) png_set_swap(png);
      break;
    }
  }
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  size_t row = (size_t)width * bytes_each;
  if (png_get_rowbytes(png, info) != row) png_error(png, "its rows have another length than declared");
  // libpng has checked what stands before the pixels, and the head of the first of their chunks.
  if (form == FATHOM_PNG_ALL && type != PNG_COLOR_TYPE_PALETTE && depth >= 8 && passes == 1 &&
      read_whole(file, size, source.position - 8, row, height, bytes_each, pixels)) {
    for (size_t i = 0; is_little && i < row * height; i += 2) {
      uint16_t pair;
      memcpy(&pair, (uint8_t *)pixels + i, 2);
      pair = (uint16_t)(pair << 8 | pair >> 8);
      memcpy((uint8_t *)pixels + i, &pair, 2);
    }
    end(png, info);
    return 1;
  }
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < height; y++) png_read_row(png, (png_bytep)pixels + y * row, NULL);
  // A file that is cut behind its pixels is cut: what is missing might be as well.
  png_read_end(png, NULL);
  end(png, info);
  return 1;
}
