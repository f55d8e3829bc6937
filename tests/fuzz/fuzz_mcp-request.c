/* libFuzzer target: lines that a client sends to `assay mcp`, each taken apart, answered or refused, and called, over a folder with a small profile and a small
 * coverage report. Every answer is one line of JSON with an id; nothing is answered to a notification. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_read.h"
#include "base/text.h"
#include "harness.h"
#include "mcp/mcp.h"

static char folder[] = "/tmp/fuzz_mcp.XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0) abort();
}

static void remove_files(void)
{
    if (chdir(folder) != 0) return;
    unlink("p.folded");
    unlink("c.info");
    rmdir(folder);
}

static assay_mcp *server(void)
{
    static assay_mcp *mcp;
    char path[64];
    const char *const folders[] = { folder };
    const struct assay_mcp_options o = { .size = sizeof o, .max_memory = (uint64_t)64 << 20, .max_answer = 2048, .max_seconds = 1, .no_handles = true };
    if (mcp) return mcp;
    if (!mkdtemp(folder)) abort();
    write_file("p.folded", "main;work 3\nmain 1\n");
    write_file("c.info", "TN:\nSF:a.c\nDA:1,0\nDA:2,1\nend_of_record\n");
    atexit(remove_files);
    /* Once is enough; and with some linkers reading is only wrapped (faults.c) where something there is called. */
    snprintf(path, sizeof path, "%s/p.folded", folder);
    fuzz_faults_path(path, "folded", 0);
    if (assay_mcp_new(folders, 1, &o, &mcp, NULL) != 0) abort();
    return mcp;
}

/* One line of JSON, in UTF-8. */
static void promise_answer(assay_slice text)
{
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e = { .kind = JSON_NULL };
    assay_error err = { 0 };
    harness_promise(text.len && memchr(text.data, '\n', text.len) == text.data + text.len - 1, "an answer that is not one line");
    for (size_t i = 0, step; i < text.len; i += step) {
        step = text_utf8((assay_slice){ text.data + i, text.len - i }, NULL);
        harness_promise(step != 0, "an answer that is not UTF-8");
        if (!step) return;
    }
    mem_init(&mem, 0);
    findings_init(&damage, &mem);
    struct input_options o = { .mem = &mem };
    harness_promise(input_open_memory(&in, text.data, text.len, "answer", &o, &err) == 0, "no answer");
    json_read_init(&r, in, &mem, &damage, &err);
    do harness_promise(json_read_next(&r, &e) == 0, "an answer that cannot be read");
    while (e.kind != JSON_END);
    harness_promise(!damage.list.len, "an answer that is no JSON: %.*s", (int)text.len, text.data);
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
}

static void take(struct session *s, const struct message *m, struct mem *mem)
{
    struct output *out;
    assay_error err = { 0 };
    if (output_open_memory(&out, mem, NULL) != 0) return;
    enum session_step step = session_take(s, m, out);
    if (step == SESSION_CALL && call_run(s->mcp, m, out, &err) != 0) harness_code(err.code, &err, "call_run");
    assay_slice text = output_memory(out);
    harness_promise(!text.len || !m->is_notification || m->code == RPC_PARSE, "an answer to a notification");
    if (step == SESSION_ANSWER || text.len) promise_answer(text);
    output_abort(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct session s = { .mcp = server(), .has_begun = true };
    const char *at = (const char *)data, *end = at ? at + len : at;
    harness_doing("answering requests");
    for (unsigned lines = 0; at < end && lines < 16; lines++) {
        struct mem mem;
        struct messages all;
        assay_error err = { 0 };
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        mem_init(&mem, (size_t)64 << 20);
        int rc = messages_read(&all, at, (size_t)((stop ? stop : end) - at), &mem, &err);
        harness_code(rc, &err, "messages_read");
        for (size_t i = 0; rc == 0 && i < all.count; i++) take(&s, all.at[i], &mem);
        messages_done(&all);
        harness_promise(mem.used == 0, "%zu bytes are left", (size_t)mem.used);
        at = stop ? stop + 1 : end;
    }
    return 0;
}
