#include "traps/calendar.h"

#include "base/buf.h"
#include "base/day.h"
#include "policy/values/value.h"
#include "random.h"
#include "tap.h"
#include "traps/shapes.h"

/* Two years ahead, a hundred years back, as a policy has it by default. */
static struct pv_calendar usual(void)
{
	return (struct pv_calendar){
	    .today = pv_day_of_date(2026, 11, 21),
	    .ahead_ms = 730 * PV_DAY_MS,
	    .back_ms = 36500 * PV_DAY_MS,
	};
}

static int64_t find(const struct pv_calendar *calendar, struct pv_str target)
{
	size_t mark = pv_str_find(target, '?');
	if (mark == PV_NOT_FOUND)
		return pv_calendar_find(calendar, target, PV_STR(""));
	return pv_calendar_find(
	    calendar, pv_str_head(target, mark), pv_str_from(target, mark + 1));
}

static const struct {
	const char *target;
	int64_t days; /* found beyond the limits */
} traps[] = {
    /* forms of dates */
    {"/2031/05", 1622},
    {"/2031/05/", 1622},
    {"/2031/05/17", 1638},
    {"/2031/05/17/my-post", 1638},
    {"/2031/05.html", 1622},
    {"/de/termine/2031-05", 1622},
    {"/2031-05-17", 1638},
    {"/month-2031-05.html", 1622},
    {"/day_2031-05-17_list", 1638},
    {"/2031-W20", 1635},
    {"/calendar/20310517", 1638},
    {"/events/20310517.html", 1638},
    {"/show?when=20310517&view=calendar", 1638},
    {"/show?date=2031-05-17", 1638},
    {"/show?date=2031-5", 1622},
    {"/show?date=2031%2F05%2F17", 1638},
    {"/show?date=20310517", 1638},
    {"/show?name=month-2031-05", 1622},
    {"/?year=2031", 1502},
    {"/?yr=2031", 1502},
    {"/?y=2031", 1502},
    {"/?YEAR=2031&Month=5", 1622},
    {"/?year=2031&m=05&d=17", 1638},
    {"/?d=17&m=5&y=2031", 1638},
    {"/?jahr=2031&monat=5", 1622},
    {"/?m=203105", 1622},
    {"/?week=203120", 1635},
    {"/?year=4711", 980351},
    {"/year/2031/month/5", 1622},
    {"/?year=2026&year=2031&month=5", 1502},

    /* where the address says what it is */
    {"/calendar/2031", 1502},
    {"/calendar/2031/", 1502},
    {"/Kalender/2031.html", 1502},
    {"/agenda/2031/5/7", 1628},
    {"/calendar.php?month=481", 14430},
    {"/calendar?week=700", 4900},
    {"/events/list?day=9999", 9999},
    {"/show?view=calendar&month=25", 750},
    {"/calendar?month=-1300", -39000},
    {"/calendar/month/481", 14430},

    /* the other way */
    {"/1850/05", -64457},
    {"/calendar/1900", -45981},
    {"/?year=1900&month=1", -46315},
    {"/?year=1000", -374699},
    {"/from/1900-01-01/to/2031-05-17", 1638},
    {"/2031-05-17?back=2035-01-01", 2963},
};

static void test_traps(void)
{
	struct pv_calendar calendar = usual();
	for (size_t i = 0; i < sizeof(traps) / sizeof(*traps); i++) {
		struct pv_str target = pv_str_of(traps[i].target);
		struct pv_signs signs = pv_signs_of(target);
		int64_t days = find(&calendar, target);
		ok(days == traps[i].days, "%s: %lld days (%lld)",
		    traps[i].target, (long long)traps[i].days, (long long)days);
		ok(signs.has_year || signs.has_number, "and bears a sign");
	}
}

/* Addresses of blogs, shops, wikis, forums, manuals, as there are. */
static const char *const others[] = {
    "/",
    "/2024/05/my-post",
    "/2024/05/17/my-post.html",
    "/1999/12/31/",
    "/1927/01/",
    "/2028/11/20",
    "/2028-11",
    "/news/2026-11-21-release",
    "/standards/2022-12/",
    "/calendar/2027/3",
    "/calendar/2026-12-24",
    "/calendar?month=12&year=2026",
    "/calendar?month=11",
    "/calendar?month=24",
    "/calendar?month=-3",
    "/calendar?month=-5000",
    "/1825/05",
    "/events?week=52",
    "/events/4711",
    "/events/concert-of-2031",
    "/event/2031",
    "/photo.jpg?m=481&w=700&d=9999",
    "/list?month=481",
    "/?m=202611",
    "/?year=2027&month=13",
    "/?year=",
    "/?year=20311",
    "/?y=2031&x=17",
    "/tile?x=2031&y=2050&z=12",
    "/dp/B000123456?ref=sr_1_1",
    "/forum?page=1999",
    "/forum?page=2031",
    "/thread?start=2031",
    "/RFC/rfc2031",
    "/rfc/rfc2031.txt",
    "/wiki/1999",
    "/wiki/2031",
    "/wiki/2031_in_film",
    "/wiki/1066",
    "/wiki/20th_century",
    "/item/20311399",
    "/item/20310517",
    "/show?item=20310517",
    "/questions/11227809/why-is-it-faster",
    "/questions/50001230/how-to",
    "/questions/71010101/how-to",
    "/item?id=20310517",
    "/viewtopic.php?t=2031&pid=20310517",
    "/2031/99",
    "/4711/12",
    "/4711/12/31",
    "/5000-10",
    "/topic/8123/10",
    "/sony-wh-1000-10.html",
    "/10.1093/10.1016/j.cell",
    "/doi/10.1093/2031.05.17",
    "/isbn/978-1-2031-05-7",
    "/550e8400-e29b-2031-0517-446655440000",
    "/v2031.05/changes",
    "/jdk-21.0.2031",
    "/price?range=1500-2000",
    "/price?range=2031-99",
    "/phone/+49-2031-05",
    "/ids/203105",
    "/a/2031051712",
    "/9999-12-31",
    "/0001-01-01",
    "/?date=0000-00-00",
    "/commit/2031051a7f",
    "/2031",
    "/q2031/05x",
};

static void test_others(void)
{
	struct pv_calendar calendar = usual();
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		int64_t days = find(&calendar, pv_str_of(others[i]));
		ok(days == 0, "%s is none (%lld)", others[i], (long long)days);
	}
}

static void test_limits(void)
{
	struct pv_calendar calendar = usual();
	struct pv_str last = PV_STR("/2028-11-20"),
		      next = PV_STR("/2028-11-21");
	ok(find(&calendar, last) == 0 && find(&calendar, next) == 731,
	    "a date on the last day within the limit is none");
	ok(find(&calendar, PV_STR("/2028/11")) == 0 &&
		find(&calendar, PV_STR("/2028/12")) == 741,
	    "a month is ahead from its first day on");
	ok(find(&calendar, PV_STR("/1926/12")) == 0 &&
		find(&calendar, PV_STR("/1926/11")) == -36516,
	    "and back from its last");
	ok(find(&calendar, PV_STR("/1926-12-15")) == -36501 &&
		find(&calendar, PV_STR("/1926-12-16")) == 0,
	    "so is a day");
	calendar.ahead_ms = PV_NONE;
	ok(find(&calendar, PV_STR("/2031/05?year=9999")) == 0 &&
		find(&calendar, PV_STR("/1900/05")) < 0,
	    "without a limit ahead only what is far back is one");
	calendar.back_ms = PV_NONE;
	ok(find(&calendar, PV_STR("/1900/05")) == 0, "nor without any");
	calendar = usual();
	calendar.ahead_ms = 5000 * PV_DAY_MS;
	ok(find(&calendar, PV_STR("/2031/05")) == 0 &&
		find(&calendar, PV_STR("/2041/05")) > 5000,
	    "a policy may put it elsewhere");
}

/* Somebody clicks "next" for ever: there is an end within the limit, in
 * either direction. */
static void test_walk(void)
{
	static const struct {
		const char *before;
		const char *between;
		const char *behind;
	} forms[] = {{"/", "/", ""}, {"/", "-", ""},
	    {"/cal?year=", "&month=", ""}, {"/cal/", "/", "/"},
	    {"/x?when=", "-", ""}, {"/month-", "-", ".html"},
	    {"/x?m=", "", ""}};
	struct pv_calendar calendar = usual();
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		unsigned ahead = 2026 * 12 + 10, back = ahead;
		bool is_ahead = true, is_back = true;
		for (unsigned n = 0; n < 2000 && (is_ahead || is_back); n++) {
			char text[64];
			unsigned at = is_ahead ? ++ahead : --back;
			snprintf(text, sizeof(text), "%s%04u%s%02u%s",
			    forms[i].before, at / 12, forms[i].between,
			    at % 12 + 1, forms[i].behind);
			bool is_trap = find(&calendar, pv_str_of(text)) != 0;
			if (is_ahead)
				is_ahead = !is_trap;
			else
				is_back = !is_trap;
		}
		ok(ahead == 2028 * 12 + 11 && back == 1926 * 12 + 10,
		    "%s2031%s05%s ends in both directions (%u, %u)",
		    forms[i].before, forms[i].between, forms[i].behind, ahead,
		    back);
	}
}

/* What is found depends on which parameters there are, not on their order. */
static void test_order(void)
{
	static const char *const parameters[] = {"year=2031", "month=5",
	    "day=17", "y=1900", "m=2", "date=2035-01-01", "x=7", "month=481",
	    "view=calendar", "week=700", "year=1850", "id=20310517", "d=31",
	    "on=1910/02"};
	size_t count = sizeof(parameters) / sizeof(*parameters);
	struct pv_calendar calendar = usual();
	struct random random = random_of(54);
	unsigned wrong = 0, found = 0;
	for (int round = 0; round < 20000; round++) {
		const char *chosen[4];
		char one[256], other[256];
		for (size_t i = 0; i < 4; i++)
			chosen[i] = parameters[random_below(&random, count)];
		snprintf(one, sizeof(one), "/?%s&%s&%s&%s", chosen[0],
		    chosen[1], chosen[2], chosen[3]);
		snprintf(other, sizeof(other), "/?%s&%s&%s&%s", chosen[2],
		    chosen[0], chosen[3], chosen[1]);
		int64_t days = find(&calendar, pv_str_of(one));
		wrong += days != find(&calendar, pv_str_of(other));
		found += days != 0;
	}
	ok(found > 1000 && wrong == 0,
	    "the order of parameters does not matter (%u of 20,000 are traps)",
	    found);
}

/* Days that count only where the address is a calendar's, in each segment. */
static void test_costs(void)
{
	struct pv_calendar calendar = usual();
	struct pv_buf path;
	int64_t days = 0;
	pv_buf_init(&path, 65536);
	while (pv_buf_append_text(&path, "/20310517"))
		;
	for (int i = 0; i < 300; i++)
		days |=
		    pv_calendar_find(&calendar, pv_buf_str(&path), PV_STR(""));
	ok(days == 0, "P5: a path of 64 KiB costs no more than its length");
	pv_buf_finish(&path);
}

int main(void)
{
	test_traps();
	test_others();
	test_limits();
	test_walk();
	test_order();
	test_costs();
	return tap_done();
}
