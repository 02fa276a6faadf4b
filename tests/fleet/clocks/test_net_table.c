#include "fleet/clocks/net_table.h"

#include "tap.h"

/* Which clocks live at which addresses, and what hangs together. */

static struct pv_net_table table;

static struct pv_net_address *ours(const char *name, const char *clock)
{
	struct pv_net_address *address =
	    pv_net_table_get(&table, pv_str_of(name));
	address->owner = PV_NET_OURS;
	pv_net_table_join(&table, address, pv_str_of(clock));
	return address;
}

static bool is_bound(const char *clock)
{
	return pv_net_table_is_bound(&table, pv_str_of(clock));
}

static bool group_has(
    const char *clock, size_t clock_count, size_t address_count)
{
	struct pv_net_group group;
	pv_net_group_of_clock(&table, pv_str_of(clock), &group);
	bool is_so = group.clock_count == clock_count &&
		     group.address_count == address_count;
	pv_net_group_finish(&group);
	return is_so;
}

static void test_groups(void)
{
	struct pv_net_address *one = ours("192.0.2.1", "a.test");
	ok(pv_net_table_get(&table, PV_STR("192.0.2.1")) == one &&
		pv_net_table_find(&table, PV_STR("192.0.2.1")) == one &&
		!pv_net_table_find(&table, PV_STR("192.0.2.2")),
	    "an address is there once, from when it was asked for");
	ours("192.0.2.1", "b.test");
	ours("192.0.2.1", "b.test");
	ours("192.0.2.2", "c.test");
	ok(one->clock_count == 2, "a clock lives once at an address");
	ok(group_has("a.test", 2, 1) && group_has("c.test", 1, 1),
	    "clocks of one address hang together, and others do not");
	ok(group_has("d.test", 0, 0), "nothing hangs on a clock nobody knows");
	ours("192.0.2.2", "b.test");
	ok(group_has("a.test", 3, 2) && group_has("c.test", 3, 2) &&
		group_has("a.test", 3, 2),
	    "a clock at two addresses joins their groups, each time it is "
	    "asked");
	struct pv_net_group group;
	pv_net_group_of_address(one, &group);
	ok(group.clock_count == 3 && group.address_count == 2,
	    "an address brings all that hangs on it");
	pv_net_group_finish(&group);
}

static void test_bound(void)
{
	ok(is_bound("a.test") && !is_bound("d.test"),
	    "a clock is bound that lives at an address of ours");
	pv_net_table_bind(&table, PV_STR("d.test"), 1000);
	ok(is_bound("d.test"), "and one that was given to us for that");
	pv_net_table_remove_clock(&table, PV_STR("d.test"));
	ok(!is_bound("d.test"), "until it is given away");
	struct pv_net_address *two =
	    pv_net_table_find(&table, PV_STR("192.0.2.2"));
	pv_net_table_lose(two, 7, 1000);
	ok(two->owner == PV_NET_OTHERS && two->worker == 7 &&
		two->heard_ms == 1000 && !is_bound("c.test") &&
		is_bound("b.test"),
	    "where an address is another's, no clock lives there");
	pv_net_table_doubt(&table, PV_STR("192.0.2.1"));
	ok(pv_net_table_find(&table, PV_STR("192.0.2.1"))->owner ==
		    PV_NET_NOBODY &&
		is_bound("a.test"),
	    "an address in doubt is to be asked for, and its clocks live on "
	    "there");
}

/* An address that was given away, and clocks of ours that turn out to live there. */
static void test_sent(void)
{
	static const struct pv_str clock = PV_STR("e.test");
	struct pv_net_address *sent = ours("192.0.2.9", "f.test");
	pv_net_table_bind(&table, clock, 900);
	sent->is_to_be_asked = sent->is_wanted = true;
	pv_net_table_send(sent, 7, 1000, 5000);
	ok(sent->owner == PV_NET_OTHERS && sent->worker == 7 &&
		!sent->is_to_be_asked && !sent->is_wanted &&
		!pv_net_table_lives_here(&table, PV_STR("f.test")),
	    "an address that was sent to another is not fetched back");
	ok(pv_net_table_follows(&table, sent, clock, 4999) &&
		pv_net_table_follows(&table, sent, PV_STR("new.test"), 4999),
	    "clocks follow it, also such as came for an address of ours");
	ok(!pv_net_table_follows(&table, sent, clock, 5000),
	    "until it must have arrived");
	pv_net_table_bind(&table, clock, 1000);
	ok(!pv_net_table_follows(&table, sent, clock, 1001),
	    "but none that was sent here since: nobody sends it to and fro");
	pv_net_table_lose(sent, 8, 1002);
	ok(!pv_net_table_follows(&table, sent, PV_STR("new.test"), 1003),
	    "nor when it is known whose it is");
	pv_net_table_remove_address(&table, PV_STR("192.0.2.9"));
	pv_net_table_remove_clock(&table, clock);
	pv_net_table_remove_clock(&table, PV_STR("f.test"));
}

static void test_removal(void)
{
	pv_net_table_remove_address(&table, PV_STR("192.0.2.1"));
	ok(!pv_net_table_find(&table, PV_STR("192.0.2.1")) &&
		!is_bound("a.test") && !is_bound("b.test"),
	    "an address that is given away leaves no clock behind");
	ok(pv_net_table_find(&table, PV_STR("192.0.2.2")) &&
		ours("192.0.2.2", "c.test")->clock_count == 1,
	    "the others are found where they are");
	pv_net_table_remove_clock(&table, PV_STR("a.test"));
	pv_net_table_remove_clock(&table, PV_STR("a.test"));
	pv_net_table_remove_address(&table, PV_STR("192.0.2.1"));
	ok(is_bound("c.test") && group_has("c.test", 1, 1) &&
		group_has("b.test", 1, 0),
	    "to remove what is not there changes nothing");
}

int main(void)
{
	pv_net_table_init(&table, (struct pv_hash_key){{1, 2}});
	test_groups();
	test_bound();
	test_sent();
	test_removal();
	pv_net_table_finish(&table);
	return tap_done();
}
