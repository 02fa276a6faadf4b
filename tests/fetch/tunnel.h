#ifndef PAVANE_TESTS_FETCH_TUNNEL_H
#define PAVANE_TESTS_FETCH_TUNNEL_H

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A proxy for one connection, of HTTP or SOCKS 5 (RFC 1928): whatever is asked
 * for, it leads to one port of this machine. It keeps what it was asked. */
struct tunnel {
	pthread_t thread;
	int listener;
	uint16_t port;
	uint16_t leads_to;
	bool is_socks;
	char reply; /* of SOCKS: 0 lets in, 5 says that the host refuses */
	char heard[2048];
};

static inline int tunnel_socket(uint16_t port, struct sockaddr_in *address)
{
	*address = (struct sockaddr_in){.sin_family = AF_INET,
	    .sin_port = htons(port),
	    .sin_addr = {htonl(INADDR_LOOPBACK)}};
	return socket(AF_INET, SOCK_STREAM, 0);
}

static inline bool tunnel_hear(struct tunnel *tunnel, int client)
{
	size_t len = 0;
	while (!strstr(tunnel->heard, "\r\n\r\n")) {
		ssize_t got = read(client, tunnel->heard + len,
		    sizeof(tunnel->heard) - len - 1);
		if (got <= 0)
			return false;
		len += (size_t)got;
		tunnel->heard[len] = '\0';
	}
	return true;
}

static inline bool tunnel_pass(int from, int to)
{
	char bytes[16384];
	ssize_t got = read(from, bytes, sizeof(bytes));
	return got > 0 && write(to, bytes, (size_t)got) == got;
}

static inline void tunnel_join(int client, int server)
{
	struct pollfd both[2] = {
	    {.fd = client, .events = POLLIN}, {.fd = server, .events = POLLIN}};
	while (poll(both, 2, -1) > 0) {
		if (both[0].revents && !tunnel_pass(client, server))
			return;
		if (both[1].revents && !tunnel_pass(server, client))
			return;
	}
}

static inline bool tunnel_read(int client, void *bytes, size_t len)
{
	return recv(client, bytes, len, MSG_WAITALL) == (ssize_t)len;
}

/* What is heard is the name that it is asked for. */
static inline bool tunnel_hear_socks(struct tunnel *tunnel, int client)
{
	unsigned char head[5], methods[256];
	if (!tunnel_read(client, head, 2) ||
	    !tunnel_read(client, methods, head[1]) ||
	    write(client, "\5\0", 2) != 2 || !tunnel_read(client, head, 5))
		return false;
	return head[3] == 3 && tunnel_read(client, tunnel->heard, head[4]) &&
	       tunnel_read(client, methods, 2);
}

static inline bool tunnel_answer(const struct tunnel *tunnel, int client)
{
	static const char text[] = "HTTP/1.1 200 Connected\r\n"
				   "X-Proxy: mine\r\n\r\n";
	const char reply[10] = {5, tunnel->reply, 0, 1};
	const char *answer = tunnel->is_socks ? reply : text;
	size_t len = tunnel->is_socks ? sizeof(reply) : sizeof(text) - 1;
	return write(client, answer, len) == (ssize_t)len && !tunnel->reply;
}

static inline void *tunnel_run(void *ctx)
{
	struct tunnel *tunnel = ctx;
	struct sockaddr_in address;
	int client = accept(tunnel->listener, NULL, NULL);
	int server = tunnel_socket(tunnel->leads_to, &address);
	bool is_heard = client >= 0 &&
			(tunnel->is_socks ? tunnel_hear_socks(tunnel, client)
					  : tunnel_hear(tunnel, client));
	if (is_heard &&
	    connect(server, (struct sockaddr *)&address, sizeof(address)) ==
		0 &&
	    tunnel_answer(tunnel, client))
		tunnel_join(client, server);
	close(client);
	close(server);
	return NULL;
}

static inline bool tunnel_open(struct tunnel *tunnel, uint16_t leads_to)
{
	struct sockaddr_in address;
	socklen_t size = sizeof(address);
	*tunnel = (struct tunnel){.leads_to = leads_to,
	    .is_socks = tunnel->is_socks,
	    .reply = tunnel->reply};
	tunnel->listener = tunnel_socket(0, &address);
	if (bind(tunnel->listener, (struct sockaddr *)&address, size) != 0 ||
	    listen(tunnel->listener, 1) != 0 ||
	    getsockname(tunnel->listener, (struct sockaddr *)&address, &size) !=
		0)
		return false;
	tunnel->port = ntohs(address.sin_port);
	return pthread_create(&tunnel->thread, NULL, tunnel_run, tunnel) == 0;
}

/* When its client has gone. */
static inline void tunnel_close(struct tunnel *tunnel)
{
	pthread_join(tunnel->thread, NULL);
	close(tunnel->listener);
}

#endif
