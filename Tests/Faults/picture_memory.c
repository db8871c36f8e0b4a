// Reads a picture again and again, each time with another allocation that fails: picture_memory png|exr|tiff FILE
//
// Prints a line for each: what the reader returned and its reason, or the signal that ended it. Of the first nothing fails. For tests only.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exr_reading.h"
#include "png_reading.h"
#include "tiff_reading.h"

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

// Allocations until one fails; negative for none.
static long left = -1;

static int fails(void) {
  if (left < 0 || left-- > 0) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *place, size_t size) { return fails() ? NULL : __libc_realloc(place, size); }

enum { ROOM = 1 << 20, MOST = 1 << 16, LIMIT = 1000 };

static int read_picture(const char *kind, const uint8_t *file, size_t size, char *reason, size_t reason_size) {
  static float pixels[MOST];
  static char names[FATHOM_EXR_MOST_CHANNELS * FATHOM_EXR_NAME_BYTES];
  int status = 0;
  if (strcmp(kind, "png") == 0) {
    struct fathom_png_header header;
    status = fathom_png_read_header(file, size, &header, reason, reason_size);
    if (status == 1) status = fathom_png_read_pixels(file, size, FATHOM_PNG_ALL, header.width, header.height, pixels, reason, reason_size);
  } else if (strcmp(kind, "exr") == 0) {
    struct fathom_exr_header header;
    status = fathom_exr_read_header(file, size, MOST, &header, names, reason, reason_size);
    if (status == 1) status = fathom_exr_read_channel(file, size, MOST, names, header.width, header.height, pixels, reason, reason_size);
  } else {
    struct fathom_tiff_header header;
    status = fathom_tiff_read_header(file, size, MOST, 0, &header, reason, reason_size);
    if (status == 1) status = fathom_tiff_read_pixels(file, size, MOST, &header, pixels, reason, reason_size);
  }
  return status;
}

int main(int count, char **words) {
  static uint8_t bytes[ROOM];
  FILE *file = count == 3 ? fopen(words[2], "rb") : NULL;
  if (file == NULL) return 64;
  size_t size = fread(bytes, 1, ROOM, file);
  for (long failing = -1; failing < LIMIT; failing++) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      char reason[225] = "";
      left = failing;
      int status = read_picture(words[1], bytes, size, reason, sizeof reason);
      int is_over = failing >= 0 && left >= 0;
      left = -1;
      if (!is_over) printf("%d %s\n", status, reason);
      fflush(stdout);
      _exit(is_over ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) printf("signal %d\n", WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1) return 0;
  }
  return 70;
}
