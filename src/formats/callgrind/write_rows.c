/* The lines of one part: which names stand before which row. */
#include "base/number.h"
#include "formats/callgrind/write.h"

static uint32_t module_of(const struct cg_writer *w, uint32_t func) { return w->funcs->module ? w->funcs->module[func].v : 0; }
static uint32_t file_of(const struct cg_writer *w, uint32_t func) { return w->funcs->file ? w->funcs->file[func].v : 0; }

static void name_line(struct cg_writer *w, enum cg_spec spec, assay_str_id name) { cg_encode_name(&w->e, spec, name.v, assay_profile_string(w->p, name)); }

static void object_line(struct cg_writer *w, enum cg_spec spec, uint32_t module)
{
    name_line(w, spec, module ? assay_profile_modules(w->p)->path[module] : (assay_str_id){ 0 });
}

static void file_line(struct cg_writer *w, enum cg_spec spec, uint32_t file)
{
    name_line(w, spec, file ? assay_profile_files(w->p)->path[file] : (assay_str_id){ 0 });
}

static void function_lines(struct cg_writer *w, uint32_t func)
{
    if (!w->has_func || func != w->func) {
        bool moved = !w->has_func || module_of(w, func) != w->module;
        /* after inlined code fn= alone goes back to the function's file for us, but not for every reader */
        bool needs_file = !w->has_func || moved || file_of(w, func) != file_of(w, w->func) || file_of(w, func) != w->file;
        if (w->has_func) output_char(w->out, '\n');
        if (moved && (module_of(w, func) || w->has_func)) object_line(w, CG_OB, module_of(w, func));
        if (needs_file) file_line(w, CG_FL, file_of(w, func));
        name_line(w, CG_FN, w->funcs->name[func]);
        w->module = module_of(w, func);
        w->file = file_of(w, func);
        w->func = func;
        w->has_func = true;
    }
}

static struct cg_position place(const struct cg_row *r) { return (struct cg_position){ r->address, r->line }; }

/* Row `index` of a table of values. */
static void costs(struct cg_writer *w, const assay_value *values, uint32_t index, bool count)
{
    uint32_t n = w->g->block.metric_count;
    for (uint32_t k = 0; k < n; k++) {
        w->costs[k] = cg_write_value(w, k, values[(size_t)index * n + k]);
        if (count) w->totals[k] = wide_add_i64(w->totals[k], w->costs[k]);
    }
    cg_encode_costs(&w->e, w->costs, n);
}

/* ---- rows ---- */

static void self_row(struct cg_writer *w, const struct cg_row *r)
{
    cg_encode_position(&w->e, place(r));
    costs(w, w->costs_from_sums ? w->g->sum_self : w->g->cost_self, r->index, true);
}

static void call_row(struct cg_writer *w, const struct cg_row *r)
{
    uint32_t callee = w->g->arc_callee[r->index].v;
    if (module_of(w, callee) != w->module) object_line(w, CG_COB, module_of(w, callee));
    if (file_of(w, callee) != w->file) file_line(w, CG_CFI, file_of(w, callee));
    name_line(w, CG_CFN, w->funcs->name[callee]);
    struct cg_position to = { 0, w->funcs->first_line ? w->funcs->first_line[callee] : 0 };
    cg_encode_calls(&w->e, w->g->arc_calls ? w->g->arc_calls[r->index] : 0, to);
    cg_encode_position(&w->e, place(r));
    costs(w, w->g->arc_total, r->index, false);
}

static void jump_row(struct cg_writer *w, const struct cg_row *r)
{
    const struct assay_graph *g = w->g;
    uint32_t i = r->index, to = g->jump_to_func ? g->jump_to_func[i].v : 0, to_file = g->jump_to_file ? g->jump_to_file[i].v : 0;
    uint64_t executed = g->jump_executed ? g->jump_executed[i] : 0;
    if (to_file != w->file) file_line(w, CG_JFI, to_file);
    if (to && to != r->func) name_line(w, CG_JFN, w->funcs->name[to]);
    struct cg_position target = { g->jump_to_address ? g->jump_to_address[i] : 0, g->jump_to_line ? g->jump_to_line[i] : 0 };
    cg_encode_jump(&w->e, executed, g->jump_followed ? g->jump_followed[i] : 0, g->jump_conditional && g->jump_conditional[i], target);
    cg_encode_position(&w->e, place(r));
    output_char(w->out, '\n');
}

void cg_write_rows(struct cg_writer *w, size_t from, size_t to)
{
    for (size_t i = from; i < to && !output_failed(w->out); i++) {
        const struct cg_row *r = &w->rows.at[i];
        function_lines(w, r->func);
        if (r->file != w->file) {
            file_line(w, r->file == file_of(w, r->func) ? CG_FE : CG_FI, r->file);
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
