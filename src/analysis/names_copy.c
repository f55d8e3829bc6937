/* Names from profile to builder; see names_copy.h. */
#include "analysis/names_copy.h"

#define ID(column, i) ((column) ? (column)[i].v : 0)
#define AT(column, i) ((column) ? (column)[i] : 0)
#define STRING(column, i) names_copy_string(from, to, ID(column, i))

assay_str_id names_copy_string(const assay_profile *from, assay_builder *to, uint32_t id)
{
    assay_slice s = assay_profile_string(from, (assay_str_id){ id });
    return s.data ? assay_build_string(to, s.data, s.len) : (assay_str_id){ 0 };
}

static void copy_files(const assay_profile *from, assay_builder *to)
{
    const struct assay_modules *m = assay_profile_modules(from);
    const struct assay_files *f = assay_profile_files(from);
    for (uint32_t i = 1; i <= m->count; i++) assay_build_module(to, STRING(m->path, i), STRING(m->build_id, i));
    for (uint32_t i = 1; i <= f->count; i++) {
        assay_file_id id = assay_build_file_new(to, STRING(f->path, i), (assay_module_id){ ID(f->module, i) });
        if (ID(f->source, i) || ID(f->origin, i)) assay_build_file_source(to, id, STRING(f->source, i), STRING(f->origin, i));
    }
    for (uint32_t i = 1; i <= f->count; i++)
        if (ID(f->parent, i) || AT(f->flags, i))
            assay_build_file_parent(to, (assay_file_id){ i }, (assay_file_id){ ID(f->parent, i) }, AT(f->parent_line, i), AT(f->flags, i));
}

static void copy_funcs(const assay_profile *from, assay_builder *to)
{
    const struct assay_funcs *f = assay_profile_funcs(from);
    for (uint32_t i = 1; i <= f->count; i++) {
        assay_func_id id = assay_build_func_new(to, STRING(f->name, i), (assay_file_id){ ID(f->file, i) }, (assay_module_id){ ID(f->module, i) },
                                                AT(f->offset, i), AT(f->first_line, i));
        assay_build_func_lines(to, id, AT(f->first_line, i), AT(f->last_line, i));
        if (AT(f->first_column, i)) assay_build_func_column(to, id, f->first_column[i]);
        if (AT(f->kind, i) || AT(f->flags, i)) assay_build_func_kind(to, id, (enum assay_func_kind)AT(f->kind, i), AT(f->flags, i));
        if (ID(f->link_name, i)) assay_build_func_link(to, id, STRING(f->link_name, i));
    }
}

void names_copy(const assay_profile *from, assay_builder *to)
{
    copy_files(from, to);
    copy_funcs(from, to);
}
