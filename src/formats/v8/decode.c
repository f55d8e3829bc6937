/* See decode.h. */
#include "formats/v8/decode.h"

#include <stdio.h>

struct v8_range {
    uint64_t count, off;
    uint32_t first, last, number;
};
struct v8_work {
    VEC(struct v8_range) ranges; /* of the function in work */
    VEC(uint32_t) open;          /* scratch: ends of the ranges around */
    uint64_t scripts, files, range_count, zeros, block_functions;
    uint64_t script_ranges, script_zeros, script_blocks; /* of the script in work */
};

/* ---- functions ---- */

static int range(struct coverage_decoder *d, void *arg)
{
    enum { START, LAST, COUNT, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("startOffset"), COVERAGE_KEY("endOffset"), COVERAGE_KEY("count") };
    struct v8_work *w = arg;
    struct v8_range r = { .off = d->j->e.off, .number = (uint32_t)d->j->e.line };
    uint32_t seen = 0, good = 0;
    bool is;
    int at;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == COUNT)
            TRY(coverage_times(d, "count", &r.count, &is));
        else
            TRY(coverage_json_small(d->j, keys[at].data, at == START ? &r.first : &r.last, &is));
        good |= (uint32_t)is << at;
    }
    if (good != 7) {
        if (!d->j->r.is_damaged) coverage_json_found(d->j, r.off, r.number, "J-3", ASSAY_ERROR, "a range lacks a number that it needs: it is left out");
        return 0;
    }
    struct v8_range *slot = vec_push(d->mem, &w->ranges);
    if (!slot) return error_memory(d->err);
    *slot = r;
    return 0;
}

/* The first range is the function, the others lie in it, each in one before or beside it. */
static int judge(struct coverage_decoder *d, struct v8_work *w)
{
    w->open.len = 0;
    for (size_t i = 0; i < w->ranges.len; i++) {
        const struct v8_range *r = &w->ranges.at[i], *first = &w->ranges.at[0];
        while (w->open.len > 1 && r->first >= w->open.at[w->open.len - 1]) w->open.len--;
        bool is_beyond = i > 0 && (r->first < first->first || r->last > first->last);
        if (is_beyond)
            coverage_json_found(d->j, first->off, first->number, "V8-2", ASSAY_WARNING, "the first range of a function, %u to %u, does not hold %u to %u",
                                first->first, first->last, r->first, r->last);
        if (r->last < r->first || (!is_beyond && w->open.len && r->last > w->open.at[w->open.len - 1]))
            coverage_json_found(d->j, r->off, r->number, "V8-1", ASSAY_ERROR, "a range from %u to %u, which %s", r->first, r->last,
                                r->last < r->first ? "ends before it begins" : "leaves the one around it");
        uint32_t *slot = vec_push(d->mem, &w->open);
        if (!slot) return error_memory(d->err);
        *slot = r->last;
    }
    return 0;
}

/* NAME@OFFSET: names of functions repeat, and many have none. */
static int name_of(struct coverage_decoder *d, uint32_t name, uint32_t offset, uint32_t *out)
{
    char small[256], number[16];
    assay_slice text = intern_get(&d->names, name);
    size_t len = (size_t)snprintf(number, sizeof number, "@%u", offset), room = text.len + len;
    char *both = room <= sizeof small ? small : mem_alloc(d->mem, room);
    if (!both) return error_memory(d->err);
    if (text.len) memcpy(both, text.data, text.len);
    memcpy(both + text.len, number, len);
    *out = intern_put(&d->names, (assay_slice){ both, room });
    if (both != small) mem_free(d->mem, both, room);
    return *out ? 0 : error_memory(d->err);
}

static int give(struct coverage_decoder *d, struct v8_work *w, const struct json_event *begin, uint32_t name, bool has_blocks)
{
    struct coverage_row *row = coverage_push(d, COVERAGE_FUNCTION, begin);
    if (!row) return ASSAY_ERR_MEMORY;
    row->count = w->ranges.at[0].count;
    for (size_t i = 0; has_blocks && i < w->ranges.len; i++) {
        row->group++;
        row->index += w->ranges.at[i].count > 0;
    }
    TRY(name_of(d, name, w->ranges.at[0].first, &row->name));
    for (size_t i = 0; i < w->ranges.len; i++) {
        const struct v8_range *r = &w->ranges.at[i];
        row = coverage_push(d, COVERAGE_REGION, &(struct json_event){ .off = r->off, .line = r->number });
        if (!row) return ASSAY_ERR_MEMORY;
        row->of_function = true;
        row->flags = ASSAY_REGION_CODE;
        row->line = r->first;
        row->end_line = r->last;
        row->count = r->count;
        w->script_zeros += !r->count;
    }
    w->script_ranges += w->ranges.len;
    return 0;
}

static int function(struct coverage_decoder *d, void *arg)
{
    enum { NAME, RANGES, BLOCKS, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("functionName"), COVERAGE_KEY("ranges"), COVERAGE_KEY("isBlockCoverage") };
    struct v8_work *w = arg;
    struct json_event begin = d->j->e;
    uint32_t seen = 0, name = 0;
    bool has_blocks = false;
    int at;
    w->ranges.len = 0;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == NAME)
            TRY(coverage_text(d, "functionName", &name));
        else if (at == RANGES)
            TRY(coverage_objects(d, "ranges", "a range", range, w));
        else {
            has_blocks = d->j->e.kind == JSON_TRUE;
            TRY(json_read_skip(&d->j->r, &d->j->e));
        }
    }
    w->script_blocks += has_blocks;
    if (w->ranges.len) {
        TRY(judge(d, w));
        return give(d, w, &begin, name, has_blocks);
    }
    if (!d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a function without ranges");
    return 0;
}

/* ---- scripts ---- */

/* What node itself is made of, and text that was evaluated, are no files. */
static bool is_own(assay_slice url) { return url.len && !slice_starts(url, "node:") && !slice_starts(url, "evalmachine.") && !slice_starts(url, "internal/"); }

static int close_script(struct coverage_decoder *d, struct v8_work *w, uint32_t url)
{
    if (!is_own(intern_get(&d->names, url))) {
        d->rows.len = 0;
        return 0;
    }
    d->rows.at[0].name = url;
    w->files++;
    w->range_count += w->script_ranges;
    w->zeros += w->script_zeros;
    w->block_functions += w->script_blocks;
    TRY(coverage_give(d));
    struct coverage_row *row = coverage_push(d, COVERAGE_ATTRIBUTE, &d->j->e);
    if (!row) return ASSAY_ERR_MEMORY;
    row->is_derived = true;
    row->text = url;
    row->name = coverage_name(d, "url");
    return row->name ? coverage_give(d) : error_memory(d->err);
}

static int script(struct coverage_decoder *d, void *arg)
{
    enum { ID, URL, FUNCTIONS, SOURCE, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("scriptId"), COVERAGE_KEY("url"), COVERAGE_KEY("functions"), COVERAGE_KEY("source") };
    struct v8_work *w = arg;
    struct json_event begin = d->j->e;
    uint32_t seen = 0, url = 0, source = 0;
    int at;
    if (!coverage_push(d, COVERAGE_FILE, &begin)) return ASSAY_ERR_MEMORY;
    w->script_ranges = w->script_zeros = w->script_blocks = 0;
    w->scripts++;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == URL)
            TRY(coverage_text(d, "url", &url));
        else if (at == FUNCTIONS)
            TRY(coverage_objects(d, "functions", "a function", function, w));
        else if (at == SOURCE && d->j->e.kind == JSON_STRING)
            TRY(coverage_text(d, "source", &source));
        else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    if (!d->j->r.is_damaged && (seen & (1u << URL | 1u << FUNCTIONS)) != (1u << URL | 1u << FUNCTIONS))
        coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a script without url or functions");
    d->rows.at[0].text = source;
    return close_script(d, w, url);
}

static int document(struct coverage_decoder *d, void *arg)
{
    enum { RESULT, TIME, MAPS, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("result"), COVERAGE_KEY("timestamp"), COVERAGE_KEY("source-map-cache") };
    struct v8_work *w = arg;
    struct json_event begin = d->j->e;
    uint32_t seen = 0;
    int at;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == RESULT)
            TRY(coverage_objects(d, "result", "a script", script, w));
        else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    if (!(seen & 1u << RESULT) && !d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "result is missing");
    TRY(coverage_count(d, "scripts", w->scripts));
    TRY(coverage_count(d, "file_scripts", w->files));
    TRY(coverage_count(d, "ranges", w->range_count));
    TRY(coverage_count(d, "ranges_zero", w->zeros));
    return coverage_count(d, "block_coverage_functions", w->block_functions);
}

int v8_decode(struct coverage_decoder *d)
{
    struct v8_work w = { .scripts = 0 };
    int rc = coverage_document(d, document, &w);
    vec_done(d->mem, &w.ranges, &w.open);
    return rc;
}
