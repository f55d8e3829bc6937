/* Names of an input -> names of the merger. Strings and functions are taken over when a row first needs them, files all at once. */
#include <stdarg.h>
#include <stdio.h>

#include "analysis/merge/merge.h"
#include "base/cancel.h"
#include "base/path.h"
#include "model/profile.h"

/* ---- notes ---- */

void merge_note(struct assay_merger *m, enum merge_rule rule, const char *fmt, ...)
{
    struct merge_note *n = &m->notes[rule];
    if (n->count++) return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(n->first, sizeof n->first, fmt, args);
    va_end(args);
}

/* ---- strings ---- */

uint32_t merge_string(struct merge_input *in, uint32_t id)
{
    if (!id || id >= in->string_count) return 0;
    if (!in->strings[id]) in->strings[id] = intern_put(&in->m->strings, assay_profile_string(in->p, (assay_str_id){ id }));
    in->m->no_memory |= !in->strings[id];
    return in->strings[id];
}

uint32_t merge_smaller(const struct assay_merger *m, uint32_t a, uint32_t b)
{
    if (!a || !b || a == b) return a ? a : b;
    return slice_compare(intern_get(&m->strings, a), intern_get(&m->strings, b)) <= 0 ? a : b;
}

uint32_t merge_test(struct merge_input *in, uint32_t test) { return in->m->options.keep_tests ? merge_string(in, test) : 0; }

/* ---- modules and files ---- */

uint32_t merge_module_put(struct assay_merger *m, const struct merge_module *a)
{
    uint64_t hash = hash_mix(a->path, a->build_id);
    for (struct index_walk w = index_walk(&m->module_index, hash); index_next(&m->module_index, &w);) {
        const struct merge_module *b = &m->modules.at[w.id - 1];
        if (true SCHEMA_MODULES(MERGE_SAME, _)) return w.id;
    }
    struct merge_module *at = vec_push(&m->mem, &m->modules);
    if (!at) return 0;
    *at = *a;
    uint32_t id = (uint32_t)m->modules.len;
    return index_add(&m->module_index, hash, id) ? id : 0;
}

static uint32_t module_id(struct merge_input *in, uint32_t i)
{
    const struct assay_modules *t = assay_profile_modules(in->p);
    return merge_module_put(in->m, &(struct merge_module){ SCHEMA_MODULES(MERGE_TAKE, _) });
}

static int file_again(struct merge_input *in, struct merge_file *to, const struct merge_file *said)
{
    struct assay_merger *m = in->m;
    assay_slice path = intern_get(&m->strings, to->spelling);
    if (to->path != said->path) to->path = 0;
    if (to->origin && said->origin && to->origin != said->origin) {
        if (m->options.strict)
            FAIL(in->err, ASSAY_ERR_DAMAGED, "cannot be merged with earlier inputs: the version of '%.*s' differs", merge_shown(path), path.data);
        to->has_versions = true;
    }
    to->has_versions |= said->has_versions;
    SCHEMA_FILES(MERGE_FOLD, _)
    return 0;
}

static bool same_file(const struct merge_file *a, const struct merge_file *b) { return true SCHEMA_FILES(MERGE_SAME, _); }

int merge_file_put(struct merge_input *in, const struct merge_file *said, uint32_t *out)
{
    struct assay_merger *m = in->m;
    uint64_t hash = hash_mix(said->spelling, said->module);
    for (struct index_walk w = index_walk(&m->file_index, hash); index_next(&m->file_index, &w);) {
        struct merge_file *f = &m->files.at[w.id - 1];
        if (!same_file(f, said)) continue;
        *out = w.id;
        return file_again(in, f, said);
    }
    struct merge_file *f = vec_push(&m->mem, &m->files);
    if (!f) return error_memory(in->err);
    *f = *said;
    f->parent = f->parent_line = 0; /* merge_file_parent */
    *out = (uint32_t)m->files.len;
    return index_add(&m->file_index, hash, *out) ? 0 : error_memory(in->err);
}

static int file_id(struct merge_input *in, uint32_t i, uint32_t *out)
{
    struct assay_merger *m = in->m;
    const struct assay_files *t = assay_profile_files(in->p);
    struct merge_file said = { SCHEMA_FILES(MERGE_TAKE, _) };
    char *spelling = path_normal(&m->scratch, intern_get(&m->strings, said.path));
    said.spelling = spelling ? intern_put(&m->strings, slice_of(spelling)) : 0;
    return said.spelling ? merge_file_put(in, &said, out) : error_memory(in->err);
}

void merge_file_parent(struct assay_merger *m, uint32_t file, uint32_t parent, uint32_t line)
{
    struct merge_file *f = &m->files.at[file - 1];
    if (!parent || parent == file) return;
    if (f->parent == parent && f->parent_line <= line) return;
    if (f->parent && f->parent != parent) {
        uint32_t known = m->files.at[f->parent - 1].spelling, other = m->files.at[parent - 1].spelling;
        if (merge_smaller(m, known, other) == known) return;
    }
    f->parent = parent;
    f->parent_line = line;
}

/* ---- functions ---- */

static bool same_func(const struct merge_func *a, const struct merge_func *b) { return true SCHEMA_FUNCS(MERGE_SAME, _); }

static void func_again(const struct assay_merger *m, struct merge_func *to, const struct merge_func *said)
{
    SCHEMA_FUNCS(MERGE_FOLD, _)
    to->seen += said->seen;
}

static struct merge_func func_said(struct merge_input *in, uint32_t i)
{
    const struct assay_funcs *t = assay_profile_funcs(in->p);
    struct merge_func said = { SCHEMA_FUNCS(MERGE_TAKE, _).seen = 1 };
    if (!said.module) said.offset = 0; /* it is the number of the function in this one file */
    return said;
}

static uint32_t func_found(struct merge_input *in, uint32_t place, const struct merge_func *said)
{
    func_again(in->m, &in->m->funcs.at[place - 1], said);
    return in->last_func = place;
}

uint32_t merge_func_put(struct merge_input *in, const struct merge_func *said)
{
    struct assay_merger *m = in->m;
    if (in->last_func < m->funcs.len && same_func(&m->funcs.at[in->last_func], said)) return func_found(in, in->last_func + 1, said);
    uint64_t hash = hash_mix(hash_mix(hash_mix(said->name, said->file), (uint64_t)said->module << 32 | said->first_line), said->offset);
    for (struct index_walk w = index_walk(&m->func_index, hash); index_next(&m->func_index, &w);)
        if (same_func(&m->funcs.at[w.id - 1], said)) return func_found(in, w.id, said);
    struct merge_func *f = vec_push(&m->mem, &m->funcs);
    if (!f) return 0;
    *f = *said;
    uint32_t made = (uint32_t)m->funcs.len;
    return index_add(&m->func_index, hash, made) ? made : 0;
}

uint32_t merge_func(struct merge_input *in, uint32_t id)
{
    if (!id || in->funcs[id]) return in->funcs[id];
    struct merge_func said = func_said(in, id);
    return in->funcs[id] = merge_func_put(in, &said);
}

/* ---- units ---- */

uint32_t merge_unit_put(struct assay_merger *m, uint32_t file, uint32_t kept)
{
    uint32_t place = (uint32_t)m->units.len;
    uint64_t hash = hash_mix(file, kept);
    for (struct index_walk w = index_walk(&m->unit_index, hash); index_next(&m->unit_index, &w);) {
        const struct merge_unit *u = &m->units.at[w.id - 1];
        if (u->file == file && u->test == kept) return w.id - 1;
    }
    struct merge_unit *u = vec_push(&m->mem, &m->units);
    if (!u) return UINT32_MAX;
    *u = (struct merge_unit){ .file = file, .test = kept };
    return index_add(&m->unit_index, hash, place + 1) ? place : UINT32_MAX;
}

uint32_t merge_unit(struct merge_input *in, uint32_t file, uint32_t test) { return merge_unit_put(in->m, file, merge_test(in, test)); }

/* ---- an input ---- */

int merge_names_begin(struct merge_input *in)
{
    struct mem *mem = &in->m->mem;
    const struct assay_files *files = assay_profile_files(in->p);
    size_t modules = (size_t)assay_profile_modules(in->p)->count + 1;
    in->string_count = (size_t)intern_count(&in->p->strings) + 1;
    in->strings = mem_zalloc(mem, in->string_count, sizeof *in->strings);
    in->modules = mem_zalloc(mem, modules, sizeof *in->modules);
    in->files = mem_zalloc(mem, (size_t)files->count + 1, sizeof *in->files);
    in->funcs = mem_zalloc(mem, (size_t)assay_profile_funcs(in->p)->count + 1, sizeof *in->funcs);
    if (!in->strings || !in->modules || !in->files || !in->funcs) return error_memory(in->err);
    for (uint32_t i = 1; i < modules; i++)
        if (!(in->modules[i] = module_id(in, i))) return error_memory(in->err);
    for (uint32_t i = 1; i <= files->count; i++) {
        TRY(cancel_step(i, in->err));
        TRY(file_id(in, i, &in->files[i]));
    }
    /* once all have their numbers: the parent of an eval may come after it */
    for (uint32_t i = 1; i <= files->count; i++) merge_file_parent(in->m, in->files[i], in->files[MERGE_ID(files->parent, i)], MERGE_AT(files->parent_line, i));
    return 0;
}

void merge_names_end(struct merge_input *in)
{
    struct mem *mem = &in->m->mem;
    mem_free(mem, in->strings, in->string_count * sizeof *in->strings);
    mem_free(mem, in->modules, ((size_t)assay_profile_modules(in->p)->count + 1) * sizeof *in->modules);
    mem_free(mem, in->files, ((size_t)assay_profile_files(in->p)->count + 1) * sizeof *in->files);
    mem_free(mem, in->funcs, ((size_t)assay_profile_funcs(in->p)->count + 1) * sizeof *in->funcs);
    arena_done(&in->m->scratch);
    arena_init(&in->m->scratch, mem);
}
