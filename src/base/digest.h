/* Digests that name things: never for security. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { DIGEST_SHA1_LEN = 20, DIGEST_MD5_LEN = 16 };

/* Whether there are digests: whoever names things by them asks first. Errors: UNSUPPORTED: libcrypto cannot be loaded. */
int digest_ready(assay_error *err);

void digest_sha1(const void *data, size_t len, uint8_t out[DIGEST_SHA1_LEN]);
/* Two pieces one behind the other, as git names what it stores: a head and a body. */
void digest_sha1_two(const void *head, size_t head_len, const void *body, size_t body_len, uint8_t out[DIGEST_SHA1_LEN]);
void digest_md5(const void *data, size_t len, uint8_t out[DIGEST_MD5_LEN]);

#endif
