// Steps to the half of a cloud of points whose covariance has the least determinant.
//
// Which points are the nearest ones is exact, and sums are kept in eight lanes that are added in a fixed order, so that the bits are
// the same on every processor.
#ifndef FATHOM_COVARIANCE_H
#define FATHOM_COVARIANCE_H

#include <stddef.h>

// Mean and covariance (divided by the number) of points in a plane.
typedef struct {
  double x, z, xx, xz, zz;
} covariance_moments;

// The moments of the `half` points that are nearest to given ones, by their Mahalanobis distance; of equally far ones the first.
//
// 0 < half <= n; the determinant of `given` is positive. room: for 2 n numbers.
covariance_moments covariance_of_nearest(const double *x, const double *z, size_t n, size_t half,
                                         covariance_moments given, double *room);

#endif
