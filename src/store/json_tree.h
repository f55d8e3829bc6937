/* A JSON text as a tree that can be changed and written again, members in their order. For texts that fit into memory. */
#ifndef STORE_JSON_TREE_H
#define STORE_JSON_TREE_H

#include "base/arena.h"
#include "base/input.h"
#include "base/json_read.h"
#include "base/output.h"

struct json_node {
    enum json_kind kind;     /* JSON_OBJECT, JSON_ARRAY, or a value */
    assay_slice key;         /* of a member of an object */
    assay_slice text;        /* of a string or a number */
    struct json_node *first; /* of an object or array */
    struct json_node *next;
    bool is_removed;
};

/* Everything is from the arena. Errors: DAMAGED, MEMORY, SYSTEM. */
int json_tree_read(struct input *in, struct arena *a, struct mem *mem, struct json_node **out, assay_error *err);
/* The member of an object, or NULL. */
struct json_node *json_tree_member(const struct json_node *object, const char *key);
/* As short as can be, without what is removed. */
void json_tree_write(const struct json_node *root, struct output *out);

/* A string in quotes, with no more escapes than JSON asks for: such texts are part of ids. */
void json_tree_string(struct output *out, assay_slice s);

#endif
