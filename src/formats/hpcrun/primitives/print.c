/* fprint of the primitives of assay/hpcrun_fmt.h: the lines of print.h, collected in memory and handed to the stream at once. */
#include "formats/hpcrun/print.h"
#include "base/text.h"
#include "formats/hpcrun/primitives/primitives.h"

struct page {
    struct mem mem;
    struct output *out; /* NULL = no memory */
};

static void begin(struct page *p)
{
    mem_init(&p->mem, 0);
    if (output_open_memory(&p->out, &p->mem, NULL) != 0) p->out = NULL;
}

static int end(struct page *p, FILE *to)
{
    if (!p->out) return -1;
    assay_slice text = output_memory(p->out);
    bool ok = output_failed(p->out) == 0 && fwrite(text.data, 1, text.len, to) == text.len;
    output_abort(p->out);
    return ok ? 0 : -1;
}

static assay_slice slice(const hpcrun_fmt_str_t *s) { return (assay_slice){ s->s, s->s ? s->len : 0 }; }

static void put_pairs(struct output *o, const hpcrun_fmt_nv_list_t *pairs)
{
    for (uint32_t i = 0; pairs->lst && i < pairs->len; i++) hpcrun_print_pair(o, "  ", slice(&pairs->lst[i].name), slice(&pairs->lst[i].val));
    hpcrun_print_close(o, "");
}

static void put_metrics(struct output *o, const hpcrun_fmt_metric_tbl_t *tbl)
{
    hpcrun_print_list(o, "metric-tbl", "num-entries", tbl->len);
    for (uint32_t i = 0; tbl->lst && i < tbl->len; i++) hpcrun_print_metric_02(o, "  ", slice(&tbl->lst[i].name), tbl->lst[i].flags, tbl->lst[i].period);
    hpcrun_print_close(o, "");
}

static void put_modules(struct output *o, const hpcrun_fmt_loadmap_t *map)
{
    hpcrun_print_list(o, "loadmap", "num-entries", map->len);
    for (uint32_t i = 0; map->lst && i < map->len; i++)
        hpcrun_print_module_02(o, "  ", map->lst[i].load_addr, map->lst[i].load_offset, slice(&map->lst[i].name), map->lst[i].flags);
    hpcrun_print_close(o, "");
}

/* ---- the primitives ---- */

int hpcrun_fmt_str_fprint(const hpcrun_fmt_str_t *str, FILE *outfs)
{
    struct page p;
    begin(&p);
    if (p.out) text_show(p.out, slice(str));
    return end(&p, outfs);
}

int hpcrun_fmt_nv_pair_fprint(const hpcrun_fmt_nv_pair_t *pair, FILE *outfs)
{
    struct page p;
    begin(&p);
    if (p.out) hpcrun_print_pair(p.out, "", slice(&pair->name), slice(&pair->val));
    return end(&p, outfs);
}

int hpcrun_fmt_hdr_fprint(const hpcrun_fmt_hdr_t *hdr, FILE *outfs)
{
    struct page p;
    begin(&p);
    if (p.out) {
        assay_slice version = hdr->version[0] ? (assay_slice){ hdr->version, strnlen(hdr->version, sizeof hdr->version) } : SLICE(FMT_VERSION);
        hpcrun_print_header(p.out, SLICE(FMT_MAGIC), version, hdr->endian ? hdr->endian : 'l');
        put_pairs(p.out, &hdr->nvps);
    }
    return end(&p, outfs);
}

int hpcrun_fmt_metric_tbl_fprint(const hpcrun_fmt_metric_tbl_t *tbl, FILE *outfs)
{
    struct page p;
    begin(&p);
    if (p.out) put_metrics(p.out, tbl);
    return end(&p, outfs);
}

int hpcrun_fmt_loadmap_fprint(const hpcrun_fmt_loadmap_t *map, FILE *outfs)
{
    struct page p;
    begin(&p);
    if (p.out) put_modules(p.out, map);
    return end(&p, outfs);
}

int hpcrun_fmt_epoch_fprint(const hpcrun_fmt_epoch_t *epoch, FILE *outfs)
{
    struct page p;
    begin(&p);
    if (p.out) {
        hpcrun_print_epoch(p.out, epoch->flags, epoch->ra_distance, epoch->granularity);
        put_pairs(p.out, &epoch->nvps);
        put_metrics(p.out, &epoch->metric_tbl);
        put_modules(p.out, &epoch->loadmap);
        hpcrun_print_list(p.out, "cct", "num-nodes", epoch->num_nodes);
    }
    return end(&p, outfs);
}

static uint64_t lip_of(const void *arg, uint32_t i) { return ((const hpcrun_fmt_cct_node_t *)arg)->lip[i]; }
static uint64_t value_of(const void *arg, uint32_t i) { return ((const hpcrun_fmt_cct_node_t *)arg)->values[i]; }
static bool is_real(const void *arg, uint32_t i)
{
    const hpcrun_fmt_metric_tbl_t *tbl = ((const hpcrun_fmt_cct_node_t *)arg)->metrics;
    return tbl && i < tbl->len && (tbl->lst[i].flags & HPCRUN_FMT_METRIC_REAL);
}

int hpcrun_fmt_cct_node_fprint(const hpcrun_fmt_cct_node_t *node, FILE *outfs)
{
    struct page p;
    struct hpcrun_print_node n = { .id = node->id, .parent = node->parent, .is_lush = node->is_lush, .assoc = node->assoc, .ip = node->ip };
    n.lip_words = node->lip ? node->lip_words : 0;
    n.value_count = node->values ? node->num_values : 0;
    n.lip = lip_of;
    n.value = value_of;
    n.is_real = is_real;
    n.arg = node;
    begin(&p);
    if (p.out) hpcrun_print_node(p.out, "  ", &n);
    return end(&p, outfs);
}
