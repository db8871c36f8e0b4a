#include "depth_steps.h"

#include "lanes.h"

// result[k] |= 1 where a[k] and b[k] are known and differ by more than a ratio.
INLINE void compare(const float *a, const float *b, size_t n, double ratio, uint8_t *result) {
  for (size_t i = 0; i < n; i++) {
    const float p = a[i], q = b[i];
    // NaN fails every comparison.
    const int known = (p > 0) & (q > 0) & (p <= 3.402823466e+38f) & (q <= 3.402823466e+38f);
    const int step = ((double)p > ratio * (double)q) | ((double)q > ratio * (double)p);
    result[i] |= (uint8_t)(known & step);
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

CLONES void depth_steps_mask(const float *depths, size_t width, size_t height, double ratio, size_t reachX,
                             size_t reachY, uint8_t *mask, uint32_t *since) {
  if (width == 0 || height == 0) return;
  const uint32_t reach = reachY > height ? (uint32_t)height : (uint32_t)reachY;
  memset(mask, 0, width * height);
  for (size_t row = 0; row < height; row++) {
    const float *line = depths + row * width;
    uint8_t *own = mask + row * width;
    // A step marks both of its pixels; those of the row above are there already.
    uint8_t between[256];
    for (size_t first = 0; first + 1 < width; first += sizeof(between)) {
      const size_t rest = width - 1 - first, n = rest < sizeof(between) ? rest : sizeof(between);
      memset(between, 0, n);
      compare(line + first, line + first + 1, n, ratio, between);
      for (size_t i = 0; i < n; i++) own[first + i] |= between[i];
      for (size_t i = 0; i < n; i++) own[first + 1 + i] |= between[i];
    }
    if (row + 1 == height) continue;
    for (size_t first = 0; first < width; first += sizeof(between)) {
      const size_t rest = width - first, n = rest < sizeof(between) ? rest : sizeof(between);
      memset(between, 0, n);
      compare(line + first, line + width + first, n, ratio, between);
      for (size_t i = 0; i < n; i++) own[first + i] |= between[i];
      for (size_t i = 0; i < n; i++) own[width + first + i] |= between[i];
    }
  }
  for (size_t row = 0; row < height; row++) spread(mask + row * width, width, reachX);
  if (reach == 0) return;
  // Downwards a row is made of those above it as they were: the distance to the last one tells it, not what is marked on the way.
  for (size_t i = 0; i < width; i++) since[i] = reach + 1;
  for (size_t row = 0; row < height; row++) {
    uint8_t *own = mask + row * width;
    for (size_t i = 0; i < width; i++) {
      const uint32_t next = since[i] > reach ? since[i] : since[i] + 1;
      since[i] = own[i] ? 0 : next;
      // Bit 1 is what is added, so that the way upwards still tells both apart.
      own[i] |= (uint8_t)((since[i] <= reach) << 1);
    }
  }
  for (size_t i = 0; i < width; i++) since[i] = reach + 1;
  for (size_t row = height; row-- > 0;) {
    uint8_t *own = mask + row * width;
    for (size_t i = 0; i < width; i++) {
      const uint32_t next = since[i] > reach ? since[i] : since[i] + 1;
      since[i] = own[i] & 1 ? 0 : next;
      own[i] = (uint8_t)((own[i] != 0) | (since[i] <= reach));
    }
  }
}
