#include "fleet/line/connection.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "fleet/line/url.h"

#define WHY_MAX 1000

static void step(struct pv_fleet_connection *connection);

static void on_closed(uv_handle_t *handle)
{
	free(handle);
}

static void stop_watching(struct pv_fleet_connection *connection)
{
	if (!connection->poll)
		return;
	connection->poll->data = NULL;
	uv_close((uv_handle_t *)connection->poll, on_closed);
	connection->poll = NULL;
}

/* An error of the socket is libpq's to find, when it reads; libuv has stopped watching
 * by then. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
	struct pv_fleet_connection *connection = poll->data;
	(void)events;
	if (!connection)
		return;
	if (status < 0)
		connection->watched = 0;
	if (connection->is_open)
		connection->events.on_ready(connection->events.ctx);
	else
		step(connection);
}

static bool start_watching(struct pv_fleet_connection *connection, int events)
{
	uv_poll_t *poll = pv_alloc(sizeof(*poll));
	if (uv_poll_init_socket(
		connection->loop, poll, PQsocket(connection->pg)) != 0) {
		free(poll);
		return false;
	}
	poll->data = connection;
	connection->poll = poll;
	connection->watched = events;
	return uv_poll_start(poll, events, on_poll) == 0;
}

/* libpq has the SQLSTATE only in its words: "...: FATAL:  3D000: database ...".
 * No other part of a message has five such letters between two spaces and a
 * colon. */
static bool find_sqlstate(const char *message, char sqlstate[6])
{
	const char *allowed = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	for (const char *at = strstr(message, ":  "); at;
	     at = strstr(at + 1, ":  ")) {
		if (strspn(at + 3, allowed) == 5 && at[8] == ':') {
			memcpy(sqlstate, at + 3, 5);
			sqlstate[5] = '\0';
			return true;
		}
	}
	return false;
}

/* What only programmers of the server want to know is left out. */
static void append_first_line(struct pv_buf *why, const char *message)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(message));
	struct pv_buf line;
	pv_buf_init(&line, WHY_MAX);
	pv_buf_append(&line, pv_reader_take_line(&reader));
	pv_fleet_message_append(why, pv_buf_text(&line));
	pv_buf_finish(&line);
}

/* A server's code for a wrong password: libpq has none for a missing one. */
#define NO_PASSWORD "28P01"

static void fail(struct pv_fleet_connection *connection, const char *message)
{
	struct pv_buf why;
	char sqlstate[6] = "";
	pv_buf_init(&why, WHY_MAX);
	if (find_sqlstate(message, sqlstate))
		append_first_line(&why, message);
	else
		pv_fleet_message_append(&why, message);
	if (!sqlstate[0] && PQconnectionNeedsPassword(connection->pg)) {
		memcpy(sqlstate, NO_PASSWORD, sizeof(NO_PASSWORD));
		pv_buf_append_text(&why,
		    ": write it into the file that PGPASSFILE names, or into "
		    "~/.pgpass");
	}
	connection->events.on_failed(
	    connection->events.ctx, sqlstate, pv_buf_text(&why));
	pv_buf_finish(&why);
}

static void open_up(struct pv_fleet_connection *connection)
{
	connection->is_open = true;
	PQsetErrorVerbosity(connection->pg, PQERRORS_DEFAULT);
	if (PQsetnonblocking(connection->pg, 1) != 0 ||
	    !start_watching(connection, UV_READABLE))
		fail(connection, "the connection cannot be watched");
	else
		connection->events.on_open(connection->events.ctx);
}

static void step(struct pv_fleet_connection *connection)
{
	stop_watching(connection);
	int events = UV_READABLE;
	switch (PQconnectPoll(connection->pg)) {
	case PGRES_POLLING_OK:
		open_up(connection);
		return;
	case PGRES_POLLING_READING:
		break;
	case PGRES_POLLING_WRITING:
		events = UV_WRITABLE;
		break;
	default:
		fail(connection, PQerrorMessage(connection->pg));
		return;
	}
	if (!start_watching(connection, events))
		fail(connection, "its socket cannot be watched");
}

/* Where the server was told to end its wait for a standby (syncrep.c in
 * PostgreSQL), it reports success with a warning. Its words may be in any
 * language, the name of its function is not. */
static bool is_doubt(const PGresult *notice)
{
	const char *function =
	    PQresultErrorField(notice, PG_DIAG_SOURCE_FUNCTION);
	const char *words = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
	return (function && strcmp(function, "SyncRepWaitForLSN") == 0) ||
	       (words && strstr(words, "wait for synchronous replication"));
}

static void on_notice(void *ctx, const PGresult *notice)
{
	struct pv_fleet_connection *connection = ctx;
	if (is_doubt(notice))
		connection->is_in_doubt = true;
	if (connection->events.on_notice)
		connection->events.on_notice(
		    connection->events.ctx, PQresultErrorMessage(notice));
}

bool pv_fleet_connection_open(struct pv_fleet_connection *connection,
    const char *const *keywords, const char *const *values, struct pv_buf *why)
{
	connection->is_open = false;
	connection->is_in_doubt = false;
	connection->pg = PQconnectStartParams(keywords, values, 0);
	if (!connection->pg)
		pv_alloc_fail(1, sizeof(void *));
	PQsetErrorVerbosity(connection->pg, PQERRORS_VERBOSE);
	PQsetNoticeReceiver(connection->pg, on_notice, connection);
	/* As if PQconnectPoll had asked for it (34.2 of the manual). */
	if (PQstatus(connection->pg) != CONNECTION_BAD &&
	    start_watching(connection, UV_WRITABLE))
		return true;
	pv_fleet_message_append(why, PQerrorMessage(connection->pg));
	pv_fleet_connection_close(connection);
	return false;
}

void pv_fleet_connection_close(struct pv_fleet_connection *connection)
{
	stop_watching(connection);
	PQfinish(connection->pg);
	connection->pg = NULL;
	connection->is_open = false;
}

void pv_fleet_connection_watch(
    struct pv_fleet_connection *connection, int events)
{
	if (!connection->poll || connection->watched == events)
		return;
	connection->watched = events;
	uv_poll_start(connection->poll, events, on_poll);
}
