/* The primitives of assay/hpcrun_fmt.h: layouts of their lists, errors, giving memory back, and what nodes need to know of their epoch. */
#include "formats/hpcrun/primitives/primitives.h"

#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

#define AT(type, member) offsetof(hpcrun_fmt_##type##_t, member)

const struct fmt_layout fmt_pair_layout = { "pairs", sizeof(hpcrun_fmt_nv_pair_t), 8, { { FMT_STR, AT(nv_pair, name) }, { FMT_STR, AT(nv_pair, val) } } };
const struct fmt_layout fmt_metric_layout = {
    "metrics",
    sizeof(hpcrun_fmt_metric_desc_t),
    20,
    { { FMT_STR, AT(metric_desc, name) }, { FMT_U64, AT(metric_desc, flags) }, { FMT_U64, AT(metric_desc, period) } }
};
const struct fmt_layout fmt_module_layout = { "load map entries",
                                              sizeof(hpcrun_fmt_loadmap_entry_t),
                                              24,
                                              { { FMT_U64, AT(loadmap_entry, load_addr) },
                                                { FMT_U64, AT(loadmap_entry, load_offset) },
                                                { FMT_STR, AT(loadmap_entry, name) },
                                                { FMT_U32, AT(loadmap_entry, flags) } } };
const struct fmt_layout fmt_module_layout_2009 = {
    "load map entries",
    sizeof(hpcrun_fmt_loadmap_entry_t),
    20,
    { { FMT_STR, AT(loadmap_entry, name) }, { FMT_U64, AT(loadmap_entry, load_offset) }, { FMT_U64, AT(loadmap_entry, load_addr) } }
};

/* ---- errors ---- */

int fmt_fail(const hpcrun_fmt_env_t *env, int code, const char *rule, uint64_t off, const char *fmt, ...)
{
    if (!env || !env->error) return -1;
    char text[sizeof env->error->what.text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    (void)error_at(&env->error->what, code, off, "%s", text);
    env->error->rule = rule;
    return -1;
}

int hpcrun_fmt_errno(const hpcrun_fmt_env_t *env) { return env && env->error ? env->error->what.code : 0; }

/* ---- freeing ---- */

static void free_list(const struct fmt_layout *layout, struct fmt_list list, hpcrun_fmt_free_fn release)
{
    for (uint32_t i = 0; list.lst && i < list.len; i++)
        for (const struct fmt_field *f = layout->fields; f->kind != FMT_END; f++)
            if (f->kind == FMT_STR) hpcrun_fmt_str_free((hpcrun_fmt_str_t *)(void *)((char *)list.lst + i * layout->size + f->at), release);
    if (list.lst) release(list.lst);
}

void hpcrun_fmt_str_free(hpcrun_fmt_str_t *str, hpcrun_fmt_free_fn release)
{
    if (!str) return;
    if (str->s) release(str->s);
    *str = (hpcrun_fmt_str_t){ 0 };
}

void hpcrun_fmt_nv_pair_free(hpcrun_fmt_nv_pair_t *pair, hpcrun_fmt_free_fn release)
{
    if (!pair) return;
    hpcrun_fmt_str_free(&pair->name, release);
    hpcrun_fmt_str_free(&pair->val, release);
}

void hpcrun_fmt_hdr_free(hpcrun_fmt_hdr_t *hdr, hpcrun_fmt_free_fn release)
{
    if (!hdr) return;
    free_list(&fmt_pair_layout, (struct fmt_list){ hdr->nvps.len, hdr->nvps.lst }, release);
    *hdr = (hpcrun_fmt_hdr_t){ 0 };
}

void hpcrun_fmt_metric_tbl_free(hpcrun_fmt_metric_tbl_t *tbl, hpcrun_fmt_free_fn release)
{
    if (!tbl) return;
    free_list(&fmt_metric_layout, (struct fmt_list){ tbl->len, tbl->lst }, release);
    *tbl = (hpcrun_fmt_metric_tbl_t){ 0 };
}

void hpcrun_fmt_loadmap_free(hpcrun_fmt_loadmap_t *map, hpcrun_fmt_free_fn release)
{
    if (!map) return;
    free_list(&fmt_module_layout, (struct fmt_list){ map->len, map->lst }, release);
    *map = (hpcrun_fmt_loadmap_t){ 0 };
}

void hpcrun_fmt_epoch_free(hpcrun_fmt_epoch_t *epoch, hpcrun_fmt_free_fn release)
{
    if (!epoch) return;
    free_list(&fmt_pair_layout, (struct fmt_list){ epoch->nvps.len, epoch->nvps.lst }, release);
    hpcrun_fmt_metric_tbl_free(&epoch->metric_tbl, release);
    hpcrun_fmt_loadmap_free(&epoch->loadmap, release);
    *epoch = (hpcrun_fmt_epoch_t){ 0 };
}

void hpcrun_fmt_cct_node_free(hpcrun_fmt_cct_node_t *node, hpcrun_fmt_free_fn release)
{
    if (!node) return;
    if (node->lip) release(node->lip);
    if (node->values) release(node->values);
    *node = (hpcrun_fmt_cct_node_t){ 0 };
}

/* ---- what nodes need ---- */

/* The first pair of that name counts. */
static bool lip_size(const hpcrun_fmt_nv_list_t *pairs, uint64_t *words)
{
    *words = FMT_DEFAULT_LIP_WORDS;
    for (uint32_t i = 0; pairs->lst && i < pairs->len; i++) {
        const hpcrun_fmt_nv_pair_t *p = &pairs->lst[i];
        if (!slice_is((assay_slice){ p->name.s, p->name.len }, "LIP-size")) continue;
        return number_u64((assay_slice){ p->val.s, p->val.len }, words) == NUMBER_OK && *words >= 1 && *words <= FMT_MAX_LIP_WORDS;
    }
    return true;
}

int hpcrun_fmt_epoch_env(const hpcrun_fmt_epoch_t *epoch, hpcrun_fmt_env_t *env)
{
    uint64_t words;
    bool is_2009 = env->variant == HPCRUN_FMT_2009;
    env->num_metrics = epoch->metric_tbl.len;
    env->metrics = &epoch->metric_tbl;
    env->lush = is_2009 || (epoch->flags & HPCRUN_FMT_EPOCH_LUSH);
    env->lip_words = FMT_DEFAULT_LIP_WORDS;
    if (is_2009 || !env->lush) return 0;
    if (!lip_size(&epoch->nvps, &words))
        return fmt_fail(env, ASSAY_ERR_DAMAGED, "HRC04", 0, "the LIP-size is not a number from 1 to %d, so the size of a node is unknown", FMT_MAX_LIP_WORDS);
    env->lip_words = (uint32_t)words;
    return 0;
}
