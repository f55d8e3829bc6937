/* The folder that the program is installed in: where its own files are. */
#ifndef BASE_INSTALLED_H
#define BASE_INSTALLED_H

enum { INSTALLED_PATH_LEN = 4096 };
/* From where it runs: "/usr" of "/usr/bin/assay"; "" when that cannot be told. */
void installed_prefix(char buf[INSTALLED_PATH_LEN]);

#endif
