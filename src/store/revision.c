/* Revisions; see revision.h. In a damaged store the parents of a report may lead back to it: whoever follows them remembers which ones were seen. */
#include "store/revision.h"

#include <stdio.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/vec.h"

/* ---- the text alone ---- */

/* The digits after ^ or ~; 1 when there are none. What does not fit is as good as the largest. */
static uint64_t take_number(assay_slice *rest)
{
    size_t len = 0;
    uint64_t n = 1;
    while (len < rest->len && rest->data[len] >= '0' && rest->data[len] <= '9') len++;
    if (len) number_u64((assay_slice){ rest->data, len }, &n);
    rest->data += len;
    rest->len -= len;
    return n;
}

static struct revision parse_one(assay_slice text)
{
    size_t len = 0;
    while (len < text.len && text.data[len] != '^' && text.data[len] != '~') len++;
    struct revision r = { .name = { text.data, len } };
    assay_slice rest = { text.data + len, text.len - len };
    while (rest.len) {
        char sign = *rest.data++;
        rest.len--;
        if (sign != '^' && sign != '~') r.is_nothing = true;
        uint64_t n = take_number(&rest);
        if (sign == '^' && n > 1) r.is_nothing = true;
        if (__builtin_add_overflow(r.up, n, &r.up)) r.up = UINT64_MAX;
    }
    return r;
}

int revision_parse(assay_slice text, bool paths, struct revision_text *out, assay_error *err)
{
    const char *colon = paths && text.len ? memchr(text.data, ':', text.len) : NULL;
    *out = (struct revision_text){ .has_path = colon != NULL };
    if (colon) {
        out->path = slice_from(colon + 1, text.data + text.len);
        text = slice_from(text.data, colon);
    }
    const char *dots = text.len ? memmem(text.data, text.len, "..", 2) : NULL;
    if (!dots) {
        out->to = parse_one(text);
        return 0;
    }
    assay_slice left = slice_from(text.data, dots), right = slice_from(dots + 2, text.data + text.len);
    if (right.len && right.data[0] == '.') FAIL(err, ASSAY_ERR_USAGE, "'...' is not supported here; a range is A..B");
    if (slice_contains(right, "..")) FAIL(err, ASSAY_ERR_USAGE, "a range has two ends: A..B");
    if (!left.len && !right.len) FAIL(err, ASSAY_ERR_USAGE, "'..' alone is not a range; name at least one side");
    out->is_range = true;
    out->from = parse_one(left);
    out->to = parse_one(right);
    return 0;
}

/* ---- names ---- */

int revision_find_ref(struct store *s, assay_slice name, char *full, struct ref_value *out, assay_error *err)
{
    static const char *const places[] = { "", "refs/", "refs/tags/", "refs/heads/" };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t head = strlen(places[i]);
        if (head + name.len >= REFS_NAME_MAX || memchr(name.data, 0, name.len)) continue;
        memcpy(full, places[i], head);
        memcpy(full + head, name.data, name.len);
        full[head + name.len] = '\0';
        if (!refs_name_ok(slice_of(full))) continue;
        TRY(refs_read(s, full, out, err));
        if (out->kind != REF_NONE) return 0;
    }
    FAIL(err, ASSAY_ERR_UNKNOWN, "there is no report, branch or tag '%.*s'", (int)(name.len < 200 ? name.len : 200), name.data);
}

static int find_name(struct store *s, assay_slice name, assay_store_id *out, assay_error *err)
{
    char full[REFS_NAME_MAX], last[REFS_NAME_MAX];
    struct ref_value value;
    if (!name.len) name = SLICE("HEAD");
    int rc = revision_find_ref(s, name, full, &value, err);
    if (rc == ASSAY_ERR_UNKNOWN) {
        int by_id = store_resolve(s, name, out, err);
        if (by_id != ASSAY_ERR_UNKNOWN) return by_id;
        FAIL(err, ASSAY_ERR_UNKNOWN, "there is no report, branch or tag '%.*s'", (int)(name.len < 200 ? name.len : 200), name.data);
    }
    TRY(rc);
    TRY(refs_follow(s, full, &value, last, err));
    if (value.kind != REF_ID) FAIL(err, ASSAY_ERR_UNKNOWN, "%s stands for %s, which has no report yet", full, last);
    *out = value.id;
    return 0;
}

static int parent_of(struct store *s, const assay_store_id *id, assay_store_id *out, assay_error *err)
{
    SCOPED(store_object_done) struct store_object o;
    TRY(store_read(s, id, COV_REPORT, &o, err));
    *out = o.o.report.parent;
    return 0;
}

int revision_find(struct store *s, const struct revision *r, assay_store_id *out, assay_error *err)
{
    bool is_new = true;
    TRY(find_name(s, r->name, out, err));
    if (r->is_nothing) FAIL(err, ASSAY_ERR_UNKNOWN, "a report has one parent at most");
    SCOPED(revision_seen_done) struct revision_seen seen;
    revision_seen_init(&seen, store_mem(s));
    for (uint64_t i = 0; i < r->up && !cov_id_is_zero(out); i++) {
        TRY(cancel_step(i, err));
        TRY(revision_seen_add(&seen, out, &is_new, err));
        if (!is_new) FAIL(err, ASSAY_ERR_DAMAGED, "the parents of this report form a cycle");
        TRY(parent_of(s, out, out, err));
    }
    return 0;
}

/* ---- ranges ---- */

void revision_seen_init(struct revision_seen *seen, struct mem *mem) { *seen = (struct revision_seen){ .mem = mem }; }

void revision_seen_done(struct revision_seen *seen)
{
    vec_done(seen->mem, seen);
    mem_free(seen->mem, seen->slot, seen->slot ? (seen->mask + 1) * sizeof *seen->slot : 0);
    seen->slot = NULL;
}

static size_t slot_of(const struct revision_seen *seen, const assay_store_id *id)
{
    uint32_t hash;
    memcpy(&hash, id->bytes, sizeof hash);
    size_t at = hash & seen->mask;
    while (seen->slot[at] && cov_id_compare(&seen->at[seen->slot[at] - 1], id) != 0) at = (at + 1) & seen->mask;
    return at;
}

bool revision_seen_has(const struct revision_seen *seen, const assay_store_id *id) { return seen->slot && seen->slot[slot_of(seen, id)] != 0; }

static bool grow(struct revision_seen *seen)
{
    size_t old = seen->slot ? seen->mask + 1 : 0, size = old ? old * 2 : 64;
    uint32_t *slot = mem_zalloc(seen->mem, size, sizeof *slot);
    if (!slot) return false;
    mem_free(seen->mem, seen->slot, old * sizeof *slot);
    seen->slot = slot;
    seen->mask = size - 1;
    for (size_t i = 0; i < seen->len; i++) slot[slot_of(seen, &seen->at[i])] = (uint32_t)(i + 1);
    return true;
}

int revision_seen_add(struct revision_seen *seen, const assay_store_id *id, bool *is_new, assay_error *err)
{
    if ((!seen->slot || seen->len * 2 > seen->mask) && !grow(seen)) return error_memory(err);
    size_t at = slot_of(seen, id);
    *is_new = seen->slot[at] == 0;
    if (!*is_new) return 0;
    assay_store_id *row = vec_push(seen->mem, seen);
    if (!row) return error_memory(err);
    *row = *id;
    seen->slot[at] = (uint32_t)seen->len;
    return 0;
}

/* All reports from `id` on. A chain that cannot be read further ends there: that is for fsck to say. */
static int mark_chain(struct store *s, assay_store_id id, struct revision_seen *seen, assay_error *err)
{
    for (bool is_new = true; is_new && !cov_id_is_zero(&id);) {
        TRY(revision_seen_add(seen, &id, &is_new, err));
        if (is_new) TRY(parent_of(s, &id, &id, err));
    }
    return 0;
}

int revision_base(struct store *s, const assay_store_id *a, const assay_store_id *b, assay_store_id *out, assay_error *err)
{
    SCOPED(revision_seen_done) struct revision_seen first, second;
    assay_store_id id = *b;
    revision_seen_init(&first, store_mem(s));
    revision_seen_init(&second, store_mem(s));
    TRY(mark_chain(s, *a, &first, err));
    for (bool is_new = true; !cov_id_is_zero(&id) && !revision_seen_has(&first, &id);) {
        TRY(revision_seen_add(&second, &id, &is_new, err));
        if (is_new)
            TRY(parent_of(s, &id, &id, err));
        else
            memset(&id, 0, sizeof id);
    }
    *out = id;
    return 0;
}

/* ---- ranges ---- */

int revision_range(struct store *s, const char *typed, bool paths, struct revision_range *out, assay_error *err)
{
    *out = (struct revision_range){ 0 };
    TRY(revision_parse(slice_of(typed), paths, &out->text, err));
    TRY(revision_find(s, &out->text.to, &out->to, err));
    if (!out->text.is_range) return 0;
    TRY(revision_find(s, &out->text.from, &out->from, err));
    if (cov_id_is_zero(&out->from) || cov_id_is_zero(&out->to)) return 0;
    return revision_base(s, &out->from, &out->to, &out->from, err);
}
