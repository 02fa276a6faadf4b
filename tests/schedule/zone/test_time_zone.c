#include "schedule/zone/time_zone.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "schedule/zone/zone_file.h"
#include "tap.h"

#define DAY_S INT64_C(86400)

static int32_t offset_at(const struct pv_time_zone *zone, int64_t at_s)
{
	int64_t change_s;
	return pv_time_zone_offset(zone, at_s, &change_s);
}

static int32_t offset_of(const char *name, const char *environment)
{
	struct pv_time_zone *zone =
	    pv_zone_file_open(pv_str_of(name), environment);
	int32_t offset_s = offset_at(zone, 1806195600);
	pv_time_zone_destroy(zone);
	return offset_s;
}

static void test_names(void)
{
	static const struct {
		const char *name;
		const char *environment;
		int32_t offset_s;
	} cases[] = {
	    {"UTC", NULL, 0},
	    {"+02:00", NULL, 7200},
	    {"-03:30", NULL, -12600},
	    {"local", "", 0},
	    {"local", "CET-1CEST,M3.5.0,M10.5.0/3", 7200},
	    {"local", ":JST-9", 32400},
	    {"local", "no rule", 0},
	    {"local", "/nowhere", 0},
	    {"../../etc/passwd", NULL, 0},
	    {"Nowhere/At_All", NULL, 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(offset_of(cases[i].name, cases[i].environment) ==
			cases[i].offset_s,
		    "%s is known, with TZ=%s", cases[i].name,
		    cases[i].environment ? cases[i].environment : "");
}

/* The C library's opinion. Only this test's own process changes its zone. */
static int32_t libc_offset(int64_t at_s)
{
	time_t time = (time_t)at_s;
	struct tm local;
	localtime_r(&time, &local);
	return (int32_t)local.tm_gmtoff;
}

/* Every hour from 1950 to 2060, and each change to the second. */
static unsigned differences(const char *name)
{
	struct pv_time_zone *zone = pv_zone_file_open(pv_str_of(name), NULL);
	unsigned count = 0;
	setenv("TZ", name, 1);
	tzset();
	for (int64_t at_s = -20 * 365 * DAY_S; at_s < 90 * 365 * DAY_S;
	     at_s += DAY_S / 4) {
		int64_t change_s;
		count += pv_time_zone_offset(zone, at_s, &change_s) !=
			 libc_offset(at_s);
		if (change_s > at_s + DAY_S / 4)
			continue;
		count +=
		    offset_at(zone, change_s - 1) != libc_offset(change_s - 1);
		count += offset_at(zone, change_s) != libc_offset(change_s);
	}
	pv_time_zone_destroy(zone);
	return count;
}

static void test_system_zones(void)
{
	static const char *const names[] = {"Europe/Berlin", "America/New_York",
	    "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca",
	    "Europe/Dublin", "America/St_Johns", "Pacific/Apia", "Asia/Gaza",
	    "Etc/GMT+5"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char path[80];
		snprintf(
		    path, sizeof(path), "/usr/share/zoneinfo/%s", names[i]);
		if (access(path, R_OK) == 0)
			ok(differences(names[i]) == 0,
			    "%s is read as the C library reads it", names[i]);
		else
			tap_skip(names[i], "its zone file is not installed");
	}
}

/* A small file of two changes and a rule, in the form of version 2. */
static void write_zone(struct pv_buf *file)
{
	static const char head[] = "TZif2\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
	static const char first[] = "\0\0\0\0\0\0\0\0\0\0\0\0"
				    "\0\0\0\0\0\0\0\1\0\0\0\4"
				    "\0\0\0\0\0\0UTC";
	static const char counts[] = "\0\0\0\0\0\0\0\0\0\0\0\0"
				     "\0\0\0\2\0\0\0\2\0\0\0\4";
	static const char data[] = "\0\0\0\0\0\0\3\350"
				   "\0\0\0\0\0\0\7\320"
				   "\1\0"
				   "\0\0\16\20\0\0"
				   "\0\0\34\40\1\0"
				   "UTC\0"
				   "\nAAA-3\n";
	pv_buf_init(file, 4096);
	pv_buf_append(file, (struct pv_str){head, 20});
	pv_buf_append(file, (struct pv_str){first, sizeof(first)});
	pv_buf_append(file, (struct pv_str){head, 20});
	pv_buf_append(file, (struct pv_str){counts, 24});
	pv_buf_append(file, (struct pv_str){data, sizeof(data) - 1});
}

static void test_file(void)
{
	struct pv_buf file;
	write_zone(&file);
	struct pv_time_zone *zone = pv_time_zone_read(pv_buf_str(&file));
	ok(zone && offset_at(zone, 0) == 3600 && offset_at(zone, 999) == 3600,
	    "before the first change the first kind holds");
	ok(zone && offset_at(zone, 1000) == 7200 &&
		offset_at(zone, 1999) == 7200,
	    "between two changes what the first one says");
	ok(zone && offset_at(zone, 2000) == 10800,
	    "after the last change the rule");
	pv_time_zone_destroy(zone);
	unsigned accepted = 0;
	for (size_t len = 0; len < file.len; len++) {
		zone =
		    pv_time_zone_read((struct pv_str){pv_buf_text(&file), len});
		accepted += zone != NULL;
		pv_time_zone_destroy(zone);
	}
	ok(!accepted, "a file that is cut off anywhere is none");
	pv_buf_finish(&file);
}

int main(void)
{
	test_names();
	test_file();
	test_system_zones();
	return tap_done();
}
