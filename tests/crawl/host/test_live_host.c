#include "crawl/host/live_host.h"

#include "tap.h"

static struct pv_live_host *live(const char *name)
{
	char text[64];
	snprintf(text, sizeof(text), "%s", name);
	const struct pv_host host = {
	    .id = 4711,
	    .name = pv_str_of(text),
	    .state = {.left_ms = 5, .pages = 6, .blocks = 7},
	    .owes_delay = true,
	};
	struct pv_live_host *live = pv_live_host_create(&host);
	memset(text, 'x', sizeof(text));
	return live;
}

static struct pv_task *task(struct pv_live_host *host)
{
	const struct pv_visit visit = {.url = PV_STR("https://x.example/")};
	struct pv_task *task = pv_task_create(&host->tasks, &visit);
	task->host = host;
	return task;
}

static void test_create(void)
{
	struct pv_live_host *host = live("x.example");
	is_text(host->name, "x.example", "a host has a name of its own");
	ok(host->id == 4711 && host->state.left_ms == 5 &&
		host->state.pages == 6 && host->state.blocks == 7 &&
		host->owes_delay,
	    "P1: and what the frontier keeps of it");
	ok(host->phase == PV_HOST_NAMELESS && !host->scheduled,
	    "nobody knows yet where it is");
	ok(!pv_live_host_is_idle(host),
	    "nor whether it has something to visit");
	ok(host->name_ms < 0 && host->robots_pace.delay_ms == 0,
	    "and nothing was asked of it");
	pv_live_host_destroy(host);
	pv_live_host_destroy(NULL);
}

static void test_idle(void)
{
	struct pv_live_host *host = live("x.example");
	host->feed.has_more = false;
	ok(pv_live_host_is_idle(host), "a host with nothing left is idle");
	host->feed.is_asking = true;
	ok(!pv_live_host_is_idle(host),
	    "but not before the frontier has answered");
	host->feed.is_asking = false;
	host->open = 1;
	ok(!pv_live_host_is_idle(host), "nor while a visit is open");
	host->open = 0;
	struct pv_task *one = task(host);
	ok(!pv_live_host_is_idle(host), "nor while one waits");
	pv_task_destroy(one);
	ok(pv_live_host_is_idle(host), "then it is again");
	host->feed.has_more = true;
	ok(!pv_live_host_is_idle(host), "until there are more");
	pv_live_host_destroy(host);
}

static size_t count_of(const struct pv_live_host *host)
{
	size_t count = 0;
	const struct pv_authority *authority = host->authorities;
	for (; authority; authority = authority->host_next)
		count++;
	return count;
}

static void test_adopt(void)
{
	struct pv_live_host *host = live("x.example");
	struct pv_authority first = {.state = PV_AUTHORITY_OPEN};
	struct pv_authority second = {.state = PV_AUTHORITY_UNKNOWN};
	pv_live_host_adopt(host, &first);
	pv_live_host_adopt(host, &second);
	pv_live_host_adopt(host, &first);
	pv_live_host_adopt(host, &second);
	ok(count_of(host) == 2 && first.host == host && second.host == host,
	    "each authority of a host is its own once");
	pv_live_host_destroy(host);
	ok(!first.host && !second.host, "and nobody's when it has left");
	host = live("x.example");
	pv_live_host_adopt(host, &second);
	ok(count_of(host) == 1 && second.host == host,
	    "it can be adopted again");
	pv_live_host_destroy(host);
}

/* What is remembered of an authority whose host has left. */
static void test_leaving(void)
{
	static const struct {
		enum pv_authority_state before;
		enum pv_authority_state after;
		const char *claim;
	} cases[] = {
	    {PV_AUTHORITY_UNKNOWN, PV_AUTHORITY_UNKNOWN,
		"nothing is known of it"},
	    {PV_AUTHORITY_ASKING, PV_AUTHORITY_UNKNOWN,
		"what was being asked has to be asked again"},
	    {PV_AUTHORITY_OPEN, PV_AUTHORITY_OPEN, "it had no rules"},
	    {PV_AUTHORITY_RULES, PV_AUTHORITY_RULES, "it had rules"},
	    {PV_AUTHORITY_CLOSED, PV_AUTHORITY_CLOSED, "it did not say"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_live_host *host = live("x.example");
		struct pv_authority authority = {.state = cases[i].before};
		pv_live_host_adopt(host, &authority);
		pv_task_line_push(&authority.aside, task(host));
		pv_task_line_push(&authority.aside, task(host));
		pv_task_line_push(&host->ready, task(host));
		pv_live_host_destroy(host);
		ok(authority.state == cases[i].after && !authority.host &&
			!authority.aside.count && !authority.aside.first,
		    "P3: a host that leaves takes all its tasks with it: %s",
		    cases[i].claim);
	}
}

/* A task of another host's for this authority stays. */
static void test_hop(void)
{
	struct pv_live_host *host = live("x.example");
	struct pv_live_host *other = live("y.example");
	struct pv_authority authority = {.asks = 0};
	const struct pv_visit visit = {.url = PV_STR("https://x.example/")};
	pv_task_create_for(&authority, other, &visit);
	pv_live_host_adopt(host, &authority);
	pv_live_host_destroy(host);
	ok(authority.asks == 1 && other->tasks.asks == 1,
	    "what another host is asked for it goes on");
	pv_live_host_destroy(other);
	ok(authority.asks == 0, "until that one leaves");
}

/* Whether a host has to be written once more at the end, by how its clocks stood
 * when that was done last, at 1000, and how they stand at 3000. */
static const struct {
	int64_t saved_left_ms;
	int64_t saved_address_left_ms;
	int64_t left_ms;
	int64_t address_left_ms;
	bool is_saved;
	const char *claim;
} savings[] = {
    {0, 0, 0, 0, true, "a host that needs no rest"},
    {5000, 0, 3000, 0, true, "a rest of which only time has passed"},
    {500, 0, 0, 0, true, "a rest that is over"},
    {5000, 0, 3001, 0, false, "a rest that is longer now"},
    {0, 0, 1, 0, false, "a rest that was none"},
    {0, 250, 0, 0, true, "an address's rest that is over"},
    {5000, 250, 3000, 250, false, "an address that another host was at"},
};

static void test_saved(void)
{
	for (size_t i = 0; i < sizeof(savings) / sizeof(*savings); i++) {
		struct pv_live_host *host = live("x.example");
		const struct pv_host_state saved = {.saved_ms = 1000,
		    .left_ms = savings[i].saved_left_ms,
		    .address_left_ms = savings[i].saved_address_left_ms};
		const struct pv_host_state state = {.saved_ms = 3000,
		    .left_ms = savings[i].left_ms,
		    .address_left_ms = savings[i].address_left_ms};
		pv_live_host_note_clocks(host, &saved);
		ok(pv_live_host_is_saved(host, &state) == savings[i].is_saved,
		    "P1: %s %s", savings[i].claim,
		    savings[i].is_saved ? "stands in the file"
					: "is to be written");
		host->is_unsaved = true;
		ok(!pv_live_host_is_saved(host, &state),
		    "P3: and so is whatever else has changed");
		pv_live_host_destroy(host);
	}
}

int main(void)
{
	test_saved();
	test_create();
	test_idle();
	test_adopt();
	test_leaving();
	test_hop();
	return tap_done();
}
