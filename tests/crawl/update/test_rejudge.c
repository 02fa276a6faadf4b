#include "crawl/update/rejudge.h"

#include "base/buf.h"
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
    {"limits.known", false, false},
    {"limits.host_traps", false, false},
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

/* Each key of the table of reasons opens its reason, and so does what stands below
 * it, but not what only begins like it. */
static void test_reasons(void)
{
	struct pv_buf key;
	pv_buf_init(&key, 100);
	for (unsigned i = 0; i < PV_REASON_COUNT; i++) {
		const char *const *named = pv_reason_get(i)->keys;
		bool is_right = true;
		for (; *named; named++) {
			static const char *const ends[] = {"", ".below", "s"};
			for (size_t j = 0; j < 3; j++) {
				struct pv_rejudge rejudge;
				pv_rejudge_init(&rejudge, NULL);
				pv_buf_clear(&key);
				pv_buf_append_format(
				    &key, "%s%s", *named, ends[j]);
				pv_rejudge_note(
				    &rejudge, pv_buf_str(&key));
				is_right &= rejudge.is_open[i] == (j < 2);
			}
		}
		ok(is_right, "P4: its keys open what was refused for %s",
		    pv_reason_word(i));
	}
	pv_buf_finish(&key);
}

static void test_keys(void)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct pv_rejudge rejudge;
		pv_rejudge_init(&rejudge, NULL);
		pv_rejudge_note(&rejudge, pv_str_of(keys[i].key));
		ok(pv_rejudge_is_due(&rejudge) == keys[i].is_due &&
			rejudge.has_other_scope == keys[i].is_of_all,
		    "P4: when %s changes, %s is judged anew", keys[i].key,
		    keys[i].is_of_all ? "all that is known"
		    : keys[i].is_due  ? "what was refused for it"
				      : "nothing");
	}
}

/* When it is not known what has changed. */
static void test_all(void)
{
	struct pv_rejudge rejudge;
	bool is_right = true;
	pv_rejudge_init(&rejudge, NULL);
	pv_rejudge_note_all(&rejudge);
	for (unsigned i = 0; i < PV_REASON_COUNT; i++)
		is_right &= rejudge.is_open[i] ==
			    (pv_reason_get(i)->keys[0] != NULL);
	ok(is_right && rejudge.has_other_scope,
	    "P4: all that any key decides may be judged anew");
}

int main(void)
{
	test_keys();
	test_reasons();
	test_all();
	return tap_done();
}
