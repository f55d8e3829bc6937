/* history: the reports of a coverage store, the newest first, as `assay cov log` lists them. */
#include "assay/store.h"
#include "base/cancel.h"
#include "base/error.h"
#include "server/routes.h"

enum { POINTS_MOST = 2000 };

static void put_pair(struct json *j, const char *all, const char *hit, assay_store_pair pair)
{
    json_key(j, all);
    json_u64(j, pair.relevant);
    json_key(j, hit);
    json_u64(j, pair.visited);
}

static void put_report(struct json *j, const assay_store_report *report)
{
    char id[ASSAY_STORE_ID_TEXT];
    json_object(j);
    json_key(j, "id");
    json_text(j, assay_store_id_text(&report->id, id));
    json_key(j, "time");
    json_u64(j, report->added);
    json_key(j, "branch");
    json_string(j, report->branch);
    json_key(j, "message");
    json_string(j, report->message);
    put_pair(j, "lines", "lines_hit", report->stats.lines);
    put_pair(j, "functions", "functions_hit", report->stats.functions);
    put_pair(j, "branches", "branches_hit", report->stats.branches);
    json_end(j);
}

static int put_reports(struct json *j, assay_store_walk *walk, assay_error *err)
{
    const assay_store_report *report;
    for (unsigned i = 0; i < POINTS_MOST; i++) {
        TRY(cancel_step(i, err));
        TRY(assay_store_walk_next(walk, &report, err));
        if (!report) return 0;
        put_report(j, report);
    }
    return 0;
}

static int put_store(struct json *j, const char *path, assay_error *err)
{
    assay_store *store;
    assay_store_walk *walk = NULL;
    char found[4096];
    TRY(assay_store_find(path, found, sizeof found, err));
    TRY(assay_store_open(found, &store, err));
    int rc = assay_store_walk_new(store, "HEAD", &walk, err);
    if (rc == 0) rc = put_reports(j, walk, err);
    assay_store_walk_free(walk);
    assay_store_close(store);
    return rc;
}

int route_history(struct request *r, assay_error *err)
{
    struct json j;
    const struct viewed *in = inputs_find(&r->server->inputs, r->state.a[0]);
    TRY(params_end(&r->params, err));
    if (!in || in->data) FAIL(err, ASSAY_ERR_UNSUPPORTED, "only a coverage store has a history");
    json_init(&j, r->out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    json_key(&j, "points");
    json_array(&j);
    TRY(put_store(&j, in->path, err));
    json_end(&j);
    json_key(&j, "command");
    json_text(&j, request_text(r, "assay cov -C '%s' log", in->path));
    json_end(&j);
    return output_failed(r->out) ? error_memory(err) : 0;
}
