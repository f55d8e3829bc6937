/* Constant conditions; see decode.h. llvm-cov lists in a file every branch region of every function that has a part in it, and in a function
 * all but the constant ("folded") ones, whose counts are both 0. So as many of a place are constant as its file lists more than the functions. */
#include <stdio.h>

#include "base/order.h"
#include "base/sort.h"
#include "formats/llvm-cov-json/decode.h"

static uint64_t from_of(const struct coverage_row *row) { return (uint64_t)row->line << 32 | row->column; }
static uint64_t to_of(const struct coverage_row *row) { return (uint64_t)row->end_line << 32 | row->end_column; }

int llvm_cov_number(struct llvm_work *w, struct coverage_row *row, uint32_t run)
{
    char text[16];
    if (!w->blocks[1] || w->blocks[0] != run / 2) {
        snprintf(text, sizeof text, "%u", run / 2);
        w->blocks[0] = run / 2;
        w->blocks[1] = coverage_name(w->d, text);
        if (!w->blocks[1]) return error_memory(w->d->err);
    }
    row->block = w->blocks[1];
    return 0;
}

int llvm_cov_hold(struct llvm_work *w, uint32_t file, struct coverage_row *row)
{
    struct llvm_held *held = vec_push(w->d->mem, &w->held);
    if (!held) return error_memory(w->d->err);
    *held = (struct llvm_held){ *row, file };
    row->is_pending = true;
    return 0;
}

/* ---- functions ---- */

int llvm_cov_listed(struct llvm_work *w, const struct coverage_tuple *t, void *arg)
{
    (void)arg;
    if (!llvm_cov_fits(w, t, "a branch", 9, 9, 4)) return 0;
    struct llvm_listed *at = vec_push(w->d->mem, &w->listed);
    if (!at) return error_memory(w->d->err);
    *at = (struct llvm_listed){ t->at[0] << 32 | t->at[1], t->at[2] << 32 | t->at[3], (uint32_t)(t->at[6] < UINT32_MAX ? t->at[6] : UINT32_MAX) };
    return 0;
}

void llvm_cov_listed_files(struct llvm_work *w)
{
    for (size_t i = w->listed_before; i < w->listed.len; i++) {
        struct llvm_listed *at = &w->listed.at[i];
        at->file = at->file < w->filenames.len ? w->filenames.at[at->file] : 0;
    }
}

/* ---- the end of a data set ---- */

static int by_place(const void *x, const void *y)
{
    const struct llvm_listed *a = x, *b = y;
    ORDER_BY(a->file, b->file);
    ORDER_BY(a->from, b->from);
    return ORDER(a->to, b->to);
}

/* How many branches functions have at the place. */
static size_t listed_at(const struct llvm_work *w, const struct llvm_held *of)
{
    struct llvm_listed key = { from_of(&of->row), to_of(&of->row), of->file };
    size_t first = 0, last = w->listed.len, count = 0;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (by_place(&w->listed.at[middle], &key) < 0)
            first = middle + 1;
        else
            last = middle;
    }
    while (first + count < w->listed.len && by_place(&w->listed.at[first + count], &key) == 0) count++;
    return count;
}

static int give_survivors(struct llvm_work *w, const struct llvm_held *held, size_t count, size_t constant)
{
    struct coverage_decoder *d = w->d;
    uint32_t run = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_constant = held[i].row.is_pending && constant > 0;
        if (is_constant) {
            constant--;
            continue;
        }
        struct coverage_row *row = vec_push(d->mem, &d->rows);
        if (!row) return error_memory(d->err);
        *row = held[i].row;
        row->is_pending = false;
        row->is_derived = true;
        row->group = 0;
        TRY(llvm_cov_number(w, row, run++));
    }
    return 0;
}

/* The branches of one place: two rows for each region. */
static int settle_place(struct llvm_work *w, const struct llvm_held *held, size_t count, bool has_functions)
{
    size_t of_file = 0, never = 0, listed = has_functions ? 2 * listed_at(w, held) : SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        of_file += held[i].row.group != LLVM_EXPANDED;
        never += held[i].row.is_pending;
    }
    size_t constant = listed < of_file ? of_file - listed : 0;
    return give_survivors(w, held, count, constant < never ? constant : never);
}

static int begin_file(struct llvm_work *w, const struct llvm_held *held)
{
    TRY(coverage_give(w->d));
    struct coverage_row *row = coverage_push(w->d, COVERAGE_FILE, &(struct json_event){ .off = held->row.off, .line = held->row.number });
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = held->file;
    row->is_derived = true;
    return 0;
}

int llvm_cov_settle(struct llvm_work *w, bool has_functions)
{
    const struct llvm_held *h = w->held.at;
    if (w->listed.len) sort_by(w->listed.at, w->listed.len, sizeof *w->listed.at, by_place);
    for (size_t i = 0, next; i < w->held.len; i = next) {
        for (next = i;
             next < w->held.len && h[next].file == h[i].file && from_of(&h[next].row) == from_of(&h[i].row) && to_of(&h[next].row) == to_of(&h[i].row);)
            next++;
        if (!i || h[i].file != h[i - 1].file) TRY(begin_file(w, &h[i]));
        TRY(settle_place(w, &h[i], next - i, has_functions));
    }
    return coverage_give(w->d);
}
