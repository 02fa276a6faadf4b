#include "policy/values/zone.h"

#include <sys/stat.h>

#include "tap.h"

static const struct {
	const char *text;
	bool is_right;
} cases[] = {
    {"local", true},
    {"UTC", true},
    {"+00:00", true},
    {"+02:00", true},
    {"-12:00", true},
    {"+05:45", true},
    {"+14:00", true},
    {"+14:59", false},
    {"+15:00", false},
    {"-99:00", false},
    {"+2:00", false},
    {"+02:60", false},
    {"+0200", false},
    {"02:00", false},
    {"+02:00 ", false},
    {"+02:0x", false},
    {"", false},
    {"Local", false},
    {"No/Where", false},
    {"Europe", false},
    {"/etc/passwd", false},
    {"../../../etc/passwd", false},
    {"Europe/../Europe/Berlin", false},
    {"Europe/Berlin/", false},
    {"Europe Berlin", false},
};

int main(void)
{
	struct stat info;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *fault = pv_zone_fault(pv_str_of(cases[i].text));
		ok(!fault == cases[i].is_right, "\"%s\" is %s zone (%s)",
		    cases[i].text, cases[i].is_right ? "a" : "no",
		    fault ? fault : "a zone");
	}
	ok(pv_zone_fault((struct pv_str){"UTC\0", 4}) != NULL,
	    "a NUL does not end a name");
	if (stat("/usr/share/zoneinfo/Europe/Berlin", &info) != 0)
		tap_skip("zones have names", "there are no zone files");
	else
		ok(!pv_zone_fault(PV_STR("Europe/Berlin")), "zones have names");
	return tap_done();
}
