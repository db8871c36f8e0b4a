// Innermost loops, for whatever vectors the processor has.
//
// Every sum is kept in eight lanes that are added in a fixed order, and nothing is contracted to fused operations. So the bits are
// the same whatever the processor's vectors hold: two, four or eight numbers.
#ifndef FATHOM_KERNELS_H
#define FATHOM_KERNELS_H

#include "bilinear.h"
#include "blend.h"
#include "boundary_pairs.h"
#include "cells.h"
#include "closeness.h"
#include "covariance.h"
#include "depth_steps.h"
#include "error_terms.h"
#include "interval_members.h"
#include "logarithms.h"
#include "pair_means.h"
#include "pixel_lists.h"
#include "projection.h"
#include "resamples.h"
#include "shuffle.h"
#include "temporal.h"
#include "view_agreement.h"
#include "window_range.h"

#endif
