/* Settings in git's config syntax: files of several levels, read in their order, the later value wins. Files are changed by config_edit.h.
 *
 * Hostile text is fine: nothing is executed, included files are followed to a fixed depth and only from files (never from text in memory). */
#ifndef STORE_CONFIG_H
#define STORE_CONFIG_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

/* Where a value came from; later ones win. */
enum config_level { CONFIG_SYSTEM, CONFIG_XDG, CONFIG_GLOBAL, CONFIG_LOCAL };

struct config_entry {
    const char *key;   /* section.name or section.subsection.name: section and name in lower case */
    const char *value; /* "" when there was no equals sign */
    enum config_level level;
};

struct config {
    struct mem *mem;
    struct arena text;
    VEC(struct config_entry) entries; /* in the order of the files */
};

void config_init(struct config *c, struct mem *mem);
void config_done(struct config *c);

/* Adds the settings of a text. What stands before the damage is kept. Errors: DAMAGED (with the line), MEMORY. */
int config_parse(struct config *c, assay_slice text, enum config_level level, assay_error *err);
/* Adds those of a file and of the files it includes; a file that is not there has none. Errors: DAMAGED, SYSTEM, MEMORY, LIMIT (too deep). */
int config_load(struct config *c, const char *path, enum config_level level, assay_error *err);

/* The last value; NULL = there is none. */
const char *config_get(const struct config *c, const char *key);
/* The key as it is kept: section and name in lower case. NULL = that is no key (a section, a dot and a name), or no memory. */
const char *config_key(struct config *c, const char *typed);

/* ---- where the files are ---- */

enum { CONFIG_PATH_LEN = 4096 };
/* The file of a level; "" = there is no such place. `store` is the folder of the store, or NULL. */
void config_path(enum config_level level, const char *store, char buf[CONFIG_PATH_LEN]);
/* All levels that there are. */
int config_load_all(struct config *c, const char *store, assay_error *err);

#endif
