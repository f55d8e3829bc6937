/* Tables: alignment, cutting, CSV, Markdown, memory. */
#include "capture.h"

#include "base/table.h"
#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A table of two numbers and a name. */
static struct table *sample(struct mem *mem, unsigned width, bool color)
{
    struct table *t = table_new(mem, width, color);
    assert_non_null(t);
    table_column(t, "self", TABLE_RIGHT);
    table_column(t, "calls", TABLE_RIGHT);
    table_column(t, "function", TABLE_LEFT);
    table_text(t, "1.23 M");
    table_text(t, "7");
    table_text(t, "main");
    table_text(t, "12");
    table_text(t, "1234567");
    table_text(t, "a_rather_long_name_of_a_function");
    return t;
}

static void check(struct table *t, enum table_style style, const char *text)
{
    struct capture c;
    capture_begin(&c);
    assert_int_equal(table_print(t, style, c.out, NULL), 0);
    table_free(t);
    capture_end(&c, text);
}

static void columns_are_aligned_with_two_blanks_between(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    check(sample(&mem, 0, false), TABLE_TEXT,
          "  self    calls  function\n"
          "1.23 M        7  main\n"
          "    12  1234567  a_rather_long_name_of_a_function\n");
    assert_int_equal(mem.used, 0);
}

static void only_the_head_is_bold_and_only_in_color(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    check(sample(&mem, 0, true), TABLE_TEXT,
          "\033[1m  self    calls  function\033[0m\n"
          "1.23 M        7  main\n"
          "    12  1234567  a_rather_long_name_of_a_function\n");
    check(sample(&mem, 0, true), TABLE_CSV,
          "self,calls,function\n"
          "1.23 M,7,main\n"
          "12,1234567,a_rather_long_name_of_a_function\n");
    assert_int_equal(mem.used, 0);
}

static void a_name_too_wide_is_cut_in_its_middle(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    /* 6 + 2 + 7 + 2 leave 13 of 30 */
    check(sample(&mem, 30, false), TABLE_TEXT,
          "  self    calls  function\n"
          "1.23 M        7  main\n"
          "    12  1234567  a_rath…nction\n");
    check(sample(&mem, 48, false), TABLE_TEXT,
          "  self    calls  function\n"
          "1.23 M        7  main\n"
          "    12  1234567  a_rather_long_n…e_of_a_function\n");
    check(sample(&mem, 49, false), TABLE_TEXT,
          "  self    calls  function\n"
          "1.23 M        7  main\n"
          "    12  1234567  a_rather_long_name_of_a_function\n");
}

static void a_cut_column_keeps_its_head_and_eight_columns(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    check(sample(&mem, 1, false), TABLE_TEXT,
          "  self    calls  function\n"
          "1.23 M        7  main\n"
          "    12  1234567  a_ra…ion\n");
    struct table *t = table_new(&mem, 5, false);
    table_column(t, "n", TABLE_LEFT);
    table_column(t, "x", TABLE_LEFT);
    table_text(t, "first column");
    table_text(t, "abc");
    check(t, TABLE_TEXT, "n         x\nfirs…umn  abc\n");
}

/* The name has 15 columns, what stands before it 6. */
static void what_matters_in_a_cell_is_cut_last(void **state)
{
    (void)state;
    static const struct {
        unsigned width;
        const char *text;
    } cases[] = {
        { 40, "cost  f\n   1  a_function_name  src/file.c:10\n" },
        { 33, "cost  f\n   1  a_function_name  src/….c:10\n" },
        { 24, "cost  f\n   1  a_function_name\n" },
        { 18, "cost  f\n   1  a_func…_name\n" },
    };
    struct mem mem;
    mem_init(&mem, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table *t = table_new(&mem, cases[i].width, false);
        table_column(t, "cost", TABLE_RIGHT);
        table_column(t, "f", TABLE_LEFT);
        table_text(t, "1");
        table_cell_keep(t, SLICE("a_function_name  src/file.c:10"), strlen("a_function_name"));
        check(t, TABLE_TEXT, cases[i].text);
    }
}

static void no_more_columns_are_written_than_the_terminal_has(void **state)
{
    (void)state;
    static const char *const names[] = { "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "\x01\x02\x03\x04\x05\x06",
                                         "e\xcc\x81"
                                         "e\xcc\x81"
                                         "e\xcc\x81"
                                         "e\xcc\x81"
                                         "e\xcc\x81"
                                         "e\xcc\x81"
                                         "e\xcc\x81"
                                         "e\xcc\x81"
                                         "e\xcc\x81"
                                         "e\xcc\x81"
                                         "e\xcc\x81",
                                         "a\xff"
                                         "b\xe2\x80\xae"
                                         "c\xe6\x97\xa5"
                                         "d\xf0\x9f\x98\x80"
                                         "efghijk" };
    for (size_t i = 0; i < COUNT(names); i++) {
        for (unsigned width = 8; width < 40; width++) {
            struct capture c;
            capture_begin(&c);
            struct table *t = table_new(&c.mem, width, false);
            assert_non_null(t);
            table_column(t, "", TABLE_LEFT);
            table_cell(t, slice_of(names[i]));
            assert_int_equal(table_print(t, TABLE_TEXT, c.out, NULL), 0);
            assay_slice all = output_memory(c.out);
            assert_true(all.len > 2 && all.data[0] == '\n' && all.data[all.len - 1] == '\n');
            assert_in_range(text_width((assay_slice){ all.data + 1, all.len - 2 }), 1, width);
            table_free(t);
            output_abort(c.out);
        }
    }
}

static void the_last_left_column_gives_way_wherever_it_stands(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    struct table *t = table_new(&mem, 28, false); /* 11 + 2, 2 + 2 leave 11 */
    table_column(t, "file", TABLE_LEFT);
    table_column(t, "name", TABLE_LEFT);
    table_column(t, "n", TABLE_RIGHT);
    table_text(t, "long/enough");
    table_text(t, "abcdefghijklmnopqrstuvwxyz");
    table_text(t, "12");
    table_text(t, "");
    table_text(t, "x");
    table_text(t, "3");
    check(t, TABLE_TEXT,
          "file         name          n\n"
          "long/enough  abcde…vwxyz  12\n"
          "             x             3\n");
}

static void lines_do_not_end_in_blanks(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    struct table *t = table_new(&mem, 0, false);
    table_column(t, "name", TABLE_LEFT);
    table_column(t, "", TABLE_LEFT);
    table_column(t, "n", TABLE_RIGHT);
    table_text(t, "longer");
    table_text(t, "x");
    table_text(t, "");
    table_text(t, "");
    table_text(t, "");
    table_text(t, "");
    check(t, TABLE_TEXT, "name       n\nlonger  x\n\n");
}

static void wide_and_unprintable_cells_are_aligned_by_columns(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    struct table *t = table_new(&mem, 0, false);
    table_column(t, "name", TABLE_LEFT);
    table_column(t, "n", TABLE_RIGHT);
    table_text(t, "\xe6\x97\xa5\xe6\x9c\xac");
    table_text(t, "1");
    table_text(t, "e\xcc\x81");
    table_text(t, "2");
    table_text(t, "\033[2J");
    table_text(t, "3");
    check(t, TABLE_TEXT,
          "name     n\n"
          "\xe6\x97\xa5\xe6\x9c\xac     1\n"
          "e\xcc\x81        2\n"
          "\\x1b[2J  3\n");
}

static void an_incomplete_row_is_not_printed(void **state)
{
    (void)state;
    static const struct {
        enum table_style style;
        const char *text;
    } cases[] = { { TABLE_TEXT, "a  b\n1  2\n" }, { TABLE_CSV, "a,b\n1,2\n" }, { TABLE_MARKDOWN, "| a | b |\n| --- | --- |\n| 1 | 2 |\n" } };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct mem mem;
        mem_init(&mem, 0);
        struct table *t = table_new(&mem, 0, false);
        table_column(t, "a", TABLE_LEFT);
        table_column(t, "b", TABLE_LEFT);
        table_text(t, "1");
        table_text(t, "2");
        table_text(t, "3");
        check(t, cases[i].style, cases[i].text);
    }
}

static void a_table_without_columns_prints_nothing(void **state)
{
    (void)state;
    for (int style = TABLE_TEXT; style <= TABLE_MARKDOWN; style++) {
        struct mem mem;
        mem_init(&mem, 0);
        struct table *t = table_new(&mem, 0, true);
        table_text(t, "lost");
        check(t, (enum table_style)style, "");
    }
}

/* RFC 4180, section 2, rules 5 to 7. */
static void csv_quotes_what_would_be_misread_and_nothing_else(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    struct table *t = table_new(&mem, 10, false);
    table_column(t, "name", TABLE_LEFT);
    table_column(t, "a,b", TABLE_RIGHT);
    static const char *const cells[] = { "f(int, int)", "say \"hi\"", "two\nlines", "cr\r", "plain text; 'x'", "", "\"", "caf\xe9\033" };
    for (size_t i = 0; i < COUNT(cells); i++) table_text(t, cells[i]);
    check(t, TABLE_CSV_RAW,
          "name,\"a,b\"\n"
          "\"f(int, int)\",\"say \"\"hi\"\"\"\n"
          "\"two\nlines\",\"cr\r\"\n"
          "plain text; 'x',\n"
          "\"\"\"\",caf\xe9\033\n");
}

/* What OWASP calls CSV injection: a spreadsheet runs cells that begin with = + - @. Numbers are none, whatever their sign. */
static void csv_shows_formulas_and_control_characters_as_text(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    struct table *t = table_new(&mem, 10, false);
    table_column(t, "=name", TABLE_LEFT);
    static const char *const cells[] = {
        "=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-f(x)",   "\t=1",    "=\"a\",b",   "-12", "+1.5e3", "-3.25%", "-.5", "-", "--5",
        "-5-5", "operator=",          "a\nb",     "\033[2J", "caf\xe9", "caf\xc3\xa9"
    };
    for (size_t i = 0; i < COUNT(cells); i++) table_text(t, cells[i]);
    check(t, TABLE_CSV,
          "'=name\n"
          "'=1+1\n'+cmd|' /C calc'!A0\n'@SUM(A1)\n'-f(x)\n'\t=1\n\"'=\"\"a\"\",b\"\n-12\n+1.5e3\n-3.25%\n"
          "-.5\n-\n'--5\n'-5-5\noperator=\na\\x0ab\n\\x1b[2J\ncaf\\xe9\ncaf\xc3\xa9\n");
}

/* GitHub Flavored Markdown 0.29, sections 4.10 and 6.1. */
static void markdown_shows_names_and_no_markup(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    struct table *t = table_new(&mem, 10, true);
    table_column(t, "name", TABLE_LEFT);
    table_column(t, "self", TABLE_RIGHT);
    static const char *const cells[] = { "operator|", "1", "vector<int *>", "2", "__init__ and my_own_name", "3", "[x](y) `~&` a\\b", "\n\xff", "", "plain" };
    for (size_t i = 0; i < COUNT(cells); i++) table_text(t, cells[i]);
    check(t, TABLE_MARKDOWN,
          "| name | self |\n"
          "| --- | ---: |\n"
          "| operator\\| | 1 |\n"
          "| vector\\<int \\*> | 2 |\n"
          "| \\_\\_init\\_\\_ and my_own_name | 3 |\n"
          "| \\[x](y) \\`\\~\\&\\` a\\\\b | \\x0a\\xff |\n"
          "|  | plain |\n");
}

static void cells_are_copied(void **state)
{
    (void)state;
    struct mem mem;
    char head[] = "head", cell[] = "cell";
    mem_init(&mem, 0);
    struct table *t = table_new(&mem, 0, false);
    table_column(t, head, TABLE_LEFT);
    table_text(t, cell);
    head[0] = cell[0] = 'X';
    check(t, TABLE_TEXT, "head\ncell\n");
}

static void a_refused_allocation_is_reported_by_print_and_leaks_nothing(void **state)
{
    (void)state;
    struct capture c;
    bool failed = true;
    capture_begin(&c);
    for (uint64_t n = 1; failed; n++) {
        struct mem mem;
        assay_error err = { 0 };
        mem_init(&mem, 0);
        mem.fail_at = n;
        struct table *t = table_new(&mem, 20, false);
        assert_int_equal(t == NULL, n == 1);
        for (unsigned i = 0; t && i < 10; i++) table_column(t, "column", TABLE_LEFT);
        for (unsigned i = 0; t && i < 2000; i++) table_text(t, "a cell of the table");
        failed = !t || table_print(t, TABLE_TEXT, c.out, &err) != 0;
        if (t && failed) assert_int_equal(err.code, ASSAY_ERR_MEMORY);
        assert_int_equal(failed, n <= mem.requests);
        table_free(t);
        assert_int_equal(mem.used, 0);
        assert_true(n < 200);
    }
    output_abort(c.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_aligned_with_two_blanks_between),
        cmocka_unit_test(only_the_head_is_bold_and_only_in_color),
        cmocka_unit_test(a_name_too_wide_is_cut_in_its_middle),
        cmocka_unit_test(a_cut_column_keeps_its_head_and_eight_columns),
        cmocka_unit_test(what_matters_in_a_cell_is_cut_last),
        cmocka_unit_test(no_more_columns_are_written_than_the_terminal_has),
        cmocka_unit_test(the_last_left_column_gives_way_wherever_it_stands),
        cmocka_unit_test(lines_do_not_end_in_blanks),
        cmocka_unit_test(wide_and_unprintable_cells_are_aligned_by_columns),
        cmocka_unit_test(an_incomplete_row_is_not_printed),
        cmocka_unit_test(a_table_without_columns_prints_nothing),
        cmocka_unit_test(csv_quotes_what_would_be_misread_and_nothing_else),
        cmocka_unit_test(csv_shows_formulas_and_control_characters_as_text),
        cmocka_unit_test(markdown_shows_names_and_no_markup),
        cmocka_unit_test(cells_are_copied),
        cmocka_unit_test(a_refused_allocation_is_reported_by_print_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
