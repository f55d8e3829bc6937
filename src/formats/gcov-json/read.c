/* gcov's and gcovr's JSON -> coverage of a profile. A line that several instances of a template share has a row for each; the analysis adds them. */
#include <stdio.h>

#include "assay/build.h"
#include "base/number.h"
#include "formats/gcov-json/decode.h"
#include "formats/gcov-json/gcov_json.h"

/* By name id: the function of that name in the file in work. */
struct known {
    uint32_t file;
    assay_func_id func;
};

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct gcov_json_decoder d;
    VEC(struct known) known;
    assay_file_id file;
    uint32_t files; /* objects so far: the stamp of `known` */
    assay_str_id calls;
    assay_wide hits;
    char version[16];
};

static assay_str_id text_id(struct reader *r, assay_slice s) { return assay_build_string(r->b, s.data ? s.data : "", s.len); }

/* The entry of a name; NULL = no memory. */
static struct known *known_of(struct reader *r, uint32_t name)
{
    if (name >= r->known.len) {
        size_t more = (size_t)name + 1 - r->known.len;
        if (!vec_reserve(r->job->mem, &r->known, more)) return NULL;
        memset(r->known.at + r->known.len, 0, more * sizeof *r->known.at);
        r->known.len = (size_t)name + 1;
    }
    return &r->known.at[name];
}

static int function(struct reader *r, const struct gcov_json_row *row)
{
    struct known *k = known_of(r, row->name);
    if (!k) return error_memory(r->err);
    assay_func_id f = assay_build_func(r->b, text_id(r, intern_get(&r->d.names, row->name)), r->file, (assay_module_id){ 0 }, 0, row->line);
    if (row->end_line) assay_build_func_lines(r->b, f, row->line, row->end_line);
    if (row->demangled && row->demangled != row->name) assay_build_func_link(r->b, f, text_id(r, intern_get(&r->d.names, row->demangled)));
    if (k->file != r->files) *k = (struct known){ r->files, f };
    assay_build_coverage_func(r->b, &(struct assay_coverage_func){ .func = f,
                                                                   .calls = row->count,
                                                                   .first_column = row->column,
                                                                   .last_column = row->end_column,
                                                                   .blocks = row->blocks,
                                                                   .blocks_hit = row->blocks_executed,
                                                                   .flags = row->flags });
    return 0;
}

/* Lines may name a function that the file does not list. */
static int func_of(struct reader *r, uint32_t name, assay_func_id *out)
{
    *out = (assay_func_id){ 0 };
    if (!name) return 0;
    struct known *k = known_of(r, name);
    if (!k) return error_memory(r->err);
    if (k->file != r->files)
        *k = (struct known){ r->files, assay_build_func(r->b, text_id(r, intern_get(&r->d.names, name)), r->file, (assay_module_id){ 0 }, 0, 0) };
    *out = k->func;
    return 0;
}

static int branch(struct reader *r, const struct gcov_json_row *row)
{
    assay_func_id func;
    TRY(func_of(r, row->name, &func));
    assay_build_coverage_branch(r->b, &(struct assay_coverage_branch){
                                          .file = r->file, .line = row->line, .func = func, .index = row->index, .hits = row->count, .flags = row->flags });
    return 0;
}

static int one_row(struct reader *r, const struct gcov_json_row *row)
{
    switch (row->kind) {
    case GCOV_JSON_FUNCTION: return function(r, row);
    case GCOV_JSON_BRANCH: return branch(r, row);
    case GCOV_JSON_LINE:
        if (!(row->flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE))) r->hits = wide_add_u64(r->hits, row->count);
        assay_build_coverage_line(
            r->b, &(struct assay_coverage_line){ .file = r->file,
                                                 .line = row->line,
                                                 .hits = row->count,
                                                 .flags = row->flags,
                                                 .checksum = row->checksum ? text_id(r, intern_get(&r->d.names, row->checksum)) : (assay_str_id){ 0 } });
        break;
    case GCOV_JSON_CALLS:
        assay_build_coverage_sum(r->b, &(struct assay_coverage_sum){ { 0 }, r->file, row->line, row->blocks_executed, row->blocks, r->calls, 0 });
        break;
    case GCOV_JSON_CONDITION:
        assay_build_coverage_condition(
            r->b,
            &(struct assay_coverage_condition){
                .file = r->file, .line = row->line, .group = row->group, .index = row->index, .sense = row->sense, .hits = row->count, .flags = row->flags });
        break;
    }
    return 0;
}

static int file(struct reader *r, const struct gcov_json_record *rec)
{
    r->file = assay_build_file(r->b, text_id(r, rec->text), (assay_module_id){ 0 });
    r->files++;
    for (size_t i = 0; i < rec->row_count; i++) {
        TRY(one_row(r, &rec->rows[i]));
        if (i % 4096 == 0 && assay_builder_failed(r->b)) break;
    }
    return assay_builder_failed(r->b);
}

static int take(void *arg, const struct gcov_json_record *rec)
{
    static const char *const names[] = { "format_version", "gcc_version", "current_working_directory", "data_file", "gcovr/format_version" };
    struct reader *r = arg;
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    if (rec->kind == GCOV_JSON_FILE) return file(r, rec);
    if (rec->top == GCOV_JSON_VERSION || rec->top == GCOV_JSON_GCOVR)
        snprintf(r->version, sizeof r->version, "%.*s", (int)(rec->text.len < 15 ? rec->text.len : 15), rec->text.data);
    else
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, names[rec->top], strlen(names[rec->top]), rec->text.data, rec->text.len);
    return 0;
}

static void finish(struct reader *r, const char *format)
{
    assay_metric_id hits = assay_build_metric(r->b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_build_metric_total(r->b, hits, (assay_value){ .u = r->hits.high ? UINT64_MAX : r->hits.low });
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    if (r->d.negative) assay_build_count(r->b, "negative", r->d.negative);
    assay_build_source(r->b, format, r->version, "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

int gcov_json_read(const struct read_job *job, const char *format, assay_builder *b, assay_error *err)
{
    struct reader *r = mem_zalloc(job->mem, 1, sizeof *r);
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    r->err = err;
    findings_init(&r->damage, job->mem);
    r->calls = text_id(r, SLICE("calls"));
    r->d.take = take;
    r->d.arg = r;
    r->d.damage = &r->damage;
    int rc = gcov_json_decode(&r->d, job, err);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r->damage, err);
    if (rc == 0) {
        finish(r, format);
        rc = assay_builder_failed(b);
    }
    gcov_json_done(&r->d);
    vec_done(job->mem, &r->known);
    findings_done(&r->damage);
    mem_free(job->mem, r, sizeof *r);
    return rc;
}
