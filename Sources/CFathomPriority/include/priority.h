// Nothing to call: linked into the command, this module keeps the priority that the command was started with.
#ifndef FATHOM_PRIORITY_H
#define FATHOM_PRIORITY_H
#endif
