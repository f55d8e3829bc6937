/* An image of any version -> one of 02.00l, the specification read literally. Load module k lies at k * 2^40; an offset above that gets an entry of
 * its own for the same module. Placeholders become addresses in no module, their eight characters as a number, which a pair
 * `assay-placeholders` announces; the root of complete unwinds is address 0, as it always was. */
#include <inttypes.h>

#include "base/cancel.h"
#include "base/index.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/hpcrun/funcs.h"
#include "formats/hpcrun/write/image.h"

enum { WINDOW_BITS = 40 };

struct window {
    uint16_t module;
    uint64_t number; /* offset >> WINDOW_BITS */
    uint64_t slot;   /* lies at slot << WINDOW_BITS */
};

struct flattener {
    struct hpcrun_image *m;
    struct image_epoch *e;
    VEC(struct image_module) modules;
    VEC(struct window) windows;
    struct index index; /* of the windows */
    uint64_t next_slot;
    bool has_placeholders;
    uint64_t lost_flags, lost_module_flags, lost_facts, lost_formulas, unknown_placeholders, lost_ids;
};

/* ---- modules ---- */

static struct window *find_window(struct flattener *f, uint16_t module, uint64_t number)
{
    for (struct index_walk w = index_walk(&f->index, hash_mix(module, number)); index_next(&f->index, &w);)
        if (f->windows.at[w.id - 1].module == module && f->windows.at[w.id - 1].number == number) return &f->windows.at[w.id - 1];
    return NULL;
}

static int add_window(struct flattener *f, const struct image_module *module, uint64_t number, uint64_t slot, assay_error *err)
{
    struct window *w = vec_push(f->m->mem, &f->windows);
    struct image_module *to = vec_push(f->m->mem, &f->modules);
    if (!w || !to || !index_add(&f->index, hash_mix(module->id, number), (uint32_t)f->windows.len)) return error_memory(err);
    *w = (struct window){ module->id, number, slot };
    *to = *module;
    to->id = 0;
    to->address = slot << WINDOW_BITS;
    to->offset = (slot << WINDOW_BITS) - (number << WINDOW_BITS);
    f->lost_module_flags += module->flags > UINT32_MAX;
    to->flags = (uint32_t)module->flags;
    return 0;
}

/* As many entries as windows have been made, in the same order. */
static const struct image_module *find_module(struct flattener *f, uint16_t id)
{
    const struct window *w = find_window(f, id, 0);
    return w ? &f->modules.at[w - f->windows.at] : NULL;
}

static assay_slice special_name(uint16_t id)
{
    switch (id) {
    case HPCRUN_LM_GPU_CONTEXT: return SLICE("<gpu context>");
    case HPCRUN_LM_GPU_RANGE: return SLICE("<gpu range>");
    case HPCRUN_LM_GPU_ROOT: return SLICE("<gpu range root>");
    default: return SLICE("<unknown module>");
    }
}

static int begin_modules(struct flattener *f, assay_error *err)
{
    f->windows.len = f->modules.len = 0;
    index_clear(&f->index);
    f->next_slot = 1;
    for (size_t i = 0; i < f->e->modules.len; i++) {
        const struct image_module *m = &f->e->modules.at[i];
        if (find_window(f, m->id, 0)) continue;
        TRY(add_window(f, m, 0, m->id, err));
        if (m->id >= f->next_slot) f->next_slot = (uint64_t)m->id + 1;
    }
    return 0;
}

static int place(struct flattener *f, struct image_node *n, assay_error *err)
{
    bool is_old = f->m->layout == IMAGE_BY_ID;
    if (n->module == HPCRUN_LM_PLACEHOLDER) {
        if (n->ip == HPCRUN_PLACEHOLDER("^Primary")) n->ip = 0;
        if (is_old && n->ip == 1) n->ip = HPCRUN_PLACEHOLDER("^Partial");
        f->has_placeholders |= n->ip != 0;
        f->unknown_placeholders += n->ip && !hpcrun_placeholder_name(n->ip);
        return 0;
    }
    uint64_t number = n->ip >> WINDOW_BITS;
    struct window *w = find_window(f, n->module, number);
    if (!w) {
        const struct image_module *known = find_module(f, n->module);
        struct image_module made = { .name = known ? known->name : special_name(n->module), .id = n->module, .flags = known ? known->flags : 0 };
        TRY(add_window(f, &made, number, f->next_slot++, err));
        w = &f->windows.at[f->windows.len - 1];
    }
    n->ip = (w->slot << WINDOW_BITS) + (n->ip & ((UINT64_C(1) << WINDOW_BITS) - 1));
    n->module = 0;
    return 0;
}

/* The specification wants one entry at least. */
static int end_modules(struct flattener *f, assay_error *err)
{
    if (f->modules.len == 0) {
        struct image_module *to = vec_push(f->m->mem, &f->modules);
        if (!to) return error_memory(err);
        assay_slice name = hpcrun_image_pair(f->m, "program-name");
        *to =
            (struct image_module){ .name = name.len ? name : SLICE("<unknown>"), .address = UINT64_C(1) << WINDOW_BITS, .offset = UINT64_C(1) << WINDOW_BITS };
    }
    vec_done(f->m->mem, &f->e->modules);
    f->e->modules.at = f->modules.at;
    f->e->modules.len = f->modules.len;
    f->e->modules.cap = f->modules.cap;
    f->modules.at = NULL;
    f->modules.len = f->modules.cap = 0;
    return 0;
}

/* ---- metrics and ids ---- */

static void flatten_metrics(struct flattener *f)
{
    for (size_t i = 0; i < f->e->metrics.len; i++) {
        struct image_metric *m = &f->e->metrics.at[i];
        /* bytes: type raw, value type, format, move, partner twice, show, percent */
        bool is_plain = m->flags[0] <= 1 && !m->flags[1] && !m->flags[3] && !m->flags[4] && !m->flags[5] && m->flags[6] == 1 && m->flags[7] == 1;
        bool has_text = m->format.len || (m->description.len && !slice_equal(m->description, m->name));
        f->lost_facts += !is_plain || has_text || m->is_frequency || m->is_multiplexed || m->threshold_mean || m->samples;
        f->lost_formulas += m->formula.len != 0;
        m->literal_flags = m->is_real ? 6 : 2;
    }
}

static uint32_t renumbered(const struct index *ids, const uint32_t *old, uint32_t id)
{
    for (struct index_walk w = index_walk(ids, hash_mix(1, id)); index_next(ids, &w);)
        if (old[w.id - 1] == id) return 2 * w.id + id % 2;
    return id;
}

/* Ids of 02.00l are signed: larger ones are replaced, odd ones by odd ones. */
static int shrink_ids(struct flattener *f, assay_error *err)
{
    struct image_epoch *e = f->e;
    SCOPED(index_done) struct index ids = { 0 };
    bool is_large = false;
    for (size_t i = 0; i < e->nodes.len; i++) is_large |= e->nodes.at[i].id > INT32_MAX + (uint32_t)e->nodes.at[i].is_leaf_id;
    if (!is_large) return 0;
    if (e->nodes.len > INT32_MAX / 2 - 8) FAIL(err, ASSAY_ERR_LIMIT, "02.00 has no room for the ids of %zu nodes", e->nodes.len);
    SCRATCH(uint32_t, old, f->m->mem, e->nodes.len);
    if (!old) return error_memory(err);
    index_init(&ids, f->m->mem);
    for (size_t i = 0; i < e->nodes.len; i++) {
        TRY(cancel_step(i, err));
        old[i] = e->nodes.at[i].id;
        if (!index_add(&ids, hash_mix(1, old[i]), (uint32_t)i + 1)) return error_memory(err);
    }
    for (size_t i = 0; i < e->nodes.len; i++) {
        TRY(cancel_step(i, err));
        e->nodes.at[i].id = renumbered(&ids, old, e->nodes.at[i].id);
        if (e->nodes.at[i].parent) e->nodes.at[i].parent = renumbered(&ids, old, e->nodes.at[i].parent);
    }
    for (size_t i = 0; i < e->ranges.len; i++) {
        TRY(cancel_step(i, err));
        e->ranges.at[i].node = renumbered(&ids, old, e->ranges.at[i].node);
    }
    f->lost_ids += e->nodes.len;
    return 0;
}

/* Ids of leaves are negative. */
static int mark_leaves(struct flattener *f, assay_error *err)
{
    struct image_epoch *e = f->e;
    SCOPED(index_done) struct index ids;
    index_init(&ids, f->m->mem);
    for (size_t i = 0; i < e->nodes.len; i++) {
        TRY(cancel_step(i, err));
        struct image_node *n = &e->nodes.at[i];
        n->is_leaf_id = true;
        if (!index_add(&ids, hash_mix(1, n->id), (uint32_t)i + 1)) return error_memory(err);
        for (struct index_walk w = index_walk(&ids, hash_mix(1, n->parent)); n->parent && index_next(&ids, &w);)
            if (e->nodes.at[w.id - 1].id == n->parent) {
                e->nodes.at[w.id - 1].is_leaf_id = false;
                break;
            }
    }
    return 0;
}

/* ---- all ---- */

static int flatten(struct flattener *f, assay_error *err)
{
    struct image_epoch *e = f->e;
    if (f->m->layout == IMAGE_SPARSE && e->granularity == 0) e->ra_distance = (uint32_t)(e->granularity = 1);
    TRY(begin_modules(f, err));
    for (size_t i = 0; i < e->nodes.len; i++) {
        TRY(cancel_step(i, err));
        f->lost_flags += !(e->nodes.at[i].flags & HPCRUN_UNWOUND);
        TRY(place(f, &e->nodes.at[i], err));
    }
    TRY(end_modules(f, err));
    flatten_metrics(f);
    return mark_leaves(f, err);
}

/* Readers go by the flag and by the pair LIP-size; other versions have two words whatever that says. */
static void agree_on_lush(struct image_epoch *e)
{
    size_t kept = 0;
    e->flags = (e->flags & ~UINT64_C(1)) | e->is_lush;
    for (size_t i = 0; i < e->pairs.len; i++) {
        bool is_size = slice_is(e->pairs.at[i].name, "LIP-size");
        if (!is_size || slice_is(e->pairs.at[i].value, "2")) e->pairs.at[kept++] = e->pairs.at[i];
    }
    e->pairs.len = kept;
}

/* What the code of 2009 wrote: another load map, and lush fields whether they mean something or not. */
static int modernise(struct flattener *f, assay_error *err)
{
    struct image_epoch *e = f->e;
    bool means_something = e->flags & 1;
    for (size_t i = 0; i < e->modules.len; i++) e->modules.at[i].offset = e->modules.at[i].address - e->modules.at[i].offset;
    for (size_t i = 0; i < e->nodes.len && !means_something; i++) {
        const struct image_node *n = &e->nodes.at[i];
        means_something = n->assoc != 0;
        for (uint32_t k = 0; n->lip && k < 8 * e->lip_words; k++) means_something |= n->lip[k] != 0;
    }
    e->is_lush = means_something;
    return mark_leaves(f, err);
}

static void name_losses(const struct flattener *f, struct losses *l)
{
    if (f->m->layout == IMAGE_SPARSE && f->m->tuple.len) losses_add(l, "streams", f->m->tuple.len, "the id tuple and its dictionary are left out");
    if (f->lost_flags) losses_add(l, "flags", f->lost_flags, "%" PRIu64 " node%s no longer marked as not unwound", f->lost_flags, plural_is(f->lost_flags));
    if (f->lost_facts)
        losses_add(l, "attributes", f->lost_facts, "descriptions, ways to show, formats or sampling fields of %" PRIu64 " metric%s are left out", f->lost_facts,
                   plural(f->lost_facts));
    if (f->lost_formulas)
        losses_add(l, "formulas", f->lost_formulas, "the formulas of %" PRIu64 " metric%s are left out", f->lost_formulas, plural(f->lost_formulas));
    if (f->lost_module_flags)
        losses_add(l, "flags", f->lost_module_flags, "the flags of %" PRIu64 " load module%s keep 32 bits", f->lost_module_flags, plural(f->lost_module_flags));
    if (f->lost_ids)
        losses_add(l, "ids", f->lost_ids, "ids above 2^31 - 1 have no place in 02.00: %" PRIu64 " node%s renumbered", f->lost_ids, plural_is(f->lost_ids));
    if (f->unknown_placeholders)
        losses_add(l, "placeholders", f->unknown_placeholders, "%" PRIu64 " node%s with unknown placeholders, which will look like addresses",
                   f->unknown_placeholders, plural(f->unknown_placeholders));
}

static int announce_placeholders(struct flattener *f, assay_error *err)
{
    if (!f->has_placeholders || hpcrun_image_pair(f->m, "assay-placeholders").data) return 0;
    struct image_pair *p = vec_push(f->m->mem, &f->m->pairs);
    if (p) *p = (struct image_pair){ SLICE("assay-placeholders"), SLICE("1") };
    return p ? 0 : error_memory(err);
}

int hpcrun_to_literal(struct hpcrun_image *m, struct losses *losses, assay_error *err)
{
    struct flattener f = { .m = m };
    int rc = 0;
    index_init(&f.index, m->mem);
    for (size_t i = 0; rc == 0 && i < m->epochs.len && (rc = cancel_step(i, err)) == 0; i++) {
        f.e = &m->epochs.at[i];
        if (m->layout != IMAGE_LITERAL || m->variant != HPCRUN_02_LITERAL) {
            rc = m->layout == IMAGE_LITERAL ? modernise(&f, err) : flatten(&f, err);
            agree_on_lush(f.e);
        }
        if (rc == 0) rc = shrink_ids(&f, err);
    }
    if (rc == 0) rc = announce_placeholders(&f, err);
    if (rc == 0) name_losses(&f, losses);
    m->layout = IMAGE_LITERAL;
    vec_done(m->mem, &f.modules, &f.windows);
    index_done(&f.index);
    return rc;
}
