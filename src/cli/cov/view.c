/* How reports look on the command line; see view.h. */
#include "cli/cov/view.h"

#include <stdlib.h>

const char *const cov_decorate_words[] = { "auto", "short", "no", NULL };

struct assay_store_print cov_print_options(const struct cli *c)
{
    const struct cov_settings *s = &c->set.cov;
    bool is_decorated = s->decorate == COV_DECORATE_SHORT || (s->decorate == COV_DECORATE_AUTO && c->term.width);
    return (struct assay_store_print){ .size = sizeof(struct assay_store_print),
                                       .format = s->format,
                                       .json = c->set.json,
                                       .oneline = s->oneline,
                                       .abbrev = (s->abbrev || s->oneline) && !s->no_abbrev,
                                       .decorate = is_decorated,
                                       .prop_names = s->prop_names && !s->no_prop_names,
                                       .has_limit = c->set.has_limit,
                                       .limit = c->set.limit };
}

static int print_to(struct cov *v, struct output *out, const struct assay_store_print *options, cov_print_fn print)
{
    assay_error err = { 0 };
    const struct assay_report_sink sink = { .size = sizeof sink, .arg = out, .write = cov_put, .color = v->c->term.color };
    int rc = print(v->store, cov_revision(v->c), options, &sink, &err);
    int code = rc != 0 && !output_failed(out) ? cov_fail(v, &err) : COV_DONE;
    return cli_close_paged(v->c, out) == 0 ? code : COV_WRONG;
}

int cov_print(struct cli *c, const struct assay_store_print *options, cov_print_fn print)
{
    struct cov v;
    struct output *out;
    int code = cov_open(&v, c);
    if (code == 0 && !c->set.no_pager && !c->set.json) terminal_start_pager(&c->term);
    if (code == 0) code = cli_open_output(c, &out) ? print_to(&v, out, options, print) : COV_WRONG;
    cov_close(&v);
    return code;
}

int cov_result_print(struct cov *v, struct output *out, const assay_store_id *id, const char *branch, assay_error *err)
{
    const struct settings *s = &v->c->set;
    const struct assay_store_print look = { .size = sizeof look, .prop_names = s->cov.prop_names };
    /* As the program that assay replaces: coloured wherever it goes, unless that is forbidden. */
    bool is_colored = s->color != COLOR_NEVER && !(s->color == COLOR_AUTO && getenv("NO_COLOR") && *getenv("NO_COLOR"));
    const struct assay_report_sink sink = { .size = sizeof sink, .arg = out, .write = cov_put, .color = is_colored };
    return assay_store_print_result(v->store, id, branch, &look, &sink, err);
}
