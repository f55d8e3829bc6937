/* How reports of a store are printed; see cov_view.h. */
#include "report/cov_view.h"

#include "base/options.h"

int cov_view_begin(struct cov_view *view, assay_store *h, const struct assay_store_print *options, const struct assay_report_sink *sink, assay_error *err)
{
    *view = (struct cov_view){ .h = h };
    struct assay_store_print *o = &view->options;
    struct assay_report_sink to;
    TRY(options_take(o, sizeof *o, options, err));
    TRY(options_take(&to, sizeof to, sink, err));
    if (!to.write) FAIL(err, ASSAY_ERR_USAGE, "the sink has no function that takes the text");
    TRY(output_open_fn(&view->out, to.write, to.arg, &h->mem, err));
    const char *custom = o->format ? cov_format_custom(o->format) : NULL;
    view->align = !custom;
    view->format = custom ? custom : cov_format_predefined(o->oneline ? "oneline" : o->format ? o->format : "medium");
    rating_load(&view->rating, &h->config);
    view->look = (struct cov_look){
        .mem = &h->mem,
        .rating = &view->rating,
        .names = &view->names,
        .color = to.color,
        .decorate = custom || o->decorate,
        .prop_names = o->prop_names,
        .abbrev = o->abbrev,
        .now = store_now(),
    };
    /* Only decorations need them. */
    return view->look.decorate ? cov_names_load(&view->names, h->s, err) : 0;
}

int cov_view_end(struct cov_view *view, int rc, assay_error *err)
{
    int ended = view->out ? output_commit(view->out, rc == 0 ? err : NULL) : 0;
    cov_names_done(&view->names);
    return rc != 0 ? rc : ended;
}

int cov_view_build(void *arg, const assay_store_id *id, struct cov_build *out)
{
    struct store_object o;
    TRY(store_read(arg, id, COV_BUILD, &o, NULL));
    *out = o.o.build;
    out->propset = (assay_slice){ NULL, 0 }; /* the report has it */
    store_object_done(&o);
    return 0;
}
