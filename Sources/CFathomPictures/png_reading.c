#include "png_reading.h"

#include <errno.h>
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

static int failure(const struct source *source) { return source->is_short ? -1 : 0; }

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

// Chunks that say how the numbers are to be shown change nothing here, and a damaged one is no reason to give a map up.
static void begin(png_structp png, struct source *source) {
  png_set_read_fn(png, source, read_bytes);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_chunk_malloc_max(png, 8000000);
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
  if (setjmp(png_jmpbuf(png))) {
    png_infop made = info;
    png_destroy_read_struct(&png, &made, NULL);
    return failure(&source);
  }
  info = png_create_info_struct(png);
  if (info == NULL) png_error(png, "memory is short");
  begin(png, &source);
  png_read_info(png, info);
  header->width = png_get_image_width(png, info);
  header->height = png_get_image_height(png, info);
  header->bit_depth = png_get_bit_depth(png, info);
  header->is_grey = png_get_color_type(png, info) == PNG_COLOR_TYPE_GRAY;
  header->channels = channels(png, info);
  png_infop made = info;
  png_destroy_read_struct(&png, &made, NULL);
  return 1;
}

int fathom_png_read_pixels(const uint8_t *file, size_t size, enum fathom_png_form form, uint32_t width, uint32_t height, void *pixels,
                           char *reason, size_t reason_size) {
  struct source source = {file, size, 0, reason, reason_size, 0, 0};
  png_structp png = reader(&source);
  if (png == NULL) return -1;
  png_infop volatile info = NULL;
  if (setjmp(png_jmpbuf(png))) {
    png_infop made = info;
    png_destroy_read_struct(&png, &made, NULL);
    return failure(&source);
  }
  info = png_create_info_struct(png);
  if (info == NULL) png_error(png, "memory is short");
  begin(png, &source);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height) png_error(png, "its size changed");
  int depth = png_get_bit_depth(png, info), type = png_get_color_type(png, info);
  size_t bytes_each = 0;
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
      if (depth == 16 && *(const uint8_t *)&one == 1) png_set_swap(png);
      break;
    }
  }
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  size_t row = (size_t)width * bytes_each;
  if (png_get_rowbytes(png, info) != row) png_error(png, "its rows have another length than declared");
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < height; y++) png_read_row(png, (png_bytep)pixels + y * row, NULL);
  // A file that is cut behind its pixels is cut: what is missing might be as well.
  png_read_end(png, NULL);
  png_infop made = info;
  png_destroy_read_struct(&png, &made, NULL);
  return 1;
}
