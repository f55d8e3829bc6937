/* HTTP on loopback; see http.h. A thread for each connection, few of them; what
 * a request may be is decided in guard.c, what it means in request.c. */
#include "server/http.h"

#include "base/error.h"

#ifdef ASSAY_HAVE_MICROHTTPD

#include <arpa/inet.h>
#include <errno.h>
#include <late_microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "assay/cancel.h"
#include "server/guard.h"
#include "server/page.h"
#include "server/routes.h"
#include "server/watch.h"

enum {
    MEMORY = 48 * 1024, /* of a connection: request line and headers */
    TARGET_MOST = 8 * 1024,
    GZIP_FROM = 32 * 1024, /* bytes of an answer */
    DEADLINE_MS = 120000,  /* of the work on one request */
    IDLE_S = 10
};

struct http {
    struct server *server;
    struct MHD_Daemon *daemon;
    struct guard guard;
    struct watch watch;
    char address[64 + GUARD_TOKEN];
};

/* One request while it is being received. */
struct exchange {
    char *target;
    bool has_begun;
    unsigned refused; /* a status; 0 = no */
    char *body;
    size_t body_len, body_cap;
};

static void fill_address(struct http *h) { snprintf(h->address, sizeof h->address, "http://127.0.0.1:%u/#t=%s", h->guard.port, h->guard.token); }

/* ---- answers ---- */

static const struct {
    const char *name, *value;
} headers[] = {
    { "Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "
                                 "data:; connect-src 'self'; font-src 'self'; "
                                 "base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
    { "X-Content-Type-Options", "nosniff" },
    { "Referrer-Policy", "no-referrer" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cache-Control", "no-store" },
};

static enum MHD_Result reply(struct MHD_Connection *con, unsigned status, const char *type, const void *data, size_t len, bool is_packed)
{
    struct MHD_Response *a = MHD_create_response_from_buffer(len, (void *)(uintptr_t)data, MHD_RESPMEM_MUST_COPY);
    if (!a) return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) MHD_add_response_header(a, headers[i].name, headers[i].value);
    if (type) MHD_add_response_header(a, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (is_packed) MHD_add_response_header(a, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) MHD_add_response_header(a, MHD_HTTP_HEADER_ALLOW, "GET, HEAD, POST");
    enum MHD_Result rc = MHD_queue_response(con, status, a);
    MHD_destroy_response(a);
    return rc;
}

static const char *header(struct MHD_Connection *con, const char *name) { return MHD_lookup_connection_value(con, MHD_HEADER_KIND, name); }

static bool takes_gzip(struct MHD_Connection *con)
{
    const char *accepted = header(con, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    return accepted && strstr(accepted, "gzip");
}

/* ---- the work on one request ---- */

struct client {
    const struct server *server;
    int fd;
    int64_t until;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* An assay_cancel_fn: the client has hung up, it took too long, or the server
 * ends. */
static int is_gone(void *arg)
{
    const struct client *c = arg;
    char byte;
    if (c->server->is_stopping || now_ms() > c->until) return 1;
    ssize_t n = recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static int socket_of(struct MHD_Connection *con)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(con, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static enum MHD_Result send_answer(struct MHD_Connection *con, unsigned status, const struct request *r)
{
    assay_slice body = r->out ? output_memory(r->out) : (assay_slice){ "", 0 };
    size_t len = 0;
    char *packed = body.len >= GZIP_FROM && takes_gzip(con) ? page_gzip(body, 1, &len) : NULL;
    enum MHD_Result rc = packed ? reply(con, status, r->type, packed, len, true) : reply(con, status, r->type, body.data ? body.data : "", body.len, false);
    free(packed);
    return rc;
}

static enum MHD_Result answer_api(struct http *h, struct MHD_Connection *con, const char *method, struct exchange *x)
{
    struct request r;
    char *route = x->target + sizeof "/api/" - 1, *query = strchr(route, '?');
    if (query) *query++ = '\0';
    const struct route *known = route_find(route);
    if (known && known->is_post != (strcmp(method, "POST") == 0)) return reply(con, MHD_HTTP_METHOD_NOT_ALLOWED, NULL, "", 0, false);
    struct client client = { h->server, socket_of(con), now_ms() + DEADLINE_MS };
    watch_enter(&h->watch, client.fd, WATCH_WORK);
    assay_cancel_set(is_gone, &client);
    h->server->under_way++;
    unsigned status = server_answer(&r, h->server, route, query ? query : "", x->body, x->body_len);
    h->server->answered++;
    h->server->under_way--;
    assay_cancel_set(NULL, NULL);
    watch_enter(&h->watch, client.fd, WATCH_ANSWER);
    enum MHD_Result rc = send_answer(con, status, &r);
    request_done(&r);
    return rc;
}

static enum MHD_Result answer(struct http *h, struct MHD_Connection *con, const char *method, struct exchange *x)
{
    if (x->refused) return reply(con, x->refused, NULL, "", 0, false);
    if (strncmp(x->target, "/api/", 5) == 0) return answer_api(h, con, method, x);
    const struct page_part *part = page_find(x->target);
    if (strcmp(method, "POST") == 0) return reply(con, MHD_HTTP_METHOD_NOT_ALLOWED, NULL, "", 0, false);
    if (!part) return reply(con, MHD_HTTP_NOT_FOUND, NULL, "", 0, false);
    return reply(con, MHD_HTTP_OK, part->type, part->data, *part->len, false);
}

/* ---- what is received ---- */

static enum MHD_Result count_host(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    (void)value;
    *(unsigned *)arg += strcasecmp(name, "Host") == 0;
    return MHD_YES;
}

/* The body: its length is told before, and only what takes one gets one. */
static unsigned check_body(struct MHD_Connection *con, const char *method)
{
    const char *length = header(con, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (header(con, MHD_HTTP_HEADER_TRANSFER_ENCODING)) return MHD_HTTP_BAD_REQUEST;
    if (!length) return 0;
    uint64_t n = strtoull(length, NULL, 10);
    if (strcmp(method, "POST") != 0 && n) return MHD_HTTP_BAD_REQUEST;
    return n > SERVER_UPLOAD ? MHD_HTTP_CONTENT_TOO_LARGE : 0;
}

static unsigned check(struct http *h, struct MHD_Connection *con, const char *method, const struct exchange *x)
{
    struct guard_request q = { .method = method,
                               .target = x->target,
                               .host = header(con, MHD_HTTP_HEADER_HOST),
                               .origin = header(con, MHD_HTTP_HEADER_ORIGIN),
                               .site = header(con, "Sec-Fetch-Site"),
                               .token = header(con, "X-Assay"),
                               .is_api = strncmp(x->target, "/api/", 5) == 0 };
    MHD_get_connection_values(con, MHD_HEADER_KIND, count_host, &q.host_count);
    if (strlen(x->target) > TARGET_MOST) return MHD_HTTP_URI_TOO_LONG;
    unsigned refused = guard_check(&h->guard, &q);
    return refused ? refused : check_body(con, method);
}

static bool take_body(struct exchange *x, const char *data, size_t len)
{
    if (len > SERVER_UPLOAD - x->body_len) return false;
    if (x->body_len + len > x->body_cap) {
        size_t cap = x->body_cap * 2 > x->body_len + len ? x->body_cap * 2 : x->body_len + len;
        char *grown = realloc(x->body, cap);
        if (!grown) return false;
        x->body = grown;
        x->body_cap = cap;
    }
    memcpy(x->body + x->body_len, data, len);
    x->body_len += len;
    return true;
}

static enum MHD_Result handle(void *arg, struct MHD_Connection *con, const char *url, const char *method, const char *version, const char *data, size_t *len,
                              void **state)
{
    struct http *h = arg;
    struct exchange *x = *state;
    (void)url; /* decoded: what counts is the target as it came */
    (void)version;
    if (!x || !x->target) return MHD_NO;
    if (!x->has_begun) {
        x->has_begun = true;
        x->refused = check(h, con, method, x);
        watch_enter(&h->watch, socket_of(con), WATCH_BODY);
        return x->refused ? answer(h, con, method, x) : MHD_YES;
    }
    if (*len) {
        if (!x->refused && !take_body(x, data, *len)) x->refused = MHD_HTTP_CONTENT_TOO_LARGE;
        *len = 0;
        return MHD_YES;
    }
    return answer(h, con, method, x);
}

static void *begin_exchange(void *arg, const char *target, struct MHD_Connection *con)
{
    struct exchange *x = calloc(1, sizeof *x);
    (void)arg;
    (void)con;
    if (x) x->target = strdup(target);
    return x;
}

static void end_exchange(void *arg, struct MHD_Connection *con, void **state, enum MHD_RequestTerminationCode code)
{
    struct http *h = arg;
    struct exchange *x = *state;
    (void)code;
    watch_enter(&h->watch, socket_of(con), WATCH_REQUEST);
    if (!x) return;
    free(x->target);
    free(x->body);
    free(x);
    *state = NULL;
}

static void note_connection(void *arg, struct MHD_Connection *con, void **state, enum MHD_ConnectionNotificationCode code)
{
    struct http *h = arg;
    (void)state;
    watch_enter(&h->watch, socket_of(con), code == MHD_CONNECTION_NOTIFY_STARTED ? WATCH_REQUEST : WATCH_FREE);
}

/* ---- start and stop ---- */

static int listen_on(struct http *h, uint16_t port, assay_error *err)
{
    TRY(late_microhttpd_load(err));
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    h->daemon =
        MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC, port, NULL, NULL, handle, h, MHD_OPTION_SOCK_ADDR,
                         (struct sockaddr *)&at, MHD_OPTION_CONNECTION_LIMIT, (unsigned)WATCH_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, begin_exchange, h,
                         MHD_OPTION_NOTIFY_COMPLETED, end_exchange, h, MHD_OPTION_NOTIFY_CONNECTION, note_connection, h, MHD_OPTION_END);
    if (!h->daemon) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot listen on 127.0.0.1, port %u", port);
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_BIND_PORT);
    h->guard.port = info ? info->port : port;
    return 0;
}

int http_start(struct http **out, struct server *s, uint16_t port, assay_error *err)
{
    struct http *h = *out = calloc(1, sizeof *h);
    if (!h) return error_memory(err);
    h->server = s;
    int rc = guard_init(&h->guard, port, s->token, err);
    if (rc == 0) rc = watch_init(&h->watch, err);
    if (rc == 0) rc = listen_on(h, port, err);
    if (rc == 0)
        fill_address(h);
    else {
        http_stop(h);
        *out = NULL;
    }
    return rc;
}

const char *http_address(const struct http *h) { return h ? h->address : ""; }

void http_stop(struct http *h)
{
    if (!h) return;
    h->server->is_stopping = true;
    if (h->daemon) MHD_stop_daemon(h->daemon);
    watch_done(&h->watch);
    free(h);
}

#else

int http_start(struct http **out, struct server *s, uint16_t port, assay_error *err)
{
    (void)s;
    (void)port;
    *out = NULL;
    FAIL(err, ASSAY_ERR_UNSUPPORTED,
         "this build has no server (libmicrohttpd was missing): a page can only "
         "be exported");
}

const char *http_address(const struct http *h)
{
    (void)h;
    return "";
}

void http_stop(struct http *h) { (void)h; }

#endif
