/* Messages of JSON-RPC 2.0 as the protocol has them: one line taken apart into what the server understands of it. Every byte is hostile: a line has a longest
 * length (serve.c), nesting is bounded by the reader, a name that comes twice is refused, and what nobody asked for is passed over. */
#ifndef MCP_MESSAGE_H
#define MCP_MESSAGE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_read.h"

enum { MESSAGE_ARGUMENTS = 64, MESSAGE_BATCH = 32 };

/* Codes of JSON-RPC. */
enum { RPC_PARSE = -32700, RPC_REQUEST = -32600, RPC_METHOD = -32601, RPC_PARAMS = -32602, RPC_INTERNAL = -32603, RPC_BUSY = -32000 };

/* Of a request: a string, or a number as it was written. */
struct message_id {
    bool has, is_text;
    assay_slice text;
};

/* An argument of a tool; an array comes as its items, under one name. */
struct message_argument {
    const char *name;
    enum json_kind kind; /* STRING, NUMBER, TRUE, FALSE, NULL; anything else: what cannot be used */
    const char *text;    /* of a string or number; terminated, without a byte 0 inside */
};

struct message {
    struct mem *mem;
    struct arena text;
    struct message_id id;
    const char *method;   /* NULL = a response to something that the server never asked, or a mistake */
    const char *problem;  /* a sentence: why it is no message; NULL = it is one */
    int code;             /* of the problem */
    bool is_notification; /* nobody waits for an answer */
    /* Members of params. */
    const char *version;          /* protocolVersion */
    const char *name;             /* of a tool */
    const char *cursor;           /* of a list */
    struct message_id request_id; /* of what is to be cancelled */
    VEC(struct message_argument) arguments;
};

/* The messages of a line: one, or those of an array. */
struct messages {
    struct mem *mem;
    struct message *at[MESSAGE_BATCH];
    size_t count;
};

/* Takes a line apart. What is wrong with it is said in a message. Errors: MEMORY. messages_done is due in either case. */
int messages_read(struct messages *m, const char *line, size_t len, struct mem *mem, assay_error *err);
void messages_done(struct messages *m);
/* For who keeps a message: it is taken out. */
struct message *messages_take(struct messages *m, size_t i);
/* NULL is allowed. */
void message_free(struct message *m);

bool message_id_equal(const struct message_id *a, const struct message_id *b);
/* As a value; null where there is none. */
void message_id_put(struct json *j, const struct message_id *id);

#endif
