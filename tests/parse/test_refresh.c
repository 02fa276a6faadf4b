#include "parse/refresh.h"

#include "tap.h"

static const struct {
	const char *claim;
	const char *value;
	const char *address; /* NULL: none */
} refreshes[] = {
    {"a time and an address", "5; url=x.html", "x.html"},
    {"letters of any size", "0;URL=x.html", "x.html"},
    {"a comma", "0, url=x", "x"},
    {"only white space", "0 url=x", "x"},
    {"white space everywhere", " \n 0 ; url\t=\n x ", "x "},
    {"no name", "0; x.html", "x.html"},
    {"a name that only begins so", "0; upload.html", "upload.html"},
    {"or goes on", "0; urls=x", "urls=x"},
    {"or has no equals sign", "0; url x", "url x"},
    {"double quotes", "0; url=\"x y\" z", "x y"},
    {"single quotes", "0; url='x\"y' z", "x\"y"},
    {"quotes without a name", "0; 'x' y", "x"},
    {"quotes that never end", "0; url='x", "x"},
    {"a fraction of a second", "0.5; url=x", "x"},
    {"even without its zero", ".5; url=x", "x"},
    {"more dots than one", "1..2.3; url=x", "x"},
    {"a reference", "0; url=x?a&amp;b", "x?a&amp;b"},
    {"the time alone", "5", NULL},
    {"the time and a semicolon", "5;", NULL},
    {"the time and a name", "5; url=", NULL},
    {"an empty address", "5; url=''", NULL},
    {"no time", "url=x", NULL},
    {"no time but a semicolon", "; url=x", NULL},
    {"a time in words", "5s; url=x", NULL},
    {"less than no time", "-5; url=x", NULL},
    {"nothing", "", NULL},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(refreshes) / sizeof(*refreshes); i++) {
		struct pv_str address;
		bool is_found =
		    pv_refresh_read(pv_str_of(refreshes[i].value), &address);
		if (refreshes[i].address && is_found)
			is_text(address, refreshes[i].address, "%s",
			    refreshes[i].claim);
		else
			ok(!is_found && !refreshes[i].address, "%s",
			    refreshes[i].claim);
	}
	return tap_done();
}
