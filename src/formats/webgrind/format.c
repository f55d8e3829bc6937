/* The table entry of webgrind's preprocessed files. */
#include "formats/webgrind/format.h"

#include "base/cursor.h"
#include "formats/webgrind/plan.h"

static uint32_t u32_at(assay_slice s, uint64_t off)
{
    struct cursor c = cursor_of(s.data, s.len);
    uint32_t v = 0;
    if (cursor_seek(&c, off)) (void)cursor_u32le(&c, &v);
    return v;
}

/* The headers of every original file begin so; they may lie beyond what a probe sees. */
static bool has_headers_at(assay_slice head, uint64_t off)
{
    return off < head.len && slice_starts((assay_slice){ head.data + off, head.len - (size_t)off }, "version: ");
}

/* There is no magic: a version, a table that begins where it must, and text where the headers are said to be make up for it. Two of the
 * three still name a damaged file. */
static int probe(const struct probe *p, const char **why)
{
    uint32_t version = u32_at(p->head, 0);
    uint64_t header_at = u32_at(p->head, 4), count = u32_at(p->head, 8), table_end = WEBGRIND_HEAD_LEN + 4 * count;
    bool is_known = version >= 3 && version <= 7;
    *why = "version number and table of function addresses";
    if (p->is_dir || p->head.len < 4) return 0;
    if (p->head.len < WEBGRIND_HEAD_LEN) return is_known && p->is_whole ? 30 : 0;
    uint64_t len = p->is_whole ? p->head.len : p->len ? p->len : UINT64_MAX;
    bool is_bounded = header_at >= table_end && header_at <= len;
    bool has_table = count ? u32_at(p->head, WEBGRIND_HEAD_LEN) == table_end : header_at == table_end;
    bool has_headers = has_headers_at(p->head, header_at);
    if (is_known && is_bounded && has_table) return has_headers ? 95 : 80;
    *why = "damaged, but its tables are webgrind's";
    if (has_headers && (is_known || has_table)) return 60;
    return is_known && has_table && count ? 60 : 0;
}

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    /* places of cost are not asked for: a record has one line, the function's first */
    uint32_t graph = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS;
    if (version[0] != '4') return graph;
    return options && options->estimate ? ASSAY_WANT_WHOLE | graph : ASSAY_WANT_WHOLE;
}

/* webgrind's own defaults, matched exactly as it does; versions before 7 knew none. */
static const char *const *write_proxies(const char *version)
{
    static const char *const names[] = { "=php::call_user_func", "=php::call_user_func_array", NULL };
    return version[0] == '7' ? names : NULL;
}

static const char *const extensions[] = { ".webgrind", NULL };
static const char *const versions[] = { "7", "6", "5", "4", NULL };

static const struct option_spec writing[] = {
    { .name = "wrap",
      .type = OPTION_FLAG,
      .at = offsetof(struct webgrind_options, wrap),
      .help = "truncate figures that are too large for the target to their low bits",
      .text = "webgrind does the same. By default, they are capped at the largest value that fits." },
    { .name = NULL },
};

const struct format webgrind_format = {
    .info = { .name = "webgrind",
              .title = "webgrind's preprocessed call data",
              .extensions = extensions,
              .versions = versions,
              .reads = "4 to 7",
              .holds = ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE | ASSAY_CAN_REWRITE,
              .features = ASSAY_HAS_FILES | ASSAY_HAS_CALL_LINES | ASSAY_HAS_ENTRIES },
    .probe = probe,
    .read = webgrind_read,
    .check = webgrind_check,
    .dump = webgrind_dump,
    .writing = { writing, sizeof(struct webgrind_options) },
    .write = webgrind_write,
    .write_wants = write_wants,
    .write_proxies = write_proxies,
    .rewrite = webgrind_rewrite,
};
