/* What elf.c and dwarf.c share; only in builds with libdw. */
#ifndef SYMBOLS_ELF_PARTS_H
#define SYMBOLS_ELF_PARTS_H

#include <late_elf.h>

#include "symbols/sources.h"

Elf *elf_handle(const struct elf_file *f);
/* Whether its bytes are the caller's, and not those of a path. */
bool elf_is_memory(const struct elf_file *f);
/* From the first to the last byte of code; false = there is none. */
bool elf_code_bounds(const struct elf_file *f, uint64_t *low, uint64_t *high);

#endif
