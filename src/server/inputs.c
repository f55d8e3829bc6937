/* The files that a viewer looks at; see inputs.h. */
#include "server/inputs.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/folder.h"
#include "base/order.h"
#include "base/path.h"
#include "base/sort.h"

int inputs_init(struct inputs *s, struct mem *mem, assay_error *err)
{
    *s = (struct inputs){ .mem = mem };
    arena_init(&s->text, mem);
    return pthread_mutex_init(&s->lock, NULL) == 0 ? 0 : error_memory(err);
}

void inputs_done(struct inputs *s)
{
    for (size_t i = 0; i < s->at.len; i++) {
        struct viewed *in = s->at.at[i];
        free(in->error);
        if (in->data) mem_free(s->mem, (void *)(uintptr_t)in->data, in->len + 1);
    }
    vec_done(s->mem, &s->at);
    arena_done(&s->text);
    pthread_mutex_destroy(&s->lock);
}

/* ---- the list ---- */

/* Size and date of a file, or what a folder has. */
static void look_at(struct viewed *in)
{
    struct stat st;
    if (in->data || stat(in->path, &st) != 0) return;
    in->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    in->modified = st.st_mtim.tv_sec;
    in->modified_ns = st.st_mtim.tv_nsec;
}

static bool has_changed(const struct viewed *in)
{
    struct stat st;
    if (in->data || stat(in->path, &st) != 0) return false;
    return st.st_mtim.tv_sec != in->modified || st.st_mtim.tv_nsec != in->modified_ns || (S_ISREG(st.st_mode) && (uint64_t)st.st_size != in->size);
}

/* Called with the lock. */
static struct viewed *push(struct inputs *s, const char *path, const char *name)
{
    struct viewed **slot = vec_push(s->mem, &s->at);
    struct viewed *in = slot ? arena_alloc(&s->text, sizeof *in) : NULL;
    if (slot && !in) s->at.len--;
    if (!in) return NULL;
    memset(in, 0, sizeof *in);
    in->id = (uint32_t)s->at.len;
    in->path = arena_copy(&s->text, slice_of(path));
    in->name = arena_copy(&s->text, slice_of(name));
    if (!in->path || !in->name) {
        s->at.len--;
        return NULL;
    }
    return *slot = in;
}

static int add_path(struct inputs *s, const char *path, const char *format, assay_error *err)
{
    pthread_mutex_lock(&s->lock);
    struct viewed *in = push(s, path, path_base(path));
    if (in) in->format = format;
    if (in) look_at(in);
    pthread_mutex_unlock(&s->lock);
    return in ? 0 : error_memory(err);
}

static bool is_there(struct inputs *s, const char *path)
{
    bool found = false;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->at.len && !found; i++) found = strcmp(s->at.at[i]->path, path) == 0;
    pthread_mutex_unlock(&s->lock);
    return found;
}

/* ---- folders ---- */

struct candidate {
    const char *path, *format;
    int64_t modified;
};

static int newest_first(const void *a, const void *b, void *arg)
{
    const struct candidate *x = a, *y = b;
    (void)arg;
    ORDER_BY(y->modified, x->modified);
    return strcmp(x->path, y->path);
}

static int gather(struct inputs *s, const struct folder *f, const struct assay_read_options *read, struct arena *text, struct candidate *to, size_t *count,
                  assay_error *err)
{
    for (size_t i = 0; i < f->entries.len; i++) {
        const struct assay_format_info *format;
        struct stat st;
        if (cancel_due()) return error_cancelled(err);
        const char *path = folder_join(text, s->folder, f->entries.at[i].name);
        if (!path) return error_memory(err);
        if ((!f->entries.at[i].is_file && !f->entries.at[i].is_dir) || is_there(s, path) || stat(path, &st) != 0) continue;
        if (assay_probe(path, read, &format, NULL, NULL, NULL) == 0) to[(*count)++] = (struct candidate){ path, format->name, st.st_mtim.tv_sec };
    }
    return 0;
}

int inputs_rescan(struct inputs *s, const struct assay_read_options *read, assay_error *err)
{
    struct folder f = { 0 };
    struct arena text;
    struct candidate *found = NULL;
    size_t count = 0;
    if (!s->folder) return 0;
    arena_init(&text, s->mem);
    int rc = folder_open(&f, s->folder, s->mem, err);
    size_t most = f.entries.len;
    if (rc == 0 && !(found = mem_zalloc(s->mem, most + 1, sizeof *found))) rc = error_memory(err);
    if (rc == 0) rc = gather(s, &f, read, &text, found, &count, err);
    if (found) sort_with(found, count, sizeof *found, newest_first, NULL);
    for (size_t i = 0; rc == 0 && i < count; i++) rc = add_path(s, found[i].path, found[i].format, err);
    mem_free(s->mem, found, found ? (most + 1) * sizeof *found : 0);
    folder_done(&f);
    arena_done(&text);
    return rc;
}

int inputs_add(struct inputs *s, const char *path, const struct assay_read_options *read, assay_error *err)
{
    const struct assay_format_info *format;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !read->format && assay_probe(path, read, &format, NULL, NULL, NULL) != 0) {
        size_t before = s->at.len;
        if (s->folder) FAIL(err, ASSAY_ERR_USAGE, "'%s' and '%s' are folders of files: give one of them", s->folder, path);
        s->folder = arena_copy(&s->text, slice_of(path));
        if (!s->folder) return error_memory(err);
        TRY(inputs_rescan(s, read, err));
        if (s->at.len > before) return 0;
        error_path(err, path);
        FAIL(err, ASSAY_ERR_UNKNOWN, "no file in this folder is in a format that can be read");
    }
    TRY(assay_probe(path, read, &format, NULL, NULL, err));
    return add_path(s, path, format->name, err);
}

int inputs_add_bytes(struct inputs *s, const char *name, const void *data, size_t len, uint32_t *id, assay_error *err)
{
    char *copy = mem_alloc(s->mem, len + 1);
    if (!copy) return error_memory(err);
    if (len) memcpy(copy, data, len);
    pthread_mutex_lock(&s->lock);
    struct viewed *in = push(s, name, path_base(name));
    if (in) {
        in->data = copy;
        in->len = len;
        in->size = len;
        *id = in->id;
    }
    pthread_mutex_unlock(&s->lock);
    if (in) return 0;
    mem_free(s->mem, copy, len + 1);
    return error_memory(err);
}

struct viewed *inputs_find(struct inputs *s, uint32_t id)
{
    pthread_mutex_lock(&s->lock);
    struct viewed *in = id && id <= s->at.len ? s->at.at[id - 1] : NULL;
    pthread_mutex_unlock(&s->lock);
    return in;
}

uint32_t inputs_count(struct inputs *s)
{
    pthread_mutex_lock(&s->lock);
    uint32_t count = (uint32_t)s->at.len;
    pthread_mutex_unlock(&s->lock);
    return count;
}

/* ---- reading ---- */

struct assay_input viewed_input(const struct viewed *in)
{
    if (in->data) return (struct assay_input)ASSAY_FROM_MEMORY(in->data, in->len, in->path);
    return (struct assay_input)ASSAY_FROM_PATH(in->path);
}

static int note_progress(void *arg, uint64_t done, uint64_t total)
{
    struct viewed *in = arg;
    in->done = done;
    in->total = total;
    return cancel_due();
}

static void note_end(struct inputs *s, struct viewed *in, int rc, const assay_profile *p, const assay_error *err)
{
    char text[1200] = "";
    if (rc != 0) (void)assay_error_format(err, text, sizeof text);
    pthread_mutex_lock(&s->lock);
    free(in->error);
    in->error = rc != 0 && rc != ASSAY_ERR_CANCELLED ? strdup(text) : NULL;
    if (rc == 0) in->format = assay_profile_format(p);
    pthread_mutex_unlock(&s->lock);
    in->state = rc == 0 ? INPUT_READY : rc == ASSAY_ERR_CANCELLED ? INPUT_WAITING : INPUT_FAILED;
}

int inputs_read(struct inputs *s, struct viewed *in, const struct assay_read_options *read, uint32_t want, assay_profile **out, assay_error *err)
{
    struct assay_read_options o = *read;
    struct assay_input from = viewed_input(in);
    o.size = sizeof o;
    o.want = want;
    o.progress = note_progress;
    o.progress_arg = in;
    int before = in->state;
    if (before != INPUT_READY) in->state = INPUT_READING;
    pthread_mutex_lock(&s->lock);
    look_at(in);
    pthread_mutex_unlock(&s->lock);
    int rc = assay_read_from(&from, &o, out, err);
    if (rc == 0 || before != INPUT_READY) note_end(s, in, rc, rc == 0 ? *out : NULL, err);
    return rc;
}

void inputs_reload(struct viewed *in)
{
    in->version++;
    in->state = INPUT_WAITING;
}

/* ---- telling ---- */

static void put_number(struct json *j, const char *key, uint64_t n)
{
    json_key(j, key);
    json_u64(j, n);
}

static void put_input(struct json *j, const struct viewed *in)
{
    static const char *const states[] = { "waiting", "reading", "ready", "failed" };
    json_object(j);
    put_number(j, "id", in->id);
    json_key(j, "path");
    json_text(j, in->path);
    json_key(j, "name");
    json_text(j, in->name);
    json_key(j, "format");
    json_text(j, in->format);
    put_number(j, "size", in->size);
    json_key(j, "modified");
    json_i64(j, in->modified);
    json_key(j, "state");
    json_text(j, states[in->state]);
    put_number(j, "done", in->done);
    put_number(j, "total", in->total);
    json_key(j, "error");
    json_text(j, in->error);
    json_key(j, "changed");
    json_bool(j, in->state == INPUT_READY && has_changed(in));
    json_end(j);
}

void inputs_json(struct inputs *s, struct json *j)
{
    json_array(j);
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->at.len; i++) put_input(j, s->at.at[i]);
    pthread_mutex_unlock(&s->lock);
    json_end(j);
}
