/* Options of formats: keys and values that fit, those that do not, and what is meant for another format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"

static const char profile[] = "events: Ir\n\nfl=a.c\nfn=f\n1 5\ncfn=g\ncalls=1 9\n2 3\n\nfn=g\n9 3\n";

struct text {
    char at[4096];
    size_t len;
};

static int collect(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    if (len >= sizeof t->at - t->len) return -1;
    memcpy(t->at + t->len, data, len);
    t->len += len;
    t->at[t->len] = '\0';
    return 0;
}

/* Writes the profile with these options. */
static int write_with(const char *format, const struct assay_option *options, size_t count, struct text *out, assay_error *err)
{
    struct assay_write_options o = { .size = sizeof o, .format = format, .options = options, .option_count = count };
    assay_profile *p;
    *err = (assay_error){ 0 };
    *out = (struct text){ "", 0 };
    assert_int_equal(assay_read_memory(profile, sizeof profile - 1, "x", NULL, &p, err), 0);
    int rc = assay_write_fn(p, &o, collect, out, NULL, err);
    assay_profile_release(p);
    return rc;
}

static int read_with(const char *key, const char *value, assay_error *err)
{
    struct assay_option option = { key, value };
    struct assay_read_options o = { .size = sizeof o, .options = &option, .option_count = 1 };
    assay_profile *p = NULL;
    *err = (assay_error){ 0 };
    int rc = assay_read_memory(profile, sizeof profile - 1, "x", &o, &p, err);
    assay_profile_release(p);
    return rc;
}

static void a_key_of_the_format_is_taken(void **state)
{
    (void)state;
    struct text out;
    assay_error err;
    assert_int_equal(write_with("callgrind", NULL, 0, &out, &err), 0);
    assert_non_null(strstr(out.at, "fn=(1) f\n"));
    assert_int_equal(write_with("callgrind", (struct assay_option[]){ { "no-ids", NULL } }, 1, &out, &err), 0);
    assert_non_null(strstr(out.at, "fn=f\n"));
    assert_null(strstr(out.at, "(1)"));
}

static void a_key_may_name_its_format(void **state)
{
    (void)state;
    struct text out;
    assay_error err;
    struct assay_option options[] = { { "html:title", "no title here" }, { "callgrind:no-ids", NULL } };
    assert_int_equal(write_with("callgrind", options, 2, &out, &err), 0);
    assert_non_null(strstr(out.at, "fn=f\n"));
    assert_int_equal(read_with("hpcrun-measurements:no-traces", NULL, &err), 0);
}

static void unknown_keys_are_refused_with_those_there_are(void **state)
{
    (void)state;
    struct text out;
    assay_error err;
    assert_int_equal(write_with("callgrind", (struct assay_option[]){ { "no-idz", NULL } }, 1, &out, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "callgrind: unknown option 'no-idz'; the options for writing are no-ids, no-relative");
    assert_int_equal(out.len, 0);
    /* one of another format, one for the other direction, one of nobody */
    assert_int_equal(write_with("callgrind", (struct assay_option[]){ { "title", "x" } }, 1, &out, &err), ASSAY_ERR_USAGE);
    assert_int_equal(read_with("no-ids", NULL, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "callgrind: unknown option 'no-ids'; it has none for reading");
    assert_int_equal(read_with("", NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(read_with(NULL, NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(read_with("nobody:no-ids", NULL, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "option 'nobody:no-ids': there is no format 'nobody'");
}

static void values_must_fit(void **state)
{
    (void)state;
    struct text out;
    assay_error err;
    assert_int_equal(write_with("dot", (struct assay_option[]){ { "min", "101" } }, 1, &out, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "dot: option min: invalid value '101'; use a percentage from 0 to 100");
    assert_int_equal(write_with("dot", (struct assay_option[]){ { "min", NULL } }, 1, &out, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "dot: option min needs a value: PERCENT");
    assert_int_equal(write_with("callgrind", (struct assay_option[]){ { "no-ids", "yes" } }, 1, &out, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "callgrind: option no-ids takes no value");
    /* also where it is meant for another format */
    assert_int_equal(write_with("callgrind", (struct assay_option[]){ { "hpcdb:statistics", "all" } }, 1, &out, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "hpcdb: option statistics: invalid value 'all'; use sum, none, normal, extrema or stats");
    assert_int_equal(read_with("hpcrun-measurements:dwarf-max-size", "1X", &err), ASSAY_ERR_USAGE);
}

static void the_last_of_two_values_counts(void **state)
{
    (void)state;
    struct text most, least;
    assay_error err;
    assert_int_equal(write_with("dot", (struct assay_option[]){ { "min", "0" }, { "min", "90" } }, 2, &most, &err), 0);
    assert_int_equal(write_with("dot", (struct assay_option[]){ { "min", "90" }, { "min", "0" } }, 2, &least, &err), 0);
    assert_null(strstr(most.at, "\"g"));
    assert_non_null(strstr(least.at, "\"g"));
}

static void tables_list_what_there_is(void **state)
{
    (void)state;
    const struct assay_format_info *f = assay_format_find("hpcdb");
    struct assay_option_info o = { .size = sizeof o };
    assert_true(assay_format_option_find(f, ASSAY_FOR_WRITING, "statistics", &o));
    assert_int_equal(o.type, ASSAY_OPTION_WORD);
    assert_string_equal(o.words[0], "sum");
    assert_false(assay_format_option_find(f, ASSAY_FOR_READING, "statistics", &o));
    assert_true(assay_format_option_at(f, ASSAY_FOR_WRITING, 0, &o));
    assert_false(assay_format_option_at(f, ASSAY_FOR_WRITING, 1000, &o));
    assert_false(assay_format_option_at(assay_format_find("lcov"), ASSAY_FOR_READING, 0, &o));
}

/* Whatever the table of a format holds can be taken by format_settings: types that need more than its structure are not among them. */
static void tables_have_types_that_formats_can_take(void **state)
{
    (void)state;
    for (size_t f = 0; f < assay_format_count(); f++)
        for (int use = ASSAY_FOR_READING; use <= ASSAY_FOR_WRITING; use++) {
            struct assay_option_info o = { .size = sizeof o };
            for (size_t i = 0; assay_format_option_at(assay_format_at(f), (enum assay_option_use)use, i, &o); i++) {
                assert_true(o.type != ASSAY_OPTION_MAP && o.type != ASSAY_OPTION_PAIR && o.type != ASSAY_OPTION_FORMAT && o.type != ASSAY_OPTION_TARGET);
                assert_true((o.argument == NULL) == (o.type == ASSAY_OPTION_FLAG));
                assert_non_null(o.help);
                assert_null(strchr(o.name, ':'));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_of_the_format_is_taken),
        cmocka_unit_test(a_key_may_name_its_format),
        cmocka_unit_test(unknown_keys_are_refused_with_those_there_are),
        cmocka_unit_test(values_must_fit),
        cmocka_unit_test(the_last_of_two_values_counts),
        cmocka_unit_test(tables_list_what_there_is),
        cmocka_unit_test(tables_have_types_that_formats_can_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
