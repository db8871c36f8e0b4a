#include "error_terms.h"

#include <math.h>

#include "lanes.h"

// After fdlibm's log: x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); ln(1 + f) = f - f²/2 + s (f²/2 + R(s²)), s = f / (2 + f).
//
// Where `near` is not 0, k must be 0: the result has the same bits.
INLINE void logarithm(const reals *x, int near, reals *result) {
  reals f = *x - EACH(1.0), k = EACH(0.0);
  if (!near) {
    const int64_t root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, magic = 0x4330000000000000;
    const bits moved = (bits)*x - (bits)EACH_WORD(root) + (bits)EACH_WORD(one);
    const words exponent = (words)(moved >> 52);
    const words mantissa = (words)(moved & (bits)EACH_WORD(0x000fffffffffffff)) + EACH_WORD(root);
    k = (reals)(exponent | EACH_WORD(magic)) - EACH(4503599627370496.0 + 1023.0);
    f = (reals)mantissa - EACH(1.0);
  }
  const reals s = f / (EACH(2.0) + f), z = s * s, w = z * z;
  const reals even = w * (EACH(3.999999999940941908e-01) +
                          w * (EACH(2.222219843214978396e-01) + w * EACH(1.531383769920937332e-01)));
  const reals odd = z * (EACH(6.666666666666735130e-01) +
                         w * (EACH(2.857142874366239149e-01) +
                              w * (EACH(1.818357216161805012e-01) + w * EACH(1.479819860511658591e-01))));
  const reals half = EACH(0.5) * f * f;
  if (near) {
    *result = f - (half - s * (half + (odd + even)));
  } else {
    *result = k * EACH(6.93147180369123816490e-01) -
              ((half - (s * (half + (odd + even)) + k * EACH(1.90821492927058770002e-10))) - f);
  }
}

// The bin of a number that is not negative.
INLINE void bin(const reals *x, words *result) {
  const reals least = EACH(ERROR_BIN_LEAST), most = EACH(ERROR_BIN_MOST);
  const reals raised = (reals)SELECT(*x > least, *x, least), inside = (reals)SELECT(raised < most, raised, most);
  *result = (words)((bits)inside >> ERROR_BIN_SHIFT) - EACH_WORD(ERROR_BIN_BASE);
}

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

// A block of pixels that one loop after the other works on. Each loop has few enough sums for the registers, and what it leaves to the
// next stays in the nearest cache.
enum { STRIP = 128 };
typedef double strip[STRIP] __attribute__((aligned(64)));
typedef int64_t word_strip[STRIP] __attribute__((aligned(64)));

// The loops' sums, and what the pixels of a strip leave to the next loops.
typedef struct {
  reals terms[ERROR_TERM_COUNT];
  words under[ERROR_LIMIT_COUNT];
  strip absolute, relative, ratio;
} error_strip;

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

// d / g and g / d. Returns whether all of them are so near to 1 that `logarithm` may know it.
INLINE int add_ratios(error_strip *strip, const double *d, const double *g, const double *inverse, size_t from,
                       size_t end, size_t n, int logs) {
  reals squaredInverse = strip->terms[ERROR_TERM_SQUARED_INVERSE], inverses = strip->terms[ERROR_TERM_INVERSE];
  words far = EACH_WORD(0);
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
    if (logs) {
      STORE(strip->ratio + (i - from), q);
      far |= larger > EACH(1.4142);
    }
  }
  strip->terms[ERROR_TERM_SQUARED_INVERSE] = squaredInverse;
  strip->terms[ERROR_TERM_INVERSE] = inverses;
  strip->under[0] = first;
  strip->under[1] = second;
  strip->under[2] = third;
  strip->under[3] = fourth;
  strip->under[4] = tight;
  strip->under[5] = close;
  return total_words(&far) == 0;
}

// Adds some logarithms, and their deviations from a shift.
INLINE void add_deviations(error_strip *strip, const reals *l, const reals *deviation) {
  strip->terms[ERROR_TERM_LOG_ABSOLUTE] += MAGNITUDE(*l);
  strip->terms[ERROR_TERM_LOG_SQUARED] += *l * *l;
  strip->terms[ERROR_TERM_LOG_DEVIATION] += *deviation;
  strip->terms[ERROR_TERM_LOG_SQUARED_DEVIATION] += *deviation * *deviation;
}

// ln(d / g) of `count` pixels; near: see `logarithm`. In a loop of its own, or there are too few registers.
INLINE void add_logarithms(error_strip *strip, size_t count, double shift, int near) {
  for (size_t i = 0; i < count; i += LANES) {
    reals q, l;
    LOAD(q, strip->ratio + i);
    logarithm(&q, near, &l);
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
  word_strip absoluteBin, relativeBin;
  for (size_t i = 0; i < count; i += LANES) {
    reals a, r;
    LOAD(a, strip->absolute + i);
    LOAD(r, strip->relative + i);
    words absoluteBins, relativeBins;
    bin(&a, &absoluteBins);
    bin(&r, &relativeBins);
    STORE(absoluteBin + i, absoluteBins);
    STORE(relativeBin + i, relativeBins);
  }
  for (size_t j = 0; j < count; j++) {
    const size_t place = (size_t)relativeBin[j];
    bins->absolute[absoluteBin[j]]++;
    if (relative) {
      bins->relative[place]++;
      bins->relativeSums[place] += strip->relative[j];
    }
    bins->relativeCoarse[place >> ERROR_COARSE_SHIFT]++;
  }
}

INLINE void add(const double *d, const double *g, const double *inverse, size_t n, int logs, int counts, double shift,
                double *sums, int64_t *below, const error_bins *bins) {
  error_strip strip;
  memset(strip.terms, 0, sizeof(strip.terms));
  memset(strip.under, 0, sizeof(strip.under));
  for (size_t from = 0; from < n; from += STRIP) {
    const size_t end = n - from < STRIP ? n : from + STRIP;
    add_differences(&strip, d, g, inverse, from, end, n, counts);
    const int near = add_ratios(&strip, d, g, inverse, from, end, n, logs);
    if (logs && near) {
      add_logarithms(&strip, end - from, shift, 1);
    } else if (logs) {
      add_logarithms(&strip, end - from, shift, 0);
    }
    if (counts && bins->relative != NULL) {
      count_errors(&strip, end - from, bins, 1);
    } else if (counts) {
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

INLINE void collect(const double *d, const double *g, const double *inverse, size_t n, const error_lists *lists,
                    int wantsRelative, const int64_t *groups, size_t groupCount, double *members, uint32_t *next) {
  uint64_t coarse[ERROR_COARSE_WORDS] = {0};
  const uint16_t *tables[ERROR_GROUPS_MOST];
  for (size_t k = 0; k < groupCount; k++) {
    tables[k] = lists->coarse + (size_t)groups[k] * ERROR_COARSE_COUNT;
    const uint64_t *set = lists->coarseSets + (size_t)groups[k] * ERROR_COARSE_WORDS;
    for (size_t word = 0; word < ERROR_COARSE_WORDS; word++) coarse[word] |= set[word];
  }
  for (size_t from = 0; from < n; from += STRIP) {
    const size_t count = n - from < STRIP ? n - from : STRIP;
    strip absolute, relative;
    word_strip absoluteBin, relativeBin;
    for (size_t i = 0; i < count; i += LANES) {
      reals x, y, v;
      load(d, g, inverse, from + i, n, &x, &y, &v);
      const reals e = x - y, a = MAGNITUDE(e), r = a * v;
      words absoluteBins, relativeBins;
      bin(&a, &absoluteBins);
      bin(&r, &relativeBins);
      STORE(absolute + i, a);
      STORE(relative + i, r);
      STORE(absoluteBin + i, absoluteBins);
      STORE(relativeBin + i, relativeBins);
    }
    // Which pixels are wanted cannot be foretold: no branch depends on it but the end of a loop.
    uint8_t wanted[STRIP];
    size_t found = 0;
    for (size_t j = 0; j < count; j++) {
      const size_t a = (size_t)absoluteBin[j], r = (size_t)relativeBin[j], c = r >> ERROR_COARSE_SHIFT;
      wanted[found] = (uint8_t)j;
      found += ((lists->absolute[a] | (wantsRelative ? lists->relative[r] : 0)) != 0) | (coarse[c / 64] >> (c % 64) & 1);
    }
    for (size_t k = 0; k < found; k++) {
      const size_t j = wanted[k], coarseBin = (size_t)relativeBin[j] >> ERROR_COARSE_SHIFT;
      // Two lists of all, and one a group: as many as `rest` has bits.
      uint16_t numbers[ERROR_GROUPS_MOST + 2];
      numbers[0] = lists->absolute[absoluteBin[j]];
      numbers[1] = wantsRelative ? lists->relative[relativeBin[j]] : 0;
      uint32_t rest = (uint32_t)(numbers[0] != 0) | (uint32_t)(numbers[1] != 0) << 1;
      for (size_t t = 0; t < groupCount; t++) {
        numbers[t + 2] = tables[t][coarseBin];
        rest |= (uint32_t)(numbers[t + 2] != 0) << (t + 2);
      }
      // Mostly one.
      for (; rest != 0; rest &= rest - 1) {
        const int t = __builtin_ctz(rest);
        members[next[numbers[t]]++] = t == 0 ? absolute[j] : relative[j];
      }
    }
  }
}

CLONES void error_terms_collect(const double *d, const double *g, const double *inverse, size_t n,
                                const error_lists *lists, const int64_t *groups, size_t groupCount, double *members,
                                uint32_t *next) {
  if (lists->relative != NULL) {
    collect(d, g, inverse, n, lists, 1, groups, groupCount, members, next);
  } else {
    collect(d, g, inverse, n, lists, 0, groups, groupCount, members, next);
  }
}

CLONES void error_terms_log(const double *x, size_t n, double *result) {
  for (size_t i = 0; i < n; i += LANES) {
    const size_t rest = n - i < LANES ? n - i : LANES;
    double numbers[LANES];
    last(x + i, rest, 1.0, numbers);
    reals number, found;
    LOAD(number, numbers);
    logarithm(&number, 0, &found);
    STORE(numbers, found);
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

CLONES void error_terms_states(const float *truth, const double *lidar, size_t n, float nearest, float farthest,
                               uint8_t *restrict states) {
  for (size_t i = 0; i < n; i++) {
    const uint8_t measured = fabs(lidar[i]) <= 1.7976931348623157e308;
    const uint8_t counts = (truth[i] >= nearest) & (truth[i] <= farthest);
    states[i] = (uint8_t)(counts * (2 - measured));
  }
}

CLONES void error_terms_keys(const int32_t *bins, size_t n, int32_t count, int32_t *keys) {
  for (size_t i = 0; i < n; i++) keys[i] = keys[i] * (count + 1) + bins[i] + 1;
}

size_t error_terms_stretches(const int32_t *keys, size_t n, uint32_t *ends) {
  size_t found = 0;
  // Without a branch, which would be foretold wrongly at every end.
  for (size_t i = 0; i < n; i++) {
    ends[found] = (uint32_t)(i + 1);
    found += i + 1 == n || keys[i] != keys[i + 1];
  }
  return found;
}

CLONES void error_terms_prepare(const float *truth, size_t readable, const error_stretch *stretches, size_t count,
                                double *restrict reference, double *restrict inverse) {
  size_t n = 0;
  for (size_t k = 0; k < count; k++) {
    const size_t start = stretches[k].start, length = stretches[k].count;
    size_t i = 0;
    // Whole vectors: the next stretch overwrites what is too much.
    for (; i < length && start + i + LANES <= readable; i += LANES) {
      floats depth;
      LOAD(depth, truth + start + i);
      const reals wide = __builtin_convertvector(depth, reals);
      STORE(reference + n + i, wide);
    }
    for (; i < length; i++) reference[n + i] = truth[start + i];
    n += length;
  }
  for (size_t i = 0; i < n; i++) inverse[i] = 1 / reference[i];
}

CLONES size_t error_terms_gather(const double *values, const error_stretch *stretches, size_t count,
                                 double *restrict result) {
  size_t n = 0;
  for (size_t k = 0; k < count; k++) {
    const double *from = values + stretches[k].start;
    const size_t length = stretches[k].count;
    // Whole vectors: the next stretch overwrites what is too much.
    for (size_t i = 0; i < length; i += LANES) {
      reals value;
      LOAD(value, from + i);
      STORE(result + n + i, value);
    }
    n += length;
  }
  words usable = EACH_WORD(0);
  const size_t whole = n / LANES * LANES;
  for (size_t i = 0; i < whole; i += LANES) {
    reals value;
    LOAD(value, result + i);
    // NaN and infinity fail as well.
    usable -= (value > EACH(0.0)) & (value <= EACH(1.7976931348623157e308));
  }
  size_t found = (size_t)total_words(&usable);
  for (size_t i = whole; i < n; i++) found += result[i] > 0 && result[i] <= 1.7976931348623157e308;
  return found;
}

void error_terms_scatter(const double *values, const error_stretch *stretches, size_t count, double *result) {
  for (size_t k = 0; k < count; k++) {
    memcpy(result + stretches[k].start, values, stretches[k].count * sizeof(double));
    values += stretches[k].count;
  }
}
