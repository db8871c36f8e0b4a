// Means of what lies on both sides of each pixel.
#ifndef FATHOM_PAIR_MEANS_H
#define FATHOM_PAIR_MEANS_H

#include <stddef.h>

// Inverse-variance mean, over the pairs of pixels that lie opposite each other within `reach` rows and columns of each pixel, of the
// pair's mean. On a plane each of them is what the pixel should be. A pair counts by the biweight of how far it is from `centres`, in
// `tuning` deviations of both; one that holds a NaN does not, and none whose pixels differ by more than noise, in as many deviations, and a
// slope: that is a depth step, and a pixel amid it is as much like the mean of both sides as one on a plane.
//
// values, centres: `width * height` numbers. variances: of the values. centreVariances: of the centres. slope: most from pixel to pixel, as a share of
// the centre.
// means: NaN without a pair. weights: inverse variances of the means, 0 without a pair.
void pair_means(const float *values, const float *variances, const float *centres, const float *centreVariances,
                size_t width, size_t height, size_t reach, float tuning, float slope, float *means, float *weights);

#endif
