/* Features: what perf record knew of machine and command, event names and build ids. A payload that does not hold is PD29 and ignored from there on. */
#include <stdio.h>

#include "formats/perf-data/perf_data.h"

/* A payload being read. */
struct payload {
    struct pd_decoder *d;
    const unsigned char *at, *end;
    bool is_bad;
};

static size_t left(const struct payload *p) { return (size_t)(p->end - p->at); }

static uint32_t get_u32(struct payload *p)
{
    if (p->is_bad || left(p) < 4) return p->is_bad = true, 0;
    p->at += 4;
    return pd_u32(p->d, p->at - 4);
}

static uint64_t get_u64(struct payload *p)
{
    if (p->is_bad || left(p) < 8) return p->is_bad = true, 0;
    p->at += 8;
    return pd_u64(p->d, p->at - 8);
}

/* A length, padded, and bytes up to the first NUL; in the arena. */
static assay_slice get_text(struct payload *p)
{
    uint32_t len = get_u32(p);
    if (p->is_bad || len > left(p)) return p->is_bad = true, (assay_slice){ NULL, 0 };
    assay_slice text = { (const char *)p->at, len ? strnlen((const char *)p->at, len) : 0 };
    p->at += len;
    text.data = arena_copy(&p->d->text, text);
    p->d->failed |= !text.data;
    return text.data ? text : (assay_slice){ NULL, 0 };
}

/* ---- build ids ---- */

static void put_hex(char *out, const unsigned char *id, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        *out++ = digits[id[i] >> 4];
        *out++ = digits[id[i] & 15];
    }
    *out = '\0';
}

/* i32 pid, 20 bytes, u8 size where misc says so, 3 reserved, path: what follows the header of the record. */
void pd_build_id_take(struct pd_decoder *d, uint16_t misc, const unsigned char *p, size_t len, uint64_t off)
{
    if (len < 28 || pd_is_open_text(&(struct pd_record){ .data = p, .len = len }, 28, len)) {
        pd_found(d, "PD29", ASSAY_WARNING, off, "a build id record of %zu bytes is too short, or its path does not end", len + 8);
        return;
    }
    size_t size = misc & PD_BIT_15 ? p[24] : 20;
    if (size > 20) size = 20;
    if (!(misc & PD_BIT_15))
        while (size > 4 && !p[4 + size - 1] && !p[4 + size - 2] && !p[4 + size - 3] && !p[4 + size - 4]) size -= 4;
    assay_slice path = { (const char *)p + 28, strnlen((const char *)p + 28, len - 28) };
    path.data = arena_copy(&d->text, path);
    struct pd_build_id *made = path.data ? vec_push(d->mem, &d->build_ids) : NULL;
    d->failed |= !made;
    if (!made) return;
    *made = (struct pd_build_id){ .path = path, .misc = misc };
    put_hex(made->hex, p + 4, size);
    d->failed |= !index_add(&d->by_path, hash_bytes(path.data, path.len), (uint32_t)d->build_ids.len);
}

static void take_build_ids(struct payload *p, uint64_t off)
{
    const unsigned char *begin = p->at;
    while (left(p) >= 8) {
        uint16_t misc = pd_u16(p->d, p->at + 4), size = pd_u16(p->d, p->at + 6);
        if (size < 36 || size > left(p)) {
            p->is_bad = true;
            return;
        }
        pd_build_id_take(p->d, misc, p->at + 8, (size_t)size - 8, off + (uint64_t)(p->at - begin));
        p->at += size;
    }
}

/* The last one that is said of a path. */
const struct pd_build_id *pd_build_id(const struct pd_decoder *d, assay_slice path)
{
    const struct pd_build_id *last = NULL;
    for (struct index_walk w = index_walk(&d->by_path, hash_bytes(path.data, path.len)); index_next(&d->by_path, &w);)
        if (slice_equal(d->build_ids.at[w.id - 1].path, path)) last = &d->build_ids.at[w.id - 1];
    return last;
}

/* ---- events ---- */

static void take_events(struct payload *p)
{
    struct pd_decoder *d = p->d;
    uint32_t count = get_u32(p), size = get_u32(p);
    for (uint32_t i = 0; i < count && !p->is_bad; i++) {
        if (size > left(p)) p->is_bad = true;
        if (p->is_bad) return;
        p->at += size;
        uint32_t ids = get_u32(p), attr = 0;
        assay_slice name = get_text(p);
        if (p->is_bad || ids > left(p) / 8) {
            p->is_bad = true;
            return;
        }
        for (uint32_t k = 0; k < ids; k++) {
            uint32_t hit = pd_attr_of_id(d, get_u64(p));
            if (hit && name.len) d->attrs.at[hit - 1].name = name, attr = hit;
        }
        if (!attr && i < d->attrs.len && name.len) d->attrs.at[i].name = name;
    }
}

/* ---- the command ---- */

static void take_cmdline(struct payload *p)
{
    uint32_t count = get_u32(p);
    if (p->is_bad || count > left(p) / 4) {
        p->is_bad = true;
        return;
    }
    char *text = arena_text(&p->d->text, left(p) + count + 1), *at = text;
    p->d->failed |= !text;
    for (uint32_t i = 0; text && i < count && !p->is_bad; i++) {
        uint32_t len = get_u32(p);
        if (p->is_bad || len > left(p)) {
            p->is_bad = true;
            break;
        }
        if (i) *at++ = ' ';
        at = mempcpy(at, p->at, len ? strnlen((const char *)p->at, len) : 0);
        p->at += len;
    }
    if (!text) return;
    *at = '\0';
    p->d->facts.cmdline = slice_from(text, at);
}

bool pd_feature_is_read(uint32_t number)
{
    return (number >= PD_FEATURE_BUILD_ID && number <= PD_FEATURE_EVENT_DESC) || number == PD_FEATURE_SAMPLE_TIME || number == PD_FEATURE_DIR_FORMAT ||
           number == PD_FEATURE_COMPRESSED;
}

static void take(struct payload *p, uint32_t number, uint64_t off)
{
    struct pd_facts *f = &p->d->facts;
    switch (number) {
    case PD_FEATURE_BUILD_ID: take_build_ids(p, off); break;
    case PD_FEATURE_HOSTNAME: f->hostname = get_text(p); break;
    case PD_FEATURE_OSRELEASE: f->os_release = get_text(p); break;
    case PD_FEATURE_VERSION: f->version = get_text(p); break;
    case PD_FEATURE_ARCH: f->arch = get_text(p); break;
    case PD_FEATURE_NRCPUS:
        f->cpus_available = get_u32(p);
        f->cpus_online = get_u32(p);
        f->has_cpus = !p->is_bad;
        break;
    case PD_FEATURE_CPUDESC: f->cpu = get_text(p); break;
    case PD_FEATURE_CPUID: f->cpu_id = get_text(p); break;
    case PD_FEATURE_TOTAL_MEM:
        f->memory_kb = get_u64(p);
        f->has_memory = !p->is_bad;
        break;
    case PD_FEATURE_CMDLINE: take_cmdline(p); break;
    case PD_FEATURE_EVENT_DESC: take_events(p); break;
    case PD_FEATURE_SAMPLE_TIME:
        f->first_time = get_u64(p);
        f->last_time = get_u64(p);
        f->has_times = !p->is_bad && f->last_time;
        break;
    case PD_FEATURE_DIR_FORMAT: f->has_dir = true; break;
    case PD_FEATURE_COMPRESSED:
        (void)get_u32(p);
        f->compression = get_u32(p);
        f->has_compression = !p->is_bad;
        break;
    default: break;
    }
}

void pd_feature_take(struct pd_decoder *d, uint32_t number, assay_slice bytes, uint64_t off)
{
    struct payload p = { .d = d, .at = (const unsigned char *)bytes.data, .end = (const unsigned char *)bytes.data + bytes.len };
    take(&p, number, off);
    if (p.is_bad) pd_found(d, "PD29", ASSAY_WARNING, off, "feature %s does not hold what it says: ignored from there on", pd_feature_name(number));
}
