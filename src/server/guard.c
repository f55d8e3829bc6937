/* Who may ask; see guard.h. */
#include "server/guard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "base/error.h"

int guard_init(struct guard *g, uint16_t port, const char *token, assay_error *err)
{
    unsigned char bytes[GUARD_TOKEN / 2];
    *g = (struct guard){ .port = port };
    if (token) {
        if (strlen(token) != GUARD_TOKEN || strspn(token, "0123456789abcdef") != GUARD_TOKEN)
            FAIL(err, ASSAY_ERR_USAGE, "a token has %d hexadecimal digits", GUARD_TOKEN);
        memcpy(g->token, token, GUARD_TOKEN + 1);
        return 0;
    }
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "no random numbers for the token");
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(g->token + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

/* In a time that does not tell how much of it is right. */
static bool is_token(const struct guard *g, const char *token)
{
    unsigned char differs = 0;
    if (!token || strlen(token) != GUARD_TOKEN) return false;
    for (size_t i = 0; i < GUARD_TOKEN; i++) differs |= (unsigned char)(token[i] ^ g->token[i]);
    return differs == 0;
}

/* Exactly the names by which this machine calls itself, with the port. */
static bool is_host(const struct guard *g, const char *host)
{
    static const char *const names[] = { "127.0.0.1", "localhost", "[::1]" };
    char own[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(own, sizeof own, "%s:%u", names[i], g->port);
        if (strcasecmp(own, host) == 0) return true;
    }
    return false;
}

static bool is_origin(const struct guard *g, const char *origin)
{
    static const char scheme[] = "http://";
    return strncasecmp(origin, scheme, sizeof scheme - 1) == 0 && is_host(g, origin + sizeof scheme - 1);
}

/* Only the path and query of this server: no absolute form, no authority, no
 * asterisk. */
static bool is_target(const char *target)
{
    if (target[0] != '/' || target[1] == '/') return false;
    for (const char *c = target; *c; c++)
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f || *c == '\\' || *c == '#') return false;
    return true;
}

unsigned guard_check(const struct guard *g, const struct guard_request *q)
{
    if (!is_target(q->target) || q->host_count != 1) return 400;
    if (!is_host(g, q->host)) return 403;
    if (q->origin && !is_origin(g, q->origin)) return 403;
    if (q->site && strcmp(q->site, "same-origin") != 0 && strcmp(q->site, "none") != 0) return 403;
    if (strcmp(q->method, "GET") != 0 && strcmp(q->method, "HEAD") != 0 && strcmp(q->method, "POST") != 0) return 405;
    if (q->is_api && !is_token(g, q->token)) return 401;
    return 0;
}
