/* See formats/coverage/json_rows.h. */
#include "formats/coverage/json_rows.h"

struct coverage_row *coverage_push(struct coverage_decoder *d, enum coverage_row_kind kind, const struct json_event *at)
{
    return coverage_add_row(d, kind, at->off, at->line);
}

int coverage_state(struct coverage_decoder *d, const struct json_event *at, const char *scope, assay_slice kind, double hit, double total)
{
    return coverage_add_stated(d, at->off, at->line, scope, kind, hit, total);
}

/* ---- values ---- */

int coverage_text(struct coverage_decoder *d, const char *what, uint32_t *out)
{
    bool is;
    *out = 0;
    TRY(coverage_json_expect(d->j, JSON_STRING, what, &is));
    if (is && !(*out = intern_put(&d->names, d->j->e.text))) return error_memory(d->err);
    return 0;
}

int coverage_times(struct coverage_decoder *d, const char *what, uint64_t *out, bool *is)
{
    bool was_negative;
    TRY(coverage_json_count(d->j, what, out, &was_negative, is));
    if (!was_negative) return 0;
    *out = 0;
    coverage_json_found(d->j, d->j->e.off, d->j->e.line, "J-7", ASSAY_WARNING, "%s is below 0: read as 0", what);
    return 0;
}

/* ---- lists of lines ---- */

static int list_item(struct coverage_decoder *d, const char *what, bool below_0_is_none, struct coverage_row *row, bool *has)
{
    if (d->j->e.kind == JSON_STRING && slice_is(d->j->e.text, "ignored")) {
        row->flags = ASSAY_COVERAGE_EXCLUDED;
        return 0;
    }
    *has = d->j->e.kind != JSON_NULL && !(below_0_is_none && d->j->e.kind == JSON_NUMBER && d->j->e.text.data[0] == '-');
    return *has ? coverage_times(d, what, &row->count, has) : 0;
}

int coverage_line_list(struct coverage_decoder *d, const char *what, uint32_t test, bool below_0_is_none)
{
    bool is, has;
    TRY(coverage_json_expect(d->j, JSON_ARRAY, what, &is));
    for (uint32_t line = 1; is && line < INT32_MAX; line++) {
        TRY(coverage_json_item(d->j, &has));
        if (!has) break;
        struct coverage_row read = { .kind = COVERAGE_LINE, .number = (uint32_t)d->j->e.line, .off = d->j->e.off, .line = line, .test = test };
        read.marks = (uint32_t)d->damage->list.len;
        TRY(list_item(d, what, below_0_is_none, &read, &has));
        if (!has) continue;
        struct coverage_row *row = vec_push(d->mem, &d->rows);
        if (!row) return error_memory(d->err);
        *row = read;
    }
    return 0;
}

/* ---- objects ---- */

int coverage_objects(struct coverage_decoder *d, const char *what, const char *item, coverage_item_fn fn, void *arg)
{
    bool is, has;
    TRY(coverage_json_expect(d->j, JSON_ARRAY, what, &is));
    while (is) {
        TRY(coverage_json_item(d->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(d->j, JSON_OBJECT, item, &has));
        if (has) TRY(fn(d, arg));
    }
    return 0;
}

int coverage_member(struct coverage_decoder *d, uint32_t *key, struct json_event *at, bool *has)
{
    TRY(json_read_next(&d->j->r, &d->j->e));
    *has = d->j->e.kind == JSON_KEY;
    if (!*has) return 0;
    *at = d->j->e;
    *key = intern_put(&d->names, d->j->e.text);
    if (!*key) return error_memory(d->err);
    at->text = intern_get(&d->names, *key);
    TRY(json_read_next(&d->j->r, &d->j->e));
    *has = d->j->e.kind != JSON_END;
    return 0;
}

static int document(struct coverage_decoder *d, coverage_item_fn fn, void *arg)
{
    bool is;
    TRY(json_read_next(&d->j->r, &d->j->e));
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "the document", &is));
    if (is) TRY(fn(d, arg));
    if (!is || d->j->r.is_damaged) return 0;
    return json_read_next(&d->j->r, &d->j->e); /* the end, or what should not be there */
}

int coverage_document(struct coverage_decoder *d, coverage_item_fn fn, void *arg)
{
    struct coverage_json j;
    coverage_json_init(&j, d->job, d->damage, d->err);
    d->j = &j;
    int rc = document(d, fn, arg);
    coverage_json_done(&j);
    d->j = NULL;
    return rc;
}
