/* Stores: a planted defect for each rule of the whole (S01 to S26), references and their locks, reflogs, what gc keeps and removes, and memory that
 * is refused. Each test makes a store of its own. */
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/fsck.h"
#include "store/ref_files.h"
#include "store/refs.h"

struct box {
    struct mem mem;
    char path[64];
    struct store *s;
    assay_store_id lines, functions, files, build, report;
};

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static void write_text(const struct box *b, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", b->path, name);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0777);
        *slash = '/';
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void write_ref(const struct box *b, const char *name, const assay_store_id *id)
{
    char text[COV_ID_HEX + 2];
    cov_id_hex(id, text);
    strcat(text, "\n");
    write_text(b, name, text);
}

/* ---- a small sound store ---- */

static struct cov_line line_rows[] = { { 1, 3 }, { 2, 0 } };
static struct cov_function function_rows[] = { { .name = { "f", 1 }, .demangled = { "", 0 }, .count = 1, .first_line = 1, .last_line = 2 } };
static const assay_store_stats stats = { 2, { 2, 1 }, { 1, 1 }, { 0, 0 } };

static struct cov_object report_of(const struct box *b, assay_store_build *entry)
{
    *entry = (assay_store_build){ b->build, { "\"os\":\"x\"", 8 }, stats };
    return (struct cov_object){ .kind = COV_REPORT,
                                .report = { .file_list = b->files,
                                            .added = 7,
                                            .branch = { "main", 4 },
                                            .author_name = { "A", 1 },
                                            .author_email = { "a", 1 },
                                            .committer_name = { "A", 1 },
                                            .committer_email = { "a", 1 },
                                            .message = { "m", 1 },
                                            .commit = { { 9 } },
                                            .committed = 6,
                                            .stats = stats,
                                            .builds = entry,
                                            .build_count = 1 } };
}

static struct cov_object list_of(const struct box *b, struct cov_file *file)
{
    *file = (struct cov_file){
        .path = { "a.c", 3 }, .contents = { { 8 } }, .lines_total = 2, .lines = { { 2, 1 }, b->lines }, .functions = { { 1, 1 }, b->functions }
    };
    return (struct cov_object){ .kind = COV_FILES, .files = { true, file, 1 } };
}

static assay_store_id put(struct box *b, const struct cov_object *o)
{
    assay_store_id id;
    assert_int_equal(store_write(b->s, o, &id, NULL), 0);
    assert_int_equal(store_sync(b->s, NULL), 0);
    return id;
}

static void fill(struct box *b)
{
    assay_store_build entry;
    struct cov_file file;
    b->lines = put(b, &(struct cov_object){ .kind = COV_LINES, .lines = { .at = line_rows, .count = 2, .last_line = 2 } });
    b->functions = put(b, &(struct cov_object){ .kind = COV_FUNCTIONS, .functions = { function_rows, 1 } });
    struct cov_object list = list_of(b, &file);
    b->files = put(b, &list);
    b->build = put(b, &(struct cov_object){ .kind = COV_BUILD, .build = { b->files, 7, { "\"os\":\"x\"", 8 }, stats } });
    struct cov_object report = report_of(b, &entry);
    b->report = put(b, &report);
    write_ref(b, "refs/heads/main", &b->report);
}

static int set_up(void **state)
{
    static struct box b;
    memset(&b, 0, sizeof b);
    mem_init(&b.mem, 0);
    snprintf(b.path, sizeof b.path, "/tmp/assay-store-XXXXXX");
    if (!mkdtemp(b.path)) return -1;
    if (store_create(b.path, "[core]\n\tgitdir = .\n", &b.mem, NULL) != 0 || store_open(&b.s, b.path, &b.mem, NULL) != 0) return -1;
    write_text(&b, "gitdir", ".\n"); /* itself: it has HEAD and objects, which is all that S20 asks for */
    fill(&b);
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    struct box *b = *state;
    store_close(b->s);
    int leaked = b->mem.used != 0;
    return nftw(b->path, remove_one, 16, FTW_DEPTH | FTW_PHYS) | leaked;
}

/* ---- findings ---- */

static int by_text(const void *a, const void *b) { return strncmp(a, b, 4); }

/* The rules that are found, each once and sorted, in a text: "S04 S17 ". */
static void found(struct box *b, char *out, size_t len)
{
    struct findings f;
    assay_error err = { 0 };
    findings_init(&f, &b->mem);
    int rc = store_fsck(b->s, NULL, 0, &f, NULL, &err);
    if (rc != 0) fail_msg("fsck: %s", err.text);
    out[0] = '\0';
    for (size_t i = 0; i < f.list.len; i++)
        if (!strstr(out, f.list.at[i].rule)) snprintf(out + strlen(out), len - strlen(out), "%s ", f.list.at[i].rule);
    qsort(out, strlen(out) / 4, 4, by_text);
    findings_done(&f);
}

static void expect(struct box *b, const char *rules)
{
    char text[200];
    found(b, text, sizeof text);
    assert_string_equal(text, rules);
}

static void a_sound_store_has_no_findings(void **state) { expect(*state, ""); }

static void references_are_looked_at(void **state)
{
    struct box *b = *state;
    assay_store_id nowhere = { { 1, 2, 3 } };
    char path[128];
    write_text(b, "refs/heads/bad", "rubbish\n");
    expect(b, "S02 ");
    write_text(b, "refs/heads/bad", "ref: a..b\n");
    expect(b, "S02 ");
    write_ref(b, "refs/heads/bad", &nowhere);
    expect(b, "S04 ");
    write_ref(b, "refs/heads/bad", &b->build);
    expect(b, "S05 ");
    write_text(b, "refs/heads/bad", "ref: refs/heads/bad\n");
    expect(b, "S24 ");
    write_text(b, "refs/heads/bad", "ref: refs/heads/main\n");
    expect(b, "");
    write_text(b, "refs/heads/a..b", "x\n");
    expect(b, "S03 ");
    snprintf(path, sizeof path, "%s/refs/heads/a..b", b->path);
    unlink(path);
    write_text(b, "refs/heads/main.lock", "pid 1\n");
    expect(b, "S25 ");
    struct ref_lock lock;
    assert_int_equal(ref_lock(b->s, "refs/heads/main", &lock, NULL), 0);
    expect(b, "S25 "); /* a remark: it is held */
    ref_lock_release(&lock);
    write_text(b, "HEAD.lock", "pid 1\n");
    expect(b, "S25 ");
}

static void worktrees_and_git_are_looked_at(void **state)
{
    struct box *b = *state;
    write_text(b, "worktrees/w/gitdir", "../..\n");
    write_text(b, "worktrees/w/covdir", "../..\n");
    expect(b, "S01 ");
    write_text(b, "worktrees/w/HEAD", "ref: refs/heads/main\n");
    expect(b, "");
    write_text(b, "worktrees/w/covdir", "../nowhere\n");
    expect(b, "S21 ");
    write_text(b, "worktrees/w/covdir", "../..\n");
    write_text(b, "gitdir", "objects\n");
    expect(b, "S20 ");
}

/* A report that differs from the sound one, and what is found then (S17: the sound one is no longer reached). */
static void with_report(struct box *b, const struct cov_object *report, const char *rules)
{
    assay_store_id id = put(b, report);
    write_ref(b, "refs/heads/main", &b->report);
    write_ref(b, "refs/heads/other", &id);
    expect(b, rules);
}

static void reports_are_looked_at(void **state)
{
    struct box *b = *state;
    assay_store_build entry;
    struct cov_object r = report_of(b, &entry);
    const assay_store_id nowhere = { { 1, 2, 3 } };
    r.report.parent = nowhere;
    with_report(b, &r, "S06 ");
    r.report.parent = b->build;
    with_report(b, &r, "S06 S17 ");
    r = report_of(b, &entry);
    r.report.file_list = nowhere;
    with_report(b, &r, "S06 S08 S17 ");
}

static void builds_are_looked_at(void **state)
{
    struct box *b = *state;
    assay_store_build entry;
    struct cov_object r = report_of(b, &entry);
    entry.build = (assay_store_id){ { 1, 2, 3 } };
    with_report(b, &r, "S09 ");
}

static void sums_are_looked_at(void **state)
{
    struct box *b = *state;
    assay_store_build entry;
    struct cov_object r = report_of(b, &entry);
    r.report.stats.lines_total++;
    with_report(b, &r, "S12 ");
    r = report_of(b, &entry);
    entry.propset = (assay_slice){ "", 0 };
    with_report(b, &r, "S12 S13 S17 ");
}

static void a_report_without_a_build_is_told(void **state)
{
    struct box *b = *state;
    assay_store_build entry;
    struct cov_object r = report_of(b, &entry);
    r.report.build_count = 0;
    with_report(b, &r, "S14 ");
}

static void lists_are_looked_at(void **state)
{
    struct box *b = *state;
    assay_store_build entry;
    struct cov_file file;
    struct cov_object list = list_of(b, &file), r = report_of(b, &entry);
    file.lines.id = (assay_store_id){ { 1, 2, 3 } };
    r.report.file_list = put(b, &list);
    with_report(b, &r, "S10 ");
    list = list_of(b, &file);
    file.lines.summary.visited = 0;
    r.report.file_list = put(b, &list);
    r.report.stats.lines.visited = 0;
    with_report(b, &r, "S10 S15 S17 ");
}

static void object_name(const assay_store_id *id, char *buf, size_t len)
{
    char hex[COV_ID_HEX + 1];
    cov_id_hex(id, hex);
    snprintf(buf, len, "objects/coverage/%.2s/%s", hex, hex + 2);
}

static void damaged_objects_are_told_with_all_who_need_them(void **state)
{
    struct box *b = *state;
    char name[80];
    object_name(&b->lines, name, sizeof name);
    write_text(b, name, "rubbish");
    expect(b, "C04 C06 C24 S10 ");
}

/* No two objects can name each other by their SHA-1; but files can have any name. */
static void parents_that_go_round_are_told(void **state)
{
    struct box *b = *state;
    char name[80], from[160], to[160];
    assay_store_build entry;
    struct cov_object r = report_of(b, &entry);
    const assay_store_id claimed = { { 0x77, 1 } };
    r.report.parent = claimed;
    assay_store_id real = put(b, &r);
    object_name(&real, name, sizeof name);
    snprintf(from, sizeof from, "%s/%s", b->path, name);
    object_name(&claimed, name, sizeof name);
    write_text(b, name, "");
    snprintf(to, sizeof to, "%s/%s", b->path, name);
    assert_int_equal(rename(from, to), 0);
    write_ref(b, "refs/heads/round", &claimed);
    expect(b, "C24 S07 ");
}

static void strays_and_unreachable_objects_are_told(void **state)
{
    struct box *b = *state;
    write_text(b, "objects/coverage/objectXYZ", "x");
    expect(b, "S18 ");
    write_text(b, "objects/coverage/zz/readme", "x");
    expect(b, "S18 S19 ");
    (void)put(b, &(struct cov_object){ .kind = COV_FUNCTIONS });
    expect(b, "S17 S18 S19 ");
}

/* ---- objects ---- */

static void objects_are_found_by_id_and_by_first_digits(void **state)
{
    struct box *b = *state;
    struct store_object o;
    assay_store_id id;
    char hex[COV_ID_HEX + 1];
    cov_id_hex(&b->report, hex);
    assert_int_equal(store_resolve(b->s, (assay_slice){ hex, 6 }, &id, NULL), 0);
    assert_int_equal(cov_id_compare(&id, &b->report), 0);
    assert_int_equal(store_resolve(b->s, (assay_slice){ hex, 3 }, &id, NULL), ASSAY_ERR_UNKNOWN);
    assert_int_equal(store_resolve(b->s, SLICE("zzzz"), &id, NULL), ASSAY_ERR_UNKNOWN);
    assert_int_equal(store_read(b->s, &b->report, COV_REPORT, &o, NULL), 0);
    assert_true(slice_is(o.o.report.message, "m"));
    store_object_done(&o);
    assert_int_equal(store_read(b->s, &b->report, COV_BUILD, &o, NULL), ASSAY_ERR_DAMAGED);
    assert_int_equal(store_read(b->s, &(assay_store_id){ { 1 } }, COV_NONE, &o, NULL), ASSAY_ERR_UNKNOWN);
}

static void two_objects_with_the_same_digits_are_ambiguous(void **state)
{
    struct box *b = *state;
    assay_store_id id;
    char name[80] = "objects/coverage/00/";
    for (int i = 0; i < 2; i++) {
        memset(name + 20, '0', 37);
        name[57] = (char)('1' + i);
        name[58] = '\0';
        write_text(b, name, "x");
    }
    assert_int_equal(store_resolve(b->s, SLICE("0000"), &id, NULL), ASSAY_ERR_AMBIGUOUS);
}

static void what_is_given_up_leaves_nothing_behind(void **state)
{
    struct box *b = *state;
    assay_store_id id;
    assert_int_equal(store_write(b->s, &(struct cov_object){ .kind = COV_FUNCTIONS }, &id, NULL), 0);
    assert_false(store_has(b->s, &id));
    store_forget(b->s);
    expect(b, "");
    assert_int_equal(store_write(b->s, &(struct cov_object){ .kind = COV_FUNCTIONS }, &id, NULL), 0);
    assert_int_equal(store_sync(b->s, NULL), 0);
    assert_true(store_has(b->s, &id));
}

/* git hash-object of these bytes. */
static void blobs_have_the_ids_of_git(void **state)
{
    struct box *b = *state;
    assay_store_id id;
    struct arena a;
    assay_slice text;
    char hex[COV_ID_HEX + 1];
    assert_int_equal(store_write_blob(b->s, "hello\n", 6, &id, NULL), 0);
    assert_int_equal(store_sync(b->s, NULL), 0);
    assert_string_equal(cov_id_hex(&id, hex), "ce013625030ba8dba906f756967f9e9ca394464a");
    arena_init(&a, &b->mem);
    assert_int_equal(store_read_blob(b->s, &id, &a, &text, NULL), 0);
    assert_true(slice_is(text, "hello\n"));
    arena_done(&a);
}

/* ---- references ---- */

static void names_follow_the_rules(void **state)
{
    (void)state;
    static const char *const good[] = { "HEAD", "refs/heads/main", "refs/heads/a/b-c", "refs/tags/v1.0", "A_B" };
    static const char *const bad[] = { "",          "head",     "refs//x",  "/refs",    "refs/",   "refs/.x", "refs/x.lock",
                                       "refs/a..b", "refs/a b", "refs/a:b", "refs/@{x", "refs/a*", "../x",    "refs/a\x01" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(refs_name_ok(slice_of(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (refs_name_ok(slice_of(bad[i]))) fail_msg("'%s' is taken for a name", bad[i]);
}

static void of_two_changes_one_is_told(void **state)
{
    struct box *b = *state;
    const assay_store_id zero = { { 0 } };
    assay_store_id found_id;
    bool moved;
    assert_int_equal(refs_update(b->s, "refs/heads/new", &zero, &b->report, "first", &moved, NULL, NULL), 0);
    assert_true(moved);
    assert_int_equal(refs_update(b->s, "refs/heads/new", &zero, &b->build, "second", &moved, &found_id, NULL), 0);
    assert_false(moved);
    assert_int_equal(cov_id_compare(&found_id, &b->report), 0);
    struct ref_value v;
    assert_int_equal(refs_read(b->s, "refs/heads/new", &v, NULL), 0);
    assert_int_equal(v.kind, REF_ID);
    assert_int_equal(cov_id_compare(&v.id, &b->report), 0);
}

static void a_lock_that_is_held_keeps_others_out(void **state)
{
    struct box *b = *state;
    struct ref_lock lock;
    assert_int_equal(ref_lock(b->s, "refs/heads/main", &lock, NULL), 0);
    char path[128];
    snprintf(path, sizeof path, "%s/refs/heads/main.lock", b->path);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(lock.old.kind, REF_ID);
    ref_lock_release(&lock);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* A number that is none, or has something behind it, names no process. */
static void the_owner_of_a_lock_is_a_whole_number(void **state)
{
    struct box *b = *state;
    static const char *const said[][2] = { { "pid 4711\n", "process 4711" },   { "pid 4711", "process 4711" },
                                           { "pid 47x\n", "another process" }, { "pid -1\n", "another process" },
                                           { "pid \n", "another process" },    { "4711\n", "another process" },
                                           { "", "another process" },          { "pid 99999999999999999999999\n", "another process" } };
    char path[300], owner[48];
    long age;
    snprintf(path, sizeof path, "%s/refs/heads/main.lock", b->path);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        write_text(b, "refs/heads/main.lock", said[i][0]);
        ref_lock_owner(path, owner, sizeof owner, &age);
        assert_string_equal(owner, said[i][1]);
    }
}

static void die_with_a_lock(struct box *b)
{
    struct ref_lock lock;
    int status;
    pid_t child = fork();
    if (child == 0) _exit(ref_lock(b->s, "refs/heads/main", &lock, NULL) == 0 ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* A process dies with its lock: the next one takes it over, or gc removes it, however young it is. */
static void a_lock_of_the_dead_is_taken_over(void **state)
{
    struct box *b = *state;
    struct ref_lock lock;
    struct gc_result r;
    die_with_a_lock(b);
    assert_int_equal(ref_lock(b->s, "refs/heads/main", &lock, NULL), 0);
    ref_lock_release(&lock);
    store_close(b->s); /* which has written objects, and so keeps gc out */
    assert_int_equal(store_open(&b->s, b->path, &b->mem, NULL), 0);
    die_with_a_lock(b);
    assert_int_equal(store_gc(b->s, &(struct gc_options){ .grace = 7200 }, &r, NULL), 0);
    assert_int_equal(r.locks, 1);
}

static int count_entry(void *arg, const struct reflog_entry *e)
{
    char *text = arg;
    snprintf(text + strlen(text), 200 - strlen(text), "%.*s;", (int)e->why.len, e->why.data);
    assert_int_equal(e->when, 1700000000);
    assert_true(slice_is(e->who, "N <m>"));
    return 0;
}

static void changes_are_remembered(void **state)
{
    struct box *b = *state;
    bool moved;
    char text[200] = "";
    setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
    assert_int_equal(store_set_identity(b->s, "N <m>", NULL), 0);
    assert_int_equal(refs_update(b->s, "refs/heads/main", NULL, &b->build, "one\nmore", &moved, NULL, NULL), 0);
    assert_int_equal(refs_update(b->s, "refs/heads/main", NULL, &b->report, "two", &moved, NULL, NULL), 0);
    unsetenv("SOURCE_DATE_EPOCH");
    assert_int_equal(reflog_each(b->s, "refs/heads/main", count_entry, text, NULL), 0);
    assert_string_equal(text, "two;one;");
}

/* Somebody was killed between the change and its line, or in the middle of the line; the next one makes up for it. */
static void a_reflog_that_lags_behind_is_mended(void **state)
{
    struct box *b = *state;
    bool moved;
    char text[200] = "";
    setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
    assert_int_equal(store_set_identity(b->s, "N <m>", NULL), 0);
    assert_int_equal(refs_update(b->s, "refs/heads/main", NULL, &b->build, "one", &moved, NULL, NULL), 0);
    write_ref(b, "refs/heads/main", &b->report);
    char path[128];
    snprintf(path, sizeof path, "%s/logs/refs/heads/main", b->path);
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs("0123456789 half", f);
    fclose(f);
    assert_int_equal(refs_update(b->s, "refs/heads/main", NULL, &b->build, "two", &moved, NULL, NULL), 0);
    unsetenv("SOURCE_DATE_EPOCH");
    assert_int_equal(reflog_each(b->s, "refs/heads/main", count_entry, text, NULL), 0);
    assert_string_equal(text, "two;changed without a line in this log;one;");
}

/* A hostile repository could have it lead to a file of the user's. */
static void a_reflog_behind_a_link_is_refused(void **state)
{
    struct box *b = *state;
    bool moved;
    char path[128];
    assay_error err = { 0 };
    write_text(b, "victim", "x");
    write_text(b, "logs/refs/heads/other", "");
    snprintf(path, sizeof path, "%s/logs/refs/heads/main", b->path);
    assert_int_equal(symlink("../../../victim", path), 0);
    assert_int_equal(refs_update(b->s, "refs/heads/main", NULL, &b->build, "one", &moved, NULL, &err), ASSAY_ERR_WRITE);
    if (!strstr(err.text, "symbolic link")) fail_msg("%s", err.text);
    unlink(path);
    snprintf(path, sizeof path, "%s/logs/refs/folder", b->path);
    assert_int_equal(symlink("heads", path), 0);
    assert_int_equal(refs_update(b->s, "refs/folder/x", NULL, &b->build, "one", &moved, NULL, NULL), ASSAY_ERR_WRITE);
    struct ref_value v;
    assert_int_equal(refs_read(b->s, "refs/heads/main", &v, NULL), 0);
    assert_int_equal(cov_id_compare(&v.id, &b->report), 0);
}

static int list_names(void *arg, const char *name, const struct ref_value *v)
{
    char *text = arg;
    snprintf(text + strlen(text), 300 - strlen(text), "%s=%d;", name, v->kind);
    return 0;
}

static void references_are_listed_by_name(void **state)
{
    struct box *b = *state;
    char text[300] = "";
    write_text(b, "refs/heads/z/deep/er", "ref: refs/heads/main\n");
    write_text(b, "refs/heads/main.lock", "x");
    write_ref(b, "refs/tags/v1", &b->report);
    assert_int_equal(refs_each(b->s, "refs/", list_names, text, NULL), 0);
    assert_string_equal(text, "refs/heads/main=1;refs/heads/z/deep/er=2;refs/tags/v1=1;");
}

/* ---- gc ---- */

static void reopen(struct box *b)
{
    store_close(b->s);
    assert_int_equal(store_open(&b->s, b->path, &b->mem, NULL), 0);
}

static void gc_removes_what_nothing_leads_to(void **state)
{
    struct box *b = *state;
    struct gc_result r;
    assay_store_id lost = put(b, &(struct cov_object){ .kind = COV_FUNCTIONS }), source;
    assert_int_equal(store_write_blob(b->s, "x", 1, &source, NULL), 0);
    assert_int_equal(store_sync(b->s, NULL), 0);
    write_text(b, "objects/tmp-1-2-3", "x");
    reopen(b);
    assert_int_equal(store_gc(b->s, &(struct gc_options){ .grace = 7200 }, &r, NULL), 0);
    assert_int_equal(r.objects + r.blobs, 0);
    assert_int_equal(r.temporaries, 1); /* nobody writes now: it was left over, however young it is */
    assert_int_equal(r.kept, 2);
    write_text(b, "objects/objectXYZ", "x"); /* the original's does not say whose it is */
    usleep(20000);                           /* the clock of file systems is coarse */
    assert_int_equal(store_gc(b->s, &(struct gc_options){ .grace = 0, .dry_run = true }, &r, NULL), 0);
    assert_int_equal(r.objects + r.blobs + r.temporaries, 3);
    assert_true(store_has(b->s, &lost));
    assert_int_equal(store_gc(b->s, &(struct gc_options){ .grace = 0 }, &r, NULL), 0);
    assert_int_equal(r.objects, 1);
    assert_int_equal(r.blobs, 1);
    assert_int_equal(r.temporaries, 1);
    assert_false(store_has(b->s, &lost));
    expect(b, "");
}

/* A writer removes what killed ones left, but not while somebody else writes. */
static void writers_remove_what_was_left_over(void **state)
{
    struct box *b = *state;
    struct store *other;
    struct cov_object o = { .kind = COV_FUNCTIONS };
    assay_store_id id;
    char path[128];
    write_text(b, "objects/tmp-1-2-3", "x");
    snprintf(path, sizeof path, "%s/objects/tmp-1-2-3", b->path);
    assert_int_equal(store_open(&other, b->path, &b->mem, NULL), 0);
    assert_int_equal(store_write(other, &o, &id, NULL), 0); /* b->s has written, and is open */
    assert_int_equal(access(path, F_OK), 0);
    store_close(other);
    reopen(b);
    assert_int_equal(store_write(b->s, &o, &id, NULL), 0);
    assert_int_not_equal(access(path, F_OK), 0);
    store_forget(b->s);
}

/* A folder of objects that leads out of the store: nothing is read, written or removed there. */
static void folders_that_are_links_are_refused(void **state)
{
    struct box *b = *state;
    struct cov_object o = { .kind = COV_FUNCTIONS };
    struct store_object got;
    assay_store_id id = put(b, &o);
    struct gc_result r;
    char hex[COV_ID_HEX + 1], from[128], to[128];
    cov_id_hex(&id, hex);
    snprintf(from, sizeof from, "%s/objects/coverage/%.2s", b->path, hex);
    snprintf(to, sizeof to, "%s/elsewhere", b->path);
    assert_int_equal(rename(from, to), 0);
    assert_int_equal(symlink("../../elsewhere", from), 0);
    assert_int_equal(store_read(b->s, &id, COV_NONE, &got, NULL), ASSAY_ERR_DAMAGED);
    expect(b, "S26 ");
    assert_int_equal(store_write(b->s, &o, &id, NULL), 0);
    assay_error err = { 0 };
    assert_int_equal(store_sync(b->s, &err), ASSAY_ERR_WRITE);
    if (!strstr(err.text, "symbolic link")) fail_msg("%s", err.text);
    reopen(b);
    usleep(20000);
    assert_int_equal(store_gc(b->s, &(struct gc_options){ .grace = 0 }, &r, NULL), 0);
    assert_int_equal(r.objects, 0);
    snprintf(to, sizeof to, "%s/elsewhere/%s", b->path, hex + 2);
    assert_int_equal(access(to, F_OK), 0);
}

static void gc_keeps_what_a_reflog_leads_to(void **state)
{
    struct box *b = *state;
    struct gc_result r;
    assay_store_build entry;
    struct cov_object o = report_of(b, &entry);
    bool moved;
    o.report.added = 8;
    assay_store_id second = put(b, &o);
    assert_int_equal(refs_update(b->s, "refs/heads/main", NULL, &second, "to", &moved, NULL, NULL), 0);
    assert_int_equal(refs_update(b->s, "refs/heads/main", NULL, &b->report, "back", &moved, NULL, NULL), 0);
    reopen(b);
    usleep(20000);
    assert_int_equal(store_gc(b->s, &(struct gc_options){ .grace = 0 }, &r, NULL), 0);
    assert_true(store_has(b->s, &second));
    expect(b, "");
}

static void gc_removes_nothing_when_something_needed_is_damaged(void **state)
{
    struct box *b = *state;
    struct gc_result r;
    char name[80];
    assay_store_id lost = put(b, &(struct cov_object){ .kind = COV_FUNCTIONS });
    object_name(&b->files, name, sizeof name);
    write_text(b, name, "rubbish");
    reopen(b);
    usleep(20000);
    assert_int_equal(store_gc(b->s, &(struct gc_options){ .grace = 0 }, &r, NULL), ASSAY_ERR_DAMAGED);
    assert_true(store_has(b->s, &lost));
}

/* ---- memory ---- */

static void refused_memory_is_an_error_and_nothing_more(void **state)
{
    struct box *b = *state;
    size_t before = b->mem.used;
    int rc = ASSAY_ERR_MEMORY;
    for (uint64_t n = 1; rc != 0 && n < 10000; n++) {
        struct findings f;
        struct store *s = NULL;
        struct store_object o;
        b->mem.fail_at = b->mem.requests + n;
        findings_init(&f, &b->mem);
        rc = store_open(&s, b->path, &b->mem, NULL);
        if (rc == 0) rc = store_fsck(s, NULL, 0, &f, NULL, NULL);
        if (rc == 0 && f.failed) rc = ASSAY_ERR_MEMORY;
        if (rc == 0) rc = store_read(s, &b->report, COV_REPORT, &o, NULL);
        if (rc == 0) store_object_done(&o);
        findings_done(&f);
        store_close(s);
        b->mem.fail_at = 0;
        if (rc != 0 && rc != ASSAY_ERR_MEMORY) fail_msg("allocation %llu: error %d", (unsigned long long)n, rc);
        assert_int_equal(b->mem.used, before);
    }
    assert_int_equal(rc, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_sound_store_has_no_findings),
        TEST(references_are_looked_at),
        TEST(worktrees_and_git_are_looked_at),
        TEST(reports_are_looked_at),
        TEST(builds_are_looked_at),
        TEST(sums_are_looked_at),
        TEST(a_report_without_a_build_is_told),
        TEST(lists_are_looked_at),
        TEST(damaged_objects_are_told_with_all_who_need_them),
        TEST(parents_that_go_round_are_told),
        TEST(strays_and_unreachable_objects_are_told),
        TEST(objects_are_found_by_id_and_by_first_digits),
        TEST(two_objects_with_the_same_digits_are_ambiguous),
        TEST(what_is_given_up_leaves_nothing_behind),
        TEST(blobs_have_the_ids_of_git),
        TEST(names_follow_the_rules),
        TEST(of_two_changes_one_is_told),
        TEST(a_lock_that_is_held_keeps_others_out),
        TEST(the_owner_of_a_lock_is_a_whole_number),
        TEST(a_lock_of_the_dead_is_taken_over),
        TEST(changes_are_remembered),
        TEST(a_reflog_that_lags_behind_is_mended),
        TEST(a_reflog_behind_a_link_is_refused),
        TEST(references_are_listed_by_name),
        TEST(gc_removes_what_nothing_leads_to),
        TEST(writers_remove_what_was_left_over),
        TEST(folders_that_are_links_are_refused),
        TEST(gc_keeps_what_a_reflog_leads_to),
        TEST(gc_removes_nothing_when_something_needed_is_damaged),
        TEST(refused_memory_is_an_error_and_nothing_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
