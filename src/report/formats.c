/* `formats`: the list of formats, and what a conversion between two of them loses in general. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

static const struct {
    uint32_t bit;
    const char *name;
} abilities[] = {
    { ASSAY_CAN_READ, "read" }, { ASSAY_CAN_CHECK, "check" }, { ASSAY_CAN_DUMP, "dump" }, { ASSAY_CAN_WRITE, "write" }, { ASSAY_CAN_REWRITE, "rewrite" },
};
enum { ABILITIES = sizeof abilities / sizeof *abilities };

static void join(char *buf, size_t len, const char *word)
{
    size_t used = strlen(buf);
    if (used < len) snprintf(buf + used, len - used, "%s%s", used ? " " : "", word);
}

static void join_all(char *buf, size_t len, const char *const *words)
{
    buf[0] = '\0';
    for (; words && *words; words++) join(buf, len, *words);
}

/* ---- JSON ---- */

static void put_words(struct json *j, const char *key, const char *const *words)
{
    json_key(j, key);
    json_array(j);
    for (; words && *words; words++) json_text(j, *words);
    json_end(j);
}

static void put_option_json(struct json *j, const struct assay_option_info *o)
{
    json_object(j);
    json_key(j, "key");
    json_text(j, o->name);
    json_key(j, "argument");
    json_text(j, o->argument);
    json_key(j, "help");
    json_text(j, o->help);
    json_end(j);
}

static void put_options_json(struct json *j, const char *key, const struct assay_format_info *f, enum assay_option_use use)
{
    struct assay_option_info o = { .size = sizeof o };
    json_key(j, key);
    json_array(j);
    for (size_t i = 0; assay_format_option_at(f, use, i, &o); i++) put_option_json(j, &o);
    json_end(j);
}

static void put_format(struct json *j, const struct assay_format_info *f)
{
    json_object(j);
    json_key(j, "name");
    json_text(j, f->name);
    json_key(j, "title");
    json_text(j, f->title);
    json_key(j, "reads");
    json_text(j, f->reads);
    put_words(j, "writes", f->versions);
    put_words(j, "extensions", f->extensions);
    json_key(j, "can");
    json_array(j);
    for (size_t i = 0; i < ABILITIES; i++)
        if (f->can & abilities[i].bit) json_text(j, abilities[i].name);
    json_end(j);
    json_key(j, "holds");
    report_shapes_json(j, f->holds);
    put_options_json(j, "read_options", f, ASSAY_FOR_READING);
    put_options_json(j, "write_options", f, ASSAY_FOR_WRITING);
    json_end(j);
}

static void put_json(struct report *r, const struct assay_format_info *only)
{
    report_json_begin(r, "formats");
    json_key(&r->json, "formats");
    json_array(&r->json);
    for (size_t i = 0; i < assay_format_count(); i++)
        if (!only || only == assay_format_at(i)) put_format(&r->json, assay_format_at(i));
}

/* ---- table ---- */

static void put_row(struct table *t, const struct assay_format_info *f)
{
    char buf[200];
    table_text(t, f->name);
    table_text(t, f->reads ? f->reads : "");
    join_all(buf, sizeof buf, f->versions);
    table_text(t, buf);
    buf[0] = '\0';
    for (size_t i = 0; i < ABILITIES; i++)
        if (f->can & abilities[i].bit) join(buf, sizeof buf, abilities[i].name);
    table_text(t, buf);
    table_text(t, report_shapes_text(f->holds, buf, sizeof buf));
    join_all(buf, sizeof buf, f->extensions);
    table_text(t, buf);
    table_text(t, f->title);
}

void report_formats(struct report *r)
{
    static const char *const heads[] = { "name", "reads", "writes", "can", "holds", "extensions", "title", NULL };
    if (r->style == REPORT_JSON) {
        put_json(r, NULL);
        return;
    }
    struct table *t = report_table(r, heads, "lllllll");
    for (size_t i = 0; t && i < assay_format_count(); i++) put_row(t, assay_format_at(i));
}

/* ---- one format ---- */

static void put_fact(struct report *r, const char *name, const char *text)
{
    if (*text) output_printf(r->out, "  %-12s%s\n", name, text);
}

static void put_options(struct report *r, const char *title, const struct assay_format_info *f, enum assay_option_use use)
{
    struct assay_option_info o = { .size = sizeof o };
    for (size_t i = 0; assay_format_option_at(f, use, i, &o); i++) {
        if (i == 0) output_printf(r->out, "\n%s (-O KEY[=VALUE]):\n", title);
        output_printf(r->out, "  %s%s%s\n      %s\n", o.name, o.argument ? "=" : "", o.argument ? o.argument : "", o.help);
    }
}

void report_format(struct report *r, const struct assay_format_info *f)
{
    char buf[200];
    if (r->style == REPORT_JSON) {
        put_json(r, f);
        return;
    }
    output_printf(r->out, "%s: %s\n", f->name, f->title);
    put_fact(r, "reads", f->reads ? f->reads : "");
    join_all(buf, sizeof buf, f->versions);
    put_fact(r, "writes", buf);
    put_fact(r, "holds", report_shapes_text(f->holds, buf, sizeof buf));
    join_all(buf, sizeof buf, f->extensions);
    put_fact(r, "extensions", buf);
    put_options(r, "options for reading", f, ASSAY_FOR_READING);
    put_options(r, "options for writing", f, ASSAY_FOR_WRITING);
}

/* ---- losses in general ---- */

/* Names of the shapes, one at a time: `shapes` must have a bit. */
static uint32_t first_bit(uint32_t shapes) { return shapes & (~shapes + 1); }

static void put_losses_json(struct report *r, const struct assay_format_info *from, const struct assay_format_info *to)
{
    struct json *j = &r->json;
    report_json_begin(r, "formats");
    json_key(j, "from");
    json_text(j, from->name);
    json_key(j, "to");
    json_text(j, to->name);
    json_key(j, "keeps");
    report_shapes_json(j, from->holds & to->holds);
    json_key(j, "loses");
    report_shapes_json(j, from->holds & ~to->holds);
    json_key(j, "loses_also");
    json_array(j);
    for (uint32_t left = from->features & ~to->features; left; left &= left - 1) json_text(j, assay_feature_text(first_bit(left)));
    json_end(j);
}

static void put_line(struct report *r, const char *verdict, uint32_t shape)
{
    char buf[32];
    output_printf(r->out, "%s  %s\n", verdict, report_shapes_text(shape, buf, sizeof buf));
}

void report_format_losses(struct report *r, const struct assay_format_info *from, const struct assay_format_info *to)
{
    if (r->style == REPORT_JSON) {
        put_losses_json(r, from, to);
        return;
    }
    output_printf(r->out, "%s to %s:\n", from->name, to->name);
    for (uint32_t left = from->holds; left; left &= left - 1) put_line(r, to->holds & first_bit(left) ? "  keeps" : "  loses", first_bit(left));
    for (uint32_t left = from->features & ~to->features; left; left &= left - 1) output_printf(r->out, "  loses  %s\n", assay_feature_text(first_bit(left)));
    if (from == to) output_text(r->out, "If the format stays the same, files are rewritten record by record.\n");
    output_text(r->out, "'assay convert' reports what is lost from a given file; --strict refuses to lose anything.\n");
}
