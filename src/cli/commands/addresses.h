#ifndef PAVANE_CLI_COMMANDS_ADDRESSES_H
#define PAVANE_CLI_COMMANDS_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The addresses of a command line, and of a file that it names (--input-file),
 * whole (pv_web_address_of). */
#define PV_ADDRESSES_MAX 100000

struct pv_addresses {
	char **items;
	char **names; /* whence each is, such as "urls.txt:3"; NULL: from the
			 command line */
	size_t count;
	size_t size;
};

/* Reads so many arguments, and writes a line into `file` for each that was
 * taken for something else than what is written; then the file of that name
 * ("-" is the standard input; NULL for none), an address a line, but for empty
 * ones and those that begin with "#". False if an argument is a file of this
 * machine, such as a policy, or the file cannot be read, which has been said. */
bool pv_addresses_read(struct pv_addresses *addresses,
    const char *const *arguments, size_t count, const char *input, FILE *file);
void pv_addresses_finish(struct pv_addresses *addresses);

/* Addresses as people type them: docs.example.org means
 * https://docs.example.org; this machine, or a bare network address, seldom has
 * a certificate and means http. What has a scheme, or cannot be a host, stays
 * as it is, for the policy to judge. A new text, to be released with free. */
char *pv_web_address_of(const char *written);

#endif
