/* Symbols without programs: structure files, kernel symbols, logical files, where files are looked for, memory that runs out. Programs are
 * compared with other tools in tests/symbols. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/find.h"
#include "symbols/symbols.h"
#include "symbols/symtab.h"

static char folder[] = "/tmp/assay-symbols-XXXXXX";
static char said[4096];

static void put_file(const char *name, const void *data, size_t len)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static void put_text(const char *name, const char *text) { put_file(name, text, strlen(text)); }

static const char structure[] =
    "<HPCToolkitStructure version='4.9'><LM n='/gone/app' has-calls='1'><F n='/src/a.c'>"
    "<P n='run' ln='_run' l='1' v='{[0x10-0x11)}'>"
    "<S l='2' v='{[0x10-0x20)}'/>"
    "<S l='3' v='{[0x18-0x28) [0x20-0x24)}'/>"
    "<L l='4' f='/src/l.c' v='{[0x40-0x41)}'><S l='5' v='{[0x30-0x34)}'/>"
    "<A l='6'><A n='in' l='7' f='/src/h.h'><S l='8' v='{[0x34-0x38)}'/><A l='9'><A n='deep' l='10'><S l='11' v='{[0x38-0x3c)}'/></A></A></A></A></L>"
    "<C l='12' v='{[0x3c-0x40)}' t='0x50'/></P>"
    "<P n='leaf' v='{[0x50-0x51)}'><S l='13' v='{[0x50-0x60)}'/></P></F></LM>"
    "<LM n='/old/place/m/gpubins/1.gpubin' has-calls='1'><F n='k.cu'><P n='kernel' v='{[0x0-0x1)}'><C l='1' v='{[0x0-0x8)}' t='0x77'/></P></F></LM>"
    "</HPCToolkitStructure>";

static const unsigned char logical[] = { 'H', 'P', 'C', 'L', 'O', 'G', 'I', 'C', 'A', 'L', /* magic */
                                         0,   0,   0,   1,   0,   0,   0,   3,   'f', 'o', 'o', 0,   0,   0,   0,   4,   'a', '.', 'p', 'y', 0,
                                         0,   0,   9, /* function and file */
                                         0,   0,   0,   2,   0,   0,   0,   0,   0,   0,   0,   0,   4,   'b', '.', 'p', 'y', 0,   0,   0,   0, /* file alone */
                                         0,   0,   0,   3,   0,   0,   0,   7,   '_', 'Z', '3', 'b', 'a', 'r', 'i', 1,   0,   0,   0,   0,   0,
                                         0,   0,   0,                  /* no file */
                                         0,   0,   0,   4,   0,   0 }; /* cut */

static const char kernel[] = "ffff0010 T second\nffff0000 t first\nffff0010 T alias\nffff0020 D data\nffff0030 t mod_fn\t[ext4]\nbad\n";

static int set_up(void **state)
{
    static const char *const folders[] = { "structs", "kernel_symbols", "logical", "bad", "bad/structs" };
    char path[256];
    (void)state;
    if (!mkdtemp(folder)) return -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        if (mkdir(path, 0700) != 0) return -1;
    }
    put_text("structs/a.hpcstruct", structure);
    put_text("structs/not.txt", "no");
    put_text("bad/structs/a.hpcstruct", "<HPCToolkitStructure><LM n='/gone/app'><Q/></LM></HPCToolkitStructure>");
    put_text("bad/structs/b.hpcstruct", "<HPCToolkitStructure><LM n='/gone/other'/>");
    put_file("logical/py.logical", logical, sizeof logical);
    put_text("kernel_symbols/vmlinux.0a", kernel);
    put_text("original-path", "/old/place/m\n");
    return 0;
}

static int tear_down(void **state)
{
    static const char *const files[] = { "structs/a.hpcstruct",
                                         "structs/not.txt",
                                         "bad/structs/a.hpcstruct",
                                         "bad/structs/b.hpcstruct",
                                         "logical/py.logical",
                                         "kernel_symbols/vmlinux.0a",
                                         "original-path",
                                         "structs",
                                         "bad/structs",
                                         "bad",
                                         "logical",
                                         "kernel_symbols",
                                         "." };
    char path[256];
    int rc = 0;
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        if (strcmp(files[i], ".") == 0) path[strlen(path) - 2] = '\0';
        rc |= remove(path);
    }
    return rc;
}

static void found(void *arg, const assay_finding *f)
{
    (void)arg;
    size_t len = strlen(said);
    snprintf(said + len, sizeof said - len, "%s %s\n", f->rule, f->message);
}

static struct mem mem;
static struct symbols *open_symbols(const char *dir)
{
    struct symbols_options o = { .mem = &mem, .dir = dir, .found = found, .foreign = true };
    mem_init(&mem, 0);
    said[0] = '\0';
    struct symbols *s = symbols_new(&o);
    assert_non_null(s);
    return s;
}

static void close_symbols(struct symbols *s)
{
    symbols_free(s);
    assert_int_equal(mem.used, 0);
}

/* The chain as text: f(unction) i(nlined) l(oop) :(line), with name or file and line. */
static const char *chain_of(struct symbols *s, uint32_t m, uint64_t address)
{
    static char text[512];
    struct symbols_chain chain;
    size_t len = 0;
    text[0] = '\0';
    assert_int_equal(symbols_lookup(s, m, address, &chain, NULL), 0);
    for (size_t i = 0; i < chain.count; i++) {
        const struct symbols_scope *c = &chain.at[i];
        uint8_t relation = i == 0 ? ASSAY_RELATION_CALL : c->kind == ASSAY_NODE_INLINED ? ASSAY_RELATION_INLINED_CALL : ASSAY_RELATION_LEXICAL;
        assert_int_equal(c->relation, relation);
        bool is_code = c->kind == ASSAY_NODE_FUNCTION || c->kind == ASSAY_NODE_INLINED;
        assay_slice name = is_code ? symbols_function(s, m, c->function)->name : symbols_file(s, m, c->file);
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%c %.*s", i ? " > " : "", "f?il:"[c->kind], (int)name.len, name.data);
        if (!is_code) len += (size_t)snprintf(text + len, sizeof text - len, ":%u", c->line);
    }
    return text;
}

static void scopes_nest_and_files_are_in_force(void **state)
{
    (void)state;
    struct symbols *s = open_symbols(folder);
    uint32_t m = symbols_module(s, SLICE("/gone/app"), (assay_slice){ NULL, 0 });
    assert_int_equal(symbols_module(s, SLICE("/gone/app"), (assay_slice){ NULL, 0 }), m);
    assert_string_equal(symbols_source(s, m), "not looked at");
    assert_string_equal(chain_of(s, m, 0x10), "f run > : /src/a.c:2");
    assert_string_equal(chain_of(s, m, 0x30), "f run > l /src/l.c:4 > : /src/l.c:5");
    assert_string_equal(chain_of(s, m, 0x34), "f run > l /src/l.c:4 > : /src/l.c:6 > i in > : /src/h.h:8");
    assert_string_equal(chain_of(s, m, 0x38), "f run > l /src/l.c:4 > : /src/l.c:6 > i in > : /src/h.h:9 > i deep > : /src/h.h:11");
    assert_string_equal(chain_of(s, m, 0x3f), "f run > : /src/a.c:12");
    assert_string_equal(chain_of(s, m, 0x60), "");
    assert_non_null(strstr(symbols_source(s, m), "structure file "));
    const struct symbols_function *f = symbols_function(s, m, 1);
    assert_true(slice_is(f->link_name, "_run"));
    assert_int_equal(f->identity, 0x10);
    assert_int_equal(symbols_function_count(s, m), 4);
    close_symbols(s);
}

static void a_range_that_overlaps_is_dropped_whole(void **state)
{
    (void)state;
    struct symbols *s = open_symbols(folder);
    uint32_t m = symbols_module(s, SLICE("/gone/app"), (assay_slice){ NULL, 0 });
    assert_string_equal(chain_of(s, m, 0x1f), "f run > : /src/a.c:2");
    assert_string_equal(chain_of(s, m, 0x20), "f run > : /src/a.c:3"); /* the second range of line 3 is free */
    assert_string_equal(chain_of(s, m, 0x24), "");                     /* only the dropped one was here */
    close_symbols(s);
}

static void calls_are_known_or_unusable(void **state)
{
    const struct symbols_call *calls;
    bool usable = false;
    (void)state;
    struct symbols *s = open_symbols(folder);
    uint32_t m = symbols_module(s, SLICE("/gone/app"), (assay_slice){ NULL, 0 });
    assert_int_equal(symbols_calls(s, m, &calls, &usable), 1);
    assert_true(usable);
    assert_int_equal(calls[0].address, 0x3c);
    assert_int_equal(calls[0].caller, 1);
    assert_true(slice_is(symbols_function(s, m, calls[0].callee)->name, "leaf"));
    /* the second module of the file; the directory was moved */
    uint32_t gpu = symbols_module(s, SLICE("gpubins/1.gpubin"), (assay_slice){ NULL, 0 });
    assert_string_equal(chain_of(s, gpu, 0), "f kernel > : k.cu:1");
    assert_int_equal(symbols_calls(s, gpu, &calls, &usable), 0);
    assert_false(usable);
    close_symbols(s);
}

static void a_bad_structure_file_is_told_of_and_not_used(void **state)
{
    char bad[64];
    (void)state;
    snprintf(bad, sizeof bad, "%s/bad", folder);
    struct symbols *s = open_symbols(bad);
    uint32_t m = symbols_module(s, SLICE("/gone/app"), (assay_slice){ NULL, 0 });
    assert_string_equal(chain_of(s, m, 0x10), "");
    assert_non_null(strstr(said, "SY01"));
    assert_non_null(strstr(said, "HRS02"));
    uint32_t other = symbols_module(s, SLICE("/gone/other"), (assay_slice){ NULL, 0 });
    assert_string_equal(chain_of(s, other, 0x10), "");
    assert_non_null(strstr(said, "HRS01"));
    assert_non_null(strstr(symbols_source(s, other), "nothing found"));
    close_symbols(s);
}

static void kernel_symbols_reach_to_the_next(void **state)
{
    static const char *const names[] = { "<vmlinux.0a>", "kernel_symbols/vmlinux.0a" };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct symbols *s = open_symbols(folder);
        uint32_t m = symbols_module(s, slice_of(names[i]), (assay_slice){ NULL, 0 });
        assert_string_equal(chain_of(s, m, 0xfffeffff), "");
        assert_string_equal(chain_of(s, m, 0xffff000f), "f first [vmlinux]");
        assert_string_equal(chain_of(s, m, 0xffff002f), "f second [vmlinux]");
        assert_string_equal(chain_of(s, m, 0xffffffffffff), "f mod_fn [ext4] [vmlinux]");
        assert_non_null(strstr(symbols_source(s, m), "kernel symbols "));
        close_symbols(s);
    }
}

static void logical_addresses_hold_the_line(void **state)
{
    (void)state;
    struct symbols *s = open_symbols(folder);
    uint32_t m = symbols_module(s, SLICE("logical/py.logical"), (assay_slice){ NULL, 0 });
    assert_string_equal(chain_of(s, m, 7), "");
    assert_string_equal(chain_of(s, m, (uint64_t)1 << 32 | 12), "f foo > : a.py:12");
    assert_string_equal(chain_of(s, m, (uint64_t)1 << 32), "f foo");
    assert_string_equal(chain_of(s, m, (uint64_t)2 << 32 | 5), ": b.py:5");
#ifdef ASSAY_HAVE_DEMANGLE
    assert_string_equal(chain_of(s, m, (uint64_t)3 << 32 | 5), "f bar(int)");
#endif
    assert_string_equal(chain_of(s, m, (uint64_t)4 << 32), "");
    assert_true(slice_is(symbols_module_name(s, m), "<logical py>"));
    assert_non_null(strstr(said, "SY02"));
    close_symbols(s);
}

static void maps_take_whole_components(void **state)
{
    size_t len = 0;
    (void)state;
    assert_true(path_begins("/a/b/c", "/a/b", &len) && len == 4);
    assert_true(path_begins("/a/b/c", "/a/b/", &len) && len == 4);
    assert_true(path_begins("/a/b/c", "/a/*/c", &len) && len == 6);
    assert_true(path_begins("/a//b", "/a/b", &len) && len == 5);
    assert_true(path_begins("/a", "/", &len));
    assert_false(path_begins("/a/bc", "/a/b", &len));
    assert_false(path_begins("/a", "/a/b", &len));
    assert_false(path_begins("a/b", "/a/b", &len));
    assert_false(path_begins("/a", "", &len));
    assert_true(path_is_tame("/a/..b/c.."));
    assert_false(path_is_tame("a/../b"));
    assert_false(path_is_tame(".."));
}

static void foreign_modules_are_only_looked_for_where_allowed(void **state)
{
    struct find_list l;
    const char *paths[] = { "/no/such/place", "/x/libz.so" };
    struct assay_path_map maps[] = { { "/m", "/to" } };
    struct symbols_options o = { .foreign = true, .dir = "/dir", .paths = paths, .path_count = 2, .maps = maps, .map_count = 1 };
    static const struct {
        const char *module, *want;
        bool foreign;
    } cases[] = { { "/usr/lib/a.so", NULL, true }, { "/usr/lib/a.so", "/usr/lib/a.so", false }, { "/m/a.so", "/to/a.so", true },
                  { "/m/../a.so", NULL, true },    { "vdso/1.vdso", "/dir/vdso/1.vdso", true }, { "../etc/x", NULL, true },
                  { "/dir/x", "/dir/x", true },    { "/y/libz.so", "/x/libz.so", true } };
    mem_init(&mem, 0);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        o.foreign = cases[i].foreign;
        find_init(&l, &mem);
        find_module(&l, &o, cases[i].module, "");
        assert_int_equal(l.paths.len, cases[i].want ? 1 : 0);
        if (cases[i].want) assert_string_equal(l.paths.at[0], cases[i].want);
        find_done(&l);
    }
    assert_int_equal(mem.used, 0);
}

/* Every way to nest and overlap three spans in eight addresses, against painting them one after another. */
static void spans_are_as_if_painted(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 4096; seed++) {
        struct symtab last, first;
        unsigned paint_last[8] = { 0 }, paint_first[8] = { 0 };
        mem_init(&mem, 0);
        symtab_init(&last, &mem);
        symtab_init(&first, &mem);
        for (unsigned i = 1; i <= 2; i++) {
            unsigned bits = seed >> (6 * (i - 1)) & 63, a = bits & 7, b = bits >> 3, taken = 0;
            struct symbols_scope scope = { .line = i };
            symtab_span(&last, a, b, symtab_node(&last, 0, &scope));
            symtab_span(&first, a, b, symtab_node(&first, 0, &scope));
            for (unsigned k = a; k < b; k++) paint_last[k] = i, taken += paint_first[k];
            for (unsigned k = a; k < b && !taken; k++) paint_first[k] = i;
        }
        symtab_seal_last(&last);
        symtab_seal_first(&first);
        struct symtab_chain chain = { .mem = &mem };
        for (unsigned k = 0; k < 8; k++) {
            chain.list.len = 0;
            assert_true(symtab_lookup(&last, k, &chain));
            assert_int_equal(chain.list.len ? chain.list.at[0].line : 0, paint_last[k]);
            chain.list.len = 0;
            assert_true(symtab_lookup(&first, k, &chain));
            assert_int_equal(chain.list.len ? chain.list.at[0].line : 0, paint_first[k]);
        }
        vec_done(&mem, &chain.list);
        symtab_done(&last);
        symtab_done(&first);
        assert_int_equal(mem.used, 0);
    }
}

static void memory_that_runs_out_is_said(void **state)
{
    static const char *const modules[] = { "/gone/app", "<vmlinux.0a>", "logical/py.logical", "gpubins/1.gpubin", "/proc/self/exe" };
    (void)state;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        int rc = ASSAY_ERR_MEMORY;
        for (uint64_t n = 1; rc != 0; n += n < 300 ? 1 : n / 20) {
            struct symbols_options o = { .mem = &mem, .dir = folder };
            struct symbols_chain chain;
            assay_error err = { 0 };
            mem_init(&mem, 0);
            mem.fail_at = n;
            struct symbols *s = symbols_new(&o);
            uint32_t m = s ? symbols_module(s, slice_of(modules[i]), (assay_slice){ NULL, 0 }) : 0;
            rc = m ? symbols_lookup(s, m, 0x10, &chain, &err) : ASSAY_ERR_MEMORY;
            if (rc != 0) assert_int_equal(rc, ASSAY_ERR_MEMORY);
            symbols_free(s);
            assert_int_equal(mem.used, 0);
            assert_true(n < 100000000);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes_nest_and_files_are_in_force),
        cmocka_unit_test(a_range_that_overlaps_is_dropped_whole),
        cmocka_unit_test(calls_are_known_or_unusable),
        cmocka_unit_test(a_bad_structure_file_is_told_of_and_not_used),
        cmocka_unit_test(kernel_symbols_reach_to_the_next),
        cmocka_unit_test(logical_addresses_hold_the_line),
        cmocka_unit_test(maps_take_whole_components),
        cmocka_unit_test(foreign_modules_are_only_looked_for_where_allowed),
        cmocka_unit_test(spans_are_as_if_painted),
        cmocka_unit_test(memory_that_runs_out_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
