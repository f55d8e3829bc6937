/* Planted defects for the rules of perf.data, recordings that are nearly wrong but are not, and what records become. */
#include "file.h"

#include <stdlib.h>

static const uint64_t one[] = { 0x1010, 0x1020 };

static void add_usual(struct file *f)
{
    add_comm(f, "crew", 1, true);
    add_mmap(f, 0x1000, 0x1000, "/nowhere/crew", 1);
    add_sample(f, 10, 7, 100, 5, one, 2);
}

static void begin_usual(struct file *f)
{
    begin_file(f, 1, TYPE_CHAIN);
    add_usual(f);
}

/* ---- rules ---- */

/* Each plants its defect and gives where it must be reported; NOWHERE = without a place. With is_near it plants what is nearly that. */
#define NOWHERE SIZE_MAX
typedef size_t (*plant_fn)(struct file *f, bool is_near);

static size_t plant_magic(struct file *f, bool is_near)
{
    begin_usual(f);
    if (!is_near) memcpy(f->at, "PERFFILE", 8);
    return 0;
}
static size_t plant_header(struct file *f, bool is_near)
{
    begin_usual(f);
    put(f, 8, is_near ? 104 : 105, 8);
    return 8;
}
static size_t plant_attr_size(struct file *f, bool is_near)
{
    begin_usual(f);
    if (!is_near) put(f, 16, 72, 8);
    return 16;
}
static size_t plant_ids(struct file *f, bool is_near)
{
    begin_usual(f);
    if (!is_near) put(f, ATTR_AT + ATTR, 1 << 20, 8);
    return ATTR_AT + ATTR;
}
static size_t plant_cut(struct file *f, bool is_near)
{
    begin_usual(f);
    size_t at = add_comm(f, "again", 200, false);
    end_data(f);
    if (!is_near) f->len -= 8;
    return at;
}
static size_t plant_unfinished(struct file *f, bool is_near)
{
    begin_usual(f);
    if (is_near) end_data(f);
    return 48;
}
static size_t plant_tiny(struct file *f, bool is_near)
{
    begin_usual(f);
    size_t at = add_other(f, 68, 0);
    if (!is_near) put(f, at + 6, 7, 2);
    return at;
}
static size_t plant_long(struct file *f, bool is_near)
{
    begin_usual(f);
    size_t at = add_other(f, 68, 0);
    end_data(f);
    if (!is_near) put(f, at + 6, 16, 2);
    for (int i = 0; i < 8; i++) add(f, 0, 8);
    return at;
}
static size_t plant_unknown(struct file *f, bool is_near)
{
    begin_usual(f);
    return add_other(f, is_near ? 86 : 87, 8);
}
static size_t plant_short(struct file *f, bool is_near)
{
    begin_usual(f);
    size_t at = add_sample(f, 10, 7, 110, 5, one, 2);
    if (!is_near) put(f, at + 8 + 5 * 8, 4, 8);
    return at;
}
static size_t plant_rest(struct file *f, bool is_near)
{
    begin_usual(f);
    size_t at = add_sample(f, 10, 7, 110, 5, one, 2);
    if (!is_near) put(f, at + 8 + 5 * 8, 2, 8);
    return at;
}
static size_t plant_feature(struct file *f, bool is_near)
{
    begin_usual(f);
    end_data(f);
    size_t at = f->len;
    put(f, 72, 1 << 3, 8);
    add(f, at + 16, 8);
    add(f, is_near ? 8 : 9, 8);
    add(f, 4, 4);
    add(f, 'b', 4);
    return at;
}
static size_t plant_id(struct file *f, bool is_near)
{
    begin_file(f, 2, TYPE_CHAIN);
    add_usual(f);
    return add_sample(f, is_near ? 11 : 12, 7, 110, 5, one, 2);
}
static size_t plant_none(struct file *f, bool is_near)
{
    begin_usual(f);
    if (!is_near) put(f, 32, 0, 8);
    return 32;
}
static size_t plant_order(struct file *f, bool is_near)
{
    begin_usual(f);
    if (!is_near) put(f, ATTR_AT + 4, (uint64_t)ATTR << 24, 4);
    return ATTR_AT + 4;
}
static size_t plant_packed(struct file *f, bool is_near)
{
    /* one frame with a raw block: an empty FINISHED_ROUND record */
    static const unsigned char frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, 0x41, 0x00, 0x00, 68, 0, 0, 0, 0, 0, 8, 0 };
    begin_usual(f);
    size_t at = begin_record(f, 81, 0);
    for (size_t i = 0; i < sizeof frame; i++) add(f, i || is_near ? frame[i] : 0, 1);
    end_record(f, at);
    return at;
}
static size_t plant_own_size(struct file *f, bool is_near)
{
    begin_usual(f);
    put(f, ATTR_AT + 4, is_near ? 0 : ATTR + 8, 4);
    return ATTR_AT + 4;
}
static size_t plant_lost(struct file *f, bool is_near)
{
    begin_usual(f);
    size_t at = add_other(f, 2, 16);
    if (!is_near) put(f, at + 16, 3, 8);
    return at;
}
/* Two rounds later a sample comes that is older than the first one. */
static size_t plant_late(struct file *f, bool is_near)
{
    begin_usual(f);
    add_other(f, 68, 0);
    add_sample(f, 10, 7, 200, 5, one, 2);
    add_other(f, 68, 0);
    add_sample(f, 10, 7, is_near ? 100 : 99, 5, one, 2);
    return NOWHERE;
}
static size_t plant_unmapped(struct file *f, bool is_near)
{
    static const uint64_t other[] = { 0x9000 };
    begin_usual(f);
    for (int i = 0; i < 19; i++) add_sample(f, 10, 7, 101, 5, one, 2);
    for (int i = 0; i < (is_near ? 1 : 2); i++) add_sample(f, 10, 7, 110, 5, other, 1);
    return NOWHERE;
}
static size_t plant_nameless(struct file *f, bool is_near)
{
    begin_file(f, 1, TYPE_CHAIN);
    if (!is_near) add_usual(f);
    return NOWHERE;
}
/* REGS_USER with one register, and STACK_USER */
static size_t plant_dump(struct file *f, bool is_near)
{
    begin_file(f, 1, 1 | 1 << 12 | 1 << 13);
    put(f, ATTR_AT + 80, 1, 8);
    size_t at = begin_record(f, 9, 2);
    add(f, 0x1000, 8);
    add(f, is_near ? 0 : 2, 8);
    if (!is_near) add(f, 0, 8);
    add(f, is_near ? 0 : 8, 8);
    if (!is_near) add(f, 0, 8), add(f, 8, 8);
    end_record(f, at);
    return NOWHERE;
}
static size_t plant_throttle(struct file *f, bool is_near)
{
    begin_usual(f);
    return add_other(f, is_near ? 6 : 5, 24);
}
static void begin_pipe(struct file *f)
{
    memset(f, 0, sizeof *f);
    f->type = TYPE_CHAIN;
    memcpy(f->at, "PERFILE2", 8);
    put(f, 8, 16, 8);
    size_t at = begin_record(f, 64, 0);
    put_attr(f, f->len, TYPE_CHAIN, 0);
    f->len = at + 8 + ATTR;
    add(f, 10, 8);
    end_record(f, at);
    add_usual(f);
}
static size_t plant_text(struct file *f, bool is_near)
{
    begin_pipe(f);
    size_t at = f->len;
    if (!is_near) add_text(f, "[ perf record: Woken up 1 times to write data ]");
    return at;
}
static size_t plant_open_text(struct file *f, bool is_near)
{
    begin_usual(f);
    size_t at = add_comm(f, "seven.7", 110, false);
    if (!is_near) f->at[at + 16 + 7] = 'x';
    return at;
}
static size_t plant_trace(struct file *f, bool is_near)
{
    begin_usual(f);
    return add_other(f, is_near ? 72 : 70, 16);
}
/* The record inside is compressed too. */
static size_t plant_nested(struct file *f, bool is_near)
{
    size_t at = plant_packed(f, true);
    if (!is_near) f->at[at + 8 + 9] = 81;
    return at;
}
static size_t plant_types(struct file *f, bool is_near)
{
    uint64_t type = TYPE_CHAIN | (is_near ? 1 << 16 : 0);
    begin_file(f, 2, type);
    size_t at = ATTR_AT + ATTR + 16 + 24;
    put(f, at, type & ~(uint64_t)32, 8);
    add_usual(f);
    return at;
}
static size_t plant_payload(struct file *f, bool is_near)
{
    size_t at = plant_feature(f, true) + 16;
    if (!is_near) put(f, at, 5, 4);
    return at;
}
static size_t plant_part(struct file *f, bool is_near)
{
    begin_usual(f);
    end_data(f);
    put(f, 72, 1 << (is_near ? 23 : 24), 8);
    add(f, f->len + 16, 8);
    add(f, 8, 8);
    add(f, 1, 8);
    return NOWHERE;
}
/* COMPRESSED2: the size in the header has lost its upper bits. */
static size_t plant_wrapped(struct file *f, bool is_near)
{
    static const unsigned char frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, 0x41, 0x00, 0x00, 68, 0, 0, 0, 0, 0, 8, 0 };
    begin_usual(f);
    size_t at = begin_record(f, 83, 0);
    add(f, sizeof frame, 8);
    for (size_t i = 0; i < sizeof frame; i++) add(f, frame[i], 1);
    if (is_near)
        while ((f->len - at) % 8) add(f, 0, 1);
    end_record(f, at);
    if (!is_near) put(f, at + 6, 0, 2);
    return at;
}
static size_t plant_deep(struct file *f, bool is_near)
{
    uint64_t chain[127];
    for (size_t i = 0; i < 127; i++) chain[i] = 0x1010 + i;
    begin_usual(f);
    add_sample(f, 10, 7, 110, 5, chain, is_near ? 126 : 127);
    return NOWHERE;
}
static size_t plant_no_samples(struct file *f, bool is_near)
{
    begin_file(f, 1, TYPE_CHAIN);
    if (is_near)
        add_usual(f);
    else
        add_comm(f, "crew", 1, false);
    return NOWHERE;
}
static size_t plant_overlap(struct file *f, bool is_near)
{
    begin_usual(f);
    end_data(f);
    if (is_near) return 24;
    put(f, 24, DATA_AT, 8);
    for (size_t i = 0; i < ATTR + 16; i++) f->at[DATA_AT + i] = f->at[ATTR_AT + i];
    return 24;
}
static size_t plant_large(struct file *f, bool is_near)
{
    begin_usual(f);
    add_sample(f, 10, 7, 110, UINT64_MAX - (is_near ? 5 : 4), one, 2);
    return NOWHERE;
}

static const struct {
    const char *rule;
    int severity;
    plant_fn plant;
} rules[] = {
    { "PD01", E, plant_magic },      { "PD02", E, plant_header },     { "PD03", E, plant_attr_size }, { "PD04", E, plant_ids },
    { "PD05", E, plant_cut },        { "PD06", W, plant_unfinished }, { "PD07", E, plant_tiny },      { "PD08", E, plant_long },
    { "PD09", W, plant_unknown },    { "PD10", E, plant_short },      { "PD11", W, plant_rest },      { "PD12", E, plant_feature },
    { "PD13", E, plant_id },         { "PD14", E, plant_none },       { "PD15", E, plant_order },     { "PD16", E, plant_packed },
    { "PD17", E, plant_own_size },   { "PD18", W, plant_lost },       { "PD19", W, plant_late },      { "PD20", W, plant_unmapped },
    { "PD21", I, plant_nameless },   { "PD22", W, plant_dump },       { "PD23", W, plant_throttle },  { "PD24", W, plant_text },
    { "PD25", E, plant_open_text },  { "PD26", W, plant_trace },      { "PD27", E, plant_nested },    { "PD28", E, plant_types },
    { "PD29", W, plant_payload },    { "PD30", W, plant_part },       { "PD31", W, plant_wrapped },   { "PD32", W, plant_deep },
    { "PD33", W, plant_no_samples }, { "PD34", W, plant_overlap },    { "PD35", W, plant_large },
};
enum { RULES = sizeof rules / sizeof *rules };

/* The size of the data is set unless that is what the defect is about. */
static void make(struct file *f, size_t rule, bool is_near, size_t *at)
{
    *at = rules[rule].plant(f, is_near);
    bool has_len = false;
    for (int i = 0; i < 8; i++) has_len |= f->at[48 + i];
    if (!has_len && strcmp(rules[rule].rule, "PD06") != 0 && f->at[8] == 104) end_data(f);
}

static void each_rule_finds_its_planted_defect(void **state)
{
    static struct file f;
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct checked c;
        size_t at;
        make(&f, i, false, &at);
        check_text(&c, "perf-data", f.at, f.len);
        const assay_finding *found = found_rule(&c, rules[i].rule);
        if (!found) fail_msg("%s is not found", rules[i].rule);
        if (found->severity != rules[i].severity) fail_msg("%s has severity %d", rules[i].rule, found->severity);
        if (found->has_offset != (at != NOWHERE) || (at != NOWHERE && found->offset != at))
            fail_msg("%s is at %llu, not %zu", rules[i].rule, (unsigned long long)found->offset, at);
        struct assay_read_options o = { .format = "perf-data", .strict = true };
        assay_profile *p = NULL;
        int rc = assay_read_memory(f.at, f.len, "file", &o, &p, NULL);
        if ((rc != 0) != (c.found.errors > 0))
            fail_msg("%s: strict reading gives %d, check %llu errors", rules[i].rule, rc, (unsigned long long)c.found.errors);
        assay_profile_release(p);
        check_done(&c);
    }
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    static struct file f;
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct checked c;
        size_t at;
        make(&f, i, true, &at);
        check_text(&c, "perf-data", f.at, f.len);
        if (found_rule(&c, rules[i].rule)) fail_msg("%s is reported of what is right: %s", rules[i].rule, found_rule(&c, rules[i].rule)->message);
        if (c.found.errors) fail_msg("the near miss of %s has an error: %s", rules[i].rule, c.found.list.at[0].message);
        check_done(&c);
    }
}

/* A mapping that is too long is cut, an empty one ignored. */
static void mappings_may_be_odd(void **state)
{
    static struct file f;
    struct checked c;
    (void)state;
    begin_usual(&f);
    size_t at = add_mmap(&f, UINT64_MAX - 1, 16, "/nowhere/end", 2);
    add_mmap(&f, 0x1000, 0, "/nowhere/empty", 3);
    end_data(&f);
    check_text(&c, "perf-data", f.at, f.len);
    assert_int_equal(c.found.errors, 0);
    const assay_finding *found = found_rule(&c, "PD25");
    assert_non_null(found);
    assert_int_equal(found->severity, W);
    assert_int_equal(found->offset, at);
    check_done(&c);
}

/* ---- what records become ---- */

struct text {
    char at[2000];
    size_t len;
};

static int collect(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    if (t->len + len >= sizeof t->at) return 1;
    memcpy(t->at + t->len, data, len);
    t->len += len;
    t->at[t->len] = '\0';
    return 0;
}

static assay_profile *profile_of(const struct file *f)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = ASSAY_WANT_TREE | ASSAY_WANT_TIMELINE };
    assay_error err = { 0 };
    if (assay_read_memory(f->at, f->len, "file", &o, &p, &err)) fail_msg("%s", err.text);
    assert_string_equal(assay_profile_format(p), "perf-data");
    return p;
}

/* Self cost by module: names of files that are nowhere stand for what was mapped. */
static void modules_are(const struct file *f, const char *want)
{
    assay_profile *p = profile_of(f);
    const struct assay_tree *tree = assay_profile_tree(p);
    char got[400] = "";
    for (uint32_t node = 1; node <= tree->count; node++) {
        uint32_t module = assay_profile_funcs(p)->module[tree->func[node].v].v;
        assay_slice name = assay_profile_string(p, assay_profile_modules(p)->path[module]);
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s", node > 1 ? " " : "", (int)name.len, name.data ? name.data : "");
    }
    assert_string_equal(got, want);
    assay_profile_release(p);
}

static void a_sample_has_what_was_mapped_at_its_time(void **state)
{
    static struct file f;
    static const uint64_t leaf[] = { 0x1800 };
    (void)state;
    begin_file(&f, 1, TYPE_CHAIN);
    add_sample(&f, 10, 7, 50, 1, leaf, 1); /* before everything in the file, but not in time */
    add_mmap(&f, 0x1000, 0x1000, "/a", 10);
    end_data(&f);
    modules_are(&f, "/a");
    add_mmap(&f, 0x1000, 0x1000, "/b", 60);
    add_sample(&f, 10, 7, 59, 1, leaf, 1);
    end_data(&f);
    modules_are(&f, "/a");
    add_sample(&f, 10, 7, 60, 1, leaf, 1); /* at the same time and behind it */
    end_data(&f);
    modules_are(&f, "/a /b");
}

static void a_new_mapping_cuts_those_before(void **state)
{
    static struct file f;
    static const uint64_t places[] = { 0x1000, 0x17ff, 0x1800, 0x1fff, 0x2000, 0x2fff };
    (void)state;
    begin_file(&f, 1, TYPE_CHAIN);
    add_mmap(&f, 0x1000, 0x2000, "/a", 1);
    add_mmap(&f, 0x1800, 0x800, "/b", 2);
    for (size_t i = 0; i < 6; i++) add_sample(&f, 10, 7, 10 + i, 1, &places[i], 1);
    end_data(&f);
    modules_are(&f, "/a /b");
    add_mmap(&f, 0x1000, 0x2000, "/c", 3);
    end_data(&f);
    modules_are(&f, "/c");
}

static void a_child_has_the_mappings_of_its_parent_until_it_execs(void **state)
{
    static struct file f;
    static const uint64_t leaf[] = { 0x1800 };
    (void)state;
    begin_file(&f, 1, TYPE_CHAIN);
    add_mmap(&f, 0x1000, 0x1000, "/a", 1);
    add_fork(&f, 8, 7, 5);
    add_mmap(&f, 0x1000, 0x1000, "/b", 6); /* of the parent */
    add_sample(&f, 10, 8, 10, 1, leaf, 1);
    end_data(&f);
    modules_are(&f, "/a");
    add_sample(&f, 10, 7, 10, 1, leaf, 1);
    end_data(&f);
    modules_are(&f, "/a /b");
    add_comm(&f, "new", 20, true);
    add_sample(&f, 10, 7, 30, 1, leaf, 1);
    end_data(&f);
    modules_are(&f, "/a /b ");
}

/* Exact sums by event, from the periods that were written. */
static void events_are_told_apart_by_their_ids(void **state)
{
    static struct file f;
    struct text t = { "", 0 };
    (void)state;
    begin_file(&f, 2, TYPE_CHAIN);
    add_usual(&f);
    add_sample(&f, 11, 7, 110, 70, one, 1);
    add_sample(&f, 10, 7, 120, 3, one, 2);
    end_data(&f);
    assay_profile *p = profile_of(&f);
    struct assay_write_options w = { .format = "folded", .metric = "task-clock" };
    assert_int_equal(assay_write_fn(p, &w, collect, &t, NULL, NULL), 0);
    assert_string_equal(t.at, "[unknown] 70\n");
    t.len = 0;
    w.metric = "cpu-clock";
    assert_int_equal(assay_write_fn(p, &w, collect, &t, NULL, NULL), 0);
    assert_string_equal(t.at, "[unknown];[unknown] 8\n");
    assay_profile_release(p);
}

static void byte_orders_are_not_mixed(void **state)
{
    static struct file f, g;
    (void)state;
    begin_usual(&f);
    end_data(&f);
    g = f;
    memcpy(g.at, "2ELIFREP", 8);
    struct checked c;
    check_text(&c, "perf-data", g.at, g.len);
    assert_non_null(found_rule(&c, "PD15"));
    assert_int_equal(found_rule(&c, "PD15")->offset, 8);
    check_done(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(mappings_may_be_odd),
        cmocka_unit_test(a_sample_has_what_was_mapped_at_its_time),
        cmocka_unit_test(a_new_mapping_cuts_those_before),
        cmocka_unit_test(a_child_has_the_mappings_of_its_parent_until_it_execs),
        cmocka_unit_test(events_are_told_apart_by_their_ids),
        cmocka_unit_test(byte_orders_are_not_mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
