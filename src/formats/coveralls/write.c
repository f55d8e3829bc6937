/* Coverage of a sealed profile -> JSON of coveralls.io: files by path, lines, branches and functions by line, each once. */
#include "base/cancel.h"
#include "base/json.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/coverage/order.h"
#include "formats/coveralls/coveralls.h"
#include "model/entry.h"

#define VALUE(column, row) ((column) ? (column)[row] : 0)

struct out_branch {
    assay_slice block, name;
    uint64_t hits;
    int64_t target;
    uint32_t func, index, column, end_line, end_column;
};
struct named_file {
    assay_slice path;
    uint32_t file;
};
struct writer {
    const assay_profile *p;
    const struct assay_coverage *c;
    struct mem *mem;
    struct json j;
    struct coverage_order lines, branches, sums, funcs;
    VEC(struct out_branch) list; /* branches of the line in work */
    bool has_branches;           /* the list of the file is open */
};

static uint64_t add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/* ---- lines ---- */

/* The line of the rows from *at on, which moves behind it; false = nothing of it counts. */
static bool line_hits(const struct writer *w, uint32_t *at, uint64_t *hits)
{
    uint64_t key = w->lines.key[*at];
    bool is_open = false, only_hit = false;
    *hits = 0;
    for (; *at < w->lines.count && w->lines.key[*at] == key; ++*at) {
        uint32_t row = w->lines.row[*at];
        uint8_t flags = VALUE(w->c->line_flags, row);
        if (flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) continue;
        is_open = true;
        only_hit |= (flags & ASSAY_COVERAGE_ONLY_HIT) != 0;
        *hits = add(*hits, w->c->line_hits[row]);
    }
    if (only_hit) *hits = *hits > 0;
    return is_open;
}

static void put_lines(struct writer *w, uint32_t file)
{
    uint32_t next = 1;
    uint64_t hits;
    json_key(&w->j, "coverage");
    json_array(&w->j);
    for (uint32_t i = coverage_order_first(&w->lines, file); coverage_order_is_of(&w->lines, i, file);) {
        uint32_t line = (uint32_t)w->lines.key[i];
        if (!line_hits(w, &i, &hits) || line > COVERALLS_LINE_MOST || !line) continue;
        for (; next < line; next++) json_null(&w->j);
        json_u64(&w->j, hits);
        next = line + 1;
    }
    json_end(&w->j);
}

/* ---- branches ---- */

/* Shorter texts first, so that numbers come in their order. */
static int by_text(assay_slice a, assay_slice b) { return a.len != b.len ? (a.len < b.len ? -1 : 1) : slice_compare(a, b); }

static int by_identity(const void *x, const void *y)
{
    const struct out_branch *a = x, *b = y;
    int c = by_text(a->block, b->block);
    if (c == 0) c = by_text(a->name, b->name);
    if (c) return c;
    ORDER_BY(a->func, b->func);
    ORDER_BY(a->index, b->index);
    ORDER_BY(a->column, b->column);
    ORDER_BY(a->end_line, b->end_line);
    ORDER_BY(a->end_column, b->end_column);
    ORDER_BY(a->target, b->target);
    return 0;
}

static bool gather_branches(struct writer *w, uint32_t *at, uint64_t key)
{
    const struct assay_coverage *c = w->c;
    size_t n = 0;
    w->list.len = 0;
    for (; *at < w->branches.count && w->branches.key[*at] == key; ++*at) {
        uint32_t row = w->branches.row[*at];
        if (VALUE(c->branch_flags, row) & (ASSAY_COVERAGE_BRANCH_UNREACHABLE | ASSAY_COVERAGE_BRANCH_EXCLUDED)) continue;
        struct out_branch *b = vec_push(w->mem, &w->list);
        if (!b) return false;
        *b = (struct out_branch){ .hits = c->branch_hits[row],
                                  .target = VALUE(c->branch_target, row),
                                  .func = ID(c->branch_func, row),
                                  .column = VALUE(c->branch_column, row),
                                  .end_line = VALUE(c->branch_end_line, row),
                                  .end_column = VALUE(c->branch_end_column, row) };
        if (c->branch_block) b->block = assay_profile_string(w->p, c->branch_block[row]);
        if (c->branch_name) b->name = assay_profile_string(w->p, c->branch_name[row]);
        if (!b->block.data && !b->name.data) b->index = VALUE(c->branch_index, row);
    }
    if (w->list.len) sort_by(w->list.at, w->list.len, sizeof *w->list.at, by_identity);
    for (size_t i = 0; i < w->list.len; i++) {
        if (n && by_identity(&w->list.at[n - 1], &w->list.at[i]) == 0)
            w->list.at[n - 1].hits = add(w->list.at[n - 1].hits, w->list.at[i].hits);
        else
            w->list.at[n++] = w->list.at[i];
    }
    w->list.len = n;
    return true;
}

static bool is_number(assay_slice text)
{
    uint64_t v;
    return text.len && text.len < 10 && (text.len == 1 || text.data[0] != '0') && number_u64(text, &v) == NUMBER_OK;
}

static void put_branch(struct writer *w, uint32_t line, uint64_t block, uint64_t branch, uint64_t hits)
{
    if (!w->has_branches) {
        json_key(&w->j, "branches");
        json_array(&w->j);
    }
    w->has_branches = true;
    json_u64(&w->j, line);
    json_u64(&w->j, block);
    json_u64(&w->j, branch);
    json_u64(&w->j, hits);
}

/* Block and branch as they are named when both are numbers for all of the line, else numbered here. */
static void put_named(struct writer *w, uint32_t line, uint64_t *ordinal)
{
    bool are_numbers = true;
    for (size_t i = 0; i < w->list.len; i++) are_numbers &= is_number(w->list.at[i].block) && is_number(w->list.at[i].name);
    for (size_t i = 0; i < w->list.len; i++) {
        uint64_t block = 0, branch = (*ordinal)++;
        if (are_numbers) {
            number_u64(w->list.at[i].block, &block);
            number_u64(w->list.at[i].name, &branch);
        }
        put_branch(w, line, block, branch, w->list.at[i].hits);
    }
}

/* n of m: n branches that were taken once, and the others that were not. Rows of one line are the same branches. */
static void put_sums(struct writer *w, uint32_t *at, uint64_t key, uint64_t ordinal)
{
    uint32_t hit = 0, total = 0;
    for (; *at < w->sums.count && w->sums.key[*at] == key; ++*at) {
        uint32_t row = w->sums.row[*at];
        if (!slice_is(assay_profile_string(w->p, w->c->sum_kind[row]), "branches")) continue;
        if (w->c->sum_hit[row] > hit) hit = w->c->sum_hit[row];
        if (w->c->sum_total[row] > total) total = w->c->sum_total[row];
    }
    for (uint32_t i = 0; total <= COVERALLS_SUM_MOST && i < total; i++) put_branch(w, (uint32_t)key, 0, ordinal++, i < hit);
}

static bool put_branches(struct writer *w, uint32_t file)
{
    uint32_t b = coverage_order_first(&w->branches, file), s = coverage_order_first(&w->sums, file);
    w->has_branches = false;
    while (coverage_order_is_of(&w->branches, b, file) || coverage_order_is_of(&w->sums, s, file)) {
        uint64_t key = coverage_order_is_of(&w->branches, b, file) ? w->branches.key[b] : UINT64_MAX, ordinal = 0;
        if (coverage_order_is_of(&w->sums, s, file) && w->sums.key[s] < key) key = w->sums.key[s];
        if (!gather_branches(w, &b, key)) return false;
        if ((uint32_t)key) put_named(w, (uint32_t)key, &ordinal);
        put_sums(w, &s, key, ordinal);
    }
    if (w->has_branches) json_end(&w->j);
    return true;
}

/* ---- functions ---- */

/* An extension of grcov's. */
static void put_functions(struct writer *w, uint32_t file)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    uint32_t first = coverage_order_first(&w->funcs, file);
    if (!coverage_order_is_of(&w->funcs, first, file)) return;
    json_key(&w->j, "functions");
    json_array(&w->j);
    for (uint32_t i = first, next; coverage_order_is_of(&w->funcs, i, file); i = next) {
        uint32_t func = w->c->func[w->funcs.row[i]].v;
        bool is_open = false, was_called = false;
        for (next = i; next < w->funcs.count && w->c->func[w->funcs.row[next]].v == func; next++) {
            is_open |= !(VALUE(w->c->func_flags, w->funcs.row[next]) & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE));
            was_called |= w->c->func_calls[w->funcs.row[next]] > 0;
        }
        if (!is_open) continue;
        json_object(&w->j);
        json_key(&w->j, "name");
        json_string(&w->j, assay_profile_string(w->p, f->name[func]));
        json_key(&w->j, "start");
        json_u64(&w->j, VALUE(f->first_line, func));
        json_key(&w->j, "exec");
        json_bool(&w->j, was_called);
        json_end(&w->j);
    }
    json_end(&w->j);
}

/* ---- the whole ---- */

static bool put_file(struct writer *w, const struct named_file *n)
{
    const struct assay_files *files = assay_profile_files(w->p);
    json_object(&w->j);
    json_key(&w->j, "name");
    json_string(&w->j, n->path);
    assay_slice origin = files->origin ? assay_profile_string(w->p, files->origin[n->file]) : SLICE("");
    if (coveralls_is_digest(origin)) {
        json_key(&w->j, "source_digest");
        json_string(&w->j, origin);
    }
    put_lines(w, n->file);
    bool done = put_branches(w, n->file);
    put_functions(w, n->file);
    if (files->source && files->source[n->file].v) {
        json_key(&w->j, "source");
        json_string(&w->j, assay_profile_string(w->p, files->source[n->file]));
    }
    json_end(&w->j);
    return done;
}

static int by_path(const void *x, const void *y)
{
    const struct named_file *a = x, *b = y;
    int c = slice_compare(a->path, b->path);
    return c ? c : ORDER(a->file, b->file);
}

static bool put_files(struct writer *w)
{
    const struct assay_files *files = assay_profile_files(w->p);
    SCRATCH(struct named_file, list, w->mem, files->count);
    bool done = list != NULL;
    for (uint32_t i = 0; done && i < files->count && (done = !cancel_at(i)); i++)
        list[i] = (struct named_file){ assay_profile_string(w->p, files->path[i + 1]), i + 1 };
    if (done && files->count) sort_by(list, files->count, sizeof *list, by_path);
    json_key(&w->j, "source_files");
    json_array(&w->j);
    for (uint32_t i = 0; done && i < files->count && (done = !cancel_at(i)); i++) done = put_file(w, &list[i]);
    json_end(&w->j);
    return done;
}

static assay_slice attribute(const assay_profile *p, const char *key)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    for (uint32_t i = 0; i < a->count; i++)
        if (slice_is(assay_profile_string(p, a->key[i]), key)) return assay_profile_string(p, a->value[i]);
    return (assay_slice){ NULL, 0 };
}

/* What a file of the same format said of the build. */
static void put_facts(struct writer *w)
{
    assay_slice branch = attribute(w->p, "git.branch"), head = attribute(w->p, "git.head");
    for (int i = 0; i < COVERALLS_FACTS; i++) {
        assay_slice value = attribute(w->p, coveralls_facts[i].data);
        if (!value.data) continue;
        json_key(&w->j, coveralls_facts[i].data);
        if (slice_is(value, "true") || slice_is(value, "false"))
            json_bool(&w->j, value.data[0] == 't');
        else
            json_string(&w->j, value);
    }
    if (!branch.data && !head.data) return;
    json_key(&w->j, "git");
    json_object(&w->j);
    json_key(&w->j, "head");
    json_object(&w->j);
    json_key(&w->j, "id");
    json_string(&w->j, head.data ? head : SLICE(""));
    json_end(&w->j);
    if (branch.data) {
        json_key(&w->j, "branch");
        json_string(&w->j, branch);
    }
    json_end(&w->j);
}

static int put(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct writer w = { .p = p, .c = assay_profile_coverage(p), .mem = job->mem };
    const struct assay_coverage *c = w.c;
    bool done = coverage_order_make(&w.lines, w.mem, c->line_file, c->line_number, c->line_count) &&
                coverage_order_make(&w.branches, w.mem, c->branch_file, c->branch_line, c->branch_count) &&
                coverage_order_make(&w.sums, w.mem, c->sum_file, c->sum_line, c->sum_count) && coverage_order_functions(&w.funcs, w.mem, p);
    json_init(&w.j, out);
    if (done) {
        json_object(&w.j);
        put_facts(&w);
        done = put_files(&w);
        json_end(&w.j);
    }
    coverage_order_free(&w.lines, job->mem);
    coverage_order_free(&w.branches, job->mem);
    coverage_order_free(&w.sums, job->mem);
    coverage_order_free(&w.funcs, job->mem);
    vec_done(job->mem, &w.list);
    return done ? 0 : error_memory(err);
}

int coveralls_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    if (!(assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data, which is all that coveralls can hold");
    coveralls_losses(p, job->losses);
    TRY(losses_settle(job, err));
    return put(p, job, out, err);
}
