#include "cells.h"

#include "lanes.h"

size_t cells_blur_room(size_t width, size_t height, size_t taps) {
  // The sums along the rows, and one row with room for the taps on both sides and the last vector.
  return width * height + width + 2 * taps + LANES;
}

// Up to eight numbers, filled up with zeros.
INLINE void some(const double *source, size_t rest, reals *result) {
  if (rest >= LANES) {
    LOAD(*result, source);
  } else {
    double numbers[LANES];
    last(source, rest, 0.0, numbers);
    LOAD(*result, numbers);
  }
}

INLINE void put(const reals *numbers, size_t rest, double *target) {
  memcpy(target, numbers, (rest < LANES ? rest : LANES) * sizeof(double));
}

CLONES void cells_blur(const double *values, size_t stride, size_t width, size_t height, const double *across,
                       size_t across_count, const double *down, size_t down_count, double *room, double *result) {
  double *sums = room, *line = room + width * height + across_count;
  memset(line - across_count, 0, (width + 2 * across_count + LANES) * sizeof(double));
  for (size_t row = 0; row < height; row++) {
    for (size_t column = 0; column < width; column++) line[column] = values[(row * width + column) * stride];
    for (size_t column = 0; column < width; column += LANES) {
      reals sum, left, right;
      LOAD(sum, line + column);
      sum *= EACH(across[0]);
      for (size_t tap = 1; tap < across_count; tap++) {
        LOAD(left, line + column - tap);
        LOAD(right, line + column + tap);
        sum += EACH(across[tap]) * left;
        sum += EACH(across[tap]) * right;
      }
      put(&sum, width - column, sums + row * width + column);
    }
  }
  for (size_t row = 0; row < height; row++) {
    for (size_t column = 0; column < width; column += LANES) {
      const double *place = sums + row * width + column;
      const size_t rest = width - column;
      reals sum, above, below;
      some(place, rest, &sum);
      sum *= EACH(down[0]);
      for (size_t tap = 1; tap < down_count; tap++) {
        if (tap <= row) {
          some(place - tap * width, rest, &above);
          sum += EACH(down[tap]) * above;
        }
        if (row + tap < height) {
          some(place + tap * width, rest, &below);
          sum += EACH(down[tap]) * below;
        }
      }
      put(&sum, rest, result + row * width + column);
    }
  }
}

CLONES void cells_moments(const int32_t *pixels, const double *weights, const double *values, size_t n, int32_t width,
                          const double *xs, const int32_t *columns, const double *ys, const int32_t *rows,
                          size_t cells, double *sums, double *last) {
  for (size_t k = 0; k < n; k++) {
    const double w = weights[k], v = values[k];
    if (!(w > 0)) continue;
    const int32_t row = pixels[k] / width, column = pixels[k] - row * width;
    const double x = xs[column], y = ys[row], wx = w * x, wy = w * y;
    const size_t cell = (size_t)rows[row] * cells + (size_t)columns[column];
    const reals a = {w, wx, wy, wx, wx, wy, w, wx}, b = {1, 1, 1, x, y, y, v, v};
    reals sum;
    LOAD(sum, sums + LANES * cell);
    sum += a * b;
    memcpy(sums + LANES * cell, &sum, sizeof(sum));
    last[cell] += wy * v;
  }
}

CLONES void cells_plane(const double *moments, size_t width, size_t height, double prior, double ridge,
                        const double *fallback, double *result) {
  const size_t n = width * height;
  for (size_t row = 0; row < height; row++) {
    const double y0 = (double)row + 0.5 - 0.5 * (double)height;
    for (size_t column = 0; column < width; column++) {
      const double x0 = (double)column + 0.5 - 0.5 * (double)width;
      const double *m = moments + row * width + column;
      const double m0 = m[0], m1 = m[n], m2 = m[2 * n], m6 = m[6 * n];
      // Moments about the cell's centre; the fallback is one more value there.
      const double w = m0 + prior, x = m1 - x0 * m0, y = m2 - y0 * m0, slope = ridge * w * 4;
      const double xx = m[3 * n] - 2 * x0 * m1 + x0 * x0 * m0 + slope;
      const double yy = m[5 * n] - 2 * y0 * m2 + y0 * y0 * m0 + slope;
      const double xy = m[4 * n] - x0 * m2 - y0 * m1 + x0 * y0 * m0;
      const double v = m6 + prior * (fallback ? fallback[row * width + column] : 0);
      const double xv = m[7 * n] - x0 * m6, yv = m[8 * n] - y0 * m6;
      const double determinant = xx * yy - xy * xy;
      const double a = (yy * x - xy * y) / determinant, b = (xx * y - xy * x) / determinant;
      result[row * width + column] = (v - a * xv - b * yv) / (w - a * x - b * y);
    }
  }
}
