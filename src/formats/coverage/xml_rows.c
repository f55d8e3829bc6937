/* See formats/coverage/xml_rows.h. */
#include "formats/coverage/xml_rows.h"

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
    struct chars {
        char *at;
        size_t len, cap;
    } text = { NULL, 0, 0 };
    bool done = d->use == COVERAGE_FOR_DUMP && vec_reserve(d->mem, &text, 1);
    if (d->use != COVERAGE_FOR_DUMP) return 0;
    for (size_t i = 0; done && attributes[i]; i++) {
        size_t len = strlen(attributes[i]);
        done = vec_reserve(d->mem, &text, len + 2);
        if (!done) break;
        if (i) text.at[text.len++] = i % 2 ? '=' : ' ';
        memcpy(text.at + text.len, attributes[i], len);
        text.len += len;
    }
    if (done) text.at[text.len] = '\0';
    int rc = done ? coverage_xml_record(d, x, name, text.at) : error_memory(d->err);
    vec_done(d->mem, &text);
    return rc;
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
