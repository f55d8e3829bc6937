/* Blocks -> a profile: a function for each class, as owner of its probes, which are regions. What the probes mean is in the class files. */
#include <inttypes.h>
#include <stdio.h>

#include "assay/build.h"
#include "base/scoped.h"
#include "formats/jacoco-exec/classes.h"
#include "formats/jacoco-exec/jacoco_exec.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct findings damage;
    struct jacoco_exec_classes classes;
    uint64_t sessions, probes, hits;
    char version[16];
};

static void attribute(struct reader *r, const char *key, assay_slice value)
{
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), value.data ? value.data : "", value.len);
}

static void session(struct reader *r, const struct jacoco_exec_record *rec)
{
    char text[32];
    r->sessions++;
    attribute(r, "session", rec->name);
    snprintf(text, sizeof text, "%" PRId64, rec->start);
    attribute(r, "session.start", slice_of(text));
    snprintf(text, sizeof text, "%" PRId64, rec->dump);
    attribute(r, "session.dump", slice_of(text));
}

static bool take(struct reader *r, const struct jacoco_exec_record *rec)
{
    switch (rec->kind) {
    case JACOCO_EXEC_HEADER: snprintf(r->version, sizeof r->version, "0x%04x", rec->version); return true;
    case JACOCO_EXEC_SESSION: session(r, rec); return true;
    case JACOCO_EXEC_CLASS: return jacoco_exec_classes_add(&r->classes, rec, &r->damage);
    default: return true;
    }
}

/* ---- classes ---- */

static bool name_class(struct reader *r, assay_slice name, uint64_t id)
{
    char value[20];
    VEC(char) key = { 0 };
    vec_scoped(r->job->mem, &key);
    snprintf(value, sizeof value, "%016" PRIx64, id);
    if (!vec_reserve(r->job->mem, &key, name.len + 6)) return false;
    memcpy(key.at, "class.", 6);
    if (name.len) memcpy(key.at + 6, name.data, name.len);
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, key.at, name.len + 6, value, 16);
    return true;
}

static void probes(struct reader *r, const struct jacoco_exec_class *c, assay_func_id f)
{
    for (uint64_t i = 0; i < c->probes && assay_builder_failed(r->b) == 0; i++)
        assay_build_coverage_region(r->b,
                                    &(struct assay_coverage_region){
                                        .func = f, .kind = ASSAY_REGION_OTHER, .first = i, .last = i, .hits = jacoco_exec_classes_hit(&r->classes, c, i) });
}

static bool classes(struct reader *r)
{
    bool wants_probes = !(assay_builder_want(r->b) & ASSAY_WANT_TOTALS);
    for (size_t i = 0; i < r->classes.list.len; i++) {
        const struct jacoco_exec_class *c = &r->classes.list.at[i];
        assay_slice name = intern_get(&r->classes.names, c->name);
        assay_func_id f = assay_build_func(r->b, assay_build_string(r->b, name.data, name.len), (assay_file_id){ 0 }, (assay_module_id){ 0 }, c->id, 0);
        r->probes += c->probes;
        r->hits += jacoco_exec_classes_hits(&r->classes, c);
        if (wants_probes) probes(r, c, f);
        if (!name_class(r, name, c->id)) return false;
    }
    return true;
}

static void finish(struct reader *r)
{
    assay_build_count(r->b, "sessions", r->sessions);
    assay_build_count(r->b, "classes", r->classes.list.len);
    assay_build_count(r->b, "probes", r->probes);
    assay_build_count(r->b, "probes_hit", r->hits);
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    assay_build_source(r->b, "jacoco-exec", r->version, "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

static int read_blocks(struct reader *r, assay_error *err)
{
    struct jacoco_exec_decoder d;
    struct jacoco_exec_record rec = { .kind = JACOCO_EXEC_HEADER };
    TRY(jacoco_exec_init(&d, r->job, &r->damage, err));
    while (rec.kind != JACOCO_EXEC_END) {
        TRY(jacoco_exec_next(&d, &rec));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, err));
        if (!take(r, &rec)) return error_memory(err);
    }
    if (!classes(r) || r->damage.failed) return error_memory(err);
    finish(r);
    return assay_builder_failed(r->b);
}

int jacoco_exec_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b };
    findings_init(&r.damage, job->mem);
    jacoco_exec_classes_init(&r.classes, job->mem);
    int rc = read_blocks(&r, err);
    jacoco_exec_classes_done(&r.classes);
    findings_done(&r.damage);
    return rc;
}
