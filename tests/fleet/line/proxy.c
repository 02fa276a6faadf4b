#include "fleet/line/proxy.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "random.h"

struct proxy {
	pthread_t thread;
	int listener;
	int bell[2]; /* written to: the end */
	uint16_t port;
	uint16_t server_port;
	atomic_int manner;
	atomic_llong bytes;
	atomic_llong passed;
	struct random random;
};

/* Whether the line is still there to be talked to. */
enum next { GO_ON, CLOSE, END };

static struct sockaddr_in address_of(uint16_t port)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
	    .sin_port = htons(port),
	    .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static int connect_to(uint16_t port)
{
	struct sockaddr_in address = address_of(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	close(fd);
	return -1;
}

static bool pass(int from, int to, size_t max, size_t *passed)
{
	char bytes[4096];
	ssize_t len =
	    recv(from, bytes, max < sizeof(bytes) ? max : sizeof(bytes), 0);
	*passed = len > 0 ? (size_t)len : 0;
	return len > 0 && send(to, bytes, (size_t)len, MSG_NOSIGNAL) == len;
}

static void babble(struct proxy *proxy, int line)
{
	char bytes[512];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)random_next(&proxy->random);
	send(line, bytes, sizeof(bytes), MSG_NOSIGNAL);
}

/* The server has said as much as it may. */
static enum next spoil(struct proxy *proxy, int line)
{
	if (proxy->manner == PROXY_BABBLES)
		babble(proxy, line);
	if (proxy->manner != PROXY_STOPS)
		return CLOSE;
	struct pollfd fds[] = {
	    {proxy->bell[0], POLLIN, 0}, {line, POLLRDHUP, 0}};
	poll(fds, 2, -1);
	return fds[0].revents ? END : CLOSE;
}

static enum next pass_some(struct proxy *proxy, int line, int server)
{
	struct pollfd fds[] = {{proxy->bell[0], POLLIN, 0}, {line, POLLIN, 0},
	    {server, POLLIN, 0}};
	int64_t left = proxy->bytes - proxy->passed;
	size_t passed = 0;
	if (left <= 0)
		return spoil(proxy, line);
	poll(fds, 3, -1);
	if (fds[0].revents)
		return END;
	if (fds[1].revents && !pass(line, server, SIZE_MAX, &passed))
		return CLOSE;
	if (!fds[2].revents)
		return GO_ON;
	bool is_good = pass(server, line, (size_t)left, &passed);
	proxy->passed += (long long)passed;
	return is_good ? GO_ON : CLOSE;
}

static bool serve(struct proxy *proxy, int line)
{
	enum next next = GO_ON;
	int server = connect_to(proxy->server_port);
	proxy->passed = 0;
	while (server >= 0 && next == GO_ON)
		next = pass_some(proxy, line, server);
	if (server >= 0)
		close(server);
	close(line);
	return next != END;
}

static void *run(void *ctx)
{
	struct proxy *proxy = ctx;
	for (;;) {
		struct pollfd fds[] = {
		    {proxy->bell[0], POLLIN, 0}, {proxy->listener, POLLIN, 0}};
		poll(fds, 2, -1);
		if (fds[0].revents)
			return NULL;
		int line = accept(proxy->listener, NULL, NULL);
		if (line >= 0 && !serve(proxy, line))
			return NULL;
	}
}

static bool listen_anywhere(struct proxy *proxy)
{
	struct sockaddr_in address = address_of(0);
	socklen_t len = sizeof(address);
	proxy->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(proxy->listener, (struct sockaddr *)&address, len) != 0 ||
	    listen(proxy->listener, 16) != 0 ||
	    getsockname(proxy->listener, (struct sockaddr *)&address, &len) !=
		0)
		return false;
	proxy->port = ntohs(address.sin_port);
	return true;
}

struct proxy *proxy_start(uint16_t port)
{
	struct proxy *proxy = calloc(1, sizeof(*proxy));
	proxy->server_port = port;
	proxy->random = random_of(1);
	proxy->bytes = INT64_MAX;
	if (listen_anywhere(proxy) && pipe(proxy->bell) == 0 &&
	    pthread_create(&proxy->thread, NULL, run, proxy) == 0)
		return proxy;
	free(proxy);
	return NULL;
}

void proxy_stop(struct proxy *proxy)
{
	if (write(proxy->bell[1], "", 1) == 1)
		pthread_join(proxy->thread, NULL);
	close(proxy->listener);
	close(proxy->bell[0]);
	close(proxy->bell[1]);
	free(proxy);
}

uint16_t proxy_port(const struct proxy *proxy)
{
	return proxy->port;
}

void proxy_set(struct proxy *proxy, enum proxy_manner manner, int64_t bytes)
{
	proxy->manner = (int)manner;
	proxy->bytes = bytes;
}

int64_t proxy_passed(const struct proxy *proxy)
{
	return proxy->passed;
}
