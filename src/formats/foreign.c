/* See foreign.h. */
#include "formats/foreign.h"

#include "formats/coverage/xml.h"

static const struct {
    const char *begin;
    size_t len;
    const char *text;
} heads[] = {
    { "SQLite format 3\0", 16,
      "is an SQLite database; if it is a data file of coverage.py, run 'coverage json', 'coverage xml' or 'coverage lcov' to make a report that assay reads" },
    { "oncg", 4, "is a notes file of gcc (.gcno), which assay does not read: run gcov, lcov or gcovr" },
    { "gcno", 4, "is a notes file of gcc (.gcno), which assay does not read: run gcov, lcov or gcovr" },
    { "adcg", 4, "is a data file of gcc (.gcda), which assay does not read: run gcov, lcov or gcovr" },
    { "gcda", 4, "is a data file of gcc (.gcda), which assay does not read: run gcov, lcov or gcovr" },
    { "HPCPROF-profdb__", 16, "is a file of an HPCToolkit database of 2020 to 2022: give the directory with experiment.xml" },
    { "HPCPROF-cctdb___", 16, "is a file of an HPCToolkit database of 2020 to 2022: give the directory with experiment.xml" },
    { "HPCPROF-tracedb_", 16, "is a file of an HPCToolkit database of 2020 to 2022: give the directory with experiment.xml" },
    { "\x81rforpl\xff", 8, "is a raw profile of clang (.profraw), which assay does not read: run llvm-profdata and llvm-cov export" },
    { "\xfflprofi\x81", 8, "is an indexed profile of clang (.profdata), which assay does not read: run llvm-cov export" },
};

const char *foreign_name(const struct probe *p)
{
    struct coverage_xml_head h;
    if (p->is_dir) return NULL;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (p->head.len >= heads[i].len && memcmp(p->head.data, heads[i].begin, heads[i].len) == 0) return heads[i].text;
    if (coverage_xml_head(p->head, &h) && slice_is(h.name, "CoverageSession"))
        return "is an OpenCover report (CoverageSession), which assay does not read: ReportGenerator converts it to Cobertura XML";
    return NULL;
}

static bool is_name_start(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

int foreign_xml_refuse(const struct probe *p, assay_error *err)
{
    struct coverage_xml_head h;
    if (p->is_dir || !coverage_xml_head(p->head, &h) || !h.name.len || !is_name_start(h.name.data[0])) return 0;
    bool is_closed = h.tag.data + h.tag.len < p->head.data + p->head.len;
    if (!is_closed && !slice_starts(p->head, "<?xml")) return 0;
    return error_rule(err, ASSAY_ERR_UNKNOWN, (uint64_t)(h.name.data - p->head.data) - 1, "X-3", "XML with the root '%.*s', which no supported format has",
                      (int)(h.name.len < 60 ? h.name.len : 60), h.name.data);
}
