/* Prints every field with its offset, under the names of profile.proto; numbers that stand for strings are printed with them once the whole table is known. */
#include "base/text.h"
#include "formats/pprof/tables.h"

struct printing {
    struct output *o;
    const struct pprof_tables *t;
};

static void put_text(const struct printing *p, const char *name, uint64_t id)
{
    if (!id) return;
    output_printf(p->o, " %s %llu \"", name, (unsigned long long)id);
    text_show(p->o, pprof_text(p->t, id));
    output_char(p->o, '"');
}

static void put_number(const struct printing *p, const char *name, uint64_t v)
{
    if (v) output_printf(p->o, " %s %llu", name, (unsigned long long)v);
}

static void put_signed(const struct printing *p, const char *name, int64_t v)
{
    if (v) output_printf(p->o, " %s %lld", name, (long long)v);
}

static void put_address(const struct printing *p, const char *name, uint64_t v)
{
    if (v) output_printf(p->o, " %s 0x%llx", name, (unsigned long long)v);
}

static void put_sample(const struct printing *p, const struct pprof_sample *s)
{
    struct cursor c = cursor_of(s->stack.data, s->stack.len);
    uint64_t id;
    output_text(p->o, " location_id");
    while (pprof_stack_next(&c, &id)) output_printf(p->o, " %llu", (unsigned long long)id);
    output_text(p->o, " value");
    for (uint32_t i = 0; i < s->value_count; i++) output_printf(p->o, " %lld", (long long)s->values[i]);
    for (uint32_t i = 0; i < s->label_count; i++) {
        const struct pprof_label *l = &s->labels[i];
        output_text(p->o, "\n           label");
        put_text(p, "key", l->key);
        put_text(p, "str", l->str);
        if (!l->str || l->num) output_printf(p->o, " num %lld", (long long)l->num);
        put_text(p, "num_unit", l->num_unit);
    }
}

static void put_mapping(const struct printing *p, const struct pprof_mapping *m)
{
    static const char *const flags[] = { "has_functions", "has_filenames", "has_line_numbers", "has_inline_frames" };
    put_number(p, "id", m->id);
    put_address(p, "memory_start", m->start);
    put_address(p, "memory_limit", m->limit);
    put_address(p, "file_offset", m->offset);
    put_text(p, "filename", m->filename);
    put_text(p, "build_id", m->build_id);
    for (int i = 0; i < 4; i++)
        if (m->flags >> i & 1) output_printf(p->o, " %s", flags[i]);
}

static void put_location(const struct printing *p, const struct pprof_location *l)
{
    put_number(p, "id", l->id);
    put_number(p, "mapping_id", l->mapping);
    put_address(p, "address", l->address);
    if (l->is_folded) output_text(p->o, " is_folded");
    for (uint32_t i = 0; i < l->line_count; i++) {
        output_text(p->o, "\n           line");
        put_number(p, "function_id", l->lines[i].function);
        put_signed(p, "line", l->lines[i].line);
        put_signed(p, "column", l->lines[i].column);
    }
}

static void put_function(const struct printing *p, const struct pprof_function *f)
{
    put_number(p, "id", f->id);
    put_text(p, "name", f->name);
    put_text(p, "system_name", f->system_name);
    put_text(p, "filename", f->filename);
    put_signed(p, "start_line", f->start_line);
}

static void put_record(const struct printing *p, const struct pprof_record *r)
{
    const char *name = pprof_field_name(r->field);
    output_hex(p->o, r->off, 8);
    if (name)
        output_printf(p->o, "  %s", name);
    else
        output_printf(p->o, "  field %u", r->field);
    switch (r->field) {
    case PPROF_SAMPLE_TYPE:
    case PPROF_PERIOD_TYPE:
        put_text(p, "type", r->type.type);
        put_text(p, "unit", r->type.unit);
        break;
    case PPROF_SAMPLE: put_sample(p, &r->sample); break;
    case PPROF_MAPPING: put_mapping(p, &r->mapping); break;
    case PPROF_LOCATION: put_location(p, &r->location); break;
    case PPROF_FUNCTION: put_function(p, &r->function); break;
    case PPROF_STRING:
        output_text(p->o, " \"");
        text_show(p->o, r->text);
        output_char(p->o, '"');
        break;
    case PPROF_COMMENT:
        for (uint32_t i = 0; i < r->comment_count; i++) put_text(p, "text", (uint64_t)r->comments[i]);
        break;
    case PPROF_DROP_FRAMES:
    case PPROF_KEEP_FRAMES:
    case PPROF_DEFAULT_SAMPLE_TYPE:
    case PPROF_DOC_URL: put_text(p, "text", r->number); break;
    default:
        if (name) output_printf(p->o, " %lld", (long long)r->number);
    }
    output_char(p->o, '\n');
}

int pprof_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct findings damage, first;
    struct pprof_decoder d;
    struct pprof_tables t = { 0 };
    struct printing p = { out, &t };
    struct pprof_record r = { .field = PPROF_SAMPLE };
    size_t marked = 0;
    findings_init(&damage, job->mem);
    findings_init(&first, job->mem);
    int rc = pprof_open(&d, job, &first, err);
    if (rc == 0) rc = pprof_tables_load(&t, &d, err);
    d.damage = &damage; /* each is printed where it stands */
    if (rc == 0) findings_mark(&first, &marked, out);
    marked = 0;
    if (rc == 0) pprof_rewind(&d, PPROF_ALL);
    while (rc == 0 && r.field && !output_failed(out)) {
        rc = pprof_next(&d, &r);
        if (rc == 0 && r.field) put_record(&p, &r);
    }
    pprof_tables_done(&t);
    if (d.mem) pprof_done(&d);
    findings_done(&damage);
    findings_done(&first);
    return rc;
}
