/* How functions and their figures look, whatever table they stand in. */
#include "report/function.h"

#include "analysis/core/units.h"
#include "analysis/core/value.h"
#include "base/number.h"
#include "base/short_name.h"

void report_cost(const struct report *r, struct table *table, const assay_profile *p, assay_metric_id metric, assay_value v)
{
    char buf[48];
    enum assay_type type = metric_type(p, metric);
    table_text(table, value_text(buf, r->exact || r->style == REPORT_CSV, type, v, units_name(p, metric)));
    table_text(table, report_percent(buf, r, value_double(type, v), metric_total(p, metric)));
}

void report_calls(struct table *table, bool exact, uint64_t calls)
{
    char buf[48];
    table_text(table, value_text(buf, exact, ASSAY_U64, (assay_value){ .u = calls }, "count"));
}

/* ---- JSON ---- */

void report_values_json(struct report *r, const assay_profile *p, const struct report_metrics *metrics, const assay_value *values)
{
    struct json *j = &r->json;
    json_object(j);
    for (uint32_t k = 0; k < metrics->count; k++) {
        if (r->is_short && k != metrics->k) continue;
        json_key_slice(j, metric_name(p, metrics->at[k]));
        json_value(j, metric_type(p, metrics->at[k]), values[k]);
    }
    json_end(j);
}

static void string_or_null(struct json *j, assay_slice s)
{
    if (s.len)
        json_string(j, s);
    else
        json_null(j);
}

static void line_json(struct json *j, uint32_t line)
{
    json_key(j, "line");
    if (line)
        json_u64(j, line);
    else
        json_null(j);
}

void report_site_json(struct json *j, assay_slice file, uint32_t line)
{
    json_key(j, "file");
    string_or_null(j, file);
    line_json(j, line);
}

void report_function_json(struct json *j, const struct function_info *f)
{
    json_key(j, "name");
    json_string(j, f->name.data ? f->name : SLICE(""));
    json_key(j, "file");
    if (f->is_by_place && f->file.len)
        json_place(j, f->file, f->line, f->column);
    else
        string_or_null(j, f->file);
    line_json(j, f->line);
    json_key(j, "module");
    string_or_null(j, f->module);
}

/* ---- tables ---- */

enum { NAME_COLUMNS = 80 };

static bool is_for_people(const struct report *r) { return r->style == REPORT_TEXT && !r->full_names; }

static assay_slice base_of(assay_slice path)
{
    const char *slash = path.len ? memrchr(path.data, '/', path.len) : NULL;
    return slash && slash + 1 < path.data + path.len ? slice_from(slash + 1, path.data + path.len) : path;
}

/* Whether `text` is "[module]" or ends with it, as HPCToolkit names code without symbols or sources. */
static bool names_module(assay_slice text, assay_slice module)
{
    size_t len = module.len + 2;
    if (!module.len || text.len < len || text.data[text.len - 1] != ']' || text.data[text.len - len] != '[') return false;
    return memcmp(text.data + text.len - len + 1, module.data, module.len) == 0;
}

struct function_info report_function_shown(const struct report *r, const assay_profile *p, struct function_info f)
{
    if (!is_for_people(r)) return f;
    bool is_place = f.module.len && f.name.len > f.module.len && memcmp(f.name.data, f.module.data, f.module.len) == 0 && f.name.data[f.module.len] == '+';
    f.file = base_of(f.file);
    f.module = base_of(f.module);
    if (is_place) {
        f.name = base_of(f.name); /* "/lib/libc.so.6+0x40", code without a symbol */
        f.module = SLICE("");
    }
    if (names_module(f.file, f.module) && f.file.len == f.module.len + 2) f.file = SLICE("");
    if (names_module(f.name, f.module) || assay_profile_modules(p)->count < 2) f.module = SLICE("");
    return f;
}

void report_put_name(struct report *r, struct output *out, assay_slice name)
{
    if (!is_for_people(r))
        output_slice(out, name);
    else if (!short_name(r->mem, out, name, NAME_COLUMNS))
        r->out_of_memory = true;
}

assay_slice report_short_name(assay_slice s)
{
    size_t from = 0, depth = 0;
    for (size_t i = 0; i + 2 < s.len && s.data[i] != '(' && s.data[i] != '[' && s.data[i] != '{' && s.data[i] != ' '; i++) {
        depth += s.data[i] == '<';
        depth -= s.data[i] == '>' && depth;
        if (depth) continue;
        if (s.data[i] == ':' && s.data[i + 1] == ':') from = i + 2;
        if (s.data[i] == '\\') from = i + 1;
    }
    return (assay_slice){ s.data + from, s.len - from };
}

void report_cycles_note(struct output *out, bool is_collapsed)
{
    if (is_collapsed)
        output_text(out, "cycle: functions that call each other; each total is self plus the calls that leave the cycle\n");
    else
        output_text(out, "cycle: functions that call each other; totals count every level of recursion (use --cycles to avoid it)\n");
}

void report_line_cell(struct table *table, uint32_t line)
{
    if (line)
        report_cell_u64(table, line);
    else
        table_text(table, "");
}
