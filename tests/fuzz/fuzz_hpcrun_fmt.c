/* libFuzzer target: the primitives of assay/hpcrun_fmt.h, and what is rewritten. Hostile bytes are read by the primitives and written
 * again: the same bytes. Then they are rewritten as each version, which must load without error and be rewritten as the same bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "assay/hpcrun_fmt.h"
#include "fuzz.h"
#include "harness.h"

enum { MOST = 32 << 10 };

static int copy_nodes(const hpcrun_fmt_epoch_t *epoch, const hpcrun_fmt_env_t *env, FILE *in, FILE *out)
{
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && i < epoch->num_nodes; i++) {
        hpcrun_fmt_cct_node_t node;
        rc = hpcrun_fmt_cct_node_fread(&node, env, in, malloc);
        if (rc == 0) harness_promise(hpcrun_fmt_cct_node_fwrite(&node, env, out) == 0, "a node that was read is written");
        hpcrun_fmt_cct_node_free(&node, free);
    }
    return rc;
}

/* As far as it can be read. */
static void copy(FILE *in, FILE *out)
{
    hpcrun_fmt_error_t error = { 0 };
    hpcrun_fmt_env_t env = { .error = &error };
    hpcrun_fmt_hdr_t hdr;
    int rc = hpcrun_fmt_hdr_fread(&hdr, &env, in, malloc);
    if (rc == 0) harness_promise(hpcrun_fmt_hdr_fwrite(&hdr, &env, out) == 0, "a header that was read is written");
    for (uint32_t i = 0; rc == 0 && (!hdr.counted || i < hdr.num_epochs); i++) {
        hpcrun_fmt_epoch_t epoch;
        rc = hpcrun_fmt_epoch_fread(&epoch, &env, in, malloc);
        if (rc == 0) harness_promise(hpcrun_fmt_epoch_fwrite(&epoch, &env, out) == 0, "an epoch that was read is written");
        if (rc == 0) rc = copy_nodes(&epoch, &env, in, out);
        hpcrun_fmt_epoch_free(&epoch, free);
    }
    harness_promise(rc >= 0 || (hpcrun_fmt_errno(&env) < 0 && error.rule && error.what.text[0]), "an error has code, rule and sentence");
    hpcrun_fmt_hdr_free(&hdr, free);
}

static void run_primitives(const uint8_t *data, size_t len)
{
    char *made = NULL;
    size_t made_len = 0;
    FILE *in = fmemopen((void *)data, len, "rb"), *out = open_memstream(&made, &made_len);
    harness_promise(in && out, "the test itself has no memory");
    copy(in, out);
    fclose(in);
    fclose(out);
    harness_promise(made_len <= len && memcmp(made, data, made_len) == 0, "what was read is written byte for byte");
    free(made);
}

/* The bytes as this version, in memory of their own; len 0 = it cannot be. */
static char *rewrite(const struct format *f, const char *version, const void *data, size_t len, size_t *out_len)
{
    struct mem mem;
    struct input *in = NULL;
    struct output *out = NULL;
    struct losses losses;
    assay_error err = { 0 };
    char *copy = NULL;
    mem_init(&mem, (size_t)64 << 20);
    losses_init(&losses, &mem);
    *out_len = 0;
    int rc = input_open_memory(&in, data, len, "fuzz", &(struct input_options){ .mem = &mem }, &err);
    if (rc == 0) rc = output_open_memory(&out, &mem, &err);
    struct read_job job = { .in = in, .options = &(struct assay_read_options){ 0 }, .mem = &mem };
    if (rc == 0)
        rc = f->rewrite(&job, &(struct write_job){ &(struct assay_write_options){ 0 }, version, &mem, &losses, true, &f->info, NULL, NULL }, out, &err);
    if (rc == 0 && output_failed(out) == 0) {
        assay_slice made = output_memory(out);
        copy = malloc(made.len + 1);
        if (copy) memcpy(copy, made.data, *out_len = made.len);
    }
    output_abort(out);
    if (in) input_close(in);
    losses_done(&losses);
    harness_promise(mem.used == 0, "rewriting gives all memory back");
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct format *f = registry_find(SLICE("hpcrun"));
    if (len == 0 || len > MOST) return 0;
    harness_doing("fuzzing hpcrun_fmt");
    run_primitives(data, len);
    for (const char *const *v = f->info.versions; *v; v++) {
        size_t first_len, second_len;
        char *first = rewrite(f, *v, data, len, &first_len), *second = NULL;
        if (first_len) {
            second = rewrite(f, *v, first, first_len, &second_len);
            harness_promise(second_len == 0 || (second_len == first_len && memcmp(first, second, first_len) == 0), "%s is rewritten as it is", *v);
        }
        free(first);
        free(second);
    }
    return 0;
}
