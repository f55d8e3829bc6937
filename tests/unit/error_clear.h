/* For tests that every public function that takes an error clears it: each is called with one full of junk, where it fails and where it succeeds. A table
 * names the calls, and must have every such function that a public header declares. */
#ifndef ASSAY_TESTS_ERROR_CLEAR_H
#define ASSAY_TESTS_ERROR_CLEAR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"

struct error_call {
    const char *name;
    void (*call)(void);
};

static assay_error poisoned(void)
{
    assay_error err;
    memset(&err, 0xa5, sizeof err);
    return err;
}

/* What must be left of the junk after a call that returned `rc`: nothing. `path` is the input or output that it names; NULL = any. */
static void assert_cleared(const assay_error *err, int rc, const char *path)
{
    assert_int_equal(err->code, rc);
    assert_non_null(memchr(err->path, '\0', sizeof err->path));
    assert_non_null(memchr(err->text, '\0', sizeof err->text));
    if (path) assert_string_equal(err->path, path);
    assert_true((err->text[0] != '\0') == (rc != 0));
    assert_true(err->sys_errno >= 0 && (err->sys_errno == 0 || rc != 0));
    assert_true(!err->has_offset || rc == ASSAY_ERR_DAMAGED);
    assert_true(err->offset < 100 && err->line < 100 && (err->has_offset || (err->offset == 0 && err->line == 0)));
    assert_null(err->rule);
    assert_true(err->hint >= ASSAY_HINT_NONE && err->hint <= ASSAY_HINT_WORKTREE);
}

/* Runs a call on a poisoned error and wants `rc` of it. */
#define GIVES(wanted, named, call)                                                                                                                             \
    do {                                                                                                                                                       \
        assay_error err = poisoned();                                                                                                                          \
        int got = (call);                                                                                                                                      \
        assert_int_equal(got, (wanted));                                                                                                                       \
        assert_cleared(&err, got, (named));                                                                                                                    \
    } while (0)

/* One declaration, from ASSAY_API to the semicolon: is it in the table, when it takes an error? */
static void look_for(char *declaration, const struct error_call *calls, size_t count)
{
    if (!strstr(declaration, "assay_error *err") || strstr(declaration, "const assay_error *err")) return;
    char *open = strchr(declaration, '('), *name = open;
    *open = '\0';
    while (name > declaration && name[-1] != ' ' && name[-1] != '*') name--;
    for (size_t i = 0; i < count; i++)
        if (strcmp(calls[i].name, name) == 0) return;
    fail_msg("%s takes an error and is not in the table of this test", name);
}

/* Every function of a public header that takes an error is in the table. */
static void look_into(const char *path, const struct error_call *calls, size_t count)
{
    static char text[1 << 17];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t len = fread(text, 1, sizeof text - 1, f);
    assert_true(len < sizeof text - 1);
    text[len] = '\0';
    fclose(f);
    for (char *at = text; (at = strstr(at, "ASSAY_API "));) {
        char *end = strchr(at, ';');
        if (!end) break;
        *end = '\0';
        look_for(at, calls, count);
        at = end + 1;
    }
}

#endif
