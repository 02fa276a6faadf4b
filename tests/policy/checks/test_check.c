#include "policy/checks/check.h"

#include <unistd.h>

#include "policy/loaded.h"

/* What no single value shows, and is right. What is wrong is in mistakes.txt. */
static const struct {
	const char *policy;
	const char *claim;
} rights[] = {
    {"rate: {max_rate: 7, burst: 7}\n",
	"a bucket may hold what one interval puts into it"},
    {"politeness: {backoff: {failure: 9s, overload: 9s, max: 9s}}\n",
	"the longest rest may be the first one"},
    {"fetch: {timeout: {connect: 9s, first_byte: 9s, stall: 9s, total: 9s}}\n",
	"a part may take as long as the whole"},
    {"fetch: {timeout: {total: 1s}}\n", "a short whole alone is clear"},
    {"fetch: {tls: {ca: check.pem}}\ndomains: {localhost: {tls: {verify: "
     "false}}}\n",
	"one host may be left out where others are checked"},
    {"domains: {\"172.16.0.0/12\": {robots: ignore}, \"fc00::/7\": {robots: "
     "ignore}}\n",
	"a network whose both ends are private is one's own"},
};

int main(void)
{
	fclose(fopen("check.pem", "w"));
	for (size_t i = 0; i < sizeof(rights) / sizeof(*rights); i++) {
		struct loaded loaded = load_text(rights[i].policy);
		ok(is_right(&loaded), "%s", rights[i].claim);
		loaded_finish(&loaded);
	}
	unlink("check.pem");
	return tap_done();
}
