// The innermost loops of scoring: what the errors of a run of pixels add up to, and which bins they fall into.
//
// Every sum is kept in eight lanes that are added in a fixed order, and nothing is contracted to fused operations. So the bits
// are the same whatever the processor's vectors hold: two, four or eight numbers.
#ifndef FATHOM_ERROR_TERMS_H
#define FATHOM_ERROR_TERMS_H

#include <stddef.h>
#include <stdint.h>

// Terms that are summed, in this order; d is the prediction, g the truth, e = ln(d / g).
enum {
  ERROR_TERM_ABSOLUTE = 0,         // |d - g|
  ERROR_TERM_SIGNED,               // d - g
  ERROR_TERM_SQUARED,              // (d - g)^2
  ERROR_TERM_RELATIVE,             // |d - g| / g
  ERROR_TERM_SQUARED_BY_TRUTH,     // (d - g)^2 / g
  ERROR_TERM_SQUARED_RELATIVE,     // ((d - g) / g)^2
  ERROR_TERM_SQUARED_INVERSE,      // (1/d - 1/g)^2
  ERROR_TERM_INVERSE,              // |1/d - 1/g|
  ERROR_TERM_LOG_ABSOLUTE,         // |e|
  ERROR_TERM_LOG_SQUARED,          // e^2
  ERROR_TERM_LOG_DEVIATION,        // e - shift
  ERROR_TERM_LOG_SQUARED_DEVIATION,// (e - shift)^2
  ERROR_TERM_COUNT
};

// Limits of max(d/g, g/d): 1.25^(1/2), 1.25, 1.25^2, 1.25^3, 1.03, 1.05.
enum { ERROR_LIMIT_COUNT = 6 };

// A bin holds the numbers that share exponent and the first nine bits of the fraction; it is 0.2 % wide. Below 2^-24 and from
// 2^8 on there is one for all. Narrower bins would have fewer members to look at, but their tables would not fit the cache.
enum { ERROR_BIN_SHIFT = 43, ERROR_BIN_COUNT = 32 << 9, ERROR_BIN_BASE = (1023 - 24) << 9 };
// The smallest and largest number of a bin of its own.
#define ERROR_BIN_LEAST 0x1p-24
#define ERROR_BIN_MOST 0x1.fffffffffffffp7
// A coarse bin holds 32 of them; it is 6 % wide.
enum { ERROR_COARSE_SHIFT = 5, ERROR_COARSE_COUNT = ERROR_BIN_COUNT >> ERROR_COARSE_SHIFT };

// Number and sum of a bin's members in one word: the number in its upper bits; below it the sum of their parts, those bits of the
// fraction that follow the bin's. So one exact addition, whose order does not matter, does both, and a member is known to 2^-23 of
// itself. A word has room for 2^(ERROR_MEMBER_SHIFT - ERROR_PART_BITS) members.
enum { ERROR_MEMBER_SHIFT = 38, ERROR_PART_BITS = 14, ERROR_PART_SHIFT = ERROR_BIN_SHIFT - ERROR_PART_BITS };

// Where errors are counted.
typedef struct {
  uint32_t *absolute;        // |d - g|, by bin
  uint64_t *relative;        // |d - g| / g, by bin, see below; null where they are not wanted
  uint32_t *relativeCoarse;  // |d - g| / g, by coarse bin
} error_bins;

// Adds the terms of n pixels to `sums` and the numbers of pixels below each limit to `below`; fills the bins.
//
// d, g: finite and positive. inverse: 1 / g. Terms of logarithms are added where `logs` is not 0; `bins` may be null. With bins most
// terms are rounded to single precision before they are added, see error_singles.h.
void error_terms_add(const double *d, const double *g, const double *inverse, size_t n, int logs, double shift,
                     double *sums, int64_t *below, const error_bins *bins);

enum { ERROR_COARSE_WORDS = ERROR_COARSE_COUNT / 64, ERROR_GROUPS_MOST = 30 };

// For each bin the number of the list that its members are wanted for, or 0.
typedef struct {
  const uint16_t *absolute;    // by bin of |d - g|
  const uint16_t *relative;    // by bin of |d - g| / g; null where none is wanted
  const uint16_t *coarse;      // by coarse bin of |d - g| / g, group after group
  const uint64_t *coarseSets;  // which of those are not 0: bit k % 64 of word k / 64 is that of bin k, group after group
} error_lists;

// Appends the errors of n pixels to the lists that want them: the next member of list p goes to members[next[p]], and next[p]
// moves on.
//
// groups: those that the pixels belong to, at most ERROR_GROUPS_MOST.
void error_terms_collect(const double *d, const double *g, const double *inverse, size_t n, const error_lists *lists,
                         const int64_t *groups, size_t groupCount, double *members, uint32_t *next);

// ln of n finite positive numbers, within 2 units in the last place.
void error_terms_log(const double *x, size_t n, double *result);

// bins[k] = ceil(depth[k] * density) - 1, the bin of half-open intervals (from, to]; -1 where that is not 0 ... count - 1.
void error_terms_bins(const float *depth, size_t n, float density, int32_t count, int32_t *bins);

// states[k] = 0 where the truth is not within nearest ... farthest, 1 where it is and the LiDAR is finite, else 2.
void error_terms_states(const float *truth, const double *lidar, size_t n, float nearest, float farthest,
                        uint8_t *states);

// keys[k] = keys[k] * (count + 1) + bins[k] + 1: numbers that tell the pixels of other bins apart, where bins are -1 ... count - 1.
void error_terms_keys(const int32_t *bins, size_t n, int32_t count, int32_t *keys);

// Ends of the stretches of equal keys; returns how many there are. ends: room for n.
size_t error_terms_stretches(const int32_t *keys, size_t n, uint32_t *ends);

// Neighbouring pixels.
typedef struct {
  uint32_t start, count;
} error_stretch;

// The truth of the pixels of some stretches, one stretch after the other, to `reference`, and 1 / truth to `inverse`.
//
// readable: numbers of `truth`. Behind the last of `reference` there is room for ERROR_GATHER_MARGIN numbers.
void error_terms_prepare(const float *truth, size_t readable, const error_stretch *stretches, size_t count, double *reference,
                         double *inverse);

// The values of the pixels of some stretches, one stretch after the other; returns how many of them are finite and positive.
//
// Behind the last of the values and of the results there is room for ERROR_GATHER_MARGIN numbers.
enum { ERROR_GATHER_MARGIN = 8 };
size_t error_terms_gather(const double *values, const error_stretch *stretches, size_t count, double *result);

// Puts values that `error_terms_gather` would give back to where they come from.
void error_terms_scatter(const double *values, const error_stretch *stretches, size_t count, double *result);

#endif
