/* Versions 6 and 7 say each call twice: in the caller as sub call, in the callee as called-from record. Here the two sides are laid
 * against each other. */
#include <inttypes.h>

#include "base/index.h"
#include "base/scoped.h"
#include "base/vec.h"
#include "formats/webgrind/check.h"

struct side_row {
    uint64_t off;
    uint32_t owner;
    bool is_sub_call;
};
/* Call records of one side, found by what they say. */
struct side {
    struct mem *mem;
    struct index index;
    VEC(struct side_row) rows;
    bool by_place; /* the key is caller, callee and line; otherwise count and cost too */
};

static uint32_t caller_of(const struct webgrind_call *c) { return c->is_sub_call ? c->owner : c->function; }
static uint32_t callee_of(const struct webgrind_call *c) { return c->is_sub_call ? c->function : c->owner; }

static void side_init(struct side *s, struct mem *mem, bool by_place)
{
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->by_place = by_place;
    index_init(&s->index, mem);
}

static void side_done(struct side *s)
{
    index_done(&s->index);
    vec_done(s->mem, &s->rows);
}

static uint64_t side_hash(const struct side *s, const struct webgrind_call *c)
{
    uint64_t h = hash_mix(hash_mix(hash_mix(1, caller_of(c)), callee_of(c)), c->line);
    return s->by_place ? h : hash_mix(hash_mix(h, c->count), c->cost);
}

/* The record of this side that has the same key. */
static bool side_find(const struct side *s, const struct webgrind_decoder *d, const struct webgrind_call *key, struct webgrind_call *out)
{
    for (struct index_walk w = index_walk(&s->index, side_hash(s, key)); index_next(&s->index, &w);) {
        const struct side_row *row = &s->rows.at[w.id - 1];
        webgrind_call_at(d, row->off, out);
        out->owner = row->owner;
        out->is_sub_call = row->is_sub_call;
        bool same = caller_of(out) == caller_of(key) && callee_of(out) == callee_of(key) && out->line == key->line;
        if (same && (s->by_place || (out->count == key->count && out->cost == key->cost))) return true;
    }
    return false;
}

/* Records that say the same are kept once: hostile files may repeat one a million times. */
static int side_add(struct side *s, const struct webgrind_decoder *d, const struct webgrind_record *r, assay_error *err)
{
    struct webgrind_call equal;
    if (side_find(s, d, &r->call, &equal)) return 0;
    struct side_row *row = s->rows.len < UINT32_MAX - 1 ? vec_push(s->mem, &s->rows) : NULL;
    if (!row) return error_memory(err);
    *row = (struct side_row){ r->off, r->call.owner, r->call.is_sub_call };
    return index_add(&s->index, side_hash(s, &r->call), (uint32_t)s->rows.len) ? 0 : error_memory(err);
}

static int side_fill(struct side *s, assay_slice bytes, bool sub_calls, assay_error *err)
{
    struct webgrind_decoder d;
    struct webgrind_record r;
    webgrind_decoder_init(&d, bytes);
    while (webgrind_next(&d, &r))
        if (r.kind == WEBGRIND_RECORD_CALL && r.call.is_sub_call == sub_calls) TRY(side_add(s, &d, &r, err));
    return 0;
}

static void find_merged(const struct side *from, assay_slice bytes, struct findings *out)
{
    struct webgrind_decoder d;
    struct webgrind_record r;
    struct webgrind_call equal;
    webgrind_decoder_init(&d, bytes);
    while (webgrind_next(&d, &r)) {
        if (r.kind != WEBGRIND_RECORD_CALL || !r.call.is_sub_call || !r.call.is_valid || side_find(from, &d, &r.call, &equal)) continue;
        findings_add(out, "WG26", ASSAY_WARNING, r.off, 0,
                     "function %" PRIu32 " calls %" PRIu32 " at line %" PRIu32 " %" PRIu32 " times for %" PRIu32
                     ", but the callee has no such called-from record",
                     r.call.owner, r.call.function, r.call.line, r.call.count, r.call.cost);
    }
}

/* The sums over the file differ; the first called-from record that its caller contradicts is the place to look at. */
static void find_contradiction(const struct side *to, assay_slice bytes, struct findings *out)
{
    struct webgrind_decoder d;
    struct webgrind_record r;
    struct webgrind_call other;
    uint64_t lone = FINDING_NO_OFFSET;
    webgrind_decoder_init(&d, bytes);
    while (webgrind_next(&d, &r)) {
        if (r.kind != WEBGRIND_RECORD_CALL || r.call.is_sub_call) continue;
        bool found = side_find(to, &d, &r.call, &other);
        if (!found && lone == FINDING_NO_OFFSET) lone = r.off;
        if (!found || (other.count == r.call.count && other.cost == r.call.cost)) continue;
        bool by_count = other.count != r.call.count;
        findings_add(out, "WG17", ASSAY_ERROR, r.off + (by_count ? 8 : 12), 0,
                     "called-from and sub call records disagree: function %" PRIu32 " has %s %" PRIu32 " from %" PRIu32 " at line %" PRIu32
                     ", the caller says %" PRIu32,
                     r.call.owner, by_count ? "count" : "cost", by_count ? r.call.count : r.call.cost, r.call.function, r.call.line,
                     by_count ? other.count : other.cost);
        return;
    }
    findings_add(out, "WG17", ASSAY_ERROR, lone, 0, "called-from and sub call records disagree");
}

static int check_side(assay_slice bytes, bool by_place, void (*find)(const struct side *, assay_slice, struct findings *), struct mem *mem,
                      struct findings *out, assay_error *err)
{
    SCOPED(side_done) struct side side;
    side_init(&side, mem, by_place);
    TRY(side_fill(&side, bytes, by_place, err));
    find(&side, bytes, out);
    return 0;
}

int webgrind_check_sides(assay_slice bytes, bool unequal, struct mem *mem, struct findings *out, assay_error *err)
{
    TRY(check_side(bytes, false, find_merged, mem, out, err));
    return unequal ? check_side(bytes, true, find_contradiction, mem, out, err) : 0;
}
