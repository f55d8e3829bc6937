/* Names for people; see names.h. */
#include "store/names.h"
const char *names_show(void *names, assay_slice name, struct arena *a)
{
    (void)names;
    return arena_copy(a, name);
}
int names_load(struct names *n, const struct config *c, const char *worktree, struct mem *mem, assay_error *err)
{
    (void)c, (void)worktree, (void)err;
    *n = (struct names){ .mem = mem };
    arena_init(&n->text, mem);
    return 0;
}
void names_done(struct names *n)
{
    vec_done(n->mem, &n->rules);
    arena_done(&n->text);
}
