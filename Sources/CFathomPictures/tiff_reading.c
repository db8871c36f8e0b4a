#include "tiff_reading.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

struct source {
  const uint8_t *bytes;
  size_t size;
  uint64_t position;
  char *reason;
  size_t reason_size;
  int is_short;  // whether the reason is a lack of memory
};

// The first reason counts: what follows is a consequence.
static void fail(struct source *source, const char *message) {
  if (source->reason_size == 0 || source->reason[0] != 0) return;
  snprintf(source->reason, source->reason_size, "%s", message);
}

static tmsize_t read_bytes(thandle_t handle, void *buffer, tmsize_t count) {
  struct source *source = handle;
  if (count < 0 || source->position >= source->size) return 0;
  size_t left = source->size - (size_t)source->position;
  if ((size_t)count > left) count = (tmsize_t)left;
  memcpy(buffer, source->bytes + source->position, (size_t)count);
  source->position += (uint64_t)count;
  return count;
}

static tmsize_t write_bytes(thandle_t handle, void *buffer, tmsize_t count) {
  (void)handle;
  (void)buffer;
  (void)count;
  return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int from) {
  struct source *source = handle;
  source->position = from == SEEK_CUR ? source->position + offset : from == SEEK_END ? source->size + offset : offset;
  return source->position;
}

static int close_nothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t byte_count(thandle_t handle) { return ((struct source *)handle)->size; }

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
  (void)tiff;
  (void)module;
  struct source *source = user;
  if (source->reason_size == 0 || source->reason[0] != 0) return 1;
  // libtiff has no numbers for its errors; where it asked for memory in vain, malloc has left one.
  source->is_short = errno == ENOMEM;
  int count = snprintf(source->reason, source->reason_size, "the TIFF cannot be read: ");
  if ((size_t)count < source->reason_size)
    vsnprintf(source->reason + count, source->reason_size - (size_t)count, format, arguments);
  return 1;
}

// Unknown tags neither make a map unreadable nor print anything.
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
  (void)tiff;
  (void)user;
  (void)module;
  (void)format;
  (void)arguments;
  return 1;
}

static void forget(struct source *source) {
  source->is_short = 0;
  if (source->reason_size > 0) source->reason[0] = 0;
}

static int failure(const struct source *source) { return source->is_short ? -1 : 0; }

static TIFF *begin(struct source *source, int64_t most_pixels, int may_be_picture, struct fathom_tiff_header *header) {
  forget(source);
  errno = 0;
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (options == NULL) {
    source->is_short = 1;
    fail(source, "the TIFF cannot be read: memory is short");
    return NULL;
  }
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)1 << 29);
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, source);
  TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, source);
  // m: no file is mapped into memory; it is there already.
  TIFF *tiff = TIFFClientOpenExt("map.tiff", "rm", source, read_bytes, write_bytes, seek, close_nothing, byte_count, NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  if (tiff == NULL) {
    fail(source, "its header cannot be read");
    return NULL;
  }
  uint32_t width = 0, height = 0;
  uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT, meaning = PHOTOMETRIC_MINISBLACK, planes = PLANARCONFIG_CONTIG;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &meaning);
  int is_real = format == SAMPLEFORMAT_IEEEFP;
  const char *fault = NULL;
  if (width < 1 || height < 1 || width > 65536 || height > 65536 || (int64_t)width * height > most_pixels)
    fault = "it declares no pixels, or too many";
  else if (may_be_picture == 2 && (samples > 4 || meaning == PHOTOMETRIC_PALETTE || planes != PLANARCONFIG_CONTIG))
    fault = "its channels do not stand beside each other, or are more than four";
  else if ((samples != 1 || meaning == PHOTOMETRIC_PALETTE) && !may_be_picture)
    fault = "it is not a single-channel map: it has colour or alpha";
  else if (may_be_picture == 1 && (samples != 1 || meaning == PHOTOMETRIC_PALETTE) &&
           (samples != 3 || meaning != PHOTOMETRIC_RGB || planes != PLANARCONFIG_CONTIG || bits != 8))
    fault = "it has colours, but not red, green and blue of 8 bits beside each other";
  else if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_INT && !is_real)
    fault = "it holds no ordinary numbers";
  else if (meaning == PHOTOMETRIC_MINISWHITE)
    fault = "its numbers are inverted: white is 0";
  else if (is_real ? bits != 16 && bits != 32 && bits != 64 : bits != 8 && bits != 16 && bits != 32)
    fault = "its numbers have an odd number of bits";
  else if (TIFFIsTiled(tiff))
    fault = "it is stored in tiles, and only strips are read";
  // No compression that is read makes more than some thousands of bytes of one.
  else if ((uint64_t)width * height * samples * bits / 8 > (uint64_t)source->size * 4096)
    fault = "it declares more pixels than its bytes can hold";
  // libtiff goes on without what it had no memory for.
  if (fault == NULL && !source->is_short) {
    *header = (struct fathom_tiff_header){width, height, bits, samples, is_real, format == SAMPLEFORMAT_INT};
    return tiff;
  }
  if (!source->is_short) {
    forget(source);
    fail(source, fault);
  }
  TIFFClose(tiff);
  return NULL;
}

int fathom_tiff_read_header(const uint8_t *file, size_t size, int64_t most_pixels, int may_be_picture, struct fathom_tiff_header *header,
                            char *reason, size_t reason_size) {
  struct source source = {file, size, 0, reason, reason_size, 0};
  TIFF *tiff = begin(&source, most_pixels, may_be_picture, header);
  if (tiff == NULL) return failure(&source);
  TIFFClose(tiff);
  return 1;
}

// Whether every deflated strip has the checksum that stands behind it: libtiff stops at the last number, before it.
static int checksums_hold(TIFF *tiff, struct source *source) {
  uint16_t compression = COMPRESSION_NONE, order = FILLORDER_MSB2LSB;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_FILLORDER, &order);
  if (compression != COMPRESSION_ADOBE_DEFLATE && compression != COMPRESSION_DEFLATE) return 1;
  // Writers may fill the last strip up.
  tmsize_t most = TIFFStripSize(tiff);
  uint8_t *packed = malloc(source->size), *room = most > 0 ? malloc((size_t)most) : NULL;
  struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
  int has_memory = packed != NULL && room != NULL && inflater != NULL, is_good = has_memory;
  for (uint32_t strip = 0; is_good && strip < TIFFNumberOfStrips(tiff); strip++) {
    tmsize_t count = TIFFReadRawStrip(tiff, strip, packed, (tmsize_t)source->size);
    size_t made = 0;
    if (count > 0 && order == FILLORDER_LSB2MSB) TIFFReverseBits(packed, count);
    if (count <= 0 || libdeflate_zlib_decompress(inflater, packed, (size_t)count, room, (size_t)most, &made) != LIBDEFLATE_SUCCESS)
      is_good = 0;
  }
  libdeflate_free_decompressor(inflater);
  free(packed);
  free(room);
  if (is_good) return 1;
  forget(source);
  source->is_short = !has_memory;
  fail(source, has_memory ? "the TIFF cannot be read: a strip is damaged: its checksum is wrong" : "the TIFF cannot be read: memory is short");
  return 0;
}

int fathom_tiff_read_pixels(const uint8_t *file, size_t size, int64_t most_pixels, const struct fathom_tiff_header *header, void *pixels,
                            char *reason, size_t reason_size) {
  struct source source = {file, size, 0, reason, reason_size, 0};
  struct fathom_tiff_header found;
  TIFF *tiff = begin(&source, most_pixels, header->channels > 1 ? 2 : 0, &found);
  if (tiff == NULL) return failure(&source);
  size_t row = (size_t)header->width * (size_t)header->channels * (size_t)header->bits / 8;
  int is_good = found.width == header->width && found.height == header->height && found.bits == header->bits &&
                found.channels == header->channels &&
                (size_t)TIFFScanlineSize(tiff) == row && checksums_hold(tiff, &source);
  for (int64_t y = 0; is_good && y < header->height; y++)
    is_good = TIFFReadScanline(tiff, (uint8_t *)pixels + (size_t)y * row, (uint32_t)y, 0) == 1;
  if (!is_good) fail(&source, "its pixels are damaged or cut short");
  TIFFClose(tiff);
  return is_good ? 1 : failure(&source);
}
