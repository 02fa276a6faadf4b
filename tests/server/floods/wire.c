#include "server/floods/wire.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#define STEP_MS 50
#define PIECE 16384
#define SAID_MAX (64u << 10)

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* No call waits for longer than a step, so that the end is noticed. */
static void limit_waiting(int fd)
{
	struct timeval step = {.tv_usec = STEP_MS * 1000};
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &step, sizeof(step));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &step, sizeof(step));
}

void wire_init(struct wire *wire, int fd, const struct wire_bounds *bounds)
{
	*wire = (struct wire){
	    .fd = fd,
	    .deadline_ms = now_ms() + bounds->time_max_ms,
	    .bytes_left = bounds->bytes_max,
	};
	limit_waiting(fd);
}

void wire_finish(struct wire *wire)
{
	if (!wire->ssl)
		return;
	SSL_free(wire->ssl);
	records_finish(&wire->records);
}

static bool is_over(const struct wire *wire)
{
	return atomic_load(wire->is_over) || now_ms() >= wire->deadline_ms;
}

bool wire_start_tls(struct wire *wire, SSL_CTX *ctx)
{
	int status;
	wire->ssl = SSL_new(ctx);
	if (!wire->ssl || !records_init(&wire->records))
		return false;
	SSL_set_app_data(wire->ssl, &wire->records);
	SSL_set_fd(wire->ssl, wire->fd);
	do
		status = SSL_accept(wire->ssl);
	while (status <= 0 && !is_over(wire) &&
	       SSL_get_error(wire->ssl, status) == SSL_ERROR_WANT_READ);
	return status == 1 && records_start(&wire->records);
}

/* Hearing */

static ssize_t read_some(struct wire *wire, char *bytes, size_t size)
{
	if (wire->ssl)
		return SSL_read(wire->ssl, bytes, (int)size);
	return recv(wire->fd, bytes, size, 0);
}

static bool has_some(const struct wire *wire, int timeout_ms)
{
	struct pollfd wait = {.fd = wire->fd, .events = POLLIN};
	return (wire->ssl && SSL_pending(wire->ssl)) ||
	       poll(&wait, 1, timeout_ms) > 0;
}

/* Whether nothing came that was more than TLS's own. */
static bool was_silent(const struct wire *wire, ssize_t len)
{
	if (wire->ssl)
		return SSL_get_error(wire->ssl, (int)len) ==
		       SSL_ERROR_WANT_READ;
	return len < 0 && errno == EAGAIN;
}

enum wire_result wire_hear(
    struct wire *wire, struct pv_buf *heard, int timeout_ms)
{
	char bytes[PIECE];
	int64_t until = now_ms() + timeout_ms;
	while (!is_over(wire)) {
		if (has_some(
			wire, timeout_ms < STEP_MS ? timeout_ms : STEP_MS)) {
			ssize_t len = read_some(wire, bytes, sizeof(bytes));
			if (len > 0)
				pv_buf_append(
				    heard, (struct pv_str){bytes, (size_t)len});
			if (len > 0)
				return WIRE_HEARD;
			if (!was_silent(wire, len))
				return WIRE_OVER;
		}
		if (now_ms() >= until)
			return WIRE_SILENT;
	}
	return WIRE_OVER;
}

/* Saying */

static void throw_away(const struct wire *wire)
{
	char bytes[PIECE];
	while (recv(wire->fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
}

/* How many bytes the kernel took; negative if it takes no more. */
static ssize_t send_some(struct wire *wire, struct pv_str bytes)
{
	size_t len =
	    bytes.len < wire->bytes_left ? bytes.len : wire->bytes_left;
	ssize_t sent = send(wire->fd, bytes.ptr, len, MSG_NOSIGNAL);
	if (sent > 0)
		wire->bytes_left -= (uint64_t)sent;
	return sent < 0 && errno == EAGAIN ? 0 : sent > 0 ? sent : -1;
}

static bool send_all(struct wire *wire, struct pv_str bytes)
{
	while (bytes.len && !is_over(wire)) {
		ssize_t sent = send_some(wire, bytes);
		if (sent < 0)
			return false;
		bytes = pv_str_from(bytes, (size_t)sent);
	}
	return bytes.len == 0;
}

bool wire_say(struct wire *wire, struct pv_str text)
{
	struct pv_buf sealed;
	if (!wire->ssl)
		return send_all(wire, text);
	pv_buf_init(&sealed, SAID_MAX);
	records_seal(&wire->records, RECORD_DATA, text, &sealed);
	bool is_sent = send_all(wire, pv_buf_str(&sealed));
	pv_buf_finish(&sealed);
	return is_sent;
}

bool wire_pour(struct wire *wire, struct pv_str bytes)
{
	while (bytes.len && !is_over(wire)) {
		ssize_t sent = send_some(wire, bytes);
		if (sent < 0)
			return false;
		throw_away(wire);
		atomic_fetch_add(wire->poured, (uint64_t)sent);
		bytes = pv_str_from(bytes, (size_t)sent);
	}
	return bytes.len == 0;
}
