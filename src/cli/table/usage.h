#ifndef PAVANE_CLI_TABLE_USAGE_H
#define PAVANE_CLI_TABLE_USAGE_H

#include <stdio.h>

#include "cli/run/command.h"

/* What --help prints, made from the tables of commands and options. */

/* The commands, a line each. */
void pv_usage_print_commands(FILE *file);

/* The same with options and exit statuses, on the standard output; and all that
 * there is to say of one command. */
void pv_usage_print_program(void);
void pv_usage_print_command(const struct pv_command *command);

#endif
