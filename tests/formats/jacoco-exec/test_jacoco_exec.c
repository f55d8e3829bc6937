/* Planted defects for the rules of JaCoCo's execution data, and how blocks of one class are joined. */
#include "../planted.h"

#define HEADER "\x01\xc0\xc0\x10\x07"
#define SESSION "\x10\0\x01s\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\x09"
#define ID(last) "\x11\0\0\0\0\0\0\0" last
#define CLASS                                                                                                                                                  \
    ID("\x01")                                                                                                                                                 \
    "\0\x01"                                                                                                                                                   \
    "A\x09\x03\x01"
#define BYTES(text)                                                                                                                                            \
    {                                                                                                                                                          \
        text, sizeof text - 1                                                                                                                                  \
    }

struct bytes {
    const char *data;
    size_t len;
};
static const struct {
    const char *rule;
    int severity;
    uint64_t off;
    struct bytes in, near;
} defects[] = {
    { "JE-1", E, 1, BYTES("\x01\xc0\xc1\x10\x07"), BYTES(HEADER) },
    { "JE-1", E, 25 + 1, BYTES(HEADER SESSION "\x01\0\0\x10\x07"), BYTES(HEADER SESSION HEADER) },
    { "JE-2", E, 3, BYTES("\x01\xc0\xc0\x10\x06"), BYTES(HEADER) },
    { "JE-2", E, 3, BYTES("\x01\xc0\xc0\x10\x08"), BYTES(HEADER) },
    { "JE-3", E, 4, BYTES("\x01\xc0\xc0\x10"), BYTES(HEADER) },
    { "JE-3", E, 24, BYTES(HEADER "\x10\0\x01s\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0"), BYTES(HEADER SESSION) },
    { "JE-3", E, 17,
      BYTES(HEADER ID("\x01") "\0\x02"
                              "A"),
      BYTES(HEADER CLASS) },
    { "JE-3", E, 19,
      BYTES(HEADER ID("\x01") "\0\x01"
                              "A\x09\x03"),
      BYTES(HEADER CLASS) },
    { "JE-4", E, 5, BYTES(HEADER "\x12"), BYTES(HEADER SESSION) },
    { "JE-5", W, 20,
      BYTES(HEADER CLASS ID("\x02") "\0\x01"
                                    "A\x01\x01"),
      BYTES(HEADER CLASS CLASS) },
    { "JE-6", W, 0, BYTES(SESSION CLASS), BYTES(HEADER SESSION) },
    { "JE-7", W, 20,
      BYTES(HEADER CLASS ID("\x01") "\0\x01"
                                    "A\x08\x01"),
      BYTES(HEADER CLASS CLASS) },
};

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct checked c;
        check_text(&c, "jacoco-exec", defects[i].in.data, defects[i].in.len);
        const assay_finding *f = found_rule(&c, defects[i].rule);
        if (!f) fail_msg("defect %zu: no %s", i, defects[i].rule);
        assert_int_equal(f->severity, defects[i].severity);
        assert_int_equal(f->offset, defects[i].off);
        struct planted p = { .len = defects[i].in.len };
        memcpy(p.text, defects[i].in.data, p.len);
        read_strictly("jacoco-exec", &p, &c);
        check_done(&c);
        check_text(&c, "jacoco-exec", defects[i].near.data, defects[i].near.len);
        if (found_rule(&c, defects[i].rule)) fail_msg("near miss %zu: %s", i, defects[i].rule);
        check_done(&c);
    }
}

static void blocks_of_one_class_are_joined(void **state)
{
    (void)state;
    static const char text[] = HEADER SESSION CLASS HEADER SESSION ID("\x01") "\0\x01"
                                                                              "A\x09\x04\0";
    static const uint8_t want[] = { 1, 1, 1, 0, 0, 0, 0, 0, 1 };
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, sizeof text - 1, "text", NULL, &p, NULL), 0);
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_counts *counts = assay_profile_counts(p);
    assert_int_equal(c->region_count, 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(c->region_first[i], i);
        assert_int_equal(c->region_hits[i], want[i]);
    }
    for (uint32_t i = 0; i < counts->count; i++) {
        assay_slice name = assay_profile_string(p, counts->name[i]);
        if (slice_is(name, "sessions")) assert_int_equal(counts->value[i], 2);
        if (slice_is(name, "probes_hit")) assert_int_equal(counts->value[i], 4);
    }
    assert_string_equal(assay_profile_version(p), "0x1007");
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(blocks_of_one_class_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
