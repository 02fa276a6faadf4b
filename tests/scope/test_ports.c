#include "scope/ports.h"

#include "scope/judge.h"
#include "tap.h"

/* Whom a person named, in each place where one can be named. */
static const char seeds[] =
    "[https://docs.example.org/, \"http://mail.example.org:25/\", "
    "\"http://{a,b}.example.com:22/{1..9}\"]";
static const char further[] = "{}\n"
			      "domains:\n"
			      "  own.example.org: {delay: 1s}\n"
			      "  \"*.below.example.org\": {delay: 1s}\n"
			      "  \"10.1.0.0/16\": {delay: 1s}\n"
			      "  \"0.0.0.0/0\": {delay: 1s}\n"
			      "fetch:\n"
			      "  resolve: {found.example.org: 127.0.0.1}\n";

static const struct {
	const char *claim;
	const char *address;
	bool is_refused;
} cases[] = {
    {"a port of the web", "https://docs.example.org:8443/", false},
    {"another protocol's", "https://docs.example.org:22/", true},
    {"at nobody's host", "http://example.net:110/", true},
    {"in either scheme", "https://example.net:110/", true},
    {"at an address", "http://192.0.2.1:25/", true},
    {"at one of IPv6", "http://[2001:db8::1]:25/", true},
    {"a seed's authority", "http://mail.example.org:25/a/b", false},
    {"with a dot at its end", "http://mail.example.org.:25/a", false},
    {"another port of its host", "http://mail.example.org:110/", true},
    {"that of a seed with braces", "http://b.example.com:22/x", false},
    {"a host of the domain table", "http://own.example.org:25/", false},
    {"one below a name of it", "http://a.below.example.org:25/", false},
    {"one of a private range", "http://10.1.2.3:25/", false},
    {"one of a range for everybody", "http://192.0.2.7:25/", true},
    {"one that fetch.resolve finds", "http://found.example.org:25/", false},
};

static const struct {
	uint16_t port;
	bool is_blocked;
} ports[] = {
    {0, true},
    {1, true},
    {2, false},
    {22, true},
    {25, true},
    {24, false},
    {80, false},
    {443, false},
    {587, true},
    {993, true},
    {4190, true},
    {6000, true},
    {6664, false},
    {6665, true},
    {6669, true},
    {6670, false},
    {6679, true},
    {8000, false},
    {8080, false},
    {8443, false},
    {10080, true},
    {10081, false},
    {65535, false},
};

static void test_blocked_port(void)
{
	unsigned count = 0;
	for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++)
		ok(pv_port_is_blocked(ports[i].port) == ports[i].is_blocked,
		    "port %u is %sblocked", ports[i].port,
		    ports[i].is_blocked ? "" : "not ");
	for (unsigned port = 0; port <= 65535; port++)
		count += pv_port_is_blocked((uint16_t)port);
	ok(count == 83, "the standard blocks 83 ports (%u)", count);
}

int main(void)
{
	struct court court;
	open_court(&court, seeds, further);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_url_parse(&court.url, pv_str_of(cases[i].address));
		ok(pv_scope_refuses_port(court.scope, &court.url) ==
			cases[i].is_refused,
		    "%s is %srefused", cases[i].claim,
		    cases[i].is_refused ? "" : "not ");
	}
	pv_url_parse(&court.url, PV_STR("http://example.net:25/"));
	pv_scope_add_redirect(court.scope, &court.url);
	ok(pv_scope_refuses_port(court.scope, &court.url),
	    "P7: where a seed was redirected to nobody has named");
	close_court(&court);
	test_blocked_port();
	return tap_done();
}
