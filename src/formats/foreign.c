/* See foreign.h. */
#include "formats/foreign.h"

#include "base/proto.h"
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
    { "gmon\1\0\0\0", 8, "is data for gprof (gmon.out), which has addresses only: run 'gprof PROGRAM FILE' and give its output to assay" },
    { "gmon\0\0\0\1", 8, "is data for gprof (gmon.out), which has addresses only: run 'gprof PROGRAM FILE' and give its output to assay" },
    { "FLR\0", 4,
      "is a recording of the JDK Flight Recorder (JFR), which assay does not read: run async-profiler's 'jfrconv -o collapsed FILE OUT' and give OUT to "
      "assay" },
    { "\x81rforpl\xff", 8, "is a raw profile of clang (.profraw), which assay does not read: run llvm-profdata and llvm-cov export" },
    { "\xfflprofi\x81", 8, "is an indexed profile of clang (.profdata), which assay does not read: run llvm-cov export" },
};

/* "goroutine 1 [running]:" */
static bool is_goroutine_dump(assay_slice head)
{
    static const char word[] = "goroutine ";
    size_t at = sizeof word - 1;
    if (!slice_starts(head, word)) return false;
    while (at < head.len && head.data[at] >= '0' && head.data[at] <= '9') at++;
    return at > sizeof word - 1 && at + 1 < head.len && head.data[at] == ' ' && head.data[at + 1] == '[';
}

/* A trace of Perfetto: packets, and nothing but packets, which have members behind those that messages of profiles have. */
static bool is_perfetto(const struct probe *p)
{
    struct cursor c = cursor_of(p->head.data, p->head.len);
    struct proto_field packet = { 0 }, member = { 0 };
    enum proto_status status;
    bool has_later = false;
    while ((status = proto_next(&c, &packet)) == PROTO_FIELD) {
        if (packet.number != 1 || packet.wire != PROTO_BYTES) return false;
        struct cursor in = proto_message(&packet);
        enum proto_status inner;
        while ((inner = proto_next(&in, &member)) == PROTO_FIELD) has_later |= member.number > 3;
        if (inner == PROTO_DAMAGED) return false;
    }
    return has_later && (status == PROTO_END || !p->is_whole);
}

const char *foreign_name(const struct probe *p)
{
    struct coverage_xml_head h;
    if (p->is_dir) return NULL;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (p->head.len >= heads[i].len && memcmp(p->head.data, heads[i].begin, heads[i].len) == 0) return heads[i].text;
    if (coverage_xml_head(p->head, &h) && slice_is(h.name, "CoverageSession"))
        return "is an OpenCover report (CoverageSession), which assay does not read: ReportGenerator converts it to Cobertura XML";
    if (is_goroutine_dump(p->head)) return "is a dump of goroutines with debug=2, which has no figures: ask for debug=0 or debug=1 and give that to assay";
    if (is_perfetto(p))
        return "is a trace of Perfetto, which assay does not read: run Perfetto's 'traceconv json FILE OUT' or, for samples of stacks, 'traceconv profile "
               "FILE', "
               "and give what it writes to assay";
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
