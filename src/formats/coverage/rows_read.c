/* Rows -> coverage of a profile; see formats/coverage/rows.h. */
#include <stdio.h>

#include "assay/build.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/coverage/rows.h"

struct known {
    uint32_t file_row;
    assay_func_id func;
};
struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct coverage_decoder d;
    VEC(uint32_t) strings;   /* by name id: the builder's id, 0 = not asked yet */
    VEC(uint32_t) files;     /* by name id: the file of this path, 0 = not given yet */
    VEC(struct known) known; /* by name id: the function that rows of the file in work name */
    VEC(uint64_t) counts;    /* by name id: counts added up */
    assay_file_id file;
    assay_func_id func;
    assay_wide hits;
    uint32_t file_rows; /* so far: the stamp of `known` */
    assay_str_id branches;
    bool is_skipped; /* what follows is of a file that is not known */
};

static bool reach32(struct mem *mem, uint32_t **at, size_t *len, size_t *cap, uint32_t id)
{
    if (id < *len) return true;
    if (!vec_grow_(mem, (void **)at, *len, cap, (size_t)id + 1 - *len, sizeof **at)) return false;
    memset(*at + *len, 0, ((size_t)id + 1 - *len) * sizeof **at);
    *len = (size_t)id + 1;
    return true;
}
#define REACH(r, v, id) reach32((r)->job->mem, &(v)->at, &(v)->len, &(v)->cap, (id))

/* Out of memory is the builder's sticky error, or reported by the next call that needs some. */
static assay_str_id text_id(struct reader *r, uint32_t name)
{
    if (!name) return (assay_str_id){ 0 };
    assay_slice text = intern_get(&r->d.names, name);
    if (!REACH(r, &r->strings, name)) return assay_build_string(r->b, text.data, text.len);
    if (!r->strings.at[name]) r->strings.at[name] = assay_build_string(r->b, text.data, text.len).v;
    return (assay_str_id){ r->strings.at[name] };
}

static int file(struct reader *r, const struct coverage_row *row)
{
    r->file = (assay_file_id){ 0 };
    r->is_skipped = false;
    r->file_rows++;
    if (!row->name) return 0;
    if (!REACH(r, &r->files, row->name)) return error_memory(r->err);
    r->is_skipped = row->known_only && !r->files.at[row->name];
    if (r->is_skipped) return 0;
    r->file = assay_build_file(r->b, text_id(r, row->name), (assay_module_id){ 0 });
    r->files.at[row->name] = r->file.v;
    if (row->block || row->text) assay_build_file_source(r->b, r->file, text_id(r, row->text), text_id(r, row->block));
    return 0;
}

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

static int function(struct reader *r, const struct coverage_row *row)
{
    struct known *known = known_of(r, row->name);
    if (!known) return error_memory(r->err);
    r->func = assay_build_func(r->b, text_id(r, row->name), r->file, (assay_module_id){ 0 }, 0, row->line);
    if (row->end_line) assay_build_func_lines(r->b, r->func, row->line, row->end_line);
    if (row->text && row->text != row->name) assay_build_func_link(r->b, r->func, text_id(r, row->text));
    if (known->file_row != r->file_rows) *known = (struct known){ r->file_rows, r->func };
    assay_build_coverage_func(r->b, &(struct assay_coverage_func){ .test = text_id(r, row->test),
                                                                   .func = r->func,
                                                                   .calls = row->count,
                                                                   .first_column = row->column,
                                                                   .last_column = row->end_column,
                                                                   .blocks = row->group,
                                                                   .blocks_hit = row->index,
                                                                   .flags = row->flags });
    return 0;
}

/* Rows may name a function that the file does not list. */
static int func_of(struct reader *r, uint32_t name, assay_func_id *out)
{
    struct known *known = name ? known_of(r, name) : NULL;
    *out = (assay_func_id){ 0 };
    if (!name) return 0;
    if (!known) return error_memory(r->err);
    if (known->file_row != r->file_rows)
        *known = (struct known){ r->file_rows, assay_build_func(r->b, text_id(r, name), r->file, (assay_module_id){ 0 }, 0, 0) };
    *out = known->func;
    return 0;
}

static int branch(struct reader *r, const struct coverage_row *row)
{
    assay_func_id func;
    TRY(func_of(r, row->func, &func));
    assay_build_coverage_branch(r->b, &(struct assay_coverage_branch){ .test = text_id(r, row->test),
                                                                       .file = r->file,
                                                                       .line = row->line,
                                                                       .func = func,
                                                                       .block = text_id(r, row->block),
                                                                       .name = text_id(r, row->name),
                                                                       .index = row->index,
                                                                       .hits = row->count,
                                                                       .flags = row->flags,
                                                                       .column = row->column,
                                                                       .end_line = row->end_line,
                                                                       .end_column = row->end_column,
                                                                       .target = row->target });
    return 0;
}

static void region(struct reader *r, const struct coverage_row *row)
{
    assay_build_coverage_region(r->b, &(struct assay_coverage_region){ .file = r->file,
                                                                       .func = row->of_function ? r->func : (assay_func_id){ 0 },
                                                                       .kind = row->flags,
                                                                       .first = row->line,
                                                                       .last = row->end_line,
                                                                       .first_column = row->column,
                                                                       .last_column = row->end_column,
                                                                       .statements = row->group,
                                                                       .hits = row->count });
}

static void sum(struct reader *r, const struct coverage_row *row, assay_str_id kind)
{
    assay_build_coverage_sum(r->b,
                             &(struct assay_coverage_sum){
                                 .test = text_id(r, row->test), .file = r->file, .line = row->line, .hit = row->index, .total = row->group, .kind = kind });
}

static void line(struct reader *r, const struct coverage_row *row)
{
    if (!(row->flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) && !row->is_again) r->hits = wide_add_u64(r->hits, row->count);
    assay_build_coverage_line(
        r->b,
        &(struct assay_coverage_line){
            .test = text_id(r, row->test), .file = r->file, .line = row->line, .hits = row->count, .flags = row->flags, .checksum = text_id(r, row->text) });
    if (!row->group) return;
    if (!r->branches.v) r->branches = assay_build_string(r->b, "branches", 8);
    sum(r, row, r->branches);
}

static void condition(struct reader *r, const struct coverage_row *row)
{
    assay_build_coverage_condition(
        r->b,
        &(struct assay_coverage_condition){
            .file = r->file, .line = row->line, .group = row->group, .index = row->index, .sense = !row->is_false, .hits = row->count, .flags = row->flags });
}

static int count(struct reader *r, const struct coverage_row *row)
{
    size_t need = (size_t)row->name + 1;
    if (need > r->counts.len) {
        if (!vec_reserve(r->job->mem, &r->counts, need - r->counts.len)) return error_memory(r->err);
        memset(r->counts.at + r->counts.len, 0, (need - r->counts.len) * sizeof *r->counts.at);
        r->counts.len = need;
    }
    r->counts.at[row->name] += row->count;
    assay_build_count(r->b, intern_get(&r->d.names, row->name).data, r->counts.at[row->name]);
    return 0;
}

static void stated(struct reader *r, const struct coverage_row *row)
{
    assay_build_coverage_stated(r->b, &(struct assay_coverage_stated){ .file = row->of_no_file ? (assay_file_id){ 0 } : r->file,
                                                                       .scope = text_id(r, row->block),
                                                                       .kind = text_id(r, row->name),
                                                                       .hit = row->hit,
                                                                       .total = row->total });
}

static void attribute(struct reader *r, const struct coverage_row *row)
{
    assay_slice key = intern_get(&r->d.names, row->name), value = intern_get(&r->d.names, row->text);
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, key.data, key.len, value.data ? value.data : "", value.len);
}

static int one_row(struct reader *r, const struct coverage_row *row)
{
    if (row->is_pending) return 0;
    switch ((enum coverage_row_kind)row->kind) {
    case COVERAGE_LINE: line(r, row); break;
    case COVERAGE_FUNCTION: return function(r, row);
    case COVERAGE_BRANCH: return branch(r, row);
    case COVERAGE_REGION: region(r, row); break;
    case COVERAGE_SUM: sum(r, row, text_id(r, row->name)); break;
    case COVERAGE_CONDITION: condition(r, row); break;
    case COVERAGE_STATED: stated(r, row); break;
    case COVERAGE_ATTRIBUTE: attribute(r, row); break;
    case COVERAGE_COUNT: return count(r, row);
    case COVERAGE_FILE:
    case COVERAGE_RECORD:
    case COVERAGE_KINDS: break;
    }
    return 0;
}

static int take(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t row_count)
{
    struct reader *r = arg;
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    if (!d->goes_on) {
        r->file = (assay_file_id){ 0 };
        r->func = (assay_func_id){ 0 };
        r->is_skipped = false;
    }
    for (size_t i = 0; i < row_count; i++) {
        if (rows[i].kind == COVERAGE_FILE)
            TRY(file(r, &rows[i]));
        else if (!r->is_skipped || rows[i].kind == COVERAGE_COUNT)
            TRY(one_row(r, &rows[i]));
        if (i % 4096 == 0 && assay_builder_failed(r->b)) break;
    }
    return assay_builder_failed(r->b);
}

static void finish(struct reader *r, const struct coverage_source *s)
{
    assay_metric_id hits = assay_build_metric(r->b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    char version[64];
    assay_slice said = intern_get(&r->d.names, r->d.version);
    snprintf(version, sizeof version, "%.*s", (int)(said.len < 63 ? said.len : 63), said.data ? said.data : "");
    assay_build_metric_total_wide(r->b, hits, r->hits);
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    assay_build_source(r->b, s->format, version, "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

int coverage_rows_read(const struct coverage_source *s, const struct read_job *job, assay_builder *b, assay_error *err)
{
    SCRATCH(struct reader, r, job->mem, 1);
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    r->err = err;
    findings_init(&r->damage, job->mem);
    r->d = (struct coverage_decoder){ .take = take, .arg = r, .damage = &r->damage };
    int rc = coverage_rows_decode(&r->d, s, job, err);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r->damage, err);
    if (rc == 0) {
        finish(r, s);
        rc = assay_builder_failed(b);
    }
    intern_done(&r->d.names);
    vec_done(job->mem, &r->strings, &r->files, &r->known, &r->counts);
    findings_done(&r->damage);
    return rc;
}
