/* Which text was measured: the commit's, the work tree's, or neither; decided by the digest that came with the coverage. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/scoped.h"
#include "store/import_parts.h"

#define MAX_SOURCE ((uint64_t)256 << 20)

void import_warn(const struct importer *m, assay_slice path, const char *message)
{
    char name[FOLDER_PATH_MAX];
    if (!m->options->warn) return;
    snprintf(name, sizeof name, "%.*s", (int)(path.len < sizeof name ? path.len : sizeof name - 1), path.len ? path.data : "");
    m->options->warn(m->options->warn_arg, name, message);
}

static uint32_t count_lines(assay_slice text)
{
    uint64_t n = 0;
    for (const char *p = text.data, *end = p + text.len; p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++) n++;
    n += !text.len || text.data[text.len - 1] != '\n';
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* ---- digests ---- */

static bool has_digest(const struct import_file *f, assay_slice text)
{
    uint8_t d[DIGEST_SHA1_LEN];
    if (f->digest_kind == IMPORT_MD5) {
        digest_md5(text.data, text.len, d);
        return memcmp(d, f->digest, DIGEST_MD5_LEN) == 0;
    }
    digest_sha1(text.data, text.len, d);
    return memcmp(d, f->digest, DIGEST_SHA1_LEN) == 0;
}

/* LF -> CRLF, or the reverse; from the arena. */
static assay_slice other_ends(assay_slice text, bool to_crlf, struct arena *a)
{
    char *out = arena_text(a, to_crlf ? 2 * text.len + 1 : text.len + 1), *at = out;
    if (!out) return (assay_slice){ NULL, 0 };
    for (size_t i = 0; i < text.len; i++) {
        bool is_crlf = text.data[i] == '\r' && i + 1 < text.len && text.data[i + 1] == '\n';
        if (to_crlf && text.data[i] == '\n' && (i == 0 || text.data[i - 1] != '\r')) *at++ = '\r';
        if (to_crlf || !is_crlf) *at++ = text.data[i];
    }
    return slice_from(out, at);
}

/* The text, or the same with other line ends, is what was measured. false also for lack of memory: then it is not. */
static bool matches(const struct import_file *f, assay_slice text, struct arena *a)
{
    if (has_digest(f, text)) return true;
    if (!text.len || !memchr(text.data, '\n', text.len)) return false;
    for (int crlf = 1; crlf >= 0; crlf--) {
        assay_slice other = other_ends(text, crlf, a);
        if (other.data && has_digest(f, other)) return true;
    }
    return false;
}

/* ---- the work tree ---- */

static bool is_inside(assay_slice path)
{
    if (!path.len || path.data[0] == '/' || memchr(path.data, '\0', path.len)) return false;
    for (const char *p = path.data, *end = p + path.len; p < end;) {
        const char *slash = memchr(p, '/', (size_t)(end - p));
        if (slice_is(slice_from(p, slash ? slash : end), "..")) return false;
        p = slash ? slash + 1 : end;
    }
    return true;
}

bool import_work_file(const char *root, assay_slice path, char *real)
{
    char joined[FOLDER_PATH_MAX];
    if (!root || !is_inside(path)) return false;
    int len = snprintf(joined, sizeof joined, "%s/%.*s", root, (int)path.len, path.data);
    if (len < 0 || len >= (int)sizeof joined || !realpath(joined, real)) return false;
    size_t root_len = strlen(root);
    return strncmp(real, root, root_len) == 0 && real[root_len] == '/';
}

/* The text of a file of the work tree. false = no such file. */
static int from_tree(struct importer *m, assay_slice path, struct store_room *room, assay_slice *out, bool *found, assay_error *err)
{
    char real[FOLDER_PATH_MAX];
    *found = false;
    if (!import_work_file(m->root, path, real)) return 0;
    int rc = store_slurp(real, MAX_SOURCE, room, out);
    if (rc == ENOMEM) return error_memory(err);
    *found = rc == 0;
    return 0;
}

/* ---- the decision ---- */

static int from_commit(struct importer *m, const struct import_file *f, struct arena *a, assay_store_id *id, assay_slice *text, bool *found, assay_error *err)
{
    assay_error local;
    int rc = git_blob_at(m->git, &m->commit.tree, f->path, id, &local);
    if (rc == 0) rc = git_blob_read(m->git, id, a, text, &local);
    *found = rc == 0;
    if (rc == 0 || rc == ASSAY_ERR_UNKNOWN) return 0;
    if (err) *err = local;
    return rc;
}

static int use_tree(struct importer *m, const struct import_file *f, assay_slice text, bool is_measured, struct import_source *out, assay_error *err)
{
    if (!is_measured) {
        import_warn(m, f->path, "was modified after the report");
        out->is_modified = true;
    }
    out->line_count = is_measured ? count_lines(text) : 0;
    return store_write_blob(m->s, text.data, text.len, &out->contents, err);
}

/* Without a digest the work tree's text is taken for what was measured, where it is not the commit's. */
static int decide(struct importer *m, const struct import_file *f, struct arena *a, struct store_room *room, struct import_source *out, assay_error *err)
{
    bool in_commit, in_tree;
    assay_store_id id;
    assay_slice committed = { "", 0 }, text = { "", 0 };
    TRY(from_commit(m, f, a, &id, &committed, &in_commit, err));
    bool is_measured = in_commit && f->digest_kind != IMPORT_NO_DIGEST && matches(f, committed, a);
    if (!is_measured) {
        TRY(from_tree(m, f->path, room, &text, &in_tree, err));
        if (f->digest_kind == IMPORT_NO_DIGEST) {
            is_measured = in_commit && (!in_tree || slice_equal(text, committed));
            if (!is_measured && in_tree) return use_tree(m, f, text, true, out, err);
        } else if (in_tree)
            return use_tree(m, f, text, matches(f, text, a), out, err);
    }
    if (is_measured) {
        out->contents = id;
        out->line_count = count_lines(committed);
        return 0;
    }
    if (m->options->skip_missing) {
        import_warn(m, f->path, "is neither in the commit nor in the work tree; it is left out");
        out->is_skipped = true;
        return 0;
    }
    int rc = error_set(err, ASSAY_ERR_UNKNOWN, "cannot find %.*s", (int)(f->path.len < 400 ? f->path.len : 400), f->path.len ? f->path.data : "");
    return rc;
}

int import_find_source(struct importer *m, const struct import_file *f, struct import_source *out, assay_error *err)
{
    SCOPED(store_room_done) struct store_room room = { .mem = m->s->mem };
    SCOPED(arena_done) struct arena a = { .mem = m->s->mem };
    memset(out, 0, sizeof *out);
    return decide(m, f, &a, &room, out, err);
}
