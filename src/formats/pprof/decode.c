/* See decode.h. */
#include "formats/pprof/decode.h"

#include "base/cancel.h"

static const char *const names[PPROF_FIELDS] = {
    NULL,          "sample_type", "sample",         "mapping",     "location", "function", "string_table",        "drop_frames",
    "keep_frames", "time_nanos",  "duration_nanos", "period_type", "period",   "comment",  "default_sample_type", "doc_url"
};

const char *pprof_field_name(uint32_t field) { return field < PPROF_FIELDS ? names[field] : NULL; }

int pprof_open(struct pprof_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err)
{
    assay_slice bytes = { NULL, 0 };
    assay_error cause = { 0 };
    *d = (struct pprof_decoder){ .mem = job->mem, .damage = damage, .err = err };
    int rc = input_map(job->in, &bytes, &cause);
    bool is_damaged = rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED;
    if (rc && !is_damaged) {
        *err = cause;
        return rc;
    }
    d->at = cursor_of(bytes.data, bytes.len);
    if (rc) findings_add(damage, rc == ASSAY_ERR_TRUNCATED ? "Z-1" : "Z-2", ASSAY_ERROR, cause.offset, 0, "%s", cause.text);
    return 0;
}

void pprof_done(struct pprof_decoder *d)
{
    vec_done(d->mem, &d->values);
    vec_done(d->mem, &d->labels);
    vec_done(d->mem, &d->lines);
    vec_done(d->mem, &d->stack);
}

/* ---- repeated numbers: one, or many packed ---- */

/* false = damaged; memory is said in d->err. */
static bool take_numbers(struct pprof_decoder *d, const struct proto_field *f)
{
    struct cursor c = proto_message(f);
    uint64_t v;
    if (f->wire == PROTO_VARINT) {
        int64_t *slot = vec_push(d->mem, &d->values);
        if (slot) *slot = (int64_t)f->value;
        return slot || error_memory(d->err) == 0;
    }
    if (f->wire != PROTO_BYTES) return false;
    /* every number has a byte at least */
    if (!vec_reserve(d->mem, &d->values, cursor_left(&c))) {
        error_memory(d->err);
        return false;
    }
    while (cursor_left(&c)) {
        if (!proto_varint(&c, &v)) return false;
        d->values.at[d->values.len++] = (int64_t)v;
    }
    return true;
}

/* A stack in several pieces is put together. */
static bool take_stack(struct pprof_decoder *d, const struct proto_field *f, struct pprof_sample *s)
{
    unsigned char one[10];
    assay_slice more = f->bytes;
    if (f->wire == PROTO_VARINT) more = (assay_slice){ (const char *)one, proto_put_varint(one, f->value) };
    if (f->wire != PROTO_VARINT && f->wire != PROTO_BYTES) return false;
    if (more.len && (unsigned char)more.data[more.len - 1] >= 0x80) return false;
    if (f->wire == PROTO_BYTES && !s->stack.len) {
        s->stack = more;
        return true;
    }
    if (s->stack.data != (const char *)d->stack.at || !s->stack.len) {
        d->stack.len = 0;
        if (!vec_reserve(d->mem, &d->stack, s->stack.len)) return error_memory(d->err) == 0;
        if (s->stack.len) memcpy(d->stack.at, s->stack.data, s->stack.len);
        d->stack.len = s->stack.len;
    }
    if (!vec_reserve(d->mem, &d->stack, more.len)) return error_memory(d->err) == 0;
    if (more.len) memcpy(d->stack.at + d->stack.len, more.data, more.len);
    d->stack.len += more.len;
    s->stack = (assay_slice){ (const char *)d->stack.at, d->stack.len };
    return true;
}

/* ---- messages; false = damaged ---- */

#define EACH_FIELD(c, f)                                                                                                                                       \
    enum proto_status status;                                                                                                                                  \
    struct proto_field f = { 0 };                                                                                                                              \
    while ((status = proto_next(&(c), &f)) == PROTO_FIELD)

static bool take_label(struct pprof_decoder *d, const struct proto_field *field)
{
    struct cursor c = proto_message(field);
    struct pprof_label *l = field->wire == PROTO_BYTES ? vec_push(d->mem, &d->labels) : NULL;
    if (!l) return field->wire == PROTO_BYTES ? error_memory(d->err) == 0 : false;
    *l = (struct pprof_label){ 0 };
    EACH_FIELD(c, f)
    {
        if (f.number == 1) l->key = f.value;
        if (f.number == 2) l->str = f.value;
        if (f.number == 3) l->num = (int64_t)f.value;
        if (f.number == 4) l->num_unit = f.value;
        if (f.number <= 4 && f.wire != PROTO_VARINT) return false;
    }
    return status == PROTO_END;
}

static bool take_sample(struct pprof_decoder *d, struct cursor c, struct pprof_sample *s)
{
    d->values.len = d->labels.len = 0;
    *s = (struct pprof_sample){ { NULL, 0 }, NULL, NULL, 0, 0 };
    EACH_FIELD(c, f)
    {
        bool done = true;
        if (f.number == 1) done = take_stack(d, &f, s);
        if (f.number == 2) done = take_numbers(d, &f);
        d->has_labels |= f.number == 3;
        if (f.number == 3 && !d->skips_labels) done = take_label(d, &f);
        if (!done) return false;
    }
    s->values = d->values.at;
    s->value_count = (uint32_t)d->values.len;
    s->labels = d->labels.at;
    s->label_count = (uint32_t)d->labels.len;
    return status == PROTO_END;
}

static bool take_line(struct pprof_decoder *d, const struct proto_field *field)
{
    struct cursor c = proto_message(field);
    struct pprof_line *l = field->wire == PROTO_BYTES ? vec_push(d->mem, &d->lines) : NULL;
    if (!l) return field->wire == PROTO_BYTES ? error_memory(d->err) == 0 : false;
    *l = (struct pprof_line){ 0 };
    EACH_FIELD(c, f)
    {
        if (f.number == 1) l->function = f.value;
        if (f.number == 2) l->line = (int64_t)f.value;
        if (f.number == 3) l->column = (int64_t)f.value;
        if (f.number <= 3 && f.wire != PROTO_VARINT) return false;
    }
    return status == PROTO_END;
}

static bool take_location(struct pprof_decoder *d, struct cursor c, struct pprof_location *l)
{
    d->lines.len = 0;
    *l = (struct pprof_location){ 0 };
    EACH_FIELD(c, f)
    {
        if (f.number == 1) l->id = f.value;
        if (f.number == 2) l->mapping = f.value;
        if (f.number == 3) l->address = f.value;
        if (f.number == 5) l->is_folded = f.value != 0;
        if (f.number == 4 ? !take_line(d, &f) : f.number <= 5 && f.wire != PROTO_VARINT) return false;
    }
    l->lines = d->lines.at;
    l->line_count = (uint32_t)d->lines.len;
    return status == PROTO_END;
}

static bool take_mapping(struct cursor c, struct pprof_mapping *m)
{
    *m = (struct pprof_mapping){ 0 };
    uint64_t *const to[] = { NULL, &m->id, &m->start, &m->limit, &m->offset, &m->filename, &m->build_id };
    EACH_FIELD(c, f)
    {
        if (f.number <= 6) *to[f.number] = f.value;
        if (f.number >= 7 && f.number <= 10 && f.value) m->flags |= (uint8_t)(1u << (f.number - 7));
        if (f.number <= 10 && f.wire != PROTO_VARINT) return false;
    }
    return status == PROTO_END;
}

static bool take_function(struct cursor c, struct pprof_function *m)
{
    *m = (struct pprof_function){ 0 };
    uint64_t *const to[] = { NULL, &m->id, &m->name, &m->system_name, &m->filename };
    EACH_FIELD(c, f)
    {
        if (f.number <= 4) *to[f.number] = f.value;
        if (f.number == 5) m->start_line = (int64_t)f.value;
        if (f.number <= 5 && f.wire != PROTO_VARINT) return false;
    }
    return status == PROTO_END;
}

static bool take_type(struct cursor c, struct pprof_value_type *t)
{
    *t = (struct pprof_value_type){ 0 };
    EACH_FIELD(c, f)
    {
        if (f.number == 1) t->type = f.value;
        if (f.number == 2) t->unit = f.value;
        if (f.number <= 2 && f.wire != PROTO_VARINT) return false;
    }
    return status == PROTO_END;
}

/* ---- the outermost message ---- */

static bool take_field(struct pprof_decoder *d, const struct proto_field *f, struct pprof_record *r)
{
    bool is_message = f->wire == PROTO_BYTES;
    struct cursor c = proto_message(f);
    r->number = f->value;
    r->text = f->bytes;
    switch (f->number) {
    case PPROF_SAMPLE_TYPE:
    case PPROF_PERIOD_TYPE: return is_message && take_type(c, &r->type);
    case PPROF_SAMPLE: return is_message && (d->part == PPROF_TABLES || take_sample(d, c, &r->sample));
    case PPROF_MAPPING: return is_message && take_mapping(c, &r->mapping);
    case PPROF_LOCATION: return is_message && take_location(d, c, &r->location);
    case PPROF_FUNCTION: return is_message && take_function(c, &r->function);
    case PPROF_STRING: return is_message;
    case PPROF_COMMENT: {
        d->values.len = 0;
        bool done = take_numbers(d, f);
        r->comments = d->values.at;
        r->comment_count = (uint32_t)d->values.len;
        return done;
    }
    default: return f->number >= PPROF_FIELDS || f->wire == PROTO_VARINT;
    }
}

void pprof_rewind(struct pprof_decoder *d, enum pprof_part part)
{
    d->at.at = d->at.begin;
    d->part = part;
    d->times = 0;
}

int pprof_next(struct pprof_decoder *d, struct pprof_record *r)
{
    struct proto_field f = { 0 };
    for (;;) {
        enum proto_status status = proto_next(&d->at, &f);
        r->off = status == PROTO_END ? cursor_off(&d->at) : (uint64_t)(f.at - d->at.begin);
        r->field = PPROF_END;
        if (status == PROTO_END) return 0;
        if (status == PROTO_DAMAGED) {
            if (d->part != PPROF_SAMPLES)
                findings_add(d->damage, "PP02", ASSAY_ERROR, r->off, 0, "field %u is damaged: its number, type or length cannot be right", f.number);
            d->at.at = d->at.end;
            return d->damage->failed ? error_memory(d->err) : 0;
        }
        if (d->part == PPROF_SAMPLES && f.number != PPROF_SAMPLE) continue;
        d->err->code = 0;
        bool done = take_field(d, &f, r);
        if (d->err->code) return d->err->code;
        r->field = f.number;
        if (f.number == PPROF_TIME_NANOS && d->times++)
            findings_add(d->damage, "PP03", ASSAY_ERROR, r->off, 0, "time_nanos comes twice: several profiles were joined to one file; give them one by one");
        if (done) return cancel_step(d->steps++, d->err);
        findings_add(d->damage, "PP02", ASSAY_ERROR, r->off, 0, "this %s is damaged inside and is left out",
                     pprof_field_name(f.number) ? pprof_field_name(f.number) : "field");
        if (d->damage->failed) return error_memory(d->err);
    }
}
