/* For the tests of measurement files: the fixtures that make.py writes, changed here and there, and one call of each function on them.
 * Offsets in the tests are those that `make.py -v` prints. */
#ifndef TESTS_HPCRUN_HR_H
#define TESTS_HPCRUN_HR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "formats/hpcrun/hpcrun.h"
#include "harness.h"

struct hr {
    unsigned char at[8192];
    size_t len;
};

static inline void hr_load(struct hr *f, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/%s", harness_source(), name);
    FILE *in = fopen(path, "rb");
    if (!in) fail_msg("cannot open %s", path);
    f->len = fread(f->at, 1, sizeof f->at, in);
    fclose(in);
    assert_true(f->len > 0 && f->len < sizeof f->at);
}

/* Most significant byte first, as all but 02.00l and flat files have it. */
static inline void hr_put(struct hr *f, size_t off, unsigned size, uint64_t v)
{
    assert_true(off + size <= sizeof f->at);
    for (unsigned i = 0; i < size; i++) f->at[off + i] = (unsigned char)(v >> (8 * (size - 1 - i)));
    if (off + size > f->len) f->len = off + size;
}

struct hr_check {
    struct mem mem;
    struct findings found;
};

/* `name` decides which format checks it, and is what the file is called. */
static inline void hr_check(struct hr_check *c, const struct hr *f, const char *name)
{
    struct hpcrun_source source = { { (const char *)f->at, f->len }, name, false };
    hpcrun_check_fn *check = strstr(name, ".hpctrace") ? hpctrace_check_source : strstr(name, "-flat") ? hpcrun_flat_check_source : hpcrun_check_source;
    mem_init(&c->mem, 0);
    findings_init(&c->found, &c->mem);
    assert_int_equal(check(&source, &c->mem, &c->found, NULL), 0);
}

static inline void hr_check_done(struct hr_check *c)
{
    findings_done(&c->found);
    assert_int_equal(c->mem.used, 0);
}

static inline const assay_finding *hr_find(const struct findings *found, const char *rule, uint64_t off)
{
    for (size_t i = 0; i < found->list.len; i++)
        if (strcmp(found->list.at[i].rule, rule) == 0 && found->list.at[i].offset == off) return &found->list.at[i];
    for (size_t i = 0; i < found->list.len; i++)
        print_error("found %s at %llu: %s\n", found->list.at[i].rule, (unsigned long long)found->list.at[i].offset, found->list.at[i].message);
    fail_msg("no %s at %llu", rule, (unsigned long long)off);
    return NULL;
}

/* Owned by the caller; NULL = *err says why. */
static inline assay_profile *hr_read(const struct hr *f, const char *format, uint32_t want, bool strict, assay_error *err)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .format = format, .want = want, .strict = strict };
    int rc = assay_read_memory(f->at, f->len, "sample", &o, &p, err);
    assert_true((rc == 0) == (p != NULL));
    return p;
}

static inline uint64_t hr_count(const assay_profile *p, const char *name)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(assay_profile_string(p, c->name[i]).data, name) == 0) return c->value[i];
    fail_msg("no count %s", name);
    return 0;
}

#endif
