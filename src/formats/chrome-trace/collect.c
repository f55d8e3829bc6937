/* Records -> what is in the file; see chrome.h. Nothing is matched or nested before the end: events come in any order. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/slice.h"
#include "formats/chrome-trace/chrome.h"

/* ---- names ---- */

uint32_t chrome_name(struct chrome *c, assay_slice text) { return intern_put(&c->names, text.data ? text : SLICE("")); }

/* A number in its usual form is a number also where it stands in quotes. */
static bool plain_id(assay_slice text, int64_t *out)
{
    size_t sign = text.len && text.data[0] == '-';
    if (text.len == sign || text.len > 18 || (text.data[sign] == '0' && text.len > 1)) return false;
    int64_t v = 0;
    for (size_t i = sign; i < text.len; i++) {
        if (!is_digit(text.data[i])) return false;
        v = v * 10 + (text.data[i] - '0');
    }
    *out = sign ? -v : v;
    return true;
}

bool chrome_id(struct chrome *c, assay_slice text, struct chrome_id *out)
{
    *out = (struct chrome_id){ 0, 0 };
    if (!text.data || plain_id(text, &out->number)) return true;
    out->text = chrome_name(c, text);
    return out->text != 0;
}

bool chrome_pid(struct chrome *c, const struct chrome_record *r, struct chrome_id *out)
{
    *out = (struct chrome_id){ r->pid_number, 0 };
    return r->is_pid_number || chrome_id(c, r->pid, out);
}

static bool same_func(const struct chrome_func *a, const struct chrome_func *b)
{
    return a->name == b->name && a->cat == b->cat && a->file == b->file && a->line == b->line && a->column == b->column;
}

/* Most names have one category, so the function that had the name last is tried first. */
uint32_t chrome_func(struct chrome *c, const struct chrome_func *f)
{
    while (c->func_of.len <= f->name) {
        uint32_t *slot = vec_push(c->mem, &c->func_of);
        if (!slot) return 0;
        *slot = 0;
    }
    uint32_t last = c->func_of.at[f->name];
    if (last && same_func(&c->funcs.at[last], f)) return last;
    uint64_t hash = hash_mix(hash_mix(f->name, f->cat), hash_mix((uint64_t)f->file << 32 | f->line, f->column));
    for (struct index_walk w = index_walk(&c->func_index, hash); index_next(&c->func_index, &w);)
        if (same_func(&c->funcs.at[w.id], f)) return c->func_of.at[f->name] = w.id;
    uint32_t id = (uint32_t)c->funcs.len;
    if (c->funcs.len >= UINT32_MAX || !vec_reserve(c->mem, &c->funcs, 1) || !index_add(&c->func_index, hash, id)) return 0;
    c->funcs.at[c->funcs.len++] = *f;
    return c->func_of.at[f->name] = id;
}

static uint64_t tail_of(assay_slice s)
{
    uint64_t w = 0;
    if (s.len >= 8)
        memcpy(&w, s.data + s.len - 8, 8);
    else
        for (size_t i = 0; i < s.len; i++) w = w << 8 | (unsigned char)s.data[i];
    return w;
}

static bool is_cached(const struct chrome *c, const struct chrome_cached *at, const struct chrome_record *r)
{
    if (!at->func || at->name_len != r->name.len || at->cat_len != r->cat.len || memcmp(at->name, r->name.data, r->name.len) != 0) return false;
    return !r->cat.len || memcmp(intern_get(&c->names, c->funcs.at[at->func].cat).data, r->cat.data, r->cat.len) == 0;
}

static int func_of_event(struct chrome *c, const struct chrome_record *r, uint32_t *out)
{
    struct chrome_cached *at = &c->cache[hash_mix(tail_of(r->name) + r->name.len, tail_of(r->cat)) % CHROME_CACHE], *beside = c->cache + ((at - c->cache) ^ 1);
    for (const struct chrome_cached *have = at; have; have = have == at ? beside : NULL)
        if (is_cached(c, have, r)) {
            *out = have->func;
            return 0;
        }
    struct chrome_func f = { .name = chrome_name(c, r->name), .cat = r->cat.len ? chrome_name(c, r->cat) : 0 };
    if (!f.name || (r->cat.len && !f.cat)) return error_memory(c->err);
    *out = chrome_func(c, &f);
    if (!*out) return error_memory(c->err);
    if (!r->name.len || r->name.len > UINT16_MAX || r->cat.len > UINT16_MAX) return 0;
    *(at->func ? beside : at) = (struct chrome_cached){ intern_get(&c->names, f.name).data, *out, (uint16_t)r->name.len, (uint16_t)r->cat.len };
    return 0;
}

/* ---- streams ---- */

static uint64_t hash_id(struct chrome_id id) { return hash_mix((uint64_t)id.number, id.text); }

struct chrome_stream *chrome_find_stream(const struct chrome *c, struct chrome_id pid, struct chrome_id tid)
{
    for (struct index_walk w = index_walk(&c->stream_index, hash_mix(hash_id(pid), hash_id(tid))); index_next(&c->stream_index, &w);) {
        struct chrome_stream *s = &c->streams.at[w.id - 1];
        if (chrome_same_id(s->pid, pid) && chrome_same_id(s->tid, tid)) return s;
    }
    return NULL;
}

struct chrome_process *chrome_find_process(const struct chrome *c, struct chrome_id pid)
{
    for (struct index_walk w = index_walk(&c->process_index, hash_id(pid)); index_next(&c->process_index, &w);)
        if (chrome_same_id(c->processes.at[w.id - 1].pid, pid)) return &c->processes.at[w.id - 1];
    return NULL;
}

static int process_of(struct chrome *c, struct chrome_id pid, struct chrome_process **out)
{
    *out = chrome_find_process(c, pid);
    if (*out) return 0;
    if (c->processes.len >= UINT32_MAX - 1 || !vec_reserve(c->mem, &c->processes, 1) ||
        !index_add(&c->process_index, hash_id(pid), (uint32_t)c->processes.len + 1))
        return error_memory(c->err);
    *out = &c->processes.at[c->processes.len++];
    **out = (struct chrome_process){ .pid = pid };
    return 0;
}

static int new_stream(struct chrome *c, struct chrome_id pid, struct chrome_id tid, struct chrome_stream **out)
{
    struct chrome_process *p;
    uint64_t hash = hash_mix(hash_id(pid), hash_id(tid));
    TRY(process_of(c, pid, &p));
    if (c->streams.len >= UINT32_MAX - 1 || !vec_reserve(c->mem, &c->streams, 1) || !index_add(&c->stream_index, hash, (uint32_t)c->streams.len + 1))
        return error_memory(c->err);
    *out = &c->streams.at[c->streams.len++];
    **out = (struct chrome_stream){ .pid = pid, .tid = tid };
    if (!p->stream) p->stream = (uint32_t)c->streams.len;
    return 0;
}

/* Most events are of the stream before. */
static int stream_of(struct chrome *c, const struct chrome_record *r, struct chrome_stream **out)
{
    struct chrome_id pid, tid = { r->tid_number, 0 };
    if (!chrome_pid(c, r, &pid) || (!r->is_tid_number && !chrome_id(c, r->tid, &tid))) return error_memory(c->err);
    *out = c->last_stream < c->streams.len ? &c->streams.at[c->last_stream] : NULL;
    if (*out && chrome_same_id((*out)->pid, pid) && chrome_same_id((*out)->tid, tid)) return 0;
    *out = chrome_find_stream(c, pid, tid);
    if (!*out) TRY(new_stream(c, pid, tid, out));
    c->last_stream = (uint32_t)(*out - c->streams.at);
    return 0;
}

/* process_name and thread_name; what else metadata says is about colours and order. */
static int add_metadata(struct chrome *c, const struct chrome_record *r)
{
    bool is_process = slice_is(r->name, "process_name");
    size_t at = chrome_token_find(r, 0, "name");
    if ((!is_process && !slice_is(r->name, "thread_name")) || at == r->token_count || r->tokens[at].kind != JSON_STRING) return 0;
    struct chrome_process *p;
    struct chrome_stream *s;
    struct chrome_id pid;
    uint32_t name = chrome_name(c, chrome_token_text(r, at));
    if (!name || !chrome_pid(c, r, &pid)) return error_memory(c->err);
    if (is_process) {
        TRY(process_of(c, pid, &p));
        p->name = name;
    } else {
        TRY(stream_of(c, r, &s));
        s->name = name;
    }
    return 0;
}

/* ---- spans, markers, counters ---- */

enum { LIKELY = 256 };

static int begin_span(struct chrome *c, const struct chrome_record *r, struct chrome_stream *s, struct chrome_span *span)
{
    TRY(func_of_event(c, r, &span->what));
    if (r->ph == 'B' && s->begun.len < LIKELY) {
        uint32_t *slot = vec_push(c->mem, &s->begun);
        if (!slot) return error_memory(c->err);
        *slot = span->what;
    }
    span->kind = r->ph == 'B' ? CHROME_B : CHROME_X;
    span->end = r->ph == 'X' && r->dur > 0 ? r->ts + r->dur : r->ts;
    if (span->end > CHROME_TIME_MAX) span->end = CHROME_TIME_MAX;
    if (r->dur < 0) findings_add(c->damage, "CT10", ASSAY_WARNING, r->off, r->line, "dur is negative: taken as 0");
    return chrome_label_set(c, r, &span->set);
}

/* What it closes is found out when all events are there; here only its name is, and that is mostly the name of the newest B. */
static int end_span(struct chrome *c, const struct chrome_record *r, struct chrome_stream *s, struct chrome_span *span)
{
    uint32_t likely = s->begun.len ? c->funcs.at[s->begun.at[--s->begun.len]].name : 0;
    span->kind = CHROME_E;
    if (!r->name.len) return 0;
    span->what = likely && slice_equal(intern_get(&c->names, likely), r->name) ? likely : chrome_name(c, r->name);
    return span->what ? 0 : error_memory(c->err);
}

static int add_span(struct chrome *c, const struct chrome_record *r)
{
    struct chrome_stream *s;
    struct chrome_span span = { .begin = r->ts, .end = r->ts, .off = r->off, .line = (uint32_t)r->line };
    TRY(stream_of(c, r, &s));
    TRY(r->ph == 'E' ? end_span(c, r, s, &span) : begin_span(c, r, s, &span));
    struct chrome_span *slot = s->spans.len < UINT32_MAX ? vec_push(c->mem, &s->spans) : NULL;
    if (!slot) return error_memory(c->err);
    *slot = span;
    return 0;
}

static int add_marker(struct chrome *c, const struct chrome_record *r)
{
    struct chrome_stream *s;
    if (!c->wants_rows) return 0;
    TRY(stream_of(c, r, &s));
    struct chrome_marker *m = vec_push(c->mem, &c->markers);
    if (!m) return error_memory(c->err);
    *m = (struct chrome_marker){ r->ts, c->last_stream, chrome_name(c, r->name), r->cat.len ? chrome_name(c, r->cat) : 0, 0 };
    if (!m->name || (r->cat.len && !m->cat)) return error_memory(c->err);
    return chrome_label_set(c, r, &m->set);
}

static int counter_of(struct chrome *c, const struct chrome_counter *k, uint32_t *out)
{
    uint64_t hash = hash_mix(hash_mix(hash_id(k->pid), k->name), hash_mix(k->id, k->series));
    for (struct index_walk w = index_walk(&c->counter_index, hash); index_next(&c->counter_index, &w);) {
        const struct chrome_counter *have = &c->counters.at[w.id - 1];
        *out = w.id - 1;
        if (chrome_same_id(have->pid, k->pid) && have->name == k->name && have->id == k->id && have->series == k->series) return 0;
    }
    *out = (uint32_t)c->counters.len;
    if (c->counters.len >= UINT32_MAX - 1 || !vec_reserve(c->mem, &c->counters, 1) || !index_add(&c->counter_index, hash, *out + 1))
        return error_memory(c->err);
    c->counters.at[c->counters.len++] = *k;
    return 0;
}

/* Each number in args is a series. */
static int add_counters(struct chrome *c, const struct chrome_record *r)
{
    struct chrome_counter k = { .name = chrome_name(c, r->name), .id = r->id.data ? chrome_name(c, r->id) : 0, .cat = r->cat.len ? chrome_name(c, r->cat) : 0 };
    if (!chrome_pid(c, r, &k.pid) || !k.name || (r->id.data && !k.id) || (r->cat.len && !k.cat)) return error_memory(c->err);
    for (size_t i = 1; i + 1 < r->token_count && r->tokens[i].kind == JSON_KEY; i = chrome_token_behind(r, i + 1)) {
        uint8_t kind = r->tokens[i + 1].kind;
        double value;
        if ((kind != JSON_NUMBER && kind != JSON_STRING) || number_double(chrome_token_text(r, i + 1), &value) == NUMBER_BAD) continue;
        struct chrome_reading row = { 0, r->ts, value };
        k.series = chrome_name(c, chrome_token_text(r, i));
        if (!k.series) return error_memory(c->err);
        TRY(counter_of(c, &k, &row.counter));
        struct chrome_reading *slot = c->wants_rows ? vec_push(c->mem, &c->readings) : &row;
        if (!slot) return error_memory(c->err);
        *slot = row;
    }
    return 0;
}

/* ---- async ---- */

static int async_key(struct chrome *c, const struct chrome_record *r, uint32_t name, uint32_t *out)
{
    struct chrome_async_key k = { .cat = chrome_name(c, r->cat), .id = chrome_name(c, r->id), .scope = chrome_name(c, r->scope), .name = name };
    if (!k.cat || !k.id || !k.scope || (r->is_local && !chrome_pid(c, r, &k.pid))) return error_memory(c->err);
    uint64_t hash = hash_mix(hash_mix(hash_mix(k.cat, k.id), hash_mix(k.scope, k.name)), hash_id(k.pid));
    for (struct index_walk w = index_walk(&c->async_index, hash); index_next(&c->async_index, &w);) {
        const struct chrome_async_key *have = &c->async_keys.at[w.id - 1];
        *out = w.id - 1;
        if (have->cat == k.cat && have->id == k.id && have->scope == k.scope && have->name == k.name && chrome_same_id(have->pid, k.pid)) return 0;
    }
    *out = (uint32_t)c->async_keys.len;
    if (c->async_keys.len >= UINT32_MAX - 1 || !vec_reserve(c->mem, &c->async_keys, 1) || !index_add(&c->async_index, hash, *out + 1))
        return error_memory(c->err);
    c->async_keys.at[c->async_keys.len++] = k;
    return 0;
}

/* S and F, of older traces, belong together by their id alone. */
static int add_async(struct chrome *c, const struct chrome_record *r)
{
    struct chrome_async a = { .ts = r->ts, .off = r->off, .line = r->line, .is_end = r->ph == 'e' || r->ph == 'F' };
    TRY(func_of_event(c, r, &a.func));
    TRY(async_key(c, r, r->ph == 'b' || r->ph == 'e' ? c->funcs.at[a.func].name : 0, &a.key));
    TRY(chrome_label_set(c, r, &a.set));
    struct chrome_async *slot = c->async.len < UINT32_MAX - 1 ? vec_push(c->mem, &c->async) : NULL;
    if (!slot) return error_memory(c->err);
    *slot = a;
    return 0;
}

/* ---- frames and samples ---- */

static int frame_of(struct chrome *c, assay_slice id, uint32_t *out)
{
    *out = intern_put(&c->frame_ids, id.data ? id : SLICE(""));
    if (!*out) return error_memory(c->err);
    while (c->frames.len <= *out) {
        struct chrome_frame *f = vec_push(c->mem, &c->frames);
        if (!f) return error_memory(c->err);
        *f = (struct chrome_frame){ 0 };
    }
    return 0;
}

static int add_frame(struct chrome *c, const struct chrome_record *r)
{
    uint32_t id, parent = 0, func;
    TRY(frame_of(c, r->frame, &id));
    if (r->parent.data) TRY(frame_of(c, r->parent, &parent));
    TRY(func_of_event(c, r, &func));
    c->frame_count++;
    c->frames.at[id] = (struct chrome_frame){ .func = func, .parent = parent, .off = r->off, .line = r->line };
    return 0;
}

static int add_sample(struct chrome *c, const struct chrome_record *r)
{
    struct chrome_stream *s;
    struct chrome_sample sample = { .ts = r->ts, .weight = r->weight, .off = r->off, .line = r->line };
    c->sample_count++;
    if (!r->has_ts) {
        findings_add(c->damage, "CT04", ASSAY_ERROR, r->off, r->line,
                     r->is_bad_time ? "ts is no time: the sample is left out" : "a sample without ts is left out");
        return 0;
    }
    if (r->parent.data) TRY(frame_of(c, r->parent, &sample.frame));
    TRY(stream_of(c, r, &s));
    struct chrome_sample *slot = vec_push(c->mem, &s->samples);
    if (!slot) return error_memory(c->err);
    *slot = sample;
    return 0;
}

/* ---- records ---- */

enum { UNTIMED = 1, TIMED = 2 };
static const uint8_t phases[128] = { ['B'] = TIMED,   ['E'] = TIMED,   ['X'] = TIMED,   ['i'] = TIMED,   ['I'] = TIMED,   ['R'] = TIMED,   ['C'] = TIMED,
                                     ['b'] = TIMED,   ['n'] = TIMED,   ['e'] = TIMED,   ['S'] = TIMED,   ['T'] = TIMED,   ['p'] = TIMED,   ['F'] = TIMED,
                                     ['s'] = TIMED,   ['t'] = TIMED,   ['f'] = TIMED,   ['P'] = TIMED,   ['M'] = UNTIMED, ['N'] = UNTIMED, ['O'] = UNTIMED,
                                     ['D'] = UNTIMED, ['c'] = UNTIMED, ['v'] = UNTIMED, ['V'] = UNTIMED, ['('] = UNTIMED, [')'] = UNTIMED, ['='] = UNTIMED };

static bool is_sound(struct chrome *c, const struct chrome_record *r)
{
    uint8_t phase = phases[(unsigned char)r->ph & 127];
    if (phase == UNTIMED || (phase == TIMED && r->has_ts)) return true;
    if (phase == TIMED)
        findings_add(c->damage, "CT04", ASSAY_ERROR, r->off, r->line,
                     r->is_bad_time ? "ts is no time: the event is left out" : "an event without ts is left out");
    else if (!r->ph)
        findings_add(c->damage, "CT05", ASSAY_WARNING, r->off, r->line, "an event without ph is left out");
    else
        findings_add(c->damage, "CT06", ASSAY_WARNING, r->off, r->line, "unknown ph '%c': the event is left out", r->ph < ' ' ? '?' : r->ph);
    return false;
}

static int add_event(struct chrome *c, const struct chrome_record *r)
{
    c->events++;
    c->phases[(unsigned char)r->ph & 127]++;
    if (!is_sound(c, r)) return 0;
    switch (r->ph) {
    case 'B':
    case 'E':
    case 'X': return add_span(c, r);
    case 'M': return add_metadata(c, r);
    case 'C': return add_counters(c, r);
    case 'b':
    case 'e':
    case 'S':
    case 'F': return add_async(c, r);
    case 's':
    case 't':
    case 'f': c->flows++; return 0;
    case 'P': return chrome_profile_add(c, r);
    case 'i':
    case 'I':
    case 'R': c->instants++; return slice_is(r->name, "CpuProfile") ? chrome_profile_add(c, r) : add_marker(c, r);
    case 'n':
    case 'T':
    case 'p': return add_marker(c, r);
    default: return 0;
    }
}

static int add_text(struct chrome *c, const struct chrome_record *r)
{
    if (!vec_reserve(c->mem, &c->texts, 2)) return error_memory(c->err);
    uint32_t key = chrome_name(c, r->frame), value = chrome_name(c, r->text);
    if (!key || !value) return error_memory(c->err);
    c->texts.at[c->texts.len++] = key;
    c->texts.at[c->texts.len++] = value;
    return 0;
}

static int add_record(void *arg, const struct chrome_record *r)
{
    switch (r->kind) {
    case CHROME_EVENT: return add_event(arg, r);
    case CHROME_FRAME: return add_frame(arg, r);
    case CHROME_SAMPLE: return add_sample(arg, r);
    case CHROME_TEXT: return add_text(arg, r);
    }
    return 0;
}

int chrome_collect(struct chrome *c, const struct read_job *job, struct findings *damage, assay_error *err)
{
    c->mem = job->mem;
    c->err = err;
    c->damage = damage;
    c->walk.keeps_args = c->labels != NULL;
    intern_init(&c->names, job->mem);
    intern_init(&c->frame_ids, job->mem);
    kids_init(&c->nodes, job->mem);
    index_init(&c->func_index, job->mem);
    index_init(&c->stream_index, job->mem);
    index_init(&c->process_index, job->mem);
    index_init(&c->async_index, job->mem);
    index_init(&c->counter_index, job->mem);
    index_init(&c->profile_index, job->mem);
    struct chrome_func *none = vec_push(c->mem, &c->funcs);
    c->cache = mem_zalloc(c->mem, CHROME_CACHE, sizeof *c->cache);
    if (!none || !c->cache) return error_memory(err);
    *none = (struct chrome_func){ 0 };
    return chrome_decode(job, &c->walk, damage, add_record, c, err);
}

void chrome_done(struct chrome *c)
{
    for (size_t i = 0; i < c->streams.len; i++) vec_done(c->mem, &c->streams.at[i].spans, &c->streams.at[i].samples, &c->streams.at[i].begun);
    for (size_t i = 0; i < c->profiles.len; i++) chrome_profile_done(c, &c->profiles.at[i]);
    mem_free(c->mem, c->cache, CHROME_CACHE * sizeof *c->cache);
    intern_done(&c->names);
    intern_done(&c->frame_ids);
    kids_done(&c->nodes);
    index_done(&c->func_index);
    index_done(&c->stream_index);
    index_done(&c->process_index);
    index_done(&c->async_index);
    index_done(&c->counter_index);
    index_done(&c->profile_index);
    vec_done(c->mem, &c->set, &c->key, &c->funcs, &c->func_of, &c->streams, &c->processes, &c->frames, &c->async, &c->async_keys, &c->markers, &c->counters);
    vec_done(c->mem, &c->readings, &c->profiles, &c->texts, &c->cells, &c->slot, &c->rows, &c->open, &c->begun, &c->order, &c->named, &c->chain, &c->is_stack);
}
