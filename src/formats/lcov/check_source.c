/* A tracefile against the sources that it speaks of, when that is asked for: LC-31 and LC-32. */
#include <stdio.h>

#include "base/digest.h"
#include "formats/lcov/check.h"

static const struct assay_filter no_filter;

int lcov_check_sources_init(struct lcov_checker *c, const struct assay_read_options *options, assay_error *err)
{
    c->has_sources = true;
    c->text.mem = c->mem;
    return source_paths_init(&c->paths, NULL, options->filter ? options->filter : &no_filter, c->mem, err);
}

/* One line for all files, however many there are. */
static void say_lost(struct lcov_checker *c)
{
    char more[48] = "";
    if (!c->lost) return;
    if (c->lost > 1) snprintf(more, sizeof more, " and %zu more file%s", c->lost - 1, c->lost == 2 ? "" : "s");
    lcov_found(c, c->lost_at, "P-1", ASSAY_WARNING, "no source found for '%s'%s", c->lost_path, more);
}

void lcov_check_sources_done(struct lcov_checker *c)
{
    if (!c->has_sources) return;
    say_lost(c);
    source_text_done(&c->text);
    source_paths_done(&c->paths);
}

bool lcov_check_source(struct lcov_checker *c, const struct lcov_record *r)
{
    if (!c->has_sources) return true;
    source_text_done(&c->text);
    if (source_text_open(&c->text, &c->paths, r->name, c->mem, NULL) != 0) return false;
    if (c->text.path) return true;
    if (!c->lost++) {
        c->lost_at = c->begin;
        snprintf(c->lost_path, sizeof c->lost_path, "%.*s", (int)(r->name.len < 200 ? r->name.len : 200), r->name.data);
    }
    return true;
}

/* ---- checksums ---- */

/* lcov and coverage.py write base64 without its two signs of padding, gcovr hexadecimal digits. */
static void put_base64(const uint8_t md5[DIGEST_MD5_LEN], char out[24])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    for (size_t i = 0; i < DIGEST_MD5_LEN; i += 3) {
        uint32_t bits = (uint32_t)md5[i] << 16 | (i + 1 < DIGEST_MD5_LEN ? (uint32_t)md5[i + 1] << 8 | md5[i + 2] : 0);
        for (int k = 0; k < (i + 1 < DIGEST_MD5_LEN ? 4 : 2); k++) out[n++] = letters[bits >> (18 - 6 * k) & 63];
    }
    out[n] = '\0';
}

static void put_hex(const uint8_t md5[DIGEST_MD5_LEN], char out[33])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < DIGEST_MD5_LEN; i++) {
        out[2 * i] = digits[md5[i] >> 4];
        out[2 * i + 1] = digits[md5[i] & 15];
    }
    out[32] = '\0';
}

static bool matches(assay_slice checksum, assay_slice line)
{
    uint8_t md5[DIGEST_MD5_LEN];
    char base64[24], hex[33];
    digest_md5(line.data, line.len, md5);
    put_base64(md5, base64);
    put_hex(md5, hex);
    while (checksum.len && checksum.data[checksum.len - 1] == '=') checksum.len--;
    return slice_is(checksum, base64) || slice_is(checksum, hex);
}

void lcov_check_source_line(struct lcov_checker *c, const struct lcov_record *r)
{
    const struct lcov_at at = { r->off, r->number };
    if (!c->has_sources || !c->text.path || !r->line) return;
    if (r->line > c->text.lines.len) {
        lcov_found(c, at, "LC-32", ASSAY_WARNING, "line %u, but the source has %zu lines", r->line, c->text.lines.len);
        return;
    }
    assay_slice line = c->text.lines.at[r->line - 1];
    if (!r->name.len || matches(r->name, line)) return;
    /* A CR before the line end is part of what some tools hash. */
    const char *end = c->text.bytes.at + c->text.bytes.len;
    if (line.data + line.len < end && line.data[line.len] == '\r' && matches(r->name, (assay_slice){ line.data, line.len + 1 })) return;
    lcov_found(c, at, "LC-31", ASSAY_WARNING, "the checksum of line %u does not match: the source has changed since", r->line);
}
