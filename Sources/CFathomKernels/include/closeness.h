// How close points lie to the sides of a rectangle around them.
#ifndef FATHOM_CLOSENESS_H
#define FATHOM_CLOSENESS_H

#include <stddef.h>

// Of the two sides of a rectangle around n points across the unit axis (ax, az), where that one lies along the axis which has the
// smaller sum of squared distances. Finite coordinates; n > 0.
double closeness_side(const double *x, const double *z, size_t n, double ax, double az);

// Sum of 1 / max(nearest, distance to the nearer one of the sides across the axes (c, s) and (-s, c)) over n points.
//
// Finite coordinates; n > 0; nearest at least 1e-3. `along` and `across` are room for n numbers each.
double closeness_score(const double *x, const double *z, size_t n, double c, double s, double nearest, double *along,
                       double *across);

#endif
