/* The decoder of hpcrun profiles: the order of the records. See decode.h for what it hands out, docs/formats/hpcrun.md for the bytes.
 * Which layout a file has is decided in decode_magic.c; items are taken apart in decode_items.c and decode_arrays.c; the sections of
 * 04.00 are found in decode_sections.c. */
#include "formats/hpcrun/decode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/plural.h"
#include "formats/hpcrun/decode_parts.h"

/* ---- damage ---- */

struct hpcrun_damage *hpcrun_damage(struct hpcrun_decoder *d, const char *rule, int severity, uint64_t off, const char *fmt, ...)
{
    if (d->pending_count == HPCRUN_PENDING) d->pending_count--;
    struct hpcrun_pending *p = &d->pending[d->pending_count++];
    p->off = off;
    p->damage.rule = rule;
    p->damage.severity = severity;
    p->damage.is_fatal = false;
    p->damage.message[0] = 0;
    if (severity == ASSAY_ERROR) d->is_partial = true;
    if (d->is_trial) return &p->damage;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->damage.message, sizeof p->damage.message, fmt, ap);
    va_end(ap);
    return &p->damage;
}

void hpcrun_give_up(struct hpcrun_decoder *d)
{
    d->phase = d->file.variant == HPCRUN_04B ? PHASE_SECTION_END : PHASE_END;
    d->ends_here = true;
}

bool hpcrun_try(const struct hpcrun_decoder *d, const struct hpcrun_file *layout, uint64_t *reached)
{
    struct hpcrun_decoder scan = *d;
    struct hpcrun_record r;
    scan.file = *layout;
    scan.is_trial = scan.skip_items = true;
    scan.at = layout->magic.len;
    scan.end = d->bytes.len;
    scan.phase = PHASE_PAIR_COUNT;
    scan.pending_count = scan.pending_next = 0;
    *reached = d->bytes.len;
    while (hpcrun_next(&scan, &r)) {
        if (r.kind != HPCRUN_RECORD_DAMAGE || r.damage.severity != ASSAY_ERROR) continue;
        *reached = r.off;
        return false;
    }
    return true;
}

/* ---- the beginning ---- */

void hpcrun_decoder_init(struct hpcrun_decoder *d, assay_slice bytes)
{
    memset(d, 0, sizeof *d);
    d->bytes = bytes.data ? bytes : SLICE("");
    d->end = bytes.len;
}

static bool step_file(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    bool is_known = hpcrun_choose_layout(d);
    d->at = d->file.magic.len;
    d->phase = is_known ? PHASE_PAIR_COUNT : PHASE_END;
    if (is_known && d->file.variant == HPCRUN_04B) {
        hpcrun_find_sections(d);
        if (d->sections[0].is_found) d->end = d->sections[0].end;
    }
    r->kind = HPCRUN_RECORD_FILE;
    r->off = 0;
    r->len = d->file.magic.len;
    r->file = d->file;
    return true;
}

/* ---- counts ---- */

static const char *list_name(enum hpcrun_list_id id)
{
    static const char *const names[] = { "name-value pairs",        "epochs", "name-value pairs of the epoch", "metrics", "load modules", "nodes", "kinds",
                                         "elements of the id tuple" };
    return names[id];
}

static bool step_count(struct hpcrun_decoder *d, struct hpcrun_record *r, enum hpcrun_list_id id, unsigned len, int then)
{
    struct cursor c = hpcrun_cursor(d);
    uint64_t count;
    if (!hpcrun_get(d, &c, len, &count)) {
        hpcrun_damage(d, "HRC04", ASSAY_ERROR, d->at, "the number of %s runs past the end at %" PRIu64, list_name(id), d->end);
        hpcrun_give_up(d);
        return false;
    }
    r->kind = HPCRUN_RECORD_LIST;
    r->off = d->at;
    r->len = len;
    r->list = (struct hpcrun_list){ .id = id, .count = count };
    d->at += len;
    d->next = 0;
    d->count = count;
    d->phase = then;
    return true;
}

static bool step_metric_count(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    d->metric_count = 0;
    return step_count(d, r, HPCRUN_LIST_METRICS, 4, PHASE_METRICS);
}

static bool step_module_count(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    if (!step_count(d, r, HPCRUN_LIST_MODULES, 4, PHASE_MODULES)) return false;
    if (d->count == 0 && d->file.variant == HPCRUN_02_LITERAL)
        hpcrun_damage(d, "HRC12", ASSAY_ERROR, r->off, "the load map is empty: the specification requires at least one entry");
    return true;
}

static bool step_epoch_count(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    if (!step_count(d, r, HPCRUN_LIST_EPOCHS, 4, PHASE_EPOCH)) return false;
    d->epochs = d->count;
    return true;
}

/* ---- epochs ---- */

/* Without a count they go on to the end of the file. */
static bool has_epoch(const struct hpcrun_decoder *d) { return d->file.variant == HPCRUN_02_LITERAL ? d->epochs > 0 : d->at < d->end; }

static bool lose_epoch(struct hpcrun_decoder *d, const struct cursor *c, const char *rule)
{
    hpcrun_damage(d, rule, ASSAY_ERROR, cursor_off(c), "epoch %" PRIu32 " ends at the end of the file, inside its header", d->epoch_count);
    hpcrun_give_up(d);
    return false;
}

static bool get_epoch(struct hpcrun_decoder *d, struct cursor *c, struct hpcrun_epoch *e)
{
    if (!hpcrun_get(d, c, 8, &e->flags)) return false;
    if (d->file.variant < HPCRUN_02B) return hpcrun_get_u32(d, c, &e->ra_distance) && hpcrun_get(d, c, 8, &e->granularity);
    return hpcrun_get(d, c, 8, &e->granularity) && hpcrun_get_u32(d, c, &e->ra_distance);
}

static bool step_epoch(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    struct cursor c = hpcrun_cursor(d);
    const char *cut = d->file.variant == HPCRUN_02_LITERAL ? "HRC04" : "HRC09";
    assay_slice tag;
    if (!has_epoch(d)) {
        d->phase = PHASE_REST;
        return false;
    }
    if (!cursor_bytes(&c, 8, &tag)) return lose_epoch(d, &c, cut);
    if (!slice_is(tag, "EPOCH___")) {
        hpcrun_damage(d, "HRC05", ASSAY_ERROR, d->at, "epoch %" PRIu32 " does not begin with EPOCH___", d->epoch_count);
        hpcrun_give_up(d);
        return false;
    }
    if (!get_epoch(d, &c, &r->epoch)) return lose_epoch(d, &c, cut);
    r->kind = HPCRUN_RECORD_EPOCH;
    r->off = d->at;
    r->len = cursor_off(&c) - d->at;
    r->epoch.index = d->epoch_count++;
    d->epochs -= d->epochs > 0;
    d->is_lush = r->epoch.flags & 1;
    d->lip_words = 2;
    d->has_lip_size = false;
    d->at = cursor_off(&c);
    d->phase = PHASE_EPOCH_PAIR_COUNT;
    return true;
}

static bool step_rest(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    d->phase = PHASE_END;
    if (d->at >= d->end) return false;
    r->kind = HPCRUN_RECORD_GAP;
    r->off = d->at;
    r->len = d->end - d->at;
    r->gap = (assay_slice){ d->bytes.data + d->at, (size_t)r->len };
    hpcrun_damage(d, "HRC09", ASSAY_ERROR, r->off, "%" PRIu64 " byte%s left after the last epoch", r->len, plural_is(r->len));
    return true;
}

/* ---- pulling ---- */

/* What follows when a list has been handed out. */
static void leave_list(struct hpcrun_decoder *d)
{
    bool is_sparse = d->file.variant == HPCRUN_04B;
    switch (d->phase) {
    case PHASE_PAIRS: d->phase = is_sparse ? PHASE_SECTION_END : d->file.variant == HPCRUN_02_LITERAL ? PHASE_EPOCH_COUNT : PHASE_EPOCH; break;
    case PHASE_EPOCH_PAIRS: d->phase = PHASE_METRIC_COUNT; break;
    case PHASE_METRICS: d->phase = is_sparse ? PHASE_SECTION_END : PHASE_MODULE_COUNT; break;
    case PHASE_MODULES: d->phase = is_sparse ? PHASE_SECTION_END : PHASE_NODE_COUNT; break;
    case PHASE_NODES: d->phase = is_sparse ? PHASE_SECTION_END : d->ends_here ? PHASE_END : PHASE_EPOCH; break;
    case PHASE_TUPLE: d->phase = PHASE_VALUE_COUNT; break;
    case PHASE_VALUES: d->phase = d->ends_here ? PHASE_SECTION_END : PHASE_INDEX_COUNT; break;
    default: d->phase = PHASE_SECTION_END; break;
    }
}

static bool step_array(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    if (d->next < d->count && !d->skip_items) return hpcrun_step_array_item(d, r);
    d->at = d->span.off + d->span.count * d->span.stride;
    leave_list(d);
    return false;
}

static bool step_list(struct hpcrun_decoder *d, struct hpcrun_record *r, bool (*step)(struct hpcrun_decoder *, struct hpcrun_record *))
{
    if (d->next < d->count) return step(d, r);
    leave_list(d);
    return false;
}

bool hpcrun_step(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    switch (d->phase) {
    case PHASE_FILE: return step_file(d, r);
    case PHASE_PAIR_COUNT: return step_count(d, r, HPCRUN_LIST_PAIRS, 4, PHASE_PAIRS);
    case PHASE_EPOCH_COUNT: return step_epoch_count(d, r);
    case PHASE_EPOCH: return step_epoch(d, r);
    case PHASE_EPOCH_PAIR_COUNT: return step_count(d, r, HPCRUN_LIST_EPOCH_PAIRS, 4, PHASE_EPOCH_PAIRS);
    case PHASE_PAIRS:
    case PHASE_EPOCH_PAIRS: return step_list(d, r, hpcrun_step_pair);
    case PHASE_METRIC_COUNT: return step_metric_count(d, r);
    case PHASE_METRICS: return step_list(d, r, hpcrun_step_metric);
    case PHASE_MODULE_COUNT: return step_module_count(d, r);
    case PHASE_MODULES: return step_list(d, r, hpcrun_step_module);
    case PHASE_NODE_COUNT: return hpcrun_step_node_count(d, r);
    case PHASE_NODES:
    case PHASE_VALUES:
    case PHASE_INDEX: return step_array(d, r);
    case PHASE_KIND_COUNT: return step_count(d, r, HPCRUN_LIST_KINDS, 2, PHASE_KINDS);
    case PHASE_KINDS: return step_list(d, r, hpcrun_step_kind);
    case PHASE_TUPLE_COUNT: return step_count(d, r, HPCRUN_LIST_TUPLE, 2, PHASE_TUPLE);
    case PHASE_TUPLE: return step_list(d, r, hpcrun_step_tuple);
    case PHASE_VALUE_COUNT: return hpcrun_step_value_count(d, r);
    case PHASE_INDEX_COUNT: return hpcrun_step_index_count(d, r);
    case PHASE_SECTION_END: return hpcrun_step_section_end(d, r);
    case PHASE_FOOTER: return hpcrun_step_footer(d, r);
    default: return step_rest(d, r);
    }
}

bool hpcrun_next(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    for (;;) {
        if (d->pending_next < d->pending_count) {
            const struct hpcrun_pending *p = &d->pending[d->pending_next++];
            r->kind = HPCRUN_RECORD_DAMAGE;
            r->off = p->off;
            r->len = 0;
            r->damage = p->damage;
            return true;
        }
        d->pending_next = d->pending_count = 0;
        if (d->phase == PHASE_END) return false;
        if (hpcrun_step(d, r)) return true;
    }
}
