#include "server/tls.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "server/caller.h"
#include "tap.h"

/* How long we wait for what is not to come. */
#define SILENCE_MS 60

#define REQUEST "GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"

static const struct server_route routes[] = {
    {.path = "/cut",
	.answer = {.body = "hello",
	    .framing = SERVER_UNTIL_CLOSE,
	    .fault = {SERVER_CLOSE, SERVER_BEFORE_END, 0}}},
    {.path = "/big",
	.answer = {.kind = SERVER_PATTERN, .size = 300000, .closes = true}},
    {.answer = {.body = "hello", .is_template = true}},
};

static const struct server_tls_name names[] = {
    {"expired.test", SERVER_TLS_EXPIRED},
    {"early.test", SERVER_TLS_NOT_YET_VALID},
    {"self.test", SERVER_TLS_SELF_SIGNED},
    {"stranger.test", SERVER_TLS_UNKNOWN_AUTHORITY},
    {"wrong.test", SERVER_TLS_WRONG_NAME},
    {"stalls.test", SERVER_TLS_STALLS},
    {"closes.test", SERVER_TLS_CLOSES},
    {"resets.test", SERVER_TLS_RESETS},
    {"plain.test", SERVER_TLS_SPEAKS_PLAIN},
};

/* A client that verifies, on a connection of its own. */
struct client {
	SSL_CTX *ctx;
	SSL *ssl;
	int fd;
};

/* `host` is a name, or an address. */
static void client_open(
    struct client *client, struct server *server, const char *host)
{
	char name[64];
	struct timeval patience = {.tv_sec = CALLER_TIMEOUT_MS / 1000};
	bool is_address = host[strlen(host) - 1] != 't';
	client->ctx = SSL_CTX_new(TLS_client_method());
	SSL_CTX_load_verify_file(client->ctx, server_authority_path(server));
	SSL_CTX_set_verify(client->ctx, SSL_VERIFY_PEER, NULL);
	client->ssl = SSL_new(client->ctx);
	if (is_address) {
		X509_VERIFY_PARAM_set1_ip_asc(
		    SSL_get0_param(client->ssl), host);
	} else {
		SSL_set1_host(client->ssl, host);
		snprintf(name, sizeof(name), "%s", host);
		SSL_set_tlsext_host_name(client->ssl, name);
	}
	client->fd = caller_open(
	    is_address ? host : "127.0.0.1", server_tls_port(server));
	setsockopt(
	    client->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	SSL_set_fd(client->ssl, client->fd);
}

static void client_close(struct client *client)
{
	SSL_free(client->ssl);
	SSL_CTX_free(client->ctx);
	close(client->fd);
	ERR_clear_error();
}

/* All that comes for a request; whether its end was said. */
static bool client_ask(
    struct client *client, const char *request, struct pv_buf *heard)
{
	char bytes[16384];
	int len;
	SSL_write(client->ssl, request, (int)strlen(request));
	while ((len = SSL_read(client->ssl, bytes, sizeof(bytes))) > 0)
		pv_buf_append(heard, (struct pv_str){bytes, (size_t)len});
	return SSL_get_error(client->ssl, len) == SSL_ERROR_ZERO_RETURN;
}

static void test_good(struct server *server, const char *host)
{
	struct client client;
	struct pv_buf heard;
	pv_buf_init(&heard, 1 << 20);
	client_open(&client, server, host);
	ok(SSL_connect(client.ssl) == 1, "%s is who it says", host);
	ok(client_ask(&client, REQUEST, &heard) &&
		pv_str_ends(pv_buf_str(&heard), PV_STR("\r\n\r\nhello")),
	    "and answers, and says when it is over");
	pv_buf_finish(&heard);
	client_close(&client);
}

struct bad {
	const char *host;
	long result;
};

static const struct bad bad[] = {
    {"expired.test", X509_V_ERR_CERT_HAS_EXPIRED},
    {"early.test", X509_V_ERR_CERT_NOT_YET_VALID},
    {"self.test", X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT},
    {"stranger.test", X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY},
    {"wrong.test", X509_V_ERR_HOSTNAME_MISMATCH},
};

static void test_bad(struct server *server, const struct bad *row)
{
	struct client client;
	client_open(&client, server, row->host);
	ok(SSL_connect(client.ssl) != 1 &&
		SSL_get_verify_result(client.ssl) == row->result,
	    "%s is refused: %s", row->host,
	    X509_verify_cert_error_string(row->result));
	client_close(&client);
	client_open(&client, server, row->host);
	SSL_set_verify(client.ssl, SSL_VERIFY_NONE, NULL);
	struct pv_buf heard;
	pv_buf_init(&heard, 1 << 20);
	ok(SSL_connect(client.ssl) == 1 &&
		client_ask(&client, REQUEST, &heard) && heard.len,
	    "but answers whoever does not care");
	pv_buf_finish(&heard);
	client_close(&client);
}

/* What is heard on the socket, below TLS, once the client has begun. */
static enum caller_end hear_below(struct server *server, const char *host,
    struct pv_buf *heard, int timeout_ms)
{
	struct client client;
	client_open(&client, server, host);
	SSL_set_fd(client.ssl, client.fd);
	/* Into memory, so that what is sent can be sent by hand. */
	BIO *out = BIO_new(BIO_s_mem());
	BIO_up_ref(out);
	SSL_set_bio(client.ssl, BIO_new(BIO_s_mem()), out);
	SSL_connect(client.ssl);
	char *bytes;
	long len = BIO_get_mem_data(out, &bytes);
	send(client.fd, bytes, (size_t)len, MSG_NOSIGNAL);
	enum caller_end end =
	    caller_hear(client.fd, heard, 1 << 16, timeout_ms);
	BIO_free(out);
	client_close(&client);
	return end;
}

static void test_misbehaviour(struct server *server)
{
	struct pv_buf heard;
	pv_buf_init(&heard, 1 << 16);
	ok(hear_below(server, "stalls.test", &heard, SILENCE_MS) ==
		    CALLER_TIMED_OUT &&
		!heard.len,
	    "a host may say nothing once it is greeted");
	ok(hear_below(server, "closes.test", &heard, CALLER_TIMEOUT_MS) ==
		    CALLER_CLOSED &&
		!heard.len,
	    "or close");
	ok(hear_below(server, "resets.test", &heard, CALLER_TIMEOUT_MS) ==
		CALLER_RESET,
	    "or reset");
	ok(hear_below(server, "plain.test", &heard, CALLER_TIMEOUT_MS) ==
		    CALLER_CLOSED &&
		pv_str_starts(pv_buf_str(&heard), PV_STR("HTTP/1.1 400 ")),
	    "or speak without TLS");
	pv_buf_finish(&heard);
}

static void test_answers(struct server *server)
{
	struct client client;
	struct pv_buf heard;
	struct server_record record = {.nth = 0};
	pv_buf_init(&heard, 1 << 20);
	client_open(&client, server, "a.test");
	SSL_connect(client.ssl);
	size_t before = server_log_count(server);
	ok(!client_ask(&client, "GET /cut HTTP/1.1\r\n\r\n", &heard) &&
		pv_str_ends(pv_buf_str(&heard), PV_STR("\r\n\r\nhello")),
	    "an answer may be cut off, where its end is not said");
	client_close(&client);
	server_wait_idle(server, before + 1, CALLER_TIMEOUT_MS);
	server_log_get(server, before, &record);
	ok(record.is_tls && record.sent == heard.len &&
		record.end_us >= record.begin_us && record.begin_us,
	    "a request over TLS is logged as such");
	pv_buf_clear(&heard);
	client_open(&client, server, "a.test");
	SSL_connect(client.ssl);
	client_ask(&client, "GET /big HTTP/1.1\r\n\r\n", &heard);
	ok(heard.len > 300000 &&
		heard.ptr[heard.len - 1] == server_pattern_at(299999),
	    "a long answer is all there");
	client_close(&client);
	pv_buf_finish(&heard);
}

static void test_protocol(struct server *server)
{
	const unsigned char *chosen;
	unsigned int len;
	struct client client;
	client_open(&client, server, "a.test");
	SSL_set_alpn_protos(
	    client.ssl, (const unsigned char *)"\x02h2\x08http/1.1", 12);
	SSL_connect(client.ssl);
	SSL_get0_alpn_selected(client.ssl, &chosen, &len);
	is_text(((struct pv_str){(const char *)chosen, len}), "http/1.1",
	    "of several protocols HTTP/1.1 is chosen");
	client_close(&client);
}

int main(void)
{
	static const char *const addresses[] = {"127.0.0.0/8", NULL};
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes),
		SERVER_TLS_NAMES(names), .addresses = addresses});
	if (!server)
		return 1;
	test_good(server, "a.test");
	test_good(server, "b.test");
	test_good(server, "127.0.0.77");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		test_bad(server, &bad[i]);
	test_misbehaviour(server);
	test_answers(server);
	test_protocol(server);
	char path[4096];
	struct stat about;
	snprintf(path, sizeof(path), "%s", server_authority_path(server));
	ok(stat(path, &about) == 0, "the authority's certificate is a file");
	server_stop(server);
	ok(stat(path, &about) != 0, "which goes with the server");
	return tap_done();
}
