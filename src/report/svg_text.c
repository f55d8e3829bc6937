/* Text in SVG; see report/svg_text.h. */
#include "report/svg_text.h"

#include "base/slice.h"
#include "base/text.h"

static const char *entity_of(char c) { return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL; }

static bool is_allowed(uint32_t code) { return code >= 0xa0 && code != 0xfffe && code != 0xffff; }

void svg_text(struct output *o, assay_slice s)
{
    while (s.len) {
        size_t n = 0;
        while (n < s.len && s.data[n] >= 0x20 && s.data[n] < 0x7f && !entity_of(s.data[n])) n++;
        output_bytes(o, s.data, n);
        s = (assay_slice){ s.data + n, s.len - n };
        if (!s.len) return;
        uint32_t code = 0;
        unsigned len = text_utf8(s, &code);
        if (entity_of(*s.data))
            output_text(o, entity_of(*s.data));
        else if (len > 1 && is_allowed(code))
            output_bytes(o, s.data, len);
        else
            output_text(o, "\xef\xbf\xbd");
        len = len ? len : 1;
        s = (assay_slice){ s.data + len, s.len - len };
    }
}

void svg_label(struct output *o, assay_slice s, double pixels, double letter)
{
    double letters = pixels / letter;
    unsigned columns = letters < 3 ? 0 : letters > 4000 ? 4000 : (unsigned)letters;
    if (!columns) return;
    if (text_width(s) <= columns) {
        svg_text(o, s);
        return;
    }
    svg_text(o, (assay_slice){ s.data, text_fit(s, columns - 1) });
    output_text(o, "\xe2\x80\xa6");
}
