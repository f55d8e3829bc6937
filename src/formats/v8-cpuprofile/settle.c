/* Nodes -> a tree, and samples -> its nodes; see cpuprofile.h. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "formats/v8-cpuprofile/cpuprofile.h"

static void refuse(struct cpuprofile *s, const char *rule, const struct cpuprofile_family *f, const char *what, uint32_t id)
{
    findings_add(s->damage, rule, ASSAY_ERROR, f->off, f->line, what, id);
    s->is_sound = false;
}

static void link_nodes(struct cpuprofile *s, size_t family, uint32_t parent, uint32_t child)
{
    const struct cpuprofile_family *f = &s->families.at[family];
    struct cpuprofile_node *n = &s->nodes.at[child];
    /* A child may name the parent that lists it. */
    if (n->family && n->parent == parent && s->families.at[n->family - 1].is_parent != f->is_parent) return;
    if (n->parent || n->family) {
        refuse(s, "VP03", f, "node %u has two parents", n->id);
        return;
    }
    n->parent = parent;
    n->family = (uint32_t)family + 1;
}

/* `mark` is by function: the family, and one, in which it was met last. */
static int link_family(struct cpuprofile *s, size_t family, uint32_t *mark)
{
    const struct cpuprofile_family *f = &s->families.at[family];
    s->are_contexts &= !f->is_parent && (!family || f->node != s->families.at[family - 1].node);
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t id = s->kids.at[f->first + i], other = cpuprofile_find(s, id);
        TRY(cancel_step(i, s->err));
        if (other) {
            uint32_t *last = &mark[s->nodes.at[other].func];
            s->are_contexts &= *last != family + 1;
            *last = (uint32_t)family + 1;
            link_nodes(s, family, f->is_parent ? other : f->node, f->is_parent ? f->node : other);
        } else if (!s->is_cut)
            refuse(s, "VP02", f, f->is_parent ? "the parent, node %u, is not there" : "child %u is not there", id);
    }
    return 0;
}

/* Each node has one parent at most: whoever comes back to a node that was met on the same way up is in a circle. */
static int find_cycles(struct cpuprofile *s)
{
    SCRATCH(uint32_t, met, s->mem, s->nodes.len);
    if (!met) return error_memory(s->err);
    uint64_t steps = 0;
    for (uint32_t i = 1; i < s->nodes.len; i++) {
        uint32_t n = i;
        for (; n && !met[n]; n = s->nodes.at[n].parent) {
            TRY(cancel_step(steps++, s->err));
            met[n] = i;
        }
        if (!n || met[n] != i) continue;
        while (!s->nodes.at[n].family) n = s->nodes.at[n].parent; /* what stands inside each other is no circle: a list closes it */
        refuse(s, "VP03", &s->families.at[s->nodes.at[n].family - 1], "node %u is its own caller", s->nodes.at[n].id);
    }
    return 0;
}

/* ---- samples ---- */

static int find_nodes(struct cpuprofile *s)
{
    const struct cpuprofile_place *at = &s->samples_at;
    uint64_t lost = 0;
    for (size_t i = 0; i < s->samples.len; i++) {
        uint32_t id = s->samples.at[i];
        TRY(cancel_step(i, s->err));
        s->samples.at[i] = cpuprofile_find(s, id);
        if (s->samples.at[i] || i < s->it.checked) continue;
        if (s->is_heap)
            lost++;
        else if (!s->is_cut) {
            findings_add(s->damage, "VP04", ASSAY_ERROR, at->off, at->line, "sample %zu is of node %u, which is not there", i + 1, id);
            s->is_sound = false;
        }
    }
    if (lost)
        findings_add(s->damage, "VP04", ASSAY_INFO, at->off, at->line, "%llu samples are of nodes that are not there: their memory was freed",
                     (unsigned long long)lost);
    return 0;
}

/* Old files end with the time of the end. */
static void check_lengths(struct cpuprofile *s)
{
    size_t samples = s->samples.len, times = s->times.len;
    bool has_stamps = s->timestamps_at.is_there, has_times = has_stamps || s->deltas_at.is_there;
    const struct cpuprofile_place *at = has_stamps ? &s->timestamps_at : &s->deltas_at;
    if (s->is_cut || !has_times || times == samples || (has_stamps && times == samples + 1)) return;
    findings_add(s->damage, "VP05", ASSAY_ERROR, at->off, at->line, "%zu samples, but %zu times", samples, times);
    s->is_sound = false;
}

static void check_times(struct cpuprofile *s)
{
    const struct cpuprofile_place *at = s->timestamps_at.is_there ? &s->timestamps_at : &s->deltas_at;
    double last = 0;
    for (size_t i = 0; i < s->times.len && !cancel_at(i); i++) {
        double v = s->times.at[i];
        s->negative += s->timestamps_at.is_there ? i && v < last : v < 0;
        if (s->deltas_at.is_there) s->delta_sum += v;
        last = v;
    }
    if (s->negative)
        findings_add(s->damage, "VP06", ASSAY_INFO, at->off, at->line, "%llu samples are earlier than the one before them: they are sorted by time",
                     (unsigned long long)s->negative);
    if (s->samples.len && !s->times.len && !s->is_cut)
        findings_add(s->damage, "VP07", ASSAY_WARNING, s->samples_at.off, s->samples_at.line, "samples have no times: only their number is known");
    if (!s->samples.len && s->hit_count)
        findings_add(s->damage, "VP08", ASSAY_INFO, FINDING_NO_OFFSET, 0, "there are no samples: hits are those that the nodes say, and times are not known");
}

/* Nodes that stand inside each other are not looked at as families. */
static int link_all(struct cpuprofile *s)
{
    SCRATCH(uint32_t, mark, s->mem, s->funcs.len);
    if (!mark) return error_memory(s->err);
    uint32_t inside = 0, roots = 0;
    for (size_t i = 1; i < s->nodes.len; i++) {
        TRY(cancel_step(i, s->err));
        inside |= s->nodes.at[i].parent;
    }
    s->are_contexts = !inside;
    for (size_t i = 0; i < s->families.len; i++) {
        TRY(cancel_step(i, s->err));
        TRY(link_family(s, i, mark));
    }
    for (size_t i = 1; i < s->nodes.len; i++) {
        TRY(cancel_step(i, s->err));
        roots += !s->nodes.at[i].parent;
    }
    s->are_contexts &= roots <= 1;
    return 0;
}

int cpuprofile_settle(struct cpuprofile *s)
{
    TRY(link_all(s));
    if (s->families.len) TRY(find_cycles(s));
    TRY(find_nodes(s));
    if (s->is_heap) return 0;
    check_lengths(s);
    check_times(s);
    return 0;
}
