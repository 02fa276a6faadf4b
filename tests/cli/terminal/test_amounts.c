#include "cli/terminal/amounts.h"

#include <math.h>

#include "tap.h"

static void test_counts(void)
{
	static const struct {
		uint64_t count;
		const char *text;
	} cases[] = {
	    {0, "0"},
	    {999, "999"},
	    {1000, "1,000"},
	    {1234567, "1,234,567"},
	    {UINT64_MAX, "18,446,744,073,709,551,615"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_text(pv_str_of(pv_amount_of_count(cases[i].count).text),
		    cases[i].text, "a count reads %s", cases[i].text);
	is_text(pv_str_of(pv_amount_of_things(1, "page").text), "1 page",
	    "one thing is one");
	is_text(pv_str_of(pv_amount_of_things(0, "page").text), "0 pages",
	    "none are several");
}

static void test_sizes(void)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
	    {0, "0 B"},
	    {1023, "1023 B"},
	    {1024, "1.0 KiB"},
	    {35861299, "34.2 MiB"},
	    {1048575, "1.0 MiB"},
	    {1073741823, "1.0 GiB"},
	    {UINT64_MAX, "16.0 EiB"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_text(pv_str_of(pv_amount_of_size(cases[i].bytes).text),
		    cases[i].text, "a size reads %s", cases[i].text);
}

static void test_times(void)
{
	static const struct {
		int64_t ms;
		const char *text;
	} cases[] = {
	    {-5, "0s"},
	    {0, "0s"},
	    {450, "450ms"},
	    {1000, "1.0s"},
	    {9999, "9.9s"},
	    {10000, "10s"},
	    {59999, "59s"},
	    {60000, "1m"},
	    {200000, "3m 20s"},
	    {3600000, "1h"},
	    {4320000, "1h 12m"},
	    {86400000, "1d"},
	    {187200000, "2d 4h"},
	    {INT64_MAX, "106751991167d 7h"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_text(pv_str_of(pv_amount_of_time(cases[i].ms).text),
		    cases[i].text, "a time reads %s", cases[i].text);
}

static void test_rates(void)
{
	static const struct {
		double rate;
		const char *text;
	} cases[] = {
	    {0, "0.0 pages/s"},
	    {-1, "0.0 pages/s"},
	    {1, "1.0 pages/s"},
	    {12.34, "12.3 pages/s"},
	    {1234.5, "1,235 pages/s"},
	    {0.05, "3.0 pages/min"},
	    {0.0005, "1.8 pages/h"},
	    {1e300, "1,000,000,000,000,000 pages/s"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_text(
		    pv_str_of(pv_amount_of_rate(cases[i].rate, "pages").text),
		    cases[i].text, "a rate reads %s", cases[i].text);
	is_text(pv_str_of(pv_amount_of_rate(NAN, "pages").text), "0.0 pages/s",
	    "what is no number is nothing");
}

static void test_measurements(void)
{
	static const struct {
		double ms;
		const char *text;
	} cases[] = {
	    {-1, "-"},
	    {0, "0.0ms"},
	    {1.25, "1.2ms"},
	    {340, "340ms"},
	    {12000, "12s"},
	    {1e300, "-"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_text(pv_str_of(pv_amount_of_ms(cases[i].ms).text),
		    cases[i].text, "a measurement reads %s", cases[i].text);
	is_text(pv_str_of(pv_amount_of_ms(NAN).text), "-",
	    "what is no number is unknown");
}

int main(void)
{
	test_counts();
	test_sizes();
	test_times();
	test_rates();
	test_measurements();
	return tap_done();
}
