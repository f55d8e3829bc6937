/* Line tables of DWARF -> rows by address. */
#ifdef ASSAY_HAVE_DWARF
#include <stdio.h>

#include "base/order.h"
#include "base/sort.h"
#include "symbols/dwarf.h"

enum { MAX_RANGES = 100000 };

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

static void add_code(struct dwarf_loader *l, uint64_t begin, uint64_t end)
{
    struct dwarf_sequence *s = begin < end ? vec_push(l->t->mem, &l->code) : NULL;
    if (s)
        *s = (struct dwarf_sequence){ .begin = begin, .end = end };
    else if (begin < end)
        l->t->failed = true;
}

/* libdw sorts the end of a sequence before rows at the same address: those then seem to go on to the next sequence. So the unit's own ranges
 * say where its rows count. */
static void add_unit_code(struct dwarf_loader *l, Dwarf_Die *unit)
{
    Dwarf_Addr base, begin, end;
    ptrdiff_t at = 0;
    l->has_ranges = false;
    for (int i = 0; i < MAX_RANGES && symtab_spend(l->t, SYMTAB_RANGE) && (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0; i++) {
        if (begin < end) l->has_ranges = true;
        add_code(l, begin, end);
    }
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
    if (!l->has_ranges) add_code(l, begin, end);
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
    add_unit_code(l, unit);
    for (size_t i = 0; i < count && !l->t->failed && symtab_spend(l->t, SYMTAB_ROW); i++) {
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
    ORDER_BY(x->begin, y->begin);
    return ORDER(x->first, y->first);
}

/* Equal rows in a row are one; a row of no length gives way. */
static void put_sealed(struct symtab *t, uint64_t address, uint32_t file, uint32_t line)
{
    if (t->rows.len && t->rows.at[t->rows.len - 1].address == address) t->rows.len--;
    const struct symtab_row *last = t->rows.len ? &t->rows.at[t->rows.len - 1] : NULL;
    if (last ? last->file == file && last->line == line : !file) return;
    symtab_row(t, address, file, line);
}

/* Puts the row into the table, for as far as it is code; *code is the first piece of code that may still matter. */
static void put_clipped(struct dwarf_loader *l, const struct symtab_row *row, uint64_t begin, uint64_t end, size_t *code)
{
    while (*code < l->code.len && l->code.at[*code].end <= begin) ++*code;
    for (size_t i = *code; i < l->code.len && l->code.at[i].begin < end; i++) {
        uint64_t from = l->code.at[i].begin > begin ? l->code.at[i].begin : begin, to = l->code.at[i].end < end ? l->code.at[i].end : end;
        put_sealed(l->t, from, row->file, row->line);
        if (to < end || i + 1 == l->code.len || l->code.at[i + 1].begin > to) put_sealed(l->t, to, 0, 0);
    }
}

/* The code of all units, sorted and joined. */
static void join_code(struct dwarf_loader *l)
{
    size_t kept = 0;
    if (l->code.len > 1) sort_by(l->code.at, l->code.len, sizeof *l->code.at, by_begin);
    for (size_t i = 0; i < l->code.len; i++) {
        struct dwarf_sequence *last = kept ? &l->code.at[kept - 1] : NULL;
        if (!last || l->code.at[i].begin > last->end)
            l->code.at[kept++] = l->code.at[i];
        else if (l->code.at[i].end > last->end)
            last->end = l->code.at[i].end;
    }
    l->code.len = kept;
}

void dwarf_seal_lines(struct dwarf_loader *l)
{
    uint64_t at = 0; /* everything below is spoken for */
    size_t code = 0;
    join_code(l);
    if (l->sequences.len > 1) sort_by(l->sequences.at, l->sequences.len, sizeof *l->sequences.at, by_begin);
    for (size_t i = 0; i < l->sequences.len && !l->t->failed; i++) {
        const struct dwarf_sequence *s = &l->sequences.at[i];
        if (s->end <= at) continue;
        if (at < s->begin) put_sealed(l->t, at, 0, 0);
        for (size_t k = 0; k < s->count && !l->t->failed; k++) {
            const struct symtab_row *row = &l->rows.at[s->first + k];
            uint64_t next = k + 1 == s->count ? s->end : l->rows.at[s->first + k + 1].address;
            if (next > s->end) next = s->end;
            uint64_t begin = row->address > at ? row->address : at;
            if (begin < next) put_clipped(l, row, begin, next, &code);
        }
        at = s->end;
    }
    put_sealed(l->t, at, 0, 0);
    vec_trim(l->t->mem, &l->t->rows);
}

#endif
