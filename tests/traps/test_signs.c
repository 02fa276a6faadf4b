#include "traps/signs.h"

#include "tap.h"

static const struct {
	const char *target;
	struct pv_signs signs;
} cases[] = {
    {"/", {0}},
    {"/docs/guide/index.html", {0}},
    {"/java/7/a-1/b2", {0}},
    {"/java/21/", {.has_number = true}},
    {"/jdk-21.tar.gz", {0}},
    {"/a123/b-456/c.789", {0}},
    {"/2031", {.has_year = true, .has_number = true}},
    {"/rfc2031", {.has_year = true}},
    {"/1/2/3/4", {0}},
    {"/-1", {.has_number = true}},
    {"/a-1", {0}},
    {"-1", {0}},
    {"12", {0}},
    {"/?a=1", {0}},
    {"/?a=12", {.has_number = true}},
    {"/?a=-1", {.has_number = true}},
    {"/?a=b-12", {0}},
    {"/?a=1&b=2&c", {.ampersands = 2}},
    {"/?a=b=c=d&e=f=g", {.ampersands = 1, .marks = 3}},
    {"/?a&b&c=d=e", {.ampersands = 2, .marks = 1}},
    {"/?a=b;c", {.marks = 1}},
    {"/a%20b?c=d%20e", {.marks = 2, .has_percent = true}},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_signs found = pv_signs_of(pv_str_of(cases[i].target));
		const struct pv_signs *wanted = &cases[i].signs;
		ok(found.ampersands == wanted->ampersands, "%s: %u ampersands",
		    cases[i].target, (unsigned)wanted->ampersands);
		ok(found.marks == wanted->marks, "%u marks",
		    (unsigned)wanted->marks);
		ok(found.has_percent == wanted->has_percent, "%s percent sign",
		    wanted->has_percent ? "a" : "no");
		ok(found.has_year == wanted->has_year, "%s for a year",
		    wanted->has_year ? "enough digits" : "no digits");
		ok(found.has_number == wanted->has_number, "%s in front",
		    wanted->has_number ? "a number" : "no number");
	}
	return tap_done();
}
