/* The tools that are no verb: what is in a folder or a file, and questions in SQL. */
#include <sys/stat.h>

#include "assay/filter.h"
#include "assay/query.h"
#include "base/cancel.h"
#include "base/folder.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/text.h"
#include "mcp/call.h"

static struct assay_read_options read_options(const struct call *c, struct assay_filter *filter)
{
    const struct folders *f = &c->mcp->folders;
    *filter = (struct assay_filter){ .size = sizeof *filter, .source_roots = f->at.at, .source_root_count = f->at.len };
    return (struct assay_read_options){ .size = sizeof(struct assay_read_options),
                                        .max_memory = c->mcp->max_memory,
                                        .foreign = true,
                                        .symbol_paths = f->at.at,
                                        .symbol_path_count = f->at.len,
                                        .filter = filter };
}

/* ---- folders ---- */

struct listing {
    struct call *call;
    struct folder folder;
    VEC(const char *) paths;
    VEC(const char *) formats;
    VEC(uint64_t) sizes;
    bool is_cut;
};

/* An entry that can be opened: what it is, where it really is. */
static int look_at(struct listing *l, const char *path, const struct folder_entry *e, assay_error *err)
{
    char real[PATH_MAX];
    const struct assay_format_info *format;
    struct call *c = l->call;
    assay_error none;
    if ((!e->is_file && !e->is_dir) || folders_find(&c->mcp->folders, path, real, &none) != 0) return 0;
    if (assay_probe(real, NULL, &format, NULL, NULL, &none) != 0) return cancel_due() ? error_cancelled(err) : 0;
    if (l->paths.len == MCP_LISTED) {
        l->is_cut = true;
        return 0;
    }
    const char *copy = arena_copy(&c->text, slice_of(real));
    const char **to = copy ? vec_push(&c->mem, &l->paths) : NULL, **name = to ? vec_push(&c->mem, &l->formats) : NULL;
    uint64_t *size = name ? vec_push(&c->mem, &l->sizes) : NULL;
    if (!size) return error_memory(err);
    *to = copy;
    *name = format->name;
    *size = e->is_file ? e->size : 0;
    return 0;
}

static int gather(struct listing *l, const char *path, assay_error *err)
{
    struct call *c = l->call;
    const struct folder_entry itself = { .name = ".", .is_dir = true };
    TRY(look_at(l, path, &itself, err)); /* a directory of measurements, a database, a store */
    TRY(folder_open(&l->folder, path, &c->mem, err));
    for (size_t i = 0; i < l->folder.entries.len && !l->is_cut; i++) {
        const char *entry = folder_join(&c->text, path, l->folder.entries.at[i].name);
        if (!entry) return error_memory(err);
        TRY(look_at(l, entry, &l->folder.entries.at[i], err));
    }
    return 0;
}

/* Folders that are no input themselves. */
static bool is_listed(const struct listing *l, const char *path)
{
    for (size_t i = 0; i < l->paths.len; i++)
        if (strcmp(l->paths.at[i], path) == 0) return true;
    return false;
}

static int put_folders(struct listing *l, const char *path, assay_error *err)
{
    struct call *c = l->call;
    for (size_t i = 0, put = 0; i < l->folder.entries.len; i++) {
        const struct folder_entry *e = &l->folder.entries.at[i];
        if (!e->is_dir || e->name[0] == '.') continue;
        const char *entry = folder_join(&c->text, path, e->name);
        if (!entry) return error_memory(err);
        if (is_listed(l, entry)) continue;
        answer_printf(&c->answer, "%s%.255s/", put++ ? " " : "folders: ", e->name);
        if (put == MCP_LISTED) break;
    }
    if (c->answer.has_begun) answer_printf(&c->answer, "\n");
    return 0;
}

static int put_listing(struct listing *l, const char *path, assay_error *err)
{
    struct call *c = l->call;
    SCRATCH(uint32_t, numbers, &c->mem, l->paths.len + 1);
    if (!numbers) return error_memory(err);
    TRY(handles_put(&c->mcp->handles, l->paths.at, l->paths.len, numbers, err));
    answer_printf(&c->answer, "%s: %zu%s inputs\n", path, l->paths.len, l->is_cut ? " and more" : "");
    for (size_t i = 0; i < l->paths.len; i++) {
        const char *name = strcmp(l->paths.at[i], path) == 0 ? "." : strrchr(l->paths.at[i], '/') + 1;
        if (numbers[i]) answer_printf(&c->answer, "f%u\t", numbers[i]);
        answer_printf(&c->answer, "%s\t%s", name, l->formats.at[i]);
        if (l->sizes.at[i]) answer_printf(&c->answer, "\t%llu bytes", (unsigned long long)l->sizes.at[i]);
        answer_printf(&c->answer, "\n");
    }
    return put_folders(l, path, err);
}

static int list(struct call *c, const char *path, assay_error *err)
{
    struct listing l = { .call = c };
    int rc = gather(&l, path, err);
    if (rc == 0) rc = put_listing(&l, path, err);
    folder_done(&l.folder);
    vec_done(&c->mem, &l.paths, &l.formats, &l.sizes);
    return rc;
}

/* ---- open ---- */

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int show(struct call *c, assay_error *err)
{
    uint32_t number = 0;
    TRY(folders_check_tree(&c->mcp->folders, c->files.at[0], &c->mem, err));
    TRY(handles_put(&c->mcp->handles, c->files.at, 1, &number, err));
    if (number) answer_printf(&c->answer, "handle: f%u\n", number);
    TRY(call_verb(c, "info", err));
    answer_printf(&c->answer, "\n");
    return call_verb(c, "check", err);
}

int call_open(struct call *c, assay_error *err)
{
    const struct assay_format_info *format;
    assay_error none;
    if (!c->files.len) {
        for (size_t i = 0; i < c->mcp->folders.at.len; i++) TRY(list(c, c->mcp->folders.at.at[i], err));
        return 0;
    }
    bool is_input = !is_folder(c->files.at[0]) || assay_probe(c->files.at[0], NULL, &format, NULL, NULL, &none) == 0;
    if (cancel_due()) return error_cancelled(err);
    return is_input ? show(c, err) : list(c, c->files.at[0], err);
}

/* ---- query ---- */

static void free_query(assay_query *const *q) { assay_query_free(*q); }

int call_query(struct call *c, assay_error *err)
{
    SCOPED(free_query) assay_query *q = NULL;
    struct assay_filter filter;
    struct assay_read_options read = read_options(c, &filter);
    struct assay_query_options o = { .size = sizeof o, .read = &read, .max_memory = c->mcp->max_memory, .max_seconds = c->mcp->max_seconds };
    struct assay_rows_print_options print = { .size = sizeof print };
    const char *sql = c->sql;
    TRY(assay_query_new(&o, &q, err));
    for (size_t i = 0; i < c->files.len; i++) {
        TRY(folders_check_tree(&c->mcp->folders, c->files.at[i], &c->mem, err));
        TRY(assay_query_file(q, NULL, c->files.at[i], err));
    }
    for (bool has_any = false;; has_any = true) {
        assay_rows *rows;
        TRY(assay_query_prepare(q, sql, &sql, &rows, err));
        if (!rows && has_any) return 0;
        if (!rows) FAIL(err, ASSAY_ERR_USAGE, "there is no statement");
        int rc = assay_rows_print(rows, &print, answer_put, &c->answer, NULL, err);
        assay_rows_free(rows);
        if (rc != 0) return rc;
    }
}
