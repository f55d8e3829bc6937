/* Digests by libcrypto; see base/digest.h. A digest that the library refuses (a policy may forbid MD5), or cannot be loaded for, is all zero, and so matches nothing. */
#include "base/digest.h"

#include <late_crypto.h>
#include <string.h>

int digest_ready(assay_error *err) { return late_crypto_load(err); }

static bool can_digest(void)
{
    assay_error err;
    return digest_ready(&err) == 0;
}

static void whole(const EVP_MD *kind, const void *data, size_t len, uint8_t *out, size_t out_len)
{
    uint8_t buf[EVP_MAX_MD_SIZE];
    unsigned got = 0;
    if (EVP_Digest(data ? data : "", len, buf, &got, kind, NULL) == 1 && got == out_len) memcpy(out, buf, out_len);
}

void digest_sha1(const void *data, size_t len, uint8_t out[DIGEST_SHA1_LEN])
{
    memset(out, 0, DIGEST_SHA1_LEN);
    if (can_digest()) whole(EVP_sha1(), data, len, out, DIGEST_SHA1_LEN);
}

void digest_md5(const void *data, size_t len, uint8_t out[DIGEST_MD5_LEN])
{
    memset(out, 0, DIGEST_MD5_LEN);
    if (can_digest()) whole(EVP_md5(), data, len, out, DIGEST_MD5_LEN);
}

void digest_sha1_two(const void *head, size_t head_len, const void *body, size_t body_len, uint8_t out[DIGEST_SHA1_LEN])
{
    memset(out, 0, DIGEST_SHA1_LEN);
    if (!can_digest()) return;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    unsigned got = 0;
    uint8_t buf[EVP_MAX_MD_SIZE];
    if (ctx && EVP_DigestInit_ex(ctx, EVP_sha1(), NULL) == 1 && EVP_DigestUpdate(ctx, head, head_len) == 1 &&
        EVP_DigestUpdate(ctx, body ? body : "", body_len) == 1 && EVP_DigestFinal_ex(ctx, buf, &got) == 1 && got == DIGEST_SHA1_LEN)
        memcpy(out, buf, DIGEST_SHA1_LEN);
    EVP_MD_CTX_free(ctx);
}
