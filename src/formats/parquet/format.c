/* The table entry of `parquet`: the tables of `assay query` as a folder of Parquet files, for engines that read them. Only written. */
#include <string.h>

#include "base/folder.h"
#include "formats/parquet/tables.h"

static uint32_t want(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_ALL & ~(uint32_t)ASSAY_WANT_WHOLE;
}

/* Only a folder that such tables are in: it may be replaced. It is never read. */
static int probe(const struct probe *p, const char **why)
{
    char head[4];
    *why = "directory of tables written by assay";
    return p->is_dir && folder_peek(p->path, "profile.parquet", head, sizeof head) == sizeof head && memcmp(head, "PAR1", sizeof head) == 0 ? 5 : 0;
}

static const char *const extensions[] = { ".parquet", NULL };
static const char *const versions[] = { "1", NULL };
static const char *const dir_names[] = { "*.parquet", NULL };

static const struct option_spec writing[] = {
    { .name = "partition",
      .type = OPTION_TEXT,
      .argument = "KEY",
      .at = offsetof(struct parquet_options, partition),
      .help = "write tables with a column stream as a directory with a file for each rank, thread, ...",
      .text =
          "KEY is a kind of id that streams have (rank, thread, node, ...; 'select distinct kind from tuple' lists them), or stream. The table value becomes "
          "value.parquet/rank=0/part.parquet and so on, as engines expect it of partitioned tables; a stream without such an id is in "
          "rank=__HIVE_DEFAULT_PARTITION__." },
    { .name = NULL },
};

enum {
    HOLDS = ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES | ASSAY_SHAPE_TIMELINE | ASSAY_SHAPE_COVERAGE,
    FEATURES = ASSAY_HAS_METRICS | ASSAY_HAS_MARKERS | ASSAY_HAS_MODULES | ASSAY_HAS_FILES | ASSAY_HAS_COST_LINES | ASSAY_HAS_CALL_LINES | ASSAY_HAS_ADDRESSES |
               ASSAY_HAS_JUMPS | ASSAY_HAS_STREAMS | ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE | ASSAY_HAS_FRACTIONS | ASSAY_HAS_ENTRIES | ASSAY_HAS_FORMULAS |
               ASSAY_HAS_SOURCES
};

const struct format parquet_format = {
    .info = { "parquet", "directory of Parquet files, one for each table of 'assay query'", extensions, versions, "", HOLDS, ASSAY_CAN_WRITE, FEATURES },
    .probe = probe,
    .write_dir = parquet_write,
    .writing = { writing, sizeof(struct parquet_options) },
    .dir_names = dir_names,
    .write_wants = want,
    .takes_trees = true,
};
