/* Paths as texts: components, one spelling for each, maps from one folder to another, patterns. Nothing is opened or looked at. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "assay/format.h"
#include "base/arena.h"

/* What follows the last slash. */
const char *path_base(const char *path);
/* Without the last component and its slash; "" where there is no slash. */
assay_slice path_folder(assay_slice path);
/* The folder that holds both folders: a part of `a`. */
assay_slice path_shared(assay_slice a, assay_slice b);
/* The folder of a path, but at most `depth` levels after its first `from` bytes; "/" or "." where that is nothing. */
assay_slice path_folder_within(assay_slice path, size_t from, uint32_t depth);
/* No component is "..". */
bool path_is_tame(const char *path);
/* Whether `path` begins with `from` (whole components; "*" stands for any one): how long that part is in *len. */
bool path_begins(const char *path, const char *from, size_t *len);
/* The first map whose `from` begins `path`, or NULL; *rest is what stays of the path, with its slash. */
const struct assay_path_map *path_map(const struct assay_path_map *maps, size_t count, const char *path, const char **rest);

/* A terminated copy in the one spelling that assay gives a path, from the arena; NULL = no memory:
 * file:// is taken off and %XX decoded; webpack://NAME/ is taken off; backslashes become slashes where there is a drive or no slash at all;
 * empty and "." components go, ".." takes the component before it away where there is one. Upper and lower case stay. */
char *path_normal(struct arena *a, assay_slice path);
/* FOLDER/PATH in one spelling; an absolute `path`, or an empty folder or ".", leaves `path` alone. */
char *path_join(struct arena *a, assay_slice folder, assay_slice path);
bool path_is_absolute(assay_slice path);

/* Whether a path in its one spelling, or a folder above it, matches the pattern. Components are compared one by one: "*" stands for any bytes, "?"
 * for one, [a-z] and [!a-z] for one of a set, a backslash takes the next byte as it is; "**" alone in a component stands for any number of them.
 * A pattern that begins with "/" or "./" matches from the beginning of the path, any other at any component. Time: pattern times path. */
bool path_matches(assay_slice path, const char *pattern);

#endif
