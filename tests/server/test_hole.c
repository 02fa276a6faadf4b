#include "server/hole.h"

#include <fcntl.h>

#include "server/caller.h"
#include "server/server.h"
#include "tap.h"

/* What becomes of an attempt to connect within that time: 0, an error, or -1 if
 * nothing does. */
static int connecting(const char *address, uint16_t port, int timeout_ms)
{
	int error = -1;
	socklen_t len = sizeof(error);
	struct sockaddr_in place = {
	    .sin_family = AF_INET, .sin_port = htons(port)};
	struct pollfd wait = {.events = POLLOUT};
	inet_pton(AF_INET, address, &place.sin_addr);
	wait.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	connect(wait.fd, (struct sockaddr *)&place, sizeof(place));
	if (poll(&wait, 1, timeout_ms) > 0)
		getsockopt(wait.fd, SOL_SOCKET, SO_ERROR, &error, &len);
	close(wait.fd);
	return error;
}

int main(void)
{
	struct hole hole;
	struct shut_port shut;
	if (!hole_open(&hole, "127.0.0.2") || !shut_port_open(&shut))
		return 1;
	ok(connecting("127.0.0.2", hole.port, 60) == -1,
	    "a hole lets nobody in and tells nobody so");
	ok(connecting("127.0.0.1", shut.port, CALLER_TIMEOUT_MS) ==
		ECONNREFUSED,
	    "a shut port refuses");
	uint16_t port = shut.port;
	shut_port_close(&shut);
	ok(shut_port_keep(&shut, port) &&
		connecting("127.0.0.1", port, CALLER_TIMEOUT_MS) ==
		    ECONNREFUSED,
	    "and so does one that is kept");
	struct server *server =
	    server_start(&(struct server_plan){.port = port});
	ok(server && connecting("127.0.0.1", port, CALLER_TIMEOUT_MS) == 0,
	    "where a server starts all the same");
	server_stop(server);
	hole_close(&hole);
	shut_port_close(&shut);
	return tap_done();
}
