/* Running filters; see filter.h. */
#include "cli/cov/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/installed.h"
#include "base/vec.h"

enum { MAX_ARGS = 256 };
#define MAX_TEXT ((size_t)2 << 30)

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* In the folders of a list, separated by colons. */
static bool find_in(const char *list, const char *name, char *path, size_t room)
{
    for (; list && *list; list += strcspn(list, ":"), list += *list == ':') {
        int len = (int)strcspn(list, ":"), n = snprintf(path, room, "%.*s/%s", len, list, name);
        if (len && n > 0 && (size_t)n < room && is_file(path)) return true;
    }
    return false;
}

static bool find(const char *name, char *path, size_t room)
{
    char prefix[INSTALLED_PATH_LEN], dir[INSTALLED_PATH_LEN + 32];
    if (strchr(name, '/')) return snprintf(path, room, "%s", name) < (int)room && is_file(path);
    installed_prefix(prefix);
    snprintf(dir, sizeof dir, "%s/share/cov/filters", prefix);
    return find_in(getenv("COV_FILTER_PATH"), name, path, room) || find_in(dir, name, path, room);
}

/* In the child: never returns. Exit codes 126 and 127 are distinguished from those of the filter by the pipe `trouble`. */
static void become(const struct filter_run *f, char *path, int in, int out, int trouble)
{
    char *argv[MAX_ARGS + 2] = { path }, exe[INSTALLED_PATH_LEN];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    for (size_t i = 0; i < f->arg_count && i < MAX_ARGS; i++) argv[i + 1] = strdup(f->args[i]);
    if (n > 0) {
        exe[n] = '\0';
        setenv("COV_EXE_PATH", exe, 1);
    }
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && (!f->folder || chdir(f->folder) == 0)) execv(path, argv);
    char failed = 'x';
    if (write(trouble, &failed, 1) < 0) _exit(126);
    _exit(127);
}

static int collect(int fd, struct arena *a, struct mem *mem, assay_slice *out, assay_error *err)
{
    VEC(char) text = { 0 };
    int rc = 0;
    for (ssize_t n = 1; rc == 0 && n != 0;) {
        if (text.len > MAX_TEXT)
            rc = error_set(err, ASSAY_ERR_LIMIT, "the filter wrote more than 2 GiB");
        else if (!vec_reserve(mem, &text, 1 << 16))
            rc = error_memory(err);
        else if ((n = read(fd, text.at + text.len, 1 << 16)) > 0)
            text.len += (size_t)n;
        else if (n < 0 && errno != EINTR)
            rc = error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot read the output of the filter");
    }
    const char *copy = rc == 0 ? arena_copy(a, (assay_slice){ text.at, text.len }) : NULL;
    if (rc == 0 && !copy) rc = error_memory(err);
    if (rc == 0) *out = (assay_slice){ copy, text.len };
    vec_done(mem, &text);
    return rc;
}

struct pipes {
    int in, out[2], trouble[2];
};

static void close_all(struct pipes *p)
{
    int *all[] = { &p->in, &p->out[0], &p->out[1], &p->trouble[0], &p->trouble[1] };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (*all[i] > STDERR_FILENO) close(*all[i]);
        *all[i] = -1;
    }
}

static int run(const struct filter_run *f, char *path, struct pipes *p, struct arena *a, struct mem *mem, assay_slice *out, enum filter_outcome *outcome,
               int *status, assay_error *err)
{
    char failed;
    int state = 0;
    pid_t child = fork();
    if (child < 0) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot start the filter");
    if (child == 0) become(f, path, p->in, p->out[1], p->trouble[1]);
    close(p->out[1]);
    close(p->trouble[1]);
    p->out[1] = p->trouble[1] = -1;
    int rc = collect(p->out[0], a, mem, out, err);
    if (rc != 0) kill(child, SIGTERM);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    *status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    *outcome = read(p->trouble[0], &failed, 1) == 1 ? FILTER_UNUSABLE : *status ? FILTER_FAILED : FILTER_DONE;
    return rc;
}

int filter_run(const struct filter_run *f, struct arena *a, struct mem *mem, assay_slice *out, enum filter_outcome *outcome, int *status, assay_error *err)
{
    char path[INSTALLED_PATH_LEN + 64];
    struct pipes p = { -1, { -1, -1 }, { -1, -1 } };
    *outcome = FILTER_MISSING;
    if (!find(f->name, path, sizeof path)) return 0;
    p.in = strcmp(f->input, "-") == 0 ? STDIN_FILENO : open(f->input, O_RDONLY | O_CLOEXEC);
    if (p.in < 0) {
        error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot open the file");
        error_path(err, f->input);
        return ASSAY_ERR_SYSTEM;
    }
    int rc = pipe2(p.out, O_CLOEXEC) == 0 && pipe2(p.trouble, O_CLOEXEC) == 0 ? 0 : error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot start the filter");
    if (rc == 0) rc = run(f, path, &p, a, mem, out, outcome, status, err);
    close_all(&p);
    return rc;
}
