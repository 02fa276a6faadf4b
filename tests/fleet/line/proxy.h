#ifndef PAVANE_TESTS_FLEET_LINE_PROXY_H
#define PAVANE_TESTS_FLEET_LINE_PROXY_H

#include <stdbool.h>
#include <stdint.h>

/* What stands between lines and their server, and spoils what the server says: a
 * thread that takes connections on a port of 127.0.0.1. */
struct proxy;

enum proxy_manner {
	PROXY_CUTS,    /* closes after so many bytes of the server */
	PROXY_BABBLES, /* says bytes of chance after so many of the server */
	PROXY_STOPS,   /* passes nothing on after so many, and closes nothing */
};

/* The port is the server's. NULL if there is no port to be had. */
struct proxy *proxy_start(uint16_t port);
void proxy_stop(struct proxy *proxy);

uint16_t proxy_port(const struct proxy *proxy);

/* What each connection meets from now on: it counts the server's bytes by itself. */
void proxy_set(struct proxy *proxy, enum proxy_manner manner, int64_t bytes);

/* How many bytes of the server were passed on to the last connection. */
int64_t proxy_passed(const struct proxy *proxy);

#endif
