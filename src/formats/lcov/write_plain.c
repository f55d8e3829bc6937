/* The rows that most of a tracefile is made of, put together in a text of their own: lines with counts, and branches whose block and name are
 * short numbers. Whatever else a branch can be is in write_branches.c. */
#include "base/number.h"
#include "base/slice.h"
#include "formats/lcov/write.h"

void lcov_write_text(struct lcov_out *w)
{
    output_bytes(w->o, w->text.at, w->text.len);
    w->text.len = 0;
}

/* Room for one row. */
static char *row_begin(struct lcov_out *w)
{
    if (w->text.len > LCOV_TEXT - LCOV_ROW_MAX) lcov_write_text(w);
    return w->text.at + w->text.len;
}

static void row_end(struct lcov_out *w, char *at)
{
    *at++ = '\n';
    w->text.len = (size_t)(at - w->text.at);
}

uint64_t lcov_write_lines(struct lcov_out *w)
{
    uint64_t hit = 0;
    for (size_t i = 0; i < w->lines.len; i++) {
        const struct lcov_out_line *l = &w->lines.at[i];
        char *at = row_begin(w);
        memcpy(at, "DA:", 3);
        at += 3;
        at += number_put_u64(at, l->line);
        *at++ = ',';
        at += number_put_u64(at, l->hits);
        if (l->checksum.v) {
            *at++ = ',';
            w->text.len = (size_t)(at - w->text.at);
            lcov_write_text(w);
            lcov_write_name(w->o, assay_profile_string(w->plan->p, l->checksum));
            at = w->text.at;
        }
        row_end(w, at);
        hit += l->hits > 0;
    }
    lcov_write_text(w);
    return hit;
}

/* ---- branches ---- */

static const struct lcov_number *number_made(struct lcov_out *w, struct lcov_number *n, uint32_t id)
{
    assay_slice s = assay_profile_string(w->plan->p, (assay_str_id){ id });
    bool is_short = s.len && s.len < sizeof n->text;
    for (size_t i = 0; i < s.len && is_short; i++) is_short = s.data[i] >= '0' && s.data[i] <= '9';
    *n = (struct lcov_number){ .id = id };
    if (!is_short) return n;
    memcpy(n->text, s.data, s.len);
    n->text[s.len] = ',';
    n->len = (uint32_t)s.len + 1;
    return n;
}

static inline const struct lcov_number *number_of(struct lcov_out *w, uint32_t id)
{
    struct lcov_number *n = &w->numbers[id % LCOV_NUMBERS];
    return n->id == id ? n : number_made(w, n, id);
}

/* Each branch once, each with two numbers, and none with a flag that changes how it is written. */
static bool are_plain(struct lcov_out *w, uint32_t from, uint32_t to)
{
    const struct assay_coverage *c = w->plan->c;
    const struct lcov_rows *rows = &w->plan->branches;
    uint64_t last = 0;
    for (uint32_t i = from; i < to; i++) {
        uint32_t row = lcov_row(rows, i), block = c->branch_block[row].v, name = c->branch_name[row].v;
        uint64_t key = (uint64_t)block << 32 | name;
        if (key <= last || (c->branch_flags && c->branch_flags[row] & ~ASSAY_COVERAGE_BRANCH_NOT_EVALUATED)) return false;
        if (!number_of(w, block)->len || !number_of(w, name)->len) return false;
        last = key;
    }
    return true;
}

bool lcov_write_plain(struct lcov_out *w, uint32_t line, uint32_t from, uint32_t to, struct lcov_tally *n)
{
    const struct assay_coverage *c = w->plan->c;
    const struct lcov_rows *rows = &w->plan->branches;
    char start[LCOV_ROW_MAX] = "BRDA:";
    if (!are_plain(w, from, to)) return false;
    size_t len = 5 + number_put_u64(start + 5, line);
    start[len++] = ',';
    for (uint32_t i = from; i < to; i++) {
        uint32_t row = lcov_row(rows, i);
        const struct lcov_number *block = number_of(w, c->branch_block[row].v);
        char *at = row_begin(w);
        memcpy(at, start, 16);
        memcpy(at += len, block->text, sizeof block->text);
        at += block->len;
        const struct lcov_number *name = number_of(w, c->branch_name[row].v);
        memcpy(at, name->text, sizeof name->text);
        at += name->len;
        if (c->branch_hits[row] == 0 && c->branch_flags && c->branch_flags[row])
            *at++ = '-';
        else
            at += number_put_u64(at, c->branch_hits[row]);
        row_end(w, at);
        n->hit += c->branch_hits[row] > 0;
    }
    n->found += to - from;
    return true;
}
