/* The rules of Go cover profiles beyond damage, and the dump: both only walk over the records. */
#include "base/text.h"
#include "formats/go-cover/go_cover.h"

static bool judge(struct go_blocks *blocks, const struct go_record *r, enum go_mode mode, struct findings *out)
{
    bool again, differs;
    if (!go_blocks_add(blocks, r, mode, &again, &differs)) return false;
    if (differs) findings_add(out, "GO-5", ASSAY_WARNING, r->off, r->number, "the same block with another number of statements");
    if (again) findings_add(out, "GO-6", ASSAY_INFO, r->off, r->number, "this block is repeated: its counts are combined");
    return true;
}

int go_cover_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct go_decoder d;
    struct go_blocks blocks;
    struct go_record r = { .kind = GO_OTHER };
    int rc = 0;
    go_init(&d, job->in, job->mem, out, err);
    go_blocks_init(&blocks, job->mem);
    while (rc == 0 && r.kind != GO_END) {
        rc = go_next(&d, &r);
        if (rc == 0 && r.kind == GO_BLOCK && !judge(&blocks, &r, d.mode, out)) rc = error_memory(err);
    }
    go_blocks_done(&blocks);
    go_done(&d);
    return rc;
}

/* ---- dump ---- */

static void record(struct output *o, const struct go_record *r)
{
    if (r->kind == GO_MODE)
        output_printf(o, "mode %s", go_mode_name(r->mode));
    else if (r->kind == GO_BLOCK) {
        output_text(o, "block ");
        text_show(o, r->path);
        output_printf(o, " from %u.%u to %u.%u statements %u count %llu", r->place.first, r->place.first_column, r->place.last, r->place.last_column,
                      r->statements, (unsigned long long)r->count);
    } else
        text_show(o, r->text);
}

static size_t marks(struct output *o, const struct findings *f, size_t from)
{
    static const char *const severity[] = { "note", "warning", "error" };
    for (; from < f->list.len; from++)
        output_printf(o, "                     ^ %s %s: %s\n", severity[f->list.at[from].severity], f->list.at[from].rule, f->list.at[from].message);
    return from;
}

int go_cover_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct go_decoder d;
    struct findings damage;
    struct go_record r = { .kind = GO_OTHER };
    size_t marked = 0;
    int rc = 0;
    findings_init(&damage, job->mem);
    go_init(&d, job->in, job->mem, &damage, err);
    d.wants_all = true;
    while (rc == 0 && r.kind != GO_END && !output_failed(out)) {
        rc = go_next(&d, &r);
        if (rc == 0 && r.kind != GO_END && r.text.len) {
            output_hex(out, r.off, 8);
            output_printf(out, " %6llu  ", (unsigned long long)r.number);
            record(out, &r);
            output_char(out, '\n');
        }
        marked = marks(out, &damage, marked);
    }
    go_done(&d);
    findings_done(&damage);
    return rc;
}
