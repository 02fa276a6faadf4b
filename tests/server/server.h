#ifndef PAVANE_TESTS_SERVER_SERVER_H
#define PAVANE_TESTS_SERVER_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/address.h"
#include "base/buf.h"
#include "base/str.h"

/* A web server that does as it is told, and writes down what it saw.
 *
 * It runs in a thread of the test's own program and serves nobody but this
 * machine: loopback addresses, one or all of them, on one port, and on a second
 * one over TLS. What it answers stands in a table of routes, of which the first
 * that fits a request counts, or is made by a function; what neither wants gets
 * a 404. An answer says what is sent, how fast, and what goes wrong on the way.
 * The log tells when the bytes of each request arrived, as the kernel saw them,
 * so that a busy machine does not make two requests look closer together than
 * they were; log_check.h asks it what has to be known of a crawler's manners.
 *
 * A scenario is a table, a server, whoever asks it, and claims about the log. A
 * page that is busy once, and then there:
 *
 *	static const struct server_route routes[] = {
 *	    {.path = "/page", .nth = 1,
 *		.answer = {.status = 503, .headers = "Retry-After: 1\r\n"}},
 *	    {.path = "/page", .answer = {.body = "<a href=/next>next</a>"}},
 *	};
 *	struct server *server =
 *	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
 *	... ask http://127.0.0.1:PORT/page, PORT being server_port(server) ...
 *	server_wait_idle(server, 2, 5000);
 *	struct log_view view = log_view_of(server);
 *	ok(log_shortest_gap(&view, LOG_BY_HOST).us >= 1000000, "...");
 *	log_view_finish(&view);
 *	server_stop(server);
 *
 * Hosts of several names, each at an address of its own in 127.0.0.0/8, as the
 * client is told by other means (a policy's fetch.resolve); the Host header
 * says which is meant:
 *
 *	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
 *	static const struct server_route routes[] = {
 *	    {.host = "broken.test", .answer = {.kind = SERVER_PATTERN,
 *		.size = 1000000,
 *		.fault = {SERVER_RESET, SERVER_IN_BODY, 1000}}},
 *	    {.host = "slow.test", .answer = {.body = "never quite there",
 *		.body_pace = {.piece = 1, .pause_ms = 50}}},
 *	};
 *	static const struct server_tls_name names[] = {
 *	    {"expired.test", SERVER_TLS_EXPIRED}};
 *	struct server_plan plan = {.addresses = everywhere,
 *	    SERVER_ROUTES(routes), SERVER_TLS_NAMES(names)};
 *
 * What is not a word of its own is said with those that there are:
 *
 *	never answers           .fault = {SERVER_STALL, SERVER_BEFORE, 0}
 *	cut between two chunks  .framing = SERVER_CHUNKED,
 *	                        .fault = {SERVER_CLOSE, SERVER_BEFORE_END, 0}
 *	two lengths             .framing = SERVER_UNTIL_CLOSE, .headers =
 *	                        "Content-Length: 5\r\nContent-Length: 7\r\n"
 *	length and chunks       .framing = SERVER_CHUNKED, .length = "5"
 *	one header of 1 MB      .extra_count = 1, .extra_size = 1 << 20
 *	endless headers         .extra_count = SERVER_ENDLESS
 *	a NUL in a header       .odd_headers = {"X: a\0b\r\n", 8}
 *	HTTP/0.9, or rubbish    .raw = {"hello", 5}
 *	gzip is said, not sent  .headers = "Content-Encoding: gzip\r\n"
 *	gzip that is cut off    .coding = SERVER_GZIP, .coded_cut = 10
 *	a bomb                  .coding = SERVER_GZIP, .kind = SERVER_ZEROS,
 *	                        .size = 1000000000
 *	redirects without end   {.path = "/hop-*", .answer = {.status = 302,
 *	                        .location = "/hop-{n+1}"}}
 *	the rest of a body      {.header = "Range: bytes=500-", .answer =
 *	                        {.status = 206, .kind = SERVER_PATTERN,
 *	                        .from = 500, .size = 300, .headers =
 *	                        "Content-Range: bytes 500-799/800\r\n"}}
 *	nothing has changed     {.header = "If-None-Match: *", .answer =
 *	                        {.status = 304}}
 *
 * Who is not there at all is in hole.h, a whole site in site.h, and the program
 * as a person runs it in run_program.h.
 */
struct server;

/* A request, for who makes answers; borrowed for the call. */
struct server_request {
	struct pv_str method;
	struct pv_str target;      /* as it was sent */
	struct pv_str path;        /* the target without its query */
	struct pv_str host;        /* of the Host header, without its port */
	struct pv_str headers;     /* the lines as they came */
	struct pv_str body;        /* by its Content-Length */
	struct pv_address address; /* that it was sent to */
	uint32_t nth;              /* of this host and target, from 1 */
	uint32_t connection;       /* from 1, as they were accepted */
	int64_t begin_us;          /* as in the log */
	bool is_tls;
	bool is_last; /* on its connection, if it is to go as the client says */
};

/* The value of the first header of that name; ptr is NULL if there is none. */
struct pv_str server_header(struct pv_str headers, const char *name);

enum server_kind {
	SERVER_TEXT,    /* `body`, or what was written to `own_body` */
	SERVER_PATTERN, /* `size` bytes of server_pattern_at */
	SERVER_ZEROS,   /* `size` bytes */
	SERVER_LINKS,   /* a page with `size` links, to 0, 1, 2 ... below it */
};

#define SERVER_ENDLESS UINT64_MAX

/* The byte at that place of the pattern. */
char server_pattern_at(uint64_t place);

enum server_framing {
	SERVER_WITH_LENGTH,
	SERVER_CHUNKED,
	SERVER_UNTIL_CLOSE, /* and no word of a length */
};

enum server_coding {
	SERVER_PLAIN,
	SERVER_GZIP,
	SERVER_DEFLATE,
	SERVER_RAW_DEFLATE, /* said to be deflate, as some do */
	SERVER_BR,
	SERVER_ZSTD,
};

enum server_break {
	SERVER_WHOLE,
	SERVER_CLOSE,
	SERVER_RESET,
	SERVER_STALL, /* says nothing more, and leaves it open */
};

enum server_place {
	SERVER_BEFORE,     /* anything is said */
	SERVER_IN_HEAD,    /* so many bytes of the head have been sent */
	SERVER_IN_BODY,    /* so many of the body, before framing */
	SERVER_BEFORE_END, /* all of the body has, but no last chunk */
};

struct server_fault {
	enum server_break kind;
	enum server_place place;
	uint64_t after;
};

struct server_pace {
	uint32_t delay_ms; /* before the first byte */
	uint32_t piece;    /* so many bytes at a time; 0 for all */
	uint32_t pause_ms; /* between pieces */
};

struct server_chunks {
	size_t size;          /* of each; 0 for 4,096 */
	const char *line;     /* what the first says of its size, instead */
	const char *trailers; /* lines */
	bool has_no_end;      /* the last chunk is not sent */
};

/* What is not said is as a good server has it. Texts are borrowed: they live
 * as long as the server. */
struct server_answer {
	int status; /* 0 is 200 */
	const char *reason;
	const char *type;     /* NULL is text/html, "" is none */
	const char *location; /* with the words of server_expand */
	const char *headers;  /* lines, with their ends, sent as they are */

	/* Nothing but these bytes is sent, and the connection closed. */
	struct pv_str raw;
	struct pv_str odd_headers; /* further ones, which may hold a NUL */

	enum server_kind kind;
	const char *body;
	uint64_t size;
	uint64_t from;              /* where the pattern begins, for an answer
				       that is the rest of another */
	bool is_template;           /* the body has words of server_expand */
	bool has_body_anyway;       /* after HEAD, 204 and 304 too */
	struct pv_buf *own_body;    /* a function may write here what */
	struct pv_buf *own_headers; /* does not live so long */

	enum server_framing framing;
	const char *length; /* what Content-Length says, instead of the truth */
	struct server_chunks chunks;
	bool closes;         /* after the answer, and says so */
	bool stays_open;     /* even where the framing or a wrong length ask for
			    the end of the connection */
	struct pv_str after; /* sent behind the answer */

	enum server_coding coding; /* the header too */
	size_t coded_cut;          /* so many bytes are left off its end */
	bool is_corrupt;           /* a bit of its last bytes is wrong */

	uint64_t interims;    /* so many responses before it, of ... */
	int interim_status;   /* 0 is 103 */
	uint64_t extra_count; /* so many headers more, of ... */
	size_t extra_size;    /* bytes each; 0 is 16 */

	struct server_pace head_pace;
	struct server_pace body_pace;
	struct server_fault fault;
};

struct server_route {
	const char *host;   /* a glob; NULL is any */
	const char *path;   /* a glob of the target with its query */
	const char *header; /* a glob that a header line must fit */
	uint32_t nth;       /* only the nth request of its host and target */
	struct server_answer answer;
};

/* Makes the answer to a request, on the server's thread: it must not wait.
 * False if it has none. */
typedef bool (*server_answer_fn)(void *ctx,
    const struct server_request *request, struct server_answer *answer);

/* What goes wrong before a request can be made, at addresses that fit a glob:
 * the first door counts. */
enum server_door_kind {
	SERVER_DOOR_RESETS,
	SERVER_DOOR_CLOSES,
	SERVER_DOOR_NEVER_READS,
};

struct server_door {
	const char *address; /* a glob; NULL is any */
	enum server_door_kind kind;
	uint32_t times; /* only for so many connections; 0 is for all */
};

/* How a host does TLS. Its authority is one of the test's own
 * (server_authority_path), and the certificate names the host that the client
 * asked for, but where something is to be wrong. */
enum server_tls_kind {
	SERVER_TLS_GOOD,
	SERVER_TLS_EXPIRED,
	SERVER_TLS_NOT_YET_VALID,
	SERVER_TLS_SELF_SIGNED,
	SERVER_TLS_UNKNOWN_AUTHORITY,
	SERVER_TLS_WRONG_NAME,

	/* once the client has said whom it wants */
	SERVER_TLS_STALLS,
	SERVER_TLS_CLOSES,
	SERVER_TLS_RESETS,
	SERVER_TLS_SPEAKS_PLAIN,
};

struct server_tls_name {
	const char
	    *host; /* a glob; of the address where no name is asked for */
	enum server_tls_kind kind;
};

struct server_plan {
	/* "127.0.0.2", "::1" and the like, ended by NULL, or "127.0.0.0/8" for
	 * all of that; NULL is 127.0.0.1. Borrowed for the call. Not every
	 * machine that runs tests has ::1. */
	const char *const *addresses;
	uint16_t port; /* 0 is any that is free */
	bool has_tls;  /* at a port of its own, as well */
	uint16_t tls_port;

	/* The tables live as long as the server. */
	const struct server_route *routes;
	size_t route_count;
	server_answer_fn answer; /* asked where no route fits */
	void *ctx;
	const struct server_door *doors;
	size_t door_count;
	const struct server_tls_name *tls_names; /* the others are good */
	size_t tls_name_count;

	size_t log_max; /* so many requests are kept, and others only counted;
			   0 is 262,144 */
	bool is_unlogged;
};

#define SERVER_ROUTES(table) \
	.routes = (table), .route_count = sizeof(table) / sizeof(*(table))

#define SERVER_DOORS(table) \
	.doors = (table), .door_count = sizeof(table) / sizeof(*(table))
#define SERVER_TLS_NAMES(table)                \
	.has_tls = true, .tls_names = (table), \
	.tls_name_count = sizeof(table) / sizeof(*(table))

/* NULL, with a line for whoever runs the test, if it cannot be had. */
struct server *server_start(const struct server_plan *plan);
uint16_t server_port(const struct server *server);
uint16_t server_tls_port(const struct server *server);

/* A file with the certificate that clients are to trust, until the server is
 * stopped; NULL if it has no TLS. */
const char *server_authority_path(const struct server *server);

/* NULL is fine. What the log gave out goes with it. */
void server_stop(struct server *server);

/* Appends a text in which {port} and {tls_port} are the server's ports, {host}
 * the request's Host header, {path} its path, {n} the last number in its target
 * (0 if there is none) and {n+1} one more. */
void server_expand(const struct server *server,
    const struct server_request *request, struct pv_str text,
    struct pv_buf *buf);

/* A request as the log has it. Times are microseconds of the monotonic clock:
 * beginnings as the kernel received the bytes, ends as it was given the last,
 * and never later than the other side could have it. A client may know of an
 * answer before the log does: see server_wait_idle. */
struct server_record {
	struct pv_str host; /* of the Host header, without its port */
	struct pv_str method;
	struct pv_str target;
	struct pv_str headers;
	struct pv_address address; /* that it was sent to */
	uint16_t peer_port;
	uint32_t connection; /* from 1, as they were accepted */
	uint32_t nth;        /* of this host and target, from 1 */
	bool is_tls;
	int64_t begin_us; /* the first byte of its first line */
	int64_t ready_us; /* the end of its headers */
	int64_t begin_wall_ms;

	/* Of its answer. */
	int status;       /* 0 while there is none */
	int64_t end_us;   /* its last byte is given to the kernel, or the
			     connection is over; 0 while it is open */
	uint64_t sent;    /* bytes given to the kernel, before TLS */
	bool is_complete; /* all that was to be sent, faults included */
};

/* A connection as the log has it. */
struct server_accept {
	struct pv_address address; /* that it came to */
	uint16_t peer_port;
	bool is_tls;
	int64_t at_us;
	int64_t end_us; /* 0 while it is open */
};

/* How many came; those past log_max are counted and not kept. */
size_t server_log_count(struct server *server);
size_t server_accept_count(struct server *server);

/* False if it is not kept. The texts live until the server is stopped. */
bool server_log_get(
    struct server *server, size_t i, struct server_record *record);
bool server_accept_get(
    struct server *server, size_t i, struct server_accept *accept);

/* All that is kept, to be released with free. */
struct server_record *server_log_copy(struct server *server, size_t *count);

/* Waits until so many requests came; false if they did not within the time. */
bool server_wait(struct server *server, size_t requests, int timeout_ms);

/* The same until as many answers are over as requests came, and no less than
 * so many. */
bool server_wait_idle(struct server *server, size_t requests, int timeout_ms);

#endif
