/* What a profile says of a function; see function.h. */
#include "analysis/core/function.h"

#include <string.h>

struct function_info function_info_of(const assay_profile *p, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    const struct assay_files *files = assay_profile_files(p);
    const struct assay_modules *modules = assay_profile_modules(p);
    if (func > f->count) func = 0;
    uint32_t file = f->file ? f->file[func].v : 0, module = f->module ? f->module[func].v : 0;
    struct function_info r = { .line = f->first_line ? f->first_line[func] : 0 };
    r.column = f->first_column ? f->first_column[func] : 0;
    r.is_by_place = f->flags && f->flags[func] & ASSAY_FUNC_BY_PLACE;
    r.name = assay_profile_string(p, MODEL_STR(f->name, func));
    r.file = assay_profile_string(p, MODEL_STR(files->path, file));
    r.module = assay_profile_string(p, MODEL_STR(modules->path, module));
    return r;
}

static bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

assay_slice function_name_plain(assay_slice s)
{
    enum { TAIL = 20 };
    if (s.len <= TAIL || s.data[s.len - 1] != 'E' || memcmp(s.data + s.len - TAIL, "17h", 3) != 0) return s;
    for (size_t i = s.len - TAIL + 3; i < s.len - 1; i++)
        if (!is_hex(s.data[i])) return s;
    return (assay_slice){ s.data, s.len - TAIL };
}

void function_put_place(struct output *out, const struct function_info *f)
{
    output_slice(out, f->file);
    if (f->file.len && f->line) output_printf(out, ":%u", f->line);
    if (!f->module.len) return;
    output_text(out, f->file.len ? " [" : "[");
    output_slice(out, f->module);
    output_char(out, ']');
}
