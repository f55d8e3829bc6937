/* Temporary files and folders of writers that were killed. A writer flocks what it makes, for as long as it lives; so whoever writes to the same
 * target next can tell what nobody owns any more, and removes it. Where there is no flock, everything stays. */
#ifndef BASE_LEFTOVER_H
#define BASE_LEFTOVER_H

#include <stdbool.h>
#include <stddef.h>

/* Makes the new file or folder `path`, open as `fd`, known as ours until all descriptors of it are closed. false = somebody took it for left over
 * and removed it already: another is needed. */
bool leftover_own(int fd, const char *path);
/* Removes what is named like `temp` but for its last `letters` bytes (a-z, 0-9), belongs to the same user, and is owned by nobody who lives. Folders go
 * with all that is in them, but links are not followed. */
void leftover_remove(const char *temp, size_t letters);
/* Removes, of what is named so, what this very process has open: for one that is about to end itself while its threads are still at work. */
void leftover_remove_own(const char *temp, size_t letters);
/* A folder and all that is in it. */
void leftover_remove_tree(const char *path);

#endif
