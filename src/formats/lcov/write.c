/* A sealed profile -> lcov tracefile: a record for each file and test, rows of one line, function or branch added, totals counted from
 * what is written. Version 1 is what lcov 1.x reads; version 2 has groups, end lines, flags of branches and conditions too. */
#include "formats/lcov/write.h"

#include "base/ahead.h"
#include "base/cancel.h"
#include "base/order.h"
#include "base/parallel.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/coverage/losses.h"

void lcov_write_name(struct output *o, assay_slice name)
{
    if (!name.len) return;
    if (!memchr(name.data, '\n', name.len) && !memchr(name.data, '\r', name.len)) {
        output_slice(o, name);
        return;
    }
    for (size_t i = 0; i < name.len; i++) output_char(o, name.data[i] == '\n' || name.data[i] == '\r' ? '?' : name.data[i]);
}

/* ---- functions ---- */

static int by_place(const void *x, const void *y)
{
    const struct lcov_out_function *a = x, *b = y;
    ORDER_BY(a->line, b->line);
    int c = slice_compare(a->name, b->name);
    return c ? c : ORDER(a->func, b->func);
}

/* The functions of the record, each once. */
static bool gather_functions(struct lcov_out *w, uint32_t unit)
{
    struct lcov_functions *list = &w->functions;
    const struct assay_funcs *f = assay_profile_funcs(w->plan->p);
    struct lcov_rows *rows = &w->plan->funcs;
    uint32_t from;
    size_t n = 0;
    list->len = 0;
    if (!lcov_rows_take(rows, unit, &from)) return true;
    for (uint32_t i = from; i < rows->at; i++) {
        uint32_t row = lcov_row(rows, i), func = w->plan->c->func[row].v;
        const uint8_t *flags = w->plan->c->func_flags;
        if (flags && flags[row] & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) continue;
        struct lcov_out_function *slot = vec_push(w->mem, list);
        if (!slot) return false;
        *slot = (struct lcov_out_function){ assay_profile_string(w->plan->p, f->name[func]), w->plan->c->func_calls[row], func,
                                            f->first_line ? f->first_line[func] : 0, f->last_line ? f->last_line[func] : 0 };
    }
    bool is_sorted = true;
    for (size_t i = 1; i < list->len && is_sorted; i++) is_sorted = by_place(&list->at[i - 1], &list->at[i]) <= 0;
    if (!is_sorted) sort_by(list->at, list->len, sizeof *list->at, by_place);
    for (size_t i = 0; i < list->len; i++) {
        if (n && list->at[n - 1].func == list->at[i].func)
            list->at[n - 1].calls = lcov_add(list->at[n - 1].calls, list->at[i].calls);
        else
            list->at[n++] = list->at[i];
    }
    list->len = n;
    return true;
}

/* Digits and a comma at the start of a name would be read as an end line. */
static bool looks_like_end_line(assay_slice name)
{
    size_t i = 0;
    while (i < name.len && name.data[i] >= '0' && name.data[i] <= '9') i++;
    return i > 0 && i < name.len && name.data[i] == ',';
}

static void put_functions_1(struct output *o, const struct lcov_functions *list)
{
    uint64_t hit = 0;
    for (size_t i = 0; i < list->len; i++) {
        output_text(o, "FN:");
        output_u64(o, list->at[i].line);
        output_char(o, ',');
        if (looks_like_end_line(list->at[i].name)) output_printf(o, "%u,", list->at[i].end_line);
        lcov_write_name(o, list->at[i].name);
        output_char(o, '\n');
    }
    for (size_t i = 0; i < list->len; i++) {
        output_text(o, "FNDA:");
        output_u64(o, list->at[i].calls);
        output_char(o, ',');
        lcov_write_name(o, list->at[i].name);
        output_char(o, '\n');
        hit += list->at[i].calls > 0;
    }
    if (list->len) output_printf(o, "FNF:%zu\nFNH:%llu\n", list->len, (unsigned long long)hit);
}

/* A group for each start line; functions without one are groups of their own. */
static void put_functions_2(struct output *o, const struct lcov_functions *list)
{
    uint64_t groups = 0, groups_hit = 0;
    for (size_t i = 0; i < list->len; groups++) {
        const struct lcov_out_function *first = &list->at[i];
        bool is_hit = false;
        output_printf(o, "FNL:%llu,%u", (unsigned long long)groups, first->line);
        if (first->end_line) output_printf(o, ",%u", first->end_line);
        output_char(o, '\n');
        do {
            output_printf(o, "FNA:%llu,%llu,", (unsigned long long)groups, (unsigned long long)list->at[i].calls);
            lcov_write_name(o, list->at[i].name);
            output_char(o, '\n');
            is_hit |= list->at[i].calls > 0;
            i++;
        } while (first->line && i < list->len && list->at[i].line == first->line);
        groups_hit += is_hit;
    }
    if (groups) output_printf(o, "FNF:%llu\nFNH:%llu\n", (unsigned long long)groups, (unsigned long long)groups_hit);
}

/* ---- lines ---- */

/* Lines that have counts only, from a table in order. */
static bool gather_plain_lines(struct lcov_out *w, uint32_t unit)
{
    const struct assay_coverage *c = w->plan->c;
    struct lcov_rows *rows = &w->plan->lines;
    uint32_t from;
    size_t n = 0;
    w->lines.len = 0;
    if (!lcov_rows_take(rows, unit, &from)) return true;
    if (!vec_reserve(w->mem, &w->lines, rows->at - from)) return false;
    for (uint32_t i = from; i < rows->at; i++) {
        if (n && w->lines.at[n - 1].line == c->line_number[i])
            w->lines.at[n - 1].hits = lcov_add(w->lines.at[n - 1].hits, c->line_hits[i]);
        else
            w->lines.at[n++] = (struct lcov_out_line){ c->line_hits[i], c->line_number[i], { 0 } };
    }
    w->lines.len = n;
    return true;
}

static bool gather_lines(struct lcov_out *w, uint32_t unit)
{
    const struct assay_coverage *c = w->plan->c;
    struct lcov_rows *rows = &w->plan->lines;
    uint32_t line, from;
    if (!rows->key && !c->line_flags && !c->line_checksum) return gather_plain_lines(w, unit);
    w->lines.len = 0;
    while (lcov_rows_next(rows, unit, &line, &from)) {
        struct lcov_out_line merged = { 0, line, { 0 } };
        bool is_open = false, only_hit = false;
        for (uint32_t i = from; i < rows->at; i++) {
            uint32_t row = lcov_row(rows, i);
            uint8_t flags = c->line_flags ? c->line_flags[row] : 0;
            if (flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) continue;
            is_open = true;
            only_hit |= (flags & ASSAY_COVERAGE_ONLY_HIT) != 0;
            merged.hits = lcov_add(merged.hits, c->line_hits[row]);
            if (c->line_checksum && !merged.checksum.v) merged.checksum = c->line_checksum[row];
        }
        if (only_hit) merged.hits = merged.hits > 0;
        struct lcov_out_line *slot = is_open ? vec_push(w->mem, &w->lines) : NULL;
        if (is_open && !slot) return false;
        if (slot) *slot = merged;
    }
    return true;
}

/* ---- the whole ---- */

static bool put_record(struct lcov_out *w, uint32_t unit)
{
    const struct assay_files *files = assay_profile_files(w->plan->p);
    struct lcov_unit u = w->plan->units.at[unit];
    bool done = gather_lines(w, unit) && gather_functions(w, unit);
    if (!done) return false;
    output_text(w->o, "TN:");
    lcov_write_name(w->o, assay_profile_string(w->plan->p, (assay_str_id){ u.test }));
    output_text(w->o, "\nSF:");
    lcov_write_name(w->o, u.file && files->path ? assay_profile_string(w->plan->p, files->path[u.file]) : SLICE("?"));
    output_char(w->o, '\n');
    if (files->origin && files->origin[u.file].v) {
        output_text(w->o, "VER:");
        lcov_write_name(w->o, assay_profile_string(w->plan->p, files->origin[u.file]));
        output_char(w->o, '\n');
    }
    (w->is_2x ? put_functions_2 : put_functions_1)(w->o, &w->functions);
    if (!lcov_write_branches(w, unit) || !lcov_write_conditions(w, unit)) return false;
    uint64_t hit = lcov_write_lines(w);
    output_printf(w->o, "LF:%zu\nLH:%llu\nend_of_record\n", w->lines.len, (unsigned long long)hit);
    return true;
}

/* ---- parts: records that a thread puts into memory, written in order ---- */

enum { ROW_LEN = 16 }; /* about as many bytes as a row takes */

struct part {
    uint32_t from, to; /* records */
};
struct writer {
    struct output *o;
    struct mem mem; /* of the workers: whether a limit is kept does not depend on how many there are */
    struct lcov_out *workers;
    VEC(struct part) parts;
};

/* How many rows each record has, added to `count`. */
static void count_rows(const struct lcov_rows *rows, uint64_t *count)
{
    for (size_t i = 0; i < rows->runs.len; i++) count[rows->runs.at[i].unit] += rows->runs.at[i].end - rows->runs.at[i].from;
}

static int make_parts(struct writer *w, const struct lcov_plan *plan, assay_error *err)
{
    uint64_t rows = 0, most = ahead_piece_len() / ROW_LEN;
    uint32_t from = 0;
    SCRATCH(uint64_t, count, plan->mem, plan->units.len);
    if (!count) return error_memory(err);
    count_rows(&plan->lines, count);
    count_rows(&plan->funcs, count);
    count_rows(&plan->branches, count);
    count_rows(&plan->sums, count);
    count_rows(&plan->conditions, count);
    for (uint32_t unit = 0; unit < plan->units.len; unit++) {
        TRY(cancel_step(unit, err));
        rows += count[unit] + 1;
        if (rows < most && unit + 1 < plan->units.len) continue;
        struct part *part = vec_push(plan->mem, &w->parts);
        if (!part) return error_memory(err);
        *part = (struct part){ from, unit + 1 };
        from = unit + 1;
        rows = 0;
    }
    return 0;
}

static int make_part(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct writer *w = arg;
    struct lcov_out *out = &w->workers[worker];
    struct part part = w->parts.at[job];
    TRY(output_open_memory(&out->o, out->mem, err));
    lcov_plan_seek(out->plan, part.from);
    for (uint32_t unit = part.from; unit < part.to; unit++) {
        TRY(cancel_step(unit, err));
        if (!put_record(out, unit)) return error_memory(err);
    }
    return output_blame(out->o, output_failed(out->o), err);
}

static int take_part(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct writer *w = arg;
    struct lcov_out *out = &w->workers[worker];
    (void)job;
    output_slice(w->o, output_memory(out->o));
    output_abort(out->o);
    out->o = NULL;
    return output_blame(w->o, output_failed(w->o), err);
}

static void out_done(struct lcov_out *w)
{
    output_abort(w->o);
    vec_done(w->mem, &w->functions, &w->lines, &w->branches, &w->conditions);
}

static int put_records(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    SCOPED(lcov_plan_free) struct lcov_plan plan;
    TRY(lcov_plan_make(&plan, p, job->mem, err));
    struct writer w = { .o = out };
    mem_init(&w.mem, 0);
    vec_scoped(job->mem, &w.parts);
    TRY(make_parts(&w, &plan, err));
    unsigned workers = job->options->threads < 1 ? 1 : job->options->threads < PARALLEL_MOST ? job->options->threads : PARALLEL_MOST;
    if (workers > w.parts.len) workers = w.parts.len ? (unsigned)w.parts.len : 1;
    SCRATCH(struct lcov_out, list, job->mem, workers);
    SCRATCH(struct lcov_plan, plans, job->mem, workers);
    if (!list || !plans) return error_memory(err);
    for (unsigned i = 0; i < workers; i++) {
        plans[i] = plan;
        list[i].plan = &plans[i];
        list[i].mem = &w.mem;
        list[i].is_2x = job->version[0] == '2';
        list[i].has_plain_branches = c->branch_block && c->branch_name && !c->branch_func && !c->branch_index && !c->branch_column && !c->branch_end_line &&
                                     !c->branch_end_column && !c->branch_target;
    }
    w.workers = list;
    int rc = parallel_run(&(struct parallel){ .count = w.parts.len, .workers = workers, .arg = &w, .make = make_part, .take = take_part }, err);
    for (unsigned i = 0; i < workers; i++) out_done(&list[i]);
    return rc;
}

/* ---- losses ---- */

/* Branches whose text is more than a number. */
static uint64_t named_branches(const assay_profile *p, const struct assay_coverage *c)
{
    uint64_t n = 0;
    uint32_t last = 0;
    bool is_text = false;
    for (uint32_t i = 0; c->branch_block && c->branch_name && i < c->branch_count; i++) {
        if (c->branch_name[i].v != last) {
            assay_slice s = assay_profile_string(p, c->branch_name[i]);
            is_text = false;
            for (size_t k = 0; k < s.len && !is_text; k++) is_text = s.data[k] < '0' || s.data[k] > '9';
            last = c->branch_name[i].v;
        }
        n += is_text && c->branch_block[i].v;
    }
    return n;
}

static void lose_in_1x(const assay_profile *p, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint64_t ends = 0;
    for (uint32_t i = 1; f->last_line && i <= f->count; i++) ends += f->last_line[i] > 0;
    coverage_lose(l, "end-lines", ends, "version 1 has no end lines of functions");
    coverage_lose(l, "conditions", c->condition_count, "version 1 has no conditions (MC/DC)");
    coverage_lose(l, "flags", coverage_flagged(c->branch_flags, c->branch_count, ASSAY_COVERAGE_BRANCH_EXCEPTION | ASSAY_COVERAGE_BRANCH_FALLTHROUGH),
                  "version 1 does not distinguish exception and fallthrough branches");
    coverage_lose(l, "branch-names", named_branches(p, c), "version 1 numbers the branches of a line; their texts are not written");
    coverage_lose(l, "unreachable", coverage_flagged(c->branch_flags, c->branch_count, ASSAY_COVERAGE_BRANCH_UNREACHABLE),
                  "version 1 has no unreachable branches; they are left out");
}

static void name_losses(const assay_profile *p, const struct write_job *job)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    struct losses *l = job->losses;
    uint64_t unplaced = 0, sums = 0, large = 0;
    if (assay_profile_shapes(p) & (uint32_t)~ASSAY_SHAPE_COVERAGE) losses_add(l, "cost", 1, "lcov holds only coverage; other measurements are not written");
    losses_add_regions(l, p);
    coverage_lose(l, "excluded", coverage_flagged(c->line_flags, c->line_count, ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE),
                  "excluded lines are left out");
    coverage_lose(l, "states",
                  coverage_flagged(c->line_flags, c->line_count, ASSAY_COVERAGE_PARTIAL | ASSAY_COVERAGE_UNEXECUTED_BLOCK | ASSAY_COVERAGE_UNKNOWN),
                  "partly covered and unknown states of lines are not written");
    for (uint32_t i = 0; i < c->func_count; i++) unplaced += !f->first_line || !f->first_line[c->func[i].v];
    coverage_lose(l, "places", unplaced, "functions without a line are written with line 0");
    for (uint32_t i = 0; i < c->sum_count; i++) {
        bool is_branches = slice_is(assay_profile_string(p, c->sum_kind[i]), "branches");
        sums += !is_branches;
        large += is_branches && c->sum_total[i] > LCOV_SUM_MAX;
    }
    coverage_lose(l, "sums", sums, "totals other than branches (instructions, calls) are not written");
    coverage_lose(l, "branches", large, "more than 10000 branches on one line are not written individually");
    if (job->version[0] == '1') lose_in_1x(p, l);
}

int lcov_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    if (!(assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data, which is all that lcov can hold");
    name_losses(p, job);
    TRY(losses_settle(job, err));
    return put_records(p, job, out, err);
}
