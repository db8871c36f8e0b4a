// Logarithms and exponentials of single precision, the same bits on every processor.
#ifndef FATHOM_LOGARITHMS_H
#define FATHOM_LOGARITHMS_H

#include <stddef.h>

// result = ln(x / y), within 1 ulp of the logarithm of the rounded quotient; NaN where that is not a positive normal number.
void log_ratios(const float *x, const float *y, size_t n, float *result);

// result = ln x, likewise.
void log_values(const float *x, size_t n, float *result);

// values = values * e^log, moved into low...high; e^log within 1 ulp. Logarithms beyond 80 count as 80; NaN stays NaN.
void scale_by_exponentials(const double *logs, size_t n, float low, float high, float *values);

// What is known at a few places, between them in a straight line, beyond them as at the last.
//
// places: of the `knots` known values, ascending. positions: where it is wanted; one that is not a number takes the first value.
void between_knots(const float *positions, size_t n, const float *places, const float *known, size_t knots,
                   float *result);

#endif
