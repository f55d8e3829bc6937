/* Reading loose objects: by id, or by the first digits of one; see store.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "store/parts.h"

enum { LEAST_DIGITS = 4 };

bool store_object_path(const struct store *s, const assay_store_id *id, bool is_blob, char *buf)
{
    char hex[COV_ID_HEX + 1];
    cov_id_hex(id, hex);
    int len = snprintf(buf, FOLDER_PATH_MAX, "%s/%s%.2s/%s", s->objects, is_blob ? "" : "coverage/", hex, hex + 2);
    return len > 0 && len < FOLDER_PATH_MAX;
}

bool store_is_linked(const char *object_path)
{
    char dir[FOLDER_PATH_MAX];
    struct stat st;
    size_t len = (size_t)(strrchr(object_path, '/') - object_path);
    memcpy(dir, object_path, len);
    dir[len] = '\0';
    return lstat(dir, &st) == 0 && S_ISLNK(st.st_mode);
}

bool store_has(struct store *s, const assay_store_id *id)
{
    char path[FOLDER_PATH_MAX];
    return store_object_path(s, id, false, path) && access(path, F_OK) == 0;
}

/* The bytes of the file of an object, in `room`. */
static int load(struct store *s, const assay_store_id *id, bool is_blob, struct store_room *room, assay_slice *raw, assay_error *err)
{
    char path[FOLDER_PATH_MAX], hex[COV_ID_HEX + 1];
    if (!store_object_path(s, id, is_blob, path)) FAIL(err, ASSAY_ERR_SYSTEM, "the path of the store is too long");
    if (cancel_due()) return error_cancelled(err);
    if (store_is_linked(path)) FAIL(err, ASSAY_ERR_DAMAGED, "object %s is in a directory that is a symbolic link", cov_id_hex(id, hex));
    int rc = store_slurp(path, COV_MAX_BYTES, room, raw);
    if (rc == ENOENT || rc == ENOTDIR) FAIL(err, ASSAY_ERR_UNKNOWN, "object %s is not in the store", cov_id_hex(id, hex));
    if (rc == ENOMEM) return error_memory(err);
    return rc ? error_sys(err, ASSAY_ERR_SYSTEM, rc, "cannot read object %s", cov_id_hex(id, hex)) : 0;
}

static int refuse(const assay_store_id *id, const struct findings *f, assay_error *err)
{
    char hex[COV_ID_HEX + 1];
    for (size_t i = 0; i < f->list.len; i++)
        if (f->list.at[i].severity == ASSAY_ERROR)
            return error_set(err, ASSAY_ERR_DAMAGED, "object %s is damaged: %s (%s)", cov_id_hex(id, hex), f->list.at[i].message, f->list.at[i].rule);
    return 0;
}

static int parse(struct store *s, const assay_store_id *id, assay_slice raw, struct store_object *out, struct findings *f, assay_error *err)
{
    assay_slice bytes;
    char hex[COV_ID_HEX + 1];
    TRY(cov_unpack(&s->unpacker, raw, 0, &bytes, &out->framing, f, err));
    TRY(refuse(id, f, err));
    assay_store_id real = cov_id_of(bytes.data, bytes.len);
    if (cov_id_compare(&real, id) != 0) FAIL(err, ASSAY_ERR_DAMAGED, "object %s is damaged: its content has a different id (C24)", cov_id_hex(id, hex));
    char *copy = arena_copy(&out->arena, bytes);
    if (!copy) return error_memory(err);
    TRY(cov_object_parse(copy, bytes.len, out->framing, COV_DIALECT_ANY, &out->o, &out->arena, f, err));
    return refuse(id, f, err);
}

int store_read(struct store *s, const assay_store_id *id, enum cov_kind kind, struct store_object *out, assay_error *err)
{
    SCOPED(store_room_done) struct store_room room = { .mem = s->mem };
    SCOPED(findings_done) struct findings f;
    assay_slice raw;
    char hex[COV_ID_HEX + 1];
    findings_init(&f, s->mem);
    arena_init(&out->arena, s->mem);
    int rc = load(s, id, false, &room, &raw, err);
    if (rc == 0) rc = parse(s, id, raw, out, &f, err);
    if (rc == 0 && f.failed) rc = error_memory(err);
    if (rc == 0 && kind != COV_NONE && out->o.kind != kind)
        rc =
            error_set(err, ASSAY_ERR_DAMAGED, "object %s is a %s, but a %s was expected", cov_id_hex(id, hex), cov_kind_name(out->o.kind), cov_kind_name(kind));
    if (rc != 0) arena_done(&out->arena);
    return rc;
}

void store_object_done(struct store_object *o) { arena_done(&o->arena); }

/* ---- the first digits of an id ---- */

static bool lower_digits(assay_slice prefix, char *out)
{
    for (size_t i = 0; i < prefix.len; i++) {
        char c = prefix.data[i];
        if (c >= 'A' && c <= 'F') c = (char)(c - 'A' + 'a');
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) return false;
        out[i] = c;
    }
    out[prefix.len] = '\0';
    return true;
}

static int pick(const struct folder *f, const char *digits, assay_store_id *out, assay_error *err)
{
    size_t len = strlen(digits), hits = 0;
    char hex[COV_ID_HEX];
    memcpy(hex, digits, 2);
    for (size_t i = 0; i < f->entries.len; i++) {
        const char *name = f->entries.at[i].name;
        assay_store_id id;
        if (strlen(name) != COV_ID_HEX - 2 || strncmp(name, digits + 2, len - 2) != 0) continue;
        memcpy(hex + 2, name, COV_ID_HEX - 2);
        if (!cov_id_parse((assay_slice){ hex, sizeof hex }, &id)) continue;
        *out = id;
        hits++;
    }
    if (hits == 0) FAIL(err, ASSAY_ERR_UNKNOWN, "no object begins with '%s'", digits);
    if (hits > 1) FAIL(err, ASSAY_ERR_AMBIGUOUS, "%zu objects begin with '%s'", hits, digits);
    return 0;
}

int store_resolve(struct store *s, assay_slice prefix, assay_store_id *out, assay_error *err)
{
    char digits[COV_ID_HEX + 1], path[FOLDER_PATH_MAX], hex[3] = { 0 };
    if (prefix.len < LEAST_DIGITS || prefix.len > COV_ID_HEX || !lower_digits(prefix, digits))
        FAIL(err, ASSAY_ERR_UNKNOWN, "'%.*s' is not an id: expected 4 to 40 hexadecimal digits", (int)(prefix.len < 60 ? prefix.len : 60), prefix.data);
    memcpy(hex, digits, 2);
    if (snprintf(path, sizeof path, "%s/coverage/%s", s->objects, hex) >= (int)sizeof path) FAIL(err, ASSAY_ERR_SYSTEM, "the path of the store is too long");
    if (access(path, F_OK) != 0) FAIL(err, ASSAY_ERR_UNKNOWN, "no object begins with '%s'", digits);
    SCOPED(folder_done) struct folder f;
    TRY(folder_open(&f, path, s->mem, err));
    return pick(&f, digits, out, err);
}

/* ---- blobs ---- */

/* "blob LEN" and a zero byte, then the bytes. */
static int open_blob(const assay_store_id *id, assay_slice bytes, struct arena *a, assay_slice *out, assay_error *err)
{
    char hex[COV_ID_HEX + 1];
    assay_store_id real = cov_id_of(bytes.data, bytes.len);
    const char *end = bytes.len ? memchr(bytes.data, '\0', bytes.len) : NULL;
    if (cov_id_compare(&real, id) != 0 || !end || !slice_starts(bytes, "blob "))
        FAIL(err, ASSAY_ERR_DAMAGED, "the stored source %s is damaged", cov_id_hex(id, hex));
    assay_slice body = slice_from(end + 1, bytes.data + bytes.len);
    char *copy = arena_copy(a, body);
    if (!copy) return error_memory(err);
    *out = (assay_slice){ copy, body.len };
    return 0;
}

int store_read_blob(struct store *s, const assay_store_id *id, struct arena *a, assay_slice *out, assay_error *err)
{
    SCOPED(store_room_done) struct store_room room = { .mem = s->mem };
    SCOPED(findings_done) struct findings f;
    enum cov_framing framing;
    assay_slice raw, bytes;
    findings_init(&f, s->mem);
    TRY(load(s, id, true, &room, &raw, err));
    TRY(cov_unpack(&s->unpacker, raw, 0, &bytes, &framing, &f, err));
    TRY(refuse(id, &f, err));
    return open_blob(id, bytes, a, out, err);
}
