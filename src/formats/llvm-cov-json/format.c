/* The table entry of llvm-cov's export, and how a document is recognised (docs/formats/llvm-cov-json.md, "Recognising"). */
#include "formats/llvm-cov-json/decode.h"

const struct coverage_source llvm_cov_source = { "llvm-cov-json", llvm_cov_decode, { NULL } };

/* "type" stands behind the data, mostly far beyond the head. */
static int llvm_cov_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON of llvm-cov export";
    if (slice_contains(p->head, "\"llvm.coverage.json.export\"") && coverage_json_has_key(p->head, 1, "\"type\"")) return 95;
    return coverage_json_has_key(p->head, 1, "\"data\"") &&
                   (coverage_json_has_key(p->head, 3, "\"files\"") || coverage_json_has_key(p->head, 3, "\"functions\""))
               ? 85
               : 0;
}

static int llvm_cov_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&llvm_cov_source, job, b, err); }
static int llvm_cov_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&llvm_cov_source, job, out, err); }

static const char *const extensions[] = { ".json", NULL };
static const char *const no_versions[] = { NULL };

const struct format llvm_cov_format = {
    .info = { "llvm-cov-json", "llvm-cov's export in JSON", extensions, no_versions, "2.0.0 to 3.1.0", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = llvm_cov_probe,
    .read = llvm_cov_read,
    .check = llvm_cov_check,
    .dump = llvm_cov_dump,
};
