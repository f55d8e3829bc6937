/* Option tables of the command's own verbs: the settings, and the options that they share with others. */
#ifndef CLI_SHARED_H
#define CLI_SHARED_H

#include "base/option_table.h"
#include "cli/options.h"

#endif
