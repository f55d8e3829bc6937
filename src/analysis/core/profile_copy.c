/* From profile to builder; see profile_copy.h. */
#include "analysis/core/profile_copy.h"
#include "model/entry.h"

#define STRING(column, i) profile_copy_string(from, to, ID(column, i))

assay_str_id profile_copy_string(const assay_profile *from, assay_builder *to, uint32_t id)
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

void profile_copy_names(const assay_profile *from, assay_builder *to)
{
    copy_files(from, to);
    copy_funcs(from, to);
}

void profile_copy_stream(const assay_profile *from, assay_builder *to, uint32_t stream)
{
    const struct assay_streams *t = assay_profile_streams(from);
    assay_build_stream(to, assay_profile_string(from, (assay_str_id){ ID(t->label, stream) }).data);
    for (uint32_t k = t->tuple_begin ? t->tuple_begin[stream] : 0; t->tuple_begin && k < t->tuple_begin[stream + 1]; k++)
        assay_build_tuple(to, assay_profile_string(from, t->tuple_kind[k]).data, AT(t->tuple_logical, k), AT(t->tuple_physical, k), AT(t->tuple_flags, k));
}

void profile_copy_facts(const assay_profile *from, assay_builder *to, const uint32_t *stream)
{
    const struct assay_attributes *a = assay_profile_attributes(from);
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(from, &count);
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(from, a->key[i]), value = assay_profile_string(from, a->value[i]);
        uint32_t of = ID(a->stream, i) ? stream[a->stream[i].v] : 0;
        if (of != PROFILE_COPY_NONE) assay_build_attribute(to, (assay_stream_id){ of }, key.data, key.len, value.data, value.len);
    }
    for (size_t i = 0; i < count; i++) assay_build_warning(to, &warnings[i]);
    assay_build_source(to, assay_profile_format(from), assay_profile_version(from), assay_profile_producer(from).data);
    assay_build_offers(to, assay_profile_offers(from));
}

struct assay_node profile_copy_node(const struct assay_tree *tree, uint32_t id)
{
    return (struct assay_node){ .parent = tree->parent[id],
                                .kind = AT(tree->kind, id),
                                .relation = AT(tree->relation, id),
                                .flags = AT(tree->flags, id),
                                .func = { ID(tree->func, id) },
                                .file = { ID(tree->file, id) },
                                .line = AT(tree->line, id),
                                .module = { ID(tree->module, id) },
                                .offset = AT(tree->offset, id),
                                .origin = AT(tree->origin, id) };
}
