#include "http/retry_after.h"

#include "tap.h"

#define NOW INT64_C(784111777000) /* Sun, 06 Nov 1994 08:49:37 GMT */
#define RUBBISH (-1)

static const struct {
	const char *claim;
	const char *text;
	int64_t wait_ms; /* RUBBISH: asks for nothing */
} waits[] = {
    {"seconds are waited (P1)", "120", 120000},
    {"0 is no wait", "0", 0},
    {"blanks around it do not matter", " 5 ", 5000},
    {"zeros before it do not matter", "0000000000000000000000005", 5000},
    {"1000000000 seconds are told", "1000000000", INT64_C(1000000000000)},
    {"more than that is told as the longest wait", "99999999999999",
	PV_RETRY_AFTER_MAX_MS},
    {"also when no number holds it", "999999999999999999999999999999999",
	PV_RETRY_AFTER_MAX_MS},
    {"a date is waited for (P1)", "Sun, 06 Nov 1994 08:50:37 GMT", 60000},
    {"in any form", "Sunday, 06-Nov-94 08:50:37 GMT", 60000},
    {"in the oldest form too", "Sun Nov  6 08:50:37 1994", 60000},
    {"a date that is past is no wait", "Sun, 06 Nov 1994 08:49:36 GMT", 0},
    {"nor is the present", "Sun, 06 Nov 1994 08:49:37 GMT", 0},
    {"a date far ahead is told as the longest wait",
	"Fri, 31 Dec 9999 23:59:59 GMT", PV_RETRY_AFTER_MAX_MS},
    {"a year of five digits is rubbish", "Sun, 06 Nov 99999 08:49:37 GMT",
	RUBBISH},
    {"no text is rubbish", "", RUBBISH},
    {"less than nothing is rubbish", "-5", RUBBISH},
    {"a plus is rubbish", "+5", RUBBISH},
    {"an exponent is rubbish", "1e9", RUBBISH},
    {"a fraction is rubbish", "1.5", RUBBISH},
    {"a unit is rubbish", "120s", RUBBISH},
    {"hexadecimal is rubbish", "0x10", RUBBISH},
    {"words are rubbish", "soon", RUBBISH},
    {"two numbers are rubbish", "5, 6", RUBBISH},
    {"Arabic digits are rubbish", "\xd9\xa5", RUBBISH},
};

/* Of several, in headers of their own (NULL for none) or in one. */
static const struct {
	const char *claim;
	const char *texts[3];
	int64_t wait_ms;
} lists[] = {
    {"no header asks for nothing", {NULL}, RUBBISH},
    {"one is one", {"5"}, 5000},
    {"of two the stricter counts (P1)", {"5", "60"}, 60000},
    {"wherever it stands", {"60", "5", "7"}, 60000},
    {"of a number and a date too", {"5", "Sun, 06 Nov 1994 08:50:37 GMT"},
	60000},
    {"of a date and a number", {"Sun, 06 Nov 1994 08:50:37 GMT", "120"},
	120000},
    {"what is rubbish does not hide the other", {"soon", "5"}, 5000},
    {"nor does it stand in for one", {"soon", "never"}, RUBBISH},
    {"two that were put together are two (P1)", {"5, 60"}, 60000},
    {"also with dates", {"5, Sun, 06 Nov 1994 08:50:37 GMT, 7"}, 60000},
    {"and with dates in any form",
	{"Sunday, 06-Nov-94 08:50:37 GMT,Sun Nov  6 08:51:37 1994"}, 120000},
    {"commas alone ask for nothing", {",,,", ", "}, RUBBISH},
    {"a date that is past and no wait are none", {"0, 0", "0"}, 0},
};

static void test_lists(void)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		struct pv_headers headers;
		int64_t wait_ms = RUBBISH;
		pv_headers_init(&headers, 9, 1000);
		for (size_t j = 0; j < 3 && lists[i].texts[j]; j++)
			pv_headers_add(&headers, PV_STR("retry-after"),
			    pv_str_of(lists[i].texts[j]));
		bool is_read = pv_retry_after_of(&headers, NOW, &wait_ms);
		ok(wait_ms == lists[i].wait_ms &&
			is_read == (wait_ms != RUBBISH),
		    "%s (%lld)", lists[i].claim, (long long)wait_ms);
		pv_headers_finish(&headers);
	}
}

int main(void)
{
	test_lists();
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		int64_t wait_ms = RUBBISH;
		bool is_read = pv_retry_after_read(
		    pv_str_of(waits[i].text), NOW, &wait_ms);
		ok(wait_ms == waits[i].wait_ms &&
			is_read == (wait_ms != RUBBISH),
		    "%s", waits[i].claim);
	}
	int64_t wait_ms;
	struct pv_str date = PV_STR("Sun, 06 Nov 1994 08:49:37 GMT");
	pv_retry_after_read(date, INT64_MIN, &wait_ms);
	ok(wait_ms == PV_RETRY_AFTER_MAX_MS,
	    "a clock that is far behind waits the longest");
	pv_retry_after_read(date, INT64_MAX, &wait_ms);
	ok(wait_ms == 0, "one that is far ahead does not wait");
	return tap_done();
}
