/* A sealed profile -> JaCoCo's XML report: a package for each folder, a source file for each file, and a class for the functions of a file whose names say no
 * class of their own. Counters are those of what is written. A line that says nothing of instructions is written as one of them. */
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/coverage/losses.h"
#include "formats/coverage/order.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/xml.h"
#include "formats/jacoco/jacoco.h"

enum { INSTRUCTION, BRANCH, LINE, METHOD, CLASS, TYPES };

struct counters {
    uint64_t missed[TYPES], covered[TYPES];
};
struct source {
    assay_slice folder, name;
    const struct coverage_out_file *file;
};
struct method {
    assay_slice owner, name, detail;
    uint64_t calls;
    uint32_t line;
};
struct writer {
    struct output *o;
    const assay_profile *p;
    struct mem *mem;
    struct coverage_plan plan;
    struct coverage_order sums;
    VEC(struct source) sources;
    VEC(struct method) methods; /* of the file in work */
    VEC(char) owner;            /* the class of functions that name none */
};

/* ---- counters ---- */

static void count(struct counters *c, int type, uint64_t covered, uint64_t missed)
{
    c->covered[type] += covered;
    c->missed[type] += missed;
}

static void add(struct counters *to, const struct counters *c)
{
    for (int i = 0; i < TYPES; i++) count(to, i, c->covered[i], c->missed[i]);
}

static void put_counters(struct output *o, const struct counters *c)
{
    static const char *const names[TYPES] = { "INSTRUCTION", "BRANCH", "LINE", "METHOD", "CLASS" };
    for (int i = 0; i < TYPES; i++)
        if (c->missed[i] || c->covered[i])
            output_printf(o, "<counter type=\"%s\" missed=\"%llu\" covered=\"%llu\"/>", names[i], (unsigned long long)c->missed[i],
                          (unsigned long long)c->covered[i]);
}

/* ---- methods ---- */

/* CLASS.NAME(DETAIL), which is how such reports are read; names without a class belong to that of their file. */
static struct method split(assay_slice name, assay_slice owner)
{
    if (!name.data) name = SLICE("");
    const char *paren = memchr(name.data, '(', name.len), *end = name.data + name.len, *stop = paren ? paren : end;
    const char *dot = stop > name.data ? memrchr(name.data, '.', (size_t)(stop - name.data)) : NULL;
    bool has_class = dot && dot > name.data && dot + 1 < end;
    const char *base = has_class ? dot + 1 : name.data;
    if (base == stop) stop = end; /* (anonymous) */
    return (struct method){ .owner = has_class ? slice_from(name.data, dot) : owner, .name = slice_from(base, stop), .detail = slice_from(stop, end) };
}

static int by_owner(const void *x, const void *y)
{
    const struct method *a = x, *b = y;
    int c = slice_compare(a->owner, b->owner);
    if (c == 0) c = ORDER(a->line, b->line);
    if (c == 0) c = slice_compare(a->name, b->name);
    return c ? c : slice_compare(a->detail, b->detail);
}

static bool gather_methods(struct writer *w, const struct source *s)
{
    const struct coverage_plan *plan = &w->plan;
    uint64_t end = ((uint64_t)s->file->file + 1) << 32;
    const char *dot = s->name.len ? memrchr(s->name.data, '.', s->name.len) : NULL;
    size_t len = (size_t)((dot && dot > s->name.data ? dot : s->name.data + s->name.len) - s->file->path.data);
    w->methods.len = w->owner.len = 0;
    if (!vec_reserve(w->mem, &w->owner, len + 1)) return false;
    for (size_t i = 0; i < len; i++) w->owner.at[w->owner.len++] = s->file->path.data[i] == '.' ? '_' : s->file->path.data[i];
    for (size_t i = s->file->at.func; i < plan->funcs.len && plan->funcs.at[i].key < end; i++) {
        const struct coverage_out_func *f = &plan->funcs.at[i];
        struct method *m = vec_push(w->mem, &w->methods);
        if (!m) return false;
        *m = split(assay_profile_string(w->p, assay_profile_funcs(w->p)->name[f->func]), (assay_slice){ w->owner.at, w->owner.len });
        m->line = (uint32_t)f->key;
        m->calls = f->calls;
    }
    return sort_by(w->methods.at, w->methods.len, sizeof *w->methods.at, by_owner);
}

static void put_method(struct output *o, const struct method *m, struct counters *all)
{
    struct counters c = { 0 };
    count(&c, METHOD, m->calls > 0, m->calls == 0);
    output_text(o, "<method name=\"");
    coverage_xml_put(o, m->name);
    output_text(o, "\" desc=\"");
    coverage_xml_put(o, m->detail);
    if (m->line) output_printf(o, "\" line=\"%u", m->line);
    output_text(o, "\">");
    put_counters(o, &c);
    output_text(o, "</method>");
    add(all, &c);
}

static bool put_classes(struct writer *w, const struct source *s, struct counters *package)
{
    if (!gather_methods(w, s)) return false;
    for (size_t i = 0, next; i < w->methods.len; i = next) {
        assay_slice owner = w->methods.at[i].owner;
        struct counters c = { 0 };
        output_text(w->o, "<class name=\"");
        coverage_xml_put(w->o, owner);
        output_text(w->o, "\" sourcefilename=\"");
        coverage_xml_put(w->o, s->name);
        output_text(w->o, "\">");
        for (next = i; next < w->methods.len && slice_equal(w->methods.at[next].owner, owner); next++) put_method(w->o, &w->methods.at[next], &c);
        count(&c, CLASS, c.covered[METHOD] > 0, c.covered[METHOD] == 0);
        put_counters(w->o, &c);
        output_text(w->o, "</class>\n");
        add(package, &c);
    }
    return true;
}

/* ---- lines ---- */

/* Instructions of a line that were covered and missed, from *at on, which moves behind it; false = the profile says nothing of them. */
static bool instructions_of(const struct writer *w, uint64_t key, uint32_t *at, uint64_t *covered, uint64_t *missed)
{
    const struct assay_coverage *c = assay_profile_coverage(w->p);
    uint64_t hit = 0, total = 0;
    while (*at < w->sums.count && w->sums.key[*at] < key) ++*at;
    for (; *at < w->sums.count && w->sums.key[*at] == key; ++*at) {
        uint32_t row = w->sums.row[*at];
        if (!slice_is(assay_profile_string(w->p, c->sum_kind[row]), "instructions")) continue;
        if (c->sum_hit[row] > hit) hit = c->sum_hit[row];
        if (c->sum_total[row] > total) total = c->sum_total[row];
    }
    *covered = hit;
    *missed = total > hit ? total - hit : 0;
    return total > 0;
}

static void put_source(struct writer *w, const struct source *s, struct counters *package)
{
    struct counters n = { 0 };
    struct coverage_at at = s->file->at;
    uint32_t sum = coverage_order_first(&w->sums, s->file->file);
    output_text(w->o, "<sourcefile name=\"");
    coverage_xml_put(w->o, s->name);
    output_text(w->o, "\">\n");
    for (struct coverage_out_row r; coverage_plan_next(&w->plan, s->file->file, &at, &r);) {
        uint64_t covered, missed;
        if (!r.line) continue;
        if (!instructions_of(w, (uint64_t)s->file->file << 32 | r.line, &sum, &covered, &missed)) {
            covered = r.hits > 0;
            missed = r.hits == 0;
        }
        output_printf(w->o, "<line nr=\"%u\" mi=\"%llu\" ci=\"%llu\" mb=\"%llu\" cb=\"%llu\"/>\n", r.line, (unsigned long long)missed,
                      (unsigned long long)covered, (unsigned long long)(r.total - r.covered), (unsigned long long)r.covered);
        count(&n, INSTRUCTION, covered, missed);
        count(&n, BRANCH, r.covered, r.total - r.covered);
        count(&n, LINE, covered > 0, covered == 0);
    }
    put_counters(w->o, &n);
    output_text(w->o, "</sourcefile>\n");
    add(package, &n);
}

/* ---- the whole ---- */

static int by_folder(const void *x, const void *y)
{
    const struct source *a = x, *b = y;
    int c = slice_compare(a->folder, b->folder);
    if (c == 0) c = slice_compare(a->name, b->name);
    return c ? c : ORDER(a->file, b->file);
}

static bool gather_sources(struct writer *w)
{
    for (size_t i = 0; i < w->plan.files.len; i++) {
        const struct coverage_out_file *f = &w->plan.files.at[i];
        const char *slash = f->path.len ? memrchr(f->path.data, '/', f->path.len) : NULL, *end = f->path.data + f->path.len;
        struct source *s = vec_push(w->mem, &w->sources);
        if (!s) return false;
        *s = (struct source){ slash ? slice_from(f->path.data, slash) : SLICE(""), slash ? slice_from(slash + 1, end) : f->path, f };
    }
    return sort_by(w->sources.at, w->sources.len, sizeof *w->sources.at, by_folder);
}

static bool put_document(struct writer *w)
{
    struct counters all = { 0 };
    output_text(w->o, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
                      "<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">\n<report name=\"assay\">\n");
    for (size_t i = 0, next; i < w->sources.len; i = next) {
        assay_slice folder = w->sources.at[i].folder;
        struct counters package = { 0 };
        output_text(w->o, "<package name=\"");
        coverage_xml_put(w->o, folder);
        output_text(w->o, "\">\n");
        for (next = i; next < w->sources.len && slice_equal(w->sources.at[next].folder, folder); next++) {
            if (!put_classes(w, &w->sources.at[next], &package)) return false;
            put_source(w, &w->sources.at[next], &package);
        }
        put_counters(w->o, &package);
        output_text(w->o, "</package>\n");
        add(&all, &package);
    }
    put_counters(w->o, &all);
    output_text(w->o, "</report>\n");
    return true;
}

static void name_losses(const assay_profile *p, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t names = 0;
    coverage_losses_name(p, "JaCoCo's report", COVERAGE_HOLDS_INSTRUCTIONS | COVERAGE_HOLDS_NO_LINE, l);
    for (uint32_t i = 0; i < c->func_count; i++)
        names += !split(assay_profile_string(p, assay_profile_funcs(p)->name[c->func[i].v]), (assay_slice){ NULL, 0 }).owner.len;
    if (names) losses_add(l, "names", names, "functions without a class are written as methods of a class named like their file");
}

static void writer_done(struct writer *w)
{
    vec_done(w->mem, &w->sources, &w->methods, &w->owner);
    coverage_order_free(&w->sums, w->mem);
    coverage_plan_free(&w->plan);
}

int jacoco_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    if (!(assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE))
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data, which is all that JaCoCo's report can hold");
    SCOPED(writer_done) struct writer w = { .o = out, .p = p, .mem = job->mem };
    if (!coverage_plan_make(&w.plan, p, job->mem)) return error_memory(err);
    name_losses(p, job->losses);
    coverage_plan_lose_strays(&w.plan, job->losses);
    TRY(losses_settle(job, err));
    bool done = coverage_order_make(&w.sums, job->mem, c->sum_file, c->sum_line, c->sum_count) && gather_sources(&w) && put_document(&w);
    return done ? 0 : error_memory(err);
}
