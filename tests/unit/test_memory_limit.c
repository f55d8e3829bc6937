/* The memory of control groups, from files laid out as the kernel's documentation (cgroup-v2.rst, cgroup-v1/memory.rst) says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/memory.h"

static char folder[64], self[128];
static char made[32][256];
static size_t made_count;

static void put(const char *name, const char *text)
{
    char *path = made[made_count++];
    snprintf(path, sizeof *made, "%s/%s", folder, name);
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *f = fopen(path, "we");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int begin(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/memory_limit.XXXXXX");
    snprintf(self, sizeof self, "%s/self", mkdtemp(folder));
    return 0;
}

/* Files first, then their folders, from the innermost outwards. */
static int end(void **state)
{
    (void)state;
    while (made_count > 0) {
        char *path = made[--made_count];
        unlink(path);
        for (char *slash; (slash = strrchr(path, '/')) && strlen(path) > strlen(folder);) {
            *slash = '\0';
            rmdir(path);
        }
    }
    return rmdir(folder) == 0 || access(folder, F_OK) != 0 ? 0 : -1;
}

static void version_2_takes_the_least_on_the_way_up(void **state)
{
    (void)state;
    put("self", "0::/user/job\n");
    put("user/job/memory.max", "max\n");
    put("user/memory.max", "4096000\n");
    put("memory.max", "8192000\n");
    assert_int_equal(memory_of_group(self, folder), 4096000);
}

static void inside_a_container_the_root_is_its_own_group(void **state)
{
    (void)state;
    put("self", "0::/not/seen/from/here\n");
    put("memory.max", "123456\n");
    assert_int_equal(memory_of_group(self, folder), 123456);
}

static void version_1_has_the_memory_controller_in_a_list(void **state)
{
    (void)state;
    put("self", "5:cpu,memory:/a\n4:memoryless:/a\n0::/\n");
    put("memory/a/memory.limit_in_bytes", "777\n");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(memory_of_group(self, folder), 777);
}

static void no_limit_is_none(void **state)
{
    (void)state;
    put("self", "0::/\nthis is no group\n");
    put("memory.max", "max\n");
    assert_int_equal(memory_of_group(self, folder), 0);
    assert_int_equal(memory_of_group("/nonexistent/self", folder), 0);
}

static void the_default_is_less_than_the_machine_has(void **state)
{
    (void)state;
    struct memory_limit limit = memory_limit_default();
    uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    assert_true(limit.bytes > 0 && limit.bytes <= machine - machine / 4);
    assert_true(*limit.of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(version_2_takes_the_least_on_the_way_up, begin, end),
        cmocka_unit_test_setup_teardown(inside_a_container_the_root_is_its_own_group, begin, end),
        cmocka_unit_test_setup_teardown(version_1_has_the_memory_controller_in_a_list, begin, end),
        cmocka_unit_test_setup_teardown(no_limit_is_none, begin, end),
        cmocka_unit_test(the_default_is_less_than_the_machine_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
