/* Loops of programs that have no structure file: found in the machine code of x86-64 modules, function by function, when an address of the
 * function is asked for (docs/symbols.md, "Loops"). Steps, each in a file of its own: loops_image.c gives the bytes, loops_flow.c makes basic
 * blocks of them (capstone), loops_nest.c finds which blocks are loops, loops_place.c decides where a loop stands among inlined frames and which
 * file and line it has; loops.c keeps the answers. Not thread-safe. */
#ifndef SYMBOLS_LOOPS_H
#define SYMBOLS_LOOPS_H

#include "symbols/sources.h"

struct loops;

/* For the code of `f`, whose scopes `t` has (borrowed until loops_free; sealed). NULL without `*failed`: no x86-64 code, or a build without
 * capstone (`loops_can` says). The file is opened again, by its path, when code is wanted; one that has changed meanwhile has no loops. */
struct loops *loops_new(struct symtab *t, const struct elf_file *f, const struct trouble *trouble, bool *failed);
/* NULL is allowed. */
void loops_free(struct loops *l);
/* Whether this build can look for loops. */
bool loops_can(void);

/* Puts the loops around the address into `chain`, which symtab_lookup has just filled for it. false = no memory. */
bool loops_lookup(struct loops *l, uint64_t address, struct symtab_chain *chain);

#endif
