/* Samples, and one run of everything. See harness.h. */
#include "harness.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- promises ---- */

static char doing[1024];

void harness_doing(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(doing, sizeof doing, fmt, ap);
    va_end(ap);
}

void harness_promise(bool ok, const char *fmt, ...)
{
    if (ok) return;
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "broken promise: ");
    vfprintf(stderr, fmt, ap);
    fprintf(stderr, "\n  while: %s\n", doing);
    va_end(ap);
    abort();
}

void harness_code(int rc, const assay_error *err, const char *what)
{
    if (rc == 0) return;
    harness_promise(rc < 0 && strcmp(assay_code_name(rc), "unknown code") != 0, "%s returned %d, which is no code", what, rc);
    harness_promise(rc != ASSAY_ERR_INTERNAL, "%s: internal fault: %s", what, err->text);
    harness_promise(err->code == rc, "%s returned %d, but the error says %d (%s)", what, rc, err->code, err->text);
    harness_promise(err->text[0] && !strchr(err->text, '\n'), "%s: error %d without a sentence: '%s'", what, rc, err->text);
}

/* ---- samples ---- */

const char *harness_source(void)
{
    const char *s = getenv("ASSAY_SOURCE");
    return s ? s : ".";
}

const char *harness_shared(void)
{
    static char path[4096];
    const char *s = getenv("ASSAY_SHARED");
    struct stat st;
    if (s)
        snprintf(path, sizeof path, "%s", s);
    else
        snprintf(path, sizeof path, "%s/../shared", harness_source());
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? path : NULL;
}

static bool is_sample_name(const char *name)
{
    static const char *const other[] = { ".md", "expected.json", ".py", ".sh", ".c", ".h", ".php" };
    size_t len = strlen(name);
    if (name[0] == '.') return false;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        size_t n = strlen(other[i]);
        if (len >= n && strcmp(name + len - n, other[i]) == 0) return false;
    }
    return true;
}

static void *must(void *p)
{
    harness_promise(p != NULL, "the test itself has no memory");
    return p;
}

static bool load(struct sample *s, const char *path, size_t max_len)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || (max_len && (size_t)st.st_size > max_len)) return false;
    FILE *f = fopen(path, "rb");
    harness_promise(f != NULL, "cannot open sample %s", path);
    *s = (struct sample){ .len = (size_t)st.st_size };
    s->data = must(malloc(s->len + 1));
    s->path = must(strdup(path));
    s->name = strrchr(s->path, '/') ? strrchr(s->path, '/') + 1 : s->path;
    size_t got = fread(s->data, 1, s->len, f);
    fclose(f);
    harness_promise(got == s->len, "cannot read sample %s", path);
    return true;
}

void samples_add(struct samples *s, const char *folder, size_t max_len)
{
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        s->at = must(realloc(s->at, (s->count + 1) * sizeof *s->at));
        if (is_sample_name(names[i]->d_name) && load(&s->at[s->count], path, max_len)) s->count++;
        free(names[i]);
    }
    if (n >= 0) free(names);
}

void samples_load(struct samples *s, size_t max_len, const char *const *areas)
{
    char path[5000];
    snprintf(path, sizeof path, "%s/tests/data", harness_source());
    samples_add(s, path, max_len);
    harness_promise(s->count > 0, "no fixtures in %s", path);
    for (; areas && *areas && harness_shared(); areas++) {
        snprintf(path, sizeof path, "%s/data/%s", harness_shared(), *areas);
        samples_add(s, path, max_len);
    }
}

static bool write_as(const struct sample *s, const struct format *f, const char *version, const char *path)
{
    char target[80];
    assay_error err = { 0 };
    snprintf(target, sizeof target, "%s:%s", f->info.name, version);
    struct assay_write_options o = { .format = target };
    int rc = assay_convert(s->path, NULL, path, &o, NULL, NULL, &err);
    harness_code(rc, &err, target);
    return rc == 0;
}

void samples_written(struct samples *out, const struct sample *s, const char *folder)
{
    for (const struct format *const *f = registry_formats; *f; f++)
        for (const char *const *v = (*f)->info.versions; (*f)->read && (*f)->write && v && *v; v++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s.%s-%s", folder, s->name, (*f)->info.name, *v);
            if (!write_as(s, *f, *v, path)) continue;
            out->at = must(realloc(out->at, (out->count + 1) * sizeof *out->at));
            if (!load(&out->at[out->count], path, 0)) continue;
            out->at[out->count++].target = v;
        }
}

void samples_free(struct samples *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->at[i].path);
        free(s->at[i].data);
    }
    free(s->at);
    *s = (struct samples){ 0 };
}

/* ---- one input ---- */

struct job {
    struct mem mem;
    struct input *in;
    struct assay_read_options options;
    struct read_job read;
    assay_error err;
};

static bool job_begin(struct job *j, const struct format *f, const void *data, size_t len, uint64_t max_memory)
{
    memset(j, 0, sizeof *j);
    mem_init(&j->mem, (size_t)max_memory);
    j->options = (struct assay_read_options){ .format = f->info.name, .no_symbols = true, .max_memory = max_memory, .max_output = (uint64_t)64 << 20 };
    struct input_options o = { .mem = &j->mem, .max_output = j->options.max_output };
    int rc = input_open_memory(&j->in, data, len, "sample", &o, &j->err);
    harness_code(rc, &j->err, "input_open_memory");
    j->read = (struct read_job){ .in = j->in, .options = &j->options, .mem = &j->mem };
    return rc == 0;
}

static void job_end(struct job *j)
{
    input_close(j->in);
    harness_promise(j->mem.used == 0, "%zu bytes were not given back", (size_t)j->mem.used);
}

/* ---- check ---- */

uint64_t harness_unpacked_len(const void *data, size_t len)
{
    struct mem mem;
    struct input *in;
    assay_slice all = { NULL, 0 };
    mem_init(&mem, 0);
    struct input_options o = { .mem = &mem, .max_output = (uint64_t)64 << 20 };
    if (input_open_memory(&in, data, len, "sample", &o, NULL) != 0) return 0;
    (void)input_map(in, &all, NULL);
    input_close(in);
    return all.len;
}

/* The length of the stream that a zlib header at `at` of the first block begins; 0 = none. */
static uint64_t inside_len_at(const void *data, size_t len, size_t at, struct mem *mem)
{
    struct input *outer, *inside = NULL;
    assay_slice block = { NULL, 0 };
    uint64_t off, sum = 0;
    struct input_options o = { .mem = mem, .max_output = (uint64_t)64 << 20 };
    if (input_open_memory(&outer, data, len, "sample", &o, NULL) != 0) return 0;
    (void)input_block(outer, false, &block, &off, NULL);
    assay_slice rest = { block.data + at, block.len - at };
    bool is_open = at < block.len && input_open_inside(&inside, outer, rest, INPUT_ZLIB, NULL) == 0;
    while (is_open && input_block(inside, false, &block, &off, NULL) == 0 && block.len) sum += block.len;
    input_close(inside);
    input_close(outer);
    return sum;
}

/* The longest zlib stream that stands somewhere in the bytes: offsets may count in it. */
static uint64_t inside_len(const void *data, size_t len)
{
    struct mem mem;
    struct input *in;
    assay_slice head = { NULL, 0 };
    uint64_t longest = 0;
    mem_init(&mem, 0);
    struct input_options o = { .mem = &mem, .max_output = (uint64_t)64 << 20 };
    if (input_open_memory(&in, data, len, "sample", &o, NULL) != 0) return 0;
    (void)input_peek(in, &head, NULL);
    for (size_t i = 0; i + 1 < head.len; i++) {
        unsigned first = (unsigned char)head.data[i], second = (unsigned char)head.data[i + 1];
        bool is_zlib = first == 0x78 && (first << 8 | second) % 31 == 0;
        uint64_t n = is_zlib ? inside_len_at(data, len, i, &mem) : 0;
        if (n > longest) longest = n;
    }
    input_close(in);
    return longest;
}

/* Offsets count in the file, in what it unpacks to, or in a stream inside of it. */
struct extent {
    const void *data;
    size_t len;
    bool is_known; /* how far it goes: unpacking takes its time, and most findings are within the file */
    uint64_t end;
};

static bool is_inside(uint64_t off, struct extent *x)
{
    if (off <= x->len) return true;
    if (!x->is_known) {
        uint64_t whole = harness_unpacked_len(x->data, x->len), part = inside_len(x->data, x->len);
        x->end = whole > part ? whole : part;
        x->is_known = true;
    }
    return off <= x->end;
}

static void check_finding(const assay_finding *f, struct extent *x)
{
    harness_promise(f->rule && f->rule[0], "a finding without rule");
    harness_promise(f->message && f->message[0], "finding %s without message", f->rule);
    harness_promise(!strchr(f->message, '\n'), "finding %s: message of several lines: %s", f->rule, f->message);
    harness_promise(f->severity >= ASSAY_INFO && f->severity <= ASSAY_ERROR, "finding %s: severity %d", f->rule, f->severity);
    if (f->has_offset)
        harness_promise(is_inside(f->offset, x), "finding %s at %llu, past the end of %zu bytes: %s", f->rule, (unsigned long long)f->offset, x->len,
                        f->message);
}

/* What check said. */
struct verdict {
    bool looked; /* it could look at all */
    uint64_t errors, warnings;
    char first_error[300]; /* rule and message */
};

static void note_error(struct verdict *v, const assay_finding *f)
{
    if (f->severity == ASSAY_ERROR && !v->first_error[0]) snprintf(v->first_error, sizeof v->first_error, "%s %s", f->rule, f->message);
}

static struct verdict run_check(const struct format *f, const void *data, size_t len, uint64_t max_memory)
{
    struct job j;
    struct findings found;
    struct verdict v = { .looked = false };
    struct extent extent = { .data = data, .len = len };
    if (job_begin(&j, f, data, len, max_memory)) {
        findings_init(&found, &j.mem);
        int rc = f->check(&j.read, &found, &j.err);
        harness_code(rc, &j.err, "check");
        for (size_t i = 0; i < found.list.len; i++) {
            check_finding(&found.list.at[i], &extent);
            note_error(&v, &found.list.at[i]);
        }
        v.looked = rc == 0 && !found.failed;
        v.errors = found.errors;
        v.warnings = found.warnings;
        findings_done(&found);
    }
    job_end(&j);
    return v;
}

/* ---- read ---- */

static int run_read(const struct format *f, const void *data, size_t len, uint32_t want, bool strict, uint32_t what, uint64_t max_memory)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    /* no_symbols: programs that a sample names are those of this machine, if they are here at all */
    struct assay_read_options o = {
        .format = f->info.name, .want = want, .strict = strict, .no_symbols = true, .max_memory = max_memory, .max_output = (uint64_t)64 << 20
    };
    int rc = assay_read_memory(data, len, "sample", &o, &p, &err);
    harness_code(rc, &err, "assay_read_memory");
    harness_promise((rc == 0) == (p != NULL), "read gave %d and %s profile", rc, p ? "a" : "no");
    if (p) {
        size_t count;
        struct extent extent = { .data = data, .len = len };
        const assay_finding *w = assay_profile_warnings(p, &count);
        for (size_t i = 0; i < count; i++) check_finding(&w[i], &extent);
        harness_use(p, what, what & RUN_SOME ? harness_seed(data, len) + want : 0);
    }
    assay_profile_release(p);
    return rc;
}

static bool ran_out(int rc) { return rc == ASSAY_ERR_MEMORY || rc == ASSAY_ERR_LIMIT; }

/* ---- dump and rewrite ---- */

static void run_dump(const struct format *f, const void *data, size_t len, uint64_t max_memory)
{
    struct job j;
    struct output *out = NULL;
    if (job_begin(&j, f, data, len, max_memory)) {
        int rc = output_open_memory(&out, &j.mem, &j.err);
        if (rc == 0) rc = f->dump(&j.read, out, &j.err);
        harness_code(rc, &j.err, "dump");
        output_abort(out);
    }
    job_end(&j);
}

static void rewrite_version(const struct format *f, const char *version, const void *data, size_t len, uint64_t max_memory)
{
    struct job j;
    struct output *out = NULL;
    struct losses losses;
    struct assay_write_options options = { .format = f->info.name };
    if (job_begin(&j, f, data, len, max_memory)) {
        losses_init(&losses, &j.mem);
        struct write_job w = { &options, version, &j.mem, &losses, true, &f->info, NULL, NULL };
        int rc = output_open_memory(&out, &j.mem, &j.err);
        if (rc == 0) rc = f->rewrite(&j.read, &w, out, &j.err);
        harness_code(rc, &j.err, "rewrite");
        output_abort(out);
        losses_done(&losses);
    }
    job_end(&j);
}

/* Of RUN_SOME one version. */
static void rewrite_versions(const struct format *f, const void *data, size_t len, uint32_t what, uint64_t max_memory)
{
    const char *const *version = f->info.versions;
    size_t count = 0;
    while (version && version[count]) count++;
    size_t only = count ? (size_t)(harness_seed(data, len) % count) : 0;
    for (size_t i = 0; i < count; i++)
        if (!(what & RUN_SOME) || i == only) rewrite_version(f, version[i], data, len, max_memory);
}

/* ---- everything ---- */

void harness_run(const struct format *f, const void *data, size_t len, uint32_t what, uint64_t max_memory)
{
    static const uint32_t everything = ASSAY_WANT_ALL, picture = ASSAY_WANT_WHOLE | ASSAY_WANT_TIMELINE | ASSAY_WANT_COARSE;
    int lenient = 0, strict = 0;
    struct verdict v = { .looked = false };
    if ((what & RUN_READ) && f->read) {
        if (what & RUN_WRITE) (void)run_read(f, data, len, 0, false, what, max_memory);
        lenient = run_read(f, data, len, everything, false, what, max_memory);
        (void)run_read(f, data, len, picture, false, what & (RUN_VIEW | RUN_SOME), max_memory);
        (void)run_read(f, data, len, ASSAY_WANT_INFO, false, what & RUN_SOME, max_memory); /* sums alone: readers have quicker ways to them */
        strict = run_read(f, data, len, ASSAY_WANT_INFO, true, 0, max_memory);
        if (lenient != 0 && !ran_out(lenient)) harness_promise(strict != 0, "lenient reading fails (%s), strict reading does not", assay_code_name(lenient));
    }
    if ((what & RUN_CHECK) && f->check) v = run_check(f, data, len, max_memory);
    if ((what & RUN_READ) && f->read && v.looked && !ran_out(strict)) {
        if (v.errors > 0) harness_promise(strict != 0, "check finds an error, strict reading none: %s", v.first_error);
        if (v.errors == 0 && v.warnings == 0) harness_promise(strict == 0, "check finds nothing, strict reading fails: %s", assay_code_name(strict));
    }
    if ((what & RUN_DUMP) && f->dump) run_dump(f, data, len, max_memory);
    if ((what & RUN_REWRITE) && f->rewrite) rewrite_versions(f, data, len, what, max_memory);
}

const struct format *harness_recognise(const void *data, size_t len, const char *path)
{
    const struct format *found = NULL;
    struct mem mem;
    struct input *in = NULL;
    int score = 0;
    const char *why = NULL;
    assay_error err = { 0 };
    mem_init(&mem, 0);
    struct input_options o = { .mem = &mem, .max_output = (uint64_t)64 << 20 };
    struct assay_read_options none = { 0 };
    int rc = input_open_memory(&in, data, len, path, &o, &err);
    if (rc == 0) rc = registry_recognise(in, &none, &found, &score, &why, &err);
    harness_code(rc, &err, "registry_recognise");
    if (rc == 0) harness_promise(score > 0 && score <= 100 && why && why[0], "%s recognised with score %d and no reason", found->info.name, score);
    input_close(in);
    harness_promise(mem.used == 0, "recognising keeps %zu bytes", (size_t)mem.used);
    return rc == 0 ? found : NULL;
}

void run_all(const void *data, size_t len, const struct format *hint, uint32_t what)
{
    const struct format *f = harness_recognise(data, len, "sample");
    if (f) harness_run(f, data, len, what, (uint64_t)512 << 20);
    if (hint && hint != f) harness_run(hint, data, len, what, (uint64_t)512 << 20);
}
