/* Handles in place of files; see handles.h. */
#include "cli/handles.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "assay/mcp.h"

const char *file_of_handle(struct cli *c, const char *text)
{
    char path[PATH_MAX];
    if (text[0] != 'f' || access(text, F_OK) == 0 || !assay_handle_find(text, path, sizeof path)) return text;
    return arena_copy(&c->set.text, (assay_slice){ path, strlen(path) });
}

/* How many arguments come before the files; all of them where there are none. */
static size_t count_words(const struct verb *v)
{
    static const char *const inputs[] = { "FILE", "BEFORE", "REPORT" };
    const struct assay_verb *of = v->as ? assay_verb_find(v->as) : NULL;
    size_t words = 0;
    for (const char *const *w = of ? of->words : NULL; w && *w; w++) words++;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (strstr(v->arguments, inputs[i])) return words;
    return SIZE_MAX;
}

bool files_of_handles(struct cli *c)
{
    for (size_t i = count_words(c->verb); i < c->set.files.len; i++) {
        const char **at = &c->set.files.at[i];
        if (!(*at = file_of_handle(c, *at))) return false;
    }
    return true;
}
