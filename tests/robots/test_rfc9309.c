#include "robots/matcher.h"

#include "tap.h"

/* What RFC 9309 says, sentence by sentence, and what is agreed on beside it.
 *
 * Each row is a file, who asks for what in it, and the line that decides: its
 * number, negative where it forbids; 0 where nothing forbids. So each row
 * guards P4 as well: a refusal names its line.
 */
struct row {
	const char *claim;
	const char *file;
	const char *agent;
	const char *target;
	int line;
};

#define GROUP(rules) "User-agent: *\n" rules

/* 2.2: the grammar. */
static const struct row grammar[] = {
    {"a group is for whom it names", "User-agent: foo\nDisallow: /", "foo",
	"/a", -2},
    {"and for nobody else", "User-agent: foo\nDisallow: /", "bar", "/a", 0},
    {"it may name several", "User-agent: foo\nUser-agent: bar\nDisallow: /",
	"foo", "/a", -3},
    {"all of whom it is for", "User-agent: foo\nUser-agent: bar\nDisallow: /",
	"bar", "/a", -3},
    {"empty lines do not part them",
	"User-agent: foo\n\n\nUser-agent: bar\nDisallow: /", "foo", "/a", -5},
    {"nor rules", "User-agent: foo\n\nAllow: /a\n\nDisallow: /", "foo", "/b",
	-5},
    {"a user-agent line after a rule begins another group",
	"User-agent: foo\nDisallow: /\nUser-agent: bar\nAllow: /", "bar", "/a",
	4},
    {"also after a rule without a pattern",
	"User-agent: foo\nDisallow:\nUser-agent: bar\nDisallow: /", "foo", "/a",
	0},
    {"blanks around names and values do not matter",
	" \tUser-agent \t: \tfoo \t\n \tDisallow\t :\t/a \t", "foo", "/a", -2},
    {"nor does no blank", "User-agent:foo\nDisallow:/a", "foo", "/a", -2},
    {"names may be small", "user-agent: foo\ndisallow: /", "foo", "/a", -2},
    {"or capital", "USER-AGENT: foo\nDISALLOW: /\nALLOW: /a", "foo", "/a", 3},
    {"a comment may end a line",
	"User-agent: foo # is foo\nDisallow: /a # not b", "foo", "/a", -2},
    {"without a blank before it too", "User-agent: foo#\nDisallow: /a#b", "foo",
	"/ab", -2},
    {"or be one", "# hello\nUser-agent: foo\n#Allow: /\nDisallow: /", "foo",
	"/a", -4},
    {"lines end in CR", "User-agent: foo\rDisallow: /a\rAllow: /b", "foo", "/a",
	-2},
    {"or CRLF", "User-agent: foo\r\nDisallow: /a\r\nAllow: /b", "foo", "/a",
	-2},
    {"or each in its own", "User-agent: foo\r\nDisallow: /a\rAllow: /\n", "foo",
	"/b", 3},
    {"the last needs no end", "User-agent: foo\nDisallow: /a", "foo", "/a", -2},
    {"a byte order mark is passed over",
	"\xef\xbb\xbfUser-agent: foo\nDisallow: /", "foo", "/a", -2},
    {"rules before the first user-agent line are ignored (2.2.2)",
	"Disallow: /\nUser-agent: foo\nAllow: /b", "foo", "/a", 0},
    {"also where somebody goes by \"*\"", "Disallow: /", "foo", "/a", 0},
    {"an empty pattern is no rule", "User-agent: foo\nDisallow:", "foo", "/a",
	0},
    {"nor is one of blanks", "User-agent: foo\nDisallow: \t # all", "foo", "/a",
	0},
    {"an empty Allow allows nothing", "User-agent: foo\nAllow:\nDisallow: /",
	"foo", "/a", -3},
    {"no file forbids nothing", "", "foo", "/a", 0},
};

/* 2.2.4: other records. */
static const struct row others[] = {
    {"a sitemap ends no group",
	"user-agent: a\nsitemap: https://x.test/\nuser-agent: b\ndisallow: /",
	"a", "/a", -4},
    {"nor begins one",
	"user-agent: a\nsitemap: https://x.test/\nuser-agent: b\ndisallow: /",
	"b", "/a", -4},
    {"rules of a group hold for all whom it names, where delays do not",
	"user-agent: a\ncrawl-delay: 5\nuser-agent: b\ndisallow: /", "b", "/a",
	-4},
    {"a delay ends none",
	"user-agent: a\ncrawl-delay: 5\nuser-agent: b\ndisallow: /", "a", "/a",
	-4},
    {"nor does what we do not know",
	"user-agent: a\nhost: x.test\nclean-param: s /\nuser-agent: b\n"
	"disallow: /",
	"a", "/a", -5},
    {"nor what is no record at all",
	"user-agent: a\n<b>hello</b>\nuser-agent: b\ndisallow: /", "a", "/a",
	-4},
    {"a sitemap parts no rules",
	"user-agent: a\ndisallow: /a\nsitemap: https://x.test/\nallow: /a/b",
	"a", "/a/b", 4},
    {"noindex forbids no visit", "user-agent: a\nnoindex: /", "a", "/a", 0},
    {"content-usage forbids none",
	"user-agent: a\ncontent-usage: /a train-ai=n", "a", "/a", 0},
};

/* 2.2.1: which group. */
static const struct row groups[] = {
    {"a name is compared without case", "User-agent: FooBot\nDisallow: /",
	"fOObOT", "/a", -2},
    {"as a whole: it is not a prefix", "User-agent: foo\nDisallow: /", "foobot",
	"/a", 0},
    {"nor does it have one", "User-agent: foobot\nDisallow: /", "foo", "/a", 0},
    {"nor is it a part", "User-agent: my-foo-bot\nDisallow: /", "foo", "/a", 0},
    {"hyphens and lines under it are letters",
	"User-agent: foo-bot_x\nDisallow: /", "foo-bot_x", "/a", -2},
    {"groups of one name are merged",
	"User-agent: a\nDisallow: /a\nUser-agent: b\nDisallow: /b\n"
	"User-agent: A\nDisallow: /c",
	"a", "/a", -2},
    {"whatever stands between them",
	"User-agent: a\nDisallow: /a\nUser-agent: b\nDisallow: /b\n"
	"User-agent: A\nDisallow: /c",
	"a", "/c", -6},
    {"and no others are",
	"User-agent: a\nDisallow: /a\nUser-agent: b\nDisallow: /b\n"
	"User-agent: A\nDisallow: /c",
	"a", "/b", 0},
    {"merged rules are weighed together",
	"User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /\n"
	"User-agent: a\nAllow: /x/y",
	"a", "/x/y", 6},
    {"whom no group names goes by *",
	"User-agent: foo\nAllow: /\nUser-agent: *\nDisallow: /", "bar", "/a",
	-4},
    {"all groups for * are merged",
	"User-agent: *\nDisallow: /a\nUser-agent: foo\nAllow: /\n"
	"User-agent: *\nDisallow: /b",
	"bar", "/b", -6},
    {"a group of one's own replaces *",
	"User-agent: *\nDisallow: /\nUser-agent: foo\nDisallow: /b", "foo",
	"/a", 0},
    {"wherever it stands",
	"User-agent: foo\nDisallow: /b\nUser-agent: *\nDisallow: /", "foo",
	"/a", 0},
    {"even without rules", "User-agent: *\nDisallow: /\nUser-agent: foo", "foo",
	"/a", 0},
    {"where neither is, all is allowed", "User-agent: foo\nDisallow: /", "bar",
	"/a", 0},
    {"a group may name one and all",
	"User-agent: foo\nUser-agent: *\nDisallow: /", "bar", "/a", -3},
    {"a version after a name is left out", "User-agent: foo/2.1\nDisallow: /",
	"foo", "/a", -2},
    {"on our side too", "User-agent: foo\nDisallow: /",
	"foo/1.2 (+https://x.test/)", "/a", -2},
    {"so is a second word", "User-agent: Foo Bar\nDisallow: /", "foo", "/a",
	-2},
    {"digits are a part of a name", "User-agent: foo2\nDisallow: /", "foo",
	"/a", 0},
    {"also of our own", "User-agent: foo2\nDisallow: /", "foo2", "/a", -2},
    {"* may be followed by words", "User-agent: * all\nDisallow: /", "foo",
	"/a", -2},
    {"but is no wildcard", "User-agent: *foo\nDisallow: /", "foo", "/a", 0},
    {"an empty name names nobody",
	"User-agent: foo\nDisallow: /a\nUser-agent:\nDisallow: /", "foo", "/b",
	0},
    {"not even who has none", "User-agent:\nDisallow: /", "", "/b", 0},
};

/* 2.2.2: which rule. */
static const struct row rules[] = {
    {"a pattern is the beginning of a path", GROUP("Disallow: /a"), "x",
	"/abc/d", -2},
    {"from its first octet", GROUP("Disallow: /a"), "x", "/b/a", 0},
    {"a shorter path is not matched", GROUP("Disallow: /abc"), "x", "/ab", 0},
    {"case matters", GROUP("Disallow: /a"), "x", "/A", 0},
    {"the query is compared too", GROUP("Disallow: /a?b"), "x", "/a?bc=d", -2},
    {"a path alone matches with any query", GROUP("Disallow: /a"), "x", "/a?b",
	-2},
    {"the longest pattern decides", GROUP("Disallow: /a\nAllow: /a/b"), "x",
	"/a/b", 3},
    {"whatever its place", GROUP("Allow: /a/b\nDisallow: /a"), "x", "/a/b", 2},
    {"and whatever it says", GROUP("Allow: /a\nDisallow: /a/b"), "x", "/a/b/c",
	-3},
    {"a longer one that does not match is nothing",
	GROUP("Disallow: /a\nAllow: /a/b"), "x", "/a/c", -2},
    {"of equal length allow wins", GROUP("Disallow: /a\nAllow: /a"), "x", "/a",
	3},
    {"whatever its place, too", GROUP("Allow: /a\nDisallow: /a"), "x", "/a", 2},
    {"also where they differ", GROUP("Disallow: /*b\nAllow: /ab"), "x", "/ab",
	3},
    {"where nothing matches, all is allowed", GROUP("Disallow: /a"), "x", "/",
	0},
    {"a slash forbids everything", GROUP("Disallow: /"), "x", "/", -2},
    {"wildcards count for a pattern's length",
	GROUP("Disallow: /abc\nAllow: /*c*"), "x", "/abc", 3},
    {"so does the end", GROUP("Allow: /abc\nDisallow: /abc$"), "x", "/abc", -3},
    {"a byte that is encoded counts three times",
	GROUP("Disallow: /a%2Fb\nAllow: /a*bc"), "x", "/a%2Fbc", -2},
    {"of three the longest decides",
	GROUP("Disallow: /\nAllow: /a\nDisallow: /a/b"), "x", "/a/b", -4},
    {"and the next where it does not match",
	GROUP("Disallow: /\nAllow: /a\nDisallow: /a/b"), "x", "/a/c", 3},
    {"/robots.txt itself is always allowed", GROUP("Disallow: /"), "x",
	"/robots.txt", 0},
    {"however it is encoded", GROUP("Disallow: /robots.txt"), "x",
	"/robots%2Etxt", 0},
    {"but nothing like it", GROUP("Disallow: /robots.txt"), "x",
	"/robots.txt.bak", -2},
    {"nor one elsewhere", GROUP("Disallow: /"), "x", "/a/robots.txt", -2},
    {"nor with capitals", GROUP("Disallow: /"), "x", "/Robots.txt", -2},
    {"a fragment is no part", GROUP("Disallow: /a$"), "x", "/a#b", -2},
    {"no path is the root", GROUP("Disallow: /$"), "x", "", -2},
    {"also before a query", GROUP("Disallow: /?q"), "x", "?q", -2},
    {"/index.html allows no directory", /* though some read it so */
	GROUP("Disallow: /d/\nAllow: /d/index.html"), "x", "/d/", -2},
};

/* 2.2.3: special characters. */
static const struct row special[] = {
    {"* is anything", GROUP("Disallow: /a*z"), "x", "/abcz", -2},
    {"also nothing", GROUP("Disallow: /a*z"), "x", "/az", -2},
    {"also a slash or a question mark", GROUP("Disallow: /a*z"), "x",
	"/a/b?c/z", -2},
    {"but what follows must be there", GROUP("Disallow: /a*z"), "x", "/abc", 0},
    {"a pattern with it is a beginning too", GROUP("Disallow: /a*c"), "x",
	"/abcd", -2},
    {"$ is the end", GROUP("Disallow: /*.gif$"), "x", "/a/b.gif", -2},
    {"so nothing may follow", GROUP("Disallow: /*.gif$"), "x", "/a.gif?b", 0},
    {"also without *", GROUP("Disallow: /a$"), "x", "/ab", 0},
    {"what stands at the end may stand before it as well",
	GROUP("Disallow: /*ab$"), "x", "/abab", -2},
    {"and what is used once is used up", GROUP("Disallow: /*ab*b$"), "x",
	"/xab", 0},
    {"$ elsewhere is itself", GROUP("Disallow: /a$b"), "x", "/a$bc", -2},
    {"and no end", GROUP("Disallow: /a$b"), "x", "/a", 0},
    {"of two only the last is the end", GROUP("Disallow: /a$$"), "x", "/a$",
	-2},
    {"* before $ makes it needless", GROUP("Disallow: /a*$"), "x", "/abc", -2},
    {"%2A is an asterisk", GROUP("Disallow: /a%2Ac"), "x", "/a*c", -2},
    {"and no wildcard", GROUP("Disallow: /a%2Ac"), "x", "/abc", 0},
    {"however the path writes it", GROUP("Disallow: /a%2ac"), "x", "/a%2Ac",
	-2},
    {"%24 is a dollar", GROUP("Disallow: /x%24"), "x", "/x$", -2},
    {"also encoded", GROUP("Disallow: /x%24"), "x", "/x%24", -2},
    {"and no end", GROUP("Disallow: /x%24"), "x", "/x", 0},
    {"%23 is a number sign", GROUP("Disallow: /x%23y"), "x", "/x%23y", -2},
    {"which ends a pattern where it is not encoded", GROUP("Disallow: /x#y"),
	"x", "/xz", -2},
    {"patterns may begin with * (5.1)", GROUP("Disallow: *.gif$"), "x",
	"/a/b.gif", -2},
    {"and be nothing else", GROUP("Disallow: *"), "x", "/", -2},
    {"of several in a row one would do", GROUP("Disallow: /a***z"), "x", "/abz",
	-2},
    {"one at the end says nothing", GROUP("Disallow: /a*"), "x", "/a", -2},
};

/* 2.2.2: percent-encoding. */
static const struct row encoding[] = {
    {"bytes beyond ASCII are encoded in patterns",
	GROUP("Disallow: /\xe3\x83\x84"), "x", "/%E3%83%84", -2},
    {"and in paths", GROUP("Disallow: /%E3%83%84"), "x", "/\xe3\x83\x84", -2},
    {"or in neither", GROUP("Disallow: /\xe3\x83\x84"), "x", "/\xe3\x83\x84/b",
	-2},
    {"whatever the case of their digits", GROUP("Disallow: /%e3%83%84"), "x",
	"/%E3%83%84", -2},
    {"bytes that are no UTF-8 too", GROUP("Disallow: /\xff"), "x", "/%ff", -2},
    {"unreserved characters are decoded in patterns",
	GROUP("Disallow: /%62%61z"), "x", "/baz", -2},
    {"and in paths", GROUP("Disallow: /baz"), "x", "/b%61%7A", -2},
    {"the tilde is one", GROUP("Disallow: /~joe"), "x", "/%7Ejoe/", -2},
    {"so are hyphen, point and line", GROUP("Disallow: /%2D%2E%5F"), "x",
	"/-._", -2},
    {"reserved characters stay encoded", GROUP("Disallow: /a%2Fb"), "x",
	"/a%2fb", -2},
    {"and are not themselves", GROUP("Disallow: /a%2Fb"), "x", "/a/b", 0},
    {"the other way round neither", GROUP("Disallow: /a/b"), "x", "/a%2Fb", 0},
    {"an encoded question mark begins no query", GROUP("Disallow: /a?b"), "x",
	"/a%3Fb", 0},
    {"after a question mark it is the same",
	GROUP("Disallow: /a?b=https://foo.bar"), "x", "/a?b=https://foo.bar",
	-2},
    {"encoded too", GROUP("Disallow: /a?b=https%3A%2F%2Ffoo.bar"), "x",
	"/a?b=https%3a%2f%2ffoo.bar", -2},
    {"and not mixed", GROUP("Disallow: /a?b=https://foo.bar"), "x",
	"/a?b=https%3A%2F%2Ffoo.bar", 0},
    {"blanks are encoded", GROUP("Disallow: /a b"), "x", "/a%20b", -2},
    {"quotes too", GROUP("Disallow: /\"a\""), "x", "/%22a%22", -2},
    {"a percent sign alone is one", GROUP("Disallow: /100%"), "x", "/100%", -2},
    {"and makes nothing of what follows", GROUP("Disallow: /A"), "x", "/%4%31",
	0},
    {"nothing is decoded twice", GROUP("Disallow: /a"), "x", "/%2561", 0},
};

/* Beside the RFC: what people write, and how it is taken. */
static const struct row conventions[] = {
    {"a blank may stand for the colon", "User-agent foo\nDisallow /a", "foo",
	"/a", -2},
    {"also where there is a colon in the value", GROUP("Disallow /a:b"), "x",
	"/a:b", -2},
    {"but three words are none", GROUP("Disallow /a /b"), "x", "/a", 0},
    {"Dissallow is meant", GROUP("Dissallow: /a"), "x", "/a", -2},
    {"Disalow too", GROUP("Disalow: /a"), "x", "/a", -2},
    {"Useragent too", "Useragent: foo\nDisallow: /a", "foo", "/a", -2},
    {"User agent too", "User agent: foo\nDisallow: /a", "foo", "/a", -2},
    {"a Disallow without a slash gets one", GROUP("Disallow: a/"), "x", "/a/b",
	-2},
    {"an Allow without one allows nothing", GROUP("Disallow: /\nAllow: a/"),
	"x", "/a/b", -2},
    {"rules in what begins like a page are rules (2.3.1.5)",
	"\r\n <!DOCTYPE html>\nUser-agent: *\nDisallow: /", "x", "/a", -4},
    {"whatever it begins with", "<HTML>\nUser-agent: *\nDisallow: /", "x", "/a",
	-3},
    {"what stands within a line of it are none",
	"<html><p>User-agent: *\n<p>Disallow: /", "x", "/a", 0},
    {"a line of markup does not hide what follows",
	"<b>hello</b>\nUser-agent: *\nDisallow: /", "x", "/a", -3},
};

/* DESIGN: the group of our product token, and that of pavane as well. */
static const struct row both[] = {
    {"pavane goes by its own group", "User-agent: pavane\nDisallow: /",
	"pavane/1.0", "/a", -2},
    {"under another name it must be allowed as well",
	"User-agent: foo\nAllow: /\nUser-agent: pavane\nDisallow: /a", "foo",
	"/a", -4},
    {"and so must that name",
	"User-agent: foo\nDisallow: /a\nUser-agent: pavane\nAllow: /", "foo",
	"/a", -2},
    {"where both forbid, that name's line is told",
	"User-agent: foo\nDisallow: /\nUser-agent: pavane\nDisallow: /a", "foo",
	"/a", -2},
    {"where both allow, its own line is told",
	"User-agent: foo\nAllow: /\nUser-agent: pavane\nAllow: /a", "foo", "/a",
	2},
    {"where it goes by *, both hold",
	"User-agent: *\nDisallow: /a\nUser-agent: pavane\nDisallow: /b", "foo",
	"/a", -2},
    {"each of them",
	"User-agent: *\nDisallow: /a\nUser-agent: pavane\nDisallow: /b", "foo",
	"/b", -4},
    {"but * is not for pavane where only the name is there",
	"User-agent: *\nDisallow: /\nUser-agent: foo\nAllow: /", "foo", "/a",
	4},
};

static void run(const struct row *row, const char *section)
{
	const struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots *robots =
	    pv_robots_create(pv_str_of(row->file), false, &ceilings, NULL);
	struct pv_robots_matcher *matcher =
	    pv_robots_matcher_create(robots, pv_str_of(row->agent));
	pv_robots_destroy(robots);
	struct pv_robots_decision decision =
	    pv_robots_decide(matcher, pv_str_of(row->target));
	int line = (int)decision.number;
	if (!decision.is_allowed)
		line = line ? -line : -1000;
	if (!ok(line == row->line, "%s: %s", section, row->claim))
		printf("# found %d, wanted %d\n", line, row->line);
	pv_robots_matcher_destroy(matcher);
}

#define RUN(rows, section)                                          \
	for (size_t i = 0; i < sizeof(rows) / sizeof(*(rows)); i++) \
	run(&(rows)[i], (section))

int main(void)
{
	RUN(grammar, "2.2");
	RUN(others, "2.2.4");
	RUN(groups, "2.2.1");
	RUN(rules, "2.2.2");
	RUN(special, "2.2.3");
	RUN(encoding, "2.2.2, encoding");
	RUN(conventions, "convention");
	RUN(both, "two names");
	return tap_done();
}
