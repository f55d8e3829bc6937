/* assay cov log: the reports of a branch, the newest first. */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cov/view.h"
#include "cli/shared.h"
#include "report/cov_format_text.h"
#include "store/changes.h"

static const struct option_spec options[] = {
    { .name = "max-count",
      .letter = 'n',
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(limit),
      GIVEN(has_limit),
      .most = UINT64_MAX,
      .help = "print at most N reports" },
    { .name = "oneline", .type = OPTION_FLAG, AT(cov.oneline), .help = "print one line per report: --format oneline --abbrev-hash" },
    { .name = "stat",
      .type = OPTION_TEXT,
      .argument = "PATH",
      AT(cov.file),
      .help = "print the coverage of this file or directory over time, one line per report",
      .text = "The date is that of the commit. '.' means everything." },
    COV_OPTION_FORMAT,
    COV_OPTIONS_LOOK,
    OPTION_COLOR,
    OPTION_JSON,
    OPTION_NO_PAGER,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Lists the report at REVISION (HEAD by default) and its ancestors. A..B lists the reports in B that are not in A.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov log --oneline -n 10", "the last ten reports" },
    { "assay cov log main..feature", "what the branch 'feature' adds" },
    { "assay cov log --format '%hR %pPL %s'", "id, percentage and subject" },
    { NULL, NULL },
};

struct job {
    struct cov v;
    struct cov_view view;
    struct output *out;
    struct json json;
};

/* ---- the course of a path ---- */

/* Without slashes at its end; "" = everything. */
static assay_slice stat_path(const struct job *j)
{
    assay_slice path = slice_of(j->v.c->set.cov.file);
    while (path.len && path.data[path.len - 1] == '/') path.len--;
    if (slice_is(path, ".")) path.len = 0;
    return path;
}

/* Sums of the files that are, or are below, the path. */
static int sum_path(struct job *j, const struct cov_report *r, struct cov_stats *out, size_t *files, assay_error *err)
{
    struct store_object o;
    assay_slice path = stat_path(j);
    *out = (struct cov_stats){ 0 };
    *files = 0;
    TRY(store_read(j->v.store, &r->file_list, COV_FILES, &o, err));
    for (size_t i = 0; i < o.o.files.count; i++) {
        const struct cov_file *f = &o.o.files.at[i];
        bool is_in = !path.len ||
                     (f->path.len >= path.len && memcmp(f->path.data, path.data, path.len) == 0 && (f->path.len == path.len || f->path.data[path.len] == '/'));
        struct cov_stats one = changes_stats(f);
        if (is_in) rating_add(out, &one);
        *files += is_in;
    }
    store_object_done(&o);
    return 0;
}

static void put_stat(struct job *j, const struct cov_id *id, const struct cov_report *r, const struct cov_stats *s, size_t files)
{
    char hex[COV_ID_HEX + 1];
    uint32_t share = rating_hundredths(&s->lines);
    output_printf(j->out, "%.9s ", cov_id_hex(id, hex));
    cov_format_time(j->out, r->committed, 's', 0);
    if (!files && stat_path(j).len) /* a whole report without files has 0 of 0 */
        output_text(j->out, "       -  (not in the report)");
    else {
        char ink[4] = { '3', (char)('0' + cov_mark_ink(rating_of(&j->view.rating, RATING_LINES, &s->lines)) - 30), '\0' };
        output_text(j->out, "  ");
        cov_ink(j->out, &j->view.look, ink);
        output_printf(j->out, "%3u.%02u%%", share / 100, share % 100);
        cov_ink(j->out, &j->view.look, "");
        output_printf(j->out, " %6u/%-6u", s->lines.visited, s->lines.relevant);
    }
    output_text(j->out, "  ");
    text_show(j->out, cov_subject_line(r->message));
    output_char(j->out, '\n');
}

static int print_stat(struct job *j, const struct cov_id *id, const struct cov_report *r, assay_error *err)
{
    struct cov_stats s;
    size_t files;
    TRY(sum_path(j, r, &s, &files, err));
    if (!j->v.c->set.json) return put_stat(j, id, r, &s, files), 0;
    json_object(&j->json);
    cov_json_id(&j->json, "report", id);
    cov_json_id(&j->json, "commit", &r->commit);
    json_key(&j->json, "added");
    json_u64(&j->json, r->added);
    json_key(&j->json, "committed");
    json_u64(&j->json, r->committed);
    json_key(&j->json, "files");
    json_u64(&j->json, files);
    cov_json_stats(&j->json, &s);
    json_end(&j->json);
    return 0;
}

/* ---- reports ---- */

static void print(struct job *j, const struct cov_id *id, const struct cov_report *r)
{
    struct cov_subject s = { .kind = COV_REPORT, .id = *id, .report = r, .load = cov_view_build, .arg = j->v.store };
    if (!j->v.c->set.json) {
        cov_format_print(j->out, j->view.format, j->view.align, &s, &j->view.look);
        return;
    }
    json_object(&j->json);
    cov_json_report(&j->json, id, r, &j->v.c->mem);
    json_end(&j->json);
}

/* From `at` on, up to `end` (not shown; zero = all). A cycle is reported, not followed. */
static int walk(struct job *j, struct cov_id at, const struct cov_id *end, assay_error *err)
{
    const struct settings *s = &j->v.c->set;
    struct revision_seen seen;
    bool is_new = true;
    int rc = 0;
    revision_seen_init(&seen, &j->v.c->mem);
    for (uint64_t n = 0; rc == 0 && !cov_id_is_zero(&at) && cov_id_compare(&at, end) != 0 && !(s->has_limit && n >= s->limit); n++) {
        struct store_object o;
        if ((rc = revision_seen_add(&seen, &at, &is_new, err)) != 0) break;
        if (!is_new) rc = error_set(err, ASSAY_ERR_DAMAGED, "the parents of the reports form a cycle");
        if (rc != 0 || (rc = store_read(j->v.store, &at, COV_REPORT, &o, err)) != 0) break;
        if (s->cov.file)
            rc = print_stat(j, &at, &o.o.report, err);
        else
            print(j, &at, &o.o.report);
        at = o.o.report.parent;
        store_object_done(&o);
        if (output_failed(j->out)) break;
    }
    revision_seen_done(&seen);
    return rc;
}

static int print_all(struct job *j, assay_error *err)
{
    const struct settings *s = &j->v.c->set;
    struct cov_range range;
    TRY(cov_range_find(&j->v, s->files.len ? s->files.at[0] : NULL, false, &range, err));
    if (cov_id_is_zero(&range.to)) FAIL(err, ASSAY_ERR_UNKNOWN, "'%s' is before the first report", s->files.at[0]);
    if (!s->json) return walk(j, range.to, &range.from, err);
    cov_json_begin(&j->json, j->out, "cov log");
    if (s->cov.file) json_key(&j->json, "path"), json_text(&j->json, s->cov.file);
    json_key(&j->json, "reports");
    json_array(&j->json);
    int rc = walk(j, range.to, &range.from, err);
    json_end(&j->json);
    json_end(&j->json);
    return rc;
}

static int run(struct cli *c)
{
    struct job j;
    assay_error err = { 0 };
    int code = cov_open(&j.v, c);
    j.view = (struct cov_view){ 0 };
    if (code == 0 && cov_view_init(&j.view, &j.v, &err) != 0) code = cov_fail(&j.v, &err);
    if (code == 0 && !c->set.no_pager && !c->set.json) terminal_start_pager(&c->term);
    if (code == 0 && !cli_open_output(c, &j.out)) code = COV_WRONG;
    if (code == 0) {
        int rc = print_all(&j, &err);
        if (rc != 0) code = cov_fail(&j.v, &err);
        if (cli_close_paged(c, j.out) != 0) code = COV_WRONG;
    }
    cov_view_done(&j.view);
    cov_close(&j.v);
    return code;
}

const struct verb cov_log_verb = { .name = "cov log",
                                   .summary = "list reports",
                                   .arguments = "[REVISION|A..B]",
                                   .most_files = 1,
                                   .options = options,
                                   .text = text,
                                   .examples = examples,
                                   .run = run };
