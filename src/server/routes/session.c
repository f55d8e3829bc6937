/* session, rescan, reload, open: what there is to look at. */
#include "assay/assay.h"
#include "base/error.h"
#include "server/routes.h"

static void put_limits(struct json *j)
{
    json_key(j, "limits");
    json_object(j);
    json_key(j, "boxes");
    json_u64(j, SERVER_BOXES);
    json_key(j, "rows");
    json_u64(j, SERVER_ROWS);
    json_key(j, "upload");
    json_u64(j, SERVER_UPLOAD);
    json_end(j);
}

static int put_state(struct request *r, struct json *j, assay_error *err)
{
    struct output *text;
    TRY(output_open_memory(&text, &r->mem, err));
    int rc = r->server->is_exported ? 0 : state_begin_text(r->server, text); /* what the command asked for is
                                                  in the answers already */
    json_key(j, "state");
    json_string(j, output_memory(text).len ? output_memory(text) : SLICE(""));
    output_abort(text);
    return rc;
}

static int answer(struct request *r, uint32_t opened, assay_error *err)
{
    struct server *s = r->server;
    struct json j;
    json_init(&j, r->out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    json_key(&j, "version");
    json_text(&j, assay_version());
    json_key(&j, "exported");
    json_bool(&j, s->is_exported);
    json_key(&j, "inputs");
    inputs_json(&s->inputs, &j);
    json_key(&j, "a");
    json_u64(&j, 1);
    json_key(&j, "b");
    if (s->compares)
        json_u64(&j, 2);
    else
        json_null(&j);
    json_key(&j, "folder");
    json_text(&j, s->inputs.folder);
    TRY(put_state(r, &j, err));
    put_limits(&j);
    json_key(&j, "left_out");
    json_text(&j, s->left_out);
    if (opened) {
        json_key(&j, "opened");
        json_u64(&j, opened);
    }
    json_end(&j);
    return output_failed(r->out) ? error_memory(err) : 0;
}

int route_session(struct request *r, assay_error *err)
{
    TRY(params_end(&r->params, err));
    return answer(r, 0, err);
}

int route_rescan(struct request *r, assay_error *err)
{
    TRY(params_end(&r->params, err));
    TRY(inputs_rescan(&r->server->inputs, &r->server->read, err));
    return answer(r, 0, err);
}

int route_reload(struct request *r, assay_error *err)
{
    TRY(params_end(&r->params, err));
    for (uint32_t i = 0; i < r->state.a_count; i++) inputs_reload(inputs_find(&r->server->inputs, r->state.a[i]));
    return answer(r, 0, err);
}

int route_open(struct request *r, assay_error *err)
{
    const char *name = "dropped file";
    uint32_t id = 0;
    TRY(params_text(&r->params, "name", &name, err));
    TRY(params_end(&r->params, err));
    if (!r->body_len) FAIL(err, ASSAY_ERR_EMPTY, "the file is empty");
    TRY(inputs_add_bytes(&r->server->inputs, name, r->body, r->body_len, &id, err));
    return answer(r, id, err);
}
