#include "crawl/run/logins.h"

#include "tap.h"

/* Whose password goes where (P7). */
static bool add(struct pv_logins *logins, const char *address, bool is_before)
{
	struct pv_url url;
	pv_url_init(&url, 1000);
	pv_url_parse(&url, pv_str_of(address));
	enum pv_login_step step = pv_logins_add(logins, &url, is_before);
	pv_url_finish(&url);
	return step == PV_LOGIN_NEW;
}

static void is_found(
    const struct pv_logins *logins, const char *address, const char *wanted)
{
	struct pv_url url;
	pv_url_init(&url, 1000);
	pv_url_parse(&url, pv_str_of(address));
	struct pv_str found = pv_logins_find(logins, &url);
	ok(pv_str_equal(found, pv_str_of(wanted)), "%s: \"%.*s\"", address,
	    PV_STR_ARG(found));
	pv_url_finish(&url);
}

static void test_find(void)
{
	static const char *const given[] = {
	    "https://me:x@a.test/",
	    "https://you:y@a.test/deep/er/page.html",
	    "https://them:z@a.test/deep/",
	    "http://me:h@a.test/",
	    "https://me:p@a.test:8443/",
	    "https://only@b.test/private/",
	    "https://:word@c.test/",
	    "https://m%40e:a%2Fb@d.test/",
	};
	struct pv_logins logins;
	pv_logins_init(&logins);
	is_found(&logins, "https://a.test/", "");
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
		ok(add(&logins, given[i], false), "%s is taken", given[i]);
	ok(!add(&logins, "https://e.test/", false),
	    "an address without credentials gives none");
	is_found(&logins, "https://a.test/", "me:x");
	is_found(&logins, "https://a.test/other/page?q#f", "me:x");
	is_found(&logins, "https://a.test/deep", "me:x");
	is_found(&logins, "https://a.test/deep/", "them:z");
	is_found(&logins, "https://a.test/deep/er/", "you:y");
	is_found(&logins, "https://a.test/deep/erst", "them:z");
	is_found(&logins, "http://a.test/deep/er/", "me:h");
	is_found(&logins, "https://a.test:8443/deep/", "me:p");
	is_found(&logins, "https://b.test/", "only");
	is_found(&logins, "https://c.test/x", ":word");
	is_found(&logins, "https://d.test/x", "m%40e:a%2Fb");
	is_found(&logins, "https://www.a.test/", "");
	is_found(&logins, "https://a.test.evil.test/", "");
	is_found(&logins, "https://e.test/", "");
	pv_logins_finish(&logins);
}

static void test_order(void)
{
	struct pv_logins logins;
	pv_logins_init(&logins);
	ok(add(&logins, "https://old:1@a.test/", true), "the file's is taken");
	ok(!add(&logins, "https://older:0@a.test/", true), "once");
	ok(!add(&logins, "https://old:1@a.test/x", false),
	    "a seed's that says the same is no news");
	ok(!add(&logins, "https://old:2@a.test/x", false),
	    "of two seeds' for one directory the first counts");
	is_found(&logins, "https://a.test/", "old:1");
	add(&logins, "https://b:1@b.test/", true);
	ok(add(&logins, "https://b:2@b.test/", false),
	    "a seed's takes the place of the file's");
	is_found(&logins, "https://b.test/", "b:2");
	ok(!add(&logins, "https://b:1@b.test/", true), "but not the reverse");
	is_found(&logins, "https://b.test/", "b:2");
	pv_logins_finish(&logins);
}

static void append(void *ctx, struct pv_str address)
{
	struct pv_buf *buf = ctx;
	pv_buf_append(buf, address);
	pv_buf_append_char(buf, '\n');
}

static void test_each(void)
{
	struct pv_logins logins;
	struct pv_buf buf;
	pv_logins_init(&logins);
	pv_buf_init(&buf, 1000);
	add(&logins, "https://me:x@a.test/a/b?c", false);
	add(&logins, "http://you@[::1]:8080/", false);
	pv_logins_each(&logins, append, &buf);
	is_text(pv_buf_str(&buf),
	    "https://me:x@a.test/a/\nhttp://you@[::1]:8080/\n",
	    "they are told as addresses that can be taken again");
	pv_buf_finish(&buf);
	pv_logins_finish(&logins);
}

static enum pv_login_step add_number(
    struct pv_logins *logins, int number, bool is_of_before)
{
	struct pv_url url;
	char address[64];
	pv_url_init(&url, 1000);
	snprintf(address, sizeof(address), "https://u:p@h%d.test/", number);
	pv_url_parse(&url, pv_str_of(address));
	enum pv_login_step step = pv_logins_add(logins, &url, is_of_before);
	pv_url_finish(&url);
	return step;
}

static void test_ceiling(void)
{
	struct pv_logins logins;
	int count = 0;
	pv_logins_init(&logins);
	while (add_number(&logins, count, false) == PV_LOGIN_NEW)
		count++;
	ok(count == PV_LOGINS_MAX, "P5: so many are kept (%d)", count);
	ok(add_number(&logins, count, false) == PV_LOGIN_LEFT_OUT,
	    "P4: what there is no room for is said to be left out");
	ok(add_number(&logins, 0, false) == PV_LOGIN_KNOWN,
	    "what is kept already is not");
	pv_logins_finish(&logins);
}

/* Two directories of each host, which an earlier run has left. */
static void fill_of_before(struct pv_logins *logins)
{
	for (int i = 0; i < PV_LOGINS_MAX; i++) {
		char address[64];
		snprintf(address, sizeof(address), "https://u:p@h%d.test/%d/",
		    i / 2, i);
		add(logins, address, true);
	}
}

static void test_of_before(void)
{
	struct pv_logins logins;
	int count = PV_LOGINS_MAX;
	pv_logins_init(&logins);
	fill_of_before(&logins);
	ok(add_number(&logins, count, true) == PV_LOGIN_LEFT_OUT,
	    "what an earlier run had takes no other's place");
	ok(add(&logins, "https://me:x@h1.test/new/", false) &&
		add(&logins, "https://me:y@h0.test/new/", false),
	    "P4: but a policy's takes its");
	is_found(&logins, "https://h1.test/new/x", "me:x");
	is_found(&logins, "https://h0.test/new/x", "me:y");
	is_found(&logins, "https://h0.test/0/x", "u:p");
	is_found(&logins, "https://h4000.test/8001/x", "u:p");
	while (add_number(&logins, count, false) == PV_LOGIN_NEW)
		count++;
	ok(count == 2 * PV_LOGINS_MAX - 3 && logins.count == PV_LOGINS_MAX,
	    "P5: until there are only the policy's (%d)", count);
	is_found(&logins, "https://h1.test/new/x", "me:x");
	is_found(&logins, "https://h4000.test/8001/x", "");
	is_found(&logins, "https://h10000.test/", "u:p");
	pv_logins_finish(&logins);
}

int main(void)
{
	test_ceiling();
	test_of_before();
	test_find();
	test_order();
	test_each();
	return tap_done();
}
