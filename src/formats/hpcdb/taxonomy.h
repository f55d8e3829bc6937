/* metrics/default.yaml: which columns a viewer shows of the metrics, under which names (docs/formats/hpcdb.md, "Columns"). */
#ifndef FORMATS_HPCDB_TAXONOMY_H
#define FORMATS_HPCDB_TAXONOMY_H

#include "base/index.h"
#include "base/yaml.h"
#include "formats/hpcdb/decode.h"

#define HPCDB_YAML "metrics/default.yaml"

/* One number that columns are made of. */
struct hpcdb_column_input {
    assay_slice metric, scope, formula, combine; /* {NULL, 0} = not said */
    uint32_t node;
};

/* A column, as far as it is about one metric: the metric and scopes of its first variant. */
struct hpcdb_column_root {
    assay_slice name, description;
    bool is_hidden;
    bool is_computed;                         /* from several numbers, or none at all */
    assay_slice metric;                       /* of one that is not */
    assay_slice inclusive, custom, exclusive; /* scopes; {NULL, 0} = none. `custom` is what a tree shows as exclusive, `exclusive` what other views do */
    uint32_t node;
};

struct hpcdb_taxonomy {
    struct yaml yaml;
    struct yaml_fault fault; /* text[0] = 0: none */
    bool is_there;
    VEC(struct hpcdb_column_input) inputs; /* by `number_of`, from 1 */
    VEC(struct hpcdb_column_root) roots;   /* those below others too */
    VEC(uint32_t) number_of;               /* by node: the input that it is + 1 */
    struct index by_metric;                /* the first root of each metric that is not computed */
};

/* Reads the file of the database in `dir`; one that is not there gives no columns. A text that is not as it should be is reported by `fault`, and what was
 * understood stays. Errors: MEMORY. hpcdb_taxonomy_done in any case. */
int hpcdb_taxonomy_read(struct hpcdb_taxonomy *t, const char *dir, struct mem *mem, assay_error *err);
/* The same from memory. */
int hpcdb_taxonomy_parse(struct hpcdb_taxonomy *t, assay_slice text, struct mem *mem, assay_error *err);
void hpcdb_taxonomy_done(struct hpcdb_taxonomy *t);

/* The formula of what a column shows as inclusive, else as exclusive; 0 = none. */
uint32_t hpcdb_taxonomy_formula(const struct hpcdb_taxonomy *t, const struct hpcdb_column_root *root);
/* The first column that shows this metric as it is, or NULL. */
const struct hpcdb_column_root *hpcdb_taxonomy_column(const struct hpcdb_taxonomy *t, assay_slice metric);

#endif
