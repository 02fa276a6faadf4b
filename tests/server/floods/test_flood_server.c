#include "server/floods/flood_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "server/caller.h"
#include "server/floods/frames.h"
#include "server/floods/records.h"
#include "tap.h"

/* Each flood, as one who reads it without haste is sent it. It ends by its
 * bytes. */
#define FLOOD_BYTES 400000
#define UNITS_LEAST 1000
#define WAIT_MS 10000

/* What OpenSSL bears of these before it ends the connection: 32 and 5. */
#define ALONE_LEAST 4

#define HTTP_REQUEST(path) "GET " path " HTTP/1.1\r\nHost: flood.test\r\n\r\n"

/* Requests of HTTP/2 for "/robots.txt", in letters, and for "/". */
#define GREETING FRAME_PREFACE "\0\0\0\x04\0\0\0\0\0"
#define REQUEST_ROBOTS                       \
	"\0\0\x11\x01\x05\0\0\0\x01\x82\x87" \
	"\x04\x0b/robots.txt\x41\x00"
#define REQUEST_ROOT "\0\0\x03\x01\x05\0\0\0\x03\x82\x87\x84"

/* A client, and what it heard. */
struct client {
	int fd;
	SSL_CTX *ctx;
	SSL *ssl;
	struct pv_buf heard;
	size_t counts[256]; /* of messages of the handshake, by their type, or
			       of alerts, by what they warn of */
	size_t records;
};

static void on_message(int is_sent, int version, int type, const void *bytes,
    size_t len, SSL *ssl, void *ctx)
{
	struct client *client = ctx;
	const unsigned char *at = bytes;
	(void)version;
	(void)ssl;
	if (is_sent || !len)
		return;
	if (type == SSL3_RT_INNER_CONTENT_TYPE)
		client->records++;
	if (type == SSL3_RT_HANDSHAKE)
		client->counts[at[0]]++;
	if (type == SSL3_RT_ALERT && len > 1)
		client->counts[at[1]]++;
}

static bool start_tls(
    struct client *client, const char *authority, bool is_http2)
{
	struct pv_str protocol =
	    is_http2 ? PV_STR("\x02h2") : PV_STR("\x08http/1.1");
	client->ctx = SSL_CTX_new(TLS_client_method());
	SSL_CTX_load_verify_file(client->ctx, authority);
	SSL_CTX_set_verify(client->ctx, SSL_VERIFY_PEER, NULL);
	client->ssl = SSL_new(client->ctx);
	SSL_set1_host(client->ssl, "flood.test");
	SSL_set_alpn_protos(client->ssl, (const unsigned char *)protocol.ptr,
	    (unsigned)protocol.len);
	SSL_set_msg_callback(client->ssl, on_message);
	SSL_set_msg_callback_arg(client->ssl, client);
	SSL_set_fd(client->ssl, client->fd);
	return SSL_connect(client->ssl) == 1;
}

static bool client_open(struct client *client, struct flood_server *server,
    const struct flood *flood)
{
	struct timeval patience = {.tv_sec = WAIT_MS / 1000};
	*client = (struct client){.fd = -1};
	pv_buf_init(&client->heard, SIZE_MAX);
	client->fd = caller_open("127.0.0.1", flood_server_port(server));
	setsockopt(
	    client->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (flood->way == FLOOD_TCP || flood->way == FLOOD_HANDSHAKE)
		return client->fd >= 0;
	return start_tls(
	    client, flood_server_authority(server), flood->way == FLOOD_HTTP2);
}

static void client_close(struct client *client)
{
	SSL_free(client->ssl);
	SSL_CTX_free(client->ctx);
	ERR_clear_error();
	close(client->fd);
	pv_buf_finish(&client->heard);
}

static void client_say(struct client *client, struct pv_str text)
{
	if (client->ssl)
		SSL_write(client->ssl, text.ptr, (int)text.len);
	else
		send(client->fd, text.ptr, text.len, MSG_NOSIGNAL);
}

static ssize_t client_hear(struct client *client)
{
	char bytes[RECORD_BYTES_MAX];
	ssize_t len = client->ssl ? SSL_read(client->ssl, bytes, sizeof(bytes))
				  : recv(client->fd, bytes, sizeof(bytes), 0);
	if (len > 0)
		pv_buf_append(
		    &client->heard, (struct pv_str){bytes, (size_t)len});
	return len;
}

/* What came before a text, and that; none of it stays. */
static bool client_hear_answer(struct client *client, struct pv_str end)
{
	while (!memmem(
	    pv_buf_text(&client->heard), client->heard.len, end.ptr, end.len)) {
		if (client_hear(client) <= 0)
			return false;
	}
	pv_buf_clear(&client->heard);
	return true;
}

/* Asks for a page, and then for the flood. */
static bool client_ask(struct client *client, enum flood_way way)
{
	bool is_http2 = way == FLOOD_HTTP2;
	if (way == FLOOD_HANDSHAKE)
		return true;
	client_say(client, is_http2 ? PV_STR(GREETING REQUEST_ROBOTS)
				    : PV_STR(HTTP_REQUEST("/robots.txt")));
	if (!client_hear_answer(
		client, is_http2 ? PV_STR("\0\0\x01\x01\x05\0\0\0\x01\x88")
				 : PV_STR("Content-Length: 0\r\n\r\n")))
		return false;
	client_say(client,
	    is_http2 ? PV_STR(REQUEST_ROOT) : PV_STR(HTTP_REQUEST("/")));
	while (client_hear(client) > 0)
		;
	return true;
}

/* What there is to claim */

/* How many units follow the head, all of them whole but the last. */
static size_t count_units(struct pv_str heard, const struct flood *flood)
{
	size_t count = 0;
	if (!pv_str_starts(heard, flood->head) || !flood->unit.len)
		return 0;
	heard = pv_str_from(heard, flood->head.len);
	while (pv_str_starts(heard, flood->unit)) {
		heard = pv_str_from(heard, flood->unit.len);
		count++;
	}
	return heard.len < flood->unit.len ? count : 0;
}

/* As many frames as there are of its type, behind the head. */
static size_t count_frames(struct pv_str heard, const struct flood *flood)
{
	const struct flood_frame *wanted = &flood->unit_frame;
	struct frame frame;
	size_t count = 0;
	bool is_right = true;
	if (flood->head_frame.type)
		is_right = frame_take(&heard, &frame) &&
			   frame.type == flood->head_frame.type &&
			   frame.stream == 3;
	while (is_right && frame_take(&heard, &frame)) {
		uint32_t stream = wanted->stream == FLOOD_ON_ASKED    ? 3
				  : wanted->stream == FLOOD_ON_CLOSED ? 1
								      : 0;
		is_right = frame.type == wanted->type &&
			   frame.flags == wanted->flags &&
			   frame.stream == stream &&
			   pv_str_equal(frame.payload, wanted->payload);
		count++;
	}
	return is_right ? count : 0;
}

/* A record of a handshake that has as many messages as it can hold. */
static size_t count_messages(struct pv_str heard, const struct flood *flood)
{
	static const char header[] = "\x16\x03\x03\x40\x00";
	size_t count = 0;
	if (!pv_str_starts(heard, PV_STR("\x16\x03\x03\x40\x00")))
		return 0;
	heard = pv_str_from(heard, sizeof(header) - 1);
	while (count < RECORD_BYTES_MAX / flood->unit.len &&
	       pv_str_starts(heard, flood->unit)) {
		heard = pv_str_from(heard, flood->unit.len);
		count++;
	}
	return count;
}

static size_t count_of(struct client *client, const struct flood *flood)
{
	struct pv_str heard = pv_buf_str(&client->heard);
	if (flood->way == FLOOD_HANDSHAKE)
		return count_messages(heard, flood);
	if (flood->way == FLOOD_HTTP2)
		return count_frames(heard, flood);
	if (flood->record_type == RECORD_HANDSHAKE)
		return client->counts[(unsigned char)flood->unit.ptr[0]];
	if (flood->record_type == RECORD_ALERT)
		return client->counts[(unsigned char)flood->unit.ptr[1]];
	if (!flood->unit.len)
		return client->records;
	return count_units(heard, flood);
}

static void test_flood(const struct flood *flood)
{
	struct flood_plan plan = {.flood = flood, .bytes_max = FLOOD_BYTES};
	struct flood_server *server = flood_server_start(&plan);
	struct client client;
	bool is_cut = flood->record_type == RECORD_ALERT ||
		      (flood->way == FLOOD_TLS && !flood->unit.len);
	size_t least = is_cut ? ALONE_LEAST : UNITS_LEAST;
	if (!ok(server && client_open(&client, server, flood),
		"%s: a client is let in", flood->name))
		return;
	ok(client_ask(&client, flood->way), "a page is answered");
	while (flood->way == FLOOD_HANDSHAKE && client_hear(&client) > 0)
		;
	size_t count = count_of(&client, flood);
	ok(count >= least, "and \"/\" with what is promised, %zu times", count);
	client_close(&client);
	struct flood_counts counts = flood_server_counts(server);
	ok(counts.connections == 1 && counts.floods == 1 &&
		counts.answers == (flood->way != FLOOD_HANDSHAKE) &&
		counts.bytes <= FLOOD_BYTES,
	    "which is counted (%llu bytes)", (unsigned long long)counts.bytes);
	flood_server_stop(server);
}

/* By its time, and when the server is stopped, since nobody reads it. */
static void test_end(void)
{
	struct flood_plan plan = {
	    .flood = flood_find("tiny-chunks"), .time_max_ms = 50};
	struct flood_server *server = flood_server_start(&plan);
	struct client client;
	if (!ok(server && client_open(&client, server, plan.flood),
		"a client is let in"))
		return;
	client_say(&client, PV_STR(HTTP_REQUEST("/")));
	ok(flood_server_wait(server, 65536, WAIT_MS), "a flood has begun");
	ssize_t len;
	do
		len = client_hear(&client);
	while (len > 0);
	ok(len == 0, "and ends when its time is over");
	client_close(&client);
	flood_server_stop(server);
	ok(!flood_find("nothing of the kind"), "some there are not");
}

int main(void)
{
	for (size_t i = 0; i < flood_count; i++)
		test_flood(&floods[i]);
	test_end();
	return tap_done();
}
