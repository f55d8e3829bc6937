/* assay-mpi: the command in several processes, started by mpirun or by a batch system. Every rank runs the same command on the same arguments; what of it
 * is shared, the library knows (base/team.h). Rank 0 alone prints, and its exit code is that of the command. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "mpi/team.h"

/* What is no use in several processes is not begun. */
static bool is_shared(const char *word)
{
    static const char *const words[] = { "convert", "help", NULL };
    for (const char *const *w = words; *w; w++)
        if (strcmp(word, *w) == 0) return true;
    return word[0] == '-';
}

static void fall_silent(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

int main(int argc, char **argv)
{
    const struct team *team = mpi_team_begin(&argc, &argv);
    int code = CLI_USAGE;
    if (team_rank(team) > 0) fall_silent();
    team_set(team);
    if (argc > 1 && !is_shared(argv[1]))
        cli_message("assay-mpi can convert; '%s' is done by one process: assay %s", argv[1], argv[1]);
    else
        code = cli_main(argc, argv);
    mpi_team_end();
    return team_rank(team) ? 0 : code;
}
