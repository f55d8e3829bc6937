/* Elements -> records; see decode.h. */
#include "formats/cobertura/decode.h"

#include <strings.h>

#include "base/number.h"

static int take(struct cobertura_decoder *d, struct xml *x, struct cobertura_record *r)
{
    r->off = r->kind == COBERTURA_LINE ? r->off : xml_off(x);
    if (d->wants_numbers && !r->number) r->number = xml_line(x);
    return d->take(d->arg, r);
}

static void found(struct cobertura_decoder *d, struct xml *x, const char *rule, const char *attribute, const char *message)
{
    findings_add(d->damage, rule, ASSAY_WARNING, coverage_xml_attribute_off(x, attribute), xml_line(x), "%s", message);
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

static void set_sum(struct cobertura_decoder *d, struct xml *x, const char *text)
{
    double percent;
    int64_t n, m;
    if (!parse_condition(text, &percent, &n, &m)) return;
    if (m <= 0 || m > COVERAGE_LINE_MAX) {
        found(d, x, "CB-2", "condition-coverage", "condition-coverage has no branches, or an impossible number of them: it is left out");
        return;
    }
    if (n < 0 || n > m) {
        found(d, x, "CB-2", "condition-coverage",
              n < 0 ? "condition-coverage has a negative number of branches taken: read as none"
                    : "condition-coverage has more branches taken than there are: read as all");
        n = n < 0 ? 0 : m;
    } else if (percent >= 0 && (percent - 100.0 * (double)n / (double)m > 1 || percent - 100.0 * (double)n / (double)m < -1))
        found(d, x, "CB-3", "condition-coverage", "the percentage of condition-coverage does not match its branches");
    d->row.has_sum = true;
    d->row.covered = (uint32_t)n;
    d->row.total = (uint32_t)m;
}

static void condition(struct cobertura_decoder *d, const char *const *attributes)
{
    const char *coverage = xml_attribute(attributes, "coverage");
    double percent;
    if (!d->in_line || !d->is_branch || d->row.has_sum) return;
    assay_slice text = slice_of(coverage ? coverage : "0");
    if (slice_ends(text, "%")) text.len--;
    d->has_conditions = true;
    d->conditions++;
    d->conditions_hit += number_double(text, &percent) == NUMBER_OK && percent > 0;
}

/* ---- lines ---- */

static void line_begin(struct cobertura_decoder *d, struct xml *x, const char *const *attributes)
{
    struct cobertura_record *r = &d->row;
    if (!d->in_class) return;
    *r = (struct cobertura_record){ .kind = COBERTURA_LINE, .in_method = d->in_method };
    d->in_line = d->is_branch = d->has_conditions = false;
    d->conditions = d->conditions_hit = 0;
    bool whole = coverage_xml_small(x, d->damage, attributes, "number", true, &r->line) && coverage_xml_count(x, d->damage, attributes, "hits", true, &r->hits);
    if (whole && !r->line) found(d, x, "CB-1", "number", "line 0: the row is left out");
    if (!whole || !r->line) return;
    d->in_line = true;
    r->off = xml_off(x);
    if (d->wants_numbers) r->number = xml_line(x);
    const char *branch = xml_attribute(attributes, "branch"), *text = xml_attribute(attributes, "condition-coverage");
    d->is_branch = branch && strcasecmp(branch, "true") == 0;
    if (d->is_branch && text) set_sum(d, x, text);
    d->has_conditions = d->is_branch && text; /* its <condition> elements are not asked then */
}

static int line_end(struct cobertura_decoder *d, struct xml *x)
{
    struct cobertura_record *r = &d->row;
    if (!d->in_line) return 0;
    d->in_line = false;
    if (d->conditions && !r->has_sum) {
        r->has_sum = true;
        r->covered = d->conditions_hit;
        r->total = d->conditions;
    }
    if (d->is_branch && !r->has_sum) findings_add(d->damage, "CB-9", ASSAY_INFO, r->off, r->number, "a line with branches, but without the number taken");
    return take(d, x, r);
}

/* ---- other elements ---- */

static int class_begin(struct cobertura_decoder *d, struct xml *x, const char *const *attributes)
{
    const char *file = xml_attribute(attributes, "filename"), *name = xml_attribute(attributes, "name");
    if (!file || !*file) {
        findings_add(d->damage, "CB-11", ASSAY_ERROR, xml_off(x), xml_line(x), "a class without filename: its lines belong to no file");
        return 0;
    }
    d->in_class = true;
    return take(d, x, &(struct cobertura_record){ .kind = COBERTURA_CLASS, .name = slice_of(file), .class_name = slice_of(name ? name : "") });
}

static int method_begin(struct cobertura_decoder *d, struct xml *x, const char *const *attributes)
{
    struct cobertura_record r = { .kind = COBERTURA_METHOD };
    const char *name = xml_attribute(attributes, "name"), *signature = xml_attribute(attributes, "signature");
    if (!d->in_class) return 0;
    d->in_method = true;
    r.name = slice_of(name ? name : "");
    r.signature = slice_of(signature ? signature : "");
    r.has_hits = coverage_xml_count(x, d->damage, attributes, "hits", false, &r.hits);
    return take(d, x, &r);
}

static int root(struct cobertura_decoder *d, struct xml *x, const char *name, const char *const *attributes)
{
    d->has_root = true;
    if (strcmp(name, "coverage") != 0) {
        findings_add(d->damage, "X-3", ASSAY_ERROR, xml_off(x), xml_line(x), "the root element is '%.40s': expected coverage", name);
        return 0;
    }
    return take(d, x, &(struct cobertura_record){ .kind = COBERTURA_ROOT, .attributes = attributes });
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct cobertura_decoder *d = arg;
    if (strcmp(name, "line") == 0)
        line_begin(d, x, attributes);
    else if (!d->has_root)
        return root(d, x, name, attributes);
    else if (strcmp(name, "condition") == 0)
        condition(d, attributes);
    else if (strcmp(name, "class") == 0)
        return class_begin(d, x, attributes);
    else if (strcmp(name, "method") == 0)
        return method_begin(d, x, attributes);
    else if (strcmp(name, "source") == 0) {
        d->in_source = true;
        d->text.len = 0;
        d->sources++;
    }
    return d->damage->failed ? error_memory(d->err) : 0;
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct cobertura_decoder *d = arg;
    if (strcmp(name, "line") == 0) return line_end(d, x);
    if (strcmp(name, "source") == 0 && d->in_source) {
        d->in_source = false;
        return take(d, x, &(struct cobertura_record){ .kind = COBERTURA_SOURCE, .name = { d->text.at ? d->text.at : "", d->text.len } });
    }
    if (strcmp(name, "method") == 0 && d->in_method) {
        d->in_method = false;
        return take(d, x, &(struct cobertura_record){ .kind = COBERTURA_METHOD_END });
    }
    if (strcmp(name, "class") != 0 || !d->in_class) return 0;
    d->in_class = d->in_method = false;
    return take(d, x, &(struct cobertura_record){ .kind = COBERTURA_CLASS_END });
}

static int on_text(void *arg, struct xml *x, assay_slice text)
{
    struct cobertura_decoder *d = arg;
    (void)x;
    if (!d->in_source || !text.len) return 0;
    if (!vec_reserve(d->mem, &d->text, text.len)) return error_memory(d->err);
    memcpy(d->text.at + d->text.len, text.data, text.len);
    d->text.len += text.len;
    return 0;
}

int cobertura_decode(struct cobertura_decoder *d, const struct read_job *job, assay_error *err)
{
    static const struct xml_handler handler = { on_start, on_end, on_text };
    d->mem = job->mem;
    d->err = err;
    int rc = coverage_xml_parse(job, &handler, d, d->damage, err);
    if (rc == 0 && d->in_class) rc = d->take(d->arg, &(struct cobertura_record){ .kind = COBERTURA_CLASS_END }); /* cut: what came is whole */
    vec_done(job->mem, &d->text);
    return rc;
}
