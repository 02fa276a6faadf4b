#include "fields/date_text.h"

#include "schedule/zone/time_zone.h"
#include "tap.h"

static const struct {
	const char *text;
	const char *format;
	const char *date; /* NULL: none */
} cases[] = {
    /* ISO 8601 */
    {"2026-11-27", NULL, "2026-11-27"},
    {"20261127", NULL, "2026-11-27"},
    {"2026-11-27T21:05:00Z", NULL, "2026-11-27T21:05:00Z"},
    {"2026-11-27t21:05:00z", NULL, "2026-11-27T21:05:00Z"},
    {"2026-11-27 21:05", NULL, "2026-11-27T21:05:00Z"},
    {"2026-11-27T21:05:00+01:00", NULL, "2026-11-27T21:05:00+01:00"},
    {"2026-11-27T21:05:00-0930", NULL, "2026-11-27T21:05:00-09:30"},
    {"2026-11-27T21:05+01", NULL, "2026-11-27T21:05:00+01:00"},
    {"2026-11-27T21:05:00+00:00", NULL, "2026-11-27T21:05:00Z"},
    {"2026-11-27 21:05:00 UTC", NULL, "2026-11-27T21:05:00Z"},
    {"2026-11-27T21:05:00.120Z", NULL, "2026-11-27T21:05:00.120Z"},
    {"2026-11-27T21:05:00,5", NULL, "2026-11-27T21:05:00.5Z"},
    {"2026-11-27T21:05:00.1234567890123Z", NULL,
	"2026-11-27T21:05:00.123456789Z"},
    {"20261127T210500Z", NULL, "2026-11-27T21:05:00Z"},
    {"2016-12-31T23:59:60Z", NULL, "2016-12-31T23:59:60Z"},
    {"2024-02-29", NULL, "2024-02-29"},
    {"2026-02-29", NULL, NULL},
    {"2026-13-01", NULL, NULL},
    {"2026-11-27T24:00:00Z", NULL, NULL},
    {"2026-11-27T21:05:00+24:00", NULL, NULL},
    {"2026-11-27T21:05:00.Z", NULL, NULL},
    {"2026-11", NULL, NULL},
    {"2026", NULL, NULL},
    {"2026-1127", NULL, NULL},
    {"2026-11-27T", NULL, NULL},
    {"2026-11-27 x", NULL, NULL},
    {"", NULL, NULL},
    {"yesterday", NULL, NULL},
    /* mail and HTTP */
    {"Fri, 27 Nov 2026 21:05:00 +0100", NULL, "2026-11-27T21:05:00+01:00"},
    {"27 Nov 2026 21:05 EST", NULL, "2026-11-27T21:05:00-05:00"},
    {"27 Nov 2026 21:05", NULL, "2026-11-27T21:05:00Z"},
    {"27 Nov 2026 21:05 CET", NULL, NULL},
    {"Fri, 27 Nov 2026 21:05:00 GMT", NULL, "2026-11-27T21:05:00Z"},
    {"Sunday, 06-Nov-94 08:49:37 GMT", NULL, "1994-11-06T08:49:37Z"},
    {"Sun Nov 6 08:49:37 1994", NULL, "1994-11-06T08:49:37Z"},
    /* formats */
    {"27.11.2026", "%d.%m.%Y", "2026-11-27"},
    {"7.1.2026", "%d.%m.%Y", "2026-01-07"},
    {"27.11.26", "%d.%m.%y", "2026-11-27"},
    {"27.11.69", "%d.%m.%y", "1969-11-27"},
    {"27.11.2026 21:05", "%d.%m.%Y %H:%M", "2026-11-27T21:05:00Z"},
    {"27.11.2026 21:05 Uhr", "%d.%m.%Y %H:%M uhr", "2026-11-27T21:05:00Z"},
    {"November 27, 2026", "%B %d, %Y", "2026-11-27"},
    {"nov 27, 2026", "%B %d, %Y", "2026-11-27"},
    {"Sept 7, 2026", "%b %e, %Y", "2026-09-07"},
    {"Friday, 27 November 2026", "%A, %d %B %Y", "2026-11-27"},
    {"11/27/2026 9:05 PM", "%m/%d/%Y %I:%M %p", "2026-11-27T21:05:00Z"},
    {"11/27/2026 12:05 a.m.", "%m/%d/%Y %I:%M %p", "2026-11-27T00:05:00Z"},
    {"11/27/2026 12:05 pm", "%m/%d/%Y %I:%M %p", "2026-11-27T12:05:00Z"},
    {"11/27/2026 13:05 pm", "%m/%d/%Y %I:%M %p", NULL},
    {"2026-331", "%Y-%j", "2026-11-27"},
    {"2026-366", "%Y-%j", NULL},
    {"2024-366", "%Y-%j", "2024-12-31"},
    {"2026-000", "%Y-%j", NULL},
    {"Nov 2026", "%b %Y", "2026-11-01"},
    {"2026", "%Y", "2026-01-01"},
    {"1700000000", "%s", "2023-11-14T22:13:20Z"},
    {"99999999999999999999", "%s", NULL},
    {"27.11.2026 21:05:00.25 +0100", "%d.%m.%Y %H:%M:%S.%f %z",
	"2026-11-27T21:05:00.25+01:00"},
    {"27.11.2026 21:05 GMT", "%d.%m.%Y %H:%M %Z", "2026-11-27T21:05:00Z"},
    {"27.11.2026 21:05 CET", "%d.%m.%Y %H:%M %Z", NULL},
    {"100% 2026", "100%% %Y", "2026-01-01"},
    {"27.11.2026x", "%d.%m.%Y", NULL},
    {"27.11.", "%d.%m.%Y", NULL},
    {"31.2.2026", "%d.%m.%Y", NULL},
    {"Nox 2026", "%b %Y", NULL},
    {"No 2026", "%b %Y", NULL},
};

/* 25 October 2026, 3:00 to 2:00; 28 March 2027, 2:00 to 3:00. */
static const struct {
	const char *text;
	const char *date;
} berlin[] = {
    {"2026-07-01", "2026-07-01"},
    {"2026-07-01T12:00", "2026-07-01T12:00:00+02:00"},
    {"2026-12-01T12:00", "2026-12-01T12:00:00+01:00"},
    {"2026-12-01T12:00Z", "2026-12-01T12:00:00Z"},
    {"2026-12-01T12:00-05:00", "2026-12-01T12:00:00-05:00"},
    {"2026-10-25T01:59", "2026-10-25T01:59:00+02:00"},
    {"2026-10-25T02:30", "2026-10-25T02:30:00+02:00"},
    {"2026-10-25T03:00", "2026-10-25T03:00:00+01:00"},
    {"2027-03-28T01:59", "2027-03-28T01:59:00+01:00"},
    {"2027-03-28T02:30", "2027-03-28T02:30:00+01:00"},
    {"2027-03-28T03:00", "2027-03-28T03:00:00+02:00"},
    {"27 Nov 2026 21:05", "2026-11-27T21:05:00+01:00"},
    {"0000-01-01T00:00", "0000-01-01T00:00:00+01:00"},
    {"9999-12-31T23:59", "9999-12-31T23:59:00+01:00"},
};

static void check(
    const char *text, const struct pv_date_terms *terms, const char *wanted)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	bool is_read = pv_date_text_read(pv_str_of(text), terms, &buf);
	ok(is_read == (wanted != NULL) &&
		strcmp(pv_buf_text(&buf), wanted ? wanted : "") == 0,
	    "\"%s\" by %s: %s, found \"%s\"", text,
	    terms->format ? terms->format : "no format",
	    wanted ? wanted : "none", pv_buf_text(&buf));
	pv_buf_finish(&buf);
}

static void test_zones(void)
{
	struct pv_time_zone *zone =
	    pv_time_zone_ruled(PV_STR("CET-1CEST,M3.5.0,M10.5.0/3"));
	struct pv_date_terms terms = {.zone = zone};
	for (size_t i = 0; i < sizeof(berlin) / sizeof(*berlin); i++)
		check(berlin[i].text, &terms, berlin[i].date);
	pv_time_zone_destroy(zone);
	terms.zone = zone = pv_time_zone_fixed(53 * 60 + 28);
	check("1880-01-01T00:53:28", &terms, "1880-01-01T00:00:00Z");
	pv_time_zone_destroy(zone);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_date_terms terms = {.format = cases[i].format};
		check(cases[i].text, &terms, cases[i].date);
	}
	test_zones();
	return tap_done();
}
