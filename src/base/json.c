/* The JSON writer; see base/json.h. The members of the outermost object and the items of its arrays stand on lines of their own, what is
 * deeper on the line of its item: a table row is a line, for people, grep and diff alike. */
#include "base/json.h"

#include "base/number.h"
#include "base/text.h"

enum { DEPTH_BROKEN = 2 /* containers up to this depth have a line for each item */ };

void json_init(struct json *j, struct output *out) { *j = (struct json){ .out = out }; }
void json_init_line(struct json *j, struct output *out) { *j = (struct json){ .out = out, .is_line = true }; }

/* Whether the items of the innermost container stand on lines of their own. */
static bool is_broken(const struct json *j) { return j->depth <= DEPTH_BROKEN && !j->is_line; }

/* The state of the innermost container. Nesting beyond JSON_DEPTH is a fault of the caller, but must not write elsewhere. */
static unsigned level(const struct json *j) { return j->depth <= JSON_DEPTH ? j->depth - 1 : JSON_DEPTH - 1; }

static void new_line(struct json *j)
{
    static const char spaces[2 * DEPTH_BROKEN] = "    ";
    output_char(j->out, '\n');
    output_bytes(j->out, spaces, 2 * (size_t)j->depth);
}

/* What stands between the items of the innermost container, before the next one. */
static void separate(struct json *j)
{
    if (j->depth == 0) return;
    bool *has_items = &j->has_items[level(j)];
    if (*has_items) output_char(j->out, ',');
    if (is_broken(j))
        new_line(j);
    else if (*has_items)
        output_char(j->out, ' ');
    *has_items = true;
}

static void before_value(struct json *j)
{
    if (j->after_key)
        j->after_key = false;
    else
        separate(j);
}

static void begin(struct json *j, bool is_array)
{
    before_value(j);
    output_char(j->out, is_array ? '[' : '{');
    j->depth++;
    j->is_array[level(j)] = is_array;
    j->has_items[level(j)] = false;
}

void json_object(struct json *j) { begin(j, false); }
void json_array(struct json *j) { begin(j, true); }

void json_end(struct json *j)
{
    if (j->depth == 0) return;
    bool is_array = j->is_array[level(j)], has_items = j->has_items[level(j)];
    bool broken = has_items && is_broken(j);
    j->depth--;
    if (broken) new_line(j);
    output_char(j->out, is_array ? ']' : '}');
    if (j->depth == 0) output_char(j->out, '\n');
}

/* True when one of eight bytes is a control character, a quote, a backslash or not ASCII. */
static bool any_special(const char *p)
{
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t x;
    memcpy(&x, p, sizeof x);
    uint64_t quote = x ^ ones * '"', backslash = x ^ ones * '\\';
    uint64_t control = (x - ones * 0x20) & ~x;
    return ((x | control | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & tops) != 0;
}

/* Bytes from the start of s that may stand in a string as they are. */
static size_t clean_run(assay_slice s)
{
    size_t n = 0;
    while (n < s.len) {
        while (s.len - n >= 8 && !any_special(s.data + n)) n += 8;
        if (n == s.len) break;
        unsigned char c = (unsigned char)s.data[n];
        if (c < 0x20 || c == '"' || c == '\\') break;
        unsigned len = c < 0x80 ? 1 : text_utf8((assay_slice){ s.data + n, s.len - n }, NULL);
        if (len == 0) break;
        n += len;
    }
    return n;
}

static void put_escaped(struct json *j, assay_slice s)
{
    while (s.len) {
        size_t run = clean_run(s);
        if (run) output_bytes(j->out, s.data, run);
        s = (assay_slice){ s.data + run, s.len - run };
        if (!s.len) break;
        unsigned char c = (unsigned char)*s.data++;
        s.len--;
        if (c == '"' || c == '\\') {
            output_char(j->out, '\\');
            output_char(j->out, (char)c);
        } else {
            output_bytes(j->out, "\\u", 2);
            output_hex(j->out, c < 0x20 ? c : 0xdc00u + c, 4);
        }
    }
}

static void put_string(struct json *j, assay_slice s)
{
    output_char(j->out, '"');
    put_escaped(j, s);
    output_char(j->out, '"');
}

void json_key_slice(struct json *j, assay_slice key)
{
    separate(j);
    put_string(j, key);
    output_bytes(j->out, ": ", 2);
    j->after_key = true;
}

void json_key(struct json *j, const char *key) { json_key_slice(j, slice_of(key)); }

void json_null(struct json *j)
{
    before_value(j);
    output_bytes(j->out, "null", 4);
}

void json_string(struct json *j, assay_slice s)
{
    if (!s.data) {
        json_null(j);
        return;
    }
    before_value(j);
    put_string(j, s);
}

void json_place(struct json *j, assay_slice path, uint32_t line, uint32_t column)
{
    before_value(j);
    output_char(j->out, '"');
    put_escaped(j, path);
    if (line) output_printf(j->out, ":%u", line);
    if (line && column) output_printf(j->out, ":%u", column);
    output_char(j->out, '"');
}

void json_text(struct json *j, const char *text) { json_string(j, slice_of(text)); }

void json_u64(struct json *j, uint64_t v)
{
    before_value(j);
    output_u64(j->out, v);
}

void json_i64(struct json *j, int64_t v)
{
    before_value(j);
    output_i64(j->out, v);
}

void json_wide(struct json *j, assay_wide v)
{
    char text[48];
    before_value(j);
    output_bytes(j->out, text, number_put_wide(text, v));
}

void json_double(struct json *j, double v)
{
    char text[48];
    before_value(j);
    output_bytes(j->out, text, number_put_double(text, v));
}

void json_number(struct json *j, assay_slice text)
{
    before_value(j);
    output_slice(j->out, text);
}

void json_bool(struct json *j, bool v)
{
    before_value(j);
    output_text(j->out, v ? "true" : "false");
}

void json_value(struct json *j, enum assay_type type, assay_value v)
{
    switch (type) {
    case ASSAY_U64: json_u64(j, v.u); break;
    case ASSAY_I64: json_i64(j, v.i); break;
    case ASSAY_F64: json_double(j, v.d); break;
    }
}
