/* See tally.h. Only parts out of order, and files that come again, are looked at a second time. */
#include "analysis/coverage/tally.h"

#include "base/cursor.h"
#include "base/order.h"
#include "base/proto.h"
#include "base/scoped.h"
#include "base/sort.h"

enum { VARINT_MAX = 10 };

void coverage_tally_init(struct coverage_tally *t, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
}

void coverage_tally_done(struct coverage_tally *t) { vec_done(t->mem, &t->lines, &t->branches, &t->parts); }

/* ---- rows as bytes ---- */

/* From one line to another: small, whatever its sign. */
static uint64_t step(uint32_t from, uint32_t to)
{
    int64_t d = (int64_t)to - from;
    return (uint64_t)d << 1 ^ (uint64_t)(d >> 63);
}

static uint32_t after(uint32_t line, uint64_t step) { return line + (uint32_t)(step >> 1 ^ (0 - (step & 1))); }

bool coverage_tally_file(struct coverage_tally *t, uint32_t file)
{
    if (t->parts.len && t->parts.at[t->parts.len - 1].file == file) return true;
    struct tally_part *p = vec_push(t->mem, &t->parts);
    if (!p) return false;
    *p = (struct tally_part){ .lines.begin = t->lines.len, .branches.begin = t->branches.len, .file = file };
    t->last_line = 0;
    t->last_branch = (struct tally_branch){ 0 };
    t->repeats |= file <= t->last_file;
    if (file > t->last_file) t->last_file = file;
    return true;
}

bool coverage_tally_lines(struct coverage_tally *t, const uint32_t *line, const uint64_t *hits, size_t count)
{
    if (!vec_reserve(t->mem, &t->lines, count * VARINT_MAX)) return false;
    struct tally_rows *rows = &t->parts.at[t->parts.len - 1].lines;
    unsigned char *to = t->lines.at + t->lines.len;
    uint32_t last = t->last_line;
    for (size_t i = 0; i < count; i++) {
        bool is_hit = hits[i] > 0;
        to += proto_put_varint(to, step(last, line[i]) << 1 | is_hit);
        rows->hit += is_hit;
        rows->is_mixed |= line[i] <= last;
        last = line[i];
    }
    rows->count += count;
    t->lines.len = (size_t)(to - t->lines.at);
    t->last_line = last;
    return true;
}

static bool is_before(const struct tally_branch *a, const struct tally_branch *b)
{
    if (a->line != b->line) return a->line < b->line;
    return a->block != b->block ? a->block < b->block : a->name >> 1 < b->name >> 1;
}

bool coverage_tally_branch(struct coverage_tally *t, uint32_t line, uint32_t block, uint32_t name, bool is_hit)
{
    const struct tally_branch b = { line, block, name << 1 | is_hit };
    if (!vec_reserve(t->mem, &t->branches, (size_t)3 * VARINT_MAX)) return false;
    struct tally_rows *rows = &t->parts.at[t->parts.len - 1].branches;
    unsigned char *to = t->branches.at + t->branches.len;
    to += proto_put_varint(to, step(t->last_branch.line, line));
    to += proto_put_varint(to, block);
    to += proto_put_varint(to, b.name);
    t->branches.len = (size_t)(to - t->branches.at);
    rows->is_mixed |= rows->count && !is_before(&t->last_branch, &b);
    rows->count++;
    rows->hit += is_hit;
    t->last_branch = b;
    return true;
}

/* ---- one file ---- */

static int by_line(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return ORDER(a, b);
}

static void count_lines(uint32_t *at, size_t len, assay_coverage_counts *out)
{
    bool is_sorted = true;
    uint64_t hit = 0;
    for (size_t i = 0; i < len; i++) {
        hit += at[i] & 1;
        is_sorted &= i == 0 || at[i - 1] >> 1 < at[i] >> 1;
    }
    out->lines += len;
    out->lines_hit += hit;
    if (is_sorted) return;
    sort_by(at, len, sizeof *at, by_line);
    for (size_t i = 1; i < len; i++)
        if (at[i - 1] >> 1 == at[i] >> 1) {
            out->lines--;
            out->lines_hit -= at[i - 1] & 1; /* then the last of them is hit too */
        }
}

static int by_branch(const void *x, const void *y)
{
    const struct tally_branch *a = x, *b = y;
    ORDER_BY(a->line, b->line);
    ORDER_BY(a->block, b->block);
    return ORDER(a->name, b->name);
}

static void count_branches(struct tally_branch *at, size_t len, assay_coverage_counts *out)
{
    bool is_sorted = true;
    for (size_t i = 0; i < len; i++) {
        out->branches_hit += at[i].name & 1;
        is_sorted &= i == 0 || is_before(&at[i - 1], &at[i]);
    }
    out->branches += len;
    if (is_sorted) return;
    sort_by(at, len, sizeof *at, by_branch);
    for (size_t i = 1; i < len; i++)
        if (!is_before(&at[i - 1], &at[i])) {
            out->branches--;
            out->branches_hit -= at[i - 1].name & 1;
        }
}

/* ---- all files ---- */

static int by_file(const void *x, const void *y)
{
    const struct tally_part *a = x, *b = y;
    ORDER_BY(a->file, b->file);
    ORDER_BY(a->lines.begin, b->lines.begin);
    return ORDER(a->branches.begin, b->branches.begin);
}

/* Rows of a part behind those at `out`; returns how many there are. The bytes are our own. */
static size_t lines_of(const struct coverage_tally *t, const struct tally_rows *rows, uint32_t *out)
{
    struct cursor c = cursor_of(t->lines.at + rows->begin, t->lines.len - rows->begin);
    uint64_t v;
    size_t n = 0;
    for (uint32_t line = 0; n < rows->count && cursor_varint(&c, &v); n++) {
        line = after(line, v >> 1);
        out[n] = line << 1 | (uint32_t)(v & 1);
    }
    return n;
}

static size_t branches_of(const struct coverage_tally *t, const struct tally_rows *rows, struct tally_branch *out)
{
    struct cursor c = cursor_of(t->branches.at + rows->begin, t->branches.len - rows->begin);
    uint64_t v, block, name;
    size_t n = 0;
    for (uint32_t line = 0; n < rows->count && cursor_varint(&c, &v) && cursor_varint(&c, &block) && cursor_varint(&c, &name); n++) {
        line = after(line, v);
        out[n] = (struct tally_branch){ line, (uint32_t)block, (uint32_t)name };
    }
    return n;
}

/* The parts of a file together. */
static bool count_lines_of(struct coverage_tally *t, const struct tally_part *parts, size_t count, assay_coverage_counts *out)
{
    uint64_t room = 0;
    size_t len = 0;
    for (size_t i = 0; i < count; i++) room += parts[i].lines.count;
    SCRATCH(uint32_t, lines, t->mem, room);
    if (!lines) return false;
    for (size_t i = 0; i < count; i++)
        if (parts[i].lines.count) len += lines_of(t, &parts[i].lines, lines + len);
    count_lines(lines, len, out);
    return true;
}

static bool count_branches_of(struct coverage_tally *t, const struct tally_part *parts, size_t count, assay_coverage_counts *out)
{
    uint64_t room = 0;
    size_t len = 0;
    for (size_t i = 0; i < count; i++) room += parts[i].branches.count;
    SCRATCH(struct tally_branch, branches, t->mem, room);
    if (!branches) return false;
    for (size_t i = 0; i < count; i++)
        if (parts[i].branches.count) len += branches_of(t, &parts[i].branches, branches + len);
    count_branches(branches, len, out);
    return true;
}

static bool count_file(struct coverage_tally *t, const struct tally_part *parts, size_t count, assay_coverage_counts *out)
{
    const struct tally_rows *lines = &parts->lines, *branches = &parts->branches;
    if (count > 1 || lines->is_mixed) {
        if (!count_lines_of(t, parts, count, out)) return false;
    } else {
        out->lines += lines->count;
        out->lines_hit += lines->hit;
    }
    if (count > 1 || branches->is_mixed) return count_branches_of(t, parts, count, out);
    out->branches += branches->count;
    out->branches_hit += branches->hit;
    return true;
}

bool coverage_tally_count(struct coverage_tally *t, assay_coverage_counts *out)
{
    *out = (assay_coverage_counts){ 0 };
    if (t->repeats) sort_by(t->parts.at, t->parts.len, sizeof *t->parts.at, by_file);
    for (size_t i = 0, next; i < t->parts.len; i = next) {
        for (next = i + 1; next < t->parts.len && t->parts.at[next].file == t->parts.at[i].file;) next++;
        if (!count_file(t, &t->parts.at[i], next - i, out)) return false;
    }
    return true;
}
