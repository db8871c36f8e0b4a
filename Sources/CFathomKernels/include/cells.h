// Sums over the cells of a raster, for local averages.
#ifndef FATHOM_CELLS_H
#define FATHOM_CELLS_H

#include <stddef.h>
#include <stdint.h>

// Room that `cells_blur` needs, in numbers.
size_t cells_blur_room(size_t width, size_t height, size_t taps);

// Weighted sums along both axes; nothing comes from beyond the edges.
//
// values, result: `width * height` numbers. across, down: weights at the distances 0, 1, ... from a cell, both ways. room: as above, for
// as many taps as `across` has.
void cells_blur(const double *values, size_t width, size_t height, const double *across, size_t across_count,
                const double *down, size_t down_count, double *room, double *result);

// The same of eight numbers for each cell. room: as many numbers as `sums` has.
void cells_blur_moments(const double *sums, size_t width, size_t height, const double *across, size_t across_count,
                        const double *down, size_t down_count, double *room, double *result);

// Adds w (1, x, y, x x, x y, y y, v, x v) of points to the eight numbers of their cells, and w y v to a ninth.
//
// pixels: places of the points in a raster `width` wide. weights: those that are not positive are skipped. xs, columns: position
// and cell by column of the raster; ys, rows: by row. sums: eight numbers for each cell, `cells` cells in a row; last: one.
void cells_moments(const int32_t *pixels, const double *weights, const double *values, size_t n, int32_t width,
                   const double *xs, const int32_t *columns, const double *ys, const int32_t *rows, size_t cells,
                   double *sums, double *last);

// What a plane that is fitted to the values of each cell, with the moments above as weights, has at the cell's centre.
//
// moments, last: as above, after the blur. prior: weight of one more value at the centre, which is
// the fallback's; fallback: one for each cell, or NULL for 0. ridge: on the slopes, as a share of the weight.
void cells_plane(const double *moments, const double *last, size_t width, size_t height, double prior, double ridge,
                 const double *fallback, double *result);

#endif
