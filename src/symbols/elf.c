/* ELF files through libelf: build id, debug link, symbol tables; see sources.h. Every failure of the library means "not there". */
#include "symbols/sources.h"

#ifdef ASSAY_HAVE_DWARF
#include <errno.h>
#include <fcntl.h>
#include <late_dw.h>
#include <late_elf.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "symbols/demangle.h"
#include "symbols/elf_parts.h"

enum { MAX_BUILD_ID = 64 };

struct elf_file {
    struct mem *mem;
    Elf *elf;
    int fd;
    uint64_t size;
    size_t path_len;
    char *path;
    char build_id[2 * MAX_BUILD_ID + 1];
};

static void read_build_id(struct elf_file *f)
{
    const void *bytes = NULL;
    ssize_t len = dwelf_elf_gnu_build_id(f->elf, &bytes);
    for (ssize_t i = 0; bytes && i < len && i < MAX_BUILD_ID; i++) snprintf(f->build_id + 2 * i, 3, "%02x", ((const unsigned char *)bytes)[i]);
}

/* Takes fd. */
static struct elf_file *wrap(const char *path, int fd, Elf *elf, uint64_t size, struct mem *mem)
{
    struct elf_file *f = mem_zalloc(mem, 1, sizeof *f);
    size_t len = strlen(path) + 1;
    char *copy = f ? mem_alloc(mem, len) : NULL;
    if (!copy || !elf || elf_kind(elf) != ELF_K_ELF) {
        mem_free(mem, copy, len);
        mem_free(mem, f, sizeof *f);
        if (elf) elf_end(elf);
        if (fd >= 0) close(fd);
        return NULL;
    }
    *f = (struct elf_file){ .mem = mem, .elf = elf, .fd = fd, .size = size, .path_len = len, .path = memcpy(copy, path, len) };
    read_build_id(f);
    return f;
}

static int open_regular(const char *path, uint64_t *size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return -1;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    *size = (uint64_t)st.st_size;
    return fd;
}

/* Whatever else is called of both libraries comes after this. */
static bool is_loaded(assay_error *err)
{
    *err = (assay_error){ .text = "libelf is another version than assay was built with" };
    return late_elf_load(err) == 0 && late_dw_load(err) == 0 && elf_version(EV_CURRENT) != EV_NONE;
}

struct elf_file *elf_open(const char *path, struct mem *mem, const struct trouble *trouble)
{
    uint64_t size = 0;
    assay_error err;
    int fd = open_regular(path, &size);
    if (fd < 0) {
        if (errno == EACCES) trouble_tell(trouble, "SY02", "%s: permission denied", path);
        return NULL;
    }
    if (!is_loaded(&err)) {
        trouble_tell(trouble, "SY05", "%s: %s", path, err.text);
        close(fd);
        return NULL;
    }
    /* read, not mapped: a file that shrinks meanwhile must not kill the program */
    struct elf_file *f = wrap(path, fd, elf_begin(fd, ELF_C_READ, NULL), size, mem);
    if (!f) trouble_tell(trouble, "SY02", "%s: not an ELF file", path);
    return f;
}

struct elf_file *elf_open_memory(char *data, size_t len, struct mem *mem)
{
    assay_error err;
    if (!is_loaded(&err)) return NULL;
    return wrap("memory", -1, elf_memory(data, len), len, mem);
}

void elf_close(struct elf_file *f)
{
    if (!f) return;
    elf_end(f->elf);
    if (f->fd >= 0) close(f->fd);
    mem_free(f->mem, f->path, f->path_len);
    mem_free(f->mem, f, sizeof *f);
}

const char *elf_path(const struct elf_file *f) { return f->path; }
uint64_t elf_size(const struct elf_file *f) { return f->size; }
const char *elf_build_id(const struct elf_file *f) { return f->build_id; }
Elf *elf_handle(const struct elf_file *f) { return f->elf; }
bool elf_is_memory(const struct elf_file *f) { return f->fd < 0; }

bool elf_is_x86_64(const struct elf_file *f)
{
    GElf_Ehdr head;
    return gelf_getehdr(f->elf, &head) && head.e_machine == EM_X86_64 && head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_ident[EI_DATA] == ELFDATA2LSB;
}

/* The section of this name, or of this type when name is NULL. */
static Elf_Scn *find_section(const struct elf_file *f, const char *name, uint32_t type, GElf_Shdr *head)
{
    size_t names = 0;
    if (elf_getshdrstrndx(f->elf, &names) != 0) return NULL;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(f->elf, s));) {
        if (!gelf_getshdr(s, head)) continue;
        if (!name && head->sh_type == type) return s;
        const char *text = name ? elf_strptr(f->elf, names, head->sh_name) : NULL;
        if (text && strcmp(text, name) == 0) return s;
    }
    return NULL;
}

bool elf_has_dwarf(const struct elf_file *f)
{
    GElf_Shdr head;
    if (find_section(f, ".debug_info", 0, &head) || find_section(f, ".zdebug_info", 0, &head)) return head.sh_type != SHT_NOBITS;
    return find_section(f, ".debug_line", 0, &head) && head.sh_type != SHT_NOBITS;
}

/* The length that a compressed section states; 0 = it is not compressed. Those of older tools (.zdebug_*) begin with "ZLIB" and the length. */
static uint64_t unpacked_len(Elf_Scn *section, const GElf_Shdr *head)
{
    GElf_Chdr compressed;
    if (head->sh_flags & SHF_COMPRESSED) return gelf_getchdr(section, &compressed) ? compressed.ch_size : 0;
    if (head->sh_type != SHT_PROGBITS || head->sh_flags & SHF_ALLOC) return 0;
    Elf_Data *data = elf_rawdata(section, NULL);
    if (!data || !data->d_buf || data->d_size < 12 || memcmp(data->d_buf, "ZLIB", 4) != 0) return 0;
    uint64_t len = 0;
    for (int i = 4; i < 12; i++) len = len << 8 | ((const unsigned char *)data->d_buf)[i];
    return len;
}

uint64_t elf_unpacked_size(const struct elf_file *f)
{
    GElf_Shdr head;
    uint64_t size = f->size;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(f->elf, s));) {
        uint64_t len = gelf_getshdr(s, &head) ? unpacked_len(s, &head) : 0;
        size = len > UINT64_MAX - size ? UINT64_MAX : size + len;
    }
    return size;
}

const char *elf_debuglink(const struct elf_file *f, uint32_t *crc)
{
    GElf_Word value = 0;
    const char *name = dwelf_elf_gnu_debuglink(f->elf, &value);
    *crc = value;
    return name && name[0] && !strchr(name, '/') ? name : NULL;
}

bool elf_crc_is(const char *path, uint32_t crc)
{
    unsigned char buf[16384];
    uint64_t size;
    uLong sum = crc32(0, NULL, 0);
    ssize_t n = -1;
    int fd = open_regular(path, &size);
    if (fd < 0) return false;
    while ((n = read(fd, buf, sizeof buf)) > 0) sum = crc32(sum, buf, (uInt)n);
    close(fd);
    return n == 0 && sum == crc;
}

bool elf_code_bounds(const struct elf_file *f, uint64_t *low, uint64_t *high)
{
    GElf_Shdr head;
    *low = UINT64_MAX;
    *high = 0;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(f->elf, s));) {
        if (!gelf_getshdr(s, &head) || !(head.sh_flags & SHF_EXECINSTR) || head.sh_size == 0 || head.sh_addr + head.sh_size < head.sh_addr) continue;
        if (head.sh_addr < *low) *low = head.sh_addr;
        if (head.sh_addr + head.sh_size > *high) *high = head.sh_addr + head.sh_size;
    }
    return *low < *high;
}

/* NVIDIA's binaries have a section for each kernel, all at address 0; measurements name their code by its place in the file. */
static uint64_t section_base(const struct elf_file *f, const GElf_Sym *sym)
{
    GElf_Ehdr head;
    GElf_Shdr section;
    Elf_Scn *s = gelf_getehdr(f->elf, &head) && head.e_machine == EM_CUDA ? elf_getscn(f->elf, sym->st_shndx) : NULL;
    return s && gelf_getshdr(s, &section) && section.sh_addr == 0 ? section.sh_offset : 0;
}

static void add_symbol(struct symtab *t, uint64_t base, const char *name, GElf_Sym *sym)
{
    int type = GELF_ST_TYPE(sym->st_info);
    if (sym->st_size == 0 || sym->st_shndx == SHN_UNDEF || !name || !name[0]) return;
    if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) return;
    sym->st_value += base;
    assay_slice shown = demangle(&t->text, name, &t->failed);
    struct symbols_function f = { .name = shown.len ? shown : slice_of(name), .link_name = slice_of(name), .has_address = true };
    f.address = f.identity = sym->st_value;
    struct symbols_scope s = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .address = sym->st_value };
    s.function = symtab_function(t, &f);
    uint64_t end = sym->st_value + sym->st_size < sym->st_value ? UINT64_MAX : sym->st_value + sym->st_size;
    symtab_span(t, sym->st_value, end, symtab_node(t, 0, &s));
}

bool elf_symbols(struct symtab *t, struct elf_file *f, bool dynamic, bool compat)
{
    GElf_Shdr head;
    GElf_Sym sym;
    Elf_Scn *section = find_section(f, NULL, dynamic ? SHT_DYNSYM : SHT_SYMTAB, &head);
    Elf_Data *data = section && head.sh_type != SHT_NOBITS ? elf_getdata(section, NULL) : NULL;
    if (!data || !data->d_buf || head.sh_entsize == 0) return false;
    uint64_t count = data->d_size / head.sh_entsize;
    for (uint64_t i = 0; i < count && i < INT32_MAX && !t->failed && !t->is_spent; i++)
        if (gelf_getsym(data, (int)i, &sym)) add_symbol(t, compat ? 0 : section_base(f, &sym), elf_strptr(f->elf, head.sh_link, sym.st_name), &sym);
    symtab_seal_first(t);
    return t->spans.len > 0;
}

#else

struct elf_file *elf_open(const char *path, struct mem *mem, const struct trouble *trouble)
{
    (void)mem;
    trouble_tell(trouble, "SY05", "%s: this build of assay cannot read programs: it was built without libdw", path);
    return NULL;
}
struct elf_file *elf_open_memory(char *data, size_t len, struct mem *mem) { return (void)data, (void)len, (void)mem, NULL; }
void elf_close(struct elf_file *f) { (void)f; }
const char *elf_path(const struct elf_file *f) { return (void)f, ""; }
uint64_t elf_size(const struct elf_file *f) { return (void)f, 0; }
uint64_t elf_unpacked_size(const struct elf_file *f) { return (void)f, 0; }
const char *elf_build_id(const struct elf_file *f) { return (void)f, ""; }
bool elf_is_x86_64(const struct elf_file *f) { return (void)f, false; }
bool elf_has_dwarf(const struct elf_file *f) { return (void)f, false; }
const char *elf_debuglink(const struct elf_file *f, uint32_t *crc) { return (void)f, *crc = 0, NULL; }
bool elf_crc_is(const char *path, uint32_t crc) { return (void)path, (void)crc, false; }
bool elf_symbols(struct symtab *t, struct elf_file *f, bool dynamic, bool compat) { return (void)t, (void)f, (void)dynamic, (void)compat, false; }
bool dwarf_load(struct symtab *t, struct elf_file *f, const struct symbols_options *options, const char **why)
{
    (void)t, (void)f, (void)options;
    *why = "";
    return false;
}

#endif
