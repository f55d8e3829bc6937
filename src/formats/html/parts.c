/* What all pages share: escapes, heads, names and bars. */
#include <stdio.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "formats/html/site.h"

/* ---- text ---- */

static const char *escape_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\t': return "\t";
    }
    return NULL;
}

static bool is_plain(char c) { return (unsigned char)c >= 0x20 && (unsigned char)c < 0x7f && c != '&' && c != '<' && c != '>' && c != '"'; }

void html_text(struct output *o, assay_slice s)
{
    if (!s.len) return;
    const char *at = s.data, *end = at + s.len;
    while (at < end) {
        const char *from = at;
        while (at < end && is_plain(*at)) at++;
        output_bytes(o, from, (size_t)(at - from));
        if (at == end) break;
        const char *escaped = escape_of(*at);
        uint32_t code = 0;
        unsigned len = escaped ? 1 : text_utf8((assay_slice){ at, (size_t)(end - at) }, &code);
        if (escaped)
            output_text(o, escaped);
        else if (len > 1 && code >= 0xa0)
            output_bytes(o, at, len);
        else
            output_text(o, "\xef\xbf\xbd");
        at += len ? len : 1;
    }
}

/* ---- names ---- */

void html_page_name(char name[HTML_NAME_MAX], assay_slice path)
{
    enum { KEPT = 60 };
    size_t from = path.len, n = 0;
    while (from && path.data[from - 1] != '/' && path.data[from - 1] != '\\') from--;
    for (size_t i = from; i < path.len && n < KEPT; i++) {
        char c = path.data[i];
        bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || (c == '.' && n);
        name[n++] = is_kept ? c : '_';
    }
    snprintf(name + n, HTML_NAME_MAX - n, "-%016llx", (unsigned long long)XXH64(path.data, path.len, 0));
}

/* ---- heads and tails ---- */

static void put_assets_inline(struct output *o)
{
    output_text(o, "<style>");
    output_bytes(o, html_style, html_style_len);
    output_text(o, "</style>\n");
}

void html_head(struct output *o, const struct site *s, assay_slice page, bool is_inner)
{
    const char *up = is_inner ? "../" : "";
    output_text(o, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
    html_text(o, page);
    if (is_inner && html_options(s->job)->title) {
        output_text(o, " - ");
        html_text(o, s->title);
    }
    output_text(o, "</title>\n");
    if (s->is_single)
        put_assets_inline(o);
    else
        output_printf(o, "<link rel=\"stylesheet\" href=\"%sstyle.css\">\n<script src=\"%sapp.js\" defer></script>\n", up, up);
    output_text(o, "</head>\n<body>\n");
}

void html_tail(struct output *o, const struct site *s, bool is_inner)
{
    (void)is_inner;
    output_printf(o, "<footer>assay %s</footer>\n", ASSAY_VERSION);
    if (s->is_single) {
        output_text(o, "<script>");
        output_bytes(o, html_script, html_script_len);
        output_text(o, "</script>\n");
    }
    output_text(o, "</body>\n</html>\n");
}

/* ---- figures ---- */

/* Limits as lcov's and gcovr's reports have them. */
static const char *grade(uint64_t hit, uint64_t all)
{
    double share = (double)hit / (double)all;
    return share >= 0.9 ? "hi" : share >= 0.75 ? "mid" : "lo";
}

void html_share(struct output *o, uint64_t hit, uint64_t all, bool has_bar)
{
    char percent[48];
    number_share(percent, hit, all, 2);
    if (!all) {
        output_text(o, has_bar ? "<td class=bar><td class=pc data-v=-1>-<td class=of>-" : "<td class=pc data-v=-1>-<td class=of>-");
        return;
    }
    const char *class = grade(hit, all);
    double share = 100.0 * (double)hit / (double)all;
    if (has_bar) output_printf(o, "<td class=bar><div class=%s><i style=\"width:%.2f%%\"></i></div>", class, share);
    output_printf(o, "<td class=\"pc %s\" data-v=%.6f>%s<td class=of>%llu / %llu", class, share, percent, (unsigned long long)hit, (unsigned long long)all);
}
