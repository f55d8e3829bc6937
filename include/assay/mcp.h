/* A server of the Model Context Protocol: what the verbs say, for programs that call tools. JSON-RPC 2.0, a message on each line; it only reads.
 *
 *     const char *folders[] = { "/home/me/project" };
 *     assay_mcp_new(folders, 1, NULL, &mcp, &err);
 *     assay_mcp_serve(mcp, 0, 1, &err);              // until the input ends
 *     assay_mcp_free(mcp);
 *
 * Files that the server shows have handles, such as f12, which the other processes of the same user understand, too. */
#ifndef ASSAY_MCP_H
#define ASSAY_MCP_H

#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct assay_mcp_options {
    size_t size;          /* sizeof(struct assay_mcp_options); every member after it may be 0 */
    uint64_t max_memory;  /* bytes for one call; 0 = no limit */
    uint64_t max_answer;  /* bytes of text in one answer; 0 = 16 KiB. Less than 1 KiB is 1 KiB */
    uint32_t max_seconds; /* that an SQL statement may take; 0 = 60 */
    bool no_handles;      /* handles are for this server alone: nothing is written */
};

typedef struct assay_mcp assay_mcp;

/* Only files below `folders` are opened, wherever links lead; the input of a call, what belongs to it, sources and symbols. *out is owned by the caller.
 * Errors: USAGE (no folder, or not one), SYSTEM, MEMORY. */
ASSAY_API int assay_mcp_new(const char *const *folders, size_t count, const struct assay_mcp_options *options, assay_mcp **out, assay_error *err);
/* Answers what comes from `in` until it ends, or until nobody reads `out` any more. Calls run on a thread of the library, one after the other, and can be
 * cancelled; when the input ends, calls that came before have a second to end. Descriptors stay open. Errors: SYSTEM, WRITE, MEMORY. */
ASSAY_API int assay_mcp_serve(assay_mcp *mcp, int in, int out, assay_error *err);
/* NULL is allowed. */
ASSAY_API void assay_mcp_free(assay_mcp *mcp);

/* Whether `text` is a handle of this user: then its file is in `path`, terminated. false = it is none, or its path does not fit. */
ASSAY_API bool assay_handle_find(const char *text, char *path, size_t size);

#ifdef __cplusplus
}
#endif
#endif
