#include "http/w3c_date.h"

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

int main(void)
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
	return tap_done();
}
