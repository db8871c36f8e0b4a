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
  if (rest >= LANES) {
    STORE(target, *numbers);
  } else {
    memcpy(target, numbers, rest * sizeof(double));
  }
}

CLONES void cells_blur(const double *values, size_t width, size_t height, const double *across,
                       size_t across_count, const double *down, size_t down_count, double *room, double *result) {
  double *sums = room, *line = room + width * height + across_count;
  memset(line - across_count, 0, (width + 2 * across_count + LANES) * sizeof(double));
  for (size_t row = 0; row < height; row++) {
    memcpy(line, values + row * width, width * sizeof(double));
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
  size_t k = 0;
  int32_t row = 0, start = 0;
  while (k < n) {
    if (pixels[k] < start || pixels[k] - start >= width) {
      row = pixels[k] / width;
      start = row * width;
    }
    // Points of one row and cell follow each other; y is the same for all of them.
    const int32_t column = columns[pixels[k] - start];
    double w = 0, wx = 0, wxx = 0, wv = 0, wxv = 0;
    for (; k < n && pixels[k] >= start && pixels[k] - start < width && columns[pixels[k] - start] == column; k++) {
      if (!(weights[k] > 0)) continue;
      const double weight = weights[k], v = values[k], x = xs[pixels[k] - start], weighted = weight * x;
      w += weight;
      wx += weighted;
      wxx += weighted * x;
      wv += weight * v;
      wxv += weighted * v;
    }
    const double y = ys[row], wy = w * y;
    const size_t cell = (size_t)rows[row] * cells + (size_t)column;
    const reals more = {w, wx, wy, wxx, wx * y, wy * y, wv, wxv};
    reals sum;
    LOAD(sum, sums + LANES * cell);
    sum += more;
    STORE(sums + LANES * cell, sum);
    last[cell] += wv * y;
  }
}

CLONES void cells_blur_moments(const double *sums, size_t width, size_t height, const double *across, size_t across_count,
                               const double *down, size_t down_count, double *room, double *result) {
  const size_t line = LANES * width;
  for (size_t row = 0; row < height; row++) {
    const double *from = sums + row * line;
    for (size_t column = 0; column < width; column++) {
      reals sum, left, right;
      LOAD(sum, from + LANES * column);
      sum *= EACH(across[0]);
      for (size_t tap = 1; tap < across_count; tap++) {
        if (tap <= column) {
          LOAD(left, from + LANES * (column - tap));
          sum += EACH(across[tap]) * left;
        }
        if (column + tap < width) {
          LOAD(right, from + LANES * (column + tap));
          sum += EACH(across[tap]) * right;
        }
      }
      STORE(room + row * line + LANES * column, sum);
    }
  }
  for (size_t row = 0; row < height; row++) {
    const double *place = room + row * line;
    for (size_t i = 0; i < line; i += LANES) {
      reals sum, above, below;
      LOAD(sum, place + i);
      sum *= EACH(down[0]);
      for (size_t tap = 1; tap < down_count; tap++) {
        if (tap <= row) {
          LOAD(above, place + i - tap * line);
          sum += EACH(down[tap]) * above;
        }
        if (row + tap < height) {
          LOAD(below, place + i + tap * line);
          sum += EACH(down[tap]) * below;
        }
      }
      STORE(result + row * line + i, sum);
    }
  }
}

CLONES void cells_plane(const double *moments, const double *last, size_t width, size_t height, double prior, double ridge,
                        const double *fallback, double *result) {
  for (size_t row = 0; row < height; row++) {
    const double y0 = (double)row + 0.5 - 0.5 * (double)height;
    for (size_t column = 0; column < width; column++) {
      const double x0 = (double)column + 0.5 - 0.5 * (double)width;
      const size_t cell = row * width + column;
      const double *m = moments + LANES * cell;
      const double m0 = m[0], m1 = m[1], m2 = m[2], m6 = m[6];
      // Moments about the cell's centre; the fallback is one more value there.
      const double w = m0 + prior, x = m1 - x0 * m0, y = m2 - y0 * m0, slope = ridge * w * 4;
      const double xx = m[3] - 2 * x0 * m1 + x0 * x0 * m0 + slope;
      const double yy = m[5] - 2 * y0 * m2 + y0 * y0 * m0 + slope;
      const double xy = m[4] - x0 * m2 - y0 * m1 + x0 * y0 * m0;
      const double v = m6 + prior * (fallback ? fallback[cell] : 0);
      const double xv = m[7] - x0 * m6, yv = last[cell] - y0 * m6;
      const double determinant = xx * yy - xy * xy;
      const double a = (yy * x - xy * y) / determinant, b = (xx * y - xy * x) / determinant;
      result[cell] = (v - a * xv - b * yv) / (w - a * x - b * y);
    }
  }
}
