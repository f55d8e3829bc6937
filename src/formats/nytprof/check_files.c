/* What check says of files, evals and saved source lines; see check.h. */
#include <inttypes.h>

#include "formats/nytprof/check.h"

static struct nytprof_check_fid *find(struct nytprof_checker *c, uint32_t fid)
{
    if (c->last_fid && c->fids.at[c->last_fid - 1].fid == fid) return &c->fids.at[c->last_fid - 1];
    for (struct index_walk w = index_walk(&c->fid_index, hash_mix(0, fid)); index_next(&c->fid_index, &w);)
        if (c->fids.at[w.id - 1].fid == fid) {
            c->last_fid = w.id;
            return &c->fids.at[w.id - 1];
        }
    return NULL;
}

/* NULL = no memory. */
static struct nytprof_check_fid *row(struct nytprof_checker *c, uint32_t fid)
{
    struct nytprof_check_fid *f = find(c, fid);
    if (f) return f;
    f = vec_push(c->mem, &c->fids);
    if (!f || !index_add(&c->fid_index, hash_mix(0, fid), (uint32_t)c->fids.len)) return NULL;
    *f = (struct nytprof_check_fid){ .fid = fid };
    return f;
}

int nytprof_check_uses(struct nytprof_checker *c, uint32_t fid, uint64_t off)
{
    struct nytprof_check_fid *f = row(c, fid);
    if (!f) return ASSAY_ERR_MEMORY;
    if (!f->is_used) f->used_off = off;
    f->is_used = true;
    return 0;
}

static void redefined(struct nytprof_checker *c, const struct nytprof_check_fid *was, const struct nytprof_file *f, uint32_t name, uint64_t off)
{
    bool is_same = was->name == name && was->eval_fid == f->eval_fid && was->eval_line == f->eval_line;
    findings_add(c->out, "N20", is_same ? ASSAY_INFO : ASSAY_WARNING, off, 0, "fid %" PRIu32 " is defined again%s", f->fid,
                 is_same ? " with the same name" : " as another file");
}

int nytprof_check_file(struct nytprof_checker *c, const struct nytprof_record *r)
{
    const struct nytprof_file *f = &r->file;
    uint32_t name = intern_put(&c->names, f->name.bytes);
    struct nytprof_check_fid *was = name ? row(c, f->fid) : NULL;
    if (!was) return ASSAY_ERR_MEMORY;
    nytprof_check_text(c, &f->name, r->off);
    nytprof_check_line(c, f->eval_line, r->off);
    if (was->is_defined) redefined(c, was, f, name, r->off);
    if (f->flags & ~(uint32_t)NYTPROF_FLAGS_KNOWN)
        findings_add(c->out, "N33", ASSAY_WARNING, r->off, 0, "fid %" PRIu32 " has flags 0x%" PRIx32 ", some of which are unknown", f->fid, f->flags);
    *was = (struct nytprof_check_fid){
        .fid = f->fid,
        .eval_fid = f->eval_fid,
        .eval_line = f->eval_line,
        .flags = f->flags,
        .name = name,
        .is_defined = true,
        .off = r->off,
        .is_used = was->is_used,
        .used_off = was->used_off,
    };
    if (!f->eval_fid || f->eval_fid == f->fid) return 0;
    const struct nytprof_check_fid *parent = find(c, f->eval_fid);
    if (parent && parent->is_defined) return 0;
    findings_add(c->out, "N41", ASSAY_WARNING, r->off, 0, "fid %" PRIu32 " is an eval of fid %" PRIu32 ", which is not defined before it", f->fid, f->eval_fid);
    return 0;
}

static int know_source(struct nytprof_checker *c, const struct nytprof_record *r)
{
    uint64_t key = (uint64_t)r->source.fid << 32 | r->source.line, hash = hash_mix(0, key);
    for (struct index_walk w = index_walk(&c->source_index, hash); index_next(&c->source_index, &w);)
        if (c->source_keys.at[w.id - 1] == key) {
            findings_add(c->out, "N36", ASSAY_WARNING, r->off, 0, "line %" PRIu32 " of fid %" PRIu32 " is given twice", r->source.line, r->source.fid);
            return 0;
        }
    uint64_t *slot = vec_push(c->mem, &c->source_keys);
    if (!slot || !index_add(&c->source_index, hash, (uint32_t)c->source_keys.len)) return ASSAY_ERR_MEMORY;
    *slot = key;
    return 0;
}

int nytprof_check_source(struct nytprof_checker *c, const struct nytprof_record *r)
{
    const struct nytprof_check_fid *f = row(c, r->source.fid);
    if (!f) return ASSAY_ERR_MEMORY;
    if (f->is_defined && !(f->flags & NYTPROF_HAS_SRC))
        findings_add(c->out, "N36", ASSAY_WARNING, r->off, 0, "a source line of fid %" PRIu32 ", which has no flag HAS_SRC", f->fid);
    nytprof_check_text(c, &r->source.text, r->off);
    TRY(nytprof_check_uses(c, r->source.fid, r->off));
    return know_source(c, r);
}

static void check_parent(struct nytprof_checker *c, const struct nytprof_check_fid *f)
{
    if (!f->is_defined || !f->eval_fid) return;
    const struct nytprof_check_fid *p = find(c, f->eval_fid);
    if (f->eval_fid == f->fid)
        findings_add(c->out, "N21", ASSAY_ERROR, f->off, 0, "fid %" PRIu32 " is an eval of itself", f->fid);
    else if (!p || !p->is_defined)
        findings_add(c->out, "N21", ASSAY_ERROR, f->off, 0, "fid %" PRIu32 " is an eval of fid %" PRIu32 ", which is never defined", f->fid, f->eval_fid);
}

/* Evals of evals in a circle; each file is passed once. */
static void check_circle(struct nytprof_checker *c, uint32_t begin)
{
    uint32_t at = begin;
    while (!c->fids.at[at].path) {
        struct nytprof_check_fid *f = &c->fids.at[at];
        f->path = begin + 1;
        const struct nytprof_check_fid *p = f->eval_fid && f->eval_fid != f->fid ? find(c, f->eval_fid) : NULL;
        if (!p) return;
        at = (uint32_t)(p - c->fids.at);
        if (p->path == begin + 1)
            findings_add(c->out, "N21", ASSAY_ERROR, f->off, 0, "fid %" PRIu32 " is an eval of itself through fid %" PRIu32, p->fid, f->fid);
    }
}

void nytprof_check_files_end(struct nytprof_checker *c)
{
    uint32_t highest = 0, defined = 0;
    for (uint32_t i = 0; i < c->fids.len; i++) {
        const struct nytprof_check_fid *f = &c->fids.at[i];
        check_parent(c, f);
        check_circle(c, i);
        if (f->is_used && !f->is_defined) findings_add(c->out, "N19", ASSAY_ERROR, f->used_off, 0, "fid %" PRIu32 " is used but never defined", f->fid);
        if (f->is_defined && f->fid > highest) highest = f->fid;
        defined += f->is_defined && f->fid;
    }
    if (highest > defined)
        findings_add(c->out, "N22", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%" PRIu32 " files have numbers up to %" PRIu32 ": Devel::NYTProf cannot load gaps",
                     defined, highest);
}
