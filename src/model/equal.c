/* assay_profile_equal: what is compared in which order, and how a difference is told. */
#include "model/equal.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/cancel.h"
#include "base/number.h"

int equal_differ(struct equal *e, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (e->why && e->why_len) vsnprintf(e->why, e->why_len, fmt, args);
    va_end(args);
    return 1;
}

/* ---- text of cells ---- */

static void put_value(enum assay_type type, uint64_t bits, char *buf, size_t buf_len)
{
    char text[48];
    assay_value v = { .u = bits };
    size_t len = type == ASSAY_F64 ? number_put_double(text, v.d) : type == ASSAY_I64 ? number_put_i64(text, v.i) : number_put_u64(text, v.u);
    snprintf(buf, buf_len, "%.*s", (int)len, text);
}

/* Classes of strings: those of the first profile, then those that only the second has. */
static assay_slice string_of(const struct equal *e, uint64_t class)
{
    uint32_t first = intern_count(&e->p[0]->strings);
    return class <= first ? intern_get(&e->p[0]->strings, (uint32_t) class) : intern_get(&e->p[1]->strings, (uint32_t)(class - first));
}

static void put_slice(assay_slice s, char *buf, size_t buf_len)
{
    if (s.data)
        snprintf(buf, buf_len, "'%.*s'", (int)(s.len < 120 ? s.len : 120), s.data);
    else
        snprintf(buf, buf_len, "none");
}

static enum assay_type type_of_scope(const struct equal *e, uint32_t scope) { return e->p[0]->metrics.type[e->p[0]->scopes.metric[scope].v]; }

static void put_scope(const struct equal *e, uint32_t scope, char *buf, size_t buf_len)
{
    static const char *const kinds[] = { "point", "function", "lex_aware", "execution", "custom" };
    const struct assay_scopes *s = &e->p[0]->scopes;
    assay_slice name = assay_profile_string(e->p[0], e->p[0]->metrics.name[s->metric[scope].v]);
    snprintf(buf, buf_len, "'%.100s' (%s)", name.data ? name.data : "", s->kind[scope] < 5 ? kinds[s->kind[scope]] : "?");
}

/* The text of an id, by an example of its class. */
static void put_class(const struct equal *e, enum field_kind kind, uint64_t class, char *buf, size_t buf_len)
{
    const assay_profile *p = e->p[0];
    uint32_t id = kind != FIELD_STRING && class < e->sample[kind].len ? e->sample[kind].at[class] : 0;
    if (kind == FIELD_STRING || !id) {
        put_slice(kind == FIELD_STRING ? string_of(e, class) : (assay_slice){ NULL, 0 }, buf, buf_len);
    } else if (kind == FIELD_NODE) {
        assay_slice name = p->tree.func
                               ? assay_profile_string(p, p->funcs.count && p->tree.func[id].v ? p->funcs.name[p->tree.func[id].v] : (assay_str_id){ 0 })
                               : (assay_slice){ NULL, 0 };
        snprintf(buf, buf_len, "%u '%.100s'", id, name.data ? name.data : "");
    } else if (kind == FIELD_SCOPE) {
        put_scope(e, id, buf, buf_len);
    } else if (kind == FIELD_STAT) {
        put_scope(e, p->stats.scope[id].v, buf, buf_len);
    } else {
        assay_str_id name = kind == FIELD_MODULE    ? p->modules.path[id]
                            : kind == FIELD_FILE    ? p->files.path[id]
                            : kind == FIELD_FUNC    ? p->funcs.name[id]
                            : kind == FIELD_LABEL   ? p->labels.key[id]
                            : kind == FIELD_SET     ? p->labels.key[p->labels.set_label[id].v]
                            : kind == FIELD_COUNTER ? p->counters.name[id]
                                                    : p->metrics.name[id];
        put_slice(assay_profile_string(p, name), buf, buf_len);
    }
}

static void put_cell(const struct equal *e, const uint64_t *row, size_t at, bool is_summary, char *buf, size_t buf_len)
{
    const struct id_map *sample = &e->sample[is_summary ? FIELD_STAT : FIELD_SCOPE];
    uint32_t column = row[at - 1] < sample->len ? sample->at[row[at - 1]] : 0;
    if (column && is_summary) column = e->p[0]->stats.scope[column].v;
    put_value(column ? type_of_scope(e, column) : ASSAY_U64, row[at], buf, buf_len);
}

void equal_describe(const struct equal *e, const uint64_t *row, size_t at, const struct cell_kind *kind, char *buf, size_t buf_len)
{
    char text[48];
    switch (kind->field->kind) {
    case FIELD_FILE_PATH: put_slice(string_of(e, row[at]), buf, buf_len); break;
    case FIELD_I64: put_value(ASSAY_I64, row[at], buf, buf_len); break;
    case FIELD_F64: put_value(ASSAY_F64, row[at], buf, buf_len); break;
    case FIELD_VALUES: put_value(e->p[0]->metrics.type[kind->metric], row[at], buf, buf_len); break;
    case FIELD_CELL: put_cell(e, row, at, kind->part, buf, buf_len); break;
    case FIELD_WIDE:
        snprintf(buf, buf_len, "%.*s", (int)number_put_wide(text, (assay_wide){ .low = row[at + !kind->part], .high = (int64_t)row[at - kind->part] }), text);
        break;
    default:
        if (kind->field->kind < FIELD_IDS)
            put_class(e, kind->field->kind, row[at], buf, buf_len);
        else
            put_value(ASSAY_U64, row[at], buf, buf_len);
    }
}

/* ---- the order of comparison ---- */

static int number_strings(struct equal *e)
{
    uint32_t first = intern_count(&e->p[0]->strings), second = intern_count(&e->p[1]->strings);
    if (first > UINT32_MAX - second) return error_set(e->err, ASSAY_ERR_LIMIT, "%u and %u strings are too many to be compared", first, second);
    if (!equal_new_map(e, &e->map[0][FIELD_STRING], (size_t)first + 1) || !equal_new_map(e, &e->map[1][FIELD_STRING], (size_t)second + 1))
        return equal_memory(e);
    for (uint32_t id = 1; id <= first; id++) e->map[0][FIELD_STRING].at[id] = id;
    for (uint32_t id = 1; id <= second; id++) {
        uint32_t same = intern_find(&e->p[0]->strings, intern_get(&e->p[1]->strings, id));
        e->map[1][FIELD_STRING].at[id] = same ? same : first + id;
    }
    return 0;
}

static int equal_shapes(struct equal *e)
{
    static const char *const names[] = { "tree", "graph", "lines", "timeline", "coverage", "labels" };
    uint32_t differ = e->p[0]->shapes ^ e->p[1]->shapes;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (differ >> i & 1) return equal_differ(e, "shapes: only the %s profile holds %s", e->p[0]->shapes >> i & 1 ? "first" : "second", names[i]);
    return 0;
}

static int compare(struct equal *e)
{
    TRY(number_strings(e));
    TRY(equal_shapes(e));
    for (int t = 0; t < SCHEMA_T_COUNT; t++) {
        if (t == SCHEMA_T_NODES)
            TRY(equal_tree(e));
        else if (t == SCHEMA_T_LABEL_SETS)
            TRY(equal_sets(e));
        else
            TRY(equal_table(e, (enum schema_number)t));
    }
    return 0;
}

int equal_profiles(const assay_profile *a, const assay_profile *b, char *why, size_t why_len, uint64_t fail_at, assay_error *err)
{
    struct equal e = { .p = { a, b }, .why = why, .why_len = why_len, .err = err };
    mem_init(&e.mem, 0);
    e.mem.fail_at = fail_at;
    if (why && why_len) why[0] = '\0';
    int rc = compare(&e);
    for (int kind = 0; kind < FIELD_IDS; kind++) {
        mem_free(&e.mem, e.sample[kind].at, e.sample[kind].len * sizeof(uint32_t));
        for (int side = 0; side < 2; side++) mem_free(&e.mem, e.map[side][kind].at, e.map[side][kind].len * sizeof(uint32_t));
    }
    return cancel_end(rc, err);
}

int assay_profile_equal(const assay_profile *a, const assay_profile *b, char *why, size_t why_len, assay_error *err)
{
    assay_error local;
    return equal_profiles(a, b, why, why_len, 0, error_enter(err, &local));
}
