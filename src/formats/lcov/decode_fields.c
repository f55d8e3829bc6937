/* The fields of a record, with everything that can be wrong with them. */
#include <inttypes.h>

#include "base/number.h"
#include "formats/lcov/decode.h"

/* What is left of the value; a field ends at a comma. */
struct fields {
    struct lcov_decoder *d;
    struct lcov_record *r;
    const char *at, *end; /* at NULL = there is no further field */
};

static bool bad(struct fields *f, const char *rule, const char *what, assay_slice found)
{
    f->r->kind = LCOV_OTHER;
    lcov_damage(f->d, f->r, rule, ASSAY_ERROR, "%s, found '%.*s'", what, (int)(found.len < 60 ? found.len : 60), found.data ? found.data : "");
    return false;
}

static bool missing(struct fields *f, const char *what)
{
    f->r->kind = LCOV_OTHER;
    lcov_damage(f->d, f->r, "LC-3", ASSAY_ERROR, "too few fields: expected %s", what);
    return false;
}

static bool next(struct fields *f, assay_slice *out, const char *what)
{
    if (!f->at) return missing(f, what);
    const char *comma = memchr(f->at, ',', (size_t)(f->end - f->at));
    *out = slice_from(f->at, comma ? comma : f->end);
    f->at = comma ? comma + 1 : NULL;
    return true;
}

static bool rest(struct fields *f, assay_slice *out, const char *what)
{
    if (!f->at || f->at == f->end) return missing(f, what);
    *out = slice_from(f->at, f->end);
    return true;
}

/* A small whole number. */
static bool small(struct fields *f, uint32_t *out, const char *what)
{
    assay_slice s;
    uint64_t v;
    if (!next(f, &s, what)) return false;
    if (number_u64(s, &v) != NUMBER_OK || v > LCOV_LINE_MAX) return bad(f, "LC-4", "expected a number up to 2147483647", s);
    *out = (uint32_t)v;
    return true;
}

/* A line from 1; rows of line 0 and below are dropped with a warning. */
static bool source_line(struct fields *f, uint32_t *out)
{
    assay_slice s;
    int64_t v;
    if (!next(f, &s, "a line number")) return false;
    enum number_result result = number_i64(s, &v);
    if (result == NUMBER_BAD || v > LCOV_LINE_MAX) return bad(f, "LC-4", "expected a line number up to 2147483647", s);
    if (v < 1) {
        f->r->kind = LCOV_OTHER;
        lcov_damage(f->d, f->r, "LC-8", ASSAY_WARNING, "line %" PRId64 ": the row is left out, lines begin at 1", v);
        return false;
    }
    *out = (uint32_t)v;
    return true;
}

/* Whole numbers, and floating point text as Perl writes it for large sums. */
static bool take_count(struct fields *f, assay_slice s)
{
    double v;
    f->r->count = 0;
    enum number_result result = number_u64(s, &f->r->count);
    if (result == NUMBER_OK) return true;
    if (result == NUMBER_BAD) {
        result = number_double(s, &v);
        if (result == NUMBER_BAD) return bad(f, "LC-4", "expected a count", s);
        if (v < 0) {
            f->r->was_negative = true;
            lcov_damage(f->d, f->r, "LC-9", ASSAY_WARNING, "negative count %.*s, read as 0", (int)(s.len < 40 ? s.len : 40), s.data);
        }
        f->r->count = v < 1 ? 0 : v < 18446744073709551616.0 ? (uint64_t)v : UINT64_MAX;
        if (v < 18446744073709551616.0) return true;
    }
    lcov_damage(f->d, f->r, "LC-10", ASSAY_WARNING, "count %.*s is above 2^64-1, read as 2^64-1", (int)(s.len < 40 ? s.len : 40), s.data);
    return true;
}

static bool count(struct fields *f, const char *what)
{
    assay_slice s;
    return next(f, &s, what) && take_count(f, s);
}

static bool all_digits(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] < '0' || s.data[i] > '9') return false;
    return s.len > 0;
}

/* FN:start,[end,]name: a second field of digits is the end when another comma follows. */
static bool function(struct fields *f)
{
    if (!small(f, &f->r->line, "line and name")) return false;
    const char *comma = f->at ? memchr(f->at, ',', (size_t)(f->end - f->at)) : NULL;
    if (comma && all_digits(slice_from(f->at, comma)) && !small(f, &f->r->end_line, "an end line")) return false;
    return rest(f, &f->r->name, "a function name");
}

static struct lcov_leader *leader(struct lcov_decoder *d, uint64_t number, uint32_t *at)
{
    uint64_t hash = hash_mix(d->record, number);
    for (struct index_walk w = index_walk(&d->leader_index, hash); index_next(&d->leader_index, &w);) {
        struct lcov_leader *l = &d->leaders.at[w.id - 1];
        *at = w.id;
        if (l->record == d->record && l->index == number) return l;
    }
    return NULL;
}

static bool leader_number(struct fields *f, uint64_t *out)
{
    assay_slice s;
    if (!next(f, &s, "an index")) return false;
    return number_u64(s, out) == NUMBER_OK || bad(f, "LC-4", "expected an index", s);
}

/* FNL:index,start[,end] */
static int leader_record(struct fields *f)
{
    struct lcov_decoder *d = f->d;
    struct lcov_record *r = f->r;
    uint64_t number;
    d->has_2x = true;
    if (!leader_number(f, &number) || !small(f, &r->line, "a start line")) return 0;
    if (f->at && !small(f, &r->end_line, "an end line")) return 0;
    if (leader(d, number, &r->index)) {
        r->kind = LCOV_OTHER;
        lcov_damage(d, r, "LC-13", ASSAY_ERROR, "FNL with index %" PRIu64 " is repeated in the record", number);
        return 0;
    }
    struct lcov_leader *l = vec_push(d->mem, &d->leaders);
    if (!l || d->leaders.len >= UINT32_MAX) return error_memory(d->err);
    *l = (struct lcov_leader){ d->record, number, r->line, r->end_line };
    r->index = (uint32_t)d->leaders.len;
    return index_add(&d->leader_index, hash_mix(d->record, number), r->index) ? 0 : error_memory(d->err);
}

/* FNA:index,count,name */
static void alias(struct fields *f)
{
    uint64_t number;
    f->d->has_2x = true;
    if (!leader_number(f, &number) || !count(f, "count and name") || !rest(f, &f->r->name, "a function name")) return;
    const struct lcov_leader *l = leader(f->d, number, &f->r->index);
    if (l) {
        f->r->line = l->line;
        f->r->end_line = l->end_line;
        return;
    }
    f->r->kind = LCOV_OTHER;
    lcov_damage(f->d, f->r, "LC-12", ASSAY_ERROR, "FNA names index %" PRIu64 ", which no FNL of the record has", number);
}

/* [e|f][U]digits */
static bool branch_block(struct fields *f)
{
    assay_slice s;
    if (!next(f, &s, "a block")) return false;
    assay_slice left = s;
    if (left.len && (left.data[0] == 'e' || left.data[0] == 'f')) {
        f->r->flags |= left.data[0] == 'e' ? ASSAY_COVERAGE_BRANCH_EXCEPTION : ASSAY_COVERAGE_BRANCH_FALLTHROUGH;
        left = slice_from(left.data + 1, s.data + s.len);
    }
    if (left.len && left.data[0] == 'U') {
        f->r->flags |= ASSAY_COVERAGE_BRANCH_UNREACHABLE;
        left = slice_from(left.data + 1, s.data + s.len);
    }
    f->r->block = left;
    if (all_digits(left)) return true;
    bool is_letter = left.len && ((left.data[0] | 32) >= 'a' && (left.data[0] | 32) <= 'z');
    return is_letter ? bad(f, "LC-27", "unknown flag of a branch: expected e, f or U before the block", s) : bad(f, "LC-4", "expected a block number", s);
}

/* BRDA:line,block,branch,taken: the branch may hold commas, so taken stands behind the last one. */
static void branch(struct fields *f)
{
    assay_slice taken;
    const char *commas = f->at;
    for (int n = 0; n < 3; n++) {
        commas = commas ? memchr(commas, ',', (size_t)(f->end - commas)) : NULL;
        if (commas) commas++;
    }
    if (!commas) {
        missing(f, "line, block, branch and taken");
        return;
    }
    if (!source_line(f, &f->r->line) || !branch_block(f)) return;
    const char *last = memrchr(f->at, ',', (size_t)(f->end - f->at));
    f->r->name = slice_from(f->at, last);
    taken = slice_from(last + 1, f->end);
    if (slice_is(taken, "-"))
        f->r->flags |= ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
    else
        (void)take_count(f, taken);
}

/* MCDC:line,[U]groupsize,t|f,count,index,expression */
static void condition(struct fields *f)
{
    struct lcov_record *r = f->r;
    assay_slice sense;
    if (!source_line(f, &r->line)) return;
    if (f->at && f->at < f->end && *f->at == 'U') {
        r->flags |= ASSAY_COVERAGE_BRANCH_UNREACHABLE;
        f->at++;
    }
    if (!small(f, &r->group, "the size of the group") || !next(f, &sense, "t or f") || !count(f, "a count") || !small(f, &r->index, "an index")) return;
    if (!rest(f, &r->name, "an expression")) return;
    r->sense = slice_is(sense, "t");
    if (!r->sense && !slice_is(sense, "f"))
        bad(f, "LC-28", "expected t or f", sense);
    else if (r->index >= r->group) {
        r->kind = LCOV_OTHER;
        lcov_damage(f->d, r, "LC-28", ASSAY_ERROR, "condition %" PRIu32 " of a group of %" PRIu32, r->index, r->group);
    }
}

static void line(struct fields *f)
{
    if (!memchr(f->at, ',', (size_t)(f->end - f->at))) {
        missing(f, "line and count");
        return;
    }
    if (!source_line(f, &f->r->line) || !count(f, "a count")) return;
    if (f->at) f->r->name = slice_from(f->at, f->end);
}

static void stated(struct fields *f)
{
    assay_slice s = slice_from(f->at, f->end);
    enum number_result result = number_u64(s, &f->r->count);
    if (result != NUMBER_OK) bad(f, "LC-4", "expected a number", s);
}

int lcov_fields(struct lcov_decoder *d, struct lcov_record *r, assay_slice value)
{
    struct fields f = { d, r, value.data, value.data + value.len };
    switch (r->kind) {
    case LCOV_FUNCTION: (void)function(&f); break;
    case LCOV_CALLS: (void)(count(&f, "count and name") && rest(&f, &r->name, "a function name")); break;
    case LCOV_LEADER: return leader_record(&f);
    case LCOV_ALIAS: alias(&f); break;
    case LCOV_BRANCH: branch(&f); break;
    case LCOV_CONDITION: condition(&f); break;
    case LCOV_LINE: line(&f); break;
    case LCOV_STATED: stated(&f); break;
    default: break;
    }
    return 0;
}
