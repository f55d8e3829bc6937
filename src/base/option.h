/* Options are declared once, in tables: parsing, help, man pages and completion all come from there. A table sets the members of a structure, by their
 * offsets. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/format.h"
#include "base/arena.h"

/* A list of texts; works with base/vec.h. */
struct words {
    const char **at;
    size_t len, cap;
};

/* A list of FROM=TO; works with base/vec.h. */
struct path_maps {
    struct assay_path_map *at;
    size_t len, cap;
};

/* A list of KEY=VALUE; works with base/vec.h. */
struct option_pairs {
    struct assay_option *at;
    size_t len, cap;
};

/* What each sets. */
enum option_type {
    OPTION_FLAG = ASSAY_OPTION_FLAG,       /* bool */
    OPTION_FORM = ASSAY_OPTION_FORM,       /* unsigned: 1, or with =WORD 2 and the number of the word */
    OPTION_NUMBER = ASSAY_OPTION_NUMBER,   /* uint64_t between least and most */
    OPTION_SIZE = ASSAY_OPTION_SIZE,       /* uint64_t, with K, M, G or T for powers of 1024 */
    OPTION_WORD = ASSAY_OPTION_WORD,       /* unsigned: the number of the word given */
    OPTION_PERCENT = ASSAY_OPTION_PERCENT, /* double between 0 and 100, with or without a percent sign */
    OPTION_TEXT = ASSAY_OPTION_TEXT,       /* const char * */
    OPTION_PATH = ASSAY_OPTION_PATH,       /* the same, completed as a file name */
    OPTION_FORMAT = ASSAY_OPTION_FORMAT,   /* the same, the name of a format */
    OPTION_TARGET = ASSAY_OPTION_TARGET,   /* the same, FORMAT or FORMAT:VERSION */
    OPTION_LIST = ASSAY_OPTION_LIST,       /* struct words: may be given again */
    OPTION_MAP = ASSAY_OPTION_MAP,         /* struct path_maps: FROM=TO, may be given again; \= stands for an equals sign */
    OPTION_PAIR = ASSAY_OPTION_PAIR,       /* struct option_pairs: KEY or KEY=VALUE, may be given again */
    OPTION_STEP                            /* the command's own: an action with arguments of its own; may be given again */
};

enum { OPTION_NOWHERE = 0 }; /* `given` of an option that needs no mark; a mark at offset 0 is never asked for */

struct option_spec {
    const char *name; /* without the dashes; NULL ends a table */
    char letter;      /* 0 = none */
    enum option_type type;
    const char *argument; /* what help calls the argument; NULL for flags */
    size_t at;            /* offset of the value in the structure */
    size_t given;         /* offset of a bool that says the option was there, or OPTION_NOWHERE */
    uint64_t least, most;
    const char *const *words; /* ends with NULL; one that ends with a colon takes any text behind it: the value goes to `rest` */
    size_t rest;              /* offset of a const char * */
    const char *help;         /* a phrase, no full stop */
    const char *text;         /* further sentences for the man page, or NULL */
    bool is_hidden;
    bool may_lack; /* at the end of the arguments it needs no value: it is empty then */
};

/* Where values go. */
struct option_target {
    void *settings;                     /* NULL = nowhere: values are only checked */
    struct mem *mem;                    /* of lists */
    struct arena *text;                 /* of what is no part of a value */
    const char *(*format_at)(size_t i); /* the names of formats; NULL = no more */
    const char *before;                 /* what messages put before the name of an option; NULL = "--" */
};

/* Takes no value of its own. */
bool option_is_flag(const struct option_spec *o);
/* Fills *out with what can be said of option i, as far as out->size goes; false = no more. */
bool option_info(const struct option_spec *table, size_t i, struct assay_option_info *out);
/* By its name, or NULL. */
const struct option_spec *option_find(const struct option_spec *table, const char *name);
/* Sets one option; `value`, NULL for flags, is borrowed as long as the structure is used. Errors: USAGE, MEMORY; the sentence names the option and what is
 * allowed. */
int option_put(const struct option_spec *o, const char *value, const struct option_target *to, assay_error *err);
/* USAGE: no option of the table has this name; one that is near is named. */
int option_unknown(const struct option_spec *table, const char *typed, assay_error *err);

/* The word of a list (ends with NULL) that is nearest to what was typed, or NULL when none is near. */
const char *options_nearest(const char *typed, const char *const *words);

#endif
