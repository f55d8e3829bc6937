/* Contexts -> rows of stackTable, frameTable and funcTable; strings, files and libraries. */
#include "formats/firefox-profile/write.h"

#include "base/cancel.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/slice.h"
#include "model/entry.h"

void firefox_writer_init(struct firefox_writer *w, struct stacks *s)
{
    w->s = s;
    w->p = s->p;
    w->mem = s->job->mem;
    w->err = s->err;
    intern_init(&w->strings, w->mem);
    intern_init(&w->categories, w->mem);
    index_init(&w->stack_index, w->mem);
    index_init(&w->frame_index, w->mem);
    w->failed = !intern_put(&w->categories, SLICE("Other"));
}

void firefox_writer_done(struct firefox_writer *w)
{
    intern_done(&w->strings);
    intern_done(&w->categories);
    index_done(&w->stack_index);
    index_done(&w->frame_index);
    vec_done(w->mem, &w->stacks, &w->frames, &w->pending, &w->funcs, &w->func_row, &w->file_row, &w->files, &w->threads, &w->cells);
}

uint32_t firefox_string_row(struct firefox_writer *w, assay_slice text)
{
    uint32_t id = intern_put(&w->strings, text.data ? text : SLICE(""));
    w->failed |= !id;
    return id ? id - 1 : 0;
}

/* ---- rows ---- */

/* Functions and files get their rows in the order in which stacks have them. */
static void meet_func(struct firefox_writer *w, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    uint32_t file = func ? ID(f->file, func) : 0, module = func ? ID(f->module, func) : 0;
    if (w->func_row.at[func]) return;
    uint32_t *slot = vec_push(w->mem, &w->funcs), *file_slot = file && !w->file_row.at[file] ? vec_push(w->mem, &w->files) : NULL;
    w->failed |= !slot;
    if (!slot) return;
    *slot = func;
    w->func_row.at[func] = (uint32_t)w->funcs.len;
    firefox_string_row(w, stacks_name(w->s, func));
    if (module) firefox_string_row(w, assay_profile_string(w->p, assay_profile_modules(w->p)->path[module]));
    if (!file_slot) return;
    *file_slot = file;
    w->file_row.at[file] = (uint32_t)w->files.len;
    firefox_string_row(w, stacks_file(w->s, func));
}

static uint32_t frame_row(struct firefox_writer *w, struct firefox_out_frame f)
{
    uint64_t hash = hash_mix(hash_mix(f.func, f.line), f.inline_depth);
    for (struct index_walk i = index_walk(&w->frame_index, hash); index_next(&w->frame_index, &i);) {
        const struct firefox_out_frame *at = &w->frames.at[i.id - 1];
        if (at->func == f.func && at->line == f.line && at->inline_depth == f.inline_depth) return i.id - 1;
    }
    meet_func(w, f.func);
    struct firefox_out_frame *slot = vec_push(w->mem, &w->frames);
    if (slot) *slot = f;
    w->failed |= !slot || !index_add(&w->frame_index, hash, (uint32_t)w->frames.len);
    return (uint32_t)w->frames.len - 1;
}

/* -1 = it is not there yet. */
static int32_t find_row(const struct firefox_writer *w, uint32_t node, uint32_t line)
{
    for (struct index_walk i = index_walk(&w->stack_index, hash_mix(node, line)); index_next(&w->stack_index, &i);)
        if (w->stacks.at[i.id - 1].node == node && w->stacks.at[i.id - 1].line == line) return (int32_t)i.id - 1;
    return -1;
}

static int32_t make_row(struct firefox_writer *w, uint32_t node, uint32_t line, int32_t prefix)
{
    struct firefox_out_frame f = { .func = stacks_func(w->s, node), .line = line };
    if (prefix >= 0 && frames_kind(&w->s->frames, node) == ASSAY_NODE_INLINED) f.inline_depth = w->frames.at[w->stacks.at[prefix].frame].inline_depth + 1;
    uint32_t frame = frame_row(w, f);
    struct firefox_out_stack *slot = w->failed || w->stacks.len >= INT32_MAX ? NULL : vec_push(w->mem, &w->stacks);
    if (slot) *slot = (struct firefox_out_stack){ node, line, frame, prefix };
    w->failed |= !slot || !index_add(&w->stack_index, hash_mix(node, line), (uint32_t)w->stacks.len);
    return w->failed ? -1 : (int32_t)w->stacks.len - 1;
}

/* The line of a caller is that of the call, which the model keeps with what is called. */
int32_t firefox_stack_row(struct firefox_writer *w, uint32_t node)
{
    const struct assay_tree *t = w->s->frames.tree;
    uint32_t at = node ? w->s->frames.owner[node] : 0, line = at != node ? AT(t->line, node) : 0;
    int32_t row = -1;
    w->pending.len = 0;
    for (; at && row < 0; at = stacks_above(w->s, at)) {
        row = find_row(w, at, line);
        if (row >= 0) break;
        if (!vec_reserve(w->mem, &w->pending, 2)) w->failed = true;
        if (w->failed) return -1;
        w->pending.at[w->pending.len++] = at;
        w->pending.at[w->pending.len++] = line;
        line = AT(t->line, at);
    }
    for (; w->pending.len && !w->failed; w->pending.len -= 2) row = make_row(w, w->pending.at[w->pending.len - 2], w->pending.at[w->pending.len - 1], row);
    return w->failed ? -1 : row;
}

/* ---- tables ---- */

void firefox_put_length(struct firefox_writer *w, uint64_t length)
{
    json_key(&w->j, "length");
    json_u64(&w->j, length);
}

/* A column whose rows are all the same. */
static void put_same(struct firefox_writer *w, const char *key, uint64_t count, const char *value)
{
    json_key(&w->j, key);
    json_array(&w->j);
    for (uint64_t i = 0; i < count && !cancel_at(i); i++) json_number(&w->j, slice_of(value));
    json_end(&w->j);
}

static void put_stacks(struct firefox_writer *w)
{
    json_key(&w->j, "stackTable");
    json_object(&w->j);
    firefox_put_length(w, w->stacks.len);
    for (int offset = 0; offset < 2; offset++) {
        json_key(&w->j, offset ? "prefixOffset" : "frame");
        json_array(&w->j);
        for (size_t i = 0; i < w->stacks.len && !cancel_at(i); i++) {
            const struct firefox_out_stack *s = &w->stacks.at[i];
            json_u64(&w->j, !offset ? s->frame : s->prefix < 0 ? 0 : i - (size_t)s->prefix);
        }
        json_end(&w->j);
    }
    json_end(&w->j);
}

static uint32_t module_of(const struct firefox_writer *w, uint32_t func) { return func ? ID(assay_profile_funcs(w->p)->module, func) : 0; }

/* Every module is a library. */
static void put_frames(struct firefox_writer *w)
{
    static const char *const columns[] = { "func", "inlineDepth", "line", "lib" };
    uint64_t count = w->frames.len;
    json_key(&w->j, "frameTable");
    json_object(&w->j);
    firefox_put_length(w, count);
    for (unsigned k = 0; k < 4; k++) {
        json_key(&w->j, columns[k]);
        json_array(&w->j);
        for (size_t i = 0; i < count && !cancel_at(i); i++) {
            const struct firefox_out_frame *f = &w->frames.at[i];
            if (k == 0)
                json_u64(&w->j, w->func_row.at[f->func] - 1);
            else if (k == 1)
                json_u64(&w->j, f->inline_depth);
            else if (k == 3)
                json_i64(&w->j, (int64_t)module_of(w, f->func) - 1);
            else if (f->line)
                json_u64(&w->j, f->line);
            else
                json_null(&w->j);
        }
        json_end(&w->j);
    }
    put_same(w, "address", count, "-1");
    put_same(w, "category", count, "0");
    put_same(w, "subcategory", count, "0");
    put_same(w, "innerWindowID", count, "0");
    put_same(w, "nativeSymbol", count, "null");
    put_same(w, "column", count, "null");
    put_same(w, "originalLocation", count, "null");
    json_end(&w->j);
}

static void put_func(struct firefox_writer *w, unsigned k, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    uint32_t file = func ? ID(f->file, func) : 0, line = func ? AT(f->first_line, func) : 0, column = func ? AT(f->first_column, func) : 0;
    uint32_t value = k == 2 ? (file ? w->file_row.at[file] : 0) : k == 3 ? line : column;
    if (k == 0)
        json_u64(&w->j, firefox_string_row(w, stacks_name(w->s, func)));
    else if (k == 1)
        json_i64(&w->j, (int64_t)module_of(w, func) - 1);
    else if (!value)
        json_null(&w->j);
    else
        json_u64(&w->j, k == 2 ? value - 1 : value);
}

static void put_funcs(struct firefox_writer *w)
{
    static const char *const columns[] = { "name", "resource", "source", "lineNumber", "columnNumber" };
    json_key(&w->j, "funcTable");
    json_object(&w->j);
    firefox_put_length(w, w->funcs.len);
    for (unsigned k = 0; k < 5; k++) {
        json_key(&w->j, columns[k]);
        json_array(&w->j);
        for (size_t i = 0; i < w->funcs.len && !cancel_at(i); i++) put_func(w, k, w->funcs.at[i]);
        json_end(&w->j);
    }
    put_same(w, "isJS", w->funcs.len, "false");
    put_same(w, "relevantForJS", w->funcs.len, "false");
    put_same(w, "originalLocation", w->funcs.len, "null");
    json_end(&w->j);
}

static void put_resources(struct firefox_writer *w)
{
    const struct assay_modules *m = assay_profile_modules(w->p);
    json_key(&w->j, "resourceTable");
    json_object(&w->j);
    firefox_put_length(w, m->count);
    json_key(&w->j, "name");
    json_array(&w->j);
    for (uint32_t id = 1; id <= m->count && !cancel_at(id); id++) json_u64(&w->j, firefox_string_row(w, assay_profile_string(w->p, m->path[id])));
    json_end(&w->j);
    put_same(w, "host", m->count, "null");
    put_same(w, "type", m->count, "1");
    json_end(&w->j);
}

static void put_sources(struct firefox_writer *w)
{
    const struct assay_files *files = assay_profile_files(w->p);
    size_t count = w->files.len;
    json_key(&w->j, "sources");
    json_object(&w->j);
    firefox_put_length(w, count);
    json_key(&w->j, "filename");
    json_array(&w->j);
    for (size_t i = 0; i < count && !cancel_at(i); i++) json_u64(&w->j, firefox_string_row(w, assay_profile_string(w->p, files->path[w->files.at[i]])));
    json_end(&w->j);
    put_same(w, "id", count, "null");
    put_same(w, "startLine", count, "1");
    put_same(w, "startColumn", count, "1");
    put_same(w, "sourceMapURL", count, "null");
    put_same(w, "content", count, "null");
    json_end(&w->j);
}

static void put_empty(struct firefox_writer *w, const char *key, const char *const *columns)
{
    json_key(&w->j, key);
    json_object(&w->j);
    firefox_put_length(w, 0);
    for (; *columns; columns++) put_same(w, *columns, 0, "null");
    json_end(&w->j);
}

static assay_slice base_name(assay_slice path)
{
    for (size_t i = path.len; i-- > 0;)
        if (path.data[i] == '/' || path.data[i] == '\\') return (assay_slice){ path.data + i + 1, path.len - i - 1 };
    return path;
}

static void put_libs(struct firefox_writer *w)
{
    const struct assay_modules *m = assay_profile_modules(w->p);
    json_key(&w->j, "libs");
    json_array(&w->j);
    for (uint32_t id = 1; id <= m->count && !cancel_at(id); id++) {
        assay_slice path = assay_profile_string(w->p, m->path[id]), build = assay_profile_string(w->p, (assay_str_id){ ID(m->build_id, id) });
        json_object(&w->j);
        json_key(&w->j, "arch");
        json_text(&w->j, "");
        json_key(&w->j, "name");
        json_string(&w->j, base_name(path));
        json_key(&w->j, "path");
        json_string(&w->j, path);
        json_key(&w->j, "debugName");
        json_string(&w->j, base_name(path));
        json_key(&w->j, "debugPath");
        json_string(&w->j, path);
        json_key(&w->j, "breakpadId");
        json_text(&w->j, "");
        json_key(&w->j, "codeId");
        json_string(&w->j, build.len ? build : (assay_slice){ NULL, 0 });
        json_end(&w->j);
    }
    json_end(&w->j);
}

int firefox_put_tables(struct firefox_writer *w)
{
    static const char *const symbols[] = { "libIndex", "address", "name", "functionSize", NULL }, *const places[] = { "source", "line", "column", NULL };
    put_libs(w);
    json_key(&w->j, "shared");
    json_object(&w->j);
    put_stacks(w);
    put_frames(w);
    put_funcs(w);
    put_resources(w);
    put_sources(w);
    put_empty(w, "nativeSymbols", symbols);
    put_empty(w, "sourceLocationTable", places);
    json_key(&w->j, "stringArray");
    json_array(&w->j);
    for (uint32_t i = 1; i <= intern_count(&w->strings) && !cancel_at(i); i++) json_string(&w->j, intern_get(&w->strings, i));
    json_end(&w->j);
    json_end(&w->j);
    return w->failed ? error_memory(w->err) : output_failed(w->s->out);
}
