#include "traps/session.h"

#include "tap.h"

static const struct {
	const char *url;
	const char *identifier; /* NULL: none */
} cases[] = {
    {"/?PHPSESSID=0af3b1c2d4", "phpsessid=0af3b1c2d4;"},
    {"/?a=1&phpsessid=0af3b1c2d4&b=2", "phpsessid=0af3b1c2d4;"},
    {"/?SessionID=A-1_b.c,d", "sessionid=A-1_b.c,d;"},
    {"/?cfid=12345678&cftoken=87654321", "cfid=12345678;cftoken=87654321;"},
    {"/?ASPSESSIONIDQQ=ABCDEFG1", "aspsessionidqq=ABCDEFG1;"},
    {"/?ASP.NET_SessionId=abcdefg1", "asp.net_sessionid=abcdefg1;"},
    {"/?osCsid=abcdefg1&zenid=abcdefg2", "oscsid=abcdefg1;zenid=abcdefg2;"},
    {"/a;jsessionid=0123456789ABCDEF?x", "jsessionid=0123456789ABCDEF;"},
    {"/a;v=1;JSESSIONID=0123456789.n1/b", "jsessionid=0123456789.n1;"},
    {"/(S(ab12cd34ef))/page", "s=ab12cd34ef;"},
    {"/app/(X(1)S(ab12cd34ef))/page.aspx", "s=ab12cd34ef;"},
    {"/?s=0123456789abcdef", "s=0123456789abcdef;"},
    {"/?sid=0123456789abcdef0123456789abcdef",
	"sid=0123456789abcdef0123456789abcdef;"},

    /* no identifier, by its look */
    {"/?PHPSESSID=0af3b1c", NULL},
    {"/?PHPSESSID=abcdefghij", NULL},
    {"/?PHPSESSID=", NULL},
    {"/?PHPSESSID", NULL},
    {"/?PHPSESSID=0af3b1c2%20d4", NULL},
    {"/?sid=0123456789abcde", NULL},
    {"/?sid=1234567890123456", NULL},
    {"/?session=20240101-20241231", NULL},
    {"/?session=2024", NULL},
    {"/?s=a-long-search-of-2024", NULL},

    /* by its name, or its place */
    {"/?id=0123456789abcdef", NULL},
    {"/?xphpsessid=0123456789abcdef", NULL},
    {"/phpsessid=0123456789abcdef", NULL},
    {"/sid/0123456789abcdef", NULL},
    {"/?;jsessionid=0123456789ABCDEF", NULL},
    {"/(S(ab12))/page", NULL},
    {"/(S(ab12cd34ef)/page", NULL},
    {"/x(S(ab12cd34ef))/page", NULL},
    {"/(A(ab12cd34ef))/page", NULL},
    {"/((((;;;;(S(/", NULL},
    {"/", NULL},
};

static void test_cases(void)
{
	struct pv_url url;
	struct pv_buf text, identifier;
	pv_url_init(&url, 4096);
	pv_buf_init(&text, 4096);
	pv_buf_init(&identifier, 4096);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *expected = cases[i].identifier;
		pv_buf_clear(&text);
		pv_buf_clear(&identifier);
		pv_buf_append_format(&text, "http://a.test%s", cases[i].url);
		pv_url_parse(&url, pv_buf_str(&text));
		bool is_found = pv_session_find(&url, &identifier);
		ok(is_found == (expected != NULL) &&
			strcmp(pv_buf_text(&identifier),
			    expected ? expected : "") == 0,
		    "%s: %s", cases[i].url, expected ? expected : "none");
	}
	pv_buf_finish(&identifier);
	pv_buf_finish(&text);
	pv_url_finish(&url);
}

int main(void)
{
	test_cases();
	return tap_done();
}
