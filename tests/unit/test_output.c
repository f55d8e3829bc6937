/* Output: the same bytes to every target, the old file or the new one and never half, errors that stay. */
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/output_dir.h"

/* ---- a folder for each test ---- */

struct room {
    struct mem mem;
    char dir[64];
    char path[128];
    assay_error err;
};

static int enter(void **state)
{
    struct room *r = calloc(1, sizeof *r);
    mem_init(&r->mem, 0);
    strcpy(r->dir, "/tmp/assay-test-output-XXXXXX");
    if (!mkdtemp(r->dir)) return -1;
    snprintf(r->path, sizeof r->path, "%s/target", r->dir);
    *state = r;
    return 0;
}

/* How many files are in the folder, whatever their names. */
static int count_files(struct room *r)
{
    int n = 0;
    DIR *d = opendir(r->dir);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

static int leave(void **state)
{
    struct room *r = *state;
    char command[100];
    bool leak = r->mem.used != 0;
    snprintf(command, sizeof command, "rm -rf %s", r->dir);
    int rc = system(command);
    free(r);
    return leak || rc != 0;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static char *get(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = malloc(8 << 20);
    *len = fread(text, 1, (8 << 20) - 1, f);
    text[*len] = '\0';
    fclose(f);
    return text;
}

static void assert_content(const char *path, const char *text)
{
    size_t len;
    char *got = get(path, &len);
    assert_string_equal(got, text);
    free(got);
}

static void write_text(struct room *r, const char *path, const char *text)
{
    struct output *o;
    assert_int_equal(output_open(&o, path, &r->mem, &r->err), 0);
    output_text(o, text);
    assert_int_equal(output_commit(o, &r->err), 0);
}

/* ---- files ---- */

static void commit_replaces_the_file_and_leaves_no_other(void **state)
{
    struct room *r = *state;
    put(r->path, "old");
    struct output *o;
    assert_int_equal(output_open(&o, r->path, &r->mem, &r->err), 0);
    output_text(o, "new text");
    assert_content(r->path, "old");
    assert_int_equal(count_files(r), 2);
    assert_int_equal(output_commit(o, &r->err), 0);
    assert_content(r->path, "new text");
    assert_int_equal(count_files(r), 1);
}

static void abort_leaves_everything_as_it_was(void **state)
{
    struct room *r = *state;
    struct output *o;
    for (int exists = 0; exists < 2; exists++) {
        if (exists) put(r->path, "old");
        assert_int_equal(output_open(&o, r->path, &r->mem, &r->err), 0);
        for (int i = 0; i < 100000; i++) output_text(o, "new text");
        output_abort(o);
        assert_int_equal(count_files(r), exists);
        if (exists) assert_content(r->path, "old");
    }
    output_abort(NULL);
}

static void the_temporary_file_stands_beside_the_target(void **state)
{
    struct room *r = *state;
    struct output *o;
    assert_int_equal(output_open(&o, r->path, &r->mem, &r->err), 0);
    DIR *d = opendir(r->dir);
    bool found = false;
    for (struct dirent *e; (e = readdir(d)) != NULL;) found |= strncmp(e->d_name, "target.assay-", 13) == 0 && strlen(e->d_name) == 19;
    closedir(d);
    assert_true(found);
    output_abort(o);
}

static void the_mode_of_the_target_is_kept_and_a_new_one_follows_the_umask(void **state)
{
    struct room *r = *state;
    struct stat st;
    mode_t before = umask(027);
    write_text(r, r->path, "x");
    umask(before);
    assert_int_equal(stat(r->path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(chmod(r->path, 0604), 0);
    write_text(r, r->path, "y");
    assert_int_equal(stat(r->path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0604);
}

static void a_symbolic_link_is_followed(void **state)
{
    struct room *r = *state;
    char link1[128], link2[128], dangling[128], made[128];
    snprintf(link1, sizeof link1, "%s/link1", r->dir);
    snprintf(link2, sizeof link2, "%s/link2", r->dir);
    snprintf(dangling, sizeof dangling, "%s/dangling", r->dir);
    snprintf(made, sizeof made, "%s/made", r->dir);
    put(r->path, "old");
    assert_int_equal(symlink("target", link1), 0);
    assert_int_equal(symlink(link1, link2), 0);
    assert_int_equal(symlink("made", dangling), 0);
    write_text(r, link2, "through links");
    write_text(r, dangling, "created");
    struct stat st;
    assert_int_equal(lstat(link2, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_content(r->path, "through links");
    assert_content(made, "created");
    assert_int_equal(count_files(r), 5);
}

static void a_link_to_itself_is_an_error(void **state)
{
    struct room *r = *state;
    struct output *o;
    assert_int_equal(symlink("target", r->path), 0);
    assert_int_equal(output_open(&o, r->path, &r->mem, &r->err), ASSAY_ERR_WRITE);
    assert_int_equal(r->err.sys_errno, ELOOP);
    assert_null(o);
}

static void the_longest_legal_name_can_be_written(void **state)
{
    struct room *r = *state;
    char name[NAME_MAX + 1], path[512];
    memset(name, 'n', NAME_MAX);
    name[NAME_MAX] = '\0';
    snprintf(path, sizeof path, "%s/%s", r->dir, name);
    write_text(r, path, "x");
    assert_content(path, "x");
    assert_int_equal(count_files(r), 1);
}

static void a_name_without_a_folder_is_written_here(void **state)
{
    struct room *r = *state;
    char before[PATH_MAX];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(r->dir), 0);
    write_text(r, "target", "here");
    assert_int_equal(chdir(before), 0);
    assert_content(r->path, "here");
}

static void what_cannot_be_created_is_named(void **state)
{
    struct room *r = *state;
    struct output *o;
    assert_int_equal(output_open(&o, "/nonexistent/out", &r->mem, &r->err), ASSAY_ERR_WRITE);
    assert_null(o);
    assert_int_equal(r->err.sys_errno, ENOENT);
    assert_string_equal(r->err.path, "/nonexistent/out");
    r->err = (assay_error){ 0 };
    assert_int_equal(output_open(&o, r->dir, &r->mem, &r->err), ASSAY_ERR_WRITE);
    assert_int_equal(r->err.sys_errno, EISDIR);
    assert_int_equal(output_open(&o, "", &r->mem, NULL), ASSAY_ERR_WRITE);
    snprintf(r->path, sizeof r->path, "%s/no-folder/", r->dir);
    assert_int_equal(output_open(&o, r->path, &r->mem, NULL), ASSAY_ERR_WRITE);
    assert_int_equal(count_files(r), 0);
}

/* ---- folders ---- */

static int synced, synced_all;

/* These stand in for the system's: what is counted here is how often the disk is waited for. */
int fsync(int fd)
{
    synced++;
    return fcntl(fd, F_GETFD) < 0 ? -1 : 0;
}

int syncfs(int fd)
{
    synced_all++;
    return fcntl(fd, F_GETFD) < 0 ? -1 : 0;
}

static void write_folder(struct room *r, int files)
{
    struct output_dir *d;
    struct output *o;
    char name[32];
    assert_int_equal(output_dir_open(&d, r->path, &r->mem, &r->err), 0);
    for (int i = 0; i < files; i++) {
        snprintf(name, sizeof name, "files/%d", i);
        assert_int_equal(output_dir_file(d, name, &o, &r->err), 0);
        output_text(o, "text");
        assert_int_equal(output_commit(o, &r->err), 0);
    }
    assert_int_equal(output_dir_commit(d, &r->err), 0);
}

static void a_folder_of_many_files_is_synced_once(void **state)
{
    struct room *r = *state;
    char last[160];
    synced = synced_all = 0;
    write_folder(r, 1000);
    assert_int_equal(synced_all, 1);
    assert_int_equal(synced, 1); /* the folder around it */
    snprintf(last, sizeof last, "%s/files/999", r->path);
    assert_content(last, "text");
}

static void each_of_few_files_is_synced_by_itself(void **state)
{
    struct room *r = *state;
    synced = synced_all = 0;
    write_folder(r, 4);
    assert_int_equal(synced_all, 0);
    assert_int_equal(synced, 4 + 3); /* and the folders: files, the target, the one around it */
}

/* ---- targets that are written directly ---- */

static void a_full_device_is_a_sticky_error(void **state)
{
    struct room *r = *state;
    struct output *o;
    assert_int_equal(output_open(&o, "/dev/full", &r->mem, &r->err), 0);
    for (int i = 0; i < 100000; i++) output_text(o, "12345678");
    assert_int_equal(output_failed(o), ASSAY_ERR_WRITE);
    assert_int_equal(output_off(o), 800000);
    assert_int_equal(output_commit(o, &r->err), ASSAY_ERR_WRITE);
    assert_int_equal(r->err.sys_errno, ENOSPC);
    assert_string_equal(r->err.path, "/dev/full");
    assert_string_equal(r->err.text, "cannot write: No space left on device");
}

static void a_little_on_a_full_device_is_noticed_at_the_end(void **state)
{
    struct room *r = *state;
    struct output *o;
    assert_int_equal(output_open(&o, "/dev/full", &r->mem, &r->err), 0);
    output_char(o, 'x');
    assert_int_equal(output_failed(o), 0);
    assert_int_equal(output_commit(o, &r->err), ASSAY_ERR_WRITE);
}

/* RLIMIT_FSIZE would end the process by a signal: a pipe nobody reads stands for all failing descriptors. */
static void a_closed_pipe_on_standard_output_is_an_error(void **state)
{
    struct room *r = *state;
    int fds[2], saved = dup(1);
    struct output *o;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    fflush(stdout);
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(dup2(fds[1], 1), 1);
    close(fds[0]);
    close(fds[1]);
    int rc = output_open(&o, "-", &r->mem, &r->err);
    if (rc == 0) output_text(o, "lost");
    if (rc == 0) rc = output_commit(o, &r->err);
    dup2(saved, 1);
    close(saved);
    signal(SIGPIPE, before);
    assert_int_equal(rc, ASSAY_ERR_WRITE);
    assert_int_equal(r->err.sys_errno, EPIPE);
    assert_string_equal(r->err.path, "-");
}

static void standard_output_and_pipes_get_the_bytes(void **state)
{
    struct room *r = *state;
    int fds[2], saved = dup(1);
    char got[10] = "", path[32];
    struct output *o;
    fflush(stdout);
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(dup2(fds[1], 1), 1);
    int rc = output_open(&o, "-", &r->mem, &r->err);
    if (rc == 0) output_text(o, "four");
    if (rc == 0) rc = output_commit(o, &r->err);
    dup2(saved, 1);
    close(saved);
    assert_int_equal(rc, 0);
    assert_int_equal(read(fds[0], got, sizeof got), 4);
    snprintf(path, sizeof path, "/dev/fd/%d", fds[1]);
    write_text(r, path, "five5");
    assert_int_equal(read(fds[0], got, sizeof got), 5);
    assert_memory_equal(got, "five5", 5);
    close(fds[0]);
    close(fds[1]);
}

struct sink {
    char text[400000];
    size_t len, refuse_after;
};

static int take_text(void *arg, const char *data, size_t len)
{
    struct sink *s = arg;
    if (s->len + len > s->refuse_after) return 1;
    memcpy(s->text + s->len, data, len);
    s->len += len;
    return 0;
}

static void a_sink_gets_all_bytes_in_order_or_refuses(void **state)
{
    struct room *r = *state;
    struct sink *s = calloc(1, sizeof *s);
    struct output *o;
    s->refuse_after = sizeof s->text;
    assert_int_equal(output_open_fn(&o, take_text, s, &r->mem, &r->err), 0);
    for (int i = 0; i < 30000; i++) output_printf(o, "%08d\n", i);
    assert_int_equal(output_commit(o, &r->err), 0);
    assert_int_equal(s->len, 270000);
    for (int i = 0; i < 30000; i++) assert_int_equal(atoi(s->text + i * 9), i);
    s->len = 0;
    s->refuse_after = 5;
    assert_int_equal(output_open_fn(&o, take_text, s, &r->mem, &r->err), 0);
    output_text(o, "too much");
    assert_int_equal(output_commit(o, &r->err), ASSAY_ERR_WRITE);
    assert_int_equal(r->err.sys_errno, 0);
    free(s);
}

/* ---- text and numbers ---- */

static void numbers_are_printed_as_printf_does(void **state)
{
    struct room *r = *state;
    struct output *o;
    uint64_t values[400];
    size_t n = 0;
    for (unsigned shift = 0; shift < 64; shift++)
        for (uint64_t d = 0; d < 3; d++) values[n++] = ((uint64_t)1 << shift) + d - 1;
    for (uint64_t ten = 1; n < 390 && ten < 10000000000000000000u; ten *= 10)
        for (uint64_t d = 0; d < 3; d++) values[n++] = ten + d - 1;
    values[n++] = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        char want[200];
        int len = snprintf(want, sizeof want, "%" PRIu64 " %" PRId64 " %" PRIx64 " %08" PRIx64, values[i], (int64_t)values[i], values[i], values[i]);
        assert_int_equal(output_open_memory(&o, &r->mem, &r->err), 0);
        output_u64(o, values[i]);
        output_char(o, ' ');
        output_i64(o, (int64_t)values[i]);
        output_char(o, ' ');
        output_hex(o, values[i], 1);
        output_char(o, ' ');
        output_hex(o, values[i], 8);
        assay_slice got = output_memory(o);
        assert_int_equal(got.len, len);
        assert_memory_equal(got.data, want, got.len);
        assert_int_equal(output_off(o), len);
        assert_int_equal(output_commit(o, &r->err), 0);
    }
}

static void long_texts_are_formatted_whole(void **state)
{
    struct room *r = *state;
    static const int widths[] = { 0, 1, 510, 511, 512, 513, 5000, 300000 };
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        struct output *o;
        assert_int_equal(output_open_memory(&o, &r->mem, &r->err), 0);
        output_printf(o, "%*s", widths[i], "");
        output_u32le(o, 0x04030201);
        assay_slice got = output_memory(o);
        assert_int_equal(got.len, widths[i] + 4);
        for (int k = 0; k < widths[i]; k++) assert_int_equal(got.data[k], ' ');
        assert_memory_equal(got.data + widths[i], "\1\2\3\4", 4);
        output_abort(o);
    }
}

/* Pieces of all sizes, so that buffer ends fall everywhere; the same bytes to memory and to a file. */
static void pieces_of_any_size_come_out_as_one(void **state)
{
    struct room *r = *state;
    struct output *file, *memory;
    size_t sum = 0, len;
    char *source = malloc(1 << 20);
    for (size_t i = 0; i < 1 << 20; i++) source[i] = (char)(i * 31 >> 4);
    assert_int_equal(output_open(&file, r->path, &r->mem, &r->err), 0);
    assert_int_equal(output_open_memory(&memory, &r->mem, &r->err), 0);
    static const size_t sizes[] = { 0, 1, 262143, 262144, 262145, 7, 1 << 20, 100000, 262143, 1, 1 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        output_bytes(file, source, sizes[i]);
        output_bytes(memory, source, sizes[i]);
        sum += sizes[i];
        assert_int_equal(output_off(file), sum);
    }
    assert_int_equal(output_commit(file, &r->err), 0);
    char *got = get(r->path, &len);
    assay_slice all = output_memory(memory);
    assert_int_equal(len, sum);
    assert_int_equal(all.len, sum);
    assert_memory_equal(got, all.data, sum);
    size_t at = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; at += sizes[i++]) assert_memory_equal(got + at, source, sizes[i]);
    output_abort(memory);
    free(got);
    free(source);
}

/* ---- overwriting ---- */

static void a_patch_lands_where_it_should(void **state)
{
    struct room *r = *state;
    struct output *o[2];
    size_t len;
    assert_int_equal(output_open(&o[0], r->path, &r->mem, &r->err), 0);
    assert_int_equal(output_open_memory(&o[1], &r->mem, &r->err), 0);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 300000; i++) output_char(o[k], 'a');
        output_patch(o[k], 0, "FIRST", 5);       /* left the buffer long ago */
        output_patch(o[k], 262140, "ACROSS", 6); /* on both sides of a flush */
        output_text(o[k], "bbbb");
        output_patch(o[k], 300000, "B", 1); /* still in the buffer */
        output_text(o[k], "end");
        assert_int_equal(output_off(o[k]), 300007);
    }
    assert_int_equal(output_commit(o[0], &r->err), 0);
    char *got = get(r->path, &len);
    assert_int_equal(len, 300007);
    assert_memory_equal(got, "FIRSTa", 6);
    assert_memory_equal(got + 262139, "aACROSSa", 8);
    assert_memory_equal(got + 299999, "aBbbbend", 8);
    assert_memory_equal(got, output_memory(o[1]).data, len);
    output_abort(o[1]);
    free(got);
}

static void a_patch_beyond_the_end_or_on_a_pipe_is_wrong_usage(void **state)
{
    struct room *r = *state;
    struct output *o;
    assert_int_equal(output_open_memory(&o, &r->mem, &r->err), 0);
    output_text(o, "12345");
    output_patch(o, 4, "xx", 2);
    assert_int_equal(output_failed(o), ASSAY_ERR_USAGE);
    assert_int_equal(output_commit(o, &r->err), ASSAY_ERR_USAGE);
    assert_int_equal(output_open(&o, "/dev/null", &r->mem, &r->err), 0);
    output_text(o, "12345");
    output_patch(o, 0, "x", 1);
    assert_int_equal(output_commit(o, &r->err), ASSAY_ERR_USAGE);
}

/* ---- memory ---- */

static int write_some(struct room *r, bool memory)
{
    struct output *o;
    TRY(memory ? output_open_memory(&o, &r->mem, &r->err) : output_open(&o, r->path, &r->mem, &r->err));
    for (int i = 0; i < 20000; i++) output_text(o, "some text");
    output_printf(o, "%*s", 1000, "x");
    int failed = output_failed(o);
    int rc = output_commit(o, &r->err);
    if (failed) assert_int_equal(rc, failed);
    return rc;
}

static void each_refused_allocation_is_reported_and_leaves_no_file(void **state)
{
    struct room *r = *state;
    for (int memory = 0; memory < 2; memory++) {
        int rc = ASSAY_ERR_MEMORY;
        for (uint64_t n = 1; rc != 0; n++) {
            mem_init(&r->mem, 0);
            r->mem.fail_at = n;
            rc = write_some(r, memory);
            assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
            assert_int_equal(r->mem.used, 0);
            assert_int_equal(count_files(r), !memory && rc == 0 ? 1 : 0);
            assert_true(n < 100);
        }
        unlink(r->path);
    }
}

static void a_memory_output_keeps_within_the_limit(void **state)
{
    struct room *r = *state;
    r->mem.limit = 100000;
    struct output *o;
    assert_int_equal(output_open_memory(&o, &r->mem, &r->err), 0);
    for (int i = 0; i < 200000; i++) output_char(o, 'x');
    assert_int_equal(output_failed(o), ASSAY_ERR_MEMORY);
    assert_int_equal(output_memory(o).len, 0);
    assert_int_equal(output_commit(o, &r->err), ASSAY_ERR_MEMORY);
    assert_true(r->mem.peak <= 100000);
}

#define T(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(commit_replaces_the_file_and_leaves_no_other),
        T(abort_leaves_everything_as_it_was),
        T(the_temporary_file_stands_beside_the_target),
        T(the_mode_of_the_target_is_kept_and_a_new_one_follows_the_umask),
        T(a_symbolic_link_is_followed),
        T(a_link_to_itself_is_an_error),
        T(the_longest_legal_name_can_be_written),
        T(a_name_without_a_folder_is_written_here),
        T(what_cannot_be_created_is_named),
        T(a_folder_of_many_files_is_synced_once),
        T(each_of_few_files_is_synced_by_itself),
        T(a_full_device_is_a_sticky_error),
        T(a_little_on_a_full_device_is_noticed_at_the_end),
        T(a_closed_pipe_on_standard_output_is_an_error),
        T(standard_output_and_pipes_get_the_bytes),
        T(a_sink_gets_all_bytes_in_order_or_refuses),
        T(numbers_are_printed_as_printf_does),
        T(long_texts_are_formatted_whole),
        T(pieces_of_any_size_come_out_as_one),
        T(a_patch_lands_where_it_should),
        T(a_patch_beyond_the_end_or_on_a_pipe_is_wrong_usage),
        T(each_refused_allocation_is_reported_and_leaves_no_file),
        T(a_memory_output_keeps_within_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
