/* The formats by name, and how an input finds its own. The list is made by the build (sources.py). */
#include "registry.h"

#include <string.h>

#include "formats/foreign.h"
#include "formats/foreign_json.h"

size_t assay_format_count(void) { return registry_format_count; }

const struct assay_format_info *assay_format_at(size_t i) { return i < assay_format_count() ? &registry_formats[i]->info : NULL; }

const struct format *registry_find(assay_slice name)
{
    for (const struct format *const *f = registry_formats; *f; f++)
        if (slice_is(name, (*f)->info.name)) return *f;
    return NULL;
}

const struct assay_format_info *assay_format_find(const char *name)
{
    const struct format *f = registry_find(slice_of(name));
    return f ? &f->info : NULL;
}

const char *assay_feature_text(uint32_t bit)
{
    switch (bit) {
    case ASSAY_HAS_METRICS: return "metrics beyond the first";
    case ASSAY_HAS_MODULES: return "modules";
    case ASSAY_HAS_COST_LINES: return "self cost by line";
    case ASSAY_HAS_CALL_LINES: return "lines of calls";
    case ASSAY_HAS_ADDRESSES: return "addresses";
    case ASSAY_HAS_JUMPS: return "jumps";
    case ASSAY_HAS_STREAMS: return "parts, runs and threads apart";
    case ASSAY_HAS_64_BITS: return "figures above 4294967295";
    case ASSAY_HAS_NEGATIVE: return "negative figures";
    case ASSAY_HAS_FRACTIONS: return "fractions";
    case ASSAY_HAS_ENTRIES: return "entries that are no calls";
    case ASSAY_HAS_FORMULAS: return "derived metrics";
    case ASSAY_HAS_SOURCES: return "source text";
    case ASSAY_HAS_FILES: return "files of functions";
    case ASSAY_HAS_MARKERS: return "markers and counters";
    default: return "";
    }
}

/* ---- recognising ---- */

static int by_name(const char *name, const struct format **out, assay_error *err)
{
    *out = registry_find(slice_of(name));
    if (!*out) FAIL(err, ASSAY_ERR_USAGE, "there is no format '%s'; 'assay formats' lists them", name);
    return 0;
}

static int by_content(const struct probe *p, const struct format **out, int *score, const char **why, assay_error *err)
{
    const struct format *best = NULL, *tie = NULL;
    int top = 0;
    for (const struct format *const *f = registry_formats; *f; f++) {
        const char *reason = "";
        int s = (*f)->probe(p, &reason);
        if (s > top) {
            best = *f;
            tie = NULL;
            top = s;
            if (why) *why = reason;
        } else if (s == top && s > 0)
            tie = *f;
    }
    const char *foreign = best ? NULL : foreign_name(p);
    if (foreign) FAIL(err, ASSAY_ERR_UNKNOWN, "%s", foreign);
    if (!best && !p->is_dir) {
        TRY(foreign_json_refuse(p, err));
        TRY(foreign_xml_refuse(p, err));
    }
    if (!best)
        return error_hint(err, error_set(err, ASSAY_ERR_UNKNOWN, p->is_dir ? "is a directory of no known format" : "no known format"),
                          p->is_dir ? ASSAY_HINT_NONE : ASSAY_HINT_FORMAT);
    if (tie) return error_hint(err, error_set(err, ASSAY_ERR_AMBIGUOUS, "could be %s or %s", best->info.name, tie->info.name), ASSAY_HINT_FORMAT);
    *out = best;
    if (score) *score = top;
    return 0;
}

int registry_recognise(struct input *in, const struct assay_read_options *options, const struct format **out, int *score, const char **why, assay_error *err)
{
    struct probe p = { .path = input_path(in), .is_dir = input_is_dir(in) };
    if (options->format) {
        if (score) *score = 100;
        if (why) *why = "named by the caller";
        return by_name(options->format, out, err);
    }
    if (!p.is_dir) {
        TRY(input_peek(in, &p.head, err));
        if (p.head.len == 0) FAIL(err, ASSAY_ERR_EMPTY, "empty file");
        if (input_packing(in) == INPUT_PLAIN) p.len = input_packed_len(in);
        p.packing = input_packing(in);
        p.is_whole = p.head.len < (size_t)64 * 1024;
        if (p.is_whole) p.len = p.head.len;
    }
    int rc = by_content(&p, out, score, why, err);
    if (rc != ASSAY_ERR_UNKNOWN || p.is_dir || p.is_whole) return rc;
    /* A first record may be longer than the head: one more look, at all that was read. */
    TRY(input_peek_far(in, &p.head, err));
    return by_content(&p, out, score, why, err);
}
