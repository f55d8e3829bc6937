/* What every route understands: inputs, metric, filters; and the command that
 * says the same. */
#include "base/error.h"
#include "base/number.h"
#include "server/server.h"

/* ---- taking ---- */

/* "1,2": numbers of inputs. */
static int take_inputs(struct request *r, const char *name, uint32_t *to, uint32_t most, uint32_t *count, assay_error *err)
{
    const char *text = NULL;
    TRY(params_text(&r->params, name, &text, err));
    if (!text) return 0;
    *count = 0;
    for (const char *at = text;; at++) {
        uint64_t n = 0;
        const char *end = at + strcspn(at, ",");
        bool is_fine = number_u64(slice_from(at, end), &n) == NUMBER_OK && n && n <= inputs_count(&r->server->inputs);
        if (!is_fine) FAIL(err, ASSAY_ERR_USAGE, "there is no input '%.*s'", (int)(end - at < 20 ? end - at : 20), at);
        if (*count == most) FAIL(err, ASSAY_ERR_USAGE, "more than %u inputs for '%s'", most, name);
        to[(*count)++] = (uint32_t)n;
        at = end;
        if (!*at) return 0;
    }
}

static int take_list(struct request *r, const char *name, const char *const **to, size_t *count, assay_error *err)
{
    struct param_list list;
    TRY(params_list(&r->params, name, &list, err));
    *to = list.at;
    *count = list.count;
    return 0;
}

static const struct list_of {
    const char *name;
    size_t at, count;
} lists[] = {
    { "focus", offsetof(struct assay_filter, focus), offsetof(struct assay_filter, focus_count) },
    { "ignore", offsetof(struct assay_filter, ignore), offsetof(struct assay_filter, ignore_count) },
    { "hide", offsetof(struct assay_filter, hide), offsetof(struct assay_filter, hide_count) },
    { "focus-self", offsetof(struct assay_filter, focus_self), offsetof(struct assay_filter, focus_self_count) },
    { "hide-path", offsetof(struct assay_filter, hide_paths), offsetof(struct assay_filter, hide_path_count) },
    { "collapse", offsetof(struct assay_filter, collapse), offsetof(struct assay_filter, collapse_count) },
    { "show", offsetof(struct assay_filter, show), offsetof(struct assay_filter, show_count) },
    { "show-from", offsetof(struct assay_filter, show_from), offsetof(struct assay_filter, show_from_count) },
    { "tag-focus", offsetof(struct assay_filter, tag_focus), offsetof(struct assay_filter, tag_focus_count) },
    { "tag-ignore", offsetof(struct assay_filter, tag_ignore), offsetof(struct assay_filter, tag_ignore_count) },
    { "tag-root", offsetof(struct assay_filter, tag_root), offsetof(struct assay_filter, tag_root_count) },
    { "tag-leaf", offsetof(struct assay_filter, tag_leaf), offsetof(struct assay_filter, tag_leaf_count) },
    { "module", offsetof(struct assay_filter, modules), offsetof(struct assay_filter, module_count) },
    { "file", offsetof(struct assay_filter, files), offsetof(struct assay_filter, file_count) },
    { "stream", offsetof(struct assay_filter, streams), offsetof(struct assay_filter, stream_count) },
};
enum { LISTS = sizeof lists / sizeof *lists };

static const char *const *list_of(const struct assay_filter *f, size_t i, size_t *count)
{
    *count = *(const size_t *)((const char *)f + lists[i].count);
    return *(const char *const *const *)((const char *)f + lists[i].at);
}

/* Lengths before texts, so that no text can look like two. */
int state_key(struct request *r, assay_error *err)
{
    struct output *out;
    const struct assay_filter *f = &r->state.filter;
    TRY(output_open_memory(&out, &r->mem, err));
    for (size_t i = 0; i < LISTS; i++) {
        size_t count;
        const char *const *at = list_of(f, i, &count);
        for (size_t k = 0; k < count; k++) output_printf(out, "%s%zu:%s", lists[i].name, strlen(at[k]), at[k]);
    }
    if (f->time) output_printf(out, "time%s", f->time);
    r->state.key = arena_copy(&r->text, output_memory(out));
    bool failed = output_failed(out) || !r->state.key;
    output_abort(out);
    return failed ? error_memory(err) : 0;
}

static const char *const recursion_words[] = { "keep", "direct", "all", NULL };

int state_take(struct request *r, assay_error *err)
{
    struct state *s = &r->state;
    uint32_t one = 0;
    double percent = r->server->least;
    *s = (struct state){ .a = { 1 }, .a_count = 1, .metric = r->server->metric };
    TRY(take_inputs(r, "a", s->a, SERVER_MERGED, &s->a_count, err));
    TRY(take_inputs(r, "b", &s->b, 1, &one, err));
    TRY(take_inputs(r, "coverage", &s->coverage, 1, &one, err));
    TRY(params_text(&r->params, "metric", &s->metric, err));
    if (s->metric && !*s->metric) s->metric = NULL;
    for (size_t i = 0; i < LISTS; i++)
        TRY(take_list(r, lists[i].name, (const char *const **)(void *)((char *)&s->filter + lists[i].at),
                      (size_t *)(void *)((char *)&s->filter + lists[i].count), err));
    s->filter.size = sizeof s->filter;
    TRY(params_text(&r->params, "time", &s->filter.time, err));
    TRY(params_double(&r->params, "min", 0, 100, &percent, err));
    TRY(params_word(&r->params, "recursion", recursion_words, &s->recursion, err));
    s->least = percent / 100;
    return state_key(r, err);
}

/* ---- telling ---- */

static void put_encoded(struct output *o, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-_.~", c);
        if (is_plain)
            output_char(o, (char)c);
        else
            output_printf(o, "%%%02X", c);
    }
}

static void put_parameter(struct output *o, const char *name, const char *value)
{
    if (output_off(o)) output_char(o, '&');
    output_text(o, name);
    output_char(o, '=');
    put_encoded(o, value);
}

int state_begin_text(const struct server *s, struct output *out)
{
    char buf[48];
    for (size_t i = 0; i < LISTS; i++) {
        size_t count;
        const char *const *at = list_of(&s->begin, i, &count);
        for (size_t k = 0; k < count; k++) put_parameter(out, lists[i].name, at[k]);
    }
    if (s->begin.time) put_parameter(out, "time", s->begin.time);
    if (s->metric) put_parameter(out, "metric", s->metric);
    if (s->least > 0) {
        number_put_double(buf, s->least);
        put_parameter(out, "min", buf);
    }
    return output_failed(out);
}

/* As a shell takes it. */
static void put_word(struct output *o, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                                "WXYZ0123456789_-./:,=+@%";
    if (*text && strspn(text, plain) == strlen(text)) {
        output_text(o, text);
        return;
    }
    output_char(o, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            output_text(o, "'\\''");
        else
            output_char(o, *text);
    }
    output_char(o, '\'');
}

static void put_option(struct output *o, const char *name, const char *value)
{
    output_printf(o, " --%s ", name);
    put_word(o, value);
}

static void put_files(struct request *r, struct output *o)
{
    const struct state *s = &r->state;
    for (uint32_t i = 0; i < s->a_count + (s->b ? 1 : 0); i++) {
        const struct viewed *in = inputs_find(&r->server->inputs, i < s->a_count ? s->a[i] : s->b);
        output_char(o, ' ');
        if (in && in->path[0] == '-') output_text(o, "./");
        put_word(o, in ? in->path : "?");
    }
}

void state_command(struct request *r, struct json *j, const char *verb, const char *more)
{
    struct output *o;
    const struct state *s = &r->state;
    json_key(j, "command");
    if (output_open_memory(&o, &r->mem, NULL) != 0) {
        json_text(j, "");
        return;
    }
    output_printf(o, "assay %s%s%s", verb, *more ? " " : "", more);
    if (s->metric) put_option(o, "metric", s->metric);
    for (size_t i = 0; i < LISTS; i++) {
        size_t count;
        const char *const *at = list_of(&s->filter, i, &count);
        for (size_t k = 0; k < count; k++) put_option(o, lists[i].name, at[k]);
    }
    if (s->filter.time) put_option(o, "time", s->filter.time);
    for (size_t i = 0; i < r->server->paths.source_root_count; i++) put_option(o, "source-root", r->server->paths.source_roots[i]);
    put_files(r, o);
    json_string(j, output_memory(o));
    output_abort(o);
}
