/* Elements -> records; see decode.h. */
#include "formats/sonarqube-generic/decode.h"

static int take(struct sonarqube_decoder *d, struct xml *x, struct sonarqube_record *r)
{
    r->off = xml_off(x);
    if (d->wants_numbers) r->number = xml_line(x);
    return d->take(d->arg, r);
}

static int root(struct sonarqube_decoder *d, struct xml *x, const char *name, const char *const *attributes)
{
    const char *version = xml_attribute(attributes, "version");
    d->has_root = true;
    if (strcmp(name, "coverage") != 0) {
        findings_add(d->damage, "X-3", ASSAY_ERROR, xml_off(x), xml_line(x), "the root element is '%.40s': expected coverage", name);
        return 0;
    }
    if (!version || strcmp(version, "1") != 0)
        findings_add(d->damage, "SQ-1", ASSAY_ERROR, coverage_xml_attribute_off(x, "version"), xml_line(x), "the version is '%.40s': expected 1",
                     version ? version : "");
    return take(d, x, &(struct sonarqube_record){ .kind = SONARQUBE_ROOT, .name = slice_of(version ? version : "") });
}

static int file_begin(struct sonarqube_decoder *d, struct xml *x, const char *const *attributes)
{
    const char *path = xml_attribute(attributes, "path");
    d->in_file = path && *path;
    if (!d->in_file) {
        findings_add(d->damage, "SQ-4", ASSAY_ERROR, xml_off(x), xml_line(x), "a file without path: its lines belong to no file");
        return 0;
    }
    return take(d, x, &(struct sonarqube_record){ .kind = SONARQUBE_FILE, .name = slice_of(path) });
}

/* Both or none, as the format's schema has them; what was taken may be missing and is 0 then. */
static void branches(struct sonarqube_decoder *d, struct xml *x, const char *const *attributes, struct sonarqube_record *r)
{
    if (!coverage_xml_small(x, d->damage, attributes, "branchesToCover", false, &r->total)) return;
    (void)coverage_xml_small(x, d->damage, attributes, "coveredBranches", false, &r->covered);
    if (r->covered <= r->total) return;
    findings_add(d->damage, "SQ-2", ASSAY_WARNING, coverage_xml_attribute_off(x, "coveredBranches"), xml_line(x),
                 "%u of %u branches are covered: read as all of them", r->covered, r->total);
    r->covered = r->total;
}

static int line(struct sonarqube_decoder *d, struct xml *x, const char *const *attributes)
{
    struct sonarqube_record r = { .kind = SONARQUBE_LINE };
    const char *covered = xml_attribute(attributes, "covered");
    if (!d->in_file || !coverage_xml_small(x, d->damage, attributes, "lineNumber", true, &r.line)) return 0;
    if (r.line == 0) {
        findings_add(d->damage, "SQ-6", ASSAY_WARNING, coverage_xml_attribute_off(x, "lineNumber"), xml_line(x), "line 0: the row is left out");
        return 0;
    }
    r.is_hit = covered && strcmp(covered, "true") == 0;
    if (!covered || (!r.is_hit && strcmp(covered, "false") != 0)) {
        findings_add(d->damage, "SQ-5", ASSAY_ERROR, coverage_xml_attribute_off(x, "covered"), xml_line(x), "covered is '%.40s': expected true or false",
                     covered ? covered : "");
        return 0;
    }
    branches(d, x, attributes, &r);
    return take(d, x, &r);
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct sonarqube_decoder *d = arg;
    int rc = 0;
    if (!d->has_root)
        rc = root(d, x, name, attributes);
    else if (strcmp(name, "lineToCover") == 0)
        rc = line(d, x, attributes);
    else if (strcmp(name, "file") == 0)
        rc = file_begin(d, x, attributes);
    return rc == 0 && d->damage->failed ? error_memory(d->err) : rc;
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct sonarqube_decoder *d = arg;
    if (!d->in_file || strcmp(name, "file") != 0) return 0;
    d->in_file = false;
    return take(d, x, &(struct sonarqube_record){ .kind = SONARQUBE_FILE_END });
}

int sonarqube_decode(struct sonarqube_decoder *d, const struct read_job *job, assay_error *err)
{
    static const struct xml_handler handler = { on_start, on_end, NULL };
    d->err = err;
    int rc = coverage_xml_parse(job, &handler, d, d->damage, err);
    if (rc == 0 && d->in_file) rc = d->take(d->arg, &(struct sonarqube_record){ .kind = SONARQUBE_FILE_END }); /* cut: what came is whole */
    return rc;
}
