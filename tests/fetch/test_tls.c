#include "fetch/trust.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "fetch/flying.h"
#include "fetch/tunnel.h"
#include "scratch.h"

static const struct server_route routes[] = {
    {.path = "/page", .answer = {.body = "a page"}},
    {.path = "/challenge", .answer = {.status = 407, .body = "who?"}},
    {.path = "/last", .answer = {.body = "a page", .closes = true}},
    {.path = "/plain-end",
	.answer = {.body = "to the end", .framing = SERVER_UNTIL_CLOSE}},
};

static const struct server_tls_name tls_names[] = {
    {"expired.test", SERVER_TLS_EXPIRED},
    {"early.test", SERVER_TLS_NOT_YET_VALID},
    {"self.test", SERVER_TLS_SELF_SIGNED},
    {"unknown.test", SERVER_TLS_UNKNOWN_AUTHORITY},
    {"wrong.test", SERVER_TLS_WRONG_NAME},
    {"closes.test", SERVER_TLS_CLOSES},
    {"resets.test", SERVER_TLS_RESETS},
    {"plain.test", SERVER_TLS_SPEAKS_PLAIN},
};

/* What is wrong with a host's TLS, and what we say of it. */
static const struct {
	const char *where;
	enum pv_outcome outcome;
	const char *why;
	bool is_certificate; /* so it counts only where it is verified */
} cases[] = {
    {"https good.test/page", PV_OUTCOME_ANSWERED, "", false},
    {"https expired.test/page", PV_OUTCOME_TLS, "the certificate has expired",
	true},
    {"https early.test/page", PV_OUTCOME_TLS,
	"the certificate is not valid yet", true},
    {"https self.test/page", PV_OUTCOME_TLS, "the certificate is self-signed",
	true},
    {"https unknown.test/page", PV_OUTCOME_TLS,
	"the certificate is signed by an authority that is not known", true},
    {"https wrong.test/page", PV_OUTCOME_TLS,
	"the certificate is for another name", true},
    {"https closes.test/page", PV_OUTCOME_NO_CONNECTION,
	"the connection was closed within the TLS handshake", false},
    {"https resets.test/page", PV_OUTCOME_NO_CONNECTION,
	"the connection was closed within the TLS handshake", false},
    {"https plain.test/page", PV_OUTCOME_TLS,
	"the TLS handshake failed: wrong version number", false},
};

static void make(struct journey *journey, struct airport *airport,
    struct server *server, const char *where)
{
	journey_to(journey, airport, server, where);
	journey->request.tls_ca = server_authority_path(server);
	journey_make(journey);
}

static void test_verified(struct airport *airport, struct server *server)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct journey journey;
		bool is_good = cases[i].outcome == PV_OUTCOME_ANSWERED;
		make(&journey, airport, server, cases[i].where);
		ok(journey.response.outcome == cases[i].outcome &&
			journey.sent_count == is_good,
		    "%s is %s, and is asked %s", cases[i].where,
		    pv_outcome_word(cases[i].outcome),
		    is_good ? "for its page" : "for nothing (P7)");
		is_text(pv_str_of(journey.response.why), cases[i].why,
		    "with a sentence for a person (P4)");
		ok(is_good || journey.response.stage == PV_STAGE_TLS,
		    "of the handshake");
		journey_finish(&journey);
	}
}

static void test_unverified(struct airport *airport, struct server *server)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct journey journey;
		journey_to(&journey, airport, server, cases[i].where);
		journey.request.is_tls_verified = false;
		journey_make(&journey);
		ok(journey.response.outcome == (cases[i].is_certificate
						       ? PV_OUTCOME_ANSWERED
						       : cases[i].outcome),
		    "%s, not verified, is %s", cases[i].where,
		    outcome_of(&journey));
		journey_finish(&journey);
	}
}

/* A connection that nobody verified is not used by a request that must be. */
static void test_not_mixed(struct airport *airport, struct server *server)
{
	struct journey journey;
	journey_to(&journey, airport, server, "https self.test/page");
	journey.request.is_tls_verified = false;
	journey_make(&journey);
	journey_finish(&journey);
	make(&journey, airport, server, "https self.test/page");
	ok(journey.response.outcome == PV_OUTCOME_TLS,
	    "an unverified connection is of no use where one must be (P7)");
	journey_finish(&journey);
}

/* Each file of certificates is believed where it is asked for, and nowhere
 * else, whatever was asked for before. */
static void test_authorities(struct airport *airport, struct server *server)
{
	struct journey journey;
	for (int i = 0; i < 2; i++) {
		make(&journey, airport, server, "https good.test/last");
		ok(journey.response.outcome == PV_OUTCOME_ANSWERED,
		    "with its authority a host is believed");
		journey_finish(&journey);
		journey_make_to(
		    &journey, airport, server, "https good.test/last");
		ok(journey.response.outcome == PV_OUTCOME_TLS,
		    "with the system's it is not, nor by the session of "
		    "before (P7)");
		journey_finish(&journey);
	}
	journey_to(&journey, airport, server, "https good.test/page");
	journey.request.tls_ca = "./there-is-none.pem";
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_TLS &&
		journey.sent_count == 0,
	    "with certificates that cannot be read nobody is");
	is_text(pv_str_of(journey.response.why),
	    "no certificates can be read from ./there-is-none.pem",
	    "and that is said");
	journey_finish(&journey);
}

static void test_kept(struct airport *airport, struct server *server)
{
	struct journey journey;
	make(&journey, airport, server, "https kept.test/page");
	ok(!journey.response.is_kept && journey.response.times.tls_ms >= 0,
	    "the first request makes a handshake");
	journey_finish(&journey);
	make(&journey, airport, server, "https kept.test/page");
	ok(journey.response.is_kept && journey.response.times.tls_ms == 0,
	    "and the next does not");
	journey_finish(&journey);
	make(&journey, airport, server, "https kept.test/plain-end");
	ok(journey.response.outcome == PV_OUTCOME_ANSWERED,
	    "a body may end with the connection, if that is said");
	journey_finish(&journey);
}

/* An address has no name to be asked for; its certificate names it. */
static void test_address(struct airport *airport, struct server *server)
{
	struct journey journey;
	make(&journey, airport, server, "https 127.0.0.1/page");
	ok(journey.response.outcome == PV_OUTCOME_ANSWERED,
	    "an address is verified like a name");
	journey_finish(&journey);
}

static void test_plain_port(struct airport *airport, struct server *server)
{
	struct journey journey;
	char url[64];
	snprintf(url, sizeof(url), "https://a.test:%u/",
	    (unsigned)server_port(server));
	journey_init(&journey, airport, url, "127.0.0.1");
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_TLS ||
		journey.response.outcome == PV_OUTCOME_NO_CONNECTION,
	    "TLS at a port without it fails");
	printf("# %s\n", journey.response.why);
	journey_finish(&journey);
	snprintf(url, sizeof(url), "http://a.test:%u/",
	    (unsigned)server_tls_port(server));
	journey_init(&journey, airport, url, "127.0.0.1");
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_BROKEN_OFF ||
		journey.response.outcome == PV_OUTCOME_NOT_HTTP,
	    "and so does plain HTTP at one with it");
	printf("# %s\n", journey.response.why);
	journey_finish(&journey);
}

static void test_proxy(struct server *server)
{
	struct airport airport;
	struct journey journey;
	struct tunnel tunnel = {.is_socks = false};
	char policy[128];
	if (!tunnel_open(&tunnel, server_tls_port(server))) {
		tap_skip("TLS goes through a proxy", "there is no port");
		return;
	}
	snprintf(policy, sizeof(policy),
	    "fetch: {proxy: \"http://127.0.0.1:%u\", headers: {Cookie: a=b}}",
	    (unsigned)tunnel.port);
	airport_open(&airport, policy);
	journey_init(&journey, &airport, "https://good.test/page", "127.0.0.1");
	journey.request.tls_ca = server_authority_path(server);
	journey.request.has_secrets = true;
	snprintf(policy, sizeof(policy), "http://127.0.0.1:%u",
	    (unsigned)tunnel.port);
	journey.request.proxy = policy;
	journey.request.proxy_name = policy;
	journey.request.port = tunnel.port;
	journey_make(&journey);
	is_text(body_of(&journey), "a page", "TLS goes through a proxy");
	ok(!header_of(&journey, "X-Proxy").ptr &&
		journey.response.headers.count > 0 &&
		journey.response.head_bytes < 200,
	    "whose own headers are no part of the answer");
	ok(journey.sent_count == 1, "the request is sent once");
	ok(pv_str_starts(pv_str_of(tunnel.heard),
	       PV_STR("CONNECT good.test:443 HTTP/1.1\r\n")) &&
		strstr(tunnel.heard, "User-Agent: pavane/"),
	    "the proxy is asked for the host, by who we are");
	ok(!strstr(tunnel.heard, "Cookie"), "and learns no secret (P7)");
	printf("# %s\n", journey.response.why);
	journey_finish(&journey);
	ok(airport_close(&airport), "and nothing of it stays");
	tunnel_close(&tunnel);
}

/* What comes through a tunnel is the host's word. */
static void test_challenge(struct server *server)
{
	struct airport airport;
	struct journey journey;
	struct tunnel tunnel = {.is_socks = false};
	char policy[128], proxy[64];
	if (!tunnel_open(&tunnel, server_tls_port(server))) {
		tap_skip("a host challenges as a proxy", "there is no port");
		return;
	}
	snprintf(proxy, sizeof(proxy), "http://127.0.0.1:%u",
	    (unsigned)tunnel.port);
	snprintf(policy, sizeof(policy), "fetch: {proxy: \"%s\"}", proxy);
	airport_open(&airport, policy);
	journey_init(
	    &journey, &airport, "https://good.test/challenge", "127.0.0.1");
	journey.request.tls_ca = server_authority_path(server);
	journey.request.proxy = proxy;
	journey.request.proxy_name = proxy;
	journey.request.port = tunnel.port;
	journey_make(&journey);
	ok(journey.response.outcome == PV_OUTCOME_ANSWERED &&
		journey.response.http_status == 407 &&
		journey.response.unreached == PV_UNREACHED_NOBODY,
	    "P7: a host that asks for a proxy's login gets none, and its proxy "
	    "is not blamed");
	journey_finish(&journey);
	ok(airport_close(&airport), "and nothing of it stays");
	tunnel_close(&tunnel);
}

/* A host that does not speak HTTP/2 is spoken to as before. */
static void test_http2(struct server *server)
{
	struct airport airport;
	struct journey journey;
	airport_open(&airport, "fetch: {http2: true}\n");
	make(&journey, &airport, server, "https good.test/page");
	ok(journey.response.outcome == PV_OUTCOME_ANSWERED &&
		journey.response.http_version == 11,
	    "HTTP/2 is only for hosts that want it");
	journey_finish(&journey);
	ok(airport_close(&airport), "and nothing of it stays");
}

/* libcurl writes the keys of each connection where the environment says, for
 * whoever wants to read along. No library writes secrets into a file that
 * nobody who called it has named. */
static void test_key_log(const char *path)
{
	struct stat status;
	ok(stat(path, &status) != 0 || status.st_size == 0,
	    "no keys are written where SSLKEYLOGFILE says (P7)");
}

int main(void)
{
	struct airport airport;
	struct scratch scratch;
	if (!scratch_make(&scratch))
		return 1;
	setenv("SSLKEYLOGFILE", scratch_file(&scratch, "keys"), 1);
	struct server *server = server_start(&(struct server_plan){
	    SERVER_ROUTES(routes), SERVER_TLS_NAMES(tls_names)});
	airport_open(&airport, "version: 1\n");
	test_verified(&airport, server);
	test_unverified(&airport, server);
	test_not_mixed(&airport, server);
	test_authorities(&airport, server);
	test_kept(&airport, server);
	test_address(&airport, server);
	test_plain_port(&airport, server);
	ok(airport_close(&airport), "nothing of it stays on the loop");
	test_http2(server);
	test_proxy(server);
	test_challenge(server);
	server_stop(server);
	test_key_log(scratch_file(&scratch, "keys"));
	scratch_remove(&scratch);
	return tap_done();
}
