#include "crawl/host/authority.h"

#include <stdio.h>

#include "crawl/host/live_host.h"
#include "tap.h"

/* So many are remembered after their host has left. */
#define ROOM 50000

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
	find(&authorities, 3)->rules = pv_robots_rules_create(
	    PV_STR("User-agent: *\nDisallow: /\n"), false, PV_STR("a"), NULL);
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

int main(void)
{
	test_find();
	test_forgetting();
	test_all_used();
	return tap_done();
}
