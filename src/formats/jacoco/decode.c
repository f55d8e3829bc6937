/* Elements -> records; see decode.h. */
#include "formats/jacoco/decode.h"

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

static int take(struct jacoco_decoder *d, struct xml *x, struct jacoco_record *r)
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

static int nameless(struct jacoco_decoder *d, struct xml *x, const char *what)
{
    findings_add(d->damage, "JX-7", ASSAY_ERROR, xml_off(x), xml_line(x), "a %s without name: it is left out", what);
    return 0;
}

/* ---- lines and counters ---- */

static int line(struct jacoco_decoder *d, struct xml *x, const char *const *attributes)
{
    struct jacoco_record r = { .kind = JACOCO_LINE };
    if (!d->in_source || !coverage_xml_small(x, d->damage, attributes, "nr", true, &r.line)) return 0;
    if (!r.line) {
        findings_add(d->damage, "JX-6", ASSAY_WARNING, coverage_xml_attribute_off(x, "nr"), xml_line(x), "line 0: the row is left out");
        return 0;
    }
    bool has_missed = coverage_xml_small(x, d->damage, attributes, "mi", false, &r.missed_instructions);
    bool has_covered = coverage_xml_small(x, d->damage, attributes, "ci", false, &r.instructions_hit);
    (void)coverage_xml_small(x, d->damage, attributes, "mb", false, &r.missed_branches);
    (void)coverage_xml_small(x, d->damage, attributes, "cb", false, &r.branches_hit);
    r.is_unknown = !has_missed && !has_covered;
    d->unknown += r.is_unknown;
    return take(d, x, &r);
}

static int counter(struct jacoco_decoder *d, struct xml *x, const char *const *attributes)
{
    struct jacoco_record r = { .kind = JACOCO_COUNTER, .type = JACOCO_TYPES };
    assay_slice type = named(attributes, "type");
    for (int i = 0; i < JACOCO_TYPES; i++)
        if (slice_is(type, types[i].text)) r.type = (enum jacoco_type)i;
    if (r.type == JACOCO_TYPES) return 0;
    if (!coverage_xml_count(x, d->damage, attributes, "missed", true, &r.counter.missed) ||
        !coverage_xml_count(x, d->damage, attributes, "covered", true, &r.counter.covered))
        return 0;
    r.scope = d->in_method    ? JACOCO_OF_METHOD
              : d->in_class   ? JACOCO_OF_CLASS
              : d->in_source  ? JACOCO_OF_SOURCE
              : d->in_package ? JACOCO_OF_PACKAGE
              : d->groups     ? JACOCO_OF_GROUP
                              : JACOCO_OF_REPORT;
    return take(d, x, &r);
}

/* ---- what they stand in ---- */

static int source(struct jacoco_decoder *d, struct xml *x, const char *const *attributes)
{
    struct jacoco_record r = { .kind = JACOCO_SOURCE, .name = named(attributes, "name") };
    d->in_source = d->in_package && r.name.len;
    d->unknown = 0;
    d->source_off = xml_off(x);
    d->source_number = xml_line(x);
    if (!d->in_package) return 0;
    return r.name.len ? take(d, x, &r) : nameless(d, x, "sourcefile");
}

static int class_begin(struct jacoco_decoder *d, struct xml *x, const char *const *attributes)
{
    struct jacoco_record r = { .kind = JACOCO_CLASS, .name = named(attributes, "name"), .detail = named(attributes, "sourcefilename") };
    d->in_class = d->in_package && r.name.len;
    if (!d->in_package) return 0;
    return r.name.len ? take(d, x, &r) : nameless(d, x, "class");
}

static int method(struct jacoco_decoder *d, struct xml *x, const char *const *attributes)
{
    struct jacoco_record r = { .kind = JACOCO_METHOD, .name = named(attributes, "name"), .detail = named(attributes, "desc") };
    if (!d->in_class) return 0;
    d->in_method = true;
    (void)coverage_xml_small(x, d->damage, attributes, "line", false, &r.line);
    return take(d, x, &r);
}

static int root(struct jacoco_decoder *d, struct xml *x, const char *name, const char *const *attributes)
{
    d->has_root = true;
    if (strcmp(name, "report") != 0) {
        findings_add(d->damage, "X-3", ASSAY_ERROR, xml_off(x), xml_line(x), "the root element is '%.40s': expected report", name);
        return 0;
    }
    return take(d, x, &(struct jacoco_record){ .kind = JACOCO_REPORT, .name = named(attributes, "name") });
}

static int element(struct jacoco_decoder *d, struct xml *x, const char *name, const char *const *attributes)
{
    if (strcmp(name, "line") == 0) return line(d, x, attributes);
    if (strcmp(name, "counter") == 0) return counter(d, x, attributes);
    if (!d->has_root) return root(d, x, name, attributes);
    if (strcmp(name, "method") == 0) return method(d, x, attributes);
    if (strcmp(name, "class") == 0) return class_begin(d, x, attributes);
    if (strcmp(name, "sourcefile") == 0) return source(d, x, attributes);
    if (strcmp(name, "package") == 0) {
        d->in_package = true;
        return take(d, x, &(struct jacoco_record){ .kind = JACOCO_PACKAGE, .name = named(attributes, "name") });
    }
    if (strcmp(name, "group") == 0) {
        d->groups++;
        return take(d, x, &(struct jacoco_record){ .kind = JACOCO_GROUP, .name = named(attributes, "name") });
    }
    if (strcmp(name, "sessioninfo") == 0)
        return take(d, x, &(struct jacoco_record){ .kind = JACOCO_SESSION, .name = named(attributes, "id"), .attributes = attributes });
    return 0;
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct jacoco_decoder *d = arg;
    int rc = element(d, x, name, attributes);
    return rc == 0 && d->damage->failed ? error_memory(d->err) : rc;
}

/* x == NULL: the document ends too early. */
static int end(struct jacoco_decoder *d, struct xml *x, enum jacoco_kind kind)
{
    struct jacoco_record r = { .kind = kind };
    return x ? take(d, x, &r) : d->take(d->arg, &r);
}

static int source_end(struct jacoco_decoder *d, struct xml *x)
{
    if (!d->in_source) return 0;
    d->in_source = false;
    if (d->unknown)
        findings_add(d->damage, "JX-4", ASSAY_WARNING, d->source_off, d->source_number,
                     "%llu lines have no instruction counts (mi, ci): those with a covered branch count as hit", (unsigned long long)d->unknown);
    return end(d, x, JACOCO_SOURCE_END);
}

static int package_end(struct jacoco_decoder *d, struct xml *x)
{
    if (!d->in_package) return 0;
    d->in_package = d->in_class = d->in_method = false;
    return end(d, x, JACOCO_PACKAGE_END);
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct jacoco_decoder *d = arg;
    if (strcmp(name, "line") == 0 || strcmp(name, "counter") == 0) return 0;
    if (strcmp(name, "method") == 0)
        d->in_method = false;
    else if (strcmp(name, "class") == 0)
        d->in_class = d->in_method = false;
    else if (strcmp(name, "sourcefile") == 0)
        return source_end(d, x);
    else if (strcmp(name, "package") == 0)
        return package_end(d, x);
    else if (strcmp(name, "group") == 0 && d->groups) {
        d->groups--;
        return end(d, x, JACOCO_GROUP_END);
    }
    return 0;
}

int jacoco_decode(struct jacoco_decoder *d, const struct read_job *job, assay_error *err)
{
    static const struct xml_handler handler = { on_start, on_end, NULL };
    d->err = err;
    TRY(coverage_xml_parse(job, &handler, d, d->damage, err));
    TRY(source_end(d, NULL)); /* cut: what came is whole */
    TRY(package_end(d, NULL));
    return d->damage->failed ? error_memory(err) : 0;
}
