/* The parts of the page; see page.h. */
#include "server/page.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/deflate.h"

/* Made by the build (src/embed.py) of web/dist. */
extern const char page_style[], page_script[], page_markup[], page_icon[], page_more[];
extern const size_t page_style_len, page_script_len, page_markup_len, page_icon_len, page_more_len;

static const struct page_part parts[] = {
    { "/", "text/html; charset=utf-8", page_markup, &page_markup_len },
    { "/app.js", "text/javascript; charset=utf-8", page_script, &page_script_len },
    { "/app.css", "text/css; charset=utf-8", page_style, &page_style_len },
    { "/favicon.svg", "image/svg+xml", page_icon, &page_icon_len },
};

const struct page_part page_exported = { "", "", page_more, &page_more_len };

const struct page_part *page_find(const char *target)
{
    size_t len = strcspn(target, "?");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strlen(parts[i].path) == len && memcmp(parts[i].path, target, len) == 0) return &parts[i];
    return NULL;
}

char *page_gzip(assay_slice data, int level, size_t *len)
{
    struct mem mem;
    mem_init(&mem, 0);
    struct packer *z = data.len < INT_MAX ? packer_new(true, level, &mem) : NULL;
    size_t room = z ? packer_bound(z, data.len) : 0;
    char *out = z ? malloc(room) : NULL;
    if (out) *len = packer_run(z, data.data, data.len, out, room);
    if (z) packer_free(z);
    return out;
}
