/* Reflogs: logs/NAME has a line for each change of a reference, as git writes them, so that what `reset` or `checkout` left can be found again.
 * A line is appended under the lock of the reference; half a line, of a process that was killed, is skipped when reading. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/parts.h"
#include "store/ref_files.h"

#define MAX_LOG ((uint64_t)64 << 20)

static bool log_path(const struct store *s, const char *name, char *buf)
{
    const char *dir = strchr(name, '/') ? s->common : s->path;
    int len = snprintf(buf, FOLDER_PATH_MAX, "%s/logs/%s", dir, name);
    return len > 0 && len < FOLDER_PATH_MAX;
}

static void identity(const struct store *s, char *buf, size_t len)
{
    const char *name = getenv("GIT_COMMITTER_NAME"), *mail = getenv("GIT_COMMITTER_EMAIL"), *user = getenv("USER");
    if (s->who)
        snprintf(buf, len, "%s", s->who);
    else
        snprintf(buf, len, "%.200s <%.200s>", name ? name : user ? user : "unknown", mail ? mail : "");
    for (char *p = buf; *p; p++)
        if (*p == '\n' || *p == '\r' || *p == '\t') *p = ' ';
}

int reflog_append(struct store *s, const char *name, const struct cov_id *from, const struct cov_id *to, const char *why, assay_error *err)
{
    char path[FOLDER_PATH_MAX], who[512], line[1400], a[COV_ID_HEX + 1], b[COV_ID_HEX + 1];
    if (!log_path(s, name, path)) FAIL(err, ASSAY_ERR_WRITE, "the path of the reflog of '%.200s' is too long", name);
    identity(s, who, sizeof who);
    int len = snprintf(line, sizeof line - 1, "%s %s %s %llu +0000\t%.*s", cov_id_hex(from, a), cov_id_hex(to, b), who, (unsigned long long)store_now(),
                       (int)(strcspn(why, "\r\n") < 700 ? strcspn(why, "\r\n") : 700), why);
    line[len++] = '\n';
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0 && errno == ENOENT && store_make_parents(path) == 0) fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot open the reflog '%.400s'", path);
    int rc = store_put_all(fd, line, (size_t)len);
    close(fd);
    return rc ? error_sys(err, ASSAY_ERR_WRITE, rc, "cannot write the reflog '%.400s'", path) : 0;
}

/* ---- reading ---- */

/* "FROM TO Name <mail> TIME ZONE\tWHY"; false = no such line. */
static bool parse(assay_slice line, struct reflog_entry *out)
{
    const size_t ids = 2 * COV_ID_HEX + 2;
    if (line.len < ids || line.data[COV_ID_HEX] != ' ' || line.data[ids - 1] != ' ') return false;
    if (!cov_id_parse((assay_slice){ line.data, COV_ID_HEX }, &out->from)) return false;
    if (!cov_id_parse((assay_slice){ line.data + COV_ID_HEX + 1, COV_ID_HEX }, &out->to)) return false;
    assay_slice rest = slice_from(line.data + ids, line.data + line.len);
    const char *tab = memchr(rest.data, '\t', rest.len);
    assay_slice head = tab ? slice_from(rest.data, tab) : rest;
    const char *mail_end = head.len ? memrchr(head.data, '>', head.len) : NULL;
    out->why = tab ? slice_from(tab + 1, line.data + line.len) : (assay_slice){ "", 0 };
    if (!mail_end) return false;
    out->who = slice_from(head.data, mail_end + 1);
    out->when = 0;
    for (const char *p = mail_end + 1, *end = head.data + head.len; p < end && (*p == ' ' || (*p >= '0' && *p <= '9')); p++) {
        if (*p == ' ' && out->when) break;
        if (*p != ' ') out->when = out->when * 10 + (uint64_t)(*p - '0');
    }
    return true;
}

int reflog_file(struct store *s, const char *path, reflog_fn fn, void *arg, assay_error *err)
{
    struct store_room room = { .mem = s->mem };
    struct reflog_entry entry;
    assay_slice text;
    int failed = store_slurp(path, MAX_LOG, &room, &text), rc = 0;
    if (failed && failed != ENOENT && failed != ENOTDIR && failed != EISDIR)
        rc = failed == ENOMEM ? error_memory(err) : error_sys(err, ASSAY_ERR_SYSTEM, failed, "cannot read the reflog '%.400s'", path);
    while (rc == 0 && text.len) {
        const char *end = text.data + text.len, *nl = memrchr(text.data, '\n', text.len - (end[-1] == '\n'));
        const char *from = nl ? nl + 1 : text.data;
        if (parse(slice_from(from, end[-1] == '\n' ? end - 1 : end), &entry)) rc = fn(arg, &entry);
        text.len = (size_t)(from - text.data);
    }
    vec_done(s->mem, &room.v);
    return rc;
}

int reflog_each(struct store *s, const char *name, reflog_fn fn, void *arg, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    if (!refs_name_ok(slice_of(name)) || !log_path(s, name, path)) FAIL(err, ASSAY_ERR_USAGE, "'%.200s' is no name of a reference", name);
    return reflog_file(s, path, fn, arg, err);
}
