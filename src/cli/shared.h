/* The options that several verbs have: one declaration, one meaning. For option tables only. */
#ifndef CLI_SHARED_H
#define CLI_SHARED_H

#include "cli/options.h"

#define AT(field) .at = offsetof(struct settings, field)
#define GIVEN(field) .given = offsetof(struct settings, field)

extern const char *const color_words[];
extern const char *const json_words[];

#define OPTION_HELP                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "help", .letter = 'h', .type = OPTION_FLAG, AT(help), .help = "explain the verb and its options"                                               \
    }
#define OPTION_JSON                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "json", .type = OPTION_FORM, AT(json), .help = "print one JSON object", .text = "docs/schema describes it."                                    \
    }
#define OPTION_JSON_FORM                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "json", .type = OPTION_FORM, .argument = "short", AT(json), .words = json_words, .help = "print one JSON object",                              \
        .text = "docs/schema describes it. With =short, rows have only the metrics that were asked for, not every metric of the file."                         \
    }
#define OPTION_CSV                                                                                                                                             \
    { .name = "csv",                                                                                                                                           \
      .type = OPTION_FLAG,                                                                                                                                     \
      AT(csv),                                                                                                                                                 \
      .help = "print comma-separated values with a head line",                                                                                                 \
      .text = "Figures are exact. Names that a spreadsheet would take for a formula (they begin with =, +, - or @) get an apostrophe in front, and bytes "     \
              "that are "                                                                                                                                      \
              "no printable UTF-8 are shown as \\xNN." },                                                                                                      \
    {                                                                                                                                                          \
        .name = "csv-raw", .type = OPTION_FLAG, AT(csv_raw), .help = "the same with names as the bytes of the file",                                           \
        .text = "For programs that read CSV. Do not open it in a spreadsheet unless you trust the file."                                                       \
    }
#define OPTION_MARKDOWN                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "markdown", .type = OPTION_FLAG, AT(markdown), .help = "print Markdown tables"                                                                 \
    }
#define OPTION_EXACT                                                                                                                                           \
    {                                                                                                                                                          \
        .name = "exact", .letter = 'x', .type = OPTION_FLAG, AT(exact), .help = "print exact figures, not rounded ones with a unit"                            \
    }
#define OPTION_FULL_NAMES                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "full-names", .type = OPTION_FLAG, AT(full_names), .help = "show names and paths in full",                                                     \
        .text = "Else text has files and modules without their folders, modules where there are several, and long C++ names without some of their template "   \
                "arguments and parameters. JSON, CSV and Markdown always have full names."                                                                     \
    }
#define OPTION_METRIC(more)                                                                                                                                    \
    {                                                                                                                                                          \
        .name = "metric", .letter = 'm', .type = OPTION_TEXT, .argument = "NAME", AT(metric), .help = "show this metric",                                      \
        .text = "Any part of its name will do that no other has, in any case. 'assay info' lists the metrics and marks the default: the one that the file "    \
                "names, else time, else cycles or instructions, else the one "                                                                                 \
                "with the largest total." more                                                                                                                 \
    }
#define OPTION_MIN(which)                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "min", .type = OPTION_PERCENT, .argument = "PERCENT", AT(least), GIVEN(has_least), .help = "leave out what has a smaller share of the whole",  \
        .text = which                                                                                                                                          \
    }
#define OPTION_DEPTH                                                                                                                                           \
    {                                                                                                                                                          \
        .name = "depth", .type = OPTION_NUMBER, .argument = "N", AT(depth), .least = 1, .most = UINT32_MAX, .help = "leave out what is deeper than this"       \
    }
#define OPTION_NO_ESTIMATE                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "no-estimate", .type = OPTION_FLAG, AT(no_estimate), .help = "refuse a call graph instead of estimating its stacks"                            \
    }
#define OPTIONS_ESTIMATE                                                                                                                                       \
    { .name = "estimate",                                                                                                                                      \
      .type = OPTION_FLAG,                                                                                                                                     \
      AT(estimate),                                                                                                                                            \
      .help = "estimate the stacks of a call graph, and say so (the default)",                                                                                 \
      .text = "The cost of a function is divided among its callers in proportion to what their calls cost. Sums by function stay exact; contexts are an "      \
              "estimate where a function has several callers. docs/flame.md says how." },                                                                      \
        OPTION_NO_ESTIMATE
#define OPTION_CYCLES                                                                                                                                          \
    {                                                                                                                                                          \
        .name = "cycles", .type = OPTION_FLAG, AT(cycles), .help = "take functions that call each other together, as '<cycle N>'",                             \
        .text = "In a call graph the totals of such functions count every level of the recursion. With the option the total of each is its self and its "      \
                "calls that leave the cycle, and the cycle is an item of its own, with a total that is right."                                                 \
    }
#define OPTION_LIMIT(what)                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "limit", .letter = 'n', .type = OPTION_NUMBER, .argument = "N", AT(limit), GIVEN(has_limit), .most = UINT64_MAX, .help = what                  \
    }
#define OPTION_FROM                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "from", .letter = 'f', .type = OPTION_FORMAT, .argument = "FORMAT", AT(from),                                                                  \
        .help = "take the input for this format, whatever it looks like", .text = "'assay formats' lists the names."                                           \
    }
#define OPTION_STRICT_READ                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "strict", .type = OPTION_FLAG, AT(strict), .help = "take the first damage for an error, not for a warning"                                     \
    }
#define OPTION_COLOR                                                                                                                                           \
    {                                                                                                                                                          \
        .name = "color", .type = OPTION_WORD, .argument = "WHEN", AT(color), .words = color_words, .help = "colour the text: auto, always or never",           \
        .text = "auto, the default, means on a terminal that is not dumb, unless NO_COLOR is set."                                                             \
    }
#define OPTION_NO_PROGRESS                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "no-progress", .type = OPTION_FLAG, AT(no_progress), .help = "never show a progress bar"                                                       \
    }
#define OPTION_NO_PAGER                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "no-pager", .type = OPTION_FLAG, AT(no_pager), .help = "never start a pager"                                                                   \
    }
#define OPTION_MAX_MEMORY                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "max-memory", .type = OPTION_SIZE, .argument = "SIZE", AT(max_memory), .help = "give up rather than take more memory than this",               \
        .text = "K, M, G and T are powers of 1024. Without the option the limit is the memory of the machine."                                                 \
    }
#define OPTION_MAX_OUTPUT                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "max-output", .type = OPTION_SIZE, .argument = "SIZE", AT(max_output), .help = "give up when a packed input unpacks to more than this",        \
        .text = "K, M, G and T are powers of 1024; the default is 64G."                                                                                        \
    }
#define OPTION_OUTPUT                                                                                                                                          \
    {                                                                                                                                                          \
        .name = "output", .letter = 'o', .type = OPTION_PATH, .argument = "FILE", AT(output), .help = "write to this file, not to standard output",            \
        .text = "The file is replaced as a whole or not at all."                                                                                               \
    }
#define OPTION_SYMBOLS                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "symbols", .type = OPTION_LIST, .argument = "PATH", AT(symbols), .help = "look for programs, libraries and their symbols here too",            \
        .text = "A file or a folder; structure files and separate debug files count too. May be given again."                                                  \
    }
#define OPTION_MAP_PATHS                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "map", .letter = 'R', .type = OPTION_MAP, .argument = "FROM=TO", AT(maps), .help = "what was under FROM when measured is under TO here",       \
        .text = "For programs, libraries and sources. Whole components of the path; '\\=' stands for an equals sign in FROM. May be given again: the first "   \
                "that fits wins."                                                                                                                              \
    }
#define OPTION_NO_SYMBOLS                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "no-symbols", .type = OPTION_FLAG, AT(no_symbols), .help = "show code as module+offset, without looking for symbols"                           \
    }
#define OPTION_NO_LOOPS                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "no-loops", .type = OPTION_FLAG, AT(no_loops), .help = "look for no loops in machine code",                                                    \
        .text = "Loops that a structure file has are shown all the same."                                                                                      \
    }
#define OPTION_NO_STRUCTS                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "no-structs", .type = OPTION_FLAG, AT(no_structures), .help = "use no structure files"                                                         \
    }
#define OPTION_FOREIGN                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "foreign", .type = OPTION_FLAG, AT(foreign), .help = "look at no file of this machine but the input and what --symbols and --map name",        \
        .text = "For data that was measured on another machine: a library of the same name here need not be the same."                                         \
    }
#define OPTION_SOURCE_ROOT                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "source-root", .type = OPTION_LIST, .argument = "DIR", AT(source_roots), .help = "look for sources below this folder, and name files by it",   \
        .text = "Relative paths, Go import paths (by go.mod) and the ends of absolute ones; the first that exists is taken. May be given again."               \
    }
#define OPTION_FOLLOW_LINKS                                                                                                                                    \
    {                                                                                                                                                          \
        .name = "follow-links", .type = OPTION_FLAG, AT(follow_links), .help = "show sources that links lead to outside of --source-root",                     \
        .text = "Without it only files that really lie below a source root, or a folder that --map names, are shown: the paths of an input must not pull "     \
                "other files into a report."                                                                                                                   \
    }
#define OPTION_INCLUDE                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "include", .type = OPTION_LIST, .argument = "GLOB", AT(includes), .help = "only files whose path fits GLOB",                                   \
        .text = "'*' and '?' stay within a component, '**' stands for any number of components; a folder that fits takes all below it along. 'src/*.c' fits "  \
                "at any depth, './src/*.c' and '/src/*.c' only from the beginning of the path. May be given again: any of them will do."                       \
    }
#define OPTION_EXCLUDE                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "exclude", .type = OPTION_LIST, .argument = "GLOB", AT(excludes), .help = "no files whose path fits GLOB, as in --include",                    \
        .text = "May be given again. It counts for more than --include."                                                                                       \
    }
#define OPTION_EXCLUSIONS                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "exclusions", .type = OPTION_FLAG, AT(exclusions), .help = "leave out what marks in the sources say is not to be counted",                     \
        .text = "LCOV_EXCL_LINE and its kin, 'pragma: no cover', 'istanbul ignore' and 'c8 ignore', @codeCoverageIgnore, :nocov:, coverage:ignore. "           \
                "The sources are looked for as --source-root and --map say. docs/coverage.md lists the marks."                                                 \
    }
/* What gcovr can leave out, under gcovr's names. */
#define OPTIONS_RULES                                                                                                                                          \
    { .name = "exclude-throw-branches",                                                                                                                        \
      .type = OPTION_FLAG,                                                                                                                                     \
      AT(throw_branches),                                                                                                                                      \
      .help = "leave out branches that only an exception takes",                                                                                               \
      .text = "Where the report says which these are: gcov's text and JSON, lcov 2." },                                                                        \
        { .name = "exclude-unreachable-branches",                                                                                                              \
          .type = OPTION_FLAG,                                                                                                                                 \
          AT(unreachable_branches),                                                                                                                            \
          .help = "leave out branches of source lines that hold nothing but braces and comments",                                                              \
          .text = "They are made by the compiler. The sources are looked for as --source-root and --map say." },                                               \
    {                                                                                                                                                          \
        .name = "exclude-lines", .type = OPTION_LIST, .argument = "REGEX", AT(exclude_lines), .help = "leave out source lines that match REGEX",               \
        .text = "A regular expression (PCRE2) that must match from the beginning of the line, as in gcovr: '.*assert' matches anywhere. The sources are "      \
                "looked for as --source-root and --map say. May be given again."                                                                               \
    }
/* Which cost is meant; docs/filters.md. cli_read_options hands it to the reader. */
#define OPTION_FOCUS                                                                                                                                           \
    {                                                                                                                                                          \
        .name = "focus", .type = OPTION_LIST, .argument = "REGEX", AT(focus), .help = "only cost of stacks with a function that fits REGEX",                   \
        .text = "A regular expression (PCRE2) that is looked for anywhere in the name; '^' and '$' stand for its ends, '(?i)' takes upper and lower case "     \
                "for the same. Shares are then of what is left. May be given again: any of them will do. docs/filters.md explains all filters."                \
    }
#define OPTION_IGNORE                                                                                                                                          \
    {                                                                                                                                                          \
        .name = "ignore", .type = OPTION_LIST, .argument = "REGEX", AT(ignore), .help = "no cost of stacks with a function that fits REGEX",                   \
        .text = "May be given again. It counts for more than --focus."                                                                                         \
    }
#define OPTION_HIDE                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "hide", .type = OPTION_LIST, .argument = "REGEX", AT(hide), .help = "take functions that fit REGEX out of stacks",                             \
        .text = "What they cost themselves is cost of their callers then, and what they called stands below those. May be given again."                        \
    }
#define OPTION_ONLY_MODULE                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "module", .type = OPTION_LIST, .argument = "GLOB", AT(only_modules), .help = "only cost of code in programs and libraries that fit GLOB",      \
        .text = "Paths fit as in --include: 'libc.so*' at any depth. What leads to that code stays as context. May be given again."                            \
    }
#define OPTION_ONLY_FILE                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "file", .type = OPTION_LIST, .argument = "GLOB", AT(only_files), .help = "only cost of code in source files that fit GLOB",                    \
        .text = "Paths fit as in --include: 'src/*.c' at any depth. What leads to that code stays as context. May be given again."                             \
    }
#define OPTION_ONLY_STREAM                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "stream", .type = OPTION_LIST, .argument = "WHICH", AT(only_streams), .help = "only cost of these threads, processes or parts",                \
        .text = "A number or a range of numbers in the order of 'assay info' (2, 1-4), what its label contains, or ids: 'RANK 1', RANK=0-3,THREAD=0. May be "  \
                "given again."                                                                                                                                 \
    }
#define OPTION_ONLY_TIME                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "time", .type = OPTION_TEXT, .argument = "A..B", AT(time), .help = "only what happened from A to B, where the input tells",                    \
        .text = "Since the first event, in ns, us, ms or s (the default), or in percent of the whole: 1.5s..2s, ..20%. The figures are then the time that "    \
                "was spent."                                                                                                                                   \
    }
#define OPTIONS_GATES                                                                                                                                          \
    { .name = "fail-under",                                                                                                                                    \
      .type = OPTION_TEXT,                                                                                                                                     \
      .argument = "PERCENT",                                                                                                                                   \
      AT(fail_under),                                                                                                                                          \
      .help = "exit with status 1 if line coverage is below PERCENT",                                                                                          \
      .text = "A percentage, or a list of KIND=PERCENT such as lines=80,branches=70; the kinds are lines, functions, branches, statements and conditions. "    \
              "Each input is judged by itself, after the filters; if it has nothing of a kind, it fails." },                                                   \
    {                                                                                                                                                          \
        .name = "fail-under-each", .type = OPTION_TEXT, .argument = "PERCENT", AT(fail_under_each),                                                            \
        .help = "exit with status 1 if the coverage of any source file is below PERCENT",                                                                      \
        .text = "The same values as for --fail-under; a file that has nothing of a kind is not judged by it."                                                  \
    }
#define OPTION_END                                                                                                                                             \
    {                                                                                                                                                          \
        .name = NULL                                                                                                                                           \
    }

/* What verbs have that look at directories of measurements in detail. */
#define OPTIONS_MEASUREMENTS                                                                                                                                   \
    { .name = "only-exe",                                                                                                                                      \
      .type = OPTION_LIST,                                                                                                                                     \
      .argument = "NAME",                                                                                                                                      \
      AT(only_exes),                                                                                                                                           \
      .help = "of measurements, only the profiles of this program",                                                                                            \
      .text = "May be given again." },                                                                                                                         \
        { .name = "exclude-exe", .type = OPTION_LIST, .argument = "NAME", AT(exclude_exes), .help = "of measurements, not the profiles of this program" },     \
        { .name = "no-traces", .type = OPTION_FLAG, AT(no_traces), .help = "leave out the traces of measurements" },                                           \
    {                                                                                                                                                          \
        .name = "dwarf-max-size", .type = OPTION_SIZE, .argument = "SIZE", AT(dwarf_max_size),                                                                 \
        .help = "of larger files, use the symbol table only, not DWARF", .text = "K, M, G and T are powers of 1024; the default is 100M."                      \
    }

/* What verbs have that print tables. */
#define OPTIONS_TABLE OPTION_EXACT, OPTION_FULL_NAMES, OPTION_JSON_FORM, OPTION_CSV, OPTION_MARKDOWN, OPTION_STRICT_READ, OPTION_COLOR, OPTION_OUTPUT

/* What verbs have that turn addresses into functions. */
#define OPTIONS_SYMBOLS OPTION_SYMBOLS, OPTION_MAP_PATHS, OPTION_NO_SYMBOLS, OPTION_NO_STRUCTS, OPTION_NO_LOOPS, OPTION_FOREIGN

/* What verbs have that show coverage: which files, and where they are. cli_read_options hands it to the reader. Needs OPTION_MAP_PATHS too. */
#define OPTIONS_COVERAGE OPTION_SOURCE_ROOT, OPTION_FOLLOW_LINKS, OPTION_INCLUDE, OPTION_EXCLUDE, OPTION_EXCLUSIONS, OPTIONS_RULES

/* What verbs have that show cost. `annotate` has a --file of its own: which files to show. */
#define OPTIONS_SELECT_BUT_FILE OPTION_FOCUS, OPTION_IGNORE, OPTION_HIDE, OPTION_ONLY_MODULE, OPTION_ONLY_STREAM, OPTION_ONLY_TIME
#define OPTIONS_SELECT OPTION_FOCUS, OPTION_IGNORE, OPTION_HIDE, OPTION_ONLY_MODULE, OPTION_ONLY_FILE, OPTION_ONLY_STREAM, OPTION_ONLY_TIME

/* What every verb that opens files has at the end of its table. */
#define OPTIONS_READING OPTION_FROM, OPTION_NO_PROGRESS, OPTION_MAX_MEMORY, OPTION_MAX_OUTPUT, OPTION_HELP

#endif
