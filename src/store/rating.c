/* Thresholds and percentages; see rating.h. */
#include "store/rating.h"

#include "base/number.h"

/* N%, or A/B. */
static bool parse_ratio(assay_slice text, struct rating_ratio *out)
{
    uint64_t part, whole = 100;
    text = slice_trim(text);
    const char *slash = text.len ? memchr(text.data, '/', text.len) : NULL;
    assay_slice left = text;
    if (slash) {
        left = slice_trim(slice_from(text.data, slash));
        if (number_u64(slice_trim(slice_from(slash + 1, text.data + text.len)), &whole) != NUMBER_OK) return false;
    } else if (slice_ends(text, "%"))
        left = slice_trim((assay_slice){ text.data, text.len - 1 });
    else
        return false;
    if (number_u64(left, &part) != NUMBER_OK || part > UINT32_MAX || whole > UINT32_MAX || !whole) return false;
    *out = (struct rating_ratio){ (uint32_t)part, (uint32_t)whole };
    return true;
}

bool rating_parse(const char *text, struct rating_limits *out)
{
    const char *comma = strchr(text, ',');
    struct rating_ratio a, b;
    if (!comma || !parse_ratio(slice_from(text, comma), &a) || !parse_ratio(slice_of(comma + 1), &b)) return false;
    bool is_first = (uint64_t)a.part * b.whole >= (uint64_t)b.part * a.whole;
    *out = is_first ? (struct rating_limits){ a, b } : (struct rating_limits){ b, a };
    return true;
}

void rating_load(struct rating *r, const struct config *c)
{
    static const char *const keys[] = { "core.rating-lines", "core.rating-functions", "core.rating-branches" };
    for (size_t i = 0; i < 3; i++) {
        const char *own = config_get(c, keys[i]), *all = config_get(c, "core.rating");
        if ((own && rating_parse(own, &r->of[i])) || (all && rating_parse(all, &r->of[i]))) continue;
        r->of[i] = (struct rating_limits){ { 9, 10 }, { 3, 4 } };
    }
}

static bool is_below(const assay_store_pair *p, const struct rating_ratio *limit)
{
    return (uint64_t)p->visited * limit->whole < (uint64_t)limit->part * p->relevant;
}

enum rating_mark rating_of(const struct rating *r, enum rating_what what, const assay_store_pair *p)
{
    const struct rating_limits *limits = &r->of[what];
    if (!p->relevant || is_below(p, &limits->fair)) return RATING_FAIL;
    return is_below(p, &limits->good) ? RATING_INCOMPLETE : RATING_PASS;
}

const char *rating_word(enum rating_mark mark)
{
    static const char *const words[] = { "fail", "incomplete", "pass" };
    return words[mark];
}

static uint32_t share(const assay_store_pair *p, uint64_t scale)
{
    if (!p->relevant) return 0;
    uint64_t n = (p->visited * scale + p->relevant / 2) / p->relevant;
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

uint32_t rating_percent(const assay_store_pair *p) { return share(p, 100); }

uint32_t rating_hundredths(const assay_store_pair *p) { return share(p, 10000); }

static void add(uint32_t *a, uint32_t b)
{
    if (__builtin_add_overflow(*a, b, a)) *a = UINT32_MAX;
}

void rating_add(assay_store_stats *a, const assay_store_stats *b)
{
    add(&a->lines_total, b->lines_total);
    add(&a->lines.relevant, b->lines.relevant);
    add(&a->lines.visited, b->lines.visited);
    add(&a->functions.relevant, b->functions.relevant);
    add(&a->functions.visited, b->functions.visited);
    add(&a->branches.relevant, b->branches.relevant);
    add(&a->branches.visited, b->branches.visited);
}
