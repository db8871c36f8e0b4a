#include "error_terms.h"

#include <math.h>

#include "error_strip.h"

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
