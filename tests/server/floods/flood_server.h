#ifndef PAVANE_TESTS_SERVER_FLOODS_FLOOD_SERVER_H
#define PAVANE_TESTS_SERVER_FLOODS_FLOOD_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "server/floods/flood.h"

/* A server that answers every request with an empty page, and that for "/" with
 * a flood, as fast as the socket takes it. Each connection has a thread of the
 * test's, and is over after a time, or so many bytes, whatever happens.
 *
 *	struct flood_plan plan = {.flood = flood_find("tiny-chunks")};
 *	struct flood_server *server = flood_server_start(&plan);
 *	... ask http://127.0.0.1:PORT/, PORT being flood_server_port(server) ...
 *	ok(flood_server_wait(server, 1 << 20, 5000), "...");
 *	flood_server_stop(server);
 */
struct flood_plan {
	const struct flood *flood; /* lives longer */
	const char *host;          /* in its certificate; NULL is flood.test */
	int hold_ms;         /* HTTP/2: so long streams wait for their answer,
				 unless the flood comes before */
	int64_t time_max_ms; /* of a connection; 0 is 15 s */
	uint64_t bytes_max;  /* 0 is 4 GiB */
};

struct flood_counts {
	unsigned connections;
	unsigned floods;     /* that have begun */
	unsigned answers;    /* of empty pages */
	unsigned bystanders; /* streams that had no answer when their connection
				was flooded */
	uint64_t bytes;      /* of floods */
};

struct flood_server;

/* NULL, with a line for whoever runs the test, if it cannot be had. */
struct flood_server *flood_server_start(const struct flood_plan *plan);
uint16_t flood_server_port(const struct flood_server *server);

/* A file with the certificate that clients are to trust, until the server is
 * stopped; NULL if it has no TLS. */
const char *flood_server_authority(const struct flood_server *server);

struct flood_counts flood_server_counts(struct flood_server *server);

/* Waits until so many bytes of floods were sent; false if they were not within
 * the time. */
bool flood_server_wait(
    struct flood_server *server, uint64_t bytes, int timeout_ms);

/* NULL is fine. */
void flood_server_stop(struct flood_server *server);

#endif
