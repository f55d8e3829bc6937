/* Which metric is meant; see metric_choice.h. */
#include "analysis/core/metric_choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/units.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

/* ---- the set ---- */

static uint32_t size_of(const struct metric_set *set) { return set->at ? set->count : assay_profile_metrics(set->profile)->count; }

/* Number i of the set; 0 = it is none of it. */
static assay_metric_id item(const struct metric_set *set, uint32_t i)
{
    const struct assay_metrics *m = assay_profile_metrics(set->profile);
    assay_metric_id id = { set->at ? set->at[i].v : i + 1 };
    bool is_carried = set->at || !m->shapes || m->shapes[id.v] & set->shapes;
    return is_carried && !(m->formula && m->formula[id.v].v) ? id : (assay_metric_id){ 0 };
}

uint32_t metric_set_list(const struct metric_set *set, assay_metric_id *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < size_of(set); i++)
        if (item(set, i).v) list[n++] = item(set, i);
    return n;
}

static assay_slice name_of(const assay_profile *p, assay_metric_id id) { return assay_profile_string(p, assay_profile_metrics(p)->name[id.v]); }

static double total_of(const assay_profile *p, assay_metric_id id)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    return m->total_double ? m->total_double[id.v] : m->total ? wide_double(m->total[id.v]) : 0;
}

bool metric_has_value(const assay_profile *p, assay_metric_id metric) { return total_of(p, metric) != 0; }

assay_slice metric_whole(const assay_profile *p, assay_metric_id metric)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    char key[160];
    snprintf(key, sizeof key, "whole.%.140s", name_of(p, metric).data);
    for (uint32_t i = a->count; i > 0; i--)
        if (!(a->stream && a->stream[i - 1].v) && slice_is(assay_profile_string(p, a->key[i - 1]), key)) return assay_profile_string(p, a->value[i - 1]);
    return (assay_slice){ NULL, 0 };
}

/* Filters that leave nothing of a metric do not make another one the default. */
static bool had_value(const assay_profile *p, assay_metric_id metric)
{
    double whole;
    return metric_has_value(p, metric) || (number_double(metric_whole(p, metric), &whole) == NUMBER_OK && whole != 0);
}

/* ---- the default ---- */

static bool has_word(assay_slice name, const char *const *words)
{
    for (; *words; words++)
        if (slice_contains_nocase(name, *words)) return true;
    return false;
}

/* Callgrind's time in system calls is a part of the run only. */
static bool is_time(const assay_profile *p, assay_metric_id id) { return units_ns(p, id) > 0 && !slice_starts(name_of(p, id), "sys"); }

static bool is_work(const assay_profile *p, assay_metric_id id)
{
    static const char *const words[] = { "cycles", "instructions", "TOT_CYC", "TOT_INS", NULL };
    static const char *const parts[] = { "stall", "ref", NULL };
    assay_slice name = name_of(p, id);
    return slice_is(name, "Ir") || (has_word(name, words) && !has_word(name, parts));
}

enum { RANK_VALUE = 16, RANK_SHOWN = 8, RANK_NAMED = 4, RANK_TIME = 2, RANK_WORK = 1 };

static unsigned rank_of(const assay_profile *p, assay_metric_id id, assay_slice named)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    unsigned rank = had_value(p, id) ? RANK_VALUE : 0;
    if ((m->is_default && m->is_default[id.v]) || (named.len && slice_equal(named, name_of(p, id)))) return rank | RANK_SHOWN | RANK_NAMED;
    if (!m->hidden || !m->hidden[id.v]) rank |= RANK_SHOWN;
    return rank | (is_time(p, id) ? RANK_TIME : is_work(p, id) ? RANK_WORK : 0);
}

static assay_slice named_default(const assay_profile *p)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    for (uint32_t i = 0; i < a->count; i++)
        if (slice_is(assay_profile_string(p, a->key[i]), "default_metric")) return assay_profile_string(p, a->value[i]);
    return (assay_slice){ NULL, 0 };
}

assay_metric_id metric_default(const struct metric_set *set)
{
    const assay_profile *p = set->profile;
    assay_slice named = named_default(p);
    assay_metric_id best = { 0 };
    unsigned best_rank = 0;
    for (uint32_t i = 0; i < size_of(set); i++) {
        assay_metric_id id = item(set, i);
        if (!id.v) continue;
        unsigned rank = rank_of(p, id, named);
        bool is_kind = rank & (RANK_NAMED | RANK_TIME | RANK_WORK);
        bool is_larger = !is_kind && fabs(total_of(p, id)) > fabs(total_of(p, best));
        if (best.v && (rank < best_rank || (rank == best_rank && !is_larger))) continue;
        best = id;
        best_rank = rank;
    }
    return best;
}

/* ---- by name ---- */

enum { LIST_MAX = 400, NAME_MAX_SHOWN = 100 };

static void list_name(char *list, size_t *used, assay_slice name)
{
    if (*used >= LIST_MAX - 1) return;
    int n = snprintf(list + *used, LIST_MAX - *used, "%s%.*s", *used ? ", " : "", (int)(name.len < NAME_MAX_SHOWN ? name.len : NAME_MAX_SHOWN), name.data);
    *used += n > 0 ? (size_t)n : 0;
}

/* "A, B, C": of the metrics whose names contain `part`, or of all where that is NULL. Returns how many there are. */
static uint32_t list_names(const struct metric_set *set, const char *part, char *list)
{
    size_t used = 0;
    uint32_t count = 0;
    list[0] = '\0';
    for (int has_value = 1; has_value >= 0; has_value--)
        for (uint32_t i = 0; i < size_of(set); i++) {
            assay_metric_id id = item(set, i);
            if (!id.v || metric_has_value(set->profile, id) != has_value) continue;
            if (part && !slice_contains_nocase(name_of(set->profile, id), part)) continue;
            list_name(list, &used, name_of(set->profile, id));
            count++;
        }
    if (set->also && !part) list_name(list, &used, slice_of(set->also));
    return count;
}

enum match { MATCH_EXACT, MATCH_CASE, MATCH_PART, MATCHES };

static bool matches(assay_slice name, const char *wanted, enum match how)
{
    if (how == MATCH_EXACT) return slice_is(name, wanted);
    return how == MATCH_CASE ? slice_is_nocase(name, wanted) : slice_contains_nocase(name, wanted);
}

/* The first that matches; *count says how many do. */
static assay_metric_id find(const struct metric_set *set, const char *name, enum match how, uint32_t *count)
{
    assay_metric_id found = { 0 };
    *count = 0;
    for (uint32_t i = 0; i < size_of(set); i++) {
        assay_metric_id id = item(set, i);
        if (!id.v || !matches(name_of(set->profile, id), name, how)) continue;
        if (!found.v) found = id;
        ++*count;
    }
    return found;
}

/* NYTProf's "sub_time" and "sub_ticks" are one quantity in two units, and not every shape has both. */
static assay_metric_id find_other_unit(const struct metric_set *set, const char *name)
{
    static const char *const units[] = { "_time", "_ticks" };
    char other[64];
    uint32_t count;
    for (int i = 0; i < 2; i++) {
        if (!slice_ends(slice_of(name), units[i]) || strlen(name) + 2 > sizeof other) continue;
        snprintf(other, sizeof other, "%.*s%s", (int)(strlen(name) - strlen(units[i])), name, units[1 - i]);
        return find(set, other, MATCH_CASE, &count);
    }
    return (assay_metric_id){ 0 };
}

/* As pprof's -sample_index has them: a number from 0 in the order of the file, and "inuse_space" where there is only "space". */
static assay_metric_id find_sample_type(const struct metric_set *set, const char *name)
{
    uint64_t number;
    uint32_t count;
    if (number_u64(slice_of(name), &number) == NUMBER_OK && number < assay_profile_metrics(set->profile)->count) {
        assay_metric_id wanted = { (uint32_t)number + 1 };
        for (uint32_t i = 0; i < size_of(set); i++)
            if (item(set, i).v == wanted.v) return wanted;
    }
    return strncmp(name, "inuse_", 6) == 0 ? find(set, name + 6, MATCH_EXACT, &count) : (assay_metric_id){ 0 };
}

static int refuse(const struct metric_set *set, const char *name, bool is_elsewhere, assay_error *err)
{
    char list[LIST_MAX];
    if (name && list_names(set, name, list) > 1) FAIL(err, ASSAY_ERR_USAGE, "'%.60s' matches several metrics: %s", name, list);
    if (list_names(set, NULL, list) == 0 && !(name && set->also)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no metric that can be shown this way");
    if (is_elsewhere) FAIL(err, ASSAY_ERR_USAGE, "metric '%.60s' cannot be shown this way; use %s", name, list);
    FAIL(err, ASSAY_ERR_USAGE, "no metric matches '%.60s'; use %s", name, list);
}

int metric_choose(const struct metric_set *set, const char *name, assay_metric_id *out, assay_error *err)
{
    struct metric_set all = { .profile = set->profile, .shapes = UINT32_MAX };
    assay_metric_id elsewhere = { 0 };
    uint32_t count = 0;
    *out = name ? (assay_metric_id){ 0 } : metric_default(set);
    for (int how = MATCH_EXACT; name && !out->v && how < MATCH_PART; how++) {
        *out = find(set, name, (enum match)how, &count);
        if (!out->v && !elsewhere.v) elsewhere = find(&all, name, (enum match)how, &count);
    }
    if (!out->v && name) *out = find_other_unit(set, name);
    if (!out->v && name) *out = find_sample_type(set, name);
    if (!out->v && !elsewhere.v && name) {
        assay_metric_id part = find(set, name, MATCH_PART, &count);
        if (count == 1) *out = part;
    }
    return out->v ? 0 : refuse(set, name, elsewhere.v, err);
}

bool metric_is_named(const struct metric_set *set, const char *name)
{
    uint32_t count;
    return find(set, name, MATCH_EXACT, &count).v != 0;
}

bool metric_is_meant(const struct metric_set *set, const char *name) { return metric_is_named(set, name) || find_other_unit(set, name).v; }

int metric_choose_place(const struct metric_set *set, const char *name, uint32_t *k, assay_error *err)
{
    assay_metric_id metric;
    *k = 0;
    TRY(metric_choose(set, name, &metric, err));
    while (set->at[*k].v != metric.v) ++*k;
    return 0;
}
