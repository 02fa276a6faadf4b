#include "robots/timing.h"

#include "tap.h"

#define NONE (-1)
#define LONGEST PV_ROBOTS_DELAY_MAX_MS

struct delay {
	const char *claim;
	const char *text;
	int64_t delay_ms; /* NONE: not a delay */
};

static const struct delay delays[] = {
    {"seconds are read", "5", 5000},
    {"a fraction too", "0.5", 500},
    {"of three digits", "1.234", 1234},
    {"what is finer is a millisecond more (P1)", "1.2340001", 1235},
    {"unless it is nothing", "1.2340000", 1234},
    {"the fraction may stand alone", ".5", 500},
    {"or be missing after its point", "5.", 5000},
    {"0 is no delay", "0", 0},
    {"zeros before it do not matter", "0000000000000000000000000000005", 5000},
    {"a huge delay is told as the longest", "99999999999", LONGEST},
    {"also when no number holds it", "99999999999999999999999999999.9",
	LONGEST},
    {"the longest is read", "3153600000", LONGEST},
    {"and nothing longer", "3153600000.9", LONGEST},
    {"no text is none", "", NONE},
    {"a point is none", ".", NONE},
    {"less than nothing is none", "-1", NONE},
    {"a plus is none", "+1", NONE},
    {"an exponent is none", "1e99", NONE},
    {"infinity is none", "inf", NONE},
    {"what is no number is none", "NaN", NONE},
    {"words are none", "five", NONE},
    {"a unit is none", "5s", NONE},
    {"two numbers are none", "5 6", NONE},
    {"a comma is none", "0,5", NONE},
    {"hexadecimal is none", "0x10", NONE},
};

static const struct delay rates[] = {
    {"a document in ten seconds", "1/10s", 10000},
    {"without a unit it is seconds", "1/10", 10000},
    {"in minutes", "1/2m", 120000},
    {"in hours", "1/1h", 3600000},
    {"in days", "24/1d", 3600000},
    {"units may be capital", "1/2M", 120000},
    {"a delay is never too short (P1)", "7/1s", 143},
    {"hours may follow, and are no matter", "1/10s 1820-1940", 10000},
    {"as often as one likes", "1/0s", 0},
    {"a huge time is told as the longest", "1/99999999999999999999d", LONGEST},
    {"no documents are none", "0/10s", NONE},
    {"a number alone is none", "10", NONE},
    {"a unit that is none is none", "1/10x", NONE},
    {"no time is none", "1/", NONE},
    {"less than nothing is none", "-1/10s", NONE},
    {"on either side", "1/-10s", NONE},
    {"a fraction is none", "1/1.5s", NONE},
    {"no text is none", "", NONE},
};

static const struct {
	const char *claim;
	const char *text;
	int start; /* NONE: no hours */
	int end;
} hours[] = {
    {"hours are read", "0600-0845", 360, 525},
    {"through midnight too", "2200-0600", 1320, 360},
    {"a whole day is read", "0000-2400", 0, 1440},
    {"the end of the day is 2400", "1200-2400", 720, 1440},
    {"a minute 75 is none", "0075-0300", NONE, NONE},
    {"nor is a minute 60", "0600-0760", NONE, NONE},
    {"2401 is none", "0000-2401", NONE, NONE},
    {"no span is none", "0600-0600", NONE, NONE},
    {"three digits are none", "600-0845", NONE, NONE},
    {"five are none", "00600-0845", NONE, NONE},
    {"one end is none", "0600", NONE, NONE},
    {"nor with a hyphen", "0600-", NONE, NONE},
    {"what follows is none", "0600-0845 UTC", NONE, NONE},
    {"no text is none", "", NONE, NONE},
};

static void test_delays(const struct delay *cases, size_t count,
    bool (*read)(struct pv_str, int64_t *))
{
	for (size_t i = 0; i < count; i++) {
		int64_t delay_ms = NONE;
		bool is_read = read(pv_str_of(cases[i].text), &delay_ms);
		if (!ok(delay_ms == cases[i].delay_ms &&
			    is_read == (delay_ms != NONE),
			"%s: \"%s\"", cases[i].claim, cases[i].text))
			printf("# found %lld\n", (long long)delay_ms);
	}
}

static void test_hours(void)
{
	for (size_t i = 0; i < sizeof(hours) / sizeof(*hours); i++) {
		struct pv_robots_hours found = {7, 7};
		bool is_read =
		    pv_robots_read_hours(pv_str_of(hours[i].text), &found);
		bool is_wanted = hours[i].start != NONE;
		ok(is_read == is_wanted &&
			found.start == (is_wanted ? hours[i].start : 7) &&
			found.end == (is_wanted ? hours[i].end : 7),
		    "%s: \"%s\"", hours[i].claim, hours[i].text);
	}
}

#define MINUTE INT64_C(60000)
#define DAY (1440 * MINUTE)

static void test_waiting(void)
{
	const struct pv_robots_hours morning = {360, 525};
	const struct pv_robots_hours night = {1320, 360};
	const struct pv_robots_hours day = {0, 1440};
	const struct pv_robots_hours two[] = {{360, 420}, {720, 780}};
	int64_t noon = 20000 * DAY + 720 * MINUTE;
	ok(pv_robots_hours_wait(NULL, 0, noon) == 0,
	    "without hours nobody waits");
	ok(pv_robots_hours_wait(&morning, 1, noon) == 1080 * MINUTE,
	    "after its hours a host rests until the next day (P1)");
	ok(pv_robots_hours_wait(&morning, 1, noon - DAY / 2) == 360 * MINUTE,
	    "before them until they begin");
	ok(pv_robots_hours_wait(&morning, 1, 360 * MINUTE) == 0 &&
		pv_robots_hours_wait(&morning, 1, 360 * MINUTE - 1) == 1,
	    "they begin to the millisecond");
	ok(pv_robots_hours_wait(&morning, 1, 525 * MINUTE - 1) == 0 &&
		pv_robots_hours_wait(&morning, 1, 525 * MINUTE) ==
		    DAY - 165 * MINUTE,
	    "and end so");
	ok(pv_robots_hours_wait(&night, 1, noon + DAY / 2) == 0 &&
		pv_robots_hours_wait(&night, 1, noon + DAY / 2 - 1) == 0,
	    "hours through midnight are on both sides of it");
	ok(pv_robots_hours_wait(&night, 1, noon) == 600 * MINUTE,
	    "and not at noon");
	ok(pv_robots_hours_wait(two, 2, 500 * MINUTE) == 220 * MINUTE,
	    "of several hours the next counts");
	ok(pv_robots_hours_wait(&day, 1, noon + DAY / 2 - 1) == 0,
	    "a whole day is always");
	ok(pv_robots_hours_wait(&morning, 1, 361 * MINUTE - DAY) == 0 &&
		pv_robots_hours_wait(&morning, 1, INT64_MIN) <= DAY &&
		pv_robots_hours_wait(&morning, 1, INT64_MAX) <= DAY,
	    "any time is some time of a day");
}

int main(void)
{
	test_delays(
	    delays, sizeof(delays) / sizeof(*delays), pv_robots_read_delay);
	test_delays(rates, sizeof(rates) / sizeof(*rates), pv_robots_read_rate);
	test_hours();
	test_waiting();
	return tap_done();
}
