/* The text of a source file as lines; see text.h. */
#include "analysis/sources/text.h"

#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "base/scoped.h"

static int split(struct source_text *t, assay_slice text, assay_error *err)
{
    const char *at = text.data, *end = text.data + text.len;
    t->end = end;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        assay_slice *line = vec_push(t->mem, &t->lines);
        if (!line) return error_memory(err);
        *line = slice_from(at, stop);
        if (line->len && line->data[line->len - 1] == '\r') line->len--;
        at = stop + 1;
    }
    return 0;
}

int source_text_of(struct source_text *t, assay_slice text, struct mem *mem, assay_error *err)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->path = "";
    return text.len ? split(t, text, err) : 0;
}

/* All bytes of the file; *is_read stays false when it cannot be read, is too large, or is badly compressed. */
static int slurp(struct source_text *t, const char *path, bool *is_read, assay_error *err)
{
    assay_error why = { 0 };
    SCOPED(input_drop) struct input *in = NULL;
    struct input_options o = { .mem = t->mem, .max_output = SOURCE_TEXT_MAX };
    int rc = input_open(&in, path, &o, &why);
    while (rc == 0) {
        assay_slice block;
        uint64_t off;
        rc = input_block(in, false, &block, &off, &why);
        if (rc != 0 || !block.len) break;
        if (t->bytes.len + block.len > SOURCE_TEXT_MAX)
            rc = ASSAY_ERR_LIMIT;
        else if (!vec_reserve(t->mem, &t->bytes, block.len))
            rc = ASSAY_ERR_MEMORY;
        else {
            memcpy(t->bytes.at + t->bytes.len, block.data, block.len);
            t->bytes.len += block.len;
        }
    }
    *is_read = rc == 0;
    return rc == ASSAY_ERR_MEMORY ? error_memory(err) : 0;
}

int source_text_open(struct source_text *t, struct source_paths *paths, assay_slice written, struct mem *mem, assay_error *err)
{
    assay_error why = { 0 };
    bool is_read = false;
    memset(t, 0, sizeof *t);
    t->mem = mem;
    const char *path = source_paths_find(paths, written, &why);
    if (why.code) return error_memory(err);
    if (!path || !source_paths_may_show(paths, path)) return 0;
    TRY(slurp(t, path, &is_read, err));
    if (!is_read) return 0;
    t->path = path;
    return t->bytes.len ? split(t, (assay_slice){ t->bytes.at, t->bytes.len }, err) : 0;
}

int source_text_load(struct source_text *t, struct source_paths *paths, const assay_profile *p, uint32_t file, struct mem *mem, assay_error *err)
{
    const struct assay_files *f = assay_profile_files(p);
    assay_slice text = assay_profile_string(p, f->source ? f->source[file] : (assay_str_id){ 0 });
    if (text.data) return source_text_of(t, text, mem, err);
    return source_text_open(t, paths, assay_profile_string(p, f->path[file]), mem, err);
}

void source_text_done(struct source_text *t) { vec_done(t->mem, &t->lines, &t->bytes); }
