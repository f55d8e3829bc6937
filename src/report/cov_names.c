/* The references of a store as decorations; see cov_format.h. */
#include <string.h>

#include "report/cov_format.h"
#include "store/refs.h"

struct collect {
    struct cov_names *names;
    struct store *store;
    size_t skip; /* bytes of "refs/tags/" */
    bool is_tag;
    assay_error *err;
};

static int add(void *arg, const char *name, const struct ref_value *value)
{
    struct collect *c = arg;
    struct ref_value last = *value;
    if (last.kind == REF_SYMBOLIC && refs_follow(c->store, name, &last, NULL, NULL) != 0) return 0;
    if (last.kind != REF_ID) return 0;
    struct cov_name *at = vec_push(store_mem(c->store), &c->names->at);
    if (!at) return error_memory(c->err);
    *at = (struct cov_name){ arena_copy(&c->names->text, slice_of(name + c->skip)), last.id, c->is_tag };
    return at->name ? 0 : error_memory(c->err);
}

int cov_names_load(struct cov_names *n, struct store *s, assay_error *err)
{
    static const char heads[] = "refs/heads/", tags[] = "refs/tags/";
    struct ref_value head;
    char last[REFS_NAME_MAX];
    struct collect c = { .names = n, .store = s, .skip = sizeof tags - 1, .is_tag = true, .err = err };
    *n = (struct cov_names){ 0 };
    arena_init(&n->text, store_mem(s));
    TRY(refs_each(s, tags, add, &c, err));
    c.skip = sizeof heads - 1;
    c.is_tag = false;
    TRY(refs_each(s, heads, add, &c, err));
    if (refs_follow(s, "HEAD", &head, last, NULL) != 0) return 0;
    n->has_head = head.kind == REF_ID;
    n->head = head.id;
    if (strncmp(last, heads, sizeof heads - 1) != 0) return 0;
    n->branch = arena_copy(&n->text, slice_of(last + sizeof heads - 1));
    return n->branch ? 0 : error_memory(err);
}

void cov_names_done(struct cov_names *n)
{
    if (!n->text.mem) return;
    vec_done(n->text.mem, &n->at);
    arena_done(&n->text);
}
