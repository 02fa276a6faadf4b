#include "url/url.h"

#include "random.h"
#include "tap.h"
#include "url/encoder.h"

#define CEILING 4096

#define BASE "https://docs.example.org/a/b/page.html?q=1#top"

/* References as they stand in the page BASE; where the outcome is not
 * PV_URL_OK, there is no text. */
static const struct {
	const char *claim;
	const char *reference;
	const char *text;
	enum pv_url_result result;
} joins[] = {
    {"a name replaces the page", "other.html",
	"https://docs.example.org/a/b/other.html", 0},
    {"so does a path", "c/d.html", "https://docs.example.org/a/b/c/d.html", 0},
    {"a slash leads to the root", "/x", "https://docs.example.org/x", 0},
    {"nothing is the page without its fragment", "",
	"https://docs.example.org/a/b/page.html?q=1", 0},
    {"a fragment keeps page and query", "#end",
	"https://docs.example.org/a/b/page.html?q=1#end", 0},
    {"an empty fragment stays", "#",
	"https://docs.example.org/a/b/page.html?q=1#", 0},
    {"a query keeps the page", "?q=2",
	"https://docs.example.org/a/b/page.html?q=2", 0},
    {"an empty query stays", "?", "https://docs.example.org/a/b/page.html?", 0},
    {"a query and a fragment", "?x#y",
	"https://docs.example.org/a/b/page.html?x#y", 0},
    {"a question mark in a fragment is its own", "#x?y",
	"https://docs.example.org/a/b/page.html?q=1#x?y", 0},
    {"a slash in a query is its own", "?../x",
	"https://docs.example.org/a/b/page.html?../x", 0},
    {"one dot is here", ".", "https://docs.example.org/a/b/", 0},
    {"also with a slash", "./", "https://docs.example.org/a/b/", 0},
    {"two dots go up", "..", "https://docs.example.org/a/", 0},
    {"as often as they are", "../../x", "https://docs.example.org/x", 0},
    {"never over the root", "../../../../x", "https://docs.example.org/x", 0},
    {"dots are dots when encoded", "%2e/.%2E/x", "https://docs.example.org/a/x",
	0},
    {"three dots are a name", ".../x", "https://docs.example.org/a/b/.../x", 0},
    {"dots with something are a name", "..x/.y/z..",
	"https://docs.example.org/a/b/..x/.y/z..", 0},
    {"dots behind names go up", "c/d/../../e", "https://docs.example.org/a/b/e",
	0},
    {"dots at the end leave a slash", "c/..", "https://docs.example.org/a/b/",
	0},
    {"dots behind an encoded name go up", "c d/../e",
	"https://docs.example.org/a/b/e", 0},
    {"dots over empty segments", "c//../d", "https://docs.example.org/a/b/c/d",
	0},
    {"empty segments stay", "c//d", "https://docs.example.org/a/b/c//d", 0},
    {"backslashes are slashes", "c\\..\\d\\e",
	"https://docs.example.org/a/b/d/e", 0},
    {"but not in a query", "?a\\b",
	"https://docs.example.org/a/b/page.html?a\\b", 0},
    {"two slashes lead to a host", "//example.net/x", "https://example.net/x",
	0},
    {"so do two backslashes", "\\\\example.net\\x", "https://example.net/x", 0},
    {"and three slashes", "///example.net/x", "https://example.net/x", 0},
    {"an absolute address", "http://example.net/x", "http://example.net/x", 0},
    {"our own scheme without slashes is relative", "https:x",
	"https://docs.example.org/a/b/x", 0},
    {"another scheme without slashes is absolute", "http:x", "http://x/", 0},
    {"the own site in full", "https://docs.example.org/x/../y#z",
	"https://docs.example.org/y#z", 0},
    {"the own site alone", "https://docs.example.org",
	"https://docs.example.org/", 0},
    {"the own site with a query only", "https://docs.example.org?x",
	"https://docs.example.org/?x", 0},
    {"the own site and two slashes", "https://docs.example.org//x",
	"https://docs.example.org//x", 0},
    {"a longer name is another site", "https://docs.example.org.net/x",
	"https://docs.example.org.net/x", 0},
    {"so is another port", "https://docs.example.org:8443/x",
	"https://docs.example.org:8443/x", 0},
    {"and another scheme", "http://docs.example.org/x",
	"http://docs.example.org/x", 0},
    {"spaces around are dropped", " \n x.html\t ",
	"https://docs.example.org/a/b/x.html", 0},
    {"line ends within too", "x\n/.\t./y\r.html",
	"https://docs.example.org/a/b/y.html", 0},
    {"spaces within are encoded", "a b?c d#e f",
	"https://docs.example.org/a/b/a%20b?c%20d#e%20f", 0},
    {"other scripts are encoded", "\xc3\xbc?\xc3\xbc#\xc3\xbc",
	"https://docs.example.org/a/b/%C3%BC?%C3%BC#%C3%BC", 0},
    {"bytes that are not UTF-8 stay what they are", "\xfc?\xfc#\xfc",
	"https://docs.example.org/a/b/%FC?%FC#%FC", 0},
    {"percent signs stay", "%7e%zz%", "https://docs.example.org/a/b/%7e%zz%",
	0},
    {"each part encodes its own", "\"<>`{}^'?\"<>`{}^'#\"<>`{}^'",
	"https://docs.example.org/a/b/%22%3C%3E%60%7B%7D%5E'"
	"?%22%3C%3E`{}^%27#%22%3C%3E%60{}^'",
	0},
    {"a colon in a path is its own", "./a:b",
	"https://docs.example.org/a/b/a:b", 0},
    {"a colon behind a slash too", "c/a:b",
	"https://docs.example.org/a/b/c/a:b", 0},
    {"mail is foreign", "mailto:a@example.org", NULL, PV_URL_FOREIGN_SCHEME},
    {"scripts are foreign", "javascript:void(0)", NULL, PV_URL_FOREIGN_SCHEME},
    {"also when they hide", " java\nscript:alert(1)", NULL,
	PV_URL_FOREIGN_SCHEME},
    {"data are foreign", "data:text/plain,x", NULL, PV_URL_FOREIGN_SCHEME},
    {"files are foreign", "file:///etc/passwd", NULL, PV_URL_FOREIGN_SCHEME},
    {"names with a port are foreign", "localhost:8080", NULL,
	PV_URL_FOREIGN_SCHEME},
    {"a scheme begins with a letter", "1a:b",
	"https://docs.example.org/a/b/1a:b", 0},
    {"no host is invalid", "http://", NULL, PV_URL_INVALID},
    {"nor is a query one", "http://?x", NULL, PV_URL_INVALID},
    {"a bad host is invalid", "http://a b/", NULL, PV_URL_INVALID},
    {"a port without a host is invalid", "http://:80/", NULL, PV_URL_INVALID},
    {"letters are no port", "http://a:b/", NULL, PV_URL_INVALID},
    {"a sign is no part of a port", "http://a:+80/", NULL, PV_URL_INVALID},
    {"65536 is no port", "http://a:65536/", NULL, PV_URL_INVALID},
    {"65535 is one", "http://a:65535/", "http://a:65535/", 0},
    {"0 is one", "http://a:0/", "http://a:0/", 0},
    {"zeros before it do not count", "http://a:0008080/", "http://a:8080/", 0},
    {"the scheme's own port goes", "http://a:80/", "http://a/", 0},
    {"an empty port goes", "http://a:/", "http://a/", 0},
    {"the other scheme's port stays", "http://a:443/", "http://a:443/", 0},
    {"IPv6 with a port", "http://[::1]:8080/x", "http://[::1]:8080/x", 0},
    {"text behind IPv6 is invalid", "http://[::1]x/", NULL, PV_URL_INVALID},
    {"credentials stay", "http://me:secret@a/", "http://me:secret@a/", 0},
    {"empty ones go", "http://:@a/", "http://a/", 0},
    {"a password alone stays", "http://:secret@a/", "http://:secret@a/", 0},
    {"the last at sign counts", "http://a@b@c/", "http://a%40b@c/", 0},
    {"an at sign in a path is its own", "http://a/@b", "http://a/@b", 0},
    {"credentials encode what they must", "http://a;b:c:d|e@f/",
	"http://a%3Bb:c%3Ad%7Ce@f/", 0},
};

static void test_joining(void)
{
	struct pv_url url, base;
	pv_url_init(&url, CEILING);
	pv_url_init(&base, CEILING);
	pv_url_parse(&base, PV_STR(BASE));
	for (size_t i = 0; i < sizeof(joins) / sizeof(*joins); i++) {
		struct pv_str reference = pv_str_of(joins[i].reference);
		ok(pv_url_join(&url, &base, reference, NULL) == joins[i].result,
		    "%s: outcome", joins[i].claim);
		is_text(pv_url_text(&url), joins[i].text ? joins[i].text : "",
		    "%s", joins[i].claim);
	}
	pv_url_finish(&base);
	pv_url_finish(&url);
}

static void test_parts(void)
{
	struct pv_url url;
	struct pv_buf buf;
	pv_url_init(&url, CEILING);
	pv_buf_init(&buf, CEILING);
	pv_url_parse(&url, PV_STR("HTTP://me:pw@H.org:8080/p/q?r=s#t"));
	is_text(pv_url_scheme(&url), "http", "the scheme");
	is_text(pv_url_username(&url), "me", "the user name");
	is_text(pv_url_password(&url), "pw", "the password");
	is_text(pv_url_host(&url), "h.org", "the host");
	is_text(pv_url_host_and_port(&url), "h.org:8080", "with its port");
	ok(pv_url_port(&url) == 8080 && pv_url_has_port(&url), "the port");
	ok(!pv_url_address(&url), "a name is no address");
	is_text(pv_url_path(&url), "/p/q", "the path");
	is_text(pv_url_query(&url), "r=s", "the query");
	is_text(pv_url_fragment(&url), "t", "the fragment");
	is_text(pv_url_target(&url), "/p/q?r=s", "the target");
	is_text(
	    pv_url_page(&url), "http://me:pw@h.org:8080/p/q?r=s", "the page");
	ok(pv_url_write_authority(&url, &buf), "the authority");
	is_text(pv_buf_str(&buf), "http://h.org:8080", "has no credentials");
	pv_buf_finish(&buf);
	pv_url_finish(&url);
}

static void test_absent_parts(void)
{
	struct pv_url url;
	pv_url_init(&url, CEILING);
	pv_url_parse(&url, PV_STR("https://127.1"));
	is_text(pv_url_username(&url), "", "no user name");
	is_text(pv_url_password(&url), "", "no password");
	ok(!pv_url_has_credentials(&url), "no credentials");
	ok(pv_url_port(&url) == 443, "the port that goes without saying");
	ok(!pv_url_has_port(&url), "is not written");
	is_text(pv_url_path(&url), "/", "there is always a path");
	ok(!pv_url_has_query(&url), "no query");
	ok(!pv_url_has_fragment(&url), "no fragment");
	is_text(pv_url_query(&url), "", "the query is empty");
	is_text(pv_url_fragment(&url), "", "the fragment is empty");
	const struct pv_address *address = pv_url_address(&url);
	ok(address && address->bits == 32, "a disguised address is one");
	pv_url_parse(&url, PV_STR("https://:pw@a/?#"));
	ok(pv_url_has_query(&url) && pv_url_has_fragment(&url),
	    "an empty query and fragment are there");
	is_text(pv_url_username(&url), "", "no user name beside a password");
	is_text(pv_url_password(&url), "pw", "a password alone");
	pv_url_finish(&url);
}

static void test_without_base(void)
{
	struct pv_url url, empty;
	pv_url_init(&url, CEILING);
	pv_url_init(&empty, CEILING);
	ok(pv_url_parse(&url, PV_STR("x.html")) == PV_URL_INVALID,
	    "a relative reference needs a base");
	ok(pv_url_parse(&url, PV_STR("//a/x")) == PV_URL_INVALID,
	    "so does one without a scheme");
	ok(pv_url_parse(&url, PV_STR("http:a/x")) == PV_URL_OK,
	    "slashes may be missing");
	ok(pv_url_join(&url, &empty, PV_STR("x"), NULL) == PV_URL_INVALID,
	    "an empty base is none");
	ok(pv_url_join(&url, &empty, PV_STR("http://a/"), NULL) == PV_URL_OK,
	    "and is not needed for an absolute address");
	pv_url_finish(&empty);
	pv_url_finish(&url);
}

static void test_base_credentials(void)
{
	struct pv_url url, base;
	pv_url_init(&url, CEILING);
	pv_url_init(&base, CEILING);
	pv_url_parse(&base, PV_STR("http://me:pw@a/x"));
	pv_url_join(&url, &base, PV_STR("y"), NULL);
	is_text(pv_url_text(&url), "http://me:pw@a/y",
	    "a relative reference keeps the credentials");
	pv_url_join(&url, &base, PV_STR("http://a/y"), NULL);
	is_text(
	    pv_url_text(&url), "http://a/y", "an absolute address has its own");
	pv_url_join(&url, &base, PV_STR("//b/y"), NULL);
	is_text(
	    pv_url_text(&url), "http://b/y", "another host never gets them");
	pv_url_finish(&base);
	pv_url_finish(&url);
}

static void test_ceiling(void)
{
	struct pv_url url, base;
	pv_url_init(&url, 20);
	pv_url_init(&base, CEILING);
	ok(pv_url_parse(&url, PV_STR("http://example.org/x")) == PV_URL_OK,
	    "an address may be as long as the ceiling");
	ok(pv_url_parse(&url, PV_STR("http://example.org/xy")) ==
		PV_URL_TOO_LONG,
	    "not longer");
	ok(url.text.len == 0, "then the url is empty");
	ok(pv_url_parse(&url, PV_STR("http://a/\xc3\xbc\xc3\xbc")) ==
		PV_URL_TOO_LONG,
	    "what counts is the canonical text");
	ok(pv_url_parse(&url, PV_STR("http://a.example.org.example")) ==
		PV_URL_TOO_LONG,
	    "a host can be too long");
	ok(pv_url_parse(&url, PV_STR("http://a/#abcdefghijklm")) ==
		PV_URL_TOO_LONG,
	    "a fragment too");
	ok(pv_url_parse(&url, PV_STR("http://a/\n/abcdefghijkl\nmnopq")) ==
		PV_URL_TOO_LONG,
	    "also with line ends in it");
	ok(pv_url_parse(&url, PV_STR("data:aaaaaaaaaaaa\naaaaaaaaaaaaa")) ==
		PV_URL_FOREIGN_SCHEME,
	    "what is foreign is foreign, however long");
	pv_url_parse(&base, PV_STR("http://example.org/abc/def/ghi"));
	ok(pv_url_join(&url, &base, PV_STR("/"), NULL) == PV_URL_OK,
	    "a base may be longer than the ceiling");
	ok(pv_url_join(&url, &base, PV_STR("../../../x"), NULL) ==
		PV_URL_TOO_LONG,
	    "if what is kept of it is not");
	pv_url_finish(&base);
	pv_url_finish(&url);
}

static void test_memory(void)
{
	struct pv_url url, base;
	pv_url_init(&url, CEILING);
	pv_url_init(&base, CEILING);
	pv_url_parse(&base, PV_STR(BASE));
	pv_url_join(&url, &base, PV_STR("a/rather/long/path.html"), NULL);
	const char *ptr = url.text.ptr;
	pv_url_join(&url, &base, PV_STR("short.html"), NULL);
	ok(url.text.ptr == ptr, "joining again reuses the memory");
	pv_url_finish(&url);
	is_text(pv_url_text(&url), "", "a finished url is empty");
	pv_url_finish(&base);
}

/* Queries in a page's own encoding. */
static const struct {
	const char *encoding;
	const char *query;
	const char *encoded;
} queries[] = {
    {"utf-8", "\xc3\xbc", "%C3%BC"},
    {"windows-1252", "a=\xc3\xbc&b", "a=%FC&b"},
    {"Latin1 ", "\xe2\x82\xac", "%80"},
    {"iso-8859-2", "\xc2\xa2", "%26%23162%3B"},
    {"windows-1251", "\xd0\xb4\xd0\xb0", "%E4%E0"},
    {"koi8-r", "\xd0\xb4\xd0\xb0", "%C4%C1"},
    {"shift_jis", "\xe6\x97\xa5\xe2\x88\x92", "%93%FA%81|"},
    {"euc-jp", "\xe6\x97\xa5", "%C6%FC"},
    {"iso-2022-jp", "\xe6\x97\xa5x", "%1B$BF|%1B(Bx"},
    {"iso-2022-jp", "\xe2\x80\xbe\\", "%1B(J~%1B(B\\"},
    {"iso-2022-jp",
	"\x0e"
	"A",
	"%26%2365533%3BA"},
    {"euc-kr", "\xe2\x80\xa0", "%A2%D3"},
    {"big5", "\xe2\x80\xa0", "%26%238224%3B"},
    {"gbk", "\xe4\xb8\xad\xe2\x82\xac", "%D6%D0%80"},
    {"gbk", "\xf0\xa0\x80\x80", "%26%23131072%3B"},
    {"gb18030", "\xe4\xb8\xad\xe2\x82\xac", "%D6%D0%A2%E3"},
    {"gb18030", "\xee\x97\xa5", "%26%2358853%3B"},
    {"big5", "\xe2\x84\x96\xe2\x82\xac\xe4\x8f\xb0",
	"%C8%D2%A3%E1%26%2317392%3B"},
    {"windows-1258", "\xc4\x86", "%26%23262%3B"},
    {"macintosh", "\xef\xa3\xbf", "%F0"},
    {"x-mac-cyrillic", "\xc2\xa4\xe2\x82\xac", "%26%23164%3B%FF"},
    {"ms932", "\xe2\x80\x94\xe3\x80\x9c\xee\x80\x80",
	"%26%238212%3B%26%2312316%3B%26%2357344%3B"},
    {"euc-jp", "\xe2\x80\x94\xc2\xac\xee\x80\x80",
	"%26%238212%3B%26%23172%3B%26%2357344%3B"},
    {"iso-2022-jp", "\xe2\x80\x96", "%26%238214%3B"},
    {"utf-16", "\xc3\xbc", "%C3%BC"},
    {"x-nobody", "\xc3\xbc", "%C3%BC"},
    {"", "\xc3\xbc", "%C3%BC"},
    {"windows-1252", "\xff", "%26%2365533%3B"},
    {"windows-1252", "\" '", "%22%20%27"},
    {"windows-1252", "\xf0\x9f\x98\x80", "%26%23128512%3B"},
};

static void test_query(
    const char *label, const char *query, const char *encoded)
{
	struct pv_url url, base;
	struct pv_encoder encoder;
	struct pv_buf reference;
	pv_buf_init(&reference, CEILING);
	pv_buf_append_format(&reference, "\xc3\xbc?%s#\xc3\xbc", query);
	pv_url_init(&url, CEILING);
	pv_url_init(&base, CEILING);
	pv_url_parse(&base, PV_STR("http://a/"));
	pv_encoder_init(&encoder, pv_str_of(label));
	pv_url_join(&url, &base, pv_buf_str(&reference), &encoder);
	is_text(pv_url_query(&url), encoded, "a query in \"%s\"", label);
	is_text(pv_url_path(&url), "/%C3%BC", "its path is UTF-8");
	is_text(pv_url_fragment(&url), "%C3%BC", "its fragment too");
	pv_encoder_finish(&encoder);
	pv_url_finish(&base);
	pv_url_finish(&url);
	pv_buf_finish(&reference);
}

/* A space before a reference counts for nothing, but keeps it from the short
 * way that plain paths go. */
#define REFERENCE_LEN 12
#define REFERENCES 200000

static void make_reference(struct random *random, char text[REFERENCE_LEN + 2])
{
	static const char *const pieces[] = {"a", "B", "/", "/", ".", "..",
	    "%2e", "%", ":", "?", "#", "\\", "-", "\xc3", "|", "=", "~"};
	size_t count = random_below(random, 8);
	text[0] = ' ';
	text[1] = '\0';
	while (count-- > 0) {
		const char *piece = pieces[random_below(
		    random, sizeof(pieces) / sizeof(*pieces))];
		if (strlen(text) + strlen(piece) <= REFERENCE_LEN)
			memcpy(text + strlen(text), piece, strlen(piece) + 1);
	}
}

static bool are_same(const struct pv_url *a, const struct pv_url *b)
{
	return pv_str_equal(pv_url_text(a), pv_url_text(b)) &&
	       a->parts.username_end == b->parts.username_end &&
	       a->parts.host == b->parts.host &&
	       a->parts.host_end == b->parts.host_end &&
	       a->parts.path == b->parts.path &&
	       a->parts.query == b->parts.query &&
	       a->parts.fragment == b->parts.fragment &&
	       a->parts.is_secure == b->parts.is_secure &&
	       a->parts.port == b->parts.port &&
	       pv_address_equal(&a->parts.address, &b->parts.address);
}

static void test_short_way(void)
{
	static const char *const bases[] = {"https://example.org/",
	    "http://u:p@127.0.0.1:8080/a/b/c?d/e#f/g", "http://[::1]/x/y",
	    "https://example.org/a//b"};
	struct random random = random_of(20);
	struct pv_url base, one, other;
	char text[REFERENCE_LEN + 2];
	unsigned different = 0;
	pv_url_init(&base, 1000);
	pv_url_init(&one, 44);
	pv_url_init(&other, 44);
	for (unsigned i = 0; i < REFERENCES; i++) {
		pv_url_parse(&base, pv_str_of(bases[i % 4]));
		make_reference(&random, text);
		bool is_same =
		    pv_url_join(&one, &base, pv_str_of(text), NULL) ==
			pv_url_join(&other, &base, pv_str_of(text + 1), NULL) &&
		    are_same(&one, &other);
		if (!is_same && !different++)
			printf("# %s and %s: %.*s, %.*s\n", bases[i % 4],
			    text + 1, PV_STR_ARG(pv_url_text(&one)),
			    PV_STR_ARG(pv_url_text(&other)));
	}
	ok(!different,
	    "the short way of plain paths leads where all others do");
	pv_url_finish(&base);
	pv_url_finish(&one);
	pv_url_finish(&other);
}

/* Without credentials an address is what it would have been without them. */
static void test_dropped_credentials(void)
{
	static const char *const pairs[][2] = {
	    {"https://u:p@a.test:81/x/y?q#f", "https://a.test:81/x/y?q#f"},
	    {"http://u@127.0.0.1/", "http://127.0.0.1/"},
	    {"http://:p@[::1]/x", "http://[::1]/x"},
	    {"http://a.test/x@y", "http://a.test/x@y"},
	};
	struct pv_url one, other;
	pv_url_init(&one, 1000);
	pv_url_init(&other, 1000);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		pv_url_parse(&one, pv_str_of(pairs[i][0]));
		pv_url_parse(&other, pv_str_of(pairs[i][1]));
		pv_url_drop_credentials(&one);
		ok(are_same(&one, &other), "%s without credentials is %s",
		    pairs[i][0], pairs[i][1]);
	}
	pv_url_finish(&one);
	pv_url_finish(&other);
}

int main(void)
{
	test_short_way();
	test_dropped_credentials();
	test_joining();
	test_parts();
	test_absent_parts();
	test_without_base();
	test_base_credentials();
	test_ceiling();
	test_memory();
	for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++)
		test_query(
		    queries[i].encoding, queries[i].query, queries[i].encoded);
	return tap_done();
}
