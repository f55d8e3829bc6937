/* Rows -> coverage of a profile, and rows -> text; see formats/coverage/rows.h. */
#include <stdio.h>

#include "assay/build.h"
#include "base/number.h"
#include "base/text.h"
#include "formats/coverage/rows.h"

static int decode(struct coverage_decoder *d, const struct coverage_source *s, const struct read_job *job, assay_error *err)
{
    d->mem = job->mem;
    d->err = err;
    intern_init(&d->names, job->mem);
    coverage_json_init(&d->j, job, d->damage, err);
    int rc = s->decode(d);
    if (rc == 0) rc = coverage_give(d);
    coverage_json_done(&d->j);
    vec_done(d->mem, &d->rows);
    return rc == 0 && d->damage->failed ? error_memory(err) : rc;
}

int coverage_rows_walk(const struct coverage_source *s, const struct read_job *job, coverage_take_fn take, void *arg, struct findings *out, assay_error *err)
{
    struct coverage_decoder d = { .take = take, .arg = arg, .damage = out };
    int rc = decode(&d, s, job, err);
    intern_done(&d.names);
    return rc;
}

/* ---- read ---- */

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct coverage_decoder d;
    VEC(uint32_t) strings; /* by name id: the builder's id, 0 = not asked yet */
    VEC(uint32_t) files;   /* by name id: the file of this path, 0 = not given yet */
    VEC(uint64_t) counts;  /* by name id: counts added up */
    assay_file_id file;
    assay_func_id func;
    assay_wide hits;
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
    if (!REACH(r, &r->files, row->name)) return error_memory(r->err);
    r->is_skipped = row->known_only && !r->files.at[row->name];
    if (r->is_skipped) return 0;
    r->file = assay_build_file(r->b, text_id(r, row->name), (assay_module_id){ 0 });
    r->files.at[row->name] = r->file.v;
    if (row->block || row->text) assay_build_file_source(r->b, r->file, text_id(r, row->text), text_id(r, row->block));
    return 0;
}

static void function(struct reader *r, const struct coverage_row *row)
{
    r->func = assay_build_func(r->b, text_id(r, row->name), r->file, (assay_module_id){ 0 }, 0, row->line);
    if (row->end_line) assay_build_func_lines(r->b, r->func, row->line, row->end_line);
    assay_build_coverage_func(r->b, &(struct assay_coverage_func){ .test = text_id(r, row->test),
                                                                   .func = r->func,
                                                                   .calls = row->count,
                                                                   .first_column = row->column,
                                                                   .last_column = row->end_column,
                                                                   .blocks = row->group,
                                                                   .blocks_hit = row->index,
                                                                   .flags = row->flags });
}

static void branch(struct reader *r, const struct coverage_row *row)
{
    assay_build_coverage_branch(r->b, &(struct assay_coverage_branch){ .test = text_id(r, row->test),
                                                                       .file = r->file,
                                                                       .line = row->line,
                                                                       .block = text_id(r, row->block),
                                                                       .name = text_id(r, row->name),
                                                                       .index = row->index,
                                                                       .hits = row->count,
                                                                       .flags = row->flags,
                                                                       .column = row->column,
                                                                       .end_line = row->end_line,
                                                                       .end_column = row->end_column });
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
                                                                       .hits = row->count });
}

static void line(struct reader *r, const struct coverage_row *row)
{
    if (!(row->flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE))) r->hits = wide_add_u64(r->hits, row->count);
    assay_build_coverage_line(
        r->b, &(struct assay_coverage_line){ .test = text_id(r, row->test), .file = r->file, .line = row->line, .hits = row->count, .flags = row->flags });
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

static int one_row(struct reader *r, const struct coverage_row *row)
{
    assay_slice key = intern_get(&r->d.names, row->name), value = intern_get(&r->d.names, row->text);
    if (row->is_pending) return 0;
    switch ((enum coverage_row_kind)row->kind) {
    case COVERAGE_LINE: line(r, row); break;
    case COVERAGE_FUNCTION: function(r, row); break;
    case COVERAGE_BRANCH: branch(r, row); break;
    case COVERAGE_REGION: region(r, row); break;
    case COVERAGE_CONDITION:
        assay_build_coverage_condition(
            r->b,
            &(struct assay_coverage_condition){ .file = r->file, .line = row->line, .group = row->group, .index = row->index, .sense = 1, .hits = row->count });
        break;
    case COVERAGE_STATED:
        assay_build_coverage_stated(r->b, &(struct assay_coverage_stated){ r->file, text_id(r, row->block), text_id(r, row->name), row->hit, row->total });
        break;
    case COVERAGE_ATTRIBUTE: assay_build_attribute(r->b, (assay_stream_id){ 0 }, key.data, key.len, value.data ? value.data : "", value.len); break;
    case COVERAGE_COUNT: return count(r, row);
    case COVERAGE_FILE:
    case COVERAGE_KINDS: break;
    }
    return 0;
}

static int take(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t row_count)
{
    struct reader *r = arg;
    (void)d;
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    r->file = (assay_file_id){ 0 };
    r->func = (assay_func_id){ 0 };
    r->is_skipped = false;
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
    struct reader *r = mem_zalloc(job->mem, 1, sizeof *r);
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    r->err = err;
    findings_init(&r->damage, job->mem);
    r->d = (struct coverage_decoder){ .take = take, .arg = r, .damage = &r->damage };
    int rc = decode(&r->d, s, job, err);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r->damage, err);
    if (rc == 0) {
        finish(r, s);
        rc = assay_builder_failed(b);
    }
    intern_done(&r->d.names);
    vec_done(job->mem, &r->strings);
    vec_done(job->mem, &r->files);
    vec_done(job->mem, &r->counts);
    findings_done(&r->damage);
    mem_free(job->mem, r, sizeof *r);
    return rc;
}

/* ---- dump ---- */

struct dump {
    const struct coverage_source *s;
    struct findings damage;
    struct output *o;
    size_t marked;
};

static void show_text(const struct dump *w, const struct coverage_decoder *d, const char *before, uint32_t name)
{
    if (!name) return;
    output_text(w->o, before);
    text_show(w->o, intern_get(&d->names, name));
}

/* "3:1 to 4:2"; without columns "3 to 4". */
static void show_place(const struct dump *w, const struct coverage_row *row)
{
    if (!row->line && !row->end_line) return;
    output_printf(w->o, row->column ? " %u:%u" : " %u", row->line, row->column);
    if (row->end_line) output_printf(w->o, row->end_column ? " to %u:%u" : " to %u", row->end_line, row->end_column);
}

static void show_figures(const struct dump *w, const struct coverage_row *row)
{
    static const char *const regions[] = { "code", "statement", "block", "gap", "skipped", "other" };
    switch ((enum coverage_row_kind)row->kind) {
    case COVERAGE_CONDITION: output_printf(w->o, " condition %u of %u %s", row->index, row->group, row->count ? "covered" : "not covered"); break;
    case COVERAGE_STATED:
        output_printf(w->o, " %.17g", row->hit);
        if (row->total >= 0) output_printf(w->o, " of %.17g", row->total);
        break;
    case COVERAGE_REGION:
        if (row->flags != ASSAY_REGION_STATEMENT) output_printf(w->o, " %s", regions[row->flags]);
        output_printf(w->o, " count %llu", (unsigned long long)row->count);
        break;
    case COVERAGE_LINE:
    case COVERAGE_FUNCTION:
        output_printf(w->o, " count %llu%s%s", (unsigned long long)row->count, row->flags & ASSAY_COVERAGE_EXCLUDED ? " excluded" : "",
                      row->flags & ASSAY_COVERAGE_NONCODE ? " noncode" : "");
        break;
    case COVERAGE_BRANCH:
        output_printf(w->o, " taken %llu%s", (unsigned long long)row->count, row->flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED ? " never evaluated" : "");
        break;
    default: break;
    }
}

static void show_row(const struct dump *w, const struct coverage_decoder *d, const struct coverage_row *row, bool is_inner)
{
    static const char *const words[COVERAGE_KINDS] = { "file", "line", "function", "branch", "decision", "region", "stated", "attribute", "count" };
    output_hex(w->o, row->off, 8);
    output_printf(w->o, " %6llu  %s%s", (unsigned long long)row->number, is_inner ? "  " : "",
                  w->s->words[row->kind] ? w->s->words[row->kind] : words[row->kind]);
    show_text(w, d, row->kind == COVERAGE_STATED ? " of " : " ", row->kind == COVERAGE_FILE ? 0 : row->block);
    show_text(w, d, " ", row->name);
    show_place(w, row);
    show_text(w, d, " of test ", row->test);
    if (row->kind == COVERAGE_ATTRIBUTE) show_text(w, d, " = ", row->text);
    show_figures(w, row);
    output_char(w->o, '\n');
}

static int show(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t row_count)
{
    struct dump *w = arg;
    bool is_inner = false;
    findings_mark(&w->damage, &w->marked, w->o);
    for (size_t i = 0; i < row_count && !output_failed(w->o); i++) {
        if (!rows[i].is_derived) show_row(w, d, &rows[i], is_inner && rows[i].kind != COVERAGE_FILE);
        is_inner |= rows[i].kind == COVERAGE_FILE;
    }
    return output_failed(w->o);
}

int coverage_rows_dump(const struct coverage_source *s, const struct read_job *job, struct output *out, assay_error *err)
{
    struct dump w = { .s = s, .o = out };
    findings_init(&w.damage, job->mem);
    int rc = coverage_rows_walk(s, job, show, &w, &w.damage, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(&w.damage, &w.marked, out);
        rc = 0;
    }
    findings_done(&w.damage);
    return rc;
}
