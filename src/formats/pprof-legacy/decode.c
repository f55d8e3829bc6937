/* Bytes -> records. Texts are lines whose meaning depends on the part of the file they stand in; a cpu profile is words first and lines behind them. */
#include "formats/pprof-legacy/legacy.h"

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

int legacy_open(struct legacy_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err)
{
    assay_slice bytes = { NULL, 0 };
    assay_error found = { 0 };
    uint64_t period_us;
    int rc = input_map(job->in, &bytes, &found);
    *d = (struct legacy_decoder){ .mem = job->mem, .c = cursor_of(bytes.data, bytes.len), .damage = damage, .err = err, .version = "" };
    if (rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED)
        findings_add(damage, rc == ASSAY_ERR_TRUNCATED ? "Z-1" : "Z-2", ASSAY_ERROR, found.offset, 0, "%s", found.text);
    else if (rc) {
        if (err) *err = found;
        return rc;
    }
    if (legacy_is_cpu(bytes, &d->word, &d->is_big_endian, &d->is_java, &period_us)) {
        d->is_binary = true;
        d->type = LEGACY_CPU;
        d->version = d->is_java ? "java" : "gperftools";
        d->period = period_us > INT64_MAX / 1000 ? INT64_MAX : (int64_t)period_us * 1000;
    }
    return damage->failed ? error_memory(err) : 0;
}

void legacy_done(struct legacy_decoder *d) { vec_done(d->mem, &d->addresses); }

/* ---- words ---- */

static bool take_word(struct legacy_decoder *d, uint64_t *out) { return d->is_big_endian ? cursor_be(&d->c, d->word, out) : cursor_le(&d->c, d->word, out); }

static void stop(struct legacy_decoder *d, struct legacy_record *r, const char *rule, int severity, const char *message)
{
    findings_add(d->damage, rule, severity, r->off, r->number, "%s", message);
    d->c.at = d->c.end;
    r->kind = LEGACY_END;
}

/* Frames of callers are where they return to. */
static bool take_frames(struct legacy_decoder *d, uint64_t depth)
{
    d->addresses.len = 0;
    if (!vec_reserve(d->mem, &d->addresses, (size_t)depth)) return false;
    for (uint64_t i = 0, address; i < depth && take_word(d, &address); i++) d->addresses.at[d->addresses.len++] = address - (i && address && !d->is_java);
    return true;
}

static int next_words(struct legacy_decoder *d, struct legacy_record *r)
{
    uint64_t depth = 0;
    if (!cursor_left(&d->c)) {
        stop(d, r, "PL04", ASSAY_WARNING, "the mark that ends the samples is missing");
        return 0;
    }
    if (!take_word(d, &r->raw[0]) || !take_word(d, &depth) || !cursor_fits(&d->c, depth, d->word) || depth > UINT32_MAX) {
        stop(d, r, "PL03", ASSAY_ERROR, "the file ends inside of a sample, or its number of frames is wrong");
        return 0;
    }
    if (!take_frames(d, depth)) return error_memory(d->err);
    if (!r->raw[0] && depth == 1 && !d->addresses.at[0]) {
        r->kind = LEGACY_TRAILER;
        d->part = d->is_java ? LEGACY_AT_SYMBOLS : LEGACY_AT_MAP;
        return 0;
    }
    r->kind = LEGACY_SAMPLE;
    r->raw_count = 1;
    r->addresses = d->addresses.at;
    r->address_count = (uint32_t)d->addresses.len;
    d->samples++;
    legacy_values(d, r);
    return 0;
}

/* ---- lines ---- */

static assay_slice take_line(struct legacy_decoder *d)
{
    const char *at = (const char *)d->c.at, *end = (const char *)d->c.end, *stop = memchr(at, '\n', (size_t)(end - at));
    assay_slice line = slice_from(at, stop ? stop : end);
    d->c.at = (const unsigned char *)(stop ? stop + 1 : end);
    d->line++;
    if (line.len && line.data[line.len - 1] == '\r') line.len--;
    return line;
}

static bool is_map_title(assay_slice line) { return slice_contains(line, "--- Memory map: ---") || slice_contains(line, "MAPPED_LIBRARIES:"); }

static void damaged(struct legacy_decoder *d, const struct legacy_record *r, const char *rule, int severity, const char *message)
{
    findings_add(d->damage, rule, severity, r->off, r->number, "%s", message);
}

/* KEY = VALUE, blanks around both left out. */
static bool field(assay_slice line, struct legacy_record *r)
{
    const char *equals = line.len ? memchr(line.data, '=', line.len) : NULL;
    if (!equals) return false;
    r->key = slice_trim(slice_from(line.data, equals));
    r->value = slice_trim(slice_from(equals + 1, line.data + line.len));
    return r->key.len > 0;
}

static int64_t number(struct legacy_decoder *d, const struct legacy_record *r)
{
    int64_t n = 0;
    if (number_i64(r->value, &n) == NUMBER_OK && n >= 0) return n;
    damaged(d, r, "PL05", ASSAY_ERROR, "the value is no number");
    return 0;
}

static void note_field(struct legacy_decoder *d, const struct legacy_record *r)
{
    if (slice_is(r->key, "cycles/second"))
        d->hz = number(d, r);
    else if (slice_is(r->key, "sampling period"))
        d->period = number(d, r);
    else if (slice_is(r->key, "ms since reset")) {
        int64_t ms = number(d, r);
        d->duration = ms > INT64_MAX / 1000000 ? INT64_MAX : ms * 1000000;
    } else if (slice_is(r->key, "resolution"))
        d->unit = r->value;
    else if (slice_is(r->key, "format") && slice_is(r->value, "java")) {
        d->is_java = true;
        d->version = "java";
    } else if (!slice_is(r->key, "discarded samples"))
        damaged(d, r, "PL06", ASSAY_WARNING, "unknown setting: ignored");
}

static bool frames_of(struct legacy_decoder *d, assay_slice stack, bool strict, bool *is_sound)
{
    enum legacy_address status;
    uint64_t address, i = 0;
    bool is_first = d->addresses.len == 0;
    *is_sound = true;
    while ((status = legacy_take_address(&stack, strict, &address)) == LEGACY_ADDRESS && !cancel_at(i++)) {
        uint64_t *slot = vec_push(d->mem, &d->addresses);
        if (!slot) return false;
        bool is_leaf = is_first && d->addresses.len == 1 && d->type == LEGACY_THREAD;
        *slot = address - (address && !is_leaf && !d->is_java);
    }
    *is_sound = status == LEGACY_NO_MORE;
    return true;
}

static void give_sample(struct legacy_decoder *d, struct legacy_record *r)
{
    r->kind = LEGACY_SAMPLE;
    r->addresses = d->addresses.at;
    r->address_count = (uint32_t)d->addresses.len;
    d->samples++;
}

static int sample_line(struct legacy_decoder *d, struct legacy_record *r, assay_slice line)
{
    assay_slice stack = { NULL, 0 };
    bool is_pair = d->is_java || d->type == LEGACY_CONTENTION, is_sound;
    bool is_sample = is_pair                   ? legacy_pair_sample(line, r->raw, &stack)
                     : d->type == LEGACY_COUNT ? legacy_count_sample(line, r->raw, &stack)
                                               : legacy_heap_sample(line, r->raw, &stack);
    r->raw_count = is_pair ? 2 : d->type == LEGACY_COUNT ? 1 : 4;
    d->addresses.len = 0;
    if (is_sample && !frames_of(d, stack, true, &is_sound)) return error_memory(d->err);
    if (!is_sample || !is_sound)
        damaged(d, r, "PL02", ASSAY_ERROR, "expected a sample: numbers, '@', and addresses");
    else if (!legacy_values(d, r))
        damaged(d, r, "PL07", ASSAY_ERROR, "a sample has bytes, but no objects");
    else
        give_sample(d, r);
    return 0;
}

/* A thread: its title, and lines with addresses up to the next title. */
static int thread(struct legacy_decoder *d, struct legacy_record *r)
{
    bool is_same = false, is_sound;
    d->addresses.len = 0;
    for (uint64_t i = 0; cursor_left(&d->c); i++) {
        const unsigned char *before = d->c.at;
        assay_slice line = slice_trim(take_line(d));
        TRY(cancel_step(i, d->err));
        if (slice_starts(line, "---") || is_map_title(line)) {
            d->c.at = before;
            d->line--;
            break;
        }
        is_same |= slice_contains(line, "same as previous thread");
        if (!frames_of(d, line, false, &is_sound)) return error_memory(d->err);
    }
    r->raw[0] = 1;
    r->raw_count = 1;
    legacy_values(d, r);
    if (!is_same && d->addresses.len)
        give_sample(d, r);
    else if (d->samples)
        r->kind = LEGACY_SAME;
    else
        damaged(d, r, "PL02", ASSAY_ERROR, "the first thread has no stack");
    return 0;
}

static int at_samples(struct legacy_decoder *d, struct legacy_record *r, assay_slice line, assay_slice text)
{
    if (legacy_go_symbol(line, r))
        r->kind = LEGACY_SYMBOL;
    else if (!text.len || text.data[0] == '#')
        return 0;
    else if (d->type == LEGACY_THREAD) {
        if (slice_starts(text, "--- Thread ")) return thread(d, r);
        if (slice_starts(text, "---- no stack trace for"))
            d->part = LEGACY_AT_REST;
        else if (d->samples || slice_starts(text, "-")) /* anything may stand above the first thread */
            damaged(d, r, "PL02", ASSAY_ERROR, "expected the title of a thread");
    } else if (slice_starts(text, "---"))
        d->part = LEGACY_AT_REST;
    else if (d->is_java && slice_starts(text, "0x")) {
        d->part = LEGACY_AT_SYMBOLS;
        if (legacy_java_symbol(line, r)) r->kind = LEGACY_SYMBOL;
    } else
        return sample_line(d, r, line);
    return 0;
}

static int at_fields(struct legacy_decoder *d, struct legacy_record *r, assay_slice line, assay_slice text)
{
    if (!text.len || text.data[0] == '#') return 0;
    if (!slice_starts(text, "---") && field(line, r)) {
        r->kind = LEGACY_FIELD;
        note_field(d, r);
        return 0;
    }
    d->part = LEGACY_AT_SAMPLES;
    return at_samples(d, r, line, text);
}

static void at_header(struct legacy_decoder *d, struct legacy_record *r, assay_slice line, assay_slice text)
{
    if (!text.len || text.data[0] == '#') return;
    if (!legacy_text_header(text, d)) {
        stop(d, r, "PL01", ASSAY_ERROR, "the first line is not that of a heap, contention, thread or count profile");
        return;
    }
    r->kind = LEGACY_HEADER;
    r->value = text;
    if (!slice_starts(text, "--- Thread ")) return;
    d->c.at = (const unsigned char *)line.data; /* it is a thread as well */
    d->line--;
}

static void at_symbols(struct legacy_decoder *d, struct legacy_record *r, assay_slice line, assay_slice text)
{
    if (legacy_java_symbol(line, r))
        r->kind = LEGACY_SYMBOL;
    else if (text.len)
        damaged(d, r, "PL08", ASSAY_WARNING, "expected an address and the name of a function");
}

static void at_map(struct legacy_decoder *d, struct legacy_record *r, assay_slice line, assay_slice text)
{
    if (legacy_mapping(line, r))
        r->kind = LEGACY_MAPPING;
    else if (field(line, r))
        r->kind = LEGACY_FIELD;
    else if (text.len && text.data[0] != '#')
        damaged(d, r, "PL09", ASSAY_INFO, "not a line of a memory map: ignored");
}

static int next_line(struct legacy_decoder *d, struct legacy_record *r)
{
    if (!cursor_left(&d->c)) {
        r->kind = LEGACY_END;
        if (d->part == LEGACY_AT_HEADER) findings_add(d->damage, "PL01", ASSAY_ERROR, 0, 1, "there is no header");
        return 0;
    }
    assay_slice line = take_line(d), text = slice_trim(line);
    r->number = d->line;
    if (d->part != LEGACY_AT_HEADER && d->part != LEGACY_AT_SYMBOLS && is_map_title(line)) {
        r->kind = LEGACY_TRAILER;
        d->part = LEGACY_AT_MAP;
        return 0;
    }
    switch (d->part) {
    case LEGACY_AT_HEADER: at_header(d, r, line, text); break;
    case LEGACY_AT_FIELDS: return at_fields(d, r, line, text);
    case LEGACY_AT_SAMPLES: return at_samples(d, r, line, text);
    case LEGACY_AT_SYMBOLS: at_symbols(d, r, line, text); break;
    case LEGACY_AT_MAP: at_map(d, r, line, text); break;
    case LEGACY_AT_REST: break;
    }
    return 0;
}

int legacy_next(struct legacy_decoder *d, struct legacy_record *r)
{
    int rc = 0;
    *r = (struct legacy_record){ .kind = LEGACY_TEXT, .off = cursor_off(&d->c) };
    if (d->is_binary && d->part == LEGACY_AT_HEADER) {
        r->kind = LEGACY_HEADER;
        cursor_skip(&d->c, 5 * d->word);
        d->part = LEGACY_AT_SAMPLES;
    } else if (d->is_binary && d->part == LEGACY_AT_SAMPLES)
        rc = next_words(d, r);
    else
        rc = next_line(d, r);
    return rc == 0 && d->damage->failed ? error_memory(d->err) : rc;
}
