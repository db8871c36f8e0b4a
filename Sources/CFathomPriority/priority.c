#include "include/priority.h"

#include <sys/resource.h>

// libdispatch gives each of its threads a priority of its own, by a class of work: for root that undoes `nice`, and may raise a thread above
// other people's work. A definition in the program comes before that of the C library. Nothing else in the program sets priorities.
int setpriority(__priority_which_t which, id_t who, int value) {
  (void)which, (void)who, (void)value;
  return 0;
}
