/* The command line of the filter strip-excludes; what it does is the library's. */
#include "cli/cov/strip.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"

struct words_of {
    const char *sources, *os, *compiler;
    unsigned verbose;
    bool help;
};

/* --name VALUE or --name=VALUE; NULL = not this one, or no value. */
static const char *value_of(const struct filter_run *f, size_t *i, const char *name)
{
    size_t len = strlen(name);
    const char *arg = f->args[*i];
    if (strncmp(arg, name, len) != 0) return NULL;
    if (arg[len] == '=') return arg + len + 1;
    return !arg[len] && *i + 1 < f->arg_count ? f->args[++*i] : NULL;
}

static bool parse(const struct filter_run *f, struct words_of *w)
{
    *w = (struct words_of){ f->folder ? f->folder : ".", "posix", "gcc", 0, false };
    for (size_t i = 0; i < f->arg_count; i++) {
        const char *v;
        if ((v = value_of(f, &i, "--src")))
            w->sources = v;
        else if ((v = value_of(f, &i, "--os")))
            w->os = v;
        else if ((v = value_of(f, &i, "--compiler")))
            w->compiler = v;
        else if (strcmp(f->args[i], "-h") == 0 || strcmp(f->args[i], "--help") == 0)
            w->help = true;
        else if (f->args[i][0] == '-' && f->args[i][1] == 'v' && f->args[i][1 + strspn(f->args[i] + 1, "v")] == '\0')
            w->verbose += (unsigned)strspn(f->args[i] + 1, "v");
        else
            return false;
    }
    return true;
}

static void tell(void *arg, const char *path, uint32_t line, uint32_t column, const char *message)
{
    (void)arg;
    if (path && line)
        cli_message("%s:%" PRIu32 ":%" PRIu32 ": %s", path, line, column, message);
    else
        cli_message("strip-excludes: %s", message);
}

static int strip(struct cli *c, const struct filter_run *f, const struct words_of *w, struct arena *a, assay_slice *out, assay_store_stripped *result,
                 assay_error *err)
{
    struct output *text;
    const struct assay_store_strip_options o = { .size = sizeof o, .sources = w->sources, .os = w->os, .compiler = w->compiler, .tell = tell };
    TRY(output_open_memory(&text, &c->mem, err));
    int rc = assay_store_strip(f->input, &o, cov_put, text, result, err);
    assay_slice made = output_memory(text);
    const char *copy = rc == 0 ? arena_copy(a, made) : NULL;
    if (rc == 0 && !copy) rc = error_memory(err);
    *out = (assay_slice){ copy, made.len };
    output_abort(text);
    return rc;
}

int strip_run(struct cli *c, const struct filter_run *f, struct arena *a, assay_slice *out, int *status, assay_error *err)
{
    struct words_of w;
    assay_store_stripped result;
    *status = 0;
    *out = (assay_slice){ "", 0 };
    if (!parse(f, &w)) FAIL(err, ASSAY_ERR_USAGE, "strip-excludes: unknown argument; use --src DIR, --compiler NAME, --os NAME or -v");
    if (w.help) {
        c->set.output = "-";
        *out = SLICE("strip-excludes [--src DIR] [--compiler NAME] [--os NAME] [-v]\n\nRemoves from a report the lines marked by GCOV_EXCL_LINE, or by "
                     "GCOV_EXCL_START up to GCOV_EXCL_STOP, in the sources under DIR.\nA marker followed by [NAME,...] applies only to that compiler ('gcc' by "
                     "default) or system ('posix' by default).\n");
        return 0;
    }
    if (w.verbose) cli_message("strip-excludes: sources in %s, markers for %s and %s", w.sources, w.os, w.compiler);
    int rc = strip(c, f, &w, a, out, &result, err);
    if (rc == ASSAY_ERR_DAMAGED) {
        cov_say(err, 0);
        *status = 1;
        return 0;
    }
    TRY(rc);
    if (!result.lines && !result.functions)
        cli_message("strip-excludes: nothing was excluded");
    else
        cli_message("strip-excludes: excluded %" PRIu64 " line%s and %" PRIu64 " function%s", result.lines, plural(result.lines), result.functions,
                    plural(result.functions));
    return 0;
}
