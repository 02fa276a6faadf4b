#include "names/name_cache.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "tap.h"

static const struct pv_hash_key key = {{1, 2}};

static struct pv_name_answer answer_of(uint8_t number, int64_t kept_until)
{
	struct pv_name_answer answer = {
	    .result = PV_NAME_FOUND,
	    .addresses = {{32, {192, 0, 2, number}}},
	    .count = 1,
	    .kept_until = kept_until,
	};
	return answer;
}

static void put(struct pv_name_cache *cache, const char *host, uint8_t number,
    int64_t kept_until)
{
	struct pv_name_answer answer = answer_of(number, kept_until);
	pv_name_cache_put(cache, pv_str_of(host), &answer);
}

/* The last byte of the address that is known; 0 if none is. */
static uint8_t get(struct pv_name_cache *cache, const char *host, int64_t now)
{
	const struct pv_name_answer *answer =
	    pv_name_cache_get(cache, pv_str_of(host), now);
	return answer ? answer->addresses[0].bytes[3] : 0;
}

static uint8_t first(const struct pv_name_cache *cache, const char *host)
{
	const struct pv_address *address =
	    pv_name_cache_first(cache, pv_str_of(host));
	return address ? address->bytes[3] : 0;
}

static void test_time(void)
{
	struct pv_name_cache cache;
	struct pv_name_answer nothing = {
	    .result = PV_NAME_UNKNOWN, .kept_until = 5000};
	pv_name_cache_init(&cache, 10, key);
	ok(!get(&cache, "a", 0) && !first(&cache, "a"), "nothing is known yet");
	put(&cache, "a", 1, 1000);
	ok(get(&cache, "a", 0) == 1 && get(&cache, "a", 999) == 1,
	    "what was put is there");
	ok(!get(&cache, "a", 1000) && !get(&cache, "a", 5000),
	    "until its time is over");
	ok(!get(&cache, "b", 0) && !get(&cache, "", 0) && !get(&cache, "a.", 0),
	    "other names are not");
	put(&cache, "a", 2, 2000);
	ok(get(&cache, "a", 1500) == 2, "what is put again takes its place");
	pv_name_cache_put(&cache, PV_STR("a"), &nothing);
	ok(pv_name_cache_get(&cache, PV_STR("a"), 4999)->result ==
		PV_NAME_UNKNOWN,
	    "so does what says that there is nothing");
	ok(first(&cache, "a") == 2, "the address of old is known nevertheless");
	pv_name_cache_expire(&cache, PV_STR("a"));
	pv_name_cache_expire(&cache, PV_STR("z"));
	ok(!get(&cache, "a", -5000), "what was expired is not known");
	ok(first(&cache, "a") == 2, "but its address");
	pv_name_cache_finish(&cache);
}

/* All that an answer may say comes back, and nothing of the one before. */
static void test_whole_answers(void)
{
	struct pv_name_cache cache;
	struct pv_name_answer full = {.result = PV_NAME_FOUND,
	    .count = PV_NAME_ADDRESSES_MAX,
	    .port = 8443,
	    .is_own = true,
	    .kept_until = 100,
	    .took_ms = 12};
	struct pv_name_answer none = {
	    .result = PV_NAME_NO_ANSWER, .kept_until = 200};
	for (uint8_t i = 0; i < PV_NAME_ADDRESSES_MAX; i++)
		full.addresses[i] = (struct pv_address){128, {0x20, 1, i}};
	memset(none.why, 'w', sizeof(none.why) - 1);
	pv_name_cache_init(&cache, 10, key);
	pv_name_cache_put(&cache, PV_STR("a"), &full);
	const struct pv_name_answer *found =
	    pv_name_cache_get(&cache, PV_STR("a"), 0);
	bool is_same = found->count == full.count && found->port == 8443 &&
		       found->is_own && found->took_ms == 12 &&
		       found->kept_until == 100 && !found->why[0];
	for (uint8_t i = 0; i < PV_NAME_ADDRESSES_MAX; i++)
		is_same = is_same && pv_address_equal(&found->addresses[i],
					 &full.addresses[i]);
	ok(is_same, "all of an answer comes back, each address in its place");
	pv_name_cache_put(&cache, PV_STR("a"), &none);
	found = pv_name_cache_get(&cache, PV_STR("a"), 0);
	ok(found->result == PV_NAME_NO_ANSWER && !found->count &&
		!found->port && !found->is_own &&
		strcmp(found->why, none.why) == 0,
	    "so does what was wrong, however long, and nothing of old");
	put(&cache, "a", 3, 300);
	found = pv_name_cache_get(&cache, PV_STR("a"), 0);
	ok(found->count == 1 && !found->why[0] && !found->addresses[1].bits,
	    "a later answer says only what it says itself");
	pv_name_cache_finish(&cache);
}

/* Counted by the allocator, so that no other part of the process counts. */
static void test_bytes(void)
{
	enum { NAMES = 4096, NAME_BYTES = 256 };
	struct pv_name_cache cache;
	pv_name_cache_init(&cache, NAMES, key);
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
	for (int i = 0; i < NAMES; i++) {
		char host[32];
		snprintf(host, sizeof(host), "host%d.example.test", i);
		put(&cache, host, 1, 1000);
	}
	size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
	size_t each = (after - before) / NAMES;
	ok(each <= NAME_BYTES,
	    "a name with one address costs no more than %d bytes (%zu)",
	    NAME_BYTES, each);
	pv_name_cache_finish(&cache);
}

static void test_ceiling(void)
{
	struct pv_name_cache cache;
	pv_name_cache_init(&cache, 3, key);
	put(&cache, "a", 1, 1000);
	put(&cache, "b", 2, 1000);
	put(&cache, "c", 3, 1000);
	ok(get(&cache, "a", 0) == 1, "three names are kept");
	put(&cache, "d", 4, 1000);
	ok(!get(&cache, "b", 0) && !first(&cache, "b"),
	    "a fourth takes the place of the one that was longest not used");
	ok(get(&cache, "a", 0) == 1 && get(&cache, "c", 0) == 3 &&
		get(&cache, "d", 0) == 4,
	    "the others stay");
	put(&cache, "a", 5, 1000);
	put(&cache, "e", 6, 1000);
	ok(get(&cache, "a", 0) == 5 && !get(&cache, "c", 0),
	    "to be put again is to be used");
	pv_name_cache_finish(&cache);
	pv_name_cache_init(&cache, 1, key);
	put(&cache, "a", 1, 1000);
	put(&cache, "b", 2, 1000);
	ok(!get(&cache, "a", 0) && get(&cache, "b", 0) == 2,
	    "one place is enough");
	pv_name_cache_finish(&cache);
}

/* A plain list in the order of use says what must be known. */
static void test_oracle(void)
{
	enum { NAMES = 40, CEILING = 16, STEPS = 20000 };
	struct pv_name_cache cache;
	struct random random = random_of(7);
	uint8_t values[NAMES] = {0};
	int used[NAMES] = {0};
	bool is_same = true;
	pv_name_cache_init(&cache, CEILING, key);
	for (int step = 1; step <= STEPS; step++) {
		size_t i = random_below(&random, NAMES);
		char host[16];
		snprintf(host, sizeof(host), "host%zu.test", i);
		int newer = 0;
		for (size_t j = 0; j < NAMES; j++)
			newer += used[j] > used[i];
		bool is_known = used[i] && newer < CEILING;
		uint8_t found = get(&cache, host, 0);
		is_same = is_same && found == (is_known ? values[i] : 0);
		if (is_known)
			used[i] = step;
		if (random_below(&random, 2)) {
			values[i] = (uint8_t)(1 + random_below(&random, 255));
			used[i] = step;
			put(&cache, host, values[i], 1000);
		}
	}
	ok(is_same, "%d uses of %d names know what a plain list knows", STEPS,
	    NAMES);
	pv_name_cache_finish(&cache);
}

int main(void)
{
	test_time();
	test_whole_answers();
	test_bytes();
	test_ceiling();
	test_oracle();
	return tap_done();
}
