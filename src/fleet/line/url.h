#ifndef PAVANE_FLEET_LINE_URL_H
#define PAVANE_FLEET_LINE_URL_H

#include <stdint.h>

#include "base/buf.h"

/* What the URL of a database says, together with the service that it names and
 * the variables of the environment, as libpq reads all of that; nothing is asked
 * of the network.
 *
 * A password that stands in it is among the parameters, and nowhere else: what is
 * for people never has it.
 */
#define PV_FLEET_PARAMETERS_MAX 80
#define PV_FLEET_PLACES_MAX 16

struct pv_fleet_parameter {
	char *keyword;
	char *value;
};

/* One of the servers that may be the one. */
struct pv_fleet_place {
	char
	    *host; /* a name, an address, or the directory of a socket; or "" */
	char *address; /* where it is given beside the host; or "" */
	char *port;
};

struct pv_fleet_url {
	/* All others than those of the places, and of what is ours to say. */
	struct pv_fleet_parameter parameters[PV_FLEET_PARAMETERS_MAX];
	size_t parameter_count;
	struct pv_fleet_place places[PV_FLEET_PLACES_MAX];
	size_t place_count;
	char *user;
	char *database;
	int64_t connect_timeout_ms; /* 0: it says nothing */
};

/* False, with a sentence that is safe to print, if libpq cannot read it; then
 * there is nothing to finish. */
bool pv_fleet_url_read(
    struct pv_fleet_url *url, const char *text, struct pv_buf *why);
void pv_fleet_url_finish(struct pv_fleet_url *url);

/* Appends it without the password: "postgresql://user@host:5432/crawls". */
void pv_fleet_url_show(const struct pv_fleet_url *url, struct pv_buf *buf);

/* Appends what libpq or a server says as one line that is safe to print. */
void pv_fleet_message_append(struct pv_buf *buf, const char *message);

#endif
