/* A sealed profile -> istanbul's coverage-final.json: for each file statements, functions and branches, each a map of places and one of counts. A line without
 * a statement becomes one that reaches to its end. Ids that were read from such a file are written again, others are counted up. */
#include <stdio.h>

#include "analysis/coverage/copy.h"
#include "base/cancel.h"
#include "base/json.h"
#include "base/number.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/coverage/losses.h"
#include "formats/coverage/plan.h"
#include "formats/istanbul/decode.h"
#include "model/entry.h"

enum { SUM_MOST = 10000, NO_ID = UINT32_MAX }; /* n of m is written branch by branch: of a line that says more than that none are */

/* Columns from 1; 0 = unknown. */
struct place {
    uint32_t line, column, end_line, end_column;
};
struct statement {
    uint32_t file;
    struct place at;
    uint64_t hits;
};
struct function {
    assay_slice name;
    struct place at;
    uint64_t calls;
    uint32_t id;
};
/* A path of a branch; those of one branch have one id and follow each other. */
struct arm {
    assay_slice type;
    struct place at;
    uint64_t hits;
    uint32_t id, number;
};
struct writer {
    const assay_profile *p;
    struct mem *mem;
    struct coverage_plan plan;
    struct json j;
    VEC(struct statement) statements; /* of all files */
    /* of the file in work */
    VEC(struct statement) lines;
    VEC(struct function) functions;
    VEC(struct arm) arms;
};

/* ---- statements ---- */

static int by_statement(const void *x, const void *y)
{
    const struct statement *a = x, *b = y;
    ORDER_BY(a->file, b->file);
    ORDER_BY(a->at.line, b->at.line);
    ORDER_BY(a->at.column, b->at.column);
    ORDER_BY(a->at.end_line, b->at.end_line);
    ORDER_BY(a->at.end_column, b->at.end_column);
    return 0;
}

static bool gather_statements(struct writer *w)
{
    const struct assay_coverage *c = assay_profile_coverage(w->p);
    size_t n = 0;
    for (uint32_t i = 0; i < c->region_count && !coverage_offsets_lack_lines(w->p); i++) {
        if (AT(c->region_kind, i) != ASSAY_REGION_STATEMENT || c->region_first[i] > UINT32_MAX || c->region_last[i] > UINT32_MAX) continue;
        struct statement *s = vec_push(w->mem, &w->statements);
        if (!s) return false;
        *s = (struct statement){ ID(c->region_file, i),
                                 { (uint32_t)c->region_first[i], AT(c->region_first_column, i), (uint32_t)c->region_last[i], AT(c->region_last_column, i) },
                                 c->region_hits[i] };
    }
    if (w->statements.len) sort_by(w->statements.at, w->statements.len, sizeof *w->statements.at, by_statement);
    for (size_t i = 0; i < w->statements.len; i++) {
        if (n && by_statement(&w->statements.at[n - 1], &w->statements.at[i]) == 0)
            w->statements.at[n - 1].hits = coverage_add(w->statements.at[n - 1].hits, w->statements.at[i].hits);
        else
            w->statements.at[n++] = w->statements.at[i];
    }
    w->statements.len = n;
    return true;
}

static bool add_line(struct writer *w, struct statement s)
{
    struct statement *slot = vec_push(w->mem, &w->lines);
    if (slot) *slot = s;
    return slot != NULL;
}

/* Statements and lines of a file, in order. */
static bool gather_lines(struct writer *w, const struct coverage_out_file *f)
{
    const struct coverage_plan *plan = &w->plan;
    uint64_t end = ((uint64_t)f->file + 1) << 32;
    size_t s = 0, most = w->statements.len, line = f->at.line;
    w->lines.len = 0;
    while (s < most) { /* the first of the file */
        size_t middle = s + (most - s) / 2;
        if (w->statements.at[middle].file < f->file)
            s = middle + 1;
        else
            most = middle;
    }
    for (;;) {
        const struct statement *next = s < w->statements.len && w->statements.at[s].file == f->file ? &w->statements.at[s] : NULL;
        const struct coverage_out_line *l = line < plan->lines.len && plan->lines.at[line].key < end ? &plan->lines.at[line] : NULL;
        if (!next && !l) return true;
        if (next && (!l || next->at.line <= (uint32_t)l->key)) {
            if (!add_line(w, *next)) return false;
            s++;
            continue;
        }
        uint32_t number = (uint32_t)l->key;
        bool has_statement = w->lines.len && w->lines.at[w->lines.len - 1].at.line == number;
        if (number && !has_statement && !add_line(w, (struct statement){ f->file, { number, 1, number, 0 }, l->hits })) return false;
        line++;
    }
}

/* ---- functions ---- */

/* NAME#ID -> NAME and ID; NO_ID where the name has none. */
static struct function split(assay_slice name)
{
    const char *hash = name.len ? memrchr(name.data, '#', name.len) : NULL;
    uint64_t id;
    if (!hash || number_u64(slice_from(hash + 1, name.data + name.len), &id) != NUMBER_OK || id >= NO_ID) return (struct function){ .name = name, .id = NO_ID };
    return (struct function){ .name = slice_from(name.data, hash), .id = (uint32_t)id };
}

static int by_id(const void *x, const void *y)
{
    const struct function *a = x, *b = y;
    ORDER_BY(a->id, b->id);
    ORDER_BY(a->at.line, b->at.line);
    ORDER_BY(a->at.column, b->at.column);
    return slice_compare(a->name, b->name);
}

static bool gather_functions(struct writer *w, const struct coverage_out_file *f)
{
    const struct assay_funcs *funcs = assay_profile_funcs(w->p);
    uint64_t end = ((uint64_t)f->file + 1) << 32;
    uint32_t next = 0;
    w->functions.len = 0;
    for (size_t i = f->at.func; i < w->plan.funcs.len && w->plan.funcs.at[i].key < end; i++) {
        const struct coverage_out_func *from = &w->plan.funcs.at[i];
        struct function *to = vec_push(w->mem, &w->functions);
        if (!to) return false;
        *to = split(assay_profile_string(w->p, funcs->name[from->func]));
        uint32_t last = AT(funcs->last_line, from->func);
        to->at = (struct place){ (uint32_t)from->key, from->column, last ? last : (uint32_t)from->key, last ? from->end_column : 0 };
        to->calls = from->calls;
    }
    if (w->functions.len) sort_by(w->functions.at, w->functions.len, sizeof *w->functions.at, by_id);
    for (size_t i = 0; i < w->functions.len; i++) {
        struct function *at = &w->functions.at[i];
        if (at->id == NO_ID || at->id < next) at->id = next;
        next = at->id + 1;
    }
    return true;
}

/* ---- branches ---- */

/* "NUMBER TYPE" in a branch that is a number, as such files are read. */
static bool is_own(const struct writer *w, const struct coverage_out_branch *b, struct arm *out)
{
    assay_slice block = assay_profile_string(w->p, (assay_str_id){ b->block }), name = assay_profile_string(w->p, (assay_str_id){ b->name });
    const char *space = name.len ? memchr(name.data, ' ', name.len) : NULL;
    uint64_t id, number;
    if (!space || number_u64(block, &id) != NUMBER_OK || number_u64(slice_from(name.data, space), &number) != NUMBER_OK) return false;
    out->id = (uint32_t)id;
    out->number = (uint32_t)number;
    out->type = slice_from(space + 1, name.data + name.len);
    return id < NO_ID && number < NO_ID;
}

static int by_arm(const void *x, const void *y)
{
    const struct arm *a = x, *b = y;
    ORDER_BY(a->id, b->id);
    ORDER_BY(a->number, b->number);
    ORDER_BY(a->at.line, b->at.line);
    return 0;
}

static bool add_arm(struct writer *w, const struct arm *a)
{
    struct arm *slot = vec_push(w->mem, &w->arms);
    if (slot) *slot = *a;
    return slot != NULL;
}

/* Branches one by one; those that another format named belong together by line, function and block. */
static bool gather_arms(struct writer *w, const struct coverage_out_file *f)
{
    const struct coverage_plan *plan = &w->plan;
    uint64_t end = ((uint64_t)f->file + 1) << 32;
    bool are_own = true;
    struct arm a = { .type = SLICE("branch") };
    for (size_t i = f->at.branch; i < plan->branches.len && plan->branches.at[i].key < end; i++) are_own = are_own && is_own(w, &plan->branches.at[i], &a);
    a = (struct arm){ .type = SLICE("branch") };
    w->arms.len = 0;
    for (size_t i = f->at.branch; i < plan->branches.len && plan->branches.at[i].key < end; i++) {
        const struct coverage_out_branch *b = &plan->branches.at[i], *last = i > f->at.branch ? b - 1 : NULL;
        if (are_own)
            (void)is_own(w, b, &a);
        else if (last)
            a.id += last->key != b->key || last->func != b->func || last->block != b->block;
        a.at = (struct place){ (uint32_t)b->key, b->column, b->end_line ? b->end_line : (uint32_t)b->key, b->end_column };
        a.hits = b->hits;
        if (!add_arm(w, &a)) return false;
    }
    if (are_own && w->arms.len) sort_by(w->arms.at, w->arms.len, sizeof *w->arms.at, by_arm);
    return true;
}

/* What the profile says as n of m: a branch for each line, with n paths that were taken once. */
static bool gather_sums(struct writer *w, const struct coverage_out_file *f)
{
    const struct coverage_plan *plan = &w->plan;
    struct arm a = { .type = SLICE("branch"), .id = w->arms.len ? w->arms.at[w->arms.len - 1].id + 1 : 0 };
    uint64_t end = ((uint64_t)f->file + 1) << 32;
    size_t branch = f->at.branch;
    for (size_t i = f->at.sum; i < plan->sums.len && plan->sums.at[i].key < end; i++) {
        struct coverage_out_sum sum = plan->sums.at[i];
        for (; branch < plan->branches.len && plan->branches.at[branch].key == sum.key; branch++) {
            sum.total--;
            sum.covered -= plan->branches.at[branch].hits > 0;
        }
        if (!sum.total || sum.total > SUM_MOST) continue;
        a.at = (struct place){ (uint32_t)sum.key, 1, (uint32_t)sum.key, 0 };
        for (uint64_t k = 0; k < sum.total; k++) {
            a.hits = k < sum.covered;
            if (!add_arm(w, &a)) return false;
        }
        a.id++;
    }
    return true;
}

/* ---- JSON ---- */

static void put_point(struct json *j, const char *key, uint32_t line, uint32_t column, bool is_end)
{
    json_key(j, key);
    json_object(j);
    json_key(j, "line");
    json_u64(j, line);
    json_key(j, "column");
    if (is_end && !column)
        json_null(j); /* the end of the line */
    else
        json_u64(j, column ? column - 1 : 0);
    json_end(j);
}

static void put_place(struct json *j, const struct place *at)
{
    json_object(j);
    put_point(j, "start", at->line, at->column, false);
    put_point(j, "end", at->end_line, at->end_column, true);
    json_end(j);
}

static void put_id(struct json *j, uint64_t id)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)id);
    json_key(j, text);
}

static void put_lines(struct writer *w)
{
    struct json *j = &w->j;
    json_key(j, "statementMap");
    json_object(j);
    for (size_t i = 0; i < w->lines.len; i++) {
        put_id(j, i);
        put_place(j, &w->lines.at[i].at);
    }
    json_end(j);
    json_key(j, "s");
    json_object(j);
    for (size_t i = 0; i < w->lines.len; i++) {
        put_id(j, i);
        json_u64(j, w->lines.at[i].hits);
    }
    json_end(j);
}

static void put_functions(struct writer *w)
{
    struct json *j = &w->j;
    json_key(j, "fnMap");
    json_object(j);
    for (size_t i = 0; i < w->functions.len; i++) {
        const struct function *f = &w->functions.at[i];
        struct place decl = { f->at.line, f->at.column, f->at.line, 0 };
        put_id(j, f->id);
        json_object(j);
        json_key(j, "name");
        json_string(j, f->name);
        json_key(j, "decl");
        put_place(j, &decl);
        json_key(j, "loc");
        put_place(j, &f->at);
        json_key(j, "line");
        json_u64(j, f->at.line);
        json_end(j);
    }
    json_end(j);
    json_key(j, "f");
    json_object(j);
    for (size_t i = 0; i < w->functions.len; i++) {
        put_id(j, w->functions.at[i].id);
        json_u64(j, w->functions.at[i].calls);
    }
    json_end(j);
}

/* The end of the branch that begins with this path. */
static size_t branch_end(const struct writer *w, size_t first)
{
    size_t i = first + 1;
    while (i < w->arms.len && w->arms.at[i].id == w->arms.at[first].id) i++;
    return i;
}

static void put_branches(struct writer *w)
{
    struct json *j = &w->j;
    json_key(j, "branchMap");
    json_object(j);
    for (size_t i = 0, end; i < w->arms.len; i = end) {
        put_id(j, w->arms.at[i].id);
        json_object(j);
        json_key(j, "type");
        json_string(j, w->arms.at[i].type);
        json_key(j, "line");
        json_u64(j, w->arms.at[i].at.line);
        json_key(j, "loc");
        put_place(j, &w->arms.at[i].at);
        json_key(j, "locations");
        json_array(j);
        end = branch_end(w, i);
        for (size_t k = i; k < end; k++) put_place(j, &w->arms.at[k].at);
        json_end(j);
        json_end(j);
    }
    json_end(j);
    json_key(j, "b");
    json_object(j);
    for (size_t i = 0, end; i < w->arms.len; i = end) {
        put_id(j, w->arms.at[i].id);
        json_array(j);
        end = branch_end(w, i);
        for (size_t k = i; k < end; k++) json_u64(j, w->arms.at[k].hits);
        json_end(j);
    }
    json_end(j);
}

/* ---- the whole ---- */

static bool put_file(struct writer *w, const struct coverage_out_file *f)
{
    const struct assay_files *files = assay_profile_files(w->p);
    if (!gather_lines(w, f) || !gather_functions(w, f) || !gather_arms(w, f) || !gather_sums(w, f)) return false;
    json_key_slice(&w->j, f->path);
    json_object(&w->j);
    json_key(&w->j, "path");
    json_string(&w->j, f->path);
    if (f->file && files->origin && files->origin[f->file].v) {
        json_key(&w->j, "hash");
        json_string(&w->j, assay_profile_string(w->p, files->origin[f->file]));
    }
    put_lines(w);
    put_functions(w);
    put_branches(w);
    json_end(&w->j);
    return true;
}

static void name_losses(const assay_profile *p, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t large = 0;
    coverage_losses_name(p, "istanbul's JSON",
                         COVERAGE_HOLDS_COUNTS | COVERAGE_HOLDS_BRANCHES | COVERAGE_HOLDS_STATEMENTS | COVERAGE_HOLDS_END_LINES | COVERAGE_HOLDS_NO_LINE, l);
    for (uint32_t i = 0; i < c->sum_count; i++) large += slice_is(assay_profile_string(p, c->sum_kind[i]), "branches") && c->sum_total[i] > SUM_MOST;
    if (large) losses_add(l, "branches", large, "more than %d branches on one line are not written individually", SUM_MOST);
}

int istanbul_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    if (!(assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE))
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data, which is all that istanbul's JSON can hold");
    name_losses(p, job->losses);
    TRY(losses_settle(job, err));
    struct writer w = { .p = p, .mem = job->mem };
    bool done = coverage_plan_make(&w.plan, p, job->mem) && gather_statements(&w);
    json_init(&w.j, out);
    json_object(&w.j);
    for (size_t i = 0; done && i < w.plan.files.len && (done = !cancel_at(i)); i++) done = put_file(&w, &w.plan.files.at[i]);
    json_end(&w.j);
    vec_done(job->mem, &w.statements, &w.lines, &w.functions, &w.arms);
    coverage_plan_free(&w.plan);
    return done ? 0 : error_memory(err);
}
