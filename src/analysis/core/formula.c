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
    char waiting[FORMULA_DEEPEST];       /* operators, functions and '(' */
    uint32_t arguments[FORMULA_DEEPEST]; /* of what waits: commas after a '(' */
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

static int strength(char op) { return op == '+' || op == '-' ? 1 : op == '*' || op == '/' ? 2 : op == '~' ? 3 : op == '^' ? 4 : 0; }

/* Of one operand. */
static bool is_unary(char op) { return op == '~' || strchr("aqlgfc", op); }

static int put(struct parser *p, char op, double number, uint32_t metric)
{
    struct formula *f = p->f;
    bool is_operand = op == 'n' || formula_is_metric(op);
    if (f->count == FORMULA_OPS || (is_operand && p->operands == FORMULA_DEEPEST)) return fail(p, "too long");
    f->ops[f->count].op = op;
    f->ops[f->count].number = number;
    f->ops[f->count++].metric = metric;
    if (is_operand)
        p->operands++;
    else if (!is_unary(op))
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
    p->arguments[p->waiting_count] = 1;
    p->waiting[p->waiting_count++] = op;
    return 0;
}

static int put_operator(struct parser *p, char op)
{
    if (op != '~') TRY(release(p, op == '^' ? strength(op) + 1 : strength(op))); /* a^b^c is a^(b^c) */
    p->wants_operand = true;
    return wait(p, op);
}

/* ---- operands ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == ':' || c == '#'; }

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

/* ---- functions ---- */

static const struct {
    const char *name;
    char op;
} functions[] = { { "min", '<' }, { "max", '>' }, { "abs", 'a' }, { "sqrt", 'q' }, { "ln", 'l' }, { "log", 'g' }, { "floor", 'f' }, { "ceil", 'c' } };

static size_t blanks_end(const struct parser *p, size_t at)
{
    while (at < p->text.len && (p->text.data[at] == ' ' || p->text.data[at] == '\t')) at++;
    return at;
}

/* A word before a parenthesis; 0 = it is none of the functions. */
static char function_of(const struct parser *p, assay_slice name, size_t end)
{
    size_t open = blanks_end(p, end);
    if (open >= p->text.len || p->text.data[open] != '(') return '\0';
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (slice_is(name, functions[i].name)) return functions[i].op;
    return '\0';
}

static int begin_function(struct parser *p, char op, size_t end)
{
    TRY(begin_operand(p));
    TRY(wait(p, op));
    TRY(wait(p, '('));
    p->at = blanks_end(p, end) + 1;
    p->wants_operand = true;
    return 0;
}

/* min and max of several are those of two, one after the other. */
static int end_function(struct parser *p, uint32_t arguments)
{
    char op = p->waiting_count ? p->waiting[p->waiting_count - 1] : '\0';
    bool is_function = op && (strchr("<>", op) || (is_unary(op) && op != '~'));
    if (!is_function) return arguments > 1 ? fail(p, "',' outside of a function") : 0;
    if (is_unary(op) && arguments > 1) return fail(p, "more than one argument");
    p->waiting_count--;
    if (is_unary(op)) return put(p, op, 0, 0);
    for (uint32_t i = 1; i < arguments; i++) TRY(put(p, op, 0, 0));
    return 0;
}

static int read_comma(struct parser *p)
{
    TRY(release(p, 1));
    if (p->wants_operand || !p->waiting_count) return fail(p, p->wants_operand ? "missing operand" : "',' outside of a function");
    p->arguments[p->waiting_count - 1]++;
    p->wants_operand = true;
    p->at++;
    return 0;
}

static assay_slice word_at(const struct parser *p, size_t at)
{
    size_t end = at;
    while (end < p->text.len && is_word(p->text.data[end])) end++;
    return (assay_slice){ p->text.data + at, end - at };
}

/* A name, quoted or not, at `at`; *end is behind it. */
static int name_at(struct parser *p, size_t at, assay_slice *name, size_t *end)
{
    char quote = at < p->text.len ? p->text.data[at] : '\0';
    *name = word_at(p, at);
    *end = at + name->len;
    if (quote != '\'' && quote != '"') return name->len ? 0 : fail(p, "missing name");
    const char *close = memchr(p->text.data + at + 1, quote, p->text.len - at - 1);
    if (!close) return fail(p, "unclosed quote");
    *name = slice_from(p->text.data + at + 1, close);
    *end = (size_t)(close - p->text.data) + 1;
    return 0;
}

/* $self(m), $total(m), $share(m) */
static int read_figure(struct parser *p)
{
    assay_slice which = word_at(p, p->at + 1), name;
    char op = slice_is(which, "self") ? 's' : slice_is(which, "total") ? 't' : slice_is(which, "share") ? '%' : '\0';
    size_t at = blanks_end(p, p->at + 1 + which.len), end;
    struct formula_name found = { 0, NULL };
    if (!op || at >= p->text.len || p->text.data[at] != '(') return fail(p, "expected $self(NAME), $total(NAME) or $share(NAME)");
    TRY(name_at(p, blanks_end(p, at + 1), &name, &end));
    end = blanks_end(p, end);
    if (end >= p->text.len || p->text.data[end] != ')') return fail(p, "missing ')'");
    TRY(begin_operand(p));
    TRY(p->names(p->arg, name, p->nested > 0, &found, p->err));
    if (found.text && !slice_is(slice_of(found.text), "0")) return fail(p, "a metric is needed, not a formula");
    TRY(found.text ? put(p, 'n', 0, 0) : put(p, op, 0, found.metric));
    p->at = end + 1;
    p->wants_operand = false;
    return 0;
}

static int read_name(struct parser *p)
{
    size_t end;
    assay_slice name;
    TRY(name_at(p, p->at, &name, &end));
    char function = is_word(peek(p)) ? function_of(p, name, end) : '\0';
    if (function) return begin_function(p, function, end);
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
    uint32_t arguments = p->arguments[--p->waiting_count];
    p->at++;
    return end_function(p, arguments);
}

static int read_item(struct parser *p)
{
    char c = peek(p);
    if (is_digit(c) || (c == '.' && p->at + 1 < p->text.len && is_digit(p->text.data[p->at + 1]))) return read_number(p);
    if (is_word(c) || c == '\'' || c == '"') return read_name(p);
    if (c == '$') return read_figure(p);
    if (c == ',') return read_comma(p);
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

static double metric_value(char op, uint32_t metric, formula_value_fn value, void *arg)
{
    if (op == '%') {
        double whole = value(arg, FORMULA_WHOLE, metric);
        return whole != 0 ? value(arg, FORMULA_HERE, metric) / whole : (double)NAN;
    }
    return value(arg, op == 's' ? FORMULA_SELF : op == 't' ? FORMULA_TOTAL : FORMULA_HERE, metric);
}

static double unary(char op, double x)
{
    switch (op) {
    case '~': return -x;
    case 'a': return fabs(x);
    case 'q': return x >= 0 ? sqrt(x) : (double)NAN;
    case 'l': return x > 0 ? log(x) : (double)NAN;
    case 'g': return x > 0 ? log10(x) : (double)NAN;
    case 'f': return floor(x);
    default: return ceil(x);
    }
}

static double binary(char op, double x, double y)
{
    switch (op) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    case '^': return pow(x, y);
    case '<': return isnan(x) || isnan(y) ? (double)NAN : fmin(x, y);
    case '>': return isnan(x) || isnan(y) ? (double)NAN : fmax(x, y);
    default: return y != 0 ? x / y : (double)NAN;
    }
}

double formula_value(const struct formula *f, formula_value_fn value, void *arg)
{
    double stack[FORMULA_DEEPEST + 1] = { 0 };
    uint32_t top = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        char op = f->ops[i].op;
        if (op == 'n')
            stack[top++] = f->ops[i].number;
        else if (formula_is_metric(op))
            stack[top++] = metric_value(op, f->ops[i].metric, value, arg);
        else if (is_unary(op))
            stack[top - 1] = unary(op, stack[top - 1]);
        else {
            top--;
            stack[top - 1] = binary(op, stack[top - 1], stack[top]);
        }
    }
    return isfinite(stack[0]) ? stack[0] : (double)NAN;
}

/* What the part of a formula is: a number, a sum of metrics, or neither. */
enum degree { DEGREE_NUMBER, DEGREE_SUM, DEGREE_OTHER };

static enum degree degree_of(char op, enum degree left, enum degree right)
{
    if (op == '+' || op == '-') return left == right ? left : DEGREE_OTHER;
    if (left == DEGREE_NUMBER && right == DEGREE_NUMBER) return DEGREE_NUMBER;
    if (op == '^' || op == '<' || op == '>') return DEGREE_OTHER;
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
        if (op == 'n' || formula_is_metric(op))
            stack[top++] = op == 'm' || is_zero ? DEGREE_SUM : op == 'n' ? DEGREE_NUMBER : DEGREE_OTHER;
        else if (is_unary(op)) {
            if (op != '~' && stack[top - 1] != DEGREE_NUMBER) stack[top - 1] = DEGREE_OTHER;
        } else {
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
        /* what was not counted is 0, so that a sum has whichever names the file has */
        { "IPC", "(PAPI_TOT_INS + instructions + 'instructions:u') / (PAPI_TOT_CYC + cycles + 'cycles:u' + 'cpu-cycles')" },
        { "CPI", "(PAPI_TOT_CYC + cycles + 'cycles:u' + 'cpu-cycles') / (PAPI_TOT_INS + instructions + 'instructions:u')" },
        { "L1MissRate", "(L1m + PAPI_L1_TCM + 'L1-dcache-load-misses') / (Ir + Dr + Dw + PAPI_L1_TCA + 'L1-dcache-loads')" },
        { "D1MissRate", "(D1mr + D1mw + PAPI_L1_DCM) / (Dr + Dw + PAPI_L1_DCA)" },
        { "L2MissRate", "(L2m + PAPI_L2_TCM) / (Ir + Dr + Dw + PAPI_L2_TCA)" },
        { "LLMissRate", "(LLm + PAPI_L3_TCM + 'cache-misses') / (Ir + Dr + Dw + PAPI_L3_TCA + 'cache-references')" },
        { "BranchMissRate", "(Bm + PAPI_BR_MSP + 'branch-misses') / (Bi + Bc + PAPI_BR_CN + branches + 'branch-instructions')" },
        { "GPUOccupancy", "'GKER:FGP_ACT_ACUMU' / 'GKER:FGP_MAX_ACUMU'" },
        { "GPUCopyShare", "'GXCOPY (sec)' / 'GPUOP (sec)'" },
        { "GPUUtilisation", "'GKER (sec)' / 'GPUOP (sec)'" },
        { "FPWaste", "2 PAPI_TOT_CYC - PAPI_FP_OPS" },
        { "FPEfficiency", "PAPI_FP_OPS / (2 PAPI_TOT_CYC)" },
    };
    for (size_t i = 0; i < sizeof ready / sizeof *ready; i++)
        if (slice_is(name, ready[i].name)) return ready[i].text;
    return NULL;
}
