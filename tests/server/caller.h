#ifndef PAVANE_TESTS_SERVER_CALLER_H
#define PAVANE_TESTS_SERVER_CALLER_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"

/* The other side of a server, with nothing between a test and the bytes. */
#define CALLER_TIMEOUT_MS 120000 /* by then it hangs */
#define CALLER_MAX (64u << 20)

/* How a connection ended. */
enum caller_end {
	CALLER_CLOSED,
	CALLER_RESET,
	CALLER_TIMED_OUT, /* it did not */
	CALLER_FULL,      /* as much as was to be read has been */
};

/* A socket that is connected to an address such as "127.0.0.1" or "::1"; -1 if
 * that cannot be. */
static inline int caller_open(const char *address, uint16_t port)
{
	struct sockaddr_in6 ip6 = {
	    .sin6_family = AF_INET6, .sin6_port = htons(port)};
	struct sockaddr_in ip4 = {
	    .sin_family = AF_INET, .sin_port = htons(port)};
	bool is_ip4 = inet_pton(AF_INET, address, &ip4.sin_addr) == 1;
	int fd =
	    socket(is_ip4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (!is_ip4)
		inet_pton(AF_INET6, address, &ip6.sin6_addr);
	int status = is_ip4 ? connect(fd, (struct sockaddr *)&ip4, sizeof(ip4))
			    : connect(fd, (struct sockaddr *)&ip6, sizeof(ip6));
	if (status == 0)
		return fd;
	close(fd);
	return -1;
}

/* Not every machine that runs tests has ::1. */
static inline bool caller_has_ip6(void)
{
	struct sockaddr_in6 place = {
	    .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool has_ip6 =
	    fd >= 0 && bind(fd, (struct sockaddr *)&place, sizeof(place)) == 0;
	if (fd >= 0)
		close(fd);
	return has_ip6;
}

static inline void caller_say(int fd, const char *text)
{
	size_t len = strlen(text);
	while (len) {
		ssize_t sent = send(fd, text, len, MSG_NOSIGNAL);
		if (sent <= 0)
			return;
		text += sent;
		len -= (size_t)sent;
	}
}

/* Appends what comes, up to so many bytes in all and for at most that long. */
static inline enum caller_end caller_hear(
    int fd, struct pv_buf *buf, size_t most, int timeout_ms)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	char bytes[16384];
	while (buf->len < most) {
		size_t room = most - buf->len;
		if (poll(&wait, 1, timeout_ms) == 0)
			return CALLER_TIMED_OUT;
		ssize_t len = recv(
		    fd, bytes, room < sizeof(bytes) ? room : sizeof(bytes), 0);
		if (len < 0)
			return CALLER_RESET;
		if (len == 0)
			return CALLER_CLOSED;
		pv_buf_append(buf, (struct pv_str){bytes, (size_t)len});
	}
	return CALLER_FULL;
}

#endif
