/* What is written: profiles rewritten in their own version and in others, repaired, and written from the model. Samples are the shared ones, and where
 * those are missing, a profile written here by the primitives of the specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "assay/hpcrun_fmt.h"
#include "harness.h"

struct bytes {
    char *at;
    size_t len;
};

static int collect(void *arg, const char *data, size_t len)
{
    struct bytes *b = arg;
    char *grown = realloc(b->at, b->len + len + 1);
    if (!grown) return 1;
    memcpy(grown + b->len, data, len);
    b->at = grown;
    b->len += len;
    return 0;
}

static assay_profile *must_read(const void *data, size_t len, const char *name)
{
    assay_error err = { 0 };
    assay_profile *p = NULL;
    if (assay_read_memory(data, len, name, &(struct assay_read_options){ .want = ASSAY_WANT_TREE | ASSAY_WANT_TIMELINE }, &p, &err) != 0)
        fail_msg("%s: %s", name, err.text);
    return p;
}

/* Through the format's own entry: record by record. */
static struct bytes rewrite(const struct sample *s, const char *format, const char *version, size_t *losses)
{
    const struct format *f = registry_find(slice_of(format));
    struct mem mem;
    struct input *in;
    struct output *out;
    struct losses list;
    struct assay_read_options read = { 0 };
    struct assay_write_options write = { 0 };
    struct bytes b = { 0 };
    assay_error err = { 0 };
    mem_init(&mem, 0);
    losses_init(&list, &mem);
    assert_int_equal(input_open_memory(&in, s->data, s->len, s->name, &(struct input_options){ .mem = &mem }, &err), 0);
    assert_int_equal(output_open_memory(&out, &mem, &err), 0);
    int rc = f->rewrite(&(struct read_job){ .in = in, .options = &read, .mem = &mem },
                        &(struct write_job){ &write, version, &mem, &list, true, &f->info, NULL, NULL }, out, &err);
    if (rc != 0) fail_msg("%s to %s: %s", s->name, version, err.text);
    assay_slice made = output_memory(out);
    (void)collect(&b, made.data, made.len);
    *losses = list.list.len;
    output_abort(out);
    input_close(in);
    losses_done(&list);
    assert_int_equal(mem.used, 0);
    return b;
}

static struct bytes write_model(const assay_profile *p, const char *target, size_t *loss_count)
{
    struct bytes b = { 0 };
    assay_losses *losses = NULL;
    assay_error err = { 0 };
    if (assay_write_fn(p, &(struct assay_write_options){ .format = target }, collect, &b, &losses, &err) != 0) fail_msg("%s: %s", target, err.text);
    *loss_count = losses->count;
    assay_losses_free(losses);
    return b;
}

static void must_equal(const assay_profile *a, const assay_profile *b, const char *name)
{
    char why[400] = "";
    assay_error err;
    if (assay_profile_equal(a, b, why, sizeof why, &err) != 0) fail_msg("%s: %s", name, why);
}

/* The fixtures, and sound files of the shared data. */
static void load(struct samples *s)
{
    static const char *const folders[] = { "seed", "historic", "files", "demo/demo.m", "demo/ranks.m" };
    char fixtures[600];
    memset(s, 0, sizeof *s);
    snprintf(fixtures, sizeof fixtures, "%s/tests/data", harness_source());
    samples_add(s, fixtures, 1 << 20);
    for (size_t i = 0; harness_shared() && i < sizeof folders / sizeof *folders; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/data/hpcrun/%s", harness_shared(), folders[i]);
        samples_add(s, path, 1 << 20);
    }
}

static bool has_magic(const struct sample *s, const char *magic) { return s->len > strlen(magic) && memcmp(s->data, magic, strlen(magic)) == 0; }
static bool is_literal(const struct sample *s) { return has_magic(s, "HPCRUN____02.00l") && !strstr(s->name, "2009"); }
/* Nodes of 2021 get their missing byte, an unfinished file its footer: those come out longer. */
static bool is_sparse(const struct sample *s) { return has_magic(s, "HPCRUN-profile____04.00b") && !strstr(s->name, "2021") && !strstr(s->name, "unfinished"); }
static bool is_profile(const struct sample *s) { return has_magic(s, "HPCRUN____") || has_magic(s, "HPCRUN-profile____"); }

/* ---- the same version ---- */

static void sound_files_come_out_byte_for_byte(void **state)
{
    (void)state;
    struct samples all;
    size_t losses, done = 0;
    load(&all);
    for (size_t i = 0; i < all.count; i++) {
        const struct sample *s = &all.at[i];
        bool is_trace = has_magic(s, "HPCRUN-trace______01.01b");
        if (!is_literal(s) && !is_sparse(s) && !is_trace) continue;
        struct bytes b = rewrite(s, is_trace ? "hpctrace" : "hpcrun", is_trace ? "01.01" : is_sparse(s) ? "04.00" : "02.00", &losses);
        if (b.len != s->len || memcmp(b.at, s->data, s->len) != 0) fail_msg("%s comes out differently", s->name);
        assert_int_equal(losses, 0);
        free(b.at);
        done++;
    }
    samples_free(&all);
    if (harness_shared()) assert_true(done > 30);
    if (!done) skip();
}

/* ---- the model ---- */

static void profiles_of_0400_come_back_through_the_model(void **state)
{
    (void)state;
    struct samples all;
    size_t losses, done = 0;
    load(&all);
    for (size_t i = 0; i < all.count; i++) {
        const struct sample *s = &all.at[i];
        if (!is_profile(s)) continue;
        /* older ones as 04.00 first */
        struct bytes first = rewrite(s, "hpcrun", "04.00", &losses);
        assay_profile *p = must_read(first.at, first.len, s->name);
        struct bytes second = write_model(p, "hpcrun:04.00", &losses);
        assay_profile *q = must_read(second.at, second.len, s->name);
        must_equal(p, q, s->name);
        assay_profile_release(p);
        assay_profile_release(q);
        free(first.at);
        free(second.at);
        done++;
    }
    samples_free(&all);
    if (harness_shared()) assert_true(done > 25);
    if (!done) skip();
}

static void profiles_of_0200_come_back(void **state)
{
    (void)state;
    struct samples all;
    size_t losses, done = 0;
    load(&all);
    for (size_t i = 0; i < all.count; i++) {
        if (!is_profile(&all.at[i])) continue;
        struct bytes first = rewrite(&all.at[i], "hpcrun", "02.00", &losses);
        struct sample made = { .name = all.at[i].name, .data = (uint8_t *)first.at, .len = first.len };
        struct bytes second = rewrite(&made, "hpcrun", "02.00", &losses);
        assert_int_equal(losses, 0);
        assay_profile *p = must_read(first.at, first.len, made.name), *q = must_read(second.at, second.len, made.name);
        must_equal(p, q, made.name);
        assay_profile_release(p);
        assay_profile_release(q);
        free(first.at);
        free(second.at);
        done++;
    }
    samples_free(&all);
    if (!done) skip();
}

/* ---- between versions ---- */

static void must_have_the_same_totals(const assay_profile *p, const assay_profile *q, const char *name)
{
    const struct assay_metrics *a = assay_profile_metrics(p), *b = assay_profile_metrics(q);
    if (a->count != b->count) fail_msg("%s: %u metrics, then %u", name, a->count, b->count);
    for (uint32_t i = 1; i <= a->count; i++) {
        if (a->formula && a->formula[i].v) continue;
        bool is_integer = (!a->type || a->type[i] != ASSAY_F64) && (!b->type || b->type[i] != ASSAY_F64);
        if ((is_integer && (a->total[i].low != b->total[i].low || a->total[i].high != b->total[i].high)) || a->total_double[i] != b->total_double[i])
            fail_msg("%s: the total of metric %u is %g, then %g", name, i, a->total_double[i], b->total_double[i]);
    }
}

static uint64_t errors_of(const struct bytes *b)
{
    const struct format *f = registry_find(SLICE("hpcrun"));
    struct mem mem;
    struct input *in;
    struct findings found;
    struct assay_read_options read = { 0 };
    mem_init(&mem, 0);
    findings_init(&found, &mem);
    assert_int_equal(input_open_memory(&in, b->at, b->len, "made", &(struct input_options){ .mem = &mem }, NULL), 0);
    assert_int_equal(f->check(&(struct read_job){ .in = in, .options = &read, .mem = &mem }, &found, NULL), 0);
    uint64_t errors = found.errors;
    if (errors) print_error("%s at %lu\n", found.list.at[0].message, (unsigned long)found.list.at[0].offset);
    input_close(in);
    findings_done(&found);
    return errors;
}

static void other_versions_keep_the_totals(void **state)
{
    (void)state;
    static const char *const versions[] = { "02.00", "04.00", "02.00" };
    struct samples all;
    size_t losses, done = 0;
    load(&all);
    for (size_t i = 0; i < all.count; i++) {
        if (!is_profile(&all.at[i])) continue;
        assay_profile *p = must_read(all.at[i].data, all.at[i].len, all.at[i].name);
        struct sample now = all.at[i];
        struct bytes b = { 0 };
        /* there and back, and there again */
        for (size_t v = 0; v < 3; v++) {
            struct bytes next = rewrite(&now, "hpcrun", versions[v], &losses);
            free(b.at);
            b = next;
            now.data = (uint8_t *)b.at;
            now.len = b.len;
            assay_profile *q = must_read(b.at, b.len, now.name);
            must_have_the_same_totals(p, q, now.name);
            assert_int_equal(errors_of(&b), 0);
            assay_profile_release(q);
        }
        free(b.at);
        assay_profile_release(p);
        done++;
    }
    samples_free(&all);
    if (!done) skip();
}

/* ---- without the shared data: a profile made here ---- */

static struct bytes small(void)
{
    struct bytes b = { 0 };
    FILE *out = open_memstream(&b.at, &b.len);
    hpcrun_fmt_env_t env = { 0 };
    char name[] = "CYCLES", module[] = "/bin/demo";
    hpcrun_fmt_metric_desc_t metric = { { 6, name }, 2, 1000 };
    hpcrun_fmt_loadmap_entry_t entry = { 0x400000, 0, { 9, module }, 0 };
    hpcrun_fmt_epoch_t epoch = { .ra_distance = 1, .granularity = 1, .metric_tbl = { 1, &metric }, .loadmap = { 1, &entry }, .num_nodes = 3 };
    uint64_t values[] = { 0, 4, 9 };
    assert_int_equal(hpcrun_fmt_hdr_fwritev(out, &env, 1, "program-name", "demo", "thread-id", "3", NULL), 0);
    assert_int_equal(hpcrun_fmt_epoch_fwrite(&epoch, &env, out), 0);
    assert_int_equal(hpcrun_fmt_epoch_env(&epoch, &env), 0);
    hpcrun_fmt_cct_node_t nodes[] = { { .id = 2 }, { .id = 5, .parent = 2, .ip = 0x401000 }, { .id = -6, .parent = 5, .ip = 0x401234 } };
    for (int i = 0; i < 3; i++) {
        nodes[i].values = &values[i];
        assert_int_equal(hpcrun_fmt_cct_node_fwrite(&nodes[i], &env, out), 0);
    }
    fclose(out);
    return b;
}

static struct bytes small_0400(size_t *losses)
{
    struct bytes b = small();
    struct sample s = { .name = "small", .data = (uint8_t *)b.at, .len = b.len };
    struct bytes made = rewrite(&s, "hpcrun", "04.00", losses);
    free(b.at);
    return made;
}

static uint64_t be(const struct bytes *b, size_t at, unsigned len)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < len; i++) v = v << 8 | (unsigned char)b->at[at + i];
    return v;
}

/* By hand from the layout: six sections at multiples of 1024, nodes of 19 bytes, a fence for thread 3. */
static void the_bytes_of_0400_are_where_they_belong(void **state)
{
    (void)state;
    size_t losses;
    struct bytes b = small_0400(&losses);
    assert_int_equal(b.len, 6 * 1024 + 112);
    assert_memory_equal(b.at, "HPCRUN-profile____04.00b", 24);
    for (size_t i = 0; i < 6; i++) assert_int_equal(be(&b, b.len - 112 + 16 * i, 8), 1024 * i);
    assert_int_equal(be(&b, b.len - 16, 8), b.len - 112);
    assert_memory_equal(b.at + b.len - 8, "HPCRUNsm", 8);
    /* ^Primary, the fence, the two frames */
    assert_int_equal(be(&b, 2048, 8), 4);
    assert_int_equal(be(&b, b.len - 112 + 16 * 2 + 8, 8), 2048 + 8 + 4 * 19);
    assert_memory_equal(b.at + 2048 + 8 + 10, "^Primary", 8);
    assert_memory_equal(b.at + 2048 + 8 + 19 + 10, "| Thread", 8);
    assert_int_equal(be(&b, 2048 + 8 + 2 * 19, 4), 5);
    assert_int_equal(be(&b, 2048 + 8 + 2 * 19 + 4, 4), be(&b, 2048 + 8 + 19, 4));
    assert_int_equal(be(&b, 2048 + 8 + 3 * 19 + 8, 2), 1);
    assert_int_equal(be(&b, 2048 + 8 + 3 * 19 + 10, 8), 0x401234);
    /* tuple NODE, THREAD 3; two values, two nodes */
    assert_int_equal(be(&b, 5120, 2), 2);
    assert_int_equal(be(&b, 5120 + 2 + 18, 2), 3 << 14 | 3);
    assert_int_equal(be(&b, 5120 + 2 + 18 + 10, 8), 3);
    assert_int_equal(be(&b, 5120 + 38, 8), 2);
    assert_int_equal(be(&b, 5120 + 46, 4), 2);
    assert_int_equal(be(&b, 5120 + 50, 8), 4);
    assert_int_equal(errors_of(&b), 0);
    free(b.at);
}

static void an_unfinished_file_is_repaired(void **state)
{
    (void)state;
    size_t losses;
    struct bytes whole = small_0400(&losses);
    /* without its footer, then without more and more sections */
    for (size_t sections = 6; sections >= 2; sections--) {
        struct sample cut = { .name = "cut", .data = (uint8_t *)whole.at, .len = sections * 1024 };
        struct bytes b = rewrite(&cut, "hpcrun", "04.00", &losses);
        assert_true(losses > 0);
        assert_int_equal(errors_of(&b), 0);
        if (sections == 6) {
            assert_int_equal(b.len, whole.len);
            assert_memory_equal(b.at, whole.at, whole.len);
        }
        free(b.at);
    }
    free(whole.at);
}

static void strict_writing_refuses_what_would_be_lost(void **state)
{
    (void)state;
    struct bytes b = small();
    assay_profile *p = must_read(b.at, b.len, "small");
    assay_error err = { 0 };
    /* sound input, but an epoch has no place in 04.00 */
    FILE *f = fopen("strict.hpcrun", "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(b.at, 1, b.len, f), b.len);
    fclose(f);
    struct assay_write_options options = { .format = "hpcrun:04.00", .strict = true };
    assert_int_equal(assay_convert("strict.hpcrun", NULL, "strict.out", &options, NULL, NULL, &err), ASSAY_ERR_LOSS);
    options.format = "hpcrun:02.00";
    assert_int_equal(assay_convert("strict.hpcrun", NULL, "strict.out", &options, NULL, NULL, &err), 0);
    assert_int_equal(remove("strict.hpcrun"), 0);
    assert_int_equal(remove("strict.out"), 0);
    assay_profile_release(p);
    free(b.at);
}

/* ---- other formats ---- */

static void a_tree_of_another_format_is_written(void **state)
{
    (void)state;
    static const char *const targets[] = { "hpcrun:04.00", "hpcrun:02.00" };
    for (int i = 0; i < 2; i++) {
        char path[600];
        size_t losses;
        assay_error err = { 0 };
        assay_profile *p = NULL;
        snprintf(path, sizeof path, "%s/tests/data/demo.xdebug", harness_source());
        if (assay_read(path, &(struct assay_read_options){ .want = ASSAY_WANT_TREE }, &p, &err) != 0) fail_msg("%s", err.text);
        struct bytes b = write_model(p, targets[i], &losses);
        assay_profile *q = must_read(b.at, b.len, "made");
        assert_true(losses >= 3); /* names, addresses, calls */
        assert_int_equal(errors_of(&b), 0);
        must_have_the_same_totals(p, q, path);
        assert_int_equal(assay_profile_tree(q)->count, assay_profile_tree(p)->count + 2);
        assay_profile_release(p);
        assay_profile_release(q);
        free(b.at);
    }
}

static void flat_histograms_hang_below_partial(void **state)
{
    (void)state;
    char path[600];
    size_t losses;
    assay_error err = { 0 };
    assay_profile *p = NULL;
    if (!harness_shared()) skip();
    snprintf(path, sizeof path, "%s/data/hpcrun/historic/hist-flat-01.00.hpcrun-flat", harness_shared());
    if (assay_read(path, &(struct assay_read_options){ .want = ASSAY_WANT_TREE }, &p, &err) != 0) fail_msg("%s", err.text);
    struct bytes b = write_model(p, "hpcrun:04.00", &losses);
    assay_profile *q = must_read(b.at, b.len, "made");
    must_have_the_same_totals(p, q, path);
    assert_int_equal(errors_of(&b), 0);
    const struct assay_tree *tree = assay_profile_tree(q);
    const struct assay_funcs *funcs = assay_profile_funcs(q);
    for (uint32_t i = 1; i <= tree->count; i++) {
        if (funcs->kind[tree->func[i].v] == ASSAY_FUNC_PLACEHOLDER) continue;
        assay_func_id above = tree->func[tree->parent[i].v];
        assert_true(slice_is(assay_profile_string(q, funcs->name[above.v]), "^Partial"));
    }
    assay_profile_release(p);
    assay_profile_release(q);
    free(b.at);
}

/* The model sorts what is out of order. */
static bool is_sorted(const struct sample *s)
{
    struct bytes b = { (char *)s->data, s->len };
    for (size_t at = 32 + 12; at + 12 <= s->len; at += 12)
        if (be(&b, at, 8) < be(&b, at - 12, 8)) return false;
    return true;
}

static void a_timeline_is_written_as_trace(void **state)
{
    (void)state;
    struct samples all;
    size_t losses, done = 0;
    load(&all);
    for (size_t i = 0; i < all.count; i++) {
        const struct sample *s = &all.at[i];
        if (!has_magic(s, "HPCRUN-trace______01.01b") || strstr(s->name, "hist-") || strstr(s->name, "01.01-") || !is_sorted(s)) continue;
        assay_profile *p = must_read(s->data, s->len, s->name);
        struct bytes b = write_model(p, "hpctrace:01.01", &losses);
        assay_profile *q = must_read(b.at, b.len, s->name);
        assert_int_equal(losses, 0);
        assert_int_equal(b.len, s->len);
        must_equal(p, q, s->name);
        assay_profile_release(p);
        assay_profile_release(q);
        free(b.at);
        done++;
    }
    samples_free(&all);
    if (harness_shared()) assert_true(done > 5);
    if (!done) skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_files_come_out_byte_for_byte),
        cmocka_unit_test(profiles_of_0400_come_back_through_the_model),
        cmocka_unit_test(profiles_of_0200_come_back),
        cmocka_unit_test(other_versions_keep_the_totals),
        cmocka_unit_test(the_bytes_of_0400_are_where_they_belong),
        cmocka_unit_test(an_unfinished_file_is_repaired),
        cmocka_unit_test(strict_writing_refuses_what_would_be_lost),
        cmocka_unit_test(a_tree_of_another_format_is_written),
        cmocka_unit_test(flat_histograms_hang_below_partial),
        cmocka_unit_test(a_timeline_is_written_as_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
