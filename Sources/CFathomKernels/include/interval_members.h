// The numbers that lie in an interval.
#ifndef FATHOM_INTERVAL_MEMBERS_H
#define FATHOM_INTERVAL_MEMBERS_H

#include <stddef.h>

// Those of n numbers that lie from `low` to `high`, in their order, to `members`; returns how many there are.
//
// magnitudes: whether it is |value| that counts. members: room for n. below: how many numbers are less than `low`.
size_t interval_members(const double *values, size_t n, int magnitudes, double low, double high, double *members,
                        ptrdiff_t *below);

#endif
