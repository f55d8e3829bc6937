/* Text in the style of hpcproftt, HPCToolkit's program that prints measurement files: what `dump --style hpcproftt` and the fprint functions of
 * assay/hpcrun_fmt.h share. Bytes of names that do not print come as \xNN. `pre` goes before the line. */
#ifndef FORMATS_HPCRUN_PRINT_H
#define FORMATS_HPCRUN_PRINT_H

#include "base/output.h"

void hpcrun_print_header(struct output *o, assay_slice magic, assay_slice version, char endian);
void hpcrun_print_pair(struct output *o, const char *pre, assay_slice name, assay_slice value);
/* "[metric-tbl: (num-entries: 3)": opens a list */
void hpcrun_print_list(struct output *o, const char *name, const char *what, uint64_t count);
void hpcrun_print_close(struct output *o, const char *pre);

/* Parts of 02.00l */
void hpcrun_print_epoch(struct output *o, uint64_t flags, uint32_t ra_distance, uint64_t granularity);
void hpcrun_print_metric_02(struct output *o, const char *pre, assay_slice name, uint64_t flags, uint64_t period);
void hpcrun_print_module_02(struct output *o, const char *pre, uint64_t address, uint64_t offset, assay_slice name, uint64_t flags);

/* A node, of any version. */
struct hpcrun_print_node {
    int64_t id, parent;
    bool is_lush, has_module, is_not_unwound;
    uint32_t assoc;
    uint64_t module, ip;
    uint32_t lip_words, value_count;
    /* Called with `arg` for each word and value; 04.00 has neither. */
    uint64_t (*lip)(const void *arg, uint32_t i);
    uint64_t (*value)(const void *arg, uint32_t i);
    bool (*is_real)(const void *arg, uint32_t i);
    const void *arg;
};
void hpcrun_print_node(struct output *o, const char *pre, const struct hpcrun_print_node *n);

/* As C's %g prints it. */
void hpcrun_print_value(struct output *o, uint64_t bits, bool is_real);

#endif
