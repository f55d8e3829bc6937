/* Clover XML: elements -> rows. The only parser of this format. It knows which element metrics and lines stand in and what the two counts of a
 * condition mean. Statements and conditions are lines, methods are functions; conditions have n of m branches. docs/formats/clover.md has the
 * grammar. */
#include "base/number.h"
#include "formats/clover/clover.h"
#include "formats/coverage/lines.h"
#include "formats/coverage/xml_rows.h"

struct decoder {
    struct coverage_decoder *d;
    struct coverage_joined lines; /* for readers */
    VEC(char) scope;              /* "package NAME" or "class NAME", whose metrics may follow */
    /* where it stands */
    bool has_root, has_version, is_istanbul, in_tests, in_package, in_file, in_class, has_guessed;
};

/* ---- lines ---- */

/* Times that the condition was true and false (Clover): each is a branch. istanbul writes branches covered and missed in the same places.
 * Clover's own rows have no count, so a row that has one may be either's. */
static void cond(struct decoder *c, struct xml *x, const char *const *attributes, bool has_count, struct coverage_row *r)
{
    uint64_t yes, no;
    (void)coverage_xml_count(x, c->d->damage, attributes, "truecount", false, &yes);
    (void)coverage_xml_count(x, c->d->damage, attributes, "falsecount", false, &no);
    if (!has_count) r->count = yes > UINT64_MAX - no ? UINT64_MAX : yes + no;
    if (has_count && !c->has_guessed) {
        c->has_guessed = true;
        findings_add(c->d->damage, "CL-3", ASSAY_INFO, xml_off(x), xml_line(x), "truecount and falsecount are read as %s",
                     c->is_istanbul ? "branches covered and missed, as istanbul writes them" : "how often the condition was true and false");
    }
    if (!c->is_istanbul) {
        r->index = (yes > 0 ? 1u : 0u) + (no > 0 ? 1u : 0u);
        r->group = 2;
        return;
    }
    r->group = yes > COVERAGE_LINE_MAX || no > COVERAGE_LINE_MAX ? 0 : (uint32_t)(yes + no);
    r->index = r->group ? (uint32_t)yes : 0;
    if ((yes || no) && !r->group)
        findings_add(c->d->damage, "X-4", ASSAY_ERROR, coverage_xml_attribute_off(x, "truecount"), xml_line(x), "more branches than a line can have");
}

static int method(struct decoder *c, struct xml *x, const char *const *attributes, const struct coverage_row *r)
{
    assay_slice name = coverage_xml_text(attributes, "name");
    struct coverage_row *row = coverage_xml_row(c->d, COVERAGE_FUNCTION, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->line = r->line;
    row->count = r->count;
    row->name = intern_put(&c->d->names, name.len ? name : coverage_xml_text(attributes, "signature"));
    return row->name ? 0 : error_memory(c->d->err);
}

static int stmt(struct decoder *c, struct xml *x, const char *type, const struct coverage_row *r)
{
    if (c->d->use == COVERAGE_FOR_READER) return coverage_joined_add(&c->lines, r->line, r->count, r->index, r->group, 0);
    struct coverage_row *row = coverage_xml_row(c->d, COVERAGE_LINE, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->line = r->line;
    row->count = r->count;
    row->index = r->index;
    row->group = r->group;
    if (c->d->use == COVERAGE_FOR_DUMP && !(row->block = coverage_name(c->d, type))) return error_memory(c->d->err);
    return 0;
}

static int line(struct decoder *c, struct xml *x, const char *const *attributes)
{
    struct coverage_row r = { .line = 0 };
    struct findings *damage = c->d->damage;
    const char *type = xml_attribute(attributes, "type");
    if (!c->in_file || !coverage_xml_small(x, damage, attributes, "num", true, &r.line)) return 0;
    if (!r.line) {
        findings_add(damage, "CL-6", ASSAY_WARNING, coverage_xml_attribute_off(x, "num"), xml_line(x), "line 0: the row is left out");
        return 0;
    }
    bool is_cond = type && coverage_xml_is(type, "cond"), is_method = type && coverage_xml_is(type, "method");
    bool has_count = coverage_xml_count(x, damage, attributes, "count", type && !is_cond, &r.count);
    if (is_cond) cond(c, x, attributes, has_count, &r);
    if (!type || (!is_cond && !is_method && !coverage_xml_is(type, "stmt"))) {
        findings_add(damage, "CL-2", ASSAY_ERROR, coverage_xml_attribute_off(x, "type"), xml_line(x), "a line of type '%.40s': expected stmt, cond or method",
                     type ? type : "");
        return 0;
    }
    if (!has_count && !is_cond) return 0;
    return is_method ? method(c, x, attributes, &r) : stmt(c, x, type, &r);
}

/* ---- what is stated ---- */

static double figure(const struct decoder *c, const char *const *attributes, const char *name)
{
    const char *value = xml_attribute(attributes, name);
    uint64_t n;
    double v = -1;
    if (!value) return -1;
    if (c->d->use == COVERAGE_FOR_CHECK) return number_u64(slice_of(value), &n) != NUMBER_BAD ? (double)n : -1;
    return number_double(slice_of(value), &v) != NUMBER_BAD && v >= 0 ? v : -1;
}

static int state(struct decoder *c, struct xml *x, const char *scope, const char *kind, double hit, double total)
{
    TRY(coverage_add_stated(c->d, xml_off(x), c->d->use == COVERAGE_FOR_READER ? 0 : xml_line(x), scope, slice_of(kind), hit, total));
    c->d->rows.at[c->d->rows.len - 1].of_no_file = !c->in_file || c->in_class;
    return 0;
}

/* For checks: of the file, whether they are said or not. */
static int metrics(struct decoder *c, struct xml *x, const char *const *attributes)
{
    static const char *const pairs[][2] = {
        { "statements", "coveredstatements" }, { "conditionals", "coveredconditionals" }, { "methods", "coveredmethods" }, { "elements", "coveredelements" }
    };
    static const char *const singles[] = { "complexity", "loc", "ncloc", "packages", "files", "classes" };
    bool is_named = c->in_class || (!c->in_file && c->in_package), is_check = c->d->use == COVERAGE_FOR_CHECK;
    const char *scope = is_named ? c->scope.at : c->in_file ? "file" : c->in_tests ? "testproject" : "report";
    if (c->d->use == COVERAGE_FOR_DUMP)
        return coverage_xml_element(c->d, x,
                                    c->in_class     ? "metrics of the class"
                                    : c->in_file    ? "metrics of the file"
                                    : c->in_package ? "metrics of the package"
                                                    : "metrics of the project",
                                    attributes);
    if (is_check && (!c->in_file || c->in_class)) return 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        double total = figure(c, attributes, pairs[i][0]), hit = figure(c, attributes, pairs[i][1]);
        if (is_check || total >= 0 || hit >= 0) TRY(state(c, x, scope, pairs[i][0], hit, total));
    }
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) {
        double hit = figure(c, attributes, singles[i]);
        if (hit >= 0) TRY(state(c, x, scope, singles[i], hit, -1));
    }
    return 0;
}

/* ---- other elements ---- */

static int name_scope(struct decoder *c, const char *what, assay_slice name)
{
    size_t len = strlen(what);
    c->scope.len = 0;
    if (!vec_reserve(c->d->mem, &c->scope, len + name.len + 1)) return error_memory(c->d->err);
    memcpy(c->scope.at, what, len);
    memcpy(c->scope.at + len, name.data, name.len);
    c->scope.at[len + name.len] = '\0';
    return 0;
}

static int attribute(struct decoder *c, struct xml *x, const char *name, const char *value)
{
    if (!value || c->d->use != COVERAGE_FOR_READER) return 0;
    struct coverage_row *row = coverage_xml_row(c->d, COVERAGE_ATTRIBUTE, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = coverage_name(c->d, name);
    row->text = coverage_name(c->d, value);
    return row->name && row->text ? 0 : error_memory(c->d->err);
}

static int root(struct decoder *c, struct xml *x, const char *name, const char *const *attributes)
{
    const char *version = xml_attribute(attributes, "clover");
    c->has_root = true;
    if (strcmp(name, "coverage") != 0) {
        findings_add(c->d->damage, "X-3", ASSAY_ERROR, xml_off(x), xml_line(x), "the root element is '%.40s': expected coverage", name);
        return 0;
    }
    c->has_version = version != NULL;
    if (version && !(c->d->version = coverage_name(c->d, version))) return error_memory(c->d->err);
    TRY(attribute(c, x, "generated", xml_attribute(attributes, "generated")));
    return coverage_xml_element(c->d, x, "coverage", attributes);
}

static int project(struct decoder *c, struct xml *x, const char *const *attributes, bool is_test)
{
    assay_slice name = coverage_xml_text(attributes, "name");
    const char *what = is_test ? "testproject" : "project";
    c->is_istanbul = c->has_version && slice_is(name, "All files");
    c->in_tests = is_test;
    TRY(attribute(c, x, what, name.len ? name.data : NULL));
    return coverage_xml_record(c->d, x, what, name.data);
}

static int file_begin(struct decoder *c, struct xml *x, const char *const *attributes)
{
    struct findings *damage = c->d->damage;
    assay_slice name = coverage_xml_text(attributes, "path");
    c->in_file = false;
    if (!name.len) {
        name = coverage_xml_text(attributes, "name");
        if (!name.len) {
            findings_add(damage, "CL-5", ASSAY_ERROR, xml_off(x), xml_line(x), "a file with neither path nor name: its lines belong to no file");
            return 0;
        }
        findings_add(damage, "CL-4", ASSAY_INFO, xml_off(x), xml_line(x), "a file without path: its name is used");
    }
    c->in_file = true;
    if (c->d->use == COVERAGE_FOR_READER) return coverage_joined_file(&c->lines, name);
    if (c->d->use == COVERAGE_FOR_CHECK) c->d->rows.len = 0; /* a file inside another: what the outer one says of itself cannot be compared */
    TRY(coverage_give(c->d));
    struct coverage_row *row = coverage_xml_row(c->d, COVERAGE_FILE, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = intern_put(&c->d->names, name);
    return row->name ? 0 : error_memory(c->d->err);
}

static int named(struct decoder *c, struct xml *x, const char *const *attributes, bool is_class)
{
    assay_slice name = coverage_xml_text(attributes, "name");
    if (is_class)
        c->in_class = true;
    else
        c->in_package = true;
    TRY(coverage_xml_record(c->d, x, is_class ? "class" : "package", name.data));
    return name_scope(c, is_class ? "class " : "package ", name);
}

static int element(struct decoder *c, struct xml *x, const char *name, const char *const *attributes)
{
    if (coverage_xml_is(name, "line")) return line(c, x, attributes);
    if (!c->has_root) return root(c, x, name, attributes);
    if (coverage_xml_is(name, "metrics")) return metrics(c, x, attributes);
    if (coverage_xml_is(name, "file")) return file_begin(c, x, attributes);
    if (coverage_xml_is(name, "class") || coverage_xml_is(name, "package")) return named(c, x, attributes, name[0] == 'c');
    if (coverage_xml_is(name, "project") || coverage_xml_is(name, "testproject")) return project(c, x, attributes, name[0] == 't');
    return 0;
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct decoder *c = arg;
    int rc = element(c, x, name, attributes);
    return rc == 0 && c->d->damage->failed ? error_memory(c->d->err) : rc;
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct decoder *c = arg;
    (void)x;
    if (coverage_xml_is(name, "line")) return 0;
    if (coverage_xml_is(name, "class"))
        c->in_class = false;
    else if (coverage_xml_is(name, "package"))
        c->in_package = false;
    else if (coverage_xml_is(name, "file") && c->in_file) {
        c->in_file = c->in_class = false;
        return c->d->use == COVERAGE_FOR_READER ? 0 : coverage_give(c->d);
    }
    return 0;
}

int clover_decode(struct coverage_decoder *d)
{
    static const struct xml_handler handler = { on_start, on_end, NULL };
    struct decoder c = { .d = d };
    coverage_joined_init(&c.lines, d);
    int rc = coverage_xml_rows(d, &handler, &c);
    if (d->use == COVERAGE_FOR_CHECK && !c.in_file) d->rows.len = 0;
    if (rc == 0) rc = coverage_joined_give(&c.lines);
    coverage_joined_done(&c.lines);
    vec_done(d->mem, &c.scope);
    return rc;
}
