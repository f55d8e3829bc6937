/* Sections and footer of 04.00. The footer says where the sections are; when the process died before it was written they are looked for
 * where they must begin, at multiples of 1024 bytes, in their order. */
#include <inttypes.h>

#include "base/plural.h"

#include "formats/hpcrun/decode_parts.h"

const char *hpcrun_section_name(enum hpcrun_section_id id)
{
    static const char *const names[] = { "header", "load map", "cct", "metric table", "id-tuple dictionary", "sparse metrics" };
    return id < HPCRUN_SECTION_COUNT ? names[id] : "";
}

static const int first_phase[] = { PHASE_PAIR_COUNT, PHASE_MODULE_COUNT, PHASE_NODE_COUNT, PHASE_METRIC_COUNT, PHASE_KIND_COUNT, PHASE_TUPLE_COUNT };

/* ---- by the footer ---- */

static uint64_t u64_at(const struct hpcrun_decoder *d, uint64_t off)
{
    struct cursor c = cursor_of(d->bytes.data, d->bytes.len);
    uint64_t v = 0;
    if (cursor_seek(&c, off)) (void)cursor_u64be(&c, &v);
    return v;
}

static void read_bounds(struct hpcrun_decoder *d, uint64_t footer)
{
    uint64_t before = 0;
    for (unsigned i = 0; i < HPCRUN_SECTION_COUNT; i++) {
        struct hpcrun_section *s = &d->sections[i];
        uint64_t pair = footer + 16 * (uint64_t)i, least = i == 0 ? HPCRUN_MAGIC_LEN : 0;
        s->begin = u64_at(d, pair);
        s->end = u64_at(d, pair + 8);
        s->is_found = s->begin <= s->end && s->end <= footer && s->begin >= before && s->end - s->begin >= least && (i > 0 || s->begin == 0);
        s->is_whole = s->is_found;
        if (s->is_found)
            before = s->end;
        else
            hpcrun_damage(d, "HRC07", ASSAY_ERROR, pair, "the section %s has the bounds %" PRIu64 " and %" PRIu64 ": expected %" PRIu64 " to %" PRIu64,
                          hpcrun_section_name(i), s->begin, s->end, before, footer);
    }
}

/* ---- without it ---- */

/* Where the section that begins at d->at ends; false = it does not parse up to its end. */
static bool measure(const struct hpcrun_decoder *d, unsigned id, uint64_t begin, uint64_t *end)
{
    struct hpcrun_decoder scan = *d;
    struct hpcrun_record r;
    scan.is_trial = scan.skip_items = true;
    scan.section = id;
    scan.at = begin;
    scan.end = d->bytes.len;
    scan.phase = first_phase[id];
    scan.pending_count = scan.pending_next = 0;
    scan.is_partial = false;
    while (scan.phase < PHASE_SECTION_END) (void)hpcrun_step(&scan, &r);
    *end = scan.at;
    return !scan.is_partial;
}

static uint64_t round_up(uint64_t off) { return (off + HPCRUN_ALIGNMENT - 1) / HPCRUN_ALIGNMENT * HPCRUN_ALIGNMENT; }

/* Does a metric table seem to begin where a tree with nodes of this length would let it? */
static bool leads_on(const struct hpcrun_decoder *d, uint64_t tree_end)
{
    uint64_t begin = round_up(tree_end), end;
    for (uint64_t i = tree_end; i < begin && i < d->bytes.len; i++)
        if (d->bytes.data[i]) return false;
    return begin < d->bytes.len && measure(d, HPCRUN_SECTION_METRICS, begin, &end);
}

/* Its count says how long the tree is, if one knows which of the two kinds of nodes it has. */
static bool measure_nodes(const struct hpcrun_decoder *d, uint64_t begin, uint64_t *end)
{
    uint64_t count = u64_at(d, begin), left = d->bytes.len - begin;
    *end = d->bytes.len;
    if (left < 8 || count > (left - 8) / HPCRUN_NODE_LEN_2021) return false;
    uint64_t end18 = begin + 8 + count * HPCRUN_NODE_LEN_2021, end19 = begin + 8 + count * HPCRUN_NODE_LEN;
    *end = end19 > d->bytes.len || (!leads_on(d, end19) && leads_on(d, end18)) ? end18 : end19;
    return *end != end18 || count == 0 || leads_on(d, end18);
}

static void look_for_sections(struct hpcrun_decoder *d)
{
    uint64_t begin = 0;
    for (unsigned i = 0; i < HPCRUN_SECTION_COUNT && begin < d->bytes.len; i++) {
        struct hpcrun_section *s = &d->sections[i];
        s->begin = begin;
        s->is_whole = i == HPCRUN_SECTION_NODES ? measure_nodes(d, begin, &s->end) : measure(d, i, i == 0 ? HPCRUN_MAGIC_LEN : begin, &s->end);
        s->is_found = s->is_whole || s->end > begin;
        if (!s->is_whole) {
            s->end = d->bytes.len;
            return;
        }
        begin = round_up(s->end);
    }
}

/* ---- both ---- */

void hpcrun_find_sections(struct hpcrun_decoder *d)
{
    uint64_t len = d->bytes.len, footer = len - HPCRUN_FOOTER_LEN;
    bool fits = len >= HPCRUN_MAGIC_LEN + HPCRUN_FOOTER_LEN, has_magic = fits && u64_at(d, len - 8) == HPCRUN_FOOTER_MAGIC;
    d->has_footer = has_magic && u64_at(d, len - 16) == footer;
    if (d->has_footer) {
        read_bounds(d, footer);
        return;
    }
    look_for_sections(d);
    unsigned whole = 0;
    for (unsigned i = 0; i < HPCRUN_SECTION_COUNT; i++) whole += d->sections[i].is_whole;
    if (has_magic)
        hpcrun_damage(d, "HRC06", ASSAY_ERROR, len - 16, "the footer says that it begins at %" PRIu64 ": it begins at %" PRIu64, u64_at(d, len - 16), footer);
    else
        hpcrun_damage(d, "HRC06", ASSAY_ERROR, len >= 8 ? len - 8 : 0,
                      "the file does not end with a footer: the measurement did not finish, or it is truncated; %u of %d sections are complete", whole,
                      HPCRUN_SECTION_COUNT);
}

static uint64_t next_begin(const struct hpcrun_decoder *d)
{
    for (unsigned i = d->section + 1; i < HPCRUN_SECTION_COUNT; i++)
        if (d->sections[i].is_found) return d->sections[i].begin;
    return d->has_footer ? d->bytes.len - HPCRUN_FOOTER_LEN : 0;
}

static void enter_next(struct hpcrun_decoder *d)
{
    do d->section++;
    while (d->section < HPCRUN_SECTION_COUNT && !d->sections[d->section].is_found);
    if (d->section == HPCRUN_SECTION_COUNT) {
        d->phase = d->has_footer ? PHASE_FOOTER : PHASE_END;
        return;
    }
    d->at = d->sections[d->section].begin;
    d->end = d->sections[d->section].end;
    d->phase = first_phase[d->section];
}

bool hpcrun_step_section_end(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    uint64_t begin = next_begin(d);
    if (!d->ends_here && d->sections[d->section].is_found && d->at != d->end)
        hpcrun_damage(d, "HRC08", ASSAY_ERROR, d->at, "the section %s continues for %" PRIu64 " byte%s after its last item", hpcrun_section_name(d->section),
                      d->end - d->at, plural(d->end - d->at));
    r->kind = HPCRUN_RECORD_GAP;
    r->off = d->ends_here ? d->end : d->at;
    r->len = begin > r->off ? begin - r->off : 0;
    r->gap = (assay_slice){ d->bytes.data + r->off, (size_t)r->len };
    d->ends_here = false;
    enter_next(d);
    return r->len > 0;
}

bool hpcrun_step_footer(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    r->kind = HPCRUN_RECORD_FOOTER;
    r->off = d->bytes.len - HPCRUN_FOOTER_LEN;
    r->len = HPCRUN_FOOTER_LEN;
    for (unsigned i = 0; i < HPCRUN_FOOTER_LEN / 8; i++) r->footer.numbers[i] = u64_at(d, r->off + 8 * (uint64_t)i);
    d->phase = PHASE_END;
    return true;
}
