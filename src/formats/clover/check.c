/* The rule of Clover beyond damage: the metrics of a file against its lines. */
#include "base/intern.h"
#include "base/number.h"
#include "formats/clover/clover.h"
#include "formats/clover/decode.h"
#include "formats/coverage/lines.h"

enum { STATEMENTS, CONDITIONALS, METHODS, PAIRS };
static const char *const names[PAIRS][2] = { { "statements", "coveredstatements" },
                                             { "conditionals", "coveredconditionals" },
                                             { "methods", "coveredmethods" } };

struct figures {
    double total, covered;
};
struct checker {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    /* of the file in work */
    struct coverage_lines rows;
    struct intern methods; /* line and name */
    VEC(bool) is_called;   /* by method */
    VEC(char) key;
    struct figures stated[PAIRS]; /* total -1 = not said */
    uint64_t off, number;         /* of its metrics */
};

static void file_begin(struct checker *k)
{
    k->rows.len = k->is_called.len = 0;
    intern_done(&k->methods);
    intern_init(&k->methods, k->mem);
    for (int i = 0; i < PAIRS; i++) k->stated[i].total = -1;
}

static double figure(const char *const *attributes, const char *name, double otherwise)
{
    const char *value = xml_attribute(attributes, name);
    uint64_t n;
    return value && number_u64(slice_of(value), &n) != NUMBER_BAD ? (double)n : otherwise;
}

static void metrics(struct checker *k, const struct clover_record *r)
{
    k->off = r->off;
    k->number = r->number;
    for (int i = 0; i < PAIRS; i++) k->stated[i] = (struct figures){ figure(r->attributes, names[i][0], -1), figure(r->attributes, names[i][1], 0) };
}

static bool method(struct checker *k, const struct clover_record *r)
{
    k->key.len = 0;
    if (!vec_reserve(k->mem, &k->key, sizeof r->line + r->name.len)) return false;
    memcpy(k->key.at, &r->line, sizeof r->line);
    if (r->name.len) memcpy(k->key.at + sizeof r->line, r->name.data, r->name.len);
    uint32_t id = intern_put(&k->methods, (assay_slice){ k->key.at, sizeof r->line + r->name.len });
    if (!id) return false;
    if (id > k->is_called.len) {
        bool *slot = vec_push(k->mem, &k->is_called);
        if (!slot) return false;
        *slot = false;
    }
    k->is_called.at[id - 1] |= r->count > 0;
    return true;
}

static void file_end(struct checker *k)
{
    coverage_lines_join(&k->rows);
    struct coverage_figures n = coverage_lines_count(&k->rows);
    struct figures counted[PAIRS] = { { (double)n.lines, (double)n.lines_hit },
                                      { (double)n.branches, (double)n.branches_hit },
                                      { (double)k->is_called.len, 0 } };
    for (size_t i = 0; i < k->is_called.len; i++) counted[METHODS].covered += k->is_called.at[i];
    for (int i = 0; i < PAIRS; i++) {
        const struct figures *s = &k->stated[i], *c = &counted[i];
        if (s->total >= 0 && (s->total != c->total || s->covered != c->covered))
            findings_add(k->out, "CL-1", ASSAY_WARNING, k->off, k->number, "%.0f of %.0f %s are stated as covered, but %.0f of %.0f are counted", s->covered,
                         s->total, names[i][0], c->covered, c->total);
    }
}

static int take(void *arg, const struct clover_record *r)
{
    struct checker *k = arg;
    struct coverage_line *row;
    switch (r->kind) {
    case CLOVER_FILE: file_begin(k); break;
    case CLOVER_FILE_END: file_end(k); break;
    case CLOVER_METRICS:
        if (r->scope == CLOVER_OF_FILE) metrics(k, r);
        break;
    case CLOVER_METHOD: return method(k, r) ? 0 : error_memory(k->err);
    case CLOVER_STMT:
    case CLOVER_COND:
        row = vec_push(k->mem, &k->rows);
        if (!row) return error_memory(k->err);
        *row = (struct coverage_line){ r->line, r->count, r->covered, r->total, 0 };
        break;
    default: break;
    }
    return 0;
}

int clover_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checker k = { .out = out, .mem = job->mem, .err = err };
    struct clover_decoder d = { .take = take, .arg = &k, .damage = out, .wants_numbers = true };
    intern_init(&k.methods, job->mem);
    int rc = clover_decode(&d, job, err);
    intern_done(&k.methods);
    vec_done(job->mem, &k.rows);
    vec_done(job->mem, &k.is_called);
    vec_done(job->mem, &k.key);
    return rc;
}
