#include "serve/access/credentials.h"

#include "tap.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

struct reading {
	const char *text;
	const char *found; /* NULL: nothing */
};

static const struct reading bearers[] = {
    {"Bearer abc", "abc"},
    {"bearer   a-b.c_d~e+f/g==", "a-b.c_d~e+f/g=="},
    {"Bearer", NULL},
    {"Bearer ", NULL},
    {"Bearerabc", NULL},
    {"Basic abc", NULL},
    {"Bearer abc, Bearer def", NULL},
    {"Bearer abc ", NULL},
    {" Bearer abc", NULL},
    {"", NULL},
};

static const struct reading cookies[] = {
    {"pavane_session=" ID, ID},
    {"a=b; pavane_session=" ID "; c=d", ID},
    {"pavane_session=x; pavane_session=" ID, ID},
    {"pavane_session=" ID "0", NULL},
    {"pavane_session=\"" ID "\"", NULL},
    {"xpavane_session=" ID, NULL},
    {"Pavane_session=" ID, NULL},
    {";;=;pavane_session", NULL},
    {"", NULL},
};

static const struct reading hosts[] = {
    {"a.example", "a.example"},
    {"a.example:80", "a.example"},
    {"127.0.0.1:7117", "127.0.0.1"},
    {"[::1]", "[::1]"},
    {"[::1]:7117", "[::1]"},
    {"::1", NULL},
    {"a:", NULL},
    {"a:x", NULL},
    {"a:65536", NULL},
    {"a@b", NULL},
    {"a/b", NULL},
    {"[::1", NULL},
    {"[]", NULL},
    {"[::1]x", NULL},
    {"", NULL},
    {":80", NULL},
};

static const struct reading origins[] = {
    {"http://a.example:80", "a.example:80"},
    {"https://[::1]:1", "[::1]:1"},
    {"null", NULL},
    {"http://", NULL},
    {"http://a/", NULL},
    {"ftp://a", NULL},
    {"http://a http://b", NULL},
};

static void test_readings(const char *what,
    struct pv_str (*read)(struct pv_str), const struct reading *readings,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct pv_str found = read(pv_str_of(readings[i].text));
		is_text(found.len ? found : PV_STR("(nothing)"),
		    readings[i].found ? readings[i].found : "(nothing)",
		    "%s of \"%s\"", what, readings[i].text);
	}
}

#define COUNT(items) (sizeof(items) / sizeof(*(items)))

int main(void)
{
	struct pv_buf buf;
	test_readings("token", pv_bearer_read, bearers, COUNT(bearers));
	test_readings("session", pv_session_read, cookies, COUNT(cookies));
	test_readings("host", pv_host_name_read, hosts, COUNT(hosts));
	test_readings("origin", pv_origin_read, origins, COUNT(origins));
	pv_buf_init(&buf, 256);
	pv_session_write(PV_STR("abc"), 60, &buf);
	is_text(pv_buf_str(&buf),
	    "pavane_session=abc; Max-Age=60; Path=/; HttpOnly; "
	    "SameSite=Strict",
	    "scripts and other sites do not get the cookie");
	pv_buf_finish(&buf);
	return tap_done();
}
