/* What is written is read back the same: profiles through the model, and texts record by record. */
#include "cg.h"

#include "formats/callgrind/decode.h"
#include "formats/callgrind/encode.h"

/* The headers as they are written, so that a text has the same attributes as what is made of it. */
#define HEAD "version: 1\ncreator: assay " ASSAY_VERSION "\n"

static assay_losses *write_as(const char *format, const assay_profile *p, const struct assay_write_options *options, struct text *out)
{
    struct assay_write_options o = options ? *options : (struct assay_write_options){ 0 };
    assay_losses *losses = NULL;
    assay_error err;
    o.format = format;
    if (assay_write_fn(p, &o, text_sink, out, &losses, &err) != 0) fail_msg("%s", err.text);
    return losses;
}

static assay_losses *write_text(const assay_profile *p, const struct assay_write_options *options, struct text *out)
{
    return write_as("callgrind", p, options, out);
}

static const assay_loss *loss(const assay_losses *l, const char *kind)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->at[i].kind, kind) == 0) return &l->at[i];
    return NULL;
}

static const struct assay_option full[] = { { "no-ids", NULL }, { "no-relative", NULL } };
static const struct assay_write_options styles[] = {
    { 0 }, { .options = full, .option_count = 1 }, { .options = full + 1, .option_count = 1 }, { .options = full, .option_count = 2 }
};

/* Written in every style and read again: the same profile, without damage. */
static void assert_comes_back(const assay_profile *p)
{
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        struct text t = { 0 };
        char what[40];
        assay_error err;
        assay_losses *l = write_text(p, &styles[i], &t);
        assert_int_equal(l->count, 0);
        assay_losses_free(l);
        assay_profile *q = cg_read_as("callgrind", t.at, t.len, EVERYTHING, true, &err);
        if (!q) fail_msg("style %zu: %s in\n%s", i, err.text, t.at);
        snprintf(what, sizeof what, "style %zu", i);
        cg_assert_equal(p, q, what);
        assay_profile_release(q);
        text_free(&t);
    }
}

static void assert_text_comes_back(const char *text)
{
    assay_profile *p = cg_read(text, EVERYTHING);
    assert_comes_back(p);
    assay_profile_release(p);
}

/* ---- profiles ---- */

static void modules_inlined_files_jumps_addresses_and_parts_come_back(void **state)
{
    (void)state;
    assert_text_comes_back(
        HEAD "pid: 7\ncmd: ./a b\npart: 1\ndesc: Trigger: x\npositions: instr line\nevents: Ir Dr\nsummary: 60 6\n"
             "ob=/bin/a\nfl=a.c\nfn=main\n0x400100 3 10 1\nfi=b.h\n0x400104 7 5\nfe=a.c\njump=4 0x400200 9\n0x400110 8\njcnd=2/5 0x400300 10\n0x400111 9\n"
             "cob=/lib/c.so\ncfi=c.c\ncfn=puts\ncalls=3 0 0\n0x400120 11 30 3\ncfn=main\ncalls=1 0 3\n0x400120 11 1\n"
             "ob=/lib/c.so\nfl=c.c\nfn=puts\n0xffffffffffff0000 100 30 3\nob=/bin/a\nfl=a.c\nfn=tail\n0x500000 200 1\ntotals: 46 4\n\n" HEAD
             "pid: 8\npart: 2\npositions: instr line\nevents: Ir Dr\nfl=a.c\nfn=only2\n0x1 1 1 1\ntotals: 1 1\n");
}

static void lines_without_addresses_come_back(void **state)
{
    (void)state;
    assert_text_comes_back(HEAD "positions: line\nevents: Ir\nob=o\nfl=a.c\nfn=f\n10 1\n5 2\n20 4\nfi=b.h\n1 8\nfe=a.c\n4294967295 16\nfn=g\n1 "
                                "1\ncfn=f\ncalls=2 10\n2 5\ncfn=f\ncalls=0 10\n3 7\ntotals: 32\n");
}

static void a_text_without_objects_keeps_its_order(void **state)
{
    (void)state;
    assert_text_comes_back(HEAD "positions: line\nevents: Time\nfl=z.c\nfn=z\n9 1\n3 1\nfl=a.c\nfn=a\n1 5\ncfl=z.c\ncfn=z\ncalls=3 9\n2 "
                                "2\ncfl=a.c\ncfn=a\ncalls=2 1\n3 9\nfl=\nfn=nofile\n1 1\ntotals: 8\n");
}

static void a_part_without_costs_is_still_a_part(void **state)
{
    (void)state;
    assert_text_comes_back(HEAD "part: 1\npositions: line\nevents: Ir\ntotals: 0\n\n" HEAD "part: 2\npositions: line\nevents: Ir\nfn=f\n1 1\ntotals: 1\n\n" HEAD
                                "part: 3\npositions: line\nevents: Ir\ntotals: 0\n");
}

static void a_text_without_any_cost_comes_back(void **state)
{
    (void)state;
    assert_text_comes_back(HEAD "positions: line\nevents: Ir\ntotals: 0\n");
}

static void long_names_and_formulas_come_back(void **state)
{
    (void)state;
    assert_text_comes_back(HEAD "positions: line\nevent: Ir : Instruction Fetch\nevent: CEst = Ir + 10 L1m : Cycle Estimation\nevent: X = 2 Ir\nevents: Ir "
                                "L1m\nfn=f\n1 2 3\ntotals: 2 3\n");
}

static void odd_names_come_back(void **state)
{
    (void)state;
    assert_text_comes_back(HEAD "positions: line\nevents: Ir\nob=(1) (2) odd object\nfl=(1) (3)\nfn=(1) (12)\n1 1\nfn=(2) (4) x\n1 2\nfn=(3) (below main)\n1 "
                                "4\nfn=(4) trailing  \n1 8\n"
                                "fn=(5) \xff\xfe latin\n1 16\nfn=(6) (\n1 32\nfn=(7) a=b: c # d\n1 64\ncfn=(8) (0)\ncalls=1 0\n1 3\ntotals: 127\n");
}

static void the_largest_and_smallest_figures_come_back(void **state)
{
    (void)state;
    assert_text_comes_back(HEAD "positions: line\nevents: A B\nfn=f\n1 9223372036854775807 -9223372036854775808\nfn=g\n1 0 "
                                "5\ncfn=f\ncalls=9223372036854775807 1\n2 -3 9223372036854775807\n"
                                "totals: 9223372036854775807 -9223372036854775803\n");
}

static void totals_that_do_not_fit_are_not_written(void **state)
{
    (void)state;
    struct text t = { 0 };
    assay_profile *p = cg_read("events: A\nfn=f\n1 9223372036854775807\nfn=g\n1 1\n", ASSAY_WANT_GRAPH);
    assay_losses_free(write_text(p, NULL, &t));
    assert_null(strstr(t.at, "totals:"));
    assay_profile *q = cg_read_as("callgrind", t.at, t.len, ASSAY_WANT_GRAPH, false, NULL);
    assert_true(cg_self(q, "f", 0) == INT64_MAX);
    assay_profile_release(p);
    assay_profile_release(q);
    text_free(&t);
}

static void cachegrind_text_becomes_callgrind_text(void **state)
{
    (void)state;
    static const char text[] = "cmd: ./a\nevents: Ir Dr\nfl=a.c\nfn=main\n1 5 1\n2 3 2\nfl=b.h\nfn=main\n9 4 0\nsummary: 12 3\n";
    struct text t = { 0 };
    assay_profile *p = cg_read_as("cachegrind", text, sizeof text - 1, ASSAY_WANT_GRAPH, true, NULL);
    assay_losses_free(write_text(p, NULL, &t));
    assay_profile *q = cg_read_as("callgrind", t.at, t.len, ASSAY_WANT_GRAPH, true, NULL);
    assert_int_equal(cg_self(q, "a.c|main", 0), 8);
    assert_int_equal(cg_cost_at(q, "b.h|main", "b.h", 9, 0, 0), 4);
    assert_string_equal(cg_attribute(q, 1, "cmd"), "./a");
    assay_profile_release(p);
    assay_profile_release(q);
    text_free(&t);
}

static void cachegrind_text_comes_back_as_it_was(void **state)
{
    (void)state;
    static const char text[] = "desc: I1 cache: x\ndesc: D1 cache: y\ncmd: ./a b\nevents: Ir Dr \nfl=a.c\nfn=main\n1 5 1\n2 3 0\nfn=(below main)\n0 7 7\n"
                               "fl=b.h\nfn=\n3 9223372036854775807 0\nfn=main\n9 -4 0\nsummary: 9223372036854775818 8\n";
    struct text t = { 0 };
    assay_profile *p = cg_read_as("cachegrind", text, sizeof text - 1, ASSAY_WANT_GRAPH, false, NULL);
    assay_losses *l = write_as("cachegrind", p, NULL, &t);
    assert_int_equal(l->count, 0);
    assert_string_equal(t.at, text);
    assay_losses_free(l);
    assay_profile *q = cg_read_as("cachegrind", t.at, t.len, ASSAY_WANT_GRAPH, false, NULL);
    cg_assert_equal(p, q, "cachegrind");
    assay_profile_release(p);
    assay_profile_release(q);
    text_free(&t);
}

/* By the file of the code, the name and the line: addresses, parts and modules are added up, calls left out, and each is said. */
static void callgrind_text_becomes_cachegrind_text(void **state)
{
    (void)state;
    static const char body[] = "positions: instr line\nevents: Ir Dr\n\nob=x.so\nfl=a.c\nfn=f\n0x10 3 5 1\n0x14 3 2 0\nfi=b.h\n0x18 9 4 4\nfe=a.c\n"
                               "cfn=g\ncalls=2 0x30 20\n0x1c 4 9 9\njump=1 0x10 3\n0x20 5\nfn=g\n0x30 20 9 9\n\nob=y.so\nfl=a.c\nfn=f\n0x10 3 100 0\n";
    static const char *const kinds[] = { "calls", "jumps", "modules", "addresses", "streams", "attributes", NULL };
    struct text in = { 0 }, t = { 0 };
    text_printf(&in, HEAD "cmd: ./a\npart: 1\n%s", body);
    text_printf(&in, "\n" HEAD "cmd: ./a\npart: 2\n%s", body);
    assay_profile *p = cg_read(in.at, ASSAY_WANT_GRAPH);
    assay_losses *l = write_as("cachegrind", p, NULL, &t);
    for (size_t i = 0; kinds[i]; i++)
        if (!loss(l, kinds[i])) fail_msg("%s is not named", kinds[i]);
    assert_string_equal(t.at, "cmd: ./a\nevents: Ir Dr \nfl=a.c\nfn=f\n3 214 2\nfn=g\n20 18 18\nfl=b.h\nfn=f\n9 8 8\nsummary: 240 28\n");
    assay_losses_free(l);
    assay_profile_release(p);
    text_free(&in);
    text_free(&t);
}

/* A text that says `creator: xdebug` would be taken for single invocations: its headers come back, but not as headers. */
static void original_headers_of_other_programs_come_back_as_they_were(void **state)
{
    (void)state;
    static const char text[] = "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.35)\ncmd: /x.php\npart: 1\npositions: line\n\nevents: Time_(10ns) "
                               "Memory_(bytes)\n\nfl=(1) x.php\nfn=(1) f\n3 10 5\n\n"
                               "fl=(1)\nfn=(2) {main}\n1 5 1\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 10 5\n\nsummary: 20 30\n\n";
    struct text t = { 0 };
    assay_profile *p = cg_read(text, ASSAY_WANT_GRAPH);
    assay_losses_free(write_text(p, NULL, &t));
    assert_null(strstr(t.at, "\ncreator: xdebug"));
    assay_profile *q = cg_read_as("callgrind", t.at, t.len, ASSAY_WANT_GRAPH, true, NULL);
    const struct assay_attributes *a = assay_profile_attributes(p), *b = assay_profile_attributes(q);
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        assert_string_equal(cg_str(p, a->key[i]), cg_str(q, b->key[i]));
        assert_string_equal(cg_str(p, a->value[i]), cg_str(q, b->value[i]));
    }
    assert_int_equal(assay_profile_streams(p)->tuple_count, 1); /* part: 1 */
    assert_int_equal(assay_profile_streams(q)->tuple_count, 1);
    ASSERT_ARC(q, "{main}", 4, "f", 1, 10);
    assert_false(assay_profile_offers(q) & ASSAY_SHAPE_TREE);
    assay_profile_release(p);
    assay_profile_release(q);
    text_free(&t);
}

static void what_was_written_is_written_again_to_the_same_bytes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "version: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: ./a\nevents: Ir\nob=o\nfl=a.c\nfn=f\n1 1\n2 2\ncfn=g\ncalls=1 9\n3 3\nfn=g\n9 3\ntotals: 6\n",
        "version: 1\ncreator: xdebug 3.2.0\n\nevents: Time\n\nfl=x.php\nfn={main}\n1 5\n\nsummary: 9\n\n",
    };
    for (int i = 0; i < 2; i++) {
        struct text t = { 0 }, again = { 0 };
        assay_profile *p = cg_read(texts[i], ASSAY_WANT_GRAPH);
        assay_losses_free(write_text(p, NULL, &t));
        assay_profile *q = cg_read(t.at, ASSAY_WANT_GRAPH);
        assay_losses_free(write_text(q, NULL, &again));
        if (strcmp(t.at, again.at) != 0) fail_msg("first:\n%s\nthen:\n%s", t.at, again.at);
        assay_profile_release(p);
        assay_profile_release(q);
        text_free(&t);
        text_free(&again);
    }
}

/* ---- profiles made by hand ---- */

static assay_str_id str(assay_builder *b, const char *text) { return assay_build_string(b, text, strlen(text)); }

static void a_line_end_in_a_name_becomes_a_blank(void **state)
{
    (void)state;
    struct text t = { 0 };
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id m = assay_build_metric(b, "Ir", "count", ASSAY_I64, 0);
    assay_build_graph_metrics(b, &m, 1);
    assay_func_id f = assay_build_func(b, str(b, "two\nlines\r"), assay_build_file(b, str(b, "a\n.c"), (assay_module_id){ 0 }), (assay_module_id){ 0 }, 0, 0);
    assay_func_id blank = assay_build_func(b, str(b, "  (5)"), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_self(b, &(struct assay_place){ .func = f, .line = 1 }, &(assay_value){ .i = 5 }, 1);
    assay_build_self(b, &(struct assay_place){ .func = blank, .line = 1 }, &(assay_value){ .i = 7 }, 1);
    assay_profile *p = assay_builder_seal(b, NULL);
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        t.len = 0;
        assay_losses_free(write_text(p, &styles[i], &t));
        assay_profile *q = cg_read_as("callgrind", t.at, t.len, ASSAY_WANT_GRAPH, true, NULL);
        assert_non_null(q);
        assert_int_equal(cg_self(q, "a .c|two lines ", 0), 5);
        assert_int_equal(cg_self(q, "(5)", 0), 7);
        assay_profile_release(q);
    }
    assay_profile_release(p);
    text_free(&t);
}

static void fractions_are_rounded_and_named_as_a_loss(void **state)
{
    (void)state;
    struct text t = { 0 };
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id m[] = { assay_build_metric(b, "Wall time", "min", ASSAY_F64, 0), assay_build_metric(b, "Big", "count", ASSAY_U64, 0) };
    assay_build_metric_text(b, m[0], "time on the wall", NULL, false);
    assay_build_graph_metrics(b, m, 2);
    static const double values[] = { 1.5, 2.4, -2.5, 1e30 };
    static const int64_t rounded[] = { 2, 2, -3, INT64_MAX };
    char name[16];
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "f%d", i);
        assay_func_id f = assay_build_func(b, str(b, name), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        assay_value v[] = { { .d = values[i] }, { .u = i == 3 ? UINT64_MAX : 9 } };
        assay_build_self(b, &(struct assay_place){ .func = f, .line = 1 }, v, 2);
    }
    assay_profile *p = assay_builder_seal(b, NULL);
    assay_losses *l = write_text(p, NULL, &t);
    assert_int_equal(loss(l, "fractions")->count, 1);
    assay_losses_free(l);
    assay_profile *q = cg_read(t.at, ASSAY_WANT_GRAPH);
    assert_int_equal(assay_profile_metrics(q)->count, 2);
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "f%d", i);
        assert_int_equal(cg_self(q, name, cg_slot(q, "Wall_time_(min)")), rounded[i]);
        assert_int_equal(cg_self(q, name, cg_slot(q, "Big")), i == 3 ? INT64_MAX : 9);
    }
    assert_string_equal(cg_str(q, assay_profile_metrics(q)->description[1]), "time on the wall");
    assay_profile_release(q);
    assay_profile_release(p);
    text_free(&t);
}

/* Doubles that are whole lose nothing; neither a header nor a long name may add lines of its own. */
static void texts_of_several_lines_do_not_become_records(void **state)
{
    (void)state;
    struct text t = { 0 };
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id m = assay_build_metric(b, "CPUTIME (ns)", "ns", ASSAY_F64, 0);
    assay_build_metric_text(b, m, "long\nfn=x", NULL, false);
    assay_func_id f = assay_build_func(b, str(b, "f"), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_self(b, &(struct assay_place){ .func = f, .line = 1 }, &(assay_value){ .d = 9 }, 1);
    assay_build_attribute(b, (assay_stream_id){ 0 }, "title", 5, "kept", 4);
    assay_build_attribute(b, (assay_stream_id){ 0 }, "yaml", 4, "a\nfn=y", 6);
    assay_build_attribute(b, (assay_stream_id){ 0 }, "k\nfn=z", 6, "v", 1);
    assay_build_attribute(b, (assay_stream_id){ 0 }, "summary", 7, "9\nfn=s", 6);
    assay_profile *p = assay_builder_seal(b, NULL);
    assay_losses *l = write_text(p, NULL, &t);
    assert_int_equal(loss(l, "attributes")->count, 3);
    assert_int_equal(l->count, 1);
    assay_losses_free(l);
    assert_null(strstr(t.at, "\nfn=x"));
    assert_null(strstr(t.at, "\nfn=y"));
    assert_null(strstr(t.at, "\nfn=z"));
    assert_null(strstr(t.at, "\nfn=s"));
    assert_non_null(strstr(t.at, "desc: Original header: title: kept\n"));
    assay_profile *q = cg_read(t.at, ASSAY_WANT_GRAPH);
    assert_string_equal(cg_str(q, assay_profile_metrics(q)->unit[1]), "ns");
    assert_string_equal(cg_str(q, assay_profile_metrics(q)->description[1]), "long fn=x");
    assay_profile_release(q);
    assay_profile_release(p);
    text_free(&t);
}

static void strict_writing_refuses_before_a_byte_is_written(void **state)
{
    (void)state;
    struct text t = { 0 };
    assay_error err;
    assay_losses *l = NULL;
    assay_profile *p =
        cg_read("version: 1\ncreator: xdebug 3.2.0\n\nevents: Time\n\nfl=x.php\nfn=f\n1 5\n\nfl=x.php\nfn=f\n1 5\n\nsummary: 9\n\n", ASSAY_WANT_GRAPH);
    struct assay_write_options o = { .format = "callgrind", .strict = true };
    assert_int_equal(assay_write_fn(p, &o, text_sink, &t, &l, &err), ASSAY_ERR_LOSS);
    assert_int_equal(t.len, 0);
    assert_int_equal(loss(l, "invocations")->count, 1); /* f was entered twice and called by nobody */
    assay_losses_free(l);
    assay_profile_release(p);
}

static void a_loss_that_is_refused_leaves_nothing_written(void **state)
{
    (void)state;
    struct assay_write_options o = { .format = "callgrind", .strict = true };
    struct text t = { 0 };
    assay_losses *losses;
    assay_error err;
    assay_profile *p =
        cg_read("version: 1\ncreator: xdebug 3.2.0\n\nevents: Time\n\nfl=x.php\nfn=f\n1 5\n\nsummary: 9\n\n", ASSAY_WANT_GRAPH | ASSAY_WANT_TREE);
    assert_int_equal(assay_write_fn(p, &o, text_sink, &t, &losses, &err), ASSAY_ERR_LOSS);
    assert_int_equal(t.len, 0);
    assert_int_equal(losses->count, 1);
    assert_string_equal(losses->at[0].kind, "tree");
    assay_losses_free(losses);
    assay_profile_release(p);
}

static void a_profile_without_costs_of_functions_is_refused(void **state)
{
    (void)state;
    struct assay_write_options o = { .format = "callgrind" };
    struct text t = { 0 };
    assay_error err;
    assay_profile *p = cg_read("version: 1\ncreator: xdebug 3.2.0\n\nevents: Time\n\nfl=x.php\nfn=f\n1 5\n\nsummary: 9\n\n", ASSAY_WANT_TREE);
    assert_int_equal(assay_write_fn(p, &o, text_sink, &t, NULL, &err), ASSAY_ERR_UNSUPPORTED);
    assert_int_equal(t.len, 0);
    assay_profile_release(p);
}

/* ---- record by record ---- */

static int rewrite(const char *text, size_t len, struct assay_write_options o, struct text *out, uint64_t *dropped, assay_error *err)
{
    struct cg_job j;
    struct losses l;
    struct output *to;
    cg_open(&j, text, len);
    losses_init(&l, &j.mem);
    struct cg_options own = { 0 };
    for (size_t i = 0; i < o.option_count; i++) *(strcmp(o.options[i].key, "no-ids") == 0 ? &own.no_ids : &own.no_relative) = true;
    struct write_job job = { &o, "1", &j.mem, &l, true, assay_format_find("callgrind"), &own, NULL };
    assert_int_equal(output_open_memory(&to, &j.mem, err), 0);
    int rc = callgrind_rewrite(&j.job, &job, to, err);
    *dropped = 0;
    out->len = 0;
    text_add(out, output_memory(to).data, output_memory(to).len);
    for (size_t i = 0; i < l.list.len; i++)
        if (strcmp(l.list.at[i].kind, "damaged") == 0) *dropped = l.list.at[i].count;
    output_abort(to);
    losses_done(&l);
    cg_close(&j);
    return rc;
}

static bool same_name(const struct cg_decoder *a, uint32_t x, const struct cg_decoder *b, uint32_t y) { return slice_equal(cg_string(a, x), cg_string(b, y)); }

static void same_func(const struct cg_decoder *a, uint32_t x, const struct cg_decoder *b, uint32_t y)
{
    assert_int_equal(x == 0, y == 0);
    if (!x) return;
    assert_true(same_name(a, a->funcs.at[x].name, b, b->funcs.at[y].name));
    assert_true(same_name(a, a->funcs.at[x].file, b, b->funcs.at[y].file));
    assert_true(same_name(a, a->funcs.at[x].object, b, b->funcs.at[y].object));
}

static void same_cost(const struct cg_decoder *a, const struct cg_record *x, const struct cg_decoder *b, const struct cg_record *y)
{
    assert_int_equal(x->role, y->role);
    same_func(a, x->func, b, y->func);
    assert_true(same_name(a, x->file, b, y->file));
    assert_int_equal(x->at.line, y->at.line);
    assert_int_equal(x->at.address, y->at.address);
    for (uint32_t k = 0; k < x->cost_count || k < y->cost_count; k++)
        assert_int_equal(k < x->cost_count ? x->costs[k].i : 0, k < y->cost_count ? y->costs[k].i : 0);
    if (x->role == CG_SELF) return;
    same_func(a, x->callee, b, y->callee);
    assert_int_equal(x->calls, y->calls);
    assert_int_equal(x->target.line, y->target.line);
    assert_int_equal(x->target.address, y->target.address);
    if (x->role == CG_JUMP_FROM) assert_int_equal(x->followed, y->followed);
    if (x->role == CG_JUMP_FROM) assert_int_equal(x->conditional, y->conditional);
}

/* Headers and costs of two texts, one after the other. */
static void assert_same_records(const char *first, const char *second)
{
    struct cg_job j[2];
    struct findings damage[2];
    struct cg_decoder *d[2];
    struct cg_record r[2];
    const char *texts[] = { first, second };
    for (int i = 0; i < 2; i++) {
        cg_open(&j[i], texts[i], strlen(texts[i]));
        findings_init(&damage[i], &j[i].mem);
        d[i] = malloc(sizeof *d[i]);
        cg_init(d[i], j[i].in, &j[i].mem, &damage[i], &j[i].err);
        d[i]->mask = CG_PART | CG_HEADER | CG_COST;
    }
    do {
        for (int i = 0; i < 2; i++) assert_int_equal(cg_next(d[i], &r[i]), 0);
        assert_int_equal(r[0].kind, r[1].kind);
        if (r[0].kind == CG_HEADER) assert_true(slice_equal(r[0].key, r[1].key) && slice_equal(r[0].value, r[1].value));
        if (r[0].kind == CG_COST) same_cost(d[0], &r[0], d[1], &r[1]);
    } while (r[0].kind != CG_END);
    for (int i = 0; i < 2; i++) {
        cg_done(d[i]);
        free(d[i]);
        findings_done(&damage[i]);
        cg_close(&j[i]);
    }
}

static const char *const sound[] = {
    "# callgrind format\nversion: 1\ncreator: callgrind-3.19\npositions: instr line\nevents: Ir Dr\n\nob=(1) o\nfl=(1) a.c\nfn=(1) f\n0x10 1 1\n+1 +1 2 "
    "3\nfi=(2) b.h\n* * 4\nfe=(1)\njfi=(2)\njfn=(9) t\n"
    "jump=2 0x99 7\n+1 *\njcnd=1/4 +5 +5\n* *\ncob=(2) p\ncfi=(2)\ncfn=(2) g\ncalls=4 0x20 9\n+3 -1 50 60\n\n  \nfn=(2)\n0xfffffffffffffff0 4294967295 5 6\n+1 "
    "-7 1\n*\t* 0 0\ntotals: 12 9\n",
    "\n==== NEW PROFILING FILE ==============================================\nversion: 1\ncreator: xdebug 3.2.0\npart: 1\npositions: line\n\nevents: Time "
    "Memory\n\nfl=(1) x.php\nfn=(1) f\n3 10 -5\n\n"
    "fl=(1)\nfn=(2) {main}\n1 5 0\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 10 0\n\nsummary: 20 0\n\n\n==== NEW PROFILING FILE "
    "==============================================\nversion: 1\ncreator: xdebug 3.2.0\n"
    "events: Time\n\nfl=(1) y.php\nfn=(1) g\n3 10\n\n",
    "events: Ir\nfn=\n1 1\nfl=\nfn=(0) (5)\n1 1\nfn=(below main)\n1 1\nfn=trailing \n1\n",
};

static void every_record_of_a_rewritten_text_has_the_same_figures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
        for (size_t s = 0; s < sizeof styles / sizeof *styles; s++) {
            struct text t = { 0 };
            assay_error err;
            uint64_t dropped;
            assert_int_equal(rewrite(sound[i], strlen(sound[i]), styles[s], &t, &dropped, &err), 0);
            assert_int_equal(dropped, 0);
            assert_same_records(sound[i], t.at);
            text_free(&t);
        }
}

static void a_rewritten_xdebug_text_still_gives_its_tree(void **state)
{
    (void)state;
    struct text t = { 0 };
    assay_error err;
    uint64_t dropped;
    assert_int_equal(rewrite(sound[1], strlen(sound[1]), styles[3], &t, &dropped, &err), 0);
    assay_profile *p = cg_read(sound[1], EVERYTHING | ASSAY_WANT_WHOLE), *q = cg_read(t.at, EVERYTHING | ASSAY_WANT_WHOLE);
    assert_int_equal(assay_profile_tree(p)->count, 3);
    cg_assert_equal(p, q, "rewritten");
    assay_profile_release(p);
    assay_profile_release(q);
    text_free(&t);
}

static void damaged_lines_are_dropped_and_counted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *repaired;
        uint64_t dropped;
    } cases[] = {
        { "events: Ir\nfn=f\n1 1\nhello\n2 2\n", "events: Ir\nfn=f\n1 1\n2 2\n", 1 },
        { "events: Ir\nfn=f\n1 1\n2 x\n3 3\n1 1", "events: Ir\nfn=f\n1 1\n3 3\n1 1\n", 1 },
        { "events: Ir\nfn=f\n1 1\ncfn=g\ncalls=1 5\nfn=h\n3 3\n", "events: Ir\nfn=f\n1 1\nfn=h\n3 3\n", 1 },
        { "events: Ir\nfn=f\n1 1\ncfn=g\ncalls=1 5\n2 y\n3 3\n", "events: Ir\nfn=f\n1 1\n3 3\n", 2 },
        { "events: Ir\nfn=f\n1 1\njump=1 5\njump=2 5\n3\ncfn=g\ncalls=1 1\n", "events: Ir\nfn=f\n1 1\njump=2 5\n3\n", 2 },
        { "events: Ir\nfn=f\n1 1\n2 2x", "events: Ir\nfn=f\n1 1\n", 1 },
        { "fn=f\n1 1\nevents: Ir\n  \n\t\n# note\n2 2\n", "fn=f\nevents: Ir\n2 2\n", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t = { 0 };
        assay_error err;
        uint64_t dropped;
        assert_int_equal(rewrite(cases[i].text, strlen(cases[i].text), styles[0], &t, &dropped, &err), 0);
        if (dropped != cases[i].dropped) fail_msg("case %zu: %llu lines dropped", i, (unsigned long long)dropped);
        assert_same_records(cases[i].repaired, t.at);
        text_free(&t);
    }
}

static void strict_rewriting_refuses_the_first_error_with_its_place(void **state)
{
    (void)state;
    static const char text[] = "events: Ir\nfn=f\nhello\n1 -99999999999999999999\n2 x\n";
    struct text t = { 0 };
    assay_error err;
    uint64_t dropped;
    assert_int_equal(rewrite(text, sizeof text - 1, (struct assay_write_options){ .strict = true }, &t, &dropped, &err), ASSAY_ERR_DAMAGED);
    assert_int_equal(err.line, 4);
    assert_non_null(strstr(err.text, "CG16"));
    assert_int_equal(rewrite(sound[0], strlen(sound[0]), (struct assay_write_options){ .strict = true }, &t, &dropped, &err), 0);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_inlined_files_jumps_addresses_and_parts_come_back),
        cmocka_unit_test(lines_without_addresses_come_back),
        cmocka_unit_test(a_text_without_objects_keeps_its_order),
        cmocka_unit_test(a_part_without_costs_is_still_a_part),
        cmocka_unit_test(a_text_without_any_cost_comes_back),
        cmocka_unit_test(long_names_and_formulas_come_back),
        cmocka_unit_test(odd_names_come_back),
        cmocka_unit_test(the_largest_and_smallest_figures_come_back),
        cmocka_unit_test(totals_that_do_not_fit_are_not_written),
        cmocka_unit_test(cachegrind_text_becomes_callgrind_text),
        cmocka_unit_test(cachegrind_text_comes_back_as_it_was),
        cmocka_unit_test(callgrind_text_becomes_cachegrind_text),
        cmocka_unit_test(original_headers_of_other_programs_come_back_as_they_were),
        cmocka_unit_test(what_was_written_is_written_again_to_the_same_bytes),
        cmocka_unit_test(a_line_end_in_a_name_becomes_a_blank),
        cmocka_unit_test(fractions_are_rounded_and_named_as_a_loss),
        cmocka_unit_test(texts_of_several_lines_do_not_become_records),
        cmocka_unit_test(strict_writing_refuses_before_a_byte_is_written),
        cmocka_unit_test(a_loss_that_is_refused_leaves_nothing_written),
        cmocka_unit_test(a_profile_without_costs_of_functions_is_refused),
        cmocka_unit_test(every_record_of_a_rewritten_text_has_the_same_figures),
        cmocka_unit_test(a_rewritten_xdebug_text_still_gives_its_tree),
        cmocka_unit_test(damaged_lines_are_dropped_and_counted),
        cmocka_unit_test(strict_rewriting_refuses_the_first_error_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
