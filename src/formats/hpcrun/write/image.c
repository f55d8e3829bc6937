/* Loading an image from the records of a file; see image.h. */
#include "formats/hpcrun/write/image.h"

#include "base/index.h"
#include "formats/hpcrun/hpcrun.h"

void hpcrun_image_init(struct hpcrun_image *m, struct mem *mem)
{
    memset(m, 0, sizeof *m);
    m->mem = mem;
    arena_init(&m->text, mem);
}

void hpcrun_epoch_done(struct mem *mem, struct image_epoch *e) { vec_done(mem, &e->pairs, &e->metrics, &e->modules, &e->nodes, &e->values, &e->ranges); }

void hpcrun_image_done(struct hpcrun_image *m)
{
    for (size_t i = 0; i < m->epochs.len; i++) hpcrun_epoch_done(m->mem, &m->epochs.at[i]);
    vec_done(m->mem, &m->epochs, &m->pairs, &m->kinds, &m->tuple);
    arena_done(&m->text);
}

assay_slice hpcrun_image_pair(const struct hpcrun_image *m, const char *name)
{
    for (size_t i = 0; i < m->pairs.len; i++)
        if (slice_is(m->pairs.at[i].name, name)) return m->pairs.at[i].value;
    return (assay_slice){ NULL, 0 };
}

/* ---- loading ---- */

struct loader {
    struct hpcrun_image *m;
    struct hpcrun_decoder d;
    struct index ids;          /* id -> index of the node + 1, of the epoch in work */
    uint32_t fresh;            /* ids above this one are free */
    struct hpcrun_span values; /* 04.00 */
};

static struct image_epoch *current(struct loader *l) { return &l->m->epochs.at[l->m->epochs.len - 1]; }

static bool add_epoch(struct loader *l, const struct hpcrun_epoch *from)
{
    struct image_epoch *e = vec_push(l->m->mem, &l->m->epochs);
    if (!e) return false;
    memset(e, 0, sizeof *e);
    if (from) {
        e->flags = from->flags;
        e->granularity = from->granularity;
        e->ra_distance = from->ra_distance;
    }
    return true;
}

static bool add_pair(struct loader *l, const struct hpcrun_pair *p)
{
    struct image_pair *slot = p->is_epoch ? vec_push(l->m->mem, &current(l)->pairs) : vec_push(l->m->mem, &l->m->pairs);
    if (slot) *slot = (struct image_pair){ p->name.text, p->value.text };
    return slot != NULL;
}

static bool add_metric(struct loader *l, const struct hpcrun_metric *from)
{
    struct image_metric *to = vec_push(l->m->mem, &current(l)->metrics);
    if (!to) return false;
    *to = (struct image_metric){ .name = from->name.text, .description = from->description.text, .formula = from->formula.text, .format = from->format.text };
    to->period = from->period;
    to->is_real = from->value_format == 2;
    to->is_frequency = from->is_frequency;
    to->is_multiplexed = from->is_multiplexed;
    to->threshold_mean = from->threshold_mean;
    to->samples = from->samples;
    const unsigned char *bytes = (const unsigned char *)from->flags.data;
    if (l->m->layout == IMAGE_LITERAL)
        to->literal_flags = from->flags.len < 8 ? 0 : l->m->is_big_endian ? hpcrun_be64(bytes) : hpcrun_le64(bytes);
    else if (from->flags.len == sizeof to->flags && (!from->is_bit_field || l->m->layout == IMAGE_SPARSE)) {
        memcpy(to->flags, bytes, sizeof to->flags);
        to->has_bytes = true;
    } else {
        const unsigned char made[8] = {
            from->type, from->value_type,  from->value_format, from->to_procedure, (unsigned char)from->partner, (unsigned char)(from->partner >> 8),
            from->show, from->show_percent
        };
        memcpy(to->flags, made, sizeof made);
        to->has_bytes = true;
    }
    return true;
}

static bool add_module(struct loader *l, const struct hpcrun_module *from)
{
    struct image_module *to = vec_push(l->m->mem, &current(l)->modules);
    if (to) *to = (struct image_module){ from->name.text, from->id, from->flags, from->address, from->offset };
    return to != NULL;
}

/* ---- nodes ---- */

static uint64_t hash_of(uint32_t id) { return hash_mix(1, id); }

static bool knows(const struct loader *l, uint32_t id)
{
    const struct image_epoch *e = &l->m->epochs.at[l->m->epochs.len - 1];
    for (struct index_walk w = index_walk(&l->ids, hash_of(id)); index_next(&l->ids, &w);)
        if (e->nodes.at[w.id - 1].id == id) return true;
    return false;
}

static bool add_values(struct loader *l, const struct hpcrun_span *s, const struct hpcrun_node *n, uint32_t id)
{
    struct image_epoch *e = current(l);
    uint64_t begin = e->values.len;
    for (uint32_t i = 0; n->values && i < s->value_count; i++) {
        uint64_t bits = hpcrun_dense(s, n, i);
        struct image_value *v = bits ? vec_push(l->m->mem, &e->values) : NULL;
        if (bits && !v) return false;
        if (v) *v = (struct image_value){ bits, i };
    }
    if (e->values.len == begin) return true;
    struct image_range *r = vec_push(l->m->mem, &e->ranges);
    if (r) *r = (struct image_range){ id, begin, e->values.len };
    return r != NULL;
}

static bool add_node(struct loader *l, const struct hpcrun_span *s, const struct hpcrun_node *n)
{
    struct image_epoch *e = current(l);
    struct image_node *to;
    uint32_t id = n->id, parent = n->raw_parent;
    bool is_new = id != 0 && !knows(l, id), has_parent = parent == 0 || knows(l, parent);
    l->m->damaged += (uint64_t)!is_new + (uint64_t)!has_parent;
    if (!is_new && l->fresh > UINT32_MAX - 4) return true; /* no id is left for it */
    if (!is_new) id = l->fresh += 2;
    to = vec_push(l->m->mem, &e->nodes);
    if (!to || !index_add(&l->ids, hash_of(id), (uint32_t)e->nodes.len)) return false;
    *to = (struct image_node){
        .id = id, .parent = has_parent ? parent : 0, .is_leaf_id = s->is_signed && n->raw_id > INT32_MAX, .flags = n->flags, .module = n->module
    };
    to->assoc = n->assoc;
    to->ip = n->ip;
    to->lip = n->lip;
    return add_values(l, s, n, is_new ? id : n->id && knows(l, n->id) ? n->id : id);
}

static int load_nodes(struct loader *l, const struct hpcrun_span *s, assay_error *err)
{
    struct image_epoch *e = current(l);
    struct hpcrun_node n;
    index_clear(&l->ids);
    l->fresh = 0;
    e->is_lush = s->assoc_at != 0;
    e->lip_words = s->lip_len / 8;
    if (s->count > UINT32_MAX - 3) FAIL(err, ASSAY_ERR_LIMIT, "a tree of more than 2^32 - 4 nodes cannot be written");
    for (uint64_t i = 0; i < s->count; i++) {
        hpcrun_node_at(s, i, &n);
        if (n.id > l->fresh) l->fresh = n.id;
    }
    l->fresh = l->fresh > UINT32_MAX - 4 ? UINT32_MAX : l->fresh + l->fresh % 2;
    if (!vec_reserve(l->m->mem, &e->nodes, (size_t)s->count)) return error_memory(err);
    for (uint64_t i = 0; i < s->count; i++) {
        hpcrun_node_at(s, i, &n);
        if (!add_node(l, s, &n)) return error_memory(err);
    }
    return 0;
}

/* ---- sparse values ---- */

static bool add_sparse(struct loader *l, uint32_t node, uint64_t begin, uint64_t end)
{
    struct image_epoch *e = current(l);
    struct hpcrun_value v;
    uint64_t first = e->values.len;
    for (uint64_t i = begin; i < end; i++) {
        hpcrun_value_at(&l->values, i, &v);
        if (v.metric >= e->metrics.len) {
            l->m->damaged++;
            continue;
        }
        struct image_value *slot = vec_push(l->m->mem, &e->values);
        if (!slot) return false;
        *slot = (struct image_value){ v.bits, v.metric };
    }
    struct image_range *r = vec_push(l->m->mem, &e->ranges);
    if (r) *r = (struct image_range){ node, first, e->values.len };
    return r != NULL;
}

static int load_index(struct loader *l, const struct hpcrun_span *s, assay_error *err)
{
    struct hpcrun_index now, next;
    uint64_t least = 0;
    if (s->count) {
        hpcrun_index_at(s, s->count - 1, &next);
        l->m->damaged += next.node != HPCRUN_SENTINEL || next.first != l->values.count;
    }
    for (uint64_t i = 0; i + 1 < s->count; i++) {
        hpcrun_index_at(s, i, &now);
        hpcrun_index_at(s, i + 1, &next);
        if (now.first < least || next.first < now.first || next.first > l->values.count || !knows(l, now.node)) {
            l->m->damaged++;
            continue;
        }
        least = next.first;
        if (!add_sparse(l, now.node, now.first, next.first)) return error_memory(err);
    }
    return 0;
}

/* ---- records ---- */

static int load_file(struct loader *l, const struct hpcrun_file *f, assay_error *err)
{
    struct hpcrun_image *m = l->m;
    m->variant = f->variant;
    m->is_big_endian = f->is_big_endian;
    m->layout = f->variant == HPCRUN_04B ? IMAGE_SPARSE : f->variant >= HPCRUN_02B ? IMAGE_BY_ID : IMAGE_LITERAL;
    return m->layout == IMAGE_SPARSE && !add_epoch(l, NULL) ? error_memory(err) : 0;
}

static int load_list(struct loader *l, const struct hpcrun_list *list, assay_error *err)
{
    switch (list->id) {
    case HPCRUN_LIST_NODES: return load_nodes(l, &list->span, err);
    case HPCRUN_LIST_VALUES: l->values = list->span; return 0;
    case HPCRUN_LIST_INDEX: return load_index(l, &list->span, err);
    default: return 0;
    }
}

static int load_record(struct loader *l, const struct hpcrun_record *r, assay_error *err)
{
    bool ok = true;
    switch (r->kind) {
    case HPCRUN_RECORD_FILE: return load_file(l, &r->file, err);
    case HPCRUN_RECORD_LIST: return load_list(l, &r->list, err);
    case HPCRUN_RECORD_PAIR: ok = add_pair(l, &r->pair); break;
    case HPCRUN_RECORD_EPOCH: ok = add_epoch(l, &r->epoch); break;
    case HPCRUN_RECORD_METRIC: ok = add_metric(l, &r->metric); break;
    case HPCRUN_RECORD_MODULE: ok = add_module(l, &r->module); break;
    case HPCRUN_RECORD_KIND: {
        struct image_kind *k = vec_push(l->m->mem, &l->m->kinds);
        if ((ok = k != NULL)) *k = (struct image_kind){ r->kind_name.kind, r->kind_name.name.text };
        break;
    }
    case HPCRUN_RECORD_TUPLE: {
        struct hpcrun_tuple *t = vec_push(l->m->mem, &l->m->tuple);
        if ((ok = t != NULL)) *t = r->tuple;
        break;
    }
    case HPCRUN_RECORD_DAMAGE:
        if (r->damage.is_fatal) return hpcrun_fail(&r->damage, r->off, err);
        l->m->damaged += r->damage.severity == ASSAY_ERROR;
        break;
    default: break;
    }
    return ok ? 0 : error_memory(err);
}

int hpcrun_image_load(struct hpcrun_image *m, assay_slice bytes, assay_error *err)
{
    struct loader l = { .m = m };
    struct hpcrun_record r;
    int rc = 0;
    index_init(&l.ids, m->mem);
    hpcrun_decoder_init(&l.d, bytes);
    l.d.skip_items = true;
    while (rc == 0 && hpcrun_next(&l.d, &r)) rc = load_record(&l, &r, err);
    index_done(&l.ids);
    return rc;
}
