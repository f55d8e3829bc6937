/* Infix -> reverse Polish notation by a stack of operators that wait for what binds tighter; see formula.h. */
#include "analysis/core/formula.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

enum { NESTED = 8 }; /* formulas within formulas: a file may let two use each other */

struct parser {
    struct formula *f;
    assay_slice text;
    size_t at;
    formula_name_fn names;
    void *arg;
    unsigned nested;
    char waiting[FORMULA_DEEPEST]; /* operators and '(' */
    uint32_t waiting_count;
    uint32_t operands; /* that the operations so far leave */
    bool wants_operand;
    assay_error *err;
};

static int parse(struct parser *p);

static char peek(const struct parser *p) { return p->at < p->text.len ? p->text.data[p->at] : '\0'; }

static int fail(const struct parser *p, const char *what)
{
    return error_set(p->err, ASSAY_ERR_USAGE, "formula '%.*s': %s at column %zu", (int)(p->text.len < 100 ? p->text.len : 100), p->text.data, what, p->at + 1);
}

/* ---- operations ---- */

static int strength(char op) { return op == '+' || op == '-' ? 1 : op == '*' || op == '/' ? 2 : op == '~' ? 3 : 0; }

static int put(struct parser *p, char op, double number, uint32_t metric)
{
    struct formula *f = p->f;
    bool is_operand = op == 'n' || op == 'm';
    if (f->count == FORMULA_OPS || (is_operand && p->operands == FORMULA_DEEPEST)) return fail(p, "too long");
    f->ops[f->count].op = op;
    f->ops[f->count].number = number;
    f->ops[f->count++].metric = metric;
    if (is_operand)
        p->operands++;
    else if (op != '~')
        p->operands--;
    return 0;
}

/* What waits and binds at least as tight goes first. */
static int release(struct parser *p, int least)
{
    while (p->waiting_count && strength(p->waiting[p->waiting_count - 1]) >= least) TRY(put(p, p->waiting[--p->waiting_count], 0, 0));
    return 0;
}

static int wait(struct parser *p, char op)
{
    if (p->waiting_count == FORMULA_DEEPEST) return fail(p, "nested too deeply");
    p->waiting[p->waiting_count++] = op;
    return 0;
}

static int put_operator(struct parser *p, char op)
{
    if (op != '~') TRY(release(p, strength(op)));
    p->wants_operand = true;
    return wait(p, op);
}

/* ---- operands ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == ':'; }

/* "10 L1m": a number multiplies what stands right after it. */
static int begin_operand(struct parser *p)
{
    bool after_number = !p->wants_operand && p->f->count && p->f->ops[p->f->count - 1].op == 'n';
    if (!p->wants_operand && !after_number) return fail(p, "missing operator");
    return p->wants_operand ? 0 : put_operator(p, '*');
}

static int read_number(struct parser *p)
{
    size_t end = p->at;
    double v;
    while (end < p->text.len && (is_digit(p->text.data[end]) || p->text.data[end] == '.')) end++;
    if (end + 1 < p->text.len && (p->text.data[end] == 'e' || p->text.data[end] == 'E') && is_digit(p->text.data[end + 1]))
        for (end++; end < p->text.len && is_digit(p->text.data[end]);) end++;
    if (!p->wants_operand) return fail(p, "missing operator");
    if (number_double((assay_slice){ p->text.data + p->at, end - p->at }, &v) != NUMBER_OK) return fail(p, "not a number");
    TRY(put(p, 'n', v, 0));
    p->at = end;
    p->wants_operand = false;
    return 0;
}

/* A formula that stands for a name is one operand, whatever it holds. */
static int put_nested(struct parser *p, const char *text)
{
    struct parser inner = {
        .f = p->f, .text = slice_of(text), .names = p->names, .arg = p->arg, .nested = p->nested + 1, .operands = p->operands, .err = p->err
    };
    if (inner.nested == NESTED) return fail(p, "formula that refers to itself or is nested too deeply");
    TRY(parse(&inner));
    p->operands = inner.operands;
    return 0;
}

static int read_name(struct parser *p)
{
    char quote = peek(p);
    size_t end = p->at;
    assay_slice name;
    if (quote == '\'' || quote == '"') {
        const char *close = memchr(p->text.data + p->at + 1, quote, p->text.len - p->at - 1);
        if (!close) return fail(p, "unclosed quote");
        name = slice_from(p->text.data + p->at + 1, close);
        end = (size_t)(close - p->text.data) + 1;
    } else {
        while (end < p->text.len && is_word(p->text.data[end])) end++;
        name = (assay_slice){ p->text.data + p->at, end - p->at };
    }
    struct formula_name found = { 0, NULL };
    TRY(begin_operand(p));
    TRY(p->names(p->arg, name, p->nested > 0, &found, p->err));
    TRY(found.text ? put_nested(p, found.text) : put(p, 'm', 0, found.metric));
    p->at = end;
    p->wants_operand = false;
    return 0;
}

/* ---- the whole ---- */

static int read_close(struct parser *p)
{
    TRY(release(p, 1));
    if (p->wants_operand || !p->waiting_count) return fail(p, p->wants_operand ? "missing operand" : "')' without '('");
    p->waiting_count--;
    p->at++;
    return 0;
}

static int read_item(struct parser *p)
{
    char c = peek(p);
    if (is_digit(c) || (c == '.' && p->at + 1 < p->text.len && is_digit(p->text.data[p->at + 1]))) return read_number(p);
    if (is_word(c) || c == '\'' || c == '"') return read_name(p);
    if (c == ')') return read_close(p);
    if (c == '(') {
        TRY(begin_operand(p));
        p->wants_operand = true;
    } else if (!strength(c) || c == '~')
        return fail(p, "unexpected character");
    else if (p->wants_operand && c != '-' && c != '+')
        return fail(p, "missing operand");
    p->at++;
    if (c == '(') return wait(p, c);
    if (!p->wants_operand) return put_operator(p, c);
    return c == '-' ? put_operator(p, '~') : 0;
}

static int parse(struct parser *p)
{
    p->wants_operand = true;
    for (;;) {
        while (peek(p) == ' ' || peek(p) == '\t') p->at++;
        if (p->at == p->text.len) break;
        TRY(read_item(p));
    }
    if (p->wants_operand) return fail(p, "missing operand");
    TRY(release(p, 1));
    return p->waiting_count ? fail(p, "missing ')'") : 0;
}

int formula_parse(struct formula *f, assay_slice text, formula_name_fn names, void *arg, assay_error *err)
{
    struct parser p = { .f = f, .text = text, .names = names, .arg = arg, .err = err };
    f->count = 0;
    return parse(&p);
}

double formula_value(const struct formula *f, formula_value_fn value, void *arg)
{
    double stack[FORMULA_DEEPEST + 1] = { 0 };
    uint32_t top = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        char op = f->ops[i].op;
        if (op == 'n' || op == 'm') {
            stack[top++] = op == 'n' ? f->ops[i].number : value(arg, f->ops[i].metric);
            continue;
        }
        if (op == '~') {
            stack[top - 1] = -stack[top - 1];
            continue;
        }
        double right = stack[--top], *left = &stack[top - 1];
        *left = op == '+' ? *left + right : op == '-' ? *left - right : op == '*' ? *left * right : right != 0 ? *left / right : (double)NAN;
    }
    return stack[0];
}

/* What the part of a formula is: a number, a sum of metrics, or neither. */
enum degree { DEGREE_NUMBER, DEGREE_SUM, DEGREE_OTHER };

static enum degree degree_of(char op, enum degree left, enum degree right)
{
    if (op == '+' || op == '-') return left == right ? left : DEGREE_OTHER;
    if (right == DEGREE_NUMBER) return left;
    return op == '*' && left == DEGREE_NUMBER ? right : DEGREE_OTHER;
}

bool formula_is_sum(const struct formula *f)
{
    enum degree stack[FORMULA_DEEPEST + 1] = { DEGREE_NUMBER };
    uint32_t top = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        char op = f->ops[i].op;
        bool is_zero = op == 'n' && f->ops[i].number == 0; /* an event that was not counted */
        if (op == 'n' || op == 'm')
            stack[top++] = op == 'm' || is_zero ? DEGREE_SUM : DEGREE_NUMBER;
        else if (op != '~') {
            top--;
            stack[top - 1] = degree_of(op, stack[top - 1], stack[top]);
        }
    }
    return stack[0] == DEGREE_SUM;
}

const char *formula_ready(assay_slice name)
{
    static const struct {
        const char *name, *text;
    } ready[] = {
        { "L1m", "I1mr + D1mr + D1mw" },
        { "L2m", "I2mr + D2mr + D2mw" },
        { "LLm", "ILmr + DLmr + DLmw" },
        { "Bm", "Bim + Bcm" },
        { "CEst", "Ir + 10 Bm + 10 L1m + 20 Ge + 100 L2m + 100 LLm" },
    };
    for (size_t i = 0; i < sizeof ready / sizeof *ready; i++)
        if (slice_is(name, ready[i].name)) return ready[i].text;
    return NULL;
}
