/* Unpacked bytes -> record: the only parser of objects; see object.h. Offsets and counts of the header are compared with the bytes that are
 * there, in 64 bits, before anything is taken from them. */
#include "formats/cov/decode.h"

#include "base/text.h"

void cov_note(struct cov_decoder *d, const char *rule, int severity, uint64_t off, const char *text)
{
    findings_add(d->findings, rule, severity, off, 0, "%s", text);
}

/* ---- numbers: the caller has checked that they are there ---- */

uint32_t cov_u32(const struct cov_decoder *d, uint64_t off)
{
    const unsigned char *p = (const unsigned char *)d->bytes.data + off;
    if (!d->o->big_endian) return bytes_u32le(p);
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t unit(const struct cov_decoder *d, uint64_t at) { return cov_u32(d, at * COV_UNIT); }

static assay_store_id id_at(const struct cov_decoder *d, uint64_t at)
{
    assay_store_id id;
    memcpy(id.bytes, d->bytes.data + at * COV_UNIT, COV_ID_LEN);
    return id;
}

static uint64_t time_at(const struct cov_decoder *d, uint64_t at) { return (uint64_t)unit(d, at) << 32 | unit(d, at + 1); }

static assay_store_pair pair_at(const struct cov_decoder *d, uint64_t at) { return (assay_store_pair){ unit(d, at), unit(d, at + 1) }; }

static assay_store_stats stats_at(const struct cov_decoder *d, uint64_t at)
{
    return (assay_store_stats){ unit(d, at), pair_at(d, at + 1), pair_at(d, at + 3), pair_at(d, at + 5) };
}

/* ---- strings ---- */

static void check_utf8(struct cov_decoder *d, assay_slice s, uint64_t off, const char *what)
{
    for (size_t i = 0; i < s.len;) {
        unsigned n = text_utf8((assay_slice){ s.data + i, s.len - i }, NULL);
        if (!n) {
            findings_add(d->findings, "C15", ASSAY_WARNING, off, 0, "the %s is not UTF-8", what);
            return;
        }
        i += n;
    }
}

static assay_slice text_at(struct cov_decoder *d, uint64_t at, const char *what)
{
    uint32_t ref = unit(d, at);
    const char *block = d->strings.data;
    if (ref >= d->strings.len || (ref && block[ref - 1] != '\0')) {
        findings_add(d->findings, "C14", ASSAY_ERROR, at * COV_UNIT, 0, "the %s refers to byte %u of strings, which %s", what, ref,
                     ref >= d->strings.len ? "end before it" : "is inside one");
        return (assay_slice){ "", 0 };
    }
    size_t left = d->strings.len - ref;
    const char *end = memchr(block + ref, '\0', left);
    assay_slice s = { block + ref, end ? (size_t)(end - (block + ref)) : left };
    check_utf8(d, s, at * COV_UNIT, what);
    return s;
}

/* Where the strings lie; false = nowhere. */
static bool find_strings(struct cov_decoder *d)
{
    struct cov_layout *l = &d->o->layout;
    uint64_t from, to, header = cov_shapes[d->o->kind].header;
    l->strings_offset = unit(d, 2);
    l->strings_size = unit(d, 3);
    from = (uint64_t)l->strings_offset + d->origin;
    to = from + l->strings_size;
    if (from < header) {
        findings_add(d->findings, "C11", ASSAY_ERROR, 8, 0, "strings begin at unit %llu, inside a header of %llu", (unsigned long long)from,
                     (unsigned long long)header);
        return false;
    }
    if (to > d->bytes.len / COV_UNIT) {
        findings_add(d->findings, "C12", ASSAY_ERROR, 12, 0, "strings end at byte %llu of %zu", (unsigned long long)to * COV_UNIT, d->bytes.len);
        return false;
    }
    d->strings = (assay_slice){ d->bytes.data + from * COV_UNIT, (size_t)(to - from) * COV_UNIT };
    if (d->strings.len && d->strings.data[d->strings.len - 1] != '\0')
        cov_note(d, "C13", ASSAY_WARNING, to * COV_UNIT - 1, "the last string has no terminator");
    return true;
}

static void check_end(struct cov_decoder *d, uint64_t end)
{
    if (end < d->bytes.len) findings_add(d->findings, "C19", ASSAY_WARNING, end, 0, "%llu bytes too many", (unsigned long long)(d->bytes.len - end));
}

/* ---- arrays ---- */

/* Where the entries lie and how many are complete; false = nowhere. `at` is the unit of the array_ref. */
static bool find_entries(struct cov_decoder *d, uint64_t at)
{
    struct cov_layout *l = &d->o->layout;
    uint32_t least = cov_shapes[d->o->kind].entry;
    l->entries_offset = unit(d, at);
    l->entry_size = unit(d, at + 1);
    l->entry_count = unit(d, at + 2);
    if (l->entry_size < least) {
        findings_add(d->findings, "C16", ASSAY_ERROR, (at + 1) * COV_UNIT, 0, "entries of %u units; at least %u were expected", l->entry_size, least);
        return false;
    }
    if (l->entries_offset < (uint64_t)l->strings_offset + l->strings_size) {
        findings_add(d->findings, "C17", ASSAY_ERROR, at * COV_UNIT, 0, "entries begin at unit %u, strings end at %llu", l->entries_offset,
                     (unsigned long long)l->strings_offset + l->strings_size);
        return false;
    }
    uint64_t units = d->bytes.len / COV_UNIT;
    d->entries_at = (uint64_t)l->entries_offset + d->origin;
    uint64_t room = d->entries_at < units ? (units - d->entries_at) / l->entry_size : 0;
    d->entry_count = l->entry_count;
    if (l->entry_count > room || (!l->entry_count && d->entries_at > units)) {
        findings_add(d->findings, "C18", ASSAY_ERROR, (at + 2) * COV_UNIT, 0, "%u entries, but there is room for %llu", l->entry_count,
                     (unsigned long long)room);
        d->entry_count = (size_t)room;
    } else
        check_end(d, (d->entries_at + (uint64_t)l->entry_size * l->entry_count) * COV_UNIT);
    return true;
}

static uint64_t entry(const struct cov_decoder *d, size_t i) { return d->entries_at + (uint64_t)d->o->layout.entry_size * i; }

/* ---- bodies ---- */

static int report(struct cov_decoder *d, assay_error *err)
{
    struct cov_report *r = &d->o->report;
    r->parent = id_at(d, 4);
    r->file_list = id_at(d, 9);
    bool has_entries = find_entries(d, 14);
    r->added = time_at(d, 17);
    r->branch = text_at(d, 19, "branch");
    r->author_name = text_at(d, 20, "author.name");
    r->author_email = text_at(d, 21, "author.email");
    r->committer_name = text_at(d, 22, "committer.name");
    r->committer_email = text_at(d, 23, "committer.email");
    r->message = text_at(d, 24, "message");
    r->commit = id_at(d, 25);
    r->committed = time_at(d, 30);
    r->stats = stats_at(d, 32);
    if (!has_entries) return 0;
    r->builds = arena_alloc(d->arena, d->entry_count * sizeof *r->builds);
    if (!r->builds) return error_memory(err);
    for (r->build_count = 0; r->build_count < d->entry_count; r->build_count++) {
        uint64_t at = entry(d, r->build_count);
        r->builds[r->build_count] = (assay_store_build){ id_at(d, at), text_at(d, at + 5, "propset"), stats_at(d, at + 6) };
    }
    return 0;
}

static void build(struct cov_decoder *d)
{
    const struct cov_layout *l = &d->o->layout;
    d->o->build = (struct cov_build){ id_at(d, 4), time_at(d, 9), text_at(d, 11, "propset"), stats_at(d, 12) };
    check_end(d, ((uint64_t)l->strings_offset + d->origin + l->strings_size) * COV_UNIT);
}

static struct cov_details details_at(const struct cov_decoder *d, uint64_t at) { return (struct cov_details){ pair_at(d, at), id_at(d, at + 2) }; }

static int files(struct cov_decoder *d, assay_error *err)
{
    struct cov_files *f = &d->o->files;
    if (!find_entries(d, 4)) return 0;
    f->ext = d->o->layout.entry_size >= COV_EXT_ENTRY;
    f->at = arena_alloc(d->arena, d->entry_count * sizeof *f->at);
    if (!f->at) return error_memory(err);
    for (f->count = 0; f->count < d->entry_count; f->count++) {
        uint64_t at = entry(d, f->count);
        struct cov_file *e = &f->at[f->count];
        *e = (struct cov_file){ .path = text_at(d, at, "path"), .contents = id_at(d, at + 1), .lines_total = unit(d, at + 6), .lines = details_at(d, at + 7) };
        if (f->ext) {
            e->functions = details_at(d, at + 14);
            e->branches = details_at(d, at + 21);
        }
    }
    return 0;
}

static void function(struct cov_decoder *d, uint64_t at, struct cov_function *f)
{
    uint32_t base = d->o->dialect == COV_DIALECT_COV ? 1 : 0; /* the original counts lines from 0 */
    uint32_t first = unit(d, at + 3), first_column = unit(d, at + 4), last = unit(d, at + 5), last_column = unit(d, at + 6);
    if (first > last || (first == last && first_column > last_column))
        findings_add(d->findings, "C23", ASSAY_ERROR, (at + 3) * COV_UNIT, 0, "the function ends at %u:%u, before it starts at %u:%u", last + base, last_column,
                     first + base, first_column);
    *f = (struct cov_function){ .name = text_at(d, at, "name"),
                                .demangled = text_at(d, at + 1, "demangled name"),
                                .count = unit(d, at + 2),
                                .first_line = first + base,
                                .first_column = first_column,
                                .last_line = last + base,
                                .last_column = last_column,
                                .off = at * COV_UNIT };
}

static int functions(struct cov_decoder *d, assay_error *err)
{
    struct cov_functions *f = &d->o->functions;
    if (!find_entries(d, 4)) return 0;
    f->at = arena_alloc(d->arena, d->entry_count * sizeof *f->at);
    if (!f->at) return error_memory(err);
    for (f->count = 0; f->count < d->entry_count; f->count++) function(d, entry(d, f->count), &f->at[f->count]);
    return 0;
}

/* ---- the whole ---- */

/* Magic, version and header; false = nothing more can be read. */
static bool header(struct cov_decoder *d, enum cov_framing framing, enum cov_dialect dialect)
{
    struct cov_object *o = d->o;
    if (d->bytes.len < COV_FILE_HEADER) {
        findings_add(d->findings, "C06", ASSAY_ERROR, d->bytes.len, 0, "%zu bytes; an object has at least %d", d->bytes.len, COV_FILE_HEADER);
        return false;
    }
    const struct cov_magic *m = cov_magic_find(d->bytes);
    o->big_endian = cov_magic_is_reversed(d->bytes);
    o->dialect = dialect ? dialect : cov_dialect_of(d->bytes, framing);
    d->origin = o->dialect == COV_DIALECT_COV ? COV_FILE_HEADER / COV_UNIT : 0;
    o->version = unit(d, 1);
    o->kind = !m ? COV_NONE : o->dialect == COV_DIALECT_COV ? m->cov : m->spec;
    if (o->version >> 16 != 1)
        findings_add(d->findings, "C08", ASSAY_ERROR, 4, 0, "version %u.%u; only 1 is known", o->version >> 16, o->version & 0xffff);
    else if (o->kind == COV_NONE)
        cov_note(d, "C07", ASSAY_ERROR, 0, "unknown magic");
    else if (o->version != COV_VERSION_1_0)
        findings_add(d->findings, "C09", ASSAY_INFO, 4, 0, "minor version %u", o->version & 0xffff);
    if (o->version >> 16 != 1) o->kind = COV_NONE;
    if (o->kind == COV_NONE) return false;
    if (d->bytes.len < (uint64_t)cov_shapes[o->kind].header * COV_UNIT) {
        findings_add(d->findings, "C10", ASSAY_ERROR, d->bytes.len, 0, "the header has %u bytes, the object %zu", cov_shapes[o->kind].header * COV_UNIT,
                     d->bytes.len);
        o->kind = COV_NONE;
    }
    return o->kind != COV_NONE;
}

static int body(struct cov_decoder *d, assay_error *err)
{
    if (d->o->kind == COV_LINES) return cov_decode_lines(d, err);
    if (!find_strings(d)) {
        d->o->kind = COV_NONE;
        return 0;
    }
    switch (d->o->kind) {
    case COV_REPORT: return report(d, err);
    case COV_BUILD: build(d); return 0;
    case COV_FILES: return files(d, err);
    default: return functions(d, err);
    }
}

int cov_object_parse(const void *data, size_t len, enum cov_framing framing, enum cov_dialect dialect, struct cov_object *out, struct arena *a,
                     struct findings *findings, assay_error *err)
{
    struct cov_decoder d = { .o = out, .bytes = { data, len }, .arena = a, .findings = findings };
    memset(out, 0, sizeof *out);
    out->bytes = d.bytes;
    if (!header(&d, framing, dialect)) return 0;
    return body(&d, err);
}
