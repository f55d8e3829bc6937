/* Prints what the model holds of a database, as JSON, and the values that are asked for. Used by facts.py.
 *
 *     db_facts DIRECTORY [PROFILE:CTXID:METRIC/SCOPE...] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/assay.h"
#include "base/exact.h"
#include "base/json.h"

static const char *const scope_names[] = { "point", "function", "lex_aware", "execution" };

static void scope_name(const assay_profile *p, uint32_t id, char *text, size_t size)
{
    const struct assay_scopes *s = assay_profile_scopes(p);
    const char *metric = assay_profile_string(p, assay_profile_metrics(p)->name[s->metric[id].v]).data;
    const char *name = s->kind[id] < ASSAY_SCOPE_CUSTOM ? scope_names[s->kind[id]] : assay_profile_string(p, s->name[id]).data;
    snprintf(text, size, "%s/%s", metric, name);
}

static int add(void *arg, const assay_cell *c)
{
    exact_add(arg, c->value.d);
    return 0;
}

static void print_sums(struct json *j, const assay_profile *p)
{
    json_key(j, "sums");
    json_object(j);
    for (uint32_t id = 1; id <= assay_profile_scopes(p)->count; id++) {
        struct exact sum;
        char name[400];
        assay_error err;
        memset(&sum, 0, sizeof sum);
        for (uint32_t s = 1; s <= assay_profile_streams(p)->count; s++)
            if (assay_tree_column(p, (assay_stream_id){ s }, (assay_scope_id){ id }, add, &sum, &err) != 0) exit(1);
        scope_name(p, id, name, sizeof name);
        json_key(j, name);
        json_double(j, exact_value(&sum));
    }
    json_end(j);
}

static void print_string(struct json *j, const assay_profile *p, const assay_str_id *column, uint32_t id)
{
    json_string(j, column && id ? assay_profile_string(p, column[id]) : (assay_slice){ NULL, 0 });
}

/* ctxId, that of the parent, kind, relation, flags, function, its flags, file, line, module, offset */
static void print_nodes(struct json *j, const assay_profile *p)
{
    const struct assay_tree *t = assay_profile_tree(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    json_key(j, "nodes");
    json_array(j);
    for (uint32_t i = 1; i <= t->count; i++) {
        json_array(j);
        json_u64(j, t->origin[i]);
        json_u64(j, t->origin[t->parent[i].v]);
        json_u64(j, t->kind ? t->kind[i] : 0);
        json_u64(j, t->relation ? t->relation[i] : 0);
        json_u64(j, t->flags ? t->flags[i] : 0);
        print_string(j, p, f->name, t->func ? t->func[i].v : 0);
        json_u64(j, f->flags && t->func ? f->flags[t->func[i].v] : 0);
        print_string(j, p, assay_profile_files(p)->path, t->file ? t->file[i].v : 0);
        json_u64(j, t->line ? t->line[i] : 0);
        print_string(j, p, assay_profile_modules(p)->path, t->module ? t->module[i].v : 0);
        json_u64(j, t->offset ? t->offset[i] : 0);
        json_end(j);
    }
    json_end(j);
}

static void print_streams(struct json *j, const assay_profile *p)
{
    const struct assay_streams *s = assay_profile_streams(p);
    json_key(j, "streams");
    json_array(j);
    for (uint32_t i = 1; i <= s->count; i++) {
        json_array(j);
        for (uint32_t k = s->tuple_begin[i]; k < s->tuple_begin[i + 1]; k++) {
            json_array(j);
            json_string(j, assay_profile_string(p, s->tuple_kind[k]));
            json_u64(j, s->tuple_logical[k]);
            json_u64(j, s->tuple_physical[k]);
            json_u64(j, s->tuple_flags ? s->tuple_flags[k] : 0);
            json_end(j);
        }
        json_end(j);
    }
    json_end(j);
}

static void print_events(struct json *j, const assay_profile *p)
{
    const struct assay_timeline *t = assay_profile_timeline(p);
    json_key(j, "events");
    json_array(j);
    for (uint32_t s = 1; t->begin && s <= t->stream_count; s++)
        for (uint64_t i = t->begin[s]; i < t->begin[s + 1]; i++) {
            json_array(j);
            json_u64(j, s);
            json_i64(j, t->time[i]);
            json_u64(j, t->node[i].v ? assay_profile_tree(p)->origin[t->node[i].v] : 0);
            json_end(j);
        }
    json_end(j);
}

static void print_facts(struct json *j, const assay_profile *p)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    const struct assay_stats *s = assay_profile_stats(p);
    const struct assay_files *f = assay_profile_files(p);
    static const char *const combines[] = { "sum", "min", "max" };
    char text[200];
    json_key(j, "attributes");
    json_object(j);
    for (uint32_t i = 0; i < a->count; i++) {
        json_key_slice(j, assay_profile_string(p, a->key[i]));
        json_string(j, assay_profile_string(p, a->value[i]));
    }
    json_end(j);
    json_key(j, "stats");
    json_array(j);
    for (uint32_t i = 1; i <= s->count; i++) {
        snprintf(text, sizeof text, "%s/%s", assay_profile_string(p, s->formula[i]).data, combines[s->combine[i] % 3]);
        json_text(j, text);
    }
    json_end(j);
    json_key(j, "copied");
    uint64_t copied = 0;
    for (uint32_t i = 1; i <= f->count; i++) copied += f->flags && f->flags[i] & 1;
    json_u64(j, copied);
}

static double ask(const assay_profile *p, const char *question)
{
    unsigned stream, ctx;
    int at = 0;
    char name[400];
    assay_value v = { .d = 0 };
    assay_error err;
    const struct assay_tree *t = assay_profile_tree(p);
    if (sscanf(question, "%u:%u:%n", &stream, &ctx, &at) != 2 || !at) exit(2);
    for (uint32_t id = 1; id <= assay_profile_scopes(p)->count; id++) {
        scope_name(p, id, name, sizeof name);
        if (strcmp(name, question + at) != 0) continue;
        for (uint32_t n = 0; n <= t->count; n++)
            if ((n ? t->origin[n] : 0) == ctx && assay_tree_value(p, (assay_stream_id){ stream }, (assay_node_id){ n }, (assay_scope_id){ id }, &v, &err) != 0)
                exit(1);
    }
    return v.d;
}

int main(int argc, char **argv)
{
    struct mem mem;
    struct output *out;
    struct json j;
    assay_error err = { 0 };
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = ASSAY_WANT_ALL, .strict = true };
    if (argc < 2 || assay_read(argv[1], &o, &p, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    mem_init(&mem, 0);
    if (output_open(&out, "-", &mem, &err) != 0) return 1;
    json_init(&j, out);
    json_object(&j);
    print_facts(&j, p);
    print_nodes(&j, p);
    print_streams(&j, p);
    print_events(&j, p);
    print_sums(&j, p);
    json_key(&j, "answers");
    json_array(&j);
    for (int i = 2; i < argc; i++) json_double(&j, ask(p, argv[i]));
    json_end(&j);
    json_end(&j);
    int rc = output_commit(out, &err);
    assay_profile_release(p);
    return rc ? 1 : 0;
}
