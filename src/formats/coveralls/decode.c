/* The JSON that is sent to coveralls.io: objects -> rows, file by file; see coveralls.h. */
#include <stdio.h>

#include "formats/coveralls/coveralls.h"

const assay_slice coveralls_facts[COVERALLS_FACTS] = { COVERAGE_KEY("service_name"),
                                                       COVERAGE_KEY("service_number"),
                                                       COVERAGE_KEY("service_job_id"),
                                                       COVERAGE_KEY("service_job_number"),
                                                       COVERAGE_KEY("service_branch"),
                                                       COVERAGE_KEY("service_build_url"),
                                                       COVERAGE_KEY("service_pull_request"),
                                                       COVERAGE_KEY("run_at"),
                                                       COVERAGE_KEY("commit_sha"),
                                                       COVERAGE_KEY("flag_name"),
                                                       COVERAGE_KEY("parallel") };

/* ---- branches ---- */

static uint32_t number_name(struct coverage_decoder *d, uint64_t v)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)v);
    return coverage_name(d, text);
}

static int push_branch(struct coverage_decoder *d, const struct json_event *at, const uint64_t *v, uint32_t index)
{
    if (v[0] < 1 || v[0] > INT32_MAX) {
        coverage_json_found(d->j, at->off, at->line, "J-2", ASSAY_ERROR, "a branch of line %llu: expected 1 to 2147483647", (unsigned long long)v[0]);
        return 0;
    }
    struct coverage_row *row = coverage_push(d, COVERAGE_BRANCH, at);
    if (!row) return ASSAY_ERR_MEMORY;
    row->line = (uint32_t)v[0];
    row->block = number_name(d, v[1]);
    row->name = number_name(d, v[2]);
    row->index = index;
    row->count = v[3];
    return row->block && row->name ? 0 : error_memory(d->err);
}

/* line, block, branch, hits, line, ... */
static int branches(struct coverage_decoder *d)
{
    struct json_event begin = d->j->e, first = d->j->e;
    uint64_t v[4] = { 0, 0, 0, 0 }, line = 0;
    unsigned count = 0;
    uint32_t index = 0;
    bool is, has, is_whole = true;
    if (d->j->e.kind == JSON_NULL) return 0;
    TRY(coverage_json_expect(d->j, JSON_ARRAY, "branches", &is));
    while (is) {
        TRY(coverage_json_item(d->j, &has));
        if (!has) break;
        if (count == 0) first = d->j->e;
        TRY(coverage_times(d, "a number of a branch", &v[count], &has));
        is_whole &= has;
        if (++count < 4) continue;
        index = v[0] == line ? index + 1 : 0;
        line = v[0];
        if (is_whole) TRY(push_branch(d, &first, v, index));
        count = 0;
        is_whole = true;
    }
    if (is && count && !d->j->r.is_damaged)
        coverage_json_found(d->j, begin.off, begin.line, "CV-1", ASSAY_ERROR, "branches come by fours (line, block, branch, hits), but %u are left over",
                            count);
    return 0;
}

/* ---- functions ---- */

static int function(struct coverage_decoder *d, void *arg)
{
    enum { NAME, START, EXEC, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("name"), COVERAGE_KEY("start"), COVERAGE_KEY("exec") };
    struct json_event begin = d->j->e;
    struct coverage_row read = { .kind = COVERAGE_FUNCTION, .flags = ASSAY_COVERAGE_ONLY_HIT, .off = begin.off, .number = (uint32_t)begin.line };
    uint32_t seen = 0;
    bool is;
    int at;
    (void)arg;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == NAME)
            TRY(coverage_text(d, "name", &read.name));
        else if (at == START)
            TRY(coverage_json_small(d->j, "start", &read.line, &is));
        else {
            read.count = d->j->e.kind == JSON_TRUE;
            if (d->j->e.kind != JSON_TRUE && d->j->e.kind != JSON_FALSE) TRY(coverage_times(d, "exec", &read.count, &is));
            read.count = read.count > 0;
        }
    }
    if (!read.name || !(seen & 1u << START)) {
        if (!d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a function without name or start: it is left out");
        return 0;
    }
    struct coverage_row *row = vec_push(d->mem, &d->rows);
    if (!row) return error_memory(d->err);
    *row = read;
    return 0;
}

/* ---- files ---- */

static int file(struct coverage_decoder *d, void *arg)
{
    enum { NAME, DIGEST, COVERAGE, BRANCHES, FUNCTIONS, SOURCE, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("name"),     COVERAGE_KEY("source_digest"), COVERAGE_KEY("coverage"),
                                            COVERAGE_KEY("branches"), COVERAGE_KEY("functions"),     COVERAGE_KEY("source") };
    struct json_event begin = d->j->e;
    uint32_t seen = 0, names[KEYS] = { 0 };
    int at;
    (void)arg;
    if (!coverage_push(d, COVERAGE_FILE, &begin)) return ASSAY_ERR_MEMORY;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        switch (at) {
        case COVERAGE: TRY(coverage_line_list(d, "coverage", 0, false)); break;
        case BRANCHES: TRY(branches(d)); break;
        case FUNCTIONS: TRY(coverage_objects(d, "functions", "a function", function, NULL)); break;
        default:
            if (d->j->e.kind != JSON_NULL || at == NAME) TRY(coverage_text(d, keys[at].data, &names[at]));
        }
    }
    if (!(seen & 1u << COVERAGE) && !d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a file without coverage");
    if (!names[NAME]) {
        if (!d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a file without name");
        d->rows.len = 0;
        return 0;
    }
    d->rows.at[0].name = names[NAME];
    d->rows.at[0].block = names[DIGEST];
    d->rows.at[0].text = names[SOURCE];
    return coverage_give(d);
}

/* ---- the document ---- */

static int attribute(struct coverage_decoder *d, const char *name)
{
    struct coverage_row *row = coverage_push(d, COVERAGE_ATTRIBUTE, &d->j->e);
    if (!row) return ASSAY_ERR_MEMORY;
    assay_slice text = d->j->e.kind == JSON_TRUE ? SLICE("true") : d->j->e.kind == JSON_FALSE ? SLICE("false") : d->j->e.text;
    row->name = coverage_name(d, name);
    row->text = intern_put(&d->names, text);
    if (!row->name || !row->text) return error_memory(d->err);
    return coverage_give(d);
}

static bool is_plain(const struct coverage_decoder *d)
{
    enum json_kind k = d->j->e.kind;
    return (k == JSON_STRING && d->j->e.text.len) || k == JSON_NUMBER || k == JSON_TRUE || k == JSON_FALSE;
}

static int head(struct coverage_decoder *d)
{
    static const assay_slice keys[] = {
        COVERAGE_KEY("id"),     COVERAGE_KEY("author_name"), COVERAGE_KEY("author_email"), COVERAGE_KEY("committer_name"), COVERAGE_KEY("committer_email"),
        COVERAGE_KEY("message")
    };
    uint32_t seen = 0;
    int at;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, sizeof keys / sizeof *keys, &seen, &at));
        if (at == COVERAGE_JSON_END) return 0;
        if (at == 0 && is_plain(d))
            TRY(attribute(d, "git.head"));
        else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
}

/* Which commit it was; persons and remotes are left alone. */
static int git(struct coverage_decoder *d)
{
    enum { BRANCH, HEAD, REMOTES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("branch"), COVERAGE_KEY("head"), COVERAGE_KEY("remotes") };
    uint32_t seen = 0;
    bool is;
    int at;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "git", &is));
    while (is) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == BRANCH && is_plain(d))
            TRY(attribute(d, "git.branch"));
        else if (at == HEAD) {
            bool is_object;
            TRY(coverage_json_expect(d->j, JSON_OBJECT, "head", &is_object));
            if (is_object) TRY(head(d));
        } else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    return 0;
}

static int document(struct coverage_decoder *d, void *arg)
{
    enum { FILES = COVERALLS_FACTS, TOKEN, GIT, KEYS };
    struct json_event begin = d->j->e;
    assay_slice keys[KEYS];
    uint32_t seen = 0;
    int at;
    (void)arg;
    memcpy(keys, coveralls_facts, sizeof coveralls_facts);
    keys[FILES] = SLICE("source_files");
    keys[TOKEN] = SLICE("repo_token");
    keys[GIT] = SLICE("git");
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == FILES)
            TRY(coverage_objects(d, "source_files", "a file", file, NULL));
        else if (at == GIT)
            TRY(git(d));
        else if (at < COVERALLS_FACTS && is_plain(d))
            TRY(attribute(d, keys[at].data));
        else {
            if (at == TOKEN && is_plain(d))
                coverage_json_found(d->j, d->j->key_off, d->j->key_line, "CV-2", ASSAY_WARNING,
                                    "the file holds a token (repo_token), which is a secret; it is not kept");
            TRY(json_read_skip(&d->j->r, &d->j->e));
        }
    }
    if (!(seen & 1u << FILES) && !d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "source_files is missing");
    return 0;
}

int coveralls_decode(struct coverage_decoder *d) { return coverage_document(d, document, NULL); }
