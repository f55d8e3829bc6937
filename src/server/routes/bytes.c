/* bytes: what stands around a place of the input, for findings that name an
 * offset or a line. */
#include "base/input.h"

#include "base/error.h"
#include "base/text.h"
#include "server/routes.h"

enum { BEFORE = 64, AROUND = 256, LINES_AROUND = 5, LINE_MOST = 400 };

/* The bytes from `from` on, at most `len`, wherever in the unpacked input they
 * are; *size is where it ends, as far as it was read. */
static int read_at(struct request *r, const struct viewed *in, uint64_t from, char *to, size_t *len, uint64_t *size, assay_error *err)
{
    struct assay_input source = viewed_input(in);
    struct input_options o = { .mem = &r->mem, .max_output = r->server->read.max_output };
    struct input *file;
    size_t got = 0;
    *size = 0;
    TRY(input_open_from(&file, &source, &o, err));
    int rc = input_is_dir(file) ? error_set(err, ASSAY_ERR_UNSUPPORTED, "the input is a directory: the message names the file") : 0;
    while (rc == 0 && got < *len) {
        assay_slice block;
        uint64_t off;
        rc = input_block(file, false, &block, &off, err);
        if (rc != 0 || !block.len) break;
        *size = off + block.len;
        if (*size <= from) continue;
        size_t skip = from > off ? (size_t)(from - off) : 0, n = block.len - skip < *len - got ? block.len - skip : *len - got;
        memcpy(to + got, block.data + skip, n);
        got += n;
    }
    input_close(file);
    *len = got;
    return got ? 0 : rc;
}

static void put_hex(struct json *j, const char *data, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * AROUND];
    for (size_t i = 0; i < len; i++) {
        text[2 * i] = digits[(unsigned char)data[i] >> 4];
        text[2 * i + 1] = digits[(unsigned char)data[i] & 15];
    }
    json_key(j, "hex");
    json_string(j, len ? (assay_slice){ text, 2 * len } : SLICE(""));
}

static void put_number(struct json *j, const char *key, uint64_t n)
{
    json_key(j, key);
    json_u64(j, n);
}

static int put_bytes(struct request *r, const struct viewed *in, uint64_t offset, struct json *j, assay_error *err)
{
    char data[AROUND];
    size_t len = sizeof data;
    uint64_t from = offset > BEFORE ? (offset - BEFORE) & ~(uint64_t)15 : 0, size;
    TRY(read_at(r, in, from, data, &len, &size, err));
    put_number(j, "offset", offset);
    put_number(j, "at", from);
    put_number(j, "read", size);
    put_hex(j, data, len);
    return 0;
}

/* Lines before and after a line. */
static int put_lines(struct request *r, const struct viewed *in, uint64_t line, struct json *j, assay_error *err)
{
    struct assay_input source = viewed_input(in);
    struct input_options o = { .mem = &r->mem, .max_output = r->server->read.max_output };
    struct input *file;
    uint64_t at = 1, first = line > LINES_AROUND ? line - LINES_AROUND : 1;
    TRY(input_open_from(&file, &source, &o, err));
    int rc = input_is_dir(file) ? error_set(err, ASSAY_ERR_UNSUPPORTED, "the input is a directory: the message names the file") : 0;
    put_number(j, "line", line);
    put_number(j, "first", first);
    json_key(j, "lines");
    json_array(j);
    while (rc == 0 && at <= line + LINES_AROUND) {
        assay_slice block;
        uint64_t off;
        rc = input_block(file, true, &block, &off, err);
        if (rc != 0 || !block.len) break;
        for (const char *c = block.data, *end = c + block.len; c < end && at <= line + LINES_AROUND; at++) {
            const char *next = memchr(c, '\n', (size_t)(end - c)), *stop = next ? next : end;
            if (at >= first) json_string(j, (assay_slice){ c, (size_t)(stop - c) < LINE_MOST ? (size_t)(stop - c) : LINE_MOST });
            c = next ? next + 1 : end;
        }
    }
    json_end(j);
    input_close(file);
    return at > first ? 0 : rc;
}

int route_bytes(struct request *r, assay_error *err)
{
    struct json j;
    uint64_t offset = UINT64_MAX, line = 0;
    const struct viewed *in = inputs_find(&r->server->inputs, r->state.a[0]);
    TRY(params_number(&r->params, "offset", UINT64_MAX - 1, &offset, err));
    TRY(params_number(&r->params, "line", UINT64_MAX - 1000, &line, err));
    TRY(params_end(&r->params, err));
    if (!in || (offset == UINT64_MAX && !line)) FAIL(err, ASSAY_ERR_USAGE, "which bytes? 'offset' or 'line' is missing");
    json_init(&j, r->out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    if (offset != UINT64_MAX) TRY(put_bytes(r, in, offset, &j, err));
    if (line) TRY(put_lines(r, in, line, &j, err));
    json_end(&j);
    return output_failed(r->out) ? error_memory(err) : 0;
}
