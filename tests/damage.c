/* Damage: every sample is cut at every length and has every byte flipped; whatever comes out of it, the promises of harness.h hold.
 *
 *     damage [--sparse] [AREA...]
 *
 * Without an area: the fixtures of tests/data, and a spread of them written as every format and version that can be written. With areas: these
 * parts of the shared data. --sparse does less at each place and goes to fewer of them, for sanitizers, which take ten times as long.
 * Each sample runs in a process of its own, so that one crash does not hide the next, and ends right before a page that nobody may touch. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EVERY_BYTE_UP_TO = 8 << 10,
    SPARSE_UP_TO = 256,
    LARGEST = 300 << 10,
    PLACES = 60,
    SPARSE_PLACES = 8,
    WRITE_EVERY = 61,
    TARGET_SAMPLES = 6,
    SPARSE_TARGET_SAMPLES = 2
};

static const uint8_t patterns[] = { 0x01, 0x80, 0xff };
enum { PATTERNS = sizeof patterns };

static bool sparse, is_written;

/* At how many places damage is done: every byte of a small file, a spread of places in one that is large, unpacks to much, or is one of the
 * many that we wrote ourselves. */
static size_t place_count(const struct sample *s)
{
    size_t most = sparse ? SPARSE_UP_TO : EVERY_BYTE_UP_TO;
    if (is_written || harness_unpacked_len(s->data, s->len) > EVERY_BYTE_UP_TO) most = sparse ? SPARSE_PLACES : PLACES;
    return s->len < most ? s->len : most;
}

/* ---- memory that ends at a forbidden page ---- */

struct guarded {
    uint8_t *map;
    size_t len; /* without the forbidden page */
};

static struct guarded guarded_new(size_t room)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct guarded g = { .len = (room + page) / page * page };
    g.map = mmap(NULL, g.len + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    harness_promise(g.map != MAP_FAILED && mprotect(g.map + g.len, page, PROT_NONE) == 0, "the test itself has no memory");
    return g;
}

static uint8_t *guarded_put(const struct guarded *g, const uint8_t *data, size_t len) { return memcpy(g->map + g->len - len, data, len); }

/* ---- one sample ---- */

struct work {
    const struct sample *s;
    const struct format *hint;
    struct guarded memory;
    size_t round;
};

static void run_copy(struct work *w, size_t len)
{
    bool also = w->round++ % WRITE_EVERY == 0;
    const uint8_t *copy = guarded_put(&w->memory, w->s->data, len);
    run_all(copy, len, w->hint, RUN_READ | RUN_CHECK | RUN_DUMP | (also ? RUN_ALL : 0));
}

static void flip(struct work *w, size_t at, uint8_t pattern)
{
    harness_doing("%s with byte %zu ^ 0x%02x", w->s->path, at, pattern);
    w->s->data[at] ^= pattern;
    run_copy(w, w->s->len);
    w->s->data[at] ^= pattern;
}

static void damage(const struct sample *s)
{
    harness_doing("%s as it is", s->path);
    struct work w = { .s = s, .hint = harness_recognise(s->data, s->len, s->path), .memory = guarded_new(s->len) };
    run_copy(&w, s->len);
    size_t places = place_count(s);
    for (size_t i = 0; i < places; i++) {
        size_t at = places == s->len ? i : (size_t)((double)s->len * (double)i / (double)places);
        harness_doing("%s cut to %zu bytes", s->path, at);
        run_copy(&w, at);
        flip(&w, at, patterns[i % PATTERNS]);
    }
}

static bool survives(const struct sample *s)
{
    fflush(NULL);
    pid_t child = fork();
    harness_promise(child >= 0, "the test itself cannot fork");
    if (child == 0) {
        damage(s);
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) printf("FAILED %s: status %#x\n", s->path, (unsigned)status);
    return status == 0;
}

/* ---- all of them ---- */

/* The fixtures, and what they are when written as every other format. */
static void add_fixtures(struct samples *in, struct samples *written)
{
    char folder[64];
    harness_folder(folder, sizeof folder, "damage");
    samples_load(in, LARGEST, NULL);
    for (size_t i = 0; i < in->count; i++) samples_written(written, &in->at[i], folder);
    for (size_t i = 0; i < written->count; i++) unlink(written->at[i].path);
    harness_promise(rmdir(folder) == 0, "writing left something in %s", folder);
}

/* Samples whose bytes are those of another one: what is written of a compressed fixture is what is written of the plain one. */
static bool is_twin(const struct samples *s, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (s->at[k].len == s->at[i].len && memcmp(s->at[k].data, s->at[i].data, s->at[i].len) == 0) return true;
    return false;
}

/* Each fixture can be written as each of some fifty versions: of those of one version a few are taken, from all over the list. */
static bool is_left_out(const struct samples *s, size_t i)
{
    size_t before = 0, all = 0, most = sparse ? SPARSE_TARGET_SAMPLES : TARGET_SAMPLES;
    if (!s->at[i].target) return false;
    for (size_t k = 0; k < s->count; k++) {
        if (s->at[k].target != s->at[i].target) continue;
        all++;
        before += k < i;
    }
    return all > most && before * most / all == (before + 1) * most / all;
}

static void run(const struct samples *s, unsigned *passed, unsigned *failed)
{
    for (size_t i = 0; i < s->count; i++)
        if (is_left_out(s, i) || is_twin(s, i) || harness_unpacked_len(s->at[i].data, s->at[i].len) > LARGEST)
            continue;
        else if (survives(&s->at[i]))
            ++*passed;
        else
            ++*failed;
}

static bool add_area(struct samples *in, const char *area)
{
    char path[5000];
    if (!harness_shared()) return false;
    snprintf(path, sizeof path, "%s/data/%s", harness_shared(), area);
    samples_add(in, path, LARGEST);
    return true;
}

int main(int argc, char **argv)
{
    struct samples in = { 0 }, written = { 0 };
    unsigned passed = 0, failed = 0, skipped = 0;
    sparse = argc > 1 && strcmp(argv[1], "--sparse") == 0;
    int first = sparse ? 2 : 1;
    if (argc == first) add_fixtures(&in, &written);
    for (int i = first; i < argc; i++) skipped += !add_area(&in, argv[i]);
    run(&in, &passed, &failed);
    is_written = true;
    run(&written, &passed, &failed);
    samples_free(&in);
    samples_free(&written);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed || !(passed + skipped) ? 1 : 0;
}
