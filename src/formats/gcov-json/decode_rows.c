/* Functions and lines of a file, with their branches, calls and conditions; see decode.h. */
#include "formats/gcov-json/decode.h"

#include "base/number.h"

static struct coverage_row here(const struct gcov_json *g, enum coverage_row_kind kind)
{
    return (struct coverage_row){ .kind = (uint8_t)kind, .off = g->j->e.off, .number = (uint32_t)g->j->e.line, .marks = (uint32_t)g->d->damage->list.len };
}

/* Counters of threads that ran into each other can be below 0 (GCC bug 68080). */
static int count_of(struct gcov_json *g, const char *what, uint64_t *out, bool *is)
{
    bool was_negative;
    TRY(coverage_json_count(g->j, what, out, &was_negative, is));
    if (!was_negative) return 0;
    g->negative++;
    *out = 0;
    coverage_json_found(g->j, g->j->e.off, g->j->e.line, "GJ-2", ASSAY_WARNING, "%s is below 0: read as 0", what);
    return 0;
}

static int flag(struct gcov_json *g, uint8_t bit, uint8_t *flags)
{
    if (g->j->e.kind == JSON_TRUE) *flags |= bit;
    return json_read_skip(&g->j->r, &g->j->e);
}

static bool is_complete(struct gcov_json *g, const struct coverage_row *row, uint32_t good, uint32_t needed, const char *what)
{
    if ((good & needed) == needed) return true;
    if (!g->j->r.is_damaged) coverage_json_found(g->j, row->off, row->number, "J-3", ASSAY_ERROR, "%s lacks a number that it needs: it is left out", what);
    return false;
}

/* ---- functions ---- */

/* gcovr: ["line:column", "line:column"] of begin and end. */
static int positions(struct gcov_json *g, struct coverage_row *row)
{
    uint32_t ends[2][2] = { { 0, 0 }, { 0, 0 } };
    bool is, has;
    TRY(coverage_json_expect(g->j, JSON_ARRAY, "pos", &is));
    for (int i = 0; is; i++) {
        TRY(coverage_json_item(g->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(g->j, JSON_STRING, "pos", &has));
        const char *colon = has ? memchr(g->j->e.text.data, ':', g->j->e.text.len) : NULL;
        uint64_t line, column;
        if (!colon || i > 1) continue;
        assay_slice rest = slice_from(colon + 1, g->j->e.text.data + g->j->e.text.len);
        if (number_u64(slice_from(g->j->e.text.data, colon), &line) != NUMBER_OK || number_u64(rest, &column) != NUMBER_OK) continue;
        ends[i][0] = line <= INT32_MAX ? (uint32_t)line : 0;
        ends[i][1] = column <= INT32_MAX ? (uint32_t)column : 0;
    }
    row->column = ends[0][1];
    row->end_line = ends[1][0];
    row->end_column = ends[1][1];
    return 0;
}

int gcov_json_function(struct coverage_decoder *d, void *arg)
{
    (void)d;
    struct gcov_json *g = arg;
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
    struct coverage_row row = here(g, COVERAGE_FUNCTION);
    uint32_t *const numbers[KEYS] = { [START] = &row.line,   [START_COLUMN] = &row.column,   [LAST] = &row.end_line, [LAST_COLUMN] = &row.end_column,
                                      [BLOCKS] = &row.group, [BLOCKS_EXECUTED] = &row.index, [LINENO] = &row.line };
    uint32_t seen = 0, good = 0;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        bool is = true;
        TRY(coverage_json_key(g->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == NAME || at == DEMANGLED)
            TRY(coverage_text(g->d, keys[at].data, at == NAME ? &row.name : &row.text));
        else if (at == CALLS)
            TRY(count_of(g, keys[at].data, &row.count, &is));
        else if (at == EXCLUDED)
            TRY(flag(g, ASSAY_COVERAGE_EXCLUDED, &row.flags));
        else if (at == POS)
            TRY(positions(g, &row));
        else if (at > POS)
            TRY(json_read_skip(&g->j->r, &g->j->e));
        else
            TRY(coverage_json_small(g->j, keys[at].data, numbers[at], &is));
        good |= (uint32_t)is << (at == LINENO ? (int)START : at);
    }
    if (!row.name) row.name = row.text;
    if (row.name) good |= 1u << NAME;
    if (!is_complete(g, &row, good, 1u << NAME | 1u << START | 1u << CALLS, "a function")) return 0;
    if (row.index > row.group) coverage_json_found(g->j, row.off, row.number, "GJ-4", ASSAY_WARNING, "%u blocks executed of %u", row.index, row.group);
    struct coverage_row *slot = vec_push(g->d->mem, &g->functions);
    if (!slot) return error_memory(g->d->err);
    *slot = row;
    return 0;
}

/* ---- parts of a line ---- */

static int push(struct gcov_json *g, const struct coverage_row *row)
{
    struct coverage_row *slot = vec_push(g->d->mem, &g->d->rows);
    if (!slot) return error_memory(g->d->err);
    *slot = *row;
    return 0;
}

static int branch(struct gcov_json *g, uint32_t index)
{
    enum { COUNT, THROW, FALLTHROUGH, EXCLUDED, SOURCE, DESTINATION, NUMBER, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("count"),           COVERAGE_KEY("throw"),
                                            COVERAGE_KEY("fallthrough"),     COVERAGE_KEY("gcovr/excluded"),
                                            COVERAGE_KEY("source_block_id"), COVERAGE_KEY("destination_block_id"),
                                            COVERAGE_KEY("branchno"),        COVERAGE_KEY("gcovr/data_sources") };
    struct coverage_row row = here(g, COVERAGE_BRANCH);
    row.index = index;
    uint32_t seen = 0;
    bool is = false;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(g->j, keys, KEYS, &seen, &at));
        if (at == COUNT) TRY(count_of(g, "count of a branch", &row.count, &is));
        if (at == THROW) TRY(flag(g, ASSAY_COVERAGE_BRANCH_EXCEPTION, &row.flags));
        if (at == FALLTHROUGH) TRY(flag(g, ASSAY_COVERAGE_BRANCH_FALLTHROUGH, &row.flags));
        if (at == EXCLUDED) TRY(flag(g, ASSAY_COVERAGE_BRANCH_EXCLUDED, &row.flags));
        if (at >= SOURCE) TRY(json_read_skip(&g->j->r, &g->j->e));
    }
    return is_complete(g, &row, is, 1, "a branch") ? push(g, &row) : 0;
}

static int call(struct gcov_json *g, struct coverage_row *calls)
{
    enum { RETURNED, SOURCE, DESTINATION, NUMBER, EXCLUDED, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("returned"), COVERAGE_KEY("source_block_id"), COVERAGE_KEY("destination_block_id"),
                                            COVERAGE_KEY("callno"),   COVERAGE_KEY("gcovr/excluded"),  COVERAGE_KEY("gcovr/data_sources") };
    uint32_t seen = 0;
    uint64_t returned = 0;
    bool is;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(g->j, keys, KEYS, &seen, &at));
        if (at == RETURNED) TRY(count_of(g, "returned", &returned, &is));
        if (at >= SOURCE) TRY(json_read_skip(&g->j->r, &g->j->e));
    }
    calls->group++;
    calls->index += returned > 0;
    return 0;
}

/* An array of condition numbers, as bits. */
static int bits(struct gcov_json *g, const char *what, uint64_t *out)
{
    bool is, has;
    uint32_t n;
    TRY(coverage_json_expect(g->j, JSON_ARRAY, what, &is));
    while (is) {
        TRY(coverage_json_item(g->j, &has));
        if (!has) break;
        TRY(coverage_json_small(g->j, what, &n, &has));
        if (has && n < GCOV_JSON_CONDITIONS) *out |= (uint64_t)1 << n;
    }
    return 0;
}

/* Outcomes of an expression: two for each condition. end_line is which expression of the line it is, until they are joined. */
static int condition(struct gcov_json *g, uint32_t ordinal)
{
    enum { COUNT, COVERED, NOT_TRUE, NOT_FALSE, EXCLUDED, NUMBER, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = {
        COVERAGE_KEY("count"),          COVERAGE_KEY("covered"),     COVERAGE_KEY("not_covered_true"),  COVERAGE_KEY("not_covered_false"),
        COVERAGE_KEY("gcovr/excluded"), COVERAGE_KEY("conditionno"), COVERAGE_KEY("gcovr/data_sources")
    };
    struct coverage_row row = here(g, COVERAGE_CONDITION);
    row.end_line = ordinal;
    uint64_t missed[2] = { 0, 0 };
    uint32_t seen = 0, count = 0, covered = 0;
    bool has_count = false, is;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(g->j, keys, KEYS, &seen, &at));
        if (at == COUNT) TRY(coverage_json_small(g->j, "count of a condition", &count, &has_count));
        if (at == COVERED) TRY(coverage_json_small(g->j, "covered", &covered, &is));
        if (at == NOT_TRUE || at == NOT_FALSE) TRY(bits(g, keys[at].data, &missed[at == NOT_TRUE]));
        if (at == EXCLUDED) TRY(flag(g, ASSAY_COVERAGE_BRANCH_EXCLUDED, &row.flags));
        if (at > EXCLUDED) TRY(json_read_skip(&g->j->r, &g->j->e));
    }
    if (!is_complete(g, &row, has_count, 1, "a condition")) return 0;
    if (count > 2 * GCOV_JSON_CONDITIONS) {
        coverage_json_found(g->j, row.off, row.number, "J-2", ASSAY_ERROR, "an expression of %u outcomes: expected at most %d", count,
                            2 * GCOV_JSON_CONDITIONS);
        return 0;
    }
    row.group = count / 2;
    for (uint32_t i = 0; i < count; i++) {
        row.index = i / 2;
        row.is_false = i % 2 != 0;
        row.count = !(missed[!row.is_false] >> row.index & 1);
        TRY(push(g, &row));
    }
    return 0;
}

enum part { BRANCHES_OF, CALLS_OF, CONDITIONS_OF };

static int parts(struct gcov_json *g, enum part part, struct coverage_row *calls)
{
    static const char *const names[] = { "branches", "calls", "conditions" };
    bool is, has;
    TRY(coverage_json_expect(g->j, JSON_ARRAY, names[part], &is));
    for (uint32_t i = 0; is; i++) {
        TRY(coverage_json_item(g->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(g->j, JSON_OBJECT, names[part], &has));
        if (!has) continue;
        TRY(part == BRANCHES_OF ? branch(g, i) : part == CALLS_OF ? call(g, calls) : condition(g, i));
    }
    return 0;
}

/* ---- lines ---- */

/* All conditions of a line are one group, numbered on from one expression to the next. */
static void join_conditions(struct gcov_json *g, size_t first)
{
    uint32_t base = 0, size = 0, ordinal = 0;
    for (size_t i = first; i < g->d->rows.len; i++) {
        struct coverage_row *row = &g->d->rows.at[i];
        if (row->kind != COVERAGE_CONDITION) continue;
        if (row->end_line != ordinal) base += size;
        ordinal = row->end_line;
        size = row->group;
        row->index += base;
        row->end_line = 0;
    }
    for (size_t i = first; i < g->d->rows.len; i++)
        if (g->d->rows.at[i].kind == COVERAGE_CONDITION) g->d->rows.at[i].group = base + size;
}

/* What was read of the line belongs to it, whatever the order of its keys. */
static void settle(struct gcov_json *g, size_t first)
{
    const struct coverage_row line = g->d->rows.at[first];
    join_conditions(g, first);
    for (size_t i = first + 1; i < g->d->rows.len; i++) {
        struct coverage_row *row = &g->d->rows.at[i];
        row->line = line.line;
        if (row->kind == COVERAGE_BRANCH) row->func = line.func;
        if (row->kind != COVERAGE_SUM && line.flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) row->flags |= ASSAY_COVERAGE_BRANCH_EXCLUDED;
        if (row->kind == COVERAGE_BRANCH && !line.count && !row->count) row->flags |= ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
    }
}

int gcov_json_line(struct coverage_decoder *d, void *arg)
{
    (void)d;
    struct gcov_json *g = arg;
    enum { LINE, COUNT, FUNCTION, UNEXECUTED, EXCLUDED, NONCODE, MD5, BRANCHES, CALLS, CONDITIONS, BLOCK_IDS, DECISION, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("line_number"),       COVERAGE_KEY("count"),          COVERAGE_KEY("function_name"),
                                            COVERAGE_KEY("unexecuted_block"),  COVERAGE_KEY("gcovr/excluded"), COVERAGE_KEY("gcovr/noncode"),
                                            COVERAGE_KEY("gcovr/md5"),         COVERAGE_KEY("branches"),       COVERAGE_KEY("calls"),
                                            COVERAGE_KEY("conditions"),        COVERAGE_KEY("block_ids"),      COVERAGE_KEY("gcovr/decision"),
                                            COVERAGE_KEY("gcovr/data_sources") };
    struct coverage_row row = here(g, COVERAGE_LINE);
    struct coverage_row calls = here(g, COVERAGE_SUM);
    size_t first = g->d->rows.len;
    uint32_t seen = 0, good = 0;
    bool is;
    TRY(push(g, &row));
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(g->j, keys, KEYS, &seen, &at));
        switch (at) {
        case LINE:
            TRY(coverage_json_small(g->j, "line_number", &row.line, &is));
            good |= (uint32_t)is << LINE;
            break;
        case COUNT:
            TRY(count_of(g, "count", &row.count, &is));
            good |= (uint32_t)is << COUNT;
            break;
        case FUNCTION: TRY(coverage_text(g->d, "function_name", &row.func)); break;
        case UNEXECUTED: TRY(flag(g, ASSAY_COVERAGE_UNEXECUTED_BLOCK, &row.flags)); break;
        case EXCLUDED: TRY(flag(g, ASSAY_COVERAGE_EXCLUDED, &row.flags)); break;
        case NONCODE: TRY(flag(g, ASSAY_COVERAGE_NONCODE, &row.flags)); break;
        case MD5: TRY(coverage_text(g->d, "gcovr/md5", &row.text)); break;
        case BRANCHES:
        case CALLS:
        case CONDITIONS: TRY(parts(g, (enum part)(at - BRANCHES), &calls)); break;
        case COVERAGE_JSON_END: break;
        default: TRY(json_read_skip(&g->j->r, &g->j->e)); break;
        }
    }
    bool whole = is_complete(g, &row, good, 1u << LINE | 1u << COUNT, "a line");
    if (whole && !row.line) coverage_json_found(g->j, row.off, row.number, "GJ-3", ASSAY_INFO, "line 0, which is the compiler's own code: it is left out");
    if (!whole || !row.line) {
        g->d->rows.len = first;
        return 0;
    }
    if (calls.group && !g->calls && !(g->calls = coverage_name(g->d, "calls"))) return error_memory(g->d->err);
    calls.name = g->calls;
    if (calls.group) TRY(push(g, &calls));
    g->d->rows.at[first] = row;
    settle(g, first);
    return 0;
}
