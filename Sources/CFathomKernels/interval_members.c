#include "interval_members.h"

#include "lanes.h"

CLONES size_t interval_members(const double *values, size_t n, int magnitudes, double low, double high, double *members,
                               ptrdiff_t *below) {
  const words kept = EACH_WORD(magnitudes ? INT64_MAX : -1);
  words less = EACH_WORD(0);
  size_t found = 0;
  for (size_t i = 0; i < n; i += LANES) {
    // What fills up the last numbers is NaN, which lies nowhere.
    double numbers[LANES];
    reals value;
    if (n - i >= LANES) {
      LOAD(value, values + i);
    } else {
      last(values + i, n - i, __builtin_nan(""), numbers);
      LOAD(value, numbers);
    }
    value = (reals)((words)value & kept);
    less -= value < EACH(low);
    const words inside = (value >= EACH(low)) & (value <= EACH(high));
    // Most eights have none.
    if (any(&inside) == 0) continue;
    STORE(numbers, value);
    int64_t belongs[LANES];
    STORE(belongs, inside);
    // Without a branch: the next one overwrites what does not belong.
    const size_t rest = n - i < LANES ? n - i : LANES;
    for (size_t k = 0; k < rest; k++) {
      members[found] = numbers[k];
      found -= (size_t)belongs[k];
    }
  }
  *below = (ptrdiff_t)total_words(&less);
  return found;
}
