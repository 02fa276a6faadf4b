#include "fetch/hooks.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/lease.h"
#include "base/system.h"
#include "fetch/ending.h"
#include "fetch/exchange.h"
#include "fetch/lane.h"
#include "fetch/transfer.h"

static struct pv_response *response_of(const struct pv_exchange *exchange)
{
	return &exchange->transfer->response;
}

static struct pv_fetch_shared *shared_of(const struct pv_exchange *exchange)
{
	return exchange->lane->shared;
}

/* What comes in */

static uint8_t version_of(long version)
{
	if (version == CURL_HTTP_VERSION_2_0)
		return 20;
	return version == CURL_HTTP_VERSION_1_1 ? 11 : 10;
}

static struct pv_status_line status_of(const struct pv_exchange *exchange)
{
	long status = 0;
	long version = 0;
	curl_easy_getinfo(exchange->easy, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(exchange->easy, CURLINFO_HTTP_VERSION, &version);
	return (struct pv_status_line){(uint16_t)status, version_of(version)};
}

static bool is_cookie(struct pv_str line)
{
	const struct pv_str name = PV_STR("Set-Cookie:");
	return line.len > name.len &&
	       pv_str_equal_nocase(pv_str_head(line, name.len), name);
}

size_t pv_hook_line(char *line, size_t one, size_t len, void *ctx)
{
	struct pv_exchange *exchange = ctx;
	struct pv_arrival *arrival = &exchange->arrival;
	struct pv_str text = {line, len};
	struct pv_status_line status = {0, 0};
	(void)one;
	pv_exchange_note_heard(exchange);
	pv_call_is_for(&exchange->lane->call, pv_exchange_fd(exchange));
	if (exchange->transfer->is_limited)
		exchange->came += len;
	if (arrival->part == PV_ARRIVAL_STATUS)
		status = status_of(exchange);
	if (is_cookie(text))
		exchange->cookie_count++;
	if (!pv_arrival_add_line(arrival, text, status))
		return 0;
	if (arrival->plan.is_last)
		curl_easy_setopt(exchange->easy, CURLOPT_FORBID_REUSE, 1L);
	return len;
}

size_t pv_hook_body(char *bytes, size_t one, size_t len, void *ctx)
{
	struct pv_exchange *exchange = ctx;
	(void)one;
	struct pv_lane *lane = exchange->lane;
	pv_exchange_note_heard(exchange);
	pv_call_is_for(&lane->call, pv_exchange_fd(exchange));
	if (!exchange->events->admit(exchange, len))
		return CURL_WRITEFUNC_PAUSE;
	pv_fair_share_credit(&lane->share, pv_exchange_fd(exchange), len);
	bool is_more = pv_arrival_add_body(
	    &exchange->arrival, (struct pv_str){bytes, len});
	return is_more ? len : CURL_WRITEFUNC_ERROR;
}

/* What goes out */

static int refuse_repetition(struct pv_exchange *exchange)
{
	pv_ending_set(response_of(exchange), PV_OUTCOME_BROKEN_OFF,
	    "the kept connection was closed before an answer came");
	return CURL_PREREQFUNC_ABORT;
}

/* The caller that dropped it counts its start up to then (P1). */
static int refuse_dropped(struct pv_exchange *exchange)
{
	pv_ending_set(response_of(exchange), PV_OUTCOME_BROKEN_OFF,
	    "it was dropped before it was sent");
	return CURL_PREREQFUNC_ABORT;
}

/* The last look: whoever has been stopped for a while comes here with a connection
 * that was made when the host was still this machine's. */
static bool is_withheld(struct pv_exchange *exchange)
{
	const struct pv_lease *lease = shared_of(exchange)->lease;
	if (!lease || !pv_lease_is_over(lease, pv_boot_now_ms()))
		return false;
	if (!pv_ending_is_set(response_of(exchange)))
		pv_response_withhold(response_of(exchange));
	return true;
}

static int refuse_address(struct pv_exchange *exchange, const char *address)
{
	pv_ending_set(response_of(exchange), PV_OUTCOME_NO_CONNECTION,
	    "the connection went to %s, which is not the resolved address",
	    address);
	return CURL_PREREQFUNC_ABORT;
}

/* Where two requests share a connection, nobody else says so. */
static void find_connection(struct pv_exchange *exchange,
    const struct pv_address *reached, uint16_t own_port)
{
	struct pv_sockets *sockets = &exchange->lane->sockets;
	const struct pv_ends ends = {.peer = *reached,
	    .peer_port = exchange->pin.port,
	    .own_port = own_port};
	if (exchange->socket >= 0)
		pv_sockets_keep(sockets, exchange->socket, exchange->shard);
	pv_exchange_join(exchange, pv_sockets_find(sockets, &ends));
}

/* A kept connection to a proxy that has moved is still one to that proxy. */
static bool is_elsewhere(
    const struct pv_exchange *exchange, const struct pv_address *reached)
{
	bool is_kept =
	    exchange->transfer->request.proxy && exchange->socket < 0;
	return !is_kept && !pv_address_equal(reached, &exchange->pin.address);
}

int pv_hook_request(
    void *ctx, char *address, char *own_address, int port, int own_port)
{
	struct pv_exchange *exchange = ctx;
	struct pv_address reached = {.bits = 0};
	(void)own_address;
	(void)port;
	if (exchange->is_sent)
		return refuse_repetition(exchange);
	if (atomic_load(&exchange->transfer->is_dropped))
		return refuse_dropped(exchange);
	pv_address_read(pv_str_of(address), &reached);
	if (is_elsewhere(exchange, &reached))
		return refuse_address(exchange, address);
	find_connection(exchange, &reached, (uint16_t)own_port);
	if (is_withheld(exchange))
		return CURL_PREREQFUNC_ABORT;
	pv_exchange_note_sent(exchange, &reached);
	return CURL_PREREQFUNC_OK;
}

/* False if it may not connect at all. */
static bool aim(struct pv_exchange *exchange, struct curl_sockaddr *address)
{
	if (exchange->is_sent) {
		refuse_repetition(exchange);
		return false;
	}
	if (is_withheld(exchange))
		return false;
	if (!exchange->pin.address.bits) {
		pv_ending_set(response_of(exchange), PV_OUTCOME_NO_CONNECTION,
		    "there is no address to connect to");
		return false;
	}
	pv_pin_write(&exchange->pin, address);
	return true;
}

/* The system gives out the lowest number that is free, so a high one says that
 * soon nobody will get any. */
static int open_socket(
    const struct pv_fetch_shared *shared, const struct curl_sockaddr *address)
{
	int fd = socket(address->family,
	    address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
	    address->protocol);
	if (fd <= shared->socket_max)
		return fd;
	close(fd);
	errno = EMFILE;
	return -1;
}

curl_socket_t pv_hook_open_socket(
    void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct pv_exchange *exchange = ctx;
	(void)purpose;
	if (!aim(exchange, address))
		return CURL_SOCKET_BAD;
	int fd = open_socket(shared_of(exchange), address);
	if (fd < 0)
		exchange->error = errno;
	exchange->socket = fd;
	return fd < 0 ? CURL_SOCKET_BAD : fd;
}

int pv_hook_close_socket(void *ctx, curl_socket_t fd)
{
	struct pv_lane *lane = ctx;
	pv_sockets_close(&lane->sockets, fd);
	return 0;
}

static CURLcode refuse_trust(
    struct pv_exchange *exchange, const struct pv_buf *fault)
{
	pv_ending_set(
	    response_of(exchange), PV_OUTCOME_TLS, "%s", pv_buf_text(fault));
	return CURLE_SSL_CACERT_BADFILE;
}

CURLcode pv_hook_tls(CURL *easy, void *context, void *ctx)
{
	struct pv_exchange *exchange = ctx;
	struct pv_fetch_shared *shared = shared_of(exchange);
	bool is_verified = exchange->transfer->request.is_tls_verified;
	CURLcode code = CURLE_OK;
	struct pv_buf fault;
	(void)easy;
	exchange->is_tls_begun = true;
	/* libcurl has set one where SSLKEYLOGFILE is in the environment. */
	SSL_CTX_set_keylog_callback(context, NULL);
	if (!is_verified && !exchange->transfer->request.proxy)
		return CURLE_OK;
	pv_buf_init(&fault, sizeof(response_of(exchange)->why));
	X509_STORE *store =
	    pv_trust_get(&shared->trust, exchange->trust, &fault);
	if (store)
		SSL_CTX_set1_cert_store(context, store);
	else if (is_verified)
		code = refuse_trust(exchange, &fault);
	pv_buf_finish(&fault);
	return code;
}

void pv_hooks_set(struct pv_exchange *exchange)
{
	CURL *easy = exchange->easy;
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, pv_hook_line);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, exchange);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, pv_hook_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
	curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, pv_hook_request);
	curl_easy_setopt(easy, CURLOPT_PREREQDATA, exchange);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, pv_hook_open_socket);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, exchange);
	curl_easy_setopt(
	    easy, CURLOPT_CLOSESOCKETFUNCTION, pv_hook_close_socket);
	curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, exchange->lane);
	curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, pv_hook_tls);
	curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, exchange);
}
