/* Magics and dialects; see magic.h. */
#include "formats/cov/magic.h"

#include "base/cursor.h"

static const struct cov_magic magics[] = {
    { "rprt", true, true, COV_REPORT, COV_BUILD }, { "bld ", true, false, COV_BUILD, COV_NONE }, { "rset", false, true, COV_NONE, COV_REPORT },
    { "list", true, true, COV_FILES, COV_FILES },  { "lnes", true, true, COV_LINES, COV_LINES }, { "fnct", true, true, COV_FUNCTIONS, COV_FUNCTIONS },
};
enum { MAGICS = sizeof magics / sizeof *magics };

const struct cov_shape cov_shapes[] = { { 2, 0 }, { 39, 13 }, { 19, 0 }, { 7, 14 }, { 3, 1 }, { 7, 7 } };

static bool is_magic(const char *bytes, const char *text, bool reversed)
{
    for (int i = 0; i < 4; i++)
        if (bytes[i] != text[reversed ? 3 - i : i]) return false;
    return true;
}

static const struct cov_magic *find(assay_slice bytes, bool reversed)
{
    for (int i = 0; bytes.len >= 4 && i < MAGICS; i++)
        if (is_magic(bytes.data, magics[i].text, reversed)) return &magics[i];
    return NULL;
}

const struct cov_magic *cov_magic_find(assay_slice bytes)
{
    const struct cov_magic *m = find(bytes, false);
    return m ? m : find(bytes, true);
}

bool cov_magic_is_reversed(assay_slice bytes) { return !find(bytes, false) && find(bytes, true); }

const char *cov_magic_of(enum cov_kind kind, enum cov_dialect dialect)
{
    for (int i = 0; i < MAGICS; i++)
        if ((dialect == COV_DIALECT_SPEC ? magics[i].spec : magics[i].cov) == kind) return magics[i].text;
    return "";
}

static uint32_t strings_offset(assay_slice bytes)
{
    const unsigned char *p = (const unsigned char *)bytes.data;
    if (bytes.len < 12) return 0;
    return cov_magic_is_reversed(bytes) ? (uint32_t)p[8] << 24 | (uint32_t)p[9] << 16 | (uint32_t)p[10] << 8 | p[11] : bytes_u32le(p + 8);
}

enum cov_dialect cov_dialect_of(assay_slice bytes, enum cov_framing framing)
{
    const struct cov_magic *m = cov_magic_find(bytes);
    if (!m || !m->in_spec) return COV_DIALECT_COV;
    if (!m->in_cov) return COV_DIALECT_SPEC;
    if (framing == COV_ZLIB) return COV_DIALECT_COV;
    uint32_t at = strings_offset(bytes);
    switch (m->cov) {
    case COV_REPORT: return at >= cov_shapes[COV_REPORT].header - 2 ? COV_DIALECT_COV : COV_DIALECT_SPEC;
    case COV_LINES: return framing == COV_GZIP ? COV_DIALECT_SPEC : COV_DIALECT_COV;
    default: return at >= cov_shapes[m->cov].header ? COV_DIALECT_SPEC : COV_DIALECT_COV;
    }
}
