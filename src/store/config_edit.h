/* Changing a config file, by libgit2: comments and order of the file stay. Every call replaces the file as a whole. */
#ifndef STORE_CONFIG_EDIT_H
#define STORE_CONFIG_EDIT_H

#include "base/error.h"

/* The file is made when it is not there. Errors: USAGE (no key; the key has several values, or comes from an included file), UNKNOWN (nothing to
 * remove), WRITE, UNSUPPORTED (built without libgit2). */
int config_edit_set(const char *path, const char *key, const char *value, assay_error *err);
int config_edit_add(const char *path, const char *key, const char *value, assay_error *err);
int config_edit_unset(const char *path, const char *key, assay_error *err);
int config_edit_unset_all(const char *path, const char *key, assay_error *err);
/* Removes the values of `key` that are equal to `value`. */
int config_edit_remove(const char *path, const char *key, const char *value, assay_error *err);

#endif
