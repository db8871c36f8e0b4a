// How much of two maps a blend takes, pixel by pixel.
#ifndef FATHOM_BLEND_H
#define FATHOM_BLEND_H

#include <stddef.h>
#include <stdint.h>

// Whether each pixel of a raster lies on the straight line through the two before it or the two behind it, along its row and along
// its column: |v - 2 v' + v''| <= limits. room: `width` bytes.
void blend_straight(const float *values, const float *limits, size_t width, size_t height, uint8_t *room,
                    uint8_t *result);

// What the shares of all pixels have in common. Variances and deviations are of relative errors.
typedef struct {
  // A map whose deviation is not below this many of the LiDAR's has no share.
  double trust;
  // Deviations of a disagreement that noise explains.
  double noise;
  // Half width of Tukey's biweight, in deviations.
  double tuning;
  // Variances of the LiDAR's part in a mean that are not counted as the map's error.
  double certainty;
  // The map's deviation at depth steps.
  double edges;
} blend_limits;

// Share of the map in the mean of LiDAR and map, 0...1.
//
// ratios: ln(LiDAR / map); without a number the share is 0. means: of the ratios around each pixel. left: share of the LiDAR's
// variance in those. lidar, map: deviations. jumps: whether the LiDAR may be at fault there. straight: whether it cannot.
void blend_shares(const float *ratios, const float *means, const float *left, const float *lidar, const double *map,
                  const uint8_t *jumps, const uint8_t *straight, size_t n, const blend_limits *limits, float *result);

#endif
