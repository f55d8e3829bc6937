/* Imports; see assay/store.h. */
#include "store/import.h"

#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "base/options.h"
#include "base/scoped.h"
#include "formats/format.h"
#include "store/props.h"
#include "store/public/handle.h"
#include "store/report_json.h"

struct assay_store_import {
    assay_store *h;
    struct git *git;
    struct assay_store_import_options options;
    struct arena arena;
    struct props props;
    struct import_input in;
    size_t found; /* files that are in the commit or the work tree */
    struct import_match last;
    struct losses losses;
    assay_losses seen; /* the same as callers see them */
    bool is_json;
};

/* ---- beginning ---- */

static int begin(assay_store_import *m, assay_error *err)
{
    const struct assay_store_import_options *o = &m->options;
    assay_error own = { 0 };
    if (o->amend && o->add) FAIL(err, ASSAY_ERR_USAGE, "amend and add cannot be combined");
    m->git = handle_git(m->h, &own);
    if (!m->git) {
        if (err) *err = own;
        return own.code ? own.code : error_set(err, ASSAY_ERR_UNKNOWN, "the store has no git repository");
    }
    handle_identify(m->h);
    for (size_t i = 0; i < o->prop_count; i++) TRY(props_add(&m->props, o->props[i], err));
    m->in.propset = props_text(&m->props);
    return m->in.propset.data ? 0 : error_memory(err);
}

int assay_store_import_new(assay_store *h, const struct assay_store_import_options *options, assay_store_import **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    *out = NULL;
    assay_store_import *m = mem_zalloc(&h->mem, 1, sizeof *m);
    if (!m) return error_memory(err);
    m->h = h;
    arena_init(&m->arena, &h->mem);
    props_init(&m->props, &h->mem);
    losses_init(&m->losses, &h->mem);
    int rc = options_take(&m->options, sizeof m->options, options, err);
    if (rc == 0) rc = begin(m, err);
    if (rc == 0)
        *out = m;
    else
        assay_store_import_free(m);
    return rc;
}

void assay_store_import_free(assay_store_import *m)
{
    if (!m) return;
    losses_done(&m->losses);
    props_done(&m->props);
    arena_done(&m->arena);
    mem_free(&m->h->mem, m, sizeof *m);
}

/* ---- profiles ---- */

static int find_commit(assay_store_import *m, assay_error *err)
{
    assay_store_id id;
    const char *typed = m->options.commit;
    char *hex = arena_text(&m->arena, COV_ID_HEX + 1), *branch = arena_text(&m->arena, REFS_NAME_MAX);
    if (!hex || !branch) return error_memory(err);
    TRY(typed ? git_revision(m->git, typed, &id, err) : git_head(m->git, &id, err));
    git_current_branch(m->git, branch, REFS_NAME_MAX);
    m->in.git_head = slice_of(cov_id_hex(&id, hex));
    m->in.git_branch = slice_of(m->options.branch ? m->options.branch : branch);
    return 0;
}

/* Files of one input, from number `first` on. */
static int match_paths(assay_store_import *m, const char *name, size_t first, assay_error *err)
{
    char text[1600];
    const struct import_match *found = &m->last;
    TRY(import_match(m->git, &m->in, first, &m->arena, &m->last, err));
    m->found += found->found;
    if (!found->by_end || !m->options.warn) return 0;
    snprintf(text, sizeof text, "%.300s: no path is in the commit or the work tree; %zu of %zu matched by their endings, such as '%.*s' and '%.*s'", name,
             found->by_end, m->in.file_count - first, (int)(found->from.len < 500 ? found->from.len : 500), found->from.data,
             (int)(found->to.len < 500 ? found->to.len : 500), found->to.data);
    m->options.warn(m->options.warn_arg, NULL, text);
    return 0;
}

int assay_store_import_add(assay_store_import *m, const char *name, const assay_profile *p, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    size_t first = m->in.file_count;
    if (m->is_json) FAIL(err, ASSAY_ERR_USAGE, "report JSON cannot be added to anything");
    if (!m->in.git_head.len) TRY(find_commit(m, err));
    int rc = import_collect(p, git_root(m->git), &m->arena, &m->in, err);
    if (rc == 0) rc = match_paths(m, name, first, err);
    if (rc != 0) error_path(err, name);
    return rc;
}

/* An empty report would look as if nothing were covered. */
static int refuse_unmatched(const assay_store_import *m, assay_error *err)
{
    assay_slice path = m->in.files[0].path;
    const char *other = m->last.commit_path ? m->last.commit_path : "";
    error_set(err, ASSAY_ERR_UNKNOWN, "no file of the report is in the commit or the work tree: the report has '%.*s', the commit '%.200s'",
              (int)(path.len < 200 ? path.len : 200), path.len ? path.data : "", other);
    return error_hint(err, ASSAY_ERR_UNKNOWN, ASSAY_HINT_MAP);
}

/* ---- report JSON ---- */

int assay_store_import_json(assay_store_import *m, const char *name, const void *data, size_t len, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    SCOPED(input_drop) struct input *in = NULL;
    struct input_options options = { .mem = &m->h->mem };
    assay_slice propset = m->in.propset;
    if (m->is_json || m->in.git_head.len) FAIL(err, ASSAY_ERR_USAGE, "report JSON cannot be added to anything");
    TRY(data ? input_open_memory(&in, data, len, name, &options, err) : input_open(&in, name, &options, err));
    int rc = report_json_read(in, &m->arena, &m->h->mem, &m->in, err);
    m->in.propset = propset;
    m->is_json = rc == 0;
    if (rc != 0) error_path(err, name);
    return rc;
}

/* ---- the end ---- */

const assay_losses *assay_store_import_losses(assay_store_import *m)
{
    struct losses *l = &m->losses;
    if (!l->list.len) {
        if (m->in.lost.branches) losses_add(l, "branches", m->in.lost.branches, "branch coverage is not stored");
        if (m->in.lost.conditions) losses_add(l, "conditions", m->in.lost.conditions, "conditions (MC/DC) are not stored");
        if (m->in.lost.regions) losses_add(l, "regions", m->in.lost.regions, "regions, blocks and statements with columns are not stored");
    }
    m->seen = (assay_losses){ l->list.at, l->list.len };
    return &m->seen;
}

/* core.exact of the settings is for report JSON, which other programs write. */
static bool is_exact(const assay_store_import *m)
{
    const char *value = m->is_json ? config_get(&m->h->config, "core.exact") : NULL;
    return m->options.exact || (value && (strcmp(value, "true") == 0 || strcmp(value, "yes") == 0 || strcmp(value, "on") == 0 || strcmp(value, "1") == 0));
}

static int prepare(assay_store_import *m, assay_error *err)
{
    if (m->is_json) return 0;
    if (!m->in.file_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "no line or function coverage left to import");
    if (!m->found) return refuse_unmatched(m, err);
    TRY(import_unite(&m->in, &m->arena, err));
    assay_store_import_losses(m);
    return m->losses.failed ? error_memory(err) : 0;
}

int assay_store_import_end(assay_store_import *m, assay_store_imported *out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct import_result result;
    const struct assay_store_import_options *given = &m->options;
    *out = (assay_store_imported){ 0 };
    TRY(prepare(m, err));
    struct import_options o = { .exact = is_exact(m),
                                .by_stats = m->is_json || given->exact,
                                .amend = given->amend,
                                .add = given->add,
                                .skip_missing = !m->is_json && !given->strict,
                                .warn = given->warn,
                                .warn_arg = given->warn_arg };
    TRY(store_import(m->h->s, m->git, &m->in, &o, &result, err));
    *out =
        (assay_store_imported){ .changed = result.outcome == IMPORT_DONE, .report = result.report, .parent = result.parent, .file_count = result.file_count };
    memcpy(out->reference, result.branch, sizeof out->reference);
    return 0;
}
