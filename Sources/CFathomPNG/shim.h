#include <png.h>

/// Most bytes that the file of a picture takes: a macro, which Swift does not see.
static inline size_t png_image_most_bytes(png_image image) { return PNG_IMAGE_PNG_SIZE_MAX(image); }
