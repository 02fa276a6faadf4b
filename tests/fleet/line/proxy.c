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

#define LINKS_MAX 32

/* A connection, and its own one to the server. */
struct link {
	int line;
	int server;
	int64_t passed;
	bool is_stopped; /* nothing is passed on any more */
};

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
	struct link links[LINKS_MAX];
	size_t count;
};

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

/* The server has said as much as it may: whether the line stays open. */
static bool spoil(struct proxy *proxy, struct link *link)
{
	if (proxy->manner == PROXY_BABBLES)
		babble(proxy, link->line);
	link->is_stopped = proxy->manner == PROXY_STOPS;
	return link->is_stopped;
}

/* Whether the line stays open. */
static bool pass_back(struct proxy *proxy, struct link *link)
{
	int64_t left = proxy->bytes - link->passed;
	size_t passed;
	if (left <= 0)
		return spoil(proxy, link);
	bool is_good = pass(link->server, link->line, (size_t)left, &passed);
	link->passed += (int64_t)passed;
	proxy->passed = link->passed;
	return is_good;
}

static bool serve(
    struct proxy *proxy, struct link *link, const struct pollfd *fds)
{
	size_t passed;
	if (link->is_stopped)
		return !fds[0].revents;
	if (fds[0].revents &&
	    !pass(link->line, link->server, SIZE_MAX, &passed))
		return false;
	return !fds[1].revents || pass_back(proxy, link);
}

static void close_link(struct proxy *proxy, size_t number)
{
	close(proxy->links[number].line);
	close(proxy->links[number].server);
	proxy->links[number] = proxy->links[--proxy->count];
}

/* Who may hear nothing has its line spoiled at once. */
static void open_link(struct proxy *proxy)
{
	struct link link = {.line = accept(proxy->listener, NULL, NULL)};
	if (link.line < 0)
		return;
	link.server = connect_to(proxy->server_port);
	proxy->passed = 0;
	if (link.server < 0 || proxy->count == LINKS_MAX) {
		close(link.line);
		if (link.server >= 0)
			close(link.server);
		return;
	}
	proxy->links[proxy->count++] = link;
	if (proxy->bytes <= 0 && !spoil(proxy, &proxy->links[proxy->count - 1]))
		close_link(proxy, proxy->count - 1);
}

enum { BELL, LISTENER, LINKS };

static nfds_t list(const struct proxy *proxy, struct pollfd *fds)
{
	nfds_t count = LINKS;
	fds[BELL] = (struct pollfd){proxy->bell[0], POLLIN, 0};
	fds[LISTENER] = (struct pollfd){proxy->listener, POLLIN, 0};
	for (size_t i = 0; i < proxy->count; i++) {
		const struct link *link = &proxy->links[i];
		fds[count++] = (struct pollfd){
		    link->line, link->is_stopped ? POLLRDHUP : POLLIN, 0};
		fds[count++] = (struct pollfd){
		    link->is_stopped ? -1 : link->server, POLLIN, 0};
	}
	return count;
}

static void *run(void *ctx)
{
	struct proxy *proxy = ctx;
	struct pollfd fds[LINKS + 2 * LINKS_MAX];
	for (;;) {
		poll(fds, list(proxy, fds), -1);
		if (fds[BELL].revents)
			return NULL;
		for (size_t i = proxy->count; i-- > 0;) {
			if (!serve(
				proxy, &proxy->links[i], &fds[LINKS + 2 * i]))
				close_link(proxy, i);
		}
		if (fds[LISTENER].revents)
			open_link(proxy);
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
	while (proxy->count)
		close_link(proxy, proxy->count - 1);
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
