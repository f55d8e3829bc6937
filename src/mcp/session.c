/* A session: what a message is answered with. The protocol is that of modelcontextprotocol.io, in the revisions below. */
#include "base/slice.h"
#include "mcp/mcp.h"
#include "mcp/tools.h"

#include "assay/assay.h"

/* The newest first: it is offered to clients that ask for one that is not here. */
static const char *const versions[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };

static const char *version_for(const char *asked)
{
    for (size_t i = 0; asked && i < sizeof versions / sizeof *versions; i++)
        if (strcmp(asked, versions[i]) == 0) return versions[i];
    return versions[0];
}

static void begin(struct json *j, struct output *out, const struct message_id *id, const char *what)
{
    json_init_line(j, out);
    json_object(j);
    json_key(j, "jsonrpc");
    json_text(j, "2.0");
    json_key(j, "id");
    message_id_put(j, id);
    json_key(j, what);
    json_object(j);
}

static void end(struct json *j)
{
    json_end(j);
    json_end(j);
}

void session_put_error(struct output *out, const struct message_id *id, int code, const char *text)
{
    struct json j;
    begin(&j, out, id, "error");
    json_key(&j, "code");
    json_i64(&j, code);
    json_key(&j, "message");
    json_text(&j, text);
    end(&j);
}

static enum session_step refuse(const struct message *m, struct output *out, int code, const char *text)
{
    session_put_error(out, &m->id, code, text);
    return SESSION_ANSWER;
}

/* ---- methods ---- */

static enum session_step initialize(struct session *s, const struct message *m, struct output *out)
{
    struct json j;
    if (s->has_begun) return refuse(m, out, RPC_REQUEST, "the session has begun already");
    if (!m->version) return refuse(m, out, RPC_PARAMS, "'protocolVersion' is missing");
    s->has_begun = true;
    begin(&j, out, &m->id, "result");
    json_key(&j, "protocolVersion");
    json_text(&j, version_for(m->version));
    json_key(&j, "capabilities");
    json_object(&j);
    json_key(&j, "tools");
    json_object(&j);
    json_end(&j);
    json_end(&j);
    json_key(&j, "serverInfo");
    json_object(&j);
    json_key(&j, "name");
    json_text(&j, "assay");
    json_key(&j, "version");
    json_text(&j, assay_version());
    json_end(&j);
    json_key(&j, "instructions");
    json_text(&j, tools_instructions);
    end(&j);
    return SESSION_ANSWER;
}

static enum session_step ping(struct session *s, const struct message *m, struct output *out)
{
    struct json j;
    (void)s;
    begin(&j, out, &m->id, "result");
    end(&j);
    return SESSION_ANSWER;
}

/* They fit on one page: no cursor was ever given out. */
static enum session_step list(struct session *s, const struct message *m, struct output *out)
{
    struct json j;
    (void)s;
    if (m->cursor) return refuse(m, out, RPC_PARAMS, "there is no such cursor");
    begin(&j, out, &m->id, "result");
    json_key(&j, "tools");
    tools_put(&j);
    end(&j);
    return SESSION_ANSWER;
}

static enum session_step call(struct session *s, const struct message *m, struct output *out)
{
    (void)s;
    if (!m->name) return refuse(m, out, RPC_PARAMS, "'name' is missing");
    return tool_find(m->name) ? SESSION_CALL : refuse(m, out, RPC_PARAMS, "there is no such tool");
}

static const struct {
    const char *name;
    enum session_step (*run)(struct session *s, const struct message *m, struct output *out);
    bool any_time; /* also before the session has begun */
} methods[] = { { "initialize", initialize, true }, { "ping", ping, true }, { "tools/list", list, false }, { "tools/call", call, false } };

enum session_step session_take(struct session *s, const struct message *m, struct output *out)
{
    if (m->is_notification && m->code != RPC_PARSE)
        return !m->problem && m->request_id.has && strcmp(m->method, "notifications/cancelled") == 0 ? SESSION_CANCEL : SESSION_NOTHING;
    if (m->problem) return refuse(m, out, m->code, m->problem);
    if (!m->method) return SESSION_NOTHING;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(m->method, methods[i].name) != 0) continue;
        if (!s->has_begun && !methods[i].any_time) return refuse(m, out, RPC_REQUEST, "the session has not begun: 'initialize' comes first");
        return methods[i].run(s, m, out);
    }
    return refuse(m, out, RPC_METHOD, "there is no such method");
}
