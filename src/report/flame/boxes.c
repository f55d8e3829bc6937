/* Which contexts are shown and where, and what texts say of them: shared by the picture and the terminal. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/slice.h"
#include "report/flame/flame.h"

assay_slice flame_name(const struct flame *f, uint32_t row)
{
    if (!row) return SLICE("all");
    assay_slice name = f->diff ? paths_diff_name(f->diff, row) : paths_name(f->paths, row);
    return name.len ? name : SLICE("(no name)");
}

double flame_total(const struct flame *f, uint32_t row)
{
    return f->diff ? value_double(f->diff->type, sums_value(&f->diff->total[f->diff->options.by], row)) : paths_total(f->paths, row);
}

/* ---- the walk ---- */

static double share_of(const struct flame *f, enum paths_side side, uint32_t row)
{
    double whole = paths_diff_total(f->diff, side, 0);
    return whole > 0 ? paths_diff_total(f->diff, side, row) / whole : 0;
}

static bool is_wide(const struct flame *f, bool both, uint32_t row, double share)
{
    if (both && f->diff) share = fmax(share_of(f, PATHS_BEFORE, row), share_of(f, PATHS_AFTER, row));
    return share > 0 && share >= f->least;
}

bool flame_walk(const struct flame *f, bool both, flame_row_fn fn, void *arg)
{
    const struct path_row *rows = f->paths->rows.at;
    size_t room = (size_t)f->paths->depth + 2;
    double *ends = mem_zalloc(f->paths->mem, room, sizeof *ends); /* by depth: where the next child begins */
    if (!ends) return false;
    double whole = flame_total(f, 0);
    uint32_t row = 0, deepest = f->depth ? f->depth : UINT32_MAX;
    for (;;) {
        uint32_t depth = rows[row].depth;
        double share = !row ? 1 : whole > 0 ? flame_total(f, row) / whole : 0, from = ends[depth];
        bool is_shown = !row || (depth <= deepest && is_wide(f, both, row, share) && (both || from < 1));
        if (is_shown) {
            share = fmin(share, 1 - from);
            fn(arg, row, from, share);
            ends[depth] = from + share;
        }
        if (is_shown && rows[row].first) {
            ends[depth + 1] = from;
            row = rows[row].first;
            continue;
        }
        /* the siblings after one that is too small are smaller still */
        if (!is_shown && !both) row = rows[row].parent;
        while (row && !rows[row].next) row = rows[row].parent;
        if (!row) break;
        row = rows[row].next;
    }
    mem_free(f->paths->mem, ends, room * sizeof *ends);
    return true;
}

/* ---- differences ---- */

const char *flame_change(char *buf, const struct flame *f, double change)
{
    char text[48];
    value_text(text, f->exact, ASSAY_F64, (assay_value){ .d = fabs(change) }, f->unit);
    snprintf(buf, 48, "%s%.40s", change > 0 ? "+" : change < 0 ? "-" : "", text);
    return buf;
}

const char *flame_growth(char *buf, double before, double after)
{
    char text[48];
    *buf = '\0';
    if (!(before > 0) || !(after > 0)) {
        snprintf(buf, 48, "%s", after > 0 ? "new" : before > 0 ? "gone" : "");
        return buf;
    }
    snprintf(text, sizeof text, "%.*f", fabs(after - before) < 10 * before ? 1 : 0, 100 * fabs(after - before) / before);
    snprintf(buf, 48, "%s%.40s%%", after > before ? "+" : after < before ? "-" : "", text);
    return buf;
}
