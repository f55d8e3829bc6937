/* Prints every field with its offset under the names of the .proto, messages indented below what they are in; numbers that stand for strings are printed with
 * them where the table is that of the document. */
#include "base/cancel.h"
#include "base/text.h"
#include "formats/otlp-profiles/tables.h"

enum { DEPTH_MOST = 80 };

struct printing {
    struct otlp_decoder d;
    struct otlp_tables t;
    struct output *o;
    uint32_t document, set;
    unsigned depth;
};

static void put_hex(struct output *o, assay_slice s)
{
    enum { SHOWN = 32 };
    for (size_t i = 0; i < s.len && i < SHOWN; i++) output_hex(o, (unsigned char)s.data[i], 2);
    if (s.len > SHOWN) output_printf(o, "... (%zu bytes)", s.len);
}

static void put_number(struct printing *p, const struct otlp_field *f, uint64_t v)
{
    double real;
    memcpy(&real, &v, sizeof real);
    output_char(p->o, ' ');
    if (f->type == OTLP_DOUBLE)
        output_printf(p->o, "%.17g", real);
    else if (f->type == OTLP_BOOL)
        output_text(p->o, v ? "true" : "false");
    else if (f->name == OTLP_ADDRESS || f->name == OTLP_MEMORY_START || f->name == OTLP_MEMORY_LIMIT || f->name == OTLP_FILE_OFFSET)
        output_printf(p->o, "0x%llx", (unsigned long long)v);
    else if (f->type == OTLP_ULONG || f->type == OTLP_FIXED)
        output_u64(p->o, v);
    else
        output_i64(p->o, (int64_t)v);
    if (f->type != OTLP_STRING || p->set >= p->t.sets.len) return;
    uint32_t row = otlp_row(&p->t.sets.at[p->set], OTLP_T_STRINGS, (int64_t)v);
    if (!v || row == GROW_NO_ROW) return;
    output_text(p->o, " \"");
    text_show(p->o, p->t.strings.at[row]);
    output_char(p->o, '"');
}

static void put_packed(struct printing *p, const struct otlp_item *i)
{
    struct cursor c = proto_message(&i->raw);
    bool is_fixed = i->field->type == OTLP_FIXED;
    uint64_t v;
    while (is_fixed ? cursor_u64le(&c, &v) : proto_varint(&c, &v)) put_number(p, i->field, v);
    if (cursor_left(&c)) output_printf(p->o, " (%zu bytes that are no number)", cursor_left(&c));
}

static void put_field(struct printing *p, const struct otlp_item *i)
{
    const struct otlp_field *f = i->field;
    output_hex(p->o, otlp_off(&p->d, i->raw.at), 8);
    for (unsigned k = 0; k <= p->depth; k++) output_text(p->o, "  ");
    if (!f) {
        output_printf(p->o, "field %u\n", i->raw.number);
        return;
    }
    output_text(p->o, f->text);
    if (f->type == OTLP_TEXT) {
        output_text(p->o, " \"");
        text_show(p->o, i->raw.bytes);
        output_char(p->o, '"');
    } else if (f->type == OTLP_BYTES || f->type == OTLP_HEX) {
        output_char(p->o, ' ');
        put_hex(p->o, i->raw.bytes);
    } else if (f->type != OTLP_SUB && i->raw.wire == PROTO_BYTES) {
        put_packed(p, i);
    } else if (f->type != OTLP_SUB) {
        put_number(p, f, i->raw.value);
    }
    output_char(p->o, '\n');
}

/* The tables of 1.3 and 1.4 belong to one profile: each opens a set. */
static bool opens_set(const struct printing *p, const struct otlp_item *i)
{
    return p->d.documents.at[p->document].layout <= OTLP_1_4 && i->name == OTLP_PROFILES;
}

static int put_document(struct printing *p, assay_error *err)
{
    const struct otlp_document *doc = &p->d.documents.at[p->document];
    struct otlp_walk open[DEPTH_MOST];
    struct otlp_item i;
    open[0] = otlp_walk(&p->d, doc, OTLP_DATA, doc->bytes);
    p->depth = 0;
    for (uint64_t steps = 0; !output_failed(p->o); steps++) {
        TRY(cancel_step(steps, err));
        if (!otlp_next(&p->d, &open[p->depth], &i)) {
            if (!p->depth) break;
            p->depth--;
            continue;
        }
        put_field(p, &i);
        if (opens_set(p, &i)) p->set++;
        if (!i.field || i.field->type != OTLP_SUB || p->depth + 1 >= DEPTH_MOST) continue;
        p->depth++;
        open[p->depth] = otlp_walk(&p->d, doc, (enum otlp_message)i.field->sub, i.raw.bytes);
    }
    return 0;
}

int otlp_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct findings damage;
    struct printing p = { .o = out };
    size_t marked = 0;
    findings_init(&damage, job->mem);
    int rc = otlp_open(&p.d, job, &damage, err);
    if (rc == 0) rc = otlp_tables_load(&p.t, &p.d, err);
    if (rc == 0) findings_mark(&damage, &marked, out);
    p.d.is_quiet = true;
    for (uint32_t i = 0; rc == 0 && i < p.d.documents.len; i++) {
        p.document = i;
        if (i) p.set++;
        output_printf(out, "ProfilesData, layout %s\n", otlp_version(&p.d.documents.at[i]));
        rc = put_document(&p, err);
    }
    otlp_tables_done(&p.t);
    otlp_done(&p.d);
    findings_done(&damage);
    return rc;
}
