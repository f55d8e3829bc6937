/* A piece of a tracefile -> a batch; see batch.h. */
#include "formats/lcov/batch.h"

static const char border[] = "\nend_of_record\n";
enum { BORDER_LEN = sizeof border - 1 };

/* Behind the last end_of_record. */
static size_t cut(void *arg, assay_slice text)
{
    (void)arg;
    for (size_t len = text.len; len >= BORDER_LEN;) {
        const char *nl = memrchr(text.data, '\n', len);
        if (!nl || (size_t)(nl - text.data) + 1 < BORDER_LEN) return 0;
        if (memcmp(nl + 1 - BORDER_LEN, border, BORDER_LEN) == 0) return (size_t)(nl + 1 - text.data);
        len = (size_t)(nl - text.data);
    }
    return 0;
}

static void empty(struct lcov_batch *b) { b->items.len = b->lines.len = b->hits.len = b->blocks.len = b->names.len = b->flags.len = 0; }

/* Takes the plain lines that come next; false = none do, or no memory, which *failed says. */
static bool put_run(struct lcov_batch *b, struct lcov_decoder *d, struct mem *mem, bool *failed)
{
    *failed = !vec_reserve(mem, &b->lines, LCOV_RUN) || !vec_reserve(mem, &b->hits, LCOV_RUN) || !vec_reserve(mem, &b->blocks, LCOV_RUN) ||
              !vec_reserve(mem, &b->names, LCOV_RUN) || !vec_reserve(mem, &b->flags, LCOV_RUN);
    if (*failed) return false;
    struct lcov_run run = { .line = b->lines.at + b->lines.len,
                            .hits = b->hits.at + b->hits.len,
                            .block = b->blocks.at + b->blocks.len,
                            .name = b->names.at + b->names.len,
                            .flags = b->flags.at + b->flags.len };
    if (!lcov_next_run(d, &run)) return false;
    struct lcov_item *item = vec_push(mem, &b->items);
    *failed = !item;
    if (!item) return false;
    item->record.kind = LCOV_OTHER;
    item->at = b->lines.len;
    item->count = run.count;
    item->is_branches = run.is_branches;
    b->lines.len += run.count;
    b->hits.len += run.count;
    b->blocks.len += run.count;
    b->names.len += run.count;
    b->flags.len += run.count;
    return true;
}

static bool put_records(struct lcov_batch *b, struct lcov_decoder *d, struct mem *mem)
{
    bool failed = false;
    for (;;) {
        while (put_run(b, d, mem, &failed)) {
        }
        struct lcov_item *item = failed ? NULL : vec_push(mem, &b->items);
        if (!item || lcov_next(d, &item->record) != 0 || d->damage->list.len) return false;
        if (item->record.kind == LCOV_END) break;
    }
    b->items.len--;
    b->line_count = d->lines.count;
    b->has_2x = d->has_2x;
    return true;
}

static bool make(void *arg, unsigned slot, assay_slice text)
{
    struct lcov_batches *all = arg;
    struct mem *mem = &all->mem;
    struct findings damage;
    struct lcov_decoder d;
    assay_error err = { 0 };
    empty(&all->slots[slot]);
    findings_init(&damage, mem);
    lcov_init(&d, NULL, mem, &damage, &err);
    lines_of(&d.lines, text, mem, &damage, &err);
    bool is_made = put_records(&all->slots[slot], &d, mem);
    lcov_done(&d);
    findings_done(&damage);
    return is_made;
}

struct lcov_run lcov_batch_run(const struct lcov_batch *b, const struct lcov_item *item)
{
    return (struct lcov_run){ .count = item->count,
                              .is_branches = item->is_branches,
                              .line = b->lines.at + item->at,
                              .hits = b->hits.at + item->at,
                              .block = b->blocks.at + item->at,
                              .name = b->names.at + item->at,
                              .flags = b->flags.at + item->at };
}

int lcov_batches_open(struct lcov_batches *b, const struct read_job *job, assay_error *err)
{
    if (job->options->threads < 2) return 0;
    mem_init(&b->mem, 0);
    return ahead_open(&b->ahead, job->in, job->mem, job->options->threads, &(struct ahead_maker){ .arg = b, .cut = cut, .make = make }, err);
}

void lcov_batches_close(struct lcov_batches *b)
{
    ahead_close(b->ahead);
    b->ahead = NULL;
    for (unsigned i = 0; i < AHEAD_SLOTS; i++) {
        struct lcov_batch *s = &b->slots[i];
        vec_done(&b->mem, &s->items, &s->lines, &s->hits, &s->blocks, &s->names, &s->flags);
    }
}
