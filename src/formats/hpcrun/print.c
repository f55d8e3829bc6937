/* Text in the style of hpcproftt; see print.h. The lines of 04.00 are those of the original program; those of 02.00 follow its manner. */
#include "formats/hpcrun/print.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "formats/hpcrun/funcs.h"

void hpcrun_print_header(struct output *o, assay_slice magic, assay_slice version, char endian)
{
    text_show(o, magic);
    output_text(o, "\n[hdr:\n  (version: ");
    text_show(o, version);
    output_text(o, ")\n  (endian: ");
    text_show(o, (assay_slice){ &endian, 1 });
    output_text(o, ")\n");
}

void hpcrun_print_pair(struct output *o, const char *pre, assay_slice name, assay_slice value)
{
    output_printf(o, "%s[nv-pair: '", pre);
    text_show(o, name);
    output_text(o, "', '");
    text_show(o, value);
    output_text(o, "']\n");
}

void hpcrun_print_list(struct output *o, const char *name, const char *what, uint64_t count)
{
    output_printf(o, "[%s: (%s: %" PRIu64 ")\n", name, what, count);
}

void hpcrun_print_close(struct output *o, const char *pre) { output_printf(o, "%s]\n", pre); }

/* ---- 02.00 ---- */

void hpcrun_print_epoch(struct output *o, uint64_t flags, uint32_t ra_distance, uint64_t granularity)
{
    output_printf(o, "[epoch-hdr: (flags: 0x%" PRIx64 ") (ra-distance: %" PRIu32 ") (granularity: %" PRIu64 ")\n", flags, ra_distance, granularity);
}

void hpcrun_print_metric_02(struct output *o, const char *pre, assay_slice name, uint64_t flags, uint64_t period)
{
    output_printf(o, "%s[(nm: ", pre);
    text_show(o, name);
    output_printf(o, ") (flags: 0x%" PRIx64 ") (period: %" PRIu64 ")]\n", flags, period);
}

void hpcrun_print_module_02(struct output *o, const char *pre, uint64_t address, uint64_t offset, assay_slice name, uint64_t flags)
{
    output_printf(o, "%s[(load-addr: 0x%" PRIx64 ") (load-offset: 0x%" PRIx64 ") (nm: ", pre, address, offset);
    text_show(o, name);
    output_printf(o, ") (flg: 0x%" PRIx64 ")]\n", flags);
}

/* ---- placeholders: docs/formats/hpcrun.md ---- */

/* The original has no names for the roots of a tree. */
static const char *placeholder_name(uint64_t ip)
{
    if (ip == HPCRUN_PLACEHOLDER("^Primary") || ip == HPCRUN_PLACEHOLDER("^Partial") || ip == HPCRUN_PLACEHOLDER("*Unnorm ") ||
        ip == HPCRUN_PLACEHOLDER("NoActvty"))
        return NULL;
    const char *name = hpcrun_placeholder_name(ip);
    return name && *name ? name : NULL;
}

static void put_placeholder(struct output *o, uint64_t ip)
{
    char text[24];
    output_bytes(o, text, hpcrun_placeholder_text(ip, text));
}

/* ---- nodes ---- */

static void put_assoc(struct output *o, uint32_t assoc)
{
    static const struct {
        uint8_t code;
        const char *name;
    } names[] = { { 0, "NULL" }, { 0x11, "1-to-0" }, { 0x21, "M-to-0" }, { 0x36, "1-to-1" }, { 0x42, "M-to-1" }, { 0x54, "1-to-M" }, { 0xa1, "0-to-0" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == (assoc & 0xff)) {
            output_printf(o, "(as: %s (%" PRIu32 ")) ", names[i].name, assoc >> 8);
            return;
        }
    output_printf(o, "(as: 0x%" PRIx32 " (%" PRIu32 ")) ", assoc & 0xff, assoc >> 8);
}

void hpcrun_print_value(struct output *o, uint64_t bits, bool is_real)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    if (is_real)
        output_printf(o, "%g", v);
    else
        output_printf(o, "%" PRIu64, bits);
}

static void put_place(struct output *o, const struct hpcrun_print_node *n)
{
    if (!n->has_module) {
        output_printf(o, "(ip: 0x%" PRIx64 ") ", n->ip);
        return;
    }
    output_printf(o, "(lm-id: %" PRIu64 ") (lm-ip: 0x%" PRIx64 ") ", n->module, n->ip);
    if (n->module != 0 || n->ip >> 56 == 0) return;
    const char *name = placeholder_name(n->ip);
    output_char(o, '\'');
    put_placeholder(o, n->ip);
    output_text(o, "' ");
    if (name) output_printf(o, "\"%s\" ", name);
}

void hpcrun_print_node(struct output *o, const char *pre, const struct hpcrun_print_node *n)
{
    output_printf(o, "%s[node: (id: %" PRId64 ") (id-parent: %" PRId64 ") ", pre, n->id, n->parent);
    if (n->is_not_unwound) output_text(o, "(not unwound) ");
    if (n->is_lush) put_assoc(o, n->assoc);
    put_place(o, n);
    if (n->lip_words) {
        output_text(o, "(lip:");
        for (uint32_t i = 0; i < n->lip_words; i++) output_printf(o, " 0x%" PRIx64, n->lip(n->arg, i));
        output_text(o, ") ");
    }
    if (n->value) {
        output_text(o, "(metrics:");
        for (uint32_t i = 0; i < n->value_count; i++) {
            output_char(o, ' ');
            hpcrun_print_value(o, n->value(n->arg, i), n->is_real(n->arg, i));
        }
        output_text(o, ")");
    }
    output_text(o, "]\n");
}
