/* Record -> unpacked bytes, as the dialect's writers lay them out: header, strings, entries, nothing between; see object.h. */
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/cov/decode.h"

/* ---- numbers ---- */

struct encoder {
    struct cov_bytes *out;
    enum cov_dialect dialect;
    VEC(assay_slice) strings; /* sorted, each once */
    VEC(uint32_t) offsets;    /* of them, in bytes */
    uint64_t strings_len;     /* with padding */
    bool failed;
};

static void put(struct encoder *e, const void *data, size_t len)
{
    if (e->failed || !vec_reserve(e->out->mem, &e->out->v, len)) {
        e->failed = true;
        return;
    }
    if (len) memcpy(e->out->v.at + e->out->v.len, data, len);
    e->out->v.len += len;
}

static void put_u32(struct encoder *e, uint32_t v)
{
    uint8_t b[4] = { (uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24) };
    put(e, b, sizeof b);
}

static void put_id(struct encoder *e, const assay_store_id *id) { put(e, id->bytes, COV_ID_LEN); }

static void put_time(struct encoder *e, uint64_t t)
{
    put_u32(e, (uint32_t)(t >> 32));
    put_u32(e, (uint32_t)t);
}

static void put_pair(struct encoder *e, const assay_store_pair *p)
{
    put_u32(e, p->relevant);
    put_u32(e, p->visited);
}

static void put_stats(struct encoder *e, const assay_store_stats *s)
{
    put_u32(e, s->lines_total);
    put_pair(e, &s->lines);
    put_pair(e, &s->functions);
    put_pair(e, &s->branches);
}

static void put_details(struct encoder *e, const struct cov_details *d)
{
    put_pair(e, &d->summary);
    put_id(e, &d->id);
}

/* ---- strings ---- */

static void use(struct encoder *e, assay_slice s)
{
    /* A string ends at its first zero byte, whatever the caller thinks. */
    const char *end = s.len ? memchr(s.data, '\0', s.len) : NULL;
    assay_slice *slot = vec_push(e->out->mem, &e->strings);
    if (!slot)
        e->failed = true;
    else
        *slot = (assay_slice){ s.data, end ? (size_t)(end - s.data) : s.len };
}

static int by_bytes(const void *a, const void *b) { return slice_compare(*(const assay_slice *)a, *(const assay_slice *)b); }

static int sort_strings(struct encoder *e, assay_error *err)
{
    size_t n = 0;
    uint64_t at = 0;
    if (e->failed || !vec_reserve(e->out->mem, &e->offsets, e->strings.len)) return error_memory(err);
    if (e->strings.len) sort_by(e->strings.at, e->strings.len, sizeof *e->strings.at, by_bytes);
    for (size_t i = 0; i < e->strings.len; i++) {
        if (n && slice_equal(e->strings.at[n - 1], e->strings.at[i])) continue;
        e->strings.at[n] = e->strings.at[i];
        e->offsets.at[n++] = (uint32_t)at;
        at += e->strings.at[i].len + 1;
        if (at > UINT32_MAX - COV_UNIT) FAIL(err, ASSAY_ERR_LIMIT, "the strings of the object have more than 4 GiB");
    }
    e->strings.len = e->offsets.len = n;
    e->strings_len = (at + COV_UNIT - 1) / COV_UNIT * COV_UNIT;
    return 0;
}

static uint32_t offset_of(const struct encoder *e, assay_slice s)
{
    size_t low = 0, high = e->strings.len;
    const char *end = s.len ? memchr(s.data, '\0', s.len) : NULL;
    if (end) s.len = (size_t)(end - s.data);
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int c = slice_compare(e->strings.at[mid], s);
        if (c == 0) return e->offsets.at[mid];
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return 0;
}

static void put_text(struct encoder *e, assay_slice s) { put_u32(e, offset_of(e, s)); }

static void put_strings(struct encoder *e)
{
    static const char zeros[COV_UNIT] = { 0 };
    uint64_t len = 0;
    for (size_t i = 0; i < e->strings.len; i++) {
        put(e, e->strings.at[i].data, e->strings.at[i].len);
        put(e, zeros, 1);
        len += e->strings.at[i].len + 1;
    }
    put(e, zeros, (size_t)(e->strings_len - len));
}

/* Offset and size of the strings, which follow the header at once. */
static uint32_t put_block(struct encoder *e, enum cov_kind kind)
{
    uint32_t at = cov_shapes[kind].header - (e->dialect == COV_DIALECT_COV ? COV_FILE_HEADER / COV_UNIT : 0);
    put_u32(e, at);
    put_u32(e, (uint32_t)(e->strings_len / COV_UNIT));
    return at + (uint32_t)(e->strings_len / COV_UNIT);
}

static void put_array(struct encoder *e, uint32_t at, uint32_t size, size_t count)
{
    put_u32(e, at);
    put_u32(e, size);
    put_u32(e, (uint32_t)count);
}

/* ---- bodies ---- */

static int report(struct encoder *e, const struct cov_report *r, assay_error *err)
{
    const assay_slice texts[] = { r->branch, r->author_name, r->author_email, r->committer_name, r->committer_email, r->message };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) use(e, texts[i]);
    for (size_t i = 0; i < r->build_count; i++) use(e, r->builds[i].propset);
    TRY(sort_strings(e, err));
    uint32_t entries = put_block(e, COV_REPORT);
    put_id(e, &r->parent);
    put_id(e, &r->file_list);
    put_array(e, entries, cov_shapes[COV_REPORT].entry, r->build_count);
    put_time(e, r->added);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) put_text(e, texts[i]);
    put_id(e, &r->commit);
    put_time(e, r->committed);
    put_stats(e, &r->stats);
    put_strings(e);
    for (size_t i = 0; i < r->build_count; i++) {
        put_id(e, &r->builds[i].build);
        put_text(e, r->builds[i].propset);
        put_stats(e, &r->builds[i].stats);
    }
    return 0;
}

static int build(struct encoder *e, const struct cov_build *b, assay_error *err)
{
    use(e, b->propset);
    TRY(sort_strings(e, err));
    put_block(e, COV_BUILD);
    put_id(e, &b->file_list);
    put_time(e, b->added);
    put_text(e, b->propset);
    put_stats(e, &b->stats);
    put_strings(e);
    return 0;
}

static bool needs_ext(const struct cov_files *f)
{
    if (f->ext) return true;
    for (size_t i = 0; i < f->count; i++)
        if (!cov_id_is_zero(&f->at[i].functions.id) || !cov_id_is_zero(&f->at[i].branches.id)) return true;
    return false;
}

static int files(struct encoder *e, const struct cov_files *f, assay_error *err)
{
    bool ext = needs_ext(f);
    for (size_t i = 0; i < f->count; i++) use(e, f->at[i].path);
    TRY(sort_strings(e, err));
    uint32_t entries = put_block(e, COV_FILES);
    put_array(e, entries, ext ? COV_EXT_ENTRY : cov_shapes[COV_FILES].entry, f->count);
    put_strings(e);
    for (size_t i = 0; i < f->count; i++) {
        const struct cov_file *file = &f->at[i];
        put_text(e, file->path);
        put_id(e, &file->contents);
        put_u32(e, file->lines_total);
        put_details(e, &file->lines);
        if (!ext) continue;
        put_details(e, &file->functions);
        put_details(e, &file->branches);
    }
    return 0;
}

static int functions(struct encoder *e, const struct cov_functions *f, assay_error *err)
{
    uint32_t base = e->dialect == COV_DIALECT_COV ? 1 : 0;
    for (size_t i = 0; i < f->count; i++) {
        use(e, f->at[i].name);
        use(e, f->at[i].demangled);
    }
    TRY(sort_strings(e, err));
    uint32_t entries = put_block(e, COV_FUNCTIONS);
    put_array(e, entries, cov_shapes[COV_FUNCTIONS].entry, f->count);
    put_strings(e);
    for (size_t i = 0; i < f->count; i++) {
        const struct cov_function *x = &f->at[i];
        put_text(e, x->name);
        put_text(e, x->demangled);
        put_u32(e, x->count);
        put_u32(e, x->first_line - base);
        put_u32(e, x->first_column);
        put_u32(e, x->last_line - base);
        put_u32(e, x->last_column);
    }
    return 0;
}

/* ---- lines ---- */

/* A gap of uncounted lines, modulo 2^32, in runs of 31 bits. */
static uint32_t put_gap(struct encoder *e, uint32_t gap)
{
    uint32_t words = 0;
    for (; gap; words++) {
        uint32_t run = gap < COV_HITS_MAX ? gap : COV_HITS_MAX;
        put_u32(e, COV_NULL_FLAG | run);
        gap -= run;
    }
    return words;
}

/* The gap before line 1 is -1, which goes round: that is how readers get there. */
static void lines(struct encoder *e, const struct cov_lines *l)
{
    size_t count_at = e->out->v.len;
    uint32_t before = 0, words = 0;
    put_u32(e, 0);
    for (size_t i = 0; i < l->count; i++) {
        uint32_t line = l->at[i].line - 1;
        words += put_gap(e, line - before - 1) + 1;
        put_u32(e, l->at[i].hits < COV_HITS_MAX ? l->at[i].hits : COV_HITS_MAX);
        before = line;
    }
    if (before < l->last_line) words += put_gap(e, l->last_line - before - 1);
    if (e->failed) return;
    for (int i = 0; i < 4; i++) e->out->v.at[count_at + (size_t)i] = (uint8_t)(words >> (8 * i));
}

static int body(struct encoder *e, const struct cov_object *o, assay_error *err)
{
    switch (o->kind) {
    case COV_REPORT: return report(e, &o->report, err);
    case COV_BUILD: return build(e, &o->build, err);
    case COV_FILES: return files(e, &o->files, err);
    case COV_FUNCTIONS: return functions(e, &o->functions, err);
    case COV_LINES: lines(e, &o->lines); return 0;
    default: FAIL(err, ASSAY_ERR_USAGE, "an object without a kind cannot be written");
    }
}

int cov_object_encode(const struct cov_object *o, enum cov_dialect dialect, struct cov_bytes *out, assay_error *err)
{
    struct encoder e = { .out = out, .dialect = dialect };
    vec_scoped(out->mem, &e.strings);
    vec_scoped(out->mem, &e.offsets);
    put(&e, cov_magic_of(o->kind, dialect), 4);
    put_u32(&e, o->version ? o->version : COV_VERSION_1_0);
    TRY(body(&e, o, err));
    return e.failed ? error_memory(err) : 0;
}
