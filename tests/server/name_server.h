#ifndef PAVANE_TESTS_SERVER_NAME_SERVER_H
#define PAVANE_TESTS_SERVER_NAME_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/* A small name server for tests, on 127.0.0.1 and a port of its own, over UDP
 * and TCP, in a thread of the test's program.
 *
 * It answers by a book that the test writes and may rewrite at any time: a name
 * with its records, and how it behaves when asked for it, well or badly. Names
 * that are not in the book do not exist. It counts what it is asked. A policy
 * uses it by fetch.name_servers: [name_server_address()].
 */
struct name_server;

enum name_server_manner {
	NAME_SERVER_ANSWERS,
	NAME_SERVER_DENIES,         /* there is no such name */
	NAME_SERVER_DENIES_V6,      /* the same, when asked for IPv6 */
	NAME_SERVER_FAILS,          /* SERVFAIL */
	NAME_SERVER_REFUSES,        /* REFUSED */
	NAME_SERVER_IS_SILENT,      /* never answers */
	NAME_SERVER_IS_SILENT_V4,   /* when asked for IPv4 */
	NAME_SERVER_IS_SILENT_V6,   /* when asked for IPv6 */
	NAME_SERVER_CUTS,           /* says over UDP to ask by TCP */
	NAME_SERVER_IS_SILENT_TCP,  /* and then says nothing */
	NAME_SERVER_MISTAKES,       /* answers under another number */
	NAME_SERVER_MISTAKES_FIRST, /* and only then under the right one */
	NAME_SERVER_BABBLES,        /* the right number, then nonsense */
};

struct name_server_entry {
	const char *name;    /* "a.test"; "*.wild.test": all below; "*": all */
	const char *records; /* "A 192.0.2.1, AAAA 2001:db8::1", "CNAME b.test";
				NULL for none */
	uint32_t ttl_s;
	uint32_t more; /* so many further addresses follow on each */
	uint32_t delay_ms;
	enum name_server_manner manner;
};

/* NULL if there is no socket or thread to be had. */
struct name_server *name_server_start(void);
void name_server_stop(struct name_server *server);

/* "127.0.0.1:PORT" */
const char *name_server_address(const struct name_server *server);

/* Writes an entry into the book, in place of the one of that name. */
void name_server_set(
    struct name_server *server, const struct name_server_entry *entry);

/* How many questions came that this name of the book covers; NULL: all. Each
 * try counts, and IPv4 and IPv6 are two questions. */
unsigned name_server_asked(struct name_server *server, const char *name);

/* How many came over TCP. */
unsigned name_server_asked_by_tcp(struct name_server *server);

/* The most questions that ever waited for a delayed answer at once. */
unsigned name_server_peak(struct name_server *server);

#endif
