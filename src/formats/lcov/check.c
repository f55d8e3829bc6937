/* The rules of lcov beyond damage: collects each record of a file; check_record.c judges it when it ends. */
#include "formats/lcov/check.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/scoped.h"
#include "formats/lcov/lcov.h"

void lcov_checker_init(struct lcov_checker *c, struct findings *out, struct mem *mem)
{
    memset(c, 0, sizeof *c);
    c->out = out;
    c->mem = mem;
    intern_init(&c->names, mem);
    index_init(&c->more_lines, mem);
}

void lcov_checker_done(struct lcov_checker *c)
{
    vec_done(c->mem, &c->lines, &c->branches, &c->conditions, &c->functions, &c->pending, &c->by_name, &c->version);
    intern_done(&c->names);
    index_done(&c->more_lines);
    lcov_check_sources_done(c);
}

void lcov_found(struct lcov_checker *c, struct lcov_at at, const char *rule, int severity, const char *fmt, ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    findings_add(c->out, rule, severity, at.off, at.number, "%s", text);
}

static struct lcov_at place(const struct lcov_record *r) { return (struct lcov_at){ r->off, r->number }; }

/* The entry of a name id; NULL = no memory. */
static uint32_t *slot(struct lcov_checker *c, struct lcov_by_name *by, uint32_t id)
{
    if (id >= by->len) {
        size_t more = (size_t)id + 1 - by->len;
        if (!vec_reserve(c->mem, by, more)) return NULL;
        memset(by->at + by->len, 0, more * sizeof *by->at);
        by->len = (size_t)id + 1;
    }
    return &by->at[id];
}

/* ---- a file's record begins ---- */

static bool source(struct lcov_checker *c, const struct lcov_record *r)
{
    if (c->is_open && !lcov_check_record_end(c)) return false;
    c->is_open = true;
    c->begin = place(r);
    c->file = intern_put(&c->names, r->name);
    uint32_t *version = c->file ? slot(c, &c->version, c->file) : NULL;
    if (!version) return false;
    if (*version) lcov_found(c, c->begin, "LC-25", ASSAY_INFO, "this file already has a record: counts are added");
    if (!*version) *version = UINT32_MAX;
    return lcov_check_source(c, r);
}

static bool version(struct lcov_checker *c, const struct lcov_record *r)
{
    uint32_t id = intern_put(&c->names, r->name), *known = slot(c, &c->version, c->file);
    if (!id || !known) return false;
    if (*known != UINT32_MAX && *known != id)
        lcov_found(c, place(r), "LC-26", ASSAY_WARNING, "the version of this file differs from that in an earlier record");
    if (*known == UINT32_MAX) *known = id;
    return true;
}

/* ---- what it holds ---- */

/* A name that FN gives another line: a function of its own. */
static bool another_line(struct lcov_checker *c, uint32_t first, const struct lcov_record *r)
{
    uint32_t name = c->functions.at[first - 1].name;
    uint64_t hash = hash_mix(name, r->line);
    for (struct index_walk w = index_walk(&c->more_lines, hash); index_next(&c->more_lines, &w);)
        if (c->functions.at[w.id - 1].name == name && c->functions.at[w.id - 1].line == r->line) return true;
    struct lcov_fn *f = vec_push(c->mem, &c->functions);
    if (!f) return false;
    *f = (struct lcov_fn){ .at = place(r), .name = name, .line = r->line, .end_line = r->end_line, .has_line = true };
    struct lcov_fn *of = &c->functions.at[first - 1];
    c->functions.at[of->last - 1].next = (uint32_t)c->functions.len;
    of->last = (uint32_t)c->functions.len;
    of->defined++;
    return index_add(&c->more_lines, hash, (uint32_t)c->functions.len);
}

static bool function(struct lcov_checker *c, const struct lcov_record *r)
{
    uint32_t id = intern_put(&c->names, r->name), *at = id ? slot(c, &c->by_name, id) : NULL;
    if (!at) return false;
    c->has_fn = true;
    if (*at) {
        if (c->functions.at[*at - 1].line == r->line) return true;
        lcov_found(c, place(r), "LC-14", ASSAY_WARNING, "a function with this name already begins at line %u", c->functions.at[*at - 1].line);
        return another_line(c, *at, r);
    }
    struct lcov_fn *f = vec_push(c->mem, &c->functions);
    if (!f) return false;
    *at = (uint32_t)c->functions.len;
    *f = (struct lcov_fn){ .at = place(r), .name = id, .line = r->line, .end_line = r->end_line, .defined = 1, .turn = *at, .last = *at, .has_line = true };
    return true;
}

static bool calls(struct lcov_checker *c, const struct lcov_record *r)
{
    uint32_t id = intern_put(&c->names, r->name);
    struct lcov_fn *f = id && slot(c, &c->by_name, id) ? vec_push(c->mem, &c->pending) : NULL;
    if (f) *f = (struct lcov_fn){ .at = place(r), .name = id, .calls = r->count };
    return f != NULL;
}

static bool alias(struct lcov_checker *c, const struct lcov_record *r)
{
    uint32_t id = intern_put(&c->names, r->name);
    struct lcov_fn *f = id ? vec_push(c->mem, &c->functions) : NULL;
    if (f)
        *f = (struct lcov_fn){ .at = place(r), .name = id, .leader = r->index, .calls = r->count, .line = r->line, .end_line = r->end_line, .has_line = true };
    c->has_fnl = true;
    return f != NULL;
}

static bool line(struct lcov_checker *c, const struct lcov_record *r)
{
    struct lcov_da *row = vec_push(c->mem, &c->lines);
    if (row) *row = (struct lcov_da){ .at = place(r), .hits = r->count, .line = r->line };
    lcov_check_source_line(c, r);
    return row != NULL;
}

static bool branch(struct lcov_checker *c, const struct lcov_record *r)
{
    uint32_t block = intern_put(&c->names, r->block), name = intern_put(&c->names, r->name.data ? r->name : SLICE(""));
    struct lcov_brda *row = block && name ? vec_push(c->mem, &c->branches) : NULL;
    if (row) *row = (struct lcov_brda){ place(r), r->count, r->line, block, name, r->flags };
    return row != NULL;
}

static bool condition(struct lcov_checker *c, const struct lcov_record *r)
{
    struct lcov_mcdc *row = vec_push(c->mem, &c->conditions);
    if (row) *row = (struct lcov_mcdc){ place(r), r->count, r->line, r->group, r->index, r->sense, r->flags };
    return row != NULL;
}

static bool stated(struct lcov_checker *c, const struct lcov_record *r)
{
    c->has_stated[r->counter] = true;
    c->stated[r->counter] = r->count;
    c->stated_at[r->counter] = place(r);
    return true;
}

bool lcov_checker_record(struct lcov_checker *c, const struct lcov_record *r)
{
    switch (r->kind) {
    case LCOV_SOURCE: return source(c, r);
    case LCOV_VERSION: return version(c, r);
    case LCOV_FUNCTION: return function(c, r);
    case LCOV_CALLS: return calls(c, r);
    case LCOV_ALIAS: return alias(c, r);
    case LCOV_LINE: return line(c, r);
    case LCOV_BRANCH: return branch(c, r);
    case LCOV_CONDITION: return condition(c, r);
    case LCOV_STATED: return stated(c, r);
    case LCOV_END:
    case LCOV_END_OF_RECORD: return !c->is_open || lcov_check_record_end(c);
    default: return true;
    }
}

int lcov_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    SCOPED(lcov_done) struct lcov_decoder d = { 0 };
    SCOPED(lcov_checker_done) struct lcov_checker c = { 0 };
    struct lcov_record r = { .kind = LCOV_OTHER };
    int rc = 0;
    lcov_init(&d, job->in, job->mem, out, err);
    lcov_checker_init(&c, out, job->mem);
    if (job->options->sources) rc = lcov_check_sources_init(&c, job->options, err);
    while (rc == 0 && r.kind != LCOV_END) {
        rc = lcov_next(&d, &r);
        if (rc == 0 && !lcov_checker_record(&c, &r)) rc = error_memory(err);
    }
    return rc;
}
