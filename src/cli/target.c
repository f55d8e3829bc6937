/* The format to write: what --to says, else the extension of the output; see target.h. */
#include "cli/target.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/hints.h"

static bool ends_with(const char *path, const char *extension)
{
    size_t len = strlen(path), ext = strlen(extension);
    return len > ext && strcmp(path + len - ext, extension) == 0;
}

/* The longest extension of the format that `path` has; 0 = none. */
static size_t match(const struct assay_format_info *f, const char *path)
{
    size_t best = 0;
    if (!(f->can & ASSAY_CAN_WRITE)) return 0;
    for (const char *const *e = f->extensions; e && *e; e++)
        if (ends_with(path, *e) && strlen(*e) > best) best = strlen(*e);
    return best;
}

/* What the extension of the output says. NULL = nothing or too much; printed. */
static const char *target_by_extension(const struct cli *c)
{
    const char *path = c->set.output;
    char names[400] = "";
    const char *name = NULL;
    size_t best = 0, found = 0;
    for (size_t i = 0; i < assay_format_count(); i++)
        if (match(assay_format_at(i), path) > best) best = match(assay_format_at(i), path);
    for (size_t i = 0; best && i < assay_format_count(); i++) {
        if (match(assay_format_at(i), path) != best) continue;
        size_t used = strlen(names);
        name = assay_format_at(i)->name;
        found++;
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", name);
    }
    if (found == 1) return name;
    if (found)
        cli_usage(c->verb, "the extension of '%s' could mean %s; use --to", path, names);
    else
        cli_usage(c->verb, "cannot tell the output format from '%s'; use --to", path);
    return NULL;
}

const char *cli_find_target(const struct cli *c)
{
    bool to_file = c->set.output && strcmp(c->set.output, "-") != 0;
    if (!c->set.output && isatty(STDOUT_FILENO)) {
        cli_usage(c->verb, "standard output is a terminal; use -o FILE");
        return NULL;
    }
    if (c->set.json && !to_file) {
        cli_usage(c->verb, "--json needs -o FILE, because the result itself goes to standard output");
        return NULL;
    }
    if (c->set.to) return c->set.to;
    if (to_file) return target_by_extension(c);
    cli_usage(c->verb, "no output format given; use --to FORMAT");
    return NULL;
}

void cli_target_name(const char *target, char *name, size_t len) { snprintf(name, len, "%.*s", (int)strcspn(target, ":"), target); }

void cli_print_losses(const assay_losses *losses)
{
    for (size_t i = 0; losses && i < losses->count; i++)
        cli_message("loss: %s: %s%s", losses->at[i].kind, losses->at[i].message, hint_of_loss(losses->at[i].kind));
}

void cli_print_findings(const assay_finding *f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char more[48] = "";
        if (f[i].severity == ASSAY_INFO) continue;
        if (f[i].repeats) snprintf(more, sizeof more, " (and %llu more)", (unsigned long long)f[i].repeats);
        cli_message("%s %s: %s%s%s", assay_severity_name(f[i].severity), f[i].rule, f[i].message, hint_of_finding(f[i].rule), more);
    }
}

static int put(void *out, const char *data, size_t len)
{
    output_bytes(out, data, len);
    return output_failed(out);
}

void cli_print_written(struct cli *c, const struct assay_written *what)
{
    assay_error err = { 0 };
    struct output *out;
    c->set.output = NULL;
    if (!cli_open_output(c, &out)) return;
    int rc = assay_report_written(what, &(struct assay_report_sink){ .size = sizeof(struct assay_report_sink), .arg = out, .write = put }, &err);
    if (rc == 0 || output_failed(out)) {
        cli_close_output(c, out);
        return;
    }
    cli_fail_write(c, &err);
    output_abort(out);
}
