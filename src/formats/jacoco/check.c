/* The rules of JaCoCo beyond damage: counters against lines and methods, classes against source files. */
#include "base/order.h"
#include "base/sort.h"
#include "formats/coverage/lines.h"
#include "formats/jacoco/jacoco.h"

enum { COMPARED = JACOCO_METHODS + 1 };

struct pair {
    uint64_t missed, covered;
};
struct stated {
    struct pair n;
    uint64_t off, number;
    bool is_said;
};
struct key {
    uint32_t file, line, name;
    bool is_called;
};
struct checker {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    VEC(struct key) methods;
    struct coverage_lines rows, own; /* of the report; of the source file in work */
    struct pair instructions, own_instructions;
    struct stated report[JACOCO_TYPES], source[JACOCO_TYPES];
    bool is_unknown, own_unknown; /* a line says nothing of its instructions */
};

/* ---- counting ---- */

static int line(struct checker *k, uint32_t file, const struct coverage_row *r)
{
    struct coverage_line *row = vec_push(k->mem, &k->own);
    if (!row) return error_memory(k->err);
    *row = (struct coverage_line){ (uint64_t)file << 32 | r->line, r->count, r->index, r->group, 0 };
    k->own_unknown |= (r->flags & ASSAY_COVERAGE_UNKNOWN) != 0;
    return 0;
}

static int method(struct checker *k, uint32_t file, const struct coverage_row *r)
{
    struct key *m = vec_push(k->mem, &k->methods);
    if (!m) return error_memory(k->err);
    *m = (struct key){ file, r->line, r->name, r->count > 0 };
    return 0;
}

static int by_place(const void *x, const void *y)
{
    const struct key *a = x, *b = y;
    ORDER_BY(a->file, b->file);
    ORDER_BY(a->line, b->line);
    return ORDER(a->name, b->name);
}

/* A method may come again. */
static struct pair count_methods(struct checker *k)
{
    struct pair n = { 0, 0 };
    const struct key *at = k->methods.at;
    if (k->methods.len) sort_by(k->methods.at, k->methods.len, sizeof *at, by_place);
    for (size_t i = 0, next; i < k->methods.len; i = next) {
        bool is_called = false;
        for (next = i; next < k->methods.len && by_place(&at[i], &at[next]) == 0; next++) is_called |= at[next].is_called;
        n.covered += is_called;
        n.missed += !is_called;
    }
    return n;
}

/* ---- comparing ---- */

static void compare(struct checker *k, const char *rule, int severity, const struct stated *stated, const struct pair *counted, bool is_unknown)
{
    for (int i = 0; i < COMPARED; i++) {
        const struct stated *s = &stated[i];
        const struct pair *c = &counted[i];
        if (!s->is_said || (is_unknown && i != JACOCO_BRANCHES) || (s->n.covered == c->covered && s->n.missed == c->missed)) continue;
        findings_add(k->out, rule, severity, s->off, s->number, "%llu %s are stated as covered and %llu as missed, but %llu and %llu are counted",
                     (unsigned long long)s->n.covered, jacoco_type_name((enum jacoco_type)i), (unsigned long long)s->n.missed, (unsigned long long)c->covered,
                     (unsigned long long)c->missed);
    }
}

static void count(const struct coverage_lines *rows, struct pair *counted)
{
    struct coverage_figures n = coverage_lines_count(rows);
    counted[JACOCO_LINES] = (struct pair){ n.lines - n.lines_hit, n.lines_hit };
    counted[JACOCO_BRANCHES] = (struct pair){ n.branches - n.branches_hit, n.branches_hit };
}

static int source_end(struct checker *k)
{
    struct pair counted[COMPARED] = { 0 };
    coverage_lines_join(&k->own);
    count(&k->own, counted);
    counted[JACOCO_INSTRUCTIONS] = k->own_instructions;
    k->source[JACOCO_METHODS].is_said = false; /* classes of the file are known at the end of the package */
    compare(k, "JX-5", ASSAY_INFO, k->source, counted, k->own_unknown);
    if (!vec_reserve(k->mem, &k->rows, k->own.len)) return error_memory(k->err);
    if (k->own.len) memcpy(k->rows.at + k->rows.len, k->own.at, k->own.len * sizeof *k->own.at);
    k->rows.len += k->own.len;
    k->instructions.covered += k->own_instructions.covered;
    k->instructions.missed += k->own_instructions.missed;
    k->is_unknown |= k->own_unknown;
    return 0;
}

static void report_end(struct checker *k)
{
    struct pair counted[COMPARED] = { 0 };
    coverage_lines_join(&k->rows);
    count(&k->rows, counted);
    counted[JACOCO_INSTRUCTIONS] = k->instructions;
    counted[JACOCO_METHODS] = count_methods(k);
    compare(k, "JX-1", ASSAY_WARNING, k->report, counted, k->is_unknown);
}

/* ---- rows ---- */

static void source(struct checker *k)
{
    k->own.len = 0;
    k->own_instructions = (struct pair){ 0, 0 };
    k->own_unknown = false;
    memset(k->source, 0, sizeof k->source);
}

static int add(struct checker *k, uint32_t file, const struct coverage_row *r)
{
    switch ((enum coverage_row_kind)r->kind) {
    case COVERAGE_LINE: return line(k, file, r);
    case COVERAGE_SUM:
        k->own_instructions.covered += r->index;
        k->own_instructions.missed += r->group - r->index;
        return 0;
    case COVERAGE_FUNCTION:
        if (r->is_derived) return method(k, file, r);
        if (!r->line) findings_add(k->out, "JX-3", ASSAY_INFO, r->off, r->number, "a method without line");
        return 0;
    case COVERAGE_STATED:
        (r->of_no_file ? k->report : k->source)[r->index] = (struct stated){ { (uint64_t)r->target, r->count }, r->off, r->number, true };
        return 0;
    case COVERAGE_RECORD:
        findings_add(k->out, "JX-2", ASSAY_WARNING, r->off, r->number, "the class belongs to none of the source files of its package");
        return 0;
    default: return 0;
    }
}

static int take(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    struct checker *k = arg;
    uint32_t file = 0;
    bool is_source = false;
    (void)d;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].kind == COVERAGE_FILE) {
            file = rows[i].name;
            is_source = !rows[i].is_derived;
            if (is_source) source(k);
        }
        TRY(add(k, file, &rows[i]));
    }
    return is_source ? source_end(k) : 0;
}

int jacoco_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checker k = { .out = out, .mem = job->mem, .err = err };
    int rc = coverage_rows_walk(&jacoco_source, job, take, &k, out, err);
    if (rc == 0) report_end(&k);
    vec_done(job->mem, &k.methods, &k.rows, &k.own);
    return rc;
}
