/* Rules of the document: what its elements say of each other. Rules of single elements are the decoder's and the tables'. */
#include "formats/hpcdb-xml/check.h"

#include <math.h>

#include "base/scoped.h"
#include "formats/hpcdb-xml/hpcdb_xml.h"

#define EXCESS 2e-5 /* values have six digits */
#define PRUNED 1e-4

static int start(struct hx_checker *k, uint64_t off)
{
    struct hx_seen *root = vec_push(k->mem, &k->nodes);
    size_t bases = k->tables.bases.len;
    if (!root || !hx_open_init(&k->open, k->mem, k->tables.metrics.len) || !vec_reserve(k->mem, &k->sums, bases + 1)) return error_memory(k->err);
    *root = (struct hx_seen){ .off = off, .tag = HX_NO_TAG };
    memset(k->sums.at, 0, (bases + 1) * sizeof *k->sums.at);
    k->sums.len = bases;
    return 0;
}

/* ---- nodes ---- */

static int node(struct hx_checker *k, const struct hx_record *r)
{
    assay_slice text;
    bool is_procedure = r->tag == HX_PF || r->tag == HX_PR;
    struct hx_place p = { .off = r->off };
    if (!k->tables.is_flat) {
        if (is_procedure) (void)hx_name_of(&k->tables, HX_PROCEDURES, r, r->n, &text);
        (void)hx_name_of(&k->tables, HX_FILES, r, r->f, &text);
        if (is_procedure) (void)hx_name_of(&k->tables, HX_MODULES, r, r->lm, &text);
    }
    p.id = r->id;
    bool has_room = !(r->has & HX_HAS_ID) || hx_places_add(&k->places, &p);
    p.id = r->trace_id;
    has_room = has_room && (!(r->has & HX_HAS_TRACE_ID) || hx_places_add(&k->trace_ids, &p));
    if (!(r->has & HX_HAS_ID) && !k->has_unnumbered) {
        k->has_unnumbered = true;
        k->unnumbered_off = r->off;
    }
    k->nodes.at[k->nodes.len - 1].kids++;
    struct hx_seen *slot = has_room ? vec_push(k->mem, &k->nodes) : NULL;
    if (!slot) return error_memory(k->err);
    *slot = (struct hx_seen){ .off = r->off, .tag = r->tag };
    return 0;
}

static int value(struct hx_checker *k, const struct hx_record *r)
{
    struct hx_metric *m = hx_metric_of(&k->tables, r);
    if (!m || !(r->has & HX_HAS_VALUE)) return 0;
    struct hx_entry *e = hx_open_entry(&k->open, (uint32_t)(m - k->tables.metrics.at), r->depth);
    if (!e) return error_memory(k->err);
    if (e->has_value) findings_add(k->out, "HX19", ASSAY_WARNING, r->off, 0, "metric %lld appears twice at one node: the last one counts", (long long)m->id);
    e->has_value = true;
    e->value = r->value;
    return 0;
}

static bool is_inclusive(const struct hx_checker *k, uint32_t column) { return k->tables.bases.at[k->tables.metrics.at[column].base].inclusive == column + 1; }

/* A statement has nothing inside: both columns of the sum are the same. */
static void check_statement(struct hx_checker *k, const struct hx_seen *n, uint32_t depth)
{
    if (n->tag != HX_S || n->kids || depth >= k->open.first.len) return;
    for (uint32_t at = k->open.first.at[depth]; at; at = k->open.entries.at[at - 1].next) {
        const struct hx_entry *e = &k->open.entries.at[at - 1];
        const struct hx_base *b = &k->tables.bases.at[k->tables.metrics.at[e->column].base];
        bool is_total = b->inclusive == e->column + 1, is_own = b->exclusive == e->column + 1;
        if (!b->has_pair || (!is_total && !is_own)) continue;
        const struct hx_entry *other = hx_open_find(&k->open, (is_total ? b->exclusive : b->inclusive) - 1, depth);
        double there = other ? other->value : 0;
        if ((is_total || !other) && there != e->value)
            findings_add(k->out, "HX15", ASSAY_WARNING, n->off, 0, "a statement with an inclusive value of %.6g and an exclusive one of %.6g for %.80s",
                         is_total ? e->value : there, is_total ? there : e->value, b->name.data);
    }
}

static void check_kids(struct hx_checker *k, const struct hx_seen *n, const struct hx_entry *e)
{
    const struct hx_base *b = &k->tables.bases.at[k->tables.metrics.at[e->column].base];
    if (is_inclusive(k, e->column) && e->kids > 0 && e->kids > e->value * (1 + EXCESS) + 1e-300)
        findings_add(k->out, "HX14", ASSAY_WARNING, n->off, 0, "%.80s: its contents add up to %.10g, which is more than its own %.10g", b->name.data, e->kids,
                     e->value);
}

static void sum_up(struct hx_checker *k, const struct hx_seen *n, const struct hx_entry *e, uint32_t depth)
{
    const struct hx_metric *m = &k->tables.metrics.at[e->column];
    struct hx_sums *s = &k->sums.at[m->base];
    if (m->role == HX_OWN && (n->tag == HX_S || n->tag == HX_C)) s->own += e->value;
    if (m->role == HX_TOTAL && depth == 0) {
        s->whole = e->value;
        s->has_whole = e->has_value;
    }
}

/* The node at `depth` ends. */
static int close_node(struct hx_checker *k, uint32_t depth)
{
    const struct hx_seen n = k->nodes.at[depth];
    struct hx_entry e;
    check_statement(k, &n, depth);
    while (hx_open_take(&k->open, depth, &e)) {
        check_kids(k, &n, &e);
        sum_up(k, &n, &e, depth);
        if (depth == 0 || !is_inclusive(k, e.column) || e.value == 0) continue;
        struct hx_entry *up = hx_open_entry(&k->open, e.column, depth - 1);
        if (!up) return error_memory(k->err);
        up->kids += e.value;
    }
    k->nodes.len--;
    return 0;
}

static void check_own(struct hx_checker *k)
{
    for (size_t i = 0; i < k->sums.len; i++) {
        const struct hx_sums *s = &k->sums.at[i];
        if (k->tables.bases.at[i].has_pair && s->has_whole && fabs(s->whole - s->own) > PRUNED * fabs(s->whole))
            findings_add(k->out, "HX16", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%.80s: own costs add up to %.10g of %.10g: parts of the tree were left out",
                         k->tables.bases.at[i].name.data, s->own, s->whole);
    }
}

/* ---- all ---- */

static int take(void *arg, const struct hx_record *r)
{
    struct hx_checker *k = arg;
    int rc;
    switch (r->kind) {
    case HX_NODE: rc = node(k, r); break;
    case HX_NODE_END: rc = close_node(k, (uint32_t)k->nodes.len - 1); break;
    case HX_VALUE: rc = value(k, r); break;
    case HX_DATA_END: rc = close_node(k, 0); break;
    case HX_DATA: rc = hx_tables_take(&k->tables, r, k->err); break;
    default: return hx_tables_take(&k->tables, r, k->err);
    }
    if (rc == 0 && r->kind == HX_DATA) rc = start(k, r->off);
    if (rc == 0 && r->kind == HX_DATA_END) check_own(k);
    return rc == 0 && k->out->failed ? error_memory(k->err) : rc;
}

static int check(struct hx_checker *k)
{
    struct hx_decoder d = { .take = take, .arg = k, .mem = k->mem, .damage = k->out };
    SCOPED(input_drop) struct input *in = NULL;
    struct input *use;
    TRY(hx_open_xml(k->job, &in, &use, k->out, k->err));
    if (!use) return 0;
    TRY(hx_decode(&d, use, k->err));
    if (d.is_refused || !d.has_root) return 0;
    TRY(hx_tables_finish(&k->tables, k->err));
    hx_places_settle(&k->places, k->out);
    hx_places_settle(&k->trace_ids, NULL);
    return hx_check_side(k);
}

int hpcdb_xml_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct hx_checker k = { .job = job, .mem = job->mem, .out = out, .err = err, .places = { .mem = job->mem }, .trace_ids = { .mem = job->mem } };
    hx_tables_init(&k.tables, k.mem, out);
    int rc = check(&k);
    vec_done(k.mem, &k.nodes, &k.sums);
    hx_open_done(&k.open);
    hx_places_done(&k.places);
    hx_places_done(&k.trace_ids);
    hx_tables_done(&k.tables);
    return rc == 0 && out->failed ? error_memory(err) : rc;
}
