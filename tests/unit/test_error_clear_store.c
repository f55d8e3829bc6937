/* Every function of the coverage store that takes an error clears it. */
#include <stdlib.h>
#include <unistd.h>

#include "error_clear.h"

static char top[] = "/tmp/assay-test-store-XXXXXX", place[ASSAY_STORE_PATH_MAX], other[ASSAY_STORE_PATH_MAX];
static assay_store *store;
static assay_profile *coverage;
static const char missing[] = "/nowhere/at/all";

static int to_nobody(void *arg, const char *text, size_t len)
{
    (void)arg;
    (void)text;
    (void)len;
    return 0;
}
static const struct assay_report_sink sink = { .size = sizeof sink, .write = to_nobody };

/* ---- finding, making, opening ---- */

static void opening(void)
{
    assay_store_made made;
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_find(missing, place, sizeof place, &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_create(&(struct assay_store_new){ .size = sizeof(struct assay_store_new), .git_dir = missing }, &made, &err));
    GIVES(0, "", assay_store_create(&(struct assay_store_new){ .size = sizeof(struct assay_store_new), .directory = top }, &made, &err));
    GIVES(0, "", assay_store_find(top, place, sizeof place, &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_open(missing, &store, &err));
    GIVES(0, "", assay_store_open(place, &store, &err));
    assay_store_traces *traces = NULL;
    GIVES(0, "", assay_store_traces_new(store, &traces, &err));
    assay_store_traces_free(traces);
    GIVES(0, "", assay_store_git(store, NULL, NULL, &err));
}

/* ---- imports ---- */

static void imports(void)
{
    assay_store_import *import = NULL;
    assay_store_imported done;
    struct assay_store_import_options both = { .size = sizeof both, .amend = true, .add = true };
    GIVES(ASSAY_ERR_USAGE, NULL, assay_store_import_new(store, &both, &import, &err));
    GIVES(0, "", assay_store_import_new(store, NULL, &import, &err));
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_profile *nothing = assay_builder_seal(b, NULL);
    GIVES(ASSAY_ERR_UNSUPPORTED, NULL, assay_store_import_add(import, "nothing", nothing, &err));
    assay_store_import_free(import);
    assay_profile_release(nothing);
    GIVES(0, "", assay_store_import_new(store, NULL, &import, &err));
    GIVES(ASSAY_ERR_DAMAGED, NULL, assay_store_import_json(import, "junk", "{]", 2, &err));
    assay_store_import_free(import);
    GIVES(0, "", assay_store_import_new(store, NULL, &import, &err));
    GIVES(ASSAY_ERR_UNSUPPORTED, NULL, assay_store_import_end(import, &done, &err));
    assay_store_import_free(import);
    GIVES(0, "", assay_store_import_new(store, NULL, &import, &err));
    GIVES(0, "", assay_store_import_add(import, "a.info", coverage, &err));
    GIVES(0, "", assay_store_import_end(import, &done, &err));
    assert_true(done.changed);
    assay_store_import_free(import);
    assay_store_stripped stripped;
    GIVES(ASSAY_ERR_SYSTEM, NULL, assay_store_strip(missing, NULL, to_nobody, NULL, &stripped, &err));
}

/* ---- references ---- */

static void references(void)
{
    char name[ASSAY_STORE_NAME_MAX];
    assay_store_id id;
    assay_store_refs *refs = NULL;
    assay_store_reflog *log = NULL;
    GIVES(0, "", assay_store_refs_new(store, ASSAY_STORE_BRANCH, &refs, &err));
    assay_store_refs_free(refs);
    GIVES(0, "", assay_store_branch(store, name, &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_ref_set(store, ASSAY_STORE_TAG, "t", "no-such", false, &err));
    GIVES(0, "", assay_store_ref_set(store, ASSAY_STORE_TAG, "t", "HEAD", false, &err));
    GIVES(0, "", assay_store_ref_remove(store, ASSAY_STORE_TAG, "t", &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_ref_remove(store, ASSAY_STORE_TAG, "t", &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_checkout(store, ASSAY_STORE_SWITCH, "no-such", NULL, &err));
    GIVES(0, "", assay_store_checkout(store, ASSAY_STORE_START, "side", "HEAD", &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_reset(store, "no-such", NULL, NULL, &err));
    GIVES(0, "", assay_store_reset(store, "HEAD", name, &id, &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_reflog_new(store, "no-such", &log, &err));
    GIVES(0, "", assay_store_reflog_new(store, NULL, &log, &err));
    assay_store_reflog_free(log);
}

/* ---- reports ---- */

static void reports(void)
{
    assay_store_id id;
    assay_store_report *report = NULL;
    assay_store_walk *walk = NULL;
    const assay_store_report *next;
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_resolve(store, "no-such", &id, &err));
    GIVES(0, "", assay_store_resolve(store, NULL, &id, &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_report_new(store, "no-such", &report, &err));
    GIVES(0, "", assay_store_report_new(store, NULL, &report, &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_walk_new(store, "no-such", &walk, &err));
    GIVES(0, "", assay_store_walk_new(store, NULL, &walk, &err));
    GIVES(0, "", assay_store_walk_next(walk, &next, &err));
    assay_store_walk_free(walk);
    assay_changes *changes = NULL;
    GIVES(0, "", assay_store_changes(store, report, report, 0, &changes, &err));
    assay_changes_free(changes);
    GIVES(0, "", assay_store_print_result(store, &report->id, NULL, NULL, &sink, &err));
    assay_store_report_free(report);
}

static void contents(void)
{
    assay_profile *p = NULL;
    assay_store_table *table = NULL;
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_profile(store, "no-such", false, &p, &err));
    GIVES(0, "", assay_store_profile(store, NULL, false, &p, &err));
    assay_profile_release(p);
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_export_json(store, "no-such", to_nobody, NULL, &err));
    GIVES(0, "", assay_store_export_json(store, NULL, to_nobody, NULL, &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_table_new(store, "HEAD:no-such", NULL, &table, &err));
    GIVES(0, "", assay_store_table_new(store, NULL, NULL, &table, &err));
    assay_store_table_free(table);
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_print_log(store, "no-such", NULL, &sink, &err));
    GIVES(0, "", assay_store_print_log(store, NULL, NULL, &sink, &err));
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_print_show(store, "no-such", NULL, &sink, &err));
    GIVES(0, "", assay_store_print_show(store, NULL, NULL, &sink, &err));
    assay_store_removed removed;
    GIVES(0, "", assay_store_gc(store, NULL, &removed, &err));
}

/* ---- settings and modules ---- */

static void settings(void)
{
    assay_store_config *config = NULL;
    assay_store_modules *modules = NULL;
    snprintf(other, sizeof other, "%s/settings", top);
    GIVES(ASSAY_ERR_USAGE, NULL, assay_store_config_edit(other, ASSAY_STORE_SET, "no name", "x", &err));
    GIVES(0, "", assay_store_config_edit(other, ASSAY_STORE_SET, "core.name", "x", &err));
    GIVES(0, "", assay_store_config_new(place, 0, other, &config, &err));
    assay_store_config_free(config);
    GIVES(ASSAY_ERR_UNKNOWN, NULL, assay_store_modules_new(missing, NULL, &modules, &err));
    GIVES(0, "", assay_store_modules_new(top, NULL, &modules, &err));
    GIVES(ASSAY_ERR_USAGE, NULL, assay_store_modules_edit(modules, ASSAY_STORE_MODULE_REMOVE, "no-such", NULL, &err));
    GIVES(0, "", assay_store_modules_edit(modules, ASSAY_STORE_MODULE_ADD, "m", "a.c", &err));
    assay_store_modules_free(modules);
}

/* In this order: each works on what those before it left. */
static const struct error_call calls[] = {
    { "assay_store_find", opening },      { "assay_store_create", NULL },          { "assay_store_open", NULL },           { "assay_store_traces_new", NULL },
    { "assay_store_git", NULL },          { "assay_store_import_new", imports },   { "assay_store_import_add", NULL },     { "assay_store_import_json", NULL },
    { "assay_store_import_end", NULL },   { "assay_store_strip", NULL },           { "assay_store_refs_new", references }, { "assay_store_branch", NULL },
    { "assay_store_ref_set", NULL },      { "assay_store_ref_remove", NULL },      { "assay_store_checkout", NULL },       { "assay_store_reset", NULL },
    { "assay_store_reflog_new", NULL },   { "assay_store_resolve", reports },      { "assay_store_report_new", NULL },     { "assay_store_walk_new", NULL },
    { "assay_store_walk_next", NULL },    { "assay_store_changes", NULL },         { "assay_store_print_result", NULL },   { "assay_store_profile", contents },
    { "assay_store_export_json", NULL },  { "assay_store_table_new", NULL },       { "assay_store_print_log", NULL },      { "assay_store_print_show", NULL },
    { "assay_store_gc", NULL },           { "assay_store_config_edit", settings }, { "assay_store_config_new", NULL },     { "assay_store_modules_new", NULL },
    { "assay_store_modules_edit", NULL },
};
enum { CALLS = sizeof calls / sizeof *calls };

/* A git repository with one file and one commit, and coverage of that file. */
static void make_repository(void)
{
    char text[2 * ASSAY_STORE_PATH_MAX];
    assert_non_null(mkdtemp(top));
    setenv("HOME", top, 1);
    snprintf(text, sizeof text,
             "cd %s && git init -q -b main && git config user.name A && git config user.email a@example.org && printf 'a\\nb\\n' >a.c && git add a.c && "
             "git commit -q -m one",
             top);
    assert_int_equal(system(text), 0);
    int len = snprintf(text, sizeof text, "TN:\nSF:%s/a.c\nDA:1,1\nDA:2,0\nend_of_record\n", top);
    assert_int_equal(assay_read_memory(text, (size_t)len, "a.info", NULL, &coverage, NULL), 0);
}

static void each_clears_what_was_in_the_error(void **state)
{
    (void)state;
    make_repository();
    for (size_t i = 0; i < CALLS; i++)
        if (calls[i].call) calls[i].call();
    assay_store_close(store);
    assay_profile_release(coverage);
    char text[64];
    snprintf(text, sizeof text, "rm -r %s", top);
    assert_int_equal(system(text), 0);
}

static void the_table_has_all_that_the_header_declares(void **state)
{
    (void)state;
    look_into(ASSAY_HEADERS "/store.h", calls, CALLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_clears_what_was_in_the_error),
        cmocka_unit_test(the_table_has_all_that_the_header_declares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
