/* assay-mpi: the command in several processes, started by mpirun or by a batch system. Every rank runs the same command on the same arguments; what of it
 * is shared, the library knows (base/team.h). Rank 0 alone prints, and its exit code is that of the command. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "mpi/team.h"

static bool is_among(const char *word, const char *const *words)
{
    for (; *words; words++) {
        size_t len = strlen(*words);
        if (strncmp(word, *words, len) == 0 && (word[len] == '\0' || word[len] == '=')) return true;
    }
    return false;
}

/* What is no use in several processes is not begun; NULL = it is. */
static const char *refused(int argc, char **argv)
{
    static const char *const verbs[] = { "convert", "merge", "top", "help", NULL }, *const of_streams[] = { "--stats", "--cluster", "--by", NULL };
    if (argc < 2 || argv[1][0] == '-') return NULL;
    if (!is_among(argv[1], verbs)) return argv[1];
    for (int i = 2; strcmp(argv[1], "top") == 0 && i < argc; i++)
        if (is_among(argv[i], of_streams)) return argv[i];
    return NULL;
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
    terminal_none();
    const char *word = refused(argc, argv);
    if (word)
        cli_message("assay-mpi has convert, merge and top, without statistics over streams; '%s' takes one process: use assay", word);
    else
        code = cli_main(argc, argv);
    mpi_team_end();
    return team_rank(team) ? 0 : code;
}
