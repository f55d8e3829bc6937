/* A line stands twice in most reports: once in its method, once in its class. The lines of the class count, those of methods only where it has none;
 * of a line that is repeated the larger figures count. See class.h. */
#include "formats/cobertura/class.h"

#include "base/order.h"
#include "base/sort.h"

void cobertura_class_init(struct cobertura_class *c, struct mem *mem)
{
    memset(c, 0, sizeof *c);
    c->mem = mem;
}

void cobertura_class_done(struct cobertura_class *c) { vec_done(c->mem, &c->lines, &c->method_lines, &c->methods, &c->sums); }

void cobertura_class_begin(struct cobertura_class *c)
{
    c->lines.len = c->method_lines.len = c->methods.len = 0;
    c->from_methods = false;
}

static bool add_method(struct cobertura_class *c, const struct coverage_row *r)
{
    struct cobertura_method *m = vec_push(c->mem, &c->methods);
    if (m) *m = (struct cobertura_method){ .name = r->name, .hits = r->count, .has_hits = r->index };
    return m != NULL;
}

static bool add_line(struct cobertura_class *c, const struct coverage_row *r)
{
    struct cobertura_rows *rows = r->of_function ? &c->method_lines : &c->lines;
    struct cobertura_row *row = vec_push(c->mem, rows);
    if (!row) return false;
    *row = (struct cobertura_row){ r->count, r->off, r->number, r->line, r->index, r->group };
    if (!r->of_function || !c->methods.len) return true;
    struct cobertura_method *m = &c->methods.at[c->methods.len - 1];
    if (!m->line || r->line < m->line) m->line = r->line;
    if (!m->has_hits && r->count > m->hits) m->hits = r->count;
    return true;
}

bool cobertura_class_add(struct cobertura_class *c, const struct coverage_row *r) { return r->kind == COVERAGE_FUNCTION ? add_method(c, r) : add_line(c, r); }

static int by_line(const void *x, const void *y)
{
    const struct cobertura_row *a = x, *b = y;
    return a->line != b->line ? ORDER(a->line, b->line) : ORDER(a->off, b->off);
}

static void sort(struct cobertura_rows *rows)
{
    for (size_t i = 1; i < rows->len; i++)
        if (rows->at[i - 1].line > rows->at[i].line) {
            sort_by(rows->at, rows->len, sizeof *rows->at, by_line);
            return;
        }
}

bool cobertura_class_end(struct cobertura_class *c, uint32_t file)
{
    size_t n = 0;
    if (!c->lines.len && c->method_lines.len) {
        struct cobertura_rows own = c->lines;
        c->lines = c->method_lines;
        c->method_lines = own;
        c->from_methods = true;
    }
    sort(&c->lines);
    for (size_t i = 0; i < c->lines.len; i++) {
        struct cobertura_row *row = &c->lines.at[i];
        if (row->total) {
            struct cobertura_sum *s = vec_push(c->mem, &c->sums);
            if (!s) return false;
            *s = (struct cobertura_sum){ (uint64_t)file << 32 | row->line, row->covered, row->total };
        }
        if (n && c->lines.at[n - 1].line == row->line) {
            if (row->hits > c->lines.at[n - 1].hits) c->lines.at[n - 1].hits = row->hits;
        } else
            c->lines.at[n++] = *row;
    }
    c->lines.len = n;
    return true;
}

static int by_key(const void *x, const void *y)
{
    const struct cobertura_sum *a = x, *b = y;
    return ORDER(a->key, b->key);
}

void cobertura_class_join_sums(struct cobertura_class *c)
{
    size_t n = 0;
    bool is_sorted = true;
    for (size_t i = 1; i < c->sums.len && is_sorted; i++) is_sorted = c->sums.at[i - 1].key <= c->sums.at[i].key;
    if (!is_sorted) sort_by(c->sums.at, c->sums.len, sizeof *c->sums.at, by_key);
    for (size_t i = 0; i < c->sums.len; i++) {
        struct cobertura_sum s = c->sums.at[i], *last = n ? &c->sums.at[n - 1] : NULL;
        if (last && last->key == s.key) {
            if (s.covered > last->covered) last->covered = s.covered;
            if (s.total > last->total) last->total = s.total;
        } else
            c->sums.at[n++] = s;
    }
    c->sums.len = n;
}
