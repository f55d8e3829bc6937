/* Functions and lines of a file, with their branches, calls and conditions; see decode.h. */
#include "formats/gcov-json/decode.h"

#include "base/number.h"

static int name_of(struct gcov_json_decoder *d, const char *what, uint32_t *out)
{
    bool is;
    TRY(coverage_json_expect(&d->j, JSON_STRING, what, &is));
    if (is && !(*out = intern_put(&d->names, d->j.e.text))) return error_memory(d->err);
    return 0;
}

/* Counters of threads that ran into each other can be below 0 (GCC bug 68080). */
static int count_of(struct gcov_json_decoder *d, const char *what, uint64_t *out, bool *is)
{
    bool was_negative;
    TRY(coverage_json_count(&d->j, what, out, &was_negative, is));
    if (!was_negative) return 0;
    d->negative++;
    *out = 0;
    coverage_json_found(&d->j, d->j.e.off, d->j.e.line, "GJ-2", ASSAY_WARNING, "%s is below 0: read as 0", what);
    return 0;
}

static int flag(struct gcov_json_decoder *d, uint8_t bit, uint8_t *flags)
{
    if (d->j.e.kind == JSON_TRUE) *flags |= bit;
    return json_read_skip(&d->j.r, &d->j.e);
}

static bool is_complete(struct gcov_json_decoder *d, const struct gcov_json_row *row, uint32_t good, uint32_t needed, const char *what)
{
    if ((good & needed) == needed) return true;
    if (!d->j.r.is_damaged) coverage_json_found(&d->j, row->off, row->number, "J-3", ASSAY_ERROR, "%s lacks a number that it needs: it is left out", what);
    return false;
}

/* ---- functions ---- */

/* gcovr: ["line:column", "line:column"] of begin and end. */
static int positions(struct gcov_json_decoder *d, struct gcov_json_row *row)
{
    uint32_t ends[2][2] = { { 0, 0 }, { 0, 0 } };
    bool is, has;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, "pos", &is));
    for (int i = 0; is; i++) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(&d->j, JSON_STRING, "pos", &has));
        const char *colon = has ? memchr(d->j.e.text.data, ':', d->j.e.text.len) : NULL;
        uint64_t line, column;
        if (!colon || i > 1) continue;
        assay_slice rest = slice_from(colon + 1, d->j.e.text.data + d->j.e.text.len);
        if (number_u64(slice_from(d->j.e.text.data, colon), &line) != NUMBER_OK || number_u64(rest, &column) != NUMBER_OK) continue;
        ends[i][0] = line <= INT32_MAX ? (uint32_t)line : 0;
        ends[i][1] = column <= INT32_MAX ? (uint32_t)column : 0;
    }
    row->column = ends[0][1];
    row->end_line = ends[1][0];
    row->end_column = ends[1][1];
    return 0;
}

int gcov_json_function(struct gcov_json_decoder *d)
{
    enum { NAME, DEMANGLED, START, START_COLUMN, LAST, LAST_COLUMN, BLOCKS, BLOCKS_EXECUTED, LINENO, CALLS, EXCLUDED, POS, PERCENT, RETURNED, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("name"),
                                            COVERAGE_KEY("demangled_name"),
                                            COVERAGE_KEY("start_line"),
                                            COVERAGE_KEY("start_column"),
                                            COVERAGE_KEY("end_line"),
                                            COVERAGE_KEY("end_column"),
                                            COVERAGE_KEY("blocks"),
                                            COVERAGE_KEY("blocks_executed"),
                                            COVERAGE_KEY("lineno"),
                                            COVERAGE_KEY("execution_count"),
                                            COVERAGE_KEY("gcovr/excluded"),
                                            COVERAGE_KEY("pos"),
                                            COVERAGE_KEY("blocks_percent"),
                                            COVERAGE_KEY("returned_count"),
                                            COVERAGE_KEY("gcovr/data_sources") };
    struct gcov_json_row row = { .kind = GCOV_JSON_FUNCTION, .off = d->j.e.off, .number = d->j.e.line };
    uint32_t *const numbers[KEYS] = { [START] = &row.line,    [START_COLUMN] = &row.column,
                                      [LAST] = &row.end_line, [LAST_COLUMN] = &row.end_column,
                                      [BLOCKS] = &row.blocks, [BLOCKS_EXECUTED] = &row.blocks_executed,
                                      [LINENO] = &row.line };
    uint32_t seen = 0, good = 0;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        bool is = true;
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == NAME || at == DEMANGLED)
            TRY(name_of(d, keys[at].data, at == NAME ? &row.name : &row.demangled));
        else if (at == CALLS)
            TRY(count_of(d, keys[at].data, &row.count, &is));
        else if (at == EXCLUDED)
            TRY(flag(d, ASSAY_COVERAGE_EXCLUDED, &row.flags));
        else if (at == POS)
            TRY(positions(d, &row));
        else if (at > POS)
            TRY(json_read_skip(&d->j.r, &d->j.e));
        else
            TRY(coverage_json_small(&d->j, keys[at].data, numbers[at], &is));
        good |= (uint32_t)is << (at == LINENO ? (int)START : at);
    }
    if (!row.name) row.name = row.demangled;
    if (row.name) good |= 1u << NAME;
    if (!is_complete(d, &row, good, 1u << NAME | 1u << START | 1u << CALLS, "a function")) return 0;
    if (row.blocks_executed > row.blocks)
        coverage_json_found(&d->j, row.off, row.number, "GJ-4", ASSAY_WARNING, "%u blocks executed of %u", row.blocks_executed, row.blocks);
    struct gcov_json_row *slot = vec_push(d->mem, &d->functions);
    if (!slot) return error_memory(d->err);
    *slot = row;
    return 0;
}

/* ---- parts of a line ---- */

static int push(struct gcov_json_decoder *d, const struct gcov_json_row *row)
{
    struct gcov_json_row *slot = vec_push(d->mem, &d->rows);
    if (!slot) return error_memory(d->err);
    *slot = *row;
    return 0;
}

static int branch(struct gcov_json_decoder *d, uint32_t index)
{
    enum { COUNT, THROW, FALLTHROUGH, EXCLUDED, SOURCE, DESTINATION, NUMBER, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("count"),           COVERAGE_KEY("throw"),
                                            COVERAGE_KEY("fallthrough"),     COVERAGE_KEY("gcovr/excluded"),
                                            COVERAGE_KEY("source_block_id"), COVERAGE_KEY("destination_block_id"),
                                            COVERAGE_KEY("branchno"),        COVERAGE_KEY("gcovr/data_sources") };
    struct gcov_json_row row = { .kind = GCOV_JSON_BRANCH, .off = d->j.e.off, .number = d->j.e.line, .index = index };
    uint32_t seen = 0;
    bool is = false;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COUNT) TRY(count_of(d, "count of a branch", &row.count, &is));
        if (at == THROW) TRY(flag(d, ASSAY_COVERAGE_BRANCH_EXCEPTION, &row.flags));
        if (at == FALLTHROUGH) TRY(flag(d, ASSAY_COVERAGE_BRANCH_FALLTHROUGH, &row.flags));
        if (at == EXCLUDED) TRY(flag(d, ASSAY_COVERAGE_BRANCH_EXCLUDED, &row.flags));
        if (at >= SOURCE) TRY(json_read_skip(&d->j.r, &d->j.e));
    }
    return is_complete(d, &row, is, 1, "a branch") ? push(d, &row) : 0;
}

static int call(struct gcov_json_decoder *d, struct gcov_json_row *calls)
{
    enum { RETURNED, SOURCE, DESTINATION, NUMBER, EXCLUDED, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("returned"), COVERAGE_KEY("source_block_id"), COVERAGE_KEY("destination_block_id"),
                                            COVERAGE_KEY("callno"),   COVERAGE_KEY("gcovr/excluded"),  COVERAGE_KEY("gcovr/data_sources") };
    uint32_t seen = 0;
    uint64_t returned = 0;
    bool is;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == RETURNED) TRY(count_of(d, "returned", &returned, &is));
        if (at >= SOURCE) TRY(json_read_skip(&d->j.r, &d->j.e));
    }
    calls->blocks++;
    calls->blocks_executed += returned > 0;
    return 0;
}

/* An array of condition numbers, as bits. */
static int bits(struct gcov_json_decoder *d, const char *what, uint64_t *out)
{
    bool is, has;
    uint32_t n;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, what, &is));
    while (is) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        TRY(coverage_json_small(&d->j, what, &n, &has));
        if (has && n < GCOV_JSON_CONDITIONS) *out |= (uint64_t)1 << n;
    }
    return 0;
}

/* Outcomes of an expression: two for each condition. */
static int condition(struct gcov_json_decoder *d, uint32_t ordinal)
{
    enum { COUNT, COVERED, NOT_TRUE, NOT_FALSE, EXCLUDED, NUMBER, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = {
        COVERAGE_KEY("count"),          COVERAGE_KEY("covered"),     COVERAGE_KEY("not_covered_true"),  COVERAGE_KEY("not_covered_false"),
        COVERAGE_KEY("gcovr/excluded"), COVERAGE_KEY("conditionno"), COVERAGE_KEY("gcovr/data_sources")
    };
    struct gcov_json_row row = { .kind = GCOV_JSON_CONDITION, .off = d->j.e.off, .number = d->j.e.line, .ordinal = ordinal };
    uint64_t missed[2] = { 0, 0 };
    uint32_t seen = 0, count = 0, covered = 0;
    bool has_count = false, is;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COUNT) TRY(coverage_json_small(&d->j, "count of a condition", &count, &has_count));
        if (at == COVERED) TRY(coverage_json_small(&d->j, "covered", &covered, &is));
        if (at == NOT_TRUE || at == NOT_FALSE) TRY(bits(d, keys[at].data, &missed[at == NOT_TRUE]));
        if (at == EXCLUDED) TRY(flag(d, ASSAY_COVERAGE_BRANCH_EXCLUDED, &row.flags));
        if (at > EXCLUDED) TRY(json_read_skip(&d->j.r, &d->j.e));
    }
    if (!is_complete(d, &row, has_count, 1, "a condition")) return 0;
    if (count > 2 * GCOV_JSON_CONDITIONS) {
        coverage_json_found(&d->j, row.off, row.number, "J-2", ASSAY_ERROR, "an expression of %u outcomes: expected at most %d", count,
                            2 * GCOV_JSON_CONDITIONS);
        return 0;
    }
    row.group = count / 2;
    for (uint32_t i = 0; i < count; i++) {
        row.index = i / 2;
        row.sense = i % 2 == 0;
        row.count = !(missed[row.sense] >> row.index & 1);
        TRY(push(d, &row));
    }
    return 0;
}

enum part { BRANCHES_OF, CALLS_OF, CONDITIONS_OF };

static int parts(struct gcov_json_decoder *d, enum part part, struct gcov_json_row *calls)
{
    static const char *const names[] = { "branches", "calls", "conditions" };
    bool is, has;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, names[part], &is));
    for (uint32_t i = 0; is; i++) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(&d->j, JSON_OBJECT, names[part], &has));
        if (!has) continue;
        TRY(part == BRANCHES_OF ? branch(d, i) : part == CALLS_OF ? call(d, calls) : condition(d, i));
    }
    return 0;
}

/* ---- lines ---- */

/* All conditions of a line are one group, numbered on from one expression to the next. */
static void join_conditions(struct gcov_json_decoder *d, size_t first)
{
    uint32_t base = 0, size = 0, ordinal = 0;
    for (size_t i = first; i < d->rows.len; i++) {
        struct gcov_json_row *row = &d->rows.at[i];
        if (row->kind != GCOV_JSON_CONDITION) continue;
        if (row->ordinal != ordinal) base += size;
        ordinal = row->ordinal;
        size = row->group;
        row->index += base;
    }
    for (size_t i = first; i < d->rows.len; i++)
        if (d->rows.at[i].kind == GCOV_JSON_CONDITION) d->rows.at[i].group = base + size;
}

/* What was read of the line belongs to it, whatever the order of its keys. */
static void settle(struct gcov_json_decoder *d, size_t first)
{
    const struct gcov_json_row line = d->rows.at[first];
    join_conditions(d, first);
    for (size_t i = first + 1; i < d->rows.len; i++) {
        struct gcov_json_row *row = &d->rows.at[i];
        row->line = line.line;
        row->name = line.name;
        if (row->kind != GCOV_JSON_CALLS && line.flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) row->flags |= ASSAY_COVERAGE_BRANCH_EXCLUDED;
        if (row->kind == GCOV_JSON_BRANCH && !line.count && !row->count) row->flags |= ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
    }
}

int gcov_json_line(struct gcov_json_decoder *d)
{
    enum { LINE, COUNT, FUNCTION, UNEXECUTED, EXCLUDED, NONCODE, MD5, BRANCHES, CALLS, CONDITIONS, BLOCK_IDS, DECISION, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("line_number"),       COVERAGE_KEY("count"),          COVERAGE_KEY("function_name"),
                                            COVERAGE_KEY("unexecuted_block"),  COVERAGE_KEY("gcovr/excluded"), COVERAGE_KEY("gcovr/noncode"),
                                            COVERAGE_KEY("gcovr/md5"),         COVERAGE_KEY("branches"),       COVERAGE_KEY("calls"),
                                            COVERAGE_KEY("conditions"),        COVERAGE_KEY("block_ids"),      COVERAGE_KEY("gcovr/decision"),
                                            COVERAGE_KEY("gcovr/data_sources") };
    struct gcov_json_row row = { .kind = GCOV_JSON_LINE, .off = d->j.e.off, .number = d->j.e.line };
    struct gcov_json_row calls = { .kind = GCOV_JSON_CALLS, .off = row.off, .number = row.number };
    size_t first = d->rows.len;
    uint32_t seen = 0, good = 0;
    bool is;
    TRY(push(d, &row));
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        switch (at) {
        case LINE:
            TRY(coverage_json_small(&d->j, "line_number", &row.line, &is));
            good |= (uint32_t)is << LINE;
            break;
        case COUNT:
            TRY(count_of(d, "count", &row.count, &is));
            good |= (uint32_t)is << COUNT;
            break;
        case FUNCTION: TRY(name_of(d, "function_name", &row.name)); break;
        case UNEXECUTED: TRY(flag(d, ASSAY_COVERAGE_UNEXECUTED_BLOCK, &row.flags)); break;
        case EXCLUDED: TRY(flag(d, ASSAY_COVERAGE_EXCLUDED, &row.flags)); break;
        case NONCODE: TRY(flag(d, ASSAY_COVERAGE_NONCODE, &row.flags)); break;
        case MD5: TRY(name_of(d, "gcovr/md5", &row.checksum)); break;
        case BRANCHES:
        case CALLS:
        case CONDITIONS: TRY(parts(d, (enum part)(at - BRANCHES), &calls)); break;
        case COVERAGE_JSON_END: break;
        default: TRY(json_read_skip(&d->j.r, &d->j.e)); break;
        }
    }
    bool whole = is_complete(d, &row, good, 1u << LINE | 1u << COUNT, "a line");
    if (whole && !row.line) coverage_json_found(&d->j, row.off, row.number, "GJ-3", ASSAY_INFO, "line 0, which is the compiler's own code: it is left out");
    if (!whole || !row.line) {
        d->rows.len = first;
        return 0;
    }
    if (calls.blocks) TRY(push(d, &calls));
    d->rows.at[first] = row;
    settle(d, first);
    return 0;
}
