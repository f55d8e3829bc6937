/* Modules; see modules.h. The file has git's config syntax: config.c reads it and config_edit.c changes it; what is left to do here is what a section means,
 * and to take away those that have become empty. */
#include "store/modules.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/output.h"
#include "base/scoped.h"
#include "store/config_edit.h"

void modules_init(struct modules *m, struct mem *mem)
{
    *m = (struct modules){ .separator = "/" };
    config_init(&m->config, mem);
}

void modules_done(struct modules *m)
{
    vec_done(m->config.mem, &m->paths, &m->names);
    config_done(&m->config);
}

/* ---- reading ---- */

static const char *name_of(struct modules *m, assay_slice name)
{
    for (size_t i = 0; i < m->names.len; i++)
        if (slice_is(name, m->names.at[i])) return m->names.at[i];
    const char **at = vec_push(m->config.mem, &m->names);
    if (at) *at = arena_copy(&m->config.text, name);
    return at ? *at : NULL;
}

/* module.NAME.path, or module.sep. */
static int take(struct modules *m, const struct config_entry *e, assay_error *err)
{
    static const char head[] = "module.", tail[] = ".path";
    assay_slice key = slice_of(e->key);
    if (slice_is(key, "module.sep")) m->separator = m->stated = e->value;
    if (!slice_starts(key, head) || !slice_ends(key, tail) || key.len < sizeof head + sizeof tail - 1) return 0;
    const char *name = name_of(m, (assay_slice){ key.data + sizeof head - 1, key.len - (sizeof head - 1) - (sizeof tail - 1) });
    struct module_path *at = name ? vec_push(m->config.mem, &m->paths) : NULL;
    if (!at) return error_memory(err);
    *at = (struct module_path){ name, e->value };
    return 0;
}

int modules_parse(struct modules *m, assay_slice text, assay_error *err)
{
    int rc = config_parse(&m->config, text, CONFIG_LOCAL, err);
    if (rc == ASSAY_ERR_DAMAGED) {
        m->config.entries.len = 0;
        rc = 0;
    }
    for (size_t i = 0; rc == 0 && i < m->config.entries.len; i++) rc = take(m, &m->config.entries.at[i], err);
    if (!*m->separator) m->separator = "/";
    return rc;
}

int modules_load(struct modules *m, const char *path, assay_error *err)
{
    struct stat st;
    SCOPED(input_drop) struct input *in = NULL;
    assay_slice text;
    struct input_options options = { .mem = m->config.mem, .max_output = 4 << 20 };
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0 || st.st_size > 4 << 20) return 0;
    TRY(input_open(&in, path, &options, err));
    TRY(input_map(in, &text, err));
    return modules_parse(m, text, err);
}

int modules_load_commit(struct modules *m, struct git *g, const assay_store_id *commit, assay_error *err)
{
    char hex[COV_ID_HEX + 1];
    struct git_commit_facts facts;
    assay_store_id blob;
    SCOPED(arena_done) struct arena a = { .mem = m->config.mem };
    assay_slice text;
    int rc = git_commit_find(g, slice_of(cov_id_hex(commit, hex)), &a, &facts, err);
    if (rc == 0) rc = git_blob_at(g, &facts.tree, SLICE(".covmodules"), &blob, err);
    if (rc == 0) rc = git_blob_read(g, &blob, &a, &text, err);
    if (rc == 0) rc = modules_parse(m, text, err);
    return rc == ASSAY_ERR_UNKNOWN ? 0 : rc;
}

const char *modules_find(const struct modules *m, assay_slice file)
{
    const char *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < m->paths.len; i++) {
        size_t len = strlen(m->paths.at[i].path);
        while (len && m->paths.at[i].path[len - 1] == '/') len--;
        bool matches = len && len <= file.len && memcmp(file.data, m->paths.at[i].path, len) == 0 && (len == file.len || file.data[len] == '/');
        if (matches && len > longest) {
            longest = len;
            best = m->paths.at[i].module;
        }
    }
    return best;
}

/* ---- changing ---- */

static bool has_path(const struct modules *m, const char *module, const char *path)
{
    for (size_t i = 0; i < m->paths.len; i++)
        if (strcmp(m->paths.at[i].module, module) == 0 && (!path || strcmp(m->paths.at[i].path, path) == 0)) return true;
    return false;
}

static int key_of(char *key, size_t len, const char *module, assay_error *err)
{
    int n = snprintf(key, len, "module.%s.path", module);
    if (n < 0 || (size_t)n >= len || !*module) FAIL(err, ASSAY_ERR_USAGE, "'%s' cannot be the name of a module", module);
    return 0;
}

int modules_edit_add(const char *file, const struct modules *now, const char *module, const char *path, assay_error *err)
{
    char key[CONFIG_PATH_LEN];
    TRY(key_of(key, sizeof key, module, err));
    if (has_path(now, module, path)) FAIL(err, ASSAY_ERR_USAGE, "module '%s' already has '%s'", module, path);
    return config_edit_add(file, key, path, err);
}

/* Whether this line, from `line` on, is the head of a section of modules behind which nothing but blank lines stands before the next head.
 * *end is where the next one begins. */
static bool is_empty_section(assay_slice text, size_t line, size_t *end)
{
    size_t at = line;
    while (at < text.len && text.data[at] != '\n') at++;
    assay_slice head = slice_trim((assay_slice){ text.data + line, at - line });
    while (at < text.len && strchr(" \t\r\n", text.data[at])) at++;
    *end = at;
    return slice_starts(head, "[module") && slice_ends(head, "]") && (at == text.len || text.data[at] == '[');
}

/* Takes the heads of sections away that have lost their last setting. */
static int drop_empty(const char *file, struct mem *mem, assay_error *err)
{
    SCOPED(input_drop) struct input *in = NULL;
    struct output *out;
    assay_slice text;
    struct input_options options = { .mem = mem };
    TRY(input_open(&in, file, &options, err));
    TRY(input_map(in, &text, err));
    TRY(output_open(&out, file, mem, err));
    for (size_t at = 0, end; at < text.len; at = end) {
        if (is_empty_section(text, at, &end)) continue;
        for (end = at; end < text.len && text.data[end] != '\n';) end++;
        end += end < text.len;
        output_bytes(out, text.data + at, end - at);
    }
    return output_commit(out, err);
}

int modules_edit_remove(const char *file, const struct modules *now, const char *module, const char *path, struct mem *mem, assay_error *err)
{
    char key[CONFIG_PATH_LEN];
    TRY(key_of(key, sizeof key, module, err));
    if (!has_path(now, module, NULL)) FAIL(err, ASSAY_ERR_USAGE, "there is no module '%s'", module);
    if (!has_path(now, module, path)) FAIL(err, ASSAY_ERR_USAGE, "module '%s' has no '%s'", module, path);
    TRY(path ? config_edit_remove(file, key, path, err) : config_edit_unset_all(file, key, err));
    return drop_empty(file, mem, err);
}

int modules_edit_separator(const char *file, const char *separator, assay_error *err) { return config_edit_set(file, "module.sep", separator, err); }
