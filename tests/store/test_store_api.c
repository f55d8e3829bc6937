/* The store by its public header alone: made, filled, read back, named, damaged, used in wrong ways. The figures are those of the report that is imported. */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <assay/assay.h>

/* gcc has a macro for it, clang a feature. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_WATCHED 1
#elif defined(__has_feature)
#define IS_WATCHED __has_feature(address_sanitizer)
#else
#define IS_WATCHED 0
#endif

#if IS_WATCHED
/* libgit2 1.5 does not free what it matched with when a value that is added to a setting matches none of those there are. Stacks end at the library that
 * it matches by. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libpcre2-8.so\n"; }
#endif

/* Lines 1 to 3 of a.c, of which two are hit; then a report of the same commit with all of them. */
static const char first_info[] = "SF:a.c\nFN:1,f\nFNDA:2,f\nDA:1,2\nDA:2,2\nDA:3,0\nend_of_record\n";
static const char second_info[] = "SF:a.c\nFN:1,f\nFNDA:2,f\nDA:1,2\nDA:2,2\nDA:3,1\nend_of_record\nSF:nowhere.h\nDA:1,1\nend_of_record\n";

struct box {
    char folder[64], path[ASSAY_STORE_PATH_MAX];
    assay_store *store;
};

static void shell(const char *command) { assert_int_equal(system(command), 0); }

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

/* A git repository with one commit, and an empty store for it. */
static struct box box_new(void)
{
    struct box b = { .folder = "/tmp/assay-store-XXXXXX" };
    char command[512];
    assay_store_made made;
    assert_non_null(mkdtemp(b.folder));
    snprintf(
        command, sizeof command,
        "cd %s && git init -q -b main && git config user.name Ann && git config user.email ann@example.com && printf '1\\n2\\n3\\n' >a.c && git add a.c && "
        "git commit -q -m first",
        b.folder);
    shell(command);
    const struct assay_store_new what = { .size = sizeof what, .directory = b.folder };
    assay_error err = { 0 };
    assert_int_equal(assay_store_create(&what, &made, &err), 0);
    assert_int_equal(made.outcome, ASSAY_STORE_MADE);
    assert_int_equal(assay_store_find(b.folder, b.path, sizeof b.path, &err), 0);
    assert_string_equal(b.path, made.store);
    assert_int_equal(assay_store_open(b.path, &b.store, &err), 0);
    return b;
}

static void box_done(struct box *b)
{
    assay_store_close(b->store);
    nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static assay_profile *profile_of(const char *info)
{
    struct assay_input in = ASSAY_FROM_MEMORY(info, strlen(info), "report.info");
    struct assay_read_options read = { .size = sizeof read, .want = ASSAY_WANT_COVERAGE };
    assay_profile *p;
    assay_error err = { 0 };
    assert_int_equal(assay_read_from(&in, &read, &p, &err), 0);
    return p;
}

static int import(struct box *b, const char *info, const struct assay_store_import_options *options, assay_store_imported *out, assay_error *err)
{
    assay_profile *p = profile_of(info);
    assay_store_import *m = NULL;
    int rc = assay_store_import_new(b->store, options, &m, err);
    if (rc == 0) rc = assay_store_import_add(m, "report.info", p, err);
    if (rc == 0) rc = assay_store_import_end(m, out, err);
    assay_store_import_free(m);
    assay_profile_release(p);
    return rc;
}

static void fill(struct box *b)
{
    assay_store_imported made;
    assay_error err = { 0 };
    assert_int_equal(import(b, first_info, NULL, &made, &err), 0);
    assert_true(made.changed);
    assert_int_equal(made.file_count, 1);
    assert_true(assay_store_id_is_none(&made.parent));
    assert_string_equal(made.reference, "refs/heads/main");
    assert_int_equal(import(b, first_info, NULL, &made, &err), 0);
    assert_false(made.changed);
    assert_int_equal(import(b, second_info, NULL, &made, &err), 0);
    assert_true(made.changed);
    assert_int_equal(made.file_count, 1); /* nowhere.h is in no commit */
}

/* ---- reading back ---- */

static void test_log(void **state)
{
    (void)state;
    struct box b = box_new();
    assay_error err = { 0 };
    assay_store_walk *walk;
    const assay_store_report *r;
    const uint32_t visited[] = { 3, 2 };
    size_t n = 0;
    assert_int_equal(assay_store_walk_new(b.store, NULL, &walk, &err), ASSAY_ERR_UNKNOWN); /* no report yet */
    fill(&b);
    assert_int_equal(assay_store_walk_new(b.store, NULL, &walk, &err), 0);
    for (; assay_store_walk_next(walk, &r, &err) == 0 && r; n++) {
        assert_in_range(n, 0, 1);
        assert_int_equal(r->stats.lines.relevant, 3);
        assert_int_equal(r->stats.lines.visited, visited[n]);
        assert_int_equal(r->stats.functions.visited, 1);
        assert_int_equal(r->build_count, 1);
        assert_int_equal(r->message.len, 5);
        assert_memory_equal(r->message.data, "first", 5);
        assert_memory_equal(r->author_name.data, "Ann", 3);
    }
    assert_int_equal(n, 2);
    assert_null(r);
    assay_store_walk_free(walk);
    assert_int_equal(assay_store_walk_new(b.store, "HEAD~..HEAD", &walk, &err), 0);
    assert_int_equal(assay_store_walk_next(walk, &r, &err), 0);
    assert_non_null(r);
    assert_int_equal(assay_store_walk_next(walk, &r, &err), 0);
    assert_null(r);
    assay_store_walk_free(walk);
    box_done(&b);
}

static uint64_t hits_of(const assay_profile *p, uint32_t line)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_non_null(c);
    for (uint32_t i = 0; i < c->line_count; i++)
        if (c->line_number[i] == line) return c->line_hits[i];
    return UINT64_MAX;
}

static void test_profile(void **state)
{
    (void)state;
    struct box b = box_new();
    assay_error err = { 0 };
    assay_profile *p;
    assay_store_table *table;
    fill(&b);
    assert_int_equal(assay_store_profile(b.store, "HEAD~", false, &p, &err), 0);
    assert_int_equal(hits_of(p, 1), 2);
    assert_int_equal(hits_of(p, 3), 0);
    assay_profile_release(p);
    assert_int_equal(assay_store_profile(b.store, NULL, true, &p, &err), 0);
    assert_int_equal(hits_of(p, 3), 1);
    assay_profile_release(p);
    assert_int_equal(assay_store_table_new(b.store, NULL, NULL, &table, &err), 0);
    assert_int_equal(table->count, 1);
    assert_int_equal(table->kind[0], ASSAY_STORE_FILE);
    assert_memory_equal(table->name[0].data, "a.c", 3);
    assert_int_equal(table->now[0].lines.visited, 3);
    assert_int_equal(table->before[0].lines.visited, 2);
    assert_int_equal(table->total_now.lines_total, 3);
    assay_store_table_free(table);
    assert_int_equal(assay_store_table_new(b.store, "HEAD:none.c", NULL, &table, &err), ASSAY_ERR_UNKNOWN);
    box_done(&b);
}

/* ---- names ---- */

static void test_refs(void **state)
{
    (void)state;
    struct box b = box_new();
    assay_error err = { 0 };
    assay_store_refs *refs;
    assay_store_reflog *log;
    assay_store_id id, head;
    char branch[ASSAY_STORE_NAME_MAX];
    fill(&b);
    assert_int_equal(assay_store_ref_set(b.store, ASSAY_STORE_TAG, "v1", "HEAD~", false, &err), 0);
    assert_int_equal(assay_store_ref_set(b.store, ASSAY_STORE_TAG, "v1", NULL, false, &err), ASSAY_ERR_USAGE);
    assert_int_equal(err.hint, ASSAY_HINT_FORCE);
    assert_int_equal(assay_store_resolve(b.store, "v1", &id, &err), 0);
    assert_int_equal(assay_store_refs_new(b.store, ASSAY_STORE_TAG, &refs, &err), 0);
    assert_int_equal(refs->count, 1);
    assert_string_equal(refs->name[0], "v1");
    assert_memory_equal(&refs->id[0], &id, sizeof id);
    assay_store_refs_free(refs);
    assert_int_equal(assay_store_checkout(b.store, ASSAY_STORE_START, "topic", "v1", &err), 0);
    assert_int_equal(assay_store_branch(b.store, branch, &err), 0);
    assert_string_equal(branch, "topic");
    assert_int_equal(assay_store_ref_remove(b.store, ASSAY_STORE_BRANCH, "topic", &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_store_reset(b.store, "main", branch, &id, &err), 0);
    assert_string_equal(branch, "topic");
    assert_int_equal(assay_store_resolve(b.store, "topic", &head, &err), 0);
    assert_memory_equal(&head, &id, sizeof id);
    assert_int_equal(assay_store_reflog_new(b.store, "topic", &log, &err), 0);
    assert_string_equal(log->reference, "refs/heads/topic");
    assert_int_equal(log->count, 2);
    assert_memory_equal(&log->to[0], &id, sizeof id);
    assert_memory_equal(log->who[0].data, "Ann <ann@example.com>", 21);
    assert_memory_equal(log->why[0].data, "reset", 5);
    assay_store_reflog_free(log);
    assert_int_equal(assay_store_checkout(b.store, ASSAY_STORE_SWITCH, "main", NULL, &err), 0);
    assert_int_equal(assay_store_ref_remove(b.store, ASSAY_STORE_BRANCH, "topic", &err), 0);
    assert_int_equal(assay_store_ref_remove(b.store, ASSAY_STORE_BRANCH, "topic", &err), ASSAY_ERR_UNKNOWN);
    box_done(&b);
}

/* ---- settings, modules, gc ---- */

static void test_settings(void **state)
{
    (void)state;
    struct box b = box_new();
    assay_error err = { 0 };
    assay_store_config *config;
    char file[ASSAY_STORE_PATH_MAX], name[ASSAY_STORE_PATH_MAX];
    assert_true(assay_store_config_file(b.path, ASSAY_STORE_LOCAL, file));
    assert_int_equal(assay_store_config_edit(file, ASSAY_STORE_SET, "core.rating", "80%, 50%", &err), 0);
    assert_int_equal(assay_store_config_edit(file, ASSAY_STORE_UNSET, "core.none", NULL, &err), ASSAY_ERR_UNKNOWN);
    assert_int_equal(assay_store_config_new(b.path, 1u << ASSAY_STORE_LOCAL, NULL, &config, &err), 0);
    assert_string_equal(assay_store_config_get(config, "Core.RATING"), "80%, 50%");
    assert_null(assay_store_config_get(config, "nodot"));
    assay_store_config_free(config);
    assert_true(assay_store_config_name("Core.X.Y", name));
    assert_string_equal(name, "core.X.y");
    box_done(&b);
}

static void test_modules(void **state)
{
    (void)state;
    struct box b = box_new();
    assay_error err = { 0 };
    assay_store_modules *m;
    assert_int_equal(assay_store_modules_new(b.folder, NULL, &m, &err), 0);
    assert_int_equal(m->count, 0);
    assert_int_equal(assay_store_modules_edit(m, ASSAY_STORE_MODULE_ADD, "core", "src", &err), 0);
    assert_int_equal(assay_store_modules_edit(m, ASSAY_STORE_MODULE_ADD, "core", "lib", &err), 0);
    assert_int_equal(m->count, 1);
    assert_string_equal(m->name[0], "core");
    assert_int_equal(m->path_count, 2);
    assert_string_equal(m->path[1], "lib");
    assert_int_equal(m->module[1], 0);
    assert_int_equal(assay_store_modules_edit(m, ASSAY_STORE_MODULE_REMOVE, "other", NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_store_modules_edit(m, ASSAY_STORE_MODULE_REMOVE, "core", NULL, &err), 0);
    assert_int_equal(m->count, 0);
    assay_store_modules_free(m);
    box_done(&b);
}

static void test_gc(void **state)
{
    (void)state;
    struct box b = box_new();
    assay_error err = { 0 };
    assay_store_removed removed;
    assay_check_result *check;
    const struct assay_store_gc_options now = { .size = sizeof now, .has_grace = true };
    fill(&b);
    assert_int_equal(assay_store_gc(b.store, &now, &removed, &err), 0);
    assert_int_equal(removed.objects, 0); /* all of it is reachable */
    assert_int_equal(assay_check(b.path, &(struct assay_read_options){ .format = "cov" }, &check, &err), 0);
    assert_int_equal(check->errors, 0);
    assay_check_free(check);
    box_done(&b);
}

/* ---- text ---- */

struct text {
    char at[4096];
    size_t len;
    bool refuses;
};

static int take(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    if (t->refuses) return -1;
    assert_true(t->len + len < sizeof t->at);
    memcpy(t->at + t->len, data, len);
    t->len += len;
    t->at[t->len] = '\0';
    return 0;
}

static void test_print(void **state)
{
    (void)state;
    struct box b = box_new();
    assay_error err = { 0 };
    struct text t = { .len = 0 };
    const struct assay_store_print how = { .size = sizeof how, .format = "%pPL %s" };
    const struct assay_report_sink sink = { .size = sizeof sink, .arg = &t, .write = take };
    fill(&b);
    assert_int_equal(assay_store_print_log(b.store, NULL, &how, &sink, &err), 0);
    assert_string_equal(t.at, "100% first\n 67% first\n");
    t.len = 0;
    assert_int_equal(assay_store_print_show(b.store, "HEAD:a.c", NULL, &sink, &err), 0);
    assert_non_null(strstr(t.at, "file a.c\n"));
    t.len = 0;
    assert_int_equal(assay_store_export_json(b.store, "HEAD~", take, &t, &err), 0);
    assert_non_null(strstr(t.at, "\"line_coverage\": {\"1\": 2, \"2\": 2, \"3\": 0}"));
    t.refuses = true;
    assert_int_equal(assay_store_print_log(b.store, NULL, &how, &sink, &err), ASSAY_ERR_WRITE);
    box_done(&b);
}

/* ---- damage and wrong use ---- */

static void test_damage(void **state)
{
    (void)state;
    struct box b = box_new();
    assay_error err = { 0 };
    assay_store_report *r;
    assay_store_walk *walk;
    const assay_store_report *at;
    assay_store_id id;
    assay_store_removed removed;
    char hex[ASSAY_STORE_ID_TEXT], path[ASSAY_STORE_PATH_MAX + 64];
    const struct assay_store_gc_options now = { .size = sizeof now, .has_grace = true };
    fill(&b);
    assert_int_equal(assay_store_resolve(b.store, "HEAD~", &id, &err), 0);
    assay_store_id_text(&id, hex);
    snprintf(path, sizeof path, "%s/objects/coverage/%.2s/%s", b.path, hex, hex + 2);
    assert_int_equal(truncate(path, 20), 0);
    assert_int_equal(assay_store_report_new(b.store, "HEAD~", &r, &err), ASSAY_ERR_DAMAGED);
    assert_null(r);
    assert_int_equal(assay_store_walk_new(b.store, NULL, &walk, &err), 0);
    assert_int_equal(assay_store_walk_next(walk, &at, &err), 0);
    assert_non_null(at);
    assert_int_equal(assay_store_walk_next(walk, &at, &err), ASSAY_ERR_DAMAGED);
    assert_null(at);
    assay_store_walk_free(walk);
    assert_int_equal(assay_store_gc(b.store, &now, &removed, &err), ASSAY_ERR_DAMAGED);
    assert_int_equal(remove(path), 0);
    assert_int_equal(assay_store_report_new(b.store, hex, &r, &err), ASSAY_ERR_UNKNOWN);
    box_done(&b);
}

static void test_wrong_use(void **state)
{
    (void)state;
    struct box b = box_new();
    assay_error err = { 0 };
    assay_store *none;
    assay_store_id id;
    assay_store_imported made;
    assay_store_made again;
    char small[4];
    const struct assay_store_new what = { .size = sizeof what, .directory = b.folder };
    const struct assay_store_import_options both = { .size = sizeof both, .amend = true, .add = true };
    const struct assay_report_sink sink = { .size = sizeof sink };
    fill(&b);
    assert_int_equal(assay_store_open("/nonexistent", &none, &err), ASSAY_ERR_UNKNOWN);
    assert_null(none);
    assert_int_equal(assay_store_find("/", small, sizeof small, &err), ASSAY_ERR_UNKNOWN);
    assert_int_equal(assay_store_find(b.folder, small, sizeof small, &err), ASSAY_ERR_LIMIT);
    assert_int_equal(assay_store_create(&what, &again, &err), 0);
    assert_int_equal(again.outcome, ASSAY_STORE_EXISTS);
    assert_int_equal(assay_store_resolve(b.store, "HEAD~..HEAD", &id, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_store_resolve(b.store, "HEAD~2", &id, &err), ASSAY_ERR_UNKNOWN);
    assert_int_equal(assay_store_resolve(b.store, "nobody", &id, NULL), ASSAY_ERR_UNKNOWN);
    assert_int_equal(assay_store_ref_set(b.store, ASSAY_STORE_BRANCH, "../x", NULL, false, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_store_ref_set(b.store, (enum assay_store_ref)7, "x", NULL, false, &err), ASSAY_ERR_USAGE);
    assert_int_equal(import(&b, first_info, &both, &made, &err), ASSAY_ERR_USAGE);
    assert_int_equal(import(&b, "SF:lost/x.h\nDA:1,1\nend_of_record\n", NULL, &made, &err), ASSAY_ERR_UNKNOWN);
    assert_int_equal(err.hint, ASSAY_HINT_MAP);
    assert_int_equal(assay_store_print_log(b.store, NULL, NULL, &sink, &err), ASSAY_ERR_USAGE);
    assay_store_close(NULL);
    assay_store_walk_free(NULL);
    box_done(&b);
}

int main(void)
{
    setenv("HOME", "/nonexistent", 1); /* no settings of a person */
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log),      cmocka_unit_test(test_profile), cmocka_unit_test(test_refs),
        cmocka_unit_test(test_settings), cmocka_unit_test(test_modules), cmocka_unit_test(test_gc),
        cmocka_unit_test(test_print),    cmocka_unit_test(test_damage),  cmocka_unit_test(test_wrong_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
