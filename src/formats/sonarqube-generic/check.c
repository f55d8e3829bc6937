/* Rules beyond what the decoder finds: a line that is repeated in its file. */
#include "base/sort.h"
#include "base/vec.h"
#include "formats/sonarqube-generic/decode.h"
#include "formats/sonarqube-generic/sonarqube.h"

struct place {
    uint64_t off, number;
    uint32_t line;
};
struct checker {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    VEC(struct place) lines; /* of the file in work */
};

static int by_line(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    return a->line != b->line ? (a->line > b->line) - (a->line < b->line) : (a->off > b->off) - (a->off < b->off);
}

static void file_end(struct checker *k)
{
    if (k->lines.len) sort_by(k->lines.at, k->lines.len, sizeof *k->lines.at, by_line);
    for (size_t i = 1; i < k->lines.len; i++) {
        const struct place *p = &k->lines.at[i];
        if (p->line == p[-1].line) findings_add(k->out, "SQ-3", ASSAY_WARNING, p->off, p->number, "line %u is repeated in its file", p->line);
    }
    k->lines.len = 0;
}

static int take(void *arg, const struct sonarqube_record *r)
{
    struct checker *k = arg;
    if (r->kind == SONARQUBE_FILE_END) file_end(k);
    if (r->kind != SONARQUBE_LINE) return 0;
    struct place *p = vec_push(k->mem, &k->lines);
    if (!p) return error_memory(k->err);
    *p = (struct place){ r->off, r->number, r->line };
    return 0;
}

int sonarqube_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checker k = { .out = out, .mem = job->mem, .err = err };
    struct sonarqube_decoder d = { .take = take, .arg = &k, .damage = out, .wants_numbers = true };
    int rc = sonarqube_decode(&d, job, err);
    vec_done(job->mem, &k.lines);
    return rc;
}
