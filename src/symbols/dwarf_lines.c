/* Line tables of DWARF -> rows by address. */
#ifdef ASSAY_HAVE_DWARF
#include <stdio.h>
#include <stdlib.h>

#include "symbols/dwarf.h"

uint32_t dwarf_file(struct dwarf_loader *l, size_t index)
{
    if (index >= l->file_ids.len) return 0;
    if (l->file_ids.at[index] != UINT32_MAX) return l->file_ids.at[index];
    const char *path = dwarf_filesrc(l->files, index, NULL, NULL);
    uint32_t id = 0;
    if (path && strcmp(path, "???") == 0) path = NULL;
    if (path && path[0] != '/' && l->comp_dir && l->comp_dir[0]) {
        char joined[4096];
        int len = snprintf(joined, sizeof joined, "%s/%s", l->comp_dir, path);
        id = symtab_file(l->t, (assay_slice){ joined, len < (int)sizeof joined ? (size_t)len : sizeof joined - 1 });
    } else if (path)
        id = symtab_file(l->t, slice_of(path));
    return l->file_ids.at[index] = id;
}

/* Ends the sequence that began at row `first`: it is kept when it is code. */
static void end_sequence(struct dwarf_loader *l, size_t first, uint64_t end)
{
    size_t count = l->rows.len - first;
    uint64_t begin = count ? l->rows.at[first].address : 0;
    if (!count || begin < l->low || begin >= l->high || end <= begin) {
        l->rows.len = first;
        return;
    }
    struct dwarf_sequence *s = vec_push(l->t->mem, &l->sequences);
    if (s)
        *s = (struct dwarf_sequence){ begin, end, first, count };
    else
        l->t->failed = true;
}

/* By path, then line. */
static bool is_smaller(const struct dwarf_loader *l, const struct symtab_row *a, const struct symtab_row *b)
{
    int c = a->file == b->file ? 0 : slice_compare(intern_get(&l->t->files, a->file), intern_get(&l->t->files, b->file));
    return c ? c < 0 : a->line < b->line;
}

/* Adds a row; of several at one address the last stays, with compat the smallest. */
static void put_row(struct dwarf_loader *l, size_t first, struct symtab_row row)
{
    struct symtab_row *last = l->rows.len > first ? &l->rows.at[l->rows.len - 1] : NULL;
    if (last && last->address == row.address) {
        if (!l->compat || is_smaller(l, &row, last)) *last = row;
        return;
    }
    struct symtab_row *slot = vec_push(l->t->mem, &l->rows);
    if (slot)
        *slot = row;
    else
        l->t->failed = true;
}

void dwarf_unit_lines(struct dwarf_loader *l, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t count, first = l->rows.len;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) return;
    for (size_t i = 0; i < count && !l->t->failed; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr address;
        Dwarf_Files *files;
        size_t index;
        int number = 0;
        bool ends = false;
        if (!line || dwarf_lineaddr(line, &address) != 0) continue;
        if (dwarf_lineendsequence(line, &ends) == 0 && ends) {
            end_sequence(l, first, address);
            first = l->rows.len;
            continue;
        }
        if (dwarf_line_file(line, &files, &index) != 0 || dwarf_lineno(line, &number) != 0) continue;
        put_row(l, first, (struct symtab_row){ address, dwarf_file(l, index), number > 0 ? (uint32_t)number : 0 });
    }
    l->rows.len = first; /* a sequence without an end is damage */
}

static int by_begin(const void *a, const void *b)
{
    const struct dwarf_sequence *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Equal rows in a row are one. */
static void put_sealed(struct symtab *t, struct symtab_row row)
{
    const struct symtab_row *last = t->rows.len ? &t->rows.at[t->rows.len - 1] : NULL;
    if (last && last->file == row.file && last->line == row.line) return;
    symtab_row(t, row.address, row.file, row.line);
}

void dwarf_seal_lines(struct dwarf_loader *l)
{
    uint64_t at = 0; /* everything below is spoken for */
    if (l->sequences.len > 1) qsort(l->sequences.at, l->sequences.len, sizeof *l->sequences.at, by_begin);
    for (size_t i = 0; i < l->sequences.len && !l->t->failed; i++) {
        const struct dwarf_sequence *s = &l->sequences.at[i];
        if (s->end <= at) continue;
        if (i && at < s->begin) put_sealed(l->t, (struct symtab_row){ at, 0, 0 });
        for (size_t k = 0; k < s->count; k++) {
            struct symtab_row row = l->rows.at[s->first + k];
            bool is_last = k + 1 == s->count;
            uint64_t next = is_last ? s->end : l->rows.at[s->first + k + 1].address;
            if (next <= at || row.address >= s->end) continue;
            if (row.address < at) row.address = at;
            put_sealed(l->t, row);
        }
        at = s->end;
    }
    if (at) put_sealed(l->t, (struct symtab_row){ at, 0, 0 });
    vec_trim(l->t->mem, &l->t->rows);
}

#endif
