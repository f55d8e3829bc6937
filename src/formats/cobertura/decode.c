/* Cobertura XML: elements -> rows. The only parser of this format. Methods are functions; lines with branches have n of m, and no single branch is
 * made up. For readers the rows of one line are joined. docs/formats/cobertura.md has the grammar. */
#include <strings.h>

#include "base/number.h"
#include "formats/cobertura/class.h"
#include "formats/cobertura/cobertura.h"
#include "formats/coverage/xml_rows.h"

struct decoder {
    struct coverage_decoder *d;
    struct cobertura_class class; /* for readers, as are files */
    struct intern files;          /* in the order in which they came */
    uint32_t file, path;          /* of the class: id in files, and in names */
    uint32_t method;              /* name of the one in work */
    /* where it stands */
    bool has_root, in_class, in_method, in_source, in_line, is_branch;
    struct coverage_row row; /* the <line> in work */
    uint32_t conditions, conditions_hit;
    VEC(char) text;
};

static void found(struct decoder *c, struct xml *x, const char *rule, const char *attribute, const char *message)
{
    findings_add(c->d->damage, rule, ASSAY_WARNING, coverage_xml_attribute_off(x, attribute), xml_line(x), "%s", message);
}

/* ---- branches of a line ---- */

/* "50% (1/2)": *percent is -1 when it is not there. false = no n of m. */
static bool parse_condition(const char *text, double *percent, int64_t *n, int64_t *m)
{
    const char *open = strchr(text, '('), *slash = open ? strchr(open, '/') : NULL, *close = slash ? strchr(slash, ')') : NULL;
    const char *sign = strchr(text, '%');
    *percent = -1;
    if (sign && number_double(slice_trim(slice_from(text, sign)), percent) == NUMBER_BAD) *percent = -1;
    return close && number_i64(slice_trim(slice_from(open + 1, slash)), n) == NUMBER_OK && number_i64(slice_trim(slice_from(slash + 1, close)), m) == NUMBER_OK;
}

static void set_sum(struct decoder *c, struct xml *x, const char *text)
{
    double percent;
    int64_t n, m;
    if (!parse_condition(text, &percent, &n, &m)) return;
    if (m <= 0 || m > COVERAGE_LINE_MAX) {
        found(c, x, "CB-2", "condition-coverage", "condition-coverage has no branches, or an impossible number of them: it is left out");
        return;
    }
    if (n < 0 || n > m) {
        found(c, x, "CB-2", "condition-coverage",
              n < 0 ? "condition-coverage has a negative number of branches taken: read as none"
                    : "condition-coverage has more branches taken than there are: read as all");
        n = n < 0 ? 0 : m;
    } else if (percent >= 0 && (percent - 100.0 * (double)n / (double)m > 1 || percent - 100.0 * (double)n / (double)m < -1))
        found(c, x, "CB-3", "condition-coverage", "the percentage of condition-coverage does not match its branches");
    c->row.index = (uint32_t)n;
    c->row.group = (uint32_t)m;
}

static void condition(struct decoder *c, const char *const *attributes)
{
    const char *coverage = xml_attribute(attributes, "coverage");
    double percent;
    if (!c->in_line || !c->is_branch || c->row.group) return;
    assay_slice text = slice_of(coverage ? coverage : "0");
    if (slice_ends(text, "%")) text.len--;
    c->conditions++;
    c->conditions_hit += number_double(text, &percent) == NUMBER_OK && percent > 0;
}

/* ---- lines ---- */

static void line_begin(struct decoder *c, struct xml *x, const char *const *attributes)
{
    struct coverage_row *r = &c->row;
    struct findings *damage = c->d->damage;
    if (!c->in_class) return;
    *r = (struct coverage_row){ .kind = COVERAGE_LINE, .of_function = c->in_method };
    c->in_line = c->is_branch = false;
    c->conditions = c->conditions_hit = 0;
    bool whole = coverage_xml_small(x, damage, attributes, "number", true, &r->line) && coverage_xml_count(x, damage, attributes, "hits", true, &r->count);
    if (whole && !r->line) found(c, x, "CB-1", "number", "line 0: the row is left out");
    if (!whole || !r->line) return;
    c->in_line = true;
    r->off = xml_off(x);
    if (c->d->use != COVERAGE_FOR_READER) r->number = (uint32_t)xml_line(x);
    const char *branch = xml_attribute(attributes, "branch"), *text = xml_attribute(attributes, "condition-coverage");
    c->is_branch = branch && strcasecmp(branch, "true") == 0;
    if (c->is_branch && text) set_sum(c, x, text);
}

static int line_end(struct decoder *c)
{
    struct coverage_row *r = &c->row;
    struct coverage_decoder *d = c->d;
    if (!c->in_line) return 0;
    c->in_line = false;
    if (c->conditions && !r->group) {
        r->index = c->conditions_hit;
        r->group = c->conditions;
    }
    if (c->is_branch && !r->group) findings_add(d->damage, "CB-9", ASSAY_INFO, r->off, r->number, "a line with branches, but without the number taken");
    if (d->use == COVERAGE_FOR_READER) return cobertura_class_add(&c->class, r) ? 0 : error_memory(d->err);
    struct coverage_row *slot = vec_push(d->mem, &d->rows);
    if (!slot) return error_memory(d->err);
    *slot = *r;
    slot->marks = (uint32_t)d->damage->list.len;
    if (d->use == COVERAGE_FOR_DUMP && r->of_function) slot->func = c->method;
    return 0;
}

/* ---- classes and methods ---- */

/* The id of both texts together. */
static int join(struct decoder *c, const char *first, const char *second, uint32_t *out)
{
    size_t a = strlen(first), b = strlen(second);
    c->text.len = 0;
    if (!vec_reserve(c->d->mem, &c->text, a + b + 1)) return error_memory(c->d->err);
    memcpy(c->text.at, first, a);
    memcpy(c->text.at + a, second, b);
    *out = intern_put(&c->d->names, (assay_slice){ c->text.at, a + b });
    return *out ? 0 : error_memory(c->d->err);
}

static int add_file(struct decoder *c, uint32_t path, uint64_t off, uint64_t number)
{
    struct coverage_row *row = coverage_add_row(c->d, COVERAGE_FILE, off, number);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = path;
    return path ? 0 : error_memory(c->d->err);
}

static int class_begin(struct decoder *c, struct xml *x, const char *const *attributes)
{
    struct coverage_decoder *d = c->d;
    const char *file = xml_attribute(attributes, "filename"), *name = xml_attribute(attributes, "name");
    if (!file || !*file) {
        findings_add(d->damage, "CB-11", ASSAY_ERROR, xml_off(x), xml_line(x), "a class without filename: its lines belong to no file");
        return 0;
    }
    if (d->use == COVERAGE_FOR_CHECK && c->in_class) d->rows.len = 0; /* a class inside another: the outer one is not judged */
    c->in_class = true;
    c->path = coverage_name(d, file);
    c->file = d->use == COVERAGE_FOR_READER ? intern_put(&c->files, slice_of(file)) : c->path;
    if (!c->path || !c->file) return error_memory(d->err);
    cobertura_class_begin(&c->class);
    if (d->use == COVERAGE_FOR_READER) return add_file(c, c->path, xml_off(x), 0);
    TRY(coverage_give(d));
    TRY(add_file(c, c->path, xml_off(x), xml_line(x)));
    return d->use == COVERAGE_FOR_DUMP ? join(c, "class ", name ? name : "", &d->rows.at[d->rows.len - 1].func) : 0;
}

/* Lines that count, then the methods. */
static int give_class(struct decoder *c)
{
    struct coverage_decoder *d = c->d;
    struct coverage_row *row;
    if (!cobertura_class_end(&c->class, c->file)) return error_memory(d->err);
    for (size_t i = 0; i < c->class.lines.len; i++) {
        if (!(row = coverage_add_row(d, COVERAGE_LINE, 0, 0))) return ASSAY_ERR_MEMORY;
        row->line = c->class.lines.at[i].line;
        row->count = c->class.lines.at[i].hits;
    }
    for (size_t i = 0; i < c->class.methods.len; i++) {
        if (!(row = coverage_add_row(d, COVERAGE_FUNCTION, 0, 0))) return ASSAY_ERR_MEMORY;
        row->name = c->class.methods.at[i].name;
        row->line = c->class.methods.at[i].line;
        row->count = c->class.methods.at[i].hits;
    }
    return coverage_give_some(d);
}

static int class_end(struct decoder *c)
{
    if (!c->in_class) return 0;
    c->in_class = c->in_method = false;
    return c->d->use == COVERAGE_FOR_READER ? give_class(c) : coverage_give(c->d);
}

static int method_begin(struct decoder *c, struct xml *x, const char *const *attributes)
{
    struct coverage_decoder *d = c->d;
    assay_slice name = coverage_xml_text(attributes, "name"), signature = coverage_xml_text(attributes, "signature");
    struct coverage_row r = { .kind = COVERAGE_FUNCTION };
    if (!c->in_class) return 0;
    c->in_method = true;
    r.index = coverage_xml_count(x, d->damage, attributes, "hits", false, &r.count);
    TRY(join(c, name.data, signature.data, &c->method));
    r.name = c->method;
    if (d->use == COVERAGE_FOR_READER) return cobertura_class_add(&c->class, &r) ? 0 : error_memory(d->err);
    struct coverage_row *row = coverage_xml_row(d, r.index || d->use == COVERAGE_FOR_CHECK ? COVERAGE_FUNCTION : COVERAGE_RECORD, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->count = r.count;
    row->index = r.index;
    row->name = row->kind == COVERAGE_RECORD ? coverage_name(d, "method") : c->method;
    row->text = row->kind == COVERAGE_RECORD ? c->method : 0;
    return row->name ? 0 : error_memory(d->err);
}

/* ---- what the root states ---- */

static double figure(const char *const *attributes, const char *name)
{
    const char *value = xml_attribute(attributes, name);
    double v = -1;
    return value && number_double(slice_of(value), &v) != NUMBER_BAD ? v : -1;
}

static int state(struct decoder *c, struct xml *x, const char *kind, double hit, double total)
{
    if ((hit < 0 && total < 0) || c->d->use == COVERAGE_FOR_DUMP) return 0;
    return coverage_add_stated(c->d, xml_off(x), 0, "report", slice_of(kind), hit, total);
}

static int attribute(struct decoder *c, struct xml *x, const char *name, assay_slice value)
{
    struct coverage_row *row = coverage_xml_row(c->d, COVERAGE_ATTRIBUTE, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = coverage_name(c->d, name);
    row->text = intern_put(&c->d->names, value);
    return row->name && row->text ? 0 : error_memory(c->d->err);
}

static int root(struct decoder *c, struct xml *x, const char *name, const char *const *a)
{
    static const char *const singles[] = { "line-rate", "branch-rate", "function-rate", "complexity" };
    struct coverage_decoder *d = c->d;
    const char *version = xml_attribute(a, "version"), *time = xml_attribute(a, "timestamp");
    c->has_root = true;
    if (strcmp(name, "coverage") != 0) {
        findings_add(d->damage, "X-3", ASSAY_ERROR, xml_off(x), xml_line(x), "the root element is '%.40s': expected coverage", name);
        return 0;
    }
    if (d->use == COVERAGE_FOR_CHECK && !coverage_xml_row(d, COVERAGE_RECORD, x)) return ASSAY_ERR_MEMORY;
    TRY(coverage_xml_element(d, x, "coverage", a));
    TRY(state(c, x, "lines", figure(a, "lines-covered"), figure(a, "lines-valid")));
    TRY(state(c, x, "branches", figure(a, "branches-covered"), figure(a, "branches-valid")));
    TRY(state(c, x, "functions", figure(a, "functions-covered"), figure(a, "functions-valid")));
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) TRY(state(c, x, singles[i], figure(a, singles[i]), -1));
    if (version && !(d->version = coverage_name(d, version))) return error_memory(d->err);
    return time && d->use == COVERAGE_FOR_READER ? attribute(c, x, "timestamp", slice_of(time)) : 0;
}

/* ---- elements ---- */

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct decoder *c = arg;
    int rc = 0;
    if (coverage_xml_is(name, "line"))
        line_begin(c, x, attributes);
    else if (!c->has_root)
        rc = root(c, x, name, attributes);
    else if (coverage_xml_is(name, "condition"))
        condition(c, attributes);
    else if (coverage_xml_is(name, "class"))
        rc = class_begin(c, x, attributes);
    else if (coverage_xml_is(name, "method"))
        rc = method_begin(c, x, attributes);
    else if (coverage_xml_is(name, "source")) {
        c->in_source = true;
        c->text.len = 0;
    }
    return rc == 0 && c->d->damage->failed ? error_memory(c->d->err) : rc;
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct decoder *c = arg;
    if (coverage_xml_is(name, "line")) return line_end(c);
    if (coverage_xml_is(name, "source") && c->in_source) {
        c->in_source = false;
        return attribute(c, x, "source", (assay_slice){ c->text.at ? c->text.at : "", c->text.len });
    }
    if (coverage_xml_is(name, "method"))
        c->in_method = false;
    else if (coverage_xml_is(name, "class"))
        return class_end(c);
    return 0;
}

static int on_text(void *arg, struct xml *x, assay_slice text)
{
    struct decoder *c = arg;
    (void)x;
    if (!c->in_source || !text.len) return 0;
    if (!vec_reserve(c->d->mem, &c->text, text.len)) return error_memory(c->d->err);
    memcpy(c->text.at + c->text.len, text.data, text.len);
    c->text.len += text.len;
    return 0;
}

/* Branches of lines, behind all classes: several may have the same line of a file. */
static int give_sums(struct decoder *c)
{
    uint32_t file = 0, kind = coverage_name(c->d, "branches");
    if (!kind) return error_memory(c->d->err);
    cobertura_class_join_sums(&c->class);
    for (size_t i = 0; i < c->class.sums.len; i++) {
        const struct cobertura_sum *s = &c->class.sums.at[i];
        TRY(coverage_give_some(c->d));
        if (s->key >> 32 != file) {
            file = (uint32_t)(s->key >> 32);
            TRY(add_file(c, intern_put(&c->d->names, intern_get(&c->files, file)), 0, 0));
        }
        struct coverage_row *row = coverage_add_row(c->d, COVERAGE_SUM, 0, 0);
        if (!row) return ASSAY_ERR_MEMORY;
        row->line = (uint32_t)s->key;
        row->index = s->covered;
        row->group = s->total;
        row->name = kind;
    }
    return 0;
}

int cobertura_decode(struct coverage_decoder *d)
{
    static const struct xml_handler handler = { on_start, on_end, on_text };
    struct decoder c = { .d = d };
    cobertura_class_init(&c.class, d->mem);
    intern_init(&c.files, d->mem);
    int rc = coverage_xml_rows(d, &handler, &c);
    if (rc == 0) rc = class_end(&c); /* cut: what came is whole */
    if (rc == 0) rc = give_sums(&c);
    vec_done(d->mem, &c.text);
    intern_done(&c.files);
    cobertura_class_done(&c.class);
    return rc;
}
