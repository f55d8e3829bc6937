/* Ids of objects, and the words for kinds and framings. */
#include "base/digest.h"
#include "formats/cov/object.h"

assay_store_id cov_id_of(const void *data, size_t len)
{
    assay_store_id id;
    digest_sha1(data, len, id.bytes);
    return id;
}

bool cov_id_is_zero(const assay_store_id *id)
{
    static const assay_store_id zero;
    return memcmp(id, &zero, sizeof zero) == 0;
}

int cov_id_compare(const assay_store_id *a, const assay_store_id *b) { return memcmp(a->bytes, b->bytes, COV_ID_LEN); }

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool cov_id_parse(assay_slice text, assay_store_id *out)
{
    if (text.len != COV_ID_HEX) return false;
    for (size_t i = 0; i < COV_ID_LEN; i++) {
        int high = digit(text.data[2 * i]), low = digit(text.data[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        out->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

char *cov_id_hex(const assay_store_id *id, char hex[COV_ID_HEX + 1])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < COV_ID_LEN; i++) {
        hex[2 * i] = digits[id->bytes[i] >> 4];
        hex[2 * i + 1] = digits[id->bytes[i] & 15];
    }
    hex[COV_ID_HEX] = '\0';
    return hex;
}

const char *cov_kind_name(enum cov_kind kind)
{
    static const char *const names[] = { "", "report", "build", "files", "lines", "functions" };
    return names[kind];
}

const char *cov_framing_name(enum cov_framing framing)
{
    static const char *const names[] = { "bare", "zlib", "gzip" };
    return names[framing];
}
