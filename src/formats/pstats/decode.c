/* Values -> records: {(file, line, name): (primitive, calls, self, total, {caller: ...})}. See pstats.h. */
#include "base/error.h"
#include "formats/pstats/pstats.h"

int pstats_decoder_init(struct pstats_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err)
{
    assay_slice bytes = { NULL, 0 };
    assay_error found = { 0 };
    int rc = input_map(job->in, &bytes, &found);
    *d = (struct pstats_decoder){ .damage = damage, .err = err };
    marshal_init(&d->m, bytes, job->mem);
    if (rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED)
        findings_add(damage, rc == ASSAY_ERR_TRUNCATED ? "Z-1" : "Z-2", ASSAY_ERROR, found.offset, 0, "%s", found.text);
    else if (rc) {
        if (err) *err = found;
        return rc;
    }
    return damage->failed ? error_memory(err) : 0;
}

void pstats_decoder_done(struct pstats_decoder *d)
{
    if (!d->m.mem) return;
    vec_done(d->m.mem, &d->key_of);
    marshal_done(&d->m);
}

const char *pstats_version(const struct pstats_decoder *d)
{
    bool is_old = d->m.has_bytes || (d->m.interned.len && !d->m.has_flags);
    return is_old ? "python2" : "python3";
}

/* ---- damage ---- */

static bool stop(struct pstats_decoder *d, const char *rule, uint64_t off, const char *message)
{
    d->is_over = true;
    findings_add(d->damage, rule, ASSAY_ERROR, off, 0, "%s", message);
    return false;
}

static bool broken(struct pstats_decoder *d)
{
    const struct marshal *m = &d->m;
    unsigned long long detail = m->fault_detail;
    d->is_over = true;
    switch (m->fault) {
    case MARSHAL_CUT: findings_add(d->damage, "PS01", ASSAY_ERROR, m->fault_off, 0, "the file ends early"); break;
    case MARSHAL_TYPE: findings_add(d->damage, "PS03", ASSAY_ERROR, m->fault_off, 0, "unknown type code 0x%02llx", detail); break;
    case MARSHAL_REFERENCE: findings_add(d->damage, "PS04", ASSAY_ERROR, m->fault_off, 0, "reference %llu is to nothing that can stand here", detail); break;
    case MARSHAL_SIZE: findings_add(d->damage, "PS05", ASSAY_ERROR, m->fault_off, 0, "a size of %llu is larger than the rest of the file", detail); break;
    case MARSHAL_NUMBER: findings_add(d->damage, "PS06", ASSAY_ERROR, m->fault_off, 0, "a number is malformed or needs more than 64 bits"); break;
    case MARSHAL_MEMORY:
    case MARSHAL_SOUND: break;
    }
    return false;
}

static bool next(struct pstats_decoder *d, struct marshal_value *v) { return marshal_next(&d->m, v) || broken(d); }

/* ---- parts ---- */

static bool text(struct pstats_decoder *d, assay_slice *out)
{
    struct marshal_value v;
    if (!next(d, &v)) return false;
    *out = v.text;
    return v.kind == MARSHAL_TEXT || stop(d, "PS07", v.off, "expected a string in the key of a function");
}

static bool key_parts(struct pstats_decoder *d, struct pstats_record *r)
{
    struct marshal_value v;
    if (!text(d, &r->file) || !next(d, &v)) return false;
    if (v.kind != MARSHAL_INT || v.number < 0 || v.number > UINT32_MAX) return stop(d, "PS07", v.off, "expected a line number in the key of a function");
    r->line = (uint32_t)v.number;
    return text(d, &r->name);
}

/* Where the number of the key is kept that can be referred to; NULL = no memory. */
static uint32_t *number_of_key(struct pstats_decoder *d, uint32_t ref)
{
    while (d->key_of.len <= ref) {
        uint32_t *slot = vec_push(d->m.mem, &d->key_of);
        if (!slot) return NULL;
        *slot = 0;
    }
    return &d->key_of.at[ref];
}

/* (file, line, name), here or, as most keys of callers, where it stood first. */
static bool key(struct pstats_decoder *d, const struct marshal_value *head, struct pstats_record *r)
{
    uint32_t count = head->count, *number = head->ref ? number_of_key(d, head->ref) : NULL;
    if (head->ref && !number) {
        d->m.fault = MARSHAL_MEMORY;
        return false;
    }
    r->is_known = head->kind == MARSHAL_AGAIN && number && *number;
    if (r->is_known) r->key = *number;
    if (r->is_known && d->skips_known) return true;
    if (head->kind == MARSHAL_AGAIN) marshal_enter(&d->m, head, &count);
    bool is_key = (head->kind == MARSHAL_TUPLE || head->kind == MARSHAL_AGAIN) && count == 3;
    bool done = is_key ? key_parts(d, r) : stop(d, "PS07", head->off, "expected a function: (file, line, name)");
    if (head->kind == MARSHAL_AGAIN) marshal_leave(&d->m);
    if (done && number && !*number && d->keys < UINT32_MAX) *number = ++d->keys;
    if (done && number) r->key = *number;
    return done;
}

static bool counter(struct pstats_decoder *d, uint64_t *out)
{
    struct marshal_value v = { .kind = MARSHAL_INT, .off = cursor_off(&d->m.c) };
    if (!marshal_int(&d->m, &v.number) && !next(d, &v)) return false;
    *out = (uint64_t)v.number;
    return (v.kind == MARSHAL_INT && v.number >= 0) || stop(d, "PS07", v.off, "expected a number of calls");
}

static bool seconds(struct pstats_decoder *d, double *out)
{
    struct marshal_value v = { .kind = MARSHAL_FLOAT, .off = cursor_off(&d->m.c) };
    if (!marshal_real(&d->m, &v.real) && !next(d, &v)) return false;
    *out = v.real;
    bool is_number = (v.kind == MARSHAL_FLOAT || v.kind == MARSHAL_INT) && v.real - v.real == 0;
    return is_number || stop(d, "PS07", v.off, "expected a time in seconds");
}

/* ---- records ---- */

static bool function(struct pstats_decoder *d, const struct marshal_value *head, struct pstats_record *r)
{
    struct marshal_value v;
    r->kind = PSTATS_FUNCTION;
    r->has_times = true;
    if (!key(d, head, r) || !next(d, &v)) return false;
    if (v.kind != MARSHAL_TUPLE || v.count != 5) return stop(d, "PS07", v.off, "expected five figures of a function");
    if (!counter(d, &r->primitive) || !counter(d, &r->calls) || !seconds(d, &r->self) || !seconds(d, &r->total) || !next(d, &v)) return false;
    if (v.kind != MARSHAL_DICT) return stop(d, "PS07", v.off, "expected the callers of a function");
    d->in_callers = true;
    d->functions++;
    return true;
}

/* cProfile gives four figures, the first two the other way round than those of functions; profile gives a count, or none of its own. */
static bool caller(struct pstats_decoder *d, const struct marshal_value *head, struct pstats_record *r)
{
    struct marshal_value v;
    uint32_t count;
    r->kind = PSTATS_CALLER;
    if (!key(d, head, r) || !next(d, &v)) return false;
    d->callers++;
    if (v.kind == MARSHAL_INT && v.number >= 0) {
        r->calls = r->primitive = (uint64_t)v.number;
        return true;
    }
    count = v.count;
    if (v.kind == MARSHAL_AGAIN) marshal_enter(&d->m, &v, &count);
    bool is_tuple = (v.kind == MARSHAL_TUPLE || v.kind == MARSHAL_AGAIN) && count == 4;
    bool done = is_tuple ? counter(d, &r->calls) && counter(d, &r->primitive) && seconds(d, &r->self) && seconds(d, &r->total)
                         : stop(d, "PS07", v.off, "expected a count or four figures of a caller");
    if (v.kind == MARSHAL_AGAIN) marshal_leave(&d->m);
    r->has_times = true;
    return done;
}

static bool begin(struct pstats_decoder *d)
{
    struct marshal_value v;
    d->has_begun = true;
    if (!next(d, &v)) return false;
    return v.kind == MARSHAL_DICT || stop(d, "PS02", v.off, "the file is not a dictionary of functions");
}

static bool pull(struct pstats_decoder *d, struct pstats_record *r)
{
    struct marshal_value v;
    if (!d->has_begun && !begin(d)) return false;
    for (;;) {
        if (!next(d, &v)) return false;
        if (v.kind != MARSHAL_STOP) break;
        if (!d->in_callers) return false;
        d->in_callers = false;
    }
    *r = (struct pstats_record){ .off = v.off };
    return d->in_callers ? caller(d, &v, r) : function(d, &v, r);
}

static void end(struct pstats_decoder *d)
{
    if (!d->is_over && cursor_left(&d->m.c))
        findings_add(d->damage, "PS08", ASSAY_WARNING, cursor_off(&d->m.c), 0, "%zu bytes behind the end of the profile", cursor_left(&d->m.c));
    d->is_over = true;
}

int pstats_next(struct pstats_decoder *d, struct pstats_record *r)
{
    if (d->is_over || !pull(d, r)) {
        end(d);
        *r = (struct pstats_record){ .kind = PSTATS_END, .off = cursor_off(&d->m.c) };
    }
    return d->m.fault == MARSHAL_MEMORY || d->damage->failed ? error_memory(d->err) : 0;
}
