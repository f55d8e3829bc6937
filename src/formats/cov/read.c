/* Objects -> profile: docs/model.md, "cov, cov-spec". The pieces are shared with the reader of whole stores. */
#include <stdio.h>

#include "base/scoped.h"
#include "formats/cov/cov.h"

/* Names and paths that are joined with something are cut here: no system has longer ones. */
enum { LONG_TEXT = 4096 };

static assay_str_id text_id(assay_builder *b, assay_slice s) { return assay_build_string(b, s.data ? s.data : "", s.len); }

void cov_build_text(assay_builder *b, const char *key, assay_slice value)
{
    assay_build_attribute(b, (assay_stream_id){ 0 }, key, strlen(key), value.data ? value.data : "", value.len);
}

void cov_build_id(assay_builder *b, const char *key, const assay_store_id *id)
{
    char hex[COV_ID_HEX + 1];
    cov_build_text(b, key, (assay_slice){ cov_id_hex(id, hex), COV_ID_HEX });
}

static void build_number(assay_builder *b, const char *key, uint64_t value)
{
    char text[24];
    int len = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    cov_build_text(b, key, (assay_slice){ text, (size_t)len });
}

/* "Name <mail>" */
static void build_person(assay_builder *b, const char *key, assay_slice name, assay_slice mail)
{
    char text[2 * LONG_TEXT + 4];
    int len = snprintf(text, sizeof text, "%.*s <%.*s>", (int)(name.len < LONG_TEXT ? name.len : LONG_TEXT), name.len ? name.data : "",
                       (int)(mail.len < LONG_TEXT ? mail.len : LONG_TEXT), mail.len ? mail.data : "");
    cov_build_text(b, key, (assay_slice){ text, (size_t)len });
}

static void state(assay_builder *b, assay_file_id file, assay_str_id scope, const char *kind, const assay_store_pair *p)
{
    assay_build_coverage_stated(b, &(struct assay_coverage_stated){ file, scope, text_id(b, slice_of(kind)), p->visited, p->relevant });
}

void cov_build_stats(assay_builder *b, assay_slice scope, const assay_store_stats *s)
{
    const assay_file_id none = { 0 };
    assay_str_id id = text_id(b, scope);
    assay_build_coverage_stated(b, &(struct assay_coverage_stated){ none, id, text_id(b, SLICE("line count")), s->lines_total, -1 });
    state(b, none, id, "lines", &s->lines);
    state(b, none, id, "functions", &s->functions);
    state(b, none, id, "branches", &s->branches);
}

void cov_build_metrics(assay_builder *b, const assay_store_stats *s)
{
    assay_metric_id lines = assay_build_metric(b, "lines", "lines", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_metric_id functions = assay_build_metric(b, "functions", "functions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_build_metric_total(b, lines, (assay_value){ .u = s->lines_total });
    assay_build_metric_total(b, functions, (assay_value){ .u = s->functions.relevant });
}

/* ---- kinds ---- */

static void build_entry(assay_builder *b, const assay_store_build *e)
{
    char scope[COV_ID_HEX + 7] = "build ";
    cov_id_hex(&e->build, scope + 6);
    cov_build_id(b, "build", &e->build);
    cov_build_text(b, "propset", e->propset);
    cov_build_stats(b, (assay_slice){ scope, COV_ID_HEX + 6 }, &e->stats);
}

void cov_build_report(assay_builder *b, const struct cov_report *r)
{
    cov_build_id(b, "parent", &r->parent);
    cov_build_id(b, "file_list", &r->file_list);
    build_number(b, "added", r->added);
    cov_build_text(b, "branch", r->branch);
    build_person(b, "author", r->author_name, r->author_email);
    build_person(b, "committer", r->committer_name, r->committer_email);
    cov_build_text(b, "message", r->message);
    cov_build_id(b, "commit", &r->commit);
    build_number(b, "committed", r->committed);
    cov_build_metrics(b, &r->stats);
    cov_build_stats(b, SLICE("report"), &r->stats);
    for (size_t i = 0; i < r->build_count; i++) build_entry(b, &r->builds[i]);
}

static void build_build(assay_builder *b, const struct cov_build *x)
{
    cov_build_id(b, "file_list", &x->file_list);
    build_number(b, "added", x->added);
    cov_build_text(b, "propset", x->propset);
    cov_build_metrics(b, &x->stats);
    cov_build_stats(b, SLICE("build"), &x->stats);
}

assay_file_id cov_build_file(assay_builder *b, const struct cov_file *f)
{
    char origin[COV_ID_HEX + 6] = "blob ";
    assay_file_id id = assay_build_file(b, text_id(b, f->path), (assay_module_id){ 0 });
    assay_str_id scope = text_id(b, SLICE("file"));
    cov_id_hex(&f->contents, origin + 5);
    assay_build_file_source(b, id, (assay_str_id){ 0 }, text_id(b, (assay_slice){ origin, COV_ID_HEX + 5 }));
    assay_build_coverage_stated(b, &(struct assay_coverage_stated){ id, scope, text_id(b, SLICE("line count")), f->lines_total, -1 });
    state(b, id, scope, "lines", &f->lines.summary);
    state(b, id, scope, "functions", &f->functions.summary);
    state(b, id, scope, "branches", &f->branches.summary);
    return id;
}

static void build_details(assay_builder *b, assay_slice path, const char *what, const assay_store_id *id)
{
    char key[LONG_TEXT + 32], hex[COV_ID_HEX + 1];
    int len = snprintf(key, sizeof key, "file.%.*s.%s", (int)(path.len < LONG_TEXT ? path.len : LONG_TEXT), path.len ? path.data : "", what);
    assay_build_attribute(b, (assay_stream_id){ 0 }, key, (size_t)len, cov_id_hex(id, hex), COV_ID_HEX);
}

static void build_list(assay_builder *b, const struct cov_files *l)
{
    for (size_t i = 0; i < l->count && !assay_builder_failed(b); i++) {
        const struct cov_file *f = &l->at[i];
        cov_build_file(b, f);
        build_details(b, f->path, "lines", &f->lines.id);
        if (!l->ext) continue;
        build_details(b, f->path, "functions", &f->functions.id);
        build_details(b, f->path, "branches", &f->branches.id);
    }
    assay_build_count(b, "files", l->count);
}

void cov_build_lines(assay_builder *b, assay_file_id file, const struct cov_lines *l)
{
    for (size_t i = 0; i < l->count; i++)
        assay_build_coverage_line(b, &(struct assay_coverage_line){ .file = file, .line = l->at[i].line, .hits = l->at[i].hits });
}

void cov_build_functions(assay_builder *b, assay_file_id file, const struct cov_functions *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct cov_function *x = &f->at[i];
        assay_func_id id = assay_build_func(b, text_id(b, x->name), file, (assay_module_id){ 0 }, 0, x->first_line);
        if (x->last_line) assay_build_func_lines(b, id, x->first_line, x->last_line);
        if (x->demangled.len) assay_build_func_link(b, id, text_id(b, x->demangled));
        assay_build_coverage_func(
            b, &(struct assay_coverage_func){ .func = id, .calls = x->count, .first_column = x->first_column, .last_column = x->last_column });
    }
}

/* The object does not know its file; rows without one would be lost to every writer. */
static assay_file_id nameless(assay_builder *b) { return assay_build_file(b, text_id(b, SLICE("")), (assay_module_id){ 0 }); }

static void build_line_object(assay_builder *b, const struct cov_lines *l)
{
    uint64_t visited = 0, hits = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < l->count; i++) {
        visited += l->at[i].hits > 0;
        hits += l->at[i].hits;
        if (l->at[i].hits > most) most = l->at[i].hits;
    }
    if (assay_builder_want(b) & ASSAY_WANT_COVERAGE) cov_build_lines(b, nameless(b), l);
    assay_build_metric_total(b, assay_build_metric(b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE), (assay_value){ .u = hits });
    assay_build_count(b, "lines", l->last_line);
    assay_build_count(b, "relevant", l->count);
    assay_build_count(b, "visited", visited);
    assay_build_count(b, "entries", l->words);
    assay_build_count(b, "null_runs", l->runs);
    assay_build_count(b, "max_hits", most);
}

static void build_object(assay_builder *b, const struct cov_object *o)
{
    switch (o->kind) {
    case COV_REPORT:
        cov_build_report(b, &o->report);
        assay_build_count(b, "builds", o->report.build_count);
        break;
    case COV_BUILD: build_build(b, &o->build); break;
    case COV_FILES: build_list(b, &o->files); break;
    case COV_LINES: build_line_object(b, &o->lines); break;
    default:
        if (assay_builder_want(b) & ASSAY_WANT_COVERAGE) cov_build_functions(b, nameless(b), &o->functions);
        assay_build_count(b, "functions", o->functions.count);
        break;
    }
}

static void build_facts(assay_builder *b, const struct cov_loaded *l, enum cov_dialect dialect)
{
    char version[24];
    snprintf(version, sizeof version, "%u.%u", l->o.version >> 16, l->o.version & 0xffff);
    assay_build_source(b, dialect == COV_DIALECT_SPEC ? "cov-spec" : "cov", version, "");
    assay_build_offers(b, ASSAY_SHAPE_COVERAGE);
    cov_build_text(b, "kind", slice_of(cov_kind_name(l->o.kind)));
    cov_build_text(b, "framing", slice_of(cov_framing_name(l->framing)));
    cov_build_id(b, "oid", &l->id);
    assay_build_count(b, "bytes", l->o.bytes.len);
    assay_build_count(b, "stored_bytes", l->stored_len);
}

static int build_loaded(assay_builder *b, const struct read_job *job, const struct cov_loaded *l, const struct findings *f, enum cov_dialect dialect,
                        assay_error *err)
{
    if (job->options->strict || l->o.kind == COV_NONE) TRY(findings_refuse(f, err));
    if (l->o.kind == COV_NONE) FAIL(err, ASSAY_ERR_DAMAGED, "no object could be read");
    build_facts(b, l, dialect);
    build_object(b, &l->o);
    for (size_t i = 0; i < f->list.len; i++) assay_build_warning(b, &f->list.at[i]);
    return assay_builder_failed(b);
}

int cov_read(const struct read_job *job, enum cov_dialect dialect, assay_builder *b, assay_error *err)
{
    SCOPED(cov_loaded_done) struct cov_loaded l = { 0 };
    SCOPED(findings_done) struct findings f;
    findings_init(&f, job->mem);
    TRY(cov_load(job, dialect, &l, &f, err));
    cov_object_check(&l.o, &f);
    return build_loaded(b, job, &l, &f, dialect, err);
}
