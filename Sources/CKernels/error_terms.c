#include "error_terms.h"
#include "lanes.h"

// After fdlibm's log: x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); ln(1 + f) = f - f²/2 + s (f²/2 + R(s²)), s = f / (2 + f).
#define LOGARITHM(x, result)                                                                                       \
  do {                                                                                                             \
    const int64_t root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, magic = 0x4330000000000000;                 \
    const bits moved = (bits)(x) - (bits)EACH_WORD(root) + (bits)EACH_WORD(one);                                   \
    const words exponent = (words)(moved >> 52);                                                                   \
    const words mantissa = (words)(moved & (bits)EACH_WORD(0x000fffffffffffff)) + EACH_WORD(root);                 \
    const reals k = (reals)(exponent | EACH_WORD(magic)) - EACH(4503599627370496.0 + 1023.0);                      \
    const reals f = (reals)mantissa - EACH(1.0);                                                                   \
    const reals s = f / (EACH(2.0) + f), z = s * s, w = z * z;                                                     \
    const reals even = w * (EACH(3.999999999940941908e-01) +                                                       \
                            w * (EACH(2.222219843214978396e-01) + w * EACH(1.531383769920937332e-01)));            \
    const reals odd = z * (EACH(6.666666666666735130e-01) +                                                        \
                           w * (EACH(2.857142874366239149e-01) +                                                   \
                                w * (EACH(1.818357216161805012e-01) + w * EACH(1.479819860511658591e-01))));       \
    const reals half = EACH(0.5) * f * f;                                                                          \
    result = k * EACH(6.93147180369123816490e-01) -                                                                \
             ((half - (s * (half + (odd + even)) + k * EACH(1.90821492927058770002e-10))) - f);                    \
  } while (0)

// The bin of a number that is not negative.
#define BIN(x, result)                                                                                             \
  do {                                                                                                             \
    words place = (words)((bits)(x) >> ERROR_BIN_SHIFT) - EACH_WORD(ERROR_BIN_BASE);                               \
    place = place & ~(place < EACH_WORD(0));                                                                       \
    const words beyond = place > EACH_WORD(ERROR_BIN_COUNT - 1);                                                   \
    result = (place & ~beyond) | (EACH_WORD(ERROR_BIN_COUNT - 1) & beyond);                                        \
  } while (0)

// The vectors of the pixels from i on; returns how many of them there are.
INLINE size_t load(const double *d, const double *g, const double *inverse, size_t i, size_t n, reals *x, reals *y,
                   reals *v) {
  const size_t rest = n - i < LANES ? n - i : LANES;
  if (rest == LANES) {
    LOAD(*x, d + i);
    LOAD(*y, g + i);
    LOAD(*v, inverse + i);
  } else {
    double numbers[LANES];
    last(d + i, rest, 1.0, numbers);
    LOAD(*x, numbers);
    last(g + i, rest, 1.0, numbers);
    LOAD(*y, numbers);
    last(inverse + i, rest, 1.0, numbers);
    LOAD(*v, numbers);
  }
  return rest;
}

INLINE void add(const double *d, const double *g, const double *inverse, size_t n, int logs, int counts, double shift,
                double *sums, int64_t *below, const error_bins *bins) {
  reals terms[ERROR_TERM_COUNT];
  words under[ERROR_LIMIT_COUNT];
  memset(terms, 0, sizeof(terms));
  memset(under, 0, sizeof(under));
  const reals limits[ERROR_LIMIT_COUNT] = {EACH(1.1180339887498949), EACH(1.25), EACH(1.5625), EACH(1.953125)};
  for (size_t i = 0; i < n; i += LANES) {
    reals x, y, v;
    const size_t rest = load(d, g, inverse, i, n, &x, &y, &v);
    const reals e = x - y, a = MAGNITUDE(e), r = a * v, q = x / y, p = y / x, square = e * e;
    const reals difference = (p - EACH(1.0)) * v;
    terms[ERROR_TERM_ABSOLUTE] += a;
    terms[ERROR_TERM_SIGNED] += e;
    terms[ERROR_TERM_SQUARED] += square;
    terms[ERROR_TERM_RELATIVE] += r;
    terms[ERROR_TERM_SQUARED_BY_TRUTH] += square * v;
    terms[ERROR_TERM_SQUARED_RELATIVE] += r * r;
    terms[ERROR_TERM_SQUARED_INVERSE] += difference * difference;
    for (int k = 0; k < ERROR_LIMIT_COUNT; k++) under[k] -= (q < limits[k]) & (p < limits[k]);
    if (logs) {
      reals l;
      LOGARITHM(q, l);
      // Those that fill up the last vector have no error, but would have a deviation.
      reals deviation = l - EACH(shift);
      if (rest < LANES) {
        double x8[LANES];
        memcpy(x8, &deviation, sizeof(x8));
        for (size_t j = rest; j < LANES; j++) x8[j] = 0;
        memcpy(&deviation, x8, sizeof(x8));
      }
      terms[ERROR_TERM_LOG_ABSOLUTE] += MAGNITUDE(l);
      terms[ERROR_TERM_LOG_SQUARED] += l * l;
      terms[ERROR_TERM_LOG_DEVIATION] += deviation;
      terms[ERROR_TERM_LOG_SQUARED_DEVIATION] += deviation * deviation;
    }
    if (counts) {
      words absoluteBins, relativeBins;
      BIN(a, absoluteBins);
      BIN(r, relativeBins);
      int64_t ka[LANES], kr[LANES];
      double relative[LANES];
      memcpy(ka, &absoluteBins, sizeof(ka));
      memcpy(kr, &relativeBins, sizeof(kr));
      memcpy(relative, &r, sizeof(relative));
      for (size_t j = 0; j < rest; j++) {
        const size_t way = j % ERROR_BIN_WAYS, table = way * ERROR_BIN_COUNT;
        bins->absolute[table + (size_t)ka[j]]++;
        bins->relative[table + (size_t)kr[j]]++;
        bins->relativeSums[table + (size_t)kr[j]] += relative[j];
        bins->relativeCoarse[way * ERROR_COARSE_COUNT + (size_t)(kr[j] >> ERROR_COARSE_SHIFT)]++;
      }
    }
  }
  const size_t filled = (LANES - n % LANES) % LANES;
  for (int k = 0; k < ERROR_TERM_COUNT; k++) sums[k] += total(&terms[k]);
  for (int k = 0; k < ERROR_LIMIT_COUNT; k++) below[k] += total_words(&under[k]) - (int64_t)filled;
}

CLONES void error_terms_add(const double *d, const double *g, const double *inverse, size_t n, int logs, double shift,
                            double *sums, int64_t *below, const error_bins *bins) {
  if (bins != NULL) {
    add(d, g, inverse, n, 1, 1, shift, sums, below, bins);
  } else if (logs) {
    add(d, g, inverse, n, 1, 0, shift, sums, below, NULL);
  } else {
    add(d, g, inverse, n, 0, 0, shift, sums, below, NULL);
  }
}

CLONES void error_terms_collect(const double *d, const double *g, const double *inverse, size_t n,
                                const error_lists *lists, double *members, uint32_t *next) {
  const uint16_t *absolute = lists->absolute, *relative = lists->relative;
  const uint16_t *const *coarse = lists->coarse;
  const size_t coarseCount = lists->coarseCount;
  uint16_t anyCoarse[ERROR_COARSE_COUNT];
  memset(anyCoarse, 0, sizeof(anyCoarse));
  for (size_t k = 0; k < coarseCount; k++) {
    for (size_t bin = 0; bin < ERROR_COARSE_COUNT; bin++) anyCoarse[bin] |= coarse[k][bin];
  }
  for (size_t i = 0; i < n; i += LANES) {
    reals x, y, v;
    const size_t rest = load(d, g, inverse, i, n, &x, &y, &v);
    const reals e = x - y, a = MAGNITUDE(e), r = a * v;
    words absoluteBins, relativeBins;
    BIN(a, absoluteBins);
    BIN(r, relativeBins);
    int64_t ka[LANES], kr[LANES];
    double absoluteError[LANES], relativeError[LANES];
    memcpy(ka, &absoluteBins, sizeof(ka));
    memcpy(kr, &relativeBins, sizeof(kr));
    memcpy(absoluteError, &a, sizeof(a));
    memcpy(relativeError, &r, sizeof(r));
    for (size_t j = 0; j < rest; j++) {
      // Few bins are wanted: one question for all lists.
      const size_t coarseBin = (size_t)kr[j] >> ERROR_COARSE_SHIFT;
      if (!(absolute[ka[j]] | relative[kr[j]] | anyCoarse[coarseBin])) continue;
      uint16_t list = absolute[ka[j]];
      if (list) members[next[list]++] = absoluteError[j];
      list = relative[kr[j]];
      if (list) members[next[list]++] = relativeError[j];
      for (size_t k = 0; k < coarseCount; k++) {
        list = coarse[k][coarseBin];
        if (list) members[next[list]++] = relativeError[j];
      }
    }
  }
}

CLONES void error_terms_log(const double *x, size_t n, double *result) {
  for (size_t i = 0; i < n; i += LANES) {
    const size_t rest = n - i < LANES ? n - i : LANES;
    double numbers[LANES];
    last(x + i, rest, 1.0, numbers);
    reals number, logarithm;
    LOAD(number, numbers);
    LOGARITHM(number, logarithm);
    memcpy(numbers, &logarithm, sizeof(numbers));
    memcpy(result + i, numbers, rest * sizeof(double));
  }
}

CLONES void error_terms_bins(const float *depth, size_t n, float density, int32_t count, int32_t *bins) {
  const float limit = (float)count;
  for (size_t i = 0; i < n; i++) {
    const float place = depth[i] * density;
    const int32_t known = -(place > 0 && place <= limit);
    const float usable = known ? place : 1;
    const int32_t whole = (int32_t)usable;
    bins[i] = ((whole - ((float)whole == usable)) & known) | ~known;
  }
}

CLONES void error_terms_prepare(const float *truth, const uint32_t *order, size_t n, double *reference,
                                double *inverse) {
  for (size_t i = 0; i < n; i++) reference[i] = truth[order[i]];
  for (size_t i = 0; i < n; i++) inverse[i] = 1 / reference[i];
}

CLONES size_t error_terms_gather(const double *values, const uint32_t *order, size_t n, double *result) {
  size_t usable = 0;
  for (size_t i = 0; i < n; i++) {
    const double value = values[order[i]];
    result[i] = value;
    // NaN and infinity fail as well.
    usable += value > 0 && value <= 1.7976931348623157e308;
  }
  return usable;
}

CLONES size_t error_terms_steps(const double *a, const double *b, size_t n, double ratio, const uint8_t *marked,
                                uint8_t *result) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) {
    const uint8_t step = (b[i] > ratio * a[i]) | (a[i] > ratio * b[i]) | (marked[i] != 0);
    result[i] = step;
    found += step;
  }
  return found;
}
