/* The table of a report's files; see assay/store.h. */
#include <string.h>

#include "base/scoped.h"
#include "store/public/subject.h"

struct shown {
    assay_store_table seen;
    struct mem *mem;
    struct arena arena;
};

static bool join(struct arena *a, const struct change_row *row, assay_slice *out)
{
    size_t len = row->prefix.len + row->name.len;
    char *text = arena_text(a, len + 1);
    if (!text) return false;
    if (row->prefix.len) memcpy(text, row->prefix.data, row->prefix.len);
    if (row->name.len) memcpy(text + row->prefix.len, row->name.data, row->name.len);
    text[len] = '\0';
    *out = (assay_slice){ text, len };
    return true;
}

/* The rows end with the view: everything is copied. */
static int fill(struct shown *t, const struct changes *c, assay_error *err)
{
    size_t count = c->rows.len;
    uint8_t *kind = arena_alloc(&t->arena, count + 1);
    assay_slice *name = arena_alloc(&t->arena, (count + 1) * sizeof *name);
    assay_store_stats *now = arena_alloc(&t->arena, (count + 1) * sizeof *now), *before = arena_alloc(&t->arena, (count + 1) * sizeof *before);
    if (!kind || !name || !now || !before) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        const struct change_row *row = &c->rows.at[i];
        kind[i] = (uint8_t)row->kind; /* enum assay_store_row has the order of enum change_kind */
        now[i] = row->now;
        before[i] = row->before;
        if (!join(&t->arena, row, &name[i])) return error_memory(err);
    }
    t->seen = (assay_store_table){ count, kind, name, now, before, c->total.now, c->total.before };
    return 0;
}

_Static_assert((int)CHANGE_MODULE == ASSAY_STORE_MODULE && (int)CHANGE_FOLDER == ASSAY_STORE_FOLDER && (int)CHANGE_FILE == ASSAY_STORE_FILE, "kinds of rows");

int assay_store_table_new(assay_store *h, const char *revision, const struct assay_store_part *part, assay_store_table **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    *out = NULL;
    struct shown *t = mem_zalloc(&h->mem, 1, sizeof *t);
    if (!t) return error_memory(err);
    t->mem = &h->mem;
    arena_init(&t->arena, t->mem);
    SCOPED(subject_done) struct subject v;
    int rc = subject_open(&v, h, revision, part, err);
    if (rc == 0) rc = fill(t, &v.changes, err);
    if (rc == 0)
        *out = &t->seen;
    else
        assay_store_table_free(&t->seen);
    return rc;
}

void assay_store_table_free(assay_store_table *table)
{
    struct shown *t = (struct shown *)table;
    if (!t) return;
    arena_done(&t->arena);
    mem_free(t->mem, t, sizeof *t);
}
