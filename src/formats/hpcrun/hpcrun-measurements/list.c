/* Which files of a measurement directory belong together; see measure.h. */
#include "base/cancel.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/hpcrun/hpcrun-measurements/measure.h"

/* ---- names ---- */

static bool ends_with(const char *name, const char *suffix) { return slice_ends(slice_of(name), suffix) && strlen(name) > strlen(suffix); }

/* Cuts the last field off `s`: what follows its last '-'. */
static bool last_field(assay_slice *s, unsigned base, uint64_t *out)
{
    size_t at = s->len;
    while (at > 0 && s->data[at - 1] != '-') at--;
    if (at == 0 || at == s->len) return false;
    uint64_t v = 0;
    for (size_t i = at; i < s->len; i++) {
        char c = s->data[i];
        unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
        if (digit >= base || v > (UINT64_MAX - digit) / base) return false;
        v = v * base + digit;
    }
    s->len = at - 1;
    *out = v;
    return true;
}

static struct measure_name numbers_of(const char *name)
{
    struct measure_name n = { 0 };
    assay_slice stem = slice_of(name);
    const char *dot = strrchr(name, '.');
    if (dot) stem.len = (size_t)(dot - name);
    n.is_known = last_field(&stem, 10, &n.generation) && last_field(&stem, 10, &n.pid) && last_field(&stem, 16, &n.host) && last_field(&stem, 10, &n.thread) &&
                 last_field(&stem, 10, &n.rank);
    return n;
}

static int compare(uint64_t a, uint64_t b) { return ORDER(a, b); }

static int by_numbers(const void *a, const void *b)
{
    const struct measure_file *x = a, *y = b;
    int c = compare(!x->numbers.is_known, !y->numbers.is_known);
    if (c == 0 && x->numbers.is_known) {
        c = compare(x->numbers.rank, y->numbers.rank);
        if (c == 0) c = compare(x->numbers.thread, y->numbers.thread);
        if (c == 0) c = compare(x->numbers.host, y->numbers.host);
        if (c == 0) c = compare(x->numbers.pid, y->numbers.pid);
    }
    return c ? c : strcmp(x->name, y->name);
}

/* ---- files ---- */

/* Files of any name are tried. */
static bool has_magic(const char *dir, const char *name)
{
    char head[HPCRUN_MAGIC_LEN];
    long n = folder_peek(dir, name, head, sizeof head);
    return n > 0 && hpcrun_magic_len((assay_slice){ head, (size_t)n }) > 0;
}

static bool has_other_use(const char *name)
{
    static const char *const suffixes[] = { ".hpctrace", ".log", ".hpcstruct", ".warnings", ".lm", NULL };
    for (const char *const *s = suffixes; *s; s++)
        if (ends_with(name, *s)) return true;
    return false;
}

static bool add_profile(struct measure_list *l, const struct folder_entry *e, const char *path)
{
    struct measure_file *f = vec_push(l->mem, &l->profiles);
    if (!f) return false;
    *f = (struct measure_file){ .name = e->name, .path = path, .size = e->size, .numbers = numbers_of(e->name) };
    l->bytes += e->size;
    return true;
}

static bool add_file(struct measure_list *l, const struct folder_entry *e)
{
    if (!e->is_file) return true;
    if (ends_with(e->name, ".log")) {
        const char **log = vec_push(l->mem, &l->logs);
        if (log) *log = e->name;
        return log != NULL;
    }
    if (has_other_use(e->name)) return true;
    const char *path = folder_join(&l->text, l->dir, e->name);
    if (!path) return false;
    return ends_with(e->name, ".hpcrun") || has_magic(l->dir, e->name) ? add_profile(l, e, path) : true;
}

/* The profile with the stem of a trace; profiles still are in the order of their names. */
static struct measure_file *profile_of(struct measure_list *l, const char *trace)
{
    size_t stem = strlen(trace) - strlen(".hpctrace"), low = 0, high = l->profiles.len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        struct measure_file *f = &l->profiles.at[mid];
        int c = strncmp(f->name, trace, stem);
        if (c == 0) c = strcmp(f->name + stem, ".hpcrun");
        if (c == 0) return f;
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static bool add_trace(struct measure_list *l, const struct folder_entry *e)
{
    if (!e->is_file || !ends_with(e->name, ".hpctrace")) return true;
    struct measure_file *f = profile_of(l, e->name);
    l->trace_count++;
    if (!f) {
        const char **lone = vec_push(l->mem, &l->lone_traces);
        if (lone) *lone = e->name;
        return lone != NULL;
    }
    f->trace_name = e->name;
    f->trace_path = folder_join(&l->text, l->dir, e->name);
    f->trace_size = e->size;
    l->bytes += e->size;
    return f->trace_path != NULL;
}

static int count_structures(struct measure_list *l, assay_error *err)
{
    SCOPED(folder_done) struct folder structs = { 0 };
    assay_error ignored = { 0 };
    const char *path = folder_join(&l->text, l->dir, "structs");
    if (!path) return error_memory(err);
    int rc = folder_open(&structs, path, l->mem, &ignored);
    for (size_t i = 0; rc == 0 && i < structs.entries.len; i++) l->structure_count += ends_with(structs.entries.at[i].name, ".hpcstruct");
    return rc == ASSAY_ERR_MEMORY ? error_memory(err) : 0;
}

int measure_list_open(struct measure_list *l, const char *dir, struct mem *mem, assay_error *err)
{
    *l = (struct measure_list){ .dir = dir, .mem = mem };
    arena_init(&l->text, mem);
    TRY(folder_open(&l->folder, dir, mem, err));
    bool has_room = true;
    for (size_t i = 0; has_room && i < l->folder.entries.len && (has_room = !cancel_at(i)); i++) has_room = add_file(l, &l->folder.entries.at[i]);
    for (size_t i = 0; has_room && i < l->folder.entries.len && (has_room = !cancel_at(i)); i++) has_room = add_trace(l, &l->folder.entries.at[i]);
    if (!has_room) return error_memory(err);
    if (l->profiles.len) sort_by(l->profiles.at, l->profiles.len, sizeof *l->profiles.at, by_numbers);
    return count_structures(l, err);
}

void measure_list_done(struct measure_list *l)
{
    if (!l->mem) return;
    for (size_t i = 0; i < l->profiles.len; i++) measure_let_go(l, &l->profiles.at[i]);
    vec_done(l->mem, &l->profiles, &l->lone_traces, &l->logs);
    arena_done(&l->text);
    folder_done(&l->folder);
}
