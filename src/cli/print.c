/* Results of the command's own verbs; see print.h. */
#include "cli/print.h"

#include "cli/hints.h"

void cli_print_findings(const assay_finding *f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (f[i].severity == ASSAY_INFO) continue;
        if (f[i].repeats)
            cli_message("%s %s: %s%s (and %llu more)", report_severities[f[i].severity], f[i].rule, f[i].message, hint_of_finding(f[i].rule),
                        (unsigned long long)f[i].repeats);
        else
            cli_message("%s %s: %s%s", report_severities[f[i].severity], f[i].rule, f[i].message, hint_of_finding(f[i].rule));
    }
}

void cli_report(struct cli *c, struct output *out, struct report *r)
{
    const struct settings *s = &c->set;
    *r = (struct report){
        .out = out,
        .mem = &c->mem,
        .style = s->json       ? REPORT_JSON
                 : cli_csv(s)  ? REPORT_CSV
                 : s->markdown ? REPORT_MARKDOWN
                               : REPORT_TEXT,
        .exact = s->exact,
        .raw = s->csv_raw,
        .color = c->term.color,
        .verbose = s->verbose,
        .full_names = s->full_names,
        .is_short = s->json == JSON_SHORT,
        .width = c->term.width,
        .has_limit = s->has_limit,
        .limit = s->limit,
        .file_count = s->files.len,
    };
    json_init(&r->json, out);
}

int cli_end_report(struct cli *c, struct report *r)
{
    assay_error err = { 0 };
    if (report_end(r, &err) == 0) return cli_close_output(c, r->out);
    cli_fail_write(c, &err);
    output_abort(r->out);
    return c->exit;
}
