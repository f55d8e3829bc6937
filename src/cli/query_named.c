/* Named questions: those of the library, and files NAME.sql of the user, which come first. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/option.h"
#include "base/slice.h"
#include "base/text.h"
#include "cli/query.h"

enum { SQL_MOST = 1 << 20, NAMES_MOST = 1000, PATH_LEN = 4096, LINE_LEN = 200 };

/* ---- files ---- */

bool query_is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

char *query_read(const char *path, assay_error *err)
{
    bool is_input = strcmp(path, "-") == 0;
    FILE *f = is_input ? stdin : fopen(path, "re");
    char *text = f ? malloc(SQL_MOST + 1) : NULL;
    if (!f)
        (void)error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot open it");
    else if (!text)
        (void)error_memory(err);
    else {
        size_t len = fread(text, 1, SQL_MOST + 1, f);
        bool is_bad = ferror(f) || len > SQL_MOST || memchr(text, 0, len);
        if (ferror(f))
            (void)error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot read it");
        else if (is_bad)
            (void)error_set(err, ASSAY_ERR_LIMIT, "is no text of at most 1 MiB");
        else
            text[len] = 0;
        if (is_bad) {
            free(text);
            text = NULL;
        }
    }
    if (f && !is_input) fclose(f);
    error_path(err, path);
    return text;
}

/* The user's own folder into buf; false = there is none. */
static bool own_folder(const char *folder, char *buf, size_t len)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int written = folder              ? snprintf(buf, len, "%s", folder)
                  : config && *config ? snprintf(buf, len, "%s/assay/queries", config)
                  : home && *home     ? snprintf(buf, len, "%s/.config/assay/queries", home)
                                      : -1;
    return written > 0 && (size_t)written < len;
}

/* A name is a name: no path. */
static bool is_name(const char *name) { return *name && !strchr(name, '/') && name[0] != '.'; }

static const struct assay_named_query *find_named(const char *name)
{
    const struct assay_named_query *q;
    for (size_t i = 0; (q = assay_named_query_at(i)); i++)
        if (strcmp(q->name, name) == 0) return q;
    return NULL;
}

static const char *nearest(const char *name)
{
    const char *names[NAMES_MOST + 1];
    size_t n = 0;
    for (const struct assay_named_query *q; n < NAMES_MOST && (q = assay_named_query_at(n)); n++) names[n] = q->name;
    names[n] = NULL;
    return options_nearest(name, names);
}

char *query_named_sql(const char *folder, const char *name, assay_error *err)
{
    char dir[PATH_LEN], path[PATH_LEN + 300];
    if (is_name(name) && own_folder(folder, dir, sizeof dir)) {
        snprintf(path, sizeof path, "%s/%.250s.sql", dir, name);
        if (query_is_file(path)) return query_read(path, err);
    }
    const struct assay_named_query *q = find_named(name);
    char *sql = q ? strdup(q->sql) : NULL;
    const char *near = nearest(name);
    if (!q && near)
        (void)error_set(err, ASSAY_ERR_USAGE, "there is no question '%s'; did you mean '%s'?", name, near);
    else if (!q)
        (void)error_set(err, ASSAY_ERR_USAGE, "there is no question '%s'; --named alone lists them", name);
    else if (!sql)
        (void)error_memory(err);
    return sql;
}

/* ---- the list ---- */

struct own_names {
    char *name[NAMES_MOST];
    size_t count;
};

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* What a file says of itself: its first line, a comment. */
static void print_own(struct output *out, const char *dir, const char *name)
{
    char path[PATH_LEN + 300], line[LINE_LEN] = "";
    snprintf(path, sizeof path, "%s/%.250s.sql", dir, name);
    FILE *f = fopen(path, "re");
    if (f && !fgets(line, sizeof line, f)) line[0] = 0;
    if (f) fclose(f);
    line[strcspn(line, "\r\n")] = 0;
    text_show(out, slice_of(name));
    output_printf(out, "%*s ", (int)(strlen(name) < 18 ? 18 - strlen(name) : 0), "");
    text_show(out, slice_of(strncmp(line, "-- ", 3) == 0 ? line + 3 : "your own"));
    output_char(out, '\n');
}

static void list_own(struct own_names *own, const char *dir)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && own->count < NAMES_MOST && (e = readdir(d));) {
        size_t len = strlen(e->d_name);
        if (len < 5 || strcmp(e->d_name + len - 4, ".sql") != 0 || !is_name(e->d_name)) continue;
        char *name = strndup(e->d_name, len - 4);
        if (name) own->name[own->count++] = name;
    }
    if (d) closedir(d);
    qsort(own->name, own->count, sizeof *own->name, by_text);
}

static bool is_own(const struct own_names *own, const char *name)
{
    for (size_t i = 0; i < own->count; i++)
        if (strcmp(own->name[i], name) == 0) return true;
    return false;
}

void query_list_named(struct output *out, const char *folder)
{
    char dir[PATH_LEN];
    struct own_names *own = calloc(1, sizeof *own);
    const struct assay_named_query *q;
    if (own && own_folder(folder, dir, sizeof dir)) list_own(own, dir);
    for (size_t i = 0; (q = assay_named_query_at(i)); i++)
        if (!own || !is_own(own, q->name)) output_printf(out, "%-18s %s\n", q->name, q->text);
    for (size_t i = 0; own && i < own->count; i++) {
        print_own(out, dir, own->name[i]);
        free(own->name[i]);
    }
    free(own);
}
