/* The grammar of V8's profiles; see cpuprofile.h. Keys come in any order; nodes stand in a list and name their children, or inside each other. */
#include <math.h>

#include "base/number.h"
#include "base/scan.h"
#include "formats/coverage/json.h"
#include "formats/v8-cpuprofile/cpuprofile.h"

enum { AT_ONCE = 128 };         /* children that are read without an event for each */
enum { MOST_LEVELS = 1000000 }; /* of nodes that stand inside each other */
static const double most_us = 9007199254740992.0;

struct walk {
    struct coverage_json j;
    cpuprofile_fn fn;
    void *arg;
    struct mem *mem;
    assay_error *err;
    VEC(char) name, url;
    VEC(uint32_t) ids;
    VEC(uint32_t) open; /* nodes: which keys were seen */
};

static int give(struct walk *w, const struct cpuprofile_record *r) { return w->fn(w->arg, r); }

static struct cpuprofile_record here(const struct walk *w, enum cpuprofile_kind kind)
{
    return (struct cpuprofile_record){ .kind = kind, .off = w->j.e.off, .at_line = w->j.e.line };
}

static struct cpuprofile_record at_key(const struct walk *w, enum cpuprofile_kind kind)
{
    return (struct cpuprofile_record){ .kind = kind, .off = w->j.key_off, .at_line = w->j.key_line };
}

/* ---- values ---- */

static int give_text(struct walk *w, enum cpuprofile_kind kind, const char *what)
{
    bool is;
    struct cpuprofile_record r = here(w, kind);
    TRY(coverage_json_expect(&w->j, JSON_STRING, what, &is));
    r.text = w->j.e.text;
    return is ? give(w, &r) : 0;
}

/* Ids are whole numbers. */
static int id_of(struct walk *w, const char *what, uint32_t *out, bool *is)
{
    uint64_t v = 0;
    TRY(coverage_json_expect(&w->j, JSON_NUMBER, what, is));
    if (!*is) return 0;
    *is = number_u64(w->j.e.text, &v) == NUMBER_OK && v <= INT32_MAX;
    if (!*is) coverage_json_found(&w->j, w->j.e.off, w->j.e.line, "J-2", ASSAY_ERROR, "%s is no whole number from 0 to 2147483647", what);
    *out = (uint32_t)v;
    return 0;
}

static int give_id(struct walk *w, enum cpuprofile_kind kind, const char *what)
{
    bool is;
    struct cpuprofile_record r = here(w, kind);
    TRY(id_of(w, what, &r.id, &is));
    return is ? give(w, &r) : 0;
}

static int give_count(struct walk *w, enum cpuprofile_kind kind, const char *what)
{
    bool is, was_negative;
    struct cpuprofile_record r = here(w, kind);
    TRY(coverage_json_count(&w->j, what, &r.count, &was_negative, &is));
    if (was_negative) coverage_json_found(&w->j, r.off, r.at_line, "J-2", ASSAY_ERROR, "%s is below 0", what);
    return is ? give(w, &r) : 0;
}

/* Times that no clock has are taken for the largest one. */
static int give_number(struct walk *w, enum cpuprofile_kind kind, const char *what)
{
    bool is;
    struct cpuprofile_record r = here(w, kind);
    TRY(coverage_json_double(&w->j, what, &r.number, &is));
    r.number = fmax(-most_us, fmin(most_us, r.number));
    return is ? give(w, &r) : 0;
}

/* A line or a column. */
static int place(struct walk *w, const char *what, int64_t *out)
{
    bool is;
    double d;
    TRY(coverage_json_double(&w->j, what, &d, &is));
    if (is) *out = d >= 0 && d < INT32_MAX ? (int64_t)d : -1;
    return 0;
}

static int give_place(struct walk *w, enum cpuprofile_kind kind, const char *what)
{
    struct cpuprofile_record r = here(w, kind);
    TRY(place(w, what, kind == CPUPROFILE_LINE ? &r.line : &r.column));
    return give(w, &r);
}

static int keep_text(struct walk *w, const char *what, char **at, size_t *len, size_t *cap)
{
    bool is;
    TRY(coverage_json_expect(&w->j, JSON_STRING, what, &is));
    if (!is) return 0;
    *len = 0;
    if (!vec_grow_(w->mem, (void **)at, 0, cap, w->j.e.text.len + 1, 1)) return error_memory(w->err);
    memcpy(*at, w->j.e.text.data ? w->j.e.text.data : "", w->j.e.text.len);
    *len = w->j.e.text.len;
    return 0;
}

/* ---- frames ---- */

static int any_frame(struct walk *w, struct cpuprofile_record *r)
{
    static const assay_slice keys[] = { COVERAGE_KEY("functionName"), COVERAGE_KEY("url"), COVERAGE_KEY("lineNumber"), COVERAGE_KEY("columnNumber"),
                                        COVERAGE_KEY("scriptId") };
    uint32_t seen = 0;
    w->name.len = w->url.len = 0;
    r->line = r->column = -1;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&w->j, keys, 5, &seen, &at));
        switch (at) {
        case 0: TRY(keep_text(w, "functionName", &w->name.at, &w->name.len, &w->name.cap)); break;
        case 1: TRY(keep_text(w, "url", &w->url.at, &w->url.len, &w->url.cap)); break;
        case 2: TRY(place(w, "lineNumber", &r->line)); break;
        case 3: TRY(place(w, "columnNumber", &r->column)); break;
        case 4: TRY(json_read_skip(&w->j.r, &w->j.e)); break;
        default: break;
        }
    }
    if (!w->j.r.is_damaged && !(seen & 1)) coverage_json_found(&w->j, r->off, r->at_line, "J-3", ASSAY_ERROR, "a callFrame without a functionName");
    r->text = (assay_slice){ w->name.at, w->name.len };
    r->url = (assay_slice){ w->url.at, w->url.len };
    return 0;
}

static int frame(struct walk *w)
{
    struct cpuprofile_record r = here(w, CPUPROFILE_FRAME);
    bool is;
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "callFrame", &is));
    if (is) TRY(any_frame(w, &r));
    return is && !w->j.r.is_damaged ? give(w, &r) : 0;
}

/* ---- lines ---- */

static int tick(struct walk *w)
{
    static const assay_slice keys[] = { COVERAGE_KEY("line"), COVERAGE_KEY("ticks") };
    struct cpuprofile_record r = here(w, CPUPROFILE_TICK);
    uint32_t seen = 0;
    bool is, was_negative;
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "an item of positionTicks", &is));
    for (int at = 0; is;) {
        TRY(coverage_json_key(&w->j, keys, 2, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        bool has;
        TRY(at == 0 ? place(w, "line", &r.line) : coverage_json_count(&w->j, "ticks", &r.count, &was_negative, &has));
    }
    return is && !w->j.r.is_damaged ? give(w, &r) : 0;
}

static int ticks(struct walk *w)
{
    bool has;
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "positionTicks", &has));
    while (has) {
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(tick(w));
    }
    return 0;
}

/* ---- nodes ---- */

/* The ids at the beginning of a list; *is_open = an object follows them, and its event is the last one. */
static int some_ids(struct walk *w, bool *is_open)
{
    bool has;
    for (*is_open = false;;) {
        TRY(coverage_json_item(&w->j, &has));
        *is_open = has && w->j.e.kind == JSON_OBJECT;
        if (!has || *is_open) return 0;
        if (!vec_reserve(w->mem, &w->ids, 1)) return error_memory(w->err);
        TRY(id_of(w, "a child", &w->ids.at[w->ids.len], &has));
        w->ids.len += has;
    }
}

static int children(struct walk *w, bool *is_open)
{
    struct cpuprofile_record r = here(w, CPUPROFILE_CHILDREN);
    uint64_t values[AT_ONCE];
    bool is;
    *is_open = false;
    w->ids.len = 0;
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "children", &is));
    if (!is) return 0;
    if (!vec_reserve(w->mem, &w->ids, AT_ONCE)) return error_memory(w->err);
    int count = json_read_plain(&w->j.r, values, AT_ONCE, NULL);
    bool fits = true;
    for (int i = 0; i < count; i++) {
        fits &= values[i] <= INT32_MAX;
        w->ids.at[i] = (uint32_t)values[i];
    }
    w->ids.len = count > 0 && fits ? (size_t)count : 0;
    if (!fits) coverage_json_found(&w->j, r.off, r.at_line, "J-2", ASSAY_ERROR, "a child is no whole number from 0 to 2147483647");
    if (count < 0) TRY(some_ids(w, is_open));
    r.ids = w->ids.at;
    r.id_count = w->ids.len;
    return r.id_count ? give(w, &r) : 0;
}

enum {
    NODE_ID,
    NODE_FRAME,
    NODE_HITS,
    NODE_CHILDREN,
    NODE_TICKS,
    NODE_SIZE,
    NODE_PARENT,
    NODE_NAME,
    NODE_URL,
    NODE_LINE,
    NODE_COLUMN,
    NODE_DEOPT,
    NODE_KEYS = 15
};
static const assay_slice node_keys[NODE_KEYS] = {
    COVERAGE_KEY("id"),           COVERAGE_KEY("callFrame"),   COVERAGE_KEY("hitCount"),      COVERAGE_KEY("children"), COVERAGE_KEY("positionTicks"),
    COVERAGE_KEY("selfSize"),     COVERAGE_KEY("parent"),      COVERAGE_KEY("functionName"),  COVERAGE_KEY("url"),      COVERAGE_KEY("lineNumber"),
    COVERAGE_KEY("columnNumber"), COVERAGE_KEY("deoptReason"), COVERAGE_KEY("bailoutReason"), COVERAGE_KEY("scriptId"), COVERAGE_KEY("callUID")
};

static int node_field(struct walk *w, int at)
{
    switch (at) {
    case NODE_ID: return give_id(w, CPUPROFILE_ID, "id");
    case NODE_FRAME: return frame(w);
    case NODE_HITS: return give_count(w, CPUPROFILE_HITS, "hitCount");
    case NODE_TICKS: return ticks(w);
    case NODE_SIZE: return give_count(w, CPUPROFILE_SIZE, "selfSize");
    case NODE_PARENT: return give_id(w, CPUPROFILE_PARENT, "parent");
    case NODE_NAME: return give_text(w, CPUPROFILE_NAME, "functionName");
    case NODE_URL: return give_text(w, CPUPROFILE_URL, "url");
    case NODE_LINE: return give_place(w, CPUPROFILE_LINE, "lineNumber");
    case NODE_COLUMN: return give_place(w, CPUPROFILE_COLUMN, "columnNumber");
    case NODE_DEOPT: return give_text(w, CPUPROFILE_DEOPT, "deoptReason");
    default: return json_read_skip(&w->j.r, &w->j.e);
    }
}

#define V8_FRAME "\"callFrame\":{\"functionName\":\"$\",\"scriptId\":\"$\",\"url\":\"$\",\"lineNumber\":~,\"columnNumber\":~}"

/* `r` is used for all records of a node: it knows the line. */
static int give_slot(struct walk *w, enum cpuprofile_kind kind, struct cpuprofile_record *r, const struct json_slot *slot)
{
    r->kind = kind;
    r->off = json_read_off(&w->j.r, slot->text.data);
    r->id = (uint32_t)slot->number;
    r->count = (uint64_t)slot->number;
    return give(w, r);
}

static int give_frame(struct walk *w, struct cpuprofile_record *r, const struct json_slot *slots)
{
    r->kind = CPUPROFILE_FRAME;
    r->off = json_read_off(&w->j.r, slots[0].text.data) - strlen("{\"functionName\":\"");
    r->text = slots[0].text;
    r->script = slots[1].text;
    r->url = slots[2].text;
    r->line = slots[3].number;
    r->column = slots[4].number;
    return give(w, r);
}

/* V8 writes all nodes in one of two forms, which are taken at once. */
static int usual_members(struct walk *w, struct cpuprofile_record *at)
{
    struct json_slot slots[7];
    uint32_t *seen = &w->open.at[w->open.len - 1];
    if (json_read_first(&w->j.r, "\"id\":#," V8_FRAME ",\"hitCount\":#", slots)) {
        *seen = 1u << NODE_ID | 1u << NODE_FRAME | 1u << NODE_HITS;
        TRY(give_slot(w, CPUPROFILE_ID, at, &slots[0]));
        TRY(give_frame(w, at, slots + 1));
        return give_slot(w, CPUPROFILE_HITS, at, &slots[6]);
    }
    if (json_read_first(&w->j.r, V8_FRAME ",\"selfSize\":#,\"id\":#", slots)) {
        *seen = 1u << NODE_ID | 1u << NODE_FRAME | 1u << NODE_SIZE;
        TRY(give_frame(w, at, slots));
        TRY(give_slot(w, CPUPROFILE_SIZE, at, &slots[5]));
        return give_slot(w, CPUPROFILE_ID, at, &slots[6]);
    }
    return 0;
}

static int open_node(struct walk *w)
{
    struct cpuprofile_record r = here(w, CPUPROFILE_NODE);
    uint32_t *seen = vec_push(w->mem, &w->open);
    if (!seen) return error_memory(w->err);
    *seen = 0;
    TRY(give(w, &r));
    return usual_members(w, &r);
}

static int close_node(struct walk *w)
{
    uint32_t seen = w->open.at[--w->open.len];
    struct cpuprofile_record r = here(w, CPUPROFILE_NODE_END);
    if (!(seen & (1u << NODE_FRAME | 1u << NODE_NAME))) coverage_json_found(&w->j, r.off, r.at_line, "J-3", ASSAY_ERROR, "a node without a callFrame");
    return give(w, &r);
}

/* A child is over: goes on in the list that it stands in; *is_open = another one follows. */
static int next_child(struct walk *w, bool *is_open)
{
    struct cpuprofile_record r = { .kind = CPUPROFILE_CHILDREN };
    w->ids.len = 0;
    TRY(some_ids(w, is_open));
    r.off = w->j.e.off;
    r.at_line = w->j.e.line;
    r.ids = w->ids.at;
    r.id_count = w->ids.len;
    return r.id_count ? give(w, &r) : 0;
}

/* A node, the event of which is the last one, with all that stands inside of it. */
static int node(struct walk *w)
{
    bool is;
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "a node", &is));
    if (!is) return 0;
    TRY(open_node(w));
    while (w->open.len && !w->j.r.is_damaged) {
        int at;
        bool is_open = false;
        TRY(coverage_json_key(&w->j, node_keys, NODE_KEYS, &w->open.at[w->open.len - 1], &at));
        if (at == NODE_CHILDREN)
            TRY(children(w, &is_open));
        else if (at != COVERAGE_JSON_END)
            TRY(node_field(w, at));
        else if (!w->j.r.is_damaged) {
            TRY(close_node(w));
            if (w->open.len) TRY(next_child(w, &is_open));
        }
        if (is_open) TRY(open_node(w));
    }
    w->open.len = 0;
    return 0;
}

static int nodes(struct walk *w)
{
    bool has;
    struct cpuprofile_record r = at_key(w, CPUPROFILE_NODES);
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "nodes", &has));
    if (has) TRY(give(w, &r));
    while (has) {
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(node(w));
    }
    return 0;
}

static int head(struct walk *w)
{
    struct cpuprofile_record r = at_key(w, CPUPROFILE_NODES);
    TRY(give(w, &r));
    return node(w);
}

/* ---- samples ---- */

static int memory_sample(struct walk *w)
{
    static const assay_slice keys[] = { COVERAGE_KEY("size"), COVERAGE_KEY("nodeId"), COVERAGE_KEY("ordinal") };
    struct cpuprofile_record r = here(w, CPUPROFILE_SAMPLE);
    r.is_memory = true;
    uint32_t seen = 0, values[3];
    bool is, was_negative;
    if (json_read_form(&w->j.r, "\"size\":#,\"nodeId\":#,\"ordinal\":#}", values)) {
        r.count = values[0];
        r.id = values[1];
        r.ordinal = values[2];
        return give(w, &r);
    }
    for (;;) {
        int at;
        TRY(coverage_json_key(&w->j, keys, 3, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == 1)
            TRY(id_of(w, "nodeId", &r.id, &is));
        else
            TRY(coverage_json_count(&w->j, at ? "ordinal" : "size", at ? &r.ordinal : &r.count, &was_negative, &is));
    }
    return w->j.r.is_damaged ? 0 : give(w, &r);
}

static int samples(struct walk *w)
{
    bool has;
    struct cpuprofile_record r = at_key(w, CPUPROFILE_SAMPLES);
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "samples", &has));
    if (has) TRY(give(w, &r));
    while (has) {
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(w->j.e.kind == JSON_OBJECT ? memory_sample(w) : give_id(w, CPUPROFILE_SAMPLE, "a sample"));
    }
    return 0;
}

static int times(struct walk *w, enum cpuprofile_kind kind)
{
    bool has;
    const char *what = kind == CPUPROFILE_DELTAS ? "timeDeltas" : "timestamps";
    struct cpuprofile_record r = at_key(w, kind);
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, what, &has));
    if (has) TRY(give(w, &r));
    while (has) {
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(give_number(w, CPUPROFILE_TIME, what));
    }
    return 0;
}

/* ---- all of it ---- */

static int field(struct walk *w, int at)
{
    switch (at) {
    case 0: return nodes(w);
    case 1: return head(w);
    case 2: return samples(w);
    case 3: return times(w, CPUPROFILE_DELTAS);
    case 4: return times(w, CPUPROFILE_TIMESTAMPS);
    case 5: return give_number(w, CPUPROFILE_START, "startTime");
    case 6: return give_number(w, CPUPROFILE_STOP, "endTime");
    default: return json_read_skip(&w->j.r, &w->j.e);
    }
}

static int document(struct walk *w)
{
    static const assay_slice keys[] = { COVERAGE_KEY("nodes"),      COVERAGE_KEY("head"),      COVERAGE_KEY("samples"), COVERAGE_KEY("timeDeltas"),
                                        COVERAGE_KEY("timestamps"), COVERAGE_KEY("startTime"), COVERAGE_KEY("endTime"), COVERAGE_KEY("title"),
                                        COVERAGE_KEY("typeId"),     COVERAGE_KEY("uid") };
    uint32_t seen = 0;
    bool is;
    TRY(json_read_next(&w->j.r, &w->j.e));
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "the document", &is));
    for (int at = 0; is && at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&w->j, keys, 10, &seen, &at));
        if (at != COVERAGE_JSON_END) TRY(field(w, at));
    }
    /* What follows the document, or that its end is missing. */
    return w->j.r.is_damaged ? 0 : json_read_next(&w->j.r, &w->j.e);
}

int cpuprofile_walk(const struct read_job *job, struct findings *damage, cpuprofile_fn fn, void *arg, bool *is_cut, assay_error *err)
{
    struct walk w = { .fn = fn, .arg = arg, .mem = job->mem, .err = err };
    coverage_json_init(&w.j, job, damage, err);
    json_read_deepen(&w.j.r, 2 * MOST_LEVELS + 2);
    int rc = document(&w);
    *is_cut = w.j.r.is_damaged;
    coverage_json_done(&w.j);
    vec_done(job->mem, &w.name, &w.url, &w.ids, &w.open);
    return rc == 0 && damage->failed ? error_memory(err) : rc;
}
