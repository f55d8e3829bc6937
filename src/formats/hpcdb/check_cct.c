/* cct.db: rules H122 to H131, and H110; and whether it says the same as profile.db: H160 and H161.
 *
 * profile.db orders values by (profile, context, metric), cct.db by (context, metric, profile). So one place in each profile is enough to
 * lay them against each other in a single pass: while cct.db is read in order, the next value of the profile it names must be its twin. */
#include <inttypes.h>

#include "base/cancel.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/hpcdb/check.h"

enum { TELL_EVERY = 256 }; /* contexts between looks at the clock */

/* Where a profile has got to. What is needed for each value comes first: profiles take turns. */
struct place {
    uint64_t key;                  /* context << 16 | metric of its next value; UINT64_MAX = no more */
    const unsigned char *at, *end; /* the next value, and those after it that the window shows of the same context */
    uint32_t ctx, ctx_next, n_ctxs, number;
    uint64_t shown, run_end, n_values; /* numbers: of the value at `end`, of the end of the context */
    uint64_t values_at, ctxs_at;
    struct hpcdb_view values, ctxs;
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

static uint64_t next_off(const struct place *p) { return p->values_at + p->shown * HPCDB_VALUE_LEN - (uint64_t)(p->end - p->at); }

/* The next context with values; false = there is none. */
static bool next_run(struct place *p)
{
    while (p->shown >= p->run_end) {
        if (p->ctx_next >= p->n_ctxs) return false;
        uint32_t i = p->ctx_next++;
        bool is_last = i + 1 == p->n_ctxs;
        const unsigned char *index = hpcdb_view_at(&p->ctxs, p->ctxs_at + (uint64_t)i * HPCDB_INDEX_LEN, is_last ? HPCDB_INDEX_LEN : 2 * HPCDB_INDEX_LEN);
        struct hpcdb_run run = hpcdb_run_of(bytes_u64le(index + 4), is_last ? p->n_values : bytes_u64le(index + HPCDB_INDEX_LEN + 4), p->n_values);
        p->ctx = bytes_u32le(index);
        p->shown = run.begin;
        p->run_end = run.end;
    }
    return true;
}

static void load_key(struct place *p)
{
    if (p->at == p->end) {
        if (!next_run(p)) {
            p->key = UINT64_MAX;
            return;
        }
        uint64_t count = p->run_end - p->shown;
        p->at = hpcdb_view_some(&p->values, p->values_at + p->shown * HPCDB_VALUE_LEN, HPCDB_VALUE_LEN, &count);
        p->end = p->at + count * HPCDB_VALUE_LEN;
        p->shown += count;
    }
    p->key = (uint64_t)p->ctx << 16 | bytes_u16le(p->at);
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
        uint64_t values_end = p.values_at + p.n_values * HPCDB_VALUE_LEN, ctxs_end = p.ctxs_at + (uint64_t)p.n_ctxs * HPCDB_INDEX_LEN;
        struct place *at = &b->places[i];
        if (p.flags & HPCDB_IS_SUMMARY) p.n_ctxs = 0;
        b->values += p.n_ctxs ? p.n_values : 0;
        *at = (struct place){ .n_values = p.n_values, .n_ctxs = p.n_ctxs, .number = i, .values_at = p.values_at, .ctxs_at = p.ctxs_at };
        hpcdb_view_init(&at->values, &c->db.file[HPCDB_PROFILE], values_end, room, b->room_len);
        hpcdb_view_init(&at->ctxs, &c->db.file[HPCDB_PROFILE], ctxs_end, room ? room + b->room_len : NULL, b->room_len);
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
        hpcdb_say(&b->c->db, HPCDB_PROFILE, "H160", ASSAY_ERROR, next_off(p), "the value of profile %u, context %u, metric %u is not in cct.db", p->number,
                  p->ctx, (unsigned)(p->key & 0xffff));
        p->at += HPCDB_VALUE_LEN;
        load_key(p);
    }
}

static void differ(struct both *b, uint32_t profile, uint64_t off, uint64_t key, bool is_missing)
{
    hpcdb_say(&b->c->db, HPCDB_CCT, "H160", ASSAY_ERROR, off + 4,
              is_missing ? "the value of profile %u, context %u, metric %u is not in profile.db"
                         : "the value of profile %u, context %u, metric %u differs in profile.db",
              profile, (unsigned)(key >> 16), (unsigned)(key & 0xffff));
}

/* `value` stands at `off` of cct.db. */
static inline void compare(struct both *b, uint32_t profile, const unsigned char *value, uint64_t off, uint64_t key)
{
    struct place *p = &b->places[profile];
    if (p->key < key) skip_missing(b, p, key);
    if (p->key != key) {
        differ(b, profile, off, key, true);
        return;
    }
    if (memcmp(p->at + 2, value + 4, 8) != 0) differ(b, profile, off, key, false);
    p->at += HPCDB_VALUE_LEN;
    if (p->at != p->end)
        p->key = (uint64_t)p->ctx << 16 | bytes_u16le(p->at);
    else
        load_key(p);
}

/* ---- cct.db ---- */

static void check_run(struct both *b, struct hpcdb_ctx *x, struct hpcdb_run run, uint64_t key)
{
    struct hpcdb_checker *c = b->c;
    int64_t last = -1;
    uint64_t count;
    for (uint64_t i = run.begin; i < run.end; i += count) {
        count = run.end - i;
        const unsigned char *at = hpcdb_cct_values(x, i, &count), *end = at + count * HPCDB_CCT_VALUE_LEN;
        for (; at < end; at += HPCDB_CCT_VALUE_LEN) {
            uint64_t off = x->values_at + (i + count) * HPCDB_CCT_VALUE_LEN - (uint64_t)(end - at);
            uint32_t profile = bytes_u32le(at);
            double v = bytes_f64le(at + 4);
            if (profile <= last) hpcdb_say(&c->db, HPCDB_CCT, "H127", ASSAY_ERROR, off, "profile %u comes after profile %" PRId64, profile, last);
            if (v == 0 || v != v) say(c, "H130", ASSAY_WARNING, off + 4, v == 0 ? "a value of 0, which need not be stored" : "a value that is not a number");
            last = profile;
            if (profile == 0 || (b->places && profile >= b->count))
                hpcdb_say(&c->db, HPCDB_CCT, "H128", ASSAY_ERROR, off, "there is no thread profile %u", profile);
            else if (b->places)
                compare(b, profile, at, off, key);
        }
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
    for (uint32_t id = 1; id < c->db.ctxs.count && !cancel_at(id); id++) {
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
    struct hpcdb_ctx x;
    uint64_t values = 0;
    if (!s->is_ok) return 0;
    if (c->tree.len > 1 && c->largest_id >= c->db.ctxs.count)
        hpcdb_say(&c->db, HPCDB_CCT, "H122", ASSAY_ERROR, s->off + 8, "%u context%s, but meta.db names context %u", c->db.ctxs.count, plural(c->db.ctxs.count),
                  c->largest_id);
    hpcdb_ctx_init(&c->db, &x);
    SCOPED(both_done) struct both b = { .c = c };
    TRY(both_init(&b, c, err));
    for (uint32_t id = 0; id < c->db.ctxs.count; id++) {
        TRY(cancel_step(id, err));
        hpcdb_ctx_at(&c->db, id, &x);
        check_place(c, &x);
        values += x.n_values;
        check_metrics(&b, id, &x);
        if (id % TELL_EVERY == 0) TRY(hpcdb_check_progress(c, c->db.file[HPCDB_CCT].bytes.len / (c->db.ctxs.count / TELL_EVERY + 1), err));
    }
    check_totals(&b, values);
    count_hidden(c);
    return 0;
}
