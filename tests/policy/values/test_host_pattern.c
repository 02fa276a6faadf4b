#include "policy/values/host_pattern.h"

#include "tap.h"

static const struct {
	const char *text;
	enum pv_host_pattern_kind kind;
	const char *canonical;
	const char *name; /* NULL for a network */
} cases[] = {
    {"docs.example.org", PV_HOST_EXACT, "docs.example.org", "docs.example.org"},
    {"DOCS.Example.ORG", PV_HOST_EXACT, "docs.example.org", "docs.example.org"},
    {"example.org.", PV_HOST_EXACT, "example.org", "example.org"},
    {"localhost", PV_HOST_EXACT, "localhost", "localhost"},
    {"b\xc3\xbc"
     "cher.example",
	PV_HOST_EXACT, "xn--bcher-kva.example", "xn--bcher-kva.example"},
    {"a_b.example", PV_HOST_EXACT, "a_b.example", "a_b.example"},
    {"*.example.com", PV_HOST_BELOW, "*.example.com", "example.com"},
    {"*.Example.com.", PV_HOST_BELOW, "*.example.com", "example.com"},
    {"*.com", PV_HOST_BELOW, "*.com", "com"},
    {"10.0.0.0/8", PV_HOST_NETWORK, "10.0.0.0/8", NULL},
    {"0.0.0.0/0", PV_HOST_NETWORK, "0.0.0.0/0", NULL},
    {"192.0.2.1", PV_HOST_NETWORK, "192.0.2.1", NULL},
    {"192.0.2.1/32", PV_HOST_NETWORK, "192.0.2.1", NULL},
    {"2001:DB8::/32", PV_HOST_NETWORK, "2001:db8::/32", NULL},
    {"::1", PV_HOST_NETWORK, "::1", NULL},
    {"[::1]", PV_HOST_NETWORK, "::1", NULL},
    {"[2001:db8::]/32", PV_HOST_NETWORK, "", NULL},
    {"0x7f.1", PV_HOST_NETWORK, "127.0.0.1", NULL},
};

static void test_right(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_host_pattern pattern;
		struct pv_buf canonical;
		pv_buf_init(&canonical, 512);
		const char *fault = pv_host_pattern_read(
		    pv_str_of(cases[i].text), &pattern, &canonical);
		if (!cases[i].canonical[0]) {
			ok(fault != NULL, "%s is none", cases[i].text);
		} else {
			ok(!fault && pattern.kind == cases[i].kind,
			    "%s is a pattern of its kind", cases[i].text);
			is_text(pv_buf_str(&canonical), cases[i].canonical,
			    "%s is kept as %s", cases[i].text,
			    cases[i].canonical);
		}
		if (!fault && cases[i].name)
			is_text(pattern.name, cases[i].name,
			    "%s has the name %s", cases[i].text, cases[i].name);
		pv_buf_finish(&canonical);
	}
}

static const struct {
	const char *text;
	const char *part; /* of the sentence; "" for none of its own */
} faults[] = {
    {"", ""},
    {".", ""},
    {".example.com", ""},
    {"a b", ""},
    {"a%62", ""},
    {"a..b", ""},
    {"*", "every host"},
    {"*.", ""},
    {"*.*.example.com", "only at the beginning"},
    {"a.*.example.com", "only at the beginning"},
    {"*example.com", "only at the beginning"},
    {"docs.example.org:8080", "without its port"},
    {"https://docs.example.org/", "without https://"},
    {"docs.example.org/path", ""},
    {"*.10.0.0.1", ""},
    {"10.0.0.1/8", "after its prefix"},
    {"10.0.0.0/33", ""},
    {"10.0.0.0/", ""},
    {"10.0.0.0/8/8", ""},
    {"2001:db8::1/32", "after its prefix"},
    {"::/129", ""},
    {"a\nb", ""},
    {"a\"b", ""},
};

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct pv_host_pattern pattern;
		struct pv_buf canonical;
		pv_buf_init(&canonical, 512);
		const char *fault = pv_host_pattern_read(
		    pv_str_of(faults[i].text), &pattern, &canonical);
		ok(fault && (faults[i].part[0]
				    ? strstr(fault, faults[i].part) != NULL
				    : !fault[0]),
		    "pattern %zu is refused: %s", i,
		    fault ? fault : "(it is not)");
		pv_buf_finish(&canonical);
	}
}

static void test_trim(void)
{
	is_text(pv_host_name_trim(PV_STR("a.example.")), "a.example",
	    "the dot that may end a name is left out");
	is_text(pv_host_name_trim(PV_STR("a.example")), "a.example",
	    "where there is none, nothing is");
	is_text(pv_host_name_trim(PV_STR(".")), ".", "a dot alone stays");
	is_text(pv_host_name_trim(PV_STR("")), "", "so does nothing");
}

static void test_local(void)
{
	static const char *const local[] = {
	    "localhost", "localhost.", "a.localhost", "a.b.localhost."};
	static const char *const others[] = {"", ".", "notlocalhost",
	    "localhost.example", "localhost..", "host"};
	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
		ok(pv_host_name_is_local(pv_str_of(local[i])),
		    "%s is this machine", local[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		ok(!pv_host_name_is_local(pv_str_of(others[i])),
		    "\"%s\" need not be this machine", others[i]);
}

static bool is_named(const char *written, const char *name)
{
	struct pv_buf buf;
	pv_buf_init(&buf, SIZE_MAX);
	bool is_read = pv_host_name_canonical(pv_str_of(written), &buf);
	bool is_right =
	    is_read ? name && strcmp(pv_buf_text(&buf), name) == 0 : !name;
	pv_buf_finish(&buf);
	return is_right;
}

static void test_written_names(void)
{
	static const struct {
		const char *written;
		const char *name; /* NULL: it is none */
	} names[] = {
	    {"example.org", "example.org"},
	    {"EXAMPLE.org.", "example.org"},
	    {"example.org:8080", "example.org"},
	    {"m\xc3\xbcller.example", "xn--mller-kva.example"},
	    {"127.1", "127.0.0.1"},
	    {"[::1]", "[::1]"},
	    {"a/b", NULL},
	    {"me@a.test", NULL},
	    {"a.test?b", NULL},
	    {"a b", NULL},
	    {"", NULL},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ok(is_named(names[i].written, names[i].name), "\"%s\" is %s",
		    names[i].written, names[i].name ? "a host's name" : "none");
}

int main(void)
{
	test_local();
	test_right();
	test_faults();
	test_trim();
	test_written_names();
	return tap_done();
}
