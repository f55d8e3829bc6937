/* Records of a structure file -> a profile without a shape: modules, files, functions and counts (docs/model.md, 3.3). */
#include <stdio.h>

#include "base/index.h"
#include "base/vec.h"
#include "formats/hpcstruct/hpcstruct.h"
#include "symbols/structure_index.h"

enum { KINDS = STRUCTURE_DAMAGE + 1 };

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct structure_index index;
    assay_module_id module;
    uint64_t tags[KINDS];
    uint64_t inlined, ranges, files;
    struct intern file_names; /* of F: files counts distinct ones */
    char version[32];
};

/* A warning, or with `strict` the end. */
static int report(void *arg, const struct structure_record *r)
{
    struct reader *rd = arg;
    if (rd->job->options->strict && r->severity == ASSAY_ERROR) return error_line(rd->err, ASSAY_ERR_DAMAGED, r->off, r->line, "%s (%s)", r->message, r->rule);
    assay_finding f = { .rule = r->rule, .severity = r->severity, .has_offset = true, .offset = r->off, .line = r->line, .message = r->message };
    assay_build_warning(rd->b, &f);
    return 0;
}

static assay_str_id text_of(struct reader *rd, assay_slice s) { return assay_build_string(rd->b, s.data ? s.data : "", s.len); }

static void take_module(struct reader *rd, const struct structure_record *r)
{
    rd->module = assay_build_module(rd->b, text_of(rd, r->name), (assay_str_id){ 0 });
    const char *value = r->has_calls ? "1" : "0";
    assay_build_attribute(rd->b, (assay_stream_id){ 0 }, "has-calls", 9, value, 1);
}

static int take_file(struct reader *rd, const struct structure_record *r)
{
    assay_slice name = r->name.data ? r->name : SLICE("");
    uint32_t before = intern_count(&rd->file_names);
    if (!intern_put(&rd->file_names, name)) return ASSAY_ERR_MEMORY;
    rd->files += intern_count(&rd->file_names) > before;
    (void)assay_build_file(rd->b, text_of(rd, name), (assay_module_id){ 0 });
    return 0;
}

static void take_function(struct reader *rd, const struct structure_record *r)
{
    assay_file_id file = { 0 };
    if (r->file) file = assay_build_file(rd->b, text_of(rd, r->file_name), (assay_module_id){ 0 });
    uint64_t entry = r->range_count ? r->ranges[0].begin : 0;
    assay_func_id f = assay_build_func_new(rd->b, text_of(rd, r->name), file, rd->module, entry, r->source_line);
    if (r->link_name.len && !slice_equal(r->link_name, r->name)) assay_build_func_link(rd->b, f, text_of(rd, r->link_name));
}

static int take(void *arg, const struct structure_record *r)
{
    struct reader *rd = arg;
    if (r->kind == STRUCTURE_DAMAGE) return report(rd, r);
    rd->tags[r->kind]++;
    switch (r->kind) {
    case STRUCTURE_ROOT: snprintf(rd->version, sizeof rd->version, "%.*s", (int)(r->name.len < 31 ? r->name.len : 31), r->name.data ? r->name.data : ""); break;
    case STRUCTURE_MODULE: take_module(rd, r); break;
    case STRUCTURE_FILE: TRY(take_file(rd, r)); break;
    case STRUCTURE_FUNCTION: take_function(rd, r); break;
    case STRUCTURE_STATEMENT:
    case STRUCTURE_CALL: rd->ranges += r->range_count; break;
    case STRUCTURE_CALL_SITE:
    case STRUCTURE_INLINED: rd->inlined += r->name.len > 0; break;
    default: break;
    }
    TRY(assay_builder_failed(rd->b));
    return structure_index_add(&rd->index, r);
}

static void put_counts(struct reader *rd)
{
    assay_build_count(rd->b, "modules", rd->tags[STRUCTURE_MODULE]);
    assay_build_count(rd->b, "files", rd->files);
    assay_build_count(rd->b, "functions", rd->tags[STRUCTURE_FUNCTION]);
    assay_build_count(rd->b, "loops", rd->tags[STRUCTURE_LOOP]);
    assay_build_count(rd->b, "lines", rd->tags[STRUCTURE_STATEMENT] + rd->tags[STRUCTURE_CALL]);
    assay_build_count(rd->b, "inlined", rd->inlined);
    assay_build_count(rd->b, "calls", rd->tags[STRUCTURE_CALL]);
    assay_build_count(rd->b, "ranges", rd->ranges);
    assay_build_source(rd->b, "hpcstruct", rd->version, "hpcstruct");
}

int hpcstruct_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader rd = { .job = job, .b = b, .err = err };
    intern_init(&rd.file_names, job->mem);
    structure_index_init(&rd.index, job->mem, report, &rd);
    int rc = structure_parse(job->in, job->mem, take, &rd, err);
    if (rc == 0) {
        put_counts(&rd);
        if (!rd.tags[STRUCTURE_ROOT]) rc = error_at(err, ASSAY_ERR_DAMAGED, 0, "has no element HPCToolkitStructure");
        if (rc == 0) rc = assay_builder_failed(b);
    }
    structure_index_done(&rd.index);
    intern_done(&rd.file_names);
    return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
}
