/* report, callers, problems: what the verbs print, as they print it. */
#include "report/report.h"

#include "base/error.h"
#include "server/routes.h"
#include "server/routes/calls.h"

static int put_text(void *arg, const char *data, size_t len)
{
    output_bytes(arg, data, len);
    return 0;
}

/* ---- any verb ---- */

struct words {
    VEC(struct assay_option) at;
};

static int add_option(struct request *r, struct words *w, const char *key, const char *value, assay_error *err)
{
    struct assay_option *to = vec_push(&r->mem, &w->at);
    if (!to) return error_memory(err);
    *to = (struct assay_option){ key, value };
    return 0;
}

static int add_file(struct request *r, assay_reporter *report, uint32_t id, assay_profile *p, assay_error *err)
{
    const struct viewed *in = inputs_find(&r->server->inputs, id);
    return assay_reporter_add(report, in->path, p, err);
}

/* What a verb looks at. Direct callers and callees are at hand once somebody has asked for those of any function. */
static int get_input(struct request *r, assay_reporter *report, bool are_direct_callers, assay_profile **out, assay_error *err)
{
    const struct calls *calls;
    if (!are_direct_callers) return request_want(r, r->state.a, r->state.a_count, assay_reporter_want(report) & ~(uint32_t)ASSAY_WANT_SPARSE, out, err);
    TRY(request_profile(r, WANT_GRAPH, out, err));
    TRY(calls_get(r, *out, &calls, err));
    report_lend(report, calls->top, &calls->arcs);
    return 0;
}

/* Runs a verb over what the state names; its text goes to `out`. */
static int run(struct request *r, const char *verb, const struct words *w, const assay_changes *changes, struct output *out, assay_error *err)
{
    struct assay_report_sink sink = { .size = sizeof sink, .write = put_text, .arg = out };
    assay_reporter *report;
    assay_profile *p;
    bool is_pair = strcmp(verb, "diff") == 0;
    TRY(assay_reporter_new(verb, w->at.at, w->at.len, is_pair ? 2 : 1, &sink, &report, err));
    if (changes) assay_reporter_changes(report, changes);
    uint32_t want = assay_reporter_want(report) & ~(uint32_t)ASSAY_WANT_SPARSE;
    int rc = get_input(r, report, strcmp(verb, "callers") == 0 && !(want & ASSAY_WANT_TREE), &p, err);
    if (rc == 0) rc = add_file(r, report, r->state.a[0], p, err);
    if (rc == 0 && is_pair)
        rc = r->state.b ? request_want(r, &r->state.b, 1, want, &p, err) : error_set(err, ASSAY_ERR_USAGE, "there is nothing to compare with");
    if (rc == 0 && is_pair) rc = add_file(r, report, r->state.b, p, err);
    if (rc == 0) rc = assay_reporter_end(report, err);
    assay_reporter_free(report);
    return rc;
}

/* ---- report ---- */

/* Options that only say what is shown: none that names a file. */
static bool is_harmless(const struct assay_option_info *o)
{
    static const char *const texts[] = { "function", "title", "stream", "depth", NULL };
    for (size_t i = 0; texts[i]; i++)
        if (strcmp(o->name, texts[i]) == 0) return true;
    return o->type == ASSAY_OPTION_FLAG || o->type == ASSAY_OPTION_NUMBER || o->type == ASSAY_OPTION_WORD || o->type == ASSAY_OPTION_PERCENT;
}

static int take_options(struct request *r, const struct assay_verb *verb, struct words *w, assay_error *err)
{
    struct assay_option_info o = { .size = sizeof o };
    for (size_t i = 0; assay_verb_option_at(verb, i, &o); i++) {
        const char *value = NULL;
        if (!is_harmless(&o)) continue;
        TRY(params_text(&r->params, o.name, &value, err));
        if (value) TRY(add_option(r, w, o.name, o.type == ASSAY_OPTION_FLAG ? NULL : value, err));
    }
    for (size_t i = 0; verb->words && verb->words[i]; i++) {
        const char *value = NULL;
        TRY(params_text(&r->params, verb->words[i], &value, err));
        if (value) TRY(add_option(r, w, verb->words[i], value, err));
    }
    return params_end(&r->params, err);
}

int route_report(struct request *r, assay_error *err)
{
    static const char *const verbs[] = { "top", "tree", "callers", "annotate", "flame", "timeline", "diff", "info", NULL };
    static const char *const forms[] = { "json", "csv", "markdown", "text", "svg", NULL };
    static const char *const types[] = { "application/json", "text/csv; charset=utf-8", "text/markdown; charset=utf-8", "text/plain; charset=utf-8",
                                         "image/svg+xml" };
    unsigned verb = 0, form = 0;
    struct words w = { { 0 } };
    TRY(params_word(&r->params, "verb", verbs, &verb, err));
    TRY(params_word(&r->params, "form", forms, &form, err));
    if (form < 3) TRY(add_option(r, &w, forms[form], NULL, err));
    if (form == 4 && strcmp(verbs[verb], "timeline") == 0) TRY(add_option(r, &w, "svg", NULL, err));
    if (r->state.metric) TRY(add_option(r, &w, "metric", r->state.metric, err));
    int rc = take_options(r, assay_verb_find(verbs[verb]), &w, err);
    if (rc == 0) rc = run(r, verbs[verb], &w, NULL, r->out, err);
    vec_done(&r->mem, &w.at);
    r->type = types[form];
    return rc;
}

/* ---- JSON of one verb with the command ---- */

static int answer(struct request *r, const char *verb, const struct words *w, const assay_changes *changes, const char *more, assay_error *err)
{
    struct output *text;
    struct json j;
    TRY(output_open_memory(&text, &r->mem, err));
    int rc = run(r, verb, w, changes, text, err);
    if (rc == 0) {
        json_init(&j, r->out);
        json_object(&j);
        json_key(&j, "assay");
        json_u64(&j, 1);
        json_key(&j, "report");
        json_number(&j, output_memory(text));
        state_command(r, &j, verb, more);
        json_end(&j);
    }
    output_abort(text);
    return rc;
}

/* The name of a function by its number. */
static int name_of(struct request *r, uint32_t func, const char **out, assay_error *err)
{
    assay_profile *p;
    TRY(request_profile(r, WANT_GRAPH, &p, err));
    const struct assay_funcs *f = assay_profile_funcs(p);
    if (func > f->count) FAIL(err, ASSAY_ERR_USAGE, "there is no function %u", func);
    *out = assay_profile_string(p, f->name[func]).data;
    return 0;
}

int route_callers(struct request *r, assay_error *err)
{
    struct words w = { { 0 } };
    const char *function = NULL, *sort = NULL;
    bool by_site = false, cycles = false;
    uint64_t limit = 100, depth = 1;
    uint32_t func = 0;
    TRY(params_text(&r->params, "function", &function, err));
    TRY(params_u32(&r->params, "func", &func, err));
    TRY(params_text(&r->params, "sort", &sort, err));
    TRY(params_flag(&r->params, "by_site", &by_site, err));
    TRY(params_flag(&r->params, "cycles", &cycles, err));
    TRY(params_number(&r->params, "limit", UINT32_MAX, &limit, err));
    TRY(params_number(&r->params, "depth", 100, &depth, err));
    TRY(params_end(&r->params, err));
    if (func) TRY(name_of(r, func, &function, err));
    if (!function) FAIL(err, ASSAY_ERR_USAGE, "which function? 'function' or 'func' is missing");
    const char *more = request_text(r, "%s%s'%s'", by_site ? "--by-site " : "", cycles ? "--cycles " : "", function);
    const char *levels = request_text(r, "%u", (unsigned)depth), *most = request_text(r, "%llu", (unsigned long long)limit);
    if (!more || !levels || !most) return error_memory(err);
    TRY(add_option(r, &w, "json", NULL, err));
    TRY(add_option(r, &w, "FUNCTION", function, err));
    TRY(add_option(r, &w, "limit", most, err));
    if (depth > 1) TRY(add_option(r, &w, "depth", levels, err));
    if (sort) TRY(add_option(r, &w, "sort", sort, err));
    if (by_site) TRY(add_option(r, &w, "by-site", NULL, err));
    if (cycles) TRY(add_option(r, &w, "cycles", NULL, err));
    if (r->state.metric) TRY(add_option(r, &w, "metric", r->state.metric, err));
    int rc = answer(r, "callers", &w, NULL, more, err);
    vec_done(&r->mem, &w.at);
    return rc;
}

int answer_report(struct request *r, const char *verb, const assay_changes *changes, const char *more, assay_error *err)
{
    struct words w = { { 0 } };
    TRY(add_option(r, &w, "json", NULL, err));
    int rc = changes ? add_option(r, &w, "CHANGE", "dropped.diff", err) : 0;
    if (rc == 0) rc = answer(r, verb, &w, changes, more, err);
    vec_done(&r->mem, &w.at);
    return rc;
}

/* Of profiles and of coverage: what `diff` makes of the two. */
int route_coverage_diff(struct request *r, assay_error *err)
{
    TRY(params_end(&r->params, err));
    return answer_report(r, "diff", NULL, "", err);
}

/* ---- problems ---- */

static int check(struct request *r, const struct viewed *in, struct json *j, assay_error *err)
{
    struct assay_input from = viewed_input(in);
    struct assay_read_options o = r->server->read;
    assay_check_result *result = NULL;
    struct output *text;
    TRY(output_open_memory(&text, &r->mem, err));
    struct report report = { .out = text, .mem = &r->mem, .style = REPORT_JSON, .all = true, .file_count = 1 };
    json_init(&report.json, text);
    int rc = assay_check_from(&from, &o, &result, err);
    if (rc == 0) {
        report_check_begin(&report);
        report_check(&report, in->path, result, NULL);
        rc = report_end(&report, err);
    }
    if (rc == 0) {
        json_key(j, "report");
        json_number(j, output_memory(text));
    }
    assay_check_free(result);
    output_abort(text);
    return rc;
}

int route_problems(struct request *r, assay_error *err)
{
    struct json j;
    const struct viewed *in = inputs_find(&r->server->inputs, r->state.a[0]);
    TRY(params_end(&r->params, err));
    if (!in) FAIL(err, ASSAY_ERR_USAGE, "there is no such input");
    json_init(&j, r->out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    TRY(check(r, in, &j, err));
    state_command(r, &j, "check", "--all");
    json_end(&j);
    return output_failed(r->out) ? error_memory(err) : 0;
}
