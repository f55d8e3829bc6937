/* The tools: one table, from which come their definitions, the check of their arguments, and the options of the verb behind each. */
#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include <stdbool.h>

#include "base/json.h"

enum tool_kind {
    TOOL_TEXT,     /* a string that the verb's option takes */
    TOOL_NUMBER,   /* a whole number, likewise */
    TOOL_FLAG,     /* true or false, likewise */
    TOOL_FILE,     /* a file or a handle: an input */
    TOOL_FILES,    /* several of them */
    TOOL_CHANGE,   /* a unified diff: its text */
    TOOL_OWN,      /* a string that is the server's own business */
    TOOL_OWN_WHOLE /* a number, likewise */
};

struct tool_argument {
    const char *name;
    enum tool_kind kind;
    bool is_needed;
    const char *option; /* of the verb */
    const char *text;   /* a phrase; NULL = the name says it */
};

struct tool {
    const char *name;
    const char *verb;                      /* that answers; NULL = the server does */
    const char *text;                      /* a sentence */
    const char *limit;                     /* the option limit, where the client gives none; NULL = the verb's own */
    const struct tool_argument *arguments; /* ends with a NULL name */
};

/* In the order in which they are listed; NULL = no more. Without SQL there is no query. */
const struct tool *tool_at(size_t i);
const struct tool *tool_find(const char *name);
const struct tool_argument *tool_argument_find(const struct tool *tool, const char *name);
/* All definitions, as the array that tools/list answers. */
void tools_put(struct json *j);
/* What a client is told of all of them. */
extern const char tools_instructions[];

#endif
