/* Machine code -> basic blocks. Capstone says where instructions begin; what they do is read from their bytes, which needs no more than the
 * opcodes of jumps, and the few that lead to the table of a switch. The code is swept from the first byte of each range to its last; bytes that are no
 * instruction end a block. */
#include "base/scoped.h"
#include "symbols/loops_parts.h"

#if defined(ASSAY_HAVE_DWARF) && defined(ASSAY_HAVE_CAPSTONE)
#include <late_capstone.h>

enum {
    IS_START = 1,        /* an instruction begins here */
    IS_LEADER = 2,       /* a block begins here */
    MAX_TABLE = 4096,    /* entries of a jump table */
    MAX_REFERENCES = 32, /* that are tried as the table of a jump, the nearest first */
    BOUND_REACH = 16,    /* instructions between the test of an index and its jump */
    LOAD_REACH = 4,      /* instructions between the load from a table and its jump */
    NO_REGISTER = 16,
    MAX_LEN = 15,        /* of an instruction */
    ENTRY_WORK = 64,     /* what it costs to look at an entry of a table, */
    MAX_WORK = 20000000, /* and what may be spent on the tables of one function */
};
#define NOWHERE UINT32_MAX

enum jump_kind { JUMP_NONE, JUMP_IF, JUMP_ALWAYS, JUMP_STOP, JUMP_TABLE };

/* An instruction that ends a block. Positions count through the bytes of all ranges. */
struct jump {
    uint32_t at, next;
    uint32_t target;       /* a position; NOWHERE = outside the function */
    uint32_t bound;        /* of a table's index; 0 = not known */
    uint32_t first, count; /* of a table's targets */
    uint8_t kind;
    uint8_t base;   /* the register that holds the address of its table; NO_REGISTER = not known */
    bool is_memory; /* through a table of addresses, not of distances */
    bool leaves;    /* some entries of the table lead elsewhere */
};

/* An instruction that names a place where a table could be. */
struct reference {
    uint32_t at;
    uint8_t to;       /* the register that is set to it */
    bool is_absolute; /* a table of addresses */
    uint64_t address;
};

struct sweep {
    struct loops_flow *flow;
    struct loops_image *image;
    unsigned char *bytes, *marks;
    size_t len;
    VEC(struct jump) jumps;
    VEC(struct reference) references;
    VEC(uint32_t) targets; /* of tables */
    /* the last test of an index against a constant, and the jump that goes by it */
    uint64_t count, compared_at, bound_at;
    uint32_t compared, bound;
    /* the last load from a table of distances: of which register */
    uint64_t loaded_at;
    uint8_t loaded;
    uint64_t work;
    bool failed;
};

/* ---- positions ---- */

static uint32_t position_of(const struct loops_flow *flow, uint64_t address)
{
    size_t low = 0, high = flow->ranges.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (flow->ranges.at[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct loops_range *r = low ? &flow->ranges.at[low - 1] : NULL;
    return r && address < r->end ? (uint32_t)(r->at + (address - r->begin)) : NOWHERE;
}

/* ---- instructions ---- */

static uint64_t little(const unsigned char *p, size_t len)
{
    uint64_t v = 0;
    for (size_t i = len; i > 0; i--) v = v << 8 | p[i - 1];
    return v;
}

static uint64_t little_signed(const unsigned char *p, size_t len)
{
    uint64_t v = little(p, len);
    return len < 8 && p[len - 1] & 0x80 ? v | ~UINT64_C(0) << (8 * len) : v;
}

static bool is_prefix(unsigned char c)
{
    return c == 0x66 || c == 0x67 || c == 0xf2 || c == 0xf3 || c == 0x2e || c == 0x36 || c == 0x3e || c == 0x26 || c == 0x64 || c == 0x65;
}

static void add_jump(struct sweep *s, struct jump jump)
{
    struct jump *j = vec_push(s->flow->mem, &s->jumps);
    if (j)
        *j = jump;
    else
        s->failed = true;
}

static void add_reference(struct sweep *s, uint32_t at, uint64_t address, uint8_t to, bool is_absolute)
{
    struct reference *r = vec_push(s->flow->mem, &s->references);
    if (r)
        *r = (struct reference){ at, to, is_absolute, address };
    else
        s->failed = true;
}

/* cmp $constant, which gives the length of a table. */
static void note_compare(struct sweep *s, const unsigned char *op, size_t len)
{
    bool is_group = len > 2 && (op[1] >> 3 & 7) == 7;
    uint64_t v;
    if (op[0] == 0x3c || (op[0] == 0x83 && is_group) || (op[0] == 0x80 && is_group))
        v = little_signed(op + len - 1, 1);
    else if (len > 4 && (op[0] == 0x3d || (op[0] == 0x81 && is_group)))
        v = little_signed(op + len - 4, 4);
    else
        return;
    s->compared = v < MAX_TABLE ? (uint32_t)v : 0;
    s->compared_at = s->count;
}

/* The unsigned conditions ja, jbe (to one more than the constant), jae, jb (to the constant). */
static void note_bound(struct sweep *s, unsigned condition)
{
    if (!s->compared || s->compared_at + 1 != s->count || condition < 2 || condition == 4 || condition == 5 || condition > 7) return;
    s->bound = s->compared + (condition >= 6);
    s->bound_at = s->count;
}

/* The base register of an operand [base + index * scale], scale as its logarithm. */
static uint8_t base_of(unsigned rex, const unsigned char *op, size_t len, unsigned scale)
{
    bool is_indexed = len > 2 && (op[1] & 0xc0) != 0xc0 && (op[1] & 7) == 4 && op[2] >> 6 == scale;
    return is_indexed && ((op[1] & 0xc0) || (op[2] & 7) != 5) ? (uint8_t)((rex & 1) << 3 | (op[2] & 7)) : NO_REGISTER;
}

/* lea TABLE(%rip); mov or jmp TABLE(,%index,8); movslq (%base,%index,4): `op` is the opcode. */
static void note_reference(struct sweep *s, uint32_t at, uint64_t next, unsigned rex, const unsigned char *op, size_t len)
{
    bool is_jump = op[0] == 0xff && len > 1 && (op[1] >> 3 & 7) == 4;
    if (op[0] == 0x8d && len == 6 && (op[1] & 0xc7) == 0x05)
        add_reference(s, at, next + little_signed(op + 2, 4), (uint8_t)((rex >> 2 & 1) << 3 | (op[1] >> 3 & 7)), false);
    else if ((op[0] == 0x8b || is_jump) && len == 7 && (op[1] & 0xc7) == 0x04 && (op[2] & 0xc7) == 0xc5)
        add_reference(s, at, little_signed(op + 3, 4), NO_REGISTER, true);
    else if (op[0] == 0x63 && base_of(rex, op, len, 2) != NO_REGISTER) {
        s->loaded = base_of(rex, op, len, 2);
        s->loaded_at = s->count;
    }
}

static enum jump_kind kind_of(struct sweep *s, const unsigned char *op, size_t len, size_t *distance)
{
    *distance = 0;
    if ((op[0] & 0xf0) == 0x70 || (op[0] >= 0xe0 && op[0] <= 0xe3)) {
        if ((op[0] & 0xf0) == 0x70) note_bound(s, op[0] & 15);
        *distance = 1;
        return JUMP_IF;
    }
    if (op[0] == 0x0f && len >= 6 && (op[1] & 0xf0) == 0x80) {
        note_bound(s, op[1] & 15);
        *distance = 4;
        return JUMP_IF;
    }
    if (op[0] == 0xeb || op[0] == 0xe9) {
        *distance = op[0] == 0xeb ? 1 : 4;
        return JUMP_ALWAYS;
    }
    if (op[0] == 0xff && len > 1 && (op[1] >> 3 & 7) == 4) return JUMP_TABLE;
    bool is_return = op[0] == 0xc2 || op[0] == 0xc3 || op[0] == 0xca || op[0] == 0xcb || op[0] == 0xcf;
    if (is_return || op[0] == 0xf4 || op[0] == 0xcc || (op[0] == 0xff && len > 1 && (op[1] >> 3 & 7) == 5)) return JUMP_STOP;
    return op[0] == 0x0f && len == 2 && op[1] == 0x0b ? JUMP_STOP : JUMP_NONE;
}

static void take_instruction(struct sweep *s, const struct loops_range *r, uint32_t at, uint32_t len)
{
    const unsigned char *op = s->bytes + at;
    uint32_t next = at + len;
    uint64_t next_address = r->begin + (next - r->at);
    size_t left = len, distance;
    s->count++;
    while (left > 1 && is_prefix(*op)) op++, left--;
    unsigned rex = left > 1 && (*op & 0xf0) == 0x40 ? *op : 0;
    if (rex) op++, left--;
    note_compare(s, op, left);
    note_reference(s, at, next_address, rex, op, left);
    enum jump_kind kind = kind_of(s, op, left, &distance);
    if (kind == JUMP_NONE) return;
    struct jump j = { .at = at, .next = next_address < r->end ? next : NOWHERE, .target = NOWHERE, .kind = (uint8_t)kind, .base = NO_REGISTER };
    if (distance && left > distance) j.target = position_of(s->flow, next_address + little_signed(op + left - distance, distance));
    if (kind == JUMP_TABLE) {
        j.is_memory = (op[1] & 0xc0) != 0xc0;
        j.base = j.is_memory ? base_of(rex, op, left, 3) : s->count - s->loaded_at <= LOAD_REACH ? s->loaded : NO_REGISTER;
        if (s->bound && s->count - s->bound_at <= BOUND_REACH) j.bound = s->bound;
    }
    if (kind != JUMP_IF) s->bound = 0;
    add_jump(s, j);
}

static void sweep_range(struct sweep *s, const struct loops_range *r, csh handle, cs_insn *insn)
{
    const uint8_t *code = s->bytes + r->at;
    size_t left = (size_t)(r->end - r->begin);
    uint64_t address = r->begin;
    s->marks[r->at] |= IS_LEADER;
    while (left > 0 && !s->failed) {
        uint32_t at = (uint32_t)(code - s->bytes);
        s->marks[at] |= IS_START;
        if (cs_disasm_iter(handle, &code, &left, &address, insn)) {
            take_instruction(s, r, at, (uint32_t)(code - s->bytes) - at);
            continue;
        }
        add_jump(s, (struct jump){ .at = at, .next = left > 1 ? at + 1 : NOWHERE, .target = NOWHERE, .kind = JUMP_STOP });
        code++, address++, left--;
    }
}

static void sweep_all(struct sweep *s)
{
    csh handle;
    assay_error err;
    if (late_capstone_load(&err) != 0 || cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK) {
        s->failed = true;
        return;
    }
    cs_insn *insn = cs_malloc(handle);
    if (!insn) s->failed = true;
    for (size_t i = 0; !s->failed && i < s->flow->ranges.len; i++) sweep_range(s, &s->flow->ranges.at[i], handle, insn);
    if (insn) cs_free(insn, 1);
    cs_close(&handle);
}

/* ---- tables of switches ---- */

static bool add_target(struct sweep *s, uint32_t position)
{
    uint32_t *t = vec_push(s->flow->mem, &s->targets);
    if (t)
        *t = position;
    else
        s->failed = true;
    return t != NULL;
}

/* Where the next table could begin: one without a known length ends there at the latest. */
static uint64_t next_reference(struct sweep *s, uint64_t address)
{
    uint64_t next = UINT64_MAX;
    s->work += s->references.len;
    for (size_t i = 0; i < s->references.len; i++) {
        uint64_t other = s->references.at[i].address;
        if (other > address && other < next) next = other;
    }
    return next;
}

/* Where an entry of a table leads, when that is an instruction of the function. */
static uint32_t entry_at(struct sweep *s, uint64_t table, uint64_t address, size_t size)
{
    unsigned char entry[8];
    s->work += ENTRY_WORK;
    if (!loops_image_read(s->image, address, entry, size)) return NOWHERE;
    uint32_t position = position_of(s->flow, size == 8 ? little(entry, 8) : table + little_signed(entry, 4));
    return position != NOWHERE && s->marks[position] & IS_START ? position : NOWHERE;
}

/* A place is the table of the jump when at least two entries, and most of them, lead to instructions of the function. */
static bool try_table(struct sweep *s, struct jump *j, const struct reference *r)
{
    size_t first = s->targets.len, size = j->is_memory || r->is_absolute ? 8 : 4;
    uint64_t end = j->bound ? UINT64_MAX : next_reference(s, r->address);
    uint32_t most = j->bound ? j->bound : MAX_TABLE, count = 0, wrong = 0;
    for (; count < most && s->work < MAX_WORK; count++) {
        uint64_t address = r->address + count * size;
        uint32_t position = address < end ? entry_at(s, r->address, address, size) : NOWHERE;
        if (position == NOWHERE && (!j->bound || 2 * ++wrong > j->bound)) break;
        if (position != NOWHERE && !add_target(s, position)) return false;
    }
    if (count - wrong < 2 || 2 * wrong > count) {
        s->targets.len = first;
        return false;
    }
    j->first = (uint32_t)first;
    j->count = (uint32_t)(s->targets.len - first);
    j->leaves = wrong > 0;
    for (size_t i = first; i < s->targets.len; i++) s->marks[s->targets.at[i]] |= IS_LEADER;
    return true;
}

/* The nearest place that will do: of those that the register was set to, else of all. */
static void find_table(struct sweep *s, struct jump *j, size_t reference)
{
    for (int by_register = j->base != NO_REGISTER; by_register >= 0; by_register--)
        for (size_t i = reference, tried = 0; i > 0 && tried < MAX_REFERENCES && !s->failed; i--) {
            const struct reference *r = &s->references.at[i - 1];
            if (by_register && r->to != j->base) continue;
            if (try_table(s, j, r)) return;
            tried++;
        }
}

static void find_tables(struct sweep *s)
{
    size_t reference = 0;
    for (size_t i = 0; i < s->jumps.len && !s->failed; i++) {
        struct jump *j = &s->jumps.at[i];
        if (j->kind != JUMP_TABLE) continue;
        while (reference < s->references.len && s->references.at[reference].at <= j->at) reference++;
        if (s->work < MAX_WORK) find_table(s, j, reference);
    }
}

/* ---- blocks ---- */

static void mark_leaders(struct sweep *s)
{
    for (size_t i = 0; i < s->jumps.len; i++) {
        struct jump *j = &s->jumps.at[i];
        if (j->target != NOWHERE && !(s->marks[j->target] & IS_START)) j->target = NOWHERE;
        if (j->target != NOWHERE) s->marks[j->target] |= IS_LEADER;
        if (j->next != NOWHERE) s->marks[j->next] |= IS_LEADER;
    }
}

/* Blocks without edges; number[position of a leader] is the block. */
static void make_blocks(struct sweep *s, uint32_t *number)
{
    struct loops_block *b = NULL;
    for (size_t i = 0; i < s->flow->ranges.len && !s->failed; i++) {
        const struct loops_range *r = &s->flow->ranges.at[i];
        for (uint64_t a = r->begin; a < r->end; a++) {
            size_t at = r->at + (size_t)(a - r->begin);
            if (!(s->marks[at] & IS_START)) continue;
            if (s->marks[at] & IS_LEADER) {
                if (b && b->end == UINT64_MAX) b->end = a;
                if (!(b = vec_push(s->flow->mem, &s->flow->blocks))) {
                    s->failed = true;
                    return;
                }
                *b = (struct loops_block){ .begin = a, .end = UINT64_MAX };
                number[at] = (uint32_t)s->flow->blocks.len - 1;
            }
            b->last = a;
        }
        if (b && b->end == UINT64_MAX) b->end = r->end;
    }
}

static void add_edge(struct sweep *s, struct loops_block *b, uint32_t target)
{
    if (target == UINT32_MAX) {
        b->leaves = true;
        return;
    }
    uint32_t *e = vec_push(s->flow->mem, &s->flow->edges);
    if (e)
        *e = target;
    else
        s->failed = true;
    b->edge_count++;
}

static uint32_t block_at(const uint32_t *number, uint32_t position) { return position == NOWHERE ? UINT32_MAX : number[position]; }

static void add_edges(struct sweep *s, const uint32_t *number)
{
    size_t next = 0;
    for (size_t i = 0; i < s->flow->blocks.len && !s->failed; i++) {
        struct loops_block *b = &s->flow->blocks.at[i];
        const uint32_t last = position_of(s->flow, b->last);
        b->first_edge = (uint32_t)s->flow->edges.len;
        while (next < s->jumps.len && s->jumps.at[next].at < last) next++;
        const struct jump *j = next < s->jumps.len && s->jumps.at[next].at == last ? &s->jumps.at[next] : NULL;
        if (!j) {
            bool goes_on = i + 1 < s->flow->blocks.len && s->flow->blocks.at[i + 1].begin == b->end;
            add_edge(s, b, goes_on ? (uint32_t)i + 1 : UINT32_MAX);
            continue;
        }
        if (j->kind == JUMP_IF) add_edge(s, b, block_at(number, j->next));
        if (j->kind == JUMP_IF || j->kind == JUMP_ALWAYS) add_edge(s, b, block_at(number, j->target));
        if (j->kind == JUMP_TABLE && (!j->count || j->leaves)) b->leaves = true;
        for (uint32_t k = 0; k < j->count; k++) add_edge(s, b, block_at(number, s->targets.at[j->first + k]));
    }
}

/* ---- the whole ---- */

/* Positions in the bytes; false = too much code, or it is not in the file. */
static bool lay_out(struct sweep *s)
{
    for (size_t i = 0; i < s->flow->ranges.len; i++) {
        struct loops_range *r = &s->flow->ranges.at[i];
        if (r->end - r->begin > LOOPS_MAX_CODE - s->len) return false;
        r->at = s->len;
        s->len += (size_t)(r->end - r->begin);
    }
    return s->len > 0;
}

static bool read_code(struct sweep *s)
{
    for (size_t i = 0; i < s->flow->ranges.len; i++) {
        const struct loops_range *r = &s->flow->ranges.at[i];
        if (!loops_image_read(s->image, r->begin, s->bytes + r->at, (size_t)(r->end - r->begin))) return false;
    }
    return true;
}

bool loops_flow_fill(struct loops_flow *flow, struct loops_image *image)
{
    struct sweep s = { .flow = flow, .image = image, .loaded = NO_REGISTER };
    if (!lay_out(&s)) return true;
    SCRATCH(uint8_t, bytes, flow->mem, s.len + MAX_LEN);
    SCRATCH(uint8_t, marks, flow->mem, s.len);
    SCRATCH(uint32_t, number, flow->mem, s.len);
    vec_scoped(flow->mem, &s.jumps);
    vec_scoped(flow->mem, &s.references);
    vec_scoped(flow->mem, &s.targets);
    if (!bytes || !marks || !number) return false;
    s.bytes = bytes;
    s.marks = marks;
    if (!read_code(&s)) return true; /* no code, no loops */
    sweep_all(&s);
    if (!s.failed) find_tables(&s);
    if (!s.failed) mark_leaders(&s);
    if (!s.failed) make_blocks(&s, number);
    if (!s.failed) add_edges(&s, number);
    return !s.failed;
}

void loops_flow_done(struct loops_flow *flow) { vec_done(flow->mem, &flow->ranges, &flow->blocks, &flow->edges); }

struct loops_block *loops_flow_block(const struct loops_flow *flow, uint64_t address)
{
    size_t low = 0, high = flow->blocks.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (flow->blocks.at[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    struct loops_block *b = low ? &flow->blocks.at[low - 1] : NULL;
    return b && address < b->end ? b : NULL;
}
#endif
