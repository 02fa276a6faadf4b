#include "http/date.h"

#include "tap.h"

#define NOW INT64_C(1700000000000) /* 14 November 2023 */
#define IN_1994 INT64_C(784111777000)

static const struct {
	const char *claim;
	const char *text;
	int64_t time_ms;
} dates[] = {
    {"an IMF-fixdate is read", "Sun, 06 Nov 1994 08:49:37 GMT", IN_1994},
    {"an RFC 850 date is read", "Sunday, 06-Nov-94 08:49:37 GMT", IN_1994},
    {"an asctime date is read", "Sun Nov  6 08:49:37 1994", IN_1994},
    {"asctime may have two digits for a day", "Wed Nov 16 08:49:37 1994",
	IN_1994 + INT64_C(864000000)},
    {"capitals do not matter", "sUN, 06 nOV 1994 08:49:37 gmt", IN_1994},
    {"blanks around it do not matter", " \tSun, 06 Nov 1994 08:49:37 GMT ",
	IN_1994},
    {"another day's name is forgiven", "Mon, 06 Nov 1994 08:49:37 GMT",
	IN_1994},
    {"1970 begins at 0", "Thu, 01 Jan 1970 00:00:00 GMT", 0},
    {"before it is less", "Wed, 31 Dec 1969 23:59:59 GMT", -1000},
    {"2000 was a leap year", "Tue, 29 Feb 2000 12:00:00 GMT",
	INT64_C(951825600000)},
    {"2024 was one too", "Thu, 29 Feb 2024 00:00:00 GMT",
	INT64_C(1709164800000)},
    {"2038 is no end", "Tue, 19 Jan 2038 03:14:08 GMT", INT64_C(2147483648000)},
    {"9999 is the last year", "Fri, 31 Dec 9999 23:59:59 GMT",
	INT64_C(253402300799000)},
    {"0 is the first", "Sat, 01 Jan 0000 00:00:00 GMT",
	INT64_C(-62167219200000)},
    {"a second that was put in counts as the next",
	"Sat, 31 Dec 2016 23:59:60 GMT", INT64_C(1483228800000)},
    {"two digits mean this century", "Sunday, 06-Nov-22 08:49:37 GMT",
	INT64_C(1667724577000)},
    {"or as much as 50 years ahead", "Sunday, 06-Nov-73 08:49:37 GMT",
	INT64_C(3277183777000)},
    {"but never more", "Sunday, 06-Nov-74 08:49:37 GMT", INT64_C(152959777000)},
};

static const struct {
	const char *claim;
	const char *text;
} rubbish[] = {
    {"no text is no date", ""},
    {"a number is no date", "784111777"},
    {"a year of five digits is refused", "Sun, 06 Nov 99999 08:49:37 GMT"},
    {"also at the end", "Sun Nov  6 08:49:37 99999"},
    {"a year of three digits is refused", "Sun, 06 Nov 199 08:49:37 GMT"},
    {"29 February must be", "Wed, 29 Feb 2023 00:00:00 GMT"},
    {"1900 was no leap year", "Thu, 29 Feb 1900 00:00:00 GMT"},
    {"31 April is never", "Mon, 31 Apr 2023 00:00:00 GMT"},
    {"day 0 is never", "Mon, 00 Apr 2023 00:00:00 GMT"},
    {"day 32 is never", "Mon, 32 Jan 2023 00:00:00 GMT"},
    {"hour 24 is never", "Mon, 01 Jan 2023 24:00:00 GMT"},
    {"minute 60 is never", "Mon, 01 Jan 2023 23:60:00 GMT"},
    {"second 61 is never", "Mon, 01 Jan 2023 23:59:61 GMT"},
    {"months are named", "Mon, 01 Foo 2023 00:00:00 GMT"},
    {"days are named", "Xyz, 01 Jan 2023 00:00:00 GMT"},
    {"a long month is refused", "Mon, 01 January 2023 00:00:00 GMT"},
    {"another zone is refused", "Mon, 01 Jan 2023 00:00:00 CET"},
    {"no zone is refused", "Mon, 01 Jan 2023 00:00:00"},
    {"a zone in numbers is refused", "Mon, 01 Jan 2023 00:00:00 +0000"},
    {"what follows is refused", "Sun, 06 Nov 1994 08:49:37 GMT+1"},
    {"signs are no digits", "Sun, -6 Nov 1994 08:49:37 GMT"},
    {"an hour of one digit is refused", "Sun, 06 Nov 1994 8:49:37 GMT"},
    {"half a date is refused", "Sun, 06 Nov"},
};

static void test_reading(void)
{
	for (size_t i = 0; i < sizeof(dates) / sizeof(*dates); i++) {
		int64_t time_ms = 7;
		bool is_read =
		    pv_date_read(pv_str_of(dates[i].text), NOW, &time_ms);
		if (!ok(is_read && time_ms == dates[i].time_ms, "%s",
			dates[i].claim))
			printf("# found %lld\n", (long long)time_ms);
	}
	for (size_t i = 0; i < sizeof(rubbish) / sizeof(*rubbish); i++) {
		int64_t time_ms = 7;
		ok(!pv_date_read(pv_str_of(rubbish[i].text), NOW, &time_ms) &&
			time_ms == 7,
		    "%s", rubbish[i].claim);
	}
}

static void test_nul(void)
{
	int64_t time_ms;
	struct pv_str text = PV_STR("Sun, 06 Nov 1994 08:49:37 GMT\0x");
	ok(!pv_date_read(text, NOW, &time_ms), "a NUL ends no date");
}

static void test_centuries(void)
{
	static const int64_t clocks[] = {INT64_MIN, 0, INT64_MAX};
	struct pv_str text = PV_STR("Sunday, 06-Nov-94 08:49:37 GMT");
	int64_t time_ms = 0;
	pv_date_read(text, INT64_C(4000000000000), &time_ms);
	ok(time_ms > INT64_C(3900000000000),
	    "in 2096, 94 will mean the year 2094");
	for (size_t i = 0; i < 3; i++)
		ok(pv_date_read(text, clocks[i], &time_ms),
		    "a century is found whatever the clock says");
}

static void test_writing(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	pv_date_write(IN_1994 + 999, &buf);
	is_text(pv_buf_str(&buf), "Sun, 06 Nov 1994 08:49:37 GMT",
	    "a date is written as IMF-fixdate, the second begun");
	pv_buf_clear(&buf);
	pv_date_write(-1, &buf);
	is_text(pv_buf_str(&buf), "Wed, 31 Dec 1969 23:59:59 GMT",
	    "a moment before 1970 is written");
	pv_buf_clear(&buf);
	ok(!pv_date_write(INT64_C(253402300800000), &buf) &&
		!pv_date_write(INT64_C(-62167219200001), &buf) &&
		!pv_date_write(INT64_MAX, &buf) &&
		!pv_date_write(INT64_MIN, &buf) && buf.len == 0,
	    "years beyond 0 and 9999 are not written");
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 28);
	ok(!pv_date_write(0, &buf) && buf.len == 0,
	    "nothing is written past a ceiling");
	pv_buf_finish(&buf);
}

static void test_round_trip(void)
{
	struct pv_buf buf;
	int64_t wrong = 0, last = INT64_C(253402300799000);
	pv_buf_init(&buf, 100);
	for (int64_t time = INT64_C(-62167219200000); time <= last && !wrong;
	     time += INT64_C(8640000) * 4127 + 1000) {
		int64_t again = 0;
		pv_buf_clear(&buf);
		if (!pv_date_write(time, &buf) ||
		    !pv_date_read(pv_buf_str(&buf), NOW, &again) ||
		    again != time)
			wrong = time;
	}
	pv_buf_finish(&buf);
	ok(!wrong, "what is written is read again, in any year");
}

static void test_stamp(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 24);
	ok(pv_date_write_stamp(784111777123, &text),
	    "a time has a form for programs");
	is_text(pv_buf_str(&text), "1994-11-06T08:49:37.123Z",
	    "with milliseconds, in UTC");
	ok(!pv_date_write_stamp(0, &text), "which needs its room");
	pv_buf_finish(&text);
}

int main(void)
{
	test_stamp();
	test_reading();
	test_nul();
	test_centuries();
	test_writing();
	test_round_trip();
	return tap_done();
}
