/* Single places of a tree, by the names of the functions that lead there: "main;run;step". See select.h. */
#include "analysis/select/select.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"

enum { PARTS_MOST = 10000 };

struct place {
    struct mem *mem;
    VEC(char) text; /* the names, one after the other, "\\;" resolved */
    VEC(uint32_t) end;
};

static void place_done(struct place *p) { vec_done(p->mem, &p->text, &p->end); }

static int place_parse(struct place *p, const char *text, assay_error *err)
{
    for (const char *at = text;; at++) {
        if (*at && *at != ';') {
            if (*at == '\\' && at[1] == ';') at++;
            char *to = vec_push(p->mem, &p->text);
            if (!to) return error_memory(err);
            *to = *at;
            continue;
        }
        uint32_t before = p->end.len ? p->end.at[p->end.len - 1] : 0, *end = vec_push(p->mem, &p->end);
        if (!end) return error_memory(err);
        *end = (uint32_t)p->text.len;
        if (*end == before || p->end.len > PARTS_MOST)
            FAIL(err, ASSAY_ERR_USAGE, "'%.80s' is no place in a tree: give the names of functions, separated by ';'", text);
        if (!*at) return 0;
    }
}

static assay_slice part_of(const struct place *p, uint32_t i)
{
    uint32_t begin = i ? p->end.at[i - 1] : 0;
    return (assay_slice){ p->text.at + begin, p->end.at[i] - begin };
}

/* An entry is called "<name>" where reports show it. */
static bool has_name(const struct select *s, const struct frames *f, uint32_t id, assay_slice want)
{
    bool is_entry = frames_kind(f, id) == ASSAY_NODE_ENTRY;
    uint32_t func = ID(f->tree->func, id);
    assay_slice name = func ? assay_profile_string(s->p, assay_profile_funcs(s->p)->name[func]) : SLICE("<unknown>");
    if (slice_equal(name, want)) return true;
    is_entry = is_entry && want.len == name.len + 2 && want.data[0] == '<' && want.data[want.len - 1] == '>';
    return is_entry && slice_equal(name, (assay_slice){ want.data + 1, name.len });
}

/* reached[node]: how many names of the place lead to its function; 0 = they do not. */
static int find_place(struct select *s, const struct frames *f, const struct place *p, uint32_t *reached, uint8_t *state, uint8_t bit, bool *is_used,
                      assay_error *err)
{
    uint32_t last = (uint32_t)p->end.len;
    for (uint32_t id = 1; id < f->len; id++) {
        TRY(cancel_step(id, err));
        uint32_t owner = f->owner[id], parent = frames_parent(f, id);
        reached[id] = 0;
        if (owner != id) {
            reached[id] = reached[parent];
            if (owner) state[id] |= state[owner] & bit;
            continue;
        }
        bool leads = !parent || !f->owner[parent] || reached[parent];
        uint32_t level = parent ? reached[parent] : 0;
        if (!leads || level >= last || !has_name(s, f, id, part_of(p, level))) continue;
        reached[id] = level + 1;
        if (level + 1 < last) continue;
        state[id] |= bit;
        *is_used = true;
    }
    return 0;
}

int select_places(struct select *s, const struct frames *f, uint8_t *state, uint8_t bit, assay_error *err)
{
    size_t count = s->filter->hide_path_count;
    SCRATCH(uint32_t, reached, &s->mem, count ? f->len : 0);
    if (!reached) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        SCOPED(place_done) struct place place = { .mem = &s->mem };
        bool is_used = false;
        TRY(place_parse(&place, s->filter->hide_paths[i], err));
        TRY(find_place(s, f, &place, reached, state, bit, &is_used, err));
        if (!is_used) findings_add(&s->found, "FI-1", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "no stack begins with '%.200s'", s->filter->hide_paths[i]);
    }
    return 0;
}
