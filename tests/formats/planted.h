/* For tests of rules: texts with one planted defect each, the finding expected of it, and texts that are nearly wrong but are not. A list
 * of them for a format is all that its test has to give. */
#ifndef TESTS_PLANTED_H
#define TESTS_PLANTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "registry.h"

#define E ASSAY_ERROR
#define W ASSAY_WARNING
#define I ASSAY_INFO

/* `@` at the start of a line marks where the rule must be reported; it is no part of the text. */
struct defect {
    const char *rule;
    int severity;
    const char *text;
};

struct planted {
    char text[2048];
    size_t len;
    uint64_t off, line;
    bool has_place;
};

static inline struct planted plant(const char *text)
{
    struct planted p = { .line = 1 };
    bool is_start = true;
    assert_true(strlen(text) < sizeof p.text);
    for (size_t i = 0; text[i]; i++) {
        if (is_start && text[i] == '@') {
            p.has_place = true;
            p.off = p.len;
            continue;
        }
        is_start = text[i] == '\n';
        if (is_start && !p.has_place) p.line++;
        p.text[p.len++] = text[i];
    }
    return p;
}

struct checked {
    struct mem mem;
    struct input *in;
    struct findings found;
};

static inline void check_text(struct checked *c, const char *format, const void *text, size_t len)
{
    static const struct assay_read_options none;
    const struct format *f = registry_find(slice_of(format));
    assay_error err = { 0 };
    mem_init(&c->mem, 0);
    struct input_options o = { .mem = &c->mem };
    assert_int_equal(input_open_memory(&c->in, text, len, "text", &o, &err), 0);
    findings_init(&c->found, &c->mem);
    struct read_job job = { .in = c->in, .options = &none, .mem = &c->mem };
    assert_int_equal(f->check(&job, &c->found, &err), 0);
    assert_false(c->found.failed);
}

static inline void check_done(struct checked *c)
{
    findings_done(&c->found);
    input_close(c->in);
    assert_int_equal(c->mem.used, 0);
}

static inline const assay_finding *found_rule(const struct checked *c, const char *rule)
{
    for (size_t i = 0; i < c->found.list.len; i++)
        if (strcmp(c->found.list.at[i].rule, rule) == 0) return &c->found.list.at[i];
    return NULL;
}

/* Strict reading refuses what check calls an error, and nothing else. */
static inline void read_strictly(const char *format, const struct planted *p, const struct checked *c)
{
    struct assay_read_options o = { .format = format, .strict = true };
    assay_profile *profile = NULL;
    assay_error err = { 0 };
    int rc = assay_read_memory(p->text, p->len, "text", &o, &profile, &err);
    if ((rc != 0) != (c->found.errors > 0)) fail_msg("strict reading gives %d, check %llu errors, of:\n%s", rc, (unsigned long long)c->found.errors, p->text);
    assay_profile_release(profile);
}

static inline void each_defect_is_found_where_it_stands(const char *format, const struct defect *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct defect *d = &list[i];
        struct planted p = plant(d->text);
        struct checked c;
        check_text(&c, format, p.text, p.len);
        const assay_finding *f = found_rule(&c, d->rule);
        if (!f) fail_msg("defect %zu: no %s in:\n%s", i, d->rule, p.text);
        if (f->severity != d->severity) fail_msg("defect %zu: %s has severity %d", i, d->rule, f->severity);
        if (!p.has_place || f->line != p.line || !f->has_offset || f->offset != p.off)
            fail_msg("defect %zu: %s in line %llu at %llu, not %llu at %llu", i, d->rule, (unsigned long long)f->line, (unsigned long long)f->offset,
                     (unsigned long long)p.line, (unsigned long long)p.off);
        if (!*f->message) fail_msg("defect %zu: %s says nothing", i, d->rule);
        read_strictly(format, &p, &c);
        check_done(&c);
    }
}

/* For what begins inside a line: the rule must be reported where `at` first stands in the text. */
struct placed {
    const char *rule;
    int severity;
    const char *text, *at;
};

static inline void each_defect_is_found_at(const char *format, const struct placed *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct planted p = plant(list[i].text);
        struct checked c;
        check_text(&c, format, p.text, p.len);
        const assay_finding *f = found_rule(&c, list[i].rule);
        const char *at = strstr(p.text, list[i].at);
        if (!f) fail_msg("defect %zu: no %s in:\n%s", i, list[i].rule, p.text);
        if (f->severity != list[i].severity) fail_msg("defect %zu: %s has severity %d", i, list[i].rule, f->severity);
        assert_non_null(at);
        if (f->offset != (uint64_t)(at - p.text)) fail_msg("defect %zu: %s at %llu of:\n%s", i, list[i].rule, (unsigned long long)f->offset, p.text);
        read_strictly(format, &p, &c);
        check_done(&c);
    }
}

static inline void near_misses_are_not_reported(const char *format, const struct defect *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct checked c;
        check_text(&c, format, list[i].text, strlen(list[i].text));
        const assay_finding *f = found_rule(&c, list[i].rule);
        if (f) fail_msg("near miss %zu: %s in line %llu (%s) of:\n%s", i, list[i].rule, (unsigned long long)f->line, f->message, list[i].text);
        check_done(&c);
    }
}

static inline void every_rule_is_there(const char *const *rules, const struct defect *list, size_t count, const struct defect *near, size_t near_count)
{
    for (; *rules; rules++) {
        bool has_defect = false, has_near = false;
        for (size_t i = 0; i < count; i++) has_defect |= strcmp(list[i].rule, *rules) == 0;
        for (size_t i = 0; i < near_count; i++) has_near |= strcmp(near[i].rule, *rules) == 0;
        if (!has_defect || !has_near) fail_msg("%s has no %s", *rules, has_defect ? "near miss" : "defect");
    }
}

#endif
