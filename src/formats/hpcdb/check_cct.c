/* cct.db: rules H122 to H131, and H110; and whether it says the same as profile.db: H160 and H161.
 *
 * profile.db orders values by (profile, context, metric), cct.db by (context, metric, profile). So one place in each profile is enough to
 * lay them against each other in a single pass: while cct.db is read in order, the next value of the profile it names must be its twin. */
#include <inttypes.h>

#include "base/plural.h"

#include "formats/hpcdb/check.h"

enum { TELL_EVERY = 256 }; /* contexts between looks at the clock */

/* Where a profile has got to. */
struct place {
    struct hpcdb_view values, ctxs;
    uint64_t key; /* context << 16 | metric of its next value; UINT64_MAX = no more */
    uint64_t next, run_end, n_values;
    uint32_t ctx, ctx_next, n_ctxs, number;
    uint64_t values_at, ctxs_at;
};
enum { ROOM = 8 << 20, ROOM_LEAST = 512 }; /* bytes of all windows; of one */

struct both {
    struct hpcdb_checker *c;
    struct place *places; /* by profile; NULL = there is no profile.db to compare with */
    uint32_t count;
    unsigned char *rooms; /* two windows for each profile */
    uint32_t room_len;
    uint64_t values; /* of the thread profiles */
};

static void say(struct hpcdb_checker *c, const char *rule, int severity, uint64_t off, const char *text)
{
    hpcdb_say(&c->db, HPCDB_CCT, rule, severity, off, "%s", text);
}

/* ---- profile.db beside it ---- */

static const unsigned char *index_at(struct place *p, uint32_t i)
{
    return hpcdb_view_at(&p->ctxs, p->ctxs_at + (uint64_t)i * HPCDB_INDEX_LEN, HPCDB_INDEX_LEN);
}
static uint64_t index_start(struct place *p, uint32_t i) { return bytes_u64le(index_at(p, i) + 4); }
static const unsigned char *next_value(struct place *p) { return hpcdb_view_at(&p->values, p->values_at + p->next * HPCDB_VALUE_LEN, HPCDB_VALUE_LEN); }

static void load_key(struct place *p)
{
    while (p->next >= p->run_end) {
        if (p->ctx_next >= p->n_ctxs) {
            p->key = UINT64_MAX;
            return;
        }
        uint32_t i = p->ctx_next++;
        struct hpcdb_run run = hpcdb_run_of(index_start(p, i), i + 1 < p->n_ctxs ? index_start(p, i + 1) : p->n_values, p->n_values);
        p->ctx = bytes_u32le(index_at(p, i));
        p->next = run.begin;
        p->run_end = run.end;
    }
    p->key = (uint64_t)p->ctx << 16 | bytes_u16le(next_value(p));
}

static int both_init(struct both *b, struct hpcdb_checker *c, assay_error *err)
{
    *b = (struct both){ .c = c };
    if (!hpcdb_check_has(c, HPCDB_PROFILE) || c->db.profiles.count == 0) return 0;
    b->count = c->db.profiles.count;
    b->places = mem_zalloc(c->mem, b->count, sizeof *b->places);
    b->room_len = ROOM / 2 / b->count > HPCDB_WINDOW ? HPCDB_WINDOW : ROOM / 2 / b->count < ROOM_LEAST ? ROOM_LEAST : ROOM / 2 / b->count;
    b->rooms = c->db.file[HPCDB_PROFILE].bytes.data ? NULL : mem_zalloc(c->mem, b->count, (size_t)2 * b->room_len);
    if (!b->places || (!b->rooms && !c->db.file[HPCDB_PROFILE].bytes.data)) return error_memory(err);
    for (uint32_t i = 1; i < b->count; i++) {
        struct hpcdb_profile p;
        unsigned char *room = b->rooms ? b->rooms + (size_t)i * 2 * b->room_len : NULL;
        hpcdb_profile_at(&c->quiet, i, &p);
        struct place *at = &b->places[i];
        if (p.flags & HPCDB_IS_SUMMARY) p.n_ctxs = 0;
        b->values += p.n_ctxs ? p.n_values : 0;
        *at = (struct place){ .n_values = p.n_values, .n_ctxs = p.n_ctxs, .number = i, .values_at = p.values_at, .ctxs_at = p.ctxs_at };
        hpcdb_view_init(&at->values, &c->db.file[HPCDB_PROFILE], room, b->room_len);
        hpcdb_view_init(&at->ctxs, &c->db.file[HPCDB_PROFILE], room ? room + b->room_len : NULL, b->room_len);
        load_key(at);
    }
    b->places[0].key = UINT64_MAX;
    return 0;
}

static void both_done(struct both *b)
{
    mem_free(b->c->mem, b->places, b->places ? b->count * sizeof *b->places : 0);
    mem_free(b->c->mem, b->rooms, b->rooms ? (size_t)b->count * 2 * b->room_len : 0);
}

/* Steps over values that cct.db should have had by now. */
static void skip_missing(struct both *b, struct place *p, uint64_t key)
{
    while (p->key < key) {
        hpcdb_say(&b->c->db, HPCDB_PROFILE, "H160", ASSAY_ERROR, p->values_at + p->next * HPCDB_VALUE_LEN,
                  "the value of profile %u, context %u, metric %u is not in cct.db", p->number, p->ctx, (unsigned)(p->key & 0xffff));
        p->next++;
        load_key(p);
    }
}

static void differ(struct both *b, struct hpcdb_ctx *x, uint64_t i, uint64_t key, bool is_missing)
{
    hpcdb_say(&b->c->db, HPCDB_CCT, "H160", ASSAY_ERROR, x->values_at + i * HPCDB_CCT_VALUE_LEN + 4,
              is_missing ? "the value of profile %u, context %u, metric %u is not in profile.db"
                         : "the value of profile %u, context %u, metric %u differs in profile.db",
              hpcdb_cct_profile(x, i), (unsigned)(key >> 16), (unsigned)(key & 0xffff));
}

static inline void compare(struct both *b, struct hpcdb_ctx *x, uint64_t i, uint32_t profile, uint64_t key)
{
    struct place *p = &b->places[profile];
    if (p->key < key) skip_missing(b, p, key);
    if (p->key != key) {
        differ(b, x, i, key, true);
        return;
    }
    if (memcmp(next_value(p) + 2, hpcdb_cct_bytes(x, i) + 4, 8) != 0) differ(b, x, i, key, false);
    if (++p->next < p->run_end)
        p->key = (uint64_t)p->ctx << 16 | bytes_u16le(next_value(p));
    else
        load_key(p);
}

/* ---- cct.db ---- */

static void check_run(struct both *b, struct hpcdb_ctx *x, struct hpcdb_run run, uint64_t key)
{
    struct hpcdb_checker *c = b->c;
    uint32_t last = 0;
    for (uint64_t i = run.begin; i < run.end; i++) {
        uint32_t profile = hpcdb_cct_profile(x, i);
        double v = hpcdb_cct_value(x, i);
        uint64_t off = x->values_at + i * HPCDB_CCT_VALUE_LEN;
        if (profile <= last && i > run.begin) hpcdb_say(&c->db, HPCDB_CCT, "H127", ASSAY_ERROR, off, "profile %u comes after profile %u", profile, last);
        if (v == 0 || v != v) say(c, "H130", ASSAY_WARNING, off + 4, v == 0 ? "a value of 0, which need not be stored" : "a value that is not a number");
        last = profile;
        if (profile == 0 || (b->places && profile >= b->count))
            hpcdb_say(&c->db, HPCDB_CCT, "H128", ASSAY_ERROR, off, "there is no thread profile %u", profile);
        else if (b->places)
            compare(b, x, i, profile, key);
    }
}

static void check_metrics(struct both *b, uint32_t id, struct hpcdb_ctx *x)
{
    struct hpcdb_checker *c = b->c;
    uint64_t last_start = 0;
    int last = -1;
    for (uint32_t i = 0; i < x->n_metrics; i++) {
        uint16_t metric = hpcdb_metric_id(x, i);
        uint64_t start = hpcdb_metric_start(x, i), off = x->metrics_at + (uint64_t)i * HPCDB_CCT_INDEX_LEN;
        if (metric <= last) hpcdb_say(&c->db, HPCDB_CCT, "H125", ASSAY_ERROR, off, "metric %u comes after metric %d", metric, last);
        if (start > x->n_values || start < last_start || (i == 0 && start != 0))
            hpcdb_say(&c->db, HPCDB_CCT, "H126", ASSAY_ERROR, off + 2,
                      "values from number %" PRIu64 " on, but there are %" PRIu64 " and those before begin at %" PRIu64, start, x->n_values, last_start);
        else
            last_start = start;
        if (hpcdb_check_has(c, HPCDB_META) && !c->prop.at[metric])
            hpcdb_say(&c->db, HPCDB_CCT, "H129", ASSAY_ERROR, off, "metric id %u is not a propMetricId in meta.db", metric);
        last = metric;
        check_run(b, x, hpcdb_metric_run(x, i), (uint64_t)id << 16 | metric);
    }
}

static void check_place(struct hpcdb_checker *c, struct hpcdb_ctx *x)
{
    if (!x->is_ok || x->value_count == 0) return;
    if (x->values_at % 4) say(c, "H131", ASSAY_WARNING, x->off + 8, "values are not at a multiple of 4");
    if (x->metrics_at % 2) say(c, "H131", ASSAY_WARNING, x->off + 0x18, "metric indices are not at a multiple of 2");
    if (x->metric_count && x->metrics_at < x->values_at + x->value_count * HPCDB_CCT_VALUE_LEN)
        say(c, "H124", ASSAY_WARNING, x->off + 0x18, "metric indices begin before the end of the values");
    if (x->metric_count == 0) say(c, "H126", ASSAY_ERROR, x->off + 0x10, "values without any metric");
}

static void check_totals(struct both *b, uint64_t values)
{
    const struct hpcdb_section *s = &b->c->db.file[HPCDB_CCT].sections[HPCDB_CTX_INFOS];
    if (!b->places) return;
    for (uint32_t i = 1; i < b->count; i++) skip_missing(b, &b->places[i], UINT64_MAX);
    if (values != b->values)
        hpcdb_say(&b->c->db, HPCDB_CCT, "H161", ASSAY_ERROR, s->off, "%" PRIu64 " values in total, but profile.db has %" PRIu64 " of threads", values,
                  b->values);
}

/* Contexts with values that meta.db leaves out: instructions inside a line. */
static void count_hidden(struct hpcdb_checker *c)
{
    struct hpcdb_profile p = { .n_ctxs = 0 };
    uint64_t hidden = 0;
    uint32_t at = 0;
    if (c->db.is_single) return;
    if (c->db.profiles.count) hpcdb_profile_at(&c->quiet, 0, &p);
    for (uint32_t id = 1; id < c->db.ctxs.count; id++) {
        while (at < p.n_ctxs && hpcdb_ctx_id(&p, at) < id) at++;
        bool has = bytes_u64le(hpcdb_element(&c->db.ctxs, id)) || (at < p.n_ctxs && hpcdb_ctx_id(&p, at) == id);
        hidden += has && !hpcdb_ids_find(&c->nodes, id);
    }
    if (hidden)
        hpcdb_say(&c->db, HPCDB_META, "H110", ASSAY_INFO, FINDING_NO_OFFSET, "%" PRIu64 " context%s values but no entry in the tree: instructions inside lines",
                  hidden, hidden == 1 ? " has" : "s have");
}

int hpcdb_check_cct(struct hpcdb_checker *c, assay_error *err)
{
    const struct hpcdb_section *s = &c->db.file[HPCDB_CCT].sections[HPCDB_CTX_INFOS];
    struct both b;
    struct hpcdb_ctx x;
    uint64_t values = 0;
    if (!s->is_ok) return 0;
    if (c->tree.len > 1 && c->largest_id >= c->db.ctxs.count)
        hpcdb_say(&c->db, HPCDB_CCT, "H122", ASSAY_ERROR, s->off + 8, "%u context%s, but meta.db names context %u", c->db.ctxs.count, plural(c->db.ctxs.count),
                  c->largest_id);
    int rc = both_init(&b, c, err);
    for (uint32_t id = 0; rc == 0 && id < c->db.ctxs.count; id++) {
        hpcdb_ctx_at(&c->db, id, &x);
        check_place(c, &x);
        values += x.n_values;
        check_metrics(&b, id, &x);
        if (id % TELL_EVERY == 0) rc = hpcdb_check_progress(c, c->db.file[HPCDB_CCT].bytes.len / (c->db.ctxs.count / TELL_EVERY + 1), err);
    }
    if (rc == 0) {
        check_totals(&b, values);
        count_hidden(c);
    }
    both_done(&b);
    return rc;
}
