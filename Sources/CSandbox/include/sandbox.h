// What keeps a process that reads other people's files from doing anything else.
#ifndef FATHOM_SANDBOX_H
#define FATHOM_SANDBOX_H

#include <sys/types.h>

// Descriptors of a reader: the file, and the socket to who asks.
#define FATHOM_READER_FILE 3
#define FATHOM_READER_SOCKET 4

// Layers that are active, as bits.
#define FATHOM_LAYER_LIMITS 1
#define FATHOM_LAYER_LANDLOCK 2
#define FATHOM_LAYER_SECCOMP 4

// Starts `executable` with `subcommand` and `argument`: the file and the socket as above, nothing else open, nothing said.
// Returns its number, or -errno.
pid_t fathom_reader_start(
    const char *executable, const char *subcommand, const char *argument, int file, int socket);

// To be called by the reader before it looks at the file. Where the kernel lacks a layer, it works without.
// `memory` in bytes; with `any_file`, every file may be read.
int fathom_reader_confine(unsigned long memory, int any_file);

// Allows so many seconds of processor time from now on.
void fathom_reader_allow_seconds(unsigned long seconds);

#endif
