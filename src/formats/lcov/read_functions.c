/* FN and FNDA: a function is (file, name, line), but FNDA only has a name. Within a record as many FNDA as there are lines of a name go to
 * them in order; otherwise all go to the first. A name that the record does not define may stand in an earlier record of the file; else
 * the function has no line. */
#include "formats/lcov/read.h"

#include "base/cancel.h"

void lcov_pairing_init(struct lcov_pairing *p, assay_builder *b, struct mem *mem)
{
    memset(p, 0, sizeof *p);
    p->b = b;
    p->mem = mem;
    index_init(&p->known_index, mem);
}

void lcov_pairing_done(struct lcov_pairing *p)
{
    vec_done(p->mem, &p->defs, &p->calls, &p->names, &p->defined_in, &p->known);
    index_done(&p->known_index);
}

/* The chains of a name; NULL = no memory. */
static struct lcov_name *name_of(struct lcov_pairing *p, uint32_t id)
{
    if (id >= p->names.len) {
        size_t more = (size_t)id + 1 - p->names.len;
        if (!vec_reserve(p->mem, &p->names, more)) return NULL;
        memset(p->names.at + p->names.len, 0, more * sizeof *p->names.at);
        p->names.len = (size_t)id + 1;
    }
    return &p->names.at[id];
}

static assay_func_id function(struct lcov_pairing *p, uint32_t name, uint32_t line)
{
    return assay_build_func(p->b, (assay_str_id){ name }, p->file, (assay_module_id){ 0 }, 0, line);
}

static void book(struct lcov_pairing *p, assay_func_id f, uint64_t count)
{
    assay_build_coverage_func(p->b, &(struct assay_coverage_func){ .test = p->test, .func = f, .calls = count });
}

/* Where the number of the last record that defines a function is kept; NULL = no memory. */
static uint32_t *stamp_of(struct lcov_pairing *p, assay_func_id f)
{
    if (f.v >= p->defined_in.len) {
        size_t more = (size_t)f.v + 1 - p->defined_in.len;
        if (!vec_reserve(p->mem, &p->defined_in, more)) return NULL;
        memset(p->defined_in.at + p->defined_in.len, 0, more * sizeof *p->defined_in.at);
        p->defined_in.len = (size_t)f.v + 1;
    }
    return &p->defined_in.at[f.v];
}

static bool remember(struct lcov_pairing *p, uint32_t name, assay_func_id f)
{
    struct lcov_known *k = vec_push(p->mem, &p->known);
    if (k) *k = (struct lcov_known){ .file = p->file.v, .name = name, .func = f };
    return k != NULL;
}

static void chain_definition(struct lcov_pairing *p, struct lcov_name *n, uint32_t at)
{
    if (n->last_def)
        p->defs.at[n->last_def - 1].next = at;
    else
        n->first_def = at;
    n->last_def = at;
    n->defs++;
}

bool lcov_pairing_define(struct lcov_pairing *p, assay_str_id name, uint32_t line, uint32_t end_line)
{
    assay_func_id f = function(p, name.v, line);
    struct lcov_name *n = name_of(p, name.v);
    uint32_t *stamp = n ? stamp_of(p, f) : NULL;
    if (!stamp) return false;
    if (end_line) assay_build_func_lines(p->b, f, line, end_line);
    if (*stamp == p->record) return true;
    if (!*stamp && !remember(p, name.v, f)) return false;
    struct lcov_definition *def = vec_push(p->mem, &p->defs);
    if (!def) return false;
    *def = (struct lcov_definition){ name.v, f, 0 };
    *stamp = p->record;
    chain_definition(p, n, (uint32_t)p->defs.len);
    return true;
}

bool lcov_pairing_call(struct lcov_pairing *p, assay_str_id name, uint64_t count)
{
    struct lcov_name *n = name_of(p, name.v);
    struct lcov_calls *c = n ? vec_push(p->mem, &p->calls) : NULL;
    if (!c) return false;
    *c = (struct lcov_calls){ count, name.v, 0 };
    uint32_t at = (uint32_t)p->calls.len;
    if (n->last_calls)
        p->calls.at[n->last_calls - 1].next = at;
    else
        n->first_calls = at;
    n->last_calls = at;
    n->calls++;
    return true;
}

/* ---- the end of a record ---- */

static struct lcov_known *find_known(struct lcov_pairing *p, uint32_t file, uint32_t name)
{
    for (struct index_walk w = index_walk(&p->known_index, hash_mix(file, name)); index_next(&p->known_index, &w);) {
        struct lcov_known *k = &p->known.at[w.id - 1];
        if (k->file == file && k->name == name) return k;
    }
    return NULL;
}

static bool index_known(struct lcov_pairing *p)
{
    for (; p->known_indexed < p->known.len; p->known_indexed++) {
        uint32_t at = (uint32_t)p->known_indexed + 1;
        struct lcov_known *k = &p->known.at[at - 1], *head = find_known(p, k->file, k->name);
        if (head) {
            p->known.at[head->last - 1].next = at;
        } else {
            head = k;
            if (!index_add(&p->known_index, hash_mix(k->file, k->name), at)) return false;
        }
        head->last = at;
        head->count++;
    }
    return true;
}

/* Calls of a name that the record does not define. */
static bool book_undefined(struct lcov_pairing *p, const struct lcov_name *n, uint32_t name)
{
    if (!index_known(p)) return false;
    const struct lcov_known *k = find_known(p, p->file.v, name);
    bool in_order = k && k->count == n->calls;
    assay_func_id none = k ? (assay_func_id){ 0 } : function(p, name, 0);
    if (!k && !remember(p, name, none)) return false;
    for (uint32_t i = n->first_calls; i; i = p->calls.at[i - 1].next) {
        book(p, k ? k->func : none, p->calls.at[i - 1].count);
        if (in_order && k->next) k = &p->known.at[k->next - 1];
    }
    return true;
}

/* A row for each definition: with its calls where they can be told apart, else with 0. */
static void book_defined(struct lcov_pairing *p, const struct lcov_name *n)
{
    bool in_order = n->defs == n->calls;
    uint32_t call_at = n->first_calls;
    for (uint32_t i = n->first_def; i; i = p->defs.at[i - 1].next) {
        book(p, p->defs.at[i - 1].func, in_order ? p->calls.at[call_at - 1].count : 0);
        if (in_order) call_at = p->calls.at[call_at - 1].next;
    }
    for (; !in_order && call_at; call_at = p->calls.at[call_at - 1].next) book(p, p->defs.at[n->first_def - 1].func, p->calls.at[call_at - 1].count);
}

bool lcov_pairing_end(struct lcov_pairing *p)
{
    bool done = true;
    for (uint32_t i = 1; i <= p->defs.len; i++) {
        const struct lcov_name *n = &p->names.at[p->defs.at[i - 1].name];
        if (n->first_def == i) book_defined(p, n);
    }
    for (uint32_t i = 1; done && i <= p->calls.len && (done = !cancel_at(i)); i++) {
        uint32_t name = p->calls.at[i - 1].name;
        const struct lcov_name *n = &p->names.at[name];
        if (n->first_calls == i && !n->defs) done = book_undefined(p, n, name);
    }
    for (size_t i = 0; i < p->defs.len; i++) p->names.at[p->defs.at[i].name] = (struct lcov_name){ 0 };
    for (size_t i = 0; i < p->calls.len; i++) p->names.at[p->calls.at[i].name] = (struct lcov_name){ 0 };
    p->defs.len = p->calls.len = 0;
    return done;
}
