/* Planted defects for the rules of coverage objects, variants that are unusual but sound, and what writing makes of them. Objects are built with
 * the encoder and then patched, unit by unit. */
#include "../planted.h"

#include "base/deflate.h"
#include "formats/cov/object.h"

struct bytes {
    uint8_t at[1024];
    size_t len;
};

static void put_unit(struct bytes *b, size_t unit, uint32_t v)
{
    for (size_t i = 0; i < 4; i++) b->at[4 * unit + i] = (uint8_t)(v >> (8 * i));
}

static uint32_t get_unit(const struct bytes *b, size_t unit)
{
    uint32_t v = 0;
    for (size_t i = 0; i < 4; i++) v |= (uint32_t)b->at[4 * unit + i] << (8 * i);
    return v;
}

static assay_store_build entry = { .build = { { 7 } }, .propset = { "\"n\":1", 5 }, .stats = { 9, { 4, 3 }, { 2, 1 }, { 0, 0 } } };
static struct cov_file files[] = {
    { .path = { "a.c", 3 }, .contents = { { 1 } }, .lines_total = 9, .lines = { { 4, 3 }, { { 2 } } }, .functions = { { 2, 1 }, { { 3 } } } },
    { .path = { "b.c", 3 }, .contents = { { 4 } }, .lines_total = 2, .lines = { { 1, 0 }, { { 5 } } }, .functions = { { 0, 0 }, { { 6 } } } },
};
static struct cov_line lines[] = { { 1, 3 }, { 2, 0 }, { 7, 9 } };
static struct cov_function functions[] = {
    { .name = { "f", 1 }, .demangled = { "", 0 }, .count = 3, .first_line = 1, .first_column = 5, .last_line = 4, .last_column = 1 }
};

static struct cov_object object(enum cov_kind kind)
{
    struct cov_object o = { .kind = kind };
    const assay_store_stats stats = { 9, { 4, 3 }, { 2, 1 }, { 0, 0 } };
    switch (kind) {
    case COV_REPORT:
        o.report = (struct cov_report){ .added = 5,
                                        .branch = SLICE("main"),
                                        .author_name = SLICE("A"),
                                        .author_email = SLICE("a@b"),
                                        .committer_name = SLICE("A"),
                                        .committer_email = SLICE("a@b"),
                                        .message = SLICE("text"),
                                        .committed = 4,
                                        .stats = stats,
                                        .builds = &entry,
                                        .build_count = 1 };
        break;
    case COV_BUILD: o.build = (struct cov_build){ .added = 5, .propset = SLICE("\"n\":1"), .stats = stats }; break;
    case COV_FILES: o.files = (struct cov_files){ true, files, 2 }; break;
    case COV_LINES: o.lines = (struct cov_lines){ .at = lines, .count = 3, .last_line = 9 }; break;
    default: o.functions = (struct cov_functions){ functions, 1 }; break;
    }
    return o;
}

static struct bytes encoded(enum cov_kind kind)
{
    struct mem mem;
    struct cov_object o = object(kind);
    struct bytes out;
    mem_init(&mem, 0);
    struct cov_bytes b = { .mem = &mem };
    assert_int_equal(cov_object_encode(&o, COV_DIALECT_COV, &b, NULL), 0);
    assert_true(b.v.len <= sizeof out.at);
    memcpy(out.at, b.v.at, out.len = b.v.len);
    cov_bytes_done(&b);
    assert_int_equal(mem.used, 0);
    return out;
}

/* As stores have it: a zlib stream. */
static struct bytes compressed(const struct bytes *plain)
{
    struct mem mem;
    struct bytes out;
    mem_init(&mem, 0);
    struct packer *p = cov_packer_new(COV_DIALECT_COV, &mem);
    assert_true(packer_bound(p, plain->len) <= sizeof out.at);
    out.len = packer_run(p, plain->at, plain->len, out.at, sizeof out.at);
    packer_free(p);
    return out;
}

/* ---- defects ---- */

struct patch {
    const char *rule;
    int severity;
    enum cov_kind kind;
    size_t unit;    /* that is replaced, */
    uint32_t value; /* by this */
    uint64_t off;   /* where the finding is; NOWHERE = it has no place */
    size_t len;     /* what stays of the object; 0 = all */
    unsigned more;  /* bytes added at the end */
};
#define NOWHERE UINT64_MAX

/* Units of the entries: a report's begin at 39 + strings, lists' and functions' at 7 + strings. */
static const struct patch patches[] = {
    { "C06", E, COV_LINES, 0, 0x73656e6c, 4, 4, 0 },
    { "C07", E, COV_LINES, 0, 0x626f6c62, 0, 0, 0 },
    { "C08", E, COV_LINES, 1, 0x20000, 4, 0, 0 },
    { "C09", I, COV_LINES, 1, 0x10007, 4, 0, 0 },
    { "C10", E, COV_REPORT, 1, 0x10000, 100, 100, 0 },
    { "C10", E, COV_LINES, 1, 0x10000, 8, 8, 0 },
    { "C11", E, COV_REPORT, 2, 36, 8, 0, 0 },
    { "C12", E, COV_FILES, 3, 0xffffffff, 12, 0, 0 },
    { "C12", E, COV_FILES, 2, 0xfffffff0, 12, 0, 0 },
    { "C14", E, COV_REPORT, 24, 0x7fffffff, 96, 0, 0 },
    { "C14", E, COV_REPORT, 19, 2, 76, 0, 0 },
    { "C16", E, COV_REPORT, 15, 12, 60, 0, 0 },
    { "C16", E, COV_FILES, 5, 13, 20, 0, 0 },
    { "C16", E, COV_FUNCTIONS, 5, 6, 20, 0, 0 },
    { "C17", E, COV_FILES, 4, 5, 16, 0, 0 },
    { "C18", E, COV_FILES, 6, 3, 24, 0, 0 },
    { "C18", E, COV_FUNCTIONS, 6, 0xffffffff, 24, 0, 0 },
    { "C19", W, COV_FILES, 6, 1, NOWHERE, 0, 0 },
    { "C19", W, COV_BUILD, 1, 0x10000, NOWHERE, 0, 1 },
    { "C20", E, COV_LINES, 2, 0xffffffff, 8, 0, 0 },
};
enum { PATCHES = sizeof patches / sizeof *patches };

static void expect(const char *rule, int severity, uint64_t off, const struct bytes *raw)
{
    struct checked c;
    check_text(&c, "cov", raw->at, raw->len);
    const assay_finding *f = found_rule(&c, rule);
    if (!f) fail_msg("no %s", rule);
    if (f->severity != severity) fail_msg("%s has severity %d", rule, f->severity);
    if (off != NOWHERE && (!f->has_offset || f->offset != off))
        fail_msg("%s is at %llu, not %llu", rule, (unsigned long long)f->offset, (unsigned long long)off);
    check_done(&c);
}

static void expect_plain(const char *rule, int severity, uint64_t off, const struct bytes *plain)
{
    struct bytes raw = compressed(plain);
    expect(rule, severity, off, &raw);
}

static void each_rule_of_the_layout_finds_its_defect(void **state)
{
    (void)state;
    for (size_t i = 0; i < PATCHES; i++) {
        const struct patch *p = &patches[i];
        struct bytes b = encoded(p->kind);
        put_unit(&b, p->unit, p->value);
        if (p->len) b.len = p->len;
        for (unsigned k = 0; k < p->more; k++) b.at[b.len++] = '!';
        expect_plain(p->rule, p->severity, p->off, &b);
    }
}

static void each_rule_of_the_stream_finds_its_defect(void **state)
{
    (void)state;
    struct bytes plain = encoded(COV_REPORT), raw = compressed(&plain), bad = raw;
    bad.at[bad.len - 1] ^= 1;
    expect("C01", E, 0, &bad);
    bad = raw;
    bad.len -= 5;
    expect("C02", E, bad.len, &bad);
    bad = raw;
    memcpy(bad.at + bad.len, "xyz", 3);
    bad.len += 3;
    expect("C03", E, raw.len, &bad);
    expect("C04", W, 0, &plain);
}

static void what_unpacks_to_more_than_the_limit_is_refused(void **state)
{
    (void)state;
    struct bytes plain = encoded(COV_REPORT), raw = compressed(&plain);
    struct assay_read_options o = { .format = "cov", .max_output = plain.len - 1, .strict = true };
    assay_profile *p = NULL;
    assay_error err = { 0 };
    assert_int_equal(assay_read_memory(raw.at, raw.len, "object", &o, &p, &err), ASSAY_ERR_DAMAGED);
    assert_non_null(strstr(err.text, "C05"));
    o.max_output = plain.len;
    assert_int_equal(assay_read_memory(raw.at, raw.len, "object", &o, &p, &err), 0);
    assay_profile_release(p);
}

static void strings_are_looked_at(void **state)
{
    (void)state;
    struct bytes b = encoded(COV_FILES);
    size_t from = 28, to = from + 4 * get_unit(&b, 3);
    b.at[from] = 0xff;
    expect_plain("C15", W, NOWHERE, &b);
    b = encoded(COV_FILES);
    b.at[to - 1] = 'x';
    expect_plain("C13", W, to - 1, &b);
}

static void lines_are_looked_at(void **state)
{
    (void)state;
    struct bytes b = encoded(COV_LINES);
    static const uint32_t twice[] = { 4, 0xffffffff, 0xffffffff, 0x80000001, 6, 9 }, zero[] = { 0xffffffff, 0xffffffff, 4 };
    put_unit(&b, 2, 6);
    for (size_t i = 0; i < 6; i++) put_unit(&b, 3 + i, twice[i]);
    b.len = 36;
    expect_plain("C21", W, 28, &b); /* the second count */
    put_unit(&b, 2, 3);
    for (size_t i = 0; i < 3; i++) put_unit(&b, 3 + i, zero[i]);
    b.len = 24;
    expect_plain("C22", W, 20, &b);
}

static void functions_are_looked_at(void **state)
{
    (void)state;
    struct bytes b = encoded(COV_FUNCTIONS);
    size_t at = get_unit(&b, 4) + 2;
    put_unit(&b, at + 5, 0);
    put_unit(&b, at + 6, 4);
    expect_plain("C23", E, 4 * (at + 3), &b);
}

static void statistics_and_paths_are_looked_at(void **state)
{
    (void)state;
    struct bytes b = encoded(COV_REPORT);
    put_unit(&b, 34, 5);
    expect_plain("C30", E, NOWHERE, &b);
    b = encoded(COV_BUILD);
    put_unit(&b, 13, 11);
    expect_plain("C34", W, NOWHERE, &b);
    static const struct {
        const char *rule, *first, *second;
        int severity;
    } paths[] = { { "C31", "a.c", "a.c", E },  { "C32", "b.c", "a.c", W }, { "C33", "", "a.c", W },
                  { "C33", "../x", "a.c", W }, { "C33", "/x", "a.c", W },  { "C33", "a\\b", "c", W } };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct cov_file kept[2] = { files[0], files[1] };
        files[0].path = slice_of(paths[i].first);
        files[1].path = slice_of(paths[i].second);
        b = encoded(COV_FILES);
        memcpy(files, kept, sizeof kept);
        expect_plain(paths[i].rule, paths[i].severity, NOWHERE, &b);
    }
}

/* ---- sound ---- */

static void sound_objects_have_no_findings(void **state)
{
    (void)state;
    for (int kind = COV_REPORT; kind <= COV_FUNCTIONS; kind++) {
        struct bytes plain = encoded((enum cov_kind)kind), raw = compressed(&plain);
        struct checked c;
        check_text(&c, "cov", raw.at, raw.len);
        if (c.found.list.len) fail_msg("%s: %s %s", cov_kind_name((enum cov_kind)kind), c.found.list.at[0].rule, c.found.list.at[0].message);
        check_done(&c);
    }
}

/* docs/formats/cov.md, "Lines": what the program cov writes for a file of 10 lines with these hits. */
static void line_1_is_reached_by_going_round(void **state)
{
    (void)state;
    static const uint32_t expected[] = { 0x73656e6c, 0x10000, 7, 0xffffffff, 0xffffffff, 0x80000001, 3, 0, 0x80000007, 7 };
    struct cov_line at[] = { { 1, 3 }, { 2, 0 }, { 10, 7 } };
    struct mem mem;
    mem_init(&mem, 0);
    struct cov_bytes b = { .mem = &mem };
    struct cov_object o = { .kind = COV_LINES, .lines = { .at = at, .count = 3, .last_line = 10 } };
    assert_int_equal(cov_object_encode(&o, COV_DIALECT_COV, &b, NULL), 0);
    assert_int_equal(b.v.len, sizeof expected);
    struct bytes plain = { .len = b.v.len };
    memcpy(plain.at, b.v.at, b.v.len);
    for (size_t i = 0; i < sizeof expected / 4; i++) assert_int_equal(get_unit(&plain, i), expected[i]);
    assay_store_id id = cov_id_of(b.v.at, b.v.len);
    char hex[COV_ID_HEX + 1];
    assert_string_equal(cov_id_hex(&id, hex), "1d885c0f0b267d488a73755ec9157445beaedb06");
    cov_bytes_done(&b);
}

static void empty_lists_have_the_ids_of_the_original(void **state)
{
    (void)state;
    static const struct {
        enum cov_kind kind;
        const char *id;
    } known[] = { { COV_FUNCTIONS, "649634a28b7bab7dc0f28c1f8c27a02515a75fc7" }, { COV_FILES, "aacd7481e7becc3e54d37b9b18b2282cca715a73" } };
    for (int i = 0; i < 2; i++) {
        struct mem mem;
        char hex[COV_ID_HEX + 1];
        mem_init(&mem, 0);
        struct cov_bytes b = { .mem = &mem };
        struct cov_object o = { .kind = known[i].kind };
        assert_int_equal(cov_object_encode(&o, COV_DIALECT_COV, &b, NULL), 0);
        assay_store_id id = cov_id_of(b.v.at, b.v.len);
        assert_string_equal(cov_id_hex(&id, hex), known[i].id);
        cov_bytes_done(&b);
    }
}

static void aliases_count_once(void **state)
{
    (void)state;
    struct mem mem;
    assay_store_pair n;
    struct cov_function list[] = { { .first_line = 3, .last_line = 5, .count = 0 },
                                   { .first_line = 3, .last_line = 5, .count = 2 },
                                   { .first_line = 3, .first_column = 1, .last_line = 5 },
                                   { .first_line = 9, .last_line = 9, .count = 1 } };
    mem_init(&mem, 0);
    assert_true(cov_functions_sum(&(struct cov_functions){ list, 4 }, &mem, &n));
    assert_int_equal(n.relevant, 3);
    assert_int_equal(n.visited, 2);
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_of_the_layout_finds_its_defect),
        cmocka_unit_test(each_rule_of_the_stream_finds_its_defect),
        cmocka_unit_test(what_unpacks_to_more_than_the_limit_is_refused),
        cmocka_unit_test(strings_are_looked_at),
        cmocka_unit_test(lines_are_looked_at),
        cmocka_unit_test(functions_are_looked_at),
        cmocka_unit_test(statistics_and_paths_are_looked_at),
        cmocka_unit_test(sound_objects_have_no_findings),
        cmocka_unit_test(line_1_is_reached_by_going_round),
        cmocka_unit_test(empty_lists_have_the_ids_of_the_original),
        cmocka_unit_test(aliases_count_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
