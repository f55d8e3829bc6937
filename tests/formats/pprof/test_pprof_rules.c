/* Planted defects for the rules of pprof, and what is read of profiles that were written by hand: field order, packed or not, inlined lines, labels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "base/deflate.h"

/* ---- an encoder of its own ---- */

struct bytes {
    unsigned char at[4096];
    size_t len;
};

static void varint(struct bytes *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7) b->at[b->len++] = (unsigned char)(v | 0x80);
    b->at[b->len++] = (unsigned char)v;
    assert_true(b->len < sizeof b->at - 16);
}
static void number(struct bytes *b, unsigned field, uint64_t v)
{
    varint(b, field << 3);
    varint(b, v);
}
static void text(struct bytes *b, unsigned field, const char *s)
{
    varint(b, field << 3 | 2);
    varint(b, strlen(s));
    memcpy(b->at + b->len, s, strlen(s));
    b->len += strlen(s);
}
static void message(struct bytes *b, unsigned field, const struct bytes *m)
{
    varint(b, field << 3 | 2);
    varint(b, m->len);
    memcpy(b->at + b->len, m->at, m->len);
    b->len += m->len;
}
/* A message of numbers: field, value, ..., 0. */
static void fields(struct bytes *b, unsigned field, const uint64_t *pairs)
{
    struct bytes m = { .len = 0 };
    for (; pairs[0]; pairs += 2) number(&m, (unsigned)pairs[0], pairs[1]);
    message(b, field, &m);
}
#define FIELDS(b, field, ...) fields(b, field, (const uint64_t[]){ __VA_ARGS__, 0 })

enum plant {
    PLAIN,
    STRING_0,
    NO_STRINGS,
    STRING_INDEX,
    FEW_VALUES,
    NO_LOCATION,
    NO_FUNCTION,
    ID_0,
    ID_TWICE,
    NO_MAPPING,
    ADDRESS,
    UNUSED,
    NOT_UTF8,
    TWO_TIMES,
    CUT,
    OVERLONG,
    LABEL_KEY,
    LABEL_BOTH,
    LABEL_UNIT,
    LABEL_TWICE,
    LABEL_RESERVED,
    GROUP,
    PLANTS
};
static const struct {
    const char *rule;
    int severity;
} expected[PLANTS] = {
    [STRING_0] = { "PP04", ASSAY_ERROR },   [NO_STRINGS] = { "PP04", ASSAY_ERROR },    [STRING_INDEX] = { "PP05", ASSAY_ERROR },
    [FEW_VALUES] = { "PP06", ASSAY_ERROR }, [NO_LOCATION] = { "PP07", ASSAY_ERROR },   [NO_FUNCTION] = { "PP08", ASSAY_ERROR },
    [ID_0] = { "PP09", ASSAY_ERROR },       [ID_TWICE] = { "PP09", ASSAY_ERROR },      [NO_MAPPING] = { "PP10", ASSAY_WARNING },
    [ADDRESS] = { "PP11", ASSAY_WARNING },  [UNUSED] = { "PP12", ASSAY_INFO },         [NOT_UTF8] = { "PP13", ASSAY_WARNING },
    [TWO_TIMES] = { "PP03", ASSAY_ERROR },  [CUT] = { "PP02", ASSAY_ERROR },           [OVERLONG] = { "PP02", ASSAY_ERROR },
    [LABEL_KEY] = { "LB01", ASSAY_ERROR },  [LABEL_BOTH] = { "LB02", ASSAY_WARNING },  [LABEL_UNIT] = { "LB03", ASSAY_WARNING },
    [LABEL_TWICE] = { "LB04", ASSAY_INFO }, [LABEL_RESERVED] = { "LB05", ASSAY_INFO }, [GROUP] = { "PP02", ASSAY_ERROR },
};

/* Strings: 1 cpu, 2 ns, 3 main, 4 leaf, 5 a.c, 6 key, 7 app, 8 pprof::x */
static void put_strings(struct bytes *b, enum plant plant)
{
    static const char *const list[] = { "", "cpu", "ns", "main", "leaf", "a.c", "key", "app", "pprof::x" };
    for (size_t i = 0; plant != NO_STRINGS && i < sizeof list / sizeof *list; i++)
        text(b, 6, plant == STRING_0 && i == 0 ? "x" : plant == NOT_UTF8 && i == 4 ? "\xff" : list[i]);
}

static void put_sample(struct bytes *b, enum plant plant)
{
    struct bytes m = { .len = 0 };
    number(&m, 1, plant == NO_LOCATION ? 9 : 2);
    number(&m, 1, 1);
    if (plant != FEW_VALUES) number(&m, 2, 10);
    if (plant == LABEL_KEY) FIELDS(&m, 3, 2, 4);
    if (plant == LABEL_BOTH) FIELDS(&m, 3, 1, 6, 2, 4, 3, 7);
    if (plant == LABEL_UNIT) FIELDS(&m, 3, 1, 6, 2, 4, 4, 2);
    for (int i = 0; i < 2 && plant == LABEL_TWICE; i++) FIELDS(&m, 3, 1, 6, 3, 7 + (uint64_t)i);
    if (plant == LABEL_RESERVED) FIELDS(&m, 3, 1, 8, 2, 4);
    message(b, 2, &m);
}

static void put_location(struct bytes *b, uint64_t id, uint64_t mapping, uint64_t address, uint64_t function, uint64_t line)
{
    struct bytes m = { .len = 0 };
    number(&m, 1, id);
    number(&m, 2, mapping);
    number(&m, 3, address);
    FIELDS(&m, 4, 1, function, 2, line);
    message(b, 4, &m);
}

static struct bytes make(enum plant plant)
{
    struct bytes b = { .len = 0 };
    FIELDS(&b, 1, 1, 1, 2, 2);
    put_sample(&b, plant);
    FIELDS(&b, 3, 1, 1, 2, 0x1000, 3, 0x2000, 5, 7);
    put_location(&b, 1, plant == NO_MAPPING ? 5 : 1, plant == ADDRESS ? 0x9000 : 0x1100, plant == NO_FUNCTION ? 9 : 1, 3);
    put_location(&b, 2, 1, 0x1200, 2, 7);
    if (plant == UNUSED || plant == ID_TWICE) put_location(&b, plant == UNUSED ? 3 : 1, 1, 0x1300, 1, 1);
    FIELDS(&b, 5, 1, 1, 2, plant == STRING_INDEX ? 99 : 3, 4, 5);
    FIELDS(&b, 5, 1, 2, 2, 4, 4, 5);
    if (plant == ID_0) FIELDS(&b, 5, 2, 4);
    put_strings(&b, plant);
    number(&b, 9, 5);
    if (plant == TWO_TIMES) number(&b, 9, 6);
    if (plant == GROUP) varint(&b, 20 << 3 | 3);
    if (plant == OVERLONG) {
        varint(&b, 10 << 3);
        memset(b.at + b.len, 0xff, 11);
        b.len += 11;
    }
    if (plant == CUT) {
        varint(&b, 2 << 3 | 2);
        varint(&b, 100);
    }
    return b;
}

/* ---- rules ---- */

static const struct assay_read_options as_pprof = { .format = "pprof" };

static unsigned found(const struct bytes *b, const char *rule, int severity, uint64_t *errors)
{
    assay_check_result *result = NULL;
    assay_error err = { 0 };
    unsigned count = 0;
    if (assay_check_from(&(struct assay_input)ASSAY_FROM_MEMORY(b->at, b->len, "x"), &as_pprof, &result, &err) != 0) fail_msg("%s", err.text);
    *errors = 0;
    for (size_t i = 0; i < result->count; i++) {
        *errors += result->findings[i].severity == ASSAY_ERROR;
        count += rule && strcmp(result->findings[i].rule, rule) == 0 && result->findings[i].severity == severity;
    }
    assay_check_free(result);
    return count;
}

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    uint64_t errors;
    for (int p = PLAIN + 1; p < PLANTS; p++) {
        struct bytes b = make((enum plant)p), good = make(PLAIN);
        if (!found(&b, expected[p].rule, expected[p].severity, &errors)) fail_msg("%s is not found in defect %d", expected[p].rule, p);
        assert_int_equal(found(&good, expected[p].rule, expected[p].severity, &errors), 0);
        assert_int_equal(errors, 0);
    }
}

/* A field of zeros, which nobody knows: PP14 from a thousand times on. */
static unsigned packed_far(size_t zeros)
{
    struct bytes b = make(PLAIN);
    struct mem mem;
    mem_init(&mem, 0);
    varint(&b, 20 << 3 | 2);
    varint(&b, zeros);
    size_t len = b.len + zeros;
    unsigned char *plain = calloc(1, len);
    struct packer *z = packer_new(true, 9, &mem);
    size_t room = packer_bound(z, len);
    unsigned char *packed = malloc(room);
    assert_non_null(plain);
    assert_non_null(packed);
    memcpy(plain, b.at, b.len);
    size_t packed_len = packer_run(z, plain, len, packed, room);
    assay_check_result *result = NULL;
    unsigned count = 0;
    assert_int_equal(assay_check_from(&(struct assay_input)ASSAY_FROM_MEMORY(packed, packed_len, "x"), &as_pprof, &result, NULL), 0);
    for (size_t i = 0; i < result->count; i++) count += strcmp(result->findings[i].rule, "PP14") == 0 && result->findings[i].severity == ASSAY_WARNING;
    assay_check_free(result);
    packer_free(z);
    free(plain);
    free(packed);
    return count;
}

static void a_file_that_unpacks_to_far_more_is_told(void **state)
{
    (void)state;
    assert_int_equal(packed_far((size_t)16 << 20), 1);
    assert_int_equal(packed_far(1000), 0);
}

/* ---- reading ---- */

static assay_profile *read_bytes(const struct bytes *b, uint32_t want)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    struct assay_read_options o = { .format = "pprof", .want = want };
    if (assay_read_memory(b->at, b->len, "x", &o, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

static void a_good_profile_is_recognised_and_read(void **state)
{
    (void)state;
    struct bytes b = make(PLAIN);
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(b.at, b.len, "x", &(struct assay_read_options){ .want = ASSAY_WANT_ALL }, &p, NULL), 0);
    assert_string_equal(assay_profile_format(p), "pprof");
    const struct assay_tree *t = assay_profile_tree(p);
    const struct assay_metrics *m = assay_profile_metrics(p);
    assert_int_equal(t->count, 3); /* main, leaf, its line */
    assert_int_equal(t->line[2], 3);
    assert_int_equal(t->kind[3], ASSAY_NODE_LINE);
    assert_int_equal(t->line[3], 7);
    assert_int_equal(m->total[1].low, 10);
    assert_int_equal(m->is_default[1], 1);
    assay_profile_release(p);
}

/* Damaged samples are left out, the others read. */
static void what_is_whole_is_read_of_a_damaged_profile(void **state)
{
    (void)state;
    for (int p = PLAIN + 1; p < PLANTS; p++) {
        struct bytes b = make((enum plant)p);
        assay_profile *q = read_bytes(&b, ASSAY_WANT_ALL);
        bool is_lost = p == FEW_VALUES || p == NO_LOCATION;
        assert_int_equal(assay_profile_metrics(q)->total[1].low, is_lost ? 0 : 10);
        assay_profile_release(q);
    }
}

static unsigned saturated(uint64_t value)
{
    struct bytes b = make(PLAIN);
    struct bytes m = { .len = 0 };
    size_t count;
    unsigned found_so = 0;
    number(&m, 1, 2);
    number(&m, 1, 1);
    number(&m, 2, value);
    message(&b, 2, &m);
    assay_profile *p = read_bytes(&b, ASSAY_WANT_ALL);
    const assay_finding *w = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++) found_so += strcmp(w[i].rule, "PP15") == 0;
    assert_int_equal(assay_profile_metrics(p)->total[1].low, found_so ? INT64_MAX : value + 10);
    assay_profile_release(p);
    return found_so;
}

static void sums_that_are_too_large_are_told(void **state)
{
    (void)state;
    assert_int_equal(saturated(INT64_MAX), 1); /* PP15 */
    assert_int_equal(saturated(INT64_MAX - 10), 0);
}

/* ---- writing ---- */

static int collect(void *arg, const char *data, size_t len)
{
    struct bytes *b = arg;
    if (b->len + len > sizeof b->at) return 1;
    memcpy(b->at + b->len, data, len);
    b->len += len;
    return 0;
}

static void what_is_written_reads_back_equal(void **state)
{
    (void)state;
    static const int plants[] = { PLAIN, LABEL_TWICE, LABEL_RESERVED, LABEL_BOTH };
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        struct bytes b = make((enum plant)plants[i]), out = { .len = 0 }, again = { .len = 0 };
        struct assay_write_options w = { .format = "pprof" };
        assay_profile *p = read_bytes(&b, ASSAY_WANT_TREE | ASSAY_WANT_LABELS), *q;
        assay_error err = { 0 };
        if (assay_write_fn(p, &w, collect, &out, NULL, &err) != 0) fail_msg("%s", err.text);
        assert_int_equal(assay_write_fn(p, &w, collect, &again, NULL, &err), 0);
        assert_int_equal(out.len, again.len);
        assert_memory_equal(out.at, again.at, out.len);
        q = read_bytes(&out, ASSAY_WANT_TREE | ASSAY_WANT_LABELS);
        const struct assay_labels *k = assay_profile_labels(p), *l = assay_profile_labels(q);
        assert_int_equal(k->sample_count, l->sample_count);
        assert_int_equal(k->set_count, l->set_count);
        assert_int_equal(assay_profile_tree(p)->count, assay_profile_tree(q)->count);
        assert_int_equal(assay_profile_metrics(q)->total[1].low, 10);
        assay_profile_release(p);
        assay_profile_release(q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),         cmocka_unit_test(a_file_that_unpacks_to_far_more_is_told),
        cmocka_unit_test(sums_that_are_too_large_are_told),           cmocka_unit_test(a_good_profile_is_recognised_and_read),
        cmocka_unit_test(what_is_whole_is_read_of_a_damaged_profile), cmocka_unit_test(what_is_written_reads_back_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
