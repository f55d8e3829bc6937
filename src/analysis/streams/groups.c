/* Streams by the ids of their tuples; see groups.h. A group is known by some elements of the tuples: of a rank RANK, of a thread everything up to THREAD. */
#include "analysis/streams/groups.h"

#include <ctype.h>
#include <stdio.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

const char *const stream_by_words[STREAM_BYS + 1] = { "stream", "thread", "process", "rank", "node", "gpu", NULL };
const char *const stream_by_several[STREAM_BYS] = { "streams", "threads", "processes", "ranks", "nodes", "GPUs" };

enum { VARYING = 32 };

/* ---- elements of tuples ---- */

static assay_slice kind_of(const assay_profile *p, uint32_t k) { return assay_profile_string(p, assay_profile_streams(p)->tuple_kind[k]); }

/* Whether an element tells groups of this kind apart. */
static bool is_key(const assay_profile *p, enum stream_by by, uint32_t k)
{
    assay_slice kind = kind_of(p, k);
    switch (by) {
    case STREAM_BY_RANK: return slice_is(kind, "RANK");
    case STREAM_BY_NODE: return slice_is(kind, "NODE");
    case STREAM_BY_PROCESS: return slice_is(kind, "NODE") || slice_is(kind, "RANK") || slice_is(kind, "PROCESS");
    case STREAM_BY_THREAD: return !slice_starts(kind, "GPU");
    case STREAM_BY_GPU: return !slice_is(kind, "GPUSTREAM") && !slice_is(kind, "THREAD") && !slice_is(kind, "CORE");
    default: return true;
    }
}

/* The element that a stream must have to be in a group. */
static bool is_decisive(const assay_profile *p, enum stream_by by, uint32_t k)
{
    assay_slice kind = kind_of(p, k);
    switch (by) {
    case STREAM_BY_PROCESS: return slice_is(kind, "RANK") || slice_is(kind, "PROCESS");
    case STREAM_BY_THREAD: return slice_is(kind, "THREAD");
    case STREAM_BY_GPU: return slice_starts(kind, "GPU");
    default: return is_key(p, by, k);
    }
}

/* The next element of a stream that is part of the key, from `k` on; the end where there is none. */
static uint32_t next_key(const struct stream_groups *g, uint32_t stream, uint32_t k)
{
    const struct assay_streams *s = assay_profile_streams(g->profile);
    uint32_t end = s->tuple_begin ? s->tuple_begin[stream + 1] : 0;
    while (k < end && !is_key(g->profile, g->by, k)) k++;
    return k < end ? k : end;
}

static uint32_t first_of(const struct stream_groups *g, uint32_t stream)
{
    const struct assay_streams *s = assay_profile_streams(g->profile);
    return next_key(g, stream, s->tuple_begin ? s->tuple_begin[stream] : 0);
}

static uint32_t end_of(const struct stream_groups *g, uint32_t stream)
{
    const struct assay_streams *s = assay_profile_streams(g->profile);
    return s->tuple_begin ? s->tuple_begin[stream + 1] : 0;
}

static int compare_elements(const assay_profile *p, uint32_t x, uint32_t y)
{
    const struct assay_streams *s = assay_profile_streams(p);
    int c = s->tuple_kind[x].v == s->tuple_kind[y].v ? 0 : slice_compare(kind_of(p, x), kind_of(p, y));
    if (c) return c;
    if (s->tuple_logical) ORDER_BY(s->tuple_logical[x], s->tuple_logical[y]);
    return s->tuple_physical ? ORDER(s->tuple_physical[x], s->tuple_physical[y]) : 0;
}

/* By the elements of their keys. */
static int compare_keys(const struct stream_groups *g, uint32_t a, uint32_t b)
{
    uint32_t x = first_of(g, a), y = first_of(g, b), x_end = end_of(g, a), y_end = end_of(g, b);
    for (; x < x_end && y < y_end; x = next_key(g, a, x + 1), y = next_key(g, b, y + 1)) {
        int c = compare_elements(g->profile, x, y);
        if (c) return c;
    }
    return ORDER(x < x_end, y < y_end);
}

static int by_key(const void *pa, const void *pb, void *arg)
{
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    int c = compare_keys(arg, a, b);
    return c ? c : ORDER(a, b);
}

/* ---- groups ---- */

static bool belongs(const struct stream_groups *g, uint32_t stream)
{
    const struct assay_streams *s = assay_profile_streams(g->profile);
    if (g->by == STREAM_BY_STREAM) return true;
    for (uint32_t k = s->tuple_begin ? s->tuple_begin[stream] : 0; k < end_of(g, stream); k++)
        if (is_decisive(g->profile, g->by, k)) return true;
    return false;
}

static int refuse(const assay_profile *p, enum stream_by by, assay_error *err)
{
    char list[160] = "";
    size_t used = 0;
    for (int other = STREAM_BY_THREAD; other < STREAM_BYS; other++) {
        struct stream_groups g = { .profile = p, .by = (enum stream_by)other };
        bool is_any = false;
        for (uint32_t stream = 1; !is_any && stream <= assay_profile_streams(p)->count; stream++) is_any = belongs(&g, stream);
        if (is_any) used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", stream_by_several[other]);
    }
    if (!assay_profile_streams(p)->count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "does not tell threads, processes or ranks apart");
    if (!used) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no %s; use 'stream'", stream_by_several[by]);
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no %s; it has %s", stream_by_several[by], list);
}

/* Which elements the groups differ in, by their places in the keys. */
static void find_varying(struct stream_groups *g)
{
    uint32_t first = g->stream[0];
    for (uint32_t group = 2; group <= g->count; group++) {
        uint32_t stream = g->stream[g->begin[group]], x = first_of(g, first), y = first_of(g, stream);
        for (unsigned n = 0; n < VARYING && (x < end_of(g, first) || y < end_of(g, stream)); n++) {
            bool has_x = x < end_of(g, first), has_y = y < end_of(g, stream);
            if (has_x != has_y || compare_elements(g->profile, x, y) != 0) g->varying |= 1u << n;
            if (has_x) x = next_key(g, first, x + 1);
            if (has_y) y = next_key(g, stream, y + 1);
        }
    }
}

static void number(struct stream_groups *g, uint32_t used)
{
    for (uint32_t i = 0; i < used; i++) {
        uint32_t stream = g->stream[i];
        bool is_new = !i || g->by == STREAM_BY_STREAM || compare_keys(g, g->stream[i - 1], stream) != 0;
        if (is_new) g->begin[++g->count] = i;
        g->group_of[stream] = g->count;
    }
    g->begin[g->count + 1] = used;
}

int stream_groups_init(struct stream_groups *g, const assay_profile *p, enum stream_by by, struct mem *mem, assay_error *err)
{
    uint32_t count = assay_profile_streams(p)->count, used = 0;
    *g = (struct stream_groups){ .mem = mem, .profile = p, .by = by, .streams = (size_t)count + 1 };
    g->begin = mem_zalloc(mem, g->streams + 1, sizeof *g->begin);
    g->stream = mem_zalloc(mem, g->streams, sizeof *g->stream);
    g->group_of = mem_zalloc(mem, g->streams, sizeof *g->group_of);
    if (!g->begin || !g->stream || !g->group_of) return error_memory(err);
    for (uint32_t stream = 1; stream <= count; stream++) {
        TRY(cancel_step(stream, err));
        if (belongs(g, stream)) g->stream[used++] = stream;
    }
    if (!used) return refuse(p, by, err);
    sort_with(g->stream, used, sizeof *g->stream, by_key, g);
    number(g, used);
    find_varying(g);
    return 0;
}

void stream_groups_done(struct stream_groups *g)
{
    if (!g->mem) return;
    mem_free(g->mem, g->begin, g->begin ? (g->streams + 1) * sizeof *g->begin : 0);
    mem_free(g->mem, g->stream, g->stream ? g->streams * sizeof *g->stream : 0);
    mem_free(g->mem, g->group_of, g->group_of ? g->streams * sizeof *g->group_of : 0);
    *g = (struct stream_groups){ .mem = NULL };
}

/* ---- names ---- */

static size_t put_element(const struct stream_groups *g, uint32_t k, char *to, size_t room, bool is_first)
{
    const struct assay_streams *s = assay_profile_streams(g->profile);
    assay_slice kind = kind_of(g->profile, k);
    char name[33];
    size_t len = kind.len < sizeof name - 1 ? kind.len : sizeof name - 1;
    for (size_t i = 0; i < len; i++) name[i] = (char)tolower((unsigned char)kind.data[i]);
    name[len] = '\0';
    int more = snprintf(to, room, "%s%s %llu", is_first ? "" : " ", name, (unsigned long long)(s->tuple_logical ? s->tuple_logical[k] : 0));
    return more > 0 && (size_t)more < room ? (size_t)more : 0;
}

assay_slice stream_group_name(const struct stream_groups *g, uint32_t group, char buf[STREAM_NAME])
{
    const struct assay_streams *s = assay_profile_streams(g->profile);
    uint32_t stream = g->stream[g->begin[group]];
    assay_slice label = g->by == STREAM_BY_STREAM && s->label ? assay_profile_string(g->profile, s->label[stream]) : (assay_slice){ NULL, 0 };
    size_t len = 0;
    if (label.len) return label;
    for (int all = 0; all < 2 && !len; all++) {
        unsigned n = 0;
        for (uint32_t k = first_of(g, stream); k < end_of(g, stream); k = next_key(g, stream, k + 1), n++)
            if (all || is_decisive(g->profile, g->by == STREAM_BY_STREAM ? STREAM_BY_THREAD : g->by, k) || (n < VARYING && g->varying >> n & 1))
                len += put_element(g, k, buf + len, STREAM_NAME - len, !len);
    }
    if (!len) len = (size_t)snprintf(buf, STREAM_NAME, "stream %u", stream);
    return (assay_slice){ buf, len };
}
