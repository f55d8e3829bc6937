/* The processes that MPI has started, as a team. */
#ifndef MPI_TEAM_H
#define MPI_TEAM_H

#include "base/team.h"

/* NULL = there is one process only. Errors of MPI end all processes. */
const struct team *mpi_team_begin(int *argc, char ***argv);
void mpi_team_end(void);

#endif
