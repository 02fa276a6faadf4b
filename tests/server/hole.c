#include "server/hole.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define FILLED_MS 20

static struct sockaddr_in place_of(const char *address, uint16_t port)
{
	struct sockaddr_in place = {
	    .sin_family = AF_INET, .sin_port = htons(port)};
	inet_pton(AF_INET, address, &place.sin_addr);
	return place;
}

/* A socket bound to a port that is free, which is set. */
static int bind_any(const char *address, uint16_t *port)
{
	struct sockaddr_in place = place_of(address, 0);
	socklen_t len = sizeof(place);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&place, len) != 0 ||
	    getsockname(fd, (struct sockaddr *)&place, &len) != 0) {
		close(fd);
		return -1;
	}
	*port = ntohs(place.sin_port);
	return fd;
}

/* Whether a connection is made, in a moment. */
static bool knock(const char *address, uint16_t port, int *fd)
{
	struct sockaddr_in place = place_of(address, port);
	struct pollfd wait = {.events = POLLOUT};
	*fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	wait.fd = *fd;
	return connect(*fd, (struct sockaddr *)&place, sizeof(place)) == 0 ||
	       poll(&wait, 1, FILLED_MS) > 0;
}

bool hole_open(struct hole *hole, const char *address)
{
	bool is_full = false;
	for (int i = 0; i < HOLE_FILLERS; i++)
		hole->fillers[i] = -1;
	hole->listener = bind_any(address, &hole->port);
	if (hole->listener < 0)
		return false;
	if (listen(hole->listener, 0) == 0) {
		for (int i = 0; i < HOLE_FILLERS && !is_full; i++)
			is_full =
			    !knock(address, hole->port, &hole->fillers[i]);
	}
	if (!is_full)
		hole_close(hole);
	return is_full;
}

void hole_close(struct hole *hole)
{
	for (int i = 0; i < HOLE_FILLERS; i++) {
		if (hole->fillers[i] >= 0)
			close(hole->fillers[i]);
	}
	close(hole->listener);
}

bool shut_port_open(struct shut_port *shut)
{
	shut->socket = bind_any("0.0.0.0", &shut->port);
	return shut->socket >= 0;
}

bool shut_port_keep(struct shut_port *shut, uint16_t port)
{
	struct sockaddr_in place = place_of("127.0.0.1", port);
	int yes = 1;
	shut->port = port;
	shut->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(shut->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(shut->socket, (struct sockaddr *)&place, sizeof(place)) == 0)
		return true;
	close(shut->socket);
	shut->socket = -1;
	return false;
}

void shut_port_close(struct shut_port *shut)
{
	close(shut->socket);
}
