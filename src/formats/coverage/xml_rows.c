/* See formats/coverage/xml_rows.h. A dump shows elements that have nothing for a profile too: they become rows of name and text, made for it alone. */
#include "formats/coverage/xml_rows.h"

#include "base/scoped.h"

int coverage_xml_record(struct coverage_decoder *d, const struct xml *x, const char *name, const char *text)
{
    if (d->use != COVERAGE_FOR_DUMP) return 0;
    struct coverage_row *row = coverage_xml_row(d, COVERAGE_RECORD, x);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = coverage_name(d, name);
    row->text = coverage_name(d, text);
    return row->name && row->text ? 0 : error_memory(d->err);
}

int coverage_xml_element(struct coverage_decoder *d, const struct xml *x, const char *name, const char *const *attributes)
{
    VEC(char) text = { 0 };
    if (d->use != COVERAGE_FOR_DUMP) return 0;
    vec_scoped(d->mem, &text);
    if (!vec_reserve(d->mem, &text, 1)) return error_memory(d->err);
    for (size_t i = 0; attributes[i]; i++) {
        size_t len = strlen(attributes[i]);
        if (!vec_reserve(d->mem, &text, len + 2)) return error_memory(d->err);
        if (i) text.at[text.len++] = i % 2 ? '=' : ' ';
        memcpy(text.at + text.len, attributes[i], len);
        text.len += len;
    }
    text.at[text.len] = '\0';
    return coverage_xml_record(d, x, name, text.at);
}

assay_slice coverage_xml_text(const char *const *attributes, const char *name)
{
    const char *value = xml_attribute(attributes, name);
    return slice_of(value ? value : "");
}

int coverage_xml_rows(struct coverage_decoder *d, const struct xml_handler *handler, void *arg)
{
    return coverage_xml_parse(d->job, handler, arg, d->damage, d->err);
}
