/* Names, metrics and tables of meta.db: rules H030 to H069. Also fills the tables of metric ids that the values are checked against. */
#include <inttypes.h>

#include "base/intern.h"
#include "base/scoped.h"
#include "base/text.h"
#include "formats/hpcdb/check.h"

static void say(struct hpcdb_checker *c, const char *rule, int severity, uint64_t off, const char *text)
{
    hpcdb_say(&c->db, HPCDB_META, rule, severity, off, "%s", text);
}

static void check_utf8(struct hpcdb_checker *c, assay_slice s, uint64_t field)
{
    while (s.len) {
        unsigned len = (unsigned char)s.data[0] < 0x80 ? 1 : text_utf8(s, NULL);
        if (len == 0) {
            say(c, "H031", ASSAY_WARNING, field, "a text is not valid UTF-8");
            return;
        }
        s.data += len;
        s.len -= len;
    }
}

/* Texts that should differ: says so when one comes again. */
static int check_again(struct hpcdb_checker *c, struct intern *seen, assay_slice s, const char *rule, int severity, uint64_t field, const char *what,
                       assay_error *err)
{
    uint32_t before = intern_count(seen);
    if (!s.data) return 0;
    if (!intern_put(seen, s)) return error_memory(err);
    if (intern_count(seen) == before) hpcdb_say(&c->db, HPCDB_META, rule, severity, field, "%s '%.100s' is listed twice", what, s.data);
    return 0;
}

/* ---- General, IdNames ---- */

static void check_general(struct hpcdb_checker *c)
{
    struct hpcdb_general g;
    if (!hpcdb_general(&c->db, &g)) return;
    check_utf8(c, g.title, g.off);
    check_utf8(c, g.description, g.off + 8);
}

static int check_kinds(struct hpcdb_checker *c, struct intern *seen, assay_error *err)
{
    const struct hpcdb_section *s = &c->db.file[HPCDB_META].sections[HPCDB_ID_NAMES];
    if (!s->is_ok) return 0;
    if (*hpcdb_meta(&c->db, s->off + 8) == 0) say(c, "H034", ASSAY_WARNING, s->off + 8, "no kind of identifier has a name");
    if (c->db.kinds.count && c->db.kinds.off % 8) say(c, "H035", ASSAY_WARNING, s->off, "the names of kinds are not at a multiple of 8");
    for (uint32_t i = 0; i < c->db.kinds.count; i++) {
        uint64_t at;
        assay_slice name = hpcdb_kind_at(&c->db, i, &at);
        check_utf8(c, name, hpcdb_element_off(&c->db.kinds, i));
        TRY(check_again(c, seen, name, "H034", ASSAY_WARNING, hpcdb_element_off(&c->db.kinds, i), "the name of a kind", err));
    }
    return 0;
}

/* ---- Metrics ---- */

static void check_scopes(struct hpcdb_checker *c)
{
    struct hpcdb_scope s;
    for (uint32_t i = 0; i < c->db.scopes.count; i++) {
        hpcdb_scope_at(&c->db, i, &s);
        check_utf8(c, s.name, s.off);
        if (s.type > 3) hpcdb_say(&c->db, HPCDB_META, "H049", ASSAY_WARNING, s.off + 8, "scope type %u is not known", s.type);
        if (s.type == 3 && s.index > 15)
            hpcdb_say(&c->db, HPCDB_META, "H050", ASSAY_WARNING, s.off + 9, "a transitive scope with propagation index %u, but a context has 16 bits", s.index);
    }
}

static struct hpcdb_column column_of(struct hpcdb_checker *c, uint32_t metric, uint32_t scope)
{
    struct hpcdb_column col = { .is_known = 1, .metric = (uint16_t)metric, .scope = scope };
    struct hpcdb_scope s = { .type = 255 };
    if (scope != HPCDB_NONE) hpcdb_scope_at(&c->db, scope, &s);
    col.type = s.type;
    col.index = s.index;
    col.is_function = s.type == 3 && slice_is(s.name, "function");
    col.is_lex_aware = s.type == 0 && slice_is(s.name, "lex_aware");
    return col;
}

static bool add_column(struct hpcdb_checker *c, struct hpcdb_columns *to, uint16_t id, struct hpcdb_column column)
{
    struct hpcdb_column *slot = vec_push(c->mem, &to->list);
    if (!slot) return false;
    column.id = id;
    *slot = column;
    to->at[id] = (uint32_t)(to->list.len - 1);
    return true;
}

/* An id whose scope cannot be told is not known: its values mean nothing. */
static int check_insts(struct hpcdb_checker *c, uint32_t number, const struct hpcdb_metric *m, assay_error *err)
{
    struct hpcdb_inst inst;
    bool has_execution = false;
    for (uint32_t i = 0; i < m->insts.count; i++) {
        hpcdb_inst_at(&c->db, m, i, &inst);
        if (c->prop.at[inst.id])
            hpcdb_say(&c->db, HPCDB_META, "H047", ASSAY_ERROR, inst.off + 8, "propMetricId %u is used twice", inst.id);
        else if (inst.scope != HPCDB_NONE && !add_column(c, &c->prop, inst.id, column_of(c, number, inst.scope)))
            return error_memory(err);
        has_execution |= inst.scope != HPCDB_NONE && hpcdb_column_of(&c->prop, inst.id)->type == 2;
    }
    if (m->inst_count == 0)
        say(c, "H053", ASSAY_WARNING, m->off + 0x18, "a metric without any scope");
    else if (!has_execution)
        say(c, "H052", ASSAY_WARNING, m->off + 0x18, "a metric without scope 'execution': it has no inclusive cost and no total");
    return 0;
}

/* A formula of one argument: $$, numbers, + - * / ^, parentheses and names of functions. */
static bool is_formula(assay_slice f)
{
    int depth = 0;
    bool wants_value = true;
    for (size_t i = 0; i < f.len; i++) {
        char ch = f.data[i];
        if (ch == ' ') continue;
        if (ch == '(' && wants_value) {
            depth++;
        } else if (ch == ')' && !wants_value && depth > 0) {
            depth--;
        } else if (ch == '$' && wants_value && i + 1 < f.len && f.data[i + 1] == '$') {
            i++;
            wants_value = false;
        } else if (ch >= '0' && ch <= '9' && wants_value) {
            while (i + 1 < f.len && ((f.data[i + 1] >= '0' && f.data[i + 1] <= '9') || f.data[i + 1] == '.' || f.data[i + 1] == 'e')) i++;
            wants_value = false;
        } else if (ch >= 'a' && ch <= 'z' && wants_value) {
            while (i + 1 < f.len && f.data[i + 1] >= 'a' && f.data[i + 1] <= 'z') i++;
            if (i + 1 >= f.len || f.data[i + 1] != '(') return false;
        } else if (strchr("+-*/^,", ch) && ch && (!wants_value || ch == '-')) {
            wants_value = true;
        } else
            return false;
    }
    return depth == 0 && !wants_value;
}

static void link_instance(struct hpcdb_checker *c, const struct hpcdb_metric *m, struct hpcdb_column *col)
{
    for (uint32_t i = 0; i < m->insts.count; i++) {
        const unsigned char *p = hpcdb_element(&m->insts, i);
        if (hpcdb_element_at(&c->db.scopes, bytes_u64le(p)) != col->scope) continue;
        col->instance_id = bytes_u16le(p + 8);
        col->has_instance = true;
    }
}

static int check_summaries(struct hpcdb_checker *c, uint32_t number, const struct hpcdb_metric *m, assay_error *err)
{
    struct hpcdb_summary s;
    for (uint32_t i = 0; i < m->summaries.count; i++) {
        hpcdb_summary_at(&c->db, m, i, &s);
        if (s.combine > 2) hpcdb_say(&c->db, HPCDB_META, "H051", ASSAY_WARNING, s.off + 0x10, "combination %u is not known", s.combine);
        if (s.formula.data && !is_formula(s.formula))
            hpcdb_say(&c->db, HPCDB_META, "H055", ASSAY_WARNING, s.off + 8, "the formula '%.100s' cannot be parsed", s.formula.data);
        if (c->stat.at[s.id]) {
            hpcdb_say(&c->db, HPCDB_META, "H048", ASSAY_ERROR, s.off + 0x12, "statMetricId %u is used twice", s.id);
            continue;
        }
        if (s.scope == HPCDB_NONE) continue;
        struct hpcdb_column col = column_of(c, number, s.scope);
        col.combine = s.combine;
        col.formula = s.formula;
        link_instance(c, m, &col);
        if (!add_column(c, &c->stat, s.id, col)) return error_memory(err);
    }
    return 0;
}

static int check_metrics(struct hpcdb_checker *c, struct intern *seen, assay_error *err)
{
    struct hpcdb_metric m;
    check_scopes(c);
    for (uint32_t i = 0; i < c->db.metrics.count; i++) {
        hpcdb_metric_at(&c->db, i, &m);
        check_utf8(c, m.name, m.off);
        TRY(check_again(c, seen, m.name, "H054", ASSAY_WARNING, m.off, "the metric", err));
        TRY(check_insts(c, i, &m, err));
        TRY(check_summaries(c, i, &m, err));
    }
    return 0;
}

/* ---- tables ---- */

static int check_paths(struct hpcdb_checker *c, bool is_files, struct intern *seen, assay_error *err)
{
    struct hpcdb_path p;
    const struct hpcdb_array *a = is_files ? &c->db.files : &c->db.modules;
    for (uint32_t i = 0; i < a->count; i++) {
        (is_files ? hpcdb_file_at : hpcdb_module_at)(&c->db, i, &p);
        check_utf8(c, p.path, p.off + 8);
        if (p.path.data && p.path.len == 0) say(c, "H066", ASSAY_WARNING, p.off + 8, "an empty path");
        TRY(check_again(c, seen, p.path, "H068", ASSAY_INFO, p.off + 8, is_files ? "the source file" : "the load module", err));
        if (is_files && p.flags & 1 && p.path.data && !slice_starts(p.path, "src/"))
            hpcdb_say(&c->db, HPCDB_META, "H069", ASSAY_INFO, p.off + 8, "'%.100s' is said to be copied, but does not begin with src/", p.path.data);
    }
    return 0;
}

static void check_functions(struct hpcdb_checker *c)
{
    struct hpcdb_function f;
    for (uint32_t i = 0; i < c->db.functions.count; i++) {
        hpcdb_function_at(&c->db, i, &f);
        check_utf8(c, f.name, f.off);
        if (!f.name_at && !f.module_at && !f.file_at) say(c, "H065", ASSAY_WARNING, f.off, "a function with neither name nor module nor file");
        if (f.name.data && f.name.len == 0) say(c, "H066", ASSAY_WARNING, f.off, "a function with an empty name");
    }
}

/* Names of different things may agree. */
static int with_names(struct hpcdb_checker *c, int (*check)(struct hpcdb_checker *, struct intern *, assay_error *), assay_error *err)
{
    SCOPED(intern_done) struct intern seen;
    intern_init(&seen, c->mem);
    return check(c, &seen, err);
}

static int check_modules(struct hpcdb_checker *c, struct intern *seen, assay_error *err) { return check_paths(c, false, seen, err); }
static int check_files(struct hpcdb_checker *c, struct intern *seen, assay_error *err) { return check_paths(c, true, seen, err); }

static bool init_columns(struct hpcdb_checker *c, struct hpcdb_columns *to)
{
    to->at = mem_zalloc(c->mem, HPCDB_CHECK_IDS, sizeof *to->at);
    struct hpcdb_column *none = to->at ? vec_push(c->mem, &to->list) : NULL;
    if (none) *none = (struct hpcdb_column){ .is_known = 0 };
    return none != NULL;
}

int hpcdb_check_meta(struct hpcdb_checker *c, assay_error *err)
{
    if (!hpcdb_check_has(c, HPCDB_META)) return 0;
    if (!init_columns(c, &c->prop) || !init_columns(c, &c->stat)) return error_memory(err);
    check_general(c);
    TRY(with_names(c, check_kinds, err));
    TRY(with_names(c, check_metrics, err));
    TRY(with_names(c, check_modules, err));
    TRY(with_names(c, check_files, err));
    check_functions(c);
    return 0;
}
