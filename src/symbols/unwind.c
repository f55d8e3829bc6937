/* See unwind.h. Modules are told to libdwfl when an address of theirs is met; their files are read and not mapped, as everywhere. */
#include "symbols/unwind.h"

#ifdef ASSAY_HAVE_DWARF
#include <fcntl.h>
#include <late_dw.h>
#include <late_elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"

struct unwind {
    struct mem *mem;
    Dwfl *dwfl;
    enum unwind_machine machine;
    unwind_find_fn find;
    void *find_arg;
    bool is_attached;
    const struct unwind_start *start;
    uint64_t *out;
    size_t count;
};

/* ---- modules ---- */

/* The path is the name of the module. */
static int find_elf(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, char **file_name, Elf **elf)
{
    struct stat st;
    (void)module, (void)user, (void)base, (void)file_name;
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return -1;
    *elf = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    if (*elf) return fd;
    close(fd);
    return -1;
}

/* Separate debug information is not needed: programs keep what exceptions need. */
static int find_debug(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file, const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
    return -1;
}

static const Dwfl_Callbacks files = { .find_elf = find_elf, .find_debuginfo = find_debug };

/* Tells of the module that an address is in; false = it is not known. */
static bool tell(struct unwind *u, uint64_t address)
{
    struct unwind_module m;
    if (dwfl_addrmodule(u->dwfl, address)) return true;
    if (!u->find(u->find_arg, address, &m)) return false;
    dwfl_report_begin_add(u->dwfl);
    Dwfl_Module *made = dwfl_report_module(u->dwfl, m.path, m.low, m.high);
    return dwfl_report_end(u->dwfl, NULL, NULL) == 0 && made;
}

/* ---- what libdwfl asks for ---- */

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
    (void)dwfl;
    if (*thread) return 0;
    *thread = arg;
    return 1;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *out, void *arg)
{
    const struct unwind_start *s = ((struct unwind *)arg)->start;
    uint64_t off = address - s->stack_at, v = 0;
    (void)dwfl;
    if (address < s->stack_at || s->stack_len < 8 || off > s->stack_len - 8) return false;
    for (unsigned i = 0; i < 8; i++) v |= (uint64_t)s->stack[off + i] << (s->is_big ? 56 - 8 * i : 8 * i);
    *out = v;
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
    const struct unwind *u = arg;
    if (u->machine == UNWIND_X86_64) {
        Dwarf_Word regs[17];
        for (int i = 0; i < 16; i++) regs[i] = u->start->regs[i];
        regs[16] = u->start->regs[UNWIND_REGISTERS - 1];
        return dwfl_thread_state_registers(thread, 0, 17, regs);
    }
    Dwarf_Word regs[32];
    for (int i = 0; i < 32; i++) regs[i] = u->start->regs[i];
    dwfl_thread_state_register_pc(thread, u->start->regs[UNWIND_REGISTERS - 1]);
    return dwfl_thread_state_registers(thread, 0, 32, regs);
}

static const Dwfl_Thread_Callbacks threads = { .next_thread = next_thread, .memory_read = read_memory, .set_initial_registers = set_registers };

static int take_frame(Dwfl_Frame *frame, void *arg)
{
    struct unwind *u = arg;
    Dwarf_Addr pc;
    bool is_exact = true;
    if (u->count == UNWIND_MOST || cancel_due() || !dwfl_frame_pc(frame, &pc, &is_exact) || !pc) return DWARF_CB_ABORT;
    uint64_t at = is_exact || u->count == 0 ? pc : pc - 1;
    u->out[u->count++] = at;
    return tell(u, at) ? DWARF_CB_OK : DWARF_CB_ABORT;
}

/* ---- from outside ---- */

struct unwind *unwind_new(struct mem *mem, enum unwind_machine machine, unwind_find_fn find, void *arg)
{
    assay_error err;
    if (machine == UNWIND_NONE || late_elf_load(&err) != 0 || late_dw_load(&err) != 0 || elf_version(EV_CURRENT) == EV_NONE) return NULL;
    struct unwind *u = mem_zalloc(mem, 1, sizeof *u);
    if (!u) return NULL;
    *u = (struct unwind){ .mem = mem, .machine = machine, .find = find, .find_arg = arg, .dwfl = dwfl_begin(&files) };
    if (u->dwfl) return u;
    mem_free(mem, u, sizeof *u);
    return NULL;
}

void unwind_free(struct unwind *u)
{
    if (!u) return;
    dwfl_end(u->dwfl);
    mem_free(u->mem, u, sizeof *u);
}

/* The machine is that of the first module: so there must be one. */
static bool attach(struct unwind *u)
{
    if (!u->is_attached) u->is_attached = dwfl_attach_state(u->dwfl, NULL, 1, &threads, u);
    return u->is_attached;
}

size_t unwind_run(struct unwind *u, const struct unwind_start *start, uint64_t *out)
{
    u->start = start;
    u->out = out;
    u->count = 0;
    if (!tell(u, start->regs[UNWIND_REGISTERS - 1]) || !attach(u)) return 0;
    (void)dwfl_getthread_frames(u->dwfl, 1, take_frame, u);
    u->start = NULL;
    return u->count;
}

#else

struct unwind *unwind_new(struct mem *mem, enum unwind_machine machine, unwind_find_fn find, void *arg)
{
    return (void)mem, (void)machine, (void)find, (void)arg, NULL;
}
void unwind_free(struct unwind *u) { (void)u; }
size_t unwind_run(struct unwind *u, const struct unwind_start *start, uint64_t *out) { return (void)u, (void)start, (void)out, 0; }

#endif
