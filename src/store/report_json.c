/* Reading the report JSON; see report_json.h. */
#include "store/report_json.h"

#include <stdio.h>

#include "base/findings.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

/* A counted line, and which it was in the input. */
struct row {
    struct cov_line line;
    uint32_t number;
};

struct reader {
    struct json_reader json;
    struct findings damage;
    struct arena *arena;
    struct mem *mem;
    assay_error *err;
    struct import_input *out;
    VEC(struct import_file) files;
    VEC(struct row) lines;              /* of the file at hand */
    VEC(struct cov_function) functions; /* of the file at hand */
    bool has_git, has_branch, has_head, has_files;
};

static int next(struct reader *r, struct json_event *e) { return json_read_next(&r->json, e); }
static int skip(struct reader *r, struct json_event *e) { return json_read_skip(&r->json, e); }

static int wrong(struct reader *r, const char *fmt, const char *name)
{
    char place[64];
    snprintf(place, sizeof place, "files[%zu]", r->files.len);
    return error_line(r->err, ASSAY_ERR_DAMAGED, 0, r->json.line, "%s%s%s: %s", place, *name ? " " : "", name, fmt);
}

static int copy(struct reader *r, assay_slice from, assay_slice *to)
{
    const char *text = arena_copy(r->arena, from);
    if (!text) return error_memory(r->err);
    *to = (assay_slice){ text, from.len };
    return 0;
}

/* Whole numbers only, cut to 0 .. most. */
static bool take_number(const struct json_event *e, uint32_t most, uint32_t *out)
{
    int64_t n;
    double d;
    if (e->kind != JSON_NUMBER) return false;
    enum number_result result = number_i64(e->text, &n);
    if (result == NUMBER_BAD) {
        if (number_double(e->text, &d) == NUMBER_BAD) return false;
        n = d < 0 ? 0 : d >= (double)most ? (int64_t)most : (int64_t)d;
    }
    *out = n < 0 ? 0 : n > (int64_t)most ? most : (uint32_t)n;
    return true;
}

/* ---- lines ---- */

static int by_line(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    ORDER_BY(x->line.line, y->line.line);
    return ORDER(x->number, y->number);
}

/* In order, and each once: of a line given twice the later. */
static void sort_lines(struct reader *r)
{
    bool is_sorted = true;
    size_t kept = 0;
    for (size_t i = 1; i < r->lines.len; i++) is_sorted = is_sorted && r->lines.at[i - 1].line.line < r->lines.at[i].line.line;
    if (is_sorted) return;
    sort_by(r->lines.at, r->lines.len, sizeof *r->lines.at, by_line);
    for (size_t i = 0; i < r->lines.len; i++) {
        if (kept && r->lines.at[kept - 1].line.line == r->lines.at[i].line.line) kept--;
        r->lines.at[kept++] = r->lines.at[i];
    }
    r->lines.len = kept;
}

static int read_lines(struct reader *r, struct json_event *e, const char *file)
{
    if (e->kind != JSON_OBJECT) return wrong(r, "line_coverage must be an object", file);
    for (;;) {
        uint64_t line;
        TRY(next(r, e));
        if (e->kind != JSON_KEY) return 0;
        if (number_u64(e->text, &line) != NUMBER_OK || line > UINT32_MAX) {
            return error_line(r->err, ASSAY_ERR_DAMAGED, e->off, e->line, "files[%zu]/line_coverage: '%.*s' is not a line number", r->files.len,
                              (int)(e->text.len < 40 ? e->text.len : 40), e->text.data);
        }
        struct row *at = vec_push(r->mem, &r->lines);
        if (!at) return error_memory(r->err);
        *at = (struct row){ { line ? (uint32_t)line : 1, 0 }, (uint32_t)r->lines.len };
        TRY(next(r, e));
        if (!take_number(e, COV_HITS_MAX, &at->line.hits)) return wrong(r, "line_coverage: hits must be a number", file);
    }
}

/* ---- functions ---- */

struct function_marks {
    bool name, count, start, end;
};

static int function_member(struct reader *r, struct json_event *e, assay_slice key, struct cov_function *f, struct function_marks *has)
{
    bool is_good = true;
    if (slice_is(key, "name") && e->kind == JSON_STRING) return has->name = true, copy(r, e->text, &f->name);
    if (slice_is(key, "demangled") && e->kind == JSON_STRING) return copy(r, e->text, &f->demangled);
    if (slice_is(key, "count"))
        is_good = has->count = take_number(e, UINT32_MAX, &f->count);
    else if (slice_is(key, "start_line"))
        is_good = has->start = take_number(e, UINT32_MAX, &f->first_line);
    else if (slice_is(key, "start_column"))
        is_good = take_number(e, UINT32_MAX, &f->first_column);
    else if (slice_is(key, "end_line"))
        is_good = has->end = take_number(e, UINT32_MAX, &f->last_line);
    else if (slice_is(key, "end_column"))
        is_good = take_number(e, UINT32_MAX, &f->last_column);
    else
        return skip(r, e);
    return is_good ? 0 : wrong(r, "functions: a field is not a number", "");
}

/* Keys are slices of the input that the value may move: kept here. */
static assay_slice keep_key(const struct json_event *e, char buf[24])
{
    size_t len = e->text.len < 24 ? e->text.len : 0;
    memcpy(buf, e->text.data, len);
    return (assay_slice){ buf, len };
}

static int read_function(struct reader *r, struct json_event *e)
{
    struct cov_function f = { .demangled = SLICE("") };
    struct function_marks has = { 0 };
    char buf[24];
    if (e->kind != JSON_OBJECT) return wrong(r, "functions must be objects", "");
    for (;;) {
        TRY(next(r, e));
        if (e->kind != JSON_KEY) break;
        assay_slice key = keep_key(e, buf);
        TRY(next(r, e));
        TRY(function_member(r, e, key, &f, &has));
    }
    if (e->kind == JSON_END) return 0;
    if (!has.name || !has.count || !has.start)
        return wrong(r, !has.name ? "functions: name is missing" : !has.count ? "functions: count is missing" : "functions: start_line is missing", "");
    /* As for lines: 0 is taken for 1. */
    if (!f.first_line) f.first_line = 1;
    if (!f.last_line || !has.end) f.last_line = has.end ? 1 : f.first_line;
    struct cov_function *at = vec_push(r->mem, &r->functions);
    if (!at) return error_memory(r->err);
    *at = f;
    return 0;
}

static int read_functions(struct reader *r, struct json_event *e)
{
    if (e->kind != JSON_ARRAY) return wrong(r, "functions must be an array", "");
    for (;;) {
        TRY(next(r, e));
        if (e->kind == JSON_ARRAY_END || e->kind == JSON_END) return 0;
        TRY(read_function(r, e));
    }
}

/* ---- files ---- */

static int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

static bool take_digest(assay_slice s, struct import_file *f)
{
    static const struct {
        const char *head;
        enum import_digest kind;
        size_t len;
    } known[] = { { "md5:", IMPORT_MD5, 16 }, { "sha1:", IMPORT_SHA1, 20 }, { "sha:", IMPORT_SHA1, 20 } };
    for (size_t i = 0; i < 3; i++) {
        size_t head = strlen(known[i].head);
        if (!slice_starts(s, known[i].head) || s.len != head + 2 * known[i].len) continue;
        for (size_t k = 0; k < known[i].len; k++) {
            int high = hex_digit(s.data[head + 2 * k]), low = hex_digit(s.data[head + 2 * k + 1]);
            if (high < 0 || low < 0) return false;
            f->digest[k] = (uint8_t)(high << 4 | low);
        }
        f->digest_kind = known[i].kind;
        return true;
    }
    return false;
}

static int keep_rows(struct reader *r, struct import_file *f)
{
    sort_lines(r);
    f->line_count = r->lines.len;
    f->function_count = r->functions.len;
    f->lines = arena_alloc(r->arena, r->lines.len * sizeof *f->lines + 1);
    f->functions = arena_alloc(r->arena, r->functions.len * sizeof *f->functions + 1);
    if (!f->lines || !f->functions) return error_memory(r->err);
    for (size_t i = 0; i < f->line_count; i++) f->lines[i] = r->lines.at[i].line;
    if (f->function_count) memcpy(f->functions, r->functions.at, f->function_count * sizeof *f->functions);
    return 0;
}

static int file_member(struct reader *r, struct json_event *e, assay_slice key, struct import_file *f, bool *has_lines)
{
    if (slice_is(key, "name") && e->kind == JSON_STRING) return copy(r, e->text, &f->path);
    if (slice_is(key, "digest"))
        return e->kind == JSON_STRING && take_digest(e->text, f) ? 0 : wrong(r, "the digest is neither md5: nor sha1: with its digits", "");
    if (slice_is(key, "line_coverage")) return *has_lines = true, read_lines(r, e, "");
    return slice_is(key, "functions") ? read_functions(r, e) : skip(r, e);
}

static int read_file(struct reader *r, struct json_event *e)
{
    struct import_file f = { 0 };
    bool has_lines = false;
    char buf[24];
    if (e->kind != JSON_OBJECT) return wrong(r, "files must be objects", "");
    r->lines.len = r->functions.len = 0;
    for (;;) {
        TRY(next(r, e));
        if (e->kind != JSON_KEY) break;
        assay_slice key = keep_key(e, buf);
        TRY(next(r, e));
        TRY(file_member(r, e, key, &f, &has_lines));
    }
    if (e->kind == JSON_END) return 0;
    if (!f.path.data) return wrong(r, "name is missing", "");
    if (f.digest_kind == IMPORT_NO_DIGEST) return wrong(r, "digest is missing", f.path.data);
    if (!has_lines) return wrong(r, "line_coverage is missing", f.path.data);
    TRY(keep_rows(r, &f));
    struct import_file *at = vec_push(r->mem, &r->files);
    if (!at) return error_memory(r->err);
    *at = f;
    return 0;
}

static int read_files(struct reader *r, struct json_event *e)
{
    if (e->kind != JSON_ARRAY) FAIL(r->err, ASSAY_ERR_DAMAGED, "'files' must be an array");
    r->has_files = true;
    for (;;) {
        TRY(next(r, e));
        if (e->kind == JSON_ARRAY_END || e->kind == JSON_END) return 0;
        TRY(read_file(r, e));
    }
}

/* ---- the whole ---- */

static int read_git(struct reader *r, struct json_event *e)
{
    char buf[24];
    if (e->kind != JSON_OBJECT) return skip(r, e);
    r->has_git = true;
    for (;;) {
        TRY(next(r, e));
        if (e->kind != JSON_KEY) return 0;
        assay_slice key = keep_key(e, buf);
        TRY(next(r, e));
        if (slice_is(key, "branch") && e->kind == JSON_STRING) {
            r->has_branch = true;
            TRY(copy(r, e->text, &r->out->git_branch));
        } else if (slice_is(key, "head") && e->kind == JSON_STRING) {
            r->has_head = true;
            TRY(copy(r, e->text, &r->out->git_head));
        } else
            TRY(skip(r, e));
    }
}

static int read_all(struct reader *r)
{
    struct json_event e;
    char buf[24];
    TRY(next(r, &e));
    if (e.kind != JSON_OBJECT) FAIL(r->err, ASSAY_ERR_DAMAGED, "a report is a JSON object; this is %s", e.kind == JSON_END ? "none" : json_kind_name(e.kind));
    for (;;) {
        TRY(next(r, &e));
        if (e.kind != JSON_KEY) return 0;
        assay_slice key = keep_key(&e, buf);
        TRY(next(r, &e));
        TRY(slice_is(key, "git") ? read_git(r, &e) : slice_is(key, "files") ? read_files(r, &e) : skip(r, &e));
    }
}

static int check(struct reader *r)
{
    TRY(findings_refuse(&r->damage, r->err));
    if (!r->has_git) FAIL(r->err, ASSAY_ERR_DAMAGED, "'git' is missing");
    if (!r->has_branch) FAIL(r->err, ASSAY_ERR_DAMAGED, "'git/branch' is missing");
    if (!r->has_head) FAIL(r->err, ASSAY_ERR_DAMAGED, "'git/head' is missing");
    if (!r->has_files) FAIL(r->err, ASSAY_ERR_DAMAGED, "'files' is missing");
    return 0;
}

static void reader_done(struct reader *r)
{
    vec_done(r->mem, &r->files, &r->lines, &r->functions);
    json_read_done(&r->json);
    findings_done(&r->damage);
}

int report_json_read(struct input *in, struct arena *a, struct mem *mem, struct import_input *out, assay_error *err)
{
    SCOPED(reader_done) struct reader r = { .arena = a, .mem = mem, .err = err, .out = out };
    *out = (struct import_input){ 0 };
    findings_init(&r.damage, mem);
    json_read_init(&r.json, in, mem, &r.damage, err);
    TRY(read_all(&r));
    TRY(check(&r));
    out->file_count = r.files.len;
    out->files = arena_alloc(a, r.files.len * sizeof *out->files + 1);
    if (!out->files) return error_memory(err);
    if (r.files.len) memcpy(out->files, r.files.at, r.files.len * sizeof *out->files);
    return 0;
}
