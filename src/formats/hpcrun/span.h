/* Arrays of equal items in a measurement file (nodes, values, index pairs), and what one item holds. The decoder has checked that all
 * `count` items of a span lie inside the file, so the getters check nothing: an index must be below `count`. Bytes are assembled by
 * shifts, so every host gives the same answers. */
#ifndef FORMATS_HPCRUN_SPAN_H
#define FORMATS_HPCRUN_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

enum {
    HPCRUN_NODE_LEN = 19,      /* 04.00 */
    HPCRUN_NODE_LEN_2021 = 18, /* 04.00 of development builds: no flags byte */
    HPCRUN_VALUE_LEN = 10,
    HPCRUN_INDEX_LEN = 12
};
#define HPCRUN_SENTINEL UINT32_C(0x656E6421) /* node of the last index pair: "end!" */
#define HPCRUN_UNWOUND 1                     /* bit of hpcrun_node.flags */

struct hpcrun_span {
    const unsigned char *at; /* the first item */
    uint64_t off;            /* its offset in the file */
    uint64_t stride;         /* bytes of an item */
    uint64_t count;          /* items that are complete; the list's own count may claim more */
    /* Nodes only: where the fields of an item stand (id at 0, parent at 4); 0 = the layout has no such field. */
    bool is_big_endian;
    bool is_signed; /* ids are signed, negative = leaf */
    uint32_t assoc_at, module_at, ip_at, flags_at, lip_at, lip_len;
    uint64_t values_at;
    uint32_t value_count; /* values of each node (02.00 and 03.00), 8 bytes each */
};

struct hpcrun_node {
    uint32_t id;                 /* identity: the absolute value of raw_id */
    uint32_t raw_id, raw_parent; /* as stored */
    uint32_t assoc;              /* lush: low 8 bits association, high 24 bits path length */
    uint16_t module;             /* load map id (02.00b and later); 0 = placeholder, or a layout that has none */
    uint8_t flags;               /* 04.00, HPCRUN_UNWOUND; layouts without it give HPCRUN_UNWOUND */
    uint64_t ip;                 /* offset in the module; 02.00l: address while the program ran */
    const unsigned char *lip;    /* lush: span.lip_len bytes, else NULL */
    const unsigned char *values; /* span.value_count values of 8 bytes (hpcrun_dense), NULL when it has none */
};

struct hpcrun_value {
    uint64_t bits; /* u64 or double, by the metric's format */
    uint16_t metric;
};

struct hpcrun_index {
    uint32_t node;
    uint64_t first; /* index of its first value */
};

static inline uint16_t hpcrun_be16(const unsigned char *p) { return (uint16_t)(p[0] << 8 | p[1]); }
static inline uint32_t hpcrun_be32(const unsigned char *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }
static inline uint64_t hpcrun_be64(const unsigned char *p) { return (uint64_t)hpcrun_be32(p) << 32 | hpcrun_be32(p + 4); }
static inline uint32_t hpcrun_le32(const unsigned char *p) { return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0]; }
static inline uint64_t hpcrun_le64(const unsigned char *p) { return (uint64_t)hpcrun_le32(p + 4) << 32 | hpcrun_le32(p); }

/* A node of 04.00, which has neither lush fields nor values. */
static inline void hpcrun_node_sparse(const unsigned char *p, bool has_flags, struct hpcrun_node *n)
{
    n->id = n->raw_id = hpcrun_be32(p);
    n->raw_parent = hpcrun_be32(p + 4);
    n->assoc = 0;
    n->module = hpcrun_be16(p + 8);
    n->ip = hpcrun_be64(p + 10);
    n->flags = has_flags ? p[18] : HPCRUN_UNWOUND;
    n->lip = n->values = NULL;
}

/* Node `i` of a span of any layout. */
static inline void hpcrun_node_at(const struct hpcrun_span *s, uint64_t i, struct hpcrun_node *n)
{
    const unsigned char *p = s->at + i * s->stride;
    bool big = s->is_big_endian;
    n->raw_id = big ? hpcrun_be32(p) : hpcrun_le32(p);
    n->raw_parent = big ? hpcrun_be32(p + 4) : hpcrun_le32(p + 4);
    n->id = s->is_signed && n->raw_id > INT32_MAX ? 0 - n->raw_id : n->raw_id;
    n->assoc = !s->assoc_at ? 0 : big ? hpcrun_be32(p + s->assoc_at) : hpcrun_le32(p + s->assoc_at);
    n->module = s->module_at ? hpcrun_be16(p + s->module_at) : 0;
    n->ip = big ? hpcrun_be64(p + s->ip_at) : hpcrun_le64(p + s->ip_at);
    n->flags = s->flags_at ? p[s->flags_at] : HPCRUN_UNWOUND;
    n->lip = s->lip_at ? p + s->lip_at : NULL;
    n->values = s->value_count ? p + s->values_at : NULL;
}

/* Value `i` of a node that stores its values itself; i < span.value_count. */
static inline uint64_t hpcrun_dense(const struct hpcrun_span *s, const struct hpcrun_node *n, uint32_t i)
{
    const unsigned char *p = n->values + 8 * (size_t)i;
    return s->is_big_endian ? hpcrun_be64(p) : hpcrun_le64(p);
}

static inline void hpcrun_value_at(const struct hpcrun_span *s, uint64_t i, struct hpcrun_value *v)
{
    const unsigned char *p = s->at + i * HPCRUN_VALUE_LEN;
    v->bits = hpcrun_be64(p);
    v->metric = hpcrun_be16(p + 8);
}

static inline void hpcrun_index_at(const struct hpcrun_span *s, uint64_t i, struct hpcrun_index *x)
{
    const unsigned char *p = s->at + i * HPCRUN_INDEX_LEN;
    x->node = hpcrun_be32(p);
    x->first = hpcrun_be64(p + 4);
}

static inline uint64_t hpcrun_item_off(const struct hpcrun_span *s, uint64_t i) { return s->off + i * s->stride; }

static inline double hpcrun_double(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#endif
