/* Inside of struct symbols; for symbols.c and open.c. */
#ifndef SYMBOLS_MODULE_H
#define SYMBOLS_MODULE_H

#include "symbols/find.h"
#include "symbols/loops.h"
#include "symbols/sources.h"
#include "symbols/structure_index.h"

struct symbols_module {
    const char *path, *build_id;
    const char *name;   /* to be shown */
    const char *source; /* a phrase */
    const char *file;   /* that was found, with options.as_perf; else NULL */
    bool is_open;       /* looked for; table NULL = nothing found */
    bool is_logical;
    bool owns_table;
    struct symtab *table;
    struct loops *loops; /* NULL = none are looked for, or the table has them */
};

struct symbols_structure {
    const char *path;
    const char *first;             /* the name of its first module; NULL = not looked at, or unreadable */
    struct structure_index *index; /* NULL = not loaded */
    bool is_peeked, is_bad;
    bool is_counted, has_more; /* more than one module */
};

struct symbols {
    struct mem *mem;
    struct symbols_options options;
    struct trouble trouble;
    struct arena text;
    struct assay_path_map *maps; /* the caller's and that of a directory that was moved; NULL = the caller's alone */
    struct index by_name;
    VEC(struct symbols_module) modules;
    VEC(struct symbols_structure) structures;
    struct find_list structure_paths;
    bool has_structures; /* the folders have been looked at */
    bool told_no_loops;  /* that this build cannot look for them */
    struct symtab_chain chain;
};

/* Finds and loads the module's symbols. false = no memory. */
bool module_open(struct symbols *s, struct symbols_module *m);
/* The table of the module in a structure file, or NULL; *path is then the file. *failed = no memory. */
struct symtab *structures_find(struct symbols *s, const char *module, const char **path, bool *failed);

#endif
