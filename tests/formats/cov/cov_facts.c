/* Prints what the decoder makes of coverage objects, as JSON, one a line; facts.py compares it with what independent tools say. Each is also
 * encoded and compressed again: "same" tells whether the bytes are those of the file.
 *
 *     cov_facts [--spec] FILE... */
#include <stdio.h>
#include <string.h>

#include "base/deflate.h"
#include "base/input.h"
#include "base/json.h"
#include "formats/cov/magic.h"
#include "formats/cov/object.h"

static void name(struct json *j, const char *key) { json_key(j, key); }

static void number(struct json *j, const char *key, uint64_t v)
{
    name(j, key);
    json_u64(j, v);
}

static void text(struct json *j, const char *key, assay_slice v)
{
    name(j, key);
    json_string(j, v);
}

static void id(struct json *j, const char *key, const assay_store_id *v)
{
    char hex[COV_ID_HEX + 1];
    text(j, key, slice_of(cov_id_hex(v, hex)));
}

static void pair(struct json *j, const char *key, uint32_t a, uint32_t b)
{
    name(j, key);
    json_array(j);
    json_u64(j, a);
    json_u64(j, b);
    json_end(j);
}

static void two(struct json *j, const char *key, assay_slice a, assay_slice b)
{
    name(j, key);
    json_array(j);
    json_string(j, a);
    json_string(j, b);
    json_end(j);
}

static void stats(struct json *j, const assay_store_stats *s)
{
    name(j, "stats");
    json_object(j);
    number(j, "lines_total", s->lines_total);
    pair(j, "lines", s->lines.relevant, s->lines.visited);
    pair(j, "functions", s->functions.relevant, s->functions.visited);
    pair(j, "branches", s->branches.relevant, s->branches.visited);
    json_end(j);
}

static void report(struct json *j, const struct cov_report *r)
{
    id(j, "parent", &r->parent);
    id(j, "file_list", &r->file_list);
    number(j, "added", r->added);
    text(j, "branch", r->branch);
    two(j, "author", r->author_name, r->author_email);
    two(j, "committer", r->committer_name, r->committer_email);
    text(j, "message", r->message);
    id(j, "commit", &r->commit);
    number(j, "committed", r->committed);
    stats(j, &r->stats);
    name(j, "builds");
    json_array(j);
    for (size_t i = 0; i < r->build_count; i++) {
        json_object(j);
        id(j, "build", &r->builds[i].build);
        text(j, "propset", r->builds[i].propset);
        stats(j, &r->builds[i].stats);
        json_end(j);
    }
    json_end(j);
}

static void details(struct json *j, const char *key, const struct cov_details *d)
{
    name(j, key);
    json_object(j);
    pair(j, "summary", d->summary.relevant, d->summary.visited);
    id(j, "details", &d->id);
    json_end(j);
}

static void files(struct json *j, const struct cov_files *l)
{
    text(j, "entry_kind", l->ext ? SLICE("ext") : SLICE("basic"));
    name(j, "files");
    json_array(j);
    for (size_t i = 0; i < l->count; i++) {
        const struct cov_file *f = &l->at[i];
        json_object(j);
        text(j, "path", f->path);
        id(j, "contents", &f->contents);
        number(j, "lines_total", f->lines_total);
        details(j, "lines", &f->lines);
        if (l->ext) {
            details(j, "functions", &f->functions);
            details(j, "branches", &f->branches);
        }
        json_end(j);
    }
    json_end(j);
}

static void lines(struct json *j, const struct cov_lines *l)
{
    char key[16];
    uint64_t hits = 0, most = 0;
    assay_store_pair sum = cov_lines_sum(l);
    for (size_t i = 0; i < l->count; i++) {
        hits += l->at[i].hits;
        if (l->at[i].hits > most) most = l->at[i].hits;
    }
    if (l->wrapped) {
        name(j, "wrapped");
        json_bool(j, true);
    }
    number(j, "entries", l->words);
    number(j, "null_runs", l->runs);
    number(j, "last_line", l->last_line);
    number(j, "relevant", sum.relevant);
    number(j, "visited", sum.visited);
    number(j, "hits", hits);
    number(j, "max_hits", most);
    name(j, "coverage");
    json_object(j);
    for (size_t i = 0; i < l->count; i++) {
        snprintf(key, sizeof key, "%u", l->at[i].line);
        number(j, key, l->at[i].hits);
    }
    json_end(j);
}

static void functions(struct json *j, const struct cov_functions *l)
{
    name(j, "functions");
    json_array(j);
    for (size_t i = 0; i < l->count; i++) {
        const struct cov_function *f = &l->at[i];
        json_object(j);
        text(j, "name", f->name);
        text(j, "demangled", f->demangled);
        number(j, "count", f->count);
        pair(j, "start", f->first_line, f->first_column);
        pair(j, "end", f->last_line, f->last_column);
        json_end(j);
    }
    json_end(j);
}

static void body(struct json *j, const struct cov_object *o)
{
    char version[24];
    text(j, "kind", slice_of(cov_kind_name(o->kind)));
    text(j, "magic", slice_of(cov_magic_of(o->kind, o->dialect)));
    snprintf(version, sizeof version, "%u.%u", o->version >> 16, o->version & 0xffff);
    text(j, "version", slice_of(version));
    number(j, "bytes", o->bytes.len);
    if (o->kind != COV_LINES) {
        pair(j, "strings", o->layout.strings_offset, o->layout.strings_size);
        if (o->kind != COV_BUILD) {
            name(j, "array");
            json_array(j);
            json_u64(j, o->layout.entries_offset);
            json_u64(j, o->layout.entry_size);
            json_u64(j, o->layout.entry_count);
            json_end(j);
        }
    }
    switch (o->kind) {
    case COV_REPORT: report(j, &o->report); break;
    case COV_BUILD:
        id(j, "file_list", &o->build.file_list);
        number(j, "added", o->build.added);
        text(j, "propset", o->build.propset);
        stats(j, &o->build.stats);
        break;
    case COV_FILES: files(j, &o->files); break;
    case COV_LINES: lines(j, &o->lines); break;
    default: functions(j, &o->functions); break;
    }
}

/* Whether encoding and packing give the file again. */
static bool is_same(const struct cov_object *o, assay_slice raw, struct mem *mem)
{
    struct cov_bytes plain = { .mem = mem }, compressed = { .mem = mem };
    struct packer *p = cov_packer_new(o->dialect, mem);
    bool same = p && cov_object_encode(o, o->dialect, &plain, NULL) == 0 && cov_pack(p, &plain, &compressed, NULL) == 0 && compressed.v.len == raw.len &&
                memcmp(compressed.v.at, raw.data, raw.len) == 0;
    packer_free(p);
    cov_bytes_done(&plain);
    cov_bytes_done(&compressed);
    return same;
}

static void print(const char *path, enum cov_dialect dialect, struct json *j, struct mem *mem)
{
    static char raw[1 << 20];
    struct cov_unpacker u;
    struct findings f;
    struct arena a;
    struct cov_object o;
    assay_slice bytes = { "", 0 };
    enum cov_framing framing = COV_BARE;
    FILE *in = fopen(path, "rb");
    size_t len = in ? fread(raw, 1, sizeof raw, in) : 0;
    if (in) fclose(in);
    cov_unpacker_init(&u, mem);
    findings_init(&f, mem);
    arena_init(&a, mem);
    int rc = cov_unpack(&u, (assay_slice){ raw, len }, 0, &bytes, &framing, &f, NULL);
    if (rc == 0) rc = cov_object_parse(bytes.data, bytes.len, framing, dialect, &o, &a, &f, NULL);
    json_object(j);
    text(j, "path", slice_of(path));
    name(j, "ok");
    json_bool(j, rc == 0 && !f.errors);
    if (rc == 0 && o.kind != COV_NONE) {
        assay_store_id oid = cov_id_of(bytes.data, bytes.len);
        id(j, "oid", &oid);
        text(j, "framing", slice_of(cov_framing_name(framing)));
        number(j, "stored_bytes", len);
        name(j, "same");
        json_bool(j, is_same(&o, (assay_slice){ raw, len }, mem));
        name(j, "object");
        json_object(j);
        body(j, &o);
        json_end(j);
    }
    json_end(j);
    arena_done(&a);
    findings_done(&f);
    cov_unpacker_done(&u);
}

int main(int argc, char **argv)
{
    struct mem mem;
    struct output *out;
    int first = argc > 1 && strcmp(argv[1], "--spec") == 0 ? 2 : 1;
    mem_init(&mem, 0);
    if (output_open(&out, "-", &mem, NULL) != 0) return 2;
    struct json j;
    json_init(&j, out);
    json_array(&j);
    for (int i = first; i < argc; i++) print(argv[i], first == 2 ? COV_DIALECT_SPEC : COV_DIALECT_COV, &j, &mem);
    json_end(&j);
    return output_commit(out, NULL) == 0 && mem.used == 0 ? 0 : 1;
}
