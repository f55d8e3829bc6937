/* Pieces decoded apart, and how they become part of the whole again; see apart.h. */
#include "formats/callgrind/apart.h"

#include <string.h>

/* ---- where pieces begin ---- */

static const char *next_line(const char *p, const char *end)
{
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    return nl ? nl + 1 : end;
}

static bool is_name(const char *p, const char *end, const char *word) { return end - p >= 3 && memcmp(p, word, 3) == 0; }

/* Whether the line has two numbers that do not depend on the line before: its position and a cost, or both numbers of its position. */
static bool is_absolute(const char *p, const char *end)
{
    if (p == end || *p < '0' || *p > '9') return false;
    const char *blank = memchr(p, ' ', (size_t)(next_line(p, end) - p));
    return blank && end - blank >= 2 && blank[1] >= '0' && blank[1] <= '9';
}

/* Whether what follows an empty line names a function, and a cost line comes next. */
static bool begins_piece(const char *p, const char *end)
{
    while (is_name(p, end, "ob=") || is_name(p, end, "fl=")) p = next_line(p, end);
    return is_name(p, end, "fn=") && is_absolute(next_line(p, end), end);
}

static size_t cut(void *arg, assay_slice text)
{
    const char *end = text.data + text.len, *p = end;
    (void)arg;
    while (p - text.data > 1 && (p = memrchr(text.data, '\n', (size_t)(p - text.data))))
        if (p > text.data && p[-1] == '\n' && begins_piece(p + 1, end)) return (size_t)(p + 1 - text.data);
    return 0;
}

/* ---- decoding ---- */

static struct cg_head head_of(const struct cg_aparts *a)
{
    const struct cg_decoder *d = a->d;
    return (struct cg_head){ .part = d->part,
                             .event_count = d->event_count,
                             .is_xdebug = d->is_xdebug,
                             .has_address = d->has_address,
                             .has_line = d->has_line,
                             .is_summed = a->sums && a->sums->is_on,
                             .wants_edges = a->sums && a->sums->wants_edges };
}

static bool same_head(const struct cg_head *a, const struct cg_head *b)
{
    return a->part == b->part && a->event_count == b->event_count && a->is_xdebug == b->is_xdebug && a->has_address == b->has_address &&
           a->has_line == b->has_line && a->is_summed == b->is_summed && a->wants_edges == b->wants_edges;
}

static void close_piece(struct cg_apart *p)
{
    if (!p->is_open) return;
    cg_done(&p->d);
    cg_seen_done(&p->seen);
    cg_sums_clear(&p->sums);
    findings_done(&p->damage);
    p->is_open = false;
}

/* The state at the beginning of a piece. */
static bool open_piece(struct cg_aparts *a, struct cg_apart *p, assay_slice text)
{
    struct cg_decoder *d = &p->d;
    close_piece(p);
    p->items.len = p->costs.len = p->stand_ins.len = p->definitions.len = p->named.len = 0;
    findings_init(&p->damage, p->mem);
    cg_seen_init(&p->seen, p->mem);
    cg_init(d, NULL, p->mem, &p->damage, &p->err);
    p->is_open = true;
    d->at = d->begin = text.data;
    d->end = text.data + text.len;
    d->at_eof = true;
    d->apart = p;
    d->mask = CG_PART | CG_HEADER | CG_CALLS | CG_JUMP | CG_COST | (a->wants_names ? CG_NAME : 0);
    p->sums.is_on = p->head.is_summed;
    p->sums.wants_edges = p->head.wants_edges || p->head.is_summed;
    d->joins_costs = a->d->joins_costs;
    d->seen = a->d->seen ? &p->seen : NULL;
    d->part = p->head.part;
    d->event_count = p->head.event_count;
    d->is_xdebug = p->head.is_xdebug;
    d->has_address = p->head.has_address;
    d->has_line = p->head.has_line;
    d->part_has_events = d->had_events = d->part_announced = true;
    d->after_blank = d->has_fl = true;
    d->ob = cg_apart_name(d, CG_FORCE_OB, 0);
    d->fl = d->file = d->ob ? cg_apart_name(d, CG_FORCE_FL, 0) : 0;
    return d->fl != 0;
}

/* The name begins with a NUL, as no name does that is not damage. */
uint32_t cg_apart_name(struct cg_decoder *d, unsigned table, uint64_t id)
{
    struct cg_apart *p = d->apart;
    char text[2 + sizeof id] = { 0, (char)table };
    memcpy(text + 2, &id, sizeof id);
    uint32_t handle = intern_put(d->names, (assay_slice){ text, sizeof text });
    struct cg_stand_in *s = handle ? vec_push(p->mem, &p->stand_ins) : NULL;
    if (!s) return 0;
    *s = (struct cg_stand_in){ id, handle, table };
    return table >= CG_FORCE_OB || cg_id_put(p->mem, &d->ids[table], id, handle) ? handle : 0;
}

bool cg_apart_defines(struct cg_decoder *d, unsigned table, uint64_t id, uint32_t name, bool is_new)
{
    struct cg_apart *p = d->apart;
    struct cg_definition *to = is_new ? vec_push(p->mem, &p->definitions) : NULL;
    if (to) *to = (struct cg_definition){ id, name, table };
    return to != NULL;
}

/* What goes along with an item. */
static bool note_item(struct cg_apart *p, const struct cg_record *r)
{
    if (p->sums.is_on && (cg_has_negative(r->costs, r->cost_count) || !cg_sums_use(&p->sums, CG_USE_ITEM, (uint32_t)p->items.len, 0))) return false;
    return r->role != CG_CALL || !p->sums.wants_edges || cg_edges_add(&p->sums.edges, r->func, r->callee, p->d.funcs.len);
}

static bool put_item(struct cg_apart *p, const struct cg_record *r)
{
    if (r->role == CG_JUMP_FROM || (r->role == CG_CALL && !r->calls) || !vec_reserve(p->mem, &p->costs, r->cost_count) || !note_item(p, r)) return false;
    struct cg_item *item = vec_push(p->mem, &p->items);
    if (!item) return false;
    *item = (struct cg_item){ .costs = p->costs.len,
                              .func = r->func,
                              .file = r->file,
                              .line = r->at.line,
                              .address = r->at.address,
                              .cost_lines = r->cost_lines,
                              .block = (uint32_t)p->d.block,
                              .cost_count = r->cost_count,
                              .is_call = r->role == CG_CALL };
    if (item->is_call) {
        item->calls = r->calls;
        item->callee = r->callee;
    }
    if (r->cost_count) memcpy(p->costs.at + p->costs.len, r->costs, r->cost_count * sizeof *r->costs);
    p->costs.len += r->cost_count;
    return true;
}

static bool put_name(struct cg_apart *p, const struct cg_record *r)
{
    if (r->spec != CG_FN && r->spec != CG_CFN) return true;
    uint32_t *to = vec_push(p->mem, &p->named);
    if (to) *to = r->name;
    return to != NULL;
}

static bool make(void *arg, unsigned slot, assay_slice text)
{
    struct cg_aparts *a = arg;
    struct cg_apart *p = a->slots[slot];
    struct cg_record r;
    if (!open_piece(a, p, text)) return false;
    for (;;) {
        if (p->sums.is_on && cg_sum_lines(&p->d, &p->sums) != 0) return false;
        if (cg_next(&p->d, &r) != 0 || p->damage.list.len || p->damage.failed) return false;
        if (r.kind == CG_END) return !p->d.jfn && !p->d.jfile && cg_sums_settle(&p->sums);
        if (r.kind == CG_NAME) {
            if (!put_name(p, &r)) return false;
        } else if (r.kind != CG_CALLS && (r.kind != CG_COST || !put_item(p, &r)))
            return false;
    }
}

/* ---- taking ---- */

/* Whether what the piece took for granted is so. */
static bool fits(const struct cg_aparts *a, const struct cg_apart *p)
{
    const struct cg_decoder *d = a->d;
    struct cg_head head = head_of(a);
    if (!same_head(&head, &p->head) || a->is_unfit || d->pending != CG_SELF || !d->has_fl) return false;
    if (d->has_cob || d->has_cfile || d->jfn || d->jfile) return false;
    for (size_t i = 0; i < p->stand_ins.len; i++) {
        const struct cg_stand_in *s = &p->stand_ins.at[i];
        if (s->table < CG_FORCE_OB && !cg_id_find(&d->ids[s->table], s->id)) return false;
    }
    for (size_t i = 0; i < p->definitions.len; i++)
        if (cg_id_find(&d->ids[p->definitions.at[i].table], p->definitions.at[i].id)) return false;
    return true;
}

static bool zeros(struct cg_apart *p, size_t names, size_t funcs)
{
    p->names.len = p->funcs.len = 0;
    if (!vec_reserve(p->mem, &p->names, names) || !vec_reserve(p->mem, &p->funcs, funcs + 1)) return false;
    memset(p->names.at, 0, names * sizeof *p->names.at);
    memset(p->funcs.at, 0, (funcs + 1) * sizeof *p->funcs.at);
    p->names.len = names;
    p->funcs.len = funcs;
    return true;
}

/* Gives names their meaning, and ids what the piece says of them. false = no memory */
static bool resolve(struct cg_decoder *d, struct cg_apart *p)
{
    uint32_t count = intern_count(p->d.names) + 1;
    if (!zeros(p, count, p->d.funcs.len)) return false;
    for (size_t i = 0; i < p->stand_ins.len; i++) {
        const struct cg_stand_in *s = &p->stand_ins.at[i];
        p->names.at[s->handle] = s->table == CG_FORCE_OB ? d->ob : s->table == CG_FORCE_FL ? d->fl : cg_id_find(&d->ids[s->table], s->id);
    }
    for (uint32_t i = 1; i < count; i++) {
        assay_slice name = cg_string(&p->d, i);
        if (name.data[0] && !(p->names.at[i] = intern_put(d->names, name))) return false;
    }
    for (size_t i = 0; i < p->definitions.len; i++) {
        const struct cg_definition *n = &p->definitions.at[i];
        if (!cg_id_put(d->mem, &d->ids[n->table], n->id, p->names.at[n->handle])) return false;
    }
    return true;
}

uint32_t cg_apart_func(struct cg_aparts *a, struct cg_apart *p, uint32_t func)
{
    struct cg_decoder *d = a->d;
    const struct cg_func *f = &p->d.funcs.at[func];
    uint32_t *to = &p->funcs.at[func];
    if (!*to) *to = cg_func_of(d, p->names.at[f->object], p->names.at[f->file], p->names.at[f->name]);
    return *to;
}

/* Functions get their numbers in the order of the text, as they would when it was read. false = no memory */
static bool number_funcs(struct cg_aparts *a, struct cg_apart *p)
{
    for (size_t i = 0; i < p->sums.uses.len; i++) {
        const struct cg_use *use = &p->sums.uses.at[i];
        if (use->kind == CG_USE_FUNC && !cg_apart_func(a, p, use->id)) return false;
        if (use->kind != CG_USE_ITEM) continue;
        const struct cg_item *item = &p->items.at[use->id];
        if (!cg_apart_func(a, p, item->func) || (item->is_call && !cg_apart_func(a, p, item->callee))) return false;
    }
    return true;
}

/* Whether a function calls itself by another name than the piece has for it: an object in force may be one that the call names by its id. The sums took that for two
 * functions. */
static bool hides_recursion(const struct cg_apart *p)
{
    const struct cg_edges *e = &p->sums.edges;
    for (size_t run = 0; run < e->runs.len; run++) {
        uint32_t caller = e->runs.at[run].caller, func = p->funcs.at[caller];
        for (size_t i = e->runs.at[run].begin; i < cg_run_end(e, run); i++)
            if (p->funcs.at[e->callees.at[i]] == func && e->callees.at[i] != caller) return true;
    }
    return false;
}

struct cg_apart *cg_apart_take(struct cg_aparts *a)
{
    struct cg_decoder *d = a->d;
    struct cg_apart *p = a->slots[d->slot];
    bool is_fit = fits(a, p), is_summed = p->sums.is_on;
    d->slot = -1;
    p->first_block = d->block;
    if (is_fit && (!resolve(d, p) || (is_summed && !number_funcs(a, p)))) {
        d->failed = error_memory(d->err);
        return NULL;
    }
    if (is_fit && !(is_summed && hides_recursion(p))) return p;
    ahead_refuse(a->ahead);
    return NULL;
}

bool cg_apart_record(struct cg_aparts *a, struct cg_apart *p, size_t i, struct cg_record *out)
{
    const struct cg_item *item = &p->items.at[i];
    out->kind = CG_COST;
    out->role = item->is_call ? CG_CALL : CG_SELF;
    out->func = cg_apart_func(a, p, item->func);
    out->file = p->names.at[item->file];
    out->at = (struct cg_position){ item->address, item->line };
    out->calls = item->calls;
    out->callee = item->is_call ? cg_apart_func(a, p, item->callee) : 0;
    out->costs = p->costs.at + item->costs;
    out->cost_count = item->cost_count;
    out->cost_lines = item->cost_lines;
    a->d->block = p->first_block + item->block;
    return out->func && (!item->is_call || out->callee);
}

bool cg_apart_end(struct cg_aparts *a, struct cg_apart *p)
{
    struct cg_decoder *d = a->d;
    const struct cg_decoder *from = &p->d;
    const uint32_t *names = p->names.at;
    d->at = d->end;
    d->line += from->line;
    d->block = p->first_block + from->block;
    d->ob = names[from->ob];
    d->fl = names[from->fl];
    d->file = names[from->file];
    d->fn = names[from->fn];
    d->func = 0;
    d->has_fn = true;
    d->has_cob = from->has_cob;
    d->has_cfile = from->has_cfile;
    if (from->has_cob) d->cob = names[from->cob];
    if (from->has_cfile) d->cfile = names[from->cfile];
    if (from->has_cfn) d->cfn = names[from->cfn];
    d->has_cfn |= from->has_cfn;
    d->base = from->base;
    d->after_blank = from->after_blank;
    return !d->seen || cg_seen_add(d->seen, &p->seen, names);
}

/* ---- life ---- */

static bool begin(void *arg, unsigned slot)
{
    struct cg_aparts *a = arg;
    if (!a->d->part_has_events || a->d->has_bare_calls || a->is_unfit) return false;
    if (!a->slots[slot] && !(a->slots[slot] = mem_zalloc(&a->mem, 1, sizeof **a->slots))) return false;
    struct cg_apart *p = a->slots[slot];
    if (!p->mem) cg_sums_init(&p->sums, &a->mem);
    p->mem = &a->mem;
    p->head = head_of(a);
    return true;
}

int cg_aparts_open(struct cg_aparts *a, struct cg_decoder *d, const struct read_job *job, assay_error *err)
{
    a->d = d;
    if (job->options->threads < 2) return 0;
    mem_init(&a->mem, 0);
    const struct ahead_maker maker = { .arg = a, .cut = cut, .begin = begin, .make = make };
    TRY(ahead_open(&a->ahead, job->in, job->mem, job->options->threads, &maker, err));
    d->ahead = a->ahead;
    return 0;
}

void cg_aparts_close(struct cg_aparts *a)
{
    ahead_close(a->ahead);
    for (unsigned i = 0; i < AHEAD_SLOTS; i++) {
        struct cg_apart *p = a->slots[i];
        if (!p) continue;
        close_piece(p);
        cg_sums_done(&p->sums);
        vec_done(&a->mem, &p->items, &p->costs, &p->stand_ins, &p->definitions, &p->named, &p->names, &p->funcs);
        mem_free(&a->mem, p, sizeof *p);
    }
}
