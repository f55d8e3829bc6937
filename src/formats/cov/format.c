/* How objects are recognised, and the table entry of cov-spec, the description of the objects read literally. The entry of cov itself is in
 * src/store: a whole store is an input too. */
#include "base/inflate.h"
#include "formats/cov/cov.h"
#include "formats/cov/magic.h"

/* The first unpacked bytes; at most `room`. */
static assay_slice glance(const struct probe *p, enum cov_framing *framing, char *buf, size_t room)
{
    *framing = p->packing == INPUT_GZIP ? COV_GZIP : cov_framing_of(p->head);
    if (*framing != COV_ZLIB) return p->head;
    return (assay_slice){ buf, inflate_glance(p->head, buf, room) };
}

int cov_probe(const struct probe *p, enum cov_dialect dialect, const char **why)
{
    char buf[64];
    enum cov_framing framing;
    if (p->is_dir || p->head.len == 0) return 0;
    assay_slice head = glance(p, &framing, buf, sizeof buf);
    const struct cov_magic *m = cov_magic_find(head);
    *why = "the magic of a coverage object";
    if (m && cov_dialect_of(head, framing) != dialect) return 0;
    if (m && head.len >= COV_FILE_HEADER) {
        const char *version = head.data + 4 + (cov_magic_is_reversed(head) ? 0 : 2);
        bool is_1 = cov_magic_is_reversed(head) ? version[0] == 0 && version[1] == 1 : version[0] == 1 && version[1] == 0;
        return is_1 ? 95 : framing == COV_ZLIB ? 80 : 60;
    }
    if (dialect != COV_DIALECT_COV || framing != COV_ZLIB) return 0;
    *why = "a zlib stream, as loose objects are";
    return 30;
}

static int probe(const struct probe *p, const char **why) { return cov_probe(p, COV_DIALECT_SPEC, why); }

static int read(const struct read_job *job, assay_builder *b, assay_error *err) { return cov_read(job, COV_DIALECT_SPEC, b, err); }

static int check(const struct read_job *job, struct findings *out, assay_error *err) { return cov_check(job, COV_DIALECT_SPEC, out, err); }

static int dump(const struct read_job *job, struct output *out, assay_error *err) { return cov_dump(job, COV_DIALECT_SPEC, out, err); }

static int write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return cov_write(p, job, COV_DIALECT_SPEC, out, err);
}

static int rewrite(const struct read_job *job, const struct write_job *w, struct output *out, assay_error *err)
{
    (void)w;
    return cov_rewrite(job, COV_DIALECT_SPEC, out, err);
}

static const char *const extensions[] = { NULL };

const struct format cov_spec_format = {
    .info = { .name = "cov-spec",
              .title = "coverage objects as specified",
              .extensions = extensions,
              .versions = cov_versions,
              .reads = "1.x",
              .holds = ASSAY_SHAPE_COVERAGE,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE | ASSAY_CAN_REWRITE,
              .features = 0 },
    .probe = probe,
    .read = read,
    .check = check,
    .dump = dump,
    .write = write,
    .write_wants = cov_write_wants,
    .rewrite = rewrite,
    .takes = "cov",
};
