#include "crawl/reconsidering.h"

#include "tap.h"

/* Which changed keys can say anything about what is known (P3, P4). */
static const struct {
	const char *key;
	bool is_due;
	bool is_of_all; /* not only of what was refused for some reason */
} keys[] = {
    {"limits.pages", false, false},
    {"limits.bytes", false, false},
    {"limits.time", false, false},
    {"limits.wait", false, false},
    {"limits.host_pages", true, false},
    {"limits.host_bytes", true, false},
    {"rate.max_rate", false, false},
    {"politeness.delay", false, false},
    {"fetch.timeout.total", false, false},
    {"output.mirror.rewrite", false, false},
    {"fetch.redirects", true, false},
    {"robots.ttl", true, false},
    {"domains", true, false},
    {"scope.depth", true, true},
    {"scope.traps.sessions", true, true},
    {"seeds", true, true},
    {"fetch.accept", true, true},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct pv_reconsidering reconsidering;
		pv_reconsidering_init(&reconsidering, NULL);
		pv_reconsidering_note(&reconsidering, pv_str_of(keys[i].key));
		ok(pv_reconsidering_is_due(&reconsidering) == keys[i].is_due &&
			reconsidering.has_other_scope == keys[i].is_of_all,
		    "P4: when %s changes, %s is judged anew", keys[i].key,
		    keys[i].is_of_all ? "all that is known"
		    : keys[i].is_due  ? "what was refused for it"
				      : "nothing");
	}
	return tap_done();
}
