#include "pair_means.h"

#include <math.h>

#include "lanes.h"

CLONES void pair_means(const float *values, const float *variances, const float *centres, const float *centreVariances,
                       size_t width, size_t height, size_t reach, float tuning, float slope, float *means, float *weights) {
  const float square = tuning * tuning;
  const ptrdiff_t most = (ptrdiff_t)reach, columns = (ptrdiff_t)width, rows = (ptrdiff_t)height;
  memset(means, 0, width * height * sizeof(float));
  memset(weights, 0, width * height * sizeof(float));
  for (ptrdiff_t row = 0; row < rows; row++) {
    for (ptrdiff_t down = 0; down <= most && down <= row && row + down < rows; down++) {
      for (ptrdiff_t across = down > 0 ? -most : 1; across <= most; across++) {
        const ptrdiff_t away = down * columns + across, beside = across < 0 ? -across : across;
        const float rise = 2.0f * slope * (float)(beside > down ? beside : down);
        float *mean = means + row * columns, *weight = weights + row * columns;
        const float *value = values + row * columns, *variance = variances + row * columns;
        const float *centre = centres + row * columns, *centreVariance = centreVariances + row * columns;
        for (ptrdiff_t i = beside; i < columns - beside; i++) {
          const float middle = 0.5f * (value[i - away] + value[i + away]);
          const float own = 0.25f * (variance[i - away] + variance[i + away]), off = middle - centre[i];
          const float apart = value[i + away] - value[i - away], steep = rise * centre[i];
          const float near = 1.0f - off * off / (square * (own + centreVariance[i]));
          const float rest = apart * apart > steep * steep + 4.0f * square * own ? -1.0f : near;
          const float counts = rest > 0 ? rest * rest / own : 0.0f;
          mean[i] += rest > 0 ? counts * middle : 0.0f;
          weight[i] += counts;
        }
      }
    }
  }
  for (size_t i = 0; i < width * height; i++) means[i] = weights[i] > 0 ? means[i] / weights[i] : NAN;
}
