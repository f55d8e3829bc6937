/* Entries of columns, which are NULL where no row fills them. For source files only: the names are short. */
#ifndef MODEL_ENTRY_H
#define MODEL_ENTRY_H

/* The number of an id, and a plain value; 0 where there is no column. */
#define ID(column, i) ((column) ? (column)[i].v : 0)
#define AT(column, i) ((column) ? (column)[i] : 0)

#endif
