/* The table entry of lcov, and how a tracefile is recognised (docs/formats/lcov.md, "Recognising"). */
#include "formats/lcov/lcov.h"

/* Looks at the first lines that are neither blank nor a comment. */
static int lcov_probe(const struct probe *p, const char **why)
{
    static const char *const openers[] = { "TN:", "SF:", "KF:" };
    static const char *const others[] = { "DA:",  "FN:",  "FNDA:", "FNL:", "FNA:",  "BRDA:", "LF:",          "LH:",
                                          "FNF:", "FNH:", "BRF:",  "BRH:", "MCDC:", "VER:",  "end_of_record" };
    if (p->is_dir || p->head.len == 0) return 0;
    const char *at = p->head.data, *end = at + p->head.len;
    if (p->head.len >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;
    for (; at < end;) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        assay_slice line = slice_trim(slice_from(at, nl ? nl : end));
        at = nl ? nl + 1 : end;
        if (line.len == 0 || line.data[0] == '#' || slice_is(line, "\r")) continue;
        *why = "a line TN: or SF:";
        for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
            if (slice_starts(line, openers[i])) return 70;
        *why = "a record of lcov";
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if (slice_starts(line, others[i])) return 50;
        return 0;
    }
    return 0;
}

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".info", ".lcov", NULL };
static const char *const versions[] = { "1", "2", NULL };

const struct format lcov_format = {
    .info = { "lcov", "lcov tracefile (.info): lcov, geninfo, llvm-cov, grcov, istanbul, coverage.py", extensions, versions, "1.x, 2.x", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS },
    .probe = lcov_probe,
    .read = lcov_read,
    .check = lcov_check,
    .dump = lcov_dump,
    .write = lcov_write,
    .write_wants = write_wants,
};
