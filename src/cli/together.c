/* Files dealt out to processes; see together.h. */
#include "cli/together.h"

#include <sys/stat.h>

/* A file that is not there counts as an empty one: whoever reads it says so. */
static double size_of(const char *path)
{
    struct stat st;
    return 1 + (stat(path, &st) == 0 ? (double)st.st_size : 0);
}

/* How far the files of all processes up to one go: a file belongs to the process in whose share of the bytes its middle lies. */
struct dealer {
    double total, before; /* bytes of all files, of those that are dealt out */
    size_t next;
};

static void deal(struct cli *c, struct dealer *d, double share)
{
    for (; d->next < c->set.files.len; d->next++) {
        double size = size_of(c->set.files.at[d->next]);
        if (share < 1 && d->before + size / 2 >= d->total * share) return;
        d->before += size;
    }
}

/* The first process looks at the sizes and says who has what: so all agree, whatever they see. */
void cli_share_files(struct cli *c, const struct team *team, size_t *begin, size_t *end)
{
    struct dealer d = { 0 };
    uint64_t to = 0;
    *begin = 0;
    *end = c->set.files.len;
    for (size_t i = 0; team && !team->rank && i < c->set.files.len; i++) d.total += size_of(c->set.files.at[i]);
    for (uint32_t rank = 0; team && rank < team->count; rank++) {
        if (rank == team->rank) *begin = (size_t)to;
        if (!team->rank) deal(c, &d, rank + 1 < team->count ? (double)(rank + 1) / team->count : 1);
        to = d.next;
        team->broadcast(team->arg, 0, &to, sizeof to);
        if (rank == team->rank) *end = (size_t)to;
    }
}
