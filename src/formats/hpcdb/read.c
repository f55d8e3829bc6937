/* A database -> builder. Names, metrics and the tree are read; values stay in profile.db and are answered by backing.c, so that neither
 * time nor memory depends on how many threads were measured. docs/model.md 3.4 says where everything goes. */
#include "formats/hpcdb/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/folder.h"
#include "base/scoped.h"

enum { YAML_MAX = 16 << 20 };

/* ---- damage ---- */

/* What makes a file useless: of meta.db any of these, of the others a layout that must not be guessed. */
static int refusal_of(enum hpcdb_part part, const char *rule, bool is_single)
{
    if (strcmp(rule, "H013") == 0) return ASSAY_ERR_VERSION;
    if (part != HPCDB_META && !is_single) return 0;
    if (strcmp(rule, "H009") == 0) return ASSAY_ERR_VERSION;
    return strcmp(rule, "H006") == 0 || strcmp(rule, "H007") == 0 || strcmp(rule, "H008") == 0 ? ASSAY_ERR_DAMAGED : 0;
}

static void warn(void *arg, enum hpcdb_part part, const char *rule, int severity, uint64_t off, const char *text)
{
    struct hpcdb_reader *r = arg;
    char message[400];
    snprintf(message, sizeof message, "%s: %s", hpcdb_layouts[part].name, text);
    assay_finding f = { .rule = rule, .severity = severity, .has_offset = off != FINDING_NO_OFFSET, .offset = off, .message = message };
    int code = refusal_of(part, rule, r->store->db.is_single);
    if (code && !r->refused) {
        r->refused = code;
        r->refused_off = off;
        snprintf(r->refused_text, sizeof r->refused_text, "%.380s (%s)", message, rule);
    }
    assay_build_warning(r->b, &f);
}

static int refuse_damage(const struct read_job *job, assay_error *err)
{
    SCOPED(findings_done) struct findings found;
    findings_init(&found, job->mem);
    TRY(hpcdb_check(job, &found, err));
    for (size_t i = 0; i < found.list.len; i++) {
        const assay_finding *f = &found.list.at[i];
        if (f->severity != ASSAY_ERROR) continue;
        int code = strcmp(f->rule, "H013") == 0 || strcmp(f->rule, "H009") == 0 ? ASSAY_ERR_VERSION : ASSAY_ERR_DAMAGED;
        return f->has_offset ? error_at(err, code, f->offset, "%s (%s)", f->message, f->rule) : error_set(err, code, "%s (%s)", f->message, f->rule);
    }
    return 0;
}

/* ---- streams ---- */

static void read_stream(struct hpcdb_reader *r, uint32_t i)
{
    struct hpcdb_profile p;
    struct hpcdb_tuple t;
    hpcdb_profile_at(r->db, i, &p);
    assay_build_stream(r->b, NULL);
    if (p.is_ok && !(p.flags & HPCDB_IS_SUMMARY)) r->values += p.value_count;
    if (!hpcdb_tuple_of(r->db, &p, &t)) return;
    for (uint16_t k = 0; k < t.count; k++) {
        struct hpcdb_id id = hpcdb_id_at(r->db, &t, k);
        char number[16];
        snprintf(number, sizeof number, "KIND %u", id.kind);
        uint64_t at;
        assay_slice name = id.kind < r->db->kinds.count ? hpcdb_kind_at(r->db, id.kind, &at) : (assay_slice){ NULL, 0 };
        assay_build_tuple(r->b, name.data ? name.data : number, id.logical, id.physical, id.flags);
    }
}

/* A stream for each thread profile: its id is the index of the profile. */
static int read_streams(struct hpcdb_reader *r)
{
    for (uint32_t i = 1; i < r->db->profiles.count && !assay_builder_failed(r->b); i++) read_stream(r, i);
    return assay_builder_failed(r->b);
}

/* ---- facts ---- */

static void attribute(struct hpcdb_reader *r, const char *key, assay_slice value)
{
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), value.data ? value.data : "", value.len);
}

static void put_attributes(struct hpcdb_reader *r)
{
    struct hpcdb_general g;
    char key[300], text[80];
    if (r->db->file[HPCDB_META].is_ok && hpcdb_general(r->db, &g)) {
        attribute(r, "title", g.title);
        if (g.description.len && !slice_is(g.description, HPCDB_NO_DESCRIPTION)) attribute(r, "description", g.description);
    }
    for (uint32_t i = 0; i < r->db->kinds.count; i++) {
        uint64_t at;
        snprintf(key, sizeof key, "id-kind.%u", i);
        attribute(r, key, hpcdb_kind_at(r->db, i, &at));
    }
    for (uint32_t i = 0; i < r->db->scopes.count; i++) {
        struct hpcdb_scope s;
        hpcdb_scope_at(r->db, i, &s);
        snprintf(key, sizeof key, "scope.%.250s", s.name.data ? s.name.data : "");
        snprintf(text, sizeof text, "type %u, propagation index %u", s.type, s.index);
        attribute(r, key, slice_of(text));
    }
    if (r->db->traces.count == 0) return;
    snprintf(text, sizeof text, "%" PRIu64, r->db->min_timestamp);
    attribute(r, "trace.min", slice_of(text));
    snprintf(text, sizeof text, "%" PRIu64, r->db->max_timestamp);
    attribute(r, "trace.max", slice_of(text));
}

/* The taxonomy of metrics, as text, so that it can be written again. */
static int read_yaml(struct hpcdb_reader *r, assay_error *err)
{
    static const char name[] = "metrics/default.yaml";
    char path[FOLDER_PATH_MAX];
    const char *dir = input_path(r->job->in);
    SCOPED(input_drop) struct input *in = NULL;
    assay_slice text = { NULL, 0 };
    struct input_options o = { .mem = r->mem, .max_output = YAML_MAX };
    if (r->db->is_single || !hpcdb_has_file(dir, name) || !folder_path(path, dir, name)) return 0;
    int rc = input_open(&in, path, &o, err);
    if (rc == 0) rc = input_map(in, &text, err);
    if (rc == 0 && text.len <= YAML_MAX) attribute(r, name, text);
    return rc == ASSAY_ERR_MEMORY ? rc : 0;
}

static void put_counts(struct hpcdb_reader *r)
{
    const struct hpcdb *db = r->db;
    uint32_t profiles = db->profiles.count;
    const struct {
        enum hpcdb_part part;
        const char *name;
        uint64_t value;
    } counts[] = { { HPCDB_META, "metrics", db->metrics.count },     { HPCDB_META, "scopes", db->scopes.count },
                   { HPCDB_META, "modules", db->modules.count },     { HPCDB_META, "files", db->files.count },
                   { HPCDB_META, "functions", db->functions.count }, { HPCDB_META, "distinct_functions", r->distinct_functions },
                   { HPCDB_META, "contexts", r->contexts },          { HPCDB_META, "entries", r->entries },
                   { HPCDB_PROFILE, "hidden", r->hidden },           { HPCDB_PROFILE, "all_contexts_with_values", r->summary_ctxs },
                   { HPCDB_PROFILE, "profiles", profiles },          { HPCDB_PROFILE, "streams", profiles ? profiles - 1 : 0 },
                   { HPCDB_PROFILE, "values", r->values },           { HPCDB_PROFILE, "summary_values", r->summary_values },
                   { HPCDB_CCT, "ctxinfos", db->ctxs.count },        { HPCDB_CCT, "cct_values", r->cct_values },
                   { HPCDB_TRACE, "traces", db->traces.count },      { HPCDB_TRACE, "samples", r->samples } };
    /* what a directory lacks it has none of; a file by itself knows nothing of the others */
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!db->is_single || db->file[counts[i].part].is_there) assay_build_count(r->b, counts[i].name, counts[i].value);
}

static void put_source(struct hpcdb_reader *r)
{
    char version[16] = "";
    for (unsigned part = HPCDB_PARTS; part-- > 0;)
        if (r->db->file[part].is_ok) snprintf(version, sizeof version, "%u.%u", r->db->file[part].major, r->db->file[part].minor);
    assay_build_source(r->b, "hpcdb", version, NULL);
    assay_build_offers(r->b, (r->db->entries.count ? ASSAY_SHAPE_TREE : 0u) | (r->samples ? ASSAY_SHAPE_TIMELINE : 0u));
}

/* ---- all ---- */

static const char *fault_text(struct hpcdb_reader *r)
{
    snprintf(r->fault_text, sizeof r->fault_text, HPCDB_YAML ": cannot be parsed: %s", r->taxonomy.fault.text);
    return r->fault_text;
}

static int read_all(struct hpcdb_reader *r, assay_error *err)
{
    TRY(hpcdb_read_names(r, err));
    if (!r->db->is_single) TRY(hpcdb_taxonomy_read(&r->taxonomy, input_path(r->job->in), r->mem, err));
    if (r->taxonomy.fault.text[0])
        assay_build_warning(r->b, &(assay_finding){ .rule = "H175", .severity = ASSAY_WARNING, .line = r->taxonomy.fault.line, .message = fault_text(r) });
    TRY(hpcdb_read_metrics(r, err));
    TRY(hpcdb_read_formulas(r, err));
    TRY(read_streams(r));
    TRY(hpcdb_read_tree(r, err));
    TRY(hpcdb_read_traces(r, err));
    put_attributes(r);
    TRY(read_yaml(r, err));
    put_counts(r);
    put_source(r);
    return assay_builder_failed(r->b);
}

static int open_all(struct hpcdb_reader *r, assay_error *err)
{
    struct hpcdb *db = &r->store->db;
    db->say = warn;
    db->say_arg = r;
    r->db = db;
    TRY(hpcdb_open(db, &r->store->inputs, r->job, &r->store->mem, err));
    if (!db->is_single && !db->file[HPCDB_META].is_there) FAIL(err, ASSAY_ERR_DAMAGED, "meta.db is missing, and the database cannot be read without it (H001)");
    if (r->refused) return error_at(err, r->refused, r->refused_off, "%s", r->refused_text);
    if (!db->is_single && !db->file[HPCDB_PROFILE].is_there)
        warn(r, HPCDB_PROFILE, "H002", ASSAY_ERROR, FINDING_NO_OFFSET, "the file is missing: there are no values, only names and contexts");
    return 0;
}

int hpcdb_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct hpcdb_reader r = { .job = job, .mem = job->mem, .b = b };
    if (job->options->strict) TRY(refuse_damage(job, err));
    TRY(hpcdb_store_new(&r.store, job, err));
    int rc = open_all(&r, err);
    if (rc == 0) rc = read_all(&r, err);
    rc = hpcdb_settle(&r.store->db, &r.store->inputs, rc, err);
    hpcdb_taxonomy_done(&r.taxonomy);
    vec_done(r.mem, &r.modules, &r.files, &r.functions, &r.file_of_path);
    r.store->db.say = hpcdb_be_silent; /* the backing decodes again what was warned of once */
    r.store->db.say_arg = NULL;
    /* one file by itself has no values with names, and its bytes are the caller's */
    if (rc == 0 && !r.db->is_single && r.db->profiles.count)
        assay_build_backing(b, &hpcdb_backing, r.store);
    else
        hpcdb_store_free(r.store);
    return rc ? rc : assay_builder_failed(b);
}
