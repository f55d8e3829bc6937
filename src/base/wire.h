/* Numbers and texts between processes of one team (base/team.h): as the machine has them, because all run the same program on machines of one kind. */
#ifndef BASE_WIRE_H
#define BASE_WIRE_H

#include <stdint.h>
#include <string.h>

#include "assay/model.h"
#include "base/vec.h"

/* Bytes to be sent. */
struct wire {
    struct mem *mem;
    VEC(char) bytes;
    bool failed; /* no memory */
};

static inline void wire_put(struct wire *w, const void *data, size_t len)
{
    if (w->failed || !vec_reserve(w->mem, &w->bytes, len + 1)) {
        w->failed = true;
        return;
    }
    if (len) memcpy(w->bytes.at + w->bytes.len, data, len);
    w->bytes.len += len;
}
static inline void wire_put_u64(struct wire *w, uint64_t v) { wire_put(w, &v, sizeof v); }
static inline void wire_put_text(struct wire *w, assay_slice text)
{
    wire_put_u64(w, text.len);
    wire_put(w, text.data, text.len);
}

/* Bytes that came. What is not there reads as 0 or as an empty text, and `failed` tells. */
struct wire_in {
    const char *at;
    size_t left;
    bool failed;
};

static inline assay_slice wire_take(struct wire_in *w, uint64_t len)
{
    assay_slice taken = { w->at, (size_t)len };
    if (w->failed || len > w->left) {
        w->failed = true;
        return (assay_slice){ "", 0 };
    }
    w->at += len;
    w->left -= (size_t)len;
    return taken;
}
static inline uint64_t wire_take_u64(struct wire_in *w)
{
    uint64_t v = 0;
    assay_slice bytes = wire_take(w, sizeof v);
    if (!w->failed) memcpy(&v, bytes.data, sizeof v);
    return v;
}
static inline assay_slice wire_take_text(struct wire_in *w) { return wire_take(w, wire_take_u64(w)); }

#endif
