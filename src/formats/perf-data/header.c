/* The beginning of a perf.data file: header, attributes with their ids, table of features; and the files of a directory. */
#include <stdlib.h>

#include "base/cancel.h"
#include "base/sort.h"
#include "formats/perf-data/perf_data.h"

enum {
    PIPE_HEADER = 16,
    OLD_HEADER = 72, /* before there were features */
    FILE_HEADER = 104,
    MOST_ATTR = 4096,
    MOST_ATTRS = 65536,
    LEAST_ATTR = 64,         /* the first one that was published */
    MOST_FEATURE = 64 << 20, /* bytes of one that is read */
    FEATURES = 256,
};

/* ---- attributes ---- */

static uint64_t reversed(uint64_t v)
{
    uint64_t out = 0;
    for (int i = 0; i < 64; i++, v >>= 1) out = out << 1 | (v & 1);
    return out;
}

/* Where a sample has its fixed fields: eight bytes each, in this order. */
static void settle_places(struct pd_attr *a)
{
    struct {
        uint64_t bit;
        uint8_t *at;
    } const fields[] = {
        { PD_IDENTIFIER, &a->id_at }, { PD_IP, &a->ip_at },   { PD_TID, &a->tid_at }, { PD_TIME, &a->time_at },     { PD_ADDR, &a->addr_at },
        { PD_ID, &a->id_at },         { PD_STREAM_ID, NULL }, { PD_CPU, &a->cpu_at }, { PD_PERIOD, &a->period_at },
    };
    a->ip_at = a->tid_at = a->time_at = a->addr_at = a->id_at = a->cpu_at = a->period_at = PD_NOWHERE;
    a->fixed_len = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!(a->sample_type & fields[i].bit)) continue;
        if (fields[i].at && !(fields[i].bit == PD_ID && a->sample_type & PD_IDENTIFIER)) *fields[i].at = a->fixed_len;
        a->fixed_len += 8;
    }
}

/* The same for what other records end with. */
static void settle_trailer(struct pd_attr *a)
{
    struct {
        uint64_t bit;
        uint8_t *at;
    } const fields[] = {
        { PD_TID, &a->trailer_tid },       { PD_TIME, &a->trailer_time }, { PD_ID, &a->trailer_id }, { PD_STREAM_ID, NULL }, { PD_CPU, NULL },
        { PD_IDENTIFIER, &a->trailer_id },
    };
    a->trailer_tid = a->trailer_time = a->trailer_id = PD_NOWHERE;
    a->trailer_len = 0;
    if (!pd_has(a, PD_SAMPLE_ID_ALL)) return;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!(a->sample_type & fields[i].bit)) continue;
        if (fields[i].at) *fields[i].at = a->trailer_len;
        a->trailer_len += 8;
    }
}

/* `size` is its own word of its length; what is wrong with it is told. Gives how much of the `room` to use; 0 = none. */
static size_t attr_size(struct pd_decoder *d, uint32_t size, size_t room, uint64_t off)
{
    uint32_t other = __builtin_bswap32(size);
    if (size == 0) size = LEAST_ATTR;
    if (size >= LEAST_ATTR && size <= room) return size;
    if (other >= LEAST_ATTR && other <= room) {
        pd_found(d, "PD15", ASSAY_ERROR, off + 4, "the attribute has the other byte order than the header: its size is %lu", (unsigned long)size);
        d->is_dead = true;
        return 0;
    }
    pd_found(d, "PD17", ASSAY_ERROR, off + 4, "the attribute says that it has %lu bytes; it has at least %d and at most %zu here", (unsigned long)size,
             LEAST_ATTR, room);
    return room >= LEAST_ATTR ? room : 0;
}

uint32_t pd_attr_add(struct pd_decoder *d, const unsigned char *p, size_t len, uint64_t off)
{
    size_t size = len >= 8 ? attr_size(d, pd_u32(d, p + 4), len, off) : 0;
    if (!size || d->attrs.len >= MOST_ATTRS) return 0;
    struct pd_attr *a = vec_push(d->mem, &d->attrs);
    if (!a) return d->failed = true, 0;
    *a = (struct pd_attr){ .off = off, .type = pd_u32(d, p), .size = (uint32_t)size, .config = pd_u64(d, p + 8) };
    a->period = pd_u64(d, p + 16);
    a->sample_type = pd_u64(d, p + 24);
    a->read_format = pd_u64(d, p + 32);
    a->flags = d->is_big ? reversed(pd_u64(d, p + 40)) : pd_u64(d, p + 40); /* C puts bit fields the other way round there */
    if (size >= 80) a->branch_type = pd_u64(d, p + 72);
    if (size >= 96) a->regs_user = pd_u64(d, p + 80);
    if (size >= 104) a->regs_intr = pd_u64(d, p + 96);
    settle_places(a);
    settle_trailer(a);
    a->name = pd_event_label(d, a);
    return (uint32_t)d->attrs.len;
}

bool pd_attr_id(struct pd_decoder *d, uint32_t attr, uint64_t id)
{
    struct pd_id *made = vec_push(d->mem, &d->ids);
    if (made) *made = (struct pd_id){ id, attr };
    if (made && index_add(&d->by_id, hash_mix(id, 1), (uint32_t)d->ids.len)) {
        d->attrs.at[attr - 1].ids++;
        return true;
    }
    d->failed = true;
    return false;
}

void pd_attrs_settle(struct pd_decoder *d)
{
    const struct pd_attr *first = d->attrs.at;
    for (size_t i = 1; i < d->attrs.len; i++) {
        const struct pd_attr *a = &d->attrs.at[i];
        if (a->sample_type == first->sample_type || (a->sample_type & first->sample_type & PD_IDENTIFIER)) continue;
        pd_found(d, "PD28", ASSAY_ERROR, a->off + 24,
                 "the samples of event %zu have other fields than those of the first, and no identifier tells which is which", i + 1);
        return;
    }
}

/* One attribute of the table, with where its ids are. */
static bool take_attr(struct pd_decoder *d, uint64_t off)
{
    size_t len = (size_t)d->attr_size;
    const unsigned char *p = pd_bytes(&d->source, off, len);
    if (!p) return false;
    uint64_t ids_off = pd_u64(d, p + len - 16), ids_len = pd_u64(d, p + len - 8);
    uint32_t attr = pd_attr_add(d, p, len - 16, off);
    if (!attr || d->is_dead) return !d->is_dead;
    if (ids_len % 8 || ids_off > d->source.len || ids_len > d->source.len - ids_off) {
        pd_found(d, "PD04", ASSAY_ERROR, off + len - 16, "the ids of the event are not in the file: %llu bytes at %llu", (unsigned long long)ids_len,
                 (unsigned long long)ids_off);
        return true;
    }
    for (uint64_t i = 0; i < ids_len / 8 && !d->failed; i++) {
        const unsigned char *id = pd_bytes(&d->source, ids_off + 8 * i, 8);
        if (cancel_at(i)) d->failed = true;
        if (!id || !pd_attr_id(d, attr, pd_u64(d, id))) return false;
    }
    return true;
}

static bool take_attrs(struct pd_decoder *d)
{
    if (d->attr_size < 80 || d->attr_size > MOST_ATTR || d->attr_size % 8) {
        pd_found(d, "PD03", ASSAY_ERROR, 16, "attributes have %llu bytes; a multiple of 8 from 80 to %d is expected", (unsigned long long)d->attr_size,
                 MOST_ATTR);
        return false;
    }
    if (d->attrs_off > d->source.len || d->attrs_len > d->source.len - d->attrs_off) {
        pd_found(d, "PD04", ASSAY_ERROR, 24, "the attributes are not in the file: %llu bytes at %llu", (unsigned long long)d->attrs_len,
                 (unsigned long long)d->attrs_off);
        return false;
    }
    if (d->attrs_len % d->attr_size)
        pd_found(d, "PD03", ASSAY_ERROR, 32, "%llu bytes of attributes are no multiple of %llu", (unsigned long long)d->attrs_len,
                 (unsigned long long)d->attr_size);
    uint64_t count = d->attrs_len / d->attr_size;
    if (!count) {
        pd_found(d, "PD14", ASSAY_ERROR, 32, "there is no attribute: what samples hold is not known");
        return false;
    }
    for (uint64_t i = 0; i < count && i < MOST_ATTRS && !d->failed; i++)
        if (!take_attr(d, d->attrs_off + i * d->attr_size)) return false;
    pd_attrs_settle(d);
    return d->attrs.len > 0;
}

/* ---- features ---- */

/* Writers on 32-bit big-endian machines had words of 32 bits: without HOSTNAME that is what they are. */
static void feature_bits(const struct pd_decoder *d, const unsigned char *p, bool *set)
{
    bool is_small = d->is_big && !(pd_u64(d, p) >> PD_FEATURE_HOSTNAME & 1) && pd_u32(d, p) >> PD_FEATURE_HOSTNAME & 1;
    for (unsigned i = 0; i < FEATURES; i++) set[i] = is_small ? pd_u32(d, p + i / 32 * 4) >> i % 32 & 1 : pd_u64(d, p + i / 64 * 8) >> i % 64 & 1;
}

/* `at` is its entry of the table. false = the file ends before: nor are there others. */
static bool take_feature(struct pd_decoder *d, unsigned number, uint64_t at)
{
    const unsigned char *p = pd_bytes(&d->source, at, 16);
    if (!p) {
        pd_found(d, "PD12", ASSAY_ERROR, at, "the file ends before the table of features does");
        return false;
    }
    uint64_t off = pd_u64(d, p), len = pd_u64(d, p + 8);
    if (off > d->source.len || len > d->source.len - off) {
        pd_found(d, "PD12", ASSAY_ERROR, at, "feature %s is not in the file: %llu bytes at %llu", pd_feature_name(number), (unsigned long long)len,
                 (unsigned long long)off);
        return true;
    }
    struct pd_feature *made = vec_push(d->mem, &d->features);
    d->failed |= !made;
    if (made) *made = (struct pd_feature){ number, off, len };
    if (!made || !pd_feature_is_read(number) || len > MOST_FEATURE) return true;
    assay_slice bytes = pd_copy(&d->source, off, len, &d->text, &d->failed);
    if (bytes.data) pd_feature_take(d, number, bytes, off);
    return true;
}

static void take_features(struct pd_decoder *d)
{
    bool set[FEATURES];
    const unsigned char *p = pd_bytes(&d->source, OLD_HEADER, FILE_HEADER - OLD_HEADER);
    if (!p) return;
    feature_bits(d, p, set);
    uint64_t at = d->data_off + d->data_len;
    for (unsigned i = 0; i < FEATURES && !d->failed; i++) {
        if (!set[i]) continue;
        if (!take_feature(d, i, at)) return;
        at += 16;
    }
}

/* ---- sections ---- */

static bool overlap(uint64_t a, uint64_t a_len, uint64_t b, uint64_t b_len) { return a_len && b_len && a < b + b_len && b < a + a_len; }

static bool settle_data(struct pd_decoder *d)
{
    uint64_t len = d->source.len;
    if (d->data_off > len) {
        pd_found(d, "PD04", ASSAY_ERROR, 40, "the data begins at %llu, but the file has %llu bytes", (unsigned long long)d->data_off, (unsigned long long)len);
        return false;
    }
    d->is_unfinished = d->data_len == 0 && d->data_off < len;
    if (d->is_unfinished) {
        pd_found(d, "PD06", ASSAY_WARNING, 48, "the recording was not finished: the size of the data is 0, and records are read to the end of the file");
        d->data_len = len - d->data_off;
    }
    d->is_cut = d->data_len > len - d->data_off;
    d->data_end = d->is_cut ? len : d->data_off + d->data_len;
    if (!d->is_cut && overlap(d->attrs_off, d->attrs_len, d->data_off, d->data_len))
        pd_found(d, "PD34", ASSAY_WARNING, 24, "the attributes and the data overlap");
    return true;
}

static bool take_header(struct pd_decoder *d, const unsigned char *p)
{
    d->attr_size = pd_u64(d, p + 16);
    d->attrs_off = pd_u64(d, p + 24);
    d->attrs_len = pd_u64(d, p + 32);
    d->data_off = pd_u64(d, p + 40);
    d->data_len = pd_u64(d, p + 48);
    if (!d->attr_size && !d->attrs_off && !d->data_off) {
        pd_found(d, "PD02", ASSAY_ERROR, 0, "the header is empty: nothing was recorded yet");
        return false;
    }
    if (!take_attrs(d) || !settle_data(d)) return false;
    if (d->header_size == FILE_HEADER && !d->is_unfinished && !d->is_cut) take_features(d);
    if (d->facts.has_dir && !d->is_dir)
        pd_found(d, "PD30", ASSAY_WARNING, FINDING_NO_OFFSET, "this is one file of a recording that is a directory: give the directory to read them all");
    return true;
}

static bool take_magic(struct pd_decoder *d)
{
    const unsigned char *p = pd_bytes(&d->source, 0, 8);
    if (p && memcmp(p, "PERFILE2", 8) == 0) return true;
    d->is_big = p && memcmp(p, "2ELIFREP", 8) == 0;
    if (d->is_big) return true;
    if (p && memcmp(p, "PERFFILE", 8) == 0)
        pd_found(d, "PD01", ASSAY_ERROR, 0, "version 1 of perf.data, as perf wrote it before 2012, is not supported");
    else
        pd_found(d, "PD01", ASSAY_ERROR, 0, "no perf.data file: the magic PERFILE2 is not there");
    return false;
}

static bool take_beginning(struct pd_decoder *d)
{
    if (!take_magic(d)) return false;
    const unsigned char *p = pd_bytes(&d->source, 8, 8);
    uint64_t size = p ? pd_u64(d, p) : 0, other = __builtin_bswap64(size);
    if (p && (other == PIPE_HEADER || other == FILE_HEADER)) {
        pd_found(d, "PD15", ASSAY_ERROR, 8, "the magic says %s, but the header has the other byte order", d->is_big ? "big endian" : "little endian");
        return false;
    }
    bool is_known = size == PIPE_HEADER || size == OLD_HEADER || size == FILE_HEADER;
    p = is_known ? pd_bytes(&d->source, 0, (size_t)size) : NULL;
    if (!p) {
        if (is_known)
            pd_found(d, "PD02", ASSAY_ERROR, 8, "the file ends inside its header of %llu bytes", (unsigned long long)size);
        else
            pd_found(d, "PD02", ASSAY_ERROR, 8, "the header has 104 or 16 bytes, not %llu", (unsigned long long)size);
        return false;
    }
    d->header_size = size;
    d->is_pipe = size == PIPE_HEADER;
    d->data_off = PIPE_HEADER;
    d->data_end = d->source.len;
    return d->is_pipe || take_header(d, p);
}

/* ---- directories ---- */

/* The number of data.N; -1 = another file. */
static long part_number(const char *name)
{
    char *end = NULL;
    if (strncmp(name, "data.", 5) != 0 || name[5] < '0' || name[5] > '9') return -1;
    long number = strtol(name + 5, &end, 10);
    return *end ? -1 : number;
}

static int by_number(const void *a, const void *b)
{
    return ORDER(part_number(path_base(*(const char *const *)a)), part_number(path_base(*(const char *const *)b)));
}

static int list_parts(struct pd_decoder *d, const char *dir)
{
    TRY(folder_open(&d->folder, dir, d->mem, d->err));
    for (size_t i = 0; i < d->folder.entries.len; i++) {
        const struct folder_entry *e = &d->folder.entries.at[i];
        if (!e->is_file || part_number(e->name) < 0) continue;
        const char *path = folder_join(&d->text, dir, e->name), **slot = path ? vec_push(d->mem, &d->files) : NULL;
        if (!slot) return error_memory(d->err);
        *slot = path;
    }
    if (d->files.len > 1 && !sort_by(d->files.at, d->files.len, sizeof *d->files.at, by_number)) return error_memory(d->err);
    return 0;
}

static int open_file(struct pd_decoder *d, struct pd_source *s, const char *path)
{
    struct input_options o = { .mem = d->mem, .max_output = d->job->options->max_output };
    TRY(input_open(&s->own, path, &o, d->err));
    return pd_source_open(s, s->own, d->mem, d->err);
}

int pd_part_open(struct pd_decoder *d, uint32_t file)
{
    pd_source_close(&d->part, d->mem);
    return open_file(d, &d->part, d->files.at[file - 1]);
}

static int open_source(struct pd_decoder *d)
{
    d->is_dir = input_is_dir(d->job->in);
    if (!d->is_dir) return pd_source_open(&d->source, d->job->in, d->mem, d->err);
    const char *dir = input_path(d->job->in), *path = folder_join(&d->text, dir, "data");
    if (!path) return error_memory(d->err);
    TRY(list_parts(d, dir));
    return open_file(d, &d->source, path);
}

int pd_open(struct pd_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err)
{
    memset(d, 0, sizeof *d);
    d->job = job;
    d->mem = job->mem;
    d->damage = damage;
    d->err = err;
    arena_init(&d->text, d->mem);
    index_init(&d->by_id, d->mem);
    index_init(&d->by_path, d->mem);
    TRY(open_source(d));
    d->is_dead = !take_beginning(d) || d->is_dead;
    if (d->failed || damage->failed) return error_memory(err);
    d->at = d->data_off;
    d->end = d->data_end;
    d->is_over = d->is_dead;
    return 0;
}

void pd_close(struct pd_decoder *d)
{
    inflate_free(d->inflate);
    pd_source_close(&d->part, d->mem);
    pd_source_close(&d->source, d->mem);
    vec_done(d->mem, &d->attrs, &d->ids, &d->features, &d->build_ids, &d->unknown_types, &d->files, &d->plain, &d->packed);
    index_done(&d->by_path);
    index_done(&d->by_id);
    folder_done(&d->folder);
    arena_done(&d->text);
}
