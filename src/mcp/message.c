/* Messages of JSON-RPC, out of a line; see message.h. */
#include "mcp/message.h"

#include "base/scoped.h"
#include "base/slice.h"

/* What has been seen of the message at hand, beside what it says. */
struct envelope {
    bool has_version, has_answer, has_params, has_id;
};

struct parser {
    struct messages *to;
    struct message *m; /* the one at hand */
    struct envelope envelope;
    struct json_reader r;
    assay_error *err;
};

/* The first thing that is wrong with a message is the one that is told. */
static void blame(struct message *m, int code, const char *problem)
{
    if (m->problem) return;
    m->problem = problem;
    m->code = code;
}

static struct message *add_message(struct parser *p)
{
    struct messages *to = p->to;
    struct message *m = mem_zalloc(to->mem, 1, sizeof *m);
    if (!m) {
        error_memory(p->err);
        return NULL;
    }
    m->mem = to->mem;
    arena_init(&m->text, to->mem);
    to->at[to->count++] = m;
    return p->m = m;
}

/* A copy that is a C string. What has a byte 0 inside is no text that anything here could use: NULL, and the message is blamed. */
static int copy(struct parser *p, assay_slice text, const char **out)
{
    if (text.len && memchr(text.data, '\0', text.len)) {
        blame(p->m, RPC_PARAMS, "a string has a character U+0000");
        *out = "";
        return 0;
    }
    *out = arena_copy(&p->m->text, text);
    return *out ? 0 : error_memory(p->err);
}

/* ---- values ---- */

/* A member that is a string and may come once. */
static int take_text(struct parser *p, struct json_event *e, const char **out, const char *problem)
{
    if (e->kind != JSON_STRING || *out) {
        blame(p->m, RPC_REQUEST, problem);
        return json_read_skip(&p->r, e);
    }
    return copy(p, e->text, out);
}

static int take_id(struct parser *p, struct json_event *e, struct message_id *id, const char *problem)
{
    const char *text;
    if ((e->kind != JSON_STRING && e->kind != JSON_NUMBER) || id->has) {
        blame(p->m, RPC_REQUEST, problem);
        return json_read_skip(&p->r, e);
    }
    TRY(copy(p, e->text, &text));
    *id = (struct message_id){ true, e->kind == JSON_STRING, slice_of(text) };
    return 0;
}

static int add_argument(struct parser *p, const char *name, const struct json_event *e)
{
    struct message_argument *a;
    const char *text = NULL;
    if (p->m->arguments.len >= MESSAGE_ARGUMENTS) {
        blame(p->m, RPC_PARAMS, "too many arguments");
        return 0;
    }
    if (e->kind == JSON_STRING || e->kind == JSON_NUMBER) TRY(copy(p, e->text, &text));
    a = vec_push(p->to->mem, &p->m->arguments);
    if (!a) return error_memory(p->err);
    *a = (struct message_argument){ name, e->kind, text };
    return 0;
}

/* One value, or the items of an array. What is nested is noted as what it is, and passed over. */
static int take_argument(struct parser *p, const char *name, struct json_event *e)
{
    if (e->kind != JSON_ARRAY) {
        TRY(add_argument(p, name, e));
        return json_read_skip(&p->r, e);
    }
    for (;;) {
        TRY(json_read_next(&p->r, e));
        if (e->kind == JSON_END || e->kind == JSON_ARRAY_END) return 0;
        TRY(add_argument(p, name, e));
        TRY(json_read_skip(&p->r, e));
    }
}

/* ---- objects ---- */

/* Calls `take` for each member of the object that begins with `e`. */
typedef int (*take_fn)(struct parser *p, assay_slice key, struct json_event *e);
enum { KEY_MOST = 64 };

static int members(struct parser *p, struct json_event *e, take_fn take)
{
    char key[KEY_MOST];
    for (;;) {
        TRY(json_read_next(&p->r, e));
        if (e->kind == JSON_END || e->kind == JSON_OBJECT_END) return 0;
        size_t len = e->text.len < sizeof key ? e->text.len : 0; /* a longer one is none that is known */
        if (len) memcpy(key, e->text.data, len);
        TRY(json_read_next(&p->r, e));
        if (e->kind == JSON_END) return 0;
        TRY(take(p, (assay_slice){ key, len }, e));
    }
}

static int take_named_argument(struct parser *p, assay_slice key, struct json_event *e)
{
    const char *name;
    TRY(copy(p, key.len ? key : SLICE("?"), &name));
    for (size_t i = 0; i < p->m->arguments.len; i++)
        if (strcmp(p->m->arguments.at[i].name, name) == 0) blame(p->m, RPC_PARAMS, "an argument is given twice");
    return take_argument(p, name, e);
}

static int take_param(struct parser *p, assay_slice key, struct json_event *e)
{
    struct message *m = p->m;
    if (slice_is(key, "protocolVersion")) return take_text(p, e, &m->version, "'protocolVersion' is not one string");
    if (slice_is(key, "name")) return take_text(p, e, &m->name, "'name' is not one string");
    if (slice_is(key, "cursor")) return take_text(p, e, &m->cursor, "'cursor' is not one string");
    if (slice_is(key, "requestId")) return take_id(p, e, &m->request_id, "'requestId' is not one string or number");
    if (slice_is(key, "arguments") && e->kind == JSON_OBJECT) return members(p, e, take_named_argument);
    if (slice_is(key, "arguments")) blame(m, RPC_PARAMS, "'arguments' is not an object");
    return json_read_skip(&p->r, e);
}

static int take_member(struct parser *p, assay_slice key, struct json_event *e)
{
    struct message *m = p->m;
    struct envelope *n = &p->envelope;
    n->has_answer |= slice_is(key, "result") || slice_is(key, "error");
    n->has_id |= slice_is(key, "id");
    if (slice_is(key, "id")) return take_id(p, e, &m->id, "'id' is not one string or number");
    if (slice_is(key, "method")) return take_text(p, e, &m->method, "'method' is not one string");
    if (slice_is(key, "jsonrpc")) n->has_version = e->kind == JSON_STRING && slice_is(e->text, "2.0");
    if (!slice_is(key, "params")) return json_read_skip(&p->r, e);
    if (n->has_params) blame(m, RPC_REQUEST, "'params' is given twice");
    n->has_params = true;
    if (e->kind == JSON_OBJECT) return members(p, e, take_param);
    blame(m, RPC_PARAMS, "'params' is not an object");
    return json_read_skip(&p->r, e);
}

static int take_message(struct parser *p, struct json_event *e)
{
    struct message *m = add_message(p);
    if (!m) return p->err->code;
    p->envelope = (struct envelope){ .has_version = false };
    if (e->kind != JSON_OBJECT) {
        blame(m, RPC_REQUEST, "a message is an object");
        return json_read_skip(&p->r, e);
    }
    TRY(members(p, e, take_member));
    if (!p->envelope.has_version) blame(m, RPC_REQUEST, "'jsonrpc' is not \"2.0\"");
    if (!m->method && !p->envelope.has_answer) blame(m, RPC_REQUEST, "'method' is missing");
    m->is_notification = m->method && !p->envelope.has_id;
    return 0;
}

/* ---- lines ---- */

static int take_batch(struct parser *p, struct json_event *e)
{
    for (;;) {
        TRY(json_read_next(&p->r, e));
        if (e->kind == JSON_END) return 0;
        if (e->kind == JSON_ARRAY_END) break;
        if (p->to->count == MESSAGE_BATCH) {
            blame(p->m, RPC_REQUEST, "too many messages in one array");
            TRY(json_read_skip(&p->r, e));
        } else
            TRY(take_message(p, e));
    }
    if (p->to->count) return 0;
    if (!add_message(p)) return p->err->code;
    blame(p->m, RPC_REQUEST, "an array without messages");
    return 0;
}

/* A line that is no JSON: one message says so, whatever came of it. */
static int take_damage(struct parser *p)
{
    messages_done(p->to);
    if (!add_message(p)) return p->err->code;
    blame(p->m, RPC_PARSE, "this line is not JSON");
    return 0;
}

static int take_line(struct parser *p)
{
    struct json_event e;
    TRY(json_read_next(&p->r, &e));
    if (e.kind == JSON_END) return 0;
    TRY(e.kind == JSON_ARRAY ? take_batch(p, &e) : take_message(p, &e));
    return e.kind == JSON_END ? 0 : json_read_next(&p->r, &e);
}

int messages_read(struct messages *m, const char *line, size_t len, struct mem *mem, assay_error *err)
{
    struct input *in = NULL;
    SCOPED(findings_done) struct findings damage;
    *m = (struct messages){ .mem = mem };
    findings_init(&damage, mem);
    struct parser p = { .to = m, .err = err };
    /* Anything else would be unpacked, or taken for another encoding. */
    while (len && (*line == ' ' || *line == '\t' || *line == '\r')) line++, len--;
    if (!len || *line == '\n') return 0;
    if (*line != '{' && *line != '[') return take_damage(&p);
    struct input_options o = { .mem = mem, .max_output = len + 1, .max_string = len + 1 };
    TRY(input_open_memory(&in, line, len, "request", &o, err));
    json_read_init(&p.r, in, mem, &damage, err);
    int rc = take_line(&p);
    if (rc == 0 && (damage.list.len || damage.failed)) rc = damage.failed ? error_memory(err) : take_damage(&p);
    json_read_done(&p.r);
    input_close(in);
    return rc;
}

struct message *messages_take(struct messages *m, size_t i)
{
    struct message *taken = m->at[i];
    m->at[i] = NULL;
    return taken;
}

void message_free(struct message *m)
{
    if (!m) return;
    vec_done(m->mem, &m->arguments);
    arena_done(&m->text);
    mem_free(m->mem, m, sizeof *m);
}

void messages_done(struct messages *m)
{
    for (size_t i = 0; i < m->count; i++) message_free(m->at[i]);
    m->count = 0;
}

/* ---- ids ---- */

bool message_id_equal(const struct message_id *a, const struct message_id *b)
{
    return a->has && b->has && a->is_text == b->is_text && slice_equal(a->text, b->text);
}

void message_id_put(struct json *j, const struct message_id *id)
{
    if (!id->has)
        json_null(j);
    else if (id->is_text)
        json_string(j, id->text);
    else
        json_number(j, id->text);
}
