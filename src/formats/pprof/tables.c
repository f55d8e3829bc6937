/* See tables.h. */
#include "formats/pprof/tables.h"

/* ---- ids ---- */

uint32_t pprof_row(const struct pprof_ids *ids, uint64_t id)
{
    if (ids->dense) return id < ids->len && ids->dense[id] ? ids->dense[id] - 1 : GROW_NO_ROW;
    for (struct index_walk w = index_walk(&ids->sparse, hash_mix(id, 0)); index_next(&ids->sparse, &w);)
        if (ids->ids.at[w.id - 1] == id) return w.id - 1;
    return GROW_NO_ROW;
}

static int number_ids(struct pprof_ids *ids, struct mem *mem, assay_error *err)
{
    uint64_t most = 0;
    for (size_t i = 0; i < ids->ids.len; i++)
        if (ids->ids.at[i] > most) most = ids->ids.at[i];
    bool is_dense = most <= 4 * (uint64_t)ids->ids.len + 64;
    if (is_dense) {
        ids->len = (size_t)most + 1;
        ids->dense = mem_zalloc(mem, ids->len, sizeof *ids->dense);
        if (!ids->dense) return error_memory(err);
    }
    for (size_t i = 0; i < ids->ids.len; i++) { /* of equal ids the first one counts; 0 is none */
        uint64_t id = ids->ids.at[i];
        if (!id || pprof_row(ids, id) != GROW_NO_ROW) continue;
        if (is_dense)
            ids->dense[id] = (uint32_t)i + 1;
        else if (!index_add(&ids->sparse, hash_mix(id, 0), (uint32_t)i + 1))
            return error_memory(err);
    }
    return 0;
}

static void ids_done(struct pprof_ids *ids, struct mem *mem)
{
    vec_done(mem, &ids->ids);
    mem_free(mem, ids->dense, ids->dense ? ids->len * sizeof *ids->dense : 0);
    index_done(&ids->sparse);
}

/* ---- loading ---- */

/* Where rows stand and which ids they refer to, for what needs the whole file. */
struct places {
    VEC(uint64_t) mappings, locations, functions, types;
    VEC(uint64_t) mappings_of_locations, functions_of_lines; /* ids: rows are known when all are */
    uint64_t string;                                         /* the first one */
};

#define PUSH(list, value)                                                                                                                                      \
    do {                                                                                                                                                       \
        if (!vec_push(t->mem, &(list))) return error_memory(err);                                                                                              \
        (list).at[(list).len - 1] = (value);                                                                                                                   \
    } while (0)

static int take_location(struct pprof_tables *t, struct places *at, const struct pprof_record *r, assay_error *err)
{
    const struct pprof_location *l = &r->location;
    struct grow_location row = { l->address, GROW_NO_ROW, (uint32_t)t->lines.len, l->line_count };
    if (t->lines.len + l->line_count > UINT32_MAX / 2) FAIL(err, ASSAY_ERR_LIMIT, "too many lines of locations");
    for (uint32_t i = 0; i < l->line_count; i++) {
        PUSH(t->lines, ((struct grow_line){ 0, l->lines[i].line }));
        PUSH(at->functions_of_lines, l->lines[i].function);
    }
    PUSH(t->locations, row);
    PUSH(t->location_ids.ids, l->id);
    PUSH(at->locations, r->off);
    PUSH(at->mappings_of_locations, l->mapping);
    t->inlined += l->line_count > 1;
    return 0;
}

static int take(struct pprof_tables *t, struct places *at, const struct pprof_record *r, assay_error *err)
{
    switch (r->field) {
    case PPROF_SAMPLE: t->samples++; break;
    case PPROF_STRING:
        if (!t->strings.len) at->string = r->off;
        PUSH(t->strings, r->text);
        break;
    case PPROF_PERIOD_TYPE: t->period_type = r->type; break;
    case PPROF_SAMPLE_TYPE:
        PUSH(t->types, r->type);
        PUSH(at->types, r->off);
        break;
    case PPROF_MAPPING:
        PUSH(t->mappings, r->mapping);
        PUSH(t->modules, ((struct grow_mapping){ r->mapping.filename, r->mapping.build_id }));
        PUSH(t->mapping_ids.ids, r->mapping.id);
        PUSH(at->mappings, r->off);
        break;
    case PPROF_FUNCTION:
        PUSH(t->functions, ((struct grow_function){ r->function.name, r->function.system_name, r->function.filename, r->function.start_line }));
        PUSH(t->function_ids.ids, r->function.id);
        PUSH(at->functions, r->off);
        break;
    case PPROF_LOCATION: return take_location(t, at, r, err);
    case PPROF_COMMENT:
        for (uint32_t i = 0; i < r->comment_count; i++) PUSH(t->comments, (uint64_t)r->comments[i]);
        break;
    default:
        if (r->field < PPROF_FIELDS) t->scalar[r->field] = r->number;
    }
    return 0;
}

/* ---- rules ---- */

static void need_string(const struct pprof_tables *t, uint64_t id, uint64_t off, const char *of, struct findings *damage)
{
    if (id >= t->strings.len)
        findings_add(damage, "PP05", ASSAY_ERROR, off, 0, "%s: string %llu, but the string table has %zu entries", of, (unsigned long long)id, t->strings.len);
}

static void need_ids(const struct pprof_ids *ids, const uint64_t *off, const char *what, struct findings *damage)
{
    for (size_t i = 0; i < ids->ids.len; i++) {
        uint64_t id = ids->ids.at[i];
        if (!id)
            findings_add(damage, "PP09", ASSAY_ERROR, off[i], 0, "a %s has the id 0, which stands for none", what);
        else if (pprof_row(ids, id) != i)
            findings_add(damage, "PP09", ASSAY_ERROR, off[i], 0, "two %ss have the id %llu: the first one counts", what, (unsigned long long)id);
    }
}

static void check_strings(const struct pprof_tables *t, const struct places *at, struct findings *damage, uint64_t end)
{
    if (!t->strings.len)
        findings_add(damage, "PP04", ASSAY_ERROR, end, 0, "there is no string table");
    else if (t->strings.at[0].len)
        findings_add(damage, "PP04", ASSAY_ERROR, at->string, 0, "the first entry of the string table is not empty");
}

static void check_locations(struct pprof_tables *t, const struct places *at, struct findings *damage)
{
    for (size_t i = 0; i < t->locations.len; i++) {
        struct grow_location *l = &t->locations.at[i];
        unsigned long long id = t->location_ids.ids.at[i], mapping = at->mappings_of_locations.at[i];
        l->mapping = mapping ? pprof_row(&t->mapping_ids, mapping) : GROW_NO_ROW;
        if (mapping && l->mapping == GROW_NO_ROW)
            findings_add(damage, "PP10", ASSAY_WARNING, at->locations.at[i], 0, "location %llu is in mapping %llu, which does not exist", id, mapping);
        const struct pprof_mapping *m = l->mapping == GROW_NO_ROW ? NULL : &t->mappings.at[l->mapping];
        if (m && l->address && m->limit && (l->address < m->start || l->address >= m->limit))
            findings_add(damage, "PP11", ASSAY_WARNING, at->locations.at[i], 0, "location %llu is outside of its mapping", id);
        for (uint32_t k = 0; k < l->line_count; k++) {
            uint64_t function = at->functions_of_lines.at[l->first_line + k];
            uint32_t row = pprof_row(&t->function_ids, function);
            if (row == GROW_NO_ROW)
                findings_add(damage, "PP08", ASSAY_ERROR, at->locations.at[i], 0, "location %llu refers to function %llu, which does not exist", id,
                             (unsigned long long)function);
            t->lines.at[l->first_line + k].function = row == GROW_NO_ROW ? 0 : row + 1;
        }
    }
}

static void check_tables(struct pprof_tables *t, const struct places *at, struct findings *damage, uint64_t end)
{
    static const uint8_t texts[] = { PPROF_DROP_FRAMES, PPROF_KEEP_FRAMES, PPROF_DEFAULT_SAMPLE_TYPE, PPROF_DOC_URL };
    check_strings(t, at, damage, end);
    for (size_t i = 0; i < t->types.len; i++) {
        need_string(t, t->types.at[i].type, at->types.at[i], "sample_type", damage);
        need_string(t, t->types.at[i].unit, at->types.at[i], "sample_type", damage);
    }
    need_ids(&t->mapping_ids, at->mappings.at, "mapping", damage);
    need_ids(&t->function_ids, at->functions.at, "function", damage);
    need_ids(&t->location_ids, at->locations.at, "location", damage);
    for (size_t i = 0; i < t->functions.len; i++) {
        need_string(t, t->functions.at[i].name, at->functions.at[i], "name of a function", damage);
        need_string(t, t->functions.at[i].system_name, at->functions.at[i], "system_name of a function", damage);
        need_string(t, t->functions.at[i].filename, at->functions.at[i], "filename of a function", damage);
    }
    for (size_t i = 0; i < t->mappings.len; i++) {
        need_string(t, t->mappings.at[i].filename, at->mappings.at[i], "filename of a mapping", damage);
        need_string(t, t->mappings.at[i].build_id, at->mappings.at[i], "build_id of a mapping", damage);
    }
    for (size_t i = 0; i < sizeof texts; i++)
        if (t->scalar[texts[i]]) need_string(t, t->scalar[texts[i]], end, pprof_field_name(texts[i]), damage);
    for (size_t i = 0; i < t->comments.len; i++) need_string(t, t->comments.at[i], end, "comment", damage);
    check_locations(t, at, damage);
    if (t->samples && !t->types.len) findings_add(damage, "PP06", ASSAY_ERROR, end, 0, "there are samples, but no sample_type");
}

int pprof_tables_load(struct pprof_tables *t, struct pprof_decoder *d, assay_error *err)
{
    struct pprof_record r;
    struct places at = { 0 };
    *t = (struct pprof_tables){ .mem = d->mem };
    index_init(&t->mapping_ids.sparse, d->mem);
    index_init(&t->location_ids.sparse, d->mem);
    index_init(&t->function_ids.sparse, d->mem);
    pprof_rewind(d, PPROF_TABLES);
    int rc = pprof_next(d, &r);
    for (; rc == 0 && r.field; rc = pprof_next(d, &r))
        if ((rc = take(t, &at, &r, err)) != 0) break;
    if (rc == 0) rc = number_ids(&t->mapping_ids, t->mem, err);
    if (rc == 0) rc = number_ids(&t->function_ids, t->mem, err);
    if (rc == 0) rc = number_ids(&t->location_ids, t->mem, err);
    if (rc == 0) check_tables(t, &at, d->damage, r.off);
    if (rc == 0 && d->damage->failed) rc = error_memory(err);
    vec_done(d->mem, &at.mappings, &at.locations, &at.functions, &at.types, &at.mappings_of_locations, &at.functions_of_lines);
    return rc;
}

void pprof_tables_done(struct pprof_tables *t)
{
    if (!t->mem) return;
    vec_done(t->mem, &t->strings);
    vec_done(t->mem, &t->types);
    vec_done(t->mem, &t->mappings);
    vec_done(t->mem, &t->modules, &t->locations);
    vec_done(t->mem, &t->lines);
    vec_done(t->mem, &t->functions);
    vec_done(t->mem, &t->comments);
    ids_done(&t->mapping_ids, t->mem);
    ids_done(&t->location_ids, t->mem);
    ids_done(&t->function_ids, t->mem);
}

/* ---- samples ---- */

bool pprof_values_fit(const struct pprof_tables *t, const struct pprof_record *r, uint64_t number, struct findings *damage)
{
    if (r->sample.value_count == t->types.len) return true;
    if (t->types.len)
        findings_add(damage, "PP06", ASSAY_ERROR, r->off, 0, "sample %llu has %u values, but there are %zu sample types", (unsigned long long)number,
                     r->sample.value_count, t->types.len);
    return false;
}

bool pprof_stack_fits(const struct pprof_tables *t, const struct pprof_record *r, uint64_t number, struct findings *damage)
{
    struct cursor c = cursor_of(r->sample.stack.data, r->sample.stack.len);
    uint64_t id;
    while (pprof_stack_next(&c, &id)) {
        if (pprof_row(&t->location_ids, id) != GROW_NO_ROW) continue;
        findings_add(damage, "PP07", ASSAY_ERROR, r->off, 0, "sample %llu refers to location %llu, which does not exist", (unsigned long long)number,
                     (unsigned long long)id);
        return false;
    }
    if (!cursor_left(&c)) return true;
    findings_add(damage, "PP02", ASSAY_ERROR, r->off, 0, "the locations of sample %llu are damaged", (unsigned long long)number);
    return false;
}

bool pprof_label_fits(const struct pprof_tables *t, const struct pprof_label *l, uint64_t off, uint64_t number, struct findings *damage)
{
    if (l->key && l->key < t->strings.len && l->str < t->strings.len && l->num_unit < t->strings.len) return true;
    findings_add(damage, "LB01", ASSAY_ERROR, off, 0, "sample %llu has a label with key %llu, text %llu and unit %llu; the string table has %zu entries",
                 (unsigned long long)number, (unsigned long long)l->key, (unsigned long long)l->str, (unsigned long long)l->num_unit, t->strings.len);
    return false;
}
