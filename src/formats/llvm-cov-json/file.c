/* A file of a data set: branches, conditions, segments, and the lines that follow from them; see decode.h. */
#include "base/order.h"
#include "base/sort.h"
#include "formats/llvm-cov-json/decode.h"

/* ---- parts ---- */

static int segment(struct llvm_work *w, const struct coverage_tuple *t, void *arg)
{
    (void)arg;
    if (!llvm_cov_fits(w, t, "a segment", 5, 6, 2)) return 0;
    struct llvm_segment *s = vec_push(w->d->mem, &w->segments);
    if (!s) return error_memory(w->d->err);
    *s = (struct llvm_segment){ t->at[2],          t->off,   (uint32_t)t->at[0], (uint32_t)t->at[1],
                                (uint32_t)t->line, t->at[3], t->at[4] != 0,      t->count > 5 && t->at[5] != 0 };
    const struct llvm_segment *before = w->segments.len > 1 ? s - 1 : NULL;
    if (!before || before->line < s->line || (before->line == s->line && before->column <= s->column)) return 0;
    coverage_json_found(w->d->j, t->off, t->line, "LV-4", ASSAY_ERROR, "a segment at %u:%u after one at %u:%u: it is left out", s->line, s->column,
                        before->line, before->column);
    w->segments.len--;
    return 0;
}

static void place(struct coverage_row *row, const uint64_t *at)
{
    row->line = (uint32_t)at[0];
    row->column = (uint32_t)at[1];
    row->end_line = (uint32_t)at[2];
    row->end_column = (uint32_t)at[3];
}

/* Two branches. Where neither was ever taken it may be a constant condition, which has none: that is known when all functions are read. */
static int branch(struct llvm_work *w, const struct coverage_tuple *t, void *arg)
{
    struct coverage_decoder *d = w->d;
    (void)arg;
    if (!llvm_cov_fits(w, t, "a branch", 9, 9, 4)) return 0;
    for (int side = 0; side < 2; side++) {
        struct coverage_row *row = coverage_push(d, COVERAGE_BRANCH, &(struct json_event){ .off = t->off, .line = t->line });
        if (!row) return ASSAY_ERR_MEMORY;
        place(row, t->at);
        row->count = t->at[4 + side];
        row->index = (uint32_t)side;
        row->name = coverage_name(d, side ? "false" : "true");
        if (!row->name) return error_memory(d->err);
        row->is_pending = !t->at[4] && !t->at[5];
        if (row->is_pending) row->flags = ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
    }
    return 0;
}

/* Branches of a macro stand at its use, wherever source_region is among the keys. */
static int expansion(struct coverage_decoder *d, void *arg)
{
    enum { BRANCHES, SOURCE, FILENAMES, TARGETS, MCDC, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("branches"), COVERAGE_KEY("source_region"), COVERAGE_KEY("filenames"), COVERAGE_KEY("target_regions"),
                                            COVERAGE_KEY("mcdc_records") };
    struct llvm_work *w = arg;
    struct json_event begin = d->j->e;
    struct coverage_tuple use = { .is = false };
    size_t first = d->rows.len;
    uint32_t seen = 0;
    int at;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == BRANCHES)
            TRY(llvm_cov_tuples(w, "branches", "a branch", branch, NULL));
        else if (at == SOURCE) {
            TRY(coverage_json_tuple(d->j, "source_region", &use));
            use.is = use.is && llvm_cov_fits(w, &use, "source_region", 8, 8, 4);
        } else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    if (!(seen & 1u << SOURCE) && !d->j->r.is_damaged)
        coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "an expansion without source_region");
    if (!use.is) d->rows.len = first;
    for (size_t i = first; i < d->rows.len; i++) {
        place(&d->rows.at[i], use.at);
        d->rows.at[i].is_pending = false; /* only the list of a file has constant conditions */
        d->rows.at[i].group = LLVM_EXPANDED;
    }
    return 0;
}

/* ---- conditions ---- */

/* The one array of true and false in a record, one for each condition. */
static int conditions(struct llvm_work *w, const uint64_t *place_of, const struct json_event *begin)
{
    struct coverage_decoder *d = w->d;
    bool has;
    for (uint32_t i = 0;; i++) {
        TRY(coverage_json_item(d->j, &has));
        if (!has) return 0;
        if (d->j->e.kind != JSON_TRUE && d->j->e.kind != JSON_FALSE) TRY(coverage_json_expect(d->j, JSON_TRUE, "a condition", &has));
        bool is_covered = d->j->e.kind == JSON_TRUE;
        struct coverage_row *row = coverage_push(d, COVERAGE_CONDITION, begin);
        if (!row) return ASSAY_ERR_MEMORY;
        place(row, place_of);
        row->index = i;
        row->count = is_covered;
    }
}

/* l1 c1 l2 c2 [true false] [file] expanded-file kind, then the conditions, then test vectors. */
static int record(struct llvm_work *w)
{
    struct coverage_decoder *d = w->d;
    struct json_event begin = d->j->e;
    uint64_t at[4] = { 0, 0, 0, 0 }, value;
    unsigned values = 0, arrays = 0;
    bool has, was_negative;
    for (;;) {
        TRY(coverage_json_item(d->j, &has));
        if (!has) break;
        if (d->j->e.kind == JSON_ARRAY) {
            if (arrays++ == 0)
                TRY(conditions(w, at, &begin));
            else
                TRY(json_read_skip(&d->j->r, &d->j->e));
            continue;
        }
        TRY(coverage_json_count(d->j, "a value of an MC/DC record", &value, &was_negative, &has));
        if (values < 4) at[values] = value < 0x7fffffff ? value : 0x7fffffff;
        values += arrays == 0;
    }
    w->mcdc_records++;
    if (!d->j->r.is_damaged && (!arrays || arrays > 2 || (values != 6 && values != 8 && values != 9)))
        coverage_json_found(d->j, begin.off, begin.line, "LV-3", ASSAY_ERROR, "an MC/DC record of %u values and %u arrays: expected 6, 8 or 9, and 1 or 2",
                            values, arrays);
    return 0;
}

static int records(struct llvm_work *w)
{
    struct coverage_decoder *d = w->d;
    bool is, has;
    TRY(coverage_json_expect(d->j, JSON_ARRAY, "mcdc_records", &is));
    while (is) {
        TRY(coverage_json_item(d->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(d->j, JSON_ARRAY, "an MC/DC record", &has));
        if (has) TRY(record(w));
    }
    return 0;
}

/* ---- numbers of instances ---- */

static int by_place(const void *x, const void *y)
{
    const struct llvm_place *a = x, *b = y;
    ORDER_BY(a->from, b->from);
    ORDER_BY(a->to, b->to);
    return ORDER(a->row, b->row);
}

static bool gather(struct llvm_work *w, enum coverage_row_kind kind)
{
    const struct coverage_decoder *d = w->d;
    w->places.len = 0;
    for (size_t i = 0; i < d->rows.len; i++) {
        const struct coverage_row *row = &d->rows.at[i];
        if (row->kind != kind) continue;
        struct llvm_place *p = vec_push(d->mem, &w->places);
        if (!p) return false;
        bool is_branch = kind == COVERAGE_BRANCH;
        *p = (struct llvm_place){ (uint64_t)row->line << 32 | (is_branch ? row->column : 0), is_branch ? (uint64_t)row->end_line << 32 | row->end_column : 0,
                                  (uint32_t)i };
    }
    return sort_by(w->places.at, w->places.len, sizeof *w->places.at, by_place);
}

/* The same branch of several instances of a template, or uses of a macro in one place: numbered in the order of the file. */
static int number_branches(struct llvm_work *w, uint32_t file)
{
    struct coverage_row *rows = w->d->rows.at;
    if (!gather(w, COVERAGE_BRANCH)) return error_memory(w->d->err);
    const struct llvm_place *p = w->places.at;
    for (size_t i = 0, next; i < w->places.len; i = next) {
        bool is_pending = false;
        for (next = i; next < w->places.len && p[next].from == p[i].from && p[next].to == p[i].to; next++) {
            is_pending |= rows[p[next].row].is_pending;
            TRY(llvm_cov_number(w, &rows[p[next].row], (uint32_t)(next - i)));
        }
        for (size_t k = i; is_pending && k < next; k++) TRY(llvm_cov_hold(w, file, &rows[p[k].row]));
    }
    return 0;
}

/* All conditions of a line are one group, numbered on from one decision to the next. */
static int number_conditions(struct llvm_work *w)
{
    if (!gather(w, COVERAGE_CONDITION)) return error_memory(w->d->err);
    for (size_t i = 0, next; i < w->places.len; i = next) {
        for (next = i; next < w->places.len && w->places.at[next].from == w->places.at[i].from; next++)
            w->d->rows.at[w->places.at[next].row].index = (uint32_t)(next - i);
        for (size_t k = i; k < next; k++) w->d->rows.at[w->places.at[k].row].group = (uint32_t)(next - i);
    }
    return 0;
}

/* ---- the whole ---- */

static int finish(struct llvm_work *w, const struct json_event *begin, uint32_t name)
{
    struct coverage_decoder *d = w->d;
    if (!name) {
        if (!d->j->r.is_damaged) coverage_json_found(d->j, begin->off, begin->line, "J-3", ASSAY_ERROR, "a file without filename");
        d->rows.len = 0;
        return 0;
    }
    d->rows.at[0].name = name;
    TRY(number_branches(w, name));
    TRY(number_conditions(w));
    TRY(llvm_cov_lines(w));
    return coverage_give(d);
}

int llvm_cov_file(struct coverage_decoder *d, void *arg)
{
    enum { FILENAME, SEGMENTS, BRANCHES, EXPANSIONS, MCDC, SUMMARY, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("filename"),   COVERAGE_KEY("segments"),     COVERAGE_KEY("branches"),
                                            COVERAGE_KEY("expansions"), COVERAGE_KEY("mcdc_records"), COVERAGE_KEY("summary") };
    struct llvm_work *w = arg;
    struct json_event begin = d->j->e;
    uint32_t seen = 0, name = 0;
    int at;
    TRY(coverage_give(d));
    if (!coverage_push(d, COVERAGE_FILE, &begin)) return ASSAY_ERR_MEMORY;
    w->segments.len = 0;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) return finish(w, &begin, name);
        switch (at) {
        case FILENAME: TRY(coverage_text(d, "filename", &name)); break;
        case SEGMENTS: TRY(llvm_cov_tuples(w, "segments", "a segment", segment, NULL)); break;
        case BRANCHES: TRY(llvm_cov_tuples(w, "branches", "a branch", branch, NULL)); break;
        case EXPANSIONS: TRY(coverage_objects(d, "expansions", "an expansion", expansion, w)); break;
        case MCDC: TRY(records(w)); break;
        default: TRY(llvm_cov_summary(w, "file")); break;
        }
    }
}
