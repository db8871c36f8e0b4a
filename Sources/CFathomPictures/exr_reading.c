#include "exr_reading.h"

#include <OpenEXR/openexr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
  const uint8_t *bytes;
  size_t size;
  char *reason;
  size_t reason_size;
  int is_short;  // whether the reason is a lack of memory
};

// The first reason counts: what follows is a consequence.
static void fail(struct source *source, const char *message) {
  if (source->reason_size == 0 || source->reason[0] != 0) return;
  snprintf(source->reason, source->reason_size, "%s", message);
}

static void fail_reading(struct source *source, const char *message, exr_result_t code) {
  if (source->reason_size == 0 || source->reason[0] != 0) return;
  snprintf(source->reason, source->reason_size, "the EXR cannot be read: %s", message);
  source->is_short = code == EXR_ERR_OUT_OF_MEMORY;
}

static int64_t read_bytes(exr_const_context_t context, void *user, void *buffer, uint64_t count, uint64_t offset,
                          exr_stream_error_func_ptr_t on_error) {
  (void)context;
  (void)on_error;
  struct source *source = user;
  if (offset >= source->size) return 0;
  uint64_t left = source->size - offset;
  if (count > left) count = left;
  memcpy(buffer, source->bytes + offset, count);
  return (int64_t)count;
}

static int64_t byte_count(exr_const_context_t context, void *user) {
  (void)context;
  return (int64_t)((struct source *)user)->size;
}

// OpenEXR would print it.
static void on_error(exr_const_context_t context, exr_result_t code, const char *message) {
  void *user = NULL;
  if (context != NULL && exr_get_user_data(context, &user) == EXR_ERR_SUCCESS && user != NULL) fail_reading(user, message, code);
}

struct image {
  exr_context_t context;
  exr_storage_t storage;
  exr_attr_box2i_t window;
  const exr_attr_chlist_t *channels;
  int64_t width, height;
};

// What is checked before anything is decoded. The caller closes the context whatever is returned.
static int begin(struct source *source, int64_t most_pixels, struct image *image) {
  static const uint8_t magic[4] = {0x76, 0x2f, 0x31, 0x01};
  if (source->size < sizeof magic || memcmp(source->bytes, magic, sizeof magic) != 0) {
    fail(source, "it is not an EXR file");
    return 0;
  }
  exr_context_initializer_t with = EXR_DEFAULT_CONTEXT_INITIALIZER;
  with.error_handler_fn = on_error;
  with.user_data = source;
  with.read_fn = read_bytes;
  with.size_fn = byte_count;
  with.max_image_width = with.max_image_height = with.max_tile_width = with.max_tile_height = 65536;
  with.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
  exr_result_t code = exr_start_read(&image->context, "map.exr", &with);
  if (code == EXR_ERR_SUCCESS) code = exr_get_storage(image->context, 0, &image->storage);
  if (code == EXR_ERR_SUCCESS) code = exr_get_data_window(image->context, 0, &image->window);
  if (code == EXR_ERR_SUCCESS) code = exr_get_channels(image->context, 0, &image->channels);
  // OpenEXR goes on without what it had no memory for.
  if (source->is_short) code = EXR_ERR_OUT_OF_MEMORY;
  if (code != EXR_ERR_SUCCESS) {
    fail_reading(source, code == EXR_ERR_OUT_OF_MEMORY ? "memory is short" : "its header cannot be read", code);
    return 0;
  }
  if (image->storage != EXR_STORAGE_SCANLINE && image->storage != EXR_STORAGE_TILED) {
    fail(source, "it holds several depths a pixel");
    return 0;
  }
  image->width = (int64_t)image->window.max.x - image->window.min.x + 1;
  image->height = (int64_t)image->window.max.y - image->window.min.y + 1;
  if (image->width < 1 || image->height < 1 || image->width > 65536 || image->height > 65536 ||
      image->width * image->height > most_pixels) {
    fail(source, "it declares too many pixels");
    return 0;
  }
  int count = image->channels->num_channels;
  if (count < 1 || count > FATHOM_EXR_MOST_CHANNELS) {
    fail(source, "it has no channels, or too many");
    return 0;
  }
  // Each chunk has a place of 8 bytes in the file, and none is larger than a row of tiles.
  int32_t chunks = 0;
  if (exr_get_chunk_count(image->context, 0, &chunks) != EXR_ERR_SUCCESS || chunks < 1 || (uint64_t)chunks * 8 > source->size) {
    fail(source, "it is cut short");
    return 0;
  }
  uint64_t unpacked = 0;
  if (exr_get_chunk_unpacked_size(image->context, 0, &unpacked) != EXR_ERR_SUCCESS || unpacked > (uint64_t)1 << 30) {
    fail_reading(source, "its parts are too large", EXR_ERR_FILE_BAD_HEADER);
    return 0;
  }
  return 1;
}

static void end(struct image *image) {
  if (image->context != NULL) exr_finish(&image->context);
}

int fathom_exr_read_header(const uint8_t *file, size_t size, int64_t most_pixels, struct fathom_exr_header *header, char *names,
                           char *reason, size_t reason_size) {
  if (reason_size > 0) reason[0] = 0;
  struct source source = {file, size, reason, reason_size, 0};
  struct image image = {0};
  int is_good = begin(&source, most_pixels, &image);
  if (is_good) {
    memset(header, 0, sizeof *header);
    header->width = image.width;
    header->height = image.height;
    header->channel_count = image.channels->num_channels;
    for (int c = 0; c < header->channel_count; c++) {
      const exr_attr_chlist_entry_t *channel = &image.channels->entries[c];
      snprintf(names + c * FATHOM_EXR_NAME_BYTES, FATHOM_EXR_NAME_BYTES, "%.*s", (int)channel->name.length, channel->name.str);
      if (channel->pixel_type == EXR_PIXEL_HALF) header->is_half |= (uint64_t)1 << c;
    }
  }
  end(&image);
  return is_good ? 1 : source.is_short ? -1 : 0;
}

// One part of the pixels, into its place; the other channels are passed over.
static int decode(struct source *source, const struct image *image, const exr_chunk_info_t *chunk, int64_t column, int64_t row,
                  const char *channel, float *pixels) {
  exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
  int is_good = exr_decoding_initialize(image->context, 0, chunk, &pipeline) == EXR_ERR_SUCCESS, found = 0;
  for (int c = 0; is_good && c < pipeline.channel_count; c++) {
    exr_coding_channel_info_t *stored = &pipeline.channels[c];
    stored->decode_to_ptr = NULL;
    if (strcmp(stored->channel_name, channel) != 0) continue;
    // What is written must lie within the map, whatever the file says about its parts.
    if (stored->x_samples != 1 || stored->y_samples != 1 || row < 0 || column < 0 || row + stored->height > image->height ||
        column + stored->width > image->width) {
      is_good = 0;
      break;
    }
    found = 1;
    stored->user_bytes_per_element = sizeof(float);
    stored->user_data_type = EXR_PIXEL_FLOAT;
    stored->user_pixel_stride = sizeof(float);
    stored->user_line_stride = (int32_t)(image->width * (int64_t)sizeof(float));
    stored->decode_to_ptr = (uint8_t *)(pixels + row * image->width + column);
  }
  is_good = is_good && found && exr_decoding_choose_default_routines(image->context, 0, &pipeline) == EXR_ERR_SUCCESS &&
            exr_decoding_run(image->context, 0, &pipeline) == EXR_ERR_SUCCESS;
  exr_decoding_destroy(image->context, &pipeline);
  if (!is_good) fail_reading(source, "its pixels are damaged or cut short", EXR_ERR_CORRUPT_CHUNK);
  return is_good;
}

static int read_lines(struct source *source, const struct image *image, const char *channel, float *pixels) {
  int32_t lines = 0;
  if (exr_get_scanlines_per_chunk(image->context, 0, &lines) != EXR_ERR_SUCCESS || lines < 1) return 0;
  for (int64_t row = 0; row < image->height; row += lines) {
    exr_chunk_info_t chunk;
    if (exr_read_scanline_chunk_info(image->context, 0, (int)(image->window.min.y + row), &chunk) != EXR_ERR_SUCCESS ||
        !decode(source, image, &chunk, 0, row, channel, pixels))
      return 0;
  }
  return 1;
}

static int read_tiles(struct source *source, const struct image *image, const char *channel, float *pixels) {
  int32_t width = 0, height = 0;
  if (exr_get_tile_sizes(image->context, 0, 0, 0, &width, &height) != EXR_ERR_SUCCESS || width < 1 || height < 1) return 0;
  for (int64_t row = 0; row < image->height; row += height)
    for (int64_t column = 0; column < image->width; column += width) {
      exr_chunk_info_t chunk;
      if (exr_read_tile_chunk_info(image->context, 0, (int)(column / width), (int)(row / height), 0, 0, &chunk) != EXR_ERR_SUCCESS ||
          !decode(source, image, &chunk, column, row, channel, pixels))
        return 0;
    }
  return 1;
}

int fathom_exr_read_channel(const uint8_t *file, size_t size, int64_t most_pixels, const char *channel, int64_t width, int64_t height,
                            float *pixels, char *reason, size_t reason_size) {
  if (reason_size > 0) reason[0] = 0;
  struct source source = {file, size, reason, reason_size, 0};
  struct image image = {0};
  int is_good = begin(&source, most_pixels, &image);
  if (is_good && (image.width != width || image.height != height)) {
    fail_reading(&source, "its size changed", EXR_ERR_FILE_BAD_HEADER);
    is_good = 0;
  }
  if (is_good)
    is_good = image.storage == EXR_STORAGE_TILED ? read_tiles(&source, &image, channel, pixels)
                                                 : read_lines(&source, &image, channel, pixels);
  if (!is_good) fail_reading(&source, "its pixels are damaged or cut short", EXR_ERR_CORRUPT_CHUNK);
  end(&image);
  return is_good ? 1 : source.is_short ? -1 : 0;
}
