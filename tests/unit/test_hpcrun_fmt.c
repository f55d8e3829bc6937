/* The primitives of assay/hpcrun_fmt.h: bytes in both orders and layouts, each error with rule and place, streams that cannot seek,
 * allocators that refuse. Expected bytes are written out by hand from the specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/hpcrun_fmt.h"

struct bytes {
    unsigned char at[4096];
    size_t len;
    bool is_big;
};

static void put(struct bytes *b, const void *data, size_t len)
{
    memcpy(b->at + b->len, data, len);
    b->len += len;
}
static void put_number(struct bytes *b, unsigned len, uint64_t v)
{
    for (unsigned i = 0; i < len; i++) b->at[b->len++] = (unsigned char)(v >> 8 * (b->is_big ? len - 1 - i : i));
}
static void put_text(struct bytes *b, const char *text)
{
    put_number(b, 4, strlen(text));
    put(b, text, strlen(text));
}

/* Places in the sample, for errors. */
enum { PAIRS_AT = 16, NAME_AT = 20, NAME_LEN = 12, COUNT_AT = NAME_AT + 4 + NAME_LEN + 4 + 4, EPOCH_AT = COUNT_AT + 4 };

static void put_node(struct bytes *b, bool lush, int32_t id, int32_t parent, uint64_t ip, uint64_t v0, double v1)
{
    uint64_t bits;
    memcpy(&bits, &v1, sizeof bits);
    put_number(b, 4, (uint32_t)id);
    put_number(b, 4, (uint32_t)parent);
    if (lush) put_number(b, 4, 0x54 | 1 << 8);
    put_number(b, 8, ip);
    if (lush) put_number(b, 8, 1), put_number(b, 8, 0x20);
    put_number(b, 8, v0);
    put_number(b, 8, bits);
}

/* One epoch, two metrics (integer, real), two modules, two nodes. */
static struct bytes sample(char endian, uint8_t variant, bool lush)
{
    struct bytes b = { .is_big = endian == 'b' };
    put(&b, "HPCRUN____02.00", 15);
    put(&b, &endian, 1);
    put_number(&b, 4, 1);
    put_text(&b, "program-name");
    put_text(&b, "demo");
    if (variant == HPCRUN_FMT_SPEC) put_number(&b, 4, 1);
    put(&b, "EPOCH___", 8);
    put_number(&b, 8, lush);
    put_number(&b, 4, 1);
    put_number(&b, 8, 4);
    put_number(&b, 4, lush);
    if (lush) put_text(&b, "LIP-size"), put_text(&b, "2");
    put_number(&b, 4, 2);
    put_text(&b, "CYCLES"), put_number(&b, 8, 2), put_number(&b, 8, 1000);
    put_text(&b, "BLAME"), put_number(&b, 8, 6), put_number(&b, 8, 1);
    put_number(&b, 4, 1);
    if (variant == HPCRUN_FMT_SPEC) {
        put_number(&b, 8, 0x400000), put_number(&b, 8, 0x1000);
        put_text(&b, "/bin/demo");
        put_number(&b, 4, 7);
        put_number(&b, 4, 2);
    } else {
        put_text(&b, "/bin/demo");
        put_number(&b, 8, 0x1000), put_number(&b, 8, 0x400000);
        put_number(&b, 8, 2);
    }
    bool has_lush = lush || variant == HPCRUN_FMT_2009;
    put_node(&b, has_lush, 2, 0, 0, 0, 0);
    put_node(&b, has_lush, -4, 2, 0x401136, 17, 0.25);
    return b;
}

/* ---- streams ---- */

static FILE *as_file(const void *data, size_t len)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len, f), len);
    rewind(f);
    return f;
}

/* A pipe cannot seek and does not know its length. */
static FILE *as_pipe(const void *data, size_t len)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        /* three bytes at a time at first: reads come back short */
        for (size_t at = 0; at < len;) {
            size_t step = at < 300 ? 3 : 65536;
            ssize_t n = write(ends[1], (const char *)data + at, step < len - at ? step : len - at);
            if (n <= 0) break;
            at += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    return fdopen(ends[0], "rb");
}

/* ---- an allocator that counts and refuses ---- */

static size_t asked, largest, live, refuse_at;

static void *counted(size_t len)
{
    if (refuse_at && ++asked >= refuse_at) return NULL;
    if (len > largest) largest = len;
    live++;
    return malloc(len);
}
static void give_back(void *p)
{
    live--;
    free(p);
}
static void reset(void) { asked = largest = live = refuse_at = 0; }

/* ---- whole files ---- */

/* Reads all of `in` and writes it to `out` (may be NULL). Everything is given back. */
static int copy(FILE *in, FILE *out, hpcrun_fmt_env_t *env)
{
    hpcrun_fmt_hdr_t hdr;
    int rc = hpcrun_fmt_hdr_fread(&hdr, env, in, counted);
    if (rc == 0 && out) assert_int_equal(hpcrun_fmt_hdr_fwrite(&hdr, env, out), 0);
    bool counts = rc == 0 && hdr.counted;
    uint32_t epochs = hdr.num_epochs;
    for (uint32_t i = 0; rc == 0 && (!counts || i < epochs); i++) {
        hpcrun_fmt_epoch_t epoch;
        rc = hpcrun_fmt_epoch_fread(&epoch, env, in, counted);
        bool is_end = rc == 1 && !counts;
        if (rc == 0 && out) assert_int_equal(hpcrun_fmt_epoch_fwrite(&epoch, env, out), 0);
        for (uint64_t k = 0; rc == 0 && k < epoch.num_nodes; k++) {
            hpcrun_fmt_cct_node_t node;
            rc = hpcrun_fmt_cct_node_fread(&node, env, in, counted);
            if (rc == 0 && out) assert_int_equal(hpcrun_fmt_cct_node_fwrite(&node, env, out), 0);
            hpcrun_fmt_cct_node_free(&node, give_back);
        }
        hpcrun_fmt_epoch_free(&epoch, give_back);
        if (is_end) {
            rc = 0;
            break;
        }
    }
    hpcrun_fmt_hdr_free(&hdr, give_back);
    assert_int_equal(live, 0);
    return rc;
}

static void must_copy(FILE *in, const void *data, size_t len)
{
    hpcrun_fmt_error_t error = { 0 };
    hpcrun_fmt_env_t env = { .error = &error };
    char *made;
    size_t made_len;
    FILE *out = open_memstream(&made, &made_len);
    reset();
    int rc = copy(in, out, &env);
    fclose(out);
    if (rc != 0) fail_msg("%s at %lu", error.what.text, (unsigned long)error.what.offset);
    assert_int_equal(made_len, len);
    assert_memory_equal(made, data, len);
    free(made);
    fclose(in);
}

static void what_was_read_is_written_byte_for_byte(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        struct bytes b = sample(i & 1 ? 'b' : 'l', i & 2 ? HPCRUN_FMT_2009 : HPCRUN_FMT_SPEC, i & 4);
        must_copy(as_file(b.at, b.len), b.at, b.len);
        must_copy(as_pipe(b.at, b.len), b.at, b.len);
        must_copy(fmemopen(b.at, b.len, "rb"), b.at, b.len);
    }
}

static void the_samples_of_the_specification_come_out_the_same(void **state)
{
    (void)state;
    static const char *const names[] = { "empty",      "shortest", "one-epoch", "two-metrics", "two-epochs",
                                         "no-metrics", "lush",     "lush-lip3", "strings",     "hundred-epochs" };
    const char *shared = getenv("ASSAY_SHARED");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[600], data[65536];
        snprintf(path, sizeof path, "%s/data/hpcrun/seed/%s.hpcrun", shared ? shared : "../shared", names[i]);
        FILE *in = fopen(path, "rb");
        if (!in) skip();
        size_t len = fread(data, 1, sizeof data, in);
        assert_true(len >= 24 && len < sizeof data);
        rewind(in);
        must_copy(in, data, len);
    }
}

static void every_field_is_where_the_specification_says(void **state)
{
    (void)state;
    struct bytes b = sample('l', HPCRUN_FMT_SPEC, true);
    FILE *in = as_file(b.at, b.len);
    hpcrun_fmt_env_t env = { 0 };
    hpcrun_fmt_hdr_t hdr;
    hpcrun_fmt_epoch_t epoch;
    hpcrun_fmt_cct_node_t node;
    assert_int_equal(hpcrun_fmt_hdr_fread(&hdr, &env, in, malloc), 0);
    assert_string_equal(hdr.version, "02.00");
    assert_int_equal(hdr.endian, 'l');
    assert_true(hdr.counted);
    assert_int_equal(hdr.num_epochs, 1);
    assert_string_equal(hdr.nvps.lst[0].name.s, "program-name");
    assert_string_equal(hdr.nvps.lst[0].val.s, "demo");
    assert_int_equal(hpcrun_fmt_epoch_fread(&epoch, &env, in, malloc), 0);
    assert_int_equal(epoch.flags, HPCRUN_FMT_EPOCH_LUSH);
    assert_int_equal(epoch.ra_distance, 1);
    assert_int_equal(epoch.granularity, 4);
    assert_int_equal(epoch.metric_tbl.len, 2);
    assert_int_equal(epoch.metric_tbl.lst[0].period, 1000);
    assert_int_equal(epoch.metric_tbl.lst[1].flags, HPCRUN_FMT_METRIC_ASYNC | HPCRUN_FMT_METRIC_REAL);
    assert_int_equal(epoch.loadmap.lst[0].load_addr, 0x400000);
    assert_int_equal(epoch.loadmap.lst[0].load_offset, 0x1000);
    assert_int_equal(epoch.loadmap.lst[0].flags, 7);
    assert_int_equal(epoch.num_nodes, 2);
    assert_int_equal(env.num_metrics, 2);
    assert_true(env.lush);
    assert_int_equal(env.lip_words, 2);
    assert_int_equal(hpcrun_fmt_cct_node_fread(&node, &env, in, malloc), 0);
    hpcrun_fmt_cct_node_free(&node, free);
    uint64_t lip[2], values[2];
    node = (hpcrun_fmt_cct_node_t){ .lip = lip, .values = values };
    assert_int_equal(hpcrun_fmt_cct_node_fread(&node, &env, in, NULL), 0);
    assert_ptr_equal(node.values, values);
    assert_int_equal(node.id, -4);
    assert_int_equal(node.parent, 2);
    assert_int_equal(node.assoc, 0x154);
    assert_int_equal(lip[1], 0x20);
    assert_int_equal(values[0], 17);
    assert_int_equal(hpcrun_fmt_cct_node_fread(&node, &env, in, NULL), 1);
    hpcrun_fmt_epoch_free(&epoch, free);
    hpcrun_fmt_hdr_free(&hdr, free);
    fclose(in);
}

/* ---- text ---- */

static void text_is_hpcproftts(void **state)
{
    (void)state;
    static const char want[] = "HPCRUN____\n[hdr:\n  (version: 02.00)\n  (endian: l)\n  [nv-pair: 'program-name', 'demo']\n]\n"
                               "[epoch-hdr: (flags: 0x1) (ra-distance: 1) (granularity: 4)\n  [nv-pair: 'LIP-size', '2']\n]\n"
                               "[metric-tbl: (num-entries: 2)\n  [(nm: CYCLES) (flags: 0x2) (period: 1000)]\n  [(nm: BLAME) (flags: 0x6) (period: 1)]\n]\n"
                               "[loadmap: (num-entries: 1)\n  [(load-addr: 0x400000) (load-offset: 0x1000) (nm: /bin/demo) (flg: 0x7)]\n]\n"
                               "[cct: (num-nodes: 2)\n"
                               "  [node: (id: 2) (id-parent: 0) (as: 1-to-M (1)) (ip: 0x0) (lip: 0x1 0x20) (metrics: 0 0)]\n"
                               "  [node: (id: -4) (id-parent: 2) (as: 1-to-M (1)) (ip: 0x401136) (lip: 0x1 0x20) (metrics: 17 0.25)]\n"
                               "[nv-pair: 'a\\x0a', '']\nx";
    struct bytes b = sample('l', HPCRUN_FMT_SPEC, true);
    FILE *in = as_file(b.at, b.len);
    hpcrun_fmt_env_t env = { 0 };
    hpcrun_fmt_hdr_t hdr;
    hpcrun_fmt_epoch_t epoch;
    char *made;
    size_t len;
    FILE *out = open_memstream(&made, &len);
    assert_int_equal(hpcrun_fmt_hdr_fread(&hdr, &env, in, malloc), 0);
    assert_int_equal(hpcrun_fmt_epoch_fread(&epoch, &env, in, malloc), 0);
    assert_int_equal(hpcrun_fmt_hdr_fprint(&hdr, out), 0);
    assert_int_equal(hpcrun_fmt_epoch_fprint(&epoch, out), 0);
    for (int i = 0; i < 2; i++) {
        hpcrun_fmt_cct_node_t node;
        assert_int_equal(hpcrun_fmt_cct_node_fread(&node, &env, in, malloc), 0);
        assert_int_equal(hpcrun_fmt_cct_node_fprint(&node, out), 0);
        hpcrun_fmt_cct_node_free(&node, free);
    }
    char name[] = "a\n", x[] = "x";
    hpcrun_fmt_nv_pair_t pair = { { 2, name }, { 0, NULL } };
    hpcrun_fmt_str_t text = { 1, x };
    assert_int_equal(hpcrun_fmt_nv_pair_fprint(&pair, out), 0);
    assert_int_equal(hpcrun_fmt_str_fprint(&text, out), 0);
    fclose(out);
    assert_string_equal(made, want);
    free(made);

    out = open_memstream(&made, &len);
    assert_int_equal(hpcrun_fmt_metric_tbl_fprint(&epoch.metric_tbl, out), 0);
    assert_int_equal(hpcrun_fmt_loadmap_fprint(&epoch.loadmap, out), 0);
    fclose(out);
    assert_non_null(strstr(want, made));
    free(made);
    hpcrun_fmt_epoch_free(&epoch, free);
    hpcrun_fmt_hdr_free(&hdr, free);
    fclose(in);
}

/* ---- planted faults ---- */

struct fault {
    size_t at;
    unsigned char byte;
    int code;
    const char *rule;
    uint64_t place;
};

static void must_fail(FILE *in, const struct fault *f)
{
    hpcrun_fmt_error_t error = { 0 };
    hpcrun_fmt_env_t env = { .error = &error };
    reset();
    assert_int_equal(copy(in, NULL, &env), -1);
    assert_int_equal(hpcrun_fmt_errno(&env), f->code);
    assert_string_equal(error.rule, f->rule);
    assert_int_equal(error.what.offset, f->place);
    assert_true(error.what.text[0] != 0);
    assert_true(largest < 4096);
    fclose(in);
}

static void each_fault_has_rule_and_place(void **state)
{
    (void)state;
    /* epoch: tag 8, flags 8, distance 4, granularity 8, pairs 4, then the metrics */
    enum { METRICS_AT = EPOCH_AT + 32, FIRST_NAME = METRICS_AT + 4, MODULES_AT = METRICS_AT + 4 + 26 + 25, NODES_AT = MODULES_AT + 4 + 16 + 13 + 4 };
    static const struct fault faults[] = {
        { 0, 'X', ASSAY_ERR_DAMAGED, "HRC01", 0 },
        { 11, '9', ASSAY_ERR_VERSION, "HRC02", 10 },
        { 15, 'x', ASSAY_ERR_DAMAGED, "HRC03", 15 },
        { PAIRS_AT + 3, 0x7f, ASSAY_ERR_TRUNCATED, "HRC04", PAIRS_AT },
        { NAME_AT + 3, 0x7f, ASSAY_ERR_TRUNCATED, "HRC04", NAME_AT },
        { EPOCH_AT + 1, 'p', ASSAY_ERR_DAMAGED, "HRC05", EPOCH_AT },
        { METRICS_AT + 2, 0xff, ASSAY_ERR_TRUNCATED, "HRC04", METRICS_AT },
        { FIRST_NAME + 2, 0xff, ASSAY_ERR_TRUNCATED, "HRC04", FIRST_NAME },
        { MODULES_AT + 3, 0x01, ASSAY_ERR_TRUNCATED, "HRC04", MODULES_AT },
        { MODULES_AT, 0, ASSAY_ERR_DAMAGED, "HRC12", MODULES_AT },
        { NODES_AT + 4, 0, ASSAY_ERR_DAMAGED, "HRC10", NODES_AT + 4 },
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct bytes b = sample('l', HPCRUN_FMT_SPEC, false);
        b.at[faults[i].at] = faults[i].byte;
        must_fail(as_file(b.at, b.len), &faults[i]);
    }
    struct bytes lush = sample('l', HPCRUN_FMT_SPEC, true);
    lush.at[METRICS_AT + 4 + 8 + 4] = '0';
    must_fail(as_file(lush.at, lush.len), &(struct fault){ 0, 0, ASSAY_ERR_DAMAGED, "HRC04", EPOCH_AT });
}

static void a_cut_at_any_byte_is_told(void **state)
{
    (void)state;
    for (int variant = 0; variant < 2; variant++) {
        struct bytes b = sample('l', (uint8_t)variant, true);
        for (size_t len = 0; len < b.len; len++) {
            hpcrun_fmt_error_t error = { 0 };
            hpcrun_fmt_env_t env = { .error = &error };
            FILE *in = as_file(b.at, len);
            reset();
            int rc = copy(in, NULL, &env);
            fclose(in);
            /* nothing at all; the end of the pairs is the end of a file of 2009; between two nodes the stream ends, as they are read one by one */
            bool is_clean = rc == 1 || (rc == 0 && len == COUNT_AT);
            if (!is_clean) {
                assert_int_equal(rc, -1);
                assert_int_equal(error.what.code, ASSAY_ERR_TRUNCATED);
                assert_string_equal(error.rule, "HRC04");
                assert_true(error.what.offset <= len);
            } else
                assert_true(len == 0 || len == COUNT_AT || len > b.len - 2 * 52 - 1 || (variant == 0 && len == EPOCH_AT));
        }
    }
}

static void pipes_tell_the_place_by_counting(void **state)
{
    (void)state;
    struct bytes b = sample('l', HPCRUN_FMT_SPEC, false);
    b.at[EPOCH_AT + 1] = 'p';
    must_fail(as_pipe(b.at, b.len), &(struct fault){ 0, 0, ASSAY_ERR_DAMAGED, "HRC05", EPOCH_AT });
    b.at[NAME_AT + 3] = 0x7f;
    must_fail(as_pipe(b.at, b.len), &(struct fault){ 0, 0, ASSAY_ERR_TRUNCATED, "HRC04", NAME_AT });
    b.at[PAIRS_AT + 3] = 0xff;
    must_fail(as_pipe(b.at, b.len), &(struct fault){ 0, 0, ASSAY_ERR_TRUNCATED, "HRC04", NAME_AT });
}

/* A list and a string longer than a step, from a stream that does not say how long it is. */
static void long_parts_come_through_pipes(void **state)
{
    (void)state;
    enum { PAIRS = 5000, LONG = 300000 };
    char *data, *text = malloc(LONG);
    size_t len;
    FILE *out = open_memstream(&data, &len);
    hpcrun_fmt_nv_pair_t *pairs = calloc(PAIRS, sizeof *pairs);
    char name[] = "k", val[] = "value";
    memset(text, 'x', LONG);
    for (int i = 0; i < PAIRS; i++) pairs[i] = (hpcrun_fmt_nv_pair_t){ { 1, name }, { 5, val } };
    pairs[7].val = (hpcrun_fmt_str_t){ LONG, text };
    hpcrun_fmt_hdr_t hdr = { .nvps = { PAIRS, pairs }, .counted = true };
    assert_int_equal(hpcrun_fmt_hdr_fwrite(&hdr, NULL, out), 0);
    assert_int_equal(hpcrun_fmt_str_fwrite(&pairs[7].val, NULL, out), 0);
    fclose(out);
    for (int i = 0; i < 2; i++) {
        FILE *in = i ? as_file(data, len) : as_pipe(data, len);
        hpcrun_fmt_hdr_t got;
        hpcrun_fmt_str_t str;
        reset();
        assert_int_equal(hpcrun_fmt_hdr_fread(&got, NULL, in, counted), 0);
        assert_int_equal(got.nvps.len, PAIRS);
        assert_int_equal(got.nvps.lst[7].val.len, LONG);
        assert_memory_equal(got.nvps.lst[7].val.s, text, LONG);
        assert_string_equal(got.nvps.lst[PAIRS - 1].val.s, "value");
        assert_int_equal(hpcrun_fmt_str_fread(&str, NULL, in, counted), 0);
        assert_int_equal(str.len, LONG);
        assert_int_equal(hpcrun_fmt_str_fread(&(hpcrun_fmt_str_t){ 0 }, NULL, in, counted), 1);
        hpcrun_fmt_str_free(&str, give_back);
        hpcrun_fmt_hdr_free(&got, give_back);
        assert_int_equal(live, 0);
        fclose(in);
    }
    free(pairs);
    free(data);
    free(text);
}

static void a_refusing_allocator_loses_nothing(void **state)
{
    (void)state;
    struct bytes b = sample('l', HPCRUN_FMT_SPEC, true);
    int rc = -1;
    size_t n = 1;
    for (; rc != 0 && n < 100; n++) {
        hpcrun_fmt_error_t error = { 0 };
        hpcrun_fmt_env_t env = { .error = &error };
        FILE *in = as_file(b.at, b.len);
        reset();
        refuse_at = n;
        rc = copy(in, NULL, &env);
        fclose(in);
        if (rc != 0) assert_int_equal(error.what.code, ASSAY_ERR_MEMORY);
    }
    assert_int_equal(rc, 0);
    assert_true(n > 10);
}

static void room_of_the_caller_is_never_exceeded(void **state)
{
    (void)state;
    char room[8] = { 0 };
    const unsigned char text[] = { 4, 0, 0, 0, 'd', 'e', 'm', 'o' };
    hpcrun_fmt_error_t error = { 0 };
    hpcrun_fmt_env_t env = { .error = &error, .num_metrics = 1 };
    hpcrun_fmt_str_t str = { 3, room };
    FILE *in = as_file(text, sizeof text);
    assert_int_equal(hpcrun_fmt_str_fread(&str, &env, in, NULL), -1);
    assert_int_equal(hpcrun_fmt_errno(&env), ASSAY_ERR_LIMIT);
    rewind(in);
    str = (hpcrun_fmt_str_t){ 4, room };
    assert_int_equal(hpcrun_fmt_str_fread(&str, &env, in, NULL), 0);
    assert_string_equal(room, "demo");
    rewind(in);
    hpcrun_fmt_metric_tbl_t tbl = { 3, NULL };
    assert_int_equal(hpcrun_fmt_metric_tbl_fread(&tbl, &env, in, NULL), -1);
    assert_int_equal(hpcrun_fmt_errno(&env), ASSAY_ERR_LIMIT);
    fclose(in);
    unsigned char node[24] = { 1 };
    in = as_file(node, sizeof node);
    assert_int_equal(hpcrun_fmt_cct_node_fread(&(hpcrun_fmt_cct_node_t){ 0 }, &env, in, NULL), -1);
    assert_int_equal(hpcrun_fmt_errno(&env), ASSAY_ERR_LIMIT);
    assert_int_equal(hpcrun_fmt_cct_node_fread(&(hpcrun_fmt_cct_node_t){ 0 }, NULL, in, NULL), -1);
    fclose(in);
}

static void what_cannot_be_written_is_refused(void **state)
{
    (void)state;
    hpcrun_fmt_error_t error = { 0 };
    hpcrun_fmt_env_t env = { .error = &error, .num_metrics = 1, .endian = 'l' };
    FILE *out = fopen("/dev/full", "wb");
    char name[] = "x";
    assert_non_null(out);
    setvbuf(out, NULL, _IONBF, 0);
    hpcrun_fmt_hdr_t hdr = { .endian = 'l', .counted = true };
    assert_int_equal(hpcrun_fmt_hdr_fwrite(&hdr, &env, out), -1);
    assert_int_equal(hpcrun_fmt_errno(&env), ASSAY_ERR_WRITE);
    assert_int_equal(hpcrun_fmt_hdr_fprint(&hdr, out), -1);
    assert_int_equal(hpcrun_fmt_hdr_fwritev(out, &env, 0, NULL), -1);
    fclose(out);

    char *made;
    size_t len;
    out = open_memstream(&made, &len);
    hdr.endian = 'b';
    assert_int_equal(hpcrun_fmt_hdr_fwrite(&hdr, &env, out), -1);
    assert_string_equal(error.rule, "HRC03");
    hdr.endian = 'x';
    assert_int_equal(hpcrun_fmt_hdr_fwrite(&hdr, NULL, out), -1);
    hdr = (hpcrun_fmt_hdr_t){ .version = "2", .counted = true };
    assert_int_equal(hpcrun_fmt_hdr_fwrite(&hdr, &env, out), -1);
    assert_string_equal(error.rule, "HRC02");
    hdr = (hpcrun_fmt_hdr_t){ .counted = false };
    assert_int_equal(hpcrun_fmt_hdr_fwrite(&hdr, &env, out), -1);
    assert_int_equal(hpcrun_fmt_errno(&env), ASSAY_ERR_USAGE);
    assert_int_equal(hpcrun_fmt_loadmap_fwrite(&(hpcrun_fmt_loadmap_t){ 0 }, &env, out), -1);
    assert_string_equal(error.rule, "HRC12");
    hpcrun_fmt_epoch_t epoch = { .num_nodes = UINT64_C(1) << 32 };
    assert_int_equal(hpcrun_fmt_epoch_fwrite(&epoch, &env, out), -1);
    assert_int_equal(hpcrun_fmt_errno(&env), ASSAY_ERR_LIMIT);
    assert_int_equal(hpcrun_fmt_cct_node_fwrite(&(hpcrun_fmt_cct_node_t){ 0 }, &env, out), -1);
    assert_string_equal(error.rule, "HRC10");
    assert_int_equal(hpcrun_fmt_cct_node_fwrite(&(hpcrun_fmt_cct_node_t){ .id = 2 }, &env, out), -1);
    assert_int_equal(hpcrun_fmt_errno(&env), ASSAY_ERR_USAGE);
    assert_int_equal(hpcrun_fmt_str_fwrite(&(hpcrun_fmt_str_t){ 3, NULL }, &env, out), -1);
    assert_int_equal(hpcrun_fmt_nv_pair_fwrite(&(hpcrun_fmt_nv_pair_t){ { 1, name }, { 3, NULL } }, &env, out), -1);
    assert_int_equal(hpcrun_fmt_metric_tbl_fwrite(&(hpcrun_fmt_metric_tbl_t){ 1, NULL }, &env, out), -1);
    assert_int_equal(hpcrun_fmt_errno(&env), ASSAY_ERR_USAGE);
    fclose(out);
    free(made);
}

static void a_header_of_names_and_values_is_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        hpcrun_fmt_env_t env = { .endian = i & 1 ? 'b' : 'l', .variant = i & 2 ? HPCRUN_FMT_2009 : HPCRUN_FMT_SPEC };
        struct bytes b = sample(env.endian, env.variant, false);
        char *made;
        size_t len;
        FILE *out = open_memstream(&made, &len);
        assert_int_equal(hpcrun_fmt_hdr_fwritev(out, &env, 1, "program-name", "demo", NULL), 0);
        fclose(out);
        assert_int_equal(len, i & 2 ? COUNT_AT : EPOCH_AT);
        assert_memory_equal(made, b.at, len);
        free(made);
    }
}

static void without_environment_an_epoch_that_follows_is_left_in_the_stream(void **state)
{
    (void)state;
    struct bytes b = sample('l', HPCRUN_FMT_2009, false);
    FILE *in = as_file(b.at, b.len);
    hpcrun_fmt_hdr_t hdr;
    assert_int_equal(hpcrun_fmt_hdr_fread(&hdr, NULL, in, malloc), 0);
    assert_false(hdr.counted);
    assert_int_equal(ftell(in), COUNT_AT);
    hpcrun_fmt_hdr_free(&hdr, free);
    fclose(in);
    in = as_pipe(b.at, b.len);
    assert_int_equal(hpcrun_fmt_hdr_fread(&hdr, NULL, in, malloc), -1);
    hpcrun_fmt_hdr_free(&hdr, free);
    fclose(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_read_is_written_byte_for_byte),
        cmocka_unit_test(the_samples_of_the_specification_come_out_the_same),
        cmocka_unit_test(every_field_is_where_the_specification_says),
        cmocka_unit_test(text_is_hpcproftts),
        cmocka_unit_test(each_fault_has_rule_and_place),
        cmocka_unit_test(a_cut_at_any_byte_is_told),
        cmocka_unit_test(pipes_tell_the_place_by_counting),
        cmocka_unit_test(long_parts_come_through_pipes),
        cmocka_unit_test(a_refusing_allocator_loses_nothing),
        cmocka_unit_test(room_of_the_caller_is_never_exceeded),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        cmocka_unit_test(a_header_of_names_and_values_is_the_same),
        cmocka_unit_test(without_environment_an_epoch_that_follows_is_left_in_the_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
