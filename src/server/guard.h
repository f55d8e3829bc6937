/* Who may ask: only a page that this server gave to the user's own browser, or
 * a program that has the token. Any page in the same browser can send requests
 * to 127.0.0.1, and a name can be made to resolve to it; docs/view.md has the
 * rules. */
#ifndef SERVER_GUARD_H
#define SERVER_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"

enum { GUARD_TOKEN = 32 }; /* hexadecimal digits: 128 bits */

struct guard {
    uint16_t port;
    char token[GUARD_TOKEN + 1];
};

/* Headers that are absent are NULL. */
struct guard_request {
    const char *method, *target; /* as they came */
    const char *host, *origin, *site, *token;
    unsigned host_count; /* how many there are */
    bool is_api;
};

/* `token` of the address, or with NULL a new one from the system. Errors: SYSTEM, USAGE (not as many hexadecimal digits). */
int guard_init(struct guard *g, uint16_t port, const char *token, assay_error *err);
/* 0 = go on; else the status of the refusal. */
unsigned guard_check(const struct guard *g, const struct guard_request *q);

#endif
