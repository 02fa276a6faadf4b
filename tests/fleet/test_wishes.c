#include "fleet/wishes.h"

#include "fleet/worker/worker.h"
#include "tap.h"

/* When a worker heeds what people want of its crawl. */

struct hearing {
	unsigned heard;
	unsigned stops;
	unsigned warnings;
	bool is_busy; /* it cannot heed anything yet */
};

static bool on_wish(void *ctx, struct pv_str orders, bool is_to_stop)
{
	struct hearing *hearing = ctx;
	(void)orders;
	if (hearing->is_busy)
		return false;
	hearing->heard++;
	hearing->stops += is_to_stop;
	return true;
}

static void on_line(void *ctx, bool is_warning, const char *text)
{
	struct hearing *hearing = ctx;
	(void)text;
	hearing->warnings += is_warning;
}

static struct pv_fleet worker(struct hearing *hearing, int64_t joined_wish)
{
	*hearing = (struct hearing){.heard = 0};
	return (struct pv_fleet){
	    .options = {.on_wish = on_wish, .on_line = on_line, .ctx = hearing},
	    .joined_wish = joined_wish,
	};
}

static void hear(struct pv_fleet *fleet, int64_t number, const char *orders)
{
	struct pv_buf text;
	pv_buf_init(&text, 1000);
	pv_buf_append_format(&text, "pavane-control 1\n%s", orders);
	pv_wishes_hear(fleet, number, pv_buf_str(&text));
	pv_buf_finish(&text);
}

static void test_numbers(void)
{
	struct hearing hearing;
	struct pv_fleet fleet = worker(&hearing, 0);
	pv_wishes_hear(&fleet, 0, PV_STR(""));
	ok(hearing.heard == 0, "where nobody has wished nothing is heard");
	hear(&fleet, 3, "set rate.max_rate 5\n");
	hear(&fleet, 3, "set rate.max_rate 5\n");
	hear(&fleet, 2, "set rate.max_rate 4\n");
	ok(hearing.heard == 1,
	    "a wish is heard once, and no older one after it");
	pv_wishes_hear(&fleet, 4, PV_STR(""));
	ok(hearing.heard == 2 && fleet.heard_wish == 4,
	    "that nothing holds any more is a wish");
}

static void test_patience(void)
{
	struct hearing hearing;
	struct pv_fleet fleet = worker(&hearing, 0);
	hearing.is_busy = true;
	hear(&fleet, 1, "set rate.max_rate 5\n");
	ok(fleet.heard_wish == 0, "what cannot be heeded yet is not done with");
	hearing.is_busy = false;
	hear(&fleet, 1, "set rate.max_rate 5\n");
	ok(hearing.heard == 1 && fleet.heard_wish == 1,
	    "it is heeded when it is said again");
	fleet.is_lost = true;
	hear(&fleet, 2, "set rate.max_rate 6\n");
	ok(hearing.heard == 1, "who has lost its number hears no more");
}

static void test_stops(void)
{
	struct hearing hearing;
	struct pv_fleet fleet = worker(&hearing, 7);
	hear(&fleet, 7, "stop 7\n");
	ok(hearing.heard == 1 && hearing.stops == 0,
	    "a stop is not for who has joined after it");
	hear(&fleet, 8, "stop 7\nset rate.max_rate 5\n");
	ok(hearing.stops == 0, "nor does it come again with another wish");
	hear(&fleet, 9, "stop 9\n");
	ok(hearing.stops == 1, "a later one is");
}

static void test_damage(void)
{
	struct hearing hearing;
	struct pv_fleet fleet = worker(&hearing, 0);
	pv_wishes_hear(&fleet, 1, PV_STR("no orders\n"));
	ok(hearing.heard == 0 && hearing.warnings == 1,
	    "orders that cannot be read are told, and change nothing");
	pv_wishes_hear(&fleet, 1, PV_STR("no orders\n"));
	ok(hearing.warnings == 1, "once");
	hear(&fleet, 2, "set rate.max_rate 5\n");
	ok(hearing.heard == 1, "and hide no later one");
}

int main(void)
{
	test_numbers();
	test_patience();
	test_stops();
	test_damage();
	return tap_done();
}
