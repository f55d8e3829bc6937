/* The options that several verbs have: one declaration, one meaning. For option tables only. Whoever includes this has a `struct settings` with a member for
 * each option that its tables take from here: that of the library (report/verbs/settings.h), that of the command for verbs of its own. */
#ifndef BASE_OPTION_TABLE_H
#define BASE_OPTION_TABLE_H

#include "base/option.h"
#include "base/parallel.h"

#define AT(field) .at = offsetof(struct settings, field)
#define GIVEN(field) .given = offsetof(struct settings, field)

#define COLOR_WORDS                                                                                                                                            \
    (const char *const[]) { "auto", "always", "never", NULL }
#define JSON_WORDS                                                                                                                                             \
    (const char *const[]) { "short", NULL }

#define OPTION_HELP                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "help", .letter = 'h', .type = OPTION_FLAG, AT(help), .help = "show this help"                                                                 \
    }
#define OPTION_JSON                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "json", .type = OPTION_FORM, AT(json), .help = "print one JSON object", .text = "docs/schema describes the object."                            \
    }
#define OPTION_JSON_FORM                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "json", .type = OPTION_FORM, .argument = "short", AT(json), .words = JSON_WORDS, .help = "print one JSON object",                              \
        .text = "docs/schema describes the object. With =short, rows contain only the requested metrics instead of every metric in the file."                  \
    }
#define OPTION_CSV                                                                                                                                             \
    { .name = "csv",                                                                                                                                           \
      .type = OPTION_FLAG,                                                                                                                                     \
      AT(csv),                                                                                                                                                 \
      .help = "print comma-separated values with a header",                                                                                                    \
      .text = "Figures are exact. Names that a spreadsheet would treat as a formula (starting with =, +, - or @) are prefixed with an apostrophe, and bytes "  \
              "that are not printable UTF-8 are shown as \\xNN." },                                                                                            \
    {                                                                                                                                                          \
        .name = "csv-raw", .type = OPTION_FLAG, AT(csv_raw), .help = "like --csv, but print names byte for byte",                                              \
        .text = "For programs that read CSV. Do not open the result in a spreadsheet unless you trust the input."                                              \
    }
#define OPTION_MARKDOWN                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "markdown", .type = OPTION_FLAG, AT(markdown), .help = "print Markdown tables"                                                                 \
    }
/* Of verbs that judge. */
#define OPTIONS_ISSUES                                                                                                                                         \
    { .name = "sarif",                                                                                                                                         \
      .type = OPTION_FLAG,                                                                                                                                     \
      AT(sarif),                                                                                                                                               \
      .help = "print SARIF 2.1.0, for code scanning and editors",                                                                                              \
      .text = "A result for each finding, with its rule and place; docs/ci.md tells what is in it." },                                                         \
    {                                                                                                                                                          \
        .name = "junit", .type = OPTION_FLAG, AT(junit), .help = "print JUnit XML, for the test reports of CI systems",                                        \
        .text = "A test case for each file that is checked, or each gate; it fails when the exit status is 1 because of it."                                   \
    }
#define OPTION_EXACT                                                                                                                                           \
    {                                                                                                                                                          \
        .name = "exact", .letter = 'x', .type = OPTION_FLAG, AT(exact), .help = "print exact figures instead of rounded ones with a unit"                      \
    }
#define OPTION_FULL_NAMES                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "full-names", .type = OPTION_FLAG, AT(full_names), .help = "show names and paths in full",                                                     \
        .text = "By default, text shows files and modules without their directories, the module only if there is more than one, and long C++ names with some " \
                "template arguments and parameters left out. JSON, CSV and Markdown always have full names."                                                   \
    }
#define METRIC_TEXT                                                                                                                                            \
    "Any unambiguous part of the name, in upper or lower case, or a number from 0 in the order of the file. 'assay info' lists the metrics and marks the "     \
    "default: the one the file declares, else time, "                                                                                                          \
    "else cycles or instructions, else the one with the largest total."
#define FORMULA_TEXT                                                                                                                                           \
    " A formula that adds metrics up works too: 'Ir + 10*L1m + 100*LLm', or with a name, 'cost = Ir + 20*Bcm'; quote names that contain blanks or signs. "     \
    "L1m, "                                                                                                                                                    \
    "L2m, LLm, Bm and CEst (estimated cycles) are predefined for Callgrind events, as in KCachegrind; formulas that the file has can be named, too."
/* The same under pprof's name. */
#define OPTION_SAMPLE_INDEX                                                                                                                                    \
    {                                                                                                                                                          \
        .name = "sample_index", .type = OPTION_TEXT, .argument = "NAME", AT(metric), .help = "the same as --metric", .is_hidden = true                         \
    }
/* One metric or formula. */
#define OPTION_METRIC(more)                                                                                                                                    \
    { .name = "metric",                                                                                                                                        \
      .letter = 'm',                                                                                                                                           \
      .type = OPTION_TEXT,                                                                                                                                     \
      .argument = "NAME",                                                                                                                                      \
      AT(metric),                                                                                                                                              \
      .help = "show this metric",                                                                                                                              \
      .text = METRIC_TEXT more FORMULA_TEXT },                                                                                                                 \
        OPTION_SAMPLE_INDEX
/* Any number of them. */
#define OPTION_METRICS(more)                                                                                                                                   \
    { .name = "metric",                                                                                                                                        \
      .letter = 'm',                                                                                                                                           \
      .type = OPTION_TEXT,                                                                                                                                     \
      .argument = "NAME",                                                                                                                                      \
      AT(metric),                                                                                                                                              \
      .help = "show this metric, several (A,B) or a formula (A+10*B)",                                                                                         \
      .text =                                                                                                                                                  \
          METRIC_TEXT more " Rows are chosen and sorted by the first metric." FORMULA_TEXT " A formula may also divide: 'CPI = Cycles / Ir' is computed "      \
                           "from the sums of each row. It may use + - * / ^, parentheses, min(), max(), abs(), sqrt(), ln(), log(), floor() and ceil(), the "  \
                           "row's $self(NAME) and $total(NAME), and $share(NAME) of the whole. IPC, CPI and rates of misses are predefined." },                \
        OPTION_SAMPLE_INDEX
/* Names for them. */
#define OPTION_METRICS_FILE                                                                                                                                    \
    {                                                                                                                                                          \
        .name = "metrics", .type = OPTION_PATH, .argument = "FILE", AT(metrics), .help = "take named formulas for --metric from FILE",                         \
        .text = "A line 'NAME = FORMULA' for each; '#' begins a comment. A formula may use others of the file. docs/formulas.md lists those that are ready."   \
    }
#define OPTION_PER_CALL                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "per-call", .type = OPTION_FLAG, AT(per_call), .help = "add the average cost per call: self/call and total/call",                              \
        .text = "Empty for functions without recorded calls."                                                                                                  \
    }
#define OPTION_MIN(which)                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "min", .type = OPTION_PERCENT, .argument = "PERCENT", AT(least), GIVEN(has_least), .help = "hide everything below PERCENT of the total",       \
        .text = which                                                                                                                                          \
    }
#define OPTION_DEPTH                                                                                                                                           \
    {                                                                                                                                                          \
        .name = "depth", .type = OPTION_NUMBER, .argument = "N", AT(depth), .least = 1, .most = UINT32_MAX, .help = "hide everything deeper than N levels"     \
    }
#define OPTION_NO_ESTIMATE                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "no-estimate", .type = OPTION_FLAG, AT(no_estimate), .help = "fail if stacks would have to be estimated from a call graph"                     \
    }
#define OPTIONS_ESTIMATE                                                                                                                                       \
    { .name = "estimate",                                                                                                                                      \
      .type = OPTION_FLAG,                                                                                                                                     \
      AT(estimate),                                                                                                                                            \
      .help = "estimate stacks from a call graph, and say so (the default)",                                                                                   \
      .text = "The cost of a function is split among its callers in proportion to the cost of their calls. Totals of functions stay exact; contexts are an "   \
              "estimate where a function has several callers. See docs/flame.md." },                                                                           \
        OPTION_NO_ESTIMATE
#define OPTION_CYCLES                                                                                                                                          \
    {                                                                                                                                                          \
        .name = "cycles", .type = OPTION_FLAG, AT(cycles), .help = "combine functions that call each other into '<cycle N>'",                                  \
        .text = "In a call graph, the totals of such functions count every level of recursion. With this option, the total of each is its self cost plus the " \
                "calls that leave the cycle, and the cycle is listed as a row of its own with the correct total."                                              \
    }
#define OPTION_LIMIT(what)                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "limit", .letter = 'n', .type = OPTION_NUMBER, .argument = "N", AT(limit), GIVEN(has_limit), .most = UINT64_MAX, .help = what                  \
    }
#define OPTION_FORMAT_OPTION                                                                                                                                   \
    {                                                                                                                                                          \
        .name = "option", .letter = 'O', .type = OPTION_PAIR, .argument = "KEY[=VALUE]", AT(read.format_options),                                              \
        .help = "set an option of the format; can be repeated",                                                                                                \
        .text = "'assay formats NAME' lists the options of a format. FORMAT:KEY applies to inputs and outputs in that format only."                            \
    }
#define OPTION_FROM                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "from", .letter = 'f', .type = OPTION_FORMAT, .argument = "FORMAT", AT(read.from),                                                             \
        .help = "read the input as FORMAT instead of detecting its format", .text = "'assay formats' lists the names."                                         \
    }
#define OPTION_STRICT_READ                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "strict", .type = OPTION_FLAG, AT(read.strict), .help = "treat the first problem as an error instead of a warning"                             \
    }
#define OPTION_COLOR                                                                                                                                           \
    {                                                                                                                                                          \
        .name = "color", .type = OPTION_WORD, .argument = "WHEN", AT(color), .words = COLOR_WORDS, .help = "colour the text: auto, always or never",           \
        .text = "auto, the default, uses colour on a terminal that supports it, unless NO_COLOR is set."                                                       \
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
        .name = "max-memory", .type = OPTION_SIZE, .argument = "SIZE", AT(read.max_memory), .help = "fail instead of using more memory than SIZE",             \
        .text =                                                                                                                                                \
            "K, M, G and T are powers of 1024. The default is three quarters of the memory of the machine, or of its control group or 'ulimit -v' if less."    \
    }
#define OPTION_MAX_OUTPUT                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "max-output", .type = OPTION_SIZE, .argument = "SIZE", AT(read.max_output), .help = "fail if a compressed input expands to more than SIZE",    \
        .text = "K, M, G and T are powers of 1024; the default is 64G."                                                                                        \
    }
#define OPTION_MAX_STRING                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "max-string", .type = OPTION_SIZE, .argument = "SIZE", AT(read.max_string), .help = "fail if a name, string or line is longer than SIZE",      \
        .text = "K, M, G and T are powers of 1024; the default is 64M. Lines and strings of less than 1M are read all the same; names are not."                \
    }
#define OPTION_OUTPUT                                                                                                                                          \
    {                                                                                                                                                          \
        .name = "output", .letter = 'o', .type = OPTION_PATH, .argument = "FILE", AT(output), .help = "write to FILE instead of standard output",              \
        .text = "FILE is replaced only once the output is complete."                                                                                           \
    }
#define OPTION_SYMBOLS                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "symbols", .type = OPTION_LIST, .argument = "PATH", AT(read.symbols), .help = "also look for programs, libraries and their symbols in PATH",   \
        .text = "A file or a directory; structure files and separate debug files are found too. Can be repeated."                                              \
    }
#define OPTION_MAP_PATHS                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "map", .letter = 'R', .type = OPTION_MAP, .argument = "FROM=TO", AT(read.maps),                                                                \
        .help = "look for paths that start with FROM under TO instead",                                                                                        \
        .text = "For programs, libraries and sources. FROM matches whole path components; write '\\=' for an equals sign in it. Can be repeated: the first "   \
                "match wins."                                                                                                                                  \
    }
#define OPTION_NO_SYMBOLS                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "no-symbols", .type = OPTION_FLAG, AT(read.no_symbols), .help = "show code as module+offset without looking up symbols"                        \
    }
#define OPTION_NO_LOOPS                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "no-loops", .type = OPTION_FLAG, AT(read.no_loops), .help = "do not look for loops in machine code",                                           \
        .text = "Loops from a structure file are still shown."                                                                                                 \
    }
#define OPTION_NO_STRUCTS                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "no-structs", .type = OPTION_FLAG, AT(read.no_structures), .help = "do not use structure files"                                                \
    }
#define OPTION_FOREIGN                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "foreign", .type = OPTION_FLAG, AT(read.foreign), .help = "read only the input and the paths given by --symbols and --map",                    \
        .text = "For data measured on another machine, where a library of the same name may differ from the one here."                                         \
    }
#define OPTION_SOURCE_ROOT                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "source-root", .type = OPTION_LIST, .argument = "DIR", AT(read.source_roots),                                                                  \
        .help = "look for sources under DIR, and show paths relative to it",                                                                                   \
        .text =                                                                                                                                                \
            "Tries relative paths, Go import paths (through go.mod) and the trailing parts of absolute paths; the first that exists is used. Can be repeated." \
    }
#define OPTION_FOLLOW_LINKS                                                                                                                                    \
    {                                                                                                                                                          \
        .name = "follow-links", .type = OPTION_FLAG, AT(read.follow_links), .help = "show sources that symbolic links place outside --source-root",            \
        .text = "By default, only files that really are under a source root or a --map directory are shown, so that paths in an input cannot pull other "      \
                "files into a report."                                                                                                                         \
    }
#define OPTION_INCLUDE                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "include", .type = OPTION_LIST, .argument = "GLOB", AT(read.includes), .help = "only files whose path matches GLOB",                           \
        .text =                                                                                                                                                \
            "'*' and '?' match within a path component, '**' matches any number of components, and a matching directory includes everything under it. "        \
            "'src/*.c' matches at any depth, './src/*.c' and '/src/*.c' only from the start of the path. Can be repeated: a file needs to match one of them."  \
    }
#define OPTION_EXCLUDE                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "exclude", .type = OPTION_LIST, .argument = "GLOB", AT(read.excludes), .help = "no files whose path matches GLOB, as for --include",           \
        .text = "Can be repeated. Takes precedence over --include."                                                                                            \
    }
#define OPTION_EXCLUSIONS                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "exclusions", .type = OPTION_FLAG, AT(read.exclusions), .help = "leave out code that exclusion markers in the sources exclude",                \
        .text = "LCOV_EXCL_LINE and related markers, 'pragma: no cover', 'istanbul ignore' and 'c8 ignore', @codeCoverageIgnore, :nocov:, coverage:ignore. "   \
                "Sources are found through --source-root and --map. docs/coverage.md lists the markers."                                                       \
    }
/* What gcovr can leave out, under gcovr's names. */
#define OPTIONS_RULES                                                                                                                                          \
    { .name = "exclude-throw-branches",                                                                                                                        \
      .type = OPTION_FLAG,                                                                                                                                     \
      AT(read.throw_branches),                                                                                                                                 \
      .help = "leave out branches taken only by exceptions",                                                                                                   \
      .text = "Works where the report identifies them: gcov text and JSON, lcov 2." },                                                                         \
        { .name = "exclude-unreachable-branches",                                                                                                              \
          .type = OPTION_FLAG,                                                                                                                                 \
          AT(read.unreachable_branches),                                                                                                                       \
          .help = "leave out branches on source lines that contain only braces and comments",                                                                  \
          .text = "The compiler generates these branches. Sources are found through --source-root and --map." },                                               \
    {                                                                                                                                                          \
        .name = "exclude-lines", .type = OPTION_LIST, .argument = "REGEX", AT(read.exclude_lines), .help = "leave out source lines that match REGEX",          \
        .text = "A regular expression (PCRE2) that must match from the start of the line, as in gcovr: '.*assert' matches anywhere. Sources are found "        \
                "through --source-root and --map. Can be repeated."                                                                                            \
    }
/* Which cost to keep; docs/filters.md. The reader gets it. */
#define OPTION_FOCUS                                                                                                                                           \
    {                                                                                                                                                          \
        .name = "focus", .type = OPTION_LIST, .argument = "REGEX", AT(read.focus), .help = "only cost of stacks with a function that matches REGEX",           \
        .text = "A regular expression (PCRE2) that can match anywhere in the name; '^' and '$' anchor it, '(?i)' ignores case. Percentages are then of what "  \
                "is left. Can be repeated: one of them needs to match. docs/filters.md explains all filters."                                                  \
    }
#define OPTION_IGNORE                                                                                                                                          \
    {                                                                                                                                                          \
        .name = "ignore", .type = OPTION_LIST, .argument = "REGEX", AT(read.ignore), .help = "no cost of stacks with a function that matches REGEX",           \
        .text = "Can be repeated. Takes precedence over --focus."                                                                                              \
    }
#define OPTION_HIDE                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "hide", .type = OPTION_LIST, .argument = "REGEX", AT(read.hide), .help = "remove functions that match REGEX from stacks",                      \
        .text = "Their self cost is added to their callers, and their callees become callees of those. Can be repeated."                                       \
    }
#define OPTION_FOCUS_SELF                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "focus-self", .type = OPTION_LIST, .argument = "REGEX", AT(read.focus_self), .help = "only the self cost of functions that match REGEX",       \
        .text = "Of stacks that end with one of them. Can be repeated."                                                                                        \
    }
#define OPTION_HIDE_PATH                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "hide-path", .type = OPTION_LIST, .argument = "A;B;C", AT(read.hide_path), .help = "remove function C where stacks begin with A;B;C",          \
        .text = "As --hide, in one place of the call tree: names of functions, from the outermost on. Can be repeated."                                        \
    }
#define OPTION_COLLAPSE                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "collapse", .type = OPTION_LIST, .argument = "REGEX", AT(read.collapse), .help = "end stacks with the outermost function that matches REGEX",  \
        .text = "Everything that it calls is removed, and the cost of that becomes its self cost. Can be repeated."                                            \
    }
#define OPTION_SHOW                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "show", .type = OPTION_LIST, .argument = "REGEX", AT(read.show), .help = "keep only functions that match REGEX in stacks",                     \
        .text = "The cost of others is added to the function that called them; stacks without any are left out. Can be repeated."                              \
    }
#define OPTION_SHOW_FROM                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "show-from", .type = OPTION_LIST, .argument = "REGEX", AT(read.show_from),                                                                     \
        .help = "begin stacks with the outermost function that matches REGEX", .text = "Stacks without any are left out. Can be repeated."                     \
    }
/* Of labels. */
#define OPTION_TAG_FOCUS                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "tag-focus", .type = OPTION_LIST, .argument = "[KEY=]WHAT", AT(read.tag_focus), .help = "only samples with a label that matches WHAT",         \
        .text = "A regular expression that is found in a text, or in KEY:TEXT if no KEY is given; several, separated by commas, of which one has to match "    \
                "with a KEY, and all without; or a range of numbers: 32kb, :64kb, 4mb:, 12kb:64mb. Can be repeated."                                           \
    }
#define OPTION_TAG_IGNORE                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "tag-ignore", .type = OPTION_LIST, .argument = "[KEY=]WHAT", AT(read.tag_ignore), .help = "no samples with a label that matches WHAT",         \
        .text = "As --tag-focus, and takes precedence over it. Can be repeated."                                                                               \
    }
#define OPTION_TAG_ROOT                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "tag-root", .type = OPTION_LIST, .argument = "KEY[,KEY]", AT(read.tag_root),                                                                   \
        .help = "add frames with the values of these labels above the stacks",                                                                                 \
        .text = "The first is the outermost. Samples without the label get a frame without a name."                                                            \
    }
#define OPTION_TAG_LEAF                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "tag-leaf", .type = OPTION_LIST, .argument = "KEY[,KEY]", AT(read.tag_leaf),                                                                   \
        .help = "add frames with the values of these labels below the stacks", .text = "The last is the innermost: it has the self cost."                      \
    }
#define OPTION_ONLY_MODULE                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "module", .type = OPTION_LIST, .argument = "GLOB", AT(read.only_modules),                                                                      \
        .help = "only cost of code in programs and libraries that match GLOB",                                                                                 \
        .text =                                                                                                                                                \
            "Paths match as for --include: 'libc.so*' at any depth; '!libc.so*' means all others. The callers of that code stay as context. Can be repeated."  \
    }
#define OPTION_ONLY_FILE                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "file", .type = OPTION_LIST, .argument = "GLOB", AT(read.only_files), .help = "only cost of code in source files that match GLOB",             \
        .text =                                                                                                                                                \
            "Paths match as for --include: 'src/*.c' at any depth; '!src/*.c' means all others. The callers of that code stay as context. Can be repeated."    \
    }
#define OPTION_ONLY_STREAM                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "stream", .type = OPTION_LIST, .argument = "WHICH", AT(read.only_streams),                                                                     \
        .help = "only cost of these threads, processes or parts of the input",                                                                                 \
        .text = "A number or range in the order of 'assay info' (2, 1-4), part of a label, or ids: 'RANK 1', RANK=0-3,THREAD=0. Can be repeated."              \
    }
#define OPTION_ONLY_TIME                                                                                                                                       \
    {                                                                                                                                                          \
        .name = "time", .type = OPTION_TEXT, .argument = "A..B", AT(read.time), .help = "only what happened from A to B, for inputs with timestamps",          \
        .text =                                                                                                                                                \
            "Measured from the first event, in ns, us, ms or s (the default), or in percent of the run: 1.5s..2s, ..20%. The figures are then the time spent." \
    }
#define OPTIONS_GATES                                                                                                                                          \
    { .name = "fail-under",                                                                                                                                    \
      .type = OPTION_TEXT,                                                                                                                                     \
      .argument = "PERCENT",                                                                                                                                   \
      AT(fail_under),                                                                                                                                          \
      .help = "exit with status 1 if line coverage is below PERCENT",                                                                                          \
      .text = "A percentage, or a list of KIND=PERCENT such as lines=80,branches=70; the kinds are lines, functions, branches, statements and conditions. "    \
              "Each input is checked separately, after filtering; an input without any data of a kind fails." },                                               \
    {                                                                                                                                                          \
        .name = "fail-under-each", .type = OPTION_TEXT, .argument = "PERCENT", AT(fail_under_each),                                                            \
        .help = "exit with status 1 if the coverage of any source file is below PERCENT",                                                                      \
        .text = "Takes the same values as --fail-under; a file without any data of a kind is not checked for it."                                              \
    }
/* Where changes come from, and gates over them: `patch` and `diff`, of files and of a store. */
#define OPTIONS_CHANGES                                                                                                                                        \
    { .name = "diff",                                                                                                                                          \
      .letter = 'd',                                                                                                                                           \
      .type = OPTION_PATH,                                                                                                                                     \
      .argument = "FILE",                                                                                                                                      \
      AT(diff),                                                                                                                                                \
      .help = "read the change from a unified diff; '-' is standard input",                                                                                    \
      .text = "As written by git diff, diff -u and other tools, with any amount of context, compressed or not." },                                             \
        { .name = "git",                                                                                                                                       \
          .letter = 'g',                                                                                                                                       \
          .type = OPTION_TEXT,                                                                                                                                 \
          .argument = "RANGE",                                                                                                                                 \
          AT(git),                                                                                                                                             \
          .help = "take the change from git: A...B, A..B, or A for A...HEAD",                                                                                  \
          .text = "A...B is what changed on B since it branched off A. No program configured by the repository is run." },                                     \
        { .name = "staged", .type = OPTION_FLAG, AT(staged), .help = "include changes staged in the index" },                                                  \
        { .name = "unstaged", .type = OPTION_FLAG, AT(unstaged), .help = "include changes in the work tree, staged or not" },                                  \
    {                                                                                                                                                          \
        .name = "repository", .type = OPTION_PATH, .argument = "DIR", AT(repository),                                                                          \
        .help = "the git repository; by default the one that contains the current directory"                                                                   \
    }

#define OPTION_BRANCHES                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "branches", .type = OPTION_FLAG, AT(branches), .help = "count a line as covered only if all its branches are"                                  \
    }

#define OPTION_FAIL_UNDER_NEW                                                                                                                                  \
    {                                                                                                                                                          \
        .name = "fail-under-new", .type = OPTION_PERCENT, .argument = "PERCENT", AT(fail_under_new), GIVEN(has_fail_under_new),                                \
        .help = "exit with status 1 if coverage of the new lines is below PERCENT"                                                                             \
    }

/* The same under the name that diff-cover has. */
#define OPTION_FAIL_UNDER_PATCH                                                                                                                                \
    {                                                                                                                                                          \
        .name = "fail-under", .type = OPTION_PERCENT, .argument = "PERCENT", AT(fail_under_new), GIVEN(has_fail_under_new),                                    \
        .help = "exit with status 1 if patch coverage is below PERCENT; the same as --fail-under-new"                                                          \
    }

#define OPTIONS_DIFF_GATES                                                                                                                                     \
    { .name = "max-drop",                                                                                                                                      \
      .type = OPTION_PERCENT,                                                                                                                                  \
      .argument = "PERCENT",                                                                                                                                   \
      AT(max_drop),                                                                                                                                            \
      GIVEN(has_max_drop),                                                                                                                                     \
      .help = "coverage: exit with status 1 if line coverage falls by more than PERCENT points" },                                                             \
    {                                                                                                                                                          \
        .name = "fail-on", .type = OPTION_TEXT, .argument = "LIST", AT(fail_on),                                                                               \
        .help = "coverage: exit with status 1 if any line is in one of these categories",                                                                      \
        .text = "A list such as UNC,LBC. UNC: new and not covered, LBC: no longer covered, UIC: newly measured and not covered, UBC: still not covered, GBC: " \
                "now covered, GIC: newly measured and covered, GNC: new and covered, CBC: covered as before, EUB and ECB: no longer measured, DUB and DCB: "   \
                "removed (docs/patch.md)."                                                                                                                     \
    }

#define OPTION_THREADS                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "threads", .letter = 'j', .type = OPTION_NUMBER, .argument = "N", AT(read.threads), .least = 1, .most = PARALLEL_MOST,                         \
        .help = "use N threads", .text = "By default, one for each processor, at most 4. Results do not depend on it."                                         \
    }

#define OPTION_END                                                                                                                                             \
    {                                                                                                                                                          \
        .name = NULL                                                                                                                                           \
    }

/* What verbs have that print tables. */
#define OPTIONS_TABLE OPTION_EXACT, OPTION_FULL_NAMES, OPTION_JSON_FORM, OPTION_CSV, OPTION_MARKDOWN, OPTION_STRICT_READ, OPTION_COLOR, OPTION_OUTPUT

/* What verbs have that turn addresses into functions. */
#define OPTIONS_SYMBOLS OPTION_SYMBOLS, OPTION_MAP_PATHS, OPTION_NO_SYMBOLS, OPTION_NO_STRUCTS, OPTION_NO_LOOPS, OPTION_FOREIGN

/* What verbs have that show coverage: which files, and where they are. The reader gets it. Needs OPTION_MAP_PATHS too. */
#define OPTIONS_COVERAGE OPTION_SOURCE_ROOT, OPTION_FOLLOW_LINKS, OPTION_INCLUDE, OPTION_EXCLUDE, OPTION_EXCLUSIONS, OPTIONS_RULES

/* What verbs have that show cost. `annotate` has a --file of its own: which files to show. */
#define OPTIONS_TAGS OPTION_TAG_FOCUS, OPTION_TAG_IGNORE, OPTION_TAG_ROOT, OPTION_TAG_LEAF
#define OPTIONS_SELECT_BUT_FILE                                                                                                                                \
    OPTION_FOCUS, OPTION_IGNORE, OPTION_FOCUS_SELF, OPTION_HIDE, OPTION_HIDE_PATH, OPTION_COLLAPSE, OPTION_SHOW, OPTION_SHOW_FROM, OPTIONS_TAGS,               \
        OPTION_ONLY_MODULE, OPTION_ONLY_STREAM, OPTION_ONLY_TIME
#define OPTIONS_SELECT                                                                                                                                         \
    OPTION_FOCUS, OPTION_IGNORE, OPTION_FOCUS_SELF, OPTION_HIDE, OPTION_HIDE_PATH, OPTION_COLLAPSE, OPTION_SHOW, OPTION_SHOW_FROM, OPTIONS_TAGS,               \
        OPTION_ONLY_MODULE, OPTION_ONLY_FILE, OPTION_ONLY_STREAM, OPTION_ONLY_TIME

/* What every verb that opens files has at the end of its table. */
#define OPTIONS_READING                                                                                                                                        \
    OPTION_FROM, OPTION_FORMAT_OPTION, OPTION_THREADS, OPTION_NO_PROGRESS, OPTION_MAX_MEMORY, OPTION_MAX_OUTPUT, OPTION_MAX_STRING, OPTION_HELP

#endif
