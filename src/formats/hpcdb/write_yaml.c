/* metrics/default.yaml: which columns a viewer shows. A database that was read keeps its own text; otherwise every metric that is not invisible
 * is one column with its sum, inclusive and exclusive; those that are computed have their formula. */
#include "base/slice.h"
#include "formats/hpcdb/formula.h"
#include "formats/hpcdb/write.h"

struct yaml {
    const struct hpcdb_plan *plan;
    struct output *o;
    struct arena arena;
    bool no_memory;
};

static const struct {
    const char *anchor, *formula, *combine;
} partials[PARTIALS] = { [PARTIAL_COUNT] = { "-sum-1-", "1", "sum" },
                         [PARTIAL_SUM] = { "-sum-x24_x24_-", "$$", "sum" },
                         [PARTIAL_SQUARES] = { "-sum-x28_x24_x24_x5e_2x29_-", "($$^2)", "sum" },
                         [PARTIAL_MIN] = { "-min-x24_x24_-", "$$", "min" },
                         [PARTIAL_MAX] = { "-max-x24_x24_-", "$$", "max" } };

/* Variants of a column; #k is a partial. */
static const struct {
    const char *name, *formula;
} variants[] = { { "Sum", "#1" }, { "Mean", "#1/#0" }, { "StdDev", "sqrt(#2/#0-(#1/#0)^2)" }, { "CfVar", "sqrt(#2/#0-(#1/#0)^2)/(#1/#0)" },
                 { "Min", "#3" }, { "Max", "#4" } };
enum { VARIANTS = sizeof variants / sizeof *variants };

static const char *const name_of_scope[] = { "point", "function", "lex_aware", "execution" };

/* ---- texts ---- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Letters, and what cannot be taken for anything but text behind them; words that mean something else are too short to pass. */
static bool is_plain(assay_slice s)
{
    if (s.len < 6 || !is_letter(s.data[0]) || s.data[s.len - 1] == ' ') return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        bool is_colon = c == ':' && i + 1 < s.len && s.data[i + 1] != ' ';
        if (!is_letter(c) && !is_digit(c) && !is_colon && (c == 0 || !strchr(" ()./_-+", c))) return false;
    }
    return true;
}

static void put_text(struct output *o, assay_slice s)
{
    if (is_plain(s)) {
        output_slice(o, s);
        return;
    }
    output_char(o, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (c < 0x20 || c == 0x7f) {
            output_text(o, "\\x");
            output_hex(o, c, 2);
            continue;
        }
        if (c == '"' || c == '\\') output_char(o, '\\');
        output_char(o, (char)c);
    }
    output_char(o, '"');
}

/* NAME-COMBINE-FORMULA-SCOPE with every other character as a number; `mark` stands before it. */
static assay_slice anchor(struct yaml *y, char mark, assay_slice name, unsigned partial, unsigned kind)
{
    static const char digits[] = "0123456789abcdef";
    const char *middle = partials[partial].anchor;
    char *text = arena_text(&y->arena, 2 + name.len * 4 + strlen(middle) + strlen(name_of_scope[kind])), *at = text;
    y->no_memory |= !text;
    if (!text) return (assay_slice){ NULL, 0 };
    *at++ = mark;
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.data[i];
        bool is_safe = is_letter((char)c) || is_digit((char)c) || c == '_';
        const char coded[] = { 'x', digits[c >> 4], digits[c & 15], '_' };
        memcpy(at, is_safe ? (const char *)&c : coded, is_safe ? 1 : sizeof coded);
        at += is_safe ? 1 : sizeof coded;
    }
    at = stpcpy(stpcpy(at, middle), name_of_scope[kind]);
    return slice_from(text, at);
}

/* ---- metrics ---- */

/* Has the metric this statistic over the threads in this scope? */
static bool has_stat(const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m, unsigned partial, unsigned kind)
{
    static const uint8_t combines[PARTIALS] = { [PARTIAL_MIN] = ASSAY_COMBINE_MIN, [PARTIAL_MAX] = ASSAY_COMBINE_MAX };
    for (uint32_t i = m->first_stat; i < m->first_stat + m->stat_count; i++) {
        const struct hpcdb_plan_stat *s = &plan->stats[i];
        if (plan->scopes[s->scope].kind == kind && s->combine == combines[partial] && slice_is(s->formula, partials[partial].formula)) return true;
    }
    return false;
}

static bool has_sum(const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m, unsigned kind) { return has_stat(plan, m, PARTIAL_SUM, kind); }

/* Costs of places by themselves are shown only where nothing better is there. */
static bool is_shown(const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m, unsigned kind)
{
    return has_sum(plan, m, kind) && (kind != ASSAY_SCOPE_POINT || !has_sum(plan, m, ASSAY_SCOPE_FUNCTION));
}

/* Of every metric, also of invisible ones: formulas may name them. */
static void put_inputs(struct yaml *y, const struct hpcdb_plan_metric *m)
{
    assay_slice name = hpcdb_plan_metric_name(y->plan, m->metric);
    for (unsigned i = 0; i < ASSAY_SCOPE_CUSTOM * PARTIALS; i++) {
        unsigned k = ASSAY_SCOPE_CUSTOM - 1 - i / PARTIALS, partial = i % PARTIALS;
        if (!is_shown(y->plan, m, k) || !has_stat(y->plan, m, partial, k)) continue;
        output_text(y->o, "  - ");
        output_slice(y->o, anchor(y, '&', name, partial, k));
        output_text(y->o, "\n    metric: ");
        put_text(y->o, name);
        output_printf(y->o, "\n    scope: %s\n    formula: %s\n    combine: %s\n", name_of_scope[k], partials[partial].formula, partials[partial].combine);
    }
}

/* ---- roots ---- */

/* What a column is made of; {NULL, 0} = nothing. */
struct formulas {
    assay_slice inclusive, custom, exclusive;
};

static assay_slice alias(struct yaml *y, const struct hpcdb_plan_metric *m, unsigned kind)
{
    return is_shown(y->plan, m, kind) ? anchor(y, '*', hpcdb_plan_metric_name(y->plan, m->metric), PARTIAL_SUM, kind) : (assay_slice){ NULL, 0 };
}

struct operand {
    struct yaml *y;
    unsigned kind;
};

static assay_slice operand(void *arg, uint64_t k)
{
    const struct operand *x = arg;
    const struct hpcdb_plan *plan = x->y->plan;
    uint32_t number = k < assay_profile_metrics(plan->p)->count ? plan->metric_of[k + 1] : 0;
    return number ? alias(x->y, &plan->metrics[number - 1], x->kind) : (assay_slice){ NULL, 0 };
}

struct statistic {
    struct yaml *y;
    const struct hpcdb_plan_metric *m;
    unsigned kind;
};

static assay_slice partial_of(void *arg, uint64_t k)
{
    const struct statistic *x = arg;
    bool is_there = k < PARTIALS && is_shown(x->y->plan, x->m, x->kind) && has_stat(x->y->plan, x->m, (unsigned)k, x->kind);
    return is_there ? anchor(x->y, '*', hpcdb_plan_metric_name(x->y->plan, x->m->metric), (unsigned)k, x->kind) : (assay_slice){ NULL, 0 };
}

static assay_slice variant_in(struct yaml *y, const struct hpcdb_plan_metric *m, unsigned variant, unsigned kind)
{
    struct statistic x = { y, m, kind };
    assay_slice out;
    y->no_memory |= hpcdb_formula(&y->arena, slice_of(variants[variant].formula), partial_of, &x, &out, NULL) != 0;
    return out;
}

static struct formulas variant_of(struct yaml *y, const struct hpcdb_plan_metric *m, unsigned variant)
{
    unsigned exclusive = is_shown(y->plan, m, ASSAY_SCOPE_FUNCTION) ? ASSAY_SCOPE_FUNCTION : ASSAY_SCOPE_POINT;
    return (struct formulas){ variant_in(y, m, variant, ASSAY_SCOPE_EXECUTION), variant_in(y, m, variant, ASSAY_SCOPE_LEX_AWARE),
                              variant_in(y, m, variant, exclusive) };
}

static assay_slice formula_in(struct yaml *y, assay_slice text, uint32_t show, unsigned kind)
{
    struct operand x = { y, kind };
    assay_slice out = { NULL, 0 };
    if (hpcdb_shows_scope(show, (uint8_t)kind)) y->no_memory |= hpcdb_formula(&y->arena, text, operand, &x, &out, NULL) != 0;
    return out;
}

/* A formula names metrics by their place in the table of its profile, which must be their place here. */
static struct formulas formulas_of(struct yaml *y, uint32_t metric)
{
    const struct hpcdb_plan *plan = y->plan;
    uint32_t number = plan->metric_of[metric], show = hpcdb_plan_show(plan, metric);
    assay_slice text = assay_profile_string(plan->p, (assay_str_id){ ID_AT(assay_profile_metrics(plan->p)->formula, metric) });
    if (number) return variant_of(y, &plan->metrics[number - 1], 0);
    if (!text.len || hpcdb_plan_metric_fact(plan, metric, "index").data) return (struct formulas){ .inclusive.data = NULL };
    return (struct formulas){ formula_in(y, text, show, ASSAY_SCOPE_EXECUTION), formula_in(y, text, show, ASSAY_SCOPE_LEX_AWARE),
                              formula_in(y, text, show, ASSAY_SCOPE_FUNCTION) };
}

static void put_formula(struct yaml *y, const char *key, assay_slice formula)
{
    if (!formula.data) return;
    output_printf(y->o, "            %s: ", key);
    output_slice(y->o, formula);
    output_char(y->o, '\n');
}

static void put_formulas(struct yaml *y, const struct formulas *f)
{
    output_text(y->o, "        formula:\n");
    if (f->inclusive.data) output_text(y->o, "          inclusive:\n");
    put_formula(y, "standard", f->inclusive);
    if (f->custom.data || f->exclusive.data) output_text(y->o, "          exclusive:\n");
    put_formula(y, "custom", f->custom);
    put_formula(y, "standard", f->exclusive);
}

static bool has_any(const struct formulas *f) { return f->inclusive.data || f->custom.data || f->exclusive.data; }

static void put_variant(struct yaml *y, const char *name, bool has_percent, const struct formulas *f)
{
    if (!has_any(f)) return;
    output_printf(y->o, "      %s:\n        render: [number%s]\n", name, has_percent ? ", percent" : "");
    put_formulas(y, f);
}

static void put_root(struct yaml *y, uint32_t metric)
{
    const struct assay_metrics *metrics = assay_profile_metrics(y->plan->p);
    assay_slice name = hpcdb_plan_metric_name(y->plan, metric), format = hpcdb_plan_metric_fact(y->plan, metric, "format");
    assay_slice description = assay_profile_string(y->plan->p, (assay_str_id){ ID_AT(metrics->description, metric) });
    bool is_computed = ID_AT(metrics->formula, metric) != 0, has_percent = !slice_is(hpcdb_plan_metric_fact(y->plan, metric, "show-percent"), "0");
    struct formulas f = formulas_of(y, metric);
    if (!has_any(&f) || hpcdb_plan_show(y->plan, metric) == SHOW_INVISIBLE) return;
    output_text(y->o, "  - name: ");
    put_text(y->o, name);
    output_text(y->o, "\n    description: ");
    put_text(y->o, description.len ? description : name);
    if (NUMBER_AT(metrics->hidden, metric)) output_text(y->o, "\n    visible by default: false");
    if (is_computed && format.len) {
        output_text(y->o, "\n    format: ");
        put_text(y->o, format);
    }
    output_text(y->o, "\n    variants:\n");
    put_variant(y, is_computed ? "\"\"" : variants[0].name, has_percent, &f);
    for (unsigned i = 1; i < VARIANTS && !is_computed; i++) {
        f = variant_of(y, &y->plan->metrics[y->plan->metric_of[metric] - 1], i);
        put_variant(y, variants[i].name, false, &f);
    }
}

static void put_taxonomy(struct yaml *y)
{
    output_text(y->o, "version: 0\ninputs:\n");
    for (uint32_t i = 0; i < y->plan->metric_count; i++) put_inputs(y, &y->plan->metrics[i]);
    output_text(y->o, "roots:\n");
    for (uint32_t i = 1; i <= assay_profile_metrics(y->plan->p)->count; i++) put_root(y, i);
}

int hpcdb_write_yaml(const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err)
{
    static const char name[] = "metrics/default.yaml";
    struct yaml y = { .plan = plan };
    assay_slice stored = plan->is_hpcdb && plan->is_stored ? hpcdb_plan_attribute(plan, (assay_stream_id){ 0 }, name) : (assay_slice){ NULL, 0 };
    TRY(output_dir_file(dir, name, &y.o, err));
    arena_init(&y.arena, plan->mem);
    if (stored.data)
        output_slice(y.o, stored);
    else
        put_taxonomy(&y);
    arena_done(&y.arena);
    if (!y.no_memory) return output_commit(y.o, err);
    output_abort(y.o);
    return error_memory(err);
}

int hpcdb_count_lost_formulas(const struct hpcdb_plan *plan, uint64_t *count, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(plan->p);
    struct yaml y = { .plan = plan };
    *count = 0;
    arena_init(&y.arena, plan->mem);
    for (uint32_t i = 1; i <= m->count; i++) {
        if (!ID_AT(m->formula, i)) continue;
        struct formulas f = formulas_of(&y, i);
        *count += !has_any(&f);
    }
    arena_done(&y.arena);
    return y.no_memory ? error_memory(err) : 0;
}
