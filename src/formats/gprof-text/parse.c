/* The parts of a line: figures, and names with what gprof writes behind them. Columns have fixed widths that large figures exceed, so they are taken apart at
 * blanks; only the call columns of a flat row, which may be empty, are known by their place. */
#include <math.h>

#include "base/number.h"
#include "base/slice.h"
#include "formats/gprof-text/gprof.h"

/* The next word of *rest; empty at the end. */
static assay_slice word(assay_slice *rest)
{
    while (rest->len && (rest->data[0] == ' ' || rest->data[0] == '\t')) rest->data++, rest->len--;
    assay_slice w = { rest->data, 0 };
    while (w.len < rest->len && w.data[w.len] != ' ' && w.data[w.len] != '\t') w.len++;
    rest->data += w.len;
    rest->len -= w.len;
    return w;
}

static bool take_double(assay_slice *rest, double *out)
{
    assay_slice w = word(rest);
    return w.len && (w.data[0] < 'A' || w.data[0] > 'z') && number_double(w, out) == NUMBER_OK;
}

static bool count(assay_slice s, uint64_t *out) { return number_u64(s, out) != NUMBER_BAD; }

static size_t blanks(assay_slice s)
{
    size_t n = 0;
    while (n < s.len && s.data[n] == ' ') n++;
    return n;
}

/* ---- names ---- */

/* Cuts a number in brackets off the end of *s: `open`, digits, `close`. */
static bool cut_number(assay_slice *s, const char *open, char close, uint64_t *out)
{
    size_t from = s->len, len = strlen(open);
    if (!s->len || s->data[s->len - 1] != close) return false;
    for (from--; from && s->data[from - 1] >= '0' && s->data[from - 1] <= '9';) from--;
    if (from < len || memcmp(s->data + from - len, open, len) != 0) return false;
    if (!count((assay_slice){ s->data + from, s->len - 1 - from }, out)) return false;
    s->len = from - len;
    return true;
}

/* " (FILE:LINE)" and " (FILE:LINE @ ADDRESS)", of line-by-line profiles. */
static void cut_place(struct gprof_name *n)
{
    assay_slice s = n->name, line;
    const char *open = s.len && s.data[s.len - 1] == ')' ? memrchr(s.data, '(', s.len) : NULL;
    if (!open || open == s.data || open[-1] != ' ') return;
    assay_slice inside = slice_from(open + 1, s.data + s.len - 1);
    const char *at = memmem(inside.data, inside.len, " @ ", 3), *end = at ? at : inside.data + inside.len;
    const char *colon = memrchr(inside.data, ':', (size_t)(end - inside.data));
    uint64_t number, address = 0;
    if (!colon || colon == inside.data) return;
    line = slice_from(colon + 1, end);
    if (number_u64(line, &number) != NUMBER_OK || number > UINT32_MAX) return;
    if (at && number_hex(slice_from(at + 3, inside.data + inside.len), &address) != NUMBER_OK) return;
    n->file = slice_from(inside.data, colon);
    n->line = (uint32_t)number;
    n->address = address;
    n->name = slice_from(s.data, open - 1);
}

static bool name_of(assay_slice text, struct gprof_name *n)
{
    *n = (struct gprof_name){ .name = slice_trim(text) };
    if (!cut_number(&n->name, " [", ']', &n->index)) cut_number(&n->name, " (", ')', &n->index);
    cut_number(&n->name, " <cycle ", '>', &n->cycle);
    cut_place(n);
    return n->name.len > 0;
}

/* ---- the flat profile ---- */

/* What one of "Ts/call", "ms/call" or "s/call" is in seconds; 0 = it is none of them. */
static double unit_scale(assay_slice unit)
{
    static const char prefixes[] = "afpnum KMGT";
    if (slice_is(unit, "s/call")) return 1;
    if (unit.len < 3 || !slice_ends(unit, "/call")) return 0;
    const char *at = memchr(prefixes, unit.data[0], sizeof prefixes - 1);
    return at ? pow(1000, (double)(at - prefixes) - 6) : 0;
}

bool gprof_flat_header(assay_slice line, assay_slice *unit, double *scale)
{
    assay_slice rest = line;
    if (!slice_is(word(&rest), "time")) return false;
    *unit = word(&rest);
    if (!unit->len || !slice_equal(word(&rest), *unit) || !slice_is(word(&rest), "calls")) return false;
    *scale = unit_scale(word(&rest));
    return *scale > 0 && unit_scale(word(&rest)) > 0 && slice_is(word(&rest), "name");
}

/* Hundredths: all that gprof prints of seconds. */
static double rounded(double seconds) { return round(seconds * 100) / 100; }

bool gprof_flat_row(assay_slice line, double scale, struct gprof_record *r)
{
    enum { CALLS_WIDTH = 9 }; /* " %8lu": more blanks are columns that are empty */
    assay_slice rest = line;
    double per_call;
    if (!take_double(&rest, &r->percent) || !take_double(&rest, &r->cumulative) || !take_double(&rest, &r->self)) return false;
    r->has_calls = blanks(rest) < CALLS_WIDTH;
    if (r->has_calls) {
        if (!count(word(&rest), &r->calls) || !take_double(&rest, &per_call) || !take_double(&rest, &per_call)) return false;
        r->total = fmax(rounded(per_call * scale * (double)r->calls), r->self);
    }
    return name_of(rest, &r->who);
}

/* ---- the call graph ---- */

bool gprof_graph_header(assay_slice line)
{
    assay_slice rest = line;
    if (!slice_is(word(&rest), "index")) return false;
    return slice_contains(rest, "time") && slice_contains(rest, "self") && slice_contains(rest, "called") && slice_contains(rest, "name");
}

/* N, N+R or N/TOTAL. */
static bool called(assay_slice w, struct gprof_record *r)
{
    size_t n = 0;
    while (n < w.len && w.data[n] >= '0' && w.data[n] <= '9') n++;
    assay_slice behind = { w.data + n + 1, w.len - n - (n < w.len) };
    if (!n || !count((assay_slice){ w.data, n }, &r->calls)) return false;
    r->has_calls = true;
    if (n == w.len) return true;
    if (w.data[n] == '+') return count(behind, &r->recursive);
    r->has_all = w.data[n] == '/' && count(behind, &r->all_calls);
    return r->has_all;
}

bool gprof_graph_line(assay_slice line, bool is_primary, struct gprof_record *r)
{
    assay_slice rest = line, before, w;
    if (is_primary) {
        word(&rest); /* the index again, cut to six bytes */
        if (!take_double(&rest, &r->percent)) return false;
    }
    before = rest;
    w = word(&rest);
    r->has_times = is_primary || memchr(w.data, '.', w.len);
    if (r->has_times) {
        rest = before;
        if (!take_double(&rest, &r->self) || !take_double(&rest, &r->children)) return false;
        before = rest;
        w = word(&rest);
    }
    if (!called(w, r)) {
        if (!is_primary || (w.len && w.data[0] >= '0' && w.data[0] <= '9')) return false;
        rest = before;
    }
    return name_of(rest, &r->who) && (r->who.index || !is_primary);
}
