/* JaCoCo XML: elements -> rows. It knows which element a line or counter stands in. The format tells hit or not; methods are functions, lines have n
 * of m branches and instructions. docs/formats/jacoco.md has the grammar. */
#include "formats/coverage/xml_rows.h"
#include "formats/jacoco/jacoco.h"
#include "formats/jacoco/package.h"

static const struct {
    const char *text, *name;
} types[JACOCO_TYPES] = {
    [JACOCO_INSTRUCTIONS] = { "INSTRUCTION", "instructions" },
    [JACOCO_BRANCHES] = { "BRANCH", "branches" },
    [JACOCO_LINES] = { "LINE", "lines" },
    [JACOCO_METHODS] = { "METHOD", "methods" },
    [JACOCO_COMPLEXITY] = { "COMPLEXITY", "complexity" },
    [JACOCO_CLASSES] = { "CLASS", "classes" },
};
const char *jacoco_type_name(enum jacoco_type type) { return types[type].name; }

struct decoder {
    struct coverage_decoder *d;
    struct jacoco_package p;
    VEC(char) text;
    uint32_t instructions; /* id of the kind */
    uint64_t classes;
    /* where it stands */
    bool has_root, in_package, in_class, in_method, in_source;
    unsigned groups;
    uint64_t source_off, source_number, unknown; /* lines of the source file that say nothing of their instructions */
};

static int nameless(struct decoder *k, struct xml *x, const char *what)
{
    findings_add(k->d->damage, "JX-7", ASSAY_ERROR, xml_off(x), xml_line(x), "a %s without name: it is left out", what);
    return 0;
}

/* ---- lines ---- */

struct figures {
    uint32_t line, missed_instructions, instructions_hit, missed_branches, branches_hit;
    bool is_unknown; /* says nothing of its instructions */
};

static int add_line(struct decoder *k, struct xml *x, const struct figures *n)
{
    bool is_hit = n->is_unknown ? n->branches_hit > 0 : n->instructions_hit > 0;
    struct coverage_row *row = coverage_xml_row(k->d, COVERAGE_LINE, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->flags = ASSAY_COVERAGE_ONLY_HIT;
    if (n->is_unknown) row->flags |= ASSAY_COVERAGE_UNKNOWN;
    if (is_hit && n->missed_instructions) row->flags |= ASSAY_COVERAGE_PARTIAL;
    row->line = n->line;
    row->count = is_hit;
    row->index = n->branches_hit;
    row->group = n->branches_hit + n->missed_branches;
    if (!n->instructions_hit && !n->missed_instructions) return 0;
    uint32_t number = row->number;
    if (!(row = coverage_add_row(k->d, COVERAGE_SUM, xml_off(x), number))) return ASSAY_ERR_MEMORY;
    row->name = k->instructions;
    row->line = n->line;
    row->index = n->instructions_hit;
    row->group = n->instructions_hit + n->missed_instructions;
    return 0;
}

static int line(struct decoder *k, struct xml *x, const char *const *attributes)
{
    struct figures n = { .line = 0 };
    struct findings *damage = k->d->damage;
    if (!k->in_source || !coverage_xml_small(x, damage, attributes, "nr", true, &n.line)) return 0;
    if (!n.line) {
        findings_add(damage, "JX-6", ASSAY_WARNING, coverage_xml_attribute_off(x, "nr"), xml_line(x), "line 0: the row is left out");
        return 0;
    }
    bool has_missed = coverage_xml_small(x, damage, attributes, "mi", false, &n.missed_instructions);
    bool has_covered = coverage_xml_small(x, damage, attributes, "ci", false, &n.instructions_hit);
    (void)coverage_xml_small(x, damage, attributes, "mb", false, &n.missed_branches);
    (void)coverage_xml_small(x, damage, attributes, "cb", false, &n.branches_hit);
    n.is_unknown = !has_missed && !has_covered;
    k->unknown += n.is_unknown;
    return add_line(k, x, &n);
}

/* ---- counters ---- */

/* "class a/B" and the like */
static int name_scope(struct decoder *k, const char *what, assay_slice name)
{
    size_t len = strlen(what);
    if (!vec_reserve(k->d->mem, &k->text, len + name.len + 1)) return error_memory(k->d->err);
    memcpy(k->text.at, what, len);
    if (name.len) memcpy(k->text.at + len, name.data, name.len);
    k->text.at[len + name.len] = '\0';
    return 0;
}

static int state(struct decoder *k, struct xml *x, enum jacoco_type type, uint64_t missed, uint64_t covered)
{
    const struct jacoco_package *p = &k->p;
    const char *scope = k->in_source ? "file" : k->groups ? "group" : "report";
    if (k->in_class || (k->in_package && !k->in_source)) {
        TRY(name_scope(k, k->in_class ? "class " : "package ", jacoco_package_text(p, k->in_class ? p->classes.at[p->classes.len - 1].name : p->name)));
        scope = k->text.at;
    }
    TRY(coverage_add_stated(k->d, xml_off(x), 0, scope, slice_of(types[type].name), (double)covered, (double)covered + (double)missed));
    k->d->rows.at[k->d->rows.len - 1].of_no_file = k->in_class || !k->in_source;
    return 0;
}

static int state_for_check(struct decoder *k, struct xml *x, enum jacoco_type type, uint64_t missed, uint64_t covered)
{
    bool is_report = !k->in_class && !k->in_source && !k->in_package && !k->groups;
    if (!is_report && (k->in_class || !k->in_source)) return 0;
    struct coverage_row *row = coverage_xml_row(k->d, COVERAGE_STATED, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->of_no_file = is_report;
    row->index = type;
    row->count = covered;
    row->target = (int64_t)missed;
    return is_report ? coverage_give(k->d) : 0;
}

static int counter(struct decoder *k, struct xml *x, const char *const *attributes)
{
    static const char *const of[] = { "counter of the method",  "counter of the class", "counter of the sourcefile",
                                      "counter of the package", "counter of the group", "counter of the report" };
    assay_slice text = coverage_xml_text(attributes, "type");
    enum jacoco_type type = JACOCO_TYPES;
    uint64_t missed, covered;
    for (int i = 0; i < JACOCO_TYPES; i++)
        if (slice_is(text, types[i].text)) type = (enum jacoco_type)i;
    if (type == JACOCO_TYPES) return 0;
    if (!coverage_xml_count(x, k->d->damage, attributes, "missed", true, &missed) ||
        !coverage_xml_count(x, k->d->damage, attributes, "covered", true, &covered))
        return 0;
    if (k->d->use == COVERAGE_FOR_DUMP)
        return coverage_xml_element(k->d, x, of[k->in_method ? 0 : k->in_class ? 1 : k->in_source ? 2 : k->in_package ? 3 : k->groups ? 4 : 5], attributes);
    if (k->in_method && type == JACOCO_METHODS) jacoco_package_run(&k->p, covered > 0);
    if (k->in_method) return 0;
    return k->d->use == COVERAGE_FOR_CHECK ? state_for_check(k, x, type, missed, covered) : state(k, x, type, missed, covered);
}

/* ---- what they stand in ---- */

static int source(struct decoder *k, struct xml *x, const char *const *attributes)
{
    assay_slice name = coverage_xml_text(attributes, "name");
    struct coverage_decoder *d = k->d;
    if (d->use == COVERAGE_FOR_CHECK) d->rows.len = 0; /* one inside another: the outer one is not judged */
    k->in_source = k->in_package && name.len;
    k->unknown = 0;
    k->source_off = xml_off(x);
    k->source_number = xml_line(x);
    if (!k->in_package) return 0;
    if (!name.len) return nameless(k, x, "sourcefile");
    if (!jacoco_package_source(&k->p, name)) return error_memory(d->err);
    uint32_t path = intern_put(&d->names, (assay_slice){ k->p.path.at, k->p.path.len });
    jacoco_package_file(&k->p, path);
    struct coverage_row *row = coverage_xml_row(d, COVERAGE_FILE, x);
    if (!path || !row) return error_memory(d->err);
    row->name = path;
    return 0;
}

static int class_begin(struct decoder *k, struct xml *x, const char *const *attributes)
{
    assay_slice name = coverage_xml_text(attributes, "name");
    k->in_class = k->in_package && name.len;
    if (!k->in_package) return 0;
    if (!name.len) return nameless(k, x, "class");
    k->classes++;
    TRY(coverage_xml_element(k->d, x, "class", attributes));
    uint64_t number = k->d->use == COVERAGE_FOR_CHECK ? xml_line(x) : 0;
    return jacoco_package_class(&k->p, name, coverage_xml_text(attributes, "sourcefilename"), xml_off(x), number) ? 0 : error_memory(k->d->err);
}

static int method(struct decoder *k, struct xml *x, const char *const *attributes)
{
    uint32_t line;
    if (!k->in_class) return 0;
    k->in_method = true;
    (void)coverage_xml_small(x, k->d->damage, attributes, "line", false, &line);
    TRY(coverage_xml_element(k->d, x, "method", attributes));
    if (!jacoco_package_method(&k->p, coverage_xml_text(attributes, "name"), coverage_xml_text(attributes, "desc"), line)) return error_memory(k->d->err);
    if (k->d->use != COVERAGE_FOR_CHECK) return 0;
    struct coverage_row *row = coverage_xml_row(k->d, COVERAGE_FUNCTION, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->line = line;
    return coverage_give(k->d);
}

static int attribute(struct decoder *k, struct xml *x, const char *name, const char *value)
{
    if (!value || k->d->use != COVERAGE_FOR_READER) return 0;
    struct coverage_row *row = coverage_xml_row(k->d, COVERAGE_ATTRIBUTE, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = coverage_name(k->d, name);
    row->text = coverage_name(k->d, value);
    return row->name && row->text ? 0 : error_memory(k->d->err);
}

static int named(struct decoder *k, struct xml *x, const char *key, const char *element, const char *const *attributes)
{
    const char *name = coverage_xml_text(attributes, "name").data;
    TRY(attribute(k, x, key, name));
    return coverage_xml_record(k->d, x, element, name);
}

static int root(struct decoder *k, struct xml *x, const char *name, const char *const *attributes)
{
    k->has_root = true;
    if (strcmp(name, "report") != 0) {
        findings_add(k->d->damage, "X-3", ASSAY_ERROR, xml_off(x), xml_line(x), "the root element is '%.40s': expected report", name);
        return 0;
    }
    return named(k, x, "name", "report", attributes);
}

static int session(struct decoder *k, struct xml *x, const char *const *attributes)
{
    TRY(attribute(k, x, "session", coverage_xml_text(attributes, "id").data));
    TRY(attribute(k, x, "session.start", xml_attribute(attributes, "start")));
    TRY(attribute(k, x, "session.dump", xml_attribute(attributes, "dump")));
    return coverage_xml_element(k->d, x, "session", attributes);
}

static int package(struct decoder *k, struct xml *x, const char *const *attributes)
{
    assay_slice name = coverage_xml_text(attributes, "name");
    k->in_package = true;
    k->in_class = k->in_method = false; /* one inside a class: what it has is none of the class */
    TRY(coverage_xml_record(k->d, x, "package", name.data));
    return jacoco_package_begin(&k->p, name) ? 0 : error_memory(k->d->err);
}

static int element(struct decoder *k, struct xml *x, const char *name, const char *const *attributes)
{
    if (coverage_xml_is(name, "line")) return line(k, x, attributes);
    if (coverage_xml_is(name, "counter")) return counter(k, x, attributes);
    if (!k->has_root) return root(k, x, name, attributes);
    if (coverage_xml_is(name, "method")) return method(k, x, attributes);
    if (coverage_xml_is(name, "class")) return class_begin(k, x, attributes);
    if (coverage_xml_is(name, "sourcefile")) return source(k, x, attributes);
    if (coverage_xml_is(name, "package")) return package(k, x, attributes);
    if (coverage_xml_is(name, "group")) {
        k->groups++;
        return named(k, x, "group", "group", attributes);
    }
    return coverage_xml_is(name, "sessioninfo") ? session(k, x, attributes) : 0;
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct decoder *k = arg;
    int rc = element(k, x, name, attributes);
    return rc == 0 && k->d->damage->failed ? error_memory(k->d->err) : rc;
}

/* ---- where they end ---- */

static int source_end(struct decoder *k)
{
    if (!k->in_source) return 0;
    k->in_source = false;
    if (k->unknown)
        findings_add(k->d->damage, "JX-4", ASSAY_WARNING, k->source_off, k->source_number,
                     "%llu lines have no instruction counts (mi, ci): those with a covered branch count as hit", (unsigned long long)k->unknown);
    return k->d->use == COVERAGE_FOR_READER ? coverage_give_some(k->d) : coverage_give(k->d);
}

static int give_methods(struct decoder *k)
{
    struct coverage_decoder *d = k->d;
    const struct jacoco_package *p = &k->p;
    struct coverage_row *row;
    for (size_t i = 0; i < p->methods.len; i++) {
        const struct jacoco_method *m = &p->methods.at[i];
        uint32_t file = p->classes.at[m->owner].file;
        if (!i || file != p->classes.at[p->methods.at[i - 1].owner].file) {
            if (!(row = coverage_add_row(d, COVERAGE_FILE, 0, 0))) return ASSAY_ERR_MEMORY;
            row->name = file;
            row->is_derived = true;
        }
        if (!(row = coverage_add_row(d, COVERAGE_FUNCTION, 0, 0))) return ASSAY_ERR_MEMORY;
        row->is_derived = true;
        row->name = intern_put(&d->names, jacoco_package_text(p, m->name));
        row->line = m->line;
        row->count = m->is_hit;
        row->flags = ASSAY_COVERAGE_ONLY_HIT;
        if (!row->name) return error_memory(d->err);
    }
    return 0;
}

static int package_end(struct decoder *k)
{
    struct coverage_decoder *d = k->d;
    if (!k->in_package) return 0;
    k->in_package = k->in_class = k->in_method = false;
    if (d->use == COVERAGE_FOR_DUMP) return 0;
    jacoco_package_end(&k->p);
    for (size_t i = 0; i < k->p.classes.len && d->use == COVERAGE_FOR_CHECK; i++)
        if (!k->p.classes.at[i].file && !coverage_add_row(d, COVERAGE_RECORD, k->p.classes.at[i].off, k->p.classes.at[i].number)) return ASSAY_ERR_MEMORY;
    TRY(give_methods(k));
    return coverage_give(d);
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct decoder *k = arg;
    (void)x;
    if (coverage_xml_is(name, "line") || coverage_xml_is(name, "counter")) return 0;
    if (coverage_xml_is(name, "method"))
        k->in_method = false;
    else if (coverage_xml_is(name, "class"))
        k->in_class = k->in_method = false;
    else if (coverage_xml_is(name, "sourcefile"))
        return source_end(k);
    else if (coverage_xml_is(name, "package"))
        return package_end(k);
    else if (coverage_xml_is(name, "group") && k->groups)
        k->groups--;
    return 0;
}

static int document(struct decoder *k)
{
    static const struct xml_handler handler = { on_start, on_end, NULL };
    if (!(k->instructions = coverage_name(k->d, "instructions"))) return error_memory(k->d->err);
    TRY(coverage_xml_rows(k->d, &handler, k));
    TRY(source_end(k)); /* cut: what came is whole */
    TRY(package_end(k));
    return k->d->use == COVERAGE_FOR_READER ? coverage_count(k->d, "classes", k->classes) : 0;
}

int jacoco_decode(struct coverage_decoder *d)
{
    struct decoder k = { .d = d };
    jacoco_package_init(&k.p, d->mem);
    int rc = document(&k);
    jacoco_package_done(&k.p);
    vec_done(d->mem, &k.text);
    return rc;
}
