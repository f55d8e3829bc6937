/* Any number of profiles, read and merged by eight threads: each has a merger of its own, so that memory grows with what is distinct, not with the files. What
 * cannot be read is said and left out.
 *
 *     cc many.c $(pkg-config --cflags --libs assay) -o many && ./many cachegrind.out.* */
#include <assay/assay.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 8 };

struct work {
    char **paths;
    size_t count;
    atomic_size_t next, failed;
};
struct worker {
    struct work *work;
    pthread_t thread;
    assay_profile *sum; /* of the files that this thread read; NULL = none, or an error */
    size_t files;
};

static int complain(struct work *w, const assay_error *err)
{
    char text[1100];
    assay_error_format(err, text, sizeof text);
    fprintf(stderr, "many: %s\n", text);
    atomic_fetch_add(&w->failed, 1);
    return -1;
}

static int add_file(struct work *w, assay_merger *merger, const char *path)
{
    struct assay_read_options read = { .want = ASSAY_WANT_SUMS };
    assay_profile *p;
    assay_error err;
    if (assay_read(path, &read, &p, &err) != 0) {
        complain(w, &err);
        return 0;
    }
    int rc = assay_merger_add(merger, p, &err);
    assay_profile_release(p);
    return rc == 0 ? 1 : complain(w, &err); /* after an error a merger is good for nothing any more */
}

static void *run(void *arg)
{
    struct worker *me = arg;
    struct work *w = me->work;
    assay_error err;
    assay_merger *merger = assay_merger_new(NULL, &err);
    if (!merger) return NULL;
    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) {
        int added = add_file(w, merger, w->paths[i]);
        if (added < 0) break;
        me->files += (size_t)added;
    }
    if (me->files)
        me->sum = assay_merger_finish(merger, &err);
    else
        assay_merger_free(merger);
    return NULL;
}

static void print_top(const assay_profile *p)
{
    struct assay_table_options options = { .size = sizeof options, .limit = 5 };
    assay_table *t;
    assay_error err;
    if (assay_table_new(p, &options, &t, &err) != 0) return;
    for (uint32_t row = 0; t->column_count && row < t->count; row++) {
        assay_value v = t->self[row * t->column_count + t->key];
        printf("%16.0f  %.*s\n", t->columns[t->key].type == ASSAY_F64 ? v.d : (double)v.u, (int)t->name[row].len, t->name[row].data);
    }
    assay_table_free(t);
}

int main(int argc, char **argv)
{
    struct work w = { .paths = argv + 1, .count = (size_t)(argc - 1) };
    struct worker workers[THREADS] = { { 0 } };
    size_t files = 0;
    assay_error err;
    for (int i = 0; i < THREADS; i++) {
        workers[i].work = &w;
        if (pthread_create(&workers[i].thread, NULL, run, &workers[i]) != 0) return 1;
    }
    assay_merger *all = assay_merger_new(NULL, &err);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        files += workers[i].files;
        if (all && workers[i].sum && assay_merger_add(all, workers[i].sum, &err) != 0) complain(&w, &err);
        assay_profile_release(workers[i].sum);
    }
    printf("%zu files merged, %zu failed\n", files, atomic_load(&w.failed));
    assay_profile *sum = all && files ? assay_merger_finish(all, &err) : NULL;
    if (sum) print_top(sum);
    assay_profile_release(sum);
    return sum && atomic_load(&w.failed) == 0 ? 0 : 1;
}
