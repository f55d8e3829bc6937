/* Settings; see assay/store.h. */
#include "store/config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/store.h"
#include "base/scoped.h"
#include "store/config_edit.h"

_Static_assert((int)CONFIG_PATH_LEN == ASSAY_STORE_PATH_MAX && (int)CONFIG_LOCAL == ASSAY_STORE_LOCAL && (int)CONFIG_SYSTEM == ASSAY_STORE_SYSTEM,
               "what callers see is what is kept");

struct listing {
    assay_store_config seen;
    struct mem mem;
    struct config config;
};

/* ---- reading ---- */

static int load(struct config *c, const char *store, unsigned levels, const char *file, assay_error *err)
{
    char path[CONFIG_PATH_LEN];
    if (file) return config_load(c, file, CONFIG_LOCAL, err);
    for (unsigned level = CONFIG_SYSTEM; level <= CONFIG_LOCAL; level++) {
        if (levels && !(levels & 1u << level)) continue;
        config_path((enum config_level)level, store, path);
        if (*path) TRY(config_load(c, path, (enum config_level)level, err));
    }
    return 0;
}

/* The entries as columns. */
static int fill(struct listing *l, assay_error *err)
{
    size_t count = l->config.entries.len;
    const char **name = arena_alloc(&l->config.text, (count + 1) * sizeof *name), **value = arena_alloc(&l->config.text, (count + 1) * sizeof *value);
    uint8_t *level = arena_alloc(&l->config.text, count + 1);
    if (!name || !value || !level) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        const struct config_entry *e = &l->config.entries.at[i];
        name[i] = e->key;
        value[i] = e->value;
        level[i] = (uint8_t)e->level;
    }
    l->seen = (assay_store_config){ count, name, value, level };
    return 0;
}

int assay_store_config_new(const char *store, unsigned levels, const char *file, assay_store_config **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct mem first;
    *out = NULL;
    mem_init(&first, 0);
    struct listing *l = mem_zalloc(&first, 1, sizeof *l);
    if (!l) return error_memory(err);
    mem_init(&l->mem, 0);
    config_init(&l->config, &l->mem);
    int rc = load(&l->config, store, levels, file, err);
    bool is_whole = (rc == 0 || rc == ASSAY_ERR_DAMAGED) && fill(l, rc == 0 ? err : NULL) == 0;
    if (is_whole)
        *out = &l->seen;
    else
        assay_store_config_free(&l->seen);
    return rc == 0 && !is_whole ? ASSAY_ERR_MEMORY : rc;
}

void assay_store_config_free(assay_store_config *config)
{
    struct listing *l = (struct listing *)config;
    struct mem last;
    if (!l) return;
    config_done(&l->config);
    mem_init(&last, 0);
    mem_free(&last, l, sizeof *l);
}

bool assay_store_config_name(const char *typed, char *name)
{
    struct mem mem;
    SCOPED(config_done) struct config c;
    mem_init(&mem, 0);
    config_init(&c, &mem);
    const char *key = config_key(&c, typed);
    bool fits = key && strlen(key) < ASSAY_STORE_PATH_MAX;
    if (fits) memcpy(name, key, strlen(key) + 1);
    return fits;
}

const char *assay_store_config_get(const assay_store_config *config, const char *typed)
{
    char name[ASSAY_STORE_PATH_MAX];
    const struct listing *l = (const struct listing *)config;
    return assay_store_config_name(typed, name) ? config_get(&l->config, name) : NULL;
}

/* ---- changing ---- */

/* The folders that a path needs. */
static void make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(path, 0777);
        *p = '/';
    }
}

bool assay_store_config_file(const char *store, enum assay_store_level level, char *path)
{
    char old[CONFIG_PATH_LEN];
    bool is_personal = level == ASSAY_STORE_XDG || level == ASSAY_STORE_GLOBAL;
    config_path(is_personal ? CONFIG_XDG : (enum config_level)level, store, path);
    if (is_personal) {
        config_path(CONFIG_GLOBAL, NULL, old);
        if (*old && access(old, F_OK) == 0) memcpy(path, old, sizeof old);
        if (*path) make_folders(path);
    }
    return *path;
}

int assay_store_config_edit(const char *file, enum assay_store_edit how, const char *name, const char *value, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    if (!value && (how == ASSAY_STORE_SET || how == ASSAY_STORE_ADD)) FAIL(err, ASSAY_ERR_USAGE, "a value is needed");
    switch (how) {
    case ASSAY_STORE_SET: return config_edit_set(file, name, value, err);
    case ASSAY_STORE_ADD: return config_edit_add(file, name, value, err);
    case ASSAY_STORE_UNSET: return config_edit_unset(file, name, err);
    case ASSAY_STORE_UNSET_ALL: return config_edit_unset_all(file, name, err);
    }
    FAIL(err, ASSAY_ERR_USAGE, "%u is no way to change a setting", (unsigned)how);
}
