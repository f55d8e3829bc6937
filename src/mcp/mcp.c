/* The public functions of assay/mcp.h, but for the session itself (serve.c). */
#include "mcp/mcp.h"

#include <stdlib.h>

#include "base/options.h"

static int init(assay_mcp *m, const char *const *folders, size_t count, const struct assay_mcp_options *o, assay_error *err)
{
    mem_init(&m->mem, 0);
    m->max_memory = (size_t)o->max_memory;
    m->max_answer = o->max_answer ? (size_t)o->max_answer : MCP_ANSWER;
    if (m->max_answer < MCP_ANSWER_LEAST) m->max_answer = MCP_ANSWER_LEAST;
    m->max_seconds = o->max_seconds ? o->max_seconds : MCP_SECONDS;
    handles_init(&m->handles, &m->mem, o->no_handles);
    return folders_init(&m->folders, folders, count, &m->mem, err);
}

int assay_mcp_new(const char *const *folders, size_t count, const struct assay_mcp_options *options, assay_mcp **out, assay_error *err)
{
    assay_error local;
    struct assay_mcp_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(options_take(&o, sizeof o, options, err));
    assay_mcp *m = calloc(1, sizeof *m);
    if (!m) return error_memory(err);
    int rc = init(m, folders, count, &o, err);
    if (rc == 0)
        *out = m;
    else
        assay_mcp_free(m);
    return rc;
}

void assay_mcp_free(assay_mcp *m)
{
    if (!m) return;
    handles_done(&m->handles);
    folders_done(&m->folders);
    free(m);
}
