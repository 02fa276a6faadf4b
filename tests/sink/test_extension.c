#include "sink/extension.h"

#include "tap.h"

static void test_list(void)
{
	bool is_sorted = true, is_found = true, is_short = true;
	size_t count = 0;
	for (; pv_extension_at(count); count++) {
		struct pv_str this = pv_str_of(pv_extension_at(count));
		is_found = is_found && pv_extension_is_known(this);
		is_short = is_short && this.len <= PV_EXTENSION_LEN_MAX;
		is_sorted =
		    is_sorted &&
		    (!count ||
			pv_str_compare(
			    pv_str_of(pv_extension_at(count - 1)), this) < 0);
	}
	ok(count > 80, "there are many extensions: %zu", count);
	ok(is_sorted, "they stand in their order");
	ok(is_found, "and are all found");
	ok(is_short, "none is longer than they say");
}

static const struct {
	struct pv_str extension;
	bool is_known;
} words[] = {
    {PV_STR("html"), true},
    {PV_STR("HtMl"), true},
    {PV_STR("zst"), true},
    {PV_STR("3gp"), true},
    {PV_STR("htmll"), false},
    {PV_STR("htm l"), false},
    {PV_STR("ht"), false},
    {PV_STR(""), false},
    {PV_STR("c\0"), false},
    {PV_STR("\xff"), false},
    {PV_STR("zzzz"), false},
    {PV_STR("0"), false},
    {PV_STR("php"), false},
    {PV_STR("asp"), false},
    {PV_STR("cgi"), false},
    {PV_STR("webmanifests"), false},
};

static void test_words(void)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		ok(pv_extension_is_known(words[i].extension) ==
			words[i].is_known,
		    "\"%.*s\" is %s", PV_STR_ARG(words[i].extension),
		    words[i].is_known ? "known" : "not known");
}

/* Whatever a server says, the end of a file is one of the list. */
static void test_types(void)
{
	static const char *const types[] = {"text/html", "image/svg+xml",
	    "application/x-new", "application/x-new+xml",
	    "application/x-new+json", "application/x-new+zip", "text/x-new",
	    "IMAGE/PNG ; q=1", "", "/", "text", "application/pdf,text/html",
	    "application/vnd.oasis.opendocument.text"};
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		const char *extension = pv_extension_for(pv_str_of(types[i]));
		ok(pv_extension_is_known(pv_str_of(extension)),
		    "\"%s\" ends in %s", types[i], extension);
	}
}

int main(void)
{
	test_list();
	test_words();
	test_types();
	return tap_done();
}
