/* Regions that are offsets in a script -> lines, branches and places, where the source of the script is at hand: the part of copy.h for
 * V8's coverage. docs/formats/v8.md, "Lines", says what becomes of what. */
#include <stdio.h>

#include "analysis/coverage/copy.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"

bool coverage_offsets_has(const struct assay_coverage *c, uint32_t i)
{
    return AT(c->region_kind, i) == ASSAY_REGION_CODE && !AT(c->region_first_column, i) && !AT(c->region_last_column, i) && c->region_first && c->region_last;
}

bool coverage_offsets_lack_lines(const assay_profile *p)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    bool is_any = false;
    for (uint32_t i = 0; !c->line_count && !is_any && i < c->region_count; i++) is_any = coverage_offsets_has(c, i);
    return is_any;
}

const char *coverage_offsets_lack(const assay_profile *p)
{
    size_t count;
    const assay_finding *w = assay_profile_warnings(p, &count);
    if (!coverage_offsets_lack_lines(p)) return NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(w[i].rule, "P-1") == 0 || strcmp(w[i].rule, "P-6") == 0) return w[i].message;
    return "counts ranges of text, not lines; needs the sources to map them to lines";
}

bool coverage_offsets_are(const struct coverage_copy *k, uint32_t region)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    return k->texts && k->texts[ID(c->region_file, region)].at && coverage_offsets_has(c, region);
}

/* ---- functions ---- */

void coverage_offsets_find(struct coverage_copy *k)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    for (uint32_t i = 0; i < c->region_count; i++) {
        uint32_t func = ID(c->region_func, i);
        if (func && !k->root[func].region && coverage_offsets_are(k, i)) k->root[func].region = i + 1;
    }
    for (uint32_t i = 0; i < c->func_count; i++)
        if (AT(c->func_blocks, i)) k->root[c->func[i].v].has_blocks = true;
}

struct offset_place coverage_offsets_place(const struct coverage_copy *k, uint32_t region)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    const struct offset_text *t = &k->texts[ID(c->region_file, region)];
    return offset_text_place(t, AT(c->region_first, region), AT(c->region_last, region));
}

/* A function is identified by NAME@OFFSET as long as it has no line. */
static assay_slice plain_name(assay_slice name, uint64_t offset)
{
    char tail[24];
    snprintf(tail, sizeof tail, "@%llu", (unsigned long long)offset);
    if (slice_ends(name, tail)) name.len -= strlen(tail);
    return name;
}

bool coverage_offsets_is_script(const assay_profile *p, uint32_t i)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint32_t func = ID(c->region_func, i);
    return func && c->region_first[i] == 0 && slice_is(assay_profile_string(p, (assay_str_id){ ID(f->name, func) }), "@0");
}

assay_func_id coverage_offsets_func(struct coverage_copy *k, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(k->from);
    uint32_t region = k->root[func].region - 1;
    assay_slice name = plain_name(assay_profile_string(k->from, f->name[func]), AT(assay_profile_coverage(k->from)->region_first, region));
    struct offset_place place = coverage_offsets_place(k, region);
    if (!name.len || !place.line) return (assay_func_id){ 0 };
    assay_func_id id =
        assay_build_func(k->to, assay_build_string(k->to, name.data, name.len), k->file[ID(f->file, func)], (assay_module_id){ 0 }, 0, place.line);
    assay_build_func_lines(k->to, id, place.line, place.end_line);
    return id;
}

/* ---- ranges ---- */

struct offsets {
    struct coverage_copy *k;
    const struct assay_coverage *c;
    uint32_t *row, *begin; /* regions by file: those of file n are row[begin[n]] to row[begin[n + 1]] */
    uint32_t *seen;        /* by function: the run that it was last seen in */
    uint32_t run;
    size_t files;
    VEC(struct offset_range) ranges;
    assay_str_id word;
};

static bool sort_by_file(struct offsets *o)
{
    struct mem *mem = o->k->mem;
    o->files = (size_t)assay_profile_files(o->k->from)->count + 1;
    o->begin = mem_zalloc(mem, o->files + 2, sizeof *o->begin);
    o->row = mem_zalloc(mem, (size_t)o->c->region_count + 1, sizeof *o->row);
    o->seen = mem_zalloc(mem, o->k->func_count, sizeof *o->seen);
    if (!o->begin || !o->row || !o->seen) return false;
    for (uint32_t i = 0; i < o->c->region_count; i++) o->begin[ID(o->c->region_file, i) + 2] += coverage_offsets_are(o->k, i);
    for (size_t n = 2; n <= o->files + 1; n++) o->begin[n] += o->begin[n - 1];
    for (uint32_t i = 0; i < o->c->region_count; i++)
        if (coverage_offsets_are(o->k, i)) o->row[o->begin[ID(o->c->region_file, i) + 1]++] = i;
    return true;
}

static void offsets_done(struct offsets *o)
{
    struct mem *mem = o->k->mem;
    mem_free(mem, o->begin, (o->files + 2) * sizeof *o->begin);
    mem_free(mem, o->row, ((size_t)o->c->region_count + 1) * sizeof *o->row);
    mem_free(mem, o->seen, o->k->func_count * sizeof *o->seen);
    vec_done(mem, &o->ranges);
}

/* Every range of a function with blocks is a branch, the function itself too; that is how c8 counts. */
static void put_range(struct offsets *o, uint32_t file, const struct offset_range *r)
{
    struct coverage_copy *k = o->k;
    struct offset_place p = offset_text_place(&k->texts[file], r->first, r->last);
    assay_func_id func = { k->func[r->func] };
    if (!p.line) return;
    assay_build_coverage_region(
        k->to, &(struct assay_coverage_region){ k->file[file], func, ASSAY_REGION_CODE, p.line, p.end_line, p.column, p.end_column, 0, r->hits });
    if (!k->root[r->func].has_blocks) return;
    coverage_copy_branch(k, file,
                         &(struct assay_coverage_branch){ .file = k->file[file],
                                                          .line = p.line,
                                                          .func = func,
                                                          .name = o->word,
                                                          .hits = r->hits,
                                                          .column = p.column,
                                                          .end_line = p.end_line,
                                                          .end_column = p.end_column });
}

static void end_run(struct offsets *o, uint32_t file, struct offset_hits *h)
{
    size_t count = offset_ranges_join(o->ranges.at, o->ranges.len);
    for (size_t i = 0; i < count; i++) put_range(o, file, &o->ranges.at[i]);
    offset_hits_add(h, &o->k->texts[file], o->ranges.at, count);
    o->ranges.len = 0;
    o->run++;
}

/* A script may have run several times, in worlds of their own: a function that comes again begins the next run. Of a script without functions that
 * is only seen by its range. */
static bool is_next_run(struct offsets *o, const struct offset_range *r)
{
    const struct offset_range *last = o->ranges.len ? &o->ranges.at[o->ranges.len - 1] : NULL, *first = o->ranges.at;
    bool is_new = last && (last->func != r->func || (first->func == r->func && first->first == r->first && first->last == r->last));
    bool is_again = is_new && o->seen[r->func] == o->run;
    o->seen[r->func] = o->run + is_again;
    return is_again;
}

static int gather(struct offsets *o, uint32_t file, struct offset_hits *h, assay_error *err)
{
    for (uint32_t i = o->begin[file]; i < o->begin[file + 1]; i++) {
        TRY(cancel_step(i, err));
        uint32_t row = o->row[i];
        struct offset_range r = {
            .first = AT(o->c->region_first, row), .last = AT(o->c->region_last, row), .hits = AT(o->c->region_hits, row), .func = ID(o->c->region_func, row)
        };
        if (r.last < r.first) continue;
        if (is_next_run(o, &r)) end_run(o, file, h);
        struct offset_range *slot = vec_push(o->k->mem, &o->ranges);
        if (!slot) return error_memory(err);
        *slot = r;
    }
    end_run(o, file, h);
    return 0;
}

static int put_file(struct offsets *o, uint32_t file, assay_error *err)
{
    struct coverage_copy *k = o->k;
    const struct offset_text *t = &k->texts[file];
    struct offset_hits h;
    int rc = offset_hits_init(&h, t, k->mem) ? gather(o, file, &h, err) : error_memory(err);
    for (uint32_t i = 0; rc == 0 && i < t->count && (rc = cancel_step(i, err)) == 0; i++) {
        k->hits_made = wide_add_u64(k->hits_made, h.hits[i]);
        coverage_copy_line(
            k, file,
            &(struct assay_coverage_line){ .file = k->file[file], .line = i + 1, .hits = h.hits[i], .flags = h.is_partial[i] ? ASSAY_COVERAGE_PARTIAL : 0 });
    }
    offset_hits_done(&h, t, k->mem);
    return rc;
}

int coverage_offsets_copy(struct coverage_copy *k, assay_error *err)
{
    SCOPED(offsets_done) struct offsets o = { .k = k, .c = assay_profile_coverage(k->from), .run = 1 };
    if (!k->texts || !o.c->region_count) return 0;
    o.word = assay_build_string(k->to, "block", 5);
    if (!sort_by_file(&o)) return error_memory(err);
    for (uint32_t i = 1; i < o.files; i++) {
        TRY(cancel_step(i, err));
        if (k->texts[i].at && !(k->is_dropped && k->is_dropped[i])) TRY(put_file(&o, i, err));
    }
    return 0;
}
