#include "serve/config/listen_form.h"

#include "tap.h"

static const struct {
	const char *text;
	bool is_right;
	bool is_open;
	uint16_t port;
	const char *path;
} cases[] = {
    {"127.0.0.1:7117", true, false, 7117, ""},
    {"127.9.9.9:1", true, false, 1, ""},
    {"127.0.0.1:0", true, false, 0, ""},
    {"[::1]:7117", true, false, 7117, ""},
    {"[::ffff:127.0.0.1]:7117", true, false, 7117, ""},
    {"unix:/run/pavane.socket", true, false, 0, "/run/pavane.socket"},
    {"unix:a:7", true, false, 0, "a:7"},
    {"0.0.0.0:7117", true, true, 7117, ""},
    {"[::]:7117", true, true, 7117, ""},
    {"192.168.1.2:80", true, true, 80, ""},
    {"203.0.113.9:65535", true, true, 65535, ""},
    {"[2001:db8::1]:80", true, true, 80, ""},
    {"", false, false, 0, ""},
    {"unix:", false, false, 0, ""},
    {"7117", false, false, 0, ""},
    {":7117", false, false, 0, ""},
    {"*:7117", false, false, 0, ""},
    {"localhost:7117", false, false, 0, ""},
    {"127.0.0.1", false, false, 0, ""},
    {"127.0.0.1:", false, false, 0, ""},
    {"127.0.0.1:65536", false, false, 0, ""},
    {"127.0.0.1:-1", false, false, 0, ""},
    {"127.0.0.1:80x", false, false, 0, ""},
    {"[127.0.0.1]:80", false, false, 0, ""},
    {"::1:80", false, false, 0, ""},
    {"[::1]", false, false, 0, ""},
    {"[::1]80", false, false, 0, ""},
    {"[]:80", false, false, 0, ""},
    {"[fe80::1%eth0]:80", false, false, 0, ""},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_listen_form form;
		bool is_right =
		    pv_listen_form_read(pv_str_of(cases[i].text), &form);
		ok(is_right == cases[i].is_right,
		    "\"%s\" is %s place to listen", cases[i].text,
		    cases[i].is_right ? "a" : "no");
		if (!is_right)
			continue;
		ok(pv_listen_form_is_open(&form) == cases[i].is_open,
		    "%s is reached by %s", cases[i].text,
		    cases[i].is_open ? "others" : "this machine alone");
		ok(form.port == cases[i].port &&
			pv_str_equal(form.path, pv_str_of(cases[i].path)),
		    "%s has its port or path", cases[i].text);
	}
	return tap_done();
}
