#include "http/mail_date.h"

#include "tap.h"

#define IN_2002 INT64_C(1031391751000) /* 7 September, 9:42:31 UTC */

static const struct {
	const char *claim;
	const char *text;
	int64_t time_ms;
} dates[] = {
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

static const char *const rubbish[] = {
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

int main(void)
{
	for (size_t i = 0; i < sizeof(dates) / sizeof(*dates); i++) {
		int64_t time_ms = -1;
		bool is_read =
		    pv_mail_date_read(pv_str_of(dates[i].text), &time_ms);
		ok(is_read && time_ms == dates[i].time_ms, "%s",
		    dates[i].claim);
	}
	for (size_t i = 0; i < sizeof(rubbish) / sizeof(*rubbish); i++) {
		int64_t time_ms = 7;
		ok(!pv_mail_date_read(pv_str_of(rubbish[i]), &time_ms) &&
			time_ms == 7,
		    "\"%s\" is no date, and nothing is changed", rubbish[i]);
	}
	return tap_done();
}
