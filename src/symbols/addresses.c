/* See addresses.h. Rows are sorted once they are all there: of several at one address one stays, and one that reaches into the next ends there. */
#include "symbols/addresses.h"

#include <unistd.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/input.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/sort.h"

static assay_slice next_word(assay_slice *line)
{
    while (line->len && line->data[0] == ' ') line->data++, line->len--;
    const char *begin = line->data;
    while (line->len && line->data[0] != ' ' && line->data[0] != '\t') line->data++, line->len--;
    return slice_from(begin, line->data);
}

static bool add(struct addresses *a, uint64_t begin, uint64_t end, assay_slice name)
{
    const char *copy = arena_text(&a->text, name.len + 1);
    struct addresses_row *row = copy ? vec_push(a->mem, &a->rows) : NULL;
    if (!row) return false;
    memcpy((char *)copy, name.data, name.len);
    ((char *)copy)[name.len] = '\0';
    *row = (struct addresses_row){ begin, end, { copy, name.len } };
    return true;
}

static bool take_kernel(struct addresses *a, assay_slice line)
{
    uint64_t address;
    assay_slice number = next_word(&line), type = next_word(&line), name = next_word(&line);
    if (type.len != 1 || !strchr("tTwWdDbB", type.data[0]) || !name.len || number_hex(number, &address) != NUMBER_OK) return true;
    return add(a, address, UINT64_MAX, name);
}

static bool take_map(struct addresses *a, assay_slice line)
{
    uint64_t begin, size;
    assay_slice first = next_word(&line), second = next_word(&line), name = slice_trim(line);
    if (!name.len || number_hex(first, &begin) != NUMBER_OK || number_hex(second, &size) != NUMBER_OK || !size) return true;
    return add(a, begin, size > UINT64_MAX - begin ? UINT64_MAX : begin + size, name);
}

static bool take_lines(struct addresses *a, assay_slice block, enum addresses_kind kind)
{
    const char *p = block.data, *end = p + block.len;
    for (uint64_t i = 0; p < end; i++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (!stop) stop = end;
        assay_slice line = slice_from(p, stop);
        if (line.len && line.data[line.len - 1] == '\r') line.len--;
        if (cancel_at(i) || !(kind == ADDRESSES_KERNEL ? take_kernel(a, line) : take_map(a, line))) return false;
        p = stop + 1;
    }
    return true;
}

static int by_begin(const void *a, const void *b) { return ORDER(((const struct addresses_row *)a)->begin, ((const struct addresses_row *)b)->begin); }

static bool settle(struct addresses *a)
{
    size_t kept = 0;
    if (a->rows.len > 1 && !sort_by(a->rows.at, a->rows.len, sizeof *a->rows.at, by_begin)) return false;
    for (size_t i = 0; i < a->rows.len; i++) {
        if (kept && a->rows.at[kept - 1].begin == a->rows.at[i].begin)
            kept--;
        else if (kept && a->rows.at[kept - 1].end > a->rows.at[i].begin)
            a->rows.at[kept - 1].end = a->rows.at[i].begin;
        a->rows.at[kept++] = a->rows.at[i];
    }
    a->rows.len = kept;
    return true;
}

/* What cannot be read any further is used as far as it went. */
static bool fill(struct addresses *a, struct input *in, enum addresses_kind kind)
{
    assay_error err = { 0 };
    assay_slice block = { NULL, 0 };
    uint64_t off;
    int rc;
    while ((rc = input_block(in, true, &block, &off, &err)) == 0 && block.len)
        if (!take_lines(a, block, kind)) return false;
    return rc != ASSAY_ERR_MEMORY && rc != ASSAY_ERR_CANCELLED && settle(a);
}

bool addresses_load(struct addresses **out, const char *path, enum addresses_kind kind, struct mem *mem)
{
    SCOPED(input_drop) struct input *in = NULL;
    assay_error err = { 0 };
    *out = NULL;
    if (access(path, R_OK) != 0) return true;
    if (input_open(&in, path, &(struct input_options){ .mem = mem, .max_output = (uint64_t)1 << 30 }, &err) != 0) return err.code != ASSAY_ERR_MEMORY;
    if (input_is_dir(in)) return true;
    struct addresses *a = mem_zalloc(mem, 1, sizeof *a);
    if (!a) return false;
    a->mem = mem;
    arena_init(&a->text, mem);
    bool ok = fill(a, in, kind);
    if (ok && a->rows.len)
        *out = a;
    else
        addresses_free(a);
    return ok;
}

void addresses_free(struct addresses *a)
{
    if (!a) return;
    vec_done(a->mem, &a->rows);
    arena_done(&a->text);
    mem_free(a->mem, a, sizeof *a);
}

assay_slice addresses_find(const struct addresses *a, uint64_t address)
{
    size_t low = 0, high = a->rows.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->rows.at[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < a->rows.at[low - 1].end ? a->rows.at[low - 1].name : (assay_slice){ NULL, 0 };
}

bool addresses_where(const struct addresses *a, assay_slice name, uint64_t *out)
{
    for (size_t i = 0; i < a->rows.len; i++) {
        if (cancel_at(i) || !slice_equal(a->rows.at[i].name, name)) continue;
        *out = a->rows.at[i].begin;
        return true;
    }
    return false;
}
