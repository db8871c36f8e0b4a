// A strip's sums in single precision, where they are as good.
//
// |d - g|, d - g and |d - g| / g are added in double precision, and so are deviations. For the rest d - g is rounded once it is known,
// and the logarithm of a ratio near 1 comes from (d - g) / g: small errors keep their digits. A lane adds at most STRIP / LANES
// numbers before its sum goes to double precision.
#ifndef FATHOM_ERROR_SINGLES_H
#define FATHOM_ERROR_SINGLES_H

#include <float.h>

#include "error_strip.h"

// A ratio's rounding is less than as many units in the last place.
enum { LIMIT_MARGIN = 8 };
// The least number of each limit's margin, as bits.
static const int32_t limit_bits[ERROR_LIMIT_COUNT] = {
    0x3f8f1bbd - LIMIT_MARGIN, 0x3fa00000 - LIMIT_MARGIN, 0x3fc80000 - LIMIT_MARGIN,
    0x3ffa0000 - LIMIT_MARGIN, 0x3f83d70a - LIMIT_MARGIN, 0x3f866666 - LIMIT_MARGIN};

// After fdlibm's logf, as `logarithm` is after its log; near: q = 1 + part is within [sqrt(1/2), sqrt(2)), and k is 0.
INLINE void single_logarithm(const floats *q, const floats *part, int near, floats *result) {
  const floats one = EACH_SINGLE(1.0f);
  floats f = *part, k = EACH_SINGLE(0.0f);
  if (!near) {
    const halves root = EACH_HALF(0x3f3504f3), moved = (halves)*q - root + (halves)one;
    k = __builtin_convertvector((moved >> 23) - EACH_HALF(127), floats);
    f = (floats)((moved & EACH_HALF(0x007fffff)) + root) - one;
  }
  const floats s = f / (EACH_SINGLE(2.0f) + f), z = s * s, w = z * z;
  const floats even = w * (EACH_SINGLE(0.40000972152f) + w * EACH_SINGLE(0.24279078841f));
  const floats odd = z * (EACH_SINGLE(0.66666662693f) + w * EACH_SINGLE(0.28498786688f));
  const floats half = EACH_SINGLE(0.5f) * f * f;
  if (near) {
    *result = f - (half - s * (half + (odd + even)));
  } else {
    *result = k * EACH_SINGLE(6.9313812256e-01f) -
              ((half - (s * (half + (odd + even)) + k * EACH_SINGLE(9.0580006145e-06f))) - f);
  }
}

// Sums of a strip that are to be added if they do.
typedef struct {
  reals absolute, signs, relative, deviations, squaredDeviations;
  floats squared, byTruth, squaredRelative, squaredInverse, inverses, logs, squaredLogs;
  halves under[ERROR_LIMIT_COUNT];
} single_sums;

// What (d - g) and (1/d - 1/g) of the pixels from..<end come to; leaves (d - g) / g, d / g and the larger of d / g and g / d.
INLINE void single_errors(single_sums *sums, error_strip *strip, const double *d, const double *g, const double *inverse,
                          size_t from, size_t end, size_t n, float *parts, float *ratios, float *larger) {
  reals absolute = EACH(0.0), signs = absolute, relative = absolute;
  floats squared = EACH_SINGLE(0.0f), byTruth = squared, squaredRelative = squared, squaredInverse = squared,
         inverses = squared;
  for (size_t i = from; i < end; i += LANES) {
    reals x, y, v;
    load(d, g, inverse, i, n, &x, &y, &v);
    const reals e = x - y, a = MAGNITUDE(e), r = a * v;
    absolute += a;
    signs += e;
    relative += r;
    STORE(strip->absolute + (i - from), a);
    STORE(strip->relative + (i - from), r);
    const floats error = SINGLE(e), depth = SINGLE(x), nearness = SINGLE(v), part = error * nearness;
    const floats other = EACH_SINGLE(1.0f) / depth, difference = part * other;
    const floats q = depth * nearness, p = SINGLE(y) * other;
    squared += error * error;
    byTruth += error * part;
    squaredRelative += part * part;
    squaredInverse += difference * difference;
    inverses += SINGLE_MAGNITUDE(difference);
    const halves ratio = __builtin_elementwise_max((halves)q, (halves)p);
    STORE(parts + (i - from), part);
    STORE(ratios + (i - from), q);
    STORE(larger + (i - from), ratio);
  }
  sums->absolute = absolute;
  sums->signs = signs;
  sums->relative = relative;
  sums->squared = squared;
  sums->byTruth = byTruth;
  sums->squaredRelative = squaredRelative;
  sums->squaredInverse = squaredInverse;
  sums->inverses = inverses;
}

// Counts the ratios below each limit; returns whether none is so near to one that it could lie on the other side. most: of all ratios.
INLINE int single_limits(single_sums *sums, const float *larger, size_t count, int32_t *most) {
  halves under[ERROR_LIMIT_COUNT], largest = EACH_HALF(0);
  for (int k = 0; k < ERROR_LIMIT_COUNT; k++) under[k] = EACH_HALF(0);
  half_bits nearest = (half_bits)EACH_HALF(-1);
  for (size_t i = 0; i < count; i += LANES) {
    halves ratio;
    LOAD(ratio, larger + i);
    largest = __builtin_elementwise_max(largest, ratio);
#pragma unroll
    for (int k = 0; k < ERROR_LIMIT_COUNT; k++) {
      const half_bits above = (half_bits)(ratio - EACH_HALF(limit_bits[k]));
      under[k] += (halves)(above >> 31);
      nearest = __builtin_elementwise_min(nearest, above);
    }
  }
  memcpy(sums->under, under, sizeof(under));
  *most = __builtin_reduce_max(largest);
  return __builtin_reduce_min(nearest) > 2 * LIMIT_MARGIN;
}

// What the logarithms of `count` pixels come to, which take the place of the ratios. Returns whether they spread so much that their
// rounding does not matter.
INLINE int single_logarithms(single_sums *sums, const float *parts, float *ratios, size_t count, double shift, int near) {
  for (size_t i = 0; i < count; i += LANES) {
    floats q, part, l;
    LOAD(q, ratios + i);
    LOAD(part, parts + i);
    single_logarithm(&q, &part, near, &l);
    STORE(ratios + i, l);
  }
  floats logs = EACH_SINGLE(0.0f), squared = logs;
  halves largest = EACH_HALF(0);
  reals deviations = EACH(0.0), squares = deviations;
  for (size_t i = 0; i < count; i += LANES) {
    floats l;
    LOAD(l, ratios + i);
    const floats magnitude = SINGLE_MAGNITUDE(l);
    logs += magnitude;
    squared += l * l;
    largest = __builtin_elementwise_max(largest, (halves)magnitude);
    reals deviation = __builtin_convertvector(l, reals) - EACH(shift);
    if (count - i < LANES) {
      // Those that fill up the last vector have no error, but would have a deviation.
      double numbers[LANES];
      STORE(numbers, deviation);
      for (size_t j = count - i; j < LANES; j++) numbers[j] = 0;
      LOAD(deviation, numbers);
    }
    deviations += deviation;
    squares += deviation * deviation;
  }
  sums->logs = logs;
  sums->squaredLogs = squared;
  sums->deviations = deviations;
  sums->squaredDeviations = squares;
  const int32_t bits = __builtin_reduce_max(largest);
  float most;
  memcpy(&most, &bits, sizeof(most));
  const double sum = total(&deviations), n = (double)count, rounding = n * most * 0x1p-13;
  return n * total(&squares) - sum * sum > rounding * rounding;
}

// Whether some lane of what was squared holds a number that single precision has digits for.
INLINE int has_digits(const floats *squared) { return __builtin_reduce_max((halves)*squared) > 0x15000000; }

// Adds a strip whose errors are counted, if that is as good as in double precision. Returns whether it is.
INLINE int add_singles(error_strip *strip, const double *d, const double *g, const double *inverse, size_t from,
                       size_t end, size_t n, double shift) {
  single_strip parts, ratios, larger;
  single_sums sums;
  int32_t most;
  single_errors(&sums, strip, d, g, inverse, from, end, n, parts, ratios, larger);
  if (!single_limits(&sums, larger, end - from, &most)) return 0;
  const int32_t root = 0x3fb4fdf3;  // Bits of a number just below sqrt(2).
  if (most < root) {
    if (!single_logarithms(&sums, parts, ratios, end - from, shift, 1)) return 0;
  } else {
    if (!single_logarithms(&sums, parts, ratios, end - from, shift, 0)) return 0;
  }
  const floats all = sums.squared + sums.byTruth + sums.squaredRelative + sums.squaredInverse + sums.squaredLogs;
  const half_bits infinite = (half_bits)EACH_HALF(0x7f800000);
  if (__builtin_reduce_max((half_bits)all) >= infinite[0]) return 0;
  if (!has_digits(&sums.squared) || !has_digits(&sums.squaredRelative) || !has_digits(&sums.squaredInverse)) return 0;
#define ADD_SINGLE(term, lanes) strip->terms[term] += __builtin_convertvector(lanes, reals)
  strip->terms[ERROR_TERM_ABSOLUTE] += sums.absolute;
  strip->terms[ERROR_TERM_SIGNED] += sums.signs;
  ADD_SINGLE(ERROR_TERM_SQUARED, sums.squared);
  strip->terms[ERROR_TERM_RELATIVE] += sums.relative;
  ADD_SINGLE(ERROR_TERM_SQUARED_BY_TRUTH, sums.byTruth);
  ADD_SINGLE(ERROR_TERM_SQUARED_RELATIVE, sums.squaredRelative);
  ADD_SINGLE(ERROR_TERM_SQUARED_INVERSE, sums.squaredInverse);
  ADD_SINGLE(ERROR_TERM_INVERSE, sums.inverses);
  ADD_SINGLE(ERROR_TERM_LOG_ABSOLUTE, sums.logs);
  ADD_SINGLE(ERROR_TERM_LOG_SQUARED, sums.squaredLogs);
  strip->terms[ERROR_TERM_LOG_DEVIATION] += sums.deviations;
  strip->terms[ERROR_TERM_LOG_SQUARED_DEVIATION] += sums.squaredDeviations;
#undef ADD_SINGLE
  for (int k = 0; k < ERROR_LIMIT_COUNT; k++) strip->under[k] += __builtin_convertvector(sums.under[k], words);
  return 1;
}

#endif
