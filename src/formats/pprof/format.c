/* The table entry of pprof, and how it is recognised: there is no magic number, so the fields of the outermost message have to be those of Profile. */
#include "formats/pprof/decode.h"

/* Wire types of Profile's fields. */
static bool is_field(const struct proto_field *f)
{
    bool is_message = f->wire == PROTO_BYTES, is_number = f->wire == PROTO_VARINT;
    switch (f->number) {
    case PPROF_SAMPLE_TYPE:
    case PPROF_SAMPLE:
    case PPROF_MAPPING:
    case PPROF_LOCATION:
    case PPROF_FUNCTION:
    case PPROF_STRING:
    case PPROF_PERIOD_TYPE: return is_message;
    case PPROF_COMMENT: return is_message || is_number;
    default: return f->number < PPROF_FIELDS && is_number;
    }
}

/* A ValueType is two small numbers: what other messages begin with here are messages themselves. */
static bool is_value_type(assay_slice bytes)
{
    struct cursor c = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    enum proto_status status;
    while ((status = proto_next(&c, &f)) == PROTO_FIELD)
        if (f.number > 3 || f.wire != PROTO_VARINT) return false;
    return status == PROTO_END;
}

/* The field at hand goes on beyond what probes see. */
static bool is_cut(struct cursor c, const struct probe *p)
{
    uint64_t key, len;
    if (p->is_whole) return false;
    return !proto_varint(&c, &key) || ((key & 7) == PROTO_BYTES && key >> 3 <= PPROF_STRING && key >> 3 && (!proto_varint(&c, &len) || len > cursor_left(&c)));
}

static int pprof_probe(const struct probe *p, const char **why)
{
    struct cursor c = cursor_of(p->head.data, p->head.len);
    struct proto_field f;
    enum proto_status status;
    unsigned types = 0, strings = 0, others = 0;
    if (p->is_dir || !p->head.len) return 0;
    while ((status = proto_next(&c, &f)) == PROTO_FIELD) {
        if (!is_field(&f)) return 0;
        if (f.number == PPROF_SAMPLE_TYPE && !is_value_type(f.bytes)) return 0;
        if (f.number == PPROF_STRING && !strings && f.bytes.len && !types) return 0;
        types += f.number == PPROF_SAMPLE_TYPE;
        strings += f.number == PPROF_STRING;
        others += f.number == PPROF_SAMPLE || f.number == PPROF_LOCATION || f.number == PPROF_FUNCTION;
    }
    *why = "the fields of pprof's profile.proto";
    bool is_damaged = status == PROTO_DAMAGED && !is_cut(c, p);
    if (types && strings > 1 && !is_damaged) return 80;
    if (types && (others || strings)) return is_damaged ? 50 : 70;
    return strings > 1 && others && !is_damaged ? 60 : 0;
}

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)version;
    uint32_t graph = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS, tree = ASSAY_WANT_TREE | ASSAY_WANT_LABELS;
    if (options && options->estimate) return tree | graph;
    return options && options->no_estimate ? tree : tree | ASSAY_WANT_EITHER | graph;
}

static const char *const extensions[] = { ".pb.gz", ".pb", ".pprof", NULL };
static const char *const versions[] = { "profile.proto", NULL };

const struct format pprof_format = {
    .info = { "pprof", "pprof's profile.proto: Go, and many other profilers", extensions, versions, "all", ASSAY_SHAPE_TREE | ASSAY_SHAPE_LABELS,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE,
              ASSAY_HAS_METRICS | ASSAY_HAS_MODULES | ASSAY_HAS_FILES | ASSAY_HAS_COST_LINES | ASSAY_HAS_CALL_LINES | ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE },
    .probe = pprof_probe,
    .read = pprof_read,
    .check = pprof_check,
    .dump = pprof_dump,
    .write = pprof_write,
    .write_wants = write_wants,
};
