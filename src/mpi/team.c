/* Messages of a team by MPI; see mpi/team.h. MPI counts in int: what is longer goes in pieces. */
#include "mpi/team.h"

#include <mpi.h>

enum { PIECE = 1 << 30, TAG = 1 };

static int piece_of(size_t len) { return len < PIECE ? (int)len : PIECE; }

static void team_send(void *arg, uint32_t to, const void *data, size_t len)
{
    (void)arg;
    for (const char *at = data; len > 0; at += piece_of(len), len -= (size_t)piece_of(len)) MPI_Send(at, piece_of(len), MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD);
}

static void team_receive(void *arg, uint32_t from, void *data, size_t len)
{
    (void)arg;
    for (char *at = data; len > 0; at += piece_of(len), len -= (size_t)piece_of(len))
        MPI_Recv(at, piece_of(len), MPI_BYTE, (int)from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void team_broadcast(void *arg, uint32_t from, void *data, size_t len)
{
    (void)arg;
    for (char *at = data; len > 0; at += piece_of(len), len -= (size_t)piece_of(len)) MPI_Bcast(at, piece_of(len), MPI_BYTE, (int)from, MPI_COMM_WORLD);
}

static void team_add(void *arg, uint32_t *values, size_t count)
{
    (void)arg;
    for (; count > 0; values += piece_of(count), count -= (size_t)piece_of(count))
        MPI_Allreduce(MPI_IN_PLACE, values, piece_of(count), MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD);
}

static uint64_t team_sum_before(void *arg, uint64_t mine)
{
    const struct team *t = arg;
    uint64_t sum = 0;
    MPI_Exscan(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return t->rank ? sum : 0;
}

static struct team world = {
    .send = team_send, .receive = team_receive, .broadcast = team_broadcast, .add = team_add, .before = team_sum_before, .arg = &world
};

const struct team *mpi_team_begin(int *argc, char ***argv)
{
    int rank, count, provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    world.rank = (uint32_t)rank;
    world.count = (uint32_t)count;
    return count > 1 ? &world : NULL;
}

void mpi_team_end(void) { MPI_Finalize(); }
