/* Values of a column; see column.h. pages.c writes them. */
#include "formats/parquet/column.h"

#include "base/error.h"
#include "base/text.h"

void parquet_column_init(struct parquet_column *c, struct mem *mem, const char *name, const char *what, enum parquet_type type)
{
    *c = (struct parquet_column){ .name = name, .what = what, .type = type };
    arena_init(&c->copies, mem);
}

void parquet_column_done(struct parquet_column *c, struct mem *mem)
{
    vec_done(mem, &c->present, &c->numbers, &c->texts);
    arena_done(&c->copies);
}

/* ---- numbers ---- */

static uint64_t bits_of(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* false = the column has no place for it. */
static bool take_number(enum parquet_type type, const struct tables_cell *cell, uint64_t *out)
{
    switch (type) {
    case PARQUET_DOUBLE:
        *out = bits_of(cell->kind == TABLES_F64 ? cell->d : cell->kind == TABLES_I64 ? (double)cell->i : (double)cell->u);
        return cell->kind != TABLES_STRING;
    case PARQUET_INT64: *out = cell->u; return cell->kind == TABLES_I64 || (cell->kind == TABLES_U64 && cell->u <= INT64_MAX);
    case PARQUET_UINT64: *out = cell->u; return cell->kind == TABLES_U64 || (cell->kind == TABLES_I64 && cell->i >= 0);
    case PARQUET_TEXT: break;
    }
    return false;
}

static int add_number(struct parquet_column *c, struct mem *mem, const struct tables_cell *cell, assay_error *err)
{
    uint64_t *to = vec_push(mem, &c->numbers);
    if (!to) return error_memory(err);
    if (!take_number(c->type, cell, to)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "a value of the column '%s' does not fit its type", c->name);
    return 0;
}

/* ---- texts ---- */

static bool is_plain(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.data[i] > 127) return false;
    return true;
}

static bool is_utf8(assay_slice s)
{
    while (s.len) {
        unsigned len = text_utf8(s, NULL);
        if (!len) return false;
        s = (assay_slice){ s.data + len, s.len - len };
    }
    return true;
}

/* The text as UTF-8: bytes that are not become \xNN. */
static assay_slice escaped(struct arena *copies, assay_slice s)
{
    static const char digits[] = "0123456789abcdef";
    char *text = s.len < SIZE_MAX / 4 ? arena_text(copies, 4 * s.len) : NULL, *to = text;
    if (!text) return (assay_slice){ NULL, 0 };
    while (s.len) {
        unsigned len = text_utf8(s, NULL);
        if (len)
            memcpy(to, s.data, len);
        else
            memcpy(to, (char[]){ '\\', 'x', digits[(unsigned char)s.data[0] >> 4], digits[s.data[0] & 15] }, 4);
        to += len ? len : 4;
        len = len ? len : 1;
        s = (assay_slice){ s.data + len, s.len - len };
    }
    return (assay_slice){ text, (size_t)(to - text) };
}

/* As it stands, or a copy where it does not last or is no UTF-8. {NULL, 0} = no memory. */
static assay_slice lasting(struct parquet_column *c, assay_slice s, bool is_scratch)
{
    if (!is_plain(s) && !is_utf8(s)) return escaped(&c->copies, s);
    if (!is_scratch) return s;
    char *copy = arena_text(&c->copies, s.len + 1);
    if (copy) memcpy(copy, s.data, s.len);
    return (assay_slice){ copy, s.len };
}

static int add_text(struct parquet_column *c, struct mem *mem, const struct tables_cell *cell, assay_error *err)
{
    assay_slice *to = vec_push(mem, &c->texts);
    if (!to) return error_memory(err);
    uintptr_t where = (uintptr_t)cell->s.data;
    struct parquet_seen *seen = &c->seen[(where >> 3 ^ where >> 9) % PARQUET_SEEN];
    if (cell->is_scratch || seen->from.data != cell->s.data || seen->from.len != cell->s.len) {
        *to = lasting(c, cell->s, cell->is_scratch);
        if (!to->data) return error_memory(err);
        if (!cell->is_scratch) *seen = (struct parquet_seen){ cell->s, *to };
    } else
        *to = seen->to;
    c->text_bytes += to->len;
    return 0;
}

int parquet_column_add(struct parquet_column *c, struct mem *mem, const struct tables_cell *cell, assay_error *err)
{
    uint8_t *present = vec_push(mem, &c->present);
    if (!present) return error_memory(err);
    *present = cell->kind != TABLES_NULL;
    if (!*present) return 0;
    if (c->type != PARQUET_TEXT) return add_number(c, mem, cell, err);
    if (cell->kind != TABLES_STRING) FAIL(err, ASSAY_ERR_UNSUPPORTED, "a value of the column '%s' is not a text", c->name);
    return add_text(c, mem, cell, err);
}
