/* Symbols: addresses in modules -> functions, inlined frames, loops and lines (docs/symbols.md).
 *
 *     struct symbols *s = symbols_new(&options);
 *     uint32_t m = symbols_module(s, SLICE("/usr/bin/app"), SLICE(""));
 *     struct symbols_chain chain;
 *     TRY(symbols_lookup(s, m, 0x401136, &chain, err));
 *     for (size_t i = 0; i < chain.count; i++) ... chain.at[i] ...
 *
 * A module is opened at its first look-up; everything it answers comes out of one index that is built then. Sources, the first that knows
 * the module wins and is the only one asked for it: logical file, kernel symbols, structure file, DWARF, ELF symbol table.
 * DWARF and the symbol table of one file answer together: an address that no DWARF function holds is asked of the symbol table. Loops of their
 * functions are found in the machine code.
 *
 * Not thread-safe: one `struct symbols`, one thread. Nothing is ever fetched from a network. */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include "assay/format.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

struct symbols;

struct symbols_options {
    struct mem *mem;                   /* borrowed until symbols_free */
    const char *dir;                   /* measurement directory: vdso, gpubins, cpubins, kernel_symbols, structs, relative paths; NULL = none */
    const char *const *paths;          /* further files or folders: programs, libraries, debug files, structure files */
    size_t path_count;                 /* (one level deep, and .build-id/xx/yyyy.debug below them) */
    const struct assay_path_map *maps; /* the first that matches wins; whole components; a component of `from` may be "*" */
    size_t map_count;
    bool foreign;           /* look at nothing outside dir, paths and the targets of maps */
    bool ignore_structures; /* as if there were no structure files */
    bool no_loops;          /* look for none in machine code; structure files have theirs all the same */
    /* As hpcprof: of several rows of a line table at one address the smallest (file, line), not the last; functions have
     * the address of their last copy, inlined or not. */
    bool compat;
    /* As perf: functions are the symbols of a file, chosen among those of one address by perf's rules, without parameters of C++; no debug information.
     * `paths` come before the module's own path, and may be perf's caches (.build-id/xx/yyyy/elf). */
    bool as_perf;
    uint64_t dwarf_max_size; /* bytes of a file with DWARF; larger ones give their symbol table only; 0 = 100 MB, UINT64_MAX = none */
    /* What went wrong on the way, each trouble once: rules SY01 to SY08 of docs/symbols.md. May be NULL. The finding is borrowed for the call;
     * its message names the file. */
    void (*found)(void *arg, const assay_finding *finding);
    void *found_arg;
};

/* Owned by the caller; the strings of `options` are borrowed until symbols_free. NULL = no memory. Reads dir/original-path, nothing else. */
struct symbols *symbols_new(const struct symbols_options *options);
/* NULL is allowed. */
void symbols_free(struct symbols *s);

/* The number of a module, from 1; equal arguments give equal numbers. `path` as the profile has it (absolute, relative to dir, <vmlinux.HOST>);
 * `build_id` as hex digits, {NULL, 0} = not known. Opens nothing. 0 = no memory. */
uint32_t symbols_module(struct symbols *s, assay_slice path, assay_slice build_id);

/* One scope of a chain. Ids are dense from 1 within the module, stable for the life of `struct symbols`; 0 = none. So a caller can keep arrays
 * of its own ids by (module, function) and (module, file). */
struct symbols_scope {
    uint8_t kind;      /* enum assay_node_kind: FUNCTION, INLINED, LOOP or LINE */
    uint8_t relation;  /* to the scope before it: enum assay_relation; the first one has CALL, the rest LEXICAL or INLINED_CALL */
    uint32_t function; /* FUNCTION, INLINED: which one; otherwise 0 */
    uint32_t file;     /* FUNCTION, INLINED: where it is declared; LOOP, LINE: of the place; 0 = unknown */
    uint32_t line;     /* belongs to `file`; 0 = unknown */
    uint64_t address;  /* FUNCTION: its entry; LOOP: what identifies it together with file and line; otherwise 0 */
};

/* Outermost first, e.g. FUNCTION, LOOP, LINE (call site), INLINED, LINE. The LINE before an INLINED is its call site; it is left out when the
 * source does not tell, and the INLINED then follows its caller directly, still by INLINED_CALL. The instruction itself is not part of it: it hangs below the last scope
 * by LEXICAL, or below the parent by CALL when the chain is empty. */
struct symbols_chain {
    const struct symbols_scope *at; /* borrowed until the next look-up */
    size_t count;                   /* 0 = nothing known */
};

/* The scopes of an address (as written in the module: the ELF virtual address; logical files: id << 32 | line). The first look-up of a module
 * builds its index, the first one in a function its loops; later ones are a binary search. Errors: MEMORY, INTERNAL (no such module). Files that cannot be used are no error: see
 * `found`. */
int symbols_lookup(struct symbols *s, uint32_t module, uint64_t address, struct symbols_chain *out, assay_error *err);

/* The address of the byte that the file of a module has at this offset, as its program headers say. Opens the module; false = it was not found, or the
 * byte is not loaded. With options.as_perf only. */
bool symbols_address(struct symbols *s, uint32_t module, uint64_t file_off, uint64_t *address);

/* What is loaded of the file of a module: from the page that its first part begins in to the end of the last. The same conditions. */
struct symbols_image {
    uint64_t low, high;
    const char *path; /* of the file that was found; borrowed until symbols_free */
};
bool symbols_image(struct symbols *s, uint32_t module, struct symbols_image *out);

/* A function, for as long as `struct symbols` lives. Which scopes share one: a P of a structure file by its entry address; each inner A of a
 * structure file is one of its own; DWARF: the abstract DIE, so all inlined copies and the function itself are one; ELF and kernel symbols: the
 * symbol. */
struct symbols_function {
    assay_slice name;      /* for people: demangled where it is a C++ name; may be empty */
    assay_slice link_name; /* as the linker knows it, when it differs from `name`; else {NULL, 0} */
    uint32_t file, line;   /* of the declaration; 0 = unknown */
    bool has_address;
    uint64_t address;  /* entry; inlined ones without a copy of their own have none */
    uint64_t identity; /* what tells it from others in the module: the entry of a P or a symbol, the offset of the abstract DIE; else 0 */
};
/* Borrowed; valid until the next look-up in the same module that was not looked up before (tables do not move after that). Ids that are none give an
 * empty one. Counts are 0 before the first look-up. */
const struct symbols_function *symbols_function(const struct symbols *s, uint32_t module, uint32_t function);
uint32_t symbols_function_count(const struct symbols *s, uint32_t module);
/* The path as the source has it, relative DWARF paths joined with the unit's directory; terminated. */
assay_slice symbols_file(const struct symbols *s, uint32_t module, uint32_t file);
uint32_t symbols_file_count(const struct symbols *s, uint32_t module);

/* Calls that a structure file knows (GPU binaries), in document order; functions are numbered in document order too. */
struct symbols_call {
    uint64_t address; /* of the call instruction */
    uint32_t caller, callee;
};
/* The number of calls; *out is borrowed until symbols_free. 0 when the module has no structure file with has-calls="1", or when a
 * call has a target that is no function: its call graph is then unusable. *usable (may be NULL) tells "no calls" from "unusable". Calls without
 * a target are not listed. Opens the module when needed. */
size_t symbols_calls(struct symbols *s, uint32_t module, const struct symbols_call **out, bool *usable);

/* Where a source file of this path (absolute, as symbols_file has it) is to be looked for: the target of the map that matches, or the path itself. *out
 * is NULL when only given places may be looked at and it is in none of them (or might lead out of them), or when the path is not absolute. Opens nothing, and needs no
 * `struct symbols`. false = no memory. */
bool symbols_source_path(struct arena *text, const struct symbols_options *o, const char *path, const char **out);

/* What to call the module: its path, or "<logical STEM>". Borrowed until symbols_free. Before the first look-up: the path. */
assay_slice symbols_module_name(const struct symbols *s, uint32_t module);

/* A phrase for people: "structure file X", "DWARF of Y", "symbol table of Y", "kernel symbols X", "logical file X",
 * "nothing found; tried A, B, C", "not looked at". Terminated, borrowed until symbols_free or the first look-up in the module. */
const char *symbols_source(const struct symbols *s, uint32_t module);

#endif
