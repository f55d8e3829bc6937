/* Bytes of a perf.data file: recordings with stack dumps have gigabytes, so a plain file is read through a window and not taken into memory. */
#include "formats/perf-data/perf_data.h"

int pd_source_open(struct pd_source *s, struct input *in, struct mem *mem, assay_error *err)
{
    assay_slice bytes = { NULL, 0 };
    int rc = input_reach(in, &bytes, err);
    s->in = in;
    s->len = bytes.len;
    if (rc != 0 && (!bytes.data || !bytes.len)) return rc;
    if (bytes.data || !bytes.len) {
        s->whole = (const unsigned char *)(bytes.data ? bytes.data : "");
        return 0;
    }
    s->window = mem_alloc(mem, PD_WINDOW);
    return s->window ? 0 : error_memory(err);
}

void pd_source_close(struct pd_source *s, struct mem *mem)
{
    mem_free(mem, s->window, s->window ? PD_WINDOW : 0);
    input_close(s->own);
    *s = (struct pd_source){ 0 };
}

const unsigned char *pd_source_fill(struct pd_source *s, uint64_t off, size_t len)
{
    uint64_t left = s->len - off;
    if (len > PD_WINDOW) return NULL;
    s->base = off;
    s->have = left < PD_WINDOW ? (size_t)left : PD_WINDOW;
    input_at(s->in, off, s->window, s->have);
    return s->window;
}

assay_slice pd_copy(struct pd_source *s, uint64_t off, uint64_t len, struct arena *text, bool *failed)
{
    assay_slice out = { NULL, 0 };
    if (off > s->len || len > s->len - off) return out;
    char *copy = arena_text(text, (size_t)len + 1);
    if (!copy) {
        *failed = true;
        return out;
    }
    if (s->whole)
        memcpy(copy, s->whole + off, (size_t)len);
    else
        input_at(s->in, off, copy, (size_t)len);
    copy[len] = '\0';
    return (assay_slice){ copy, (size_t)len };
}
