#include "http/feed_date.h"

#include "tap.h"

static const struct {
	const char *claim;
	const char *text;
	int64_t time_ms;
} dates[] = {
    {"a year alone is its beginning", "1997", INT64_C(852076800000)},
    {"a month alone is its", "1997-07", INT64_C(867715200000)},
    {"a day alone is its", "1997-07-16", INT64_C(869011200000)},
    {"a time may have no seconds", "1997-07-16T19:20+01:00",
	INT64_C(869077200000)},
    {"a time with seconds is read", "1997-07-16T19:20:30+01:00",
	INT64_C(869077230000)},
    {"and a fraction of them", "1997-07-16T19:20:30.45+01:00",
	INT64_C(869077230450)},
    {"of which thousandths count", "1997-07-16T19:20:30.4567899Z",
	INT64_C(869080830456)},
    {"Z is UTC", "1997-07-16T19:20:30Z", INT64_C(869080830000)},
    {"a zone west of it is later", "1997-07-16T19:20:30-05:30",
	INT64_C(869100630000)},
    {"a zone may have no colon", "1997-07-16T19:20:30+0100",
	INT64_C(869077230000)},
    {"no zone is UTC", "1997-07-16T19:20:30", INT64_C(869080830000)},
    {"a space may stand for the T", "1997-07-16 19:20:30",
	INT64_C(869080830000)},
    {"letters may be small", "1997-07-16t19:20:30z", INT64_C(869080830000)},
    {"blanks around it do not matter", " 1997-07-16\t", INT64_C(869011200000)},
    {"1970 begins at 0", "1970", 0},
    {"before it is less", "1969-12-31T23:59:59Z", -1000},
    {"2000 was a leap year", "2000-02-29", INT64_C(951782400000)},
    {"a second that was put in counts as the next", "2016-12-31T23:59:60Z",
	INT64_C(1483228800000)},
};

static const char *const rubbish[] = {
    "",
    "97",
    "199",
    "19970716",
    "1997-7",
    "1997-13",
    "1997-00",
    "1997-07-",
    "1997-02-29",
    "1997-07-32",
    "1997-07-16T",
    "1997-07-16T19",
    "1997-07-16T24:00Z",
    "1997-07-16T19:60Z",
    "1997-07-16T19:20:61Z",
    "1997-07-16T19:20:30.Z",
    "1997-07-16T19:20+1:00",
    "1997-07-16T19:20+24:00",
    "1997-07-16T19:20+01:60",
    "1997-07-16T19:20Zx",
    "1997-07-16x",
    "1997-W29",
    "+1997",
    "yesterday",
};

static void test_w3c_dates(void)
{
	for (size_t i = 0; i < sizeof(dates) / sizeof(*dates); i++) {
		int64_t time_ms = -1;
		bool is_read =
		    pv_w3c_date_read(pv_str_of(dates[i].text), &time_ms);
		ok(is_read && time_ms == dates[i].time_ms, "%s",
		    dates[i].claim);
	}
	for (size_t i = 0; i < sizeof(rubbish) / sizeof(*rubbish); i++) {
		int64_t time_ms = 7;
		ok(!pv_w3c_date_read(pv_str_of(rubbish[i]), &time_ms) &&
			time_ms == 7,
		    "\"%s\" is no date, and nothing is changed", rubbish[i]);
	}
}

#define IN_2002 INT64_C(1031391751000) /* 7 September, 9:42:31 UTC */

static const struct {
	const char *claim;
	const char *text;
	int64_t time_ms;
} mail_dates[] = {
    {"a date as RSS has it is read", "Sat, 07 Sep 2002 09:42:31 GMT", IN_2002},
    {"a zone in digits is read", "Sat, 07 Sep 2002 09:42:31 +0000", IN_2002},
    {"east of UTC it is earlier", "Sat, 07 Sep 2002 11:42:31 +0200", IN_2002},
    {"west of it later", "Sat, 07 Sep 2002 06:12:31 -0330", IN_2002},
    {"zones of North America have names", "Sat, 07 Sep 2002 04:42:31 EST",
	IN_2002},
    {"in summer, too", "Sat, 07 Sep 2002 02:42:31 pdt", IN_2002},
    {"a zone that nobody knows is UTC", "Sat, 07 Sep 2002 09:42:31 CET",
	IN_2002},
    {"so is none", "Sat, 07 Sep 2002 09:42:31", IN_2002},
    {"Z is UTC", "Sat, 07 Sep 2002 09:42:31 Z", IN_2002},
    {"the day's name may be missing", "07 Sep 2002 09:42:31 GMT", IN_2002},
    {"and any day's", "Mon, 07 Sep 2002 09:42:31 GMT", IN_2002},
    {"a day may have one digit", "Sat, 7 Sep 2002 09:42:31 GMT", IN_2002},
    {"an hour, too", "Sat, 7 Sep 2002 9:42:31 GMT", IN_2002},
    {"seconds may be missing", "Sat, 07 Sep 2002 09:42 GMT", IN_2002 - 31000},
    {"a year may have two digits", "Sat, 07 Sep 02 09:42:31 GMT", IN_2002},
    {"of this century up to 49", "01 Jan 49 00:00:00 GMT",
	INT64_C(2493072000000)},
    {"and of the last from 50", "01 Jan 50 00:00:00 GMT",
	INT64_C(-631152000000)},
    {"or three", "Sat, 07 Sep 102 09:42:31 GMT", IN_2002},
    {"there may be more space", "Sat,  07\tSep  2002  09:42:31  GMT ", IN_2002},
    {"or less", "Sat,07 Sep 2002 09:42:31GMT", IN_2002},
};

static const char *const no_mail_dates[] = {
    "",
    "Sat",
    "Sat 07 Sep 2002 09:42:31 GMT",
    "Sat, 07 Foo 2002 09:42:31 GMT",
    "Sat, 32 Sep 2002 09:42:31 GMT",
    "Sat, 007 Sep 2002 09:42:31 GMT",
    "Sat, 07 Sep 20002 09:42:31 GMT",
    "Sat, 07 Sep 2 09:42:31 GMT",
    "Sat, 07 Sep 2002",
    "Sat, 07 Sep 2002 24:42:31 GMT",
    "Sat, 07 Sep 2002 09:4 GMT",
    "Sat, 07 Sep 2002 09:42:3 GMT",
    "Sat, 07 Sep 2002 09:42:31 +02",
    "Sat, 07 Sep 2002 09:42:31 +0260",
    "Sat, 07 Sep 2002 09:42:31 GMT x",
    "2002-09-07T09:42:31Z",
};

static void test_mail_dates(void)
{
	for (size_t i = 0; i < sizeof(mail_dates) / sizeof(*mail_dates); i++) {
		int64_t time_ms = -1;
		bool is_read =
		    pv_mail_date_read(pv_str_of(mail_dates[i].text), &time_ms);
		ok(is_read && time_ms == mail_dates[i].time_ms, "%s",
		    mail_dates[i].claim);
	}
	for (size_t i = 0; i < sizeof(no_mail_dates) / sizeof(*no_mail_dates);
	     i++) {
		int64_t time_ms = 7;
		ok(!pv_mail_date_read(pv_str_of(no_mail_dates[i]), &time_ms) &&
			time_ms == 7,
		    "\"%s\" is no date, and nothing is changed",
		    no_mail_dates[i]);
	}
}

int main(void)
{
	test_w3c_dates();
	test_mail_dates();
	return tap_done();
}
