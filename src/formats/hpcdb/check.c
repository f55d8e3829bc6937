/* What is wrong with a database, or worth knowing: rules H001 to H176 of docs/formats/hpcdb.md. Here: which files there are, headers,
 * sections, and the order in which the other parts look. */
#include "formats/hpcdb/check.h"

#include <inttypes.h>
#include <time.h>

#include "base/cancel.h"
#include "base/order.h"
#include "base/plural.h"
#include "base/sort.h"

enum { PROGRESS_NS = 100000000 };

static void report(void *arg, enum hpcdb_part part, const char *rule, int severity, uint64_t off, const char *text)
{
    struct hpcdb_checker *c = arg;
    findings_add(c->out, rule, severity, off, 0, "%s: %s", hpcdb_layouts[part].name, text);
}

static int by_begin(const void *pa, const void *pb)
{
    const struct hpcdb_span *a = pa, *b = pb;
    ORDER_BY(a->begin, b->begin);
    return ORDER(a->number, b->number);
}

void hpcdb_check_overlaps(struct hpcdb_checker *c, enum hpcdb_part part, const char *rule, const char *what, struct hpcdb_span *spans, size_t count)
{
    sort_by(spans, count, sizeof *spans, by_begin);
    for (size_t i = 1, last = 0; i < count; i++) {
        if (spans[i].begin < spans[last].end)
            hpcdb_say(&c->db, part, rule, ASSAY_WARNING, spans[i].field, "%s %u and %u overlap at 0x%" PRIx64, what, spans[last].number, spans[i].number,
                      spans[i].begin);
        if (spans[i].end > spans[last].end) last = i;
    }
}

int hpcdb_check_progress(struct hpcdb_checker *c, uint64_t more, assay_error *err)
{
    const struct assay_read_options *o = c->job->options;
    struct timespec t;
    c->done += more;
    if (cancel_due()) return error_cancelled(err);
    if (!o->progress) return 0;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    if (c->told_ns && now - c->told_ns < PROGRESS_NS) return 0;
    c->told_ns = now;
    if (o->progress(o->progress_arg, c->done < c->total ? c->done : c->total, c->total) == 0) return 0;
    return error_cancelled(err);
}

/* ---- the directory and the headers ---- */

static void check_missing(struct hpcdb_checker *c)
{
    static const struct {
        const char *rule;
        int severity;
        const char *text;
    } missing[HPCDB_PARTS] = { { "H001", ASSAY_ERROR, "the file is missing" },
                               { "H002", ASSAY_ERROR, "the file is missing" },
                               { "H003", ASSAY_WARNING, "the file is missing: values of one context over all threads need a pass over profile.db" },
                               { "H004", ASSAY_INFO, "the file is missing: nothing was traced" } };
    const char *dir = input_path(c->job->in);
    if (c->db.is_single) return;
    for (unsigned part = 0; part < HPCDB_PARTS; part++)
        if (!c->db.file[part].is_there) hpcdb_say(&c->db, (enum hpcdb_part)part, missing[part].rule, missing[part].severity, 0, "%s", missing[part].text);
    if (!hpcdb_has_file(dir, "metrics/default.yaml"))
        findings_add(c->out, "H005", ASSAY_INFO, FINDING_NO_OFFSET, 0, "metrics/default.yaml: the file is missing; hpcviewer refuses the database without it");
    if (hpcdb_has_file(dir, "experiment.xml"))
        findings_add(c->out, "H016", ASSAY_INFO, FINDING_NO_OFFSET, 0,
                     "experiment.xml: a database of the older form, which is not read where there is a meta.db");
}

static void check_versions(struct hpcdb_checker *c)
{
    int major = -1;
    for (unsigned part = 0; part < HPCDB_PARTS; part++) {
        const struct hpcdb_file *f = &c->db.file[part];
        char head[HPCDB_HEAD_LEN];
        if (!f->is_there || f->bytes.len < sizeof head) continue;
        hpcdb_get(&c->db, (enum hpcdb_part)part, 0, head, sizeof head);
        if (hpcdb_part_of((assay_slice){ head, sizeof head }) != part) continue;
        if (major >= 0 && f->major != major)
            hpcdb_say(&c->db, (enum hpcdb_part)part, "H010", ASSAY_ERROR, 14, "major version %u, but another file of the database has %d", f->major, major);
        if (major < 0) major = f->major;
        if (f->is_ok && f->minor > 0)
            hpcdb_say(&c->db, (enum hpcdb_part)part, "H011", ASSAY_INFO, 15, "minor version %u is newer than 0: its additions are ignored", f->minor);
    }
}

/* Where the footer's text stands first, or the length of the file. */
static uint64_t find(const struct hpcdb *db, enum hpcdb_part part, uint64_t from, const char *footer)
{
    char block[HPCDB_WINDOW];
    uint64_t len = db->file[part].bytes.len;
    for (uint64_t off = from; len - off >= HPCDB_FOOTER_LEN; off += sizeof block - HPCDB_FOOTER_LEN + 1) {
        size_t n = len - off < sizeof block ? (size_t)(len - off) : sizeof block;
        hpcdb_get(db, part, off, block, n);
        const char *hit = memmem(block, n, footer, HPCDB_FOOTER_LEN);
        if (hit) return off + (uint64_t)(hit - block);
        if (n < sizeof block) break;
    }
    return len;
}

/* A footer that is not the last thing: something was written behind it. */
static void check_tail(struct hpcdb_checker *c, enum hpcdb_part part)
{
    uint64_t from = HPCDB_HEAD_LEN, len = c->db.file[part].bytes.len;
    for (unsigned i = 0; i < hpcdb_layouts[part].section_count; i++) {
        const struct hpcdb_section *s = &c->db.file[part].sections[i];
        if (s->is_ok && s->off + s->size > from) from = s->off + s->size;
    }
    if (len < from + HPCDB_FOOTER_LEN || hpcdb_has_footer(&c->db, part)) return;
    uint64_t end = find(&c->db, part, from, hpcdb_layouts[part].footer) + HPCDB_FOOTER_LEN;
    if (end <= len) hpcdb_say(&c->db, part, "H014", ASSAY_WARNING, end, "%" PRIu64 " byte%s after the footer", len - end, plural(len - end));
}

/* ---- sections ---- */

static void check_gap(struct hpcdb_checker *c, enum hpcdb_part part, uint64_t from, uint64_t to)
{
    if (to <= from) return;
    if (to - from > 7) {
        hpcdb_say(&c->db, part, "H026", ASSAY_INFO, from, "%" PRIu64 " bytes between sections belong to no section", to - from);
        return;
    }
    for (uint64_t off = from; off < to; off++)
        if (*hpcdb_meta(&c->db, off)) {
            hpcdb_say(&c->db, part, "H027", ASSAY_INFO, off, "padding between sections is not zero");
            return;
        }
}

static void check_layout(struct hpcdb_checker *c, enum hpcdb_part part)
{
    const struct hpcdb_layout *l = &hpcdb_layouts[part];
    struct hpcdb_span spans[HPCDB_MAX_SECTIONS];
    size_t n = 0;
    for (unsigned i = 0; i < l->section_count; i++) {
        const struct hpcdb_section *s = &c->db.file[part].sections[i];
        uint64_t field = HPCDB_HEAD_LEN + (uint64_t)HPCDB_SECTION_LEN * i + 8;
        if (!s->is_ok) continue;
        if (s->off % 8 && !(part == HPCDB_META && i == HPCDB_STRINGS))
            hpcdb_say(&c->db, part, "H022", ASSAY_WARNING, field, "section %s begins at 0x%" PRIx64 ", which is not a multiple of 8", l->section_names[i],
                      s->off);
        spans[n++] = (struct hpcdb_span){ s->off, s->off + s->size, field, i };
    }
    hpcdb_check_overlaps(c, part, "H024", "sections", spans, n);
    if (part == HPCDB_META)
        for (size_t i = 1; i < n; i++) check_gap(c, part, spans[i - 1].end, spans[i].begin);
}

static void check_sections(struct hpcdb_checker *c)
{
    for (unsigned part = 0; part < HPCDB_PARTS; part++)
        if (c->db.file[part].is_ok) {
            check_tail(c, (enum hpcdb_part)part);
            check_layout(c, (enum hpcdb_part)part);
        }
}

/* ---- all ---- */

static bool has_draft(const struct hpcdb *db) { return db->file[HPCDB_META].is_draft || db->file[HPCDB_PROFILE].is_draft; }

static int check_all(struct hpcdb_checker *c, assay_error *err)
{
    c->db.say = report;
    c->db.say_arg = c;
    TRY(hpcdb_open(&c->db, &c->inputs, c->job, c->mem, err));
    for (unsigned part = 0; part < HPCDB_PARTS; part++) c->total += c->db.file[part].bytes.len;
    check_missing(c);
    check_versions(c);
    check_sections(c);
    if (has_draft(&c->db)) return 0; /* nothing else is where a reader looks for it */
    c->quiet = c->db;
    c->quiet.say = hpcdb_be_silent;
    TRY(hpcdb_check_meta(c, err));
    TRY(hpcdb_check_tree(c, err));
    TRY(hpcdb_check_profiles(c, err));
    TRY(hpcdb_check_cct(c, err));
    TRY(hpcdb_check_traces(c, err));
    TRY(hpcdb_check_yaml(c, err));
    /* sums over what is damaged would only say again that it is damaged */
    return c->job->options->deep && c->out->errors == 0 ? hpcdb_check_deep(c, err) : 0;
}

int hpcdb_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct hpcdb_checker c = { .job = job, .mem = job->mem, .out = out };
    int rc = check_all(&c, err);
    rc = hpcdb_settle(&c.db, &c.inputs, rc, err);
    mem_free(c.mem, c.prop.at, c.prop.at ? HPCDB_CHECK_IDS * sizeof *c.prop.at : 0);
    mem_free(c.mem, c.stat.at, c.stat.at ? HPCDB_CHECK_IDS * sizeof *c.stat.at : 0);
    vec_done(c.mem, &c.prop.list, &c.stat.list);
    mem_free(c.mem, c.has_value, c.has_value ? c.tree.len : 0);
    vec_done(c.mem, &c.tree);
    hpcdb_ids_done(&c.nodes);
    hpcdb_close(&c.inputs);
    if (rc == 0 && out->failed) return error_memory(err);
    return rc;
}
