/* assay: the command, in one process. src/mpi/main.c is the same in several. */
#include "cli/cli.h"

int main(int argc, char **argv) { return cli_main(argc, argv); }
