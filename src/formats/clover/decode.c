/* Elements -> records; see decode.h. */
#include "formats/clover/decode.h"

static int take(struct clover_decoder *d, struct xml *x, struct clover_record *r)
{
    r->off = xml_off(x);
    if (d->wants_numbers) r->number = xml_line(x);
    return d->take(d->arg, r);
}

static assay_slice named(const char *const *attributes, const char *name)
{
    const char *value = xml_attribute(attributes, name);
    return slice_of(value ? value : "");
}

/* ---- lines ---- */

/* Times that the condition was true and false (Clover): each is a branch. istanbul writes branches covered and missed in the same places.
 * Clover's own rows have no count, so a row that has one may be either's. */
static void cond(struct clover_decoder *d, struct xml *x, const char *const *attributes, bool has_count, struct clover_record *r)
{
    uint64_t yes, no;
    (void)coverage_xml_count(x, d->damage, attributes, "truecount", false, &yes);
    (void)coverage_xml_count(x, d->damage, attributes, "falsecount", false, &no);
    r->kind = CLOVER_COND;
    if (!has_count) r->count = yes > UINT64_MAX - no ? UINT64_MAX : yes + no;
    if (has_count && !d->has_guessed) {
        d->has_guessed = true;
        findings_add(d->damage, "CL-3", ASSAY_INFO, xml_off(x), xml_line(x), "truecount and falsecount are read as %s",
                     d->is_istanbul ? "branches covered and missed, as istanbul writes them" : "how often the condition was true and false");
    }
    if (!d->is_istanbul) {
        r->covered = (yes > 0 ? 1u : 0u) + (no > 0 ? 1u : 0u);
        r->total = 2;
        return;
    }
    r->total = yes > COVERAGE_LINE_MAX || no > COVERAGE_LINE_MAX ? 0 : (uint32_t)(yes + no);
    r->covered = r->total ? (uint32_t)yes : 0;
    if ((yes || no) && !r->total)
        findings_add(d->damage, "X-4", ASSAY_ERROR, coverage_xml_attribute_off(x, "truecount"), xml_line(x), "more branches than a line can have");
}

/* false = of no known type */
static bool typed(struct clover_decoder *d, struct xml *x, const char *const *attributes, const char *type, bool has_count, struct clover_record *r)
{
    if (strcmp(type, "cond") == 0)
        cond(d, x, attributes, has_count, r);
    else if (strcmp(type, "stmt") == 0)
        r->kind = CLOVER_STMT;
    else if (strcmp(type, "method") == 0) {
        r->kind = CLOVER_METHOD;
        r->name = named(attributes, "name");
        if (!r->name.len) r->name = named(attributes, "signature");
    } else
        return false;
    return true;
}

static int line(struct clover_decoder *d, struct xml *x, const char *const *attributes)
{
    struct clover_record r = { .kind = CLOVER_STMT };
    const char *type = xml_attribute(attributes, "type");
    if (!d->in_file || !coverage_xml_small(x, d->damage, attributes, "num", true, &r.line)) return 0;
    if (!r.line) {
        findings_add(d->damage, "CL-6", ASSAY_WARNING, coverage_xml_attribute_off(x, "num"), xml_line(x), "line 0: the row is left out");
        return 0;
    }
    bool is_cond = type && strcmp(type, "cond") == 0, has_count = coverage_xml_count(x, d->damage, attributes, "count", type && !is_cond, &r.count);
    if (!type || !typed(d, x, attributes, type, has_count, &r)) {
        findings_add(d->damage, "CL-2", ASSAY_ERROR, coverage_xml_attribute_off(x, "type"), xml_line(x),
                     "a line of type '%.40s': expected stmt, cond or method", type ? type : "");
        return 0;
    }
    return has_count || is_cond ? take(d, x, &r) : 0;
}

/* ---- other elements ---- */

static int root(struct clover_decoder *d, struct xml *x, const char *name, const char *const *attributes)
{
    d->has_root = true;
    if (strcmp(name, "coverage") != 0) {
        findings_add(d->damage, "X-3", ASSAY_ERROR, xml_off(x), xml_line(x), "the root element is '%.40s': expected coverage", name);
        return 0;
    }
    d->has_version = xml_attribute(attributes, "clover") != NULL;
    return take(d, x, &(struct clover_record){ .kind = CLOVER_ROOT, .attributes = attributes });
}

static int project(struct clover_decoder *d, struct xml *x, const char *const *attributes, bool is_test)
{
    struct clover_record r = { .kind = CLOVER_PROJECT, .name = named(attributes, "name"), .is_test = is_test };
    d->is_istanbul = d->has_version && slice_is(r.name, "All files");
    return take(d, x, &r);
}

static int file_begin(struct clover_decoder *d, struct xml *x, const char *const *attributes)
{
    struct clover_record r = { .kind = CLOVER_FILE, .name = named(attributes, "path") };
    d->in_file = false;
    if (!r.name.len) {
        r.name = named(attributes, "name");
        if (!r.name.len) {
            findings_add(d->damage, "CL-5", ASSAY_ERROR, xml_off(x), xml_line(x), "a file with neither path nor name: its lines belong to no file");
            return 0;
        }
        findings_add(d->damage, "CL-4", ASSAY_INFO, xml_off(x), xml_line(x), "a file without path: its name is used");
    }
    d->in_file = true;
    return take(d, x, &r);
}

static int metrics(struct clover_decoder *d, struct xml *x, const char *const *attributes)
{
    struct clover_record r = { .kind = CLOVER_METRICS, .attributes = attributes };
    r.scope = d->in_class ? CLOVER_OF_CLASS : d->in_file ? CLOVER_OF_FILE : d->in_package ? CLOVER_OF_PACKAGE : CLOVER_OF_PROJECT;
    return take(d, x, &r);
}

static int element(struct clover_decoder *d, struct xml *x, const char *name, const char *const *attributes)
{
    if (strcmp(name, "line") == 0) return line(d, x, attributes);
    if (!d->has_root) return root(d, x, name, attributes);
    if (strcmp(name, "metrics") == 0) return metrics(d, x, attributes);
    if (strcmp(name, "file") == 0) return file_begin(d, x, attributes);
    if (strcmp(name, "class") == 0) {
        d->in_class = true;
        return take(d, x, &(struct clover_record){ .kind = CLOVER_CLASS, .name = named(attributes, "name") });
    }
    if (strcmp(name, "package") == 0) {
        d->in_package = true;
        return take(d, x, &(struct clover_record){ .kind = CLOVER_PACKAGE, .name = named(attributes, "name") });
    }
    if (strcmp(name, "project") == 0 || strcmp(name, "testproject") == 0) return project(d, x, attributes, name[0] == 't');
    return 0;
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct clover_decoder *d = arg;
    int rc = element(d, x, name, attributes);
    return rc == 0 && d->damage->failed ? error_memory(d->err) : rc;
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct clover_decoder *d = arg;
    if (strcmp(name, "line") == 0) return 0;
    if (strcmp(name, "class") == 0)
        d->in_class = false;
    else if (strcmp(name, "package") == 0)
        d->in_package = false;
    else if (strcmp(name, "file") == 0 && d->in_file) {
        d->in_file = d->in_class = false;
        return take(d, x, &(struct clover_record){ .kind = CLOVER_FILE_END });
    }
    return 0;
}

int clover_decode(struct clover_decoder *d, const struct read_job *job, assay_error *err)
{
    static const struct xml_handler handler = { on_start, on_end, NULL };
    d->err = err;
    int rc = coverage_xml_parse(job, &handler, d, d->damage, err);
    if (rc == 0 && d->in_file) rc = d->take(d->arg, &(struct clover_record){ .kind = CLOVER_FILE_END }); /* cut: what came is whole */
    return rc;
}
