/* An answer in columns: a header in JSON and typed arrays, as README.md says.
 * Arrays are filled in place; strings are stored once and known by number.
 *
 *     sheet_begin(&c, mem, "table", &err);
 *     json_key(sheet_header(&c), "from"); ...
 *     uint32_t *line = sheet_add(&c, "line", COLUMN_U32, rows);
 *     sheet_end(&c, out, &err);
 *
 * What fails for lack of memory is remembered and told by sheet_end; until then
 * such an array is a small one that nobody reads. */
#ifndef SERVER_SHEET_H
#define SERVER_SHEET_H

#include "assay/top.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/output.h"
#include "base/vec.h"

enum column_type { COLUMN_U8, COLUMN_U16, COLUMN_U32, COLUMN_F32, COLUMN_F64, COLUMN_U64, COLUMN_I64, COLUMN_STR };

struct column {
    const char *name; /* static */
    enum column_type type;
    size_t count, bytes;
    void *data;
};

struct sheet {
    struct mem *mem;
    struct arena arena;
    struct output *head;
    struct json json;
    VEC(struct column) at;
    bool failed;
    /* distinct strings: by number, and an open-addressing table of numbers */
    VEC(assay_slice) names;
    VEC(uint32_t) slots;
};

/* Errors: MEMORY. sheet_done is due in either case. */
int sheet_begin(struct sheet *c, struct mem *mem, const char *route, assay_error *err);
void sheet_done(struct sheet *c);
/* For further members of the header. */
struct json *sheet_header(struct sheet *c);
/* An array of zeros to be filled before sheet_end; NULL = no memory. */
void *sheet_add(struct sheet *c, const char *name, enum column_type type, size_t count);
/* Strings, copied. */
void sheet_strings(struct sheet *c, const char *name, const assay_slice *text, size_t count);
/* The number of a string in the column "names"; 0 = empty. The bytes are
 * borrowed until sheet_end. */
uint32_t sheet_name(struct sheet *c, assay_slice text);
/* The column that figures of a type go to. */
enum column_type sheet_type(enum assay_type type);
/* Columns for figures of several metrics, row-major: of the one type that all
 * have, else doubles. */
struct figures {
    enum column_type type;
    uint32_t width;
    void *data; /* NULL = no memory */
};
struct figures sheet_figures(struct sheet *c, const char *name, const assay_column *metrics, uint32_t width, size_t rows);
/* Stores `value`, of type `type`, at (row, k). */
void figures_put(struct figures *f, size_t row, uint32_t k, enum assay_type type, assay_value value);
/* Writes all of it. Errors: MEMORY. */
int sheet_end(struct sheet *c, struct output *out, assay_error *err);

#endif
