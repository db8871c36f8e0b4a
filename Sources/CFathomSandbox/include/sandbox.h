// What keeps a process that reads other people's files from doing anything else.
#ifndef FATHOM_SANDBOX_H
#define FATHOM_SANDBOX_H

#include <sys/types.h>

// Descriptors of a reader: the file, the socket to who asks, and the memory that both share.
#define FATHOM_READER_FILE 3
#define FATHOM_READER_SOCKET 4
#define FATHOM_READER_MEMORY 5

// Layers that are active, as bits.
#define FATHOM_LAYER_LIMITS 1
#define FATHOM_LAYER_LANDLOCK 2
#define FATHOM_LAYER_SECCOMP 4

// Memory whose size is sealed, as a descriptor; -1 where the system gives none.
int fathom_reader_memory(size_t size);

// Starts `executable` with `subcommand` and `argument`: the file, the socket and the memory as above, nothing else open, nothing said.
// memory: -1 for none. Returns its number, or -errno.
pid_t fathom_reader_start(
    const char *executable, const char *subcommand, const char *argument, int file, int socket, int memory);

// Whether a signal that ended a process is one that it brings upon itself, by a fault or a limit of its own: others come from outside.
int fathom_ends_itself_by(int signal);

// What a reader may do.
struct fathom_reader_rules {
  // Bytes of memory.
  unsigned long memory;
  // Whether it is a data set that may lead to other files, those of `paths`: read by one thread, as any data set.
  int is_linked;
  // Files and folders that may be read, with what is in these; with none, the file that was handed over.
  const char *const *paths;
  unsigned long path_count;
  // A folder in which files may be made of at most so many bytes; NULL for none.
  const char *scratch;
  unsigned long longest_file;
};

// To be called by the reader before it looks at the file. Where the kernel lacks a layer, it works without. Called again, it takes
// away more: after a call with a scratch folder, one without.
int fathom_reader_confine(const struct fathom_reader_rules *rules);

// The layers that a reader has here, found out by a process that confines itself and ends; -errno where none can be started.
int fathom_reader_layers(void);

// Allows so many seconds of processor time from now on.
void fathom_reader_allow_seconds(unsigned long seconds);

// To be called by a process that is about to become `tool`, a program of others that decodes `file` to its standard output: it then
// can read only that file, itself and the system's libraries, write, make, change and connect to nothing, and reach no other process.
// Returns the layers.
int fathom_tool_confine(const char *tool, const char *file, unsigned long memory, unsigned long seconds);

#endif
