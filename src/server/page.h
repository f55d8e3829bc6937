/* The page: markup, style and script, which the build takes from web/dist and
 * puts into the program. */
#ifndef SERVER_PAGE_H
#define SERVER_PAGE_H

#include "assay/model.h"

struct page_part {
    const char *path, *type;
    const char *data;
    const size_t *len;
};

/* By the target of a request, a query allowed; NULL = there is none. */
const struct page_part *page_find(const char *target);

/* The script that answers the questions of an exported page; no target has it. */
extern const struct page_part page_exported;

/* gzip, in memory that the caller frees with free(); NULL = no memory. */
char *page_gzip(assay_slice data, int level, size_t *len);

#endif
