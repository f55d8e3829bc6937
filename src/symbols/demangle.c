/* C++ names by libiberty; see demangle.h.
 *
 * A mangled name refers back to its parts, and each reference is printed in full: 300 bytes can stand for more text than there is memory. So the tree
 * of the name, in which a part that is used twice stands once, is weighed before it is printed. */
#include "symbols/demangle.h"

#ifdef ASSAY_HAVE_DEMANGLE
#include <libiberty/demangle.h>
#include <stdlib.h>

#include "base/scoped.h"

enum {
    OPTIONS = DMGL_PARAMS | DMGL_TYPES,
    MAX_NAME = 4000,      /* libiberty recurses over the name */
    MAX_TEXT = 1 << 18,   /* of what is printed */
    MAX_REACH = 1 << 22,  /* where there is only a rough guess of it */
    MAX_REFERENCES = 128, /* parts that are told apart for that */
    MAX_SCOPES = 4        /* functions with parameters inside each other */
};

struct scales {
    const struct demangle_component *parts; /* all of them in one block */
    uint32_t count;
    uint32_t *weights; /* by part: 0 = not known yet, OPEN = being weighed */
    uint32_t *stack;   /* parts being weighed */
    uint32_t argument; /* what a template parameter may stand for: the heaviest argument */
    uint32_t heaviest;
    uint32_t scopes;
};
#define OPEN UINT32_MAX

/* The number of a part; `count` = `p` is none. */
static uint32_t number_of(const struct scales *s, const struct demangle_component *p)
{
    uintptr_t off = (uintptr_t)p - (uintptr_t)s->parts;
    return off < s->count * sizeof *p && off % sizeof *p == 0 ? (uint32_t)(off / sizeof *p) : s->count;
}

/* What stands below a part, on one side of it. */
static uint32_t below(const struct scales *s, uint32_t part, bool is_right)
{
    const struct demangle_component *p = &s->parts[part], *left = NULL, *right = NULL;
    switch (p->type) {
    case DEMANGLE_COMPONENT_NAME:
    case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
    case DEMANGLE_COMPONENT_FUNCTION_PARAM:
    case DEMANGLE_COMPONENT_SUB_STD:
    case DEMANGLE_COMPONENT_BUILTIN_TYPE:
    case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE:
    case DEMANGLE_COMPONENT_OPERATOR:
    case DEMANGLE_COMPONENT_CHARACTER:
    case DEMANGLE_COMPONENT_NUMBER:
    case DEMANGLE_COMPONENT_UNNAMED_TYPE: break;
    case DEMANGLE_COMPONENT_EXTENDED_OPERATOR: right = p->u.s_extended_operator.name; break;
    case DEMANGLE_COMPONENT_CTOR: right = p->u.s_ctor.name; break;
    case DEMANGLE_COMPONENT_DTOR: right = p->u.s_dtor.name; break;
    case DEMANGLE_COMPONENT_FIXED_TYPE: left = p->u.s_fixed.length; break;
    case DEMANGLE_COMPONENT_LAMBDA:
    case DEMANGLE_COMPONENT_DEFAULT_ARG: left = p->u.s_unary_num.sub; break;
    default: left = p->u.s_binary.left, right = p->u.s_binary.right;
    }
    return number_of(s, is_right ? right : left);
}

static uint32_t capped(uint64_t weight) { return weight < MAX_TEXT ? (uint32_t)weight : MAX_TEXT; }

/* A part whose children are weighed. */
static void weigh_part(struct scales *s, uint32_t part)
{
    const struct demangle_component *p = &s->parts[part];
    uint32_t left = below(s, part, false), right = below(s, part, true);
    uint64_t w = 1;
    if (left < s->count) w += s->weights[left];
    if (right < s->count) w += s->weights[right];
    if (p->type == DEMANGLE_COMPONENT_NAME && p->u.s_name.len > 0) w += (uint64_t)p->u.s_name.len;
    if (p->type == DEMANGLE_COMPONENT_TEMPLATE_PARAM) w += s->argument;
    if (p->type == DEMANGLE_COMPONENT_TYPED_NAME) s->scopes++;
    s->weights[part] = capped(w);
    if (p->type == DEMANGLE_COMPONENT_TEMPLATE_ARGLIST && left < s->count && s->weights[left] > s->heaviest) s->heaviest = s->weights[left];
}

/* The weight of the tree; MAX_TEXT = too much. */
static uint32_t weigh(struct scales *s, uint32_t root)
{
    uint32_t depth = 0;
    memset(s->weights, 0, s->count * sizeof *s->weights);
    s->heaviest = s->scopes = 0;
    s->weights[root] = OPEN;
    s->stack[depth++] = root;
    while (depth) {
        uint32_t part = s->stack[depth - 1], next = s->count;
        for (int side = 0; side < 2 && next == s->count; side++) {
            uint32_t child = below(s, part, side);
            if (child < s->count && s->weights[child] == OPEN) return MAX_TEXT;
            if (child < s->count && s->weights[child] == 0) next = child;
        }
        if (next < s->count) {
            s->weights[next] = OPEN;
            s->stack[depth++] = next;
        } else {
            weigh_part(s, part);
            depth--;
        }
    }
    return s->weights[root];
}

/* Parameters stand for arguments, in which there may be parameters of the function around. */
static bool is_bearable(struct scales *s, uint32_t root)
{
    uint32_t weight = weigh(s, root), scopes = s->scopes;
    for (uint32_t i = 0; i < scopes && weight < MAX_TEXT; i++) {
        if (i == MAX_SCOPES) return false;
        s->argument = s->heaviest;
        weight = weigh(s, root);
    }
    return weight < MAX_TEXT;
}

/* How much text a name may become by its references alone: each adds at most all that stood before the first one to the same part. */
static uint64_t reach_of(const char *name, size_t len)
{
    uint64_t total = len, firsts[2][MAX_REFERENCES] = { { 0 } };
    for (const char *p = name + 2; *p; p++) {
        if (*p != 'S' && *p != 'T') continue;
        unsigned n = 0;
        const char *q = p + 1;
        for (; ((*q >= '0' && *q <= '9') || (*q >= 'A' && *q <= 'Z')) && n < MAX_REFERENCES; q++) n = 36 * n + (unsigned char)*q;
        if (*q != '_' && n < MAX_REFERENCES) continue;
        uint64_t *first = &firsts[*p == 'T'][n % MAX_REFERENCES], more = n < MAX_REFERENCES && *first ? *first : total;
        if (n < MAX_REFERENCES) *first = more;
        total = total + more < MAX_REACH ? total + more : MAX_REACH;
    }
    return total;
}

static bool may_print(struct mem *mem, size_t len, const struct demangle_component *tree, const void *block, bool *failed)
{
    struct scales s = { .parts = block, .count = 2 * (uint32_t)len };
    uint32_t root = number_of(&s, tree);
    if (root == s.count) return false;
    size_t room = (size_t)2 * s.count * sizeof *s.weights;
    s.weights = mem_alloc(mem, room);
    mem_scoped(mem, s.weights, room);
    s.stack = s.weights ? s.weights + s.count : NULL;
    *failed |= !s.weights;
    return s.weights && is_bearable(&s, root);
}

/* The text, to be freed, or NULL. There is no tree of a name with certain expressions in it, which libiberty reads in a second way. */
static char *print(struct mem *mem, const char *name, size_t len, int options, bool *failed)
{
    void *block = NULL;
    size_t room = 0;
    uint64_t reach = reach_of(name, len);
    struct demangle_component *tree = cplus_demangle_v3_components(name, options, &block);
    if (!tree) return reach < MAX_REACH ? cplus_demangle_v3(name, options) : NULL;
    bool is_fine = reach < MAX_TEXT || may_print(mem, len, tree, block, failed);
    char *shown = is_fine ? cplus_demangle_print(options, tree, (int)(2 * len), &room) : NULL;
    free(block);
    return shown;
}

static assay_slice demangle_by(struct arena *text, const char *name, int options, bool *failed)
{
    assay_slice none = { NULL, 0 };
    size_t len = strnlen(name, MAX_NAME + 1);
    if (name[0] != '_' || name[1] != 'Z' || len > MAX_NAME) return none;
    char *shown = print(text->mem, name, len, options, failed);
    if (!shown) return none;
    assay_slice s = slice_of(shown);
    if (s.len <= MAX_TEXT) {
        s.data = arena_copy(text, s);
        *failed |= !s.data;
    } else
        s = none;
    free(shown);
    return s.data ? s : none;
}

assay_slice demangle(struct arena *text, const char *name, bool *failed) { return demangle_by(text, name, OPTIONS, failed); }
assay_slice demangle_short(struct arena *text, const char *name, bool *failed) { return demangle_by(text, name, DMGL_NO_OPTS, failed); }

#else

assay_slice demangle(struct arena *text, const char *name, bool *failed) { return (void)text, (void)name, (void)failed, (assay_slice){ NULL, 0 }; }
assay_slice demangle_short(struct arena *text, const char *name, bool *failed) { return (void)text, (void)name, (void)failed, (assay_slice){ NULL, 0 }; }

#endif
