/* Folders in paths made unreadable, for a page that is sent to others. */
#ifndef SERVER_MASK_H
#define SERVER_MASK_H

#include <stddef.h>

#include "server/sheet.h"

/* Every folder of an absolute path in the text becomes as many 'x': /home/me/a.c is /xxxx/xx/a.c. The length stays, and so does JSON. */
void mask_paths(char *text, size_t len);
/* The same in all strings of a sheet and its header, but for the text of sources. */
void mask_sheet(struct sheet *c);

#endif
