#include "blend.h"

#include <math.h>

#include "lanes.h"

// Adds to n flags whether each value goes on as the two `step` and twice `step` beside it do.
INLINE void mark_straight(const float *values, const float *limits, size_t n, ptrdiff_t step, uint8_t *flags) {
  for (size_t i = 0; i < n; i++) {
    const float *v = values + i;
    flags[i] |= fabsf(v[0] - 2.0f * v[step] + v[2 * step]) <= limits[i];
  }
}

CLONES void blend_straight(const float *values, const float *limits, size_t width, size_t height, uint8_t *room,
                           uint8_t *result) {
  const ptrdiff_t below = (ptrdiff_t)width;
  for (size_t row = 0; row < height; row++) {
    const float *v = values + row * width, *limit = limits + row * width;
    uint8_t *flags = result + row * width;
    memset(flags, 0, width);
    if (row >= 2) mark_straight(v, limit, width, -below, flags);
    if (row + 2 < height) mark_straight(v, limit, width, below, flags);
    memset(room, 0, width);
    if (width > 2) {
      mark_straight(v + 2, limit + 2, width - 2, -1, room + 2);
      mark_straight(v, limit, width - 2, 1, room);
    }
    for (size_t i = 0; i < width; i++) flags[i] &= room[i];
  }
}

// (1 - u²)² for |u| < 1, else 0, from u².
INLINE double biweight(double square) {
  const double rest = 1.0 - square, some = rest >= 0 ? rest : 0.0;
  return some * some;
}

CLONES void blend_shares(const float *ratios, const float *means, const float *left, const float *lidar, const double *map,
                         const uint8_t *jumps, const uint8_t *straight, size_t n, const blend_limits *limits,
                         float *result) {
  const double trust = limits->trust, noise = limits->noise, tuning = limits->tuning, certainty = limits->certainty,
               edges = limits->edges;
  for (size_t i = 0; i < n; i++) {
    const double ratio = ratios[i], mean = means[i], part = left[i], lidarDeviation = lidar[i], mapDeviation = map[i];
    const double lidarVariance = lidarDeviation * lidarDeviation, mapVariance = mapDeviation * mapDeviation;
    // What the two disagree by over the window, less the LiDAR's part in it, is the map's error there.
    const double there = mean * mean - certainty * part * lidarVariance;
    const double variance = there >= mapVariance ? there : mapVariance;
    // No call of sqrt, which may set errno.
    const double disagreement = fabs(ratio) / __builtin_elementwise_sqrt(lidarVariance + mapVariance);
    // A return that continues the surface beside it is not at fault where it disagrees: a network's edges are soft, and it
    // overlooks small things.
    const double beyond = (disagreement - noise) / noise, believed = biweight(beyond * beyond);
    const double single = ((disagreement > noise) & (straight[i] != 0)) ? believed : 1.0;
    const double mapWeight =
        single * biweight(mean * mean / (tuning * tuning * (part * lidarVariance + mapVariance))) / variance;
    // A return that jumps is trusted in proportion to its agreement with its surroundings.
    const double off = ratio - mean;
    const double agreeing = biweight(off * off / (tuning * tuning * (lidarVariance + mapVariance + edges * edges)));
    const double lidarWeight = (jumps[i] != 0 ? agreeing : 1.0) / lidarVariance;
    const double both = lidarWeight + mapWeight, share = both > 0 ? mapWeight / both : 1.0;
    const int counts = (fabs(ratio) < (double)INFINITY) & (mapDeviation < trust * lidarDeviation);
    result[i] = counts ? (float)share : 0.0f;
  }
}
