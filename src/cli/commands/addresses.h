#ifndef PAVANE_CLI_COMMANDS_ADDRESSES_H
#define PAVANE_CLI_COMMANDS_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The addresses of a command line, whole (web_address.h). */
struct pv_addresses {
	char **items;
	size_t count;
};

/* Reads so many arguments, and writes a line into `file` for each that was
 * taken for something else than what is written. False if one is a file of this
 * machine, such as a policy, which has been said. */
bool pv_addresses_read(struct pv_addresses *addresses,
    const char *const *arguments, size_t count, FILE *file);
void pv_addresses_finish(struct pv_addresses *addresses);

#endif
