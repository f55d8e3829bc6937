/* Changes as a list of files and edits; see changes.h. */
#include "analysis/diff/changes.h"

#include <stdlib.h>

struct changes *changes_new(uint64_t max_memory)
{
    struct changes *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    mem_init(&c->mem, (size_t)max_memory);
    arena_init(&c->text, &c->mem);
    findings_init(&c->findings, &c->mem);
    return c;
}

void assay_changes_free(assay_changes *changes)
{
    if (!changes) return;
    struct changes *c = (struct changes *)changes;
    vec_done(&c->mem, &c->files, &c->edits);
    findings_done(&c->findings);
    arena_done(&c->text);
    free(c);
}

bool changes_file(struct changes *c, assay_slice old_path, assay_slice new_path)
{
    const char *old = old_path.data ? arena_copy(&c->text, old_path) : NULL, *new = new_path.data ? arena_copy(&c->text, new_path) : NULL;
    assay_changed_file *f = vec_push(&c->mem, &c->files);
    if (f) *f = (assay_changed_file){ old, new, NULL, 0 };
    return f && (old || !old_path.data) && (new || !new_path.data);
}

bool changes_edit(struct changes *c, const assay_edit *edit)
{
    assay_changed_file *f = &c->files.at[c->files.len - 1];
    assay_edit *last = f->edit_count ? &c->edits.at[c->edits.len - 1] : NULL;
    c->pub.added += edit->new_count;
    c->pub.removed += edit->old_count;
    if (last && last->old_before + last->old_count == edit->old_before && last->new_before + last->new_count == edit->new_before) {
        last->old_count += edit->old_count;
        last->new_count += edit->new_count;
        return true;
    }
    assay_edit *at = vec_push(&c->mem, &c->edits);
    if (!at) return false;
    *at = *edit;
    f->edit_count++;
    return true;
}

void changes_finish(struct changes *c)
{
    size_t at = 0;
    for (size_t i = 0; i < c->files.len; i++) {
        c->files.at[i].edits = c->edits.at ? c->edits.at + at : NULL;
        at += c->files.at[i].edit_count;
    }
    c->pub.files = c->files.at;
    c->pub.count = c->files.len;
    c->pub.warnings = c->findings.list.at;
    c->pub.warning_count = c->findings.list.len;
}

uint32_t assay_changed_line(const assay_changed_file *f, uint32_t old_line)
{
    size_t low = 0, high = f->edit_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->edits[middle].old_before < old_line)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return old_line;
    const assay_edit *e = &f->edits[low - 1];
    if (old_line <= e->old_before + e->old_count) return 0;
    return e->new_before + e->new_count + (old_line - e->old_before - e->old_count);
}
