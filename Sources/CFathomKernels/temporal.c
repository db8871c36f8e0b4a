#include "temporal.h"

#include <math.h>

#include "lanes.h"

enum { CHUNK = 256 };

// What the sums point to may not overlap; each stretch is worked on in room of its own, so that the compiler knows.
CLONES void temporal_add(const float *depth, const float *weight, size_t n, double least, double most,
                         const temporal_sums *sums) {
  for (size_t start = 0; start < n; start += CHUNK) {
    const size_t count = n - start < CHUNK ? n - start : CHUNK, bytes = count * sizeof(double);
    double reference[CHUNK], other[CHUNK], sum[CHUNK], total[CHUNK], number[CHUNK], newest[CHUNK];
    float d[CHUNK], w[CHUNK];
    memcpy(d, depth + start, count * sizeof(float));
    memcpy(w, weight + start, count * sizeof(float));
    memcpy(reference, sums->reference + start, bytes);
    memcpy(other, sums->referenceWeight + start, bytes);
    memcpy(sum, sums->sum + start, bytes);
    memcpy(total, sums->weight + start, bytes);
    memcpy(number, sums->count + start, bytes);
    memcpy(newest, sums->newest + start, bytes);
    for (size_t i = 0; i < count; i++) {
      const double z = d[i], own = w[i];
      const int fell = own > 0, first = fell & (reference[i] != reference[i]);
      reference[i] = first ? z : reference[i];
      other[i] = first ? own : other[i];
      const double noise = 3 * __builtin_elementwise_sqrt(1 / own + 1 / other[i]);
      const double widest = noise > least ? noise : least, limit = widest < most ? widest : most;
      const int agrees = fell & (fabs(z - reference[i]) <= limit * reference[i]);
      newest[i] = (agrees & (number[i] == 0)) ? z : newest[i];
      sum[i] += agrees ? own * z : 0;
      total[i] += agrees ? own : 0;
      number[i] += agrees ? 1 : 0;
    }
    memcpy(sums->reference + start, reference, bytes);
    memcpy(sums->referenceWeight + start, other, bytes);
    memcpy(sums->sum + start, sum, bytes);
    memcpy(sums->weight + start, total, bytes);
    memcpy(sums->count + start, number, bytes);
    memcpy(sums->newest + start, newest, bytes);
  }
}
