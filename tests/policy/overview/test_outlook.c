#include "policy/overview/outlook.h"

#include "policy/loaded.h"

static const struct {
	const char *claim;
	const char *policy;
	const char *outlook;
} outlooks[] = {
    {"one address",
	"seeds: [\"http://localhost/a/?b#c\"]\n"
	"scope: {below: true, rules: [{deny: {path: /x}}]}\n",
	"  asks first   http://localhost/robots.txt\n"
	"               http://localhost/sitemap.xml, and the sitemaps that "
	"robots.txt names\n"
	"               http://localhost/a/?b\n"
	"  then         pages that these link to, on the same hosts, below their "
	"paths\n"
	"               their images, styles and scripts, wherever these are\n"
	"  but not      what robots.txt forbids, and what 1 rule denies\n"},
    {"no guesses",
	"seeds: [\"http://localhost/a\"]\n"
	"scope: {sitemap_guess: false, requisites: false}\n",
	"  asks first   http://localhost/robots.txt\n"
	"               the sitemaps that robots.txt names\n"
	"               http://localhost/a\n"
	"  then         pages that these link to, on the same hosts\n"
	"  but not      what robots.txt forbids\n"},
    {"several hosts",
	"seeds: [\"http://localhost:1/\", \"http://localhost:1/a\", "
	"\"http://localhost:2/\"]\n"
	"scope: {sitemaps: false, requisites: false, depth: 1, hosts: site}\n"
	"limits: {pages: 9}\n",
	"  asks first   http://localhost:1/robots.txt\n"
	"               http://localhost:1/\n"
	"               http://localhost:1/a\n"
	"               http://localhost:2/robots.txt\n"
	"               http://localhost:2/\n"
	"  then         pages that these link to, on all hosts of the same "
	"sites, at most 1 link away\n"
	"  but not      what robots.txt forbids\n"
	"  no more than 9 pages\n"},
    {"a billion of them",
	"seeds: [\"http://localhost/{1..1000000000}\"]\n"
	"scope: {sitemaps: false, hosts: any, hops: 2}\n"
	"identity: {contact: a@b.example}\n",
	"  asks first   http://localhost/robots.txt\n"
	"               http://localhost/1\n"
	"               http://localhost/2\n"
	"               http://localhost/3\n"
	"               http://localhost/4\n"
	"               http://localhost/5\n"
	"               http://localhost/6\n"
	"               http://localhost/7\n"
	"               http://localhost/8\n"
	"               http://localhost/9\n"
	"               and so on\n"
	"  then         pages that these link to, on any host, and up to 2 pages "
	"beyond\n"
	"               their images, styles and scripts, wherever these are\n"
	"  but not      what robots.txt forbids\n"},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(outlooks) / sizeof(*outlooks); i++) {
		struct loaded loaded = load_text(outlooks[i].policy);
		struct pv_buf text;
		pv_buf_init(&text, 65536);
		pv_outlook_write(loaded.policy, &text);
		ok(is_right(&loaded), "a policy is right");
		is_text(pv_buf_str(&text), outlooks[i].outlook, "%s",
		    outlooks[i].claim);
		pv_buf_finish(&text);
		loaded_finish(&loaded);
	}
	return tap_done();
}
