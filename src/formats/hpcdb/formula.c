/* Infix -> nested maps, by two stacks: operands are texts already, operators wait for what binds tighter. Nothing recurses; see formula.h. */
#include "formats/hpcdb/formula.h"

#include <stdio.h>

#include "base/slice.h"

enum { STACK = 64, LONGEST = 1000 };
enum { OPEN = '(', MIN = 'm', MAX = 'M', NEGATE = '~', ROOT = 's' };

struct builder {
    struct arena *arena;
    const char *at, *end;
    formula_metric_fn metric;
    void *arg;
    assay_slice operands[STACK];
    struct {
        char op;
        unsigned arguments; /* of min and max: how many stand before the last comma */
    } operators[STACK];
    unsigned operand_count, operator_count;
    bool is_wrong, no_memory;
};

static bool is_bracket(char op) { return op == OPEN || op == MIN || op == MAX || op == ROOT; }

static int strength(char op)
{
    switch (op) {
    case '+':
    case '-': return 1;
    case '*':
    case '/': return 2;
    case NEGATE: return 3;
    case '^': return 4;
    default: return 0;
    }
}

static void push_operand(struct builder *b, assay_slice text)
{
    if (!text.data || b->operand_count == STACK)
        b->is_wrong = true;
    else
        b->operands[b->operand_count++] = text;
}

static void push_operator(struct builder *b, char op)
{
    if (b->operator_count == STACK)
        b->is_wrong = true;
    else {
        b->operators[b->operator_count].op = op;
        b->operators[b->operator_count++].arguments = 1;
    }
}

/* {"OP": [A, B]}, or with one operand for a negation. */
static void combine(struct builder *b, const char *op, unsigned count)
{
    if (b->operand_count < count) {
        b->is_wrong = true;
        return;
    }
    assay_slice *args = &b->operands[b->operand_count - count];
    size_t len = strlen(op) + args[0].len + (count > 1 ? args[1].len + 2 : 0) + sizeof "{\"\": []}";
    char *text = arena_text(b->arena, len);
    if (!text) {
        b->no_memory = true;
        return;
    }
    int used = snprintf(text, len, "{\"%s\": [%.*s%s%.*s]}", op, (int)args[0].len, args[0].data, count > 1 ? ", " : "", count > 1 ? (int)args[1].len : 0,
                        count > 1 ? args[1].data : "");
    b->operand_count -= count;
    push_operand(b, (assay_slice){ text, (size_t)used });
}

static void apply(struct builder *b)
{
    char op[2] = { b->operators[--b->operator_count].op, 0 };
    if (op[0] == NEGATE)
        combine(b, "-", 1);
    else
        combine(b, op, 2);
}

/* What binds at least as tightly as the operator that comes next; powers go from right to left. */
static void apply_before(struct builder *b, char op)
{
    while (!b->is_wrong && !b->no_memory && b->operator_count) {
        char top = b->operators[b->operator_count - 1].op;
        if (is_bracket(top) || strength(top) < strength(op) || (op == '^' && top == '^')) return;
        apply(b);
    }
}

static void close_bracket(struct builder *b)
{
    apply_before(b, 0);
    if (b->is_wrong || b->no_memory) return;
    if (!b->operator_count) {
        b->is_wrong = true;
        return;
    }
    char op = b->operators[--b->operator_count].op;
    unsigned arguments = b->operators[b->operator_count].arguments;
    if (op == ROOT) combine(b, "sqrt", 1);
    for (unsigned n = arguments; (op == MIN || op == MAX) && n > 1; n--) combine(b, op == MIN ? "min" : "max", 2);
}

static void take_comma(struct builder *b)
{
    apply_before(b, 0);
    char op = b->operator_count ? b->operators[b->operator_count - 1].op : OPEN;
    if (op == MIN || op == MAX)
        b->operators[b->operator_count - 1].arguments++;
    else
        b->is_wrong = true;
}

static bool is_digit(const struct builder *b) { return b->at < b->end && *b->at >= '0' && *b->at <= '9'; }

static void take_number(struct builder *b)
{
    const char *begin = b->at;
    while (is_digit(b) || (b->at < b->end && *b->at == '.')) b->at++;
    assay_slice text = slice_from(begin, b->at);
    bool is_number = text.data[0] != '.' && memchr(text.data, '.', text.len) == memrchr(text.data, '.', text.len);
    push_operand(b, is_number ? text : (assay_slice){ NULL, 0 });
}

static void take_metric(struct builder *b)
{
    uint64_t k = 0;
    b->at++;
    if (!is_digit(b)) b->is_wrong = true;
    for (; is_digit(b) && k < UINT32_MAX; b->at++) k = k * 10 + (uint64_t)(*b->at - '0');
    if (!b->is_wrong) push_operand(b, b->metric(b->arg, k));
}

/* Where an operand is expected; true once there is one. */
static bool take_operand(struct builder *b)
{
    assay_slice rest = slice_from(b->at, b->end);
    char c = *b->at;
    if (slice_starts(rest, "min(") || slice_starts(rest, "max(")) {
        push_operator(b, c == 'm' && b->at[1] == 'i' ? MIN : MAX);
        b->at += 4;
    } else if (slice_starts(rest, "sqrt(")) {
        push_operator(b, ROOT);
        b->at += 5;
    } else if (c == '(' || c == '-') {
        push_operator(b, c == '(' ? OPEN : NEGATE);
        b->at++;
    } else if (c == '#' || c == '.' || is_digit(b)) {
        if (c == '#')
            take_metric(b);
        else
            take_number(b);
        return true;
    } else
        b->is_wrong = true;
    return false;
}

/* Behind an operand; true when another must follow. */
static bool take_operator(struct builder *b)
{
    char c = *b->at++;
    if (c == ')') {
        close_bracket(b);
        return false;
    }
    if (c == ',') {
        take_comma(b);
    } else if (strength(c) && c != NEGATE) {
        apply_before(b, c);
        push_operator(b, c);
    } else
        b->is_wrong = true;
    return true;
}

int hpcdb_formula(struct arena *arena, assay_slice formula, formula_metric_fn metric, void *arg, assay_slice *out, assay_error *err)
{
    struct builder b = { .arena = arena, .at = formula.data, .end = formula.data + formula.len, .metric = metric, .arg = arg };
    bool wants = true;
    *out = (assay_slice){ NULL, 0 };
    if (formula.len > LONGEST) return 0;
    while (b.at < b.end && !b.is_wrong && !b.no_memory) {
        if (*b.at == ' ' || *b.at == '\t')
            b.at++;
        else
            wants = wants ? !take_operand(&b) : take_operator(&b);
    }
    if (!b.is_wrong && !wants) apply_before(&b, 0);
    if (b.no_memory) return error_memory(err);
    if (!b.is_wrong && !wants && b.operator_count == 0 && b.operand_count == 1) *out = b.operands[0];
    return 0;
}
