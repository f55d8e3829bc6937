/* Functions for places of a profile: see funcs.h. */
#include "formats/hpcrun/funcs.h"

#include "base/number.h"
#include "formats/hpcrun/decode.h"

#define SPECIAL UINT32_C(0xffff0000) /* and a load map id; modules of the model never come that far */

enum { FIRST_SLOTS = 256, BASE_MAX = 200, HEX_MAX = 16 };
#define MOST_SLOTS (UINT32_C(1) << 31)

void hpcrun_funcs_init(struct hpcrun_funcs *t, struct mem *m, assay_builder *b) { *t = (struct hpcrun_funcs){ .mem = m, .b = b }; }

static size_t slots_len(const struct hpcrun_funcs *t) { return t->slots ? ((size_t)t->mask + 1) * sizeof *t->slots : 0; }

void hpcrun_funcs_done(struct hpcrun_funcs *t)
{
    mem_free(t->mem, t->slots, slots_len(t));
    t->slots = NULL;
}

/* ---- the table ---- */

/* The slot of the place, or the free one where it belongs. */
static struct hpcrun_func_slot *find(const struct hpcrun_funcs *t, uint32_t space, uint64_t address)
{
    for (uint32_t at = (uint32_t)hpcrun_func_hash(space, address);; at++) {
        struct hpcrun_func_slot *s = &t->slots[at & t->mask];
        if (!s->func || (s->address == address && s->space == space)) return s;
    }
}

static bool resize(struct hpcrun_funcs *t, uint32_t count)
{
    struct hpcrun_funcs old = *t;
    struct hpcrun_func_slot *slots = mem_zalloc(t->mem, count, sizeof *slots);
    if (!slots) {
        t->failed = true;
        return false;
    }
    t->slots = slots;
    t->mask = count - 1;
    for (size_t i = 0; old.slots && i <= old.mask; i++)
        if (old.slots[i].func) *find(t, old.slots[i].space, old.slots[i].address) = old.slots[i];
    mem_free(t->mem, old.slots, slots_len(&old));
    return true;
}

/* The slot of the place; func is 0 when it is new, and must be set before the next one is looked up. NULL = no memory. */
static struct hpcrun_func_slot *look_up(struct hpcrun_funcs *t, uint32_t space, uint64_t address)
{
    if (!t->slots || t->count > t->mask - t->mask / 4) {
        if (t->slots && t->mask >= MOST_SLOTS / 2) t->failed = true;
        if (t->failed || !resize(t, t->slots ? 2 * (t->mask + 1) : FIRST_SLOTS)) return NULL;
    }
    return find(t, space, address);
}

static assay_func_id enter(struct hpcrun_funcs *t, struct hpcrun_func_slot *slot, uint32_t space, uint64_t address, assay_func_id func)
{
    *slot = (struct hpcrun_func_slot){ address, space, func.v };
    t->count += func.v != 0;
    return func;
}

/* ---- names ---- */

/* base+0xADDRESS. A hostile file could give every node a name of megabytes: what identifies a function is its place. */
static assay_str_id make_name(struct hpcrun_funcs *t, assay_slice base, uint64_t address)
{
    char text[BASE_MAX + 3 + HEX_MAX + 1];
    size_t len = base.len < BASE_MAX ? base.len : BASE_MAX;
    if (len) memcpy(text, base.data, len);
    memcpy(text + len, "+0x", 3);
    len += 3;
    return assay_build_string(t->b, text, len + number_put_hex(text + len, address));
}

assay_func_id hpcrun_func_in(struct hpcrun_funcs *t, assay_module_id module, assay_slice base, uint64_t address)
{
    struct hpcrun_func_slot *slot = look_up(t, module.v, address);
    if (!slot || slot->func) return (assay_func_id){ slot ? slot->func : 0 };
    /* The place is the identity, and this table knows all of them: the builder need not look once more. */
    assay_func_id f = assay_build_func_new(t->b, make_name(t, base, address), (assay_file_id){ 0 }, module, address, 0);
    return enter(t, slot, module.v, address, f);
}

static assay_func_id enter_special(struct hpcrun_funcs *t, struct hpcrun_func_slot *slot, uint32_t space, uint64_t address, assay_str_id name)
{
    const assay_file_id no_file = { 0 };
    const assay_module_id no_module = { 0 };
    assay_func_id f = assay_build_func(t->b, name, no_file, no_module, 0, 0);
    assay_build_func_kind(t->b, f, ASSAY_FUNC_PLACEHOLDER, space & ~SPECIAL);
    assay_build_func_place(t->b, f, no_file, no_module, address);
    return enter(t, slot, space, address, f);
}

static assay_slice special_base(uint16_t lm, char *buf)
{
    switch (lm) {
    case HPCRUN_LM_GPU_CONTEXT: return SLICE("<gpu context>");
    case HPCRUN_LM_GPU_RANGE: return SLICE("<gpu range>");
    case HPCRUN_LM_GPU_ROOT: return SLICE("<gpu range root>");
    default: break;
    }
    static const char prefix[] = "<module 0x";
    size_t len = sizeof prefix - 1;
    memcpy(buf, prefix, len);
    len += number_put_hex(buf + len, lm);
    buf[len++] = '>';
    return (assay_slice){ buf, len };
}

assay_func_id hpcrun_func_special(struct hpcrun_funcs *t, uint16_t lm, uint64_t ip)
{
    uint32_t space = SPECIAL | lm;
    char text[32];
    struct hpcrun_func_slot *slot = look_up(t, space, ip);
    if (!slot || slot->func) return (assay_func_id){ slot ? slot->func : 0 };
    assay_str_id name =
        lm == HPCRUN_LM_PLACEHOLDER ? assay_build_string(t->b, text, hpcrun_placeholder_text(ip, text)) : make_name(t, special_base(lm, text), ip);
    return enter_special(t, slot, space, ip, name);
}

assay_func_id hpcrun_func_root(struct hpcrun_funcs *t, uint64_t ip)
{
    if (ip == 0) return hpcrun_func_special(t, HPCRUN_LM_PLACEHOLDER, HPCRUN_PLACEHOLDER("^Primary"));
    if (ip == 1) return hpcrun_func_special(t, HPCRUN_LM_PLACEHOLDER, HPCRUN_PLACEHOLDER("^Partial"));
    char text[2 + HEX_MAX + 1] = "0x";
    uint32_t space = 0;
    struct hpcrun_func_slot *slot = look_up(t, space, ip);
    if (!slot || slot->func) return (assay_func_id){ slot ? slot->func : 0 };
    return enter_special(t, slot, space, ip, assay_build_string(t->b, text, 2 + number_put_hex(text + 2, ip)));
}

/* ---- placeholders ---- */

static const struct {
    char text[9];
    const char *name;
} placeholders[] = {
    { "^Primary", "<root>" },
    { "^Partial", "<partial call paths>" },
    { "*Unnorm ", "<unknown code>" },
    { "NoActvty", "<no activity>" },
    { "| Main  ", "<program root>" },
    { "| Thread", "<thread root>" },
    { "OMP Idle", "<omp idle>" },
    { "OMPOvrHd", "<omp overhead>" },
    { "OMPBarrW", "<omp barrier wait>" },
    { "OMPTaskW", "<omp task wait>" },
    { "OMPMtexW", "<omp mutex wait>" },
    { "OMP Work", "<omp work>" },
    { "OMPETask", "<omp expl task>" },
    { "OMPITask", "<omp impl task>" },
    { "OMTAlloc", "<omp tgt alloc>" },
    { "OMTDelte", "<omp tgt delete>" },
    { "OMTCpIn ", "<omp tgt copyin>" },
    { "OMTCpOut", "<omp tgt copyout>" },
    { "OMTKernl", "<omp tgt kernel>" },
    { "OMT None", "" },
    { "OMPUresv", "<omp region unresolved>" },
    { "GPUCp?2?", "<gpu copy>" },
    { "GPUCpH2D", "<gpu copyin>" },
    { "GPUCpD2H", "<gpu copyout>" },
    { "GPUAlloc", "<gpu alloc>" },
    { "GPUDelte", "<gpu delete>" },
    { "GPUKernl", "<gpu kernel>" },
    { "GPUMemst", "<gpu memset>" },
    { "GPU Sync", "<gpu sync>" },
    { "GPUTrace", "<gpu kernel>" },
};

const char *hpcrun_placeholder_name(uint64_t ip)
{
    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++)
        if (HPCRUN_PLACEHOLDER(placeholders[i].text) == ip) return placeholders[i].name;
    return NULL;
}

size_t hpcrun_placeholder_text(uint64_t ip, char *out)
{
    size_t len = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        unsigned char c = (unsigned char)(ip >> shift);
        if (c >= ' ' && c <= '~') {
            out[len++] = (char)c;
            continue;
        }
        out[len++] = '\\';
        out[len++] = "0123456789abcdef"[c >> 4];
        out[len++] = "0123456789abcdef"[c & 15];
    }
    return len;
}
