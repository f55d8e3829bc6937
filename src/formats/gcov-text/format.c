/* The table entries of gcov's two texts, and how they are recognised. */
#include "formats/gcov-text/decode.h"
#include "formats/gcov-text/gcov.h"

static assay_slice next_line(const char **at, const char *end)
{
    const char *nl = memchr(*at, '\n', (size_t)(end - *at));
    assay_slice line = slice_from(*at, nl ? nl : end);
    *at = nl ? nl + 1 : end;
    return line;
}

/* Blanks, "-:", blanks, "0:Source:" */
static int gcov_text_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || p->head.len == 0) return 0;
    const char *at = p->head.data;
    assay_slice line = slice_trim(next_line(&at, at + p->head.len));
    *why = "the row '-:    0:Source:'";
    if (!slice_starts(line, "-:")) return 0;
    line = slice_trim(slice_from(line.data + 2, line.data + line.len));
    return slice_starts(line, "0:Source:") ? 90 : 0;
}

/* file: first, version: and cwd: before it; then function:, lcount: or another file */
static int gcov_intermediate_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || p->head.len == 0) return 0;
    const char *at = p->head.data, *end = at + p->head.len;
    assay_slice line = next_line(&at, end);
    *why = "rows 'file:' and 'function:' or 'lcount:'";
    if (slice_starts(line, "version:") && at < end) line = next_line(&at, end);
    if (slice_starts(line, "cwd:") && at < end) line = next_line(&at, end);
    if (!slice_starts(line, "file:")) return 0;
    while (at < end) {
        line = next_line(&at, end);
        if (slice_starts(line, "function:") || slice_starts(line, "lcount:")) return 80;
        if (!slice_starts(line, "file:")) return 0;
    }
    return 30;
}

const struct coverage_source gcov_text_source = { "gcov-text", gcov_text_decode, { [COVERAGE_FILE] = "source", [COVERAGE_ATTRIBUTE] = "header" } };
static const struct coverage_source intermediate = { "gcov-intermediate",
                                                     gcov_intermediate_decode,
                                                     { [COVERAGE_FILE] = "source", [COVERAGE_ATTRIBUTE] = "header" } };

static int gcov_text_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&gcov_text_source, job, b, err); }
static int gcov_text_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&gcov_text_source, job, out, err); }
static int gcov_intermediate_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&intermediate, job, b, err); }
static int gcov_intermediate_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    return coverage_rows_walk(&intermediate, job, NULL, NULL, out, err);
}
static int gcov_intermediate_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&intermediate, job, out, err); }

static const char *const extensions[] = { ".gcov", NULL };
static const char *const no_versions[] = { NULL };

const struct format gcov_text_format = {
    .info = { "gcov-text", "gcov text: annotated source (.gcov)", extensions, no_versions, "all", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = gcov_text_probe,
    .read = gcov_text_read,
    .check = gcov_text_check,
    .dump = gcov_text_dump,
};

const struct format gcov_intermediate_format = {
    .info = { "gcov-intermediate", "gcov intermediate text (gcov -i of gcc 4.9 to 8)", extensions, no_versions, "gcc 4.9 to 8", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = gcov_intermediate_probe,
    .read = gcov_intermediate_read,
    .check = gcov_intermediate_check,
    .dump = gcov_intermediate_dump,
};
