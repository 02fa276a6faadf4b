#include "serve/jobs/waiting_hosts.h"

#include <stdio.h>

#include "tap.h"

static const struct pavane_host_look nothing = {
    .waits_for = "", .waits_why = "", .given_up = ""};
static const struct pavane_host_look delay = {.waits_for = "delay",
    .waits_why = "for its delay to pass",
    .given_up = "",
    .until_ms = 5000};
static const struct pavane_host_look left = {
    .waits_for = "", .waits_why = "", .given_up = "it is gone"};

static const struct pv_waiting_host *find(
    const struct pv_waiting_hosts *hosts, const char *name)
{
	for (size_t i = 0; i < hosts->count; i++) {
		if (pv_str_equal(hosts->items[i]->name, pv_str_of(name)))
			return hosts->items[i];
	}
	return NULL;
}

static void hear(struct pv_waiting_hosts *hosts, const char *name,
    const struct pavane_host_look *look)
{
	pv_waiting_hosts_hear(hosts, pv_str_of(name), look, 1000);
}

static void test_few(void)
{
	struct pv_waiting_hosts hosts;
	pv_waiting_hosts_init(&hosts, (struct pv_hash_key){{1, 2}});
	hear(&hosts, "a.test", &nothing);
	ok(!hosts.count, "a host that waits for nothing is not kept");
	hear(&hosts, "a.test", &delay);
	hear(&hosts, "b.test", &delay);
	hear(&hosts, "c.test", &left);
	ok(hosts.count == 3 && find(&hosts, "a.test")->until_ms == 5000,
	    "one that waits is, until when");
	is_text(pv_str_of(find(&hosts, "c.test")->given_up), "it is gone",
	    "and one that was given up");
	hear(&hosts, "a.test", &left);
	ok(hosts.count == 3 && !*find(&hosts, "a.test")->waits_for,
	    "what was heard last counts");
	hear(&hosts, "a.test", &nothing);
	hear(&hosts, "a.test", &nothing);
	ok(hosts.count == 2 && !find(&hosts, "a.test") &&
		find(&hosts, "b.test") && find(&hosts, "c.test"),
	    "who does not wait any more is left out");
	hear(&hosts, "b.test", &nothing);
	hear(&hosts, "c.test", &delay);
	ok(hosts.count == 1 && *find(&hosts, "c.test")->waits_for,
	    "and the others are found where they are now");
	pv_waiting_hosts_finish(&hosts);
}

static void test_many(void)
{
	struct pv_waiting_hosts hosts;
	char name[32];
	pv_waiting_hosts_init(&hosts, (struct pv_hash_key){{1, 2}});
	for (unsigned i = 0; i < PV_WAITING_HOSTS_MAX + 100; i++) {
		snprintf(name, sizeof(name), "h%u.test", i);
		hear(&hosts, name, &delay);
	}
	ok(hosts.count == PV_WAITING_HOSTS_MAX,
	    "P5: no more are kept than there is room for");
	hear(&hosts, "h0.test", &nothing);
	hear(&hosts, "late.test", &delay);
	ok(find(&hosts, "late.test"), "until there is room again");
	pv_waiting_hosts_finish(&hosts);
}

static void test_since(void)
{
	struct pv_waiting_hosts hosts;
	struct pavane_host_look later = delay, busy = delay;
	later.until_ms = 9000;
	busy.waits_for = "retry-after";
	pv_waiting_hosts_init(&hosts, (struct pv_hash_key){{1, 2}});
	pv_waiting_hosts_hear(&hosts, PV_STR("a.test"), &delay, 1000);
	pv_waiting_hosts_hear(&hosts, PV_STR("a.test"), &later, 2000);
	ok(pv_waiting_hosts_since(&hosts, PV_STR("a.test")) == 1000,
	    "P4: it is known since when a host waits for the same reason");
	pv_waiting_hosts_hear(&hosts, PV_STR("a.test"), &busy, 3000);
	ok(pv_waiting_hosts_since(&hosts, PV_STR("a.test")) == 3000,
	    "another reason begins anew");
	pv_waiting_hosts_hear(&hosts, PV_STR("a.test"), &left, 4000);
	ok(pv_waiting_hosts_since(&hosts, PV_STR("a.test")) == 4000,
	    "so does that it is given up");
	ok(!pv_waiting_hosts_since(&hosts, PV_STR("b.test")),
	    "of others nothing is known");
	pv_waiting_hosts_finish(&hosts);
}

int main(void)
{
	test_few();
	test_many();
	test_since();
	return tap_done();
}
