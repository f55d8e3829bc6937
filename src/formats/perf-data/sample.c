/* What single records say. Everything is bounded by the record, which has at most 64 KiB; byte order is that of the file. */
#include "formats/perf-data/perf_data.h"

uint32_t pd_attr_of_id(const struct pd_decoder *d, uint64_t id)
{
    for (struct index_walk w = index_walk(&d->by_id, hash_mix(id, 1)); index_next(&d->by_id, &w);)
        if (d->ids.at[w.id - 1].id == id) return d->ids.at[w.id - 1].attr;
    return 0;
}

/* The attribute that a sample belongs to; 0 = its id is none. All attributes have the id at the same place, or an identifier. */
static uint32_t attr_of_sample(const struct pd_decoder *d, const struct pd_record *r)
{
    const struct pd_attr *first = d->attrs.at;
    if (d->attrs.len == 1 || first->id_at == PD_NOWHERE) return 1;
    if (r->len < (size_t)first->id_at + 8) return 1;
    return pd_attr_of_id(d, pd_u64(d, r->data + first->id_at));
}

/* Bytes of a record that are left. */
struct rest {
    const struct pd_decoder *d;
    const unsigned char *at, *end;
    bool is_short;
};

static size_t left(const struct rest *p) { return (size_t)(p->end - p->at); }

static const unsigned char *take(struct rest *p, uint64_t len)
{
    if (p->is_short || len > left(p)) {
        p->is_short = true;
        return NULL;
    }
    p->at += len;
    return p->at - len;
}

static uint64_t take_u64(struct rest *p)
{
    const unsigned char *at = take(p, 8);
    return at ? pd_u64(p->d, at) : 0;
}

/* `count` items of `size` bytes. */
static const unsigned char *take_items(struct rest *p, uint64_t count, uint64_t size)
{
    if (count > left(p) / size) p->is_short = true;
    return p->is_short ? NULL : take(p, count * size);
}

/* ---- parts of a sample ---- */

static unsigned read_width(uint64_t format) { return 8U + (format & PD_READ_ID ? 8U : 0U) + (format & PD_READ_LOST ? 8U : 0U); }

static void take_read(struct rest *p, const struct pd_attr *a, struct pd_sample *s)
{
    uint64_t format = a->read_format, count = 1;
    if (format & PD_READ_GROUP) {
        count = take_u64(p);
        (void)take(p, 8 * (uint64_t)(!!(format & PD_READ_ENABLED) + !!(format & PD_READ_RUNNING)));
        s->read = take_items(p, count, read_width(format));
    } else
        s->read = take(p, read_width(format) + 8 * (uint64_t)(!!(format & PD_READ_ENABLED) + !!(format & PD_READ_RUNNING)));
    s->read_len = s->read ? (uint32_t)count : 0;
}

void pd_sample_value(const struct pd_decoder *d, const struct pd_sample *s, uint32_t i, uint64_t *id, uint64_t *value)
{
    uint64_t format = d->attrs.at[s->attr - 1].read_format;
    const unsigned char *p = s->read + (size_t)i * read_width(format);
    *value = pd_u64(d, p);
    p += 8;
    if (!(format & PD_READ_GROUP)) p += 8 * (!!(format & PD_READ_ENABLED) + !!(format & PD_READ_RUNNING));
    *id = format & PD_READ_ID ? pd_u64(d, p) : s->id;
}

static void take_branches(struct rest *p, const struct pd_attr *a, struct pd_sample *s)
{
    uint64_t count = take_u64(p);
    if (a->branch_type >> PD_BRANCH_HW_INDEX & 1) (void)take_u64(p);
    s->branches = take_items(p, count, 24);
    s->branch_len = s->branches ? (uint32_t)count : 0;
    if (a->branch_type >> PD_BRANCH_COUNTERS & 1) (void)take_items(p, count, 8);
}

static void take_stack(struct rest *p, struct pd_sample *s)
{
    uint64_t room = take_u64(p);
    if (!room) return;
    s->stack = take(p, room);
    uint64_t len = take_u64(p);
    s->stack_room = p->is_short ? 0 : (uint32_t)room;
    s->stack_len = len < s->stack_room ? (uint32_t)len : s->stack_room;
}

static void take_late(struct rest *p, const struct pd_attr *a, struct pd_sample *s)
{
    uint64_t type = a->sample_type;
    if (type & PD_RAW) {
        const unsigned char *size = take(p, 4);
        if (size) (void)take(p, pd_u32(p->d, size));
    }
    if (type & PD_BRANCH_STACK) take_branches(p, a, s);
    if (type & PD_REGS_USER) {
        s->abi = take_u64(p);
        if (s->abi) s->regs = take(p, 8 * (uint64_t)__builtin_popcountll(a->regs_user));
    }
    if (type & PD_STACK_USER) take_stack(p, s);
    if (type & (PD_WEIGHT | PD_WEIGHT_STRUCT)) (void)take_u64(p);
    if (type & PD_DATA_SRC) (void)take_u64(p);
    if (type & PD_TRANSACTION) (void)take_u64(p);
    if (type & PD_REGS_INTR && take_u64(p)) (void)take(p, 8 * (uint64_t)__builtin_popcountll(a->regs_intr));
    (void)take(p, 8 * (uint64_t)__builtin_popcountll(type & (PD_PHYS_ADDR | PD_CGROUP | PD_DATA_PAGE_SIZE | PD_CODE_PAGE_SIZE)));
    if (type & PD_AUX) (void)take(p, take_u64(p));
}

enum pd_fit pd_sample(const struct pd_decoder *d, const struct pd_record *r, struct pd_sample *s)
{
    if (!d->attrs.len) return PD_NO_ATTR;
    uint32_t attr = attr_of_sample(d, r);
    if (!attr) return PD_UNKNOWN_ID;
    const struct pd_attr *a = &d->attrs.at[attr - 1];
    const unsigned char *p = r->data;
    if (r->len < a->fixed_len) return PD_SHORT;
    *s = (struct pd_sample){ .attr = attr, .misc = r->misc, .period = a->period, .pid = -1, .tid = -1 };
    if (a->id_at != PD_NOWHERE) s->id = pd_u64(d, p + a->id_at);
    if (a->ip_at != PD_NOWHERE) s->ip = pd_u64(d, p + a->ip_at), s->has_ip = true;
    if (a->tid_at != PD_NOWHERE) s->pid = (int32_t)pd_u32(d, p + a->tid_at), s->tid = (int32_t)pd_u32(d, p + a->tid_at + 4);
    if (a->time_at != PD_NOWHERE) s->time = pd_u64(d, p + a->time_at), s->has_time = true;
    if (a->addr_at != PD_NOWHERE) s->addr = pd_u64(d, p + a->addr_at);
    if (a->cpu_at != PD_NOWHERE) s->cpu = pd_u32(d, p + a->cpu_at);
    if (a->period_at != PD_NOWHERE) s->period = pd_u64(d, p + a->period_at);
    struct rest rest = { d, p + a->fixed_len, p + r->len, false };
    if (a->sample_type & PD_READ) take_read(&rest, a, s);
    if (a->sample_type & PD_CALLCHAIN) {
        uint64_t count = take_u64(&rest);
        s->chain = take_items(&rest, count, 8);
        s->chain_len = s->chain ? (uint32_t)count : 0;
    }
    if (a->sample_type & ~(uint64_t)(PD_IDENTIFIER | 0x3ff)) take_late(&rest, a, s);
    s->rest = left(&rest);
    return rest.is_short ? PD_SHORT : PD_FITS;
}

/* ---- other records ---- */

/* 0 in place of an id stands for the first event. */
static const struct pd_attr *attr_of_other(const struct pd_decoder *d, const struct pd_record *r)
{
    const struct pd_attr *first = d->attrs.at;
    if (d->attrs.len == 1 || first->trailer_id == PD_NOWHERE || r->len < first->trailer_len) return first;
    bool is_last = first->sample_type & PD_IDENTIFIER;
    uint64_t id = pd_u64(d, r->data + r->len - (is_last ? 8 : first->trailer_len - first->trailer_id));
    uint32_t attr = id ? pd_attr_of_id(d, id) : 1;
    return attr ? &d->attrs.at[attr - 1] : first;
}

struct pd_trailer pd_trailer(const struct pd_decoder *d, const struct pd_record *r)
{
    struct pd_trailer t = { .body = r->len };
    if (!d->attrs.len || r->type >= PD_HEADER_ATTR) return t;
    const struct pd_attr *a = attr_of_other(d, r);
    t.is_short = r->len < a->trailer_len;
    if (t.is_short) return t;
    t.body = r->len - a->trailer_len;
    if (a->trailer_time != PD_NOWHERE) t.time = pd_u64(d, r->data + t.body + a->trailer_time);
    if (t.time == UINT64_MAX) t.time = 0; /* made by perf itself: before everything */
    return t;
}

bool pd_is_open_text(const struct pd_record *r, size_t from, size_t body) { return from >= body || !memchr(r->data + from, '\0', body - from); }

static assay_slice text_at(const struct pd_record *r, size_t from) { return slice_of((const char *)r->data + from); }

bool pd_mapping(const struct pd_decoder *d, const struct pd_record *r, size_t body, struct pd_mapping *out)
{
    enum { PROT_EXEC_BIT = 4 };
    static const char digits[] = "0123456789abcdef";
    bool is_second = r->type == PD_MMAP2;
    size_t path = is_second ? 64 : 32;
    const unsigned char *p = r->data;
    if (body > r->len || pd_is_open_text(r, path, body)) return false;
    *out = (struct pd_mapping){ .pid = (int32_t)pd_u32(d, p), .tid = (int32_t)pd_u32(d, p + 4), .start = pd_u64(d, p + 8), .len = pd_u64(d, p + 16) };
    out->pgoff = pd_u64(d, p + 24);
    out->prot = is_second ? pd_u32(d, p + 56) : PROT_EXEC_BIT;
    out->path = text_at(r, path);
    out->is_data = is_second ? !(out->prot & PROT_EXEC_BIT) : (r->misc & PD_BIT_13) != 0;
    if (!is_second || !(r->misc & PD_BIT_14)) return true;
    for (size_t i = 0; i < 20 && i < p[32]; i++) {
        out->build_id[2 * i] = digits[p[36 + i] >> 4];
        out->build_id[2 * i + 1] = digits[p[36 + i] & 15];
    }
    return true;
}

bool pd_task(const struct pd_decoder *d, const struct pd_record *r, size_t body, struct pd_task *out)
{
    const unsigned char *p = r->data;
    *out = (struct pd_task){ 0 };
    if (r->type == PD_COMM) {
        if (body > r->len || pd_is_open_text(r, 8, body)) return false;
        out->pid = (int32_t)pd_u32(d, p);
        out->tid = (int32_t)pd_u32(d, p + 4);
        out->comm = text_at(r, 8);
        return true;
    }
    if (body < 24) return false;
    out->pid = (int32_t)pd_u32(d, p);
    out->ppid = (int32_t)pd_u32(d, p + 4);
    out->tid = (int32_t)pd_u32(d, p + 8);
    out->ptid = (int32_t)pd_u32(d, p + 12);
    out->time = pd_u64(d, p + 16);
    return true;
}

bool pd_ksymbol(const struct pd_decoder *d, const struct pd_record *r, size_t body, struct pd_ksymbol *out)
{
    if (body > r->len || pd_is_open_text(r, 16, body)) return false;
    *out = (struct pd_ksymbol){ pd_u64(d, r->data), pd_u32(d, r->data + 8), pd_u16(d, r->data + 14), text_at(r, 16) };
    return true;
}
