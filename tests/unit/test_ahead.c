/* Pieces of a text: in order, whatever number of threads; made only where they are whole; errors at their place; every allocation refused in turn. */
#include "base/ahead.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"

enum { RECORDS = 4000, SHORT = 200000, TEXT = 4 << 20 };

static char text[TEXT];
static size_t text_len;

/* Records of different lengths; every one ends with a line "end". Nearly at the end is a long one, `gap` bytes without a border. */
static void make_text(size_t gap)
{
    text_len = 0;
    for (int i = 0; i < RECORDS && text_len + 200 < SHORT - gap; i++) {
        text_len += (size_t)sprintf(text + text_len, "record %d\n", i);
        for (int k = 0; k < i % 7; k++) text_len += (size_t)sprintf(text + text_len, "line %d\n", k * i);
        for (size_t k = 0; i == RECORDS / 2 && k < gap; k += 5) text_len += (size_t)sprintf(text + text_len, "....\n");
        text_len += (size_t)sprintf(text + text_len, "end\n");
    }
}

struct made {
    size_t lines, len;
    bool is_whole;
};
struct maker {
    struct made slots[AHEAD_SLOTS];
    _Atomic unsigned pieces;
    bool refuses;
};

static size_t cut(void *arg, assay_slice s)
{
    (void)arg;
    for (size_t i = s.len; i >= 5; i--)
        if (memcmp(s.data + i - 5, "\nend\n", 5) == 0) return i;
    return 0;
}

static bool make(void *arg, unsigned slot, assay_slice s)
{
    struct maker *m = arg;
    struct made *to = &m->slots[slot];
    *to = (struct made){ .len = s.len, .is_whole = s.len > 10 && memcmp(s.data, "record ", 7) == 0 && memcmp(s.data + s.len - 5, "\nend\n", 5) == 0 };
    for (size_t i = 0; i < s.len; i++) to->lines += s.data[i] == '\n';
    m->pieces++;
    return !m->refuses;
}

struct outcome {
    size_t len, made;
    int rc;
};

/* Reads all and compares it with the text. */
static struct outcome read_all(struct maker *m, unsigned workers, struct mem *mem, uint64_t max_string)
{
    struct input_options options = { .mem = mem, .max_string = max_string };
    struct input *in;
    struct ahead *a;
    struct ahead_piece piece;
    struct outcome all = { 0 };
    assay_error err = { 0 };
    all.rc = input_open_memory(&in, text, text_len, "text", &options, &err);
    if (all.rc != 0) return all;
    all.rc = ahead_open(&a, in, mem, workers, &(struct ahead_maker){ .arg = m, .cut = cut, .make = make }, &err);
    while (all.rc == 0) {
        all.rc = ahead_next(a, &piece, &err);
        if (all.rc != 0 || piece.text.len == 0) break;
        assert_true(piece.off == all.len && all.len + piece.text.len <= text_len);
        assert_memory_equal(piece.text.data, text + all.len, piece.text.len);
        all.len += piece.text.len;
        if (piece.slot < 0) continue;
        assert_true(m->slots[piece.slot].is_whole);
        assert_int_equal(m->slots[piece.slot].len, piece.text.len);
        all.made++;
    }
    if (all.rc != 0) assert_int_equal(all.rc, err.code);
    ahead_close(a);
    input_close(in);
    return all;
}

static const unsigned workers[] = { 1, 2, 3, 8, AHEAD_WORKERS, AHEAD_WORKERS + 9 };

static void pieces_come_in_order(void **state)
{
    static const char *const lengths[] = { "16", "100", "1000", "30000" };
    (void)state;
    make_text(0);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        setenv("ASSAY_PIECE", lengths[l], 1);
        for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
            struct mem mem;
            struct maker m = { 0 };
            mem_init(&mem, 0);
            struct outcome all = read_all(&m, workers[w], &mem, 0);
            assert_int_equal(all.rc, 0);
            assert_int_equal(all.len, text_len);
            assert_int_equal(all.made, m.pieces);
            if (atoi(lengths[l]) >= 100) assert_true(all.made > 3);
            assert_int_equal(mem.used, 0);
        }
    }
}

/* A record that is longer than a piece comes in parts of which nothing is made; those behind it are made again. */
static void long_record_is_not_made(void **state)
{
    (void)state;
    make_text(5000);
    setenv("ASSAY_PIECE", "300", 1);
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        struct mem mem;
        struct maker m = { 0 };
        mem_init(&mem, 0);
        struct outcome all = read_all(&m, workers[w], &mem, 0);
        assert_int_equal(all.len, text_len);
        assert_true(all.made > 2 * text_len / 3 / 300);
    }
}

static void what_is_refused_is_not_made_for_ever(void **state)
{
    (void)state;
    make_text(0);
    setenv("ASSAY_PIECE", "100", 1);
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        struct mem mem;
        struct maker m = { .refuses = true };
        mem_init(&mem, 0);
        struct outcome all = read_all(&m, workers[w], &mem, 0);
        assert_int_equal(all.len, text_len);
        assert_int_equal(all.made, 0);
        assert_true(m.pieces < 100);
    }
}

/* The error of a line that is too long comes behind all that stands before it. */
static void errors_come_at_their_place(void **state)
{
    (void)state;
    make_text(0);
    size_t sound = text_len;
    text_len = TEXT; /* several blocks of the input: within one, no line is too long */
    memset(text + sound, 'x', TEXT - sound);
    setenv("ASSAY_PIECE", "100", 1);
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        struct mem mem;
        struct maker m = { 0 };
        mem_init(&mem, 0);
        struct outcome all = read_all(&m, workers[w], &mem, 1000);
        assert_int_equal(all.rc, ASSAY_ERR_LIMIT);
        assert_int_equal(all.len, sound);
    }
}

static void refused_memory(void **state)
{
    (void)state;
    make_text(0);
    setenv("ASSAY_PIECE", "1000", 1);
    for (uint64_t at = 1, done = 0; !done; at++) {
        struct mem mem;
        struct maker m = { 0 };
        mem_fail_new(at, 1, 1); /* that of the pieces */
        mem_init(&mem, 0);
        struct outcome all = read_all(&m, 3, &mem, 0);
        mem_fail_new(0, 0, 0);
        done = all.rc == 0;
        assert_true(done ? all.len == text_len : all.rc == ASSAY_ERR_MEMORY);
        assert_int_equal(mem.used, 0);
        assert_true(at < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pieces_come_in_order), cmocka_unit_test(long_record_is_not_made),
                                        cmocka_unit_test(what_is_refused_is_not_made_for_ever), cmocka_unit_test(errors_come_at_their_place),
                                        cmocka_unit_test(refused_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
