/* What is said about the report that a branch now stands for; see assay/store.h. */
#include "report/cov_format_text.h"
#include "report/cov_view.h"

static void put_percent(struct output *out, const struct cov_look *look, enum rating_what what, const assay_store_pair *p)
{
    char ink[4] = { '3', (char)('0' + cov_mark_ink(rating_of(look->rating, what, p)) - 30), '\0' };
    cov_ink(out, look, ink);
    output_printf(out, "%3u%%", (unsigned)rating_percent(p));
    cov_ink(out, look, "");
}

static void put_counts(struct output *out, const struct cov_look *look, const assay_store_stats *s, size_t files)
{
    if (files == 1)
        output_text(out, " one file, ");
    else
        output_printf(out, " %zu files, ", files);
    put_percent(out, look, RATING_LINES, &s->lines);
    output_printf(out, " (%u/%u", s->lines.visited, s->lines.relevant);
    if (s->lines.visited < s->lines.relevant) output_printf(out, ", -%u", s->lines.relevant - s->lines.visited);
    output_char(out, ')');
    if (s->functions.relevant) {
        output_text(out, ", Fn");
        put_percent(out, look, RATING_FUNCTIONS, &s->functions);
        output_printf(out, " (%u/%u)", s->functions.visited, s->functions.relevant);
    }
    output_char(out, '\n');
}

static void put_result(struct output *out, const struct cov_look *look, const assay_store_id *id, const struct cov_report *r, const char *branch, size_t files)
{
    char hex[COV_ID_HEX + 1];
    cov_ink(out, look, "31");
    output_printf(out, "[%s %.9s]", branch ? branch : "detached HEAD", cov_id_hex(id, hex));
    cov_ink(out, look, "");
    output_char(out, ' ');
    output_slice(out, cov_subject_line(r->message));
    output_char(out, '\n');
    put_counts(out, look, &r->stats, files);
    output_char(out, ' ');
    cov_ink(out, look, "2;37");
    output_text(out, "based on");
    cov_ink(out, look, "");
    output_char(out, ' ');
    cov_ink(out, look, "2;33");
    output_printf(out, "%.9s@", cov_id_hex(&r->commit, hex));
    output_slice(out, r->branch);
    cov_ink(out, look, "");
    output_char(out, '\n');
    if (!cov_id_is_zero(&r->parent)) output_printf(out, " parent %.9s\n", cov_id_hex(&r->parent, hex));
    for (size_t i = 0; i < r->build_count; i++) {
        output_char(out, ' ');
        cov_ink(out, look, "2;37");
        output_printf(out, "contains %.9s:", cov_id_hex(&r->builds[i].build, hex));
        cov_ink(out, look, "");
        output_char(out, ' ');
        put_percent(out, look, RATING_LINES, &r->builds[i].stats.lines);
        cov_format_props(out, r->builds[i].propset, look, true);
        output_char(out, '\n');
    }
}

int assay_store_print_result(assay_store *h, const assay_store_id *id, const char *branch, const struct assay_store_print *options,
                             const struct assay_report_sink *sink, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct store_object o, list;
    struct cov_view view;
    size_t files = 0;
    int rc = cov_view_begin(&view, h, options, sink, err);
    view.look.decorate = true;
    if (rc == 0) rc = store_read(h->s, id, COV_REPORT, &o, err);
    if (rc == 0) {
        if (store_read(h->s, &o.o.report.file_list, COV_FILES, &list, NULL) == 0) {
            files = list.o.files.count;
            store_object_done(&list);
        }
        put_result(view.out, &view.look, id, &o.o.report, branch, files);
        store_object_done(&o);
    }
    return cov_view_end(&view, rc, err);
}
