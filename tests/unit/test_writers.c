/* What every writer owes to the one who calls it: losses are named once, and refused before anything is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "model_sample.h"

static int count_bytes(void *arg, const char *data, size_t len)
{
    (void)data;
    *(uint64_t *)arg += len;
    return 0;
}

/* A profile with everything in it, which no format can hold. */
static assay_profile *everything(void)
{
    assay_error err;
    assay_profile *p = sample_build(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, SAME, false, &err);
    assert_non_null(p);
    return p;
}

static void each_kind_of_loss_is_named_once(const assay_losses *losses, const char *format)
{
    for (size_t i = 0; i < losses->count; i++)
        for (size_t k = i + 1; k < losses->count; k++)
            if (strcmp(losses->at[i].message, losses->at[k].message) == 0) fail_msg("%s: twice '%s'", format, losses->at[i].message);
}

static void a_loss_is_refused_before_the_first_byte(void **state)
{
    (void)state;
    assay_profile *p = everything();
    size_t refused = 0;
    for (size_t i = 0; i < assay_format_count(); i++) {
        const struct assay_format_info *f = assay_format_at(i);
        struct assay_write_options o = { .format = f->name, .estimate = true };
        assay_losses *losses = NULL;
        assay_error err;
        uint64_t len = 0, strict_len = 0;
        if (!(f->can & ASSAY_CAN_WRITE)) continue;
        int rc = assay_write_fn(p, &o, count_bytes, &len, &losses, &err);
        if (rc == ASSAY_ERR_UNSUPPORTED) assert_int_equal(len, 0);
        if (rc != 0 && rc != ASSAY_ERR_UNSUPPORTED) fail_msg("%s: %s", f->name, err.text);
        if (losses) each_kind_of_loss_is_named_once(losses, f->name);
        bool has_losses = losses && losses->count;
        assay_losses_free(losses);
        if (rc != 0) continue;
        o.strict = true;
        rc = assay_write_fn(p, &o, count_bytes, &strict_len, NULL, &err);
        assert_int_equal(rc, has_losses ? ASSAY_ERR_LOSS : 0);
        assert_int_equal(strict_len, has_losses ? 0 : len);
        refused += has_losses;
    }
    assert_true(refused > 10);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_loss_is_refused_before_the_first_byte) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
