/* Opening a module: the sources in their order, the first that knows it wins (docs/symbols.md). */
#include <stdio.h>
#include <unistd.h>

#include "base/output.h"
#include "base/scoped.h"
#include "symbols/module.h"

/* A table that is filled and kept only when its source had something. */
static struct symtab *new_table(struct symbols *s)
{
    struct symtab *t = mem_alloc(s->mem, sizeof *t);
    if (t) symtab_init(t, s->mem);
    return t;
}

static void drop_table(struct symbols *s, struct symtab *t)
{
    symtab_done(t);
    mem_free(s->mem, t, sizeof *t);
}

/* "WORD PATH" in the text of `s`; NULL = no memory. */
static const char *phrase(struct symbols *s, const char *word, const char *path)
{
    size_t len = strlen(word) + strlen(path) + 2;
    char *text = arena_text(&s->text, len);
    if (text) snprintf(text, len, "%s %s", word, path);
    return text;
}

static bool set_source(struct symbols *s, struct symbols_module *m, const char *word, const char *path)
{
    const char *text = phrase(s, word, path);
    if (text) m->source = text;
    return text != NULL;
}

/* Takes the table: the module's own when `has` and it is whole. */
static bool adopt(struct symbols *s, struct symbols_module *m, struct symtab *t, bool has, const char *word, const char *path)
{
    bool failed = t->failed;
    if (failed || !has) {
        drop_table(s, t);
        return !failed;
    }
    m->table = t;
    m->owns_table = true;
    return set_source(s, m, word, path);
}

/* ---- files beside a measurement ---- */

/* The path of the kernel symbols that the module stands for, or NULL. */
static const char *kernel_path(const struct symbols *s, const char *path, char *buf, size_t len)
{
    size_t n = strlen(path);
    const char *host = NULL;
    if (!s->options.dir || !path_is_tame(path)) return NULL;
    if (strncmp(path, "<vmlinux.", 9) == 0 && path[n - 1] == '>' && !strchr(path, '/'))
        host = path + 1, n -= 2;
    else if (strncmp(path, "kernel_symbols/", 15) == 0)
        host = path + 15, n -= 15;
    if (!host) return NULL;
    int wrote = snprintf(buf, len, "%s/kernel_symbols/%.*s", s->options.dir, (int)n, host);
    return wrote > 0 && (size_t)wrote < len ? buf : NULL;
}

static bool open_kernel(struct symbols *s, struct symbols_module *m)
{
    char buf[4096];
    const char *path = kernel_path(s, m->path, buf, sizeof buf);
    if (!path || access(path, F_OK) != 0) return true;
    struct symtab *t = new_table(s);
    if (!t) return false;
    bool has = kernel_load(t, path, &s->trouble);
    return adopt(s, m, t, has, "kernel symbols", path);
}

/* "<logical STEM>". */
static bool name_logical(struct symbols *s, struct symbols_module *m)
{
    const char *base = path_base(m->path), *dot = strrchr(base, '.');
    size_t len = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    size_t room = len + sizeof "<logical >";
    char *text = arena_text(&s->text, room);
    if (!text) return false;
    snprintf(text, room, "<logical %.*s>", (int)len, base);
    m->name = text;
    m->is_logical = true;
    return true;
}

static bool open_logical(struct symbols *s, struct symbols_module *m, const struct find_list *places)
{
    for (size_t i = 0; i < places->paths.len && !m->table; i++) {
        const char *path = places->paths.at[i];
        if (!strstr(path, "logical/") || access(path, F_OK) != 0) continue;
        struct symtab *t = new_table(s);
        if (!t) return false;
        bool has = logical_load(t, path, &s->trouble);
        if (!adopt(s, m, t, has, "logical file", path)) return false;
        if (m->table && !name_logical(s, m)) return false;
    }
    return true;
}

static bool open_structure(struct symbols *s, struct symbols_module *m)
{
    bool failed = false;
    const char *path = NULL;
    if (s->options.ignore_structures) return true;
    m->table = structures_find(s, m->path, &path, &failed);
    return !failed && (!m->table || set_source(s, m, "structure file", path));
}

/* ---- programs and libraries ---- */

/* The file itself, when its build id is the one that is wanted. */
static struct elf_file *open_elf(struct symbols *s, const char *path, const char *build_id)
{
    struct elf_file *f = elf_open(path, s->mem, &s->trouble);
    if (!f || !build_id[0] || !elf_build_id(f)[0] || strcmp(elf_build_id(f), build_id) == 0) return f;
    trouble_tell(&s->trouble, "SY03", "%s: has build id %s, but %s was measured; it is not used", path, elf_build_id(f), build_id);
    elf_close(f);
    return NULL;
}

static struct elf_file *debug_by_id(struct symbols *s, const char *build_id, bool *failed)
{
    SCOPED(find_done) struct find_list l = { 0 };
    struct elf_file *f = NULL;
    find_init(&l, s->mem);
    find_debug_by_id(&l, &s->options, build_id);
    for (size_t i = 0; i < l.paths.len && !f; i++)
        if (access(l.paths.at[i], F_OK) == 0) f = open_elf(s, l.paths.at[i], build_id);
    *failed |= l.failed;
    return f;
}

static struct elf_file *debug_by_link(struct symbols *s, const struct elf_file *main, bool *failed)
{
    uint32_t crc;
    SCOPED(find_done) struct find_list l = { 0 };
    struct elf_file *f = NULL;
    const char *link = elf_debuglink(main, &crc);
    if (!link) return NULL;
    find_init(&l, s->mem);
    find_debug_by_link(&l, &s->options, elf_path(main), link);
    for (size_t i = 0; i < l.paths.len && !f; i++) {
        const char *path = l.paths.at[i];
        if (strcmp(path_base(path), link) != 0 || strcmp(path, elf_path(main)) == 0 || access(path, F_OK) != 0) continue;
        if (elf_crc_is(path, crc))
            f = open_elf(s, path, elf_build_id(main));
        else
            trouble_tell(&s->trouble, "SY06", "%s: is not the debug file of %s: the checksum differs; it is not used", path, elf_path(main));
    }
    *failed |= l.failed;
    return f;
}

/* DWARF of `f` into the table, beside its symbols. */
static bool use_dwarf(struct symbols *s, struct symtab *t, struct elf_file *f)
{
    const char *why = "";
    if (elf_unpacked_size(f) > s->options.dwarf_max_size) {
        trouble_tell(&s->trouble, "SY04", "%s: is larger than %llu bytes: its debug information is not read", elf_path(f),
                     (unsigned long long)s->options.dwarf_max_size);
        return false;
    }
    if (dwarf_load(t, f, &s->options, &why)) return true;
    trouble_tell(&s->trouble, "SY04", "%s: its debug information is not used: %s", elf_path(f), why);
    return false;
}

/* Loops come from the code, which debug files have not. false = no memory. */
static bool find_loops(struct symbols *s, struct symbols_module *m, struct symtab *t, const struct elf_file *main)
{
    bool failed = false;
    if (s->options.no_loops || !elf_is_x86_64(main)) return true;
    m->loops = loops_new(t, main, &s->trouble, &failed);
    if (!loops_can() && !s->told_no_loops) {
        s->told_no_loops = true;
        trouble_tell(&s->trouble, "SY05", "%s: this build of assay cannot look for loops: it was built without capstone", elf_path(main));
    }
    return !failed;
}

/* Symbols alone, by perf's rules. */
static bool fill_as_perf(struct symbols *s, struct symbols_module *m, struct elf_file *main, struct elf_file *debug)
{
    struct symtab *t = new_table(s);
    if (!t) return false;
    symtab_limit(t, elf_size(main));
    bool has = elf_perf_symbols(t, main, false) || (debug && elf_perf_symbols(t, debug, false)) || elf_perf_symbols(t, main, true);
    elf_loads(t, main);
    m->file = arena_copy(&s->text, slice_of(elf_path(main)));
    return adopt(s, m, t, has, "symbol table of", elf_path(main)) && m->file;
}

/* Everything from the file and its debug file (may be NULL). */
static bool fill(struct symbols *s, struct symbols_module *m, struct elf_file *main, struct elf_file *debug)
{
    if (s->options.as_perf) return fill_as_perf(s, m, main, debug);
    struct symtab *t = new_table(s);
    if (!t) return false;
    struct elf_file *from = main;
    symtab_limit(t, elf_size(main));
    bool has_symbols = elf_symbols(t, main, false, s->options.compat);
    if (!has_symbols && debug) has_symbols = elf_symbols(t, debug, false, s->options.compat);
    if (!has_symbols) has_symbols = elf_symbols(t, main, true, s->options.compat);
    if (debug) from = debug;
    if (elf_has_dwarf(from)) symtab_limit(t, elf_unpacked_size(from));
    bool has_dwarf = elf_has_dwarf(from) && use_dwarf(s, t, from);
    if (t->is_spent) trouble_tell(&s->trouble, "SY08", "%s: is read in part: it refers to the same names, ranges or lines too often", elf_path(from));
    bool ok = !(has_dwarf || has_symbols) || find_loops(s, m, t, main);
    return adopt(s, m, t, has_dwarf || has_symbols, has_dwarf ? "DWARF of" : "symbol table of", elf_path(has_dwarf ? from : main)) && ok;
}

static bool open_program(struct symbols *s, struct symbols_module *m, const char *path)
{
    bool failed = false;
    struct elf_file *main = open_elf(s, path, m->build_id), *debug = NULL;
    if (!main) return true;
    if (!elf_has_dwarf(main)) debug = debug_by_id(s, elf_build_id(main), &failed);
    if (!debug && !elf_has_dwarf(main)) debug = debug_by_link(s, main, &failed);
    bool ok = !failed && fill(s, m, main, debug);
    elf_close(debug);
    elf_close(main);
    return ok;
}

/* The program is gone, but its debug file may be here. */
static bool open_debug_only(struct symbols *s, struct symbols_module *m)
{
    bool failed = false;
    struct elf_file *debug = debug_by_id(s, m->build_id, &failed);
    bool ok = !failed && (!debug || fill(s, m, debug, NULL));
    elf_close(debug);
    return ok;
}

/* ---- all of them ---- */

static bool say_nothing_found(struct symbols *s, struct symbols_module *m, const struct find_list *places)
{
    struct output *out = NULL;
    if (output_open_memory(&out, s->mem, NULL) != 0) return false;
    output_text(out, "nothing found");
    for (size_t i = 0; i < places->paths.len; i++) output_printf(out, "%s%s", i ? ", " : "; tried ", places->paths.at[i]);
    const char *text = output_failed(out) ? NULL : arena_copy(&s->text, output_memory(out));
    output_abort(out);
    if (text) m->source = text;
    return text != NULL;
}

static bool open_all(struct symbols *s, struct symbols_module *m, const struct find_list *places)
{
    if (!open_logical(s, m, places)) return false;
    if (!m->table && !open_kernel(s, m)) return false;
    if (!m->table && !open_structure(s, m)) return false;
    for (size_t i = 0; i < places->paths.len && !m->table; i++)
        if (access(places->paths.at[i], F_OK) == 0 && !open_program(s, m, places->paths.at[i])) return false;
    if (!m->table && m->build_id[0] && !open_debug_only(s, m)) return false;
    return m->table || say_nothing_found(s, m, places);
}

bool module_open(struct symbols *s, struct symbols_module *m)
{
    SCOPED(find_done) struct find_list places;
    find_init(&places, s->mem);
    find_module(&places, &s->options, m->path, m->build_id);
    bool ok = !places.failed && open_all(s, m, &places);
    if (ok && m->table) {
        symtab_guide(m->table);
        ok = !m->table->failed;
    }
    if (!m->table || !ok) {
        loops_free(m->loops);
        m->loops = NULL;
    }
    if (!ok && m->owns_table) drop_table(s, m->table);
    if (!ok) m->table = NULL, m->owns_table = false, m->source = "not looked at";
    m->is_open = ok;
    return ok;
}
