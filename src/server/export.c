/* The exported page: the same routes answer, once, and their answers go into
 * the file. README.md says which, and how the page finds them. */
#include "server/export.h"

#include <late_crypto.h>
#include <stdlib.h>

#include "base/cancel.h"
#include "base/error.h"
#include "server/mask.h"
#include "server/page.h"

enum { SOURCES_MOST = 200, SOURCE_BYTES = 1 << 20 };

struct answers {
    struct server *server;
    struct mem *mem;
    struct arena text;
    struct output *body;
    VEC(assay_slice) keys;
    VEC(assay_slice) types;
    VEC(double) begin; /* one more than there are */
};

/* ---- asking ---- */

static bool push_text(struct answers *a, const char *key, const char *type)
{
    assay_slice *k = vec_push(a->mem, &a->keys), *t = k ? vec_push(a->mem, &a->types) : NULL;
    char *copy = t ? arena_copy(&a->text, slice_of(key)) : NULL;
    if (!copy) return false;
    *k = slice_of(copy);
    *t = slice_of(type);
    return true;
}

/* Adds what a route says, if it says something and has at most `most` bytes: what an input lacks is no fault here. `key` is the request without "/api/". */
static int add_most(struct answers *a, const char *key, uint64_t most, assay_error *err)
{
    struct request r;
    char *query = strchr(key, '?'), *route = arena_copy(&a->text, slice_from(key, query ? query : key + strlen(key)));
    if (!route) return error_memory(err);
    unsigned status = server_answer(&r, a->server, route, query ? query + 1 : "", NULL, 0);
    bool is_fine = true;
    if (status == 200 && output_memory(r.out).len <= most) {
        double *end;
        assay_slice body = output_memory(r.out);
        /* Columns were masked string by string; this memory is the request's own. */
        if (a->server->no_paths && slice_is(slice_of(r.type), "application/json")) mask_paths((char *)(uintptr_t)body.data, body.len);
        output_slice(a->body, body);
        is_fine = push_text(a, key, r.type) && (end = vec_push(a->mem, &a->begin));
        if (is_fine) *end = (double)output_off(a->body);
    }
    request_done(&r);
    if (cancel_due()) return error_cancelled(err);
    return is_fine && status != 503 ? 0 : error_memory(err);
}

static int add(struct answers *a, const char *key, assay_error *err) { return add_most(a, key, UINT64_MAX, err); }

/* A route without which there is no page: its error is that of the export. */
static int need(struct answers *a, assay_error *err)
{
    struct request r;
    assay_profile *p;
    (void)server_answer(&r, a->server, "session", "", NULL, 0);
    int rc = request_profile(&r, WANT_GRAPH, &p, err);
    request_done(&r);
    return rc;
}

static int add_all(struct answers *a, assay_error *err)
{
    static const char *const keys[] = { "overview",
                                        "problems",
                                        "sources",
                                        "coverage?by=file&count=0",
                                        "coverage?by=directory&count=0",
                                        "table?by=function&count=0",
                                        "table?by=file&count=0",
                                        "table?by=directory&count=0",
                                        "table?by=module&count=0",
                                        "table?by=line&count=0",
                                        "table?by=stream&count=0",
                                        "flame?view=top-down&width=0",
                                        "flame?view=bottom-up&width=0",
                                        "tree?all=1&view=top-down",
                                        "tree?all=1&view=bottom-up",
                                        "tree?all=1&view=flat",
                                        "timeline?columns=1200&depth=choose",
                                        "timeline?columns=1200&depth=0",
                                        "streams",
                                        "graph" };
    static const char *const pairs[] = { "diff?b=2&by=function&count=0", "diff?b=2&by=line&count=0", "coverage-diff?b=2", "overview?a=2" };
    TRY(add(a, "session", err));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) TRY(add(a, keys[i], err));
    for (size_t i = 0; a->server->compares && i < sizeof pairs / sizeof *pairs; i++) TRY(add(a, pairs[i], err));
    if (a->server->no_sources) return 0;
    uint64_t end = output_off(a->body) + SOURCE_BYTES;
    for (unsigned i = 0; i < SOURCES_MOST && output_off(a->body) < end; i++) {
        char key[32];
        snprintf(key, sizeof key, "source?id=%u", i);
        TRY(add_most(a, key, end - output_off(a->body), err));
    }
    return 0;
}

/* The answers as columns, compressed; *len bytes that the caller frees. */
static int pack(struct answers *a, char **out, size_t *len, assay_error *err)
{
    struct sheet c;
    struct output *whole = NULL;
    *out = NULL;
    int rc = sheet_begin(&c, a->mem, "export", err);
    if (rc == 0) rc = output_open_memory(&whole, a->mem, err);
    if (rc == 0) {
        assay_slice body = output_memory(a->body);
        sheet_strings(&c, "key", a->keys.at, a->keys.len);
        sheet_strings(&c, "type", a->types.at, a->types.len);
        double *begin = sheet_add(&c, "begin", COLUMN_F64, a->begin.len);
        char *bytes = sheet_add(&c, "body", COLUMN_U8, body.len);
        if (begin) memcpy(begin, a->begin.at, a->begin.len * sizeof *begin);
        if (bytes && body.len) memcpy(bytes, body.data, body.len);
        rc = sheet_end(&c, whole, err);
    }
    if (rc == 0 && !(*out = page_gzip(output_memory(whole), 9, len))) rc = error_memory(err);
    output_abort(whole);
    sheet_done(&c);
    return rc;
}

/* ---- the file ---- */

static void put_base64(struct output *o, const unsigned char *data, size_t len)
{
    unsigned char buf[4 * 768 + 1];
    for (size_t at = 0; at < len; at += 3 * 768) {
        size_t n = len - at < 3 * 768 ? len - at : 3 * 768;
        output_bytes(o, buf, (size_t)EVP_EncodeBlock(buf, data + at, (int)n));
    }
}

/* 'sha256-...': the only script and style that may run. */
static void put_hash(struct output *o, const struct page_part *part)
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned len = 0;
    output_text(o, " 'sha256-");
    if (EVP_Digest(part->data, *part->len, hash, &len, EVP_sha256(), NULL)) put_base64(o, hash, len);
    output_char(o, '\'');
}

static void put_escaped(struct output *o, const char *text)
{
    for (; *text; text++) {
        if (*text == '&' || *text == '<' || *text == '>' || *text == '"')
            output_printf(o, "&#%d;", *text);
        else if ((unsigned char)*text >= ' ')
            output_char(o, *text);
    }
}

static void put_part(struct output *o, const struct page_part *part) { output_bytes(o, part->data, *part->len); }

static void put_page(struct server *s, struct output *o, const char *data, size_t len)
{
    const struct page_part *style = page_find("/app.css"), *script = page_find("/app.js");
    const struct viewed *in = inputs_find(&s->inputs, 1);
    output_text(o, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta "
                   "charset=\"utf-8\">\n<meta name=\"viewport\" "
                   "content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n<meta "
                   "http-equiv=\"Content-Security-Policy\" content=\"default-src "
                   "'none'; script-src");
    put_hash(o, &page_exported);
    put_hash(o, script);
    output_text(o, "; style-src");
    put_hash(o, style);
    output_text(o, "; img-src data:; base-uri 'none'; form-action "
                   "'none'\">\n<title>assay: ");
    put_escaped(o, in ? in->name : "");
    output_text(o, "</title>\n<style>");
    put_part(o, style);
    output_text(o, "</style>\n</head>\n<body>\n<div id=\"app\"></div>\n<noscript>This "
                   "page needs JavaScript.</noscript>\n"
                   "<script type=\"application/octet-stream\" id=\"assay-data\">");
    put_base64(o, (const unsigned char *)data, len);
    output_text(o, "</script>\n<script>");
    put_part(o, &page_exported);
    output_text(o, "</script>\n<script>");
    put_part(o, script);
    output_text(o, "</script>\n</body>\n</html>\n");
}

static int write_page(struct server *s, const char *path, const char *data, size_t len, assay_error *err)
{
    struct output *o;
    TRY(output_open(&o, path, &s->mem, err));
    put_page(s, o, data, len);
    return output_commit(o, err);
}

static int collect(struct answers *a, char **data, size_t *len, assay_error *err)
{
    double *first = vec_push(a->mem, &a->begin);
    if (!first) return error_memory(err);
    *first = 0;
    TRY(output_open_memory(&a->body, a->mem, err));
    TRY(need(a, err));
    TRY(add_all(a, err));
    return pack(a, data, len, err);
}

int export_page(struct server *s, const char *path, assay_error *err)
{
    struct answers a = { .server = s, .mem = &s->mem };
    char *data = NULL, left_out[200];
    size_t len = 0;
    TRY(late_crypto_load(err));
    snprintf(left_out, sizeof left_out,
             "contexts and functions below %g %% of the total, other filters, "
             "%sand %s are not in this file",
             s->least, s->no_paths ? "names of folders, " : "", s->no_sources ? "sources" : "sources beyond the first megabyte");
    arena_init(&a.text, &s->mem);
    s->is_exported = true;
    s->left_out = left_out;
    int rc = collect(&a, &data, &len, err);
    if (rc == 0) rc = write_page(s, path, data, len, err);
    s->left_out = NULL;
    s->is_exported = false;
    free(data);
    output_abort(a.body);
    vec_done(a.mem, &a.keys);
    vec_done(a.mem, &a.types);
    vec_done(a.mem, &a.begin);
    arena_done(&a.text);
    return rc;
}
