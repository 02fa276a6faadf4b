#include "serve/access/host_names.h"

#include "tap.h"

static const struct {
	const char *listen;
	const char *host;
	bool is_ours;
} cases[] = {
    {"127.0.0.1:7117", "127.0.0.1", true},
    {"127.0.0.1:7117", "localhost", true},
    {"127.0.0.1:7117", "LOCALHOST", true},
    {"127.0.0.1:7117", "[::1]", true},
    {"127.0.0.1:7117", "127.0.0.2", false},
    {"127.0.0.1:7117", "evil.example", false},
    {"127.0.0.1:7117", "localhost.evil.example", false},
    {"127.0.0.1:7117", "crawler.example", true},
    {"127.0.0.1:7117", "Crawler.Example", true},
    {"127.0.0.1:7117", "x.crawler.example", false},
    {"127.0.0.1:7117", "", false},
    {"127.0.0.2:0", "127.0.0.2", true},
    {"[::1]:0", "[::1]", true},
    {"[::1]:0", "[0:0::1]", true},
    {"[::1]:0", "localhost", true},
    {"192.0.2.1:80", "192.0.2.1", true},
    {"192.0.2.1:80", "localhost", false},
    {"192.0.2.1:80", "192.0.2.2", false},
    {"[2001:db8::1]:80", "[2001:db8::1]", true},
    {"[2001:db8::1]:80", "2001:db8::1", false},
    {"0.0.0.0:80", "192.0.2.7", true},
    {"0.0.0.0:80", "localhost", true},
    {"0.0.0.0:80", "evil.example", false},
    {"[::]:80", "[2001:db8::7]", true},
    {"unix:/run/pavane", "localhost", true},
    {"unix:/run/pavane", "evil.example", false},
    {NULL, "192.0.2.7", true},
    {NULL, "evil.example", false},
};

int main(void)
{
	static const char *const others[] = {"a.example", "crawler.example"};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_host_names names = {
		    .listen = cases[i].listen,
		    .others = others,
		    .other_count = 2,
		};
		ok(pv_host_names_has(&names, pv_str_of(cases[i].host)) ==
			cases[i].is_ours,
		    "\"%s\" is %s name where we listen on %s", cases[i].host,
		    cases[i].is_ours ? "our" : "no",
		    cases[i].listen ? cases[i].listen : "what was given");
	}
	return tap_done();
}
