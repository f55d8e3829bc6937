/* Beside the public cursor over the values of trees (assay/model.h): many cells at once. */
#ifndef MODEL_CURSOR_H
#define MODEL_CURSOR_H

#include "assay/model.h"

/* Before the first cell: where values stay in a database, only those of this column come; else all do. */
void cursor_only(assay_cursor *c, assay_scope_id column);
/* The next cells of one stream, as many as stand together, 1 at least; borrowed until the next call. 1 = there are some, 0 = no more. Errors: those of assay_cursor_next. */
int cursor_block(assay_cursor *c, assay_stream_id *stream, const assay_cell **cells, size_t *count, assay_error *err);

#endif
