/* A temporary file without a name, which is gone when the process is. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

/* A descriptor for reading and writing, the caller's to close, of a file in $TMPDIR or /tmp; -1 = there can be none. */
int temporary_open(void);

#endif
