/* Does a formula of a derived metric make sense? Numbers, #k for metric k, + - * / ^, unary minus, min(), max(), parentheses. Nothing
 * recurses: what is open is a small stack. */
#include "formats/hpcrun/check.h"

enum { DEPTH_MAX = 64 };

struct parser {
    const char *at, *end;
    bool is_call[DEPTH_MAX]; /* an open parenthesis of min or max, in which commas may stand */
    unsigned depth;
    uint64_t metric_count;
};

static bool is_digit(const struct parser *p) { return p->at < p->end && *p->at >= '0' && *p->at <= '9'; }

static void skip_blanks(struct parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t')) p->at++;
}

static const char *take_metric(struct parser *p)
{
    uint64_t k = 0;
    p->at++;
    if (!is_digit(p)) return "a # without the number of a metric";
    for (; is_digit(p); p->at++)
        if (k <= UINT32_MAX) k = k * 10 + (uint64_t)(*p->at - '0');
    return k < p->metric_count ? NULL : "a metric that does not exist";
}

/* Digits with a point somewhere. */
static const char *take_number(struct parser *p)
{
    size_t digits = 0, points = 0;
    while (is_digit(p) || (p->at < p->end && *p->at == '.' && points == 0)) {
        if (*p->at == '.')
            points++;
        else
            digits++;
        p->at++;
    }
    return digits ? NULL : "a point without digits";
}

static const char *open_bracket(struct parser *p, size_t len, bool is_call)
{
    p->at += len;
    if (p->depth == DEPTH_MAX) return "parentheses nested too deeply";
    p->is_call[p->depth++] = is_call;
    return NULL;
}

/* Sets *done once a value is complete. */
static const char *take_operand(struct parser *p, bool *done)
{
    assay_slice rest = slice_from(p->at, p->end);
    *done = false;
    if (rest.len == 0) return "the end where a number is expected";
    if (slice_starts(rest, "min(") || slice_starts(rest, "max(")) return open_bracket(p, 4, true);
    if (*p->at == '(') return open_bracket(p, 1, false);
    if (*p->at == '-' || *p->at == '+') {
        p->at++;
        return NULL;
    }
    *done = true;
    if (*p->at == '#') return take_metric(p);
    if (is_digit(p) || *p->at == '.') return take_number(p);
    return "something that is not a number";
}

/* Sets *wants when another value must follow. */
static const char *take_operator(struct parser *p, bool *wants)
{
    char c = *p->at;
    *wants = true;
    if (c == ')') {
        if (p->depth == 0) return "an unmatched closing parenthesis";
        p->depth--;
        *wants = false;
    } else if (c == ',') {
        if (p->depth == 0 || !p->is_call[p->depth - 1]) return "a comma outside min and max";
    } else if (!strchr("+-*/^", c) || c == 0) {
        return "something that is not an operator";
    }
    p->at++;
    return NULL;
}

const char *hpcrun_formula_problem(assay_slice text, uint64_t metric_count, size_t *at)
{
    struct parser p = { .at = text.data, .end = text.data + text.len, .metric_count = metric_count };
    const char *problem = NULL;
    bool wants = true, done;
    for (skip_blanks(&p); !problem && (wants || p.at < p.end); skip_blanks(&p)) {
        *at = (size_t)(p.at - text.data);
        if (wants) {
            problem = take_operand(&p, &done);
            wants = !done;
        } else {
            problem = take_operator(&p, &wants);
        }
    }
    if (!problem && p.depth) {
        *at = text.len;
        problem = "a parenthesis that is not closed";
    }
    return problem;
}
