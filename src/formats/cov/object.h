/* The records of a coverage store, as docs/formats/cov.md lays them out, and the way between them and their bytes. Decoding is in decode.c,
 * encoding in encode.c, unpacking and packing in frame.c.
 *
 * Lines of functions count from 1 in these records, whatever the dialect counts from. Strings are slices of the object's bytes. */
#ifndef FORMATS_COV_OBJECT_H
#define FORMATS_COV_OBJECT_H

#include "assay/store.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/vec.h"

enum { COV_ID_LEN = 20, COV_ID_HEX = 40, COV_HITS_MAX = 0x7fffffff };
#define COV_MAX_BYTES ((uint64_t)256 << 20) /* rule C05: what an object may unpack to unless the caller says otherwise */

enum cov_dialect { COV_DIALECT_ANY, COV_DIALECT_COV, COV_DIALECT_SPEC };
enum cov_framing { COV_BARE, COV_ZLIB, COV_GZIP };
enum cov_kind { COV_NONE, COV_REPORT, COV_BUILD, COV_FILES, COV_LINES, COV_FUNCTIONS };

struct cov_report {
    assay_store_id parent, file_list;
    uint64_t added; /* seconds since 1970 */
    assay_slice branch, author_name, author_email, committer_name, committer_email, message;
    assay_store_id commit;
    uint64_t committed;
    assay_store_stats stats;
    assay_store_build *builds;
    size_t build_count;
};

struct cov_build {
    assay_store_id file_list;
    uint64_t added;
    assay_slice propset;
    assay_store_stats stats;
};

struct cov_details {
    assay_store_pair summary;
    assay_store_id id;
};
struct cov_file {
    assay_slice path;
    assay_store_id contents; /* a git blob */
    uint32_t lines_total;
    struct cov_details lines, functions, branches; /* the latter two are zero in a basic list */
};
struct cov_files {
    bool ext; /* entries have functions and branches */
    struct cov_file *at;
    size_t count;
};

struct cov_line {
    uint32_t line, hits;
};
struct cov_lines {
    struct cov_line *at; /* the counted lines in ascending order, each once; of a line counted twice the later */
    size_t count;
    uint32_t *word;     /* the number of the word that each comes from; NULL in records that were not read */
    uint32_t last_line; /* where the decoder stands after the last word: the number of lines of the file */
    uint32_t words, runs;
    bool wrapped; /* line 1 was reached by overflow */
};

struct cov_function {
    assay_slice name, demangled;
    uint32_t count;
    uint32_t first_line, first_column, last_line, last_column;
    uint64_t off; /* of the entry in the unpacked bytes */
};
struct cov_functions {
    struct cov_function *at;
    size_t count;
};

/* Where the variable parts lie, in units of 4 bytes as the header has them. */
struct cov_layout {
    uint32_t strings_offset, strings_size;
    uint32_t entries_offset, entry_size, entry_count;
};

struct cov_object {
    enum cov_kind kind; /* COV_NONE = could not be told, or too damaged */
    enum cov_dialect dialect;
    bool big_endian;
    uint32_t version; /* major << 16 | minor */
    struct cov_layout layout;
    assay_slice bytes; /* unpacked */
    union {
        struct cov_report report;
        struct cov_build build;
        struct cov_files files;
        struct cov_lines lines;
        struct cov_functions functions;
    };
};

/* ---- ids ---- */

assay_store_id cov_id_of(const void *data, size_t len);
bool cov_id_is_zero(const assay_store_id *id);
int cov_id_compare(const assay_store_id *a, const assay_store_id *b);
/* Exactly 40 hexadecimal digits, either case; false = something else. */
bool cov_id_parse(assay_slice text, assay_store_id *out);
/* 40 lower-case digits and a terminator. Returns `hex`. */
char *cov_id_hex(const assay_store_id *id, char hex[COV_ID_HEX + 1]);

/* "report", "build", "files", "lines", "functions"; "" for COV_NONE. Static storage. */
const char *cov_kind_name(enum cov_kind kind);
const char *cov_framing_name(enum cov_framing framing);

/* ---- bytes -> record ---- */

/* Parses unpacked bytes. What is wrong goes to `findings` (rules C06 to C23) with its offset in the unpacked bytes; as much as is whole is kept,
 * and out->kind is COV_NONE when nothing is. `data` and the arena must outlive the record. `framing` helps to tell the dialects apart unless
 * `dialect` does. No allocation is larger than a small multiple of len. Errors: MEMORY. */
int cov_object_parse(const void *data, size_t len, enum cov_framing framing, enum cov_dialect dialect, struct cov_object *out, struct arena *a,
                     struct findings *findings, assay_error *err);
/* What a sound layout can still say wrong: rules C30 to C34. */
void cov_object_check(const struct cov_object *o, struct findings *findings);

/* How many lines there are, and how many were hit. */
assay_store_pair cov_lines_sum(const struct cov_lines *l);
/* The same of functions: those with equal first and last line and column are one, hit when any of them is. false = no memory. */
bool cov_functions_sum(const struct cov_functions *f, struct mem *mem, assay_store_pair *out);

/* Unpacks the bytes of files: zlib, gzip, or neither. One set-up and one buffer for all of them. */
struct cov_unpacker {
    struct mem *mem;
    struct inflate *zlib, *gzip;
    VEC(uint8_t) room;
};
void cov_unpacker_init(struct cov_unpacker *u, struct mem *mem);
void cov_unpacker_done(struct cov_unpacker *u);
/* *out is borrowed until the next call, or is `raw` itself. Rules C01 to C05 go to `findings`, with the offset in `raw`; what could be unpacked
 * is in *out also then. max_bytes 0 = COV_MAX_BYTES. Errors: MEMORY. */
int cov_unpack(struct cov_unpacker *u, assay_slice raw, uint64_t max_bytes, assay_slice *out, enum cov_framing *framing, struct findings *findings,
               assay_error *err);

/* ---- record -> bytes ---- */

/* A buffer that is used again and again: len 0 empties it. */
struct cov_bytes {
    struct mem *mem;
    VEC(uint8_t) v;
};
void cov_bytes_done(struct cov_bytes *b);

/* Appends the unpacked bytes as the dialect has them: little-endian, version as in the record (0 = 1.0), strings sorted, each once. Entries of
 * lists are written in the order given; a list of files has ext entries when `ext` is set or one of its ids of functions and branches is not
 * zero. Lines must ascend; hits above COV_HITS_MAX are cut to it. Errors: MEMORY, LIMIT (more than 32 bits can hold). */
int cov_object_encode(const struct cov_object *o, enum cov_dialect dialect, struct cov_bytes *out, assay_error *err);

/* Packs as the dialect's writers do, to the byte: zlib level 1 for cov, gzip level 9 without a time for cov-spec. */
struct packer *cov_packer_new(enum cov_dialect dialect, struct mem *mem); /* NULL = no memory; free with packer_free */
/* Appends one whole stream. Errors: MEMORY, LIMIT. */
int cov_pack(struct packer *p, const struct cov_bytes *in, struct cov_bytes *out, assay_error *err);

#endif
