/* Stacks from a copy of the registers and of the top of the stack, by the call frame information of the programs at hand (libdw's unwinder). */
#ifndef SYMBOLS_UNWIND_H
#define SYMBOLS_UNWIND_H

#include "base/mem.h"

enum unwind_machine { UNWIND_NONE, UNWIND_X86_64, UNWIND_AARCH64 };
enum { UNWIND_REGISTERS = 33, UNWIND_MOST = 256 };

/* A program or library where it was loaded: from `low` to `high`, the first and the last address of what is loaded of it. */
struct unwind_module {
    uint64_t low, high;
    const char *path; /* borrowed until unwind_free */
};
/* The module of an address; false = there is none, or it is not at hand. */
typedef bool (*unwind_find_fn)(void *arg, uint64_t address, struct unwind_module *out);

/* What was copied. */
struct unwind_start {
    uint64_t regs[UNWIND_REGISTERS]; /* by the numbers that DWARF has for them; the last is the instruction pointer */
    uint64_t stack_at;               /* the address of the first byte below */
    const unsigned char *stack;
    size_t stack_len;
    bool is_big;
};

/* For one state of one process: what it was told of modules stays. Not thread-safe. */
struct unwind;
/* NULL = this build has no libdw, or no memory. */
struct unwind *unwind_new(struct mem *mem, enum unwind_machine machine, unwind_find_fn find, void *arg);
void unwind_free(struct unwind *u);
/* The addresses of the frames, innermost first, in `out` (UNWIND_MOST of them): exact for the first and for what a signal interrupted, otherwise where the call
 * is, one byte before where it returns to. 0 = nothing could be done: the module of the first is not at hand. */
size_t unwind_run(struct unwind *u, const struct unwind_start *start, uint64_t *out);

#endif
