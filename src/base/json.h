/* JSON out: one writer that keeps commas, indentation and escapes right. Bytes that are not UTF-8 become \udc80..\udcff (lone low
 * surrogates, as Python's surrogateescape), so that the name can be restored. Items of the two outermost levels stand on lines of their own. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/output.h"

/* Deeper nesting gives no valid JSON; what is written never decides the depth. */
enum { JSON_DEPTH = 32 };
struct json {
    struct output *out;
    unsigned depth;
    bool is_array[JSON_DEPTH];
    bool has_items[JSON_DEPTH];
    bool after_key;
    bool is_line; /* everything stands on one line */
};

void json_init(struct json *j, struct output *out);
/* The same for a value that is a line: JSON lines. */
void json_init_line(struct json *j, struct output *out);
void json_object(struct json *j);
void json_array(struct json *j);
/* Ends the innermost object or array; after the outermost one a newline follows. */
void json_end(struct json *j);
void json_key(struct json *j, const char *key);
void json_key_slice(struct json *j, assay_slice key);
void json_string(struct json *j, assay_slice s);  /* {NULL, 0} = null */
void json_text(struct json *j, const char *text); /* NULL = null */
/* "path:line:column"; 0 is left out. */
void json_place(struct json *j, assay_slice path, uint32_t line, uint32_t column);
void json_u64(struct json *j, uint64_t v);
void json_i64(struct json *j, int64_t v);
void json_wide(struct json *j, assay_wide v);
void json_double(struct json *j, double v);
void json_number(struct json *j, assay_slice text); /* as it is */
void json_bool(struct json *j, bool v);
void json_null(struct json *j);
/* A value of a metric of this type. */
void json_value(struct json *j, enum assay_type type, assay_value v);

#endif
