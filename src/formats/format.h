/* What a format is: one entry of the table in src/registry.c. See CONTRIBUTING.md for how to add one. */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include "assay/format.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/input.h"
#include "base/option.h"
#include "base/output.h"
#include "base/output_dir.h"
#include "base/team.h"

/* What probes look at. */
struct probe {
    assay_slice head; /* the first bytes, unpacked: at most 64 KiB */
    bool is_whole;    /* head is the whole input */
    uint64_t len;     /* unpacked length when known, else 0 */
    const char *path;
    bool is_dir;
    enum input_packing packing; /* what head was unpacked from */
};

/* What the input of a conversion has, read or not, as far as a format may have no room for it. */
struct losses_source {
    bool is_known;
    uint32_t shapes, streams, metrics, line_metrics;                   /* ASSAY_SHAPE_*; metrics with figures, and those that lines alone have */
    uint64_t modules, files, lines, calls, entries, markers, counters; /* functions with modules, with files; places with lines */
};

/* Collects losses while a writer looks at the profile; messages are copied. Errors of memory are sticky in `failed`. */
struct losses {
    struct arena text;
    VEC(assay_loss) list;
    bool failed;
    struct losses_source source;
};
void losses_init(struct losses *l, struct mem *m);
void losses_done(struct losses *l);
/* Fills `source`, before what was read is changed for the target. */
void losses_survey(struct losses *l, const assay_profile *p);
/* Regions of coverage, which most formats have no place for. */
void losses_add_regions(struct losses *l, const assay_profile *p);
void losses_add(struct losses *l, const char *kind, uint64_t count, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

struct write_job {
    const struct assay_write_options *options;
    const char *version; /* one of info.versions */
    struct mem *mem;
    struct losses *losses;
    bool is_version_chosen;               /* else it is the first, and a writer may prefer another */
    const struct assay_format_info *info; /* of the format */
    const void *own;                      /* the structure of format.writing; NULL = nothing is set */
    const struct team *team;              /* NULL = one process; others only where the format writes_parts */
};
/* To be called when all losses are named and before the first byte is written; adds what the source has and the format lacks (info.features, info.holds) and
 * the writer did not name. Errors: LOSS (options->strict, and there are some), MEMORY. */
int losses_settle(const struct write_job *job, assay_error *err);

struct read_job {
    struct input *in;
    const struct assay_read_options *options; /* never NULL */
    struct mem *mem;
    const void *own;         /* the structure of format.reading; NULL = nothing is set */
    const struct team *team; /* NULL = one process; others only where the format reads_parts */
};

/* Options that only this format has: where the values of which keys go. Help, man page, completion and checks of keys and values come from the table. */
struct format_options {
    const struct option_spec *table; /* ends with a NULL name; NULL = none. Any type but MAP, PAIR, FORMAT, TARGET and STEP */
    size_t size;                     /* of the structure, which is zeroed first */
};

struct format {
    struct assay_format_info info;
    struct format_options reading, writing;

    /* 0 = surely not, 10 extension only, 30 plausible text, 60 distinctive keyword, 80 magic, 95 magic and consistent header.
     * Never allocates. *why is a static phrase. */
    int (*probe)(const struct probe *p, const char **why);

    /* Fills the builder. Damage: assay_build_warning and go on, or with options->strict the error. */
    int (*read)(const struct read_job *job, assay_builder *b, assay_error *err);

    /* 0 = looked at; everything found is in `out`. An error only for what keeps it from looking (system, memory). */
    int (*check)(const struct read_job *job, struct findings *out, assay_error *err);

    int (*dump)(const struct read_job *job, struct output *out, assay_error *err);
    /* Other programs whose text dump can print (options->style); ends with NULL; NULL = none. */
    const char *const *styles;

    /* Refuses what cannot be written, names the losses, calls losses_settle, and only then writes: so a writer plans once, and nothing is written when
     * a loss is refused. */
    int (*write)(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
    /* The same for a format whose files are folders; instead of write. */
    int (*write_dir)(const assay_profile *p, const struct write_job *job, struct output_dir *out, assay_error *err);
    /* Of a format that has both: whether the options ask for one file, as a name that ends with ".html" does; NULL = only that. */
    bool (*wants_file)(const struct write_job *job);
    /* What such a folder may hold, names or the ends of names after a star, ends with NULL: one that holds anything else is never replaced. */
    const char *const *dir_names;
    /* What write needs of the profile: enum assay_want bits. */
    uint32_t (*write_wants)(const struct assay_write_options *options, const char *version);
    /* write takes a tree as it is where graph shapes are wanted: no graph is made of it. */
    bool takes_trees;
    /* Functions that the target shows calls through, by default; NULL-terminated; NULL = none. */
    const char *const *(*write_proxies)(const char *version);

    /* The same format in and out: records -> records, with losses as write has them. NULL = goes through the model. */
    int (*rewrite)(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err);
    /* Another format, a dialect of this one, whose files rewrite takes too; NULL = none. */
    const char *takes;

    /* In a team of processes (base/team.h): read gives each its part of the profile (model/share.h); write_dir writes such parts as one. */
    bool reads_parts, writes_parts;
};

#endif
