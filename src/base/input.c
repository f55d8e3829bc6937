/* Opening, looking at and mapping inputs; see base/input.h. Blocks in order are in input_block.c. */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input_parts.h"

enum { PEEK_LEN = 64 << 10, READ_AT_ONCE = 16 << 20, SHRANK = -1 };
#define MAX_OUTPUT (64ull << 30)

/* ---- opening ---- */

int input_new(struct input **out, const char *path, const struct input_options *options, assay_error *err)
{
    *out = NULL;
    struct input *in = mem_zalloc(options->mem, 1, sizeof *in);
    if (!in) return error_memory(err);
    in->mem = options->mem;
    in->progress = options->progress;
    in->progress_arg = options->progress_arg;
    in->max_string = options->max_string ? options->max_string : INPUT_MAX_STRING;
    in->fd = -1;
    in->feed.fd = -1;
    in->feed.max_output = options->max_output ? options->max_output : MAX_OUTPUT;
    in->path_size = strlen(path) + 1;
    in->path = mem_alloc(in->mem, in->path_size);
    if (!in->path) {
        input_close(in);
        return error_memory(err);
    }
    memcpy(in->path, path, in->path_size);
    *out = in;
    return 0;
}

static enum input_packing packing_of(const uint8_t *p, size_t len)
{
    if (len >= 2 && p[0] == 0x1f && p[1] == 0x8b && (len == 2 || p[2] == 8)) return INPUT_GZIP;
    if (len >= 4 && p[0] == 0x28 && p[1] == 0xb5 && p[2] == 0x2f && p[3] == 0xfd) return INPUT_ZSTD;
    if (len >= 4 && (p[0] & 0xf0) == 0x50 && p[1] == 0x2a && p[2] == 0x4d && p[3] == 0x18) return INPUT_ZSTD; /* a skippable frame first */
    if (len >= 6 && memcmp(p, "\3757zXZ", 6) == 0) return INPUT_XZ;
    if (len >= 2 && p[0] == 0xff && p[1] == 0xfe) return INPUT_UTF16_LITTLE;
    if (len >= 2 && p[0] == 0xfe && p[1] == 0xff) return INPUT_UTF16_BIG;
    return INPUT_PLAIN;
}

/* The first chunk is read as if the input were plain; when it turns out to be compressed, that chunk is where compressed bytes are read from now on. */
static void feed_from_chunk(struct input *in)
{
    in->raw = in->slots[0];
    in->slots[0] = (struct chunk){ 0 };
    in->feed.at = (const uint8_t *)in->raw.data;
    in->feed.len = in->raw.len;
    in->feed.off = 0;
    in->feed.buf = (uint8_t *)in->raw.data;
    in->feed.buf_len = in->raw.room;
    in->held = NULL;
    in->begin = in->end = NULL;
    in->next_slot = 0;
}

void input_know_packing(struct input *in, const void *first, size_t len)
{
    in->packing = packing_of(first, len);
    in->feed.packing = input_packing_name(in->packing);
}

int input_read_first(struct input *in, assay_error *err)
{
    TRY(input_take_first(in, err));
    size_t len = (size_t)(in->end - in->begin);
    if (len == 0) TRY(input_ended(in, err));
    input_know_packing(in, in->begin, len);
    if (in->packing != INPUT_PLAIN) feed_from_chunk(in);
    return 0;
}

static int open_fd(struct input *in, const char *path, assay_error *err)
{
    in->close_fd = strcmp(path, "-") != 0;
    if (!in->close_fd) in->fd = STDIN_FILENO;
    while (in->fd < 0) {
        in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (in->fd < 0 && errno != EINTR) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot open");
    }
    return 0;
}

static uint64_t changed_ns(const struct stat *st) { return (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec; }

static int begin_fd(struct input *in, assay_error *err)
{
    struct stat st;
    if (fstat(in->fd, &st) != 0) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot open");
    if (S_ISDIR(st.st_mode)) {
        in->is_dir = true;
        error_sys(&in->err, ASSAY_ERR_SYSTEM, EISDIR, "cannot read");
        return 0;
    }
    in->feed.fd = in->fd;
    in->feed.may_wait = !S_ISREG(st.st_mode);
    in->feed.waiting = input_waiting;
    in->feed.waiting_arg = in;
    if (S_ISREG(st.st_mode)) {
        in->packed_len = st.st_size > 0 ? (uint64_t)st.st_size : 0;
        in->is_regular = in->packed_len > 0;
        in->is_at_start = lseek(in->fd, 0, SEEK_CUR) == 0;
        in->changed_ns = changed_ns(&st);
        posix_fadvise(in->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    return input_read_first(in, err);
}

/* What became of opening it. */
static int opened(struct input **out, int rc, const char *name, assay_error *err)
{
    if (rc == 0) return 0;
    error_path(err, name);
    input_close(*out);
    *out = NULL;
    return rc;
}

int input_open(struct input **out, const char *path, const struct input_options *options, assay_error *err)
{
    int rc = input_new(out, path, options, err);
    if (rc == 0) rc = open_fd(*out, path, err);
    if (rc == 0) rc = begin_fd(*out, err);
    return opened(out, rc, path, err);
}

static int open_given_fd(struct input **out, int fd, const char *name, const struct input_options *options, assay_error *err)
{
    int rc = input_new(out, name, options, err);
    if (rc == 0) (*out)->fd = fd;
    if (rc == 0) rc = begin_fd(*out, err);
    /* what stands in a directory is found by its path, which a descriptor does not tell */
    if (rc == 0 && (*out)->is_dir) rc = error_sys(err, ASSAY_ERR_SYSTEM, EISDIR, "cannot read");
    return opened(out, rc, name, err);
}

static int open_pull(struct input **out, const struct assay_input *from, const char *name, const struct input_options *options, assay_error *err)
{
    int rc = input_new(out, name, options, err);
    if (rc == 0) {
        (*out)->feed.pull = from->pull;
        (*out)->feed.pull_arg = from->pull_arg;
        rc = input_read_first(*out, err);
    }
    return opened(out, rc, name, err);
}

int input_open_from(struct input **out, const struct assay_input *from, const struct input_options *options, assay_error *err)
{
    const char *name = from->name ? from->name : "input";
    *out = NULL;
    switch (from->kind) {
    case ASSAY_INPUT_PATH:
        if (from->name) return input_open(out, name, options, err);
        break;
    case ASSAY_INPUT_MEMORY:
        if (from->data || !from->len) return input_open_memory(out, from->data, from->len, name, options, err);
        break;
    case ASSAY_INPUT_FD: return open_given_fd(out, from->fd, name, options, err);
    case ASSAY_INPUT_FN:
        if (from->pull) return open_pull(out, from, name, options, err);
        break;
    default: break;
    }
    FAIL(err, ASSAY_ERR_USAGE, "struct assay_input: nothing to read from is given");
}

int input_open_memory(struct input **out, const void *data, size_t len, const char *name, const struct input_options *options, assay_error *err)
{
    TRY(input_new(out, name, options, err));
    struct input *in = *out;
    in->memory = len ? data : "";
    in->packed_len = len;
    in->feed.at = (const uint8_t *)in->memory;
    in->feed.len = len;
    in->feed.end = true;
    input_know_packing(in, in->memory, len);
    return 0;
}

void input_close(struct input *in)
{
    if (!in) return;
    input_leave(in);
    ring_stop(&in->ring);
    if (in->close_fd && in->fd >= 0) close(in->fd);
    inflate_free(in->feed.z);
    for (int i = 0; i < RING_SLOTS; i++) chunk_free(&in->slots[i], in->mem);
    chunk_free(&in->raw, in->mem);
    vec_done(in->mem, &in->line);
    mem_free(in->mem, in->path, in->path_size);
    mem_free(in->mem, in, sizeof *in);
}

/* ---- facts ---- */

const char *input_path(const struct input *in) { return in->path; }
bool input_is_dir(const struct input *in) { return in->is_dir; }
enum input_packing input_packing(const struct input *in) { return in->packing; }
uint64_t input_packed_len(const struct input *in) { return in->packed_len; }
uint64_t input_unpacked_len(const struct input *in) { return in->unpacked_len; }

const char *input_packing_name(enum input_packing packing)
{
    switch (packing) {
    case INPUT_GZIP: return "gzip";
    case INPUT_ZSTD: return "zstd";
    case INPUT_XZ: return "xz";
    case INPUT_ZLIB: return "zlib";
    case INPUT_UTF16_LITTLE:
    case INPUT_UTF16_BIG: return "UTF-16";
    default: return "plain";
    }
}

/* ---- looking and reading whole ---- */

int input_start(struct input *in, assay_error *err)
{
    if (in->packing == INPUT_PLAIN || in->feed.z) return 0;
    const struct inflate_codec *codec = inflate_codec_for(in->packing);
    if (!codec) {
        assay_error cause = { 0 };
        error_set(&cause, ASSAY_ERR_UNSUPPORTED, "compressed with %s, which this build of assay cannot read", in->feed.packing);
        return input_fail(in, &cause, err);
    }
    in->feed.z = inflate_new(codec, in->mem);
    return in->feed.z ? 0 : input_no_memory(in, err);
}

static bool is_damage(int code) { return code == ASSAY_ERR_DAMAGED || code == ASSAY_ERR_TRUNCATED; }

int input_peek_far(struct input *in, assay_slice *out, assay_error *err)
{
    *out = (assay_slice){ "", 0 };
    TRY(input_take_first(in, err));
    size_t len = (size_t)(in->end - in->begin);
    if (len == 0 && in->held->last && !is_damage(in->feed.err.code)) return input_ended(in, err);
    *out = (assay_slice){ in->begin, len };
    return 0;
}

int input_peek(struct input *in, assay_slice *out, assay_error *err)
{
    TRY(input_peek_far(in, out, err));
    if (out->len > PEEK_LEN) out->len = PEEK_LEN;
    return 0;
}

/* How much a plain file should need: all of it at once, and room to see its end. */
static size_t whole_room(const struct input *in)
{
    bool is_known = in->packing == INPUT_PLAIN && in->packed_len < SIZE_MAX - FEED_CHUNK - FEED_HEAD;
    return is_known ? FEED_HEAD + (size_t)in->packed_len + FEED_CHUNK : 0;
}

/* Room for another chunk: what the file should need, or twice as much, or when that is refused a chunk more. */
static bool grow_whole(struct input *in)
{
    if (in->line.cap - in->line.len >= FEED_CHUNK) return true;
    size_t least = in->line.len + FEED_CHUNK, to = in->line.cap > FEED_CHUNK ? in->line.cap * 2 : least;
    if (in->line.len <= FEED_HEAD + FEED_CHUNK && whole_room(in) > to) to = whole_room(in);
    char *p = mem_resize(in->mem, in->line.at, in->line.cap, to);
    if (!p && to > least) p = mem_resize(in->mem, in->line.at, in->line.cap, to = least);
    if (!p) return false;
    in->line.at = p;
    in->line.cap = to;
    return true;
}

/* Reads or unpacks the rest straight into the growing buffer. */
static int read_rest(struct input *in, assay_error *err)
{
    bool last = false;
    while (!last) {
        if (!grow_whole(in)) return input_no_memory(in, err);
        size_t room = in->line.cap - in->line.len;
        struct chunk c = { .data = in->line.at + in->line.len, .room = room < READ_AT_ONCE ? room : READ_AT_ONCE };
        feed_fill(&in->feed, &c);
        in->line.len += c.len;
        last = c.last;
        TRY(input_report(in, c.packed_off, err));
    }
    vec_trim(in->mem, &in->line);
    return 0;
}

/* The first chunk becomes the beginning of the whole, where it stands. */
static void take_over(struct input *in)
{
    struct chunk *c = in->held;
    in->line.at = c->base;
    in->line.cap = c->base_len;
    in->line.len = (size_t)(in->end - c->base);
    c->base = c->data = NULL;
    c->base_len = c->len = c->room = 0;
    in->begin = in->end = NULL;
}

static int read_whole(struct input *in, assay_slice *out, assay_error *err)
{
    size_t len = (size_t)(in->end - in->begin);
    if (in->held->last) {
        *out = (assay_slice){ in->begin, len };
        return input_ended(in, err);
    }
    size_t head = (size_t)(in->begin - in->held->base);
    take_over(in);
    TRY(read_rest(in, err));
    *out = (assay_slice){ in->line.at + head, in->line.len - head };
    return input_ended(in, err);
}

/* true = the bytes are in memory: those of the caller. */
static int begin_whole(struct input *in, assay_slice *out, bool *is_memory, assay_error *err)
{
    *out = (assay_slice){ "", 0 };
    *is_memory = false;
    if (in->off || in->line.len || in->is_reached) {
        assay_error cause = { 0 };
        error_set(&cause, ASSAY_ERR_USAGE, "cannot map an input that has already been read");
        return input_fail(in, &cause, err);
    }
    TRY(input_take_first(in, err));
    if (!in->memory || in->packing != INPUT_PLAIN) return 0;
    *out = (assay_slice){ in->memory, (size_t)in->packed_len };
    *is_memory = true;
    return 0;
}

int input_map(struct input *in, assay_slice *out, assay_error *err)
{
    bool is_memory;
    TRY(begin_whole(in, out, &is_memory, err));
    if (is_memory) return 0;
    TRY(read_whole(in, out, err));
    if (in->packing != INPUT_PLAIN || !in->is_at_start || out->len >= in->packed_len) return 0;
    assay_error cause = { 0 };
    error_set(&cause, ASSAY_ERR_SYSTEM, "shrank while it was being read");
    return input_fail(in, &cause, err);
}

size_t input_forget(struct input *in, assay_slice part)
{
    uintptr_t begin = (uintptr_t)in->line.at, from = (uintptr_t)part.data;
    if (!begin || from < begin || from - begin > in->line.len || part.len > in->line.len - (from - begin)) return part.len; /* the caller's memory */
    return mem_drop(in->line.at, in->line.cap, from - begin, from - begin + part.len) - (from - begin);
}

/* ---- single places ---- */

int input_reach(struct input *in, assay_slice *out, assay_error *err)
{
    bool is_memory;
    TRY(begin_whole(in, out, &is_memory, err));
    if (is_memory) return 0;
    if (in->packing != INPUT_PLAIN || !in->is_regular || !in->is_at_start || in->held->last || in->packed_len > SIZE_MAX) return read_whole(in, out, err);
    posix_fadvise(in->fd, 0, 0, POSIX_FADV_NORMAL);
    in->is_reached = true;
    *out = (assay_slice){ NULL, (size_t)in->packed_len };
    return 0;
}

void input_at(struct input *in, uint64_t off, void *buf, size_t len)
{
    char *to = buf;
    while (len) {
        ssize_t n = pread(in->fd, to, len, (off_t)off);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            atomic_store_explicit(&in->at_trouble, n < 0 ? errno : SHRANK, memory_order_relaxed);
            memset(to, 0, len);
            return;
        }
        to += n;
        off += (uint64_t)n;
        len -= (size_t)n;
    }
}

int input_steady(struct input *in, bool *has_changed, assay_error *err)
{
    struct stat st;
    int trouble = atomic_load_explicit(&in->at_trouble, memory_order_relaxed);
    *has_changed = false;
    if (!in->is_regular) return 0;
    if (trouble == 0 && fstat(in->fd, &st) != 0) trouble = errno;
    if (trouble == 0 && (uint64_t)st.st_size < in->packed_len) trouble = SHRANK;
    int rc = 0;
    if (trouble == SHRANK) rc = error_set(err, ASSAY_ERR_SYSTEM, "shrank while it was being read");
    if (trouble > 0) rc = error_sys(err, ASSAY_ERR_SYSTEM, trouble, "cannot read");
    if (rc != 0) {
        error_path(err, in->path);
        return rc;
    }
    *has_changed = (uint64_t)st.st_size != in->packed_len || changed_ns(&st) != in->changed_ns;
    return 0;
}
