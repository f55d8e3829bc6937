/* metrics/default.yaml: which columns a viewer shows. A database that was read keeps its own text; otherwise every metric that is not invisible
 * is one column with its sum, inclusive and exclusive. */
#include "base/slice.h"
#include "formats/hpcdb/write.h"

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

/* NAME-sum-FORMULA-SCOPE with every other character as a number. */
static void put_anchor(struct output *o, assay_slice name, unsigned kind)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        if (is_letter(c) || is_digit(c) || c == '_') {
            output_char(o, c);
            continue;
        }
        output_char(o, 'x');
        output_hex(o, (unsigned char)c, 2);
        output_char(o, '_');
    }
    output_text(o, "-sum-x24_x24_-");
    output_text(o, name_of_scope[kind]);
}

/* ---- metrics ---- */

static assay_slice name_of(const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m)
{
    return assay_profile_string(plan->p, assay_profile_metrics(plan->p)->name[m->metric]);
}

/* Has the metric a sum over the threads in this scope? */
static bool has_sum(const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m, unsigned kind)
{
    for (uint32_t i = m->first_stat; i < m->first_stat + m->stat_count; i++) {
        const struct hpcdb_plan_stat *s = &plan->stats[i];
        if (plan->scopes[s->scope].kind == kind && s->combine == ASSAY_COMBINE_SUM && slice_is(s->formula, "$$")) return true;
    }
    return false;
}

/* Costs of places by themselves are shown only where nothing better is there. */
static bool is_shown(const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m, unsigned kind)
{
    return has_sum(plan, m, kind) && (kind != ASSAY_SCOPE_POINT || !has_sum(plan, m, ASSAY_SCOPE_FUNCTION));
}

static bool is_visible(const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m)
{
    bool has_any = false;
    for (unsigned k = 0; k < ASSAY_SCOPE_CUSTOM; k++) has_any |= is_shown(plan, m, k);
    return has_any && m->show != SHOW_INVISIBLE;
}

static void put_inputs(struct output *o, const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m)
{
    for (unsigned k = ASSAY_SCOPE_CUSTOM; k-- > 0;) {
        if (!is_shown(plan, m, k)) continue;
        output_text(o, "  - &");
        put_anchor(o, name_of(plan, m), k);
        output_text(o, "\n    metric: ");
        put_text(o, name_of(plan, m));
        output_printf(o, "\n    scope: %s\n    formula: $$\n    combine: sum\n", name_of_scope[k]);
    }
}

static void put_alias(struct output *o, const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m, const char *key, unsigned kind)
{
    if (!is_shown(plan, m, kind)) return;
    output_printf(o, "            %s: *", key);
    put_anchor(o, name_of(plan, m), kind);
    output_char(o, '\n');
}

static void put_root(struct output *o, const struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m)
{
    const struct assay_metrics *metrics = assay_profile_metrics(plan->p);
    assay_slice description = assay_profile_string(plan->p, (assay_str_id){ ID_AT(metrics->description, m->metric) });
    output_text(o, "  - name: ");
    put_text(o, name_of(plan, m));
    output_text(o, "\n    description: ");
    put_text(o, description.len ? description : name_of(plan, m));
    if (NUMBER_AT(metrics->hidden, m->metric)) output_text(o, "\n    visible by default: false");
    output_text(o, "\n    variants:\n      Sum:\n        render: [number, percent]\n        formula:\n");
    if (is_shown(plan, m, ASSAY_SCOPE_EXECUTION)) {
        output_text(o, "          inclusive:\n");
        put_alias(o, plan, m, "standard", ASSAY_SCOPE_EXECUTION);
    }
    if (!is_shown(plan, m, ASSAY_SCOPE_FUNCTION) && !is_shown(plan, m, ASSAY_SCOPE_LEX_AWARE) && !is_shown(plan, m, ASSAY_SCOPE_POINT)) return;
    output_text(o, "          exclusive:\n");
    put_alias(o, plan, m, "custom", ASSAY_SCOPE_LEX_AWARE);
    put_alias(o, plan, m, "standard", is_shown(plan, m, ASSAY_SCOPE_FUNCTION) ? ASSAY_SCOPE_FUNCTION : ASSAY_SCOPE_POINT);
}

static void put_taxonomy(struct output *o, const struct hpcdb_plan *plan)
{
    output_text(o, "version: 0\ninputs:\n");
    for (uint32_t i = 0; i < plan->metric_count; i++)
        if (is_visible(plan, &plan->metrics[i])) put_inputs(o, plan, &plan->metrics[i]);
    output_text(o, "roots:\n");
    for (uint32_t i = 0; i < plan->metric_count; i++)
        if (is_visible(plan, &plan->metrics[i])) put_root(o, plan, &plan->metrics[i]);
}

int hpcdb_write_yaml(const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err)
{
    static const char name[] = "metrics/default.yaml";
    struct output *o;
    assay_slice stored = plan->is_hpcdb ? hpcdb_plan_attribute(plan, (assay_stream_id){ 0 }, name) : (assay_slice){ NULL, 0 };
    TRY(output_dir_file(dir, name, &o, err));
    if (stored.data)
        output_slice(o, stored);
    else
        put_taxonomy(o, plan);
    return output_commit(o, err);
}
