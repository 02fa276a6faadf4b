#include "url/aliases.h"

#include "base/buf.h"
#include "tap.h"

static const struct {
	const char *name;
	const char *target; /* NULL: it is no alias */
} cases[] = {
    {"docs.example.org", "example.org"},
    {"example.org", NULL},
    {"a.docs.example.org", NULL},
    {"xdocs.example.org", NULL},
    {"www.docs.example.org", "example.org"},
    {"www.example.org", "example.org"},
    {"www.www.example.org", "example.org"},
    {"m.www.example.org", "example.org"},
    {"www.m.example.org", "example.org"},
    {"a.www.example.org", NULL},
    {"wwww.example.org", NULL},
    {"www2.example.org", NULL},
    {"www.example.co.uk", "example.co.uk"},

    /* never beyond the site */
    {"www.com", NULL},
    {"www.www.com", "www.com"},
    {"www.co.uk", NULL},
    {"www.github.io", NULL},
    {"www.me.github.io", "me.github.io"},
    {"www.localhost", NULL},
    {"www.a.localhost", "a.localhost"},
    {"www.", NULL},
    {"www", NULL},
    {"www..example.org", NULL},
    {"", NULL},

    /* and something is left of a name of dots */
    {".", NULL},
    {"..", "."},
};

static void test_cases(void)
{
	struct pv_aliases aliases;
	pv_aliases_init(&aliases);
	ok(pv_aliases_is_empty(&aliases), "there is none at first");
	pv_aliases_add(
	    &aliases, PV_STR("docs.example.org"), PV_STR("example.org"));
	pv_aliases_add(
	    &aliases, PV_STR("docs.example.org"), PV_STR("example.net"));
	pv_aliases_add(&aliases, PV_STR("www.*"), PV_STR("*"));
	pv_aliases_add(&aliases, PV_STR("m.*"), PV_STR("*"));
	pv_aliases_add(&aliases, PV_STR(".*"), PV_STR("*"));
	ok(!pv_aliases_is_empty(&aliases), "and then there are some");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_str target = PV_STR("(none)");
		bool is_alias = pv_aliases_find(
		    &aliases, pv_str_of(cases[i].name), &target);
		ok(is_alias == (cases[i].target != NULL), "%s is %s alias",
		    cases[i].name, cases[i].target ? "an" : "no");
		is_text(target, cases[i].target ? cases[i].target : "(none)",
		    "%s stands for that", cases[i].name);
	}
	pv_aliases_finish(&aliases);
}

/* A name that nobody can look up costs nothing, however long. */
static void test_long(void)
{
	struct pv_aliases aliases;
	struct pv_buf name;
	struct pv_str target = PV_STR("");
	pv_aliases_init(&aliases);
	pv_buf_init(&name, 1 << 20);
	pv_aliases_add(&aliases, PV_STR("w.*"), PV_STR("*"));
	for (unsigned i = 0; i < 121; i++)
		pv_buf_append_text(&name, "w.");
	pv_buf_append_text(&name, "example.org");
	ok(name.len == 253 &&
		pv_aliases_find(&aliases, pv_buf_str(&name), &target),
	    "P5: a name of 253 bytes may be an alias");
	is_text(target, "example.org", "of what stands behind all of it");
	pv_buf_append_text(&name, "x");
	ok(!pv_aliases_find(&aliases, pv_buf_str(&name), &target),
	    "a longer one is none");
	pv_buf_finish(&name);
	pv_aliases_finish(&aliases);
}

int main(void)
{
	test_cases();
	test_long();
	return tap_done();
}
