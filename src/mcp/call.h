/* One call of a tool. */
#ifndef MCP_CALL_H
#define MCP_CALL_H

#include "assay/report.h"
#include "mcp/answer.h"
#include "mcp/mcp.h"
#include "mcp/tools.h"

struct call {
    struct assay_mcp *mcp;
    const struct message *message;
    const struct tool *tool;
    struct mem mem;
    struct arena text;
    VEC(struct assay_option) options; /* of the verb */
    VEC(const char *) files;          /* where they really are, in the order of the arguments */
    const char *change, *sql;
    struct answer answer;
};

/* Runs a verb over the files, with the options so far and those that every call has. Errors: those of the report. */
int call_verb(struct call *c, const char *verb, assay_error *err);
/* The tools that are no verb. */
int call_open(struct call *c, assay_error *err);
int call_query(struct call *c, assay_error *err);

#endif
