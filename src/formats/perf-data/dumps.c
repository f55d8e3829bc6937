/* See dumps.h. */
#include "formats/perf-data/dumps.h"

void pd_dumps_init(struct pd_dumps *u, struct pd_frames *frames)
{
    static const struct pd_options none;
    const struct pd_decoder *d = frames->d;
    const struct pd_options *own = d->job->own ? d->job->own : &none;
    memset(u, 0, sizeof *u);
    u->frames = frames;
    if (own->no_unwind || !frames->symbols) return;
    if (slice_is(d->facts.arch, "aarch64"))
        u->machine = UNWIND_AARCH64;
    else if (!d->facts.arch.len || slice_is(d->facts.arch, "x86_64"))
        u->machine = UNWIND_X86_64;
}

void pd_dumps_done(struct pd_dumps *u)
{
    for (size_t i = 0; i < PD_UNWINDERS; i++) unwind_free(u->all[i].unwind);
}

/* ---- modules ---- */

static bool find_module(void *arg, uint64_t address, struct unwind_module *out)
{
    const struct pd_unwinder *of = arg;
    struct pd_frames *f = of->of->frames;
    const struct pd_area *area = pd_space_find(&f->tracks->spaces, of->root, address);
    return area && pd_frames_place(f, area, out);
}

static struct pd_unwinder *unwinder_for(struct pd_dumps *u, uint32_t root)
{
    struct pd_unwinder *oldest = &u->all[0];
    for (size_t i = 0; i < PD_UNWINDERS; i++) {
        if (u->all[i].unwind && u->all[i].root == root) return &u->all[i];
        if (u->all[i].used < oldest->used) oldest = &u->all[i];
    }
    unwind_free(oldest->unwind);
    *oldest = (struct pd_unwinder){ .of = u, .root = root };
    oldest->unwind = unwind_new(u->frames->mem, u->machine, find_module, oldest);
    return oldest;
}

/* ---- registers ---- */

/* Number n of perf's registers; false = it was not recorded. */
static bool get_register(const struct pd_decoder *d, const struct pd_sample *s, unsigned n, uint64_t *out)
{
    uint64_t mask = d->attrs.at[s->attr - 1].regs_user;
    if (!(mask >> n & 1)) return false;
    *out = pd_u64(d, s->regs + 8 * (size_t)__builtin_popcountll(mask & ((UINT64_C(1) << n) - 1)));
    return true;
}

/* perf's numbers of what DWARF numbers from 0 on. */
static bool get_registers(const struct pd_dumps *u, const struct pd_sample *s, struct unwind_start *start)
{
    static const uint8_t x86_64[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23 };
    enum { X86_SP = 7, X86_IP = 8, ARM_SP = 31, ARM_PC = 32 };
    const struct pd_decoder *d = u->frames->d;
    bool is_x86 = u->machine == UNWIND_X86_64;
    uint64_t *ip = &start->regs[UNWIND_REGISTERS - 1];
    for (unsigned i = 0; i < (is_x86 ? 16 : 32); i++) (void)get_register(d, s, is_x86 ? x86_64[i] : i, &start->regs[i]);
    return get_register(d, s, is_x86 ? X86_SP : ARM_SP, &start->stack_at) && get_register(d, s, is_x86 ? X86_IP : ARM_PC, ip);
}

size_t pd_dump_unwind(struct pd_dumps *u, const struct pd_sample *s, uint32_t root)
{
    enum { ABI_64 = 2 };
    struct unwind_start start = { .stack = s->stack, .stack_len = s->stack_len, .is_big = u->frames->d->is_big };
    if (u->machine == UNWIND_NONE || s->abi != ABI_64 || !s->regs || !s->stack_len || !root || !get_registers(u, s, &start)) return 0;
    struct pd_unwinder *unwinder = unwinder_for(u, root);
    unwinder->used = ++u->runs;
    return unwinder->unwind ? unwind_run(unwinder->unwind, &start, u->out) : 0;
}
