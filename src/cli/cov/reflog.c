/* assay cov reflog: what a reference stood for before. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cov/view.h"
#include "cli/shared.h"
#include "report/cov_format_text.h"

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

struct job {
    struct cli *c;
    struct output *out;
    struct json json;
    const char *name;
    uint64_t count;
};

static int print(void *arg, const struct reflog_entry *e)
{
    struct job *j = arg;
    char hex[COV_ID_HEX + 1];
    if (j->c->set.has_limit && j->count >= j->c->set.limit) return 0;
    if (j->c->set.json) {
        json_object(&j->json);
        cov_json_id(&j->json, "from", &e->from);
        cov_json_id(&j->json, "to", &e->to);
        json_key(&j->json, "who");
        json_string(&j->json, e->who);
        json_key(&j->json, "when");
        json_u64(&j->json, e->when);
        json_key(&j->json, "why");
        json_string(&j->json, e->why);
        json_end(&j->json);
    } else {
        output_printf(j->out, "%.9s %s@{%llu} ", cov_id_hex(&e->to, hex), j->name, (unsigned long long)j->count);
        cov_format_time(j->out, e->when, 'i', 0);
        output_text(j->out, ": ");
        text_show(j->out, e->why);
        output_char(j->out, '\n');
    }
    j->count++;
    return 0;
}

/* The reference that was typed, or the one that HEAD stands for. */
static int find(struct cov *v, char full[REFS_NAME_MAX], assay_error *err)
{
    struct ref_value value;
    if (v->c->set.files.len) return revision_find_ref(v->store, slice_of(v->c->set.files.at[0]), full, &value, err);
    return refs_follow(v->store, "HEAD", &value, full, err);
}

static int run(struct cli *c)
{
    struct cov v;
    struct job j = { .c = c };
    assay_error err = { 0 };
    char full[REFS_NAME_MAX] = "";
    int code = cov_open(&v, c);
    if (code == 0 && find(&v, full, &err) != 0) code = cov_fail(&v, &err);
    if (code == 0 && !cli_open_output(c, &j.out))
        code = COV_WRONG;
    else if (code == 0) {
        j.name = strncmp(full, "refs/heads/", 11) == 0 ? full + 11 : strncmp(full, "refs/tags/", 10) == 0 ? full + 10 : full;
        if (c->set.json) {
            cov_json_begin(&j.json, j.out, "cov reflog");
            json_key(&j.json, "reference");
            json_text(&j.json, full);
            json_key(&j.json, "changes");
            json_array(&j.json);
        }
        if (reflog_each(v.store, full, print, &j, &err) != 0) code = cov_fail(&v, &err);
        if (c->set.json) json_end(&j.json), json_end(&j.json);
        if (cli_close_output(c, j.out) != 0) code = COV_WRONG;
    }
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
