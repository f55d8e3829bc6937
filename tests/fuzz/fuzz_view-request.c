/* libFuzzer target: what the server of `assay view` takes apart itself of a request: the query string, and the host, origin and target that it checks. Up to the
 * first line break the target, then the host, then the origin. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness.h"
#include "server/guard.h"
#include "server/params.h"

static void promise_text(const char *text)
{
    for (size_t i = 0, step, len = strlen(text); i < len; i += step) {
        uint32_t code = 0;
        step = text_utf8((assay_slice){ text + i, len - i }, &code);
        harness_promise(step && code != 0x7f && (code >= 0x20 || code == '\t'), "a parameter with a byte that is no text");
        if (!step) return;
    }
}

static void take_query(const char *query, size_t len)
{
    static const char *const words[] = { "self", "total", NULL };
    struct mem mem;
    struct params p;
    struct param_list list;
    assay_error err = { 0 };
    uint64_t n = 7;
    double d = 0.5;
    unsigned word = 1;
    bool flag = false;
    mem_init(&mem, (size_t)16 << 20);
    int rc = params_parse(&p, &mem, query, len, &err);
    harness_code(rc, &err, "params_parse");
    for (size_t i = 0; rc == 0 && i < p.at.len; i++) {
        promise_text(p.at.at[i].name);
        promise_text(p.at.at[i].value);
    }
    if (rc == 0) {
        harness_promise(params_number(&p, "from", 1000, &n, &err) != 0 || n <= 1000, "a number that is too large");
        harness_promise(params_double(&p, "min", 0, 100, &d, &err) != 0 || (d >= 0 && d <= 100), "a number out of range");
        harness_promise(params_word(&p, "sort", words, &word, &err) != 0 || word < 2, "a word that is none");
        (void)params_flag(&p, "up", &flag, &err);
        harness_promise(params_list(&p, "focus", &list, &err) != 0 || list.count <= p.at.len, "more values than parameters");
        (void)params_end(&p, &err);
    }
    params_done(&p);
    harness_promise(mem.used == 0, "%zu bytes are left", (size_t)mem.used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct guard g = { .port = 8080, .token = "00112233445566778899aabbccddeeff" };
    char *text = malloc(len + 1), *host, *origin;
    if (!text) return 0;
    memcpy(text, data, len);
    text[len] = '\0';
    harness_doing("checking a request");
    char *rest = text, *target = strsep(&rest, "\n");
    host = strsep(&rest, "\n");
    origin = strsep(&rest, "\n");
    struct guard_request q = {
        .method = "GET", .target = target, .host = host ? host : "", .origin = origin, .token = g.token, .host_count = 1, .is_api = true
    };
    unsigned status = guard_check(&g, &q);
    harness_promise(status == 0 || status == 400 || status == 403, "the status is %u", status);
    harness_promise(status || (target[0] == '/' && strlen(q.host) >= sizeof "[::1]:8080" - 1), "a request without path or host is let in");
    char *query = strchr(target, '?');
    query = query ? query + 1 : target;
    take_query(query, strlen(query));
    free(text);
    return 0;
}
