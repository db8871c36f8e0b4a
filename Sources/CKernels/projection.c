#include "projection.h"

#include <math.h>

#include "lanes.h"

enum { CHUNK = 128 };

// Points of a stretch of one row, in the other camera.
typedef struct {
  double x[CHUNK], y[CHUNK], z[CHUNK];
} points;

// Rays of the columns of a camera: (column + 1/2 - cx) / fx.
INLINE void rays(const projection_camera *camera, size_t start, size_t n, double *result) {
  for (size_t i = 0; i < n; i++) result[i] = ((double)(start + i) + 0.5 - camera->cx) / camera->fx;
}

// Pixels without depth get a point that no camera sees.
INLINE void move(const float *depth, const double *ray, double v, size_t n, const projection_motion *motion,
                 points *result) {
  const double *a = motion->columns, *b = motion->offset;
  for (size_t i = 0; i < n; i++) {
    const double z = depth[i], px = ray[i] * z, py = v * z;
    const int known = (z > 0) & (z < (double)INFINITY);
    const double seen = a[2] * px + a[5] * py + a[8] * z + b[2];
    result->x[i] = a[0] * px + a[3] * py + a[6] * z + b[0];
    result->y[i] = a[1] * px + a[4] * py + a[7] * z + b[1];
    result->z[i] = known ? seen : -1.0;
  }
}

CLONES void projection_splat(const float *depth, const projection_camera *from, const projection_motion *motion,
                             const projection_camera *to, double *result) {
  const size_t all = to->width * to->height;
  for (size_t i = 0; i < all; i++) result[i] = (double)INFINITY;
  const double width = (double)to->width, height = (double)to->height;
  const double fx = to->fx, fy = to->fy, cx = to->cx, cy = to->cy;
  for (size_t start = 0; start < from->width; start += CHUNK) {
    const size_t n = from->width - start < CHUNK ? from->width - start : CHUNK;
    double ray[CHUNK];
    points seen;
    int32_t columns[CHUNK], rows[CHUNK];
    rays(from, start, n, ray);
    for (size_t row = 0; row < from->height; row++) {
      const double v = ((double)row + 0.5 - from->cy) / from->fy;
      move(depth + row * from->width + start, ray, v, n, motion, &seen);
      for (size_t i = 0; i < n; i++) {
        const double z = seen.z[i], x = seen.x[i] / z * fx + cx, y = seen.y[i] / z * fy + cy;
        const int inside = (z > 0) & (x >= 0) & (y >= 0) & (x < width) & (y < height);
        columns[i] = inside ? (int32_t)x : 0;
        rows[i] = inside ? (int32_t)y : -1;
      }
      for (size_t i = 0; i < n; i++) {
        if (rows[i] < 0) continue;
        double *place = result + (size_t)rows[i] * to->width + (size_t)columns[i];
        if (seen.z[i] < *place) *place = seen.z[i];
      }
    }
  }
}

CLONES double projection_difference(const double *z, const float *d, size_t n, size_t *count) {
  reals sums = EACH(0.0);
  words counts = EACH_WORD(0);
  for (size_t i = 0; i < n; i += LANES) {
    const size_t rest = n - i < LANES ? n - i : LANES;
    double seen[LANES], known[LANES];
    for (size_t k = 0; k < LANES; k++) {
      seen[k] = k < rest ? z[i + k] : (double)INFINITY;
      known[k] = k < rest ? (double)d[i + k] : 1.0;
    }
    reals x, y;
    LOAD(x, seen);
    LOAD(y, known);
    const reals infinite = EACH((double)INFINITY);
    const words counted = (x < infinite) & (y > EACH(0.0)) & (y < infinite);
    const reals difference = MAGNITUDE(x - y) / y;
    sums += (reals)((words)difference & counted);
    counts -= counted;
  }
  *count = (size_t)total_words(&counts);
  return total(&sums);
}

CLONES projection_meeting projection_agreement(const double *z, const float *d, size_t stride, size_t columns,
                                               size_t rows, double limit) {
  reals sums = EACH(0.0);
  words known = EACH_WORD(0), landed = EACH_WORD(0), agreeing = EACH_WORD(0);
  const reals infinite = EACH((double)INFINITY);
  for (size_t row = 0; row < rows; row++, z += stride, d += stride) {
    for (size_t i = 0; i < columns; i += LANES) {
      const size_t rest = columns - i < LANES ? columns - i : LANES;
      double seen[LANES], own[LANES];
      for (size_t k = 0; k < LANES; k++) {
        seen[k] = k < rest ? z[i + k] : (double)INFINITY;
        own[k] = k < rest ? (double)d[i + k] : (double)INFINITY;
      }
      reals x, y;
      LOAD(x, seen);
      LOAD(y, own);
      const words has = MAGNITUDE(y) < infinite, both = has & (MAGNITUDE(x) < infinite);
      const reals difference = MAGNITUDE(x / y - EACH(1.0));
      const words below = difference < EACH(limit);
      const reals capped = (reals)SELECT(below, difference, EACH(limit));
      sums += (reals)((words)capped & both);
      known -= has;
      landed -= both;
      agreeing -= below & both;
    }
  }
  return (projection_meeting){total_words(&known), total_words(&landed), total_words(&agreeing), total(&sums)};
}

CLONES void projection_excess(const float *depth, const projection_camera *from, const projection_motion *motion,
                              const float *other, const projection_camera *to, double *result) {
  const double right = (double)to->width - 1, bottom = (double)to->height - 1;
  const double fx = to->fx, fy = to->fy, cx = to->cx, cy = to->cy;
  const int32_t width = (int32_t)to->width;
  for (size_t start = 0; start < from->width; start += CHUNK) {
    const size_t n = from->width - start < CHUNK ? from->width - start : CHUNK;
    double ray[CHUNK], sharesX[CHUNK], sharesY[CHUNK];
    float a[CHUNK], b[CHUNK], c[CHUNK], d[CHUNK];
    int32_t corners[CHUNK], toRight[CHUNK], toBelow[CHUNK];
    points seen;
    rays(from, start, n, ray);
    for (size_t row = 0; row < from->height; row++) {
      const double v = ((double)row + 0.5 - from->cy) / from->fy;
      move(depth + row * from->width + start, ray, v, n, motion, &seen);
      for (size_t i = 0; i < n; i++) {
        const double z = seen.z[i], x = seen.x[i] / z * fx + cx - 0.5, y = seen.y[i] / z * fy + cy - 0.5;
        const int inside = (z > 0) & (x >= 0) & (y >= 0) & (x <= right) & (y <= bottom);
        const double px = inside ? x : 0, py = inside ? y : 0;
        const int32_t left = (int32_t)px, top = (int32_t)py;
        sharesX[i] = inside ? px - (double)left : (double)NAN;
        sharesY[i] = py - (double)top;
        corners[i] = top * width + left;
        // A neighbour without weight is not asked.
        toRight[i] = px > (double)left ? 1 : 0;
        toBelow[i] = py > (double)top ? width : 0;
      }
      for (size_t i = 0; i < n; i++) {
        const float *corner = other + corners[i];
        a[i] = corner[0];
        b[i] = corner[toRight[i]];
        c[i] = corner[toBelow[i]];
        d[i] = corner[toBelow[i] + toRight[i]];
      }
      double *line = result + row * from->width + start;
      for (size_t i = 0; i < n; i++) {
        const float infinite = (float)INFINITY;
        const int known = (a[i] > 0) & (b[i] > 0) & (c[i] > 0) & (d[i] > 0) & (a[i] < infinite) & (b[i] < infinite) &
                          (c[i] < infinite) & (d[i] < infinite);
        const double sx = sharesX[i], sy = sharesY[i];
        double sum = (1 - sy) * (1 - sx) * (double)a[i];
        sum += (1 - sy) * sx * (double)b[i];
        sum += sy * (1 - sx) * (double)c[i];
        sum += sy * sx * (double)d[i];
        line[i] = known ? sum - seen.z[i] : (double)NAN;
      }
    }
  }
}
