/* The text of an answer, cut at some size; see answer.h. */
#include "mcp/answer.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

static void end_line(struct answer *a)
{
    a->line++;
    a->line_begin = a->text.len;
    a->is_cut = a->has_begun = false;
}

/* Nothing more of this line fits: it goes as a whole, unless it is the only one, which nobody could ever get otherwise. */
static void cut_line(struct answer *a)
{
    a->is_cut = true;
    if (a->next) return;
    a->next = a->line_begin ? a->line : a->line + 1;
    a->text.len = a->line_begin ? a->line_begin : a->text.len;
}

static void put_part(struct answer *a, const char *data, size_t len)
{
    a->has_begun = true;
    if (a->line < a->skip || a->is_cut || a->failed) return;
    size_t room = a->next ? 0 : a->most - a->text.len, part = len < room ? len : room;
    if (part && !vec_reserve(a->mem, &a->text, part)) {
        a->failed = true;
        return;
    }
    if (part) memcpy(a->text.at + a->text.len, data, part);
    a->text.len += part;
    if (part < len) cut_line(a);
}

int answer_put(void *arg, const char *data, size_t len)
{
    struct answer *a = arg;
    while (len) {
        const char *end = memchr(data, '\n', len);
        size_t part = end ? (size_t)(end - data) + 1 : len;
        put_part(a, data, part);
        if (end) end_line(a);
        data += part;
        len -= part;
    }
    return a->failed ? -1 : 0;
}

void answer_printf(struct answer *a, const char *fmt, ...)
{
    char line[1600]; /* path and text of an error, and a few words */
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (len > 0) (void)answer_put(a, line, (size_t)len < sizeof line ? (size_t)len : sizeof line - 1);
}

/* Names are shown by the reports, sources as they are. */
static void show(struct output *out, assay_slice s)
{
    while (s.len) {
        uint32_t code = 0;
        unsigned len = text_utf8(s, &code);
        if (!len || (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0)) {
            output_printf(out, "\\x%02x", (unsigned char)s.data[0]);
            len = 1;
        } else
            output_bytes(out, s.data, len);
        s = (assay_slice){ s.data + len, s.len - len };
    }
}

int answer_end(struct answer *a, struct json *j, assay_error *err)
{
    struct output *text;
    if (a->has_begun) end_line(a);
    if (a->failed) return error_memory(err);
    TRY(output_open_memory(&text, a->mem, err));
    show(text, (assay_slice){ a->text.at, a->text.len });
    if (a->next && a->next < a->line)
        output_printf(text, "... %llu more lines: call again with skip %llu, or ask for less\n", (unsigned long long)(a->line - a->next),
                      (unsigned long long)a->next);
    else if (a->next)
        output_text(text, "... the line is cut\n");
    else if (!a->text.len)
        output_text(text, a->line ? "(no more lines)\n" : "(nothing)\n");
    int rc = output_failed(text) ? error_memory(err) : 0;
    if (rc == 0) json_string(j, output_memory(text));
    output_abort(text);
    return rc;
}

void answer_done(struct answer *a) { vec_done(a->mem, &a->text); }
