/* libFuzzer target: statements of SQL on three small profiles. Whatever is asked is answered or refused with a sentence, in bounded work, and a tree that rows make is one. */
#include "fuzz.h"

#include "assay/build.h"
#include "assay/cancel.h"
#include "assay/query.h"
#include "harness.h"

enum { ASKED_MOST = 150, STATEMENTS_MOST = 8, ROWS_MOST = 500 };

static const char folded[] = "main;read;parse 7\nmain;read 2\nmain;write;parse;parse 5\nmain;it's 1\n";
static const char lcov[] = "TN:one\nSF:a.c\nFN:1,4,main\nFNDA:2,main\nBRDA:2,0,0,1\nBRDA:2,0,1,-\nDA:1,2\nDA:2,18446744073709551615\nDA:3,0\nend_of_record\n";
static const char callgrind[] = "events: Ir Dr\nfl=a.c\nfn=main\n1 10 2\ncfn=work\ncalls=3 5\n2 30 6\nfn=work\n5 30 6\n";

static assay_profile *profile_of(const char *text, size_t len, const char *name)
{
    assay_error err = { 0 };
    assay_profile *p;
    struct assay_input in = ASSAY_FROM_MEMORY(text, len, name);
    struct assay_read_options o = { .size = sizeof o, .want = ASSAY_WANT_ALL & ~(uint32_t)ASSAY_WANT_WHOLE };
    harness_promise(assay_read_from(&in, &o, &p, &err) == 0, "%s: %s", name, err.text);
    return p;
}

/* Some statements never end: they are cancelled after so many questions, which is the same for the same statement. */
static unsigned asked;

static int is_enough(void *arg)
{
    (void)arg;
    return ++asked > ASKED_MOST;
}

static int swallow(void *arg, const char *text, size_t len)
{
    *(size_t *)arg += len;
    (void)text;
    return 0;
}

static assay_query *open_query(assay_profile *const *profiles)
{
    static const char *const names[] = { "stacks", "tests", "costs" };
    assay_error err = { 0 };
    assay_query *q;
    struct assay_query_options o = { .size = sizeof o, .max_rows = ROWS_MOST, .max_memory = 32 << 20 };
    harness_promise(assay_query_new(&o, &q, &err) == 0, "%s", err.text);
    for (int i = 0; i < 3; i++) harness_promise(assay_query_profile(q, names[i], names[i], profiles[i], &err) == 0, "%s", err.text);
    return q;
}

static void run(assay_query *q, const char *sql, enum assay_rows_style style)
{
    size_t printed = 0;
    for (int i = 0; i < STATEMENTS_MOST; i++) {
        assay_error err = { 0 };
        assay_rows *rows;
        int rc = assay_query_prepare(q, sql, &sql, &rows, &err);
        harness_code(rc, &err, "prepare");
        if (rc != 0 || !rows) return;
        struct assay_rows_print_options o = { .size = sizeof o, .style = style };
        rc = assay_rows_print(rows, &o, swallow, &printed, NULL, &err);
        harness_code(rc, &err, "print");
        assay_rows_free(rows);
    }
}

static void draw(assay_query *q, const char *sql)
{
    assay_error err = { 0 };
    assay_profile *p;
    int rc = assay_query_tree(q, sql, &p, &err);
    harness_code(rc, &err, "tree");
    if (rc == 0) harness_profile(p);
    assay_profile_release(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static assay_profile *profiles[3];
    struct mem mem;
    struct arena a;
    harness_doing("asking in SQL");
    if (!profiles[0]) {
        profiles[0] = profile_of(folded, sizeof folded - 1, "a.folded");
        profiles[1] = profile_of(lcov, sizeof lcov - 1, "a.info");
        profiles[2] = profile_of(callgrind, sizeof callgrind - 1, "a.callgrind");
    }
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    const char *sql = arena_copy(&a, (assay_slice){ len ? (const char *)data : "", len });
    assay_query *q = open_query(profiles);
    asked = 0;
    assay_cancel_set(is_enough, NULL);
    run(q, sql, (enum assay_rows_style)(harness_seed(data, len) % 5));
    asked = 0;
    assay_cancel_set(is_enough, NULL); /* a cancelled one must not spoil the next */
    draw(q, sql);
    assay_cancel_set(NULL, NULL);
    assay_query_free(q);
    arena_done(&a);
    return 0;
}
