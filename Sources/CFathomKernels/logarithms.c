#include "logarithms.h"

#include <float.h>
#include <math.h>

#include "lanes.h"

// Bodies of loops without a branch, which the compiler turns into vectors.

INLINE uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;
}

INLINE float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof(x));
  return x;
}

// After fdlibm's logf: x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); ln(1 + f) = f - f²/2 + s (f²/2 + R(s²)), s = f / (2 + f).
INLINE float logarithm(float x) {
  const uint32_t root = 0x3f3504f3, one = 0x3f800000, moved = bits_of(x) - root + one;
  const float k = (float)((int32_t)(moved >> 23) - 127);
  const float f = float_of((moved & 0x007fffff) + root) - 1.0f;
  const float s = f / (2.0f + f), z = s * s, w = z * z;
  const float even = w * (0.40000972152f + w * 0.24279078841f);
  const float odd = z * (0.66666662693f + w * 0.28498786688f);
  const float half = 0.5f * f * f;
  const float result =
      k * 6.9313812256e-01f - ((half - (s * (half + (odd + even)) + k * 9.0580006145e-06f)) - f);
  return x >= FLT_MIN && x <= FLT_MAX ? result : NAN;
}

// After fdlibm's expf: x = k ln 2 + r; e^r = 1 + r + r c / (2 - c), c = r - r² (P1 + r² P2).
INLINE float exponential(float x) {
  const float limited = x < -80.0f ? -80.0f : x > 80.0f ? 80.0f : x;
  // Adding and taking away 1.5 · 2²³ rounds to the nearest whole number, which stands in the sum's last bits.
  const float magic = 12582912.0f, sum = limited * 1.4426950216e+00f + magic, k = sum - magic;
  const float high = limited - k * 6.9314575195e-01f, low = k * 1.4286067653e-06f, r = high - low, t = r * r;
  const float c = r - t * (1.6666625440e-1f + t * -2.7667332906e-3f);
  const float y = 1.0f - ((low - r * c / (2.0f - c)) - high);
  const float result = float_of(bits_of(y) + ((bits_of(sum) - bits_of(magic)) << 23));
  return x == x ? result : x;
}

CLONES void log_ratios(const float *x, const float *y, size_t n, float *result) {
  for (size_t i = 0; i < n; i++) result[i] = logarithm(x[i] / y[i]);
}

CLONES void log_values(const float *x, size_t n, float *result) {
  for (size_t i = 0; i < n; i++) result[i] = logarithm(x[i]);
}

CLONES void scale_by_exponentials(const double *logs, size_t n, float low, float high, float *values) {
  for (size_t i = 0; i < n; i++) {
    const float value = values[i] * exponential((float)logs[i]);
    values[i] = value < low ? low : value > high ? high : value;
  }
}

CLONES void between_knots(const float *positions, size_t n, const float *places, const float *known, size_t knots,
                          float *result) {
  for (size_t i = 0; i < n; i++) result[i] = known[0];
  for (size_t knot = 0; knot + 1 < knots; knot++) {
    const float from = places[knot], to = places[knot + 1], start = known[knot], end = known[knot + 1];
    for (size_t i = 0; i < n; i++) {
      const float here = positions[i], value = start + (end - start) * ((here - from) / (to - from));
      result[i] = here >= to ? end : here >= from ? value : result[i];
    }
  }
}
