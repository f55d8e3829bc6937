/* The viewer: profiles and coverage as a page in a browser, served on this machine only, or written as one file.
 *
 *     const char *paths[] = { "callgrind.out.4711" };
 *     assay_viewer_new(paths, 1, NULL, &viewer, &err);
 *     assay_viewer_listen(viewer, 0, &err);
 *     puts(assay_viewer_address(viewer));                       // http://127.0.0.1:40123/#t=...
 *     ...
 *     assay_viewer_free(viewer);                                // ends all requests */
#ifndef ASSAY_VIEW_H
#define ASSAY_VIEW_H

#include "assay/filter.h"

#ifdef __cplusplus
extern "C" {
#endif

struct assay_viewer_options {
    size_t size;                           /* sizeof(struct assay_viewer_options); every member after it may be 0 */
    const struct assay_read_options *read; /* how inputs are read; of its filter, what is said of cost is what the page begins with and may change */
    const char *metric;                    /* that the page begins with */
    bool compare;                          /* the second input is compared with the first */
    double least;                          /* percent of the whole below which the page begins to leave rows out */
    uint64_t max_cache;                    /* bytes of results that are kept for the next request; 0 = 512 MiB. What is being shown comes on top */
    bool no_sources;                       /* an exported page has no text of source files */
    bool no_paths;                         /* an exported page has no names of folders in absolute paths */
    const char *token;                     /* of the address: 32 hexadecimal digits, for a page that outlives a server; NULL = a new one */
    const char *metrics;                   /* a file of named formulas that `metric` may use: docs/formulas.md */
};

typedef struct assay_viewer assay_viewer;

/* Looks at the inputs: files, directories of a format, or one folder of such files. They are read when they are needed. Options are borrowed until the viewer
 * is freed. *out is owned by the caller. Errors: SYSTEM, UNKNOWN, AMBIGUOUS, MEMORY, USAGE (two folders of files; nothing to compare). */
ASSAY_API int assay_viewer_new(const char *const *paths, size_t count, const struct assay_viewer_options *options, assay_viewer **out, assay_error *err);
/* Serves the page on 127.0.0.1; port 0 = one that is free. Requests are answered by threads of the library from now on. Errors: SYSTEM (the port is in use),
 * UNSUPPORTED (built without libmicrohttpd), MEMORY. */
ASSAY_API int assay_viewer_listen(assay_viewer *viewer, uint16_t port, assay_error *err);
/* What to open in a browser: whoever has it can see the inputs. "" = it does not listen. Borrowed from the viewer. */
ASSAY_API const char *assay_viewer_address(const assay_viewer *viewer);
/* Writes the page and what it shows as one HTML file, which needs no server and no network; "-" is standard output. What has less than options.least percent of
 * the whole is left out, and the page says so. Before assay_viewer_listen. Errors: those of reading the inputs, WRITE, MEMORY. */
ASSAY_API int assay_viewer_export(assay_viewer *viewer, const char *path, assay_error *err);
/* Ends running requests, closes all connections, frees. NULL is allowed. */
ASSAY_API void assay_viewer_free(assay_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
