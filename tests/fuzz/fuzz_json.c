/* libFuzzer target: the JSON reader. Levels balance, places grow, the text of a value stands where it says, skipping ends where reading does. */
#include "fuzz.h"

#include "base/json_read.h"
#include "harness.h"

struct pass {
    uint64_t events, last_off;
    size_t findings;
    int rc;
};

static void promise_place(const struct json_event *e, const uint8_t *data, size_t len, const struct pass *p)
{
    harness_promise(e->off >= p->last_off && e->off <= len, "an event at %llu, after one at %llu, of %zu bytes", (unsigned long long)e->off,
                    (unsigned long long)p->last_off, len);
    if (e->kind == JSON_NUMBER) harness_promise(memcmp(data + e->off, e->text.data, e->text.len) == 0, "a number that does not stand at its offset");
    if (e->kind == JSON_STRING || e->kind == JSON_KEY) harness_promise(data[e->off] == '"', "a string that does not begin with a quote");
}

static struct pass run(const uint8_t *data, size_t len, bool skip)
{
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e = { .kind = JSON_NULL };
    struct pass p = { 0, 0, 0, 0 };
    assay_error err = { 0 };
    mem_init(&mem, (size_t)64 << 20);
    struct input_options o = { .mem = &mem, .max_output = 4 << 20 };
    p.rc = input_open_memory(&in, data, len, "fuzz", &o, &err);
    bool is_plain = p.rc == 0 && input_packing(in) == INPUT_PLAIN;
    findings_init(&damage, &mem);
    json_read_init(&r, in, &mem, &damage, &err);
    while (p.rc == 0 && e.kind != JSON_END) {
        p.rc = json_read_next(&r, &e);
        if (p.rc || e.kind == JSON_END) break;
        if (is_plain) promise_place(&e, data, len, &p);
        p.last_off = e.off;
        p.events++;
        if (skip && e.depth == 1) p.rc = json_read_skip(&r, &e);
    }
    harness_code(p.rc, &err, "json_read_next");
    harness_promise(p.rc || damage.list.len || r.depth == 0, "the end came %u levels deep", r.depth);
    p.findings = damage.list.len;
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
    harness_promise(mem.used == 0, "%zu bytes were not given back", (size_t)mem.used);
    return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    harness_doing("reading JSON");
    struct pass all = run(data, len, false), some = run(data, len, true);
    harness_promise(all.rc == some.rc && all.findings == some.findings, "reading finds %zu, skipping %zu", all.findings, some.findings);
    return 0;
}
