/* The check, which is what collecting finds, and the dump. */
#include <math.h>

#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/text.h"
#include "formats/firefox-profile/collect.h"

int firefox_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    SCOPED(firefox_done) struct firefox f = { .mem = job->mem };
    return firefox_collect(&f, job, false, out, err);
}

/* ---- dump ---- */

struct dump {
    struct output *out;
    struct findings *damage;
    size_t marked;
};

static const char *const part_names[FIREFOX_PARTS] = { "document", "meta",    "sampleUnits", "category", "markerSchema", "field",       "lib",  "shared",
                                                       "thread",   "counter", "display",     "group",    "data",         "stringArray", "table" };

static void put_number(struct output *o, double v)
{
    char text[48];
    if (isnan(v))
        output_text(o, " null");
    else {
        number_put_double(text, v);
        output_printf(o, " %s", text);
    }
}

static void put_values(struct output *o, const struct firefox_record *r)
{
    output_printf(o, " row %llu", (unsigned long long)r->row);
    for (size_t k = 0; k < r->count; k++) put_number(o, r->values[k]);
}

static void put_member(struct output *o, const struct firefox_record *r)
{
    output_char(o, ' ');
    text_show(o, r->key);
    output_char(o, ' ');
    if (r->value == JSON_STRING)
        text_show(o, r->text);
    else if (r->value == JSON_TRUE || r->value == JSON_FALSE)
        output_text(o, json_kind_name(r->value));
    else
        output_slice(o, r->text);
}

static void put_record(struct output *o, const struct firefox_record *r)
{
    const char *name = r->part == FIREFOX_TABLE ? firefox_table_names[r->table] : part_names[r->part];
    switch (r->kind) {
    case FIREFOX_BEGIN: output_printf(o, " %s", name); break;
    case FIREFOX_END: output_printf(o, " end of %s", name); break;
    case FIREFOX_MEMBER: put_member(o, r); break;
    case FIREFOX_NO_DATA: output_text(o, " data null"); break;
    case FIREFOX_STRING:
        output_printf(o, " string %llu ", (unsigned long long)r->row);
        text_show(o, r->text.data ? r->text : (assay_slice){ "", 0 });
        break;
    case FIREFOX_COLUMN: output_printf(o, " %s.%s", name, r->is_offset ? "prefixOffset" : firefox_columns[r->column].name); break;
    case FIREFOX_COLUMN_END: output_printf(o, " end of %s.%s: %llu", name, firefox_columns[r->column].name, (unsigned long long)r->row); break;
    case FIREFOX_VALUES: put_values(o, r); break;
    }
}

static int dump_record(void *arg, const struct firefox_record *r)
{
    struct dump *d = arg;
    findings_mark(d->damage, &d->marked, d->out);
    output_hex(d->out, r->off, 8);
    put_record(d->out, r);
    output_char(d->out, '\n');
    return output_failed(d->out);
}

int firefox_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    findings_init(&damage, job->mem);
    struct dump d = { .out = out, .damage = &damage };
    TRY(firefox_walk(job, &damage, dump_record, &d, err));
    findings_mark(&damage, &d.marked, out);
    return 0;
}
