// Sums over resamples.
#ifndef FATHOM_RESAMPLES_H
#define FATHOM_RESAMPLES_H

#include <stddef.h>
#include <stdint.h>

// Resamples whose counts lie side by side.
enum { RESAMPLE_BLOCK = 16 };

// Σ over items of count × value, for every resample and column, always summed in the order of the items.
//
// counts: how often each item is in each of a block's resamples, item after item, block after block.
// columns: a value of each item, column after column. sums: a value of each resample, column after column.
void resample_sums(const uint8_t *counts, size_t items, size_t blocks, const double *columns, size_t column_count,
                   double *sums);

#endif
