// Averages of one depth map and others that were carried into its raster.
#ifndef FATHOM_TEMPORAL_H
#define FATHOM_TEMPORAL_H

#include <stddef.h>

// Where n pixels stand: the depth that others must agree with and its weight; sums of those that agree, weighted, of their weights, and
// their number; the first of them.
typedef struct {
  double *reference, *referenceWeight;
  double *sum, *weight, *count, *newest;
} temporal_sums;

// Adds one map where it agrees with the reference: where they differ by at most three standard deviations of both, `least` or more and
// `most` or less, as a share of the reference. A weight is one over a variance. Where there is no reference yet (NaN), it becomes that.
//
// depth, weight: n numbers each; a weight that is not positive is not a depth.
void temporal_add(const float *depth, const float *weight, size_t n, double least, double most,
                  const temporal_sums *sums);

#endif
