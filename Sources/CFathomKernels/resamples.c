#include "resamples.h"

#include "lanes.h"

typedef uint8_t octets __attribute__((vector_size(8)));

enum { VECTORS = RESAMPLE_BLOCK / LANES };

// One block, `width` columns at once: a count is read and converted once for all of them.
INLINE void add_block(const uint8_t *counts, size_t items, const double *columns, size_t width, double *sums,
                      size_t resamples) {
  reals sum[2][VECTORS] = {0};
  for (size_t item = 0; item < items; item++) {
    for (size_t v = 0; v < VECTORS; v++) {
      octets count;
      LOAD(count, counts + item * RESAMPLE_BLOCK + v * LANES);
      const reals number = __builtin_convertvector(count, reals);
      for (size_t k = 0; k < width; k++) sum[k][v] += number * EACH(columns[k * items + item]);
    }
  }
  for (size_t k = 0; k < width; k++) {
    for (size_t v = 0; v < VECTORS; v++) STORE(sums + k * resamples + v * LANES, sum[k][v]);
  }
}

CLONES void resample_sums(const uint8_t *counts, size_t items, size_t blocks, const double *columns,
                          size_t column_count, double *sums) {
  const size_t resamples = blocks * RESAMPLE_BLOCK;
  for (size_t block = 0; block < blocks; block++) {
    const uint8_t *const own = counts + block * items * RESAMPLE_BLOCK;
    double *const result = sums + block * RESAMPLE_BLOCK;
    size_t k = 0;
    for (; k + 2 <= column_count; k += 2) {
      add_block(own, items, columns + k * items, 2, result + k * resamples, resamples);
    }
    if (k < column_count) add_block(own, items, columns + k * items, 1, result + k * resamples, resamples);
  }
}
