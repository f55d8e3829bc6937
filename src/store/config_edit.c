/* Changing config files; see config_edit.h. */
#include "store/config_edit.h"

#include <stdio.h>
#include <string.h>

#ifdef ASSAY_HAVE_GIT
#include <late_git2.h>

static int failed(assay_error *err, int code)
{
    const git_error *last = git_error_last();
    int ours = code == GIT_ENOTFOUND ? ASSAY_ERR_UNKNOWN : last && last->klass == GIT_ERROR_CONFIG ? ASSAY_ERR_USAGE : ASSAY_ERR_WRITE;
    FAIL(err, ours, "%s", last ? last->message : "the config file cannot be changed");
}

/* End with done(). */
static int begin(git_config **out, const char *path, assay_error *err)
{
    TRY(late_git2_load(err));
    if (git_libgit2_init() < 0) FAIL(err, ASSAY_ERR_SYSTEM, "libgit2 cannot be started");
    int rc = git_config_new(out);
    if (rc >= 0) rc = git_config_add_file_ondisk(*out, path, GIT_CONFIG_LEVEL_LOCAL, NULL, 0);
    if (rc >= 0) return 0;
    failed(err, rc);
    git_config_free(*out);
    git_libgit2_shutdown();
    return err ? err->code : ASSAY_ERR_WRITE;
}

static int done(git_config *c, int rc, const char *path, assay_error *err)
{
    int ours = rc < 0 ? failed(err, rc) : 0;
    git_config_free(c);
    git_libgit2_shutdown();
    if (ours != 0 && ours != ASSAY_ERR_USAGE) error_path(err, path);
    return ours;
}

/* A regular expression that matches this text and nothing else; false = too long. */
static bool quote(const char *text, char *buf, size_t len)
{
    size_t at = 0;
    if (len < 4) return false;
    buf[at++] = '^';
    for (; *text && at + 4 < len; text++) {
        if (strchr("\\^$.|?*+()[]{}", *text)) buf[at++] = '\\';
        buf[at++] = *text;
    }
    buf[at++] = '$';
    buf[at] = '\0';
    return *text == '\0';
}

int config_edit_set(const char *path, const char *key, const char *value, assay_error *err)
{
    git_config *c = NULL;
    TRY(begin(&c, path, err));
    return done(c, git_config_set_string(c, key, value), path, err);
}

int config_edit_add(const char *path, const char *key, const char *value, assay_error *err)
{
    git_config *c = NULL;
    TRY(begin(&c, path, err));
    /* No value matches this, so that one is added. */
    return done(c, git_config_set_multivar(c, key, "^\\b\\B$", value), path, err);
}

int config_edit_unset(const char *path, const char *key, assay_error *err)
{
    git_config *c = NULL;
    TRY(begin(&c, path, err));
    return done(c, git_config_delete_entry(c, key), path, err);
}

int config_edit_unset_all(const char *path, const char *key, assay_error *err)
{
    git_config *c = NULL;
    TRY(begin(&c, path, err));
    return done(c, git_config_delete_multivar(c, key, ".*"), path, err);
}

int config_edit_remove(const char *path, const char *key, const char *value, assay_error *err)
{
    git_config *c = NULL;
    char pattern[4096];
    if (!quote(value, pattern, sizeof pattern)) FAIL(err, ASSAY_ERR_LIMIT, "the value is too long");
    TRY(begin(&c, path, err));
    return done(c, git_config_delete_multivar(c, key, pattern), path, err);
}

#else

static int missing(assay_error *err) { FAIL(err, ASSAY_ERR_UNSUPPORTED, "this assay was built without libgit2, which changes config files"); }

int config_edit_set(const char *path, const char *key, const char *value, assay_error *err)
{
    (void)path, (void)key, (void)value;
    return missing(err);
}

int config_edit_add(const char *path, const char *key, const char *value, assay_error *err)
{
    (void)path, (void)key, (void)value;
    return missing(err);
}

int config_edit_unset(const char *path, const char *key, assay_error *err)
{
    (void)path, (void)key;
    return missing(err);
}

int config_edit_unset_all(const char *path, const char *key, assay_error *err)
{
    (void)path, (void)key;
    return missing(err);
}

int config_edit_remove(const char *path, const char *key, const char *value, assay_error *err)
{
    (void)path, (void)key, (void)value;
    return missing(err);
}
#endif
