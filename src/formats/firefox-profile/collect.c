/* The parts of a profile that are no tables; see collect.h. */
#include "formats/firefox-profile/collect.h"

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

static int put(struct firefox *f, assay_slice text, uint32_t *id)
{
    *id = intern_put(&f->names, text.data ? text : SLICE(""));
    return *id ? 0 : error_memory(f->err);
}

/* What a member is as text: numbers as they are written. */
static assay_slice text_of(const struct firefox_record *r)
{
    if (r->value == JSON_TRUE || r->value == JSON_FALSE) return r->value == JSON_TRUE ? SLICE("true") : SLICE("false");
    return r->text;
}

static struct firefox_thread *thread_at_hand(struct firefox *f) { return &f->threads.at[f->threads.len - 1]; }
static struct firefox_counter *counter_at_hand(struct firefox *f) { return &f->counters.at[f->counters.len - 1]; }

/* ---- meta ---- */

static int add_version(struct firefox *f, const struct firefox_record *r)
{
    f->version = r->number >= 0 && r->number < 1e9 ? (uint64_t)r->number : 0;
    if (f->version > FIREFOX_NEWEST)
        findings_add(f->damage, "FX05", ASSAY_WARNING, r->off, r->line, "version %llu is newer than %d: what is known of that version is read",
                     (unsigned long long)f->version, FIREFOX_NEWEST);
    return 0;
}

static int add_meta(struct firefox *f, const struct firefox_record *r)
{
    if (slice_is(r->key, "preprocessedProfileVersion") && r->value == JSON_NUMBER) return add_version(f, r);
    if (!vec_reserve(f->mem, &f->meta, 2)) return error_memory(f->err);
    TRY(put(f, r->key, &f->meta.at[f->meta.len]));
    TRY(put(f, text_of(r), &f->meta.at[f->meta.len + 1]));
    f->meta.len += 2;
    return 0;
}

static int add_category(struct firefox *f, const struct firefox_record *r)
{
    if (r->kind == FIREFOX_BEGIN) {
        uint32_t *slot = vec_push(f->mem, &f->categories);
        if (!slot) return error_memory(f->err);
        return put(f, SLICE(""), slot);
    }
    if (r->kind != FIREFOX_MEMBER) return 0;
    f->has_grey |= slice_is(r->key, "color") && slice_is(r->text, "grey");
    return slice_is(r->key, "name") ? put(f, r->text, &f->categories.at[f->categories.len - 1]) : 0;
}

/* The name of a schema may come after its fields. */
static int add_schema(struct firefox *f, const struct firefox_record *r)
{
    if (r->kind == FIREFOX_BEGIN) {
        f->schema_open = f->schema.len;
        f->schema_name = 0;
    } else if (r->kind == FIREFOX_MEMBER && slice_is(r->key, "name"))
        return put(f, r->text, &f->schema_name);
    else if (r->kind == FIREFOX_END)
        for (size_t i = f->schema_open; i < f->schema.len; i++) f->schema.at[i].type = f->schema_name;
    return 0;
}

static int add_schema_field(struct firefox *f, const struct firefox_record *r)
{
    if (r->kind == FIREFOX_BEGIN) {
        struct firefox_schema_field *slot = vec_push(f->mem, &f->schema);
        if (!slot) return error_memory(f->err);
        *slot = (struct firefox_schema_field){ 0, 0 };
        f->is_string = false;
    } else if (r->kind == FIREFOX_MEMBER && slice_is(r->key, "key"))
        return put(f, r->text, &f->schema.at[f->schema.len - 1].key);
    else if (r->kind == FIREFOX_MEMBER && slice_is(r->key, "format"))
        f->is_string = slice_is(r->text, "unique-string") || slice_is(r->text, "flow-id") || slice_is(r->text, "terminating-flow-id");
    else if (r->kind == FIREFOX_END && !f->is_string)
        f->schema.len--;
    return 0;
}

/* ---- libs and strings ---- */

static int own_tables(struct firefox *f, struct firefox_tables **out)
{
    uint32_t at = f->is_in_thread ? thread_at_hand(f)->tables : 0;
    if (f->is_in_thread && !at) {
        struct firefox_tables *slot = f->tables.len < UINT32_MAX ? vec_push(f->mem, &f->tables) : NULL;
        if (!slot) return error_memory(f->err);
        *slot = (struct firefox_tables){ .is_sound = true };
        at = thread_at_hand(f)->tables = (uint32_t)f->tables.len - 1;
    }
    *out = &f->tables.at[at];
    return 0;
}

static int add_lib(struct firefox *f, const struct firefox_record *r)
{
    struct firefox_tables *t;
    TRY(own_tables(f, &t));
    if (r->kind == FIREFOX_BEGIN) {
        struct firefox_lib *slot = vec_push(f->mem, &t->libs);
        if (!slot) return error_memory(f->err);
        *slot = (struct firefox_lib){ 0 };
    }
    if (r->kind != FIREFOX_MEMBER || !t->libs.len || r->value != JSON_STRING) return 0;
    struct firefox_lib *lib = &t->libs.at[t->libs.len - 1];
    if (slice_is(r->key, "name")) return put(f, r->text, &lib->name);
    if (slice_is(r->key, "path")) return put(f, r->text, &lib->path);
    if (slice_is(r->key, "debugName") || slice_is(r->key, "pdbName")) return put(f, r->text, &lib->debug_name);
    if (slice_is(r->key, "breakpadId")) return put(f, r->text, &lib->id);
    return slice_is(r->key, "codeId") ? put(f, r->text, &lib->code_id) : 0;
}

static int add_strings(struct firefox *f, const struct firefox_record *r)
{
    struct firefox_tables *t;
    TRY(own_tables(f, &t));
    if (r->kind == FIREFOX_BEGIN) t->strings.len = 0;
    if (r->kind == FIREFOX_END) t->has_strings = true;
    if (r->kind != FIREFOX_STRING) return 0;
    uint32_t *slot = vec_push(f->mem, &t->strings);
    if (!slot) return error_memory(f->err);
    return put(f, r->text, slot);
}

/* ---- threads and counters ---- */

static int begin_thread(struct firefox *f)
{
    struct firefox_thread *t = vec_push(f->mem, &f->threads);
    if (!t) return error_memory(f->err);
    *t = (struct firefox_thread){ 0 };
    t->samples[1].metric = FIREFOX_BY_JS;
    t->samples[2].metric = FIREFOX_BY_NATIVE;
    f->has_threads = f->is_in_thread = true;
    return 0;
}

static int add_thread(struct firefox *f, const struct firefox_record *r)
{
    if (r->kind == FIREFOX_BEGIN) return begin_thread(f);
    struct firefox_thread *t = thread_at_hand(f);
    if (r->kind == FIREFOX_END) {
        f->is_in_thread = false;
        if (!t->has_samples) findings_add(f->damage, "J-3", ASSAY_ERROR, r->off, r->line, "a thread without samples");
        return f->want_timeline ? 0 : firefox_settle(f, t, false);
    }
    if (slice_is(r->key, "name")) return put(f, r->text, &t->name);
    if (slice_is(r->key, "pid")) return put(f, r->text, &t->pid);
    if (slice_is(r->key, "tid")) return put(f, r->text, &t->tid);
    if (slice_is(r->key, "processName")) return put(f, r->text, &t->process_name);
    if (slice_is(r->key, "processType")) return put(f, r->text, &t->process_type);
    if (slice_is(r->key, "isMainThread")) t->is_main = r->value == JSON_TRUE;
    return 0;
}

static int add_counter(struct firefox *f, const struct firefox_record *r)
{
    if (r->part == FIREFOX_COUNTER && r->kind == FIREFOX_BEGIN) {
        struct firefox_counter *c = vec_push(f->mem, &f->counters);
        if (!c) return error_memory(f->err);
        *c = (struct firefox_counter){ .thread = -1 };
    }
    if (r->kind != FIREFOX_MEMBER) return 0;
    struct firefox_counter *c = counter_at_hand(f);
    if (r->part == FIREFOX_DISPLAY) return slice_is(r->key, "unit") ? put(f, r->text, &c->unit) : 0;
    if (slice_is(r->key, "name")) return put(f, r->text, &c->name);
    if (slice_is(r->key, "category")) return put(f, r->text, &c->category);
    if (slice_is(r->key, "description")) return put(f, r->text, &c->description);
    if (slice_is(r->key, "pid")) return put(f, r->text, &c->pid);
    if (slice_is(r->key, "mainThreadIndex") && r->value == JSON_NUMBER) c->thread = r->number;
    return 0;
}

/* ---- the data of markers ---- */

static int add_data(struct firefox *f, const struct firefox_record *r)
{
    if (!f->want_timeline || !f->is_in_thread) return 0;
    struct firefox_thread *t = thread_at_hand(f);
    if (r->kind != FIREFOX_MEMBER) {
        while (t->markers.len <= r->row) {
            struct firefox_marker *m = vec_push(f->mem, &t->markers);
            if (!m) return error_memory(f->err);
            *m = (struct firefox_marker){ .name = FIREFOX_NONE, .category = FIREFOX_NONE, .phase = FIREFOX_NONE };
        }
        struct firefox_marker *m = &t->markers.at[r->row];
        if (r->kind == FIREFOX_BEGIN) m->fields = m->fields_end = f->fields.len;
        if (r->kind == FIREFOX_END) m->fields_end = f->fields.len;
        return 0;
    }
    struct firefox_field *slot = vec_push(f->mem, &f->fields);
    if (!slot) return error_memory(f->err);
    *slot = (struct firefox_field){ .number = r->number, .value = (uint8_t)r->value };
    TRY(put(f, r->key, &slot->key));
    return put(f, text_of(r), &slot->text);
}

/* ---- all of it ---- */

static int add_record(void *arg, const struct firefox_record *r)
{
    struct firefox *f = arg;
    struct firefox_tables *t;
    if (f->damage->failed) return error_memory(f->err);
    switch (r->part) {
    case FIREFOX_META:
        if (r->kind == FIREFOX_BEGIN) f->meta_off = r->off;
        if (r->kind == FIREFOX_BEGIN) f->meta_line = r->line;
        return r->kind == FIREFOX_MEMBER ? add_meta(f, r) : 0;
    case FIREFOX_UNITS: f->is_time_bytes |= r->kind == FIREFOX_MEMBER && slice_is(r->key, "time") && slice_is(r->text, "bytes"); return 0;
    case FIREFOX_CATEGORY: return add_category(f, r);
    case FIREFOX_SCHEMA: return add_schema(f, r);
    case FIREFOX_SCHEMA_FIELD: return add_schema_field(f, r);
    case FIREFOX_LIB: return add_lib(f, r);
    case FIREFOX_DOCUMENT: f->is_whole = r->kind == FIREFOX_END; return 0;
    case FIREFOX_STRINGS: return add_strings(f, r);
    case FIREFOX_THREAD: return add_thread(f, r);
    case FIREFOX_COUNTER:
    case FIREFOX_DISPLAY: return add_counter(f, r);
    case FIREFOX_DATA: return add_data(f, r);
    case FIREFOX_TABLE:
        if (r->table >= FIREFOX_STACKS && r->table <= FIREFOX_SOURCES) TRY(own_tables(f, &t));
        return firefox_add_table(f, r);
    default: return 0;
    }
}

static int finish(struct firefox *f)
{
    for (size_t i = 0; i < f->threads.len; i++) TRY(firefox_settle(f, &f->threads.at[i], true));
    firefox_check_rows(f);
    if (f->version >= 12 && !f->has_grey && f->is_whole)
        findings_add(f->damage, "FX04", ASSAY_WARNING, f->meta_off, f->meta_line, "no category has the color grey, which the default category must have");
    if (!f->has_threads && f->is_whole) findings_add(f->damage, "J-3", ASSAY_ERROR, 0, 1, "there are no threads");
    return f->damage->failed ? error_memory(f->err) : 0;
}

int firefox_collect(struct firefox *f, const struct read_job *job, bool want_timeline, struct findings *damage, assay_error *err)
{
    f->err = err;
    f->damage = damage;
    f->want_timeline = want_timeline;
    intern_init(&f->names, f->mem);
    struct firefox_tables *shared = vec_push(f->mem, &f->tables);
    if (!shared) return error_memory(err);
    *shared = (struct firefox_tables){ .is_sound = true };
    TRY(firefox_walk(job, damage, add_record, f, err));
    return finish(f);
}

static void tables_done(struct mem *mem, struct firefox_tables *t)
{
    for (unsigned i = 0; i < FIREFOX_INDEXES; i++) vec_done(mem, &t->column[i]);
    vec_done(mem, &t->strings, &t->libs);
}

void firefox_done(struct firefox *f)
{
    for (size_t i = 0; i < f->tables.len; i++) tables_done(f->mem, &f->tables.at[i]);
    for (size_t i = 0; i < f->threads.len; i++) {
        struct firefox_thread *t = &f->threads.at[i];
        for (unsigned k = 0; k < 3; k++) vec_done(f->mem, &t->samples[k].stack, &t->samples[k].weight, &t->samples[k].time);
        vec_done(f->mem, &t->markers);
    }
    for (size_t i = 0; i < f->counters.len; i++) vec_done(f->mem, &f->counters.at[i].time, &f->counters.at[i].count, &f->counters.at[i].number);
    vec_done(f->mem, &f->meta, &f->categories, &f->schema, &f->tables, &f->threads, &f->counters, &f->fields, &f->cells, &f->slot);
    intern_done(&f->names);
}
