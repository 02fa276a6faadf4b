#include "explain/named_seeds.h"

#include "policy/loaded.h"
#include "url/url.h"

#define POLICY                                 \
	"seeds: [\"http://a.localhost/b\", "   \
	"\"https://me:x@a.localhost:8443/\", " \
	"\"http://c{1..3}.localhost/\", "      \
	"\"https://www.d.localhost/\"]\n"      \
	"scope: {aliases: {\"www.*\": \"*\"}}\n"

static const struct {
	const char *url;
	bool has_host;
	bool has_authority;
} cases[] = {
    {"http://a.localhost/", true, true},
    {"http://A.localhost:80/x?y", true, true},
    {"https://a.localhost:8443/z", true, true},
    {"https://a.localhost/", true, false},
    {"http://a.localhost:8080/", true, false},
    {"http://b.localhost/", false, false},
    {"http://localhost/", false, false},
    {"http://c3.localhost/x", true, true},
    {"http://c4.localhost/x", false, false},
    {"https://d.localhost/x", true, true},
    {"https://www.d.localhost/x", false, false},
};

int main(void)
{
	struct loaded loaded = load_text(POLICY);
	struct pv_url url;
	pv_url_init(&url, 1000);
	ok(is_right(&loaded), "a policy names seeds");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_url_parse(&url, pv_str_of(cases[i].url));
		struct pv_named_seeds found =
		    pv_named_seeds_find(loaded.policy, &url);
		ok(found.has_host == cases[i].has_host &&
			found.has_authority == cases[i].has_authority,
		    "P7: %s: host %s, authority %s", cases[i].url,
		    cases[i].has_host ? "named" : "not named",
		    cases[i].has_authority ? "named" : "not named");
	}
	pv_url_finish(&url);
	loaded_finish(&loaded);
	return tap_done();
}
