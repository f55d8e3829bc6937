/* How much memory the command takes unless --max-memory says otherwise. */
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include <stdint.h>

struct memory_limit {
    uint64_t bytes; /* 0 = unknown: no limit */
    const char *of; /* what it is three quarters of, for messages; static storage */
};

/* Three quarters of the machine's memory, of what the control group of the process may use, or of the address space that ulimit -v allows: whichever is
 * least. */
struct memory_limit memory_limit_default(void);

/* From this size on blocks come from the system one by one and go back to it when they are freed; glibc alone would raise the size with each that is freed, and
 * keep all that is smaller. `keep`: what may stay free at the end of the heap. Nothing with other C libraries. */
void memory_hold_threshold(int size, int keep);

/* The least limit of a control group and those above it: `self` is /proc/self/cgroup, `root` the directory where the groups are mounted. 0 = none. */
uint64_t memory_of_group(const char *self, const char *root);

#endif
