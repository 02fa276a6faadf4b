#include "http/status.h"

#include "tap.h"

static const struct {
	int status;
	enum pv_http_class class;
} classes[] = {
    {100, PV_HTTP_INFORMATION},
    {199, PV_HTTP_INFORMATION},
    {200, PV_HTTP_SUCCESS},
    {299, PV_HTTP_SUCCESS},
    {300, PV_HTTP_REDIRECTION},
    {399, PV_HTTP_REDIRECTION},
    {400, PV_HTTP_CLIENT_ERROR},
    {499, PV_HTTP_CLIENT_ERROR},
    {500, PV_HTTP_SERVER_ERROR},
    {599, PV_HTTP_SERVER_ERROR},
    {0, PV_HTTP_SERVER_ERROR},
    {99, PV_HTTP_SERVER_ERROR},
    {600, PV_HTTP_SERVER_ERROR},
    {999, PV_HTTP_SERVER_ERROR},
    {-200, PV_HTTP_SERVER_ERROR},
};

static void test_classes(void)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		ok(pv_http_class(classes[i].status) == classes[i].class,
		    "%d is of its class", classes[i].status);
}

/* Claims that of all statuses exactly the listed ones are so. */
static void test_set(
    const char *claim, bool (*is)(int), const int *listed, size_t count)
{
	int wrong = 0;
	for (int status = 100; status < 500; status++) {
		bool is_listed = false;
		for (size_t i = 0; i < count; i++)
			is_listed = is_listed || listed[i] == status;
		if (is(status) != is_listed)
			wrong = status;
	}
	if (!ok(wrong == 0, "%s", claim))
		printf("# but not %d\n", wrong);
}

int main(void)
{
	static const int redirects[] = {301, 302, 303, 307, 308};
	static const int overload[] = {429};
	static const int blocked[] = {401, 403, 451};
	test_classes();
	test_set("redirects are 301, 302, 303, 307 and 308",
	    pv_http_is_redirect, redirects, 5);
	test_set("under 500 only 429 tells of overload", pv_http_is_overload,
	    overload, 1);
	test_set(
	    "blocked are 401, 403 and 451", pv_http_is_blocked, blocked, 3);
	ok(pv_http_is_overload(503) && !pv_http_is_overload(500),
	    "503 tells of overload and 500 does not");
	ok(!pv_http_is_blocked(503), "503 does not send us away");
	return tap_done();
}
