#include "policy/seed_walk.h"

#include <errno.h>

#include "policy/loaded.h"
#include "policy/scratch.h"
#include "tap.h"
#include "url/url.h"

/* Appends each address in <>, each fault as !, with the line that it stood on
 * where it stood in a file. */
static bool walk_all(const struct pv_seed *seed, struct pv_buf *all)
{
	struct pv_seed_walk walk;
	enum pv_seed_step step;
	pv_buf_clear(all);
	if (!pv_seed_walk_open(&walk, seed)) {
		pv_seed_walk_close(&walk);
		return false;
	}
	while ((step = pv_seed_walk_next(&walk)) != PV_SEED_END) {
		if (walk.line)
			pv_buf_append_format(all, "%u", walk.line);
		if (step == PV_SEED_FAULT)
			pv_buf_append_char(all, '!');
		else
			pv_buf_append_format(
			    all, "<%s>", pv_buf_text(&walk.text));
	}
	pv_seed_walk_close(&walk);
	return true;
}

static const struct {
	const char *claim;
	const char *text;
	const char *wanted;
} files[] = {
    {"an empty file has no address", "", ""},
    {"a line is an address", "http://a/\nhttp://b/\n",
	"1<http://a/>2<http://b/>"},
    {"the last line needs no end", "http://a/\nhttp://b/",
	"1<http://a/>2<http://b/>"},
    {"blank lines and comments are passed over",
	"\n# one\n   \n\t# two\n http://a/ \t\n", "5<http://a/>"},
    {"a sharp within an address is the address's own", "http://a/#b\n",
	"1<http://a/#b>"},
    {"lines may end with CRLF", "http://a/\r\n\r\n# c\r\nhttp://b/\r\n",
	"1<http://a/>4<http://b/>"},
    {"a byte order mark is passed over", "\xef\xbb\xbfhttp://a/\n",
	"1<http://a/>"},
    {"but only in front of all", "http://a/\n\xef\xbb\xbfhttp://b/\n",
	"1<http://a/>2<\xef\xbb\xbfhttp://b/>"},
    {"a mark alone is a blank line", "\xef\xbb\xbf\nhttp://b/\n",
	"2<http://b/>"},
    {"a mark before a comment is passed over", "\xef\xbb\xbf# x\nhttp://b/\n",
	"2<http://b/>"},
    {"braces mean themselves", "http://a/{1..3}\n", "1<http://a/{1..3}>"},
    {"what is no address is given as it stands", "no address\n",
	"1<no address>"},
};

static void test_files(struct scratch *scratch)
{
	struct pv_buf all;
	pv_buf_init(&all, 4096);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct pv_seed seed = {.kind = PV_SEED_FILE};
		seed.text = scratch_write(
		    scratch, "seeds.txt", pv_str_of(files[i].text));
		bool is_open = walk_all(&seed, &all);
		ok(is_open, "a file is opened");
		is_text(
		    pv_buf_str(&all), files[i].wanted, "%s", files[i].claim);
	}
	pv_buf_finish(&all);
}

/* P5 */
static void test_long_lines(struct scratch *scratch)
{
	struct pv_buf text;
	struct pv_seed seed = {.kind = PV_SEED_FILE};
	struct pv_seed_walk walk;
	pv_buf_init(&text, 1 << 20);
	for (size_t i = 0; i < PV_SEED_LINE_MAX; i++)
		pv_buf_append_char(&text, 'a');
	pv_buf_append_char(&text, '\n');
	for (size_t i = 0; i < 3 * PV_SEED_LINE_MAX; i++)
		pv_buf_append_char(&text, 'b');
	pv_buf_append_text(&text, "\nc\n");
	seed.text = scratch_write(scratch, "seeds.txt", pv_buf_str(&text));
	ok(pv_seed_walk_open(&walk, &seed), "a file of long lines is opened");
	ok(pv_seed_walk_next(&walk) == PV_SEED_ADDRESS &&
		walk.text.len == PV_SEED_LINE_MAX,
	    "a line of 65536 bytes is an address");
	ok(pv_seed_walk_next(&walk) == PV_SEED_FAULT && walk.line == 2 &&
		strstr(walk.fault, "longer than 65536"),
	    "a longer one is a fault of that line");
	ok(pv_seed_walk_next(&walk) == PV_SEED_ADDRESS && walk.line == 3 &&
		walk.text.len == 1,
	    "and is passed over, whole");
	ok(pv_seed_walk_next(&walk) == PV_SEED_END &&
		pv_seed_walk_next(&walk) == PV_SEED_END,
	    "an end is one, however often it is asked for");
	pv_seed_walk_close(&walk);
	pv_buf_finish(&text);
}

static void test_missing(struct scratch *scratch)
{
	struct pv_seed seed = {.kind = PV_SEED_FILE};
	struct pv_seed_walk walk;
	seed.text = scratch_path(scratch, "missing.txt");
	errno = 0;
	ok(!pv_seed_walk_open(&walk, &seed) && errno == ENOENT,
	    "a missing file is not opened, and errno says why");
	pv_seed_walk_close(&walk);
	seed.text = scratch->dir;
	bool is_open = pv_seed_walk_open(&walk, &seed);
	ok(!is_open || pv_seed_walk_next(&walk) == PV_SEED_FAULT,
	    "a directory is a fault");
	ok(!is_open || pv_seed_walk_next(&walk) == PV_SEED_END,
	    "P5: what cannot be read at all has an end");
	pv_seed_walk_close(&walk);
}

static void test_templates(void)
{
	struct pv_arena arena;
	struct pv_buf all;
	struct pv_seed seed = {.kind = PV_SEED_PAGE};
	pv_arena_init(&arena);
	pv_buf_init(&all, 4096);
	ok(!pv_seed_read_address(PV_STR("http://a/{1..2}{x,y}"), &arena, &seed),
	    "an address with braces is read");
	walk_all(&seed, &all);
	is_text(pv_buf_str(&all),
	    "<http://a/1x><http://a/1y><http://a/2x><http://a/2y>",
	    "each of its addresses comes once");
	ok(!pv_seed_read_address(PV_STR("http://a/"), &arena, &seed),
	    "an address without braces is read");
	walk_all(&seed, &all);
	is_text(pv_buf_str(&all), "<http://a/>", "and stands for itself");
	pv_buf_finish(&all);
	pv_arena_finish(&arena);
}

/* A billion addresses are walked one by one: none is kept. */
static void test_huge(void)
{
	struct pv_arena arena;
	struct pv_seed_walk walk;
	struct pv_seed seed = {.kind = PV_SEED_PAGE};
	pv_arena_init(&arena);
	ok(!pv_seed_read_address(
	       PV_STR("http://a/{1..1000000000}"), &arena, &seed),
	    "a billion addresses are a seed");
	ok(pv_seed_walk_open(&walk, &seed), "and can be walked");
	for (int i = 0; i < 1000; i++)
		pv_seed_walk_next(&walk);
	is_text(pv_buf_str(&walk.text), "http://a/1000",
	    "the thousandth is reached in a thousand steps");
	walk.number = seed.address.count - 1;
	ok(pv_seed_walk_next(&walk) == PV_SEED_ADDRESS, "the last is one");
	is_text(pv_buf_str(&walk.text), "http://a/1000000000",
	    "and the one that it should be");
	ok(pv_seed_walk_next(&walk) == PV_SEED_END, "then comes the end");
	pv_seed_walk_close(&walk);
	pv_arena_finish(&arena);
}

static void test_long_address(void)
{
	struct pv_arena arena;
	struct pv_buf text;
	struct pv_seed_walk walk;
	struct pv_seed seed = {.kind = PV_SEED_PAGE};
	pv_arena_init(&arena);
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_text(&text, "http://a/{b,");
	for (size_t i = 0; i < PV_SEED_ADDRESS_MAX; i++)
		pv_buf_append_char(&text, 'c');
	pv_buf_append_text(&text, ",d}");
	ok(!pv_seed_read_address(pv_buf_str(&text), &arena, &seed) &&
		pv_seed_walk_open(&walk, &seed),
	    "a list may hold a word that is too long");
	ok(pv_seed_walk_next(&walk) == PV_SEED_ADDRESS &&
		pv_seed_walk_next(&walk) == PV_SEED_FAULT &&
		pv_seed_walk_next(&walk) == PV_SEED_ADDRESS,
	    "which is a fault of that address alone");
	pv_seed_walk_close(&walk);
	pv_buf_finish(&text);
	pv_arena_finish(&arena);
}

static void test_addresses(void)
{
	static const struct {
		const char *text;
		const char *part; /* of what is wrong; NULL if it is right */
	} cases[] = {
	    {"https://docs.example.org/", NULL},
	    {"HTTP://A", NULL},
	    {"  http://a/  ", NULL},
	    {"http://\xc3\xa9.example/", NULL},
	    {"docs.example.org", "scheme included"},
	    {"//docs.example.org/", "scheme included"},
	    {"/path", "scheme included"},
	    {"", "scheme included"},
	    {"ftp://a/", "not an http or https"},
	    {"localhost:8080", "did you mean http://localhost:8080/?"},
	    {"localhost:8080/a", "did you mean http://localhost:8080/a?"},
	    {"tel:1b", "not an http or https"},
	    {"mailto:a@b", "not an http or https"},
	    {"file:///etc/passwd", "not an http or https"},
	    {"http://", "no host"},
	    {"http:///", "no host"},
	    {"http://a b/", "no host"},
	    {"http://a:99999/", "no host"},
	    {"http://caf\xe9.example/", "not UTF-8"},
	    {"http://a/{", "never closed"},
	};
	struct pv_arena arena;
	pv_arena_init(&arena);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_seed seed = {.kind = PV_SEED_PAGE};
		const char *fault = pv_seed_read_address(
		    pv_str_of(cases[i].text), &arena, &seed);
		bool is_right = cases[i].part
				    ? fault && strstr(fault, cases[i].part)
				    : !fault;
		ok(is_right, "address %zu is %s (%s)", i,
		    cases[i].part ? "refused" : "taken",
		    fault ? fault : "taken");
	}
	pv_arena_finish(&arena);
}

#define POLICY                                 \
	"seeds: [\"http://a.localhost/b\", "   \
	"\"https://me:x@a.localhost:8443/\", " \
	"\"http://c{1..3}.localhost/\", "      \
	"\"https://www.d.localhost/\"]\n"      \
	"scope: {aliases: {\"www.*\": \"*\"}}\n"

static const struct {
	const char *url;
	bool has_host;
	bool has_authority;
	bool has_port; /* where no authority has ended the search */
} cases[] = {
    {"http://a.localhost/", true, true, true},
    {"http://A.localhost:80/x?y", true, true, true},
    {"https://a.localhost:8443/z", true, true, true},
    {"https://a.localhost/", true, false, true},
    {"http://a.localhost:8080/", true, false, false},
    {"http://b.localhost/", false, false, true},
    {"http://localhost/", false, false, true},
    {"http://c3.localhost/x", true, true, true},
    {"http://c4.localhost/x", false, false, true},
    {"https://d.localhost/x", true, true, true},
    {"https://www.d.localhost/x", false, false, true},
    {"https://b.localhost:8443/", false, false, true},
    {"http://b.localhost:8443/", false, false, false},
    {"https://b.localhost:80/", false, false, false},
};

static void test_named_seeds(void)
{
	struct loaded loaded = load_text(POLICY);
	struct pv_url url;
	pv_url_init(&url, 1000);
	ok(is_right(&loaded), "a policy names seeds");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_url_parse(&url, pv_str_of(cases[i].url));
		struct pv_named_seeds found =
		    pv_named_seeds_find(loaded.policy, &url);
		ok(found.has_host == cases[i].has_host &&
			found.has_authority == cases[i].has_authority &&
			found.has_port == cases[i].has_port,
		    "P7: %s: host %s, authority %s", cases[i].url,
		    cases[i].has_host ? "named" : "not named",
		    cases[i].has_authority ? "named" : "not named");
	}
	pv_url_finish(&url);
	loaded_finish(&loaded);
}

int main(void)
{
	struct scratch scratch;
	if (!scratch_open(&scratch)) {
		perror("mkdtemp");
		return 1;
	}
	test_files(&scratch);
	test_long_lines(&scratch);
	test_missing(&scratch);
	test_templates();
	test_huge();
	test_long_address();
	test_addresses();
	scratch_close(&scratch);
	test_named_seeds();
	return tap_done();
}
