/* Records -> call graph. Own times come from the flat profile where there is one, totals and calls from the entries of the call graph: so both are kept until the
 * end, a row for each function and each arc. */
#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/number.h"
#include "base/slice.h"
#include "formats/gprof-text/gprof.h"

struct function {
    double self, entry_self, total, flat_total;
    uint64_t calls, entry_calls, recursive;
    bool has_row, has_calls, has_entry;
    assay_func_id id;
};
struct place {
    uint32_t func, file, line; /* numbers of names from 1 */
    uint64_t address;
    double self;
};
struct arc {
    uint32_t caller, callee;
    uint32_t file, line; /* of the call, in line-by-line profiles */
    uint64_t calls;
    double self, total;
    bool is_other_side; /* from a line of its callee: counts where the caller has no entry */
};

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct mem *mem;
    struct findings damage;
    struct gprof_decoder d;
    struct intern names, files;
    VEC(struct function) functions; /* by name - 1 */
    VEC(struct place) places;       /* flat rows */
    VEC(struct arc) arcs;
    size_t open; /* first arc of the entry at hand */
    uint32_t entry, entry_file, entry_line;
    bool in_cycle;
    double per_sample;
    char unit[32];
};

/* ---- taking in ---- */

/* The number of a name, from 1; 0 = no memory. */
static uint32_t function_of(struct reader *r, assay_slice name)
{
    uint32_t id = intern_put(&r->names, name);
    if (!id || id <= r->functions.len) return id;
    struct function *f = vec_push(r->mem, &r->functions);
    if (!f) return 0;
    *f = (struct function){ 0 };
    return id;
}

static uint64_t plus(uint64_t a, uint64_t b) { return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a; }

/* gprof's seconds are hundredths: so are their sums. */
static double hundredths(double v) { return round(v * 100) / 100; }

/* false = no memory; *file = 0 where the name has none. */
static bool file_of(struct reader *r, const struct gprof_name *who, uint32_t *file)
{
    *file = who->file.len ? intern_put(&r->files, who->file) : 0;
    return *file || !who->file.len;
}

static bool add_row(struct reader *r, const struct gprof_record *rec)
{
    uint32_t id = function_of(r, rec->who.name), file;
    struct place *p = id && file_of(r, &rec->who, &file) ? vec_push(r->mem, &r->places) : NULL;
    if (!p) return false;
    *p = (struct place){ id, file, rec->who.line, rec->who.address, rec->self };
    struct function *f = &r->functions.at[id - 1];
    f->has_row = true;
    f->has_calls |= rec->has_calls;
    f->self += rec->self;
    f->flat_total += rec->has_calls ? rec->total : rec->self;
    f->calls = plus(f->calls, rec->calls);
    return true;
}

/* The lines above it said who calls it, but not whom they call. */
static bool add_entry(struct reader *r, const struct gprof_record *rec)
{
    r->entry = function_of(r, rec->who.name);
    r->entry_line = rec->who.line;
    if (!r->entry || !file_of(r, &rec->who, &r->entry_file)) return false;
    for (size_t i = r->open; i < r->arcs.len; i++) r->arcs.at[i].callee = r->entry;
    struct function *f = &r->functions.at[r->entry - 1];
    f->has_entry = true;
    f->entry_self += rec->self;
    f->total += hundredths(rec->self + rec->children);
    f->entry_calls = plus(f->entry_calls, rec->calls);
    f->recursive = plus(f->recursive, rec->recursive);
    return true;
}

static bool add_arc(struct reader *r, const struct gprof_record *rec)
{
    bool is_caller = rec->kind == GPROF_CALLER;
    uint32_t other = function_of(r, rec->who.name), file;
    struct arc *a = other && file_of(r, &rec->who, &file) ? vec_push(r->mem, &r->arcs) : NULL;
    if (!a) return false;
    *a = (struct arc){ .calls = rec->calls, .self = rec->self, .total = hundredths(rec->self + rec->children), .is_other_side = is_caller };
    a->caller = is_caller ? other : r->entry;
    a->callee = is_caller ? 0 : other;
    a->file = is_caller ? file : r->entry_file;
    a->line = is_caller ? rec->who.line : r->entry_line;
    return true;
}

static void end_entry(struct reader *r)
{
    size_t kept = r->open;
    for (size_t i = r->open; i < r->arcs.len; i++)
        if (r->arcs.at[i].callee && r->arcs.at[i].caller) r->arcs.at[kept++] = r->arcs.at[i];
    r->arcs.len = r->open = kept;
    r->entry = 0;
    r->in_cycle = false;
}

static bool add_record(struct reader *r, const struct gprof_record *rec)
{
    switch (rec->kind) {
    case GPROF_SAMPLE: r->per_sample = rec->self; break;
    case GPROF_HEADER:
        if (rec->who.name.len < sizeof r->unit) memcpy(r->unit, rec->who.name.data, rec->who.name.len);
        break;
    case GPROF_FLAT: return add_row(r, rec);
    case GPROF_CALLER: return add_arc(r, rec);
    case GPROF_CALLEE: return r->in_cycle || add_arc(r, rec);
    case GPROF_ENTRY:
        if (r->entry) end_entry(r);
        return add_entry(r, rec);
    case GPROF_CYCLE: r->in_cycle = true; break;
    case GPROF_RULE:
    case GPROF_END: end_entry(r); break;
    case GPROF_TEXT:
    case GPROF_UNKNOWN: break;
    }
    return true;
}

static int add_lines(struct reader *r, assay_error *err)
{
    struct gprof_record rec = { .kind = GPROF_TEXT };
    for (uint64_t i = 0; rec.kind != GPROF_END; i++) {
        TRY(cancel_step(i, err));
        TRY(gprof_next(&r->d, &rec));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, err));
        if (!add_record(r, &rec)) return error_memory(err);
    }
    return 0;
}

/* ---- building ---- */

static void build_function(struct reader *r, uint32_t id)
{
    assay_slice name = intern_get(&r->names, id);
    struct function *f = &r->functions.at[id - 1];
    assay_value total = { .d = f->has_entry ? f->total : f->flat_total };
    uint64_t calls = plus(f->has_calls ? f->calls : f->entry_calls, f->recursive);
    f->id = assay_build_func(r->b, assay_build_string(r->b, name.data, name.len), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    if (f->has_row || f->has_entry) assay_build_stated(r->b, (assay_stream_id){ 0 }, f->id, calls, &total, 1);
    if (f->has_entry && !f->has_row) assay_build_self(r->b, &(struct assay_place){ .func = f->id }, &(assay_value){ .d = r->d.rows ? 0 : f->entry_self }, 1);
}

static assay_file_id build_file(struct reader *r, uint32_t file)
{
    assay_slice path = intern_get(&r->files, file);
    return file ? assay_build_file(r->b, assay_build_string(r->b, path.data, path.len), (assay_module_id){ 0 }) : (assay_file_id){ 0 };
}

static void build_place(struct reader *r, const struct place *p)
{
    assay_func_id func = r->functions.at[p->func - 1].id;
    assay_file_id file = build_file(r, p->file);
    if (p->file) assay_build_func_place(r->b, func, file, (assay_module_id){ 0 }, 0);
    assay_build_self(r->b, &(struct assay_place){ .func = func, .file = file, .line = p->line, .address = p->address }, &(assay_value){ .d = p->self }, 1);
}

static void build_arc(struct reader *r, const struct arc *a)
{
    const struct function *caller = &r->functions.at[a->caller - 1];
    if (a->is_other_side && caller->has_entry) return;
    struct assay_place site = { .func = caller->id, .file = build_file(r, a->file), .line = a->line };
    assay_build_call(r->b, &site, r->functions.at[a->callee - 1].id, a->calls, &(assay_value){ .d = a->total }, 1);
    assay_build_call_more(r->b, &(assay_value){ .d = a->self }, NULL, 0);
}

static void build_facts(struct reader *r)
{
    char text[48];
    uint64_t calls = 0;
    for (size_t i = 0; i < r->functions.len; i++) calls = plus(calls, r->functions.at[i].calls);
    assay_build_source(r->b, "gprof-text", "", "gprof");
    assay_build_count(r->b, "functions", r->d.rows);
    assay_build_count(r->b, "calls", r->d.callees);
    assay_build_count(r->b, "entries", r->d.entries);
    assay_build_count(r->b, "cycles", r->d.cycles);
    assay_build_count(r->b, "total_calls", calls);
    if (r->per_sample > 0)
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, "seconds_per_sample", strlen("seconds_per_sample"), text, number_put_double(text, r->per_sample));
    if (r->arcs.len) assay_build_attribute(r->b, (assay_stream_id){ 0 }, "arcs", strlen("arcs"), "estimated", strlen("estimated"));
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
}

static int build(struct reader *r, assay_error *err)
{
    assay_metric_id metric = assay_build_metric(r->b, "self", r->unit[0] ? r->unit : "seconds", ASSAY_F64, ASSAY_SHAPE_GRAPH);
    assay_build_graph_metrics(r->b, &metric, 1);
    for (uint32_t i = 0; i < r->functions.len; i++) {
        TRY(cancel_step(i, err));
        build_function(r, i + 1);
    }
    for (size_t i = 0; i < r->places.len; i++) {
        TRY(cancel_step(i, err));
        build_place(r, &r->places.at[i]);
    }
    for (size_t i = 0; i < r->arcs.len; i++) {
        TRY(cancel_step(i, err));
        build_arc(r, &r->arcs.at[i]);
    }
    build_facts(r);
    return assay_builder_failed(r->b);
}

static int read_file(struct reader *r, assay_error *err)
{
    TRY(add_lines(r, err));
    if (!r->d.rows && !r->d.entries && r->damage.errors) return findings_refuse(&r->damage, err);
    return build(r, err);
}

int gprof_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b, .mem = job->mem };
    findings_init(&r.damage, job->mem);
    intern_init(&r.names, job->mem);
    intern_init(&r.files, job->mem);
    gprof_decoder_init(&r.d, job->in, job->mem, &r.damage, err);
    int rc = read_file(&r, err);
    gprof_decoder_done(&r.d);
    intern_done(&r.names);
    intern_done(&r.files);
    vec_done(job->mem, &r.functions, &r.places, &r.arcs);
    findings_done(&r.damage);
    return rc;
}
