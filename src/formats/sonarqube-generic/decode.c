/* SonarQube's generic coverage: elements -> rows. The only parser of this format. docs/formats/sonarqube-generic.md has the grammar. The format
 * tells hit or not, and n of m branches of a line. */
#include "formats/coverage/lines.h"
#include "formats/coverage/xml_rows.h"
#include "formats/sonarqube-generic/sonarqube.h"

struct decoder {
    struct coverage_decoder *d;
    struct coverage_joined lines; /* for readers */
    bool has_root, in_file;
};

static int root(struct decoder *q, struct xml *x, const char *name, const char *const *attributes)
{
    const char *version = xml_attribute(attributes, "version");
    q->has_root = true;
    if (strcmp(name, "coverage") != 0) {
        findings_add(q->d->damage, "X-3", ASSAY_ERROR, xml_off(x), xml_line(x), "the root element is '%.40s': expected coverage", name);
        return 0;
    }
    if (!version || strcmp(version, "1") != 0)
        findings_add(q->d->damage, "SQ-1", ASSAY_ERROR, coverage_xml_attribute_off(x, "version"), xml_line(x), "the version is '%.40s': expected 1",
                     version ? version : "");
    q->d->version = coverage_name(q->d, version ? version : "");
    return q->d->version ? coverage_xml_record(q->d, x, "coverage version", version ? version : "") : error_memory(q->d->err);
}

static int file_begin(struct decoder *q, struct xml *x, const char *const *attributes)
{
    const char *path = xml_attribute(attributes, "path");
    q->in_file = path && *path;
    if (!q->in_file) {
        findings_add(q->d->damage, "SQ-4", ASSAY_ERROR, xml_off(x), xml_line(x), "a file without path: its lines belong to no file");
        return 0;
    }
    if (q->d->use == COVERAGE_FOR_READER) return coverage_joined_file(&q->lines, slice_of(path));
    if (q->d->use == COVERAGE_FOR_DUMP) TRY(coverage_give(q->d));
    struct coverage_row *row = coverage_xml_row(q->d, COVERAGE_FILE, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = coverage_name(q->d, path);
    return row->name ? 0 : error_memory(q->d->err);
}

/* Both or none, as the format's schema has them; what was taken may be missing and is 0 then. */
static void branches(struct decoder *q, struct xml *x, const char *const *attributes, struct coverage_row *r)
{
    if (!coverage_xml_small(x, q->d->damage, attributes, "branchesToCover", false, &r->group)) return;
    (void)coverage_xml_small(x, q->d->damage, attributes, "coveredBranches", false, &r->index);
    if (r->index <= r->group) return;
    findings_add(q->d->damage, "SQ-2", ASSAY_WARNING, coverage_xml_attribute_off(x, "coveredBranches"), xml_line(x),
                 "%u of %u branches are covered: read as all of them", r->index, r->group);
    r->index = r->group;
}

static int line(struct decoder *q, struct xml *x, const char *const *attributes)
{
    struct coverage_row r = { .line = 0 }, *row;
    const char *covered = xml_attribute(attributes, "covered");
    if (!q->in_file || !coverage_xml_small(x, q->d->damage, attributes, "lineNumber", true, &r.line)) return 0;
    if (r.line == 0) {
        findings_add(q->d->damage, "SQ-6", ASSAY_WARNING, coverage_xml_attribute_off(x, "lineNumber"), xml_line(x), "line 0: the row is left out");
        return 0;
    }
    r.count = covered && coverage_xml_is(covered, "true");
    if (!covered || (!r.count && !coverage_xml_is(covered, "false"))) {
        findings_add(q->d->damage, "SQ-5", ASSAY_ERROR, coverage_xml_attribute_off(x, "covered"), xml_line(x), "covered is '%.40s': expected true or false",
                     covered ? covered : "");
        return 0;
    }
    branches(q, x, attributes, &r);
    if (q->d->use == COVERAGE_FOR_READER) return coverage_joined_add(&q->lines, r.line, r.count, r.index, r.group, ASSAY_COVERAGE_ONLY_HIT);
    if (!(row = coverage_xml_row(q->d, COVERAGE_LINE, x))) return ASSAY_ERR_MEMORY;
    row->line = r.line;
    row->count = r.count;
    row->index = r.index;
    row->group = r.group;
    row->flags = ASSAY_COVERAGE_ONLY_HIT;
    return 0;
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct decoder *q = arg;
    int rc = 0;
    if (!q->has_root)
        rc = root(q, x, name, attributes);
    else if (strcmp(name, "lineToCover") == 0)
        rc = line(q, x, attributes);
    else if (coverage_xml_is(name, "file"))
        rc = file_begin(q, x, attributes);
    return rc == 0 && q->d->damage->failed ? error_memory(q->d->err) : rc;
}

/* A file at a time. */
static int on_end(void *arg, struct xml *x, const char *name)
{
    struct decoder *q = arg;
    (void)x;
    if (!q->in_file || !coverage_xml_is(name, "file")) return 0;
    q->in_file = false;
    return q->d->use == COVERAGE_FOR_READER ? 0 : coverage_give(q->d);
}

int sonarqube_decode(struct coverage_decoder *d)
{
    static const struct xml_handler handler = { on_start, on_end, NULL };
    struct decoder q = { .d = d };
    coverage_joined_init(&q.lines, d);
    int rc = coverage_xml_rows(d, &handler, &q);
    if (d->use == COVERAGE_FOR_CHECK && !q.in_file) d->rows.len = 0;
    if (rc == 0) rc = coverage_joined_give(&q.lines);
    coverage_joined_done(&q.lines);
    return rc;
}
