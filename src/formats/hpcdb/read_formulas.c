/* Columns of default.yaml that are computed, as formulas over metrics that --metric understands: {/: [*A, {+: [*B, 1]}]} -> ('A' / ('B' + 1)). Each becomes an attribute
 * "formula.NAME". One that needs more than plain sums of metrics (a count of threads, say) is left out. */
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/slice.h"
#include "formats/hpcdb/read.h"

enum { LONGEST = 2000, DEEPEST = YAML_MAX_DEPTH };

/* A list of operands that is open. */
struct level {
    assay_slice op;
    bool is_function;
    uint32_t next; /* operand; 0 = none is left */
};

struct writing {
    const struct hpcdb_taxonomy *t;
    struct output *out;
    struct level levels[DEEPEST];
    uint32_t depth;
};

static bool is_function(assay_slice op)
{
    static const char *const functions[] = { "min", "max", "sqrt", "ln", "log", "floor", "ceil" };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (slice_is(op, functions[i])) return true;
    return false;
}

/* The plain sum of a metric, by its name. */
static bool put_input(struct writing *w, const struct hpcdb_column_input *x)
{
    bool is_sum = slice_is(x->formula, "$$") && (!x->combine.len || slice_is(x->combine, "sum"));
    char quote = x->metric.len && memchr(x->metric.data, '\'', x->metric.len) ? '"' : '\'';
    if (!is_sum || !x->metric.len || memchr(x->metric.data, quote, x->metric.len)) return false;
    output_char(w->out, quote);
    output_slice(w->out, x->metric);
    output_char(w->out, quote);
    return true;
}

static bool put_number(struct writing *w, assay_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!strchr("0123456789.", text.data[i])) return false;
    if (!text.len || text.data[0] == '.') return false;
    output_slice(w->out, text);
    return true;
}

/* A map with one operator. */
static bool open_level(struct writing *w, uint32_t map)
{
    const struct yaml *y = &w->t->yaml;
    uint32_t child = y->nodes.at[map].first, list = child ? yaml_real(y, child) : 0;
    struct level l = { .op = y->nodes.at[child].key };
    if (!child || y->nodes.at[child].next || w->depth == DEEPEST || y->nodes.at[list].kind != YAML_LIST) return false;
    l.next = y->nodes.at[list].first;
    l.is_function = is_function(l.op);
    bool is_operator = l.op.len == 1 && strchr("+-*/^", l.op.data[0]);
    if (!l.next || !(l.is_function || is_operator)) return false;
    if (l.is_function) output_slice(w->out, l.op);
    output_char(w->out, '(');
    if (slice_is(l.op, "-") && !y->nodes.at[l.next].next) output_char(w->out, '-');
    w->levels[w->depth++] = l;
    return true;
}

/* Closes what is complete; returns the next operand, 0 = there is none. */
static uint32_t next_operand(struct writing *w, bool is_after_one)
{
    for (; w->depth; w->depth--) {
        struct level *l = &w->levels[w->depth - 1];
        uint32_t node = l->next;
        if (node) {
            if (is_after_one) output_text(w->out, l->is_function ? ", " : " ");
            if (is_after_one && !l->is_function) output_slice(w->out, l->op);
            if (is_after_one && !l->is_function) output_char(w->out, ' ');
            l->next = w->t->yaml.nodes.at[node].next;
            return node;
        }
        output_char(w->out, ')');
        is_after_one = true;
    }
    return 0;
}

static bool put_formula(struct writing *w, uint32_t node)
{
    const struct yaml *y = &w->t->yaml;
    while (node) {
        uint32_t real = yaml_real(y, node), number = w->t->number_of.at[real];
        bool is_map = !number && y->nodes.at[real].kind == YAML_MAP;
        bool is_put = number ? put_input(w, &w->t->inputs.at[number - 1]) : is_map ? open_level(w, real) : put_number(w, yaml_text(y, real));
        if (!is_put || output_memory(w->out).len > LONGEST) return false; /* aliases can make a small file a long formula */
        node = next_operand(w, !is_map);
    }
    return true;
}

static int add_formula(struct hpcdb_reader *r, const struct hpcdb_column_root *root, assay_error *err)
{
    struct writing w = { .t = &r->taxonomy };
    char key[300];
    uint32_t node = hpcdb_taxonomy_formula(&r->taxonomy, root);
    if (!node || !root->name.len || root->name.len > 250) return 0;
    TRY(output_open_memory(&w.out, r->mem, err));
    if (put_formula(&w, node)) {
        int len = snprintf(key, sizeof key, "formula.%.*s", (int)root->name.len, root->name.data);
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, (size_t)len, output_memory(w.out).data, output_memory(w.out).len);
    }
    output_abort(w.out);
    return 0;
}

int hpcdb_read_formulas(struct hpcdb_reader *r, assay_error *err)
{
    for (size_t i = 0; i < r->taxonomy.roots.len; i++)
        if (r->taxonomy.roots.at[i].is_computed) TRY(add_formula(r, &r->taxonomy.roots.at[i], err));
    return assay_builder_failed(r->b);
}
