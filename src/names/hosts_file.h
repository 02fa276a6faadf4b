#ifndef PAVANE_NAMES_HOSTS_FILE_H
#define PAVANE_NAMES_HOSTS_FILE_H

#include "base/address.h"
#include "base/map.h"

/* The system's table of hosts (/etc/hosts: an address and its names a line),
 * read once.
 *
 * c-ares would read the whole file at each look-up, which with thousands of
 * names in it holds up the loop; a change of it is seen by the next crawl.
 */
struct pv_hosts_file {
	struct pv_buf text; /* of which the names are parts */
	struct pv_map names;
	struct pv_hosts_line *lines;
	size_t count;
	size_t size;
};

/* A file that is not there, cannot be read or is larger than 64 MiB is an
 * empty one, as it is to the system; so is no path (NULL). */
void pv_hosts_file_init(struct pv_hosts_file *file, const char *path);
void pv_hosts_file_finish(struct pv_hosts_file *file);

/* Calls the function with each address of a name; false if there is none. */
typedef void (*pv_hosts_fn)(void *ctx, const struct pv_address *address);
bool pv_hosts_file_each(const struct pv_hosts_file *file, struct pv_str host,
    pv_hosts_fn on_address, void *ctx);

#endif
