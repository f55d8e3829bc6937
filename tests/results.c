/* Prints public results as lines of fields between tabs, for tests/results.py to compare with what the command says.
 *
 *     results table|lines|files|cycles|tree|bottom-up|flat|hot-path|callers|paths|chart|annotate FILE [FUNCTION]
 *     results all FILE FUNCTION      every one of them after a line that names it; what fails says so in a line */
#include <assay/assay.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void text(assay_slice s) { printf("\t%.*s", (int)s.len, s.len ? s.data : ""); }

static void values(const assay_column *columns, uint32_t count, const assay_value *at)
{
    for (uint32_t i = 0; i < count; i++) {
        if (columns[i].type == ASSAY_F64)
            printf("\t%.17g", at[i].d);
        else if (columns[i].type == ASSAY_I64)
            printf("\t%" PRId64, at[i].i);
        else
            printf("\t%" PRIu64, at[i].u);
    }
}

static void heads(const assay_column *columns, uint32_t count)
{
    printf("columns");
    for (uint32_t i = 0; i < count; i++) text(columns[i].name);
    printf("\n");
}

static assay_slice file_of(const assay_profile *p, assay_file_id id)
{
    const struct assay_files *f = assay_profile_files(p);
    return f->path && id.v ? assay_profile_string(p, f->path[id.v]) : (assay_slice){ "", 0 };
}

static int print_table(const assay_profile *p, const char *what, assay_error *err)
{
    struct assay_table_options o = { .size = sizeof o };
    assay_table *t;
    o.by = strcmp(what, "lines") == 0 ? ASSAY_TABLE_BY_LINE : strcmp(what, "files") == 0 ? ASSAY_TABLE_BY_FILE : ASSAY_TABLE_BY_FUNCTION;
    o.cycles = strcmp(what, "cycles") == 0;
    int rc = assay_table_new(p, &o, &t, err);
    if (rc != 0) return rc;
    heads(t->columns, t->column_count);
    for (uint32_t i = 0; i < t->count; i++) {
        size_t at = (size_t)i * t->column_count;
        printf("row");
        text(t->name[i]);
        text(file_of(t->profile, t->file[i]));
        printf("\t%u\t%" PRIu64 "\t%u\t%u", t->line[i], t->calls[i], t->cycle[i], t->members[i]);
        values(t->columns, t->column_count, t->self + at);
        if (t->total) values(t->columns, t->column_count, t->total + at);
        printf("\n");
    }
    assay_table_free(t);
    return 0;
}

static int print_view(const assay_profile *p, enum assay_view_kind kind, assay_error *err)
{
    struct assay_view_options o = { .size = sizeof o, .kind = kind, .estimate = true, .limit = 10000 };
    assay_view *v;
    int rc = assay_view_new(p, &o, &v, err);
    if (rc != 0) return rc;
    heads(v->columns, v->column_count);
    for (uint32_t i = 1; i <= v->count; i++) {
        size_t at = (size_t)i * v->column_count;
        printf("row\t%u\t%u", v->depth[i], v->kind[i]);
        text(v->name[i]);
        text(file_of(v->profile, v->file[i]));
        printf("\t%u\t%u\t%" PRIu64 "\t%d", v->line[i], v->site_line[i], v->calls[i], v->has_self[i]);
        values(v->columns, v->column_count, v->self + at);
        values(v->columns, v->column_count, v->total + at);
        printf("\n");
    }
    assay_view_free(v);
    return 0;
}

static void print_side(const assay_callers *c, const char *what, const assay_callers_side *s)
{
    for (uint32_t i = 1; i <= s->count; i++) {
        printf("%s\t%u", what, s->depth[i]);
        text(s->name[i]);
        printf("\t%u\t%u\t%" PRIu64 "\t%d", s->line[i], s->sites[i], s->calls[i], s->flags[i] & ASSAY_CALLERS_RECURSION);
        values(c->columns, c->column_count, s->total + (size_t)i * c->column_count);
        printf("\n");
    }
}

static int print_callers(const assay_profile *p, const char *function, assay_error *err)
{
    assay_callers *c;
    int rc = assay_callers_new(p, function, NULL, &c, err);
    if (rc != 0) return rc;
    heads(c->columns, c->column_count);
    for (uint32_t i = 0; i < c->count; i++) {
        const assay_callers_block *b = &c->blocks[i];
        printf("row");
        text(b->name);
        printf("\t%" PRIu64, b->calls);
        values(c->columns, c->column_count, b->self);
        values(c->columns, c->column_count, b->total);
        printf("\n");
        print_side(c, "caller", &b->callers);
        print_side(c, "callee", &b->callees);
    }
    assay_callers_free(c);
    return 0;
}

static int print_paths(const assay_profile *p, assay_error *err)
{
    struct assay_paths_options o = { .size = sizeof o, .estimate = true };
    assay_paths *s;
    int rc = assay_paths_new(p, &o, &s, err);
    if (rc != 0) return rc;
    for (uint32_t i = 1; i <= s->count; i++) {
        printf("row\t%u", s->depth[i]);
        text(s->name[i]);
        if (s->type == ASSAY_F64)
            printf("\t%.17g\t%.17g\n", s->self[i].d, s->total[i].d);
        else
            printf("\t%" PRIu64 "\t%" PRIu64 "\n", s->self[i].u, s->total[i].u);
    }
    assay_paths_free(s);
    return 0;
}

static int print_chart(const assay_profile *p, assay_error *err)
{
    assay_chart *c;
    int rc = assay_chart_new(p, NULL, &c, err);
    if (rc != 0) return rc;
    for (uint32_t i = 0; i < c->functions.count; i++) {
        printf("row");
        text(c->functions.name[i]);
        printf("\t%" PRIu64 "\t%" PRIu64 "\t%u\n", c->functions.self[i].low, c->functions.total[i].low, c->functions.streams[i]);
    }
    for (size_t i = 0; i < c->boxes.count; i++) {
        printf("box\t%s\t%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, c->lines[c->boxes.line[i]].label, c->boxes.depth[i], (uint64_t)(c->boxes.from[i] - c->begin),
               (uint64_t)(c->boxes.to[i] - c->begin), c->boxes.time[i]);
        text(c->boxes.name[i]);
        printf("\n");
    }
    assay_chart_free(c);
    return 0;
}

static void print_source(const assay_annotate_source *s)
{
    printf("source");
    text(s->path);
    printf("\n");
    heads(s->columns, s->column_count);
    for (uint32_t i = 0; i < s->count; i++) {
        printf("row\t%u\t%u\t%d\t%" PRIu64 "\t%u\t%u\t%d\t%" PRIu64 "\t%u", s->line[i], s->state[i], s->has_hits[i], s->hits[i], s->branches[i],
               s->branches_hit[i], s->has_cost[i], s->calls[i], s->callee_begin[i + 1] - s->callee_begin[i]);
        if (s->has_cost[i] && s->self) values(s->columns, s->column_count, s->self + (size_t)i * s->column_count);
        if (s->has_cost[i] && s->total) values(s->columns, s->column_count, s->total + (size_t)i * s->column_count);
        printf("\n");
    }
}

static int print_annotate(const assay_profile *p, assay_error *err)
{
    assay_annotate *a;
    int rc = assay_annotate_new(p, NULL, &a, err);
    if (rc != 0) return rc;
    for (uint32_t i = 0; rc == 0 && i < assay_annotate_count(a); i++) {
        const assay_annotate_source *s;
        rc = assay_annotate_file(a, i, &s, err);
        if (rc == 0) print_source(s);
    }
    assay_annotate_free(a);
    return rc;
}

static int print(const assay_profile *p, const char *what, const char *function, assay_error *err)
{
    static const char *const views[] = { "tree", "bottom-up", "flat", "hot-path" };
    for (int i = 0; i < 4; i++)
        if (strcmp(what, views[i]) == 0) return print_view(p, (enum assay_view_kind)i, err);
    if (strcmp(what, "callers") == 0) return print_callers(p, function, err);
    if (strcmp(what, "paths") == 0) return print_paths(p, err);
    if (strcmp(what, "chart") == 0) return print_chart(p, err);
    if (strcmp(what, "annotate") == 0) return print_annotate(p, err);
    return print_table(p, what, err);
}

static uint32_t wanted(const char *what)
{
    const uint32_t graph = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS;
    if (strcmp(what, "chart") == 0) return ASSAY_WANT_TIMELINE | ASSAY_WANT_WHOLE | ASSAY_WANT_COARSE;
    if (strcmp(what, "annotate") == 0 || strcmp(what, "lines") == 0) return ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES | ASSAY_WANT_COVERAGE;
    if (strcmp(what, "files") == 0) return ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_EITHER;
    if (strcmp(what, "flat") == 0) return ASSAY_WANT_TREE | graph | ASSAY_WANT_COSTS;
    if (strcmp(what, "bottom-up") == 0) return ASSAY_WANT_TREE | graph;
    if (strcmp(what, "tree") == 0 || strcmp(what, "hot-path") == 0 || strcmp(what, "paths") == 0) return ASSAY_WANT_TREE | graph | ASSAY_WANT_EITHER;
    return graph | ASSAY_WANT_COVERAGE;
}

static int show(const char *what, const char *path, const char *function, assay_error *err)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = wanted(what) };
    if (strcmp(what, "chart") == 0) o.columns = 1000;
    int rc = assay_read(path, &o, &p, err);
    if (rc == 0) rc = print(p, what, function, err);
    assay_profile_release(p);
    return rc;
}

static int show_all(const char *path, const char *function)
{
    static const char *const all[] = { "table", "lines", "files", "cycles", "tree", "bottom-up", "flat", "hot-path", "callers", "paths", "chart", "annotate" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assay_error err;
        printf("# %s\n", all[i]);
        if (show(all[i], path, function, &err) != 0) printf("error\t%s\t%s\n", assay_code_name(err.code), err.text);
    }
    return 0;
}

int main(int argc, char **argv)
{
    assay_error err;
    if (argc < 3) return 2;
    const char *function = argc > 3 ? argv[3] : "main";
    if (strcmp(argv[1], "all") == 0) return show_all(argv[2], function);
    int rc = show(argv[1], argv[2], function, &err);
    if (rc != 0) fprintf(stderr, "%s\n", err.text);
    return rc ? 1 : 0;
}
