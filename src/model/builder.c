/* The builder's life, its sticky error, and the facts beside the cost: attributes, counts, source, warnings. */
#include "model/builder.h"
#include "base/options.h"

#include <stdarg.h>
#include <stdio.h>

enum { WANT_DEFAULT = ASSAY_WANT_GRAPH | ASSAY_WANT_LINES | ASSAY_WANT_TIMELINE | ASSAY_WANT_COVERAGE | ASSAY_WANT_COUNTS | ASSAY_WANT_LABELS };

int builder_fail(struct assay_builder *b, int code, const char *fmt, ...)
{
    if (b->code) return b->code;
    va_list args;
    va_start(args, fmt);
    vsnprintf(b->error.text, sizeof b->error.text, fmt, args);
    va_end(args);
    b->error.code = b->code = code;
    return code;
}

int builder_no_memory(struct assay_builder *b)
{
    if (!b->code) b->code = error_memory(&b->error);
    return b->code;
}

uint32_t builder_next(struct assay_builder *b, uint32_t count, const char *what)
{
    if (count < ID_MAX) return count + 1;
    builder_fail(b, ASSAY_ERR_LIMIT, "too many %s: a table holds at most %u", what, ID_MAX);
    return 0;
}

bool builder_has_not(struct assay_builder *b, uint32_t id, uint32_t count, const char *what)
{
    builder_fail(b, ASSAY_ERR_USAGE, "there is no %s with id %u, the last one is %u", what, id, count);
    return false;
}

uint32_t builder_text(struct assay_builder *b, const char *text) { return text ? assay_build_string(b, text, strlen(text)).v : 0; }

static void init_indexes(struct assay_builder *b)
{
    struct index *all[] = { &b->modules.index,    &b->files.index,       &b->funcs.index,      &b->metrics.index,     &b->scopes.index, &b->stats.index,
                            &b->graph.sums.index, &b->graph.costs.index, &b->graph.arcs.index, &b->graph.jumps.index, &b->tree.index,   &b->tree.loose.index,
                            &b->lines.index,      &b->graph.pairs.index, &b->labels.index,     &b->label_sets.index,  &b->samples.index };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) index_init(all[i], b->mem);
}

/* The block of the profile is counted in the profile's own memory. */
static assay_profile *new_profile(const struct assay_build_options *options)
{
    struct mem first;
    mem_init(&first, (size_t)options->max_memory);
    assay_profile *p = mem_zalloc(&first, 1, sizeof *p);
    if (!p) return NULL;
    mem_init(&p->mem, first.limit);
    atomic_init(&p->mem.used, sizeof *p);
    atomic_init(&p->mem.peak, sizeof *p);
    atomic_init(&p->mem.requests, 1);
    atomic_init(&p->refs, 1);
    intern_init(&p->strings, &p->mem);
    findings_init(&p->warnings, &p->mem);
    mem_keep(&p->mem, (size_t)options->memory);
    return p;
}

assay_builder *assay_builder_new(const struct assay_build_options *options, assay_error *err)
{
    struct assay_build_options o;
    assay_error local;
    err = error_enter(err, &local);
    if (OPTIONS_TAKE(struct assay_build_options, max_string, &o, options, err) != 0) return NULL;
    assay_profile *p = new_profile(&o);
    assay_builder *b = p ? mem_zalloc(&p->mem, 1, sizeof *b) : NULL;
    if (!b) {
        if (p) profile_free(p);
        error_memory(err);
        return NULL;
    }
    b->p = p;
    b->mem = &p->mem;
    b->max_string = o.max_string ? o.max_string : UINT64_MAX;
    b->want = o.want ? o.want : WANT_DEFAULT;
    if (b->want & ASSAY_WANT_WHOLE) b->want |= ASSAY_WANT_TREE;
    init_indexes(b);
    return b;
}

int assay_builder_failed(const assay_builder *b) { return b->code; }

uint32_t assay_builder_want(const assay_builder *b) { return b->want; }

void assay_builder_has_tree(assay_builder *b)
{
    if (b->want & ASSAY_WANT_EITHER) b->want &= ~(uint32_t)(ASSAY_WANT_GRAPH | ASSAY_WANT_PAIRS);
}

bool assay_builder_saturated(const assay_builder *b) { return b->saturated; }

void assay_build_attribute(assay_builder *b, assay_stream_id stream, const char *key, size_t key_len, const char *value, size_t value_len)
{
    uint32_t k = assay_build_string(b, key, key_len).v, v = assay_build_string(b, value, value_len).v;
    if (b->code || !builder_has(b, stream.v, b->streams.count, "stream")) return;
    uint32_t next = builder_next(b, b->attributes.count, "attributes");
    if (!next) return;
    put32(b, &b->attributes.stream, next - 1, stream.v);
    put32(b, &b->attributes.key, next - 1, k);
    put32(b, &b->attributes.value, next - 1, v);
    b->attributes.count = next;
}

void assay_build_count(assay_builder *b, const char *name, uint64_t value)
{
    uint32_t id = builder_text(b, name);
    if (b->code) return;
    uint32_t row = 0;
    while (row < b->counts.count && b->counts.name.at[row] != id) row++;
    if (row == b->counts.count) {
        put32(b, &b->counts.name, row, id);
        if (b->code) return;
        b->counts.count++;
    }
    put64(b, &b->counts.value, row, value);
}

void assay_build_source(assay_builder *b, const char *format, const char *version, const char *producer)
{
    b->p->format = builder_text(b, format);
    b->p->version = builder_text(b, version);
    b->p->producer = builder_text(b, producer);
}

void assay_build_offers(assay_builder *b, uint32_t shapes) { b->p->offers |= shapes; }

void assay_build_warning(assay_builder *b, const assay_finding *finding)
{
    if (b->code) return;
    findings_copy(&b->p->warnings, finding);
    if (b->p->warnings.failed) builder_no_memory(b);
}
