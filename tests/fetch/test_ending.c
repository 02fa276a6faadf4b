#include "fetch/ending.h"

#include <errno.h>

#include <curl/curl.h>
#include <openssl/ssl.h>

#include "tap.h"

/* What libcurl says at which stage, and what we make of it. */
static const struct {
	enum pv_stage stage;
	struct pv_curl_ending ending;
	enum pv_outcome outcome;
	bool is_own_fault;
	const char *why;
} cases[] = {
    {PV_STAGE_BODY, {.code = CURLE_OK, .text = "", .has_head = true},
	PV_OUTCOME_ANSWERED, false, ""},
    {PV_STAGE_HEADER, {.code = CURLE_OK, .text = ""}, PV_OUTCOME_BROKEN_OFF,
	false, "the connection was closed within the headers"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_COULDNT_CONNECT, .error = ECONNREFUSED, .text = "no"},
	PV_OUTCOME_NO_CONNECTION, false, "connection refused"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_COULDNT_CONNECT, .error = EHOSTUNREACH, .text = ""},
	PV_OUTCOME_NO_CONNECTION, false, "host is unreachable"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_COULDNT_CONNECT, .text = "Failed to connect"},
	PV_OUTCOME_NO_CONNECTION, false, "failed to connect"},
    {PV_STAGE_CONNECT, {.code = CURLE_COULDNT_CONNECT, .text = ""},
	PV_OUTCOME_NO_CONNECTION, false, "couldn't connect to server"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_COULDNT_CONNECT, .error = EMFILE, .text = ""},
	PV_OUTCOME_NO_CONNECTION, true,
	"this machine has too few resources: too many open files"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_COULDNT_CONNECT, .error = EADDRNOTAVAIL, .text = ""},
	PV_OUTCOME_NO_CONNECTION, true,
	"this machine has too few resources: address not available"},
    {PV_STAGE_CONNECT, {.code = CURLE_OUT_OF_MEMORY, .text = ""},
	PV_OUTCOME_NO_CONNECTION, true,
	"this machine has too few resources: not enough memory"},
    {PV_STAGE_CONNECT, {.code = CURLE_URL_MALFORMAT, .text = "Bad URL"},
	PV_OUTCOME_NO_CONNECTION, false, "bad URL"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_COULDNT_RESOLVE_PROXY,
	    .text = "",
	    .proxy = "http://p.test:1"},
	PV_OUTCOME_NO_CONNECTION, true,
	"cannot connect to the proxy http://p.test:1 (Couldn't resolve proxy "
	"name)"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_COULDNT_CONNECT,
	    .text = "SOCKS4 connection failed",
	    .is_connected = true,
	    .proxy = "http://p.test:1"},
	PV_OUTCOME_NO_CONNECTION, false, "SOCKS4 connection failed"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_RECV_ERROR,
	    .text = "CONNECT tunnel failed, response 407",
	    .connect_status = 407,
	    .is_connected = true,
	    .proxy = "http://p.test:1"},
	PV_OUTCOME_NO_CONNECTION, true,
	"the proxy http://p.test:1 asks for a name and a password (407)"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_RECV_ERROR,
	    .text = "CONNECT tunnel failed, response 502",
	    .connect_status = 502,
	    .is_connected = true,
	    .proxy = "http://p.test:1"},
	PV_OUTCOME_NO_CONNECTION, false,
	"the proxy http://p.test:1 cannot reach the host (it answers 502)"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_PROXY,
	    .text = "x",
	    .proxy_error = CURLPX_REPLY_CONNECTION_REFUSED,
	    .is_connected = true,
	    .proxy = "socks5h://p.test:1"},
	PV_OUTCOME_NO_CONNECTION, false,
	"the proxy socks5h://p.test:1 cannot reach the host (connection "
	"refused)"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_PROXY,
	    .text = "User was rejected by the SOCKS5 server",
	    .proxy_error = CURLPX_USER_REJECTED,
	    .is_connected = true,
	    .proxy = "socks5h://p.test:1"},
	PV_OUTCOME_NO_CONNECTION, true,
	"the proxy socks5h://p.test:1 does not let us in (User was rejected "
	"by the SOCKS5 server)"},
    {PV_STAGE_TLS,
	{.code = CURLE_PEER_FAILED_VERIFICATION,
	    .text = "x",
	    .is_proxy_tls = true,
	    .is_connected = true,
	    .proxy = "https://p.test:1"},
	PV_OUTCOME_NO_CONNECTION, true,
	"cannot connect to the proxy https://p.test:1 (x)"},
    {PV_STAGE_BODY,
	{.code = CURLE_OK,
	    .text = "",
	    .has_head = true,
	    .connect_status = 200,
	    .is_connected = true,
	    .proxy = "http://p.test:1"},
	PV_OUTCOME_ANSWERED, false, ""},
    {PV_STAGE_CONNECT,
	{.code = CURLE_RECV_ERROR,
	    .error = ECONNRESET,
	    .text = "",
	    .is_connected = true,
	    .proxy = "http://p.test:1"},
	PV_OUTCOME_NO_CONNECTION, false, "connection reset by peer"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_COULDNT_CONNECT,
	    .error = ECONNREFUSED,
	    .text = "",
	    .proxy = "http://127.0.0.1:3128"},
	PV_OUTCOME_NO_CONNECTION, true,
	"cannot connect to the proxy http://127.0.0.1:3128 (connection "
	"refused)"},
    {PV_STAGE_CONNECT,
	{.code = CURLE_COULDNT_CONNECT,
	    .error = EMFILE,
	    .text = "",
	    .proxy = "http://127.0.0.1:3128"},
	PV_OUTCOME_NO_CONNECTION, true,
	"this machine has too few resources: too many open files"},
    {PV_STAGE_TLS,
	{.code = CURLE_PEER_FAILED_VERIFICATION,
	    .text = "x",
	    .verify_result = X509_V_ERR_CERT_HAS_EXPIRED},
	PV_OUTCOME_TLS, false, "the certificate has expired"},
    {PV_STAGE_TLS,
	{.code = CURLE_PEER_FAILED_VERIFICATION,
	    .text = "x",
	    .verify_result = X509_V_ERR_INVALID_PURPOSE},
	PV_OUTCOME_TLS, false, "unsuitable certificate purpose"},
    {PV_STAGE_TLS,
	{.code = CURLE_PEER_FAILED_VERIFICATION,
	    .text = "SSL: no alternative certificate subject name matches "
		    "target host name 'x'",
	    .verify_result = X509_V_ERR_UNSPECIFIED},
	PV_OUTCOME_TLS, false, "the certificate is for another name"},
    {PV_STAGE_TLS,
	{.code = CURLE_SSL_CONNECT_ERROR,
	    .text = "error:0A00010B:SSL routines::wrong version number"},
	PV_OUTCOME_TLS, false,
	"the TLS handshake failed: wrong version number"},
    {PV_STAGE_TLS,
	{.code = CURLE_SSL_CONNECT_ERROR,
	    .error = ECONNRESET,
	    .text = "OpenSSL SSL_connect: Connection reset by peer"},
	PV_OUTCOME_NO_CONNECTION, false,
	"the connection was closed within the TLS handshake"},
    {PV_STAGE_TLS,
	{.code = CURLE_SSL_CONNECT_ERROR,
	    .text =
		"OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to x"},
	PV_OUTCOME_NO_CONNECTION, false,
	"the connection was closed within the TLS handshake"},
    {PV_STAGE_WAIT, {.code = CURLE_GOT_NOTHING, .text = "Empty reply"},
	PV_OUTCOME_BROKEN_OFF, false,
	"the connection was closed without an answer"},
    {PV_STAGE_WAIT,
	{.code = CURLE_RECV_ERROR, .error = ECONNRESET, .text = "Recv"},
	PV_OUTCOME_BROKEN_OFF, false, "connection reset by peer"},
    {PV_STAGE_WAIT,
	{.code = CURLE_UNSUPPORTED_PROTOCOL,
	    .text = "Received HTTP/0.9 when not allowed"},
	PV_OUTCOME_NOT_HTTP, false, "received HTTP/0.9 when not allowed"},
    {PV_STAGE_HEADER,
	{.code = CURLE_WEIRD_SERVER_REPLY, .text = "Nul byte in header"},
	PV_OUTCOME_NOT_HTTP, false, "nul byte in header"},
    {PV_STAGE_WAIT, {.code = CURLE_OUT_OF_MEMORY, .text = ""},
	PV_OUTCOME_TOO_LARGE, false, "a header is too long"},
    {PV_STAGE_BODY, {.code = CURLE_PARTIAL_FILE, .text = "x"},
	PV_OUTCOME_BROKEN_OFF, false,
	"the connection was closed before the end of the body"},
    {PV_STAGE_BODY,
	{.code = CURLE_HTTP2_STREAM, .text = "HTTP/2 stream 1 was reset"},
	PV_OUTCOME_BROKEN_OFF, false, "HTTP/2 stream 1 was reset"},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_response response = {.stage = cases[i].stage};
		const char *word = pv_outcome_word(cases[i].outcome);
		pv_ending_set_curl(&response, &cases[i].ending);
		ok(response.outcome == cases[i].outcome &&
			response.is_own_fault == cases[i].is_own_fault,
		    "code %d at %s is %s%s", cases[i].ending.code,
		    pv_stage_word(cases[i].stage), word,
		    cases[i].is_own_fault ? ", and our own fault" : "");
		is_text(pv_str_of(response.why), cases[i].why,
		    "with a sentence for a person (P4)");
	}
}

static void test_first_counts(void)
{
	struct pv_response response = {.stage = PV_STAGE_BODY};
	struct pv_curl_ending ending = {.code = CURLE_WRITE_ERROR, .text = "x"};
	pv_ending_set(&response, PV_OUTCOME_TOO_LARGE, "%s", "too \x1b much");
	pv_ending_set(&response, PV_OUTCOME_TIMEOUT, "too late");
	pv_ending_set_own(&response, PV_OUTCOME_TIMEOUT, "x", ENOSPC);
	pv_ending_set_curl(&response, &ending);
	ok(response.outcome == PV_OUTCOME_TOO_LARGE && !response.is_own_fault,
	    "the first that is said counts");
	is_text(
	    pv_str_of(response.why), "too \\x1b much", "and is safe to print");
}

static void test_length(void)
{
	char text[1000];
	struct pv_response response = {.stage = PV_STAGE_BODY};
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	pv_ending_set(&response, PV_OUTCOME_TLS, "%s", text);
	ok(strlen(response.why) == sizeof(response.why) - 1,
	    "a sentence is cut where there is no more room");
}

int main(void)
{
	test_cases();
	test_first_counts();
	test_length();
	return tap_done();
}
