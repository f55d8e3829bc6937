/* Coverage counted by identity; see assay/analysis.h. Rows mostly stand in the order of files and lines, as tools write them: then one pass
 * counts them. Otherwise they are sorted by place first, and the same pass goes over the sorted row numbers. */
#include <string.h>

#include "assay/analysis.h"
#include "base/error.h"
#include "base/index.h"
#include "base/slice.h"
#include "base/vec.h"
#include "model/column.h"

enum { FEW = 24, SLOTS_KEPT = 4096 };

struct counter {
    struct mem mem;
    const assay_profile *p;
    const struct assay_coverage *c;
    assay_cov_counts *total, *by_file;
    assay_cov_counts sink; /* stands for the file when nobody asked for files */
};

static uint32_t id32(const uint32_t *column, uint32_t row) { return column ? column[row] : 0; }
#define ID(column, row) ((column) ? (column)[row].v : 0)

static assay_cov_counts *file_of(struct counter *k, uint32_t file) { return k->by_file ? &k->by_file[file] : &k->sink; }

#define COUNT(k, file, what, is_hit)                                                                                                                           \
    do {                                                                                                                                                       \
        assay_cov_counts *f_ = file_of((k), (file));                                                                                                           \
        (k)->total->what++;                                                                                                                                    \
        f_->what++;                                                                                                                                            \
        if (is_hit) {                                                                                                                                          \
            (k)->total->what##_hit++;                                                                                                                          \
            f_->what##_hit++;                                                                                                                                  \
        }                                                                                                                                                      \
    } while (0)

/* ---- rows by place ---- */

struct places {
    const assay_file_id *file;
    const uint32_t *line;
    uint32_t count;
    uint32_t *order; /* NULL = the rows are in order as they are */
};

static uint64_t place(const struct places *s, uint32_t row) { return (uint64_t)ID(s->file, row) << 32 | id32(s->line, row); }
static uint32_t row_at(const struct places *s, uint32_t i) { return s->order ? s->order[i] : i; }

static bool is_ordered(const struct places *s)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint64_t now = place(s, i);
        if (now < before) return false;
        before = now;
    }
    return true;
}

static int places_begin(struct counter *k, struct places *s, const assay_file_id *file, const uint32_t *line, uint32_t count, assay_error *err)
{
    *s = (struct places){ file, line, count, NULL };
    if (is_ordered(s)) return 0;
    uint64_t *key = mem_zalloc(&k->mem, count, sizeof *key);
    s->order = mem_zalloc(&k->mem, count, sizeof *s->order);
    bool done = key && s->order;
    for (uint32_t i = 0; done && i < count; i++) {
        key[i] = place(s, i);
        s->order[i] = i;
    }
    done = done && radix_sort(&k->mem, key, s->order, count, 0);
    mem_free(&k->mem, key, count * sizeof *key);
    return done ? 0 : error_memory(err);
}

static void places_end(struct counter *k, struct places *s) { mem_free(&k->mem, s->order, s->count * sizeof *s->order); }

/* ---- lines ---- */

static void add_lines(struct counter *k, uint32_t file, uint64_t lines, uint64_t hit)
{
    assay_cov_counts *f = file_of(k, file);
    k->total->lines += lines;
    k->total->lines_hit += hit;
    f->lines += lines;
    f->lines_hit += hit;
}

/* Counted file by file in registers: there are millions of them. */
static void sum_lines(struct counter *k, const struct places *s)
{
    const struct assay_coverage *c = k->c;
    const uint8_t *flags = c->line_flags;
    uint64_t now = UINT64_MAX, lines = 0, hit = 0;
    bool is_hit = false;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t row = row_at(s, i);
        if (flags && flags[row] & (ASSAY_COV_EXCLUDED | ASSAY_COV_NONCODE)) continue;
        uint64_t at = place(s, row);
        if (at != now) {
            if (at >> 32 != now >> 32 && lines) {
                add_lines(k, (uint32_t)(now >> 32), lines, hit);
                lines = hit = 0;
            }
            lines++;
            is_hit = false;
            now = at;
        }
        hit += !is_hit && c->line_hits[row] > 0;
        is_hit |= c->line_hits[row] > 0;
    }
    if (lines) add_lines(k, (uint32_t)(now >> 32), lines, hit);
}

static int count_lines(struct counter *k, assay_error *err)
{
    struct places s;
    int rc = places_begin(k, &s, k->c->line_file, k->c->line_number, k->c->line_count, err);
    if (rc == 0) sum_lines(k, &s);
    places_end(k, &s);
    return rc;
}

/* ---- functions ---- */

enum { SEEN = 1, HIT = 2 };

static void mark_functions(const struct assay_coverage *c, uint8_t *state)
{
    for (uint32_t i = 0; i < c->func_count; i++) {
        if (c->func_flags && c->func_flags[i] & (ASSAY_COV_EXCLUDED | ASSAY_COV_NONCODE)) continue;
        state[c->func[i].v] |= (uint8_t)(SEEN | (c->func_calls[i] > 0 ? HIT : 0));
    }
}

static bool same_group(const struct assay_funcs *f, uint32_t a, uint32_t b)
{
    uint32_t line = id32(f->first_line, a);
    return ID(f->file, a) == ID(f->file, b) && line == id32(f->first_line, b) && (line || f->name[a].v == f->name[b].v);
}

/* The first function seen of each group carries its state in lead[]. */
static bool mark_groups(struct counter *k, const uint8_t *state, uint8_t *lead)
{
    const struct assay_funcs *f = assay_profile_funcs(k->p);
    struct index ix;
    bool done = true;
    index_init(&ix, &k->mem);
    for (uint32_t i = 1; done && i <= f->count; i++) {
        if (!state[i]) continue;
        uint32_t line = id32(f->first_line, i), of = 0;
        uint64_t hash = hash_mix(hash_mix(ID(f->file, i), line), line ? 0 : f->name[i].v);
        for (struct index_walk w = index_walk(&ix, hash); !of && index_next(&ix, &w);)
            if (same_group(f, w.id, i)) of = w.id;
        if (!of) done = index_add(&ix, hash, of = i);
        lead[of] |= state[i];
    }
    index_done(&ix);
    return done;
}

static int count_functions(struct counter *k, assay_error *err)
{
    const struct assay_funcs *f = assay_profile_funcs(k->p);
    size_t room = (size_t)f->count + 1;
    if (!k->c->func_count) return 0;
    uint8_t *state = mem_zalloc(&k->mem, room, 1), *lead = mem_zalloc(&k->mem, room, 1);
    bool done = state && lead;
    if (done) mark_functions(k->c, state);
    done = done && mark_groups(k, state, lead);
    for (uint32_t i = 1; done && i <= f->count; i++) {
        if (state[i]) COUNT(k, ID(f->file, i), functions, state[i] & HIT);
        if (lead[i]) COUNT(k, ID(f->file, i), groups, lead[i] & HIT);
    }
    mem_free(&k->mem, state, room);
    mem_free(&k->mem, lead, room);
    return done ? 0 : error_memory(err);
}

/* ---- branches, conditions and regions: what differs at one place ---- */

typedef bool (*same_fn)(const struct assay_coverage *c, uint32_t a, uint32_t b);
typedef uint64_t (*hash_fn)(const struct assay_coverage *c, uint32_t row);

struct member {
    uint32_t row;
    bool is_hit;
};
/* The distinct rows of one place: compared one by one while they are few, by hash from then on. */
struct distinct {
    struct counter *k;
    same_fn same;
    hash_fn hash;
    VEC(struct member) list;
    struct index index;
    bool is_indexed;
};

static void distinct_init(struct distinct *d, struct counter *k, same_fn same, hash_fn hash)
{
    memset(d, 0, sizeof *d);
    d->k = k;
    d->same = same;
    d->hash = hash;
    index_init(&d->index, &k->mem);
}

static void distinct_done(struct distinct *d)
{
    vec_done(&d->k->mem, &d->list);
    index_done(&d->index);
}

/* A large table goes back, so that one crowded place does not make each later one dear. */
static void distinct_clear(struct distinct *d)
{
    d->list.len = 0;
    if (!d->is_indexed) return;
    d->is_indexed = false;
    if (d->index.mask < SLOTS_KEPT) {
        index_clear(&d->index);
        return;
    }
    index_done(&d->index);
    index_init(&d->index, &d->k->mem);
}

static struct member *distinct_find(struct distinct *d, uint32_t row)
{
    const struct assay_coverage *c = d->k->c;
    if (!d->is_indexed) {
        for (size_t i = 0; i < d->list.len; i++)
            if (d->same(c, d->list.at[i].row, row)) return &d->list.at[i];
        return NULL;
    }
    for (struct index_walk w = index_walk(&d->index, d->hash(c, row)); index_next(&d->index, &w);)
        if (d->same(c, d->list.at[w.id - 1].row, row)) return &d->list.at[w.id - 1];
    return NULL;
}

static bool distinct_add(struct distinct *d, uint32_t row, bool is_hit)
{
    struct member *m = distinct_find(d, row);
    if (m) {
        m->is_hit |= is_hit;
        return true;
    }
    m = vec_push(&d->k->mem, &d->list);
    if (!m) return false;
    *m = (struct member){ row, is_hit };
    size_t from = d->is_indexed ? d->list.len - 1 : d->list.len > FEW ? 0 : d->list.len;
    for (size_t i = from; i < d->list.len; i++)
        if (!index_add(&d->index, d->hash(d->k->c, d->list.at[i].row), (uint32_t)i + 1)) return false;
    d->is_indexed |= d->list.len > FEW;
    return true;
}

/* ---- branches ---- */

static bool same_branch(const struct assay_coverage *c, uint32_t a, uint32_t b)
{
    uint32_t block = ID(c->branch_block, a), name = ID(c->branch_name, a);
    return block == ID(c->branch_block, b) && name == ID(c->branch_name, b) && ID(c->branch_func, a) == ID(c->branch_func, b) &&
           (block || name || id32(c->branch_index, a) == id32(c->branch_index, b)) && id32(c->branch_column, a) == id32(c->branch_column, b) &&
           id32(c->branch_end_line, a) == id32(c->branch_end_line, b) && id32(c->branch_end_column, a) == id32(c->branch_end_column, b) &&
           (!c->branch_target || c->branch_target[a] == c->branch_target[b]);
}

static uint64_t hash_branch(const struct assay_coverage *c, uint32_t row)
{
    uint32_t block = ID(c->branch_block, row), name = ID(c->branch_name, row);
    uint64_t h = hash_mix(hash_mix(block, name), block || name ? 0 : id32(c->branch_index, row));
    h = hash_mix(hash_mix(h, ID(c->branch_func, row)), id32(c->branch_column, row));
    return hash_mix(h, c->branch_target ? (uint64_t)c->branch_target[row] : 0);
}

static void flush_branches(struct distinct *d, uint32_t file)
{
    for (size_t i = 0; i < d->list.len; i++) COUNT(d->k, file, branches, d->list.at[i].is_hit);
    distinct_clear(d);
}

static int count_branches(struct counter *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    const uint8_t left_out = ASSAY_COV_BRANCH_UNREACHABLE | ASSAY_COV_BRANCH_EXCLUDED;
    struct distinct d;
    struct places s;
    uint64_t now = 0;
    distinct_init(&d, k, same_branch, hash_branch);
    int rc = places_begin(k, &s, c->branch_file, c->branch_line, c->branch_count, err);
    for (uint32_t i = 0; rc == 0 && i < c->branch_count; i++) {
        uint32_t row = row_at(&s, i);
        if (c->branch_flags && c->branch_flags[row] & left_out) continue;
        if (place(&s, row) != now) flush_branches(&d, (uint32_t)(now >> 32));
        now = place(&s, row);
        if (!distinct_add(&d, row, c->branch_hits[row] > 0)) rc = error_memory(err);
    }
    flush_branches(&d, (uint32_t)(now >> 32));
    places_end(k, &s);
    distinct_done(&d);
    return rc;
}

/* Sums of kind "branches": a line that comes again is the same branches, of which at least the larger number was hit. */
static void add_sum(struct counter *k, uint32_t file, uint32_t hit, uint32_t total)
{
    assay_cov_counts *f = file_of(k, file);
    k->total->branches += total;
    k->total->branches_hit += hit;
    f->branches += total;
    f->branches_hit += hit;
}

static int count_sums(struct counter *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    struct places s;
    uint64_t now = 0;
    uint32_t hit = 0, total = 0;
    int rc = places_begin(k, &s, c->sum_file, c->sum_line, c->sum_count, err);
    for (uint32_t i = 0; rc == 0 && i < c->sum_count; i++) {
        uint32_t row = row_at(&s, i);
        if (!slice_is(assay_profile_string(k->p, c->sum_kind[row]), "branches")) continue;
        if (place(&s, row) != now) {
            add_sum(k, (uint32_t)(now >> 32), hit, total);
            hit = total = 0;
        }
        now = place(&s, row);
        if (c->sum_hit[row] > hit) hit = c->sum_hit[row];
        if (c->sum_total[row] > total) total = c->sum_total[row];
    }
    add_sum(k, (uint32_t)(now >> 32), hit, total);
    places_end(k, &s);
    return rc;
}

/* ---- conditions and regions: few of them, so no order is looked for ---- */

static bool same_condition(const struct assay_coverage *c, uint32_t a, uint32_t b)
{
    return c->condition_file[a].v == c->condition_file[b].v && c->condition_line[a] == c->condition_line[b] &&
           id32(c->condition_group, a) == id32(c->condition_group, b) && id32(c->condition_index, a) == id32(c->condition_index, b) &&
           (!c->condition_sense || c->condition_sense[a] == c->condition_sense[b]);
}

static uint64_t hash_condition(const struct assay_coverage *c, uint32_t row)
{
    uint64_t h = hash_mix(hash_mix(c->condition_file[row].v, c->condition_line[row]), id32(c->condition_group, row));
    return hash_mix(h, (uint64_t)id32(c->condition_index, row) << 8 | (c->condition_sense ? c->condition_sense[row] : 0));
}

static int count_conditions(struct counter *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    const uint8_t left_out = ASSAY_COV_BRANCH_UNREACHABLE | ASSAY_COV_BRANCH_EXCLUDED;
    struct distinct d;
    bool done = true;
    distinct_init(&d, k, same_condition, hash_condition);
    for (uint32_t i = 0; done && i < c->condition_count; i++)
        if (!(c->condition_flags && c->condition_flags[i] & left_out)) done = distinct_add(&d, i, c->condition_hits[i] > 0);
    for (size_t i = 0; done && i < d.list.len; i++) COUNT(k, c->condition_file[d.list.at[i].row].v, conditions, d.list.at[i].is_hit);
    distinct_done(&d);
    return done ? 0 : error_memory(err);
}

static bool same_region(const struct assay_coverage *c, uint32_t a, uint32_t b)
{
    return c->region_file[a].v == c->region_file[b].v && c->region_kind[a] == c->region_kind[b] && c->region_first[a] == c->region_first[b] &&
           c->region_last[a] == c->region_last[b] && id32(c->region_first_column, a) == id32(c->region_first_column, b) &&
           id32(c->region_last_column, a) == id32(c->region_last_column, b) && id32(c->region_statements, a) == id32(c->region_statements, b);
}

static uint64_t hash_region(const struct assay_coverage *c, uint32_t row)
{
    uint64_t h = hash_mix(hash_mix(c->region_file[row].v, c->region_first[row]), c->region_last[row]);
    return hash_mix(hash_mix(h, id32(c->region_first_column, row)), id32(c->region_last_column, row));
}

static void add_statements(struct counter *k, uint32_t file, uint64_t statements, bool is_hit)
{
    assay_cov_counts *f = file_of(k, file);
    k->total->statements += statements;
    f->statements += statements;
    k->total->statements_hit += is_hit ? statements : 0;
    f->statements_hit += is_hit ? statements : 0;
}

static int count_regions(struct counter *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    struct distinct d;
    bool done = true;
    distinct_init(&d, k, same_region, hash_region);
    for (uint32_t i = 0; done && c->region_kind && i < c->region_count; i++)
        if (c->region_kind[i] == ASSAY_REGION_BLOCK || c->region_kind[i] == ASSAY_REGION_STATEMENT) done = distinct_add(&d, i, c->region_hits[i] > 0);
    for (size_t i = 0; done && i < d.list.len; i++) {
        uint32_t row = d.list.at[i].row, file = c->region_file[row].v;
        bool is_block = c->region_kind[row] == ASSAY_REGION_BLOCK;
        if (is_block) COUNT(k, file, blocks, d.list.at[i].is_hit);
        add_statements(k, file, is_block ? id32(c->region_statements, row) : 1, d.list.at[i].is_hit);
    }
    distinct_done(&d);
    return done ? 0 : error_memory(err);
}

int assay_coverage_count(const assay_profile *p, assay_cov_counts *total, assay_cov_counts *by_file, assay_error *err)
{
    uint32_t files = assay_profile_files(p)->count;
    struct counter k = { .p = p, .c = assay_profile_coverage(p), .total = total, .by_file = by_file };
    mem_init(&k.mem, 0);
    *total = (assay_cov_counts){ .files = files };
    if (by_file) memset(by_file, 0, ((size_t)files + 1) * sizeof *by_file);
    for (uint32_t i = 1; by_file && i <= files; i++) by_file[i].files = 1;
    TRY(count_lines(&k, err));
    TRY(count_functions(&k, err));
    TRY(count_branches(&k, err));
    TRY(count_sums(&k, err));
    TRY(count_conditions(&k, err));
    return count_regions(&k, err);
}
