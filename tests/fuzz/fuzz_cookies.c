#include <stdint.h>
#include <stdlib.h>

#include "policy/secrets/cookies.h"

/* Reads a file of cookies. What must hold: no cookie could be taken for two
 * lines, or for more fields than there are; what is written is read as the same;
 * and whatever is wrong, there is a problem with a line. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void require_same(
    const struct pv_cookie *one, const struct pv_cookie *other)
{
	require(pv_str_equal(one->domain, other->domain));
	require(pv_str_equal(one->path, other->path));
	require(pv_str_equal(one->name, other->name));
	require(pv_str_equal(one->value, other->value));
	require(one->expires_s == other->expires_s);
	require(one->is_below == other->is_below);
	require(one->is_secure == other->is_secure);
}

static void check(const struct pv_cookie *cookie)
{
	struct pv_cookies again;
	struct pv_why why;
	struct pv_buf line;
	require(cookie->domain.len && cookie->name.len);
	require(cookie->name.len + cookie->value.len <= PV_COOKIE_BYTES_MAX);
	pv_cookies_init(&again);
	pv_why_init(&why);
	pv_buf_init(&line, SIZE_MAX);
	pv_cookie_write(cookie, &line);
	pv_cookies_read(&again, pv_buf_str(&line), "again", &why);
	require(!pv_why_has_problems(&why) && again.count == 1);
	require_same(cookie, &again.items[0]);
	pv_buf_finish(&line);
	pv_why_finish(&why);
	pv_cookies_finish(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_cookies cookies;
	struct pv_why why;
	pv_cookies_init(&cookies);
	pv_why_init(&why);
	pv_cookies_read(
	    &cookies, (struct pv_str){(const char *)data, size}, "c", &why);
	require(cookies.count <= PV_COOKIES_MAX);
	for (size_t i = 0; i < cookies.count; i++)
		check(&cookies.items[i]);
	for (size_t i = 0; i < why.problems.kept_count; i++)
		require(why.problems.kept[i].line > 0);
	pv_why_finish(&why);
	pv_cookies_finish(&cookies);
	return 0;
}
