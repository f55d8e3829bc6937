/* What a person could do about what a report says, in the words of the command. */
#ifndef REPORT_VERBS_HINTS_H
#define REPORT_VERBS_HINTS_H

#define HINT_OF_SOURCES " (use --source-root DIR to say where the sources are)"

#define HINT_OF_CHANGES "; use --diff or --git to map old lines to new ones"

#endif
