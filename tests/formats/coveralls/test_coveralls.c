/* Planted defects for the rules of the JSON of coveralls.io, texts that are nearly wrong but are not, and what is written. */
#include "../coverage_rules.h"

#define OF(members) "{\"source_files\":[\n{" members "}]}\n"
#define SOUND OF("\"name\":\"a.c\",\"coverage\":[1,null,0],\"branches\":[1,0,0,1,1,0,1,0]")

static const struct defect defects[] = {
    { "J-1", E, "{\"source_files\":\n@}" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, OF("\"name\":\"a.c\",\"coverage\":[1,\n@\"x\"]") },
    { "J-2", E, OF("\"name\":\"a.c\",\"coverage\":[],\"branches\":[\n@0,0,0,1]") },
    { "J-2", E, OF("\"coverage\":[],\"name\":\n@null") },
    { "J-3", E, "@{\"service_name\":\"x\"}\n" },
    { "J-3", E, "{\"source_files\":[\n@{\"name\":\"a.c\"}]}" },
    { "J-3", E, "{\"source_files\":[\n@{\"coverage\":[]}]}" },
    { "J-3", E, OF("\"name\":\"a.c\",\"coverage\":[],\"functions\":[\n@{\"name\":\"f\"}]") },
    { "J-5", W, OF("\"name\":\"a.c\",\"coverage\":[],\n@\"coverage\":[]") },
    { "J-6", I, OF("\"name\":\"a.c\",\"coverage\":[],\n@\"colour\":[]") },
    { "J-7", W, OF("\"name\":\"a.c\",\"coverage\":[1,\n@-1]") },
    { "CV-1", E, OF("\"name\":\"a.c\",\"coverage\":[],\"branches\":\n@[1,0,0,1,5]") },
    { "CV-2", W, "{\"source_files\":[],\n@\"repo_token\":\"hush\"}" },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, OF("\"name\":\"a.c\",\"coverage\":[1],\"branches\":null,\"source_digest\":null,\"functions\":[{\"name\":\"f\",\"start\":1,\"exec\":3}]") },
    { "J-3", E, "{\"source_files\":[]}" },
    { "J-5", W, SOUND },
    { "J-6", I,
      "{\"git\":{\"head\":{\"id\":\"x\",\"message\":\"y\"},\"branch\":\"z\",\"remotes\":[]},\"source_files\":[],\"run_at\":\"x\",\"service_number\":1}" },
    { "J-7", W, SOUND },
    { "CV-1", E, SOUND },
    { "CV-2", W, "{\"source_files\":[],\"repo_token\":\"\"}" },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "J-7", "CV-1", "CV-2", NULL };

RULE_TESTS("coveralls")

struct text {
    char at[4096];
    size_t len;
};

static int keep(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    if (len > sizeof t->at - 1 - t->len) return 1;
    memcpy(t->at + t->len, data, len);
    t->len += len;
    t->at[t->len] = '\0';
    return 0;
}

static void written(const char *text, struct text *out, char *losses, size_t losses_len)
{
    assay_profile *p = read_text(text, NULL);
    struct assay_write_options o = { .format = "coveralls" };
    assay_losses *lost = NULL;
    assay_error err = { 0 };
    out->len = 0;
    losses[0] = '\0';
    if (assay_write_fn(p, &o, keep, out, &lost, &err) != 0) fail_msg("%s", err.text);
    for (size_t i = 0; i < lost->count; i++) {
        size_t used = strlen(losses);
        snprintf(losses + used, losses_len - used, "%s ", lost->at[i].kind);
    }
    assay_losses_free(lost);
    assay_profile_release(p);
}

/* The expected bytes follow from the description of the format, not from our output. */
static void lines_of_tests_are_added_and_files_sorted(void **state)
{
    (void)state;
    struct text out;
    char losses[200];
    written("TN:a\nSF:b.c\nDA:2,1\nend_of_record\nTN:b\nSF:b.c\nDA:2,4\nend_of_record\nSF:a.c\nFN:1,f\nFNDA:0,f\nBRDA:3,0,1,-\nBRDA:3,0,0,2\nDA:3,2\nend_of_"
            "record\n",
            &out, losses, sizeof losses);
    assert_string_equal(out.at, "{\n  \"source_files\": [\n"
                                "    {\"name\": \"a.c\", \"coverage\": [null, null, 2], \"branches\": [3, 0, 0, 2, 3, 0, 1, 0], "
                                "\"functions\": [{\"name\": \"f\", \"start\": 1, \"exec\": false}]},\n"
                                "    {\"name\": \"b.c\", \"coverage\": [null, 5]}\n  ]\n}\n");
    assert_string_equal(losses, "tests flags ");
}

static void a_token_is_never_written(void **state)
{
    (void)state;
    struct text out;
    char losses[200];
    written("{\"repo_token\":\"hush\",\"service_name\":\"ci\",\"parallel\":true,\"git\":{\"head\":{\"id\":\"abc\"}},\"source_files\":[]}", &out, losses,
            sizeof losses);
    assert_null(strstr(out.at, "hush"));
    assert_non_null(strstr(out.at, "\"service_name\": \"ci\""));
    assert_non_null(strstr(out.at, "\"parallel\": true"));
    assert_non_null(strstr(out.at, "\"id\": \"abc\""));
    assert_string_equal(losses, "");
}

static void branches_without_numbers_are_numbered_and_sums_counted_out(void **state)
{
    (void)state;
    struct text out;
    char losses[200];
    written("{\"assay-json\":1,\"files\":[{\"path\":\"a\",\"branches\":[{\"line\":2,\"hits\":3,\"name\":\"y\"},{\"line\":2,\"hits\":0,\"name\":\"x\"}],"
            "\"sums\":[{\"line\":4,\"kind\":\"branches\",\"hit\":1,\"total\":2},{\"line\":4,\"kind\":\"calls\",\"hit\":1,\"total\":2}]}]}",
            &out, losses, sizeof losses);
    assert_non_null(strstr(out.at, "\"branches\": [2, 0, 0, 0, 2, 0, 1, 3, 4, 0, 0, 1, 4, 0, 1, 0]"));
    assert_string_equal(losses, "sums ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(lines_of_tests_are_added_and_files_sorted),
        cmocka_unit_test(a_token_is_never_written),
        cmocka_unit_test(branches_without_numbers_are_numbered_and_sums_counted_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
