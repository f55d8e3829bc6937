/* The lines of one part: names, positions, costs, calls, jumps. Names get a number at first use, positions are written as the distance
 * from the line before, unless the caller asked for full ones. */
#include "base/number.h"
#include "base/slice.h"
#include "formats/callgrind/write.h"

enum { OBJECT, FILE_NAME, FUNCTION };

/* ---- names ---- */

/* "(12)" at the start would be read as a number of ours. */
static bool looks_numbered(assay_slice s)
{
    size_t i = 1;
    if (s.len < 3 || s.data[0] != '(') return false;
    while (i < s.len && s.data[i] >= '0' && s.data[i] <= '9') i++;
    return i > 1 && i < s.len && s.data[i] == ')';
}

/* A name must stay on its line; everything else is kept. */
static void name_bytes(struct cg_writer *w, assay_slice s)
{
    for (size_t at = 0; at < s.len;) {
        size_t n = at;
        while (n < s.len && s.data[n] != '\n' && s.data[n] != '\r') n++;
        output_bytes(w->out, s.data + at, n - at);
        if (n < s.len) output_char(w->out, ' ');
        at = n + 1;
    }
}

static void name_line(struct cg_writer *w, const char *spec, int table, assay_str_id id)
{
    struct cg_numbers *t = &w->numbers[table];
    assay_slice s = assay_profile_string(w->p, id);
    output_text(w->out, spec);
    if (!s.len) { /* no name at all: an empty one says so */
        output_char(w->out, '\n');
        return;
    }
    bool is_new = t->part[id.v] != w->part;
    if (w->job->options->no_ids && !looks_numbered(s)) {
        name_bytes(w, s);
    } else {
        if (is_new) {
            t->part[id.v] = w->part;
            t->number[id.v] = ++t->last;
        }
        output_char(w->out, '(');
        output_u64(w->out, t->number[id.v]);
        output_char(w->out, ')');
        if (is_new) {
            output_char(w->out, ' ');
            name_bytes(w, s);
        }
    }
    output_char(w->out, '\n');
}

static uint32_t module_of(const struct cg_writer *w, uint32_t func) { return w->funcs->module ? w->funcs->module[func].v : 0; }
static uint32_t file_of(const struct cg_writer *w, uint32_t func) { return w->funcs->file ? w->funcs->file[func].v : 0; }

static void object_line(struct cg_writer *w, const char *spec, uint32_t module)
{
    const struct assay_modules *m = assay_profile_modules(w->p);
    name_line(w, spec, OBJECT, module ? m->path[module] : (assay_str_id){ 0 });
}

static void file_line(struct cg_writer *w, const char *spec, uint32_t file)
{
    const struct assay_files *f = assay_profile_files(w->p);
    name_line(w, spec, FILE_NAME, file ? f->path[file] : (assay_str_id){ 0 });
}

static void function_lines(struct cg_writer *w, uint32_t func)
{
    if (!w->has_func || func != w->func) {
        bool moved = !w->has_func || module_of(w, func) != w->module;
        bool needs_file = !w->has_func || moved || file_of(w, func) != file_of(w, w->func);
        if (w->has_func) output_char(w->out, '\n');
        if (moved && (module_of(w, func) || w->has_func)) object_line(w, "ob=", module_of(w, func));
        if (needs_file) file_line(w, "fl=", file_of(w, func));
        name_line(w, "fn=", FUNCTION, w->funcs->name[func]);
        w->module = module_of(w, func);
        w->file = file_of(w, func);
        w->func = func;
        w->has_func = true;
    }
}

/* ---- numbers ---- */

static void distance(struct cg_writer *w, uint64_t v, uint64_t base, bool hex)
{
    bool is_near = v >= base ? v - base < 1000 : base - v < 1000;
    if (w->job->options->no_relative || !is_near) {
        if (hex) output_text(w->out, "0x");
        if (hex)
            output_hex(w->out, v, 1);
        else
            output_u64(w->out, v);
    } else if (v == base) {
        output_char(w->out, '*');
    } else {
        output_char(w->out, v > base ? '+' : '-');
        output_u64(w->out, v > base ? v - base : base - v);
    }
}

/* The position of a cost line; it becomes the base of the next. */
static void position(struct cg_writer *w, const struct cg_row *r)
{
    if (w->has_address) distance(w, r->address, w->base_address, true);
    if (w->has_address && w->has_line) output_char(w->out, ' ');
    if (w->has_line) distance(w, r->line, w->base_line, false);
    w->base_address = r->address;
    w->base_line = r->line;
}

/* Where a call or jump leads: written in full, it is no base for anything. */
static void target(struct cg_writer *w, uint64_t address, uint32_t line)
{
    if (w->has_address) {
        output_text(w->out, " 0x");
        output_hex(w->out, address, 1);
    }
    if (w->has_line) {
        output_char(w->out, ' ');
        output_u64(w->out, line);
    }
    output_char(w->out, '\n');
}

static void costs(struct cg_writer *w, const assay_value *values, bool count)
{
    uint32_t n = w->g->block.metric_count;
    while (n > 0 && cg_write_value(w, n - 1, values[n - 1]) == 0) n--;
    for (uint32_t k = 0; k < n; k++) {
        int64_t v = cg_write_value(w, k, values[k]);
        output_char(w->out, ' ');
        output_i64(w->out, v);
        if (count) w->totals[k] = wide_add_i64(w->totals[k], v);
    }
    output_char(w->out, '\n');
}

/* ---- rows ---- */

static void self_row(struct cg_writer *w, const struct cg_row *r)
{
    size_t at = (size_t)r->index * w->g->block.metric_count;
    position(w, r);
    costs(w, (w->costs_from_sums ? w->g->sum_self : w->g->cost_self) + at, true);
}

static void call_row(struct cg_writer *w, const struct cg_row *r)
{
    uint32_t callee = w->g->arc_callee[r->index].v;
    if (module_of(w, callee) != w->module) object_line(w, "cob=", module_of(w, callee));
    if (file_of(w, callee) != w->file) file_line(w, "cfi=", file_of(w, callee));
    name_line(w, "cfn=", FUNCTION, w->funcs->name[callee]);
    output_text(w->out, "calls=");
    output_u64(w->out, w->g->arc_calls ? w->g->arc_calls[r->index] : 0);
    target(w, 0, w->funcs->first_line ? w->funcs->first_line[callee] : 0);
    position(w, r);
    costs(w, w->g->arc_total + (size_t)r->index * w->g->block.metric_count, false);
}

static void jump_row(struct cg_writer *w, const struct cg_row *r)
{
    const struct assay_graph *g = w->g;
    uint32_t i = r->index, to = g->jump_to_func ? g->jump_to_func[i].v : 0, to_file = g->jump_to_file ? g->jump_to_file[i].v : 0;
    uint64_t executed = g->jump_executed ? g->jump_executed[i] : 0;
    if (to_file != w->file) file_line(w, "jfi=", to_file);
    if (to && to != r->func) name_line(w, "jfn=", FUNCTION, w->funcs->name[to]);
    bool conditional = g->jump_conditional && g->jump_conditional[i];
    output_text(w->out, conditional ? "jcnd=" : "jump=");
    if (conditional) {
        output_u64(w->out, g->jump_followed ? g->jump_followed[i] : 0);
        output_char(w->out, '/');
    }
    output_u64(w->out, executed);
    target(w, g->jump_to_address ? g->jump_to_address[i] : 0, g->jump_to_line ? g->jump_to_line[i] : 0);
    position(w, r);
    output_char(w->out, '\n');
}

void cg_write_rows(struct cg_writer *w, size_t from, size_t to)
{
    for (size_t i = from; i < to && !output_failed(w->out); i++) {
        const struct cg_row *r = &w->rows.at[i];
        function_lines(w, r->func);
        if (r->file != w->file) {
            file_line(w, r->file == file_of(w, r->func) ? "fe=" : "fi=", r->file);
            w->file = r->file;
        }
        switch (r->kind) {
        case CG_ROW_SELF: self_row(w, r); break;
        case CG_ROW_JUMP: jump_row(w, r); break;
        case CG_ROW_CALL: call_row(w, r); break;
        }
    }
    output_char(w->out, '\n');
}
