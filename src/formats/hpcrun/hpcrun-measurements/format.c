/* The table entry of measurement directories, and their dump. */
#include <dirent.h>
#include <stdio.h>

#include "base/scoped.h"
#include "base/text.h"
#include "formats/hpcrun/hpcrun-measurements/measure.h"
#include "formats/hpcrun/hpcrun.h"

/* A folder with an .hpcrun file in it. */
static int probe(const struct probe *p, const char **why)
{
    *why = "a directory with .hpcrun files";
    DIR *dir = p->is_dir ? opendir(p->path) : NULL;
    int score = 0;
    if (!dir) return 0;
    for (struct dirent *d; score == 0 && (d = readdir(dir)) != NULL;)
        if (slice_ends(slice_of(d->d_name), ".hpcrun")) score = 80;
    closedir(dir);
    return score;
}

/* ---- dump ---- */

static int dump_file(const struct read_job *job, const struct format *format, const char *name, const char *path, struct output *out, assay_error *err)
{
    SCOPED(input_drop) struct input *in = NULL;
    struct input_options o = { .mem = job->mem, .max_output = job->options->max_output };
    assay_error why = { 0 };
    output_text(out, "==> ");
    text_show(out, slice_of(name));
    output_text(out, " <==\n");
    int rc = input_open(&in, path, &o, &why);
    if (rc == 0) rc = format->dump(&(struct read_job){ .in = in, .options = job->options, .mem = job->mem }, out, &why);
    if (rc == ASSAY_ERR_MEMORY || rc == ASSAY_ERR_WRITE || rc == ASSAY_ERR_CANCELLED) {
        *err = why;
        return rc;
    }
    if (rc != 0) output_printf(out, "cannot be read: %s\n", why.text);
    output_char(out, '\n');
    return 0;
}

static int dump_files(const struct read_job *job, const struct measure_list *l, struct output *out, assay_error *err)
{
    for (size_t i = 0; i < l->profiles.len; i++) {
        const struct measure_file *f = &l->profiles.at[i];
        TRY(dump_file(job, &hpcrun_format, f->name, f->path, out, err));
        if (f->trace_path) TRY(dump_file(job, &hpctrace_format, f->trace_name, f->trace_path, out, err));
    }
    return 0;
}

int measure_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    SCOPED(measure_list_done) struct measure_list l = { 0 };
    TRY(measure_list_open(&l, input_path(job->in), job->mem, err));
    return dump_files(job, &l, out, err);
}

static const char *const extensions[] = { NULL };
static const char *const no_versions[] = { NULL };
static const char *const styles[] = { "hpcproftt", NULL };

#define AT(member) .at = offsetof(struct measure_options, member)

static const struct option_spec reading[] = {
    { .name = "only-exe", .type = OPTION_LIST, .argument = "NAME", AT(only_exes), .help = "only the profiles of this program", .text = "Can be repeated." },
    { .name = "exclude-exe", .type = OPTION_LIST, .argument = "NAME", AT(exclude_exes), .help = "no profiles of this program", .text = "Can be repeated." },
    { .name = "no-traces", .type = OPTION_FLAG, AT(no_traces), .help = "leave out traces" },
    { .name = "dwarf-max-size",
      .type = OPTION_SIZE,
      .argument = "SIZE",
      AT(dwarf_max_size),
      .help = "for binaries larger than SIZE, use only the symbol table, not DWARF",
      .text = "K, M, G and T are powers of 1024; the default is 100M." },
    { .name = "compat",
      .type = OPTION_FLAG,
      AT(compat),
      .help = "reproduce the faults of hpcprof, to compare with its databases",
      .text = "docs/formats/hpcdb.md lists them." },
    { .name = NULL },
};

const struct format hpcrun_measurements_format = {
    .info = { .name = "hpcrun-measurements",
              .title = "HPCToolkit's measurement directories",
              .extensions = extensions,
              .versions = no_versions,
              .reads = "02.00 to 04.00",
              .holds = ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP,
              .features = ASSAY_HAS_METRICS | ASSAY_HAS_MODULES | ASSAY_HAS_COST_LINES | ASSAY_HAS_CALL_LINES | ASSAY_HAS_ADDRESSES | ASSAY_HAS_STREAMS |
                          ASSAY_HAS_64_BITS | ASSAY_HAS_FRACTIONS | ASSAY_HAS_FORMULAS },
    .probe = probe,
    .reading = { reading, sizeof(struct measure_options) },
    .read = measure_read,
    .check = measure_check,
    .dump = measure_dump,
    .styles = styles,
    .reads_parts = true,
};
