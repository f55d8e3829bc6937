/* libFuzzer target: the decoder of the format FUZZ_NAME (FUZZ_SYMBOL) and its checks, and nothing else: small inputs in memory, thousands a second.
 * For one input of sixteen an allocation fails. One program for each format. Of a format whose input is a directory (hpcdb, hpcdb-xml) it reads a
 * single file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#ifndef FUZZ_REPLAY
extern const struct format FUZZ_SYMBOL;
#endif

/* As harness_promise, which would link all formats with this one. */
static void promise(bool ok, const char *what, const char *about)
{
    if (ok) return;
    fprintf(stderr, "%s: %s (%s)\n", FUZZ_NAME, what, about);
    abort();
}

static void check_findings(const struct findings *found)
{
    for (size_t i = 0; i < found->list.len; i++) {
        const assay_finding *f = &found->list.at[i];
        promise(f->rule && f->rule[0] && f->message && f->message[0], "a finding without rule or message", f->rule ? f->rule : "");
        promise(!strchr(f->message, '\n'), "a message of several lines", f->message);
    }
}

static uint64_t choose_fault(const uint8_t *data, size_t len)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len && i < 64; i++) h = (h ^ data[i]) * 16777619u;
    return h >> 28 ? 0 : 1 + (h >> 8) % (1u << (h & 7));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct mem mem;
    struct input *in = NULL;
    struct findings found;
    assay_error err = { 0 };
    mem_init(&mem, (size_t)64 << 20);
    mem.fail_at = choose_fault(data, len);
    struct assay_read_options options = { .format = FUZZ_NAME, .deep = true, .foreign = true }; /* no file of this machine is opened */
    struct input_options o = { .mem = &mem, .max_output = (uint64_t)1 << 20 };
    if (input_open_memory(&in, data, len, "sample", &o, &err) == 0) {
        struct read_job job = { .in = in, .options = &options, .mem = &mem };
        findings_init(&found, &mem);
        int rc = FUZZ_SYMBOL.check(&job, &found, &err);
        promise(rc == 0 || (rc < 0 && rc != ASSAY_ERR_INTERNAL && err.code == rc && err.text[0]), "an error without code or sentence", err.text);
        check_findings(&found);
        findings_done(&found);
    }
    input_close(in);
    promise(mem.used == 0, "memory was not given back", "");
    return 0;
}
