#include "cli/commands/addresses.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/run/web_address.h"
#include "pavane/pavane.h"

/* A name without a scheme that is a file here was hardly meant as a host. */
static bool is_file(const char *argument, const char *address)
{
	struct stat found;
	return strcmp(argument, address) != 0 && stat(argument, &found) == 0 &&
	       S_ISREG(found.st_mode);
}

static bool read_one(
    struct pv_addresses *addresses, const char *argument, FILE *file)
{
	char *address = pv_web_address_of(argument);
	addresses->items[addresses->count++] = address;
	if (is_file(argument, address)) {
		fprintf(stderr,
		    "pavane: %s is a file here: for a policy, `pavane crawl "
		    "%s`; for a host, %s\n",
		    argument, argument, address);
		return false;
	}
	if (strcmp(argument, address) != 0)
		fprintf(file, "%s is taken as %s\n", argument, address);
	return true;
}

bool pv_addresses_read(struct pv_addresses *addresses,
    const char *const *arguments, size_t count, FILE *file)
{
	bool is_right = true;
	*addresses = (struct pv_addresses){
	    .items = calloc(count + 1, sizeof(*addresses->items)),
	};
	if (!addresses->items)
		pavane_out_of_memory(count);
	for (size_t i = 0; i < count; i++)
		is_right = read_one(addresses, arguments[i], file) && is_right;
	return is_right;
}

void pv_addresses_finish(struct pv_addresses *addresses)
{
	for (size_t i = 0; i < addresses->count; i++)
		free(addresses->items[i]);
	free(addresses->items);
	*addresses = (struct pv_addresses){0};
}
