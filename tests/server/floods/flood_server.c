#include "server/floods/flood_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/system.h"
#include "server/certificate.h"
#include "server/floods/visit.h"

#define GUESTS_MAX 512
#define STEP_MS 20
#define TIME_MAX_MS 15000
#define BYTES_MAX ((uint64_t)4 << 30)

/* A connection, and who looks after it. */
struct guest {
	struct flood_server *server;
	pthread_t thread;
	int fd;
};

struct flood_server {
	struct flood_plan plan;
	struct flood_tally tally;
	atomic_bool is_over;
	pthread_t thread;
	bool has_thread;
	int listener;
	uint16_t port;
	SSL_CTX *ctx; /* NULL: there is no TLS */
	struct authority authority;
	char *authority_path;            /* a file */
	struct guest guests[GUESTS_MAX]; /* the listening thread's */
	size_t guest_count;
};

/* Guests */

static void *serve_guest(void *ctx)
{
	struct guest *guest = ctx;
	struct flood_server *server = guest->server;
	const struct wire_bounds bounds = {
	    server->plan.time_max_ms, server->plan.bytes_max};
	struct visit visit = {.plan = &server->plan, .tally = &server->tally};
	bool has_tls =
	    server->ctx && server->plan.flood->way != FLOOD_HANDSHAKE;
	wire_init(&visit.wire, guest->fd, &bounds);
	visit.wire.is_over = &server->is_over;
	visit.wire.poured = &server->tally.bytes;
	if (!has_tls || wire_start_tls(&visit.wire, server->ctx))
		visit_run(&visit);
	wire_finish(&visit.wire);
	ERR_clear_error();
	shutdown(guest->fd, SHUT_RDWR);
	return NULL;
}

static void take_guest(struct flood_server *server)
{
	struct guest *guest = &server->guests[server->guest_count];
	int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0)
		return;
	*guest = (struct guest){.server = server, .fd = fd};
	atomic_fetch_add(&server->tally.connections, 1);
	if (pv_thread_start(&guest->thread, "flood", serve_guest, guest))
		server->guest_count++;
	else
		close(fd);
}

static void *serve(void *ctx)
{
	struct flood_server *server = ctx;
	struct pollfd wait = {.fd = server->listener, .events = POLLIN};
	while (!atomic_load(&server->is_over)) {
		if (poll(&wait, 1, STEP_MS) > 0 &&
		    server->guest_count < GUESTS_MAX)
			take_guest(server);
	}
	for (size_t i = 0; i < server->guest_count; i++) {
		pthread_join(server->guests[i].thread, NULL);
		close(server->guests[i].fd);
	}
	return NULL;
}

/* Starting */

static int choose_protocol(SSL *ssl, const unsigned char **chosen,
    unsigned char *chosen_len, const unsigned char *offered,
    unsigned int offered_len, void *ctx)
{
	const struct flood_server *server = ctx;
	bool is_2 = server->plan.flood->way == FLOOD_HTTP2;
	struct pv_str ours = is_2 ? PV_STR("\x02h2") : PV_STR("\x08http/1.1");
	unsigned char *found;
	(void)ssl;
	if (SSL_select_next_proto(&found, chosen_len,
		(const unsigned char *)ours.ptr, (unsigned)ours.len, offered,
		offered_len) != OPENSSL_NPN_NEGOTIATED)
		return SSL_TLSEXT_ERR_ALERT_FATAL;
	*chosen = found;
	return SSL_TLSEXT_ERR_OK;
}

static bool use_certificate(struct flood_server *server)
{
	X509 *certificate = certificate_create(
	    &server->authority, pv_str_of(server->plan.host), SERVER_TLS_GOOD);
	bool is_used =
	    certificate && SSL_CTX_use_certificate(server->ctx, certificate) &&
	    SSL_CTX_use_PrivateKey(server->ctx, server->authority.leaf_key);
	X509_free(certificate);
	return is_used;
}

static bool write_authority(struct flood_server *server)
{
	char path[] = "authority.XXXXXX";
	char *whole;
	int fd = mkstemp(path);
	if (fd < 0)
		return false;
	close(fd);
	whole = realpath(path, NULL);
	server->authority_path = whole;
	return whole && authority_write(&server->authority, whole);
}

static bool start_tls(struct flood_server *server)
{
	server->ctx = SSL_CTX_new(TLS_server_method());
	if (!server->ctx || !records_prepare(server->ctx) ||
	    !authority_init(&server->authority) || !use_certificate(server) ||
	    !write_authority(server)) {
		ERR_print_errors_fp(stderr);
		return false;
	}
	SSL_CTX_set_alpn_select_cb(server->ctx, choose_protocol, server);
	return true;
}

static bool start_listening(struct flood_server *server)
{
	struct sockaddr_in place = {.sin_family = AF_INET};
	socklen_t len = sizeof(place);
	place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server->listener < 0 ||
	    bind(server->listener, (struct sockaddr *)&place, len) != 0 ||
	    listen(server->listener, GUESTS_MAX) != 0 ||
	    getsockname(server->listener, (struct sockaddr *)&place, &len) !=
		0) {
		perror("a server of floods cannot listen");
		return false;
	}
	server->port = ntohs(place.sin_port);
	return true;
}

static void set_plan(struct flood_server *server, const struct flood_plan *plan)
{
	server->plan = *plan;
	if (!plan->host)
		server->plan.host = "flood.test";
	if (!plan->time_max_ms)
		server->plan.time_max_ms = TIME_MAX_MS;
	if (!plan->bytes_max)
		server->plan.bytes_max = BYTES_MAX;
}

struct flood_server *flood_server_start(const struct flood_plan *plan)
{
	struct flood_server *server = pv_alloc(sizeof(*server));
	bool has_tls = plan->flood->way != FLOOD_TCP;
	server->listener = -1;
	set_plan(server, plan);
	server->has_thread =
	    (!has_tls || start_tls(server)) && start_listening(server) &&
	    pthread_create(&server->thread, NULL, serve, server) == 0;
	if (server->has_thread)
		return server;
	flood_server_stop(server);
	return NULL;
}

void flood_server_stop(struct flood_server *server)
{
	if (!server)
		return;
	atomic_store(&server->is_over, true);
	if (server->has_thread)
		pthread_join(server->thread, NULL);
	if (server->listener >= 0)
		close(server->listener);
	if (server->authority_path)
		unlink(server->authority_path);
	free(server->authority_path);
	if (server->ctx)
		authority_finish(&server->authority);
	SSL_CTX_free(server->ctx);
	free(server);
}

/* Looking */

uint16_t flood_server_port(const struct flood_server *server)
{
	return server->port;
}

const char *flood_server_authority(const struct flood_server *server)
{
	return server->authority_path;
}

struct flood_counts flood_server_counts(struct flood_server *server)
{
	return (struct flood_counts){
	    .connections = atomic_load(&server->tally.connections),
	    .floods = atomic_load(&server->tally.floods),
	    .answers = atomic_load(&server->tally.answers),
	    .bystanders = atomic_load(&server->tally.bystanders),
	    .bytes = atomic_load(&server->tally.bytes),
	};
}

bool flood_server_wait(
    struct flood_server *server, uint64_t bytes, int timeout_ms)
{
	const struct timespec step = {.tv_nsec = 1000000};
	for (int i = 0; i < timeout_ms; i++) {
		if (atomic_load(&server->tally.bytes) >= bytes)
			return true;
		nanosleep(&step, NULL);
	}
	return false;
}
