/* perf.data of Linux perf: bytes -> records, the only parser of the format, and what the files of this folder give to the table in format.c. The layout is
 * in docs/formats/perf-data.md. */
#ifndef FORMATS_PERF_DATA_H
#define FORMATS_PERF_DATA_H

#include "base/arena.h"
#include "base/folder.h"
#include "base/index.h"
#include "base/inflate.h"
#include "base/path.h"
#include "formats/format.h"

/* ---- bytes (source.c) ---- */

/* A file that stays where it is, seen through a window, or bytes in memory. */
struct pd_source {
    struct input *in, *own; /* own = to be closed */
    const unsigned char *whole;
    uint64_t len;
    unsigned char *window;
    uint64_t base; /* of the window */
    size_t have;
};
enum { PD_WINDOW = 1 << 18 };

int pd_source_open(struct pd_source *s, struct input *in, struct mem *mem, assay_error *err);
void pd_source_close(struct pd_source *s, struct mem *mem);
const unsigned char *pd_source_fill(struct pd_source *s, uint64_t off, size_t len);
/* `len` bytes (at most PD_WINDOW) in one piece, borrowed until the next call; NULL = the file ends before. */
static inline const unsigned char *pd_bytes(struct pd_source *s, uint64_t off, size_t len)
{
    if (off > s->len || len > s->len - off) return NULL;
    if (s->whole) return s->whole + off;
    if (off >= s->base && off - s->base <= s->have && len <= s->have - (size_t)(off - s->base)) return s->window + (off - s->base);
    return pd_source_fill(s, off, len);
}
/* Any number of bytes, in the arena; {NULL, 0} = the file ends before, or no memory (*failed). */
assay_slice pd_copy(struct pd_source *s, uint64_t off, uint64_t len, struct arena *text, bool *failed);

/* ---- attributes: what an event is, and what its samples hold ---- */

enum pd_sample_bit {
    PD_IP = 1 << 0,
    PD_TID = 1 << 1,
    PD_TIME = 1 << 2,
    PD_ADDR = 1 << 3,
    PD_READ = 1 << 4,
    PD_CALLCHAIN = 1 << 5,
    PD_ID = 1 << 6,
    PD_CPU = 1 << 7,
    PD_PERIOD = 1 << 8,
    PD_STREAM_ID = 1 << 9,
    PD_RAW = 1 << 10,
    PD_BRANCH_STACK = 1 << 11,
    PD_REGS_USER = 1 << 12,
    PD_STACK_USER = 1 << 13,
    PD_WEIGHT = 1 << 14,
    PD_DATA_SRC = 1 << 15,
    PD_IDENTIFIER = 1 << 16,
    PD_TRANSACTION = 1 << 17,
    PD_REGS_INTR = 1 << 18,
    PD_PHYS_ADDR = 1 << 19,
    PD_AUX = 1 << 20,
    PD_CGROUP = 1 << 21,
    PD_DATA_PAGE_SIZE = 1 << 22,
    PD_CODE_PAGE_SIZE = 1 << 23,
    PD_WEIGHT_STRUCT = 1 << 24
};
enum pd_read_bit { PD_READ_ENABLED = 1, PD_READ_RUNNING = 2, PD_READ_ID = 4, PD_READ_GROUP = 8, PD_READ_LOST = 16 };
enum pd_flag {
    PD_INHERIT = 1,
    PD_EXCLUDE_USER = 4,
    PD_EXCLUDE_KERNEL = 5,
    PD_FREQ = 10,
    PD_SAMPLE_ID_ALL = 18,
    PD_EXCLUDE_CHAIN_USER = 22
}; /* numbers of bits */
enum pd_branch_bit { PD_BRANCH_CALL_STACK = 11, PD_BRANCH_HW_INDEX = 17, PD_BRANCH_COUNTERS = 19 };

struct pd_attr {
    uint32_t type, size;
    uint64_t config, period, sample_type, read_format, flags, branch_type, regs_user, regs_intr;
    uint64_t off;     /* of the attribute in the file */
    assay_slice name; /* what perf calls the event; terminated */
    uint32_t ids;
    /* where a sample has them, PD_NOWHERE = it does not; and how long all of them are */
    uint8_t ip_at, tid_at, time_at, addr_at, id_at, cpu_at, period_at, fixed_len;
    uint8_t trailer_len, trailer_tid, trailer_time, trailer_id; /* of sample_id; places from its beginning */
};
enum { PD_NOWHERE = 0xff };
static inline bool pd_has(const struct pd_attr *a, enum pd_flag bit) { return a->flags >> bit & 1; }

struct pd_id {
    uint64_t id;
    uint32_t attr; /* from 1 */
};

/* ---- features ---- */

enum pd_feature_number {
    PD_FEATURE_TRACING_DATA = 1,
    PD_FEATURE_BUILD_ID = 2,
    PD_FEATURE_HOSTNAME = 3,
    PD_FEATURE_OSRELEASE,
    PD_FEATURE_VERSION,
    PD_FEATURE_ARCH,
    PD_FEATURE_NRCPUS,
    PD_FEATURE_CPUDESC,
    PD_FEATURE_CPUID,
    PD_FEATURE_TOTAL_MEM,
    PD_FEATURE_CMDLINE,
    PD_FEATURE_EVENT_DESC,
    PD_FEATURE_SAMPLE_TIME = 21,
    PD_FEATURE_CLOCKID = 23,
    PD_FEATURE_DIR_FORMAT = 24,
    PD_FEATURE_COMPRESSED = 27
};

struct pd_feature {
    uint32_t number;
    uint64_t off, len;
};
struct pd_build_id {
    assay_slice path; /* terminated */
    uint16_t misc;
    char hex[41];
};
/* What features say; empty = nothing. Texts are terminated. */
struct pd_facts {
    assay_slice hostname, os_release, version, arch, cpu, cpu_id, cmdline;
    uint32_t cpus_available, cpus_online;
    uint64_t memory_kb, first_time, last_time;
    bool has_cpus, has_memory, has_times, has_dir, has_compression;
    uint32_t compression;
};

/* ---- records ---- */

enum pd_type {
    PD_MMAP = 1,
    PD_LOST = 2,
    PD_COMM = 3,
    PD_EXIT = 4,
    PD_THROTTLE = 5,
    PD_UNTHROTTLE = 6,
    PD_FORK = 7,
    PD_SAMPLE = 9,
    PD_MMAP2 = 10,
    PD_LOST_SAMPLES = 13,
    PD_NAMESPACES = 16,
    PD_KSYMBOL = 17,
    PD_LAST_KERNEL = 22,
    PD_HEADER_ATTR = 64,
    PD_HEADER_TRACING_DATA = 66,
    PD_HEADER_BUILD_ID = 67,
    PD_FINISHED_ROUND = 68,
    PD_AUXTRACE_INFO = 70,
    PD_AUXTRACE = 71,
    PD_EVENT_UPDATE = 78,
    PD_HEADER_FEATURE = 80,
    PD_COMPRESSED = 81,
    PD_COMPRESSED2 = 83,
    PD_LAST_USER = 86,
    PD_SIMPLEPERF = 32768, /* types of Android's simpleperf begin here */
    PD_END = UINT32_MAX
};
enum pd_misc {
    PD_MODE = 7,
    PD_KERNEL = 1,
    PD_USER = 2,
    PD_HYPERVISOR = 3,
    PD_GUEST_KERNEL = 4,
    PD_GUEST_USER = 5,
    PD_BIT_13 = 1 << 13,
    PD_BIT_14 = 1 << 14,
    PD_BIT_15 = 1 << 15
};

struct pd_record {
    uint32_t type;
    uint16_t misc;
    size_t size;   /* with its header */
    uint64_t off;  /* in its file; of what was compressed, the offset of the compressed record */
    uint64_t seq;  /* number of the record */
    uint32_t file; /* 0, or in a directory: of data.N from 1 */
    const unsigned char *data;
    size_t len; /* of what follows the header */
    bool is_inner;
};

struct pd_decoder {
    const struct read_job *job;
    struct mem *mem;
    struct findings *damage;
    assay_error *err;
    struct arena text;
    bool is_big, is_pipe, is_dir, is_dead /* nothing can be read */, is_quiet /* a second pass */, failed;
    bool is_unfinished, is_cut;
    struct pd_source source;
    uint64_t header_size, attr_size, attrs_off, attrs_len, data_off, data_len, data_end;
    VEC(struct pd_attr) attrs;
    VEC(struct pd_id) ids;       /* from 1 */
    struct index by_id, by_path; /* ids; build_ids */
    VEC(struct pd_feature) features;
    VEC(struct pd_build_id) build_ids;
    VEC(uint32_t) unknown_types; /* that PD09 was said of */
    struct pd_facts facts;
    struct folder folder;    /* of a directory */
    VEC(const char *) files; /* paths of data.0, data.1, ... */

    /* where reading stands */
    struct pd_source part; /* of a directory: data.N */
    uint32_t file;         /* 0 = source, else `part` is files[file - 1] */
    uint64_t at, end, seq;
    bool is_over;

    /* the open compressed record */
    struct inflate *inflate;
    VEC(unsigned char) plain; /* unpacked, not used yet: from plain_at */
    size_t plain_at;
    VEC(unsigned char) packed; /* left of it */
    size_t packed_at;
    uint64_t packed_off, unpacked;
    bool is_inner, is_lost /* the compressed stream is damaged */, has_packed;
};

/* Header, attributes and features; is_dead = none of the rest can be read, and why is among the findings. Errors: SYSTEM, MEMORY. */
int pd_open(struct pd_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err);
void pd_close(struct pd_decoder *d);
/* The next record in the order of the file; PD_END once there is none. Attributes, names and build ids that come as records are taken in. */
int pd_next(struct pd_decoder *d, struct pd_record *r);
/* The next record, if it is a sample that is at hand: then no byte moves. false = pd_next has to be asked. */
bool pd_next_sample(struct pd_decoder *d, struct pd_record *r);
/* Passes over samples that are at hand, and gives how many: what only wants the others need not look at each. */
uint64_t pd_skip_samples(struct pd_decoder *d);
/* Back to the first record. What is found from now on was said before. */
int pd_again(struct pd_decoder *d);

/* ---- inside of the decoder ---- */

#define pd_found(d, rule, severity, off, ...)                                                                                                                  \
    do {                                                                                                                                                       \
        if (!(d)->is_quiet) findings_add((d)->damage, (rule), (severity), (off), 0, __VA_ARGS__);                                                              \
    } while (0)
/* An attribute of `len` bytes with its own size field, into the list; 0 = no memory or damage. (header.c) */
uint32_t pd_attr_add(struct pd_decoder *d, const unsigned char *p, size_t len, uint64_t off);
/* The event of an id, from 1; 0 = none. (sample.c) */
uint32_t pd_attr_of_id(const struct pd_decoder *d, uint64_t id);
bool pd_attr_id(struct pd_decoder *d, uint32_t attr, uint64_t id);
/* What follows from all attributes together. */
void pd_attrs_settle(struct pd_decoder *d);
/* A feature's bytes. (features.c) */
void pd_feature_take(struct pd_decoder *d, uint32_t number, assay_slice bytes, uint64_t off);
/* Opens data.N, the file-th of a directory, as `part`. (header.c) */
int pd_part_open(struct pd_decoder *d, uint32_t file);
bool pd_feature_is_read(uint32_t number);
void pd_build_id_take(struct pd_decoder *d, uint16_t misc, const unsigned char *p, size_t len, uint64_t off);
const struct pd_build_id *pd_build_id(const struct pd_decoder *d, assay_slice path);
/* cycles, cpu-clock:u, ... from type and config; terminated, in d->text. (names.c) */
assay_slice pd_event_label(struct pd_decoder *d, const struct pd_attr *a);
/* Of a record type, NULL = unknown; of a feature; of a bit of sample_type. */
const char *pd_type_name(uint32_t type);
const char *pd_feature_name(uint32_t number);

static inline uint16_t pd_u16(const struct pd_decoder *d, const unsigned char *p)
{
    return d->is_big ? (uint16_t)(p[0] << 8 | p[1]) : (uint16_t)(p[1] << 8 | p[0]);
}
static inline uint32_t pd_u32(const struct pd_decoder *d, const unsigned char *p)
{
    uint32_t v = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    return d->is_big ? __builtin_bswap32(v) : v;
}
static inline uint64_t pd_u64(const struct pd_decoder *d, const unsigned char *p)
{
    uint64_t v = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
                 (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
    return d->is_big ? __builtin_bswap64(v) : v;
}

/* ---- what records say (sample.c) ---- */

struct pd_sample {
    uint32_t attr; /* from 1 */
    uint64_t ip, time, id, addr, period;
    int32_t pid, tid;
    uint32_t cpu;
    uint16_t misc;
    bool has_time, has_ip;
    const unsigned char *chain; /* u64 each, in the order of the file */
    uint32_t chain_len;
    const unsigned char *read;     /* READ: what follows the head of a group, or the value */
    uint32_t read_len;             /* values */
    const unsigned char *branches; /* from, to, flags: u64 each */
    uint32_t branch_len;
    const unsigned char *regs, *stack;
    uint64_t abi;
    uint32_t stack_len, stack_room; /* bytes that are valid, and that are there */
    size_t rest;                    /* bytes after the last field */
};
enum pd_fit { PD_FITS, PD_NO_ATTR, PD_UNKNOWN_ID, PD_SHORT };
enum pd_fit pd_sample(const struct pd_decoder *d, const struct pd_record *r, struct pd_sample *s);
/* Value i of READ, with the id it belongs to. */
void pd_sample_value(const struct pd_decoder *d, const struct pd_sample *s, uint32_t i, uint64_t *id, uint64_t *value);

/* What stands at the end of other records of the kernel. */
struct pd_trailer {
    uint64_t time; /* 0 = none */
    size_t body;   /* bytes of the record before it */
    bool is_short;
};
struct pd_trailer pd_trailer(const struct pd_decoder *d, const struct pd_record *r);

struct pd_mapping {
    int32_t pid, tid;
    uint64_t start, len, pgoff;
    uint32_t prot;
    assay_slice path;
    char build_id[41]; /* "" = none */
    bool is_data;
};
struct pd_task { /* COMM, FORK, EXIT */
    int32_t pid, ppid, tid, ptid;
    uint64_t time;
    assay_slice comm;
};
struct pd_ksymbol {
    uint64_t addr;
    uint32_t len;
    uint16_t flags;
    assay_slice name;
};
/* false = the record is too short, or a text in it does not end (PD10, PD25: told by the caller). `body` of its trailer. */
bool pd_mapping(const struct pd_decoder *d, const struct pd_record *r, size_t body, struct pd_mapping *out);
bool pd_task(const struct pd_decoder *d, const struct pd_record *r, size_t body, struct pd_task *out);
bool pd_ksymbol(const struct pd_decoder *d, const struct pd_record *r, size_t body, struct pd_ksymbol *out);
/* Whether the text that ends a record has no end of its own. */
bool pd_is_open_text(const struct pd_record *r, size_t from, size_t body);

/* Marks among the addresses of a chain. */
#define PD_MARK_LEAST (UINT64_MAX - 4094)
#define PD_MARK_HYPERVISOR (0 - (uint64_t)32)
#define PD_MARK_KERNEL (0 - (uint64_t)128)
#define PD_MARK_USER (0 - (uint64_t)512)
#define PD_MARK_DEFERRED (0 - (uint64_t)640)
#define PD_MARK_GUEST_KERNEL (0 - (uint64_t)2176)
#define PD_MARK_GUEST_USER (0 - (uint64_t)2560)

/* ---- the table ---- */

struct pd_options { /* -O */
    const char *kallsyms;
    bool inlined, no_unwind;
};

int pd_read(const struct read_job *job, assay_builder *b, assay_error *err);
int pd_check(const struct read_job *job, struct findings *out, assay_error *err);
int pd_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif
