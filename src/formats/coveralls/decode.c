/* The JSON that is sent to coveralls.io: objects -> rows, file by file; see coveralls.h. */
#include <stdio.h>

#include "formats/coveralls/coveralls.h"

const assay_slice coveralls_facts[COVERALLS_FACTS] = {
    COV_KEY("service_name"),      COV_KEY("service_number"),       COV_KEY("service_job_id"), COV_KEY("service_job_number"), COV_KEY("service_branch"),
    COV_KEY("service_build_url"), COV_KEY("service_pull_request"), COV_KEY("run_at"),         COV_KEY("commit_sha"),         COV_KEY("flag_name"),
    COV_KEY("parallel")
};

/* ---- branches ---- */

static uint32_t number_name(struct cov_decoder *d, uint64_t v)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)v);
    return cov_name(d, text);
}

static int push_branch(struct cov_decoder *d, const struct json_event *at, const uint64_t *v, uint32_t index)
{
    if (v[0] < 1 || v[0] > INT32_MAX) {
        cov_json_found(&d->j, at->off, at->line, "J-2", ASSAY_ERROR, "a branch of line %llu: expected 1 to 2147483647", (unsigned long long)v[0]);
        return 0;
    }
    struct cov_row *row = cov_push(d, COV_BRANCH, at);
    if (!row) return ASSAY_ERR_MEMORY;
    row->line = (uint32_t)v[0];
    row->block = number_name(d, v[1]);
    row->name = number_name(d, v[2]);
    row->index = index;
    row->count = v[3];
    return row->block && row->name ? 0 : error_memory(d->err);
}

/* line, block, branch, hits, line, ... */
static int branches(struct cov_decoder *d)
{
    struct json_event begin = d->j.e, first = d->j.e;
    uint64_t v[4] = { 0, 0, 0, 0 }, line = 0;
    unsigned count = 0;
    uint32_t index = 0;
    bool is, has, is_whole = true;
    if (d->j.e.kind == JSON_NULL) return 0;
    TRY(cov_json_expect(&d->j, JSON_ARRAY, "branches", &is));
    while (is) {
        TRY(cov_json_item(&d->j, &has));
        if (!has) break;
        if (count == 0) first = d->j.e;
        TRY(cov_times(d, "a number of a branch", &v[count], &has));
        is_whole &= has;
        if (++count < 4) continue;
        index = v[0] == line ? index + 1 : 0;
        line = v[0];
        if (is_whole) TRY(push_branch(d, &first, v, index));
        count = 0;
        is_whole = true;
    }
    if (is && count && !d->j.r.is_damaged)
        cov_json_found(&d->j, begin.off, begin.line, "CV-1", ASSAY_ERROR, "branches come by fours (line, block, branch, hits), but %u are left over", count);
    return 0;
}

/* ---- functions ---- */

static int function(struct cov_decoder *d, void *arg)
{
    enum { NAME, START, EXEC, KEYS };
    static const assay_slice keys[KEYS] = { COV_KEY("name"), COV_KEY("start"), COV_KEY("exec") };
    struct json_event begin = d->j.e;
    struct cov_row read = { .kind = COV_FUNCTION, .flags = ASSAY_COV_ONLY_HIT, .off = begin.off, .number = (uint32_t)begin.line };
    uint32_t seen = 0;
    bool is;
    int at;
    (void)arg;
    for (;;) {
        TRY(cov_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COV_JSON_END) break;
        if (at == NAME)
            TRY(cov_text(d, "name", &read.name));
        else if (at == START)
            TRY(cov_json_small(&d->j, "start", &read.line, &is));
        else {
            read.count = d->j.e.kind == JSON_TRUE;
            if (d->j.e.kind != JSON_TRUE && d->j.e.kind != JSON_FALSE) TRY(cov_times(d, "exec", &read.count, &is));
            read.count = read.count > 0;
        }
    }
    if (!read.name || !(seen & 1u << START)) {
        if (!d->j.r.is_damaged) cov_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a function without name or start: it is left out");
        return 0;
    }
    struct cov_row *row = vec_push(d->mem, &d->rows);
    if (!row) return error_memory(d->err);
    *row = read;
    return 0;
}

/* ---- files ---- */

static int file(struct cov_decoder *d, void *arg)
{
    enum { NAME, DIGEST, COVERAGE, BRANCHES, FUNCTIONS, SOURCE, KEYS };
    static const assay_slice keys[KEYS] = { COV_KEY("name"),     COV_KEY("source_digest"), COV_KEY("coverage"),
                                            COV_KEY("branches"), COV_KEY("functions"),     COV_KEY("source") };
    struct json_event begin = d->j.e;
    uint32_t seen = 0, names[KEYS] = { 0 };
    int at;
    (void)arg;
    if (!cov_push(d, COV_FILE, &begin)) return ASSAY_ERR_MEMORY;
    for (;;) {
        TRY(cov_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COV_JSON_END) break;
        switch (at) {
        case COVERAGE: TRY(cov_line_list(d, "coverage", 0, false)); break;
        case BRANCHES: TRY(branches(d)); break;
        case FUNCTIONS: TRY(cov_objects(d, "functions", "a function", function, NULL)); break;
        default:
            if (d->j.e.kind != JSON_NULL || at == NAME) TRY(cov_text(d, keys[at].data, &names[at]));
        }
    }
    if (!(seen & 1u << COVERAGE) && !d->j.r.is_damaged) cov_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a file without coverage");
    if (!names[NAME]) {
        if (!d->j.r.is_damaged) cov_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a file without name");
        d->rows.len = 0;
        return 0;
    }
    d->rows.at[0].name = names[NAME];
    d->rows.at[0].block = names[DIGEST];
    d->rows.at[0].text = names[SOURCE];
    return cov_give(d);
}

/* ---- the document ---- */

static int attribute(struct cov_decoder *d, const char *name)
{
    struct cov_row *row = cov_push(d, COV_ATTRIBUTE, &d->j.e);
    if (!row) return ASSAY_ERR_MEMORY;
    assay_slice text = d->j.e.kind == JSON_TRUE ? SLICE("true") : d->j.e.kind == JSON_FALSE ? SLICE("false") : d->j.e.text;
    row->name = cov_name(d, name);
    row->text = intern_put(&d->names, text);
    if (!row->name || !row->text) return error_memory(d->err);
    return cov_give(d);
}

static bool is_plain(const struct cov_decoder *d)
{
    enum json_kind k = d->j.e.kind;
    return (k == JSON_STRING && d->j.e.text.len) || k == JSON_NUMBER || k == JSON_TRUE || k == JSON_FALSE;
}

static int head(struct cov_decoder *d)
{
    static const assay_slice keys[] = {
        COV_KEY("id"), COV_KEY("author_name"), COV_KEY("author_email"), COV_KEY("committer_name"), COV_KEY("committer_email"), COV_KEY("message")
    };
    uint32_t seen = 0;
    int at;
    for (;;) {
        TRY(cov_json_key(&d->j, keys, sizeof keys / sizeof *keys, &seen, &at));
        if (at == COV_JSON_END) return 0;
        if (at == 0 && is_plain(d))
            TRY(attribute(d, "git.head"));
        else
            TRY(json_read_skip(&d->j.r, &d->j.e));
    }
}

/* Which commit it was; persons and remotes are left alone. */
static int git(struct cov_decoder *d)
{
    enum { BRANCH, HEAD, REMOTES, KEYS };
    static const assay_slice keys[KEYS] = { COV_KEY("branch"), COV_KEY("head"), COV_KEY("remotes") };
    uint32_t seen = 0;
    bool is;
    int at;
    TRY(cov_json_expect(&d->j, JSON_OBJECT, "git", &is));
    while (is) {
        TRY(cov_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COV_JSON_END) break;
        if (at == BRANCH && is_plain(d))
            TRY(attribute(d, "git.branch"));
        else if (at == HEAD) {
            bool is_object;
            TRY(cov_json_expect(&d->j, JSON_OBJECT, "head", &is_object));
            if (is_object) TRY(head(d));
        } else
            TRY(json_read_skip(&d->j.r, &d->j.e));
    }
    return 0;
}

static int document(struct cov_decoder *d, void *arg)
{
    enum { FILES = COVERALLS_FACTS, TOKEN, GIT, KEYS };
    struct json_event begin = d->j.e;
    assay_slice keys[KEYS];
    uint32_t seen = 0;
    int at;
    (void)arg;
    memcpy(keys, coveralls_facts, sizeof coveralls_facts);
    keys[FILES] = SLICE("source_files");
    keys[TOKEN] = SLICE("repo_token");
    keys[GIT] = SLICE("git");
    for (;;) {
        TRY(cov_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COV_JSON_END) break;
        if (at == FILES)
            TRY(cov_objects(d, "source_files", "a file", file, NULL));
        else if (at == GIT)
            TRY(git(d));
        else if (at < COVERALLS_FACTS && is_plain(d))
            TRY(attribute(d, keys[at].data));
        else {
            if (at == TOKEN && is_plain(d))
                cov_json_found(&d->j, d->j.key_off, d->j.key_line, "CV-2", ASSAY_WARNING,
                               "the file holds a token (repo_token), which is a secret; it is not kept");
            TRY(json_read_skip(&d->j.r, &d->j.e));
        }
    }
    if (!(seen & 1u << FILES) && !d->j.r.is_damaged) cov_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "source_files is missing");
    return 0;
}

int coveralls_decode(struct cov_decoder *d) { return cov_document(d, document, NULL); }
