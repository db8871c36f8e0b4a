#include "error_singles.h"
#include "error_strip.h"

// After fdlibm's log: x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); ln(1 + f) = f - f²/2 + s (f²/2 + R(s²)), s = f / (2 + f).
INLINE void logarithm(const reals *x, reals *result) {
  const int64_t root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, magic = 0x4330000000000000;
  const bits moved = (bits)*x - (bits)EACH_WORD(root) + (bits)EACH_WORD(one);
  const words exponent = (words)(moved >> 52);
  const words mantissa = (words)(moved & (bits)EACH_WORD(0x000fffffffffffff)) + EACH_WORD(root);
  const reals k = (reals)(exponent | EACH_WORD(magic)) - EACH(4503599627370496.0 + 1023.0);
  const reals f = (reals)mantissa - EACH(1.0);
  const reals s = f / (EACH(2.0) + f), z = s * s, w = z * z;
  const reals even = w * (EACH(3.999999999940941908e-01) +
                          w * (EACH(2.222219843214978396e-01) + w * EACH(1.531383769920937332e-01)));
  const reals odd = z * (EACH(6.666666666666735130e-01) +
                         w * (EACH(2.857142874366239149e-01) +
                              w * (EACH(1.818357216161805012e-01) + w * EACH(1.479819860511658591e-01))));
  const reals half = EACH(0.5) * f * f;
  *result = k * EACH(6.93147180369123816490e-01) -
            ((half - (s * (half + (odd + even)) + k * EACH(1.90821492927058770002e-10))) - f);
}

// |d - g| and what is made of it, of the pixels from..<end.
INLINE void add_differences(error_strip *strip, const double *d, const double *g, const double *inverse, size_t from,
                            size_t end, size_t n, int counts) {
  reals absolute = strip->terms[ERROR_TERM_ABSOLUTE], signs = strip->terms[ERROR_TERM_SIGNED],
        squared = strip->terms[ERROR_TERM_SQUARED], relative = strip->terms[ERROR_TERM_RELATIVE],
        byTruth = strip->terms[ERROR_TERM_SQUARED_BY_TRUTH], squaredRelative = strip->terms[ERROR_TERM_SQUARED_RELATIVE];
  for (size_t i = from; i < end; i += LANES) {
    reals x, y, v;
    load(d, g, inverse, i, n, &x, &y, &v);
    const reals e = x - y, a = MAGNITUDE(e), r = a * v, square = e * e;
    absolute += a;
    signs += e;
    squared += square;
    relative += r;
    byTruth += square * v;
    squaredRelative += r * r;
    if (counts) {
      STORE(strip->absolute + (i - from), a);
      STORE(strip->relative + (i - from), r);
    }
  }
  strip->terms[ERROR_TERM_ABSOLUTE] = absolute;
  strip->terms[ERROR_TERM_SIGNED] = signs;
  strip->terms[ERROR_TERM_SQUARED] = squared;
  strip->terms[ERROR_TERM_RELATIVE] = relative;
  strip->terms[ERROR_TERM_SQUARED_BY_TRUTH] = byTruth;
  strip->terms[ERROR_TERM_SQUARED_RELATIVE] = squaredRelative;
}

// d / g and g / d.
INLINE void add_ratios(error_strip *strip, const double *d, const double *g, const double *inverse, size_t from,
                       size_t end, size_t n, int logs) {
  reals squaredInverse = strip->terms[ERROR_TERM_SQUARED_INVERSE], inverses = strip->terms[ERROR_TERM_INVERSE];
  words first = strip->under[0], second = strip->under[1], third = strip->under[2], fourth = strip->under[3],
        tight = strip->under[4], close = strip->under[5];
  for (size_t i = from; i < end; i += LANES) {
    reals x, y, v;
    load(d, g, inverse, i, n, &x, &y, &v);
    const reals q = x / y, p = y / x, larger = (reals)SELECT(q > p, q, p), difference = (p - EACH(1.0)) * v;
    squaredInverse += difference * difference;
    inverses += MAGNITUDE(difference);
    first -= larger < EACH(1.1180339887498949);
    second -= larger < EACH(1.25);
    third -= larger < EACH(1.5625);
    fourth -= larger < EACH(1.953125);
    tight -= larger < EACH(1.03);
    close -= larger < EACH(1.05);
    if (logs) STORE(strip->ratio + (i - from), q);
  }
  strip->terms[ERROR_TERM_SQUARED_INVERSE] = squaredInverse;
  strip->terms[ERROR_TERM_INVERSE] = inverses;
  strip->under[0] = first;
  strip->under[1] = second;
  strip->under[2] = third;
  strip->under[3] = fourth;
  strip->under[4] = tight;
  strip->under[5] = close;
}

// Adds some logarithms, and their deviations from a shift.
INLINE void add_deviations(error_strip *strip, const reals *l, const reals *deviation) {
  strip->terms[ERROR_TERM_LOG_ABSOLUTE] += MAGNITUDE(*l);
  strip->terms[ERROR_TERM_LOG_SQUARED] += *l * *l;
  strip->terms[ERROR_TERM_LOG_DEVIATION] += *deviation;
  strip->terms[ERROR_TERM_LOG_SQUARED_DEVIATION] += *deviation * *deviation;
}

// ln(d / g) of `count` pixels. In a loop of its own, or there are too few registers.
INLINE void add_logarithms(error_strip *strip, size_t count, double shift) {
  for (size_t i = 0; i < count; i += LANES) {
    reals q, l;
    LOAD(q, strip->ratio + i);
    logarithm(&q, &l);
    STORE(strip->ratio + i, l);
  }
  const size_t whole = count / LANES * LANES;
  reals l, deviation;
  for (size_t i = 0; i < whole; i += LANES) {
    LOAD(l, strip->ratio + i);
    deviation = l - EACH(shift);
    add_deviations(strip, &l, &deviation);
  }
  if (whole == count) return;
  // Those that fill up the last vector have no error, but would have a deviation.
  LOAD(l, strip->ratio + whole);
  deviation = l - EACH(shift);
  double numbers[LANES];
  STORE(numbers, deviation);
  for (size_t j = count - whole; j < LANES; j++) numbers[j] = 0;
  LOAD(deviation, numbers);
  add_deviations(strip, &l, &deviation);
}

// Counts the errors of `count` pixels in their bins.
INLINE void count_errors(const error_strip *strip, size_t count, const error_bins *bins, int relative) {
  word_strip absoluteBin, relativeBin, member;
  for (size_t i = 0; i < count; i += LANES) {
    reals a, r;
    LOAD(a, strip->absolute + i);
    LOAD(r, strip->relative + i);
    words absoluteBins, relativeBins;
    bin(&a, &absoluteBins);
    bin(&r, &relativeBins);
    STORE(absoluteBin + i, absoluteBins);
    STORE(relativeBin + i, relativeBins);
    if (relative) {
      const words one = (words)((bits)r >> ERROR_PART_SHIFT & (bits)EACH_WORD((1 << ERROR_PART_BITS) - 1)) |
                        EACH_WORD((int64_t)1 << ERROR_MEMBER_SHIFT);
      STORE(member + i, one);
    }
  }
  for (size_t j = 0; j < count; j++) {
    const size_t place = (size_t)relativeBin[j];
    bins->absolute[absoluteBin[j]]++;
    if (relative) bins->relative[place] += (uint64_t)member[j];
    bins->relativeCoarse[place >> ERROR_COARSE_SHIFT]++;
  }
}

// Adds a strip in double precision.
INLINE void add_strip(error_strip *strip, const double *d, const double *g, const double *inverse, size_t from,
                      size_t end, size_t n, int logs, int counts, double shift) {
  add_differences(strip, d, g, inverse, from, end, n, counts);
  add_ratios(strip, d, g, inverse, from, end, n, logs);
  if (logs) add_logarithms(strip, end - from, shift);
}

INLINE void add(const double *d, const double *g, const double *inverse, size_t n, int logs, int counts, double shift,
                double *sums, int64_t *below, const error_bins *bins) {
  error_strip strip;
  memset(strip.terms, 0, sizeof(strip.terms));
  memset(strip.under, 0, sizeof(strip.under));
  for (size_t from = 0; from < n; from += STRIP) {
    const size_t end = n - from < STRIP ? n : from + STRIP;
    if (!counts) {
      add_strip(&strip, d, g, inverse, from, end, n, logs, 0, shift);
      continue;
    }
    if (!add_singles(&strip, d, g, inverse, from, end, n, shift)) {
      add_strip(&strip, d, g, inverse, from, end, n, 1, 1, shift);
    }
    if (bins->relative != NULL) {
      count_errors(&strip, end - from, bins, 1);
    } else {
      count_errors(&strip, end - from, bins, 0);
    }
  }
  const size_t filled = (LANES - n % LANES) % LANES;
  for (int k = 0; k < ERROR_TERM_COUNT; k++) sums[k] += total(&strip.terms[k]);
  for (int k = 0; k < ERROR_LIMIT_COUNT; k++) below[k] += total_words(&strip.under[k]) - (int64_t)filled;
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

CLONES void error_terms_log(const double *x, size_t n, double *result) {
  for (size_t i = 0; i < n; i += LANES) {
    const size_t rest = n - i < LANES ? n - i : LANES;
    double numbers[LANES];
    last(x + i, rest, 1.0, numbers);
    reals number, found;
    LOAD(number, numbers);
    logarithm(&number, &found);
    STORE(numbers, found);
    memcpy(result + i, numbers, rest * sizeof(double));
  }
}
