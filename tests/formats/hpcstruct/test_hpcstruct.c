/* Structure files: a planted defect for every rule with its place, what is read, strict, and the dump. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness.h"

#define HEAD "<HPCToolkitStructure version=\"4.9\">"
#define TAIL "</HPCToolkitStructure>"
#define LM(content) HEAD "<LM n=\"a\" has-calls=\"1\">" content "</LM>" TAIL
#define P(content) LM("<F n=\"f\"><P n=\"p\" l=\"1\" v=\"{[0x10-0x11)}\">" content "</P></F>")

static const struct defect {
    const char *rule;
    int severity;
    const char *at; /* the place begins with this text */
    const char *text;
} defects[] = {
    { "HRS01", ASSAY_ERROR, "</X></LM>", LM("</X>") },
    { "HRS01", ASSAY_ERROR, "\x01", P("\x01") },
    { "HRS01", ASSAY_ERROR, "<S l=", "<!DOCTYPE a>" P("<S l='1' v='&x;'/>") },
    { "HRS02", ASSAY_ERROR, "<Q/>", P("<Q/>") },
    { "HRS03", ASSAY_ERROR, "<P n='q'", P("<P n='q' v='{[0x20-0x21)}'/>") },
    { "HRS04", ASSAY_ERROR, "v='{[0x10-0x12)}'", LM("<P n='q' v='{[0x10-0x12)}'/>") },
    { "HRS04", ASSAY_ERROR, "v='{}'", LM("<P n='q' v='{}'/>") },
    { "HRS04", ASSAY_ERROR, "<P n='q'/>", LM("<P n='q'/>") },
    { "HRS05", ASSAY_ERROR, "{0x10}", P("<S l='1' v='{0x10}'/>") },
    { "HRS05", ASSAY_ERROR, "[0x10-0x20)", P("<S l='1' v='[0x10-0x20)'/>") },
    { "HRS05", ASSAY_ERROR, "{[0x10-0x20]}", P("<S l='1' v='{[0x10-0x20]}'/>") },
    { "HRS05", ASSAY_ERROR, "{[0x20-0x10)}", P("<S l='1' v='{[0x20-0x10)}'/>") },
    { "HRS05", ASSAY_ERROR, "{[0x10-0x20)", P("<S l='1' v='{[0x10-0x20)'/>") },
    { "HRS05", ASSAY_ERROR, "{[0x10-0x11112222333344445)}", P("<S l='1' v='{[0x10-0x11112222333344445)}'/>") },
    { "HRS05", ASSAY_ERROR, "walk", P("<C l='1' v='{[0x10-0x20)}' t='walk'/>") },
    { "HRS06", ASSAY_ERROR, "<P n='q'", LM("<P n='p' v='{[0x10-0x11)}'/><P n='q' v='{[0x10-0x11)}'/>") },
    { "HRS07", ASSAY_ERROR, "<S ", LM("<F n='f'><S l='1' v='{[0x10-0x20)}'/></F>") },
    { "HRS07", ASSAY_ERROR, "<C ", LM("<P n='p' v='{[0x10-0x11)}'><C l='1' v='{[0x10-0x20)}'/></P>") },
    { "HRS08", ASSAY_ERROR, "v='{[0x10-0x20) [0x30-0x31)}'", P("<C l='1' v='{[0x10-0x20) [0x30-0x31)}'/>") },
    { "HRS09", ASSAY_WARNING, "<LM", P("<S l='1' v='{[0x10-0x20)}'/><S l='2' v='{[0x1f-0x21)}'/>") },
    { "HRS09", ASSAY_WARNING, "<LM", P("<C l='1' v='{[0x10-0x20)}' t='0x99'/>") },
    { "HRS09", ASSAY_WARNING, "<A l='3'", P("<A l='3'><S l='1' v='{[0x10-0x20)}'/></A>") },
    { "HRS10", ASSAY_ERROR, "<LM/>", HEAD "<LM/>" TAIL },
    { "HRS10", ASSAY_ERROR, "<F n='g'", LM("<F n='f'><F n='g'/></F>") },
    { "HRS10", ASSAY_ERROR, "<L ", LM("<F n='f'><L l='1' v='{[0x1-0x2)}'/></F>") },
    { "HRS10", ASSAY_ERROR, "<LM n='b'", LM("<LM n='b'/>") },
};

struct job {
    struct mem mem;
    struct assay_read_options options;
    struct read_job job;
};

static const struct format *format(void) { return registry_find(slice_of("hpcstruct")); }

static void open_text(struct job *j, const char *text)
{
    memset(j, 0, sizeof *j);
    mem_init(&j->mem, 0);
    struct input_options o = { .mem = &j->mem };
    assert_int_equal(input_open_memory(&j->job.in, text, strlen(text), "sample", &o, NULL), 0);
    j->job.options = &j->options;
    j->job.mem = &j->mem;
}

static void close_text(struct job *j)
{
    input_close(j->job.in);
    assert_int_equal(j->mem.used, 0);
}

static struct findings check(struct job *j, const char *text)
{
    struct findings found;
    open_text(j, text);
    findings_init(&found, &j->mem);
    assert_int_equal(format()->check(&j->job, &found, NULL), 0);
    return found;
}

static void every_rule_names_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        const struct defect *d = &defects[i];
        struct job j;
        struct findings found = check(&j, d->text);
        uint64_t want = (uint64_t)(strstr(d->text, d->at) - d->text);
        bool has = false;
        for (size_t k = 0; k < found.list.len; k++) {
            const assay_finding *f = &found.list.at[k];
            has |= strcmp(f->rule, d->rule) == 0 && f->severity == d->severity && f->has_offset && f->offset == want && f->line == 1;
        }
        if (!has) {
            for (size_t k = 0; k < found.list.len; k++)
                print_message("%s at %llu: %s\n", found.list.at[k].rule, (unsigned long long)found.list.at[k].offset, found.list.at[k].message);
            fail_msg("%s is not reported at %llu of %s", d->rule, (unsigned long long)want, d->text);
        }
        findings_done(&found);
        close_text(&j);
    }
}

static const char sound[] = P("<S l='1' v='{[0x10-0x18) [0x20-0x28)}'/>"
                              "<L l='2' v='{[0x30-0x31)}'><A l='3'><A n='i' l='4' f='h'><S l='5' v='{[0x18-0x20)}'/></A></A></L>"
                              "<C l='6' v='{[0x28-0x30)}' t='0x10'/>");

static void a_sound_file_has_no_findings(void **state)
{
    struct job j;
    (void)state;
    struct findings found = check(&j, sound);
    assert_int_equal(found.list.len, 0);
    findings_done(&found);
    close_text(&j);
}

static uint64_t count_of(const assay_profile *p, const char *name)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (slice_is(assay_profile_string(p, c->name[i]), name)) return c->value[i];
    fail_msg("no count %s", name);
    return 0;
}

static void counts_and_functions_are_those_of_the_elements(void **state)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    struct assay_read_options o = { .format = "hpcstruct" };
    (void)state;
    assert_int_equal(assay_read_memory(sound, sizeof sound - 1, "sample", &o, &p, &err), 0);
    static const struct {
        const char *name;
        uint64_t value;
    } want[] = { { "modules", 1 }, { "files", 1 }, { "functions", 1 }, { "loops", 1 }, { "lines", 3 }, { "inlined", 1 }, { "calls", 1 }, { "ranges", 4 } };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) assert_int_equal(count_of(p, want[i].name), want[i].value);
    const struct assay_funcs *f = assay_profile_funcs(p);
    assert_int_equal(f->count, 1);
    assert_true(slice_is(assay_profile_string(p, f->name[1]), "p"));
    assert_int_equal(f->offset[1], 0x10);
    assert_int_equal(f->first_line[1], 1);
    assay_profile_release(p);
}

static void strict_refuses_the_first_error(void **state)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    struct assay_read_options o = { .format = "hpcstruct", .strict = true };
    static const char text[] = P("<Q/>"), odd[] = P("<A l='3'><S l='1' v='{[0x10-0x20)}'/></A>");
    (void)state;
    assert_int_equal(assay_read_memory(text, sizeof text - 1, "sample", &o, &p, &err), ASSAY_ERR_DAMAGED);
    assert_int_equal(err.offset, strstr(text, "<Q/>") - text);
    assert_non_null(strstr(err.text, "HRS02"));
    o.strict = false;
    assert_int_equal(assay_read_memory(text, sizeof text - 1, "sample", &o, &p, &err), 0);
    assay_profile_release(p);
    o.strict = true;
    assert_int_equal(assay_read_memory(odd, sizeof odd - 1, "sample", &o, &p, &err), 0);
    assay_profile_release(p);
}

static void the_dump_has_every_element(void **state)
{
    struct job j;
    struct output *out = NULL;
    (void)state;
    open_text(&j, P("<Q/>"));
    assert_int_equal(output_open_memory(&out, &j.mem, NULL), 0);
    assert_int_equal(format()->dump(&j.job, out, NULL), 0);
    output_char(out, '\0');
    assert_string_equal(output_memory(out).data, "00000000 HPCToolkitStructure version=\"4.9\"\n"
                                                 "00000023   LM n=\"a\" has-calls=\"1\"\n"
                                                 "0000003b     F n=\"f\"\n"
                                                 "00000044       P n=\"p\" l=\"1\" v=\"{[0x10-0x11)}\"\n"
                                                 "00000065         *** HRS02 line 1: unknown element Q\n"
                                                 "00000065         Q\n");
    output_abort(out);
    close_text(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_names_its_place),
        cmocka_unit_test(a_sound_file_has_no_findings),
        cmocka_unit_test(counts_and_functions_are_those_of_the_elements),
        cmocka_unit_test(strict_refuses_the_first_error),
        cmocka_unit_test(the_dump_has_every_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
