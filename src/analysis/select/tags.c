/* Which sets of labels an expression means, as -tagfocus of pprof has it; see select.h. An expression is looked at once for each label, however many samples
 * have it. */
#include <math.h>

#include "analysis/core/label_text.h"
#include "analysis/select/select.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/pattern.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"

enum { MOST_PATTERNS = 31 };

/* An expression: [KEY=]RANGE or [KEY=]REGEX[,REGEX]. */
struct tag {
    assay_slice key; /* empty = any */
    bool has_key, is_range;
    double least, most;
    struct label_unit unit;
    struct pattern *patterns[MOST_PATTERNS];
    uint32_t count;
};

static void tag_done(struct tag *t)
{
    for (uint32_t i = 0; i < t->count; i++) pattern_free(t->patterns[i]);
}

/* ---- ranges ---- */

/* A whole number with or without a unit at the start of *rest. */
static bool take_bound(assay_slice *rest, double *out, assay_slice *unit)
{
    size_t digits = rest->len && (rest->data[0] == '-' || rest->data[0] == '+'), from = rest->len && rest->data[0] == '+', letters;
    while (digits < rest->len && rest->data[digits] >= '0' && rest->data[digits] <= '9') digits++;
    int64_t number;
    if (number_i64((assay_slice){ rest->data + from, digits - from }, &number) != NUMBER_OK) return false;
    for (letters = digits; letters < rest->len && rest->data[letters] != ':'; letters++)
        if (slice_lower(rest->data[letters]) < 'a' || slice_lower(rest->data[letters]) > 'z') return false;
    *unit = (assay_slice){ rest->data + digits, letters - digits };
    *out = (double)number;
    *rest = (assay_slice){ rest->data + letters, rest->len - letters };
    return true;
}

/* "32kb", ":64kb", "4mb:", "12kb:64mb". */
static bool take_range(struct tag *t, assay_slice text)
{
    assay_slice first = { NULL, 0 }, second = { NULL, 0 };
    bool has_first = text.len && text.data[0] != ':';
    t->least = -INFINITY;
    t->most = INFINITY;
    if (has_first && !take_bound(&text, &t->least, &first)) return false;
    if (has_first && !text.len) t->most = t->least;
    if (text.len) text = (assay_slice){ text.data + 1, text.len - 1 }; /* the colon */
    bool has_second = text.len;
    if (has_second && (!take_bound(&text, &t->most, &second) || text.len)) return false;
    if (!has_first && !has_second) return false;
    t->unit = label_unit_of(has_first ? first : second);
    struct label_unit other = label_unit_of(has_second ? second : first);
    if (other.family != t->unit.family) return false;
    t->least *= t->unit.factor;
    t->most *= other.factor;
    return true;
}

/* ---- expressions ---- */

static int take_patterns(struct tag *t, assay_slice text, struct mem *mem, assay_error *err)
{
    for (;;) {
        const char *comma = text.len ? memchr(text.data, ',', text.len) : NULL;
        assay_slice part = comma ? slice_from(text.data, comma) : text;
        char buf[512];
        if (part.len >= sizeof buf || t->count == MOST_PATTERNS) FAIL(err, ASSAY_ERR_USAGE, "the expression for labels is too long");
        memcpy(buf, part.data, part.len);
        buf[part.len] = '\0';
        TRY(pattern_new(&t->patterns[t->count], buf, mem, err));
        t->count++;
        if (!comma) return 0;
        text = slice_from(comma + 1, text.data + text.len);
    }
}

static int tag_init(struct tag *t, const char *text, struct mem *mem, assay_error *err)
{
    const char *equals = strchr(text, '=');
    assay_slice value = slice_of(equals ? equals + 1 : text);
    *t = (struct tag){ .has_key = equals != NULL };
    if (equals) t->key = slice_from(text, equals);
    if (!value.len) FAIL(err, ASSAY_ERR_USAGE, "empty expression for labels: it would match every one");
    t->is_range = take_range(t, value);
    return t->is_range ? 0 : take_patterns(t, value, mem, err);
}

/* ---- labels ---- */

static bool is_in_range(const struct tag *t, const assay_profile *p, uint32_t label)
{
    const struct assay_labels *l = assay_profile_labels(p);
    struct label_unit unit = label_unit(p, label);
    double v = (AT(l->kind, label) == ASSAY_LABEL_DOUBLE ? AT(l->real, label) : (double)AT(l->number, label)) * unit.factor;
    return AT(l->kind, label) != ASSAY_LABEL_TEXT && unit.family == t->unit.family && v >= t->least && v <= t->most;
}

/* KEY:VALUE without a key, as pprof compares them. */
static bool matches(const struct tag *t, uint32_t i, assay_slice key, assay_slice value)
{
    char buf[1024];
    if (t->has_key) return pattern_matches(t->patterns[i], value);
    if (key.len + value.len + 2 > sizeof buf) return pattern_matches(t->patterns[i], value) || pattern_matches(t->patterns[i], key);
    memcpy(buf, key.data, key.len);
    buf[key.len] = ':';
    memcpy(buf + key.len + 1, value.data, value.len);
    return pattern_matches(t->patterns[i], (assay_slice){ buf, key.len + 1 + value.len });
}

/* Bits: which of the patterns a label matches; with a key, or a range, one bit in all. */
static uint32_t bits_of(const struct tag *t, const assay_profile *p, uint32_t label)
{
    const struct assay_labels *l = assay_profile_labels(p);
    assay_slice key = assay_profile_string(p, l->key[label]);
    uint32_t bits = 0;
    if (t->has_key && !slice_equal(key, t->key)) return 0;
    if (t->is_range) return is_in_range(t, p, label);
    if (AT(l->kind, label) != ASSAY_LABEL_TEXT) return 0;
    assay_slice value = assay_profile_string(p, (assay_str_id){ ID(l->text, label) });
    for (uint32_t i = 0; i < t->count; i++)
        if (matches(t, i, key, value.data ? value : SLICE(""))) bits |= t->has_key ? 1 : 1u << i;
    return bits;
}

/* With a key any of the patterns will do, without one every pattern has to be found. A set is one label more than a set before it. */
static int match_sets(const struct tag *t, const assay_profile *p, uint8_t bit, uint8_t *sets, bool *is_used, struct mem *mem, assay_error *err)
{
    const struct assay_labels *l = assay_profile_labels(p);
    uint32_t need = t->is_range || t->has_key ? 1 : (uint32_t)((1ull << t->count) - 1);
    SCRATCH(uint32_t, label, mem, (size_t)l->count + 1);
    SCRATCH(uint32_t, set, mem, (size_t)l->set_count + 1);
    if (!label || !set) return error_memory(err);
    for (uint32_t i = 1; i <= l->count; i++) {
        TRY(cancel_step(i, err));
        label[i] = bits_of(t, p, i);
    }
    for (uint32_t i = 1; i <= l->set_count; i++) {
        TRY(cancel_step(i, err));
        set[i] = (l->set_rest[i].v < i ? set[l->set_rest[i].v] : 0) | label[l->set_label[i].v];
        if ((set[i] & need) != need) continue;
        sets[i] |= bit;
        *is_used = true;
    }
    return 0;
}

int select_tags(const assay_profile *p, const char *const *texts, size_t count, uint8_t bit, uint8_t *sets, struct findings *found, struct mem *mem,
                assay_error *err)
{
    for (size_t i = 0; i < count; i++) {
        SCOPED(tag_done) struct tag t;
        bool is_used = false;
        TRY(tag_init(&t, texts[i], mem, err));
        TRY(match_sets(&t, p, bit, sets, &is_used, mem, err));
        if (!is_used) findings_add(found, "FI-8", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "no label matches '%.80s'", texts[i]);
    }
    return found->failed ? error_memory(err) : 0;
}
