/* How many files, subs and call sites are left when string evals are merged as Devel::NYTProf does it when it loads a file; its own rules,
 * with what they get wrong, are in docs/formats/nytprof.md. Nothing is merged here: the figures of the profile are those of each eval. */
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/nytprof/read.h"

enum { MAX_SIBLINGS = 200 }; /* more kinds of siblings than this are merged whatever they are */

/* ---- anonymous subs ---- */

/* "(eval 12)" and "(re_eval 12)" become "(eval 0)" and "(re_eval 0)"; `out` has room for all of it. */
static size_t without_numbers(assay_slice name, char *out)
{
    size_t len = 0;
    for (size_t i = 0; i < name.len;) {
        assay_slice rest = { name.data + i, name.len - i };
        size_t word = slice_starts(rest, "(eval ") ? 6 : slice_starts(rest, "(re_eval ") ? 9 : 0, digits = word;
        while (word && digits < rest.len && rest.data[digits] >= '0' && rest.data[digits] <= '9') digits++;
        if (word && digits > word && digits < rest.len && rest.data[digits] == ')') {
            memcpy(out + len, rest.data, word);
            out[len + word] = '0';
            len += word + 1;
            i += digits;
        } else
            out[len++] = name.data[i++];
    }
    return len;
}

bool nytprof_know_anon(struct nytprof_reader *r, struct nytprof_sub_row *s, assay_slice name)
{
    if (!slice_contains(name, "eval ") || !slice_contains(name, "__ANON__")) return true;
    char *text = mem_alloc(r->mem, name.len);
    if (!text) return false;
    mem_scoped(r->mem, text, name.len);
    s->anon_name = intern_put(&r->anons, name);
    s->anon_key = intern_put(&r->anons, (assay_slice){ text, without_numbers(name, text) });
    return s->anon_name && s->anon_key;
}

/* ---- files ---- */

static int by_siblings(const void *a, const void *b)
{
    const struct nytprof_fid *x = *(const struct nytprof_fid *const *)a, *y = *(const struct nytprof_fid *const *)b;
    ORDER_BY(x->eval_fid, y->eval_fid);
    ORDER_BY(x->eval_line, y->eval_line);
    ORDER_BY(x->source_lines, y->source_lines);
    ORDER_BY(x->source_len, y->source_len);
    ORDER_BY(x->source_sum, y->source_sum);
    if (!x->source_lines && x->has_evals != y->has_evals) return ORDER(x->has_evals, y->has_evals);
    if (!x->source_lines && x->has_subs != y->has_subs) return ORDER(x->has_subs, y->has_subs);
    return 0;
}

static int by_siblings_then_fid(const void *a, const void *b)
{
    const struct nytprof_fid *x = *(const struct nytprof_fid *const *)a, *y = *(const struct nytprof_fid *const *)b;
    int c = by_siblings(a, b);
    return c ? c : ORDER(x->fid, y->fid);
}

static void merge_files(const struct nytprof_reader *r, struct nytprof_fid **list, size_t count)
{
    struct nytprof_fid *least = list[0];
    for (size_t i = 1; i < count; i++)
        if (list[i]->fid < least->fid) least = list[i];
    for (size_t i = 0; i < count; i++)
        if (list[i] != least) list[i]->survivor = (uint32_t)(least - r->fids.at) + 1;
}

/* Siblings are evals of one line; those of one key stand together. */
static void merge_siblings(const struct nytprof_reader *r, struct nytprof_fid **list, size_t count)
{
    size_t keys = 0;
    for (size_t i = 0; i < count; i++) keys += i == 0 || by_siblings(&list[i - 1], &list[i]) != 0;
    if (keys > MAX_SIBLINGS) {
        merge_files(r, list, count);
        return;
    }
    for (size_t i = 0, end; i < count; i = end) {
        bool has_evals = false;
        for (end = i; end < count && by_siblings(&list[i], &list[end]) == 0; end++) has_evals |= list[end]->has_evals;
        if (!has_evals && end - i > 1) merge_files(r, list + i, end - i);
    }
}

static int collapse_files(struct nytprof_reader *r, uint64_t *left, assay_error *err)
{
    size_t count = 0, defined = 0;
    SCRATCH(struct nytprof_fid *, list, r->mem, r->fids.len);
    if (!list) return error_memory(err);
    for (size_t i = 0; i < r->fids.len; i++) {
        struct nytprof_fid *f = &r->fids.at[i];
        defined += f->is_defined;
        if (f->is_defined && f->eval_fid && f->eval_fid != f->fid) list[count++] = f;
    }
    sort_by(list, count, sizeof(struct nytprof_fid *), by_siblings_then_fid);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && list[end]->eval_fid == list[i]->eval_fid && list[end]->eval_line == list[i]->eval_line;) end++;
        if (end - i > 1) merge_siblings(r, list + i, end - i);
    }
    *left = defined;
    for (size_t i = 0; i < count; i++) *left -= list[i]->survivor != 0;
    return 0;
}

static uint32_t survivor_of(const struct nytprof_reader *r, uint32_t fid)
{
    const struct nytprof_fid *f = nytprof_fid_find(r, fid);
    return f && f->survivor ? r->fids.at[f->survivor - 1].fid : fid;
}

/* ---- subs ---- */

struct anon {
    uint32_t fid, sub;
    uint32_t key, name;
    const struct intern *names;
};

static int by_key(const void *a, const void *b)
{
    const struct anon *x = a, *y = b;
    ORDER_BY(x->fid, y->fid);
    ORDER_BY(x->key, y->key);
    return slice_compare(intern_get(x->names, x->name), intern_get(y->names, y->name));
}

/* Anonymous subs that differ in the number of their eval become one where evals were merged. */
static int collapse_subs(struct nytprof_reader *r, uint64_t *merged, assay_error *err)
{
    size_t room = r->subs.len, count = 0;
    SCRATCH(struct anon, list, r->mem, room);
    if (!list) return error_memory(err);
    for (uint32_t i = 1; i < r->subs.len; i++) {
        const struct nytprof_sub_row *s = &r->subs.at[i];
        if (s->is_listed && s->anon_key && s->fid) list[count++] = (struct anon){ survivor_of(r, s->fid), i, s->anon_key, s->anon_name, &r->anons };
    }
    sort_by(list, count, sizeof *list, by_key);
    *merged = 0;
    for (size_t i = 1; i < count; i++) {
        if (list[i].fid != list[i - 1].fid || list[i].key != list[i - 1].key) continue;
        uint32_t before = r->subs.at[list[i - 1].sub].survivor;
        r->subs.at[list[i].sub].survivor = before ? before : list[i - 1].sub;
        ++*merged;
    }
    return 0;
}

/* ---- call sites ---- */

struct site {
    uint32_t callee, fid, line;
};
struct site_set {
    struct mem *mem;
    struct index index;
    VEC(struct site) sites;
};

static bool has_site(const struct site_set *s, uint32_t callee, uint32_t fid, uint32_t line)
{
    uint64_t hash = hash_mix(hash_mix(0, (uint64_t)callee << 32 | fid), line);
    for (struct index_walk w = index_walk(&s->index, hash); index_next(&s->index, &w);)
        if (s->sites.at[w.id - 1].callee == callee && s->sites.at[w.id - 1].fid == fid && s->sites.at[w.id - 1].line == line) return true;
    return false;
}

static bool add_site(struct site_set *s, uint32_t callee, uint32_t fid, uint32_t line)
{
    if (has_site(s, callee, fid, line)) return true;
    struct site *site = vec_push(s->mem, &s->sites);
    if (!site) return false;
    *site = (struct site){ callee, fid, line };
    return index_add(&s->index, hash_mix(hash_mix(0, (uint64_t)callee << 32 | fid), line), (uint32_t)s->sites.len);
}

static void sites_init(struct site_set *s, struct mem *mem)
{
    *s = (struct site_set){ .mem = mem };
    index_init(&s->index, mem);
}

static void sites_done(struct site_set *s)
{
    index_done(&s->index);
    vec_done(s->mem, &s->sites);
}

/* The original forgets the sites of a merged sub in files that do not call the one it is merged into; so does this count. */
static bool count_sites(struct nytprof_reader *r, struct site_set *all, struct site_set *files, struct site_set *left)
{
    for (size_t i = 0; i < r->arcs.len; i++) {
        const struct nytprof_arc *a = &r->arcs.at[i];
        if (!a->fid) continue;
        if (!add_site(all, a->callee, a->fid, a->line)) return false;
        if (!r->subs.at[a->callee].survivor && !add_site(files, a->callee, survivor_of(r, a->fid), 0)) return false;
    }
    for (size_t i = 0; i < r->arcs.len; i++) {
        const struct nytprof_arc *a = &r->arcs.at[i];
        uint32_t survivor = r->subs.at[a->callee].survivor, fid = a->fid ? survivor_of(r, a->fid) : 0;
        if (!fid || (survivor && !has_site(files, survivor, fid, 0))) continue;
        if (!add_site(left, survivor ? survivor : a->callee, fid, a->line)) return false;
    }
    return true;
}

int nytprof_count_collapsed(struct nytprof_reader *r, assay_error *err)
{
    uint64_t files = 0, merged = 0, functions = 0;
    SCOPED(sites_done) struct site_set all = { 0 }, calling = { 0 }, left = { 0 };
    TRY(collapse_files(r, &files, err));
    TRY(collapse_subs(r, &merged, err));
    sites_init(&all, r->mem);
    sites_init(&calling, r->mem);
    sites_init(&left, r->mem);
    if (!count_sites(r, &all, &calling, &left)) return error_memory(err);
    for (size_t i = 1; i < r->subs.len; i++) functions += r->subs.at[i].is_listed;
    assay_build_count(r->b, "call_sites", all.sites.len);
    assay_build_count(r->b, "files_after_collapse", files);
    assay_build_count(r->b, "functions_after_collapse", functions - merged);
    assay_build_count(r->b, "call_sites_after_collapse", left.sites.len);
    return 0;
}
