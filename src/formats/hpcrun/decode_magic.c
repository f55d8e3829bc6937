/* Which of the layouts a profile has. Magic and version decide; where layouts share them each is tried, and the one that ends exactly at
 * the end of the file is taken, else the one that got further. */
#include "formats/hpcrun/decode_parts.h"

static const char long_magic[] = "HPCRUN-profile____", short_magic[] = "HPCRUN____";
enum { LONG_LEN = sizeof long_magic - 1, SHORT_LEN = sizeof short_magic - 1 };

size_t hpcrun_magic_len(assay_slice head)
{
    if (slice_starts(head, long_magic)) return HPCRUN_MAGIC_LEN;
    return slice_starts(head, short_magic) ? HPCRUN_SHORT_MAGIC_LEN : 0;
}

const char *hpcrun_version_name(enum hpcrun_variant variant, bool is_big_endian)
{
    switch (variant) {
    case HPCRUN_02_LITERAL: return "02.00l";
    case HPCRUN_02_2009: return is_big_endian ? "02.00b-2009" : "02.00l-2009";
    case HPCRUN_02B: return "02.00b";
    case HPCRUN_03B: return "03.00b";
    case HPCRUN_04B: return "04.00b";
    default: return "";
    }
}

static bool refuse(struct hpcrun_damage *why)
{
    why->is_fatal = true;
    return false;
}

/* The version as text that a message can hold: five characters, odd ones as '?'. */
static void show_version(const char *at, char out[6])
{
    for (int i = 0; i < 5; i++) out[i] = at[i] >= ' ' && at[i] <= '~' ? at[i] : '?';
    out[5] = 0;
}

static bool refuse_version(struct hpcrun_decoder *d, size_t at)
{
    char version[6];
    show_version(d->bytes.data + at, version);
    if (at == LONG_LEN && (strcmp(version, "01.98") == 0 || strcmp(version, "01.9A") == 0))
        return refuse(hpcrun_damage(d, "HRC02", ASSAY_ERROR, at, "unsupported historic version \"%s\" of 2009 and 2010; supported: 02.00 to 04.00", version));
    return refuse(hpcrun_damage(d, "HRC02", ASSAY_ERROR, at, "unsupported version \"%s\"; supported: 02.00 to 04.00", version));
}

/* ---- the short magic ---- */

/* Whether the epochs are counted tells the specification from the programs of 2009 (docs/formats/hpcrun.md, ambiguity 1). */
static enum hpcrun_variant short_variant(const struct hpcrun_decoder *d, bool is_big_endian)
{
    struct hpcrun_decoder scan = *d;
    struct hpcrun_record r;
    scan.file = (struct hpcrun_file){ .variant = HPCRUN_02_LITERAL, .is_big_endian = is_big_endian };
    scan.is_trial = true;
    scan.at = HPCRUN_SHORT_MAGIC_LEN;
    scan.end = d->bytes.len;
    scan.phase = PHASE_PAIR_COUNT;
    while (scan.phase == PHASE_PAIR_COUNT || scan.phase == PHASE_PAIRS) (void)hpcrun_step(&scan, &r);
    if (scan.phase != PHASE_EPOCH_COUNT) return HPCRUN_02_LITERAL;
    struct cursor c = hpcrun_cursor(&scan);
    assay_slice tag;
    if (cursor_left(&c) == 0) return HPCRUN_02_2009;
    return cursor_bytes(&c, 8, &tag) && slice_is(tag, "EPOCH___") ? HPCRUN_02_2009 : HPCRUN_02_LITERAL;
}

/* For a day in 2009 files were big-endian; a file of today with that letter is more likely little-endian and damaged. */
static bool choose_short_big(struct hpcrun_decoder *d)
{
    struct hpcrun_file big = { .variant = HPCRUN_02_2009, .is_big_endian = true }, little = { .variant = short_variant(d, false) };
    uint64_t big_end, little_end;
    big.magic = little.magic = d->file.magic;
    bool big_fits = hpcrun_try(d, &big, &big_end), little_fits = hpcrun_try(d, &little, &little_end);
    d->file = big_fits || (!little_fits && big_end > little_end) ? big : little;
    if (!d->file.is_big_endian) hpcrun_damage(d, "HRC03", ASSAY_ERROR, SHORT_LEN, "the version says big-endian (b), but the numbers of the file are not");
    return true;
}

static bool choose_short(struct hpcrun_decoder *d)
{
    if (d->bytes.len < HPCRUN_SHORT_MAGIC_LEN)
        return refuse(hpcrun_damage(d, "HRC04", ASSAY_ERROR, d->bytes.len, "the file of %zu bytes ends inside the magic of 16 bytes", d->bytes.len));
    char endian = d->bytes.data[SHORT_LEN + 5];
    if (memcmp(d->bytes.data + SHORT_LEN, "02.00", 5) != 0) return refuse_version(d, SHORT_LEN);
    d->file.magic.len = HPCRUN_SHORT_MAGIC_LEN;
    if (endian == 'b') return choose_short_big(d);
    d->file.variant = short_variant(d, false);
    if (endian != 'l') hpcrun_damage(d, "HRC03", ASSAY_ERROR, SHORT_LEN, "the byte order is neither 'l' nor 'b': read as little-endian");
    return true;
}

/* ---- the long magic ---- */

/* The descriptors grew by 20 bytes in 2017, and the version stayed. */
static void choose_extra(struct hpcrun_decoder *d)
{
    struct hpcrun_file plain = d->file, extra = d->file;
    uint64_t plain_end, extra_end;
    extra.has_extra = true;
    if (hpcrun_try(d, &plain, &plain_end)) return;
    if (hpcrun_try(d, &extra, &extra_end) || extra_end > plain_end) d->file = extra;
}

static bool choose_long(struct hpcrun_decoder *d)
{
    static const char versions[][6] = { "02.00", "03.00", "04.00" };
    if (d->bytes.len < HPCRUN_MAGIC_LEN)
        return refuse(hpcrun_damage(d, "HRC04", ASSAY_ERROR, d->bytes.len, "the file of %zu bytes ends inside the magic of 24 bytes", d->bytes.len));
    d->file.magic.len = HPCRUN_MAGIC_LEN;
    d->file.is_big_endian = true;
    for (unsigned i = 0; i < 3; i++)
        if (memcmp(d->bytes.data + LONG_LEN, versions[i], 5) == 0) d->file.variant = HPCRUN_02B + i;
    if (d->file.variant == HPCRUN_UNKNOWN) return refuse_version(d, LONG_LEN);
    if (d->bytes.data[HPCRUN_MAGIC_LEN - 1] != 'b')
        hpcrun_damage(d, "HRC03", ASSAY_ERROR, HPCRUN_MAGIC_LEN - 1, "the byte order is not 'b': these versions are always big-endian");
    if (d->file.variant == HPCRUN_02B)
        choose_extra(d);
    else
        d->file.has_extra = true;
    return true;
}

/* Relatives are named, so that nobody wonders. */
static bool refuse_magic(struct hpcrun_decoder *d)
{
    static const struct {
        const char *magic, *sentence;
    } relatives[] = {
        { "HPCRUN-trace______", "this is a trace: the format hpctrace reads it" },
        { "HPCRUN-FLAT_______", "this is a flat profile: the format hpcrun-flat reads it" },
        { "HPCPROF-metricdb__", "this is a thread file of an HPCToolkit database (HPCPROF-metricdb): give the directory with experiment.xml" },
        { "HPCLOGICAL", "this file only describes logical call stacks of a measurement (HPCLOGICAL): it has no costs" },
    };
    for (size_t i = 0; i < sizeof relatives / sizeof *relatives; i++)
        if (slice_starts(d->bytes, relatives[i].magic)) return refuse(hpcrun_damage(d, "HRC01", ASSAY_ERROR, 0, "%s", relatives[i].sentence));
    return refuse(hpcrun_damage(d, "HRC01", ASSAY_ERROR, 0, "not an hpcrun profile: it begins neither with %s nor with %s", long_magic, short_magic));
}

bool hpcrun_choose_layout(struct hpcrun_decoder *d)
{
    d->file = (struct hpcrun_file){ .magic = { d->bytes.data, d->bytes.len < HPCRUN_MAGIC_LEN ? d->bytes.len : HPCRUN_MAGIC_LEN } };
    switch (hpcrun_magic_len(d->bytes)) {
    case HPCRUN_MAGIC_LEN: return choose_long(d);
    case HPCRUN_SHORT_MAGIC_LEN: return choose_short(d);
    default: return refuse_magic(d);
    }
}
