/* See package.h. */
#include "formats/jacoco/package.h"

void jacoco_package_init(struct jacoco_package *p, struct mem *mem)
{
    memset(p, 0, sizeof *p);
    p->mem = mem;
    intern_init(&p->names, mem);
    intern_init(&p->stems, mem);
}

void jacoco_package_done(struct jacoco_package *p)
{
    intern_done(&p->names);
    intern_done(&p->stems);
    vec_done(p->mem, &p->by_name, &p->by_stem, &p->text, &p->classes, &p->methods, &p->sources, &p->path);
}

static bool put(struct jacoco_package *p, assay_slice s, struct jacoco_text *out)
{
    if (!vec_reserve(p->mem, &p->text, s.len + 1)) return false;
    *out = (struct jacoco_text){ p->text.len, s.len };
    if (s.len) memcpy(p->text.at + p->text.len, s.data, s.len);
    p->text.len += s.len;
    return true;
}

bool jacoco_package_begin(struct jacoco_package *p, assay_slice name)
{
    intern_done(&p->names);
    intern_done(&p->stems);
    intern_init(&p->names, p->mem);
    intern_init(&p->stems, p->mem);
    p->by_name.len = p->by_stem.len = 0;
    p->text.len = p->classes.len = p->methods.len = p->sources.len = p->path.len = 0;
    return put(p, name, &p->name);
}

bool jacoco_package_class(struct jacoco_package *p, assay_slice name, assay_slice source, uint64_t off, uint64_t number)
{
    struct jacoco_class *c = vec_push(p->mem, &p->classes);
    if (!c) return false;
    *c = (struct jacoco_class){ .off = off, .number = number };
    return put(p, name, &c->name) && put(p, source, &c->source);
}

bool jacoco_package_method(struct jacoco_package *p, assay_slice name, assay_slice desc, uint32_t line)
{
    struct jacoco_text first, part;
    struct jacoco_method *m = p->classes.len ? vec_push(p->mem, &p->methods) : NULL;
    if (!m) return false;
    struct jacoco_text owner = p->classes.at[p->classes.len - 1].name;
    *m = (struct jacoco_method){ .owner = (uint32_t)(p->classes.len - 1), .line = line };
    if (!vec_reserve(p->mem, &p->text, owner.len + 1)) return false;
    if (!put(p, jacoco_package_text(p, owner), &first) || !put(p, SLICE("."), &part) || !put(p, name, &part) || !put(p, desc, &part)) return false;
    m->name = (struct jacoco_text){ first.at, p->text.len - first.at };
    return true;
}

static assay_slice stem(assay_slice file)
{
    const char *dot = file.len ? memrchr(file.data, '.', file.len) : NULL;
    return dot ? slice_from(file.data, dot) : file;
}

/* Notes the newest source file under both of its names, unless another one has the name already. */
static bool remember(struct jacoco_package *p, assay_slice name)
{
    uint32_t index = (uint32_t)(p->sources.len - 1), id = intern_put(&p->names, name), of = intern_put(&p->stems, stem(name));
    uint32_t *slot;
    if (!id || !of) return false;
    if (id > p->by_name.len) {
        if (!(slot = vec_push(p->mem, &p->by_name))) return false;
        *slot = index;
    }
    if (of > p->by_stem.len) {
        if (!(slot = vec_push(p->mem, &p->by_stem))) return false;
        *slot = index;
    }
    return true;
}

bool jacoco_package_source(struct jacoco_package *p, assay_slice name)
{
    struct jacoco_source *s = vec_push(p->mem, &p->sources);
    assay_slice package = jacoco_package_text(p, p->name);
    if (!s) return false;
    s->file = 0;
    p->path.len = 0;
    if (!put(p, name, &s->name) || !vec_reserve(p->mem, &p->path, package.len + name.len + 1)) return false;
    package = jacoco_package_text(p, p->name);
    if (package.len) {
        memcpy(p->path.at, package.data, package.len);
        p->path.at[package.len] = '/';
        p->path.len = package.len + 1;
    }
    memcpy(p->path.at + p->path.len, name.data, name.len);
    p->path.len += name.len;
    return remember(p, name);
}

void jacoco_package_run(struct jacoco_package *p, bool is_hit)
{
    if (p->methods.len) p->methods.at[p->methods.len - 1].is_hit = is_hit;
}

void jacoco_package_file(struct jacoco_package *p, uint32_t file)
{
    if (p->sources.len) p->sources.at[p->sources.len - 1].file = file;
}

/* ---- which file a class is in ---- */

/* a/b/Outer$Inner -> Outer */
static assay_slice outermost(assay_slice name)
{
    const char *slash = name.data && name.len ? memrchr(name.data, '/', name.len) : NULL;
    assay_slice base = slash ? slice_from(slash + 1, name.data + name.len) : name;
    const char *dollar = base.data && base.len ? memchr(base.data, '$', base.len) : NULL;
    return dollar ? slice_from(base.data, dollar) : base;
}

/* Kotlin keeps the functions of Foo.kt in a class FooKt. */
static uint32_t file_of(const struct jacoco_package *p, const struct jacoco_class *c)
{
    assay_slice base = outermost(jacoco_package_text(p, c->name)), source = jacoco_package_text(p, c->source);
    uint32_t id = source.len ? intern_find(&p->names, source) : 0;
    if (id) return p->sources.at[p->by_name.at[id - 1]].file;
    id = intern_find(&p->stems, base);
    if (!id && slice_ends(base, "Kt")) id = intern_find(&p->stems, (assay_slice){ base.data, base.len - 2 });
    if (id) return p->sources.at[p->by_stem.at[id - 1]].file;
    return p->sources.len == 1 ? p->sources.at[0].file : 0;
}

void jacoco_package_end(struct jacoco_package *p)
{
    for (size_t i = 0; i < p->classes.len; i++) p->classes.at[i].file = file_of(p, &p->classes.at[i]);
}
