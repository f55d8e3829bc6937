/* The primitives of the hpcrun measurement format 02.00, by the names of its specification: a measurement tool writes such files with
 * them and reads them back, part by part, through a FILE.
 *
 *     hpcrun_fmt_error_t error = { 0 };
 *     hpcrun_fmt_env_t env = { 0 };                   // little-endian, as the specification says
 *     env.error = &error;
 *     if (hpcrun_fmt_hdr_fread(&hdr, &env, in, malloc) != 0) ...
 *     for (uint32_t i = 0; i < hdr.num_epochs; i++) {
 *         hpcrun_fmt_epoch_fread(&epoch, &env, in, malloc);   // fills env for the nodes
 *         for (uint64_t k = 0; k < epoch.num_nodes; k++) hpcrun_fmt_cct_node_fread(&node, &env, in, malloc);
 *     }
 *
 * Seven primitives (hdr, epoch, metric_tbl, loadmap, cct_node, nv_pair, str), each with a structure and three functions:
 *
 * fread   reads one from a stream. 0 = read; 1 = the stream ended cleanly before its first byte; -1 = an error. The object is the caller's and is
 *         zeroed first; `alloc` serves the parts of variable size, and is asked only for as much as the stream was seen to hold: where its
 *         length is not known (a pipe), the bytes are taken in steps of 64 KiB before anything of their number is asked for. After -1 the
 *         object holds what had been read, and can be freed. alloc == NULL: every inner pointer is the caller's, and each `len` next to it says
 *         how much there is room for (a string needs one byte more); what does not fit is an error. So one node can be used again.
 * fwrite  writes one. 0 = written; -1 = an error. What fread gave is written byte for byte as it was, under the same environment.
 * fprint  prints one as text, in the style of hpcproftt. 0 = printed; -1 = an error. `assay dump --style hpcproftt` prints the same.
 * free    gives the inner parts back with `release` (for malloc: free) and zeroes the object. NULL is allowed.
 *
 * The environment says what the bytes do not: byte order, layout, and for nodes how many metrics there are. NULL stands for a zeroed
 * one, but with cct_node, which needs it. Where env->error is set, a -1 fills it. There is no other state, and nothing is locked:
 * one stream, one thread. docs/formats/hpcrun-api.md has the whole story. */
#ifndef ASSAY_HPCRUN_FMT_H
#define ASSAY_HPCRUN_FMT_H

#include <stdio.h>

#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void *(*hpcrun_fmt_alloc_fn)(size_t len);
typedef void (*hpcrun_fmt_free_fn)(void *p);

/* ---- structures ---- */

/* Bytes; fread adds a NUL that does not count. */
typedef struct hpcrun_fmt_str {
    uint32_t len;
    char *s;
} hpcrun_fmt_str_t;

typedef struct hpcrun_fmt_nv_pair {
    hpcrun_fmt_str_t name, val;
} hpcrun_fmt_nv_pair_t;

typedef struct hpcrun_fmt_nv_list {
    uint32_t len;
    hpcrun_fmt_nv_pair_t *lst;
} hpcrun_fmt_nv_list_t;

/* Magic, version, pairs, and the number of epochs. */
typedef struct hpcrun_fmt_hdr {
    char version[6]; /* "02.00" */
    char endian;     /* 'l' or 'b' */
    hpcrun_fmt_nv_list_t nvps;
    uint32_t num_epochs;
    bool counted; /* false: the layout of 2009, where epochs follow up to the end of the file */
} hpcrun_fmt_hdr_t;

enum hpcrun_fmt_metric_flags { HPCRUN_FMT_METRIC_ASYNC = 2, HPCRUN_FMT_METRIC_REAL = 4 /* values are doubles */ };

/* Cost = value times period. */
typedef struct hpcrun_fmt_metric_desc {
    hpcrun_fmt_str_t name;
    uint64_t flags, period;
} hpcrun_fmt_metric_desc_t;

typedef struct hpcrun_fmt_metric_tbl {
    uint32_t len;
    hpcrun_fmt_metric_desc_t *lst;
} hpcrun_fmt_metric_tbl_t;

/* An address belongs to the entry with the greatest load_addr that is not above it; less load_offset it is the address in the module's
 * file. Layout of 2009: load_addr is its mapped address, load_offset its preferred one, and there are no flags. */
typedef struct hpcrun_fmt_loadmap_entry {
    uint64_t load_addr, load_offset;
    hpcrun_fmt_str_t name;
    uint32_t flags;
} hpcrun_fmt_loadmap_entry_t;

typedef struct hpcrun_fmt_loadmap {
    uint32_t len; /* at least 1 */
    hpcrun_fmt_loadmap_entry_t *lst;
} hpcrun_fmt_loadmap_t;

enum hpcrun_fmt_epoch_flags { HPCRUN_FMT_EPOCH_LUSH = 1 };

/* All of an epoch but its nodes, which follow one by one. */
typedef struct hpcrun_fmt_epoch {
    uint64_t flags;
    uint32_t ra_distance;
    uint64_t granularity;
    hpcrun_fmt_nv_list_t nvps;
    hpcrun_fmt_metric_tbl_t metric_tbl;
    hpcrun_fmt_loadmap_t loadmap;
    uint64_t num_nodes; /* the specification's layout has 32 bits for it */
} hpcrun_fmt_epoch_t;

/* The last members describe the others: fread fills them from the environment, fprint uses them, fwrite goes by the environment. */
typedef struct hpcrun_fmt_cct_node {
    int32_t id;     /* negative: a leaf */
    int32_t parent; /* 0: none */
    uint32_t assoc; /* lush: low 8 bits the association, high 24 bits the path length */
    uint64_t ip;
    uint64_t *lip;    /* lush: lip_words words */
    uint64_t *values; /* num_values; the bits of a double where the metric is real */
    bool is_lush;
    uint32_t lip_words, num_values;
    const hpcrun_fmt_metric_tbl_t *metrics; /* borrowed; NULL: all values are integers */
} hpcrun_fmt_cct_node_t;

/* ---- environment and errors ---- */

enum hpcrun_fmt_variant {
    HPCRUN_FMT_SPEC = 0, /* the specification, read literally */
    HPCRUN_FMT_2009 = 1  /* what the program of 2009 wrote under the same magic */
};

typedef struct hpcrun_fmt_error {
    const char *rule;  /* of `assay check`, e.g. "HRC04"; "" = none. Static storage */
    assay_error what;  /* code, offset in the stream of the item that is wrong, sentence */
    uint64_t consumed; /* bytes that calls with this error have read: where a stream cannot tell its place, offsets are counted from 0 by it */
} hpcrun_fmt_error_t;

typedef struct hpcrun_fmt_env {
    char endian;                            /* 'l' or 'b'; 0 = 'l'. hdr_fread sets it */
    uint8_t variant;                        /* enum hpcrun_fmt_variant. hdr_fread sets it */
    bool has_tag;                           /* hdr_fread has already taken the first four bytes of the next epoch, to see which variant it is */
    bool lush;                              /* this and the next three: for nodes; epoch_fread and epoch_env set them */
    uint32_t lip_words;                     /* 8-byte words of a logical address */
    uint32_t num_metrics;                   /* values of a node */
    const hpcrun_fmt_metric_tbl_t *metrics; /* borrowed from the epoch; may be NULL */
    hpcrun_fmt_error_t *error;              /* the caller's; NULL = -1 has to say it all */
} hpcrun_fmt_env_t;

/* The code of the last error (enum assay_code), 0 when there was none or env has no place for it; env->error has the rest.
 * Codes: DAMAGED, TRUNCATED (the stream ends inside), VERSION, LIMIT (does not fit into the caller's parts or into the layout), USAGE,
 * MEMORY, SYSTEM (reading failed), WRITE. Rules: HRC01 magic, HRC02 version, HRC03 byte order, HRC04 counts, strings and fields that end
 * too early (and a LIP-size that is none), HRC05 epoch tag, HRC10 node id, HRC12 empty load map. */
ASSAY_API int hpcrun_fmt_errno(const hpcrun_fmt_env_t *env);

/* ---- str: a length of four bytes, and the bytes ---- */
ASSAY_API int hpcrun_fmt_str_fread(hpcrun_fmt_str_t *str, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc);
ASSAY_API int hpcrun_fmt_str_fwrite(const hpcrun_fmt_str_t *str, const hpcrun_fmt_env_t *env, FILE *outfs);
/* The text, bytes that do not print as \xNN; no line end. */
ASSAY_API int hpcrun_fmt_str_fprint(const hpcrun_fmt_str_t *str, FILE *outfs);
ASSAY_API void hpcrun_fmt_str_free(hpcrun_fmt_str_t *str, hpcrun_fmt_free_fn release);

/* ---- nv-pair: two strings ---- */
ASSAY_API int hpcrun_fmt_nv_pair_fread(hpcrun_fmt_nv_pair_t *pair, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc);
ASSAY_API int hpcrun_fmt_nv_pair_fwrite(const hpcrun_fmt_nv_pair_t *pair, const hpcrun_fmt_env_t *env, FILE *outfs);
ASSAY_API int hpcrun_fmt_nv_pair_fprint(const hpcrun_fmt_nv_pair_t *pair, FILE *outfs);
ASSAY_API void hpcrun_fmt_nv_pair_free(hpcrun_fmt_nv_pair_t *pair, hpcrun_fmt_free_fn release);

/* ---- hdr ---- */
/* Sets endian, variant and has_tag of env. Without env the header of a file without epoch count can only be read from a stream that
 * can seek, because what follows has to be looked at (USAGE otherwise). */
ASSAY_API int hpcrun_fmt_hdr_fread(hpcrun_fmt_hdr_t *hdr, hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc);
/* Version "" is written as 02.00. Byte order and whether there is a count come from hdr (endian 0: from env) and must agree with env, if there is one. */
ASSAY_API int hpcrun_fmt_hdr_fwrite(const hpcrun_fmt_hdr_t *hdr, const hpcrun_fmt_env_t *env, FILE *outfs);
/* The same from names and values: hpcrun_fmt_hdr_fwritev(out, NULL, 1, "program-name", "demo", "process-id", "4711", NULL). Byte order and
 * layout come from env. */
ASSAY_API int hpcrun_fmt_hdr_fwritev(FILE *outfs, const hpcrun_fmt_env_t *env, uint32_t num_epochs, ...);
ASSAY_API int hpcrun_fmt_hdr_fprint(const hpcrun_fmt_hdr_t *hdr, FILE *outfs);
ASSAY_API void hpcrun_fmt_hdr_free(hpcrun_fmt_hdr_t *hdr, hpcrun_fmt_free_fn release);

/* ---- epoch: tag, flags, pairs, metric table, load map and number of nodes ---- */
/* Fills env (may be NULL) for the nodes that follow; env->metrics then points into `epoch`. */
ASSAY_API int hpcrun_fmt_epoch_fread(hpcrun_fmt_epoch_t *epoch, hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc);
ASSAY_API int hpcrun_fmt_epoch_fwrite(const hpcrun_fmt_epoch_t *epoch, const hpcrun_fmt_env_t *env, FILE *outfs);
/* Ends with the line that opens the tree: print the nodes after it, then "]". */
ASSAY_API int hpcrun_fmt_epoch_fprint(const hpcrun_fmt_epoch_t *epoch, FILE *outfs);
ASSAY_API void hpcrun_fmt_epoch_free(hpcrun_fmt_epoch_t *epoch, hpcrun_fmt_free_fn release);
/* Fills env for the nodes of an epoch that is about to be written, as epoch_fread does. -1: a pair LIP-size is no number from 1 to 64 (HRC04). */
ASSAY_API int hpcrun_fmt_epoch_env(const hpcrun_fmt_epoch_t *epoch, hpcrun_fmt_env_t *env);

/* ---- metric-tbl ---- */
ASSAY_API int hpcrun_fmt_metric_tbl_fread(hpcrun_fmt_metric_tbl_t *tbl, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc);
ASSAY_API int hpcrun_fmt_metric_tbl_fwrite(const hpcrun_fmt_metric_tbl_t *tbl, const hpcrun_fmt_env_t *env, FILE *outfs);
ASSAY_API int hpcrun_fmt_metric_tbl_fprint(const hpcrun_fmt_metric_tbl_t *tbl, FILE *outfs);
ASSAY_API void hpcrun_fmt_metric_tbl_free(hpcrun_fmt_metric_tbl_t *tbl, hpcrun_fmt_free_fn release);

/* ---- loadmap ---- */
/* An empty one is an error (HRC12), read or written, but in the layout of 2009. */
ASSAY_API int hpcrun_fmt_loadmap_fread(hpcrun_fmt_loadmap_t *map, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc);
ASSAY_API int hpcrun_fmt_loadmap_fwrite(const hpcrun_fmt_loadmap_t *map, const hpcrun_fmt_env_t *env, FILE *outfs);
ASSAY_API int hpcrun_fmt_loadmap_fprint(const hpcrun_fmt_loadmap_t *map, FILE *outfs);
ASSAY_API void hpcrun_fmt_loadmap_free(hpcrun_fmt_loadmap_t *map, hpcrun_fmt_free_fn release);

/* ---- cct-node ---- */
/* env must not be NULL. Whether the parent is there is for the caller to see: a node is read alone. Id 0 is an error (HRC10). */
ASSAY_API int hpcrun_fmt_cct_node_fread(hpcrun_fmt_cct_node_t *node, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc);
ASSAY_API int hpcrun_fmt_cct_node_fwrite(const hpcrun_fmt_cct_node_t *node, const hpcrun_fmt_env_t *env, FILE *outfs);
ASSAY_API int hpcrun_fmt_cct_node_fprint(const hpcrun_fmt_cct_node_t *node, FILE *outfs);
ASSAY_API void hpcrun_fmt_cct_node_free(hpcrun_fmt_cct_node_t *node, hpcrun_fmt_free_fn release);

#ifdef __cplusplus
}
#endif
#endif
