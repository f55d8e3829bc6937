/* fwrite of the primitives of assay/hpcrun_fmt.h. A first failure of the stream ends the primitive; what it has taken before stays. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "formats/hpcrun/primitives/primitives.h"

struct target {
    FILE *out;
    const hpcrun_fmt_env_t *env;
    bool is_big;
};

static uint64_t place(const struct target *t)
{
    off_t now = ftello(t->out);
    return now < 0 ? 0 : (uint64_t)now;
}

static int put(const struct target *t, const void *data, size_t len)
{
    if (len == 0 || fwrite(data, 1, len, t->out) == len) return 0;
    return fmt_fail(t->env, ASSAY_ERR_WRITE, "", place(t), "%zu bytes cannot be written: %s", len, strerror(errno));
}

static int put_number(const struct target *t, unsigned len, uint64_t v)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < len; i++) bytes[i] = (unsigned char)(v >> 8 * (t->is_big ? len - 1 - i : i));
    return put(t, bytes, len);
}

static int put_str(const struct target *t, const hpcrun_fmt_str_t *str)
{
    if (str->len && !str->s) return fmt_fail(t->env, ASSAY_ERR_USAGE, "", place(t), "a string has %u bytes, but no pointer to them", str->len);
    TRY(put_number(t, 4, str->len));
    return put(t, str->s, str->len);
}

static int put_item(const struct target *t, const struct fmt_layout *layout, const char *item)
{
    for (const struct fmt_field *f = layout->fields; f->kind != FMT_END; f++) {
        const void *at = item + f->at;
        switch (f->kind) {
        case FMT_STR: TRY(put_str(t, at)); break;
        case FMT_U32: TRY(put_number(t, 4, *(const uint32_t *)at)); break;
        case FMT_U64: TRY(put_number(t, 8, *(const uint64_t *)at)); break;
        }
    }
    return 0;
}

static int put_list(const struct target *t, const struct fmt_layout *layout, uint32_t len, const void *lst)
{
    if (len && !lst) return fmt_fail(t->env, ASSAY_ERR_USAGE, "", place(t), "there are %u %s, but no pointer to them", len, layout->what);
    TRY(put_number(t, 4, len));
    for (uint32_t i = 0; i < len; i++) TRY(put_item(t, layout, (const char *)lst + i * layout->size));
    return 0;
}

static struct target start(const hpcrun_fmt_env_t *env, FILE *out) { return (struct target){ out, env, fmt_is_big(env) }; }

/* ---- the primitives ---- */

int hpcrun_fmt_str_fwrite(const hpcrun_fmt_str_t *str, const hpcrun_fmt_env_t *env, FILE *outfs)
{
    struct target t = start(env, outfs);
    return put_str(&t, str);
}

int hpcrun_fmt_nv_pair_fwrite(const hpcrun_fmt_nv_pair_t *pair, const hpcrun_fmt_env_t *env, FILE *outfs)
{
    struct target t = start(env, outfs);
    return put_item(&t, &fmt_pair_layout, (const char *)pair);
}

int hpcrun_fmt_metric_tbl_fwrite(const hpcrun_fmt_metric_tbl_t *tbl, const hpcrun_fmt_env_t *env, FILE *outfs)
{
    struct target t = start(env, outfs);
    return put_list(&t, &fmt_metric_layout, tbl->len, tbl->lst);
}

int hpcrun_fmt_loadmap_fwrite(const hpcrun_fmt_loadmap_t *map, const hpcrun_fmt_env_t *env, FILE *outfs)
{
    struct target t = start(env, outfs);
    const struct fmt_layout *layout = fmt_loadmap_layout(env);
    if (map->len == 0 && layout == &fmt_module_layout)
        return fmt_fail(env, ASSAY_ERR_USAGE, "HRC12", place(&t), "the load map is empty: the specification requires at least one entry");
    return put_list(&t, layout, map->len, map->lst);
}

/* ---- hdr ---- */

static int put_magic(const struct target *t, const char *version)
{
    if (strlen(version) != FMT_VERSION_LEN) return fmt_fail(t->env, ASSAY_ERR_USAGE, "HRC02", place(t), "a version has five characters, as in %s", FMT_VERSION);
    TRY(put(t, FMT_MAGIC, FMT_MAGIC_LEN));
    TRY(put(t, version, FMT_VERSION_LEN));
    return put(t, t->is_big ? "b" : "l", 1);
}

int hpcrun_fmt_hdr_fwrite(const hpcrun_fmt_hdr_t *hdr, const hpcrun_fmt_env_t *env, FILE *outfs)
{
    struct target t = start(env, outfs);
    if (hdr->endian && hdr->endian != 'l' && hdr->endian != 'b')
        return fmt_fail(env, ASSAY_ERR_USAGE, "HRC03", place(&t), "the byte order is neither 'l' nor 'b'");
    if (env && hdr->endian && (hdr->endian == 'b') != t.is_big)
        return fmt_fail(env, ASSAY_ERR_USAGE, "HRC03", place(&t), "the header and its environment have different byte orders");
    if (env && hdr->counted == (env->variant == HPCRUN_FMT_2009))
        return fmt_fail(env, ASSAY_ERR_USAGE, "", place(&t), "the layout of 2009 has no epoch count, that of the specification has one");
    if (hdr->endian) t.is_big = hdr->endian == 'b';
    char version[sizeof hdr->version + 1] = { 0 };
    memcpy(version, hdr->version, sizeof hdr->version);
    TRY(put_magic(&t, version[0] ? version : FMT_VERSION));
    TRY(put_list(&t, &fmt_pair_layout, hdr->nvps.len, hdr->nvps.lst));
    return hdr->counted ? put_number(&t, 4, hdr->num_epochs) : 0;
}

int hpcrun_fmt_hdr_fwritev(FILE *outfs, const hpcrun_fmt_env_t *env, uint32_t num_epochs, ...)
{
    struct target t = start(env, outfs);
    uint32_t count = 0;
    va_list args, again;
    va_start(args, num_epochs);
    va_copy(again, args);
    while (va_arg(args, const char *) && va_arg(args, const char *)) count++;
    va_end(args);
    int rc = put_magic(&t, FMT_VERSION);
    if (rc == 0) rc = put_number(&t, 4, count);
    for (uint32_t i = 0; rc == 0 && i < 2 * count; i++) {
        const char *text = va_arg(again, const char *);
        size_t len = strlen(text);
        if (len > UINT32_MAX) rc = fmt_fail(env, ASSAY_ERR_LIMIT, "HRC04", place(&t), "a string of %zu bytes is too long", len);
        if (rc == 0) rc = put_number(&t, 4, len);
        if (rc == 0) rc = put(&t, text, len);
    }
    va_end(again);
    if (rc == 0 && !(env && env->variant == HPCRUN_FMT_2009)) rc = put_number(&t, 4, num_epochs);
    return rc;
}

/* ---- epoch and node ---- */

int hpcrun_fmt_epoch_fwrite(const hpcrun_fmt_epoch_t *epoch, const hpcrun_fmt_env_t *env, FILE *outfs)
{
    struct target t = start(env, outfs);
    bool is_2009 = env && env->variant == HPCRUN_FMT_2009;
    if (!is_2009 && epoch->num_nodes > UINT32_MAX) return fmt_fail(env, ASSAY_ERR_LIMIT, "HRC04", place(&t), "an epoch holds at most %u nodes", UINT32_MAX);
    TRY(put(&t, FMT_TAG, FMT_TAG_LEN));
    TRY(put_number(&t, 8, epoch->flags));
    TRY(put_number(&t, 4, epoch->ra_distance));
    TRY(put_number(&t, 8, epoch->granularity));
    TRY(put_list(&t, &fmt_pair_layout, epoch->nvps.len, epoch->nvps.lst));
    TRY(hpcrun_fmt_metric_tbl_fwrite(&epoch->metric_tbl, env, outfs));
    TRY(hpcrun_fmt_loadmap_fwrite(&epoch->loadmap, env, outfs));
    return put_number(&t, is_2009 ? 8 : 4, epoch->num_nodes);
}

static int put_words(const struct target *t, const uint64_t *words, uint32_t count)
{
    if (count && !words) return fmt_fail(t->env, ASSAY_ERR_USAGE, "", place(t), "%u words of a node are missing", count);
    for (uint32_t i = 0; i < count; i++) TRY(put_number(t, 8, words[i]));
    return 0;
}

int hpcrun_fmt_cct_node_fwrite(const hpcrun_fmt_cct_node_t *node, const hpcrun_fmt_env_t *env, FILE *outfs)
{
    struct target t = start(env, outfs);
    if (!env) return -1;
    if (node->id == 0) return fmt_fail(env, ASSAY_ERR_USAGE, "HRC10", place(&t), "a node has the id 0, which means none");
    TRY(put_number(&t, 4, (uint32_t)node->id));
    TRY(put_number(&t, 4, (uint32_t)node->parent));
    if (env->lush) TRY(put_number(&t, 4, node->assoc));
    TRY(put_number(&t, 8, node->ip));
    if (env->lush) TRY(put_words(&t, node->lip, env->lip_words));
    return put_words(&t, node->values, env->num_metrics);
}
