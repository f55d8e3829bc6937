/* Reflogs: logs/NAME has a line for each change of a reference, as git writes them, so that what `reset` or `checkout` left can be found again.
 * A line is appended after the change, before anybody else can make the next one: the log never names what the reference did not stand for. A process that is
 * killed in between leaves a change without its line, or half a line, which is skipped when reading; the next one to write adds what is missing. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scoped.h"
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

/* ---- lines ---- */

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

/* ---- writing ---- */

enum { LINE_MAX_LEN = 1400, TAIL_LEN = 2 * LINE_MAX_LEN };

static int put_line(struct reflog *l, const assay_store_id *from, const assay_store_id *to, const char *why)
{
    char who[512], line[LINE_MAX_LEN], a[COV_ID_HEX + 1], b[COV_ID_HEX + 1];
    identity(l->store, who, sizeof who);
    int len = snprintf(line, sizeof line - 1, "%s%s %s %s %llu +0000\t%.*s", l->is_cut ? "\n" : "", cov_id_hex(from, a), cov_id_hex(to, b), who,
                       (unsigned long long)store_now(), (int)(strcspn(why, "\r\n") < 700 ? strcspn(why, "\r\n") : 700), why);
    line[len++] = '\n';
    l->is_cut = false;
    return store_put_all(l->fd, line, (size_t)len);
}

/* What the last whole line says the reference became. */
static int read_tail(struct reflog *l)
{
    char tail[TAIL_LEN];
    struct stat st;
    struct reflog_entry entry;
    if (fstat(l->fd, &st) != 0) return errno;
    if (!S_ISREG(st.st_mode)) return EINVAL;
    off_t from = st.st_size > TAIL_LEN ? st.st_size - TAIL_LEN : 0;
    ssize_t n = pread(l->fd, tail, sizeof tail, from);
    if (n < 0) return errno;
    l->is_cut = n > 0 && tail[n - 1] != '\n';
    assay_slice text = { tail, (size_t)n };
    while (text.len && text.data[text.len - 1] != '\n') text.len--;
    const char *nl = text.len > 1 ? memrchr(text.data, '\n', text.len - 1) : NULL;
    const char *line = nl ? nl + 1 : text.data;
    l->has_last = text.len && parse(slice_from(line, text.data + text.len - 1), &entry);
    if (l->has_last) l->last = entry.to;
    return 0;
}

int reflog_open(struct store *s, const char *name, struct reflog *l, assay_error *err)
{
    enum { HOW = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };
    char path[FOLDER_PATH_MAX];
    *l = (struct reflog){ .store = s, .fd = -1 };
    if (!log_path(s, name, path)) FAIL(err, ASSAY_ERR_WRITE, "the path of the reflog of '%.200s' is too long", name);
    if (store_has_link(path, strlen(strchr(name, '/') ? s->common : s->path)))
        FAIL(err, ASSAY_ERR_WRITE, "the reflog of '%.200s' is a symbolic link or lies behind one; nothing is written there", name);
    l->fd = open(path, HOW, 0644);
    if (l->fd < 0 && errno == ENOENT && store_make_parents(path) == 0) l->fd = open(path, HOW, 0644);
    if (l->fd < 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot open the reflog '%.400s'", path);
    /* the lock of the reference ends with its change: until the line is there too, the next one waits here */
    (void)flock(l->fd, LOCK_EX);
    int rc = read_tail(l);
    if (rc == 0) return 0;
    reflog_close(l);
    return error_sys(err, ASSAY_ERR_WRITE, rc, "cannot read the reflog '%.400s'", path);
}

void reflog_append(struct reflog *l, const assay_store_id *from, const assay_store_id *to, const char *why)
{
    if (l->has_last && cov_id_compare(&l->last, from) != 0 && put_line(l, &l->last, from, "changed without a line in this log") != 0) return;
    (void)put_line(l, from, to, why);
}

void reflog_close(struct reflog *l)
{
    if (l->fd >= 0) close(l->fd);
    l->fd = -1;
}

/* ---- reading ---- */

int reflog_file(struct store *s, const char *path, reflog_fn fn, void *arg, assay_error *err)
{
    SCOPED(store_room_done) struct store_room room = { .mem = s->mem };
    struct reflog_entry entry;
    assay_slice text;
    int failed = store_slurp(path, MAX_LOG, &room, &text);
    if (failed == ENOMEM) return error_memory(err);
    if (failed && failed != ENOENT && failed != ENOTDIR && failed != EISDIR)
        return error_sys(err, ASSAY_ERR_SYSTEM, failed, "cannot read the reflog '%.400s'", path);
    while (text.len) {
        const char *end = text.data + text.len, *nl = memrchr(text.data, '\n', text.len - (end[-1] == '\n'));
        const char *from = nl ? nl + 1 : text.data;
        if (parse(slice_from(from, end[-1] == '\n' ? end - 1 : end), &entry)) TRY(fn(arg, &entry));
        text.len = (size_t)(from - text.data);
    }
    return 0;
}

int reflog_each(struct store *s, const char *name, reflog_fn fn, void *arg, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    if (!refs_name_ok(slice_of(name)) || !log_path(s, name, path)) FAIL(err, ASSAY_ERR_USAGE, "'%.200s' is not a valid reference name", name);
    return reflog_file(s, path, fn, arg, err);
}
