/* Masks keep the length of what they cover, so that no offset of a column changes; see mask.h. */
#include "server/mask.h"

#include <string.h>

#include "base/slice.h"

/* Whether a slash after this byte goes on with a path rather than beginning one. */
static bool is_in_name(unsigned char c)
{
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c && strchr("_-.~)*+$@%/", c));
}

/* A quote ends a text of JSON; a folder may have blanks in its name. */
static bool is_end(unsigned char c) { return c < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>'; }

void mask_paths(char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '/' || (i && is_in_name((unsigned char)text[i - 1]))) continue;
        for (size_t end = i + 1; end < len && !is_end((unsigned char)text[end]); end++)
            if (text[end] == '/') {
                memset(text + i + 1, 'x', end - i - 1);
                i = end;
            }
    }
}

void mask_sheet(struct sheet *c)
{
    assay_slice head = output_memory(c->head);
    mask_paths((char *)(uintptr_t)head.data, head.len); /* the sheet's own memory */
    if (c->names.len) sheet_strings(c, "names", c->names.at, c->names.len);
    c->names.len = 0;
    for (size_t i = 0; i < c->at.len && !c->failed; i++) {
        struct column *col = &c->at.at[i];
        if (col->type != COLUMN_STR || strcmp(col->name, "text") == 0) continue;
        uint32_t *off = col->data;
        char *bytes = (char *)(off + col->count + 1);
        for (size_t k = 0; k < col->count; k++) mask_paths(bytes + off[k], off[k + 1] - off[k]);
    }
}
