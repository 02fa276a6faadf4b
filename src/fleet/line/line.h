#ifndef PAVANE_FLEET_LINE_LINE_H
#define PAVANE_FLEET_LINE_LINE_H

#include "fleet/line/request.h"

/* A line to PostgreSQL: requests out, answers back, on the caller's loop, which
 * it never blocks.
 *
 * It connects, checks the server, prepares the caller's statements and says that
 * it is up (`on_up`). When the connection is lost it says so, gives all requests
 * back as PV_FLEET_LOST, and connects anew, again and again, with rests that grow
 * to five seconds and differ by chance. Of several hosts in the URL it takes the
 * first that can write, so that after a promotion it finds the new primary. What
 * a person has to change first ends it for good (`on_refused`), but only where it
 * was never up: a worker waits until that person has done so.
 *
 * Each request is one transaction, and several are under way at a time. Those
 * that meet a deadlock or a serialization failure are sent again after the
 * others, some times: so an answer may come before that of an earlier request, and
 * who needs an order waits for the answer.
 *
 * Host names are resolved by `names`, since libpq would block. What those
 * vet is what the web must not reach, and a database mostly stands on a private
 * network: so the line adds the hosts of its URL as named, and `names` must not be
 * those of the crawl.
 *
 * No callback comes from within a function of the line, and none after its
 * closing. In a callback all functions here may be called.
 */
struct uv_loop_s;
struct pv_names;
struct pv_fleet_line;

struct pv_fleet_server {
	int version;            /* 150020 is 15.20 */
	int64_t timeline;       /* another one after each promotion */
	bool has_standby_names; /* synchronous_standby_names is not empty */
	int backend_pid;
	int64_t server_ms; /* since 1970 by the server's clock, when the
				   callback is called ... */
	int64_t
	    uncertainty_ms; /* ... give or take so many: half of the way there
				   and back, rounded up */
};

struct pv_fleet_line_options {
	struct uv_loop_s *loop;
	const char
	    *url; /* whatever libpq takes; copied, and printed nowhere with
			    a password */
	struct pv_names *names; /* outlives the line */
	uint64_t random;        /* for the rests */
	int64_t
	    connect_timeout_ms; /* of each host, until the line is up; 0: ten
				       seconds, or connect_timeout of the URL */
	bool was_up;            /* another line, or one of an earlier run */
	size_t
	    bytes_max; /* of requests under way, for pv_fleet_line_has_room; 0:
			     8 MiB */

	/* The caller's, until the line is closed. */
	const struct pv_fleet_statement *statements;
	size_t statement_count;

	/* Connected and checked, at each connect: the time for the schema, by
	 * pv_fleet_line_exec; then the caller calls pv_fleet_line_prepare. NULL:
	 * the line goes on by itself. */
	void (*on_checked)(void *ctx, const struct pv_fleet_server *server);

	/* Requests may be sent. */
	void (*on_up)(void *ctx, const struct pv_fleet_server *server);

	/* Lost, after all requests came back; or no host could be connected to, each
	 * time that all have been tried. `why` is a sentence, safe to print. */
	void (*on_down)(void *ctx, const char *why);

	/* NULL: nobody wants to know. */
	void (*on_notify)(void *ctx, const char *channel, const char *payload);

	/* A warning or notice of the server: never safe to print raw. NULL: nobody
	 * wants to know. */
	void (*on_notice)(void *ctx, const char *text);

	/* For good, in the place of on_down: the server is too old or not safe, or
	 * lacks database, user, tables or rights. `why` says what to do. */
	void (*on_refused)(void *ctx, const char *why);
	void *ctx;
};

/* Begins to connect in the next turn of the loop. */
struct pv_fleet_line *pv_fleet_line_open(
    const struct pv_fleet_line_options *options);

/* Requests under way are destroyed without a word; its memory goes when the loop
 * has run its closing callbacks. NULL is fine. */
void pv_fleet_line_close(struct pv_fleet_line *line);

/* The request is the line's now. Where the line is not up, it comes back as lost
 * in the next turn of the loop. */
void pv_fleet_line_send(
    struct pv_fleet_line *line, struct pv_fleet_request *request);

/* Whether the requests under way take less than `bytes_max`. More are accepted, if
 * they are sent nevertheless. */
bool pv_fleet_line_has_room(const struct pv_fleet_line *line);

bool pv_fleet_line_is_up(const struct pv_fleet_line *line);

/* How many requests the server has answered so far, and whether others are under
 * way: who counts both sees that it is silent. */
uint64_t pv_fleet_line_answers(const struct pv_fleet_line *line);
bool pv_fleet_line_is_waiting(const struct pv_fleet_line *line);

/* Listens to a channel of NOTIFY, from the next connect on, and again after each. */
void pv_fleet_line_listen(struct pv_fleet_line *line, const char *channel);

/* Loses the connection on purpose: the server is silent, says the caller. */
void pv_fleet_line_drop(struct pv_fleet_line *line, const char *why);

/* Between on_checked and pv_fleet_line_prepare: statements that are one
 * transaction, without values. `first` is the first field of the first row of the
 * last one, as text, and NULL if there is none. Several are run in order. */
typedef void (*pv_fleet_exec_fn)(
    void *ctx, const struct pv_fleet_answer *answer, const char *first);
void pv_fleet_line_exec(struct pv_fleet_line *line, const char *text,
    pv_fleet_exec_fn on_answer, void *ctx);

/* The schema is there: prepares the statements, after which the line is up. */
void pv_fleet_line_prepare(struct pv_fleet_line *line);

/* Appends who is called, for people and without a password:
 * "postgresql://user@host:5432/crawls". */
void pv_fleet_line_show_url(const char *url, struct pv_buf *buf);

#endif
