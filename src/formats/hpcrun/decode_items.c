/* The items of variable length: pairs, metric descriptors, load modules, kinds and the id tuple. See docs/formats/hpcrun.md. */
#include <inttypes.h>

#include "base/number.h"
#include "formats/hpcrun/decode_parts.h"

bool hpcrun_get_str(const struct hpcrun_decoder *d, struct cursor *c, struct hpcrun_str *out)
{
    struct cursor start = *c;
    uint32_t len;
    out->off = cursor_off(c);
    if (hpcrun_get_u32(d, c, &len) && cursor_bytes(c, len, &out->text)) return true;
    *c = start;
    out->text = (assay_slice){ NULL, 0 };
    return false;
}

static void put_back(struct hpcrun_decoder *d, struct hpcrun_record *r, const struct cursor *c)
{
    r->off = d->at;
    r->len = cursor_off(c) - d->at;
    d->at = cursor_off(c);
    d->next++;
}

static bool cut(struct hpcrun_decoder *d, const struct cursor *c, const char *what)
{
    hpcrun_damage(d, "HRC04", ASSAY_ERROR, cursor_off(c), "%s %" PRIu64 " of %" PRIu64 " runs past the end at %" PRIu64, what, d->next, d->count, d->end);
    hpcrun_give_up(d);
    return false;
}

/* ---- pairs ---- */

/* docs/formats/hpcrun.md, ambiguity 7: the pair gives the number of 8-byte words. */
static void take_lip_size(struct hpcrun_decoder *d, const struct hpcrun_pair *p)
{
    uint64_t words;
    if (!p->is_epoch || d->file.variant != HPCRUN_02_LITERAL || d->has_lip_size || !slice_is(p->name.text, "LIP-size")) return;
    d->has_lip_size = true;
    if (number_u64(p->value.text, &words) == NUMBER_OK && words >= 1 && words <= HPCRUN_MAX_LIP_WORDS) {
        d->lip_words = (uint32_t)words;
        return;
    }
    if (!d->is_lush) return;
    hpcrun_damage(d, "HRC04", ASSAY_ERROR, p->value.off, "the LIP-size is not a number from 1 to %d, so the size of a node is unknown", HPCRUN_MAX_LIP_WORDS);
    hpcrun_give_up(d);
}

bool hpcrun_step_pair(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    struct cursor c = hpcrun_cursor(d);
    struct hpcrun_pair *p = &r->pair;
    p->index = (uint32_t)d->next;
    p->is_epoch = d->phase == PHASE_EPOCH_PAIRS;
    if (!hpcrun_get_str(d, &c, &p->name) || !hpcrun_get_str(d, &c, &p->value)) return cut(d, &c, "name-value pair");
    r->kind = HPCRUN_RECORD_PAIR;
    put_back(d, r, &c);
    take_lip_size(d, p);
    return true;
}

/* ---- metrics ---- */

static bool all_zero(const char *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (p[i]) return false;
    return true;
}

/* One byte for each field, or, in 2010, a bit field. */
static void read_flags(struct hpcrun_metric *m)
{
    const unsigned char *p = (const unsigned char *)m->flags.data;
    m->is_bit_field = (p[0] != 1 && p[0] != 2 && p[0] != 3 && !(p[0] == 0 && (p[2] == 1 || p[2] == 2))) || !all_zero(m->flags.data + 8, 8);
    if (!m->is_bit_field) {
        m->type = p[0];
        m->value_type = p[1];
        m->value_format = p[2];
        m->to_procedure = p[3];
        m->partner = (uint16_t)(p[5] << 8 | p[4]);
        m->show = p[6];
        m->show_percent = p[7];
        return;
    }
    uint64_t bits = hpcrun_be64(p);
    m->type = bits & 15;
    m->value_type = bits >> 4 & 15;
    m->value_format = bits >> 8 & 15;
    m->partner = (uint16_t)(bits >> 12);
    m->show = bits >> 28 & 1;
    m->show_percent = bits >> 29 & 1;
}

static bool get_metric_2009(struct hpcrun_decoder *d, struct cursor *c, struct hpcrun_metric *m)
{
    uint64_t flags;
    if (!hpcrun_get_str(d, c, &m->name)) return false;
    m->flags_off = cursor_off(c);
    struct cursor raw = *c;
    if (!hpcrun_get(d, c, 8, &flags) || !cursor_bytes(&raw, 8, &m->flags)) return false;
    m->type = 1;
    m->value_format = flags & 4 ? 2 : 1;
    m->show = m->show_percent = 1;
    return hpcrun_get(d, c, 8, &m->period);
}

static bool get_metric(struct hpcrun_decoder *d, struct cursor *c, struct hpcrun_metric *m)
{
    if (d->file.variant < HPCRUN_02B) return get_metric_2009(d, c, m);
    if (!hpcrun_get_str(d, c, &m->name) || !hpcrun_get_str(d, c, &m->description)) return false;
    m->flags_off = cursor_off(c);
    if (!cursor_bytes(c, 16, &m->flags)) return false;
    read_flags(m);
    if (!hpcrun_get(d, c, 8, &m->period) || !hpcrun_get_str(d, c, &m->formula) || !hpcrun_get_str(d, c, &m->format)) return false;
    if (!d->file.has_extra) return true;
    return hpcrun_get_u16(d, c, &m->is_frequency) && hpcrun_get_u16(d, c, &m->is_multiplexed) && hpcrun_get(d, c, 8, &m->threshold_mean) &&
           hpcrun_get(d, c, 8, &m->samples);
}

bool hpcrun_step_metric(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    struct cursor c = hpcrun_cursor(d);
    memset(&r->metric, 0, sizeof r->metric);
    r->metric.index = (uint32_t)d->next;
    if (!get_metric(d, &c, &r->metric)) return cut(d, &c, "metric");
    r->kind = HPCRUN_RECORD_METRIC;
    put_back(d, r, &c);
    d->metric_count++;
    return true;
}

/* ---- load modules ---- */

static bool get_module(struct hpcrun_decoder *d, struct cursor *c, struct hpcrun_module *m)
{
    uint32_t flags;
    switch (d->file.variant) {
    case HPCRUN_02_LITERAL:
        if (!hpcrun_get(d, c, 8, &m->address) || !hpcrun_get(d, c, 8, &m->offset) || !hpcrun_get_str(d, c, &m->name) || !hpcrun_get_u32(d, c, &flags))
            return false;
        m->flags = flags;
        return true;
    case HPCRUN_02_2009: return hpcrun_get_str(d, c, &m->name) && hpcrun_get(d, c, 8, &m->offset) && hpcrun_get(d, c, 8, &m->address);
    default: return hpcrun_get_u16(d, c, &m->id) && hpcrun_get_str(d, c, &m->name) && hpcrun_get(d, c, 8, &m->flags);
    }
}

bool hpcrun_step_module(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    struct cursor c = hpcrun_cursor(d);
    memset(&r->module, 0, sizeof r->module);
    r->module.index = (uint32_t)d->next;
    if (!get_module(d, &c, &r->module)) return cut(d, &c, "load module");
    r->kind = HPCRUN_RECORD_MODULE;
    put_back(d, r, &c);
    return true;
}

/* ---- identity of the thread ---- */

bool hpcrun_step_kind(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    struct cursor c = hpcrun_cursor(d);
    r->kind_name.index = (uint32_t)d->next;
    if (!hpcrun_get_u16(d, &c, &r->kind_name.kind) || !hpcrun_get_str(d, &c, &r->kind_name.name)) return cut(d, &c, "kind of the id-tuple dictionary");
    r->kind = HPCRUN_RECORD_KIND;
    put_back(d, r, &c);
    return true;
}

bool hpcrun_step_tuple(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    struct cursor c = hpcrun_cursor(d);
    struct hpcrun_tuple *t = &r->tuple;
    t->index = (uint32_t)d->next;
    if (!hpcrun_get_u16(d, &c, &t->word) || !hpcrun_get(d, &c, 8, &t->physical) || !hpcrun_get(d, &c, 8, &t->logical))
        return cut(d, &c, "element of the id tuple");
    r->kind = HPCRUN_RECORD_TUPLE;
    put_back(d, r, &c);
    return true;
}
