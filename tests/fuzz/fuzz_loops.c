/* libFuzzer target: machine code -> loops. The input is the code of one function; its first bytes say where inlined frames begin. It is put into
 * the smallest ELF file there can be. */
#include "fuzz.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "symbols/loops.h"

enum { FRAMES = 8, BASE = 0x400000, HEAD = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) };

static char *make_elf(const uint8_t *code, size_t len)
{
    Elf64_Ehdr head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                        .e_type = ET_EXEC,
                        .e_machine = EM_X86_64,
                        .e_version = EV_CURRENT,
                        .e_phoff = sizeof head,
                        .e_ehsize = sizeof head,
                        .e_phentsize = sizeof(Elf64_Phdr),
                        .e_phnum = 1,
                        .e_shentsize = sizeof(Elf64_Shdr) };
    Elf64_Phdr part = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = HEAD, .p_vaddr = BASE, .p_filesz = len, .p_memsz = len };
    char *file = malloc(HEAD + len);
    if (!file) return NULL;
    memcpy(file, &head, sizeof head);
    memcpy(file + sizeof head, &part, sizeof part);
    if (len) memcpy(file + HEAD, code, len);
    return file;
}

/* A function over all of the code, and frames inlined into each other or side by side; each in a file of its own. */
static void fill(struct symtab *t, const uint8_t *frames, size_t len)
{
    struct symbols_function f = { .name = SLICE("f"), .has_address = true, .address = BASE };
    struct symbols_scope s = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .function = symtab_function(t, &f), .address = BASE };
    s.file = symtab_file(t, SLICE("f.c"));
    uint32_t top = symtab_node(t, 0, &s), parent = top;
    symtab_span(t, BASE, BASE + len, top);
    for (size_t i = 0; i < FRAMES; i++) {
        struct symbols_scope site = { .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_LEXICAL, .file = s.file, .line = frames[i] & 3u };
        struct symbols_scope inlined = { .kind = ASSAY_NODE_INLINED, .relation = ASSAY_RELATION_INLINED_CALL, .function = s.function };
        if (frames[i] & 0x80) parent = top;
        parent = symtab_node(t, symtab_node(t, parent, &site), &inlined);
        symtab_span(t, BASE + len * i / FRAMES, BASE + len * (i + 1u + (frames[i] >> 2 & 3)) / FRAMES, parent);
        symtab_row(t, BASE + len * i / FRAMES, s.file, frames[i]);
    }
    symtab_seal_last(t);
}

/* Loops lie between the function and the line, parents before children, and an address has the same chain each time. */
static void look_up(struct loops *l, struct symtab *t, size_t len)
{
    struct symtab_chain chain = { .mem = t->mem };
    for (uint64_t address = BASE; address < BASE + len; address++) {
        chain.list.len = 0;
        if (!symtab_lookup(t, address, &chain)) break;
        size_t before = chain.list.len, loops = 0;
        if (!loops_lookup(l, address, &chain)) break;
        harness_promise(before == 0 || chain.list.at[0].kind == ASSAY_NODE_FUNCTION, "a chain does not begin with the function");
        for (size_t i = 0; i < chain.list.len; i++) {
            const struct symbols_scope *s = &chain.list.at[i];
            if (s->kind != ASSAY_NODE_LOOP) continue;
            loops++;
            harness_promise(s->address >= BASE && s->address < BASE + len && s->file, "a loop has no place");
        }
        harness_promise(chain.list.len >= before + loops, "a scope was lost");
    }
    vec_done(t->mem, &chain.list);
}

/* With fail_at: memory runs out on the way. */
static void run(const uint8_t *data, size_t len, uint64_t fail_at)
{
    struct mem mem;
    struct symtab t;
    bool failed = false;
    struct symbols_options options = { .mem = &mem };
    struct trouble trouble = { &options };
    mem_init(&mem, (size_t)64 << 20);
    mem.fail_at = fail_at;
    char *file = make_elf(data + FRAMES, len - FRAMES);
    struct elf_file *f = file ? elf_open_memory(file, HEAD + len - FRAMES, &mem) : NULL;
    if (f) {
        symtab_init(&t, &mem);
        if (!t.failed) fill(&t, data, len - FRAMES);
        struct loops *l = t.failed ? NULL : loops_new(&t, f, &trouble, &failed);
        if (l && !t.failed) look_up(l, &t, len - FRAMES);
        loops_free(l);
        symtab_done(&t);
    }
    elf_close(f);
    free(file);
    harness_promise(mem.used == 0, "%zu bytes were not given back", (size_t)mem.used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len <= FRAMES) return 0;
    harness_doing("loops of machine code");
    run(data, len, 0);
    run(data, len, 1 + (data[0] ^ data[1]) % 64u);
    return 0;
}
