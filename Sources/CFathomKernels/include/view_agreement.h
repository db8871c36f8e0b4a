#ifndef FATHOM_VIEW_AGREEMENT_H
#define FATHOM_VIEW_AGREEMENT_H

#include <stddef.h>

// Room that `view_agreement` needs, in numbers.
size_t view_agreement_room(size_t views);

// For each of `size` pixels the median of what `views` maps have there, one map after the other, NaN where a map has nothing.
// NaN where fewer than `fewest` have something, and where the median deviation from that median is not below `spread` of it.
void view_agreement(const float *maps, size_t views, size_t size, size_t fewest, float spread, float *room, float *result);

#endif
