/* The server: what it serves, one session over a pair of descriptors (serve.c), and what a message is answered with. */
#ifndef MCP_MCP_H
#define MCP_MCP_H

#include "assay/mcp.h"
#include "base/output.h"
#include "mcp/folders.h"
#include "mcp/handles.h"
#include "mcp/message.h"

enum {
    MCP_ANSWER = 16 << 10, /* bytes of text in one answer, unless the options say otherwise */
    MCP_ANSWER_LEAST = 1 << 10,
    MCP_SECONDS = 60, /* of an SQL statement, likewise */
    MCP_LISTED = 200  /* files in an answer of open */
};

struct assay_mcp {
    struct mem mem;
    struct folders folders;
    struct handles handles; /* used by one thread at a time: that of the calls */
    size_t max_memory, max_answer;
    uint32_t max_seconds;
};

/* ---- one session ---- */

struct session {
    struct assay_mcp *mcp;
    bool has_begun; /* it was initialised */
};

/* What is to be done with a message. */
enum session_step {
    SESSION_NOTHING, /* a notification that says nothing here, a response */
    SESSION_ANSWER,  /* the answer was put into `out`, a line */
    SESSION_CALL,    /* call_run answers it */
    SESSION_CANCEL   /* the call of m->request_id is not wanted any more */
};
enum session_step session_take(struct session *s, const struct message *m, struct output *out);
/* An answer that says why there is none. */
void session_put_error(struct output *out, const struct message_id *id, int code, const char *text);

/* Runs the tool that a message calls, and puts the answer into `out`, a line. What the tool cannot do is told in the answer. Errors: MEMORY, CANCELLED: then
 * `out` is as it was. */
int call_run(struct assay_mcp *mcp, const struct message *m, struct output *out, assay_error *err);

#endif
