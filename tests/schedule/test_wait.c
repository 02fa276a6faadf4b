#include "schedule/wait.h"

#include "tap.h"

static void test_reasons(void)
{
	unsigned nameless = 0, doubles = 0;
	for (int i = 0; i < PV_WAIT_COUNT; i++) {
		const char *word = pv_wait_word((enum pv_wait_reason)i);
		const char *text = pv_wait_text((enum pv_wait_reason)i);
		const char *name = pv_wait_name((enum pv_wait_reason)i);
		nameless += !word || !*word || !text || !*text || !name ||
			    !*name || strlen(name) > 32;
		for (int j = 0; word && j < i; j++)
			doubles +=
			    strcmp(word,
				pv_wait_word((enum pv_wait_reason)j)) == 0;
	}
	ok(nameless == 0,
	    "P4: each reason to wait has a word, a text and a name");
	ok(doubles == 0, "P4: and no two have the same word");
}

static void test_longer(void)
{
	struct pv_wait wait = {100, PV_WAIT_DELAY};
	pv_wait_for(&wait, 99, PV_WAIT_HINT);
	ok(wait.until == 100 && wait.reason == PV_WAIT_DELAY,
	    "a shorter wait changes nothing");
	pv_wait_for(&wait, 100, PV_WAIT_HINT);
	ok(wait.reason == PV_WAIT_DELAY, "nor does one that is as long");
	pv_wait_for(&wait, PV_NEVER, PV_WAIT_PARKED);
	ok(wait.until == PV_NEVER && wait.reason == PV_WAIT_PARKED,
	    "a longer one is the one that counts");
}

static void test_after_failure(void)
{
	static const enum pv_wait_reason failures[] = {PV_WAIT_RETRY_AFTER,
	    PV_WAIT_FAILURE, PV_WAIT_OVERLOAD, PV_WAIT_ADDRESS_FAILURE,
	    PV_WAIT_SLOWED, PV_WAIT_PROBE, PV_WAIT_NAME, PV_WAIT_ROBOTS,
	    PV_WAIT_TRY_AGAIN, PV_WAIT_PROXY};
	size_t count = sizeof(failures) / sizeof(*failures);
	size_t found = 0;
	size_t all = 0;
	for (size_t i = 0; i < count; i++)
		found += pv_wait_is_after_failure(failures[i]);
	for (int i = 0; i < PV_WAIT_COUNT; i++)
		all += pv_wait_is_after_failure((enum pv_wait_reason)i);
	ok(found == count, "rests after failures are known as such");
	ok(all == count, "and no other wait is");
}

static void test_rest(void)
{
	ok(pv_rest_end(50, 1) == 51, "P1: a rest is counted from its begin");
	ok(pv_rest_end(50, 0) == 49,
	    "where there is none, what was rounded up is taken back");
}

int main(void)
{
	test_reasons();
	test_longer();
	test_after_failure();
	test_rest();
	return tap_done();
}
