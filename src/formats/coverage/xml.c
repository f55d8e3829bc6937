/* See formats/coverage/xml.h. */
#include "formats/coverage/xml.h"

#include <strings.h>

#include "base/number.h"
#include "base/text.h"

/* ---- the head of a document ---- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && is_space(*p)) p++;
    return p;
}

static const char *behind(const char *p, const char *end, const char *mark)
{
    const char *at = p < end ? memmem(p, (size_t)(end - p), mark, strlen(mark)) : NULL;
    return at ? at + strlen(mark) : end;
}

/* Behind <!DOCTYPE ... [ ... ] >: quotes hide brackets. */
static const char *behind_doctype(const char *p, const char *end)
{
    for (bool inside = false; p < end; p++) {
        if (*p == '"' || *p == '\'') {
            const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
            if (!close) return end;
            p = close;
        } else if (*p == '[' || *p == ']')
            inside = *p == '[';
        else if (*p == '>' && !inside)
            return p + 1;
    }
    return end;
}

static const char *behind_tag(const char *p, const char *end)
{
    for (; p < end && *p != '>'; p++)
        if (*p == '"' || *p == '\'') {
            const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
            if (!close) return end;
            p = close;
        }
    return p;
}

static void root(const char *p, const char *end, struct coverage_xml_head *out)
{
    const char *stop = p;
    while (stop < end && !is_space(*stop) && *stop != '>' && *stop != '/') stop++;
    out->name = slice_from(p, stop);
    const char *close = behind_tag(stop, end);
    out->tag = slice_from(stop, close);
    out->rest = slice_from(close < end ? close + 1 : end, end);
}

bool coverage_xml_head(assay_slice head, struct coverage_xml_head *out)
{
    memset(out, 0, sizeof *out);
    if (head.len == 0) return false;
    const char *p = head.data, *end = p + head.len;
    if (head.len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;
    for (bool any = false;; any = true) {
        p = skip_space(p, end);
        assay_slice left = slice_from(p, end);
        if (slice_starts(left, "<?")) {
            const char *stop = behind(p, end, "?>");
            if (slice_starts(left, "<?xml")) out->encoding = coverage_xml_in_tag(slice_from(p + 5, stop), "encoding");
            p = stop;
        } else if (slice_starts(left, "<!--"))
            p = behind(p + 4, end, "-->");
        else if (slice_starts(left, "<!DOCTYPE")) {
            const char *stop = behind_doctype(p, end);
            out->doctype = slice_from(p, stop);
            p = stop;
        } else if (left.len > 1 && *p == '<') {
            root(p + 1, end, out);
            return true;
        } else
            return any && left.len == 0;
    }
}

assay_slice coverage_xml_in_tag(assay_slice tag, const char *name)
{
    const char *p = tag.data, *end = p + tag.len;
    while (tag.len && p < end) {
        p = skip_space(p, end);
        const char *begin = p;
        while (p < end && *p != '=' && !is_space(*p)) p++;
        assay_slice found = slice_from(begin, p);
        while (p < end && *p != '"' && *p != '\'') p++;
        const char *close = p < end ? memchr(p + 1, *p, (size_t)(end - p - 1)) : NULL;
        if (!close) break;
        if (slice_is(found, name)) return slice_from(p + 1, close);
        p = close + 1;
    }
    return (assay_slice){ NULL, 0 };
}

/* ---- parsing ---- */

static bool is_usual(assay_slice encoding)
{
    static const char *const usual[] = { "UTF-8", "US-ASCII", "ISO-8859-1" };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (encoding.len == strlen(usual[i]) && strncasecmp(encoding.data, usual[i], encoding.len) == 0) return true;
    return encoding.len == 0;
}

static void note_head(struct input *in, struct findings *damage, assay_error *err)
{
    assay_slice head;
    struct coverage_xml_head h;
    if (input_peek(in, &head, err) != 0 || !coverage_xml_head(head, &h)) return;
    if (!is_usual(h.encoding))
        findings_add(damage, "X-7", ASSAY_WARNING, (uint64_t)(h.encoding.data - head.data), 1, "an encoding other than UTF-8, US-ASCII or ISO-8859-1");
    if (slice_contains(h.doctype, "SYSTEM") || slice_contains(h.doctype, "PUBLIC"))
        findings_add(damage, "X-8", ASSAY_INFO, (uint64_t)(h.doctype.data - head.data), 0, "the document type that it names is not read");
}

/* Errors of the document have a line; those of the packing have none. */
static const char *rule_of(int rc, const assay_error *err)
{
    switch (rc) {
    case ASSAY_ERR_DAMAGED: return err->line ? "X-1" : "Z-2";
    case ASSAY_ERR_TRUNCATED: return err->line ? "X-1" : "Z-1";
    case ASSAY_ERR_LIMIT: return err->line ? "X-6" : NULL;
    case ASSAY_ERR_UNSUPPORTED: return err->line ? "X-2" : NULL;
    default: return NULL;
    }
}

int coverage_xml_parse(const struct read_job *job, const struct xml_handler *handler, void *arg, struct findings *damage, assay_error *err)
{
    struct xml_options options = { .mem = job->mem, .max_depth = COVERAGE_XML_DEPTH, .max_markup = 1 << 20, .threads = job->options->threads };
    assay_error found = { 0 };
    note_head(job->in, damage, &found);
    int rc = xml_parse(job->in, &options, handler, arg, &found);
    const char *rule = rc && found.code ? rule_of(rc, &found) : NULL;
    if (rule) {
        findings_add(damage, rule, ASSAY_ERROR, found.offset, found.line, "%s", found.text);
        rc = 0;
    } else if (rc && found.code && err)
        *err = found;
    return rc == 0 && damage->failed ? error_memory(err) : rc;
}

/* ---- numbers ---- */

uint64_t coverage_xml_attribute_off(struct xml *x, const char *name)
{
    uint64_t off, value_off;
    xml_attribute_off(x, name, &off, &value_off);
    return off;
}

static void bad(struct xml *x, struct findings *damage, const char *name, const char *value)
{
    if (value)
        findings_add(damage, "X-4", ASSAY_ERROR, coverage_xml_attribute_off(x, name), xml_line(x), "%s is '%.40s': expected a number", name, value);
    else
        findings_add(damage, "X-4", ASSAY_ERROR, xml_off(x), xml_line(x), "%s is missing", name);
}

/* Digits at once; anything else by the exact way. */
static bool count_of(const char *value, uint64_t *out, bool *is_negative)
{
    uint64_t v = 0;
    const char *p = value;
    for (unsigned digit; (digit = (unsigned char)(*p - '0')) < 10 && p - value < 19; p++) v = v * 10 + digit;
    *is_negative = false;
    *out = v;
    if (p > value && !*p) return true;
    enum number_result r = number_u64(slice_of(value), out);
    if (r != NUMBER_BAD) return true;
    double d;
    if (number_double(slice_of(value), &d) == NUMBER_BAD) return false;
    *is_negative = d < 0;
    *out = d <= 0 ? 0 : d >= 18446744073709551615.0 ? UINT64_MAX : (uint64_t)d;
    return true;
}

bool coverage_xml_count(struct xml *x, struct findings *damage, const char *const *attributes, const char *name, bool is_needed, uint64_t *out)
{
    const char *value = xml_attribute(attributes, name);
    bool is_negative;
    *out = 0;
    if (!value && !is_needed) return false;
    if (!value || !count_of(value, out, &is_negative)) {
        bad(x, damage, name, value);
        return false;
    }
    if (is_negative)
        findings_add(damage, "X-5", ASSAY_WARNING, coverage_xml_attribute_off(x, name), xml_line(x), "%s is '%.40s', below 0: read as 0", name, value);
    return true;
}

bool coverage_xml_small(struct xml *x, struct findings *damage, const char *const *attributes, const char *name, bool is_needed, uint32_t *out)
{
    uint64_t v;
    *out = 0;
    if (!coverage_xml_count(x, damage, attributes, name, is_needed, &v)) return false;
    if (v > COVERAGE_LINE_MAX) {
        bad(x, damage, name, xml_attribute(attributes, name));
        return false;
    }
    *out = (uint32_t)v;
    return true;
}

/* ---- text out ---- */

void coverage_xml_put(struct output *o, assay_slice text)
{
    while (text.len) {
        unsigned len = text_utf8(text, NULL);
        char c = text.data[0];
        if (len == 0)
            output_text(o, "\xef\xbf\xbd");
        else if (c == '&' || c == '<' || c == '>' || c == '"')
            output_text(o, c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&quot;");
        else if ((unsigned char)c < 0x20 || c == 0x7f)
            output_char(o, '?');
        else
            output_bytes(o, text.data, len);
        len = len ? len : 1;
        text.data += len;
        text.len -= len;
    }
}
