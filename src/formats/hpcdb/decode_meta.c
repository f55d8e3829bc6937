/* Names, metrics and tables of meta.db; see formats/hpcdb/decode.h. */
#include <inttypes.h>

#include "formats/hpcdb/decode.h"

static void say(const struct hpcdb *db, const char *rule, uint64_t off, const char *what, uint64_t pointer)
{
    hpcdb_say(db, HPCDB_META, rule, ASSAY_ERROR, off, "%s 0x%" PRIx64, what, pointer);
}

/* A text that must be in the section; empty when it is not, which is said. */
static assay_slice text_of(const struct hpcdb *db, unsigned section, uint64_t pointer, const char *rule, uint64_t field, const char *what)
{
    assay_slice text;
    if (!hpcdb_text(db, section, pointer, &text)) say(db, rule, field, what, pointer);
    return text;
}

bool hpcdb_general(const struct hpcdb *db, struct hpcdb_general *out)
{
    const struct hpcdb_section *s = &db->file[HPCDB_META].sections[HPCDB_GENERAL];
    *out = (struct hpcdb_general){ .off = s->off };
    if (!s->is_ok) return false;
    const unsigned char *p = hpcdb_meta(db, s->off);
    out->title_at = bytes_u64le(p);
    out->description_at = bytes_u64le(p + 8);
    out->title = text_of(db, HPCDB_GENERAL, out->title_at, "H030", s->off, "the title is not inside section General:");
    out->description = text_of(db, HPCDB_GENERAL, out->description_at, "H030", s->off + 8, "the description is not inside section General:");
    return true;
}

assay_slice hpcdb_kind_at(const struct hpcdb *db, uint32_t i, uint64_t *at)
{
    *at = bytes_u64le(hpcdb_element(&db->kinds, i));
    return text_of(db, HPCDB_ID_NAMES, *at, "H033", hpcdb_element_off(&db->kinds, i), "the name of a kind is not inside section IdNames:");
}

/* ---- metrics ---- */

void hpcdb_scope_at(const struct hpcdb *db, uint32_t i, struct hpcdb_scope *out)
{
    const unsigned char *p = hpcdb_element(&db->scopes, i);
    *out = (struct hpcdb_scope){ .off = hpcdb_element_off(&db->scopes, i), .name_at = bytes_u64le(p), .type = p[8], .index = p[9] };
    out->name = text_of(db, HPCDB_METRICS, out->name_at, "H046", out->off, "the name of a scope is not inside section Metrics:");
}

/* Elements of a metric; none when they do not lie inside the section. */
static struct hpcdb_array part_of(const struct hpcdb *db, uint64_t off, uint32_t count, uint32_t stride, uint32_t least, const char *rule, uint64_t field)
{
    struct hpcdb_array a = { .off = off, .stride = stride };
    if (count == 0 || stride < least) return a;
    if (!hpcdb_in_section(db, HPCDB_META, HPCDB_METRICS, off, (uint64_t)count * stride)) {
        say(db, rule, field,
            rule[3] == '3' ? "scope instances of a metric are not inside section Metrics:" : "statistics of a metric are not inside section Metrics:", off);
        return a;
    }
    a.at = hpcdb_meta(db, off);
    a.count = count;
    return a;
}

void hpcdb_metric_at(const struct hpcdb *db, uint32_t i, struct hpcdb_metric *out)
{
    const unsigned char *p = hpcdb_element(&db->metrics, i);
    *out = (struct hpcdb_metric){ .off = hpcdb_element_off(&db->metrics, i),
                                  .name_at = bytes_u64le(p),
                                  .insts_at = bytes_u64le(p + 8),
                                  .summaries_at = bytes_u64le(p + 0x10),
                                  .inst_count = bytes_u16le(p + 0x18),
                                  .summary_count = bytes_u16le(p + 0x1a) };
    out->name = text_of(db, HPCDB_METRICS, out->name_at, "H046", out->off, "the name of a metric is not inside section Metrics:");
    out->insts = part_of(db, out->insts_at, out->inst_count, db->inst_stride, HPCDB_INST_LEN, "H043", out->off + 8);
    out->summaries = part_of(db, out->summaries_at, out->summary_count, db->summary_stride, HPCDB_SUMMARY_LEN, "H044", out->off + 0x10);
}

static uint32_t scope_of(const struct hpcdb *db, uint64_t pointer, uint64_t field)
{
    uint32_t scope = hpcdb_element_at(&db->scopes, pointer);
    if (scope == HPCDB_NONE) say(db, "H045", field, "no scope begins at", pointer);
    return scope;
}

void hpcdb_inst_at(const struct hpcdb *db, const struct hpcdb_metric *m, uint32_t i, struct hpcdb_inst *out)
{
    const unsigned char *p = hpcdb_element(&m->insts, i);
    *out = (struct hpcdb_inst){ .off = hpcdb_element_off(&m->insts, i), .scope_at = bytes_u64le(p), .id = bytes_u16le(p + 8) };
    out->scope = scope_of(db, out->scope_at, out->off);
}

void hpcdb_summary_at(const struct hpcdb *db, const struct hpcdb_metric *m, uint32_t i, struct hpcdb_summary *out)
{
    const unsigned char *p = hpcdb_element(&m->summaries, i);
    *out = (struct hpcdb_summary){ .off = hpcdb_element_off(&m->summaries, i),
                                   .scope_at = bytes_u64le(p),
                                   .formula_at = bytes_u64le(p + 8),
                                   .combine = p[0x10],
                                   .id = bytes_u16le(p + 0x12) };
    out->scope = scope_of(db, out->scope_at, out->off);
    out->formula = text_of(db, HPCDB_METRICS, out->formula_at, "H046", out->off + 8, "a formula is not inside section Metrics:");
}

/* ---- tables ---- */

static void path_at(const struct hpcdb *db, const struct hpcdb_array *a, uint32_t i, struct hpcdb_path *out)
{
    const unsigned char *p = hpcdb_element(a, i);
    *out = (struct hpcdb_path){ .off = hpcdb_element_off(a, i), .flags = bytes_u32le(p), .path_at = bytes_u64le(p + 8) };
    out->path = text_of(db, HPCDB_STRINGS, out->path_at, "H062", out->off + 8, "a path is not inside section Strings:");
}

void hpcdb_module_at(const struct hpcdb *db, uint32_t i, struct hpcdb_path *out) { path_at(db, &db->modules, i, out); }
void hpcdb_file_at(const struct hpcdb *db, uint32_t i, struct hpcdb_path *out) { path_at(db, &db->files, i, out); }

/* The number of an element that a pointer names; 0 is no pointer. */
static uint32_t reference(const struct hpcdb *db, const struct hpcdb_array *a, uint64_t pointer, const char *rule, uint64_t field, const char *what)
{
    uint32_t i = pointer ? hpcdb_element_at(a, pointer) : HPCDB_NONE;
    if (pointer && i == HPCDB_NONE) say(db, rule, field, what, pointer);
    return i;
}

void hpcdb_function_at(const struct hpcdb *db, uint32_t i, struct hpcdb_function *out)
{
    const unsigned char *p = hpcdb_element(&db->functions, i);
    *out = (struct hpcdb_function){ .off = hpcdb_element_off(&db->functions, i),
                                    .name_at = bytes_u64le(p),
                                    .module_at = bytes_u64le(p + 8),
                                    .offset = bytes_u64le(p + 0x10),
                                    .file_at = bytes_u64le(p + 0x18),
                                    .line = bytes_u32le(p + 0x20),
                                    .flags = bytes_u32le(p + 0x24) };
    if (out->name_at) out->name = text_of(db, HPCDB_STRINGS, out->name_at, "H062", out->off, "the name of a function is not inside section Strings:");
    out->module = reference(db, &db->modules, out->module_at, "H063", out->off + 8, "a function's module: no load module begins at");
    out->file = reference(db, &db->files, out->file_at, "H064", out->off + 0x18, "a function's file: no source file begins at");
}
