/* Reading every object once; see scan.h. Objects pass one after another through the same room; what stays of each is what a check or a collection asks
 * for later, so that a store may be larger than the memory. */
#include "store/scan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "store/parts.h"
#include "store/ref_files.h"

void scan_init(struct scan *c, struct store *s, uint64_t max_bytes, struct findings *findings)
{
    *c = (struct scan){ .store = s, .mem = store_mem(s), .max_bytes = max_bytes, .findings = findings };
    cov_unpacker_init(&c->unpacker, c->mem);
}

void scan_done(struct scan *c)
{
    vec_done(c->mem, &c->objects, &c->edges);
    cov_unpacker_done(&c->unpacker);
}

uint64_t scan_hash(assay_slice s) { return hash_bytes(s.data, s.len); }

/* ---- what is kept of an object ---- */

static void add_u32(uint32_t *sum, uint32_t v) { *sum = v > UINT32_MAX - *sum ? UINT32_MAX : *sum + v; }

static void add_pair(assay_store_pair *sum, const assay_store_pair *p)
{
    add_u32(&sum->relevant, p->relevant);
    add_u32(&sum->visited, p->visited);
}

static bool sum_up(struct scan *c, const struct cov_object *o, struct scan_object *out)
{
    switch (o->kind) {
    case COV_BUILD:
        out->stats = o->build.stats;
        out->propset = scan_hash(o->build.propset);
        return true;
    case COV_FILES:
        for (size_t i = 0; i < o->files.count; i++) {
            const struct cov_file *f = &o->files.at[i];
            add_u32(&out->stats.lines_total, f->lines_total);
            add_pair(&out->stats.lines, &f->lines.summary);
            add_pair(&out->stats.functions, &f->functions.summary);
            add_pair(&out->stats.branches, &f->branches.summary);
        }
        return true;
    case COV_LINES: out->stats.lines = cov_lines_sum(&o->lines); return true;
    case COV_FUNCTIONS: return cov_functions_sum(&o->functions, c->mem, &out->stats.functions);
    default: return true;
    }
}

/* ---- one object ---- */

static int slurp(struct scan *c, const assay_store_id *id, struct store_room *room, assay_slice *raw, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    int rc = store_object_path(c->store, id, false, path) ? store_slurp(path, COV_MAX_BYTES, room, raw) : ENAMETOOLONG;
    if (rc == ENOMEM) return error_memory(err);
    return rc;
}

static void pass_on(struct scan *c, const assay_store_id *id, const struct findings *f)
{
    char hex[COV_ID_HEX + 1];
    if (!c->findings) return;
    cov_id_hex(id, hex);
    for (size_t i = 0; i < f->list.len; i++) {
        const assay_finding *x = &f->list.at[i];
        findings_add(c->findings, x->rule, x->severity, FINDING_NO_OFFSET, 0, "object %s: %s", hex, x->message);
    }
}

/* Parses and checks; what is wrong is told, and makes the object COV_NONE where it is an error of its layout. */
static int look(struct scan *c, struct scan_object *out, assay_slice raw, struct arena *a, struct findings *f, assay_error *err)
{
    struct cov_object o;
    assay_slice bytes;
    enum cov_framing framing;
    TRY(cov_unpack(&c->unpacker, raw, c->max_bytes, &bytes, &framing, f, err));
    if (f->errors) return 0;
    assay_store_id real = cov_id_of(bytes.data, bytes.len);
    TRY(cov_object_parse(bytes.data, bytes.len, framing, COV_DIALECT_COV, &o, a, f, err));
    if (!f->errors) {
        out->kind = o.kind;
        if (!sum_up(c, &o, out)) return error_memory(err);
        cov_object_check(&o, f);
    }
    if (framing != COV_ZLIB) findings_add(f, "C04", ASSAY_WARNING, 0, 0, "framing is %s; zlib was expected", cov_framing_name(framing));
    if (cov_id_compare(&real, &out->id) != 0) {
        char hex[COV_ID_HEX + 1];
        findings_add(f, "C24", ASSAY_ERROR, 0, 0, "the SHA-1 of the content is %s, not the name", cov_id_hex(&real, hex));
    }
    return 0;
}

static int scan_one(struct scan *c, const assay_store_id *id, struct store_room *room, assay_error *err)
{
    struct scan_object out = { .id = *id };
    assay_slice raw;
    int rc = slurp(c, id, room, &raw, err);
    if (rc < 0) return rc;
    if (rc == ENOENT) return 0; /* removed since the folder was listed */
    SCOPED(arena_done) struct arena a = { .mem = c->mem };
    SCOPED(findings_done) struct findings f;
    findings_init(&f, c->mem);
    if (rc > 0) {
        findings_add(&f, rc == EFBIG ? "C05" : "C02", ASSAY_ERROR, 0, 0, rc == EFBIG ? "the file is too large" : "the file cannot be read");
        rc = 0;
    } else
        rc = look(c, &out, raw, &a, &f, err);
    pass_on(c, id, &f);
    TRY(rc);
    struct scan_object *slot = vec_push(c->mem, &c->objects);
    if (slot) *slot = out;
    return slot && !f.failed ? 0 : error_memory(err);
}

int scan_reload(struct scan *c, size_t i, struct store_room *room, struct arena *a, struct cov_object *out, assay_error *err)
{
    assay_slice raw, bytes = { "", 0 };
    enum cov_framing framing = COV_BARE;
    memset(out, 0, sizeof *out);
    int rc = slurp(c, &c->objects.at[i].id, room, &raw, err);
    if (rc != 0) return rc < 0 ? rc : 0;
    SCOPED(findings_done) struct findings f;
    findings_init(&f, c->mem);
    TRY(cov_unpack(&c->unpacker, raw, c->max_bytes, &bytes, &framing, &f, err));
    TRY(cov_object_parse(bytes.data, bytes.len, framing, COV_DIALECT_COV, out, a, &f, err));
    if (f.errors) out->kind = COV_NONE;
    return 0;
}

/* ---- all of them ---- */

static bool is_hex_pair(const char *s) { return strlen(s) == 2 && strspn(s, "0123456789abcdef") == 2; }

static int scan_fan_out(struct scan *c, const char *dir, const char *pair, struct store_room *room, assay_error *err)
{
    char path[FOLDER_PATH_MAX], hex[COV_ID_HEX + 1];
    assay_store_id id;
    if (!folder_path(path, dir, pair)) return 0;
    if (store_has_link(path, strlen(dir))) {
        if (c->findings)
            findings_add(c->findings, "S26", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "objects/coverage/%.8s: a symbolic link; its objects are not read", pair);
        return 0;
    }
    SCOPED(folder_done) struct folder f;
    TRY(folder_open(&f, path, c->mem, err));
    for (size_t i = 0; i < f.entries.len; i++) {
        const char *name = f.entries.at[i].name;
        bool is_id = is_hex_pair(pair) && strlen(name) == COV_ID_HEX - 2 && strspn(name, "0123456789abcdef") == COV_ID_HEX - 2;
        TRY(cancel_step(i, err));
        if (!is_id) {
            if (c->findings)
                findings_add(c->findings, "S19", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "objects/coverage/%.8s/%.100s: the name is not an id", pair, name);
            continue;
        }
        snprintf(hex, sizeof hex, "%s%s", pair, name);
        if (cov_id_parse((assay_slice){ hex, COV_ID_HEX }, &id)) TRY(scan_one(c, &id, room, err));
    }
    return 0;
}

static void stray(struct scan *c, const char *where, const char *name)
{
    if (c->findings) findings_add(c->findings, "S18", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%s/%.200s: left over, or not part of a store", where, name);
}

/* Temporary files lie beside the folders of objects. */
static int scan_temporaries(struct scan *c, assay_error *err)
{
    SCOPED(folder_done) struct folder f;
    TRY(folder_open(&f, c->store->objects, c->mem, err));
    for (size_t i = 0; i < f.entries.len; i++) {
        TRY(cancel_step(i, err));
        if (f.entries.at[i].is_file) stray(c, "objects", f.entries.at[i].name);
    }
    return 0;
}

int scan_objects(struct scan *c, assay_error *err)
{
    char dir[FOLDER_PATH_MAX];
    SCOPED(store_room_done) struct store_room room = { .mem = c->mem };
    if (!folder_path(dir, c->store->objects, "coverage")) FAIL(err, ASSAY_ERR_SYSTEM, "the path of the store is too long");
    SCOPED(folder_done) struct folder f;
    TRY(folder_open(&f, dir, c->mem, err));
    for (size_t i = 0; i < f.entries.len; i++) {
        TRY(cancel_step(i, err));
        if (f.entries.at[i].is_dir)
            TRY(scan_fan_out(c, dir, f.entries.at[i].name, &room, err));
        else
            stray(c, "objects/coverage", f.entries.at[i].name);
    }
    return scan_temporaries(c, err);
}

/* Folders come by name, and so do the files in them: the objects are sorted. */
size_t scan_find(const struct scan *c, const assay_store_id *id)
{
    size_t low = 0, high = c->objects.len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = cov_id_compare(&c->objects.at[mid].id, id);
        if (order == 0) return mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return SIZE_MAX;
}
