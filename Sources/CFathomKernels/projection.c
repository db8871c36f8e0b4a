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
  if (all == 0) return;
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
        // What lands nowhere changes nothing at the first pixel: which ones those are, and which are nearer, no processor foresees.
        columns[i] = inside ? (int32_t)x : 0;
        rows[i] = inside ? (int32_t)y : 0;
        seen.z[i] = inside ? z : (double)INFINITY;
      }
      for (size_t i = 0; i < n; i++) {
        double *place = result + (size_t)rows[i] * to->width + (size_t)columns[i];
        const double here = seen.z[i], there = *place;
        *place = here < there ? here : there;
      }
    }
  }
}

// A pixel on its way: the first of the four that it falls on, its share of the next column and row, its depth, and which one it is.
typedef struct {
  double shareX, shareY, z;
  uint32_t place, pixel;
} carried;

typedef double quad __attribute__((vector_size(32)));
typedef double pair __attribute__((vector_size(16)));
typedef int64_t quad_words __attribute__((vector_size(32)));

#define FOUR(value) ((quad){value, value, value, value})

// The other raster has a margin of one pixel, so that no splat need be cut.
INLINE size_t margined(const projection_camera *to) { return (to->width + 2) * (to->height + 2); }

size_t projection_carry_room(const projection_camera *from, const projection_camera *to) {
  return from->width * from->height * (sizeof(carried) / sizeof(double)) + from->width + margined(to) * 5;
}

// Shares of the four pixels of a splat: two of a row, and the two below.
INLINE void shared(double x, double y, quad *shares) {
  *shares = (quad){1 - x, x, 1 - x, x} * (quad){1 - y, 1 - y, y, y};
}

// The pixels that the other camera sees, the nearest depth of every pixel of its raster, and room for as many sums of each.
typedef struct {
  size_t stride, count;
  double *sums, *nearest;
  carried *splats;
} landing;

INLINE landing land(const float *depth, const projection_camera *from, const projection_motion *motion,
                    const projection_camera *to, double coverage, size_t numbers, double *room) {
  const size_t stride = to->width + 2, all = margined(to);
  double *sums = room, *nearest = sums + numbers * all, *ray = nearest + all;
  carried *splats = (carried *)(ray + from->width);
  memset(sums, 0, numbers * all * sizeof(double));
  rays(from, 0, from->width, ray);
  size_t count = 0;
  const double width = (double)to->width, height = (double)to->height;
  const double fx = to->fx, fy = to->fy, cx = to->cx, cy = to->cy;
  for (size_t i = 0; i < all; i++) nearest[i] = (double)INFINITY;
  for (size_t row = 0; row < from->height; row++) {
    const double v = ((double)row + 0.5 - from->cy) / from->fy;
    for (size_t start = 0; start < from->width; start += CHUNK) {
      const size_t n = from->width - start < CHUNK ? from->width - start : CHUNK, first = row * from->width + start;
      double sharesX[CHUNK], sharesY[CHUNK];
      uint32_t places[CHUNK];
      points seen;
      move(depth + first, ray + start, v, n, motion, &seen);
      for (size_t i = 0; i < n; i++) {
        const double z = seen.z[i], x = seen.x[i] / z * fx + cx - 0.5, y = seen.y[i] / z * fy + cy - 0.5;
        const int inside = (z > 0) & (x > -1) & (y > -1) & (x < width) & (y < height);
        const double px = inside ? x : 0, py = inside ? y : 0;
        int32_t left = (int32_t)px, top = (int32_t)py;
        left -= (double)left > px;
        top -= (double)top > py;
        sharesX[i] = px - (double)left;
        sharesY[i] = py - (double)top;
        places[i] = inside ? (uint32_t)(top + 1) * (uint32_t)stride + (uint32_t)(left + 1) : UINT32_MAX;
      }
      for (size_t i = 0; i < n; i++) {
        const size_t place = places[i];
        if (place == UINT32_MAX) continue;
        const double shareX = sharesX[i], shareY = sharesY[i], z = seen.z[i];
        splats[count++] = (carried){shareX, shareY, z, (uint32_t)place, (uint32_t)(first + i)};
        // One by one, so `volatile`: the next pixel mostly falls on one of two that are written together, and would wait for both.
        const double shares[4] = {(1 - shareX) * (1 - shareY), shareX * (1 - shareY), (1 - shareX) * shareY, shareX * shareY};
        for (size_t k = 0; k < 4; k++) {
          volatile double *there = nearest + place + k / 2 * stride + k % 2;
          const double here = shares[k] >= coverage ? z : (double)INFINITY;
          const double before = *there;
          *there = here < before ? here : before;
        }
      }
    }
  }
  return (landing){stride, count, sums, nearest, splats};
}

// The shares of a splat that lie on the nearest surface.
INLINE void visible(const landing *landed, const carried *splat, double surface, quad *shares) {
  const double *above = landed->nearest + splat->place, *below = above + landed->stride;
  const quad near = {above[0], above[1], below[0], below[1]};
  shared(splat->shareX, splat->shareY, shares);
  *shares = (quad)((quad_words)*shares & (FOUR(splat->z) <= near * FOUR(1 + surface)));
}

CLONES void projection_carry(const float *depth, const double *weights, const projection_camera *from,
                             const projection_motion *motion, const projection_camera *to, double surface,
                             double coverage, double *room, float *result, float *weight) {
  const landing landed = land(depth, from, motion, to, coverage, 4, room);
  const size_t stride = landed.stride;
  for (size_t i = 0; i < landed.count; i++) {
    const carried *splat = landed.splats + i;
    quad shares;
    visible(&landed, splat, surface, &shares);
    const quad own = {splat->z, weights[splat->pixel], 1, 0};
    for (size_t k = 0; k < 4; k++) {
      double *place = landed.sums + 4 * (splat->place + k / 2 * stride + k % 2);
      quad sum;
      LOAD(sum, place);
      sum += own * FOUR(shares[k]);
      memcpy(place, &sum, sizeof(sum));
    }
  }
  for (size_t row = 0; row < to->height; row++) {
    for (size_t column = 0; column < to->width; column++) {
      const double *sum = landed.sums + 4 * ((row + 1) * stride + column + 1);
      const int covered = sum[2] >= coverage;
      const pair both = (pair){sum[0], sum[1]} / (pair){sum[2], sum[2]};
      const size_t place = row * to->width + column;
      result[place] = covered ? (float)both[0] : (float)NAN;
      weight[place] = covered ? (float)both[1] : 0;
    }
  }
}

CLONES void projection_carry_alike(const float *depth, const projection_camera *from, const projection_motion *motion,
                                   const projection_camera *to, double surface, double coverage, double *room,
                                   float *result) {
  const landing landed = land(depth, from, motion, to, coverage, 2, room);
  const size_t stride = landed.stride;
  for (size_t i = 0; i < landed.count; i++) {
    const carried *splat = landed.splats + i;
    quad shares;
    visible(&landed, splat, surface, &shares);
    const pair own = {splat->z, 1};
    for (size_t k = 0; k < 4; k++) {
      double *place = landed.sums + 2 * (splat->place + k / 2 * stride + k % 2);
      pair sum;
      LOAD(sum, place);
      sum += own * (pair){shares[k], shares[k]};
      memcpy(place, &sum, sizeof(sum));
    }
  }
  for (size_t row = 0; row < to->height; row++) {
    for (size_t column = 0; column < to->width; column++) {
      const double *sum = landed.sums + 2 * ((row + 1) * stride + column + 1);
      result[row * to->width + column] = sum[1] >= coverage ? (float)(sum[0] / sum[1]) : (float)NAN;
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
  const words places = {0, 1, 2, 3, 4, 5, 6, 7};
  for (size_t row = 0; row < rows; row++, z += stride, d += stride) {
    for (size_t i = 0; i < columns; i += LANES) {
      const size_t rest = columns - i;
      reals x, y;
      words inside = EACH_WORD(-1);
      // Behind the part's last columns, but for its last row, come more of the raster.
      if (rest >= LANES || (row + 1 < rows && stride >= LANES)) {
        floats own;
        LOAD(x, z + i);
        LOAD(own, d + i);
        y = __builtin_convertvector(own, reals);
        if (rest < LANES) inside = places < EACH_WORD((int64_t)rest);
      } else {
        double seen[LANES], own[LANES];
        last(z + i, rest, (double)INFINITY, seen);
        for (size_t k = 0; k < LANES; k++) own[k] = k < rest ? (double)d[i + k] : (double)INFINITY;
        LOAD(x, seen);
        LOAD(y, own);
      }
      const words has = (MAGNITUDE(y) < infinite) & inside, both = has & (MAGNITUDE(x) < infinite);
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
      // One by one: gathers take longer on many processors.
#pragma clang loop vectorize(disable)
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
