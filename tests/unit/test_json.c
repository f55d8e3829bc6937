/* The JSON writer: layout, escapes, numbers. */
#include "capture.h"

#include <math.h>
#include <stdio.h>

#include "base/json.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void rows_stand_on_lines_of_their_own(void **state)
{
    (void)state;
    struct capture c;
    struct json j;
    capture_begin(&c);
    json_init(&j, c.out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    json_key(&j, "rows");
    json_array(&j);
    for (unsigned i = 0; i < 2; i++) {
        json_object(&j);
        json_key(&j, "name");
        json_text(&j, i ? "b" : "a");
        json_key(&j, "self");
        json_object(&j);
        json_key(&j, "Ir");
        json_u64(&j, i);
        json_key(&j, "Dr");
        json_u64(&j, i + 1);
        json_end(&j);
        json_key(&j, "lines");
        json_array(&j);
        json_u64(&j, 7);
        json_u64(&j, 8);
        json_end(&j);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
    capture_end(&c, "{\n"
                    "  \"assay\": 1,\n"
                    "  \"rows\": [\n"
                    "    {\"name\": \"a\", \"self\": {\"Ir\": 0, \"Dr\": 1}, \"lines\": [7, 8]},\n"
                    "    {\"name\": \"b\", \"self\": {\"Ir\": 1, \"Dr\": 2}, \"lines\": [7, 8]}\n"
                    "  ]\n"
                    "}\n");
}

static void empty_containers_stay_together(void **state)
{
    (void)state;
    struct capture c;
    struct json j;
    capture_begin(&c);
    json_init(&j, c.out);
    json_object(&j);
    json_key(&j, "a");
    json_array(&j);
    json_end(&j);
    json_key(&j, "o");
    json_object(&j);
    json_end(&j);
    json_key(&j, "n");
    json_array(&j);
    json_array(&j);
    json_end(&j);
    json_object(&j);
    json_end(&j);
    json_end(&j);
    json_end(&j);
    capture_end(&c, "{\n  \"a\": [],\n  \"o\": {},\n  \"n\": [\n    [],\n    {}\n  ]\n}\n");
}

static void an_empty_document_is_two_braces(void **state)
{
    (void)state;
    struct capture c;
    struct json j;
    capture_begin(&c);
    json_init(&j, c.out);
    json_object(&j);
    json_end(&j);
    capture_end(&c, "{}\n");
}

static void check_string(const char *text, size_t len, const char *written)
{
    struct capture c;
    struct json j;
    capture_begin(&c);
    json_init(&j, c.out);
    json_string(&j, (assay_slice){ text, len });
    capture_end(&c, written);
}

#define STRING(text, written) check_string((text), sizeof(text) - 1, "\"" written "\"")

/* RFC 8259, section 7. */
static void strings_are_escaped_where_json_demands_it(void **state)
{
    (void)state;
    STRING("", "");
    STRING("plain text that is longer than eight bytes / <>&'~\x7f", "plain text that is longer than eight bytes / <>&'~\x7f");
    STRING("a\"b\\c", "a\\\"b\\\\c");
    STRING("\n\t\0\x1f\033", "\\u000a\\u0009\\u0000\\u001f\\u001b");
    STRING("caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80");
}

/* Python 3.11: json.dumps(bytes.decode('utf-8', 'surrogateescape')) escapes the same bytes. */
static void bytes_that_are_no_utf8_become_low_surrogates(void **state)
{
    (void)state;
    STRING("caf\xe9", "caf\\udce9");
    STRING("\x80\xff", "\\udc80\\udcff");
    STRING("\xc3\xa9\xc3", "\xc3\xa9\\udcc3");
    STRING("\xc0\xaf", "\\udcc0\\udcaf");
    STRING("\xed\xb3\xa9", "\\udced\\udcb3\\udca9"); /* U+DCE9 itself, so that nothing else can give \udce9 */
    STRING("\xf4\x90\x80\x80", "\\udcf4\\udc90\\udc80\\udc80");
}

static void a_special_byte_is_found_at_every_place(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        for (size_t at = 0; at < 20; at++) {
            char text[20], written[64];
            memset(text, '!', sizeof text); /* next to the quote and to the blank */
            text[at] = (char)byte;
            char middle[8] = { (char)byte };
            if (byte == '"' || byte == '\\')
                snprintf(middle, sizeof middle, "\\%c", (char)byte);
            else if (byte < 0x20 || byte >= 0x80)
                snprintf(middle, sizeof middle, "\\u%04x", byte < 0x20 ? byte : 0xdc00 + byte);
            snprintf(written, sizeof written, "\"%.*s%s%.*s\"", (int)at, "!!!!!!!!!!!!!!!!!!!!", middle, (int)(19 - at), "!!!!!!!!!!!!!!!!!!!!");
            check_string(text, sizeof text, written);
        }
    }
}

static void what_is_missing_is_null(void **state)
{
    (void)state;
    struct capture c;
    struct json j;
    capture_begin(&c);
    json_init(&j, c.out);
    json_array(&j);
    json_string(&j, (assay_slice){ NULL, 0 });
    json_text(&j, NULL);
    json_null(&j);
    json_double(&j, (double)NAN);
    json_double(&j, (double)INFINITY);
    json_text(&j, "");
    json_end(&j);
    capture_end(&c, "[\n  null,\n  null,\n  null,\n  null,\n  null,\n  \"\"\n]\n");
}

static void numbers_are_exact(void **state)
{
    (void)state;
    struct capture c;
    struct json j;
    capture_begin(&c);
    json_init(&j, c.out);
    json_array(&j);
    json_array(&j);
    json_array(&j);
    json_u64(&j, UINT64_MAX);
    json_i64(&j, INT64_MIN);
    json_wide(&j, (assay_wide){ .low = 0, .high = 1 });
    json_double(&j, 0.1);
    json_double(&j, 3);
    json_double(&j, 1e300);
    json_bool(&j, true);
    json_bool(&j, false);
    json_value(&j, ASSAY_U64, (assay_value){ .u = UINT64_MAX });
    json_value(&j, ASSAY_I64, (assay_value){ .i = -1 });
    json_value(&j, ASSAY_F64, (assay_value){ .d = 0.5 });
    json_end(&j);
    json_end(&j);
    json_end(&j);
    capture_end(&c, "[\n  [\n    [18446744073709551615, -9223372036854775808, 18446744073709551616, 0.1, 3.0, 1e+300, true, false, "
                    "18446744073709551615, -1, 0.5]\n  ]\n]\n");
}

static void keys_are_escaped_like_strings(void **state)
{
    (void)state;
    struct capture c;
    struct json j;
    capture_begin(&c);
    json_init(&j, c.out);
    json_object(&j);
    json_key_slice(&j, SLICE("a\"\xff\0z"));
    json_null(&j);
    json_end(&j);
    capture_end(&c, "{\n  \"a\\\"\\udcff\\u0000z\": null\n}\n");
}

static void nesting_to_the_limit_closes_what_it_opened(void **state)
{
    (void)state;
    struct capture c;
    struct json j;
    char expected[256] = "[\n  [\n    ";
    capture_begin(&c);
    json_init(&j, c.out);
    for (unsigned i = 0; i < JSON_DEPTH; i++) json_array(&j);
    for (unsigned i = 0; i < JSON_DEPTH; i++) json_end(&j);
    for (unsigned i = 2; i < JSON_DEPTH; i++) strcat(expected, "[");
    for (unsigned i = 2; i < JSON_DEPTH; i++) strcat(expected, "]");
    capture_end(&c, strcat(expected, "\n  ]\n]\n"));
}

static void nesting_beyond_the_limit_stays_inside_the_writer(void **state)
{
    (void)state;
    struct capture c;
    struct {
        struct json j;
        unsigned char guard[64];
    } s;
    capture_begin(&c);
    memset(s.guard, 0x5a, sizeof s.guard);
    json_init(&s.j, c.out);
    for (unsigned i = 0; i < 4 * JSON_DEPTH; i++) json_array(&s.j);
    for (unsigned i = 0; i < 4 * JSON_DEPTH; i++) json_end(&s.j);
    json_end(&s.j);
    assert_int_equal(s.j.depth, 0);
    for (size_t i = 0; i < sizeof s.guard; i++) assert_int_equal(s.guard[i], 0x5a);
    output_abort(c.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_stand_on_lines_of_their_own),
        cmocka_unit_test(empty_containers_stay_together),
        cmocka_unit_test(an_empty_document_is_two_braces),
        cmocka_unit_test(strings_are_escaped_where_json_demands_it),
        cmocka_unit_test(bytes_that_are_no_utf8_become_low_surrogates),
        cmocka_unit_test(a_special_byte_is_found_at_every_place),
        cmocka_unit_test(what_is_missing_is_null),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(keys_are_escaped_like_strings),
        cmocka_unit_test(nesting_to_the_limit_closes_what_it_opened),
        cmocka_unit_test(nesting_beyond_the_limit_stays_inside_the_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
