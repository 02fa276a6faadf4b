#ifndef PAVANE_TESTS_SERVER_LOG_CHECK_H
#define PAVANE_TESTS_SERVER_LOG_CHECK_H

#include "server/server.h"

/* What a server's log says of a crawler's manners: how close together its
 * requests began, how long it let a host rest, how many it had open at once.
 *
 * A request begins when the first of its bytes arrives, and ends when the last
 * byte of its answer is about to be given to the kernel: so a rest may look
 * longer than it was by the moment that this takes, and never shorter. One that
 * has no end is open for good. Each question is asked of
 * every host, of every address, or of all requests together, and the answer is
 * that of the worst. Hosts are names without ports: letters count alike in
 * either case, and a dot at the end does not count.
 */
enum log_key {
	LOG_BY_HOST,
	LOG_BY_ADDRESS,
	LOG_TOGETHER,
};

/* A copy of the log; what its texts are is the server's, and lives as long. */
struct log_view {
	struct server_record *records;
	size_t count;
	bool is_whole; /* the server kept all that came */
};

/* Two requests, or none if no host (or address) had two. */
struct log_gap {
	int64_t us; /* INT64_MAX for none */
	struct server_record first;
	struct server_record second;
};

/* All that the server kept, until log_view_finish. */
struct log_view log_view_of(struct server *server);
void log_view_finish(struct log_view *view);

/* Only those of a host and a target that fit such globs (NULL is any). */
void log_view_keep(struct log_view *view, const char *host, const char *target);

/* The shortest time between the beginnings of two requests. */
struct log_gap log_shortest_gap(const struct log_view *view, enum log_key key);

/* The shortest time from the end of a request to the beginning of the next;
 * negative if they overlap, and INT64_MIN if one is open for good. */
struct log_gap log_shortest_rest(const struct log_view *view, enum log_key key);

/* How many were open at the same instant, at most. */
size_t log_most_at_once(const struct log_view *view, enum log_key key);

/* How many began within a span of so many milliseconds, at most: its end does
 * not belong to it. */
size_t log_most_within(
    const struct log_view *view, enum log_key key, int64_t span_ms);

/* How many hosts, addresses, or 1. */
size_t log_key_count(const struct log_view *view, enum log_key key);

/* How many are of such a host and target (NULL is any). */
size_t log_count(
    const struct log_view *view, const char *host, const char *target);

#endif
