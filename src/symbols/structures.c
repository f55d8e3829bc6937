/* Which structure file describes a module. The first LM of each file is looked at when the first module is opened; a file is loaded when a module
 * is in it. Files with several LMs are rare: the rest of them is read only for a module that nobody else knows. */
#include <limits.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "symbols/module.h"

struct loading {
    struct symbols *s;
    struct symbols_structure *file;
    bool is_peek, is_memory;
};

enum { STOP = 1 };

/* The first error makes the file unusable. */
static int refuse(void *arg, const struct structure_record *r)
{
    struct loading *l = arg;
    if (r->severity != ASSAY_ERROR) return 0;
    trouble_tell(&l->s->trouble, "SY01", "%s: line %llu: %s (%s); this structure file is not used", l->file->path, (unsigned long long)r->line, r->message,
                 r->rule);
    l->file->is_bad = true;
    return STOP;
}

static int take(void *arg, const struct structure_record *r)
{
    struct loading *l = arg;
    if (r->kind == STRUCTURE_DAMAGE) return refuse(l, r);
    if (!l->is_peek) return structure_index_add(l->file->index, r);
    if (r->kind != STRUCTURE_MODULE) return 0;
    l->file->first = arena_copy(&l->s->text, r->name.data ? r->name : SLICE(""));
    return l->file->first ? STOP : ASSAY_ERR_MEMORY;
}

/* false = no memory. */
static bool parse(struct symbols *s, struct symbols_structure *file, bool is_peek)
{
    SCOPED(input_drop) struct input *in = NULL;
    assay_error err = { 0 };
    struct input_options o = { .mem = s->mem };
    struct loading l = { .s = s, .file = file, .is_peek = is_peek };
    if (is_peek) file->is_peeked = true;
    int rc = input_open(&in, file->path, &o, &err);
    if (rc == 0 && input_is_dir(in))
        file->is_bad = true;
    else if (rc == 0) {
        if (!is_peek) file->index->report = refuse, file->index->report_arg = &l;
        rc = structure_parse(in, s->mem, take, &l, &err);
    }
    if (rc == ASSAY_ERR_MEMORY) return false;
    if (rc < 0) {
        file->is_bad = true;
        trouble_tell(&s->trouble, rc == ASSAY_ERR_UNSUPPORTED ? "SY05" : "SY02", "%s: %s", file->path, err.text);
    }
    return true;
}

static bool load(struct symbols *s, struct symbols_structure *file)
{
    if (file->index || file->is_bad) return true;
    struct structure_index *ix = mem_alloc(s->mem, sizeof *ix);
    if (!ix) return false;
    structure_index_init(ix, s->mem, NULL, NULL);
    file->index = ix;
    bool ok = parse(s, file, false);
    if (ok && !file->is_bad) {
        ix->report = NULL;
        return true;
    }
    structure_index_done(ix);
    mem_free(s->mem, ix, sizeof *ix);
    file->index = NULL;
    return ok;
}

/* Whether a second LM may be in it: looks for its tag as bytes, which costs next to nothing beside parsing. */
static bool has_more(struct symbols *s, struct symbols_structure *file)
{
    SCOPED(input_drop) struct input *in = NULL;
    assay_slice block;
    uint64_t off;
    unsigned found = 0;
    struct input_options o = { .mem = s->mem };
    if (file->is_counted) return file->has_more;
    file->is_counted = true;
    if (input_open(&in, file->path, &o, NULL) != 0) return false;
    while (found < 2 && !input_is_dir(in) && input_block(in, true, &block, &off, NULL) == 0 && block.len) {
        const char *p = block.data, *end = block.data + block.len;
        while (found < 2 && (p = memmem(p, (size_t)(end - p), "<LM", 3))) found++, p++;
    }
    return file->has_more = found > 1;
}

static bool list_files(struct symbols *s)
{
    if (s->has_structures) return true;
    find_structures(&s->structure_paths, &s->options);
    if (s->structure_paths.failed) return false;
    for (size_t i = 0; i < s->structure_paths.paths.len; i++) {
        struct symbols_structure *f = vec_push(s->mem, &s->structures);
        if (!f) return false;
        *f = (struct symbols_structure){ .path = s->structure_paths.paths.at[i] };
    }
    s->has_structures = true;
    return true;
}

/* ---- names ---- */

static bool ends_with(const char *path, const char *tail)
{
    size_t len = strlen(path), tail_len = strlen(tail);
    return len > tail_len && path[len - tail_len - 1] == '/' && strcmp(path + len - tail_len, tail) == 0;
}

static bool same_file(const char *a, const char *b)
{
    char x[PATH_MAX], y[PATH_MAX];
    return realpath(a, x) && realpath(b, y) && strcmp(x, y) == 0;
}

/* By the path as it is; for modules of the directory, which may have been moved, by its end; by the path that both stand for here. */
static bool is_same(struct symbols *s, const char *lm, const char *module, bool *failed)
{
    const char *a, *b;
    if (strcmp(lm, module) == 0) return true;
    if (module[0] != '/' && module[0] && ends_with(lm, module)) return true;
    if (strcmp(path_base(lm), path_base(module)) != 0) return false;
    if (!find_resolve(&s->text, &s->options, lm, &a) || !find_resolve(&s->text, &s->options, module, &b)) {
        *failed = true;
        return false;
    }
    return strcmp(a, b) == 0 || (!s->options.foreign && same_file(a, b));
}

static struct symtab *find_in(struct symbols *s, struct symbols_structure *f, const char *module, bool *failed)
{
    for (size_t i = 0; f->index && i < f->index->modules.len; i++)
        if (is_same(s, f->index->modules.at[i]->name, module, failed)) return &f->index->modules.at[i]->table;
    return NULL;
}

struct symtab *structures_find(struct symbols *s, const char *module, const char **path, bool *failed)
{
    *failed = !list_files(s);
    /* first those whose first module it is, then all others */
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->structures.len && !*failed; i++) {
            struct symbols_structure *f = &s->structures.at[i];
            if (!f->is_peeked && !parse(s, f, true)) *failed = true;
            if (*failed || f->is_bad || (pass == 0 && (!f->first || !is_same(s, f->first, module, failed)))) continue;
            if (pass == 1 && !f->index && !has_more(s, f)) continue;
            if (!load(s, f)) *failed = true;
            struct symtab *t = *failed ? NULL : find_in(s, f, module, failed);
            *path = f->path;
            if (t) return t;
        }
    }
    return NULL;
}
