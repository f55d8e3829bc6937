/* libFuzzer target: unified diffs. Edits of a file stand in the order of lines and are counted right, and no path holds what ends a text. */
#include "fuzz.h"

#include "assay/assay.h"
#include "harness.h"

static void promise_file(const assay_changed_file *f, uint64_t *added, uint64_t *removed)
{
    uint64_t old_end = 0, new_end = 0;
    harness_promise(f->old_path || f->new_path, "a file without any path");
    for (size_t i = 0; i < f->edit_count; i++) {
        const assay_edit *e = &f->edits[i];
        harness_promise(e->old_count || e->new_count, "an edit that does nothing");
        harness_promise(e->old_before >= old_end && e->new_before >= new_end, "an edit before the one above it");
        old_end = (uint64_t)e->old_before + e->old_count;
        new_end = (uint64_t)e->new_before + e->new_count;
        harness_promise(old_end <= UINT32_MAX && new_end <= UINT32_MAX, "a line number that does not fit");
        harness_promise(!e->old_count || assay_changed_line(f, e->old_before + 1) == 0, "a removed line that is still there");
        *added += e->new_count;
        *removed += e->old_count;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct assay_read_options lenient = { .max_memory = (uint64_t)64 << 20, .max_output = 4 << 20 };
    struct assay_read_options strict = lenient;
    assay_error err = { 0 };
    assay_changes *c = NULL, *again = NULL;
    uint64_t added = 0, removed = 0;
    harness_doing("reading a diff");
    int rc = assay_changes_read_memory(data, len, "fuzz", &lenient, &c, &err);
    harness_code(rc, &err, "assay_changes_read_memory");
    for (size_t i = 0; rc == 0 && i < c->count; i++) promise_file(&c->files[i], &added, &removed);
    harness_promise(rc != 0 || (added == c->added && removed == c->removed), "the sums are wrong");
    strict.strict = true;
    int strictly = assay_changes_read_memory(data, len, "fuzz", &strict, &again, &err);
    size_t found = c ? c->warning_count : 0;
    harness_promise(!c || (strictly == 0) == (found == 0), "%zu findings, but strict reading says %d", found, strictly);
    assay_changes_free(c);
    assay_changes_free(again);
    return 0;
}
