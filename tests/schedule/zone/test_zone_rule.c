#include "schedule/zone/zone_rule.h"

#include "tap.h"

static void test_reading(void)
{
	static const char *const wrong[] = {"", "C", "CE1", "CET", "CET-",
	    "CET-1CEST", "CET-1CEST,", "CET-1CEST,M3.5.0",
	    "CET-1CEST,M3.5.0,M13.5.0", "CET-1CEST,M3.6.0,M10.5.0",
	    "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M0.5.0,M10.5.0",
	    "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,J0,J365",
	    "CET-1CEST,J1,J366", "CET-1CEST,0,366",
	    "CET-1CEST,M3.5.0/168,M10.5.0", "CET-25", "<+02-2", "<1>-2",
	    "CET-1CEST,M3.5.0,M10.5.0/3 ", "CET-1:60", "CET-1:00:60"};
	struct pv_zone_rule rule;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ok(!pv_zone_rule_read(&rule, pv_str_of(wrong[i])),
		    "\"%s\" is no rule", wrong[i]);
	ok(pv_zone_rule_read(&rule, PV_STR("<+0545>-5:45")) &&
		rule.standard_s == 20700 && !rule.has_summer,
	    "an offset may be of minutes, east of Greenwich");
	ok(pv_zone_rule_read(&rule, PV_STR("A12BB3CC")) == false &&
		pv_zone_rule_read(
		    &rule, PV_STR("EST5EDT4:30,J60/-1,365/167:59:59")) &&
		rule.standard_s == -18000 && rule.summer_s == -16200 &&
		rule.begin.time_s == -3600 &&
		rule.end.time_s == 167 * 3600 + 59 * 60 + 59,
	    "days and times of every kind are read");
}

static void test_offsets(void)
{
	static const struct {
		const char *rule;
		int64_t at_s;
		int32_t offset_s;
		int64_t change_s;
		const char *claim;
	} cases[] = {
	    {"UTC0", 0, 0, INT64_MAX, "a zone without summer never changes"},
	    {"CET-1CEST,M3.5.0,M10.5.0/3", 1806195599, 3600, 1806195600,
		"Berlin, a second before summer time of 2027"},
	    {"CET-1CEST,M3.5.0,M10.5.0/3", 1806195600, 7200, 1824944400,
		"Berlin, summer time begins at 01:00 UTC on 28 March"},
	    {"CET-1CEST,M3.5.0,M10.5.0/3", 1824944399, 7200, 1824944400,
		"Berlin, the last second of summer"},
	    {"CET-1CEST,M3.5.0,M10.5.0/3", 1824944400, 3600, 1837645200,
		"Berlin, winter time begins at 01:00 UTC on 31 October"},
	    {"EST5EDT,M3.2.0,M11.1.0", 1805007600, -14400, 1825567200,
		"New York, the second Sunday of March, 07:00 UTC"},
	    {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1798761600, 39600, 1806768000,
		"Sydney has summer at New Year"},
	    {"IST-1GMT0,M10.5.0,M3.5.0/1", 1798761600, 0, 1806195600,
		"Dublin's summer is the other way round"},
	    {"XXX3EDT4,0/0,J365/23", 1798761600, -14400, 1798772400,
		"where summer lasts all year, no instant is without it"},
	    {"AAA0BBB,J60/0,J61/0", 1835481599, 0, 1835481600,
		"J60 is the first of March in leap years, too"},
	    {"AAA0BBB,59/0,60/0", 1835395200, 3600, 1835478000,
		"59 is the 29th of February in leap years"},
	    {"CET-1CEST,M3.5.0,M10.5.0/3", -1, 3600, 7520400,
		"before 1970 the rule holds, too"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_zone_rule rule;
		int64_t change_s = 0;
		bool is_read =
		    pv_zone_rule_read(&rule, pv_str_of(cases[i].rule));
		int32_t offset_s =
		    pv_zone_rule_offset(&rule, cases[i].at_s, &change_s);
		if (!ok(is_read && offset_s == cases[i].offset_s &&
			    change_s == cases[i].change_s,
			"%s", cases[i].claim))
			printf("# offset %d, change %lld\n", offset_s,
			    (long long)change_s);
	}
}

int main(void)
{
	test_reading();
	test_offsets();
	return tap_done();
}
