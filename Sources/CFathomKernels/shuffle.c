#include "shuffle.h"

#include <string.h>

#include "lanes.h"

CLONES void shuffle_undo(const uint8_t *restrict shuffled, size_t count, size_t size, uint8_t *restrict elements) {
  if (size == 1) {
    memcpy(elements, shuffled, count);
  } else if (size == 2) {
    for (size_t i = 0; i < count; i++) {
      for (size_t k = 0; k < 2; k++) elements[2 * i + k] = shuffled[k * count + i];
    }
  } else if (size == 4) {
    for (size_t i = 0; i < count; i++) {
      for (size_t k = 0; k < 4; k++) elements[4 * i + k] = shuffled[k * count + i];
    }
  } else {
    for (size_t i = 0; i < count; i++) {
      for (size_t k = 0; k < size; k++) elements[size * i + k] = shuffled[k * count + i];
    }
  }
}

CLONES void shuffle_do(const uint8_t *restrict elements, size_t count, size_t size, uint8_t *restrict shuffled) {
  if (size == 1) {
    memcpy(shuffled, elements, count);
  } else if (size == 2) {
    for (size_t k = 0; k < 2; k++) {
      for (size_t i = 0; i < count; i++) shuffled[k * count + i] = elements[2 * i + k];
    }
  } else if (size == 4) {
    for (size_t k = 0; k < 4; k++) {
      for (size_t i = 0; i < count; i++) shuffled[k * count + i] = elements[4 * i + k];
    }
  } else {
    for (size_t k = 0; k < size; k++) {
      for (size_t i = 0; i < count; i++) shuffled[k * count + i] = elements[size * i + k];
    }
  }
}
