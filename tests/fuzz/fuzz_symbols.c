/* libFuzzer target: ELF and DWARF into an index, and look-ups in it. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "symbols/loops.h"

static void look_up(const struct symtab *t, struct mem *mem)
{
    struct symtab_chain chain = { .mem = mem };
    for (size_t i = 0; i < t->spans.len && i < 1000; i++) {
        chain.list.len = 0;
        if (!symtab_lookup(t, t->spans.at[i].begin, &chain)) break;
        harness_promise(chain.list.len > 0, "a span has no scope");
        harness_promise(i == 0 || t->spans.at[i - 1].end <= t->spans.at[i].begin, "spans %zu and %zu overlap", i - 1, i);
        for (size_t k = 0; k < chain.list.len; k++) harness_promise(chain.list.at[k].function < t->functions.len, "a scope has no function");
    }
    for (size_t i = 1; i < t->rows.len; i++) harness_promise(t->rows.at[i - 1].address < t->rows.at[i].address, "row %zu is not above the one before", i);
    vec_done(mem, &chain.list);
}

static void look_up_loops(struct symtab *t, const struct elf_file *f, const struct symbols_options *options)
{
    struct symtab_chain chain = { .mem = t->mem };
    struct trouble trouble = { options };
    bool failed = false;
    struct loops *l = loops_new(t, f, &trouble, &failed);
    for (size_t i = 0; l && !t->failed && i < t->spans.len && i < 100; i++) {
        chain.list.len = 0;
        if (!symtab_lookup(t, t->spans.at[i].begin, &chain) || !loops_lookup(l, t->spans.at[i].begin, &chain)) break;
        harness_promise(chain.list.len > 0, "a span has no scope");
    }
    vec_done(t->mem, &chain.list);
    loops_free(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct mem mem;
    const char *why = NULL;
    harness_doing("symbols of an ELF file");
    mem_init(&mem, (size_t)64 << 20);
    struct symbols_options options = { .mem = &mem, .foreign = true, .compat = len & 1 };
    char *copy = malloc(len ? len : 1);
    if (!copy) return 0;
    if (len) memcpy(copy, data, len);
    struct elf_file *f = elf_open_memory(copy, len, &mem);
    if (f) {
        struct symtab t;
        uint32_t crc;
        symtab_init(&t, &mem);
        symtab_limit(&t, len);
        (void)elf_debuglink(f, &crc);
        if (!t.failed && !elf_symbols(&t, f, false, false)) (void)elf_symbols(&t, f, true, false);
        if (!t.failed && elf_has_dwarf(f)) (void)dwarf_load(&t, f, &options, &why);
        if (!t.failed) look_up(&t, &mem);
        if (!t.failed) look_up_loops(&t, f, &options);
        symtab_done(&t);
    }
    elf_close(f);
    free(copy);
    harness_promise(mem.used == 0, "%zu bytes were not given back", (size_t)mem.used);
    return 0;
}
