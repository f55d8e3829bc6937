/* What the parts of check share. Each part looks at one file or one question; the decoder has said before what it could not decode. */
#ifndef FORMATS_HPCDB_CHECK_H
#define FORMATS_HPCDB_CHECK_H

#include "formats/hpcdb/ids.h"
#include "formats/hpcdb/open.h"

/* What a metric id stands for. */
struct hpcdb_column {
    uint8_t is_known;
    uint8_t type;    /* of its scope */
    uint8_t index;   /* of its scope */
    uint8_t combine; /* statistics only */
    bool is_function, is_lex_aware;
    uint16_t metric;      /* number of the metric */
    assay_slice formula;  /* statistics only */
    uint32_t scope;       /* number of the scope */
    uint16_t instance_id; /* statistics: the id of the same metric and scope in thread profiles */
    bool has_instance;
    uint16_t id;
};

/* Columns by metric id: few of the ids are in use. */
struct hpcdb_columns {
    uint32_t *at;                  /* by metric id: its place in the list, 0 = not known; HPCDB_CHECK_IDS entries */
    VEC(struct hpcdb_column) list; /* [0] stands for those that are not known */
};
enum { HPCDB_CHECK_IDS = 1 << 16 };
static inline const struct hpcdb_column *hpcdb_column_of(const struct hpcdb_columns *c, uint16_t id) { return &c->list.at[c->at[id]]; }

/* A context of the tree, by its number in the walk. */
struct hpcdb_check_node {
    uint32_t parent; /* its number; 0 = an entry */
    uint8_t relation, lexical;
    bool is_entry;
    uint64_t off;
};

struct hpcdb_checker {
    const struct read_job *job;
    struct mem *mem;
    struct findings *out;
    struct hpcdb db;
    struct hpcdb quiet; /* the same, for what is decoded again */
    struct hpcdb_inputs inputs;
    struct hpcdb_columns prop, stat;   /* of thread profiles; of the summary */
    struct hpcdb_ids nodes;            /* contexts of the tree, number = order of the walk */
    VEC(struct hpcdb_check_node) tree; /* [0] is not used */
    uint64_t done, total, told_ns;     /* bytes looked at, bytes of all files, when progress was last told */
    uint32_t largest_id;               /* of the tree */
    uint8_t *has_value;                /* by number of the context, a byte each: some profile has a value of it */
    uint64_t hidden;                   /* contexts with values that are not in the tree */
};

/* Some bytes that something claims. */
struct hpcdb_span {
    uint64_t begin, end, field; /* field: where the claim stands */
    uint32_t number;
};
/* Sorts them by begin and names every one that begins before the end of another. */
void hpcdb_check_overlaps(struct hpcdb_checker *c, enum hpcdb_part part, const char *rule, const char *what, struct hpcdb_span *spans, size_t count);

static inline bool hpcdb_check_has(const struct hpcdb_checker *c, enum hpcdb_part part) { return c->db.file[part].is_ok; }

/* Tells progress some ten times a second; `more` bytes have been looked at. Errors: CANCELLED. */
int hpcdb_check_progress(struct hpcdb_checker *c, uint64_t more, assay_error *err);

int hpcdb_check_meta(struct hpcdb_checker *c, assay_error *err);
int hpcdb_check_tree(struct hpcdb_checker *c, assay_error *err);
int hpcdb_check_profiles(struct hpcdb_checker *c, assay_error *err);
/* Also against profile.db, value by value. */
int hpcdb_check_cct(struct hpcdb_checker *c, assay_error *err);
int hpcdb_check_traces(struct hpcdb_checker *c, assay_error *err);
/* metrics/default.yaml. */
int hpcdb_check_yaml(struct hpcdb_checker *c, assay_error *err);
/* Sums and propagation. */
int hpcdb_check_deep(struct hpcdb_checker *c, assay_error *err);

#endif
