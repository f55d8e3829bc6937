/* The symbols of an ELF file as perf chooses them: every label of code counts, those without a size reach to the next, and of several at one address
 * one is taken by its size, binding and name. Needs libelf, as elf.c does. */
#include "symbols/sources.h"

#ifdef ASSAY_HAVE_DWARF
#include <late_elf.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "symbols/demangle.h"
#include "symbols/elf_parts.h"

struct candidate {
    uint64_t address, size;
    const char *name;
    uint32_t order;
    uint8_t binding;
};

static bool is_code(Elf *elf, const GElf_Sym *sym)
{
    GElf_Shdr head;
    int type = GELF_ST_TYPE(sym->st_info);
    if (type != STT_FUNC && type != STT_GNU_IFUNC && (type != STT_NOTYPE || GELF_ST_VISIBILITY(sym->st_other))) return false;
    Elf_Scn *section = sym->st_shndx && sym->st_shndx < SHN_LORESERVE ? elf_getscn(elf, sym->st_shndx) : NULL;
    return section && gelf_getshdr(section, &head) && head.sh_flags & SHF_EXECINSTR;
}

static size_t underscores(const char *name) { return strspn(name, "_"); }

/* Whether `a` is the better name for the place of both. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (!a->size != !b->size) return a->size;
    if ((a->binding == STB_WEAK) != (b->binding == STB_WEAK)) return a->binding != STB_WEAK;
    if ((a->binding == STB_GLOBAL) != (b->binding == STB_GLOBAL)) return a->binding == STB_GLOBAL;
    if (underscores(a->name) != underscores(b->name)) return underscores(a->name) < underscores(b->name);
    return strlen(a->name) > strlen(b->name);
}

static int by_address(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    ORDER_BY(x->address, y->address);
    return ORDER(x->order, y->order);
}

static Elf_Data *find_table(Elf *elf, bool dynamic, GElf_Shdr *head)
{
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));)
        if (gelf_getshdr(s, head) && head->sh_type == (dynamic ? SHT_DYNSYM : SHT_SYMTAB)) return elf_getdata(s, NULL);
    return NULL;
}

static size_t choose(struct candidate *all, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!kept || all[kept - 1].address != all[i].address)
            all[kept++] = all[i];
        else if (is_better(&all[i], &all[kept - 1]))
            all[kept - 1] = all[i];
    }
    return kept;
}

static void add(struct symtab *t, const struct candidate *c, uint64_t next)
{
    enum { PAGE = 4096 };
    uint64_t open = next != UINT64_MAX ? next : ((c->address + PAGE - 1) & ~(uint64_t)(PAGE - 1)) + PAGE;
    uint64_t end = !c->size ? open : c->size > UINT64_MAX - c->address ? UINT64_MAX : c->address + c->size;
    const char *version = strchr(c->name, '@');
    assay_slice name = { c->name, version && version > c->name ? (size_t)(version - c->name) : strlen(c->name) };
    assay_slice shown = demangle_short(&t->text, c->name, &t->failed);
    struct symbols_function f = { .name = shown.len ? shown : name, .link_name = name, .has_address = true, .address = c->address, .identity = c->address };
    struct symbols_scope s = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .address = c->address };
    s.function = symtab_function(t, &f);
    symtab_span(t, c->address, end < next ? end : next, symtab_node(t, 0, &s));
}

bool elf_perf_symbols(struct symtab *t, struct elf_file *f, bool dynamic)
{
    GElf_Shdr head;
    GElf_Sym sym;
    VEC(struct candidate) all = { 0 };
    vec_scoped(t->mem, &all);
    Elf *elf = elf_handle(f);
    Elf_Data *data = find_table(elf, dynamic, &head);
    if (!data || !data->d_buf || head.sh_entsize == 0) return false;
    uint64_t count = data->d_size / head.sh_entsize;
    for (uint64_t i = 0; i < count && i < INT32_MAX; i++) {
        if (cancel_at(i)) return t->failed = true, false;
        const char *name = gelf_getsym(data, (int)i, &sym) && is_code(elf, &sym) ? elf_strptr(elf, head.sh_link, sym.st_name) : NULL;
        if (!name || !name[0]) continue;
        struct candidate *c = vec_push(t->mem, &all);
        if (!c) return t->failed = true, false;
        *c = (struct candidate){ sym.st_value, sym.st_size, name, (uint32_t)i, GELF_ST_BIND(sym.st_info) };
    }
    if (all.len > 1 && !sort_by(all.at, all.len, sizeof *all.at, by_address)) return t->failed = true, false;
    size_t kept = choose(all.at, all.len);
    for (size_t i = 0; i < kept && !t->failed && !t->is_spent; i++) add(t, &all.at[i], i + 1 < kept ? all.at[i + 1].address : UINT64_MAX);
    return t->spans.len > 0;
}

void elf_loads(struct symtab *t, struct elf_file *f)
{
    enum { MOST = 4096 };
    GElf_Phdr head;
    size_t count = 0;
    if (elf_getphdrnum(elf_handle(f), &count) != 0) return;
    for (size_t i = 0; i < count && i < MOST && !t->failed; i++) {
        if (!gelf_getphdr(elf_handle(f), (int)i, &head) || head.p_type != PT_LOAD) continue;
        struct symtab_load *load = vec_push(t->mem, &t->loads);
        if (load)
            *load = (struct symtab_load){ head.p_offset, head.p_filesz, head.p_vaddr };
        else
            t->failed = true;
    }
}

#else

bool elf_perf_symbols(struct symtab *t, struct elf_file *f, bool dynamic) { return (void)t, (void)f, (void)dynamic, false; }
void elf_loads(struct symtab *t, struct elf_file *f) { (void)t, (void)f; }

#endif
