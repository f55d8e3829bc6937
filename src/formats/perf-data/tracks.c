/* See tracks.h. */
#include "formats/perf-data/tracks.h"

#include <stdio.h>

#include "base/cancel.h"
#include "base/sort.h"

static void owners_init(struct pd_owners *o, struct mem *mem)
{
    memset(o, 0, sizeof *o);
    index_init(&o->index, mem);
}

void pd_tracks_init(struct pd_tracks *t, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = t->spaces.mem = mem;
    arena_init(&t->text, mem);
    owners_init(&t->processes, mem);
    owners_init(&t->threads, mem);
    intern_init(&t->comms, mem);
    index_init(&t->dso_index, mem);
}

static void owners_done(struct pd_owners *o, struct mem *mem)
{
    vec_done(mem, &o->all, &o->versions);
    index_done(&o->index);
}

void pd_tracks_done(struct pd_tracks *t)
{
    owners_done(&t->processes, t->mem);
    owners_done(&t->threads, t->mem);
    vec_done(t->mem, &t->sides, &t->spaces.areas, &t->dsos);
    index_done(&t->dso_index);
    intern_done(&t->comms);
    arena_done(&t->text);
}

/* ---- collecting ---- */

static bool is_wanted(uint32_t type) { return type == PD_MMAP || type == PD_MMAP2 || type == PD_COMM || type == PD_FORK || type == PD_KSYMBOL; }

/* Says what is wrong with the record; false = it is of no use. */
static bool look(struct pd_decoder *d, const struct pd_record *r, size_t body)
{
    struct pd_mapping m;
    struct pd_task task;
    struct pd_ksymbol k;
    size_t text = r->type == PD_MMAP ? 32 : r->type == PD_MMAP2 ? 64 : r->type == PD_COMM ? 8 : 16;
    bool is_mapping = r->type == PD_MMAP || r->type == PD_MMAP2;
    bool is_fine = is_mapping ? pd_mapping(d, r, body, &m) : r->type == PD_KSYMBOL ? pd_ksymbol(d, r, body, &k) : pd_task(d, r, body, &task);
    if (!is_fine && r->type != PD_FORK && body > text)
        pd_found(d, "PD25", ASSAY_ERROR, r->off, "the text of a record %s does not end inside it", pd_type_name(r->type));
    else if (!is_fine)
        pd_found(d, "PD10", ASSAY_ERROR, r->off, "a record %s of %zu bytes is shorter than its fields", pd_type_name(r->type), r->size);
    if (!is_fine || !is_mapping) return is_fine;
    if (m.len && m.start <= UINT64_MAX - (m.len - 1)) return true;
    pd_found(d, "PD25", ASSAY_WARNING, r->off, "a mapping of %llu bytes at 0x%llx", (unsigned long long)m.len, (unsigned long long)m.start);
    return m.len > 0;
}

bool pd_tracks_add(struct pd_tracks *t, struct pd_decoder *d, const struct pd_record *r)
{
    if (!is_wanted(r->type)) return true;
    struct pd_trailer tail = pd_trailer(d, r);
    if (tail.is_short) {
        pd_found(d, "PD10", ASSAY_ERROR, r->off, "a record %s of %zu bytes is shorter than its fields", pd_type_name(r->type), r->size);
        return true;
    }
    if (!look(d, r, tail.body)) return true;
    char *copy = arena_alloc(&t->text, tail.body + 1);
    struct pd_side *side = copy ? vec_push(t->mem, &t->sides) : NULL;
    if (!side) return false;
    memcpy(copy, r->data, tail.body);
    *side = (struct pd_side){ { tail.time, r->seq }, r->type, (uint32_t)tail.body, r->misc, (const unsigned char *)copy };
    if (r->type == PD_FORK && !tail.time && tail.body == r->len) side->when.time = pd_u64(d, r->data + 16);
    return true;
}

/* ---- owners and their versions ---- */

uint32_t pd_owner(const struct pd_owners *o, int32_t id)
{
    for (struct index_walk w = index_walk(&o->index, hash_mix((uint32_t)id, 3)); index_next(&o->index, &w);)
        if (o->all.at[w.id - 1].id == id) return w.id;
    return 0;
}

static uint32_t owner_new(struct pd_tracks *t, struct pd_owners *o, int32_t id)
{
    struct pd_owner *made = vec_push(t->mem, &o->all);
    if (!made) return t->failed = true, 0;
    *made = (struct pd_owner){ .id = id };
    return (uint32_t)o->all.len;
}

static uint32_t owner_for(struct pd_tracks *t, struct pd_owners *o, int32_t id)
{
    uint32_t owner = pd_owner(o, id);
    if (owner) return owner;
    owner = owner_new(t, o, id);
    if (owner && !index_add(&o->index, hash_mix((uint32_t)id, 3), owner)) t->failed = true;
    return owner;
}

static void set(struct pd_tracks *t, struct pd_owners *o, uint32_t owner, struct pd_when when, uint32_t value)
{
    if (!owner || o->all.at[owner - 1].current == value) return;
    struct pd_version *made = vec_push(t->mem, &o->versions);
    if (!made) {
        t->failed = true;
        return;
    }
    *made = (struct pd_version){ when, owner, value };
    o->all.at[owner - 1].current = value;
}

/* Versions of one owner next to each other, still in order of time. */
static bool gather(struct pd_tracks *t, struct pd_owners *o)
{
    size_t count = o->versions.len;
    VEC(struct pd_version) sorted = { 0 };
    if (!count) return true;
    if (!vec_reserve(t->mem, &sorted, count)) return false;
    for (size_t i = 0; i < count; i++) o->all.at[o->versions.at[i].owner - 1].count++;
    for (size_t i = 0, first = 0; i < o->all.len; i++) {
        o->all.at[i].first = (uint32_t)first;
        first += o->all.at[i].count;
        o->all.at[i].current = 0;
    }
    for (size_t i = 0; i < count; i++) {
        struct pd_owner *owner = &o->all.at[o->versions.at[i].owner - 1];
        sorted.at[owner->first + owner->current++] = o->versions.at[i];
    }
    vec_done(t->mem, &o->versions);
    o->versions.at = sorted.at;
    o->versions.len = count;
    o->versions.cap = sorted.cap;
    return true;
}

uint32_t pd_owner_at(const struct pd_owners *o, uint32_t owner, struct pd_when when, struct pd_window *window)
{
    if (!owner || !o->all.at[owner - 1].count) return 0;
    const struct pd_owner *of = &o->all.at[owner - 1];
    const struct pd_version *v = o->versions.at + of->first;
    uint32_t low = 0, high = of->count; /* how many came before */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pd_is_before(v[middle].when, when))
            low = middle + 1;
        else
            high = middle;
    }
    if (low && v[low - 1].when.time > window->after) window->after = v[low - 1].when.time;
    if (low < of->count && v[low].when.time < window->before) window->before = v[low].when.time;
    return low ? v[low - 1].value : 0;
}

/* ---- modules ---- */

static bool is_made(assay_slice path)
{
    return slice_starts(path, "//anon") || slice_starts(path, "/dev/zero") || slice_starts(path, "/anon_hugepage") || slice_starts(path, "[anon:");
}

/* /lib/modules/.../NAME.ko.xz is [NAME], as perf calls it. */
static assay_slice kernel_module(struct pd_tracks *t, assay_slice path)
{
    const char *base = path_base(path.data), *ko = strstr(base, ".ko");
    size_t len = ko ? (size_t)(ko - base) : 0;
    if (!ko || (ko[3] && ko[3] != '.')) return path;
    char *name = arena_text(&t->text, len + 3);
    if (!name) return t->failed = true, path;
    name[0] = '[';
    for (size_t i = 0; i < len; i++) name[i + 1] = base[i] == '-' ? '_' : base[i];
    memcpy(name + len + 1, "]", 2);
    return (assay_slice){ name, len + 2 };
}

static assay_slice keep(struct pd_tracks *t, assay_slice text)
{
    const char *copy = arena_copy(&t->text, text);
    t->failed |= !copy;
    return copy ? (assay_slice){ copy, text.len } : SLICE("");
}

static void settle_dso(struct pd_tracks *t, struct pd_dso *dso, bool is_kernel)
{
    char buf[40];
    dso->name = dso->path;
    if (is_kernel) {
        const char *end = memchr(dso->path.data, ']', dso->path.len);
        dso->kind = PD_DSO_KERNEL;
        if (dso->path.data[0] == '[' && end)
            dso->name = keep(t, slice_from(dso->path.data, end + 1)); /* without _text */
        else
            dso->name = kernel_module(t, dso->path);
    } else if (is_made(dso->path)) {
        dso->kind = PD_DSO_MAP;
        snprintf(buf, sizeof buf, "/tmp/perf-%ld.map", (long)dso->pid);
        dso->name = keep(t, slice_of(buf));
    } else if (dso->path.data[0] != '/' || dso->path.data[1] == '/' || slice_starts(dso->path, "/memfd:") || slice_starts(dso->path, "/SYSV"))
        dso->kind = PD_DSO_NONE;
}

static uint32_t dso_for(struct pd_tracks *t, assay_slice path, assay_slice id, int32_t pid, bool is_kernel, uint8_t kind)
{
    int32_t owner = kind != PD_DSO_NAMED && is_made(path) ? pid : 0;
    uint64_t hash = hash_mix(hash_mix(hash_bytes(path.data, path.len), hash_bytes(id.data, id.len)), (uint32_t)owner);
    for (struct index_walk w = index_walk(&t->dso_index, hash); index_next(&t->dso_index, &w);) {
        const struct pd_dso *dso = &t->dsos.at[w.id - 1];
        if (dso->pid == owner && slice_equal(dso->path, path) && slice_equal(dso->id, id) && (kind == PD_DSO_NAMED) == (dso->kind == PD_DSO_NAMED)) return w.id;
    }
    struct pd_dso *made = vec_push(t->mem, &t->dsos);
    if (!made || !index_add(&t->dso_index, hash, (uint32_t)t->dsos.len)) return t->failed = true, 0;
    *made = (struct pd_dso){ .path = keep(t, path), .id = keep(t, id), .kind = kind, .pid = owner };
    made->name = made->path;
    if (kind != PD_DSO_NAMED) settle_dso(t, made, is_kernel);
    return (uint32_t)t->dsos.len;
}

/* ---- following ---- */

static void follow_mapping(struct pd_tracks *t, const struct pd_decoder *d, const struct pd_side *side, const struct pd_record *r)
{
    struct pd_mapping m;
    if (!pd_mapping(d, r, r->len, &m)) return;
    unsigned mode = r->misc & PD_MODE;
    bool is_kernel = mode == PD_KERNEL || mode == PD_GUEST_KERNEL || m.pid == -1;
    if (m.is_data && !is_kernel) return;
    const struct pd_build_id *known =
        m.build_id[0] ? NULL : pd_build_id(d, is_kernel && slice_starts(m.path, "[kernel.kallsyms]") ? SLICE("[kernel.kallsyms]") : m.path);
    uint32_t dso = dso_for(t, m.path, m.build_id[0] ? slice_of(m.build_id) : known ? slice_of(known->hex) : SLICE(""), m.pid, is_kernel, PD_DSO_FILE);
    uint32_t owner = is_kernel ? mode == PD_GUEST_KERNEL ? PD_GUEST_SPACE : PD_KERNEL_SPACE : owner_for(t, &t->processes, m.pid);
    if (!dso || !owner) return;
    if (is_kernel) t->dsos.at[dso - 1].first = m.pgoff;
    uint64_t most = UINT64_MAX - m.start;
    struct pd_area area = { .start = m.start, .end = m.start + (m.len - 1 < most ? m.len - 1 : most), .pgoff = m.pgoff, .dso = dso };
    set(t, &t->processes, owner, side->when, pd_space_put(&t->spaces, t->processes.all.at[owner - 1].current, &area));
}

static void follow_ksymbol(struct pd_tracks *t, const struct pd_decoder *d, const struct pd_side *side, const struct pd_record *r)
{
    enum { UNREGISTER = 1 };
    struct pd_ksymbol k;
    if (!pd_ksymbol(d, r, r->len, &k) || !k.len) return;
    struct pd_area area = { .start = k.addr, .end = k.len - 1 > UINT64_MAX - k.addr ? UINT64_MAX : k.addr + k.len - 1 };
    if (!(k.flags & UNREGISTER)) area.dso = dso_for(t, k.name, SLICE(""), 0, false, PD_DSO_NAMED);
    set(t, &t->processes, PD_KERNEL_SPACE, side->when, pd_space_put(&t->spaces, t->processes.all.at[PD_KERNEL_SPACE - 1].current, &area));
}

static void follow_task(struct pd_tracks *t, const struct pd_decoder *d, const struct pd_side *side, const struct pd_record *r)
{
    struct pd_task task;
    if (!pd_task(d, r, r->len, &task)) return;
    uint32_t thread = owner_for(t, &t->threads, task.tid), process = owner_for(t, &t->processes, task.pid);
    if (!thread || !process) return;
    if (r->type == PD_COMM) {
        uint32_t comm = intern_put(&t->comms, task.comm);
        t->failed |= !comm;
        set(t, &t->threads, thread, side->when, comm);
        if (r->misc & PD_BIT_13) set(t, &t->processes, process, side->when, 0); /* exec */
        return;
    }
    uint32_t above = pd_owner(&t->threads, task.ptid), parent = pd_owner(&t->processes, task.ppid);
    set(t, &t->threads, thread, side->when, above ? t->threads.all.at[above - 1].current : 0);
    if (task.pid != task.ppid) set(t, &t->processes, process, side->when, parent ? t->processes.all.at[parent - 1].current : 0);
}

static int by_time(const void *a, const void *b)
{
    const struct pd_side *x = a, *y = b;
    ORDER_BY(x->when.time, y->when.time);
    return ORDER(x->when.seq, y->when.seq);
}

bool pd_tracks_follow(struct pd_tracks *t, const struct pd_decoder *d)
{
    (void)owner_new(t, &t->processes, -1);
    (void)owner_new(t, &t->processes, -1);
    if (t->sides.len > 1 && !sort_by(t->sides.at, t->sides.len, sizeof *t->sides.at, by_time)) return false;
    for (size_t i = 0; i < t->sides.len && !t->failed && !t->spaces.failed; i++) {
        const struct pd_side *side = &t->sides.at[i];
        struct pd_record r = { .type = side->type, .misc = side->misc, .data = side->data, .len = side->len };
        if (cancel_at(i)) return false;
        if (r.type == PD_MMAP || r.type == PD_MMAP2)
            follow_mapping(t, d, side, &r);
        else if (r.type == PD_KSYMBOL)
            follow_ksymbol(t, d, side, &r);
        else
            follow_task(t, d, side, &r);
    }
    return !t->failed && !t->spaces.failed && gather(t, &t->processes) && gather(t, &t->threads);
}
