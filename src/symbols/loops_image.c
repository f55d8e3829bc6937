/* The bytes of a program's code and tables, read when they are wanted; see loops_parts.h. */
#include "symbols/loops_parts.h"

#if defined(ASSAY_HAVE_DWARF) && defined(ASSAY_HAVE_CAPSTONE)
#include <fcntl.h>
#include <late_elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/elf_parts.h"

enum { MAX_SEGMENTS = 64 };

struct segment {
    uint64_t address, off, len;
};

struct loops_image {
    struct mem *mem;
    const char *bytes; /* of a file in memory; else NULL */
    uint64_t size;
    char *path;
    size_t path_len;
    int fd; /* -1 = closed */
    dev_t device;
    ino_t inode;
    struct timespec changed;
    struct segment segments[MAX_SEGMENTS];
    size_t count;
};

/* A debug file has the headers of its program and none of the code. */
static bool has_code(Elf *elf)
{
    GElf_Shdr head;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));)
        if (gelf_getshdr(s, &head) && head.sh_flags & SHF_EXECINSTR && head.sh_type == SHT_NOBITS) return false;
    return true;
}

static void add_segments(struct loops_image *image, Elf *elf)
{
    size_t count = 0;
    GElf_Phdr head;
    if (elf_getphdrnum(elf, &count) != 0) return;
    for (size_t i = 0; i < count && i < INT32_MAX && image->count < MAX_SEGMENTS; i++) {
        if (!gelf_getphdr(elf, (int)i, &head) || head.p_type != PT_LOAD) continue;
        if (head.p_offset > image->size || head.p_filesz > image->size - head.p_offset || head.p_vaddr + head.p_filesz < head.p_vaddr) continue;
        image->segments[image->count++] = (struct segment){ head.p_vaddr, head.p_offset, head.p_filesz };
    }
}

/* Remembers which file it is. */
static bool take_path(struct loops_image *image, const struct elf_file *f)
{
    struct stat st;
    if (stat(elf_path(f), &st) != 0) return true;
    image->path_len = strlen(elf_path(f)) + 1;
    image->path = mem_alloc(image->mem, image->path_len);
    if (!image->path) return false;
    memcpy(image->path, elf_path(f), image->path_len);
    image->device = st.st_dev;
    image->inode = st.st_ino;
    image->changed = st.st_mtim;
    return true;
}

struct loops_image *loops_image_new(struct mem *mem, const struct elf_file *f, bool *failed)
{
    if (!elf_is_x86_64(f) || !has_code(elf_handle(f))) return NULL;
    struct loops_image *image = mem_zalloc(mem, 1, sizeof *image);
    if (!image) {
        *failed = true;
        return NULL;
    }
    image->mem = mem;
    image->size = elf_size(f);
    image->fd = -1;
    if (elf_is_memory(f))
        image->bytes = elf_rawfile(elf_handle(f), NULL);
    else if (!take_path(image, f)) {
        *failed = true;
        loops_image_free(image);
        return NULL;
    }
    add_segments(image, elf_handle(f));
    return image;
}

void loops_image_free(struct loops_image *image)
{
    if (!image) return;
    loops_image_close(image);
    mem_free(image->mem, image->path, image->path_len);
    mem_free(image->mem, image, sizeof *image);
}

bool loops_image_open(struct loops_image *image)
{
    struct stat st;
    if (image->bytes) return true;
    if (image->fd >= 0) return true;
    if (!image->path) return false;
    image->fd = open(image->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (image->fd < 0) return false;
    if (fstat(image->fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_dev == image->device && st.st_ino == image->inode && (uint64_t)st.st_size == image->size &&
        st.st_mtim.tv_sec == image->changed.tv_sec && st.st_mtim.tv_nsec == image->changed.tv_nsec)
        return true;
    loops_image_close(image);
    return false;
}

void loops_image_close(struct loops_image *image)
{
    if (image->fd >= 0) close(image->fd);
    image->fd = -1;
}

static bool read_at(const struct loops_image *image, uint64_t off, void *out, size_t len)
{
    if (image->bytes) {
        memcpy(out, image->bytes + off, len);
        return true;
    }
    for (size_t done = 0; done < len;) {
        ssize_t n = pread(image->fd, (char *)out + done, len - done, (off_t)(off + done));
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

bool loops_image_read(struct loops_image *image, uint64_t address, void *out, size_t len)
{
    for (size_t i = 0; i < image->count; i++) {
        const struct segment *s = &image->segments[i];
        if (address >= s->address && address - s->address <= s->len && len <= s->len - (address - s->address))
            return read_at(image, s->off + (address - s->address), out, len);
    }
    return false;
}

uint64_t loops_image_size(const struct loops_image *image) { return image->size; }
#endif
