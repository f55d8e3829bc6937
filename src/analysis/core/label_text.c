/* See label_text.h. */
#include "analysis/core/label_text.h"

#include <stdio.h>

#include "base/number.h"
#include "base/slice.h"
#include "model/entry.h"

static bool is_word(assay_slice word, const char *const *names)
{
    assay_slice one = word.len > 1 && slice_lower(word.data[word.len - 1]) == 's' ? (assay_slice){ word.data, word.len - 1 } : word;
    for (; *names; names++)
        if (slice_is_nocase(word, *names) || slice_is_nocase(one, *names)) return true;
    return false;
}

struct label_unit label_unit_of(assay_slice word)
{
    static const struct {
        enum label_family family;
        double factor;
        const char *names[4];
    } units[] = {
        { LABEL_TIME, 1, { "ns", "nanosecond", NULL } },
        { LABEL_TIME, 1e3, { "us", "microsecond", NULL } },
        { LABEL_TIME, 1e6, { "ms", "millisecond", NULL } },
        { LABEL_TIME, 1e9, { "s", "sec", "second", NULL } },
        { LABEL_TIME, 60e9, { "min", "minute", NULL } },
        { LABEL_TIME, 3600e9, { "hr", "hour", NULL } },
        { LABEL_TIME, 86400e9, { "day", NULL } },
        { LABEL_BYTES, 1, { "b", "byte", NULL } },
        { LABEL_BYTES, 1024, { "kb", "kbyte", "kilobyte", NULL } },
        { LABEL_BYTES, 1048576, { "mb", "mbyte", "megabyte", NULL } },
        { LABEL_BYTES, 1073741824, { "gb", "gbyte", "gigabyte", NULL } },
        { LABEL_BYTES, 1099511627776, { "tb", "tbyte", "terabyte", NULL } },
        { LABEL_BYTES, 1125899906842624, { "pb", "pbyte", "petabyte", NULL } },
    };
    for (size_t i = 0; word.len && i < sizeof units / sizeof *units; i++)
        if (is_word(word, units[i].names)) return (struct label_unit){ units[i].family, units[i].factor };
    return (struct label_unit){ LABEL_PLAIN, 1 };
}

struct label_unit label_unit(const assay_profile *p, uint32_t label)
{
    const struct assay_labels *l = assay_profile_labels(p);
    assay_slice unit = assay_profile_string(p, (assay_str_id){ ID(l->unit, label) }), key = assay_profile_string(p, l->key[label]);
    if (unit.len) return label_unit_of(unit);
    bool is_bytes = slice_is(key, "alignment") || slice_is(key, "request") || slice_is(key, "bytes");
    return label_unit_of(is_bytes ? SLICE("bytes") : SLICE(""));
}

assay_slice label_text(const assay_profile *p, uint32_t label, char *buf)
{
    const struct assay_labels *l = assay_profile_labels(p);
    uint8_t kind = AT(l->kind, label);
    assay_slice text = assay_profile_string(p, (assay_str_id){ ID(l->text, label) }), unit = assay_profile_string(p, (assay_str_id){ ID(l->unit, label) });
    if (kind == ASSAY_LABEL_TEXT) return text.data ? text : SLICE("");
    if (kind == ASSAY_LABEL_BOOLEAN) return AT(l->number, label) ? SLICE("true") : SLICE("false");
    size_t len = kind == ASSAY_LABEL_DOUBLE ? number_put_double(buf, AT(l->real, label)) : number_put_i64(buf, AT(l->number, label));
    int more = unit.len && len < LABEL_TEXT ? snprintf(buf + len, LABEL_TEXT - len, " %.*s", (int)(unit.len < 20 ? unit.len : 20), unit.data) : 0;
    return (assay_slice){ buf, len + (more > 0 ? (size_t)more : 0) };
}
