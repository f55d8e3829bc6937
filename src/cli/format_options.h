/* Options of formats on the command line: -O KEY=VALUE, and for verbs that say so each option of each format by its name. */
#ifndef CLI_FORMAT_OPTIONS_H
#define CLI_FORMAT_OPTIONS_H

#include "cli/cli.h"

/* Calls fn for one option of each name, as the first format has it, until it returns false; then false. */
typedef bool (*format_option_fn)(void *arg, const struct assay_option_info *o);
bool format_options_each(format_option_fn fn, void *arg);
/* `own` with the options of all formats after --option, one for each name, with the formats that have it in their help. Its texts are in `text`, the table is
 * *count rows from `mem`. NULL = no memory. */
struct option_spec *format_options_table(const struct option_spec *own, struct mem *mem, struct arena *text, size_t *count);
/* Takes such an option (struct options_taker): it is meant for each format that has it, and others pass over it. */
bool format_options_take(void *arg, const char *key, const char *value);
/* Divides what was given between the input (c->set.format_options) and the target (c->writing). What none of them has goes to the target, which says so. false =
 * no memory. */
bool format_options_split(struct cli *c, const char *target);

#endif
