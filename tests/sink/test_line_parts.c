#include "sink/line_parts.h"

#include "tap.h"

static struct pv_buf line;

static void is_line(const char *text, const char *claim)
{
	is_text(pv_buf_str(&line), text, "%s", claim);
	pv_buf_clear(&line);
}

static void test_members(void)
{
	pv_line_add_text(&line, PV_LINE_KEY("a"), PV_STR("b\"c"));
	is_line(",\"a\":\"b\\\"c\"", "a text is escaped");
	pv_line_add_text(&line, PV_LINE_KEY("a"), PV_STR(""));
	is_line("", "one that is empty is left out");
	pv_line_add_number(&line, PV_LINE_KEY("n"), UINT64_MAX);
	is_line(",\"n\":18446744073709551615", "a number may be large");
	pv_line_add_number(&line, PV_LINE_KEY("n"), 0);
	is_line(",\"n\":0", "or nothing");
	pv_line_add_ms(&line, PV_LINE_KEY("ms"), -1);
	is_line("", "what did not happen took no time");
}

static void test_times(void)
{
	pv_line_append_time(&line, 951782400250);
	is_line("2000-02-29T00:00:00.250Z", "a leap day is one");
	pv_line_append_time(&line, -1);
	is_line("1970-01-01T00:00:00.000Z", "before 1970 nothing is known");
}

static void test_addresses(void)
{
	pv_line_add_url(
	    &line, PV_LINE_KEY("url"), PV_STR("https://me:secret@a.example/@"));
	is_line(",\"url\":\"https://a.example/@\"",
	    "P7: an address is told without its credentials");
}

int main(void)
{
	pv_buf_init(&line, 1000);
	test_members();
	test_times();
	test_addresses();
	pv_buf_finish(&line);
	return tap_done();
}
