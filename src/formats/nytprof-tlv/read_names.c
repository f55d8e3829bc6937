/* Files and subs of a stream -> the builder. They may stand behind the figures that name them, and the last definition of a number
 * counts: so they are collected by a pass of their own. */
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "formats/nytprof-tlv/read.h"

static bool is_utf8(assay_slice s)
{
    while (s.len) {
        unsigned n = (unsigned char)*s.data < 0x80 ? 1 : text_utf8(s, NULL);
        if (!n) return false;
        s.data += n;
        s.len -= n;
    }
    return true;
}

assay_slice tlv_read_text(struct tlv_reader *r, assay_slice text)
{
    if (!text.len) return SLICE("");
    if (is_utf8(text)) return text;
    size_t room;
    char *copy = size_mul(&room, text.len, 2) ? arena_text(&r->text, room) : NULL;
    if (!copy) return (assay_slice){ NULL, 0 };
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c >= 0x80) copy[len++] = (char)(0xc0 | c >> 6);
        copy[len++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
    }
    return (assay_slice){ copy, len };
}

static bool put_string(struct tlv_reader *r, assay_slice bytes, assay_str_id *out)
{
    assay_slice text = tlv_read_text(r, bytes);
    if (!text.data) return false;
    *out = assay_build_string(r->b, text.data, text.len);
    return true;
}

/* ---- files ---- */

static bool reach_files(struct tlv_reader *r, uint32_t row)
{
    while (r->files.len < row) {
        struct tlv_read_file *f = vec_push(r->job->mem, &r->files);
        if (!f) return false;
        *f = (struct tlv_read_file){ .file = { .is_pair = true } };
    }
    return true;
}

/* A file without a name gets one of ours. */
bool tlv_read_make_file(struct tlv_reader *r, uint32_t row)
{
    if (!reach_files(r, row)) return false;
    struct tlv_read_file *f = &r->files.at[row - 1];
    char text[64];
    assay_str_id path;
    if (f->file.is_pair) {
        int len = snprintf(text, sizeof text, "file#%" PRIu32, r->judge.files.rows.at[row - 1].number);
        f->id = assay_build_file_new(r->b, assay_build_string(r->b, text, (size_t)len), (assay_module_id){ 0 });
        return true;
    }
    if (!put_string(r, f->file.path, &path)) return false;
    f->id = assay_build_file_new(r->b, path, (assay_module_id){ 0 });
    int len = snprintf(text, sizeof text, "size=%" PRIu32 " mtime=%" PRIu32, f->file.size, f->file.mtime);
    assay_build_file_source(r->b, f->id, (assay_str_id){ 0 }, assay_build_string(r->b, text, (size_t)len));
    assay_build_file_parent(r->b, f->id, (assay_file_id){ 0 }, 0, f->file.flags);
    return true;
}

/* ---- subs ---- */

static bool reach_subs(struct tlv_reader *r, uint32_t row)
{
    while (r->subs.len < row) {
        struct tlv_read_sums *sums = vec_push(r->job->mem, &r->sums);
        struct tlv_read_sub *s = sums ? vec_push(r->job->mem, &r->subs) : NULL;
        if (!s) return false;
        *sums = (struct tlv_read_sums){ .calls = 0 };
        *s = (struct tlv_read_sub){ .file = 0 };
    }
    return true;
}

bool tlv_read_make_sub(struct tlv_reader *r, uint32_t row)
{
    if (!reach_subs(r, row)) return false;
    struct tlv_read_sub *s = &r->subs.at[row - 1];
    uint32_t sid = r->judge.subs.rows.at[row - 1].number;
    char text[32];
    assay_str_id name;
    assay_file_id file = { 0 };
    if (!s->sub.name.data) {
        int len = snprintf(text, sizeof text, "sub#%" PRIu32, sid);
        name = assay_build_string(r->b, text, (size_t)len);
    } else if (!put_string(r, s->sub.name, &name))
        return false;
    if (s->file && !tlv_read_file_id(r, s->file, &file)) return false;
    assay_func_id id = assay_build_func_new(r->b, name, file, (assay_module_id){ 0 }, sid, s->sub.first);
    if (s->sub.is_range) assay_build_func_lines(r->b, id, s->sub.first, s->sub.last);
    if (s->sub.flags) assay_build_func_kind(r->b, id, ASSAY_FUNC_PLAIN, s->sub.flags & 0xffffff);
    r->sums.at[row - 1].id = id;
    return true;
}

/* ---- the pass ---- */

static bool collect(struct tlv_reader *r, const struct tlv_record *rec)
{
    uint32_t row;
    if (rec->kind == TLV_FILE) {
        row = tlv_ids_row(&r->judge.files, rec->file.fid);
        if (!row || !reach_files(r, row)) return false;
        r->files.at[row - 1].file = rec->file;
    } else if (rec->kind == TLV_SUB) {
        row = tlv_ids_row(&r->judge.subs, rec->sub.sid);
        if (!row || !reach_subs(r, row)) return false;
        r->subs.at[row - 1].sub = rec->sub;
        r->subs.at[row - 1].file = rec->sub.is_range ? tlv_ids_row(&r->judge.files, rec->sub.fid) : 0;
        return !rec->sub.is_range || r->subs.at[row - 1].file;
    }
    return true;
}

int tlv_read_names(struct tlv_reader *r, assay_slice bytes, assay_error *err)
{
    struct tlv_record rec;
    tlv_decoder_init(&r->d, bytes);
    r->d.skip_figures = true;
    while (tlv_next(&r->d, &rec))
        if (!collect(r, &rec)) return error_memory(err);
    r->has_events = r->d.has_events;
    r->files_defined = r->files.len;
    assay_file_id id;
    for (uint32_t row = 1; row <= r->files.len; row++)
        if (!tlv_read_file_id(r, row, &id)) return error_memory(err);
    for (uint32_t row = 1; row <= r->subs.len; row++)
        if (!tlv_read_sums_at(r, row)) return error_memory(err);
    return assay_builder_failed(r->b);
}
