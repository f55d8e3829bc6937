/* What people and files say about a store: settings, revisions, thresholds, properties, paths, names of functions. Expected values are those of git
 * and of notes on the program cov. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/config.h"
#include "store/discover.h"
#include "store/names.h"
#include "store/props.h"
#include "store/rating.h"
#include "store/report_json.h"
#include "store/revision.h"

/* ---- settings ---- */

static void config_follows_git(void **state)
{
    static const char text[] = "\xef\xbb\xbf# head\n[Core]\n\tGitDir = .. ; where\n[module \"A \\\"b\\\"\"]\r\n path = \"  kept \" and more  \n\tflag\n"
                               "[x] a = one\\\n two\n b = \"tab\\there\"\n[Old.Section] k = v\n";
    struct mem mem;
    struct config c;
    (void)state;
    mem_init(&mem, 0);
    config_init(&c, &mem);
    assert_int_equal(config_parse(&c, SLICE(text), CONFIG_LOCAL, NULL), 0);
    assert_string_equal(config_get(&c, "core.gitdir"), "..");
    assert_string_equal(config_get(&c, "module.A \"b\".path"), "  kept  and more");
    assert_string_equal(config_get(&c, "module.A \"b\".flag"), "");
    assert_string_equal(config_get(&c, "x.a"), "one two");
    assert_string_equal(config_get(&c, "x.b"), "tab\there");
    assert_string_equal(config_get(&c, "old.section.k"), "v");
    assert_null(config_get(&c, "core.none"));
    assert_string_equal(config_key(&c, "CORE.Sub.NAME"), "core.Sub.name");
    assert_null(config_key(&c, "nodot"));
    config_done(&c);
    assert_int_equal(mem.used, 0);
}

static void config_names_the_line(void **state)
{
    static const char *const bad[] = { "x = 1\n", "[a\nb=1\n", "[a]\nb = \"open\n", "[a]\nb = \\q\n", "[a \"x\n", "[]\n", "[a]\n1 = 2\n" };
    struct mem mem;
    (void)state;
    mem_init(&mem, 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct config c;
        assay_error err = { 0 };
        config_init(&c, &mem);
        assert_int_equal(config_parse(&c, slice_of(bad[i]), CONFIG_LOCAL, &err), ASSAY_ERR_DAMAGED);
        assert_true(err.line > 0);
        config_done(&c);
    }
    assert_int_equal(mem.used, 0);
}

static void config_ends_round_includes(void **state)
{
    char path[] = "/tmp/assay-config-XXXXXX";
    int fd = mkstemp(path);
    struct mem mem;
    struct config c;
    (void)state;
    assert_true(fd >= 0);
    dprintf(fd, "[include]\n\tpath = %s\n[a]\n\tb = 1\n", path);
    close(fd);
    mem_init(&mem, 0);
    config_init(&c, &mem);
    assert_int_equal(config_load(&c, path, CONFIG_LOCAL, NULL), ASSAY_ERR_LIMIT);
    config_done(&c);
    unlink(path);
    assert_int_equal(mem.used, 0);
}

/* ---- revisions ---- */

static void revisions_are_taken_apart(void **state)
{
    struct revision_text t;
    assay_error err = { 0 };
    (void)state;
    assert_int_equal(revision_parse(SLICE("HEAD~2^1~:src/a.c"), true, &t, &err), 0);
    assert_true(slice_is(t.to.name, "HEAD") && t.to.up == 4 && !t.to.is_nothing && !t.is_range && t.has_path && slice_is(t.path, "src/a.c"));
    assert_int_equal(revision_parse(SLICE("a^0..b^2"), false, &t, &err), 0);
    assert_true(t.is_range && slice_is(t.from.name, "a") && t.from.up == 0 && slice_is(t.to.name, "b") && t.to.is_nothing);
    assert_int_equal(revision_parse(SLICE("..b"), false, &t, &err), 0);
    assert_true(t.is_range && t.from.name.len == 0 && slice_is(t.to.name, "b"));
    assert_int_equal(revision_parse(SLICE("a~18446744073709551615~5"), false, &t, &err), 0);
    assert_true(t.to.up == UINT64_MAX);
    assert_int_equal(revision_parse(SLICE(".."), false, &t, &err), ASSAY_ERR_USAGE);
    assert_int_equal(revision_parse(SLICE("a...b"), false, &t, &err), ASSAY_ERR_USAGE);
    assert_int_equal(revision_parse(SLICE("a..b..c"), false, &t, &err), ASSAY_ERR_USAGE);
    assert_int_equal(revision_parse(SLICE("a....b"), false, &t, &err), ASSAY_ERR_USAGE);
    assert_int_equal(revision_parse(SLICE("a.."), false, &t, &err), 0);
}

/* ---- thresholds ---- */

static void ratings_are_exact(void **state)
{
    struct rating_limits l;
    struct rating r = { { { { 9, 10 }, { 3, 4 } }, { { 9, 10 }, { 3, 4 } }, { { 9, 10 }, { 3, 4 } } } };
    (void)state;
    assert_true(rating_parse("75%, 9/10", &l) && l.good.part == 9 && l.fair.part == 75);
    assert_false(rating_parse("90", &l));
    assert_false(rating_parse("9/0, 1/2", &l));
    assert_int_equal(rating_of(&r, RATING_LINES, &(assay_store_pair){ 10, 9 }), RATING_PASS);
    assert_int_equal(rating_of(&r, RATING_LINES, &(assay_store_pair){ 1000000000, 899999999 }), RATING_INCOMPLETE);
    assert_int_equal(rating_of(&r, RATING_LINES, &(assay_store_pair){ 4, 3 }), RATING_INCOMPLETE);
    assert_int_equal(rating_of(&r, RATING_LINES, &(assay_store_pair){ 0, 0 }), RATING_FAIL);
    /* Above 42 949 672 lines, where 32 bits do not suffice. */
    assert_int_equal(rating_percent(&(assay_store_pair){ 4000000000u, 2000000000u }), 50);
    assert_int_equal(rating_hundredths(&(assay_store_pair){ 26, 23 }), 8846);
    assert_int_equal(rating_hundredths(&(assay_store_pair){ 26, 22 }), 8462);
}

/* ---- properties ---- */

static void properties_go_both_ways(void **state)
{
    struct mem mem;
    struct props p, again;
    assay_error err = { 0 };
    (void)state;
    mem_init(&mem, 0);
    props_init(&p, &mem);
    props_init(&again, &mem);
    static const char *const typed[] = { "os = linux", "n=-3", "debug=off", "q='12'", "flag", "os=qnx", "esc=a\"b\\c" };
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) assert_int_equal(props_add(&p, typed[i], &err), 0);
    assay_slice text = props_text(&p);
    assert_true(slice_is(text, "\"os\":\"qnx\",\"n\":-3,\"debug\":false,\"q\":\"12\",\"flag\":\"\",\"esc\":\"a\\\"b\\\\c\""));
    assert_int_equal(props_parse(&again, text, &err), 0);
    assert_true(again.at.len == p.at.len && props_have(&again, &p) && props_have(&p, &again));
    assert_int_equal(props_add(&p, "=x", &err), ASSAY_ERR_USAGE);
    props_done(&p);
    props_done(&again);
    assert_int_equal(mem.used, 0);
}

/* ---- paths ---- */

static void relative_paths(void **state)
{
    static const char *const cases[][3] = { { "/a/x/y", "/a/b", "../../b" }, { "/r/.git/.covdata", "/r/.git", ".." },
                                            { "/a", "/a/b/c", "b/c" },       { "/a", "/a", "." },
                                            { "/ab", "/a", "../a" },         { "/s/repo.covdata", "/s/repo.git", "../repo.git" } };
    char buf[GIT_PATH_LEN];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(discover_relative(cases[i][0], cases[i][1], buf));
        assert_string_equal(buf, cases[i][2]);
    }
}

/* ---- names ---- */

static void names_of_the_standard_library(void **state)
{
    static const char *const pairs[][2] = {
        { "f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)", "f(std::string const&)" },
        { "void g<int>(std::vector<std::map<int, char, std::less<int>, std::allocator<std::pair<int const, char> > >, "
          "std::allocator<std::map<int, char, std::less<int>, std::allocator<std::pair<int const, char> > > > >&&)",
          "void g<int>(std::vector<std::map<int, char>>&&)" },
        { "S::operator<<(int (*)(char), int (&) [7])", "S::operator<<(int(*)(char), int(&)[7])" },
        { "S::operator->() const", "S::operator->() const" },
        { "  spaced   name ( int )", "spaced name(int)" },
        { "unbalanced<int", "unbalanced<int" },
        { "a>b)c]", "a>b)c]" },
    };
    struct mem mem;
    struct names n;
    struct config c;
    struct arena a;
    (void)state;
    mem_init(&mem, 0);
    config_init(&c, &mem);
    arena_init(&a, &mem);
    assert_int_equal(names_load(&n, &c, NULL, &mem, NULL), 0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) assert_string_equal(names_show(&n, slice_of(pairs[i][0]), &a), pairs[i][1]);
    /* A rule that feeds itself ends. */
    assert_int_equal(names_parse(&n, SLICE("{\"g\": {\"loop<$1>\": \"loop<$1, $1>\", \"loop<$1, $2>\": \"loop<$1>\"}}"), NULL), 0);
    assert_non_null(names_show(&n, SLICE("loop<int>"), &a));
    names_done(&n);
    config_done(&c);
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

/* ---- report JSON ---- */

static int read_report(const char *text, struct arena *a, struct mem *mem, struct import_input *out, assay_error *err)
{
    struct input *in;
    struct input_options o = { .mem = mem };
    assert_int_equal(input_open_memory(&in, text, strlen(text), "test", &o, err), 0);
    int rc = report_json_read(in, a, mem, out, err);
    input_close(in);
    return rc;
}

static void reports_are_read(void **state)
{
    static const char good[] =
        "{\"x\": [1, {\"y\": 2}], \"files\": [{\"functions\": [{\"name\": \"f\", \"count\": 5000000000, \"start_line\": 0}], \"name\": \"a.c\","
        "\"digest\": \"md5:000102030405060708090a0b0c0d0e0F\", \"line_coverage\": {\"7\": -1, \"0\": 4, \"1\": 9, \"03\": 99999999999}}],"
        "\"git\": {\"head\": \"abc\", \"branch\": \"main\"}}";
    static const char *const bad[] = {
        "",
        "[]",
        "{\"git\": {\"head\": \"a\", \"branch\": \"b\"}}",
        "{\"git\": {}, \"files\": []}",
        "{\"git\": {\"head\": \"a\", \"branch\": \"b\"}, \"files\": [{\"name\": \"x\", \"digest\": \"sha1:12\", \"line_coverage\": {}}]}",
        "{\"git\": {\"head\": \"a\", \"branch\": \"b\"}, \"files\": [{\"name\": \"x\", \"line_coverage\": {}}]}"
    };
    struct mem mem;
    struct arena a;
    struct import_input in;
    assay_error err = { 0 };
    (void)state;
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    assert_int_equal(read_report(good, &a, &mem, &in, &err), 0);
    assert_true(in.file_count == 1 && in.files[0].line_count == 3 && in.files[0].digest[15] == 15 && in.files[0].digest_kind == IMPORT_MD5);
    const struct cov_line *l = in.files[0].lines;
    assert_true(l[0].line == 1 && l[0].hits == 9 && l[1].line == 3 && l[1].hits == COV_HITS_MAX && l[2].line == 7 && l[2].hits == 0);
    assert_true(in.files[0].functions[0].count == UINT32_MAX && in.files[0].functions[0].first_line == 1 && in.files[0].functions[0].last_line == 1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_int_equal(read_report(bad[i], &a, &mem, &in, &err), ASSAY_ERR_DAMAGED);
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(config_follows_git),
        cmocka_unit_test(config_names_the_line),
        cmocka_unit_test(config_ends_round_includes),
        cmocka_unit_test(revisions_are_taken_apart),
        cmocka_unit_test(ratings_are_exact),
        cmocka_unit_test(properties_go_both_ways),
        cmocka_unit_test(relative_paths),
        cmocka_unit_test(names_of_the_standard_library),
        cmocka_unit_test(reports_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
