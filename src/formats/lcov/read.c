/* lcov records -> coverage of a profile. Rows are kept as the file has them: what is one and the same line, function or branch is the
 * analysis' business. */
#include "formats/lcov/read.h"

#include "analysis/coverage/tally.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/lcov/batch.h"
#include "formats/lcov/lcov.h"

enum { SHORT_NUMBERS = LCOV_RUN_NUMBERS };

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct findings damage;
    struct lcov_decoder d;
    struct lcov_pairing pairing;
    assay_str_id test, next_test;
    assay_file_id file;
    bool is_open, wants_rows;
    bool wants_totals; /* lines and branches are counted, and no rows of the model */
    struct coverage_tally tally;
    VEC(uint8_t) is_test;                /* by string id: is a test name that was listed */
    assay_str_id numbers[SHORT_NUMBERS]; /* ids of "0" ... "999" */
    assay_str_id scope, kinds[4];
    double stated[LCOV_COUNTERS]; /* -1 = not said */
    assay_wide hits;
    uint64_t negative;
    struct lcov_batches batches;
    uint32_t run_line[LCOV_RUN];
    uint64_t run_hits[LCOV_RUN];
    uint16_t run_digits[2][LCOV_RUN];
    uint8_t run_flags[LCOV_RUN];
    assay_str_id run_block[LCOV_RUN], run_name[LCOV_RUN];
};

static assay_str_id text_id(struct reader *r, assay_slice s) { return assay_build_string(r->b, s.data ? s.data : "", s.len); }

/* Block and branch are short numbers nearly always: their ids are looked up, not hashed. */
static assay_str_id number_id(struct reader *r, assay_slice s)
{
    unsigned v = 0;
    if (s.len == 0 || s.len > 3 || (s.len > 1 && s.data[0] == '0')) return text_id(r, s);
    for (size_t i = 0; i < s.len; i++) {
        unsigned digit = (unsigned char)(s.data[i] - '0');
        if (digit > 9) return text_id(r, s);
        v = v * 10 + digit;
    }
    if (!r->numbers[v].v) r->numbers[v] = text_id(r, s);
    return r->numbers[v];
}

/* ---- records of a file ---- */

static void forget_stated(struct reader *r)
{
    for (int i = 0; i < LCOV_COUNTERS; i++) r->stated[i] = -1;
}

static int end_record(struct reader *r, assay_error *err)
{
    if (!r->is_open) return 0;
    r->is_open = false;
    if (!lcov_pairing_end(&r->pairing)) return error_memory(err);
    for (int i = 0; i < LCOV_COUNTERS && r->wants_rows; i += 2)
        if (r->stated[i] >= 0 || r->stated[i + 1] >= 0)
            assay_build_coverage_stated(r->b, &(struct assay_coverage_stated){ r->file, r->scope, r->kinds[i / 2], r->stated[i + 1], r->stated[i] });
    return assay_builder_failed(r->b);
}

static int begin_record(struct reader *r, const struct lcov_record *rec, assay_error *err)
{
    TRY(end_record(r, err));
    if (rec->name.len == 0) return 0; /* LC-5: what follows belongs to no file */
    r->file = assay_build_file(r->b, text_id(r, rec->name), (assay_module_id){ 0 });
    r->test = r->next_test;
    r->pairing.file = r->file;
    r->pairing.test = r->test;
    r->pairing.record++;
    r->is_open = true;
    if (r->wants_totals && !coverage_tally_file(&r->tally, r->file.v)) return error_memory(err);
    forget_stated(r);
    return 0;
}

/* Each name is listed once; the empty one is no test of its own. */
static int test(struct reader *r, assay_slice name, assay_error *err)
{
    assay_str_id id = text_id(r, name);
    if (assay_builder_failed(r->b)) return assay_builder_failed(r->b);
    if (id.v >= r->is_test.len) {
        size_t more = (size_t)id.v + 1 - r->is_test.len;
        if (!vec_reserve(r->job->mem, &r->is_test, more)) return error_memory(err);
        memset(r->is_test.at + r->is_test.len, 0, more);
        r->is_test.len = (size_t)id.v + 1;
    }
    if (!r->is_test.at[id.v]) assay_build_attribute(r->b, (assay_stream_id){ 0 }, "test", 4, name.data ? name.data : "", name.len);
    r->is_test.at[id.v] = 1;
    r->next_test = name.len ? id : (assay_str_id){ 0 };
    return 0;
}

static bool line(struct reader *r, const struct lcov_record *rec)
{
    r->hits = wide_add_u64(r->hits, rec->count);
    r->negative += rec->was_negative;
    if (r->wants_totals) return coverage_tally_lines(&r->tally, &rec->line, &rec->count, 1);
    if (!r->wants_rows) return true;
    struct assay_coverage_line row = { .test = r->test, .file = r->file, .line = rec->line, .hits = rec->count };
    if (rec->name.data) row.checksum = text_id(r, rec->name);
    assay_build_coverage_line(r->b, &row);
    return true;
}

/* Small numbers are themselves, so that they come in order; other texts stand behind them. */
static uint32_t tally_number(struct reader *r, assay_slice s)
{
    uint64_t v;
    bool is_small = s.len <= 3 && (s.len == 1 || (s.len && s.data[0] != '0')) && number_u64(s, &v) == NUMBER_OK;
    return is_small ? (uint32_t)v : LCOV_RUN_NUMBERS + text_id(r, s).v;
}

static bool tally_branch(struct reader *r, const struct lcov_record *rec)
{
    if (rec->flags & (ASSAY_COVERAGE_BRANCH_UNREACHABLE | ASSAY_COVERAGE_BRANCH_EXCLUDED)) return true;
    return coverage_tally_branch(&r->tally, rec->line, tally_number(r, rec->block), tally_number(r, rec->name), rec->count > 0);
}

static bool branch(struct reader *r, const struct lcov_record *rec)
{
    if (r->wants_totals) return tally_branch(r, rec);
    if (!r->wants_rows) return true;
    assay_build_coverage_branch(r->b, &(struct assay_coverage_branch){ .test = r->test,
                                                                       .file = r->file,
                                                                       .line = rec->line,
                                                                       .block = number_id(r, rec->block),
                                                                       .name = number_id(r, rec->name),
                                                                       .hits = rec->count,
                                                                       .flags = rec->flags });
    return true;
}

/* ---- many rows at once ---- */

static assay_str_id short_id(struct reader *r, unsigned v)
{
    char text[8];
    if (!r->numbers[v].v) r->numbers[v] = assay_build_string(r->b, text, number_put_u64(text, v));
    return r->numbers[v];
}

static bool tally_run(struct reader *r, const struct lcov_run *run)
{
    if (!run->is_branches) return coverage_tally_lines(&r->tally, run->line, run->hits, run->count);
    for (uint32_t i = 0; i < run->count; i++)
        if (!coverage_tally_branch(&r->tally, run->line[i], run->block[i], run->name[i], run->hits[i] > 0)) return false;
    return true;
}

static bool book_run(struct reader *r, const struct lcov_run *run)
{
    if (!run->is_branches)
        for (uint32_t i = 0; i < run->count; i++) r->hits = wide_add_u64(r->hits, run->hits[i]);
    if (r->wants_totals) return tally_run(r, run);
    if (!r->wants_rows) return true;
    if (!run->is_branches) {
        assay_build_coverage_lines(r->b, r->test, r->file, run->line, run->hits, run->count);
        return true;
    }
    for (uint32_t i = 0; i < run->count; i++) {
        r->run_block[i] = short_id(r, run->block[i]);
        r->run_name[i] = short_id(r, run->name[i]);
    }
    assay_build_coverage_branches(r->b, r->test, r->file,
                                  &(struct assay_coverage_branch_rows){ run->line, r->run_block, r->run_name, run->hits, run->flags, run->count });
    return true;
}

static void condition(struct reader *r, const struct lcov_record *rec)
{
    if (!r->wants_rows) return;
    assay_build_coverage_condition(r->b, &(struct assay_coverage_condition){ .file = r->file,
                                                                             .line = rec->line,
                                                                             .group = rec->group,
                                                                             .index = rec->index,
                                                                             .sense = rec->sense,
                                                                             .hits = rec->count,
                                                                             .text = text_id(r, rec->name),
                                                                             .test = r->test,
                                                                             .flags = rec->flags });
}

static void alias(struct reader *r, const struct lcov_record *rec)
{
    assay_func_id f = assay_build_func(r->b, text_id(r, rec->name), r->file, (assay_module_id){ 0 }, 0, rec->line);
    if (rec->end_line) assay_build_func_lines(r->b, f, rec->line, rec->end_line);
    assay_build_coverage_func(r->b, &(struct assay_coverage_func){ .test = r->test, .func = f, .calls = rec->count });
}

static int in_record(struct reader *r, const struct lcov_record *rec, assay_error *err)
{
    bool done = true;
    switch (rec->kind) {
    case LCOV_LINE: done = line(r, rec); break;
    case LCOV_BRANCH: done = branch(r, rec); break;
    case LCOV_FUNCTION: done = lcov_pairing_define(&r->pairing, text_id(r, rec->name), rec->line, rec->end_line); break;
    case LCOV_CALLS: done = lcov_pairing_call(&r->pairing, text_id(r, rec->name), rec->count); break;
    case LCOV_ALIAS: alias(r, rec); break;
    case LCOV_CONDITION: condition(r, rec); break;
    case LCOV_STATED: r->stated[rec->counter] = (double)rec->count; break;
    case LCOV_VERSION: assay_build_file_source(r->b, r->file, (assay_str_id){ 0 }, text_id(r, rec->name)); break;
    default: break;
    }
    return done ? 0 : error_memory(err);
}

/* ---- the whole ---- */

static int one(struct reader *r, const struct lcov_record *rec, assay_error *err)
{
    switch (rec->kind) {
    case LCOV_TEST: return test(r, rec->name, err);
    case LCOV_SOURCE: return begin_record(r, rec, err);
    case LCOV_END:
    case LCOV_END_OF_RECORD: return end_record(r, err);
    default: return r->is_open ? in_record(r, rec, err) : 0;
    }
}

/* Books what was decoded ahead of all that comes next. */
static int take_batch(struct reader *r, const struct lcov_batch *batch, assay_error *err)
{
    for (size_t i = 0; i < batch->items.len; i++) {
        const struct lcov_item *item = &batch->items.at[i];
        if (item->record.kind != LCOV_OTHER) {
            TRY(one(r, &item->record, err));
            continue;
        }
        struct lcov_run run = lcov_batch_run(batch, item);
        if (!book_run(r, &run)) return error_memory(err);
    }
    r->d.has_2x |= batch->has_2x;
    r->d.lines.count += batch->line_count;
    r->d.lines.at = r->d.lines.end;
    return assay_builder_failed(r->b);
}

static int take_batches(struct reader *r, assay_error *err)
{
    struct lines *l = &r->d.lines;
    while (l->ahead && l->at == l->end && !l->at_eof) {
        TRY(lines_fill(l));
        if (l->slot < 0) break;
        if (r->d.in_record)
            ahead_refuse(l->ahead);
        else
            TRY(take_batch(r, &r->batches.slots[l->slot], err));
    }
    return 0;
}

static int records(struct reader *r, assay_error *err)
{
    struct lcov_record rec = { .kind = LCOV_OTHER };
    struct lcov_run run = { .line = r->run_line, .hits = r->run_hits, .block = r->run_digits[0], .name = r->run_digits[1], .flags = r->run_flags };
    uint32_t count = 0;
    while (rec.kind != LCOV_END) {
        TRY(take_batches(r, err));
        while (r->is_open && lcov_next_run(&r->d, &run))
            if (!book_run(r, &run)) return error_memory(err);
        TRY(lcov_next(&r->d, &rec));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, err));
        TRY(one(r, &rec, err));
        if (++count % 4096 == 0 && assay_builder_failed(r->b)) return assay_builder_failed(r->b);
    }
    return 0;
}

static void begin(struct reader *r)
{
    static const char *const kinds[4] = { "lines", "functions", "branches", "mcdc" };
    r->wants_rows = assay_builder_want(r->b) & ASSAY_WANT_COVERAGE;
    r->wants_totals = r->wants_rows && assay_builder_want(r->b) & ASSAY_WANT_TOTALS;
    coverage_tally_init(&r->tally, r->job->mem);
    r->scope = text_id(r, SLICE("file"));
    for (int i = 0; i < 4; i++) r->kinds[i] = text_id(r, slice_of(kinds[i]));
    findings_init(&r->damage, r->job->mem);
    lcov_init(&r->d, r->job->in, r->job->mem, &r->damage, NULL);
    lcov_pairing_init(&r->pairing, r->b, r->job->mem);
}

static bool finish(struct reader *r)
{
    assay_coverage_counts n;
    if (r->wants_totals) {
        if (!coverage_tally_count(&r->tally, &n)) return false;
        assay_build_count(r->b, "lines", n.lines);
        assay_build_count(r->b, "lines_hit", n.lines_hit);
        assay_build_count(r->b, "branches", n.branches);
        assay_build_count(r->b, "branches_hit", n.branches_hit);
    }
    assay_metric_id hits = assay_build_metric(r->b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_build_metric_total(r->b, hits, (assay_value){ .u = r->hits.high ? UINT64_MAX : r->hits.low });
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
    if (r->negative) assay_build_count(r->b, "negative", r->negative);
    assay_build_source(r->b, "lcov", r->d.has_2x ? "2" : "1", "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
    return true;
}

int lcov_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    SCRATCH(struct reader, r, job->mem, 1);
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    begin(r);
    r->d.err = r->d.lines.err = err;
    int rc = lcov_batches_open(&r->batches, job, err);
    r->d.lines.ahead = r->batches.ahead;
    if (rc == 0) rc = records(r, err);
    if (rc == 0 && !finish(r)) rc = error_memory(err);
    coverage_tally_done(&r->tally);
    lcov_pairing_done(&r->pairing);
    lcov_batches_close(&r->batches);
    lcov_done(&r->d);
    findings_done(&r->damage);
    vec_done(job->mem, &r->is_test);
    return rc;
}
