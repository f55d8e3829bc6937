/* Report JSON without what markers exclude; see assay/store.h. */
#include "store/strip.h"

#include <string.h>

#include "assay/store.h"
#include "base/error.h"
#include "base/options.h"
#include "base/scoped.h"

static int strip(struct input *in, const struct strip_options *o, struct arena *a, struct mem *mem, assay_text_fn write, void *arg, struct strip_result *result,
                 assay_error *err)
{
    struct json_node *report;
    struct output *text;
    TRY(json_tree_read(in, a, mem, &report, err));
    TRY(strip_report(report, o, mem, result, err));
    TRY(output_open_fn(&text, write, arg, mem, err));
    json_tree_write(report, text);
    return output_commit(text, err);
}

int assay_store_strip(const char *path, const struct assay_store_strip_options *options, assay_text_fn write, void *arg, assay_store_stripped *out,
                      assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct assay_store_strip_options own;
    struct mem mem;
    mem_init(&mem, 0);
    SCOPED(arena_done) struct arena arena = { .mem = &mem };
    SCOPED(input_drop) struct input *in = NULL;
    struct strip_result result = { 0 };
    *out = (assay_store_stripped){ 0 };
    TRY(options_take(&own, sizeof own, options, err));
    const char *compiler = own.compiler ? own.compiler : "gcc", *tags[3] = { own.os ? own.os : "posix", compiler };
    size_t count = 2;
    if (strcmp(compiler, "clang") == 0) tags[count++] = "llvm";
    if (strcmp(compiler, "llvm") == 0) tags[count++] = "clang";
    const struct strip_options o = { own.sources ? own.sources : ".", tags, count, own.tell, own.arg };
    struct input_options how = { .mem = &mem };
    TRY(input_open(&in, path, &how, err));
    int rc = strip(in, &o, &arena, &mem, write, arg, &result, err);
    *out = (assay_store_stripped){ result.lines, result.functions };
    return rc;
}
