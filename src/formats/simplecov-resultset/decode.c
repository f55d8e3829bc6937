/* See decode.h. */
#include "formats/simplecov-resultset/decode.h"

#include "base/scan.h"

/* ---- keys of branches: what Ruby shows of an array ---- */

enum { KEY_NUMBERS = 5, KEY_TEXT = 160 };

struct branch_key {
    uint32_t at[KEY_NUMBERS];    /* id, line, column, end line, end column */
    assay_slice kind, positions; /* ":if"; "11, 6, 11, 48" */
};

static const char *blanks(const char *p, const char *end)
{
    while (p < end && *p == ' ') p++;
    return p;
}

/* [:kind, id, line, column, line, column] */
static bool parse_key(assay_slice text, struct branch_key *out)
{
    const char *p = text.data, *end = text.data + text.len;
    if (text.len < 2 || *p != '[' || end[-1] != ']') return false;
    const char *comma = memchr(p, ',', text.len);
    if (!comma || p[1] != ':') return false;
    out->kind = slice_from(p + 1, comma);
    p = comma + 1;
    for (int i = 0; i < KEY_NUMBERS; i++) {
        uint64_t v = 0;
        p = blanks(p, end);
        const char *from = p;
        if (i == 1) out->positions = slice_from(p, end - 1);
        for (; p < end && is_digit(*p) && v <= INT32_MAX; p++) v = v * 10 + (uint64_t)(*p - '0');
        if (p == from || v > INT32_MAX) return false;
        out->at[i] = (uint32_t)v;
        p = blanks(p, end);
        if (p == end || *p++ != (i == KEY_NUMBERS - 1 ? ']' : ',')) return false;
    }
    return p == end;
}

/* The key without its id, which is another one in each run. */
static int identity(struct coverage_decoder *d, const struct branch_key *k, uint32_t *out)
{
    char text[KEY_TEXT];
    size_t len = 0;
    if (k->kind.len + k->positions.len + 2 > sizeof text) {
        *out = intern_put(&d->names, k->positions);
        return *out ? 0 : error_memory(d->err);
    }
    memcpy(text, k->kind.data, k->kind.len);
    len = k->kind.len;
    memcpy(text + len, ", ", 2);
    len += 2;
    memcpy(text + len, k->positions.data, k->positions.len);
    *out = intern_put(&d->names, (assay_slice){ text, len + k->positions.len });
    return *out ? 0 : error_memory(d->err);
}

static bool understood(struct coverage_decoder *d, assay_slice text, const struct json_event *at, struct branch_key *out)
{
    if (parse_key(text, out) && out->at[1]) return true;
    coverage_json_found(d->j, at->off, at->line, "SC-1", ASSAY_ERROR, "'%.*s': expected [:kind, id, line, column, line, column]",
                        (int)(text.len < 60 ? text.len : 60), text.data);
    return false;
}

/* ---- branches ---- */

static int side(struct coverage_decoder *d, uint32_t test, const struct branch_key *condition, uint32_t block, uint32_t index, const struct json_event *at)
{
    struct branch_key key;
    uint64_t count;
    uint32_t name = 0;
    bool is = understood(d, at->text, at, &key);
    if (is) TRY(identity(d, &key, &name));
    bool is_count;
    TRY(coverage_times(d, "a count of a branch", &count, &is_count));
    if (!is || !is_count) return 0;
    struct coverage_row *row = coverage_push(d, COVERAGE_BRANCH, at);
    if (!row) return ASSAY_ERR_MEMORY;
    row->test = test;
    row->block = block;
    row->name = name;
    row->index = index;
    row->count = count;
    row->line = condition->at[1];
    row->column = condition->at[2] + 1;
    row->end_line = condition->at[3];
    row->end_column = condition->at[4] + 1;
    return 0;
}

/* {"[:if, ...]": {"[:then, ...]": n, ...}, ...} */
static int branches(struct coverage_decoder *d, uint32_t test)
{
    struct json_event at;
    struct branch_key condition;
    uint32_t key, block = 0;
    bool is, has, is_key;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "branches", &is));
    while (is) {
        TRY(coverage_member(d, &key, &at, &has));
        if (!has) break;
        is_key = understood(d, at.text, &at, &condition);
        if (is_key) TRY(identity(d, &condition, &block));
        if (is_key)
            TRY(coverage_json_expect(d->j, JSON_OBJECT, "the sides of a branch", &is_key));
        else
            TRY(json_read_skip(&d->j->r, &d->j->e));
        for (uint32_t index = 0; is_key; index++) {
            TRY(coverage_member(d, &key, &at, &has));
            if (!has) break;
            TRY(side(d, test, &condition, block, index, &at));
        }
    }
    return 0;
}

/* ---- files and commands ---- */

static int members(struct coverage_decoder *d, uint32_t test, const struct json_event *begin)
{
    enum { LINES, BRANCHES, METHODS, ONESHOT, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("lines"), COVERAGE_KEY("branches"), COVERAGE_KEY("methods"), COVERAGE_KEY("oneshot_lines") };
    uint32_t seen = 0;
    int at;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == LINES)
            TRY(coverage_line_list(d, "lines", test, false));
        else if (at == BRANCHES)
            TRY(branches(d, test));
        else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    if (!(seen & 1u << LINES) && !d->j->r.is_damaged) coverage_json_found(d->j, begin->off, begin->line, "J-3", ASSAY_ERROR, "a file without lines");
    return 0;
}

/* path: {lines, branches}, before 0.18 the lines alone. */
static int coverage(struct coverage_decoder *d, uint32_t test)
{
    struct json_event at;
    uint32_t path;
    bool is, has;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "coverage", &is));
    while (is) {
        TRY(coverage_member(d, &path, &at, &has));
        if (!has) break;
        struct coverage_row *row = coverage_push(d, COVERAGE_FILE, &d->j->e);
        if (!row) return ASSAY_ERR_MEMORY;
        row->name = path;
        row->test = test;
        struct json_event begin = d->j->e;
        if (d->j->e.kind == JSON_ARRAY)
            TRY(coverage_line_list(d, "a file", test, false));
        else {
            TRY(coverage_json_expect(d->j, JSON_OBJECT, "a file", &has));
            if (has) TRY(members(d, test, &begin));
        }
        TRY(coverage_give(d));
    }
    return 0;
}

static int command(struct coverage_decoder *d, uint32_t test, const struct json_event *begin)
{
    enum { COVERAGE, TIME, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("coverage"), COVERAGE_KEY("timestamp") };
    uint32_t seen = 0;
    int at;
    struct coverage_row *row = coverage_push(d, COVERAGE_ATTRIBUTE, begin);
    if (!row) return ASSAY_ERR_MEMORY;
    row->text = test;
    row->name = coverage_name(d, "test");
    if (!row->name) return error_memory(d->err);
    TRY(coverage_give(d));
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == COVERAGE)
            TRY(coverage(d, test));
        else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    if (!(seen & 1u << COVERAGE) && !d->j->r.is_damaged) coverage_json_found(d->j, begin->off, begin->line, "J-3", ASSAY_ERROR, "a command without coverage");
    return 0;
}

static int commands(struct coverage_decoder *d, void *arg)
{
    struct json_event at;
    uint32_t test;
    bool has;
    (void)arg;
    for (;;) {
        TRY(coverage_member(d, &test, &at, &has));
        if (!has) return 0;
        TRY(coverage_json_expect(d->j, JSON_OBJECT, "a command", &has));
        if (has) TRY(command(d, test, &at));
    }
}

int simplecov_decode(struct coverage_decoder *d) { return coverage_document(d, commands, NULL); }
