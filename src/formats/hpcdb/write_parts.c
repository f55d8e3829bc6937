/* One file of the database written by several processes; see formats/hpcdb/write.h. A rank cannot know where its part begins before all ranks before it have
 * made theirs. So it writes into a file of its own beside the real one, and copies it once the lengths are known. */
#include <stdio.h>

#include "base/scoped.h"
#include "formats/hpcdb/write.h"

enum { COPY_LEN = 1 << 20 };

int hpcdb_part_open(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, struct output_dir *dir, enum hpcdb_part part, uint64_t first_section,
                    assay_error *err)
{
    char name[64];
    const struct team *t = hpcdb_plan_team(plan);
    if (hpcdb_plan_is_first(plan)) return hpcdb_encode_open(e, dir, part, first_section, err);
    *e = (struct hpcdb_encoder){ .part = part };
    snprintf(name, sizeof name, "%s.%u", hpcdb_layouts[part].name, t->rank);
    return output_dir_file(dir, name, &e->out, err);
}

static int copy(const struct hpcdb_plan *plan, const struct output *from, uint64_t len, struct output *to, uint64_t base, assay_error *err)
{
    SCRATCH(char, buf, plan->mem, COPY_LEN);
    if (!buf) return error_memory(err);
    output_resume(to, base);
    for (uint64_t at = 0; at < len && !output_failed(to);) {
        size_t n = len - at < COPY_LEN ? (size_t)(len - at) : COPY_LEN;
        TRY(output_read_settled(from, at, buf, n, err));
        output_bytes(to, buf, n);
        at += n;
    }
    output_settle(to);
    return output_blame(to, output_failed(to), err);
}

static int settle(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, struct output_dir *dir, uint64_t base, uint64_t len, assay_error *err)
{
    struct output *file;
    output_settle(e->out);
    if (output_failed(e->out)) return output_blame(e->out, output_failed(e->out), err);
    if (hpcdb_plan_is_first(plan)) return 0;
    TRY(output_dir_join_file(dir, hpcdb_layouts[e->part].name, &file, err));
    int rc = copy(plan, e->out, len, file, base, err);
    output_abort(e->out);
    e->out = file;
    return rc;
}

int hpcdb_part_settle(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, struct output_dir *dir, uint64_t *base, uint64_t *end, assay_error *err)
{
    const struct team *t = hpcdb_plan_team(plan);
    uint64_t len = output_off(e->out);
    *base = team_before(t, (len + 3) / 4 * 4, end);
    TRY(team_agree(t, settle(plan, e, dir, *base, len, err), err));
    if (t->rank) output_resume(e->out, *end); /* so that all before it can be patched */
    return 0;
}

int hpcdb_part_leave(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, uint64_t end, int rc, assay_error *err)
{
    const struct team *t = hpcdb_plan_team(plan);
    if (t->rank) {
        int why = output_commit(e->out, rc == 0 ? err : NULL);
        e->out = NULL;
        rc = rc == 0 ? why : rc;
    } else
        output_resume(e->out, end);
    return team_agree(t, rc, err);
}
