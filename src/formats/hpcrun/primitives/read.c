/* fread of the primitives of assay/hpcrun_fmt.h.
 *
 * A count in the file never sizes an allocation before so many bytes were seen: a regular file knows its length; of any other stream what
 * is longer than a step is first taken into memory of our own, step by step, and parsed from there. */
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "base/cursor.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/vec.h"
#include "formats/hpcrun/primitives/primitives.h"

enum { STEP = 64 << 10, AT_END = 1, ERROR = -1 };

struct source {
    FILE *in;
    const hpcrun_fmt_env_t *env;
    hpcrun_fmt_alloc_fn alloc;
    uint64_t taken; /* bytes of the stream by this call */
    bool is_staged; /* bytes come from `staged`, not from the stream */
    struct cursor staged;
    uint64_t item; /* `taken` where the item in work begins: the place of an error */
};

/* Where the stream stands, less what this call has taken. */
static uint64_t origin(const struct source *s)
{
    off_t now = ftello(s->in);
    if (now >= 0 && (uint64_t)now >= s->taken) return (uint64_t)now - s->taken;
    return s->env && s->env->error ? s->env->error->consumed : 0;
}
static uint64_t place(const struct source *s) { return origin(s) + s->item; }

static struct source start(const hpcrun_fmt_env_t *env, FILE *in, hpcrun_fmt_alloc_fn alloc) { return (struct source){ .in = in, .env = env, .alloc = alloc }; }
static int finish(const struct source *s, int rc)
{
    if (s->env && s->env->error) s->env->error->consumed += s->taken;
    return rc;
}

/* ---- bytes ---- */

static int cut_short(const struct source *s, size_t want)
{
    if (ferror(s->in)) return fmt_fail(s->env, ASSAY_ERR_SYSTEM, "", place(s), "the stream cannot be read: %s", strerror(errno));
    return fmt_fail(s->env, ASSAY_ERR_TRUNCATED, "HRC04", place(s), "%zu bytes were expected, and the stream ends before them", want);
}

/* AT_END only before the first byte of the primitive. */
static int take(struct source *s, void *buf, size_t len)
{
    assay_slice bytes;
    if (s->is_staged) {
        if (!cursor_bytes(&s->staged, len, &bytes)) return cut_short(s, len);
        memcpy(buf, bytes.data, len);
        return 0;
    }
    size_t got = fread(buf, 1, len, s->in);
    bool is_first = s->taken == 0;
    s->taken += got;
    if (got == len) return 0;
    return got == 0 && is_first && !ferror(s->in) ? AT_END : cut_short(s, len);
}

static int take_number(struct source *s, unsigned len, uint64_t *out)
{
    unsigned char bytes[8];
    *out = 0;
    TRY(take(s, bytes, len));
    struct cursor c = cursor_of(bytes, len);
    (void)(fmt_is_big(s->env) ? cursor_be(&c, len, out) : cursor_le(&c, len, out));
    return 0;
}

static int take_u32(struct source *s, uint32_t *out)
{
    uint64_t v;
    int rc = take_number(s, 4, &v);
    *out = (uint32_t)v;
    return rc;
}

/* Bytes that are left, UINT64_MAX = not known. */
static uint64_t left(const struct source *s)
{
    struct stat st;
    if (s->is_staged) return cursor_left(&s->staged);
    int fd = fileno(s->in);
    off_t now = ftello(s->in);
    if (fd < 0 || now < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return UINT64_MAX;
    return st.st_size > now ? (uint64_t)(st.st_size - now) : 0;
}

static void *allocate(const struct source *s, size_t len)
{
    void *p = s->alloc(len);
    if (!p) (void)fmt_fail(s->env, ASSAY_ERR_MEMORY, "", place(s), "the allocator has no %zu bytes", len);
    return p;
}

/* ---- staging: bytes of our own, which grow with what the stream gives ---- */

struct stage {
    struct mem mem;
    VEC(char) bytes;
};

static int stage_bytes(struct source *s, struct stage *to, uint64_t len)
{
    while (len) {
        size_t step = len < STEP ? (size_t)len : STEP;
        if (!vec_reserve(&to->mem, &to->bytes, step)) return fmt_fail(s->env, ASSAY_ERR_MEMORY, "", place(s), "no memory for %zu bytes", step);
        TRY(take(s, to->bytes.at + to->bytes.len, step));
        to->bytes.len += step;
        len -= step;
    }
    return 0;
}

/* The same bytes once more, as a number. */
static uint64_t staged_u32(const struct source *s, const struct stage *from, size_t at)
{
    struct cursor c = cursor_of(from->bytes.at + at, 4);
    uint64_t v;
    (void)(fmt_is_big(s->env) ? cursor_be(&c, 4, &v) : cursor_le(&c, 4, &v));
    return v;
}

static int stage_items(struct source *s, struct stage *to, const struct fmt_layout *layout, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (const struct fmt_field *f = layout->fields; f->kind != FMT_END; f++) {
            s->item = s->taken;
            TRY(stage_bytes(s, to, f->kind == FMT_U64 ? 8 : 4));
            if (f->kind == FMT_STR) TRY(stage_bytes(s, to, staged_u32(s, to, to->bytes.len - 4)));
        }
    return 0;
}

/* ---- strings and lists ---- */

static int take_text(struct source *s, hpcrun_fmt_str_t *out, uint32_t len)
{
    out->s = allocate(s, (size_t)len + 1);
    if (!out->s) return ERROR;
    out->len = len;
    out->s[len] = 0;
    return len ? take(s, out->s, len) : 0;
}

static int take_long_text(struct source *s, hpcrun_fmt_str_t *out, uint32_t len)
{
    struct stage stage = { 0 };
    mem_init(&stage.mem, 0);
    vec_scoped(&stage.mem, &stage.bytes);
    TRY(stage_bytes(s, &stage, len));
    out->s = allocate(s, (size_t)len + 1);
    if (!out->s) return ERROR;
    memcpy(out->s, stage.bytes.at, len);
    out->s[len] = 0;
    out->len = len;
    return 0;
}

static int take_str(struct source *s, hpcrun_fmt_str_t *out)
{
    uint32_t len, room = out->len;
    s->item = s->taken;
    TRY(take_u32(s, &len));
    if (!s->alloc) {
        if (len > room || !out->s) return fmt_fail(s->env, ASSAY_ERR_LIMIT, "", place(s), "a string of %u bytes, but there is room for %u", len, room);
        out->len = len;
        out->s[len] = 0;
        return len ? take(s, out->s, len) : 0;
    }
    uint64_t known = left(s);
    if (known == UINT64_MAX && len > STEP) return take_long_text(s, out, len);
    if (len > known) return fmt_fail(s->env, ASSAY_ERR_TRUNCATED, "HRC04", place(s), "a string of %u bytes, but only %" PRIu64 " bytes are left", len, known);
    return take_text(s, out, len);
}

static int take_item(struct source *s, const struct fmt_layout *layout, char *item)
{
    for (const struct fmt_field *f = layout->fields; f->kind != FMT_END; f++) {
        void *at = item + f->at;
        s->item = s->taken;
        switch (f->kind) {
        case FMT_STR: TRY(take_str(s, at)); break;
        case FMT_U32: TRY(take_u32(s, at)); break;
        case FMT_U64: TRY(take_number(s, 8, at)); break;
        }
    }
    return 0;
}

static int take_items(struct source *s, const struct fmt_layout *layout, uint32_t count, struct fmt_list *list)
{
    if (!s->alloc && (count > list->len || (count && !list->lst)))
        return fmt_fail(s->env, ASSAY_ERR_LIMIT, "", place(s), "%u %s, but there is room for %u", count, layout->what, list->len);
    list->len = s->alloc ? 0 : count;
    if (count == 0) return 0;
    if (s->alloc) {
        size_t len;
        if (!size_mul(&len, count, layout->size)) return fmt_fail(s->env, ASSAY_ERR_LIMIT, "HRC04", place(s), "too many %s", layout->what);
        list->lst = allocate(s, len);
        if (!list->lst) return ERROR;
        memset(list->lst, 0, len);
        list->len = count; /* items that are not reached stay zero, so that all of them can be freed */
    }
    for (uint32_t i = 0; i < count; i++) TRY(take_item(s, layout, (char *)list->lst + i * layout->size));
    return 0;
}

static int take_staged(struct source *s, const struct fmt_layout *layout, uint32_t count, struct fmt_list *list)
{
    struct stage stage = { 0 };
    mem_init(&stage.mem, 0);
    vec_scoped(&stage.mem, &stage.bytes);
    TRY(stage_items(s, &stage, layout, count));
    s->is_staged = true;
    s->staged = cursor_of(stage.bytes.at, stage.bytes.len);
    int rc = take_items(s, layout, count, list);
    s->is_staged = false;
    return rc;
}

static int take_list(struct source *s, const struct fmt_layout *layout, struct fmt_list *list)
{
    uint32_t count;
    s->item = s->taken;
    TRY(take_u32(s, &count));
    uint64_t known = s->alloc ? left(s) : UINT64_MAX;
    if (known == UINT64_MAX && s->alloc && (uint64_t)count * layout->size > STEP) return take_staged(s, layout, count, list);
    if ((uint64_t)count * layout->min_bytes > known)
        return fmt_fail(s->env, ASSAY_ERR_TRUNCATED, "HRC04", place(s), "%u %s need %" PRIu64 " bytes at least, but only %" PRIu64 " are left", count,
                        layout->what, (uint64_t)count * layout->min_bytes, known);
    return take_items(s, layout, count, list);
}

/* The three kinds of lists have the same members, but are three types. */
#define TAKE_LIST(s, layout, typed, rc)                                                                                                                        \
    do {                                                                                                                                                       \
        struct fmt_list list_ = { (typed)->len, (typed)->lst };                                                                                                \
        (rc) = take_list((s), (layout), &list_);                                                                                                               \
        (typed)->len = list_.len;                                                                                                                              \
        (typed)->lst = list_.lst;                                                                                                                              \
    } while (0)

static int take_pairs(struct source *s, hpcrun_fmt_nv_list_t *list)
{
    int rc;
    TAKE_LIST(s, &fmt_pair_layout, list, rc);
    return rc;
}

static int take_metrics(struct source *s, hpcrun_fmt_metric_tbl_t *tbl)
{
    int rc;
    TAKE_LIST(s, &fmt_metric_layout, tbl, rc);
    return rc;
}

static int take_modules(struct source *s, hpcrun_fmt_loadmap_t *map)
{
    int rc;
    uint64_t begin = s->taken;
    TAKE_LIST(s, fmt_loadmap_layout(s->env), map, rc);
    if (rc != 0 || map->len || fmt_loadmap_layout(s->env) == &fmt_module_layout_2009) return rc;
    s->item = begin;
    return fmt_fail(s->env, ASSAY_ERR_DAMAGED, "HRC12", place(s), "the load map is empty: the specification requires at least one entry");
}

/* ---- the primitives ---- */

int hpcrun_fmt_str_fread(hpcrun_fmt_str_t *str, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc)
{
    struct source s = start(env, infs, alloc);
    if (alloc) *str = (hpcrun_fmt_str_t){ 0 };
    return finish(&s, take_str(&s, str));
}

int hpcrun_fmt_nv_pair_fread(hpcrun_fmt_nv_pair_t *pair, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc)
{
    struct source s = start(env, infs, alloc);
    if (alloc) *pair = (hpcrun_fmt_nv_pair_t){ 0 };
    return finish(&s, take_item(&s, &fmt_pair_layout, (char *)pair));
}

int hpcrun_fmt_metric_tbl_fread(hpcrun_fmt_metric_tbl_t *tbl, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc)
{
    struct source s = start(env, infs, alloc);
    if (alloc) *tbl = (hpcrun_fmt_metric_tbl_t){ 0 };
    return finish(&s, take_metrics(&s, tbl));
}

int hpcrun_fmt_loadmap_fread(hpcrun_fmt_loadmap_t *map, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc)
{
    struct source s = start(env, infs, alloc);
    if (alloc) *map = (hpcrun_fmt_loadmap_t){ 0 };
    return finish(&s, take_modules(&s, map));
}

/* ---- hdr ---- */

static int take_magic(struct source *s, hpcrun_fmt_hdr_t *hdr)
{
    char magic[FMT_MAGIC_LEN + FMT_VERSION_LEN + 1];
    TRY(take(s, magic, sizeof magic));
    if (memcmp(magic, FMT_MAGIC, FMT_MAGIC_LEN) != 0)
        return fmt_fail(s->env, ASSAY_ERR_DAMAGED, "HRC01", place(s), "the header does not begin with %s", FMT_MAGIC);
    memcpy(hdr->version, magic + FMT_MAGIC_LEN, FMT_VERSION_LEN);
    hdr->version[FMT_VERSION_LEN] = 0;
    hdr->endian = magic[sizeof magic - 1];
    s->item = FMT_MAGIC_LEN;
    if (strcmp(hdr->version, FMT_VERSION) != 0)
        return fmt_fail(s->env, ASSAY_ERR_VERSION, "HRC02", place(s), "the version is not %s, the only one that these primitives know", FMT_VERSION);
    s->item = FMT_MAGIC_LEN + FMT_VERSION_LEN;
    if (hdr->endian != 'l' && hdr->endian != 'b') return fmt_fail(s->env, ASSAY_ERR_DAMAGED, "HRC03", place(s), "the byte order is neither 'l' nor 'b'");
    return 0;
}

/* After the pairs: a count of epochs; or, in the layout of 2009, the first epoch or nothing. */
static int take_epoch_count(struct source *s, hpcrun_fmt_hdr_t *hdr, hpcrun_fmt_env_t *env)
{
    unsigned char bytes[4];
    s->item = s->taken;
    size_t got = fread(bytes, 1, sizeof bytes, s->in);
    s->taken += got;
    if (got == 0 && !ferror(s->in)) {
        if (env) env->variant = HPCRUN_FMT_2009;
        return 0;
    }
    if (got < sizeof bytes) return cut_short(s, sizeof bytes);
    if (memcmp(bytes, FMT_TAG, sizeof bytes) == 0) {
        if (env) {
            env->variant = HPCRUN_FMT_2009;
            env->has_tag = true;
        } else if (fseeko(s->in, -(off_t)sizeof bytes, SEEK_CUR) != 0)
            return fmt_fail(env, ASSAY_ERR_USAGE, "", place(s), "a header without epoch count on a stream that cannot seek needs an environment");
        return 0;
    }
    struct cursor c = cursor_of(bytes, sizeof bytes);
    (void)(hdr->endian == 'b' ? cursor_u32be(&c, &hdr->num_epochs) : cursor_u32le(&c, &hdr->num_epochs));
    hdr->counted = true;
    if (env) env->variant = HPCRUN_FMT_SPEC;
    return 0;
}

int hpcrun_fmt_hdr_fread(hpcrun_fmt_hdr_t *hdr, hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc)
{
    struct source s = start(env, infs, alloc);
    hpcrun_fmt_env_t own = { 0 };
    hpcrun_fmt_nv_list_t kept = hdr->nvps;
    *hdr = (hpcrun_fmt_hdr_t){ 0 };
    if (!alloc) hdr->nvps = kept;
    int rc = take_magic(&s, hdr);
    if (rc != 0) return finish(&s, rc);
    if (!env) s.env = &own;
    own.endian = hdr->endian;
    if (env) {
        env->endian = hdr->endian;
        env->has_tag = false;
    }
    rc = take_pairs(&s, &hdr->nvps);
    if (rc == 0) rc = take_epoch_count(&s, hdr, env);
    return finish(&s, rc);
}

/* ---- epoch ---- */

static int take_tag(struct source *s, hpcrun_fmt_env_t *env)
{
    char tag[FMT_TAG_LEN];
    size_t known = env && env->has_tag ? 4 : 0;
    memcpy(tag, FMT_TAG, known);
    if (env) env->has_tag = false;
    TRY(take(s, tag + known, sizeof tag - known));
    if (memcmp(tag, FMT_TAG, sizeof tag) == 0) return 0;
    uint64_t at = place(s);
    return fmt_fail(env, ASSAY_ERR_DAMAGED, "HRC05", at > known ? at - known : 0, "the epoch does not begin with %s", FMT_TAG);
}

static int take_epoch(struct source *s, hpcrun_fmt_epoch_t *epoch, hpcrun_fmt_env_t *env)
{
    TRY(take_tag(s, env));
    s->item = s->taken;
    TRY(take_number(s, 8, &epoch->flags));
    TRY(take_u32(s, &epoch->ra_distance));
    TRY(take_number(s, 8, &epoch->granularity));
    TRY(take_pairs(s, &epoch->nvps));
    TRY(take_metrics(s, &epoch->metric_tbl));
    TRY(take_modules(s, &epoch->loadmap));
    s->item = s->taken;
    TRY(take_number(s, env && env->variant == HPCRUN_FMT_2009 ? 8 : 4, &epoch->num_nodes));
    if (!env || hpcrun_fmt_epoch_env(epoch, env) == 0) return 0;
    if (env->error) env->error->what.offset = origin(s);
    return ERROR;
}

int hpcrun_fmt_epoch_fread(hpcrun_fmt_epoch_t *epoch, hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc)
{
    struct source s = start(env, infs, alloc);
    if (alloc) *epoch = (hpcrun_fmt_epoch_t){ 0 };
    bool had_tag = env && env->has_tag;
    int rc = take_epoch(&s, epoch, env);
    /* after the first four bytes of its tag the end is not a clean one */
    if (rc == AT_END && had_tag) rc = cut_short(&s, FMT_TAG_LEN);
    return finish(&s, rc);
}

/* ---- cct-node ---- */

static int take_words(struct source *s, uint64_t **words, uint32_t count)
{
    if (count == 0) return 0;
    if (!s->alloc && !*words) return fmt_fail(s->env, ASSAY_ERR_LIMIT, "", place(s), "there is no room for %u words of a node", count);
    if (s->alloc) {
        *words = allocate(s, count * sizeof **words);
        if (!*words) return ERROR;
        memset(*words, 0, count * sizeof **words);
    }
    for (uint32_t i = 0; i < count; i++) TRY(take_number(s, 8, &(*words)[i]));
    return 0;
}

static int take_node(struct source *s, hpcrun_fmt_cct_node_t *node)
{
    const hpcrun_fmt_env_t *env = s->env;
    uint32_t id, parent;
    TRY(take_u32(s, &id));
    TRY(take_u32(s, &parent));
    node->id = (int32_t)id;
    node->parent = (int32_t)parent;
    if (id == 0) return fmt_fail(env, ASSAY_ERR_DAMAGED, "HRC10", place(s), "a node has the id 0, which means none");
    if (env->lush) TRY(take_u32(s, &node->assoc));
    TRY(take_number(s, 8, &node->ip));
    if (env->lush) TRY(take_words(s, &node->lip, env->lip_words));
    return take_words(s, &node->values, env->num_metrics);
}

int hpcrun_fmt_cct_node_fread(hpcrun_fmt_cct_node_t *node, const hpcrun_fmt_env_t *env, FILE *infs, hpcrun_fmt_alloc_fn alloc)
{
    struct source s = start(env, infs, alloc);
    uint64_t *lip = node->lip, *values = node->values;
    *node = (hpcrun_fmt_cct_node_t){ 0 };
    if (!alloc) {
        node->lip = lip;
        node->values = values;
    }
    if (!env) return -1;
    node->is_lush = env->lush;
    node->lip_words = env->lush ? env->lip_words : 0;
    node->num_values = env->num_metrics;
    node->metrics = env->metrics;
    return finish(&s, take_node(&s, node));
}
