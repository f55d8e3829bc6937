/* The five functions with the highest self cost of any profile, each with who calls it and what that costs.
 *
 *     cc callers.c $(pkg-config --cflags --libs assay) -o callers && ./callers callgrind.out.1234 */
#include <assay/assay.h>
#include <stdio.h>

static int complain(const assay_error *err)
{
    char text[1100];
    assay_error_format(err, text, sizeof text);
    fprintf(stderr, "callers: %s\n", text);
    return 1;
}

/* Figures are u64, i64 or double; the column says which. */
static double number(const assay_column *column, assay_value v)
{
    return column->type == ASSAY_F64 ? v.d : column->type == ASSAY_I64 ? (double)v.i : (double)v.u;
}

static double percent(const assay_column *column, assay_value v) { return column->whole > 0 ? 100 * number(column, v) / column->whole : 0; }

static void print_callers(const assay_callers *c, const assay_callers_block *block)
{
    const assay_column *column = &c->columns[c->key];
    const assay_callers_side *s = &block->callers;
    for (uint32_t row = 1; row <= s->count; row++) /* row 0 is the function itself */
        printf("          %5.1f%%  from %.*s, line %u\n", percent(column, s->total[row * c->column_count + c->key]), (int)s->name[row].len, s->name[row].data,
               s->line[row]);
}

/* Several functions may have one name: the block of this one is wanted. */
static int print_function(const assay_profile *p, const assay_table *table, uint32_t row, assay_error *err)
{
    struct assay_callers_options options = { .size = sizeof options, .limit = 3 };
    const assay_column *column = &table->columns[table->key];
    assay_callers *callers;
    char name[1000];
    snprintf(name, sizeof name, "%.*s", (int)table->name[row].len, table->name[row].data);
    printf("%5.1f%%  %s\n", percent(column, table->self[row * table->column_count + table->key]), name);
    int rc = assay_callers_new(p, name, &options, &callers, err);
    if (rc != 0) return rc;
    for (uint32_t i = 0; i < callers->count; i++)
        if (callers->blocks[i].func.v == table->func[row].v) print_callers(callers, &callers->blocks[i]);
    assay_callers_free(callers);
    return 0;
}

int main(int argc, char **argv)
{
    struct assay_read_options read = { .want = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS };
    struct assay_table_options options = { .size = sizeof options, .limit = 5 };
    assay_profile *p = NULL;
    assay_table *table = NULL;
    assay_error err;
    if (argc != 2) {
        fprintf(stderr, "usage: callers FILE\n");
        return 2;
    }
    int rc = assay_read(argv[1], &read, &p, &err);
    if (rc == 0) rc = assay_table_new(p, &options, &table, &err);
    for (uint32_t row = 0; rc == 0 && table->column_count && row < table->count; row++) rc = print_function(p, table, row, &err);
    assay_table_free(table);
    assay_profile_release(p);
    return rc == 0 ? 0 : complain(&err);
}
