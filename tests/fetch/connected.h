#ifndef PAVANE_TESTS_FETCH_CONNECTED_H
#define PAVANE_TESTS_FETCH_CONNECTED_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fetch/connection/sockets.h"

/* Both ends of a connection over loopback; neither blocks. */
struct connection {
	int ours;
	int theirs;
};

__attribute__((unused)) static struct connection connection_make(void)
{
	struct sockaddr_in name = {.sin_family = AF_INET,
	    .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
	socklen_t len = sizeof(name);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	struct connection made = {socket(AF_INET, SOCK_STREAM, 0), -1};
	if (bind(listener, (struct sockaddr *)&name, len) == 0 &&
	    listen(listener, 1) == 0 &&
	    getsockname(listener, (struct sockaddr *)&name, &len) == 0 &&
	    connect(made.ours, (struct sockaddr *)&name, len) == 0)
		made.theirs = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	close(listener);
	return made;
}

/* One that libcurl would have. */
__attribute__((unused)) static struct connection connection_keep(
    struct pv_sockets *sockets)
{
	struct connection made = connection_make();
	pv_sockets_keep(sockets, made.ours, sockets);
	return made;
}

__attribute__((unused)) static void connection_close(
    struct pv_sockets *sockets, struct connection *connection)
{
	pv_sockets_close(sockets, connection->ours);
	close(connection->theirs);
}

/* Sends so many bytes to our end, which reads them. */
__attribute__((unused)) static void connection_flood(
    const struct connection *connection, size_t count)
{
	static char bytes[16 * 1024];
	while (count) {
		size_t piece = count < sizeof(bytes) ? count : sizeof(bytes);
		ssize_t sent =
		    send(connection->theirs, bytes, piece, MSG_NOSIGNAL);
		if (sent > 0)
			count -= (size_t)sent;
		if (recv(connection->ours, bytes, sizeof(bytes),
			MSG_DONTWAIT) == 0)
			return;
	}
}

/* Whether a side has been told that it is over. */
__attribute__((unused)) static bool connection_has_ended(int fd)
{
	char byte;
	return recv(fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 0;
}

#endif
