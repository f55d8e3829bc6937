/* Damage: every sample is cut at every length and has every byte flipped; whatever comes out of it, the promises of harness.h hold.
 *
 *     damage            the fixtures of tests/data, and each of them written as every format and version that can be written
 *     damage AREA...    these areas of the shared data
 *
 * Each sample runs in a process of its own, so that one crash does not hide the next. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EVERY_BYTE_UP_TO = 8 << 10, LARGEST = 300 << 10, PLACES = 200, WRITE_EVERY = 61 };

static const uint8_t patterns[] = { 0x01, 0x80, 0xff };

/* Where damage is done: every byte of a small file, a spread of places in a large one. */
static size_t place_count(size_t len) { return len <= EVERY_BYTE_UP_TO ? len : PLACES; }
static size_t place(size_t len, size_t i) { return len <= EVERY_BYTE_UP_TO ? i : (size_t)((double)len * (double)i / PLACES); }

/* In a block of exactly its size, so that a sanitizer sees the first byte too far. */
static void run_copy(const uint8_t *data, size_t len, const struct format *hint, size_t round)
{
    uint8_t *copy = malloc(len ? len : 1);
    harness_promise(copy != NULL, "the test itself has no memory");
    memcpy(copy, data, len);
    run_all(copy, len, hint, RUN_READ | RUN_CHECK | RUN_DUMP | (round % WRITE_EVERY ? 0 : RUN_WRITE | RUN_REWRITE));
    free(copy);
}

static void damage(const struct sample *s)
{
    size_t round = 0;
    harness_doing("%s as it is", s->path);
    const struct format *hint = harness_recognise(s->data, s->len, s->path);
    run_copy(s->data, s->len, hint, 0);
    for (size_t i = 0; i < place_count(s->len); i++) {
        size_t at = place(s->len, i);
        harness_doing("%s cut to %zu bytes", s->path, at);
        run_copy(s->data, at, hint, round++);
        for (size_t k = 0; k < sizeof patterns; k++) {
            harness_doing("%s with byte %zu ^ 0x%02x", s->path, at, patterns[k]);
            s->data[at] ^= patterns[k];
            run_copy(s->data, s->len, hint, round++);
            s->data[at] ^= patterns[k];
        }
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

/* The fixtures, and what they are when written as every other format. */
static void add_fixtures(struct samples *in, struct samples *written)
{
    char folder[] = "/tmp/assay-damage-XXXXXX";
    harness_promise(mkdtemp(folder) != NULL, "the test itself has no folder");
    samples_load(in, LARGEST, NULL);
    for (size_t i = 0; i < in->count; i++) samples_written(written, &in->at[i], folder);
    for (size_t i = 0; i < written->count; i++) unlink(written->at[i].path);
    harness_promise(rmdir(folder) == 0, "writing left something in %s", folder);
}

static void run(const struct samples *s, unsigned *passed, unsigned *failed)
{
    for (size_t i = 0; i < s->count; i++)
        if (survives(&s->at[i]))
            ++*passed;
        else
            ++*failed;
}

int main(int argc, char **argv)
{
    struct samples in = { 0 }, written = { 0 };
    unsigned passed = 0, failed = 0, skipped = 0;
    if (argc == 1) add_fixtures(&in, &written);
    for (int i = 1; i < argc; i++) {
        char path[5000];
        if (!harness_shared()) {
            skipped++;
            continue;
        }
        snprintf(path, sizeof path, "%s/data/%s", harness_shared(), argv[i]);
        samples_add(&in, path, LARGEST);
    }
    run(&in, &passed, &failed);
    run(&written, &passed, &failed);
    samples_free(&in);
    samples_free(&written);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed || !(passed + skipped) ? 1 : 0;
}
