/* Sealed profile -> cachegrind text: self costs by file, function and line, and their sum (docs/formats/callgrind.md, "Cachegrind"). Names and
 * positions stand in full, and each line has all its costs: cg_annotate, cg_diff and cg_merge read nothing else. */
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/callgrind/callgrind.h"
#include "formats/callgrind/write.h"

struct place {
    uint32_t file, name; /* strings */
    uint32_t line, index;
};

struct writer {
    struct cg_writer w;
    VEC(struct place) places;
    assay_wide *sums; /* of the line in work */
};

/* ---- plan ---- */

static int by_place(const void *pa, const void *pb)
{
    const struct place *a = pa, *b = pb;
    ORDER_BY(a->file, b->file);
    ORDER_BY(a->name, b->name);
    ORDER_BY(a->line, b->line);
    return ORDER(a->index, b->index);
}

static int add(struct writer *x, uint32_t index, uint32_t func, uint32_t file, uint32_t line)
{
    struct place *slot = vec_push(x->w.mem, &x->places);
    if (!slot) return error_memory(x->w.err);
    *slot = (struct place){ file ? assay_profile_files(x->w.p)->path[file].v : 0, x->w.funcs->name[func].v, line, index };
    return 0;
}

static int plan(struct writer *x)
{
    const struct assay_graph *g = x->w.g;
    const struct assay_funcs *funcs = x->w.funcs;
    x->w.costs_from_sums = g->cost_count == 0;
    for (uint32_t i = 0; i < g->cost_count; i++) TRY(add(x, i, g->cost_func[i].v, g->cost_file ? g->cost_file[i].v : 0, g->cost_line ? g->cost_line[i] : 0));
    for (uint32_t i = 0; x->w.costs_from_sums && i < g->sum_count; i++) {
        uint32_t f = g->sum_func[i].v;
        TRY(add(x, i, f, funcs->file ? funcs->file[f].v : 0, funcs->first_line ? funcs->first_line[f] : 0));
    }
    if (x->places.len) sort_by(x->places.at, x->places.len, sizeof *x->places.at, by_place);
    return 0;
}

/* ---- losses ---- */

static bool is_header(assay_slice key) { return slice_is(key, "cmd") || slice_is(key, "desc"); }
/* What the text says in another way, or what is only true of the old one. */
static bool is_implied(assay_slice key)
{
    return slice_is(key, "events") || slice_is(key, "positions") || slice_is(key, "version") || slice_is(key, "creator") || slice_is(key, "summary") ||
           slice_is(key, "totals");
}

static void name_losses(struct writer *x)
{
    const assay_profile *p = x->w.p;
    const struct assay_attributes *a = assay_profile_attributes(p);
    const struct assay_graph *g = x->w.g;
    struct losses *l = x->w.job->losses;
    uint32_t streams = assay_profile_streams(p)->count;
    uint64_t headers = 0, addresses = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(p, a->key[i]);
        headers += !is_implied(key) && !(is_header(key) && cg_is_one_line(assay_profile_string(p, a->value[i])));
    }
    for (uint32_t i = 0; g->cost_address && i < g->cost_count; i++) addresses += g->cost_address[i] != 0;
    cg_write_figure_losses(&x->w);
    if (g->arc_count) losses_add(l, "calls", g->arc_count, "calls are left out: cachegrind has self costs only");
    if (g->jump_count) losses_add(l, "jumps", g->jump_count, "jumps are left out");
    if (assay_profile_modules(p)->count)
        losses_add(l, "modules", assay_profile_modules(p)->count, "functions of different modules are told apart by file and name only");
    if (addresses) losses_add(l, "addresses", addresses, "costs of instructions become costs of lines");
    if (streams > 1) losses_add(l, "streams", streams, "parts, runs and threads are added up");
    if (headers) losses_add(l, "attributes", headers, "%llu headers have no place in cachegrind's text", (unsigned long long)headers);
    if (assay_profile_shapes(p) & ASSAY_SHAPE_TREE) losses_add(l, "tree", assay_profile_tree(p)->count, "calling contexts become self costs of functions");
    cg_write_shape_losses(&x->w);
}

/* ---- text ---- */

/* cg_annotate needs a command. */
static void head(struct writer *x)
{
    const struct assay_attributes *a = assay_profile_attributes(x->w.p);
    bool has_cmd = false;
    for (int is_cmd = 0; is_cmd < 2; is_cmd++)
        for (uint32_t i = 0; i < a->count; i++) {
            assay_slice key = assay_profile_string(x->w.p, a->key[i]), value = assay_profile_string(x->w.p, a->value[i]);
            if ((a->stream ? a->stream[i].v : 0) > 1 || !slice_is(key, is_cmd ? "cmd" : "desc") || !cg_is_one_line(value) || has_cmd) continue;
            cg_write_header(&x->w, "", key, value);
            has_cmd = is_cmd;
        }
    if (!has_cmd) cg_write_header(&x->w, "", SLICE("cmd"), SLICE("(unknown)"));
    cg_write_events(&x->w, " \n"); /* as Valgrind has it: cg_merge compares the line byte by byte */
}

static void number(struct writer *x, assay_wide v)
{
    char text[48];
    output_char(x->w.out, ' ');
    output_bytes(x->w.out, text, number_put_wide(text, v));
}

/* Adds the rows of one place; returns where the next begins. */
static size_t cost_line(struct writer *x, size_t at)
{
    struct cg_writer *w = &x->w;
    const struct place *first = &x->places.at[at];
    const assay_value *values = w->costs_from_sums ? w->g->sum_self : w->g->cost_self;
    uint32_t width = w->g->block.metric_count;
    memset(x->sums, 0, width * sizeof *x->sums);
    for (; at < x->places.len && x->places.at[at].file == first->file && x->places.at[at].name == first->name && x->places.at[at].line == first->line; at++)
        for (uint32_t k = 0; values && k < width; k++)
            x->sums[k] = wide_add_i64(x->sums[k], cg_write_value(w, k, values[(size_t)x->places.at[at].index * width + k]));
    output_u64(w->out, first->line);
    for (uint32_t k = 0; k < width; k++) {
        number(x, x->sums[k]);
        w->totals[k] = wide_add(w->totals[k], x->sums[k]);
    }
    output_char(w->out, '\n');
    return at;
}

static int put(struct writer *x)
{
    struct cg_writer *w = &x->w;
    uint32_t file = UINT32_MAX, name = UINT32_MAX;
    TRY(plan(x));
    head(x);
    for (size_t i = 0; i < x->places.len && !output_failed(w->out);) {
        const struct place *at = &x->places.at[i];
        if (at->file != file) cg_encode_name(&w->e, CG_FL, at->file, assay_profile_string(w->p, (assay_str_id){ at->file }));
        if (at->file != file || at->name != name) cg_encode_name(&w->e, CG_FN, at->name, assay_profile_string(w->p, (assay_str_id){ at->name }));
        file = at->file;
        name = at->name;
        i = cost_line(x, i);
    }
    output_text(w->out, "summary:");
    for (uint32_t k = 0; k < w->g->block.metric_count; k++) number(x, w->totals[k]);
    output_char(w->out, '\n');
    return w->e.failed ? error_memory(w->err) : output_failed(w->out);
}

int cachegrind_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct writer x = { .w = { .p = p, .g = assay_profile_graph(p), .funcs = assay_profile_funcs(p), .job = job, .out = out, .mem = job->mem, .err = err } };
    size_t width = (size_t)x.w.g->block.metric_count + 1;
    if (!(assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH))
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "cachegrind needs costs of functions, which this profile does not have");
    name_losses(&x);
    TRY(losses_settle(job, err));
    cg_encoder_init(&x.w.e, out, job->mem, NULL);
    x.w.e.no_ids = true;
    SCRATCH(assay_wide, totals, job->mem, width);
    SCRATCH(assay_wide, sums, job->mem, width);
    vec_scoped(job->mem, &x.places);
    x.w.totals = totals;
    x.sums = sums;
    int rc = totals && sums ? put(&x) : error_memory(err);
    cg_encoder_done(&x.w.e);
    return rc;
}
