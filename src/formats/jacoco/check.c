/* The rules of JaCoCo beyond damage: counters against lines and methods, classes against source files. */
#include "base/intern.h"
#include "formats/coverage/lines.h"
#include "formats/jacoco/jacoco.h"
#include "formats/jacoco/package.h"

enum { COMPARED = JACOCO_METHODS + 1 };

struct stated {
    struct jacoco_pair n;
    uint64_t off, number;
    bool is_said;
};
struct checker {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    struct jacoco_package p;
    struct intern files, methods;
    VEC(bool) is_called; /* by method */
    VEC(char) key;
    struct coverage_lines rows, own; /* of the report; of the source file in work */
    uint32_t file;
    struct jacoco_pair instructions, own_instructions;
    struct stated report[JACOCO_TYPES], source[JACOCO_TYPES];
    bool is_unknown, own_unknown; /* a line says nothing of its instructions */
};

/* ---- counting ---- */

static bool line(struct checker *k, const struct jacoco_record *r)
{
    struct coverage_line *row = vec_push(k->mem, &k->own);
    if (!row) return false;
    bool is_hit = r->is_unknown ? r->branches_hit > 0 : r->instructions_hit > 0;
    *row = (struct coverage_line){ (uint64_t)k->file << 32 | r->line, is_hit, r->branches_hit, r->branches_hit + r->missed_branches, 0 };
    k->own_instructions.covered += r->instructions_hit;
    k->own_instructions.missed += r->missed_instructions;
    k->own_unknown |= r->is_unknown;
    return true;
}

static bool method(struct checker *k, uint32_t file, const struct jacoco_method *m)
{
    assay_slice name = jacoco_package_text(&k->p, m->name);
    uint32_t place[2] = { file, m->line };
    k->key.len = 0;
    if (!vec_reserve(k->mem, &k->key, sizeof place + name.len)) return false;
    memcpy(k->key.at, place, sizeof place);
    memcpy(k->key.at + sizeof place, name.data, name.len);
    uint32_t id = intern_put(&k->methods, (assay_slice){ k->key.at, sizeof place + name.len });
    bool *slot = id > k->is_called.len ? vec_push(k->mem, &k->is_called) : NULL;
    if (!id || (id > k->is_called.len && !slot)) return false;
    if (slot) *slot = false;
    k->is_called.at[id - 1] |= m->is_hit;
    return true;
}

static bool package_end(struct checker *k)
{
    struct jacoco_package *p = &k->p;
    jacoco_package_end(p);
    for (size_t i = 0; i < p->classes.len; i++)
        if (!p->classes.at[i].file)
            findings_add(k->out, "JX-2", ASSAY_WARNING, p->classes.at[i].off, p->classes.at[i].number,
                         "the class belongs to none of the source files of its package");
    for (size_t i = 0; i < p->methods.len; i++)
        if (!method(k, p->classes.at[p->methods.at[i].owner].file, &p->methods.at[i])) return false;
    return true;
}

/* ---- comparing ---- */

static void compare(struct checker *k, const char *rule, int severity, const struct stated *stated, const struct jacoco_pair *counted, bool is_unknown)
{
    for (int i = 0; i < COMPARED; i++) {
        const struct stated *s = &stated[i];
        const struct jacoco_pair *c = &counted[i];
        if (!s->is_said || (is_unknown && i != JACOCO_BRANCHES) || (s->n.covered == c->covered && s->n.missed == c->missed)) continue;
        findings_add(k->out, rule, severity, s->off, s->number, "%llu %s are stated as covered and %llu as missed, but %llu and %llu are counted",
                     (unsigned long long)s->n.covered, jacoco_type_name((enum jacoco_type)i), (unsigned long long)s->n.missed, (unsigned long long)c->covered,
                     (unsigned long long)c->missed);
    }
}

static void count(const struct coverage_lines *rows, struct jacoco_pair *counted)
{
    struct coverage_figures n = coverage_lines_count(rows);
    counted[JACOCO_LINES] = (struct jacoco_pair){ n.lines - n.lines_hit, n.lines_hit };
    counted[JACOCO_BRANCHES] = (struct jacoco_pair){ n.branches - n.branches_hit, n.branches_hit };
}

static bool source_end(struct checker *k)
{
    struct jacoco_pair counted[COMPARED] = { 0 };
    coverage_lines_join(&k->own);
    count(&k->own, counted);
    counted[JACOCO_INSTRUCTIONS] = k->own_instructions;
    k->source[JACOCO_METHODS].is_said = false; /* classes of the file are known at the end of the package */
    compare(k, "JX-5", ASSAY_INFO, k->source, counted, k->own_unknown);
    if (!vec_reserve(k->mem, &k->rows, k->own.len)) return false;
    if (k->own.len) memcpy(k->rows.at + k->rows.len, k->own.at, k->own.len * sizeof *k->own.at);
    k->rows.len += k->own.len;
    k->instructions.covered += k->own_instructions.covered;
    k->instructions.missed += k->own_instructions.missed;
    k->is_unknown |= k->own_unknown;
    return true;
}

static void report_end(struct checker *k)
{
    struct jacoco_pair counted[COMPARED] = { 0 };
    coverage_lines_join(&k->rows);
    count(&k->rows, counted);
    counted[JACOCO_INSTRUCTIONS] = k->instructions;
    for (size_t i = 0; i < k->is_called.len; i++) {
        counted[JACOCO_METHODS].covered += k->is_called.at[i];
        counted[JACOCO_METHODS].missed += !k->is_called.at[i];
    }
    compare(k, "JX-1", ASSAY_WARNING, k->report, counted, k->is_unknown);
}

/* ---- records ---- */

static bool source(struct checker *k)
{
    k->file = intern_put(&k->files, jacoco_package_path(&k->p));
    jacoco_package_file(&k->p, k->file);
    k->own.len = 0;
    k->own_instructions = (struct jacoco_pair){ 0, 0 };
    k->own_unknown = false;
    memset(k->source, 0, sizeof k->source);
    return k->file != 0;
}

static bool add(struct checker *k, const struct jacoco_record *r)
{
    struct stated s = { r->counter, r->off, r->number, true };
    switch (r->kind) {
    case JACOCO_SOURCE: return source(k);
    case JACOCO_SOURCE_END: return source_end(k);
    case JACOCO_LINE: return line(k, r);
    case JACOCO_METHOD:
        if (!r->line) findings_add(k->out, "JX-3", ASSAY_INFO, r->off, r->number, "a method without line");
        return true;
    case JACOCO_PACKAGE_END: return package_end(k);
    case JACOCO_COUNTER:
        if (r->scope == JACOCO_OF_REPORT) k->report[r->type] = s;
        if (r->scope == JACOCO_OF_SOURCE) k->source[r->type] = s;
        return true;
    default: return true;
    }
}

static int take(void *arg, const struct jacoco_record *r)
{
    struct checker *k = arg;
    return jacoco_package_add(&k->p, r) && add(k, r) ? 0 : error_memory(k->err);
}

int jacoco_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checker k = { .out = out, .mem = job->mem, .err = err };
    struct jacoco_decoder d = { .take = take, .arg = &k, .damage = out, .wants_numbers = true };
    jacoco_package_init(&k.p, job->mem);
    intern_init(&k.files, job->mem);
    intern_init(&k.methods, job->mem);
    int rc = jacoco_decode(&d, job, err);
    if (rc == 0) report_end(&k);
    intern_done(&k.files);
    intern_done(&k.methods);
    vec_done(job->mem, &k.is_called);
    vec_done(job->mem, &k.key);
    vec_done(job->mem, &k.rows);
    vec_done(job->mem, &k.own);
    jacoco_package_done(&k.p);
    return rc;
}
