/* Maps and counts of a file -> rows; see parts.h. */
#include <stdio.h>

#include "base/order.h"
#include "base/sort.h"
#include "formats/istanbul/parts.h"

static const char *const maps[] = { "statementMap", "fnMap", "branchMap" }, *const lists[] = { "s", "f", "b" };

/* ---- by id ---- */

static int by_item(const void *x, const void *y)
{
    const struct istanbul_item *a = x, *b = y;
    ORDER_BY(a->id, b->id);
    return ORDER(a->off, b->off);
}

static int by_count(const void *x, const void *y)
{
    const struct istanbul_count *a = x, *b = y;
    ORDER_BY(a->id, b->id);
    return ORDER(a->off, b->off);
}

/* Tools write both in the same order, so that there is mostly nothing to do. */
static bool is_parallel(const struct istanbul_file *f, enum istanbul_part part)
{
    size_t n = f->maps[part].len;
    if (n != f->counts[part].len) return false;
    for (size_t i = 0; i < n; i++)
        if (f->maps[part].at[i].id != f->counts[part].at[i].id || (i && f->maps[part].at[i].id <= f->maps[part].at[i - 1].id)) return false;
    return true;
}

static void sort(struct istanbul_file *f, enum istanbul_part part)
{
    if (f->maps[part].len) sort_by(f->maps[part].at, f->maps[part].len, sizeof *f->maps[part].at, by_item);
    if (f->counts[part].len) sort_by(f->counts[part].at, f->counts[part].len, sizeof *f->counts[part].at, by_count);
}

static const char *id_text(const struct istanbul_file *f, uint32_t id, char *buf, size_t len)
{
    assay_slice name = intern_get(&f->d->names, id & ~ISTANBUL_NAMED);
    if (id & ISTANBUL_NAMED)
        snprintf(buf, len, "%.*s", (int)(name.len < 40 ? name.len : 40), name.data);
    else
        snprintf(buf, len, "%u", id);
    return buf;
}

/* ---- rows ---- */

static void place(struct coverage_row *row, const struct istanbul_span *s)
{
    row->line = s->line;
    row->column = s->column;
    row->end_line = s->end_line;
    row->end_column = s->end_column;
}

static int statement(struct istanbul_file *f, const struct istanbul_item *item, const struct istanbul_count *c)
{
    struct coverage_hit *hit = vec_push(f->d->mem, &f->hits);
    struct coverage_row *row = hit ? coverage_push(f->d, COVERAGE_REGION, &(struct json_event){ .off = item->off, .line = item->number }) : NULL;
    if (!row) return error_memory(f->d->err);
    *hit = (struct coverage_hit){ c->value, item->off, item->span.line, item->number };
    row->flags = ASSAY_REGION_STATEMENT;
    row->count = c->value;
    place(row, &item->span);
    return 0;
}

/* NAME#ID: anonymous functions have numbers for names, and classes share names of methods. */
static int function(struct istanbul_file *f, const struct istanbul_item *item, const struct istanbul_count *c)
{
    char id[64], small[256];
    assay_slice name = intern_get(&f->d->names, item->name);
    struct coverage_row *row = coverage_push(f->d, COVERAGE_FUNCTION, &(struct json_event){ .off = item->off, .line = item->number });
    if (!row) return ASSAY_ERR_MEMORY;
    size_t room = name.len + sizeof id + 2;
    char *text = room <= sizeof small ? small : mem_alloc(f->d->mem, room);
    if (!text) return error_memory(f->d->err);
    if (name.len) memcpy(text, name.data, name.len);
    int more = snprintf(text + name.len, sizeof id + 2, "#%s", id_text(f, item->id, id, sizeof id));
    row->name = intern_put(&f->d->names, (assay_slice){ text, name.len + (size_t)more });
    if (text != small) mem_free(f->d->mem, text, room);
    if (!row->name) return error_memory(f->d->err);
    row->count = c->value;
    place(row, &item->span);
    return 0;
}

/* The path of an else that is not there has no place of its own. */
static int branch(struct istanbul_file *f, const struct istanbul_item *item, const struct istanbul_count *c)
{
    char id[64], name[80];
    assay_slice type = intern_get(&f->d->names, item->name);
    uint32_t block = intern_put(&f->d->names, slice_of(id_text(f, item->id, id, sizeof id)));
    if (!block) return error_memory(f->d->err);
    if (item->paths != c->len && !f->d->j->r.is_damaged)
        coverage_json_found(f->d->j, c->off, c->number, "IS-3", ASSAY_WARNING, "branch %s has %u counts, but %u locations", id, c->len, item->paths);
    for (uint32_t i = 0; i < c->len; i++) {
        struct coverage_row *row = coverage_push(f->d, COVERAGE_BRANCH, &(struct json_event){ .off = item->off, .line = item->number });
        if (!row) return ASSAY_ERR_MEMORY;
        const struct istanbul_span *at = i < item->paths ? &f->paths.at[item->first_path + i] : &item->span;
        snprintf(name, sizeof name, "%u %.*s", i, (int)(type.len < 40 ? type.len : 40), type.data ? type.data : "");
        row->block = block;
        row->name = intern_put(&f->d->names, slice_of(name));
        if (!row->name) return error_memory(f->d->err);
        row->index = i;
        row->count = f->values.at[c->first + i];
        place(row, at->line ? at : &item->span);
    }
    return 0;
}

static int give_part(struct istanbul_file *f, enum istanbul_part part)
{
    static int (*const give[])(struct istanbul_file *, const struct istanbul_item *, const struct istanbul_count *) = { statement, function, branch };
    char id[64];
    size_t i = 0, k = 0;
    bool is_cut = f->d->j->r.is_damaged;
    if (!is_parallel(f, part)) sort(f, part);
    while (i < f->maps[part].len || k < f->counts[part].len) {
        const struct istanbul_item *item = i < f->maps[part].len ? &f->maps[part].at[i] : NULL;
        const struct istanbul_count *c = k < f->counts[part].len ? &f->counts[part].at[k] : NULL;
        if (item && c && item->id == c->id) {
            if (item->span.line || part != ISTANBUL_STATEMENTS) TRY(give[part](f, item, c));
            k++;
            i += k == f->counts[part].len || f->counts[part].at[k].id != c->id;
        } else if (c && (!item || c->id < item->id)) {
            coverage_json_found(f->d->j, f->count_off[part], f->count_number[part], "IS-1", ASSAY_ERROR, "%s has a count for '%s', which %s lacks", lists[part],
                                id_text(f, c->id, id, sizeof id), maps[part]);
            k++;
        } else {
            if (!is_cut)
                coverage_json_found(f->d->j, item->off, item->number, "IS-2", ASSAY_WARNING, "%s has '%s', for which %s has no count", maps[part],
                                    id_text(f, item->id, id, sizeof id), lists[part]);
            i++;
        }
    }
    return 0;
}

int istanbul_give(struct istanbul_file *f)
{
    struct coverage_row *row = coverage_push(f->d, COVERAGE_FILE, &(struct json_event){ .off = f->off, .line = f->number });
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = f->path;
    row->block = f->hash;
    f->hits.len = 0;
    for (int part = 0; part < ISTANBUL_PARTS; part++) TRY(give_part(f, (enum istanbul_part)part));
    TRY(coverage_derive_lines(f->d, f->hits.at, f->hits.len));
    return coverage_give(f->d);
}
