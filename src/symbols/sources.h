/* Where symbols come from: each of these fills a symtab from one kind of file. Internal to src/symbols. */
#ifndef SYMBOLS_SOURCES_H
#define SYMBOLS_SOURCES_H

#include "symbols/symtab.h"

/* Tells of trouble with a file: docs/symbols.md has the rules. */
struct trouble {
    const struct symbols_options *options;
};
void trouble_tell(const struct trouble *t, const char *rule, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* All of these return true when the file was of this kind and the table has been filled; the table's `failed` says that memory ran out. */

/* Text `ADDRESS TYPE NAME [MODULE]`, may be compressed. */
bool kernel_load(struct symtab *t, const char *path, const struct trouble *trouble);
/* HPCLOGICAL records. Look-ups need logical_address first. */
bool logical_load(struct symtab *t, const char *path, const struct trouble *trouble);

/* An ELF file that was opened. */
struct elf_file;
/* NULL = there is no such regular file, or it is no ELF file (then SY02 is told). Owned by the caller. */
struct elf_file *elf_open(const char *path, struct mem *mem, const struct trouble *trouble);
struct elf_file *elf_open_memory(char *data, size_t len, struct mem *mem);
void elf_close(struct elf_file *f);
const char *elf_path(const struct elf_file *f);
uint64_t elf_size(const struct elf_file *f);
/* With its compressed sections as long as they say they are. */
uint64_t elf_unpacked_size(const struct elf_file *f);
/* As hex digits; "" = it has none. */
const char *elf_build_id(const struct elf_file *f);
bool elf_is_x86_64(const struct elf_file *f);
bool elf_has_dwarf(const struct elf_file *f);
/* The name in .gnu_debuglink, or NULL. */
const char *elf_debuglink(const struct elf_file *f, uint32_t *crc);
/* Whether the bytes of the file have this CRC. */
bool elf_crc_is(const char *path, uint32_t crc);
/* The symbols of .symtab, with `dynamic` of .dynsym: whole functions, the first wins where they overlap. Seals. `compat`: as hpcprof, code of
 * NVIDIA binaries is not found by its place in the file. */
bool elf_symbols(struct symtab *t, struct elf_file *f, bool dynamic, bool compat);
/* The same as perf chooses them, and where the file is loaded. (elf_perf.c) */
bool elf_perf_symbols(struct symtab *t, struct elf_file *f, bool dynamic);
void elf_loads(struct symtab *t, struct elf_file *f);
/* Functions, inlined frames and rows; those of `t` so far (symbols) show where there are none. Seals. false = it cannot be used: *why. */
bool dwarf_load(struct symtab *t, struct elf_file *f, const struct symbols_options *options, const char **why);

#endif
