#include "depth_steps.h"

#include "lanes.h"

// Marks those of n pixels and their neighbours that are known and differ by more than a ratio.
INLINE void compare(const float *pixels, const float *neighbours, size_t n, double ratio, uint8_t *marks,
                    uint8_t *neighbourMarks) {
  for (size_t from = 0; from < n; from += LANES) {
    const size_t rest = n - from < LANES ? n - from : LANES;
    if (rest == LANES) {
      // Hardly any eight pixels have a step among them.
      floats a, b;
      LOAD(a, pixels + from);
      LOAD(b, neighbours + from);
      const reals p = __builtin_convertvector(a, reals), q = __builtin_convertvector(b, reals);
      const words known = (p > EACH(0.0)) & (q > EACH(0.0));
      const words steps = known & ((p > EACH(ratio) * q) | (q > EACH(ratio) * p));
      if (any(&steps) == 0) continue;
    }
    for (size_t i = from; i < from + rest; i++) {
      const float p = pixels[i], q = neighbours[i];
      // NaN fails every comparison.
      const int known = (p > 0) & (q > 0) & (p <= 3.402823466e+38f) & (q <= 3.402823466e+38f);
      const int step = ((double)p > ratio * (double)q) | ((double)q > ratio * (double)p);
      if (known & step) marks[i] = neighbourMarks[i] = 1;
    }
  }
}

// Extends every 1 of a row by `reach` pixels both ways.
static void spread(uint8_t *row, size_t width, size_t reach) {
  size_t done = 0;  // All before it are final.
  while (done < width) {
    const uint8_t *next = memchr(row + done, 1, width - done);
    if (next == NULL) return;
    const size_t at = (size_t)(next - row);
    const size_t from = at - done < reach ? done : at - reach;
    size_t last = at;  // The last 1 of those whose margins touch.
    size_t end = width - last > reach ? last + reach + 1 : width;
    for (size_t i = at + 1; i < end; i++) {
      if (row[i]) {
        last = i;
        end = width - last > reach ? last + reach + 1 : width;
      }
    }
    memset(row + from, 1, end - from);
    done = end;
  }
}

// Rows since the last mark of each column, the present row counted as 0; more than `reach` is reach + 1.
//
// Bit 1 is what is added on the way down, so that the way upwards still tells both apart.
#define EXTEND(number, name)                                                                                  \
  INLINE void extend_##name(uint8_t *mask, number *restrict since, size_t width, size_t height, number reach) { \
    for (size_t i = 0; i < width; i++) since[i] = (number)(reach + 1);                                        \
    for (size_t k = 0; k < height; k++) {                                                                     \
      uint8_t *restrict row = mask + k * width;                                                               \
      for (size_t i = 0; i < width; i++) {                                                                    \
        const number next = (number)(since[i] + (since[i] <= reach)), here = row[i] ? 0 : next;               \
        since[i] = here;                                                                                      \
        row[i] = (uint8_t)(row[i] | (here <= reach) << 1);                                                    \
      }                                                                                                       \
    }                                                                                                         \
    for (size_t i = 0; i < width; i++) since[i] = (number)(reach + 1);                                        \
    for (size_t k = height; k-- > 0;) {                                                                       \
      uint8_t *restrict row = mask + k * width;                                                               \
      for (size_t i = 0; i < width; i++) {                                                                    \
        const number next = (number)(since[i] + (since[i] <= reach)), here = row[i] & 1 ? 0 : next;           \
        since[i] = here;                                                                                      \
        row[i] = (uint8_t)((row[i] != 0) | (here <= reach));                                                  \
      }                                                                                                       \
    }                                                                                                         \
  }
EXTEND(uint32_t, far)
// Nearly all margins are short: four times as many in a vector.
EXTEND(uint8_t, near)

CLONES void depth_steps_mask(const float *depths, size_t width, size_t height, double ratio, size_t reachX,
                             size_t reachY, uint8_t *mask, uint32_t *since) {
  if (width == 0 || height == 0) return;
  const uint32_t reach = reachY > height ? (uint32_t)height : (uint32_t)reachY;
  memset(mask, 0, width * height);
  for (size_t row = 0; row < height; row++) {
    const float *line = depths + row * width;
    uint8_t *own = mask + row * width;
    compare(line, line + 1, width - 1, ratio, own, own + 1);
    if (row + 1 < height) compare(line, line + width, width, ratio, own, own + width);
  }
  for (size_t row = 0; row < height; row++) spread(mask + row * width, width, reachX);
  if (reach == 0) return;
  // Downwards a row is made of those above it as they were: the distance to the last one tells it, not what is marked on the way.
  if (reach < UINT8_MAX) {
    extend_near(mask, (uint8_t *)since, width, height, (uint8_t)reach);
  } else {
    extend_far(mask, since, width, height, reach);
  }
}
