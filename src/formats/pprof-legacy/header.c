/* What kind of profile it is, by its first words or line, and what the values of its samples mean. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/slice.h"
#include "formats/pprof-legacy/legacy.h"

/* ---- first words ---- */

static bool is_header(assay_slice head, unsigned word, bool is_big_endian, uint64_t w[5])
{
    struct cursor c = cursor_of(head.data, head.len);
    for (int i = 0; i < 5; i++)
        if (is_big_endian ? !cursor_be(&c, word, &w[i]) : !cursor_le(&c, word, &w[i])) return false;
    return w[0] == 0 && w[1] == 3 && w[2] <= 1 && w[3] > 0 && w[4] == 0;
}

bool legacy_is_cpu(assay_slice head, unsigned *word, bool *is_big_endian, bool *is_java, uint64_t *period_us)
{
    for (unsigned i = 0; i < 4; i++) {
        uint64_t w[5];
        *word = i < 2 ? 4 : 8;
        *is_big_endian = i & 1;
        if (!is_header(head, *word, *is_big_endian, w)) continue;
        *is_java = w[2] == 1;
        *period_us = w[3];
        return true;
    }
    return false;
}

/* ---- first lines ---- */

static assay_slice after(assay_slice s, const char *prefix) { return (assay_slice){ s.data + strlen(prefix), s.len - strlen(prefix) }; }

static int64_t number_after(assay_slice s)
{
    uint64_t n = 0;
    size_t len = 0;
    while (len < s.len && s.data[len] >= '0' && s.data[len] <= '9') len++;
    if (!len) return 0;
    number_u64((assay_slice){ s.data, len }, &n);
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* What stands behind the `@`: how the numbers were sampled. */
static bool heap_kind(assay_slice kind, struct legacy_decoder *d)
{
    static const struct {
        const char *prefix;
        bool is_scaled;
        int divisor;
    } kinds[] = { { "heapz_v2/", true, 1 }, { "heap_v2/", true, 1 }, { "heap/", true, 2 } };
    d->version = "gperftools";
    d->period = 1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!slice_starts(kind, kinds[i].prefix)) continue;
        d->type = LEGACY_HEAP;
        d->is_scaled = kinds[i].is_scaled;
        d->period = number_after(after(kind, kinds[i].prefix)) / kinds[i].divisor;
        if (kinds[i].divisor == 2) d->version = "go";
        return true;
    }
    bool is_plain = slice_is(kind, "heapprofile") || slice_is(kind, "heap") || slice_is(kind, "heap_v2") || slice_is(kind, "heapz_v2");
    bool is_growth = slice_is(kind, "growth") || slice_is(kind, "growthz") || slice_is(kind, "fragmentation") || slice_is(kind, "fragmentationz");
    d->type = is_growth ? LEGACY_GROWTH : LEGACY_HEAP;
    return is_plain || is_growth;
}

static bool heap_header(assay_slice line, struct legacy_decoder *d)
{
    uint64_t raw[LEGACY_VALUES] = { 0 };
    assay_slice kind;
    if (!slice_starts(line, "heap profile:") || !legacy_heap_sample(after(line, "heap profile:"), raw, &kind) || !heap_kind(slice_trim(kind), d)) return false;
    bool differs = (raw[2] != raw[0] && raw[2]) || (raw[3] != raw[1] && raw[3]);
    d->has_alloc = d->type == LEGACY_HEAP && differs;
    return true;
}

/* `WHAT profile: total N` */
static bool count_header(assay_slice line, struct legacy_decoder *d)
{
    static const char middle[] = " profile: total ";
    const char *at = line.len ? memmem(line.data, line.len, middle, strlen(middle)) : NULL;
    uint64_t total;
    if (!at || at == line.data || memchr(line.data, ' ', (size_t)(at - line.data))) return false;
    if (number_u64(slice_from(at + strlen(middle), line.data + line.len), &total) == NUMBER_BAD) return false;
    d->type = LEGACY_COUNT;
    d->version = "go";
    d->what = slice_from(line.data, at);
    d->period = 1;
    return true;
}

bool legacy_text_header(assay_slice line, struct legacy_decoder *d)
{
    d->part = LEGACY_AT_SAMPLES;
    d->version = "gperftools";
    d->period = 1;
    d->type = LEGACY_NO_TYPE;
    if (slice_starts(line, "--- contentionz ") || slice_starts(line, "--- mutex:") || slice_starts(line, "--- contention:")) {
        d->type = LEGACY_CONTENTION;
        d->part = LEGACY_AT_FIELDS;
        if (!slice_starts(line, "--- contentionz ")) d->version = "go";
    } else if (slice_starts(line, "--- heapz ")) {
        d->type = LEGACY_HEAP;
        d->part = LEGACY_AT_FIELDS;
        d->is_java = true;
        d->version = "java";
        d->period = 0;
    } else if (slice_starts(line, "--- threadz ") || slice_starts(line, "--- Thread "))
        d->type = LEGACY_THREAD;
    else
        return heap_header(line, d) || count_header(line, d);
    return true;
}

/* ---- values ---- */

static int64_t bounded(struct legacy_decoder *d, double v)
{
    if (v < 9223372036854775808.0) return (int64_t)v;
    d->is_saturated = true;
    return INT64_MAX;
}

static int64_t times(struct legacy_decoder *d, uint64_t a, int64_t b)
{
    int64_t product;
    if (a <= INT64_MAX && !__builtin_mul_overflow((int64_t)a, b, &product)) return product;
    d->is_saturated = true;
    return INT64_MAX;
}

/* Of `count` objects that were sampled by chance, once in `rate` bytes: how many there were. */
static void scale(struct legacy_decoder *d, int64_t rate, uint64_t count, uint64_t size, int64_t out[2])
{
    out[0] = times(d, count, 1);
    out[1] = times(d, size, 1);
    if (rate <= 1 || !count) return;
    if (!size) out[0] = 0;
    if (!size) return;
    double factor = 1 / (1 - exp(-((double)size / (double)count) / (double)rate));
    out[0] = bounded(d, (double)count * factor);
    out[1] = bounded(d, (double)size * factor);
}

static bool heap_values(struct legacy_decoder *d, struct legacy_record *r)
{
    uint32_t inuse = d->has_alloc ? 2 : 0;
    int64_t rate = d->is_scaled ? d->period : 0;
    for (uint32_t i = 0; i < (d->has_alloc ? 4 : 2); i += 2)
        if (!r->raw[i] && r->raw[i + 1]) return false;
    if (d->has_alloc) scale(d, rate, r->raw[2], r->raw[3], r->values);
    scale(d, rate, r->raw[0], r->raw[1], r->values + inuse);
    uint32_t from = r->raw[0] || !d->has_alloc ? 0 : 2;
    r->has_block = r->raw[from] != 0;
    if (r->has_block) r->block = times(d, r->raw[from + 1] / r->raw[from], 1);
    return true;
}

static bool java_heap_values(struct legacy_decoder *d, struct legacy_record *r)
{
    enum { JAVA_RATE = 524288 };
    if (!r->raw[1]) return false;
    scale(d, JAVA_RATE, r->raw[1], r->raw[0], r->values);
    r->has_block = true;
    r->block = times(d, r->raw[0] / r->raw[1], 1);
    return true;
}

static void contention_values(struct legacy_decoder *d, struct legacy_record *r)
{
    int64_t period = d->period > 0 ? d->period : 1;
    r->values[0] = times(d, r->raw[1], period);
    if (d->is_java || d->hz <= 0)
        r->values[1] = times(d, r->raw[0], d->is_java ? period : 1);
    else
        r->values[1] = bounded(d, (double)r->raw[0] * (double)period / ((double)d->hz / 1e9));
}

bool legacy_values(struct legacy_decoder *d, struct legacy_record *r)
{
    switch (d->type) {
    case LEGACY_CPU:
        r->values[0] = times(d, r->raw[0], 1);
        r->values[1] = times(d, r->raw[0], d->period);
        return true;
    case LEGACY_HEAP:
    case LEGACY_GROWTH: return d->is_java ? java_heap_values(d, r) : heap_values(d, r);
    case LEGACY_CONTENTION: contention_values(d, r); return true;
    case LEGACY_THREAD:
    case LEGACY_COUNT: r->values[0] = times(d, r->raw[0], 1); return true;
    case LEGACY_NO_TYPE: break;
    }
    return true;
}

/* ---- metrics ---- */

static uint32_t name_metrics(struct legacy_metric *out, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        snprintf(out[i].name, sizeof out[i].name, "%s", names[2 * i]);
        out[i].unit = names[2 * i + 1];
        out[i].unit_text = slice_of(names[2 * i + 1]);
    }
    return count;
}

uint32_t legacy_metrics(const struct legacy_decoder *d, struct legacy_metric out[LEGACY_VALUES])
{
    static const char *const cpu[] = { "samples", "count", "cpu", "nanoseconds" }, *const heap[] = { "objects", "count", "space", "bytes" },
                             *const contention[] = { "contentions", "count", "delay", "nanoseconds" }, *const thread[] = { "thread", "count" },
                             *const alloc[] = { "alloc_objects", "count", "alloc_space", "bytes", "inuse_objects", "count", "inuse_space", "bytes" };
    uint32_t count = 0;
    switch (d->type) {
    case LEGACY_CPU: return name_metrics(out, cpu, 2);
    case LEGACY_HEAP:
    case LEGACY_GROWTH:
        if (d->has_alloc) return name_metrics(out, alloc, 4);
        count = name_metrics(out, d->is_java ? alloc + 4 : heap, 2);
        break;
    case LEGACY_CONTENTION: count = name_metrics(out, contention, 2); break;
    case LEGACY_THREAD: return name_metrics(out, thread, 1);
    case LEGACY_COUNT:
        count = name_metrics(out, thread, 1);
        snprintf(out[0].name, sizeof out[0].name, "%.*s", (int)(d->what.len < 79 ? d->what.len : 79), d->what.data);
        break;
    case LEGACY_NO_TYPE: break;
    }
    if (d->is_java && count == 2 && d->unit.len) out[1].unit_text = d->unit;
    return count;
}
