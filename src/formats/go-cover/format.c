/* The table entry of Go cover profiles, and how they are recognised. */
#include "formats/go-cover/go_cover.h"

static bool is_number(const char **at, const char *end)
{
    const char *p = *at;
    while (p < end && *p >= '0' && *p <= '9') p++;
    bool any = p > *at;
    *at = p;
    return any;
}

static bool is_char(const char **at, const char *end, char c)
{
    if (*at == end || **at != c) return false;
    ++*at;
    return true;
}

/* path:line.column,line.column and a blank */
static bool is_row(assay_slice line)
{
    const char *end = line.data + line.len;
    for (const char *colon = line.data; colon && (colon = memchr(colon, ':', (size_t)(end - colon))) != NULL;) {
        const char *p = ++colon;
        if (is_number(&p, end) && is_char(&p, end, '.') && is_number(&p, end) && is_char(&p, end, ',') && is_number(&p, end) && is_char(&p, end, '.') &&
            is_number(&p, end) && is_char(&p, end, ' '))
            return true;
    }
    return false;
}

static int go_cover_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || p->head.len == 0) return 0;
    assay_slice head = p->head;
    if (slice_starts(head, "\xef\xbb\xbf")) head = slice_from(head.data + 3, head.data + head.len);
    const char *nl = memchr(head.data, '\n', head.len);
    assay_slice line = nl ? slice_from(head.data, nl) : head;
    *why = "the line 'mode: set', 'count' or 'atomic'";
    if (slice_starts(line, "mode: set") || slice_starts(line, "mode: count") || slice_starts(line, "mode: atomic")) return 85;
    *why = "a row 'path:line.column,line.column statements count'";
    return is_row(line) ? 60 : 0;
}

const struct coverage_source go_cover_source = { "go-cover", go_cover_decode, { [COVERAGE_REGION] = "block" } };

static int go_cover_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&go_cover_source, job, b, err); }
static int go_cover_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&go_cover_source, job, out, err); }

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".cov", ".coverprofile", NULL };
static const char *const versions[] = { "count", "set", "atomic", NULL };

const struct format go_cover_format = {
    .info = { "go-cover", "Go cover profile (go test -coverprofile)", extensions, versions, "set, count, atomic", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS },
    .probe = go_cover_probe,
    .read = go_cover_read,
    .check = go_cover_check,
    .dump = go_cover_dump,
    .write = go_cover_write,
    .write_wants = write_wants,
};
