/* HTTP on loopback, through libmicrohttpd. */
#ifndef SERVER_HTTP_H
#define SERVER_HTTP_H

#include "server/server.h"

struct http;

/* Listens on 127.0.0.1; port 0 = a free one. `s` is borrowed until http_stop.
 * Errors: SYSTEM, MEMORY, UNSUPPORTED. */
int http_start(struct http **out, struct server *s, uint16_t port, assay_error *err);
/* "http://127.0.0.1:PORT/#t=TOKEN" */
const char *http_address(const struct http *h);
/* Ends all requests; NULL is allowed. */
void http_stop(struct http *h);

#endif
