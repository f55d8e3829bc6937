/* Protocol buffers: what a field holds, and what it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/proto.h"

static void a_field_of_bytes_is_a_message(void **state)
{
    (void)state;
    struct cursor c = cursor_of("\x0a\x02\x08\x07", 4);
    struct proto_field f, inner;
    assert_int_equal(proto_next(&c, &f), PROTO_FIELD);
    struct cursor in = proto_message(&f);
    assert_int_equal(proto_next(&in, &inner), PROTO_FIELD);
    assert_int_equal(inner.number, 1);
    assert_int_equal(inner.value, 7);
    assert_int_equal(proto_next(&in, &inner), PROTO_END);
}

static void a_number_has_nothing_inside(void **state)
{
    (void)state;
    static const char numbers[][11] = { "\x08\x07", "\x09\1\2\3\4\5\6\7\x08", "\x0d\1\2\3\4" };
    static const size_t len[] = { 2, 9, 5 };
    for (size_t i = 0; i < 3; i++) {
        struct cursor c = cursor_of(numbers[i], len[i]);
        struct proto_field f = { .bytes = { (const char *)UINTPTR_MAX, SIZE_MAX } };
        assert_int_equal(proto_next(&c, &f), PROTO_FIELD);
        struct cursor in = proto_message(&f);
        assert_int_equal(cursor_left(&in), 0);
    }
}

static void what_does_not_fit_is_damage(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
    } bad[] = { { "\x0a\x03\x08\x07", 4 }, { "\x08\x80", 2 }, { "\x0f\x00", 2 }, { "\x00\x01", 2 }, { "\x09\1\2", 3 } };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cursor c = cursor_of(bad[i].bytes, bad[i].len);
        struct proto_field f;
        assert_int_equal(proto_next(&c, &f), PROTO_DAMAGED);
        assert_int_equal(cursor_off(&c), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_of_bytes_is_a_message),
        cmocka_unit_test(a_number_has_nothing_inside),
        cmocka_unit_test(what_does_not_fit_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
