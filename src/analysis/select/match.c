/* Which functions, files, modules and streams the filters mean; see select.h. */
#include <string.h>
#include <strings.h>

#include "analysis/select/select.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/text.h"
#include "model/entry.h"

enum { NAME_LEN = 64 /* of names that are suggested */ };

/* ---- functions ---- */

static assay_slice func_name(const struct select *s, uint32_t func)
{
    return func ? assay_profile_string(s->p, assay_profile_funcs(s->p)->name[func]) : SLICE("<unknown>");
}

/* A name that is nearly what was typed; "" = none is. */
static void nearest_name(const struct select *s, const char *typed, char *out)
{
    size_t len = strlen(typed);
    unsigned best = len < 4 ? 1 : len < 8 ? 2 : 3;
    out[0] = '\0';
    for (uint32_t i = 1; i < s->funcs && len < NAME_LEN; i++) {
        assay_slice name = func_name(s, i);
        if (name.len >= NAME_LEN || name.len + best < len || len + best < name.len) continue;
        unsigned d = text_distance(typed, name.data, best);
        if (d > best || (d == best && out[0])) continue;
        best = d;
        memcpy(out, name.data, name.len + 1);
    }
}

static void judge_pattern(struct select *s, const char *text, bool is_used, bool gave_up)
{
    char near[NAME_LEN];
    if (gave_up)
        findings_add(&s->found, "FI-2", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "'%.80s' takes too long to match some names: they are treated as not matching",
                     text);
    if (is_used) return;
    nearest_name(s, text, near);
    if (near[0])
        findings_add(&s->found, "FI-1", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "no function matches '%.80s'; did you mean '%s'?", text, near);
    else
        findings_add(&s->found, "FI-1", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "no function matches '%.80s'", text);
}

/* Which functions are shown is as in pprof: also by the path of their source file or module. */
static bool func_matches(const struct select *s, uint32_t func, struct pattern *pattern, enum select_fit fit)
{
    const struct assay_funcs *f = assay_profile_funcs(s->p);
    uint32_t file = ID(f->file, func), module = ID(f->module, func);
    if (pattern_matches(pattern, func_name(s, func))) return true;
    if (!(fit & (SELECT_SHOW | SELECT_FROM))) return false;
    if (file && pattern_matches(pattern, assay_profile_string(s->p, assay_profile_files(s->p)->path[file]))) return true;
    return module && pattern_matches(pattern, assay_profile_string(s->p, assay_profile_modules(s->p)->path[module]));
}

static int match_names(struct select *s, const char *const *texts, size_t count, enum select_fit fit, assay_error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct pattern *pattern;
        bool is_used = false;
        if (!texts[i][0]) FAIL(err, ASSAY_ERR_USAGE, "empty regular expression: it would match every function");
        TRY(pattern_new(&pattern, texts[i], &s->mem, err));
        for (uint32_t f = 0; f < s->funcs; f++)
            if (func_matches(s, f, pattern, fit)) {
                s->func[f] |= (uint8_t)fit;
                is_used |= f != 0;
            }
        bool lacked_memory = pattern_lacked_memory(pattern);
        judge_pattern(s, texts[i], is_used, pattern_gave_up(pattern));
        pattern_free(pattern);
        if (lacked_memory) return error_memory(err);
    }
    return 0;
}

/* ---- paths ---- */

/* If nothing is asked for but to leave something out: all of it to begin with, code of unknown place included. */
static void keep_others(const char *const *globs, size_t count, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < count; i++)
        if (globs[i][0] != '!') return;
    memset(out, true, len);
}

static int match_paths(struct select *s, const char *const *globs, size_t count, const assay_str_id *path, size_t len, uint8_t **out, const char *what,
                       assay_error *err)
{
    SCOPED(arena_done) struct arena arena = { 0 };
    if (!count) return 0;
    *out = mem_zalloc(&s->mem, len, 1);
    if (!*out) return error_memory(err);
    arena_init(&arena, &s->mem);
    /* Those that begin with '!' come last and take away; without any other they do so from everything. */
    for (size_t i = 0; i < 2 * count; i++) {
        const char *glob = globs[i % count];
        bool is_used = false, takes_away = glob[0] == '!';
        if (takes_away != (i >= count)) continue;
        glob += takes_away;
        if (!glob[0]) FAIL(err, ASSAY_ERR_USAGE, "empty %s pattern", what);
        if (takes_away && !(*out)[0]) keep_others(globs, count, *out, len);
        for (uint32_t k = 1; k < len; k++) {
            TRY(cancel_step(k, err));
            const char *plain = path_normal(&arena, assay_profile_string(s->p, (assay_str_id){ ID(path, k) }));
            if (!plain) return error_memory(err);
            if (!path_matches(slice_of(plain), glob)) continue;
            (*out)[k] = !takes_away;
            is_used = true;
        }
        if (!is_used) findings_add(&s->found, "FI-3", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "no %s matches '%.200s'", what, glob);
    }
    return 0;
}

/* ---- streams ---- */

/* "3", "0-7". */
static bool read_range(assay_slice text, uint64_t *first, uint64_t *last)
{
    const char *dash = text.len ? memchr(text.data, '-', text.len) : NULL;
    assay_slice to = dash ? slice_from(dash + 1, text.data + text.len) : text;
    return number_u64(dash ? slice_from(text.data, dash) : text, first) == NUMBER_OK && number_u64(to, last) == NUMBER_OK;
}

/* The part of `text` up to the comma; what follows stays in `text`. */
static assay_slice next_part(assay_slice *text)
{
    const char *comma = memchr(text->data, ',', text->len);
    assay_slice part = comma ? slice_from(text->data, comma) : *text;
    *text = comma ? slice_from(comma + 1, text->data + text->len) : (assay_slice){ text->data + text->len, 0 };
    return slice_trim(part);
}

/* "RANK 1" and "RANK=0-3": the number begins after the last blank or equals sign. */
static bool split_part(assay_slice part, assay_slice *kind, uint64_t *first, uint64_t *last)
{
    size_t at = part.len;
    while (at && part.data[at - 1] != ' ' && part.data[at - 1] != '=') at--;
    if (!at) return false;
    *kind = slice_trim((assay_slice){ part.data, at - 1 });
    return kind->len && read_range((assay_slice){ part.data + at, part.len - at }, first, last);
}

/* How a stream is meant: exactly by number, label or logical ids, by physical ones, by a part of its label. The first that finds any counts. */
enum stream_by { BY_LOGICAL, BY_PHYSICAL, BY_PART, STREAM_BYS };

static bool has_element(const struct select *s, uint32_t stream, assay_slice kind, const uint64_t range[2], enum stream_by by)
{
    const struct assay_streams *t = assay_profile_streams(s->p);
    for (uint32_t k = t->tuple_begin ? t->tuple_begin[stream] : 0; t->tuple_begin && k < t->tuple_begin[stream + 1]; k++) {
        assay_slice name = assay_profile_string(s->p, t->tuple_kind[k]);
        uint64_t id = by == BY_LOGICAL ? AT(t->tuple_logical, k) : AT(t->tuple_physical, k);
        if (id >= range[0] && id <= range[1] && name.len == kind.len && strncasecmp(name.data, kind.data, kind.len) == 0) return true;
    }
    return false;
}

static bool fits_tuple(const struct select *s, uint32_t stream, const char *text, enum stream_by by)
{
    assay_slice rest = slice_of(text), kind;
    uint64_t range[2];
    while (rest.len)
        if (!split_part(next_part(&rest), &kind, &range[0], &range[1]) || !has_element(s, stream, kind, range, by)) return false;
    return true;
}

static bool fits_stream(const struct select *s, uint32_t stream, const char *text, enum stream_by by)
{
    uint64_t first, last;
    assay_slice label = assay_profile_string(s->p, (assay_str_id){ ID(assay_profile_streams(s->p)->label, stream) });
    if (by == BY_PART) return slice_contains(label, text);
    if (read_range(slice_of(text), &first, &last)) return stream >= first && stream <= last;
    return slice_is(label, text) || fits_tuple(s, stream, text, by);
}

static bool match_stream(struct select *s, const char *text)
{
    bool is_used = false;
    for (enum stream_by by = 0; by < STREAM_BYS && !is_used; by++)
        for (uint32_t k = 1; k < s->streams; k++)
            if (fits_stream(s, k, text, by)) s->stream[k] = is_used = true;
    return is_used;
}

static int match_streams(struct select *s, assay_error *err)
{
    const struct assay_filter *f = s->filter;
    uint32_t left = 0;
    if (f->stream_count && s->streams == 1) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no threads, processes or parts to select from");
    for (size_t i = 0; i < f->stream_count; i++) {
        if (!f->streams[i][0]) FAIL(err, ASSAY_ERR_USAGE, "empty stream name");
        if (!match_stream(s, f->streams[i]))
            findings_add(&s->found, "FI-4", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "no stream matches '%.80s'; 'assay info' lists the streams", f->streams[i]);
    }
    for (uint32_t k = 1; k < s->streams; k++) s->stream[k] = s->stream[k] || !f->stream_count ? ++left : SELECT_NO_STREAM;
    s->stream[0] = f->stream_count ? SELECT_NO_STREAM : 0;
    return 0;
}

/* ---- all of it ---- */

int select_match(struct select *s, assay_error *err)
{
    const struct assay_filter *f = s->filter;
    const struct assay_files *files = assay_profile_files(s->p);
    const struct assay_modules *modules = assay_profile_modules(s->p);
    s->funcs = (size_t)assay_profile_funcs(s->p)->count + 1;
    s->files = (size_t)files->count + 1;
    s->modules = (size_t)modules->count + 1;
    s->streams = (size_t)assay_profile_streams(s->p)->count + 1;
    s->func = mem_zalloc(&s->mem, s->funcs, 1);
    s->stream = mem_zalloc(&s->mem, s->streams, sizeof *s->stream);
    if (!s->func || !s->stream) return error_memory(err);
    TRY(match_names(s, f->focus, f->focus_count, SELECT_FOCUS, err));
    TRY(match_names(s, f->ignore, f->ignore_count, SELECT_IGNORE, err));
    TRY(match_names(s, f->hide, f->hide_count, SELECT_HIDE, err));
    TRY(match_names(s, f->collapse, f->collapse_count, SELECT_COLLAPSE, err));
    TRY(match_names(s, f->show, f->show_count, SELECT_SHOW, err));
    TRY(match_names(s, f->show_from, f->show_from_count, SELECT_FROM, err));
    TRY(match_names(s, f->focus_self, f->focus_self_count, SELECT_SELF, err));
    for (uint32_t i = 0; f->show_count && i < s->funcs; i++)
        if (!(s->func[i] & SELECT_SHOW)) s->func[i] |= SELECT_HIDE;
    TRY(match_paths(s, f->files, f->file_count, files->path, s->files, &s->file, "file", err));
    TRY(match_paths(s, f->modules, f->module_count, modules->path, s->modules, &s->module, "module", err));
    return match_streams(s, err);
}

void select_match_done(struct select *s)
{
    mem_free(&s->mem, s->func, s->funcs);
    mem_free(&s->mem, s->file, s->files);
    mem_free(&s->mem, s->module, s->modules);
    mem_free(&s->mem, s->stream, s->streams * sizeof *s->stream);
}
