// Where the pixels of one depth map fall in another one, by the motion of the camera.
#ifndef FATHOM_PROJECTION_H
#define FATHOM_PROJECTION_H

#include <stddef.h>
#include <stdint.h>

// A pinhole camera at a raster's size: focal lengths and principal point in pixels, counted from the corner of the first one.
typedef struct {
  double fx, fy, cx, cy;
  size_t width, height;
} projection_camera;

// p -> A p + b, from one camera's axes to the other's: x to the right, y down, z forward. `columns` holds A column by column.
typedef struct {
  double columns[9];
  double offset[3];
} projection_motion;

// Splats every pixel of a map to the nearest pixel of another raster; the nearest depth wins.
//
// depth: metres, `from.width * from.height`; not finite or not positive is missing. result: `to.width * to.height` depths in the
// other camera; infinite where nothing lands.
void projection_splat(const float *depth, const projection_camera *from, const projection_motion *motion,
                      const projection_camera *to, double *result);

// Room that `projection_carry` needs, in numbers; neither raster has 2³² pixels.
size_t projection_carry_room(const projection_camera *from, const projection_camera *to);

// Splats every pixel of a map bilinearly into another raster. Where several fall, those that lie up to the share `surface` behind
// the nearest are averaged by their shares of the pixel; nearest is one whose share is at least `coverage`, and so much must
// fall on a pixel together.
//
// depth: as above. weights: one for each pixel, averaged like the depth. room: as above. result, weight: `to.width * to.height`;
// NaN and 0 where too little fell.
void projection_carry(const float *depth, const double *weights, const projection_camera *from,
                      const projection_motion *motion, const projection_camera *to, double surface, double coverage,
                      double *room, float *result, float *weight);

// The same where every pixel weighs 1.
void projection_carry_alike(const float *depth, const projection_camera *from, const projection_motion *motion,
                            const projection_camera *to, double surface, double coverage, double *room, float *result);

// Sum of |z - d| / d over those pixels where z is finite and d finite and positive; `count` becomes their number.
double projection_difference(const double *z, const float *d, size_t n, size_t *count);

// How two maps meet: pixels with a depth d, those of them with a z, those of these below the limit, and the sum of
// min(|z / d - 1|, limit) over those with both.
typedef struct {
  int64_t known, landed, agreeing;
  double sum;
} projection_meeting;

// z, d: `columns` numbers of each of `rows` rows, one row `stride` numbers after the other; z is infinite where there is none, d
// not finite where there is none.
projection_meeting projection_agreement(const double *z, const float *d, size_t stride, size_t columns, size_t rows,
                                        double limit);

// For every pixel of a map: the depth that another map reads, bilinearly, where the pixel's point falls, minus the point's own
// depth in that camera. NaN where the pixel has no depth, or the point falls outside the outermost pixel centres, or a missing
// neighbour has weight.
//
// depth: as above. other: `to.width * to.height`. result: `from.width * from.height`.
void projection_excess(const float *depth, const projection_camera *from, const projection_motion *motion,
                       const float *other, const projection_camera *to, double *result);

#endif
