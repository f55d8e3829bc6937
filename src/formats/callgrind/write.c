/* Sealed profile -> callgrind text, in Valgrind's style: a part for each stream, functions grouped by object and file, name ids,
 * relative positions, calls after the self cost of the same place (docs/formats/callgrind.md, "Writing"). */
#include "formats/callgrind/write.h"

#include <math.h>

#include "analysis/core/units.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/callgrind/callgrind.h"

/* ---- plan: which rows, in which order ---- */

struct ranked {
    uint32_t module, file, row, func;
};

static int by_place(const void *pa, const void *pb)
{
    const struct ranked *a = pa, *b = pb;
    ORDER_BY(a->module, b->module);
    ORDER_BY(a->file, b->file);
    return ORDER(a->row, b->row);
}

/* Grouped: functions of one object and file stand together. Else, and among them, in the order of first use. */
static int rank_functions(struct cg_writer *w)
{
    size_t n = w->g->sum_count;
    SCRATCH(struct ranked, list, w->mem, n + 1);
    if (!list) return error_memory(w->err);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t f = w->g->sum_func[i].v;
        list[i] = (struct ranked){ 0, 0, i, f };
        if (w->is_grouped) list[i] = (struct ranked){ w->funcs->module ? w->funcs->module[f].v : 0, w->funcs->file ? w->funcs->file[f].v : 0, i, f };
    }
    if (n) sort_by(list, n, sizeof *list, by_place);
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!w->rank[list[i].func]) w->rank[list[i].func] = ++rank;
    return 0;
}

static uint32_t get(const uint32_t *column, uint32_t i) { return column ? column[i] : 0; }

static int add_row(struct cg_writer *w, enum cg_row_kind kind, uint32_t i, assay_stream_id stream, uint32_t func, uint32_t file, uint32_t line,
                   uint64_t address)
{
    struct cg_row *r = vec_push(w->mem, &w->rows);
    if (!r) return error_memory(w->err);
    *r = (struct cg_row){ stream.v, w->rank[func], func, file, line, (uint32_t)kind, address, i };
    w->e.has_address |= address != 0;
    w->e.has_line |= line != 0;
    return 0;
}

static int plan_rows(struct cg_writer *w)
{
    const struct assay_graph *g = w->g;
    assay_stream_id none = { 0 };
    w->costs_from_sums = g->cost_count == 0;
    for (uint32_t i = 0; !w->costs_from_sums && i < g->cost_count; i++)
        TRY(add_row(w, CG_ROW_SELF, i, g->cost_stream ? g->cost_stream[i] : none, g->cost_func[i].v, g->cost_file ? g->cost_file[i].v : 0, get(g->cost_line, i),
                    g->cost_address ? g->cost_address[i] : 0));
    for (uint32_t i = 0; w->costs_from_sums && i < g->sum_count; i++) {
        uint32_t f = g->sum_func[i].v;
        TRY(add_row(w, CG_ROW_SELF, i, g->sum_stream ? g->sum_stream[i] : none, f, w->funcs->file ? w->funcs->file[f].v : 0, get(w->funcs->first_line, f), 0));
    }
    for (uint32_t i = 0; i < g->arc_count; i++)
        TRY(add_row(w, CG_ROW_CALL, i, g->arc_stream ? g->arc_stream[i] : none, g->arc_caller[i].v, g->arc_file ? g->arc_file[i].v : 0, get(g->arc_line, i),
                    g->arc_address ? g->arc_address[i] : 0));
    for (uint32_t i = 0; i < g->jump_count; i++)
        TRY(add_row(w, CG_ROW_JUMP, i, g->jump_stream ? g->jump_stream[i] : none, g->jump_func[i].v, g->jump_file ? g->jump_file[i].v : 0, get(g->jump_line, i),
                    g->jump_address ? g->jump_address[i] : 0));
    return 0;
}

/* The self cost at the function's first line opens it: that is how a reader knows the line. */
static bool is_first(const struct cg_writer *w, const struct cg_row *r)
{
    return r->kind == CG_ROW_SELF && w->funcs->first_line && w->funcs->first_line[r->func] == r->line &&
           r->file == (w->funcs->file ? w->funcs->file[r->func].v : 0);
}

static int compare_rows(const void *pa, const void *pb, void *arg)
{
    const struct cg_writer *w = arg;
    const struct cg_row *a = pa, *b = pb;
    ORDER_BY(a->stream, b->stream);
    ORDER_BY(a->rank, b->rank);
    if (!w->is_grouped && a->kind != b->kind) return ORDER(a->kind, b->kind);
    if (!w->is_grouped) return ORDER(a->index, b->index);
    if (a->file != b->file) { /* the function's own file first */
        uint32_t own = w->funcs->file ? w->funcs->file[a->func].v : 0;
        return a->file == own ? -1 : b->file == own ? 1 : a->file < b->file ? -1 : 1;
    }
    bool a_first = is_first(w, a), b_first = is_first(w, b);
    if (a_first != b_first) return a_first ? -1 : 1;
    ORDER_BY(a->address, b->address);
    ORDER_BY(a->line, b->line);
    ORDER_BY(a->kind, b->kind);
    return ORDER(a->index, b->index);
}

/* ---- losses ---- */

static uint8_t type_of(const struct cg_writer *w, uint32_t metric)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    return m->type ? m->type[metric] : ASSAY_U64;
}

/* ns in one of a metric that is written as whole nanoseconds: times with fractions, which the text does not have; 0 = it is written as it is. */
static double to_ns(const struct cg_writer *w, uint32_t metric)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    if (type_of(w, metric) != ASSAY_F64 || !m->unit) return 0;
    double ns = units_time(assay_profile_string(w->p, m->unit[metric]));
    return ns > 1 ? ns : 0;
}

static double scaled(const struct cg_writer *w, uint32_t k, double v)
{
    double ns = to_ns(w, w->g->block.metrics[k].v);
    return ns > 0 ? v * ns : v;
}

int64_t cg_write_value(const struct cg_writer *w, uint32_t k, assay_value v)
{
    uint8_t type = type_of(w, w->g->block.metrics[k].v);
    if (type == ASSAY_I64) return v.i;
    if (type == ASSAY_U64) return v.u > INT64_MAX ? INT64_MAX : (int64_t)v.u;
    double d = scaled(w, k, v.d);
    if (isnan(d)) return 0;
    return d >= 9223372036854775807.0 ? INT64_MAX : d <= -9223372036854775808.0 ? INT64_MIN : (int64_t)llround(d);
}

/* What seconds times 1e9 may be off a whole number without having a fraction. */
#define NOISE 1e-6

static bool has_fraction(const struct cg_writer *w, uint32_t k, const assay_value *values, uint32_t count)
{
    for (uint32_t i = 0; values && i < count; i++) {
        double d = scaled(w, k, values[(size_t)i * w->g->block.metric_count + k].d);
        if (fabs(d - round(d)) > NOISE) return true;
    }
    return false;
}

/* Whether metric number k is not written as it is. */
static bool is_rounded(const struct cg_writer *w, uint32_t k)
{
    const struct assay_graph *g = w->g;
    if (type_of(w, g->block.metrics[k].v) != ASSAY_F64) return false;
    return has_fraction(w, k, g->cost_self, g->cost_count) || has_fraction(w, k, g->sum_self, g->sum_count) || has_fraction(w, k, g->arc_total, g->arc_count);
}

bool cg_is_one_line(assay_slice s) { return !s.len || !memchr(s.data, '\n', s.len); }

static bool is_header(const struct cg_writer *w, const struct assay_attributes *a, uint32_t i)
{
    return cg_is_one_line(assay_profile_string(w->p, a->key[i])) && cg_is_one_line(assay_profile_string(w->p, a->value[i]));
}

void cg_write_figure_losses(struct cg_writer *w)
{
    struct losses *l = w->job->losses;
    uint64_t fractions = 0, seconds = 0;
    for (uint32_t k = 0; k < w->g->block.metric_count; k++) {
        fractions += is_rounded(w, k);
        seconds += to_ns(w, w->g->block.metrics[k].v) > 0;
    }
    if (seconds) losses_add(l, "units", seconds, "%llu metrics with fractions of seconds become whole nanoseconds", (unsigned long long)seconds);
    if (fractions) losses_add(l, "fractions", fractions, "%llu metrics have fractions, which are rounded", (unsigned long long)fractions);
}

void cg_write_shape_losses(struct cg_writer *w)
{
    struct losses *l = w->job->losses;
    uint32_t others = assay_profile_shapes(w->p) & ~(uint32_t)ASSAY_SHAPE_GRAPH;
    if ((others | assay_profile_offers(w->p)) & ASSAY_SHAPE_LINES) losses_add(l, "lines", 1, "costs of lines without a function are left out");
    if (others & ASSAY_SHAPE_COVERAGE) losses_add(l, "coverage", 1, "coverage is left out");
}

static void name_losses(struct cg_writer *w)
{
    struct losses *l = w->job->losses;
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    uint64_t entered = 0, texts = 0;
    cg_write_figure_losses(w);
    for (uint32_t i = 0; i < a->count; i++) texts += !is_header(w, a, i);
    if (texts) losses_add(l, "attributes", texts, "%llu headers have several lines and are left out", (unsigned long long)texts);
    for (uint32_t i = 0; i < w->g->sum_count; i++) {
        uint64_t calls = w->g->sum_calls ? w->g->sum_calls[i] : 0, times = 0;
        if (w->g->has_stated && w->g->has_stated[i])
            times = w->g->stated_calls[i];
        else if (w->g->sum_entered)
            times = w->g->sum_entered[i];
        entered += times > (calls ? calls : 1);
    }
    if (entered)
        losses_add(l, "invocations", entered, "%llu functions were entered more often than they were called, which callgrind cannot express",
                   (unsigned long long)entered);
    if (assay_profile_shapes(w->p) & ASSAY_SHAPE_TREE) losses_add(l, "tree", assay_profile_tree(w->p)->count, "calling contexts become a call graph");
    cg_write_shape_losses(w);
}

/* ---- headers ---- */

/* Valgrind's own facts are headers here too; those of other formats would mislead readers (a creator decides how a file is read), so
 * they are kept behind a word of ours, and come back as they were. */
static bool is_native(const struct cg_writer *w)
{
    const char *format = assay_profile_format(w->p);
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    if (strcmp(format, "callgrind") != 0 && strcmp(format, "cachegrind") != 0) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(w->p, a->key[i]), value = assay_profile_string(w->p, a->value[i]);
        if (slice_is(key, "creator") ? slice_starts(value, "xdebug") : slice_is(key, "version") && slice_is(value, "0.9.6")) return false;
    }
    return true;
}

static bool is_kept_key(assay_slice key)
{
    return slice_is(key, "cmd") || slice_is(key, "pid") || slice_is(key, "part") || slice_is(key, "thread") || slice_is(key, "desc") || slice_is(key, "arch");
}

void cg_write_header(struct cg_writer *w, const char *before, assay_slice key, assay_slice value)
{
    output_text(w->out, before);
    output_slice(w->out, key);
    output_text(w->out, ": ");
    output_slice(w->out, value);
    output_char(w->out, '\n');
}

static void attributes(struct cg_writer *w, uint32_t stream, bool originals)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    bool native = is_native(w);
    for (uint32_t i = 0; i < a->count; i++) {
        if ((a->stream ? a->stream[i].v : 0) != stream || !is_header(w, a, i)) continue;
        assay_slice key = assay_profile_string(w->p, a->key[i]), value = assay_profile_string(w->p, a->value[i]);
        if (originals) {
            if (!native) cg_write_header(w, "desc: Original header: ", key, value);
        } else if (slice_is(key, "cmd") || (native && is_kept_key(key)))
            cg_write_header(w, "", key, value);
        else if (native && slice_is(key, "creator") && !slice_starts(value, "assay "))
            cg_write_header(w, "desc: ", SLICE("Creator"), value);
    }
}

static assay_slice attribute(const struct cg_writer *w, uint32_t stream, const char *name)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    for (uint32_t i = 0; i < a->count; i++)
        if ((a->stream ? a->stream[i].v : 0) == stream && slice_is(assay_profile_string(w->p, a->key[i]), name)) return assay_profile_string(w->p, a->value[i]);
    return (assay_slice){ NULL, 0 };
}

/* One word, whatever the metric is called, which tells its unit too: there is no other place for it. */
static void event_name(struct cg_writer *w, uint32_t metric)
{
    assay_slice name = assay_profile_string(w->p, assay_profile_metrics(w->p)->name[metric]);
    char told[UNITS_TEXT], unit[UNITS_TEXT] = "ns";
    units_of_event(name, told);
    if (!(to_ns(w, metric) > 0)) {
        if (slice_contains(name, " (")) units_in_name(name, told); /* its blank becomes '_' */
        units_to_tell(w->p, (assay_metric_id){ metric }, told, unit);
    }
    for (size_t i = 0; i < name.len; i++) output_char(w->out, (unsigned char)name.data[i] <= ' ' ? '_' : name.data[i]);
    if (!name.len) output_char(w->out, '_');
    if (*unit) output_printf(w->out, "_(%s)", unit);
}

void cg_write_events(struct cg_writer *w, const char *end)
{
    output_text(w->out, "events:");
    for (uint32_t k = 0; k < w->g->block.metric_count; k++) {
        output_char(w->out, ' ');
        event_name(w, w->g->block.metrics[k].v);
    }
    output_text(w->out, end);
}

static void event_lines(struct cg_writer *w)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    bool native = is_native(w);
    for (uint32_t id = 1; id <= m->count; id++) {
        assay_str_id none = { 0 };
        assay_slice text = assay_profile_string(w->p, m->description ? m->description[id] : none);
        assay_slice formula = assay_profile_string(w->p, m->formula ? m->formula[id] : none);
        if (!text.len && !formula.len) continue;
        if (formula.len && !native) continue; /* written in words of another format */
        output_text(w->out, "event: ");
        event_name(w, id);
        if (formula.len) {
            output_text(w->out, " = ");
            output_slice(w->out, formula);
        }
        if (text.len) {
            output_text(w->out, " : ");
            for (size_t i = 0; i < text.len; i++) output_char(w->out, text.data[i] == '\n' ? ' ' : text.data[i]);
        }
        output_char(w->out, '\n');
    }
    cg_write_events(w, "\n");
}

static void head(struct cg_writer *w, uint32_t stream)
{
    if (w->e.part == 1)
        output_text(w->out, "# callgrind format\n");
    else
        output_char(w->out, '\n');
    attributes(w, stream, true);
    output_text(w->out, "version: 1\ncreator: assay ");
    output_text(w->out, ASSAY_VERSION);
    output_char(w->out, '\n');
    attributes(w, stream, false);
    output_text(w->out, w->e.has_address ? w->e.has_line ? "positions: instr line\n" : "positions: instr\n" : "positions: line\n");
    event_lines(w);
    assay_slice summary = attribute(w, stream, "summary");
    bool is_whole = strcmp(assay_profile_format(w->p), "webgrind") != 0 && !attribute(w, 0, "filtered").len; /* what the file says of itself still holds */
    if (summary.len && cg_is_one_line(summary) && is_whole) cg_write_header(w, "", SLICE("summary"), summary);
    output_char(w->out, '\n');
}

/* Left out where one does not fit in 64 bits: every reader would stumble. */
static void totals(struct cg_writer *w)
{
    char text[48];
    for (uint32_t k = 0; k < w->g->block.metric_count; k++)
        if (w->totals[k].high != (int64_t)w->totals[k].low >> 63) return;
    output_text(w->out, "totals:");
    for (uint32_t k = 0; k < w->g->block.metric_count; k++) {
        output_char(w->out, ' ');
        output_bytes(w->out, text, number_put_wide(text, w->totals[k]));
    }
    output_char(w->out, '\n');
}

/* ---- the whole ---- */

static void part(struct cg_writer *w, uint32_t stream, size_t from, size_t to)
{
    cg_encode_part(&w->e);
    w->has_func = false;
    w->module = w->file = w->func = 0;
    memset(w->totals, 0, w->g->block.metric_count * sizeof *w->totals);
    head(w, stream);
    cg_write_rows(w, from, to);
    totals(w);
}

static int write_parts(struct cg_writer *w)
{
    w->e.has_line = false;
    TRY(rank_functions(w));
    TRY(plan_rows(w));
    if (!w->e.has_address) w->e.has_line = true;
    if (w->rows.len) sort_with(w->rows.at, w->rows.len, sizeof *w->rows.at, compare_rows, w);
    uint32_t streams = assay_profile_streams(w->p)->count;
    size_t from = 0;
    for (uint32_t s = 0; s <= streams; s++) { /* a part without costs is one all the same */
        size_t to = from;
        while (to < w->rows.len && w->rows.at[to].stream == s) to++;
        if (s || !streams || from < to) part(w, s, from, to);
        from = to;
    }
    return w->e.failed ? error_memory(w->err) : output_failed(w->out);
}

static bool reserve(struct cg_writer *w)
{
    size_t width = (size_t)w->g->block.metric_count + 1;
    w->rank = mem_zalloc(w->mem, (size_t)w->funcs->count + 1, sizeof *w->rank);
    w->totals = mem_zalloc(w->mem, width, sizeof *w->totals);
    w->costs = mem_zalloc(w->mem, width, sizeof *w->costs);
    return w->rank && w->totals && w->costs;
}

static void writer_done(struct cg_writer *w)
{
    size_t width = (size_t)w->g->block.metric_count + 1;
    mem_free(w->mem, w->rank, ((size_t)w->funcs->count + 1) * sizeof *w->rank);
    mem_free(w->mem, w->totals, width * sizeof *w->totals);
    mem_free(w->mem, w->costs, width * sizeof *w->costs);
    vec_done(w->mem, &w->rows);
    cg_encoder_done(&w->e);
}

int callgrind_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct cg_writer w = { .p = p, .g = assay_profile_graph(p), .funcs = assay_profile_funcs(p), .job = job, .out = out, .mem = job->mem, .err = err };
    if (!(assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH) && (assay_profile_shapes(p) || !assay_profile_metrics(p)->count))
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "callgrind needs function and call costs, which this profile does not have");
    name_losses(&w);
    TRY(losses_settle(job, err));
    cg_encoder_init(&w.e, out, job->mem, job->own);
    w.is_grouped = assay_profile_modules(p)->count > 0;
    int rc = reserve(&w) ? write_parts(&w) : error_memory(err);
    writer_done(&w);
    return rc;
}
