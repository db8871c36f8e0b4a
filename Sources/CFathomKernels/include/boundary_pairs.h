// Boundaries between neighbouring pixels, of a prediction and of the truth.
#ifndef FATHOM_BOUNDARY_PAIRS_H
#define FATHOM_BOUNDARY_PAIRS_H

#include <stddef.h>
#include <stdint.h>

// Ratios of depth that make a boundary. A table has a row for each number of them that a prediction exceeds, and in it a place for
// each number that the truth exceeds: -10 ... 10, negative where depth falls.
enum { BOUNDARY_RATIO_COUNT = 10, BOUNDARY_ROW = 2 * BOUNDARY_RATIO_COUNT + 1, BOUNDARY_TABLE_COUNT = BOUNDARY_ROW * BOUNDARY_ROW };

// What the truth of a pair may be.
enum { BOUNDARY_STEP = 1, BOUNDARY_UNKNOWN = 2 };

// marks[k] tells of g[k] and h[k] whether they differ by more than `least`, and whether one is not finite and positive.
void boundary_pairs_mark(const double *g, const double *h, size_t n, double least, uint8_t *marks);

// Counts n pairs of neighbours by how many ratios b / a and h / g exceed. The middle of the table, without any boundary, is of no
// use: pairs with a number that is not finite and positive may be counted there.
//
// a, b: predictions; g, h: truth. marks: what the truth has there, see `boundary_pairs_mark`.
// least: less than all ratios, which ascend in equal steps.
void boundary_pairs_add(const double *a, const double *b, const double *g, const double *h, size_t n, const uint8_t *marks,
                        double least, const double *ratios, int64_t *counts);

#endif
