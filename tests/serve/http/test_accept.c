#include "serve/http/accept.h"

#include "tap.h"

static const struct pv_offer offers[] = {
    {"text/plain", "0.0.4"},
    {"application/openmetrics-text", "1.0.0"},
    {"application/json", NULL},
};

static const struct {
	const char *accept;
	size_t choice;
	const char *claim;
} cases[] = {
    {NULL, 0, "without the header it is the first"},
    {"", 0, "and with one that says nothing"},
    {"*/*", 0, "as well as with one to which all is alike"},
    {"application/json", 2, "what is named is given"},
    {"APPLICATION/JSON", 2, "in letters of any size"},
    {"text/html", 0, "where nothing fits it is the first"},
    {"text/html, application/json", 2, "if a later one fits, that is given"},
    {"text/plain;q=0.2, application/json;q=0.3", 2, "the weight decides"},
    {"application/json;q=0.2, text/plain;q=0.3", 0, "in either order"},
    {"application/json ; q = 0.9 , */*;q=0.1", 2, "blanks mean nothing"},
    {"text/plain;q=0, */*;q=0.1", 1,
	"what is named closely is not what is named by the way"},
    {"text/*;q=0.5, */*;q=0.4", 0, "a range of types counts"},
    {"application/*, text/plain;q=0.9", 1, "with the first that is in it"},
    {"*/*;q=0.8, application/*;q=0.1, application/json;q=0.9", 2,
	"closer names come first, wherever they stand"},
    {"application/openmetrics-text;version=1.0.0;q=0.8,"
     "application/openmetrics-text;version=0.0.1;q=0.75,"
     "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
	1, "a collector's wish is understood"},
    {"application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
     "application/openmetrics-text;version=0.0.1;q=0.5,"
     "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
     "text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
	1, "so is that of a newer one"},
    {"application/openmetrics-text;version=0.0.1,text/plain;q=0.1", 0,
	"another version is another form"},
    {"application/openmetrics-text;version=\"1.0.0\",text/plain;q=0.1", 1,
	"a version may stand in quotes"},
    {"application/json;version=3, text/plain;q=0.1", 0,
	"what has no version is not of that one"},
    {"application/openmetrics-text;a=\",text/plain\"", 1,
	"a comma in quotes ends nothing"},
    {"application/json;q=1.000, text/plain;q=0.999", 2, "1.000 is 1"},
    {"application/json;q=0.001, text/plain;q=0.000", 2,
	"and a thousandth is more than nothing"},
    {"application/json;q=0.0001, text/plain;q=0.5", 2,
	"a weight of another form is none"},
    {"application/json;q=2, text/plain;q=0.9", 2, "as is one above 1"},
    {"text/plain;q=0.5, application/json;q=.9", 2, "or without a digit"},
    {"application/json;q=, text/plain;q=0.9", 2, "or without all"},
    {";q=1, ,,;;, application/json", 2, "what is no range is passed over"},
    {"text", 0, "so is half a type"},
    {"/*", 0, "and one without a name"},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_str accept = {0};
		if (cases[i].accept)
			accept = pv_str_of(cases[i].accept);
		size_t choice = pv_accept_choose(
		    accept, offers, sizeof(offers) / sizeof(*offers));
		if (!ok(choice == cases[i].choice, "%s", cases[i].claim))
			printf("# %zu\n", choice);
	}
	return tap_done();
}
