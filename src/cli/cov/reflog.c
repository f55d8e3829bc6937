/* assay cov reflog: what a reference stood for before. */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cov/cov.h"
#include "cli/shared.h"

static const struct option_spec options[] = {
    { .name = "max-count",
      .letter = 'n',
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(limit),
      GIVEN(has_limit),
      .most = UINT64_MAX,
      .help = "print at most N changes" },
    OPTION_JSON,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Lists the changes of a branch, a tag or HEAD, newest first: the report it pointed at afterwards, when it changed, and why. Use it to find reports that a "
    "branch has lost, and 'assay cov reset' or 'assay cov branch' to restore them. The default is the current branch.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov reflog", "what happened to the current branch" },
    { "assay cov reflog HEAD", "where HEAD has been" },
    { NULL, NULL },
};

static void print_json(struct output *out, const assay_store_reflog *log, size_t count)
{
    struct json j;
    cov_begin_json(&j, out, "cov reflog");
    json_key(&j, "reference");
    json_text(&j, log->reference);
    json_key(&j, "changes");
    json_array(&j);
    for (size_t i = 0; i < count; i++) {
        json_object(&j);
        cov_put_id(&j, "from", &log->from[i]);
        cov_put_id(&j, "to", &log->to[i]);
        json_key(&j, "who");
        json_string(&j, log->who[i]);
        json_key(&j, "when");
        json_u64(&j, log->when[i]);
        json_key(&j, "why");
        json_string(&j, log->why[i]);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

static void print_text(struct output *out, const assay_store_reflog *log, size_t count)
{
    const char *full = log->reference;
    const char *name = strncmp(full, "refs/heads/", 11) == 0 ? full + 11 : strncmp(full, "refs/tags/", 10) == 0 ? full + 10 : full;
    char hex[ASSAY_STORE_ID_TEXT];
    for (size_t i = 0; i < count; i++) {
        output_printf(out, "%.9s %s@{%zu} ", assay_store_id_text(&log->to[i], hex), name, i);
        text_time(out, log->when[i], 'i');
        output_text(out, ": ");
        text_show(out, log->why[i]);
        output_char(out, '\n');
    }
}

static int print(struct cli *c, const assay_store_reflog *log)
{
    struct output *out;
    size_t count = c->set.has_limit && c->set.limit < log->count ? (size_t)c->set.limit : log->count;
    if (!cli_open_output(c, &out)) return COV_WRONG;
    if (c->set.json)
        print_json(out, log, count);
    else
        print_text(out, log, count);
    return cli_close_output(c, out) == 0 ? COV_DONE : COV_WRONG;
}

static int run(struct cli *c)
{
    struct cov v;
    assay_error err = { 0 };
    assay_store_reflog *log = NULL;
    int code = cov_open(&v, c);
    if (code == 0) code = assay_store_reflog_new(v.store, cov_revision(c), &log, &err) == 0 ? print(c, log) : cov_fail(&v, &err);
    assay_store_reflog_free(log);
    cov_close(&v);
    return code;
}

const struct verb cov_reflog_verb = { .name = "cov reflog",
                                      .summary = "list the past changes of a branch",
                                      .arguments = "[NAME]",
                                      .most_files = 1,
                                      .options = options,
                                      .text = text,
                                      .examples = examples,
                                      .run = run };
