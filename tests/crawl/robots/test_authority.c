#include "crawl/robots/authority.h"

#include <stdio.h>

#include "crawl/host/live_host.h"
#include "tap.h"

/* So many are remembered, and rules of so many bytes. */
#define ROOM 50000
#define RULES_BYTES ((size_t)64 << 20)

static struct pv_authority *find(
    struct pv_authorities *authorities, size_t number)
{
	char text[64];
	snprintf(text, sizeof(text), "https://h%zu.example", number);
	return pv_authorities_find(authorities, pv_str_of(text));
}

static void test_find(void)
{
	struct pv_authorities authorities;
	char text[] = "https://x.example:8443";
	pv_authorities_init(&authorities, (struct pv_hash_key){{1, 2}});
	struct pv_authority *one =
	    pv_authorities_find(&authorities, pv_str_of(text));
	memset(text, 'x', sizeof(text) - 1);
	is_text(one->text, "https://x.example:8443",
	    "an authority has a text of its own");
	ok(one->state == PV_AUTHORITY_UNKNOWN && !one->rules && !one->host,
	    "of a new one nothing is known");
	ok(pv_authorities_find(
	       &authorities, PV_STR("https://x.example:8443")) == one,
	    "it is found again");
	ok(pv_authorities_find(&authorities, PV_STR("http://x.example:8443")) !=
		    one &&
		pv_authorities_find(
		    &authorities, PV_STR("https://x.example")) != one &&
		authorities.count == 3,
	    "one of another scheme or port is another");
	pv_authorities_finish(&authorities);
}

/* Whether all that are kept can still be found, each where it is. */
static bool are_in_order(struct pv_authorities *authorities)
{
	bool is_right = authorities->map.count == authorities->count;
	for (size_t i = 0; i < authorities->count; i++) {
		struct pv_authority *authority = authorities->items[i];
		uint32_t *place =
		    pv_map_get(&authorities->map, authority->text);
		is_right = is_right && place && *place == i;
	}
	return is_right;
}

static void test_forgetting(void)
{
	struct pv_authorities authorities;
	struct pv_live_host host = {.id = 1};
	struct pv_task aside = {.host = &host};
	pv_authorities_init(&authorities, (struct pv_hash_key){{1, 2}});
	for (size_t i = 0; i < ROOM; i++)
		find(&authorities, i)->failures = (uint32_t)i;
	ok(authorities.count == ROOM, "many are remembered");
	pv_live_host_adopt(&host, find(&authorities, 0));
	find(&authorities, 1)->asks = 1;
	pv_task_line_push(&find(&authorities, 2)->aside, &aside);
	pv_authorities_set_rules(&authorities, find(&authorities, 3),
	    pv_robots_rules_create(PV_STR("User-agent: *\nDisallow: /\n"),
		false, PV_STR("a"), NULL));
	find(&authorities, ROOM);
	ok(authorities.count <= ROOM / 2 + 2,
	    "P5: where there are too many, room is made");
	ok(are_in_order(&authorities), "what is left is where it is found");
	ok(find(&authorities, 0)->host == &host &&
		find(&authorities, 1)->asks == 1 &&
		find(&authorities, 2)->aside.count == 1,
	    "never forgotten is who has a host, is asked for, or has "
	    "something set aside");
	ok(find(&authorities, ROOM - 1)->failures == ROOM - 1,
	    "nor more than is needed");
	ok(find(&authorities, 4)->failures == 0,
	    "who is forgotten is new when it comes again");
	pv_authorities_finish(&authorities);
}

/* Everybody is at work: there is more room, and no search at each new one. */
static void test_all_used(void)
{
	struct pv_authorities authorities;
	pv_authorities_init(&authorities, (struct pv_hash_key){{1, 2}});
	for (size_t i = 0; i < ROOM + 10; i++)
		find(&authorities, i)->asks = 1;
	ok(authorities.count == ROOM + 10 && are_in_order(&authorities),
	    "nobody who is at work is forgotten, however many they are");
	ok(authorities.room >= ROOM + ROOM / 4,
	    "and room is not looked for each time");
	pv_authorities_finish(&authorities);
}

/* One host has them all, and is here. */
static void test_held(void)
{
	struct pv_authorities authorities;
	struct pv_live_host *host =
	    pv_live_host_create(&(struct pv_host){.name = PV_STR("x.test")});
	size_t left = 0;
	pv_authorities_init(&authorities, (struct pv_hash_key){{1, 2}});
	for (size_t i = 0; i < ROOM; i++)
		pv_live_host_adopt(host, find(&authorities, i));
	find(&authorities, 1)->asks = 1;
	pv_authorities_set_rules(&authorities, find(&authorities, 2),
	    pv_robots_rules_create(PV_STR("User-agent: *\nCrawl-delay: 7\n"
					  "Visit-time: 0600-0700\n"),
		false, PV_STR("a"), NULL));
	find(&authorities, ROOM);
	const struct pv_authority *authority = host->authorities;
	for (; authority; authority = authority->host_next)
		left++;
	ok(authorities.count <= ROOM / 2 + 2 && left + 1 == authorities.count,
	    "P5: room is made among those of a host that is here, too");
	ok(are_in_order(&authorities), "what is left is where it is found");
	ok(find(&authorities, 1)->asks == 1,
	    "never forgotten is one that a task is for");
	ok(authorities.is_kept, "the others are looked for in the state file");
	ok(host->robots_pace.forgotten.delay_ms == 7000,
	    "P1: a Crawl-delay holds when its authority is forgotten");
	ok(host->robots_pace.forgotten.day &&
		host->robots_pace.forgotten.day->is_shut[0] &&
		!host->robots_pace.forgotten.day->is_shut[6 * 60 + 30],
	    "P1: and so does a Visit-time");
	pv_live_host_destroy(host);
	pv_authorities_finish(&authorities);
}

/* Of some 800 kB of memory. */
static struct pv_robots_rules *large_rules(void)
{
	static char text[400 * 1000];
	size_t len = (size_t)snprintf(text, sizeof(text), "User-agent: *\n");
	for (int i = 0; len + 2100 < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "Disallow: /%d%01980d\n", i, 0);
	return pv_robots_rules_create(
	    (struct pv_str){text, len}, false, PV_STR("a"), NULL);
}

static void test_bytes(void)
{
	struct pv_authorities authorities;
	struct pv_live_host *host =
	    pv_live_host_create(&(struct pv_host){.name = PV_STR("x.test")});
	struct pv_robots_rules *rules = large_rules();
	size_t most = 0;
	pv_authorities_init(&authorities, (struct pv_hash_key){{1, 2}});
	for (size_t i = 0; i < 400; i++) {
		struct pv_authority *authority = find(&authorities, i % 300);
		pv_authorities_set_rules(
		    &authorities, authority, pv_robots_rules_share(rules));
		if (i % 2)
			pv_live_host_adopt(host, authority);
		if (authorities.bytes > most)
			most = authorities.bytes;
	}
	ok(most > RULES_BYTES / 2 && most <= RULES_BYTES + 1000000,
	    "P5: rules take no more than so many bytes, whoever has them "
	    "(%zu)",
	    most);
	ok(are_in_order(&authorities), "what is left is where it is found");
	for (size_t i = 0; i < 300; i++)
		pv_authorities_set_rules(
		    &authorities, find(&authorities, i), NULL);
	ok(authorities.bytes == 0, "what has no rules takes nothing");
	pv_robots_rules_release(rules);
	pv_live_host_destroy(host);
	pv_authorities_finish(&authorities);
}

/* Meanwhile another worker of a fleet may have asked for it, and handed it over with
 * the host. */
static void test_return(void)
{
	struct pv_authorities authorities;
	struct pv_authority *list = NULL;
	pv_authorities_init(&authorities, (struct pv_hash_key){{1, 2}});
	const enum pv_authority_state states[] = {
	    PV_AUTHORITY_UNKNOWN, PV_AUTHORITY_ASKING, PV_AUTHORITY_OPEN};
	for (size_t i = 0; i < 3; i++) {
		struct pv_authority *authority = find(&authorities, i);
		pv_authority_join(authority, NULL, &list);
		authority->is_remembered = true;
		authority->state = states[i];
		pv_authority_leave(authority);
	}
	ok(!find(&authorities, 0)->is_remembered &&
		!find(&authorities, 1)->is_remembered,
	    "where nothing is known of an authority when its host leaves, it is "
	    "looked for in the state again when the host is back");
	ok(find(&authorities, 2)->is_remembered,
	    "where something is, that is remembered");
	pv_authorities_finish(&authorities);
}

int main(void)
{
	test_find();
	test_forgetting();
	test_all_used();
	test_held();
	test_bytes();
	test_return();
	return tap_done();
}
