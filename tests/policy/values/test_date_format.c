#include "policy/values/date_format.h"

#include "tap.h"

static const struct {
	const char *format;
	const char *fault; /* its beginning; NULL: none */
	size_t offset;
	bool has_time;
} cases[] = {
    {"%d.%m.%Y", NULL, 0, false},
    {"%Y", NULL, 0, false},
    {"%Y-%j", NULL, 0, false},
    {"%A, %d %B %y", NULL, 0, false},
    {"%m/%d/%Y %I:%M %p", NULL, 0, true},
    {"%Y-%m-%d %H:%M:%S.%f %z", NULL, 0, true},
    {"%s", NULL, 0, true},
    {"100%% %Y", NULL, 0, false},
    {"%Y%", "% is written %%", 2, false},
    {"%d.%m.%Q", "unknown; known are", 6, false},
    {"%T", "unknown; write %H:%M:%S", 0, false},
    {"x %F", "unknown; write %Y-%m-%d", 2, false},
    {"%k", "unknown; write %H", 0, false},
    {"", "a date needs its year", 0, false},
    {"%d.%m.", "a date needs its year", 0, false},
    {"%d %Y", "a day needs its month", 0, false},
    {"%Y %j %d %m", "%j is the day of a year", 0, false},
    {"%Y %I", "%I and %p belong together", 0, true},
    {"%Y %H %p", "%I and %p belong together", 0, true},
    {"%Y %M", "a time needs its hour", 0, true},
    {"%Y %z", "a time needs its hour", 0, false},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t offset = 0;
		struct pv_str format = pv_str_of(cases[i].format);
		const char *fault = pv_date_format_fault(format, &offset);
		const char *wanted = cases[i].fault;
		ok(!fault == !wanted &&
			(!fault ||
			    (strncmp(fault, wanted, strlen(wanted)) == 0 &&
				offset == cases[i].offset)),
		    "\"%s\": %s, found %zu: %s", cases[i].format,
		    wanted ? wanted : "a format", offset,
		    fault ? fault : "none");
		ok(fault ||
			pv_date_format_has_time(format) == cases[i].has_time,
		    "and whether it has a time is known");
	}
	char bytes[300];
	size_t offset;
	memset(bytes, 'x', sizeof(bytes));
	memcpy(bytes, "%Y", 2);
	ok(!pv_date_format_fault((struct pv_str){bytes, 256}, &offset),
	    "256 bytes are a format");
	ok(pv_date_format_fault((struct pv_str){bytes, 257}, &offset),
	    "more are not");
	ok(pv_date_format_fault(PV_STR("%\0%Y"), &offset),
	    "NUL is no directive");
	return tap_done();
}
