/* What can be asked of a database that is written, beyond what other formats know. */
#include "formats/hpcdb/plan.h"

static const char *const statistic_words[] = { "sum", "none", "normal", "extrema", "stats", NULL };

uint32_t hpcdb_statistics(const struct hpcdb_options *options)
{
    static const uint32_t bits[] = { 0, 0, HPCDB_STATISTIC_NORMAL, HPCDB_STATISTIC_EXTREMA, HPCDB_STATISTIC_NORMAL | HPCDB_STATISTIC_EXTREMA };
    return bits[options->statistics];
}

#define AT(member) .at = offsetof(struct hpcdb_options, member)

const struct option_spec hpcdb_writing[] = {
    { .name = "statistics",
      .letter = 'M',
      .type = OPTION_WORD,
      .argument = "WHICH",
      AT(statistics),
      .words = statistic_words,
      .help = "statistics across threads: sum, normal, extrema or stats",
      .text = "The sum is always written. normal adds mean and standard deviation, extrema adds minimum and maximum, stats adds all of them; none means sum. A "
              "database used as input keeps its own statistics." },
    { .name = "compat",
      .type = OPTION_FLAG,
      AT(compat),
      .help = "reproduce the faults of hpcprof, to compare with its databases",
      .text = "docs/formats/hpcdb.md lists them." },
    { .name = "title", .type = OPTION_TEXT, .argument = "TEXT", AT(title), .help = "the title of the database" },
    { .name = "name", .letter = 'n', .type = OPTION_TEXT, .argument = "TITLE", AT(title), .help = "same as title, as in hpcprof" },
    { .name = "copy-sources",
      .type = OPTION_FLAG,
      AT(copy_sources),
      .help = "copy all source files that are found into the database",
      .text = "Sources are found by their paths after mapping; if the input is foreign, only at the targets of maps." },
    { .name = NULL },
};
