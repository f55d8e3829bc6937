/* experiment.xml: elements -> records. The only parser of this document; read, check and dump take its records. It knows which section and
 * which node an element stands in, and looks nothing up. docs/formats/hpcdb-xml.md has the grammar. Damage goes to the findings list. */
#ifndef FORMATS_HPCDB_XML_DECODE_H
#define FORMATS_HPCDB_XML_DECODE_H

#include "base/vec.h"
#include "base/xml.h"
#include "formats/format.h"

enum { HX_DEPTH_MAX = 100000, HX_NAME_MAX = 1 << 20 };
#define HX_ID_MAX INT64_C(2147483647)

enum hx_kind {
    HX_ROOT,      /* version */
    HX_TITLE,     /* n */
    HX_SECTION,   /* is_flat; n */
    HX_METRIC,    /* attributes */
    HX_FORMULA,   /* of the metric before */
    HX_FACT,      /* NV of the metric before */
    HX_METRIC_DB, /* attributes */
    HX_TRACE_DB,  /* attributes */
    HX_SIDE_FILE, /* a file of the compact prototype (3.0) */
    HX_TABLE,     /* the table of `name` begins */
    HX_NAME,      /* an entry of it */
    HX_DATA,
    HX_NODE,
    HX_NODE_END,
    HX_VALUE,
    HX_DATA_END
};
enum hx_name_kind { HX_MODULES, HX_FILES, HX_PROCEDURES, HX_IDENTIFIERS, HX_NAME_KINDS };
enum hx_tag { HX_PF, HX_PR, HX_C, HX_L, HX_S, HX_SCC, HX_LM, HX_F, HX_P, HX_A, HX_TAGS, HX_NO_TAG = HX_TAGS };
enum { HX_HAS_ID = 1, HX_HAS_TRACE_ID = 2, HX_HAS_VALUE = 4 };

struct hx_record {
    enum hx_kind kind;
    uint64_t off; /* of the '<' */
    const char *tag_name;
    const char *const *attributes;
    bool is_flat;
    enum hx_name_kind names;
    /* nodes */
    enum hx_tag tag;
    uint8_t has;          /* HX_HAS_ID, HX_HAS_TRACE_ID; of a value HX_HAS_VALUE */
    uint32_t depth;       /* 1 = below the data section */
    int64_t id, trace_id; /* i, it */
    uint32_t line;        /* the first of l; 0 = unknown */
    uint64_t address;     /* v; 0 = unknown */
    const char *n, *f, *lm;
    /* values */
    double value;
};

typedef int (*hx_fn)(void *arg, const struct hx_record *r);

struct hx_decoder {
    hx_fn take;
    void *arg;
    struct mem *mem;
    struct findings *damage;
    assay_error *err;
    bool has_root, is_refused, has_data; /* refused: the root is none that can be read */
    /* where it stands */
    unsigned sections;
    bool is_skipping, in_metric, in_data;
    VEC(uint8_t) open; /* elements of the data section: enum hx_tag */
    uint32_t depth;    /* how many of them are nodes */
};

/* Every record goes to take(arg, record), in order; what it returns other than 0 ends the work and is returned. Strings last for the call.
 * Damage of the document is a finding (HX01 to HX05, HX06, HX09, HX11, HX17, HX18, HX50). Errors: those of input, of memory, of take. */
int hx_decode(struct hx_decoder *d, struct input *in, assay_error *err);

/* A whole decimal number, perhaps negative; false = it is none, or beyond 2^62. */
bool hx_number(const char *text, int64_t *out);
const char *hx_tag_name(enum hx_tag tag);
const char *hx_names_name(enum hx_name_kind kind);

#endif
