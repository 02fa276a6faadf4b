#ifndef PAVANE_CLI_TABLE_COMMANDS_H
#define PAVANE_CLI_TABLE_COMMANDS_H

#include "cli/run/command.h"
#include "cli/run/option_rows.h"

/* The table of all commands, in the order in which a person reads them. */
struct pv_command_entry {
	const char *group; /* that begins with it; NULL: it goes on */
	const struct pv_command *command;
};

#define PV_COMMANDS_MAX 32

extern const struct pv_command_entry pv_commands[];
extern const size_t pv_command_count;

/* The command of that name; NULL if there is none. */
const struct pv_command *pv_command_get(const char *name);

/* An option as a command takes it. */
struct pv_command_option {
	const struct pv_option_row *row;
	const char *sentence;
	enum pv_argument_kind kind; /* of its argument, if it has one */
};

/* Sets `option` to the one of that number, --help being the last; false if the
 * command takes fewer. */
bool pv_command_option_get(const struct pv_command *command, size_t index,
    struct pv_command_option *option);

#endif
