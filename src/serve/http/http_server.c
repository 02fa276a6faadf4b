#include "serve/http/http_server.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"
#include "serve/http/listening.h"
#include "serve/http/visit.h"

/* What libmicrohttpd has for a head, its own notes about it, and what it is
 * about to send. */
#define MEMORY_BYTES ((size_t)96 << 10)
#define STACK_BYTES ((size_t)1 << 20)
#define LOG_LINE_MAX 1024

struct pv_http_server {
	struct pv_visits visits;
	struct pv_listening listening;
	struct MHD_Daemon *daemon;
	int error; /* why it does not start, or 0 */
};

void pv_http_plan_init(struct pv_http_plan *plan)
{
	*plan = (struct pv_http_plan){
	    .socket = -1,
	    .connections = {.connections_max = 256, .per_peer_max = 64},
	    .head_bytes = (size_t)32 << 10,
	    .body_bytes = (size_t)1 << 20,
	    .head_ms = 10 * 1000,
	    .body_ms = 30 * 1000,
	    .send_ms = 30 * 1000,
	};
}

/* NULL where it has none. A socket for both versions of IP has IPv4 addresses
 * within IPv6 ones. */
static const struct pv_address *address_of(
    const struct sockaddr *end, struct pv_address *address)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	*address = (struct pv_address){0};
	if (end && end->sa_family == AF_INET) {
		const struct sockaddr_in *four = (const void *)end;
		address->bits = 32;
		memcpy(address->bytes, &four->sin_addr, 4);
	} else if (end && end->sa_family == AF_INET6) {
		const struct sockaddr_in6 *six = (const void *)end;
		const uint8_t *bytes = six->sin6_addr.s6_addr;
		bool is_four = memcmp(bytes, mapped, sizeof(mapped)) == 0;
		address->bits = is_four ? 32 : 128;
		memcpy(address->bytes, is_four ? bytes + 12 : bytes,
		    address->bits / 8);
	}
	return address->bits ? address : NULL;
}

static enum MHD_Result may_connect(
    void *ctx, const struct sockaddr *end, socklen_t size)
{
	struct pv_visits *visits = ctx;
	struct pv_address address;
	(void)size;
	return pv_connections_may_add(
		   visits->connections, address_of(end, &address))
		   ? MHD_YES
		   : MHD_NO;
}

static void begin_connection(
    struct pv_visits *visits, struct MHD_Connection *connection, void **context)
{
	struct pv_address address;
	const struct sockaddr *end = MHD_get_connection_info(
	    connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
					 ->client_addr;
	int socket = MHD_get_connection_info(
	    connection, MHD_CONNECTION_INFO_CONNECTION_FD)
			 ->connect_fd;
	struct pv_connection *added = pv_connections_add(
	    visits->connections, socket, address_of(end, &address));
	*context = added;
	pv_connections_limit(visits->connections, added, visits->plan.head_ms);
}

static void on_connection(void *ctx, struct MHD_Connection *connection,
    void **context, enum MHD_ConnectionNotificationCode code)
{
	struct pv_visits *visits = ctx;
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		begin_connection(visits, connection, context);
	} else if (*context) {
		pv_connections_remove(visits->connections, *context);
		*context = NULL;
	}
}

__attribute__((format(printf, 2, 0))) static void on_log(
    void *ctx, const char *format, va_list list)
{
	const struct pv_http_plan *plan = &((struct pv_visits *)ctx)->plan;
	struct pv_buf line;
	if (!plan->log)
		return;
	pv_buf_init(&line, LOG_LINE_MAX);
	pv_buf_append_format_list(&line, format, list);
	if (pv_str_ends(pv_buf_str(&line), PV_STR("\n")))
		pv_buf_cut(&line, line.len - 1);
	plan->log(plan->log_ctx, pv_buf_str(&line));
	pv_buf_finish(&line);
}

static struct MHD_Daemon *start_daemon(struct pv_http_server *server)
{
	struct pv_visits *visits = &server->visits;
	/* We close what is too much at once; that library would leave it in the
	 * kernel's queue, also while those that were displaced end. */
	unsigned count_max = visits->plan.connections.connections_max + 64;
	return MHD_start_daemon(
	    MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
		MHD_USE_POLL | MHD_USE_ITC | MHD_USE_ERROR_LOG,
	    0, may_connect, visits, pv_visit_go_on, visits,
	    MHD_OPTION_EXTERNAL_LOGGER, on_log, (void *)visits,
	    MHD_OPTION_LISTEN_SOCKET, (MHD_socket)server->listening.socket,
	    MHD_OPTION_CONNECTION_LIMIT, count_max,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, MEMORY_BYTES,
	    MHD_OPTION_THREAD_STACK_SIZE, STACK_BYTES,
	    MHD_OPTION_URI_LOG_CALLBACK, pv_visit_begin, (void *)visits,
	    MHD_OPTION_NOTIFY_COMPLETED, pv_visit_end, (void *)visits,
	    MHD_OPTION_NOTIFY_CONNECTION, on_connection, (void *)visits,
	    MHD_OPTION_END);
}

/* What it starts inherits from it: no signals, which are for who started the
 * service, and that crawls have the processor first. */
static void *start_quietly(void *ctx)
{
	struct pv_http_server *server = ctx;
	pv_thread_give_way();
	errno = 0;
	server->daemon = start_daemon(server);
	server->error = errno;
	return NULL;
}

static void start_threads(struct pv_http_server *server)
{
	pthread_t thread;
	if (pv_thread_start(&thread, "http", start_quietly, server))
		pthread_join(thread, NULL);
	else
		server->error = EAGAIN;
}

static bool start(struct pv_http_server *server, struct pv_why *why)
{
	struct pv_visits *visits = &server->visits;
	errno = 0;
	visits->connections = pv_connections_create(&visits->plan.connections);
	server->error = errno;
	if (visits->connections)
		start_threads(server);
	if (!server->daemon)
		pv_why_add(why, (struct pv_place){0}, (struct pv_str){0},
		    "the HTTP server does not start: %s",
		    server->error ? strerror(server->error)
				  : "libmicrohttpd refuses");
	return server->daemon;
}

struct pv_http_server *pv_http_server_start(
    const struct pv_http_plan *plan, struct pv_why *why)
{
	struct pv_http_server *server = pv_alloc(sizeof(*server));
	server->visits.plan = *plan;
	bool is_open =
	    plan->listen
		? pv_listening_open(&server->listening, plan->listen, why)
		: pv_listening_take(&server->listening, plan->socket, why);
	if (is_open && start(server, why))
		return server;
	if (is_open) {
		pv_connections_destroy(server->visits.connections);
		pv_listening_close(&server->listening);
	}
	free(server);
	return NULL;
}

void pv_http_server_trust(struct pv_http_server *server,
    const struct pv_network *trusted, size_t count)
{
	pv_connections_trust(server->visits.connections, trusted, count);
}

uint16_t pv_http_server_port(const struct pv_http_server *server)
{
	return server->listening.port;
}

void pv_http_server_stop(struct pv_http_server *server)
{
	if (!server)
		return;
	/* That library waits for its threads, which may wait in streams. */
	pv_connections_end_all(server->visits.connections);
	MHD_quiesce_daemon(server->daemon);
	MHD_stop_daemon(server->daemon);
	pv_connections_destroy(server->visits.connections);
	pv_listening_close(&server->listening);
	free(server);
}
