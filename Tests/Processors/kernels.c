// Every kernel on the same pseudo-random numbers: a line for each result, "kernel result size: digest", the same on every processor.
//
// A NaN is a NaN, whatever its sign: processors differ in that of one that they make, and nothing that reads it looks there.
#include "CFathomKernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

static uint64_t state;

static uint64_t next_word(void) {
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static double between(double low, double high) { return low + (high - low) * ((double)(next_word() >> 11) * 0x1p-53); }

static void *room(size_t count, size_t size) {
  void *bytes = calloc(count + 64, size);
  if (bytes == NULL) exit(1);
  return bytes;
}

#define ROOM(type, count) ((type *)room(count, sizeof(type)))

// Every `strange`th is none that a depth can be; none is with 0.
static double strange_number(void) {
  const double strange[] = {NAN, INFINITY, -INFINITY, 0, -0.0, -1.5, 1e300, 1e-300};
  return strange[next_word() % (sizeof(strange) / sizeof(strange[0]))];
}

static double *numbers(size_t n, double low, double high, unsigned strange) {
  double *x = ROOM(double, n);
  for (size_t i = 0; i < n; i++) {
    x[i] = between(low, high);
    if (strange != 0 && next_word() % strange == 0) x[i] = strange_number();
  }
  return x;
}

static float *singles(size_t n, double low, double high, unsigned strange) {
  double *x = numbers(n, low, high, strange);
  float *y = ROOM(float, n);
  for (size_t i = 0; i < n; i++) y[i] = (float)x[i];
  return y;
}

static int32_t *wholes(size_t n, uint32_t count, int32_t first) {
  int32_t *x = ROOM(int32_t, n);
  for (size_t i = 0; i < n; i++) x[i] = (int32_t)(next_word() % count) + first;
  return x;
}

static uint8_t *octets(size_t n, unsigned count) {
  uint8_t *x = ROOM(uint8_t, n);
  for (size_t i = 0; i < n; i++) x[i] = (uint8_t)(next_word() % count);
  return x;
}

static void say(const char *kernel, const char *result, size_t n, uint64_t digest) {
  printf("%s %s %zu: %016llx\n", kernel, result, n, (unsigned long long)digest);
}

static uint64_t digest(const void *bytes, size_t count) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < count; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
  return hash;
}

static void keep_doubles(const char *kernel, const char *result, size_t n, const double *x) {
  double *y = ROOM(double, n);
  for (size_t i = 0; i < n; i++) y[i] = x[i] == x[i] ? x[i] : (double)NAN;
  say(kernel, result, n, digest(y, n * sizeof(double)));
}

static void keep_floats(const char *kernel, const char *result, size_t n, const float *x) {
  float *y = ROOM(float, n);
  for (size_t i = 0; i < n; i++) y[i] = x[i] == x[i] ? x[i] : NAN;
  say(kernel, result, n, digest(y, n * sizeof(float)));
}

#define KEEP(kernel, x, n) \
  _Generic((x), double *: keep_doubles, float *: keep_floats)(#kernel, #x, n, x)
#define KEEP_BYTES(kernel, x, n) say(#kernel, #x, n, digest(x, (n) * sizeof((x)[0])))

static void rows(size_t n) {
  int32_t *left = wholes(n, (uint32_t)n, 0), *right = wholes(n, (uint32_t)n, 0);
  float *row = singles(n, 0.2, 9, 9);
  double *weights = numbers(n, 0, 1, 0), *upper = numbers(n, 0.2, 9, 9), *lower = numbers(n, 0.2, 9, 9);
  double *stretched = ROOM(double, n), *plain = ROOM(double, n), *blended = ROOM(double, n);
  float *single = ROOM(float, n), *map = singles(n, 0.2, 9, 9);
  bilinear_stretch(row, left, right, weights, n, stretched);
  bilinear_plain(row, n, plain);
  bilinear_blend(upper, lower, 0.3, n, blended);
  bilinear_blend_single(upper, lower, 0.3, n, single);
  bilinear_mix(weights, numbers(n, 0, 5, 9), n, map);
  KEEP(bilinear_stretch, stretched, n);
  KEEP(bilinear_plain, plain, n);
  KEEP(bilinear_blend, blended, n);
  KEEP(bilinear_blend_single, single, n);
  KEEP(bilinear_mix, map, n);
}

static void blends(size_t n) {
  const blend_limits limits = {.trust = 3, .noise = 2, .tuning = 4.685, .certainty = 1, .edges = 0.1};
  float *shares = ROOM(float, n);
  blend_shares(singles(n, -0.2, 0.2, 9), singles(n, -0.2, 0.2, 9), singles(n, 0, 1, 0), singles(n, 0.001, 0.1, 0),
               numbers(n, 0.001, 0.1, 0), octets(n, 2), octets(n, 2), n, &limits, shares);
  KEEP(blend_shares, shares, n);

  const double ratios[BOUNDARY_RATIO_COUNT] = {1.05, 1.07, 1.09, 1.11, 1.13, 1.15, 1.17, 1.19, 1.21, 1.23};
  double *g = numbers(n, 1, 1.4, 9), *h = numbers(n, 1, 1.4, 9);
  uint8_t *marks = ROOM(uint8_t, n);
  boundary_pairs_mark(g, h, n, 1.04, marks);
  KEEP_BYTES(boundary_pairs_mark, marks, n);
  int64_t *pairs = ROOM(int64_t, BOUNDARY_TABLE_COUNT);
  boundary_pairs_add(numbers(n, 1, 1.4, 9), numbers(n, 1, 1.4, 9), g, h, n, marks, 1.04, ratios, pairs);
  // The middle counts pairs that are passed over, and is of no use.
  pairs[BOUNDARY_TABLE_COUNT / 2] = 0;
  KEEP_BYTES(boundary_pairs_add, pairs, BOUNDARY_TABLE_COUNT);
}

static void errors(size_t n) {
  double *d = numbers(n, 0.2, 9, 0), *g = numbers(n, 0.2, 9, 0), *inverse = ROOM(double, n), *logs = ROOM(double, n);
  for (size_t i = 0; i < n; i++) inverse[i] = 1 / g[i];
  double *sums = ROOM(double, ERROR_TERM_COUNT);
  uint64_t *relative = ROOM(uint64_t, ERROR_BIN_COUNT);
  uint32_t *absolute = ROOM(uint32_t, ERROR_BIN_COUNT);
  uint32_t *coarse = ROOM(uint32_t, ERROR_COARSE_COUNT);
  int64_t *below = ROOM(int64_t, ERROR_LIMIT_COUNT);
  const error_bins bins = {absolute, relative, coarse};
  error_terms_add(d, g, inverse, n, 0, 0, sums, below, NULL);
  error_terms_add(d, g, inverse, n, 1, 0.05, sums, below, &bins);
  double *near = numbers(n, 0.9, 1.1, 0);
  for (size_t i = 0; i < n; i++) near[i] *= g[i];
  error_terms_add(near, g, inverse, n, 1, 0.05, sums, below, &bins);
  KEEP(error_terms_add, sums, ERROR_TERM_COUNT);
  KEEP_BYTES(error_terms_add, below, ERROR_LIMIT_COUNT);
  KEEP_BYTES(error_terms_add, absolute, ERROR_BIN_COUNT);
  KEEP_BYTES(error_terms_add, relative, ERROR_BIN_COUNT);
  KEEP_BYTES(error_terms_add, coarse, ERROR_COARSE_COUNT);

  enum { GROUPS = 3 };
  uint16_t *wantAbsolute = ROOM(uint16_t, ERROR_BIN_COUNT), *wantRelative = ROOM(uint16_t, ERROR_BIN_COUNT);
  uint16_t *wantCoarse = ROOM(uint16_t, GROUPS *ERROR_COARSE_COUNT);
  uint64_t *sets = ROOM(uint64_t, GROUPS *ERROR_COARSE_WORDS);
  for (size_t i = 0; i < ERROR_BIN_COUNT; i++) {
    wantAbsolute[i] = next_word() % 3 == 0 ? 1 : 0;
    wantRelative[i] = next_word() % 3 == 0 ? 2 : 0;
  }
  for (uint16_t group = 0; group < GROUPS; group++) {
    for (size_t i = 0; i < ERROR_COARSE_COUNT; i++) {
      if (next_word() % 3 != 0) continue;
      wantCoarse[group * ERROR_COARSE_COUNT + i] = 3 + group;
      sets[group * ERROR_COARSE_WORDS + i / 64] |= (uint64_t)1 << i % 64;
    }
  }
  const error_lists lists = {wantAbsolute, wantRelative, wantCoarse, sets};
  const int64_t groups[] = {0, 2};
  double *members = ROOM(double, 6 * (n + 1));
  uint32_t *next = ROOM(uint32_t, 6);
  for (uint32_t p = 0; p < 6; p++) next[p] = p * (uint32_t)(n + 1);
  error_terms_collect(d, g, inverse, n, &lists, groups, 2, members, next);
  KEEP(error_terms_collect, members, 6 * (n + 1));
  KEEP_BYTES(error_terms_collect, next, 6);

  error_terms_log(numbers(n, 1e-9, 1e9, 0), n, logs);
  KEEP(error_terms_log, logs, n);
}

static void pixels(size_t n) {
  int32_t *bins = ROOM(int32_t, n), *keys = wholes(n, 3, 0);
  uint8_t *states = ROOM(uint8_t, n);
  uint32_t *ends = ROOM(uint32_t, n);
  float *truth = singles(n, 0.1, 6, 9);
  double *lidar = numbers(n, 0.1, 6, 4);
  error_terms_bins(truth, n, 2, 10, bins);
  error_terms_states(truth, lidar, n, 0.2f, 5, states);
  error_terms_keys(bins, n, 10, keys);
  const size_t stretches = error_terms_stretches(keys, n, ends);
  KEEP_BYTES(error_terms_bins, bins, n);
  KEEP_BYTES(error_terms_states, states, n);
  KEEP_BYTES(error_terms_keys, keys, n);
  KEEP_BYTES(error_terms_stretches, ends, stretches);

  const error_stretch parts[] = {{0, (uint32_t)(n / 3)}, {(uint32_t)(n / 2), (uint32_t)(n - n / 2)}};
  double *reference = ROOM(double, n + ERROR_GATHER_MARGIN), *inverse = ROOM(double, n), *gathered = ROOM(double, n), *scattered = ROOM(double, n);
  error_terms_prepare(truth, n, parts, 2, reference, inverse);
  const size_t known = error_terms_gather(lidar, parts, 2, gathered), length = n / 3 + n - n / 2;
  error_terms_scatter(gathered, parts, 2, scattered);
  KEEP(error_terms_prepare, reference, length);
  KEEP(error_terms_prepare, inverse, length);
  KEEP(error_terms_gather, gathered, length);
  KEEP_BYTES(error_terms_gather, &known, 1);
  KEEP(error_terms_scatter, scattered, n);

  int32_t *indices = ROOM(int32_t, n);
  const size_t count = pixel_lists_of_state(states, n, 1, 0, indices);
  KEEP_BYTES(pixel_lists_of_state, indices, count);
}

static void intervals(size_t n) {
  double *members = ROOM(double, n);
  for (int magnitudes = 0; magnitudes < 2; magnitudes++) {
    ptrdiff_t below = 0;
    const size_t count = interval_members(numbers(n, -3, 3, 9), n, magnitudes, 0.5, 0.75, members, &below);
    KEEP(interval_members, members, count);
    KEEP_BYTES(interval_members, &below, 1);
  }
}

static void logarithms(size_t n) {
  float *ratios = ROOM(float, n), *values = ROOM(float, n), *scaled = singles(n, 0.1, 9, 9), *known = ROOM(float, n);
  log_ratios(singles(n, 0.1, 9, 9), singles(n, 0.1, 9, 9), n, ratios);
  log_values(singles(n, 0.1, 9, 9), n, values);
  scale_by_exponentials(numbers(n, -100, 100, 9), n, 0.1f, 1e6f, scaled);
  const float places[] = {0.5f, 1, 2.25f, 4}, at[] = {0.1f, 0.2f, 0.15f, 0.4f};
  between_knots(singles(n, 0, 5, 9), n, places, at, 4, known);
  KEEP(log_ratios, ratios, n);
  KEEP(log_values, values, n);
  KEEP(scale_by_exponentials, scaled, n);
  KEEP(between_knots, known, n);
}

static void clouds(size_t n) {
  double *x = numbers(n, -2, 2, 0), *z = numbers(n, -2, 2, 0), side, score;
  const covariance_moments given = {0.1, -0.2, 1.5, 0.3, 0.9};
  side = closeness_side(x, z, n, 0.6, 0.8);
  score = closeness_score(x, z, n, 0.6, 0.8, 0.01, ROOM(double, n), ROOM(double, n));
  const covariance_moments moments = covariance_of_nearest(x, z, n, n / 2 + 1, given, ROOM(double, 2 * n));
  double *sides = &side, *scores = &score;
  KEEP(closeness_side, sides, 1);
  KEEP(closeness_score, scores, 1);
  KEEP_BYTES(covariance_of_nearest, &moments, 1);

  double *sum = numbers(n, 0, 9, 0), *weight = numbers(n, 0, 9, 0), *count = numbers(n, 1, 2, 0), *newest = numbers(n, 0.2, 9, 4);
  const temporal_sums sums = {numbers(n, 0.2, 9, 4), numbers(n, 1, 100, 0), sum, weight, count, newest};
  temporal_add(singles(n, 0.2, 9, 0), singles(n, -10, 100, 0), n, 0.02, 0.2, &sums);
  KEEP(temporal_add, sum, n);
  KEEP(temporal_add, weight, n);
  KEEP(temporal_add, count, n);
  KEEP(temporal_add, newest, n);

  double *resampled = ROOM(double, 3 * 2 * RESAMPLE_BLOCK);
  resample_sums(octets(n * 2 * RESAMPLE_BLOCK, 4), n, 2, numbers(3 * n, -1, 1, 0), 3, resampled);
  KEEP(resample_sums, resampled, 3 * 2 * RESAMPLE_BLOCK);

  for (size_t size = 1; size <= 8; size *= 2) {
    uint8_t *elements = octets(n * size, 256), *shuffled = ROOM(uint8_t, n * size), *again = ROOM(uint8_t, n * size);
    shuffle_do(elements, n, size, shuffled);
    shuffle_undo(shuffled, n, size, again);
    KEEP_BYTES(shuffle_do, shuffled, n * size);
    KEEP_BYTES(shuffle_undo, again, n * size);
  }
}

static void rasters(size_t width, size_t height) {
  const size_t n = width * height;
  uint8_t *straight = ROOM(uint8_t, n), *steps = ROOM(uint8_t, n);
  float *depths = singles(n, 1, 1.3, 9), *means = ROOM(float, n), *weights = ROOM(float, n), *range = ROOM(float, n);
  blend_straight(depths, singles(n, 0.01, 0.2, 0), width, height, ROOM(uint8_t, width), straight);
  depth_steps_mask(depths, width, height, 1.1, 2, 1, steps, ROOM(uint32_t, width));
  pair_means(depths, singles(n, 0.001, 0.1, 0), singles(n, 1, 1.3, 9), singles(n, 0.001, 0.1, 0), width, height, 2, 4, 0.05f, means, weights);
  window_range(depths, width, height, 2, ROOM(float, window_range_room(width, height)), range);
  KEEP_BYTES(blend_straight, straight, n);
  KEEP_BYTES(depth_steps_mask, steps, n);
  KEEP(pair_means, means, n);
  KEEP(pair_means, weights, n);
  KEEP(window_range, range, n);
  view_agreement(singles(7 * n, 1, 0.1, 5), 7, n, 3, 0.02f, ROOM(float, view_agreement_room(7)), range);
  KEEP(view_agreement, range, n);

  const double across[] = {0.4, 0.2, 0.1}, down[] = {0.5, 0.25};
  double *blurred = ROOM(double, n), *moments = ROOM(double, 8 * n), *last = ROOM(double, n), *planes = ROOM(double, n);
  cells_blur(numbers(n, -1, 1, 0), width, height, across, 3, down, 2, ROOM(double, cells_blur_room(width, height, 3)), blurred);
  const size_t points = 4 * n;
  int32_t *places = wholes(points, (uint32_t)(4 * n), 0);
  cells_moments(places, numbers(points, -0.2, 1, 0), numbers(points, -1, 1, 0), points, (int32_t)(2 * width),
                numbers(2 * width, -1, 1, 0), wholes(2 * width, (uint32_t)width, 0), numbers(2 * height, -1, 1, 0),
                wholes(2 * height, (uint32_t)height, 0), width, moments, last);
  double *smooth = ROOM(double, 8 * n);
  cells_blur_moments(moments, width, height, across, 3, down, 2, ROOM(double, 8 * n), smooth);
  cells_plane(smooth, last, width, height, 0.5, 0.01, blurred, planes);
  KEEP(cells_blur, blurred, n);
  KEEP(cells_moments, moments, 8 * n);
  KEEP(cells_moments, last, n);
  KEEP(cells_blur_moments, smooth, 8 * n);
  KEEP(cells_plane, planes, n);
  cells_plane(smooth, last, width, height, 0.5, 0.01, NULL, planes);
  KEEP(cells_plane, planes, n);
}

static void motions(size_t width, size_t height) {
  const size_t n = width * height, m = 2 * n;
  const projection_camera from = {0.9 * (double)width, 0.9 * (double)width, 0.5 * (double)width, 0.5 * (double)height, width, height};
  const projection_camera to = {1.8 * (double)width, 0.9 * (double)width, (double)width, 0.5 * (double)height, 2 * width, height};
  const projection_motion motion = {{0.9998, 0.0175, 0.0093, -0.0175, 0.9998, 0.0021, -0.0093, -0.0023, 0.9999}, {0.05, -0.02, 0.03}};
  float *depth = singles(n, 1, 2, 9), *carried = ROOM(float, m), *weight = ROOM(float, m);
  double *splat = ROOM(double, m), *excess = ROOM(double, n), difference;
  projection_splat(depth, &from, &motion, &to, splat);
  projection_carry(depth, numbers(n, 0.1, 5, 0), &from, &motion, &to, 0.05, 0.2,
                   ROOM(double, projection_carry_room(&from, &to)), carried, weight);
  float *alike = ROOM(float, m);
  projection_carry_alike(depth, &from, &motion, &to, 0.05, 0.2, ROOM(double, projection_carry_room(&from, &to)), alike);
  size_t count = 0;
  float *other = singles(m, 1, 2, 9);
  difference = projection_difference(splat, other, m, &count);
  const projection_meeting meeting = projection_agreement(splat, other, 2 * width, 2 * width, height, 0.1);
  projection_excess(depth, &from, &motion, other, &to, excess);
  double *differences = &difference;
  KEEP(projection_splat, splat, m);
  KEEP(projection_carry, carried, m);
  KEEP(projection_carry, weight, m);
  KEEP(projection_carry_alike, alike, m);
  KEEP(projection_difference, differences, 1);
  KEEP_BYTES(projection_difference, &count, 1);
  KEEP_BYTES(projection_agreement, &meeting, 1);
  KEEP(projection_excess, excess, n);
}

int main(void) {
  const size_t lengths[] = {1, 7, 8, 9, 64, 257, 1000, 4099};
  for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
    const size_t n = lengths[i];
    rows(n);
    blends(n);
    errors(n);
    pixels(n);
    intervals(n);
    logarithms(n);
    clouds(n);
  }
  const size_t sizes[][2] = {{1, 1}, {7, 5}, {16, 9}, {33, 20}, {128, 65}};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    rasters(sizes[i][0], sizes[i][1]);
    motions(sizes[i][0], sizes[i][1]);
  }
}
