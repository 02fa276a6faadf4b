#include "mirror/files/file_name.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "crawl/patience.h"
#include "random.h"
#include "mirror/files/extension.h"
#include "tap.h"

#define ADDRESS_MAX 100000
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct pv_buf name_with(
    const char *address, const char *type, bool is_portable)
{
	struct pv_url url;
	struct pv_buf name;
	pv_url_init(&url, ADDRESS_MAX);
	pv_buf_init(&name, PV_FILE_NAME_MAX);
	if (pv_url_parse(&url, pv_str_of(address)) == PV_URL_OK)
		pv_file_name_write(&url,
		    &(struct pv_file_naming){pv_str_of(type), is_portable},
		    &name);
	pv_url_finish(&url);
	return name;
}

static struct pv_buf name_of(const char *address, const char *type)
{
	return name_with(address, type, false);
}

static const struct name {
	const char *address;
	const char *type;
	const char *name;
} names[] = {
    /* the usual case */
    {"https://a.example/", "text/html", "site/a.example/index.html"},
    {"https://a.example/b/", "text/html", "site/a.example/b/index.html"},
    {"https://a.example/b/c.html", "text/html", "site/a.example/b/c.html"},
    {"https://a.example/b/c.HTM", "text/html", "site/a.example/b/c.HTM"},
    {"https://a.example/logo.png", "image/png", "site/a.example/logo.png"},
    {"https://a.example/b/c", "text/html", "site/a.example/b/c^.html"},
    {"https://a.example/b/c", "TEXT/HTML; charset=utf-8",
	"site/a.example/b/c^.html"},
    {"https://a.example/v1.2/d", "text/html", "site/a.example/v1.2/d^.html"},
    {"https://a.example/b.tar.gz", "application/gzip",
	"site/a.example/b.tar.gz"},

    /* extensions */
    {"https://a.example/b.php", "text/html", "site/a.example/b.php^.html"},
    {"https://a.example/b.php", "image/png", "site/a.example/b.php^.png"},
    {"https://a.example/b.jpg", "image/webp", "site/a.example/b.jpg"},
    {"https://a.example/b.css", "text/plain", "site/a.example/b.css"},
    {"https://a.example/b.html", "text/plain", "site/a.example/b.html"},
    {"https://a.example/b.html", "application/octet-stream",
	"site/a.example/b.html"},

    /* pages that are called something else, and the other way round */
    {"https://a.example/wiki/File:B.jpg", "text/html; charset=utf-8",
	"site/a.example/wiki/File:B.jpg^.html"},
    {"https://a.example/Node.js", "text/html", "site/a.example/Node.js^.html"},
    {"https://a.example/b.svg", "application/xhtml+xml",
	"site/a.example/b.svg^.xhtml"},
    {"https://a.example/b.xhtml", "application/xhtml+xml",
	"site/a.example/b.xhtml"},
    {"https://a.example/b.xhtml", "text/html", "site/a.example/b.xhtml^.html"},
    {"https://a.example/b.jpg?c=1", "text/html",
	"site/a.example/b.jpg^c=1.html"},
    {"https://a.example/index.md", "text/html",
	"site/a.example/index.md^.html"},
    {"https://a.example/b.html", "image/png", "site/a.example/b.html^.png"},
    {"https://a.example/b.html?c=1", "image/png",
	"site/a.example/b.html^c=1.png"},
    {"https://a.example/index.html", "text/css",
	"site/a.example/index.html^.css"},
    {"https://a.example/.html", "image/png", "site/a.example/^^.html^.png"},
    {"https://a.example/feed/", "application/rss+xml",
	"site/a.example/feed/index.rss"},
    {"https://a.example/b", "", "site/a.example/b^.html"},
    {"https://a.example/b", "nonsense", "site/a.example/b^.html"},
    {"https://a.example/b", "application/x-unheard-of",
	"site/a.example/b^.bin"},
    {"https://a.example/b", "application/problem+json",
	"site/a.example/b^.json"},
    {"https://a.example/b", "application/dash+xml", "site/a.example/b^.mpd"},
    {"https://a.example/b", "text/x-unheard-of", "site/a.example/b^.txt"},

    /* what would clash */
    {"https://a.example/b", "text/html", "site/a.example/b^.html"},
    {"https://a.example/b.html", "text/html", "site/a.example/b.html"},
    {"https://a.example/b/index.html", "text/html",
	"site/a.example/b/index^^.html"},
    {"https://a.example/b/index", "text/html", "site/a.example/b/index^.html"},
    {"https://a.example/b/Index.html", "text/html",
	"site/a.example/b/Index.html"},
    {"https://a.example/b.html/c.html", "text/html",
	"site/a.example/b.html^/c.html"},
    {"https://a.example/b.html/", "text/html",
	"site/a.example/b.html^/index.html"},
    {"https://a.example//b//", "text/html", "site/a.example/^/b/^/index.html"},

    /* queries */
    {"https://a.example/b?c=1&d=2", "text/html",
	"site/a.example/b^c=1&d=2.html"},
    {"https://a.example/b.php?c=1", "text/html",
	"site/a.example/b.php^c=1.html"},
    {"https://a.example/b.css?v=3", "text/css", "site/a.example/b.css^v=3.css"},
    {"https://a.example/?p=1", "text/html", "site/a.example/^p=1.html"},
    {"https://a.example/b?", "text/html", "site/a.example/b^^q.html"},
    {"https://a.example/b?.html", "text/html", "site/a.example/b^.html.html"},
    {"https://a.example/b?u=http://c/d", "text/html",
	"site/a.example/b^u=http:^2F^2Fc^2Fd.html"},
    {"https://a.example/b?c\\^d", "text/html",
	"site/a.example/b^c^5C^5Ed.html"},
    {"https://a.example/b?../../c", "text/html",
	"site/a.example/b^..^2F..^2Fc.html"},

    /* percent signs */
    {"https://a.example/gr\xc3\xbc\xc3\x9f"
     "e.html",
	"",
	"site/a.example/gr\xc3\xbc\xc3\x9f"
	"e.html"},
    {"https://a.example/gr%C3%BC.html", "", "site/a.example/gr\xc3\xbc.html"},
    {"https://a.example/gr%c3%bc.html", "", "site/a.example/gr%c3%bc.html"},
    {"https://a.example/%F0%9F%90%88.html", "",
	"site/a.example/\xf0\x9f\x90\x88.html"},
    {"https://a.example/a%20b.pdf", "", "site/a.example/a b.pdf"},
    {"https://a.example/%20b.pdf", "", "site/a.example/%20b.pdf"},
    {"https://a.example/b%20/c.pdf", "", "site/a.example/b%20/c.pdf"},
    {"https://a.example/b%2Fc.pdf", "", "site/a.example/b%2Fc.pdf"},
    {"https://a.example/b%00%0A%7F%1B.pdf", "",
	"site/a.example/b%00%0A%7F%1B.pdf"},
    {"https://a.example/%E2%80%AEfdp.exe", "",
	"site/a.example/%E2%80%AEfdp.exe"},
    {"https://a.example/%C2%85%EF%BB%BF.html", "",
	"site/a.example/%C2%85%EF%BB%BF.html"},
    {"https://a.example/%FF%C3.html", "", "site/a.example/%FF%C3.html"},
    {"https://a.example/b%", "", "site/a.example/b%^.html"},
    {"https://a.example/b?%E4%BD%A0%20%E5%A5%BD", "",
	"site/a.example/b^\xe4\xbd\xa0 \xe5\xa5\xbd.html"},

    /* dots */
    {"https://a.example/.well-known/b.txt", "",
	"site/a.example/^^.well-known/b.txt"},
    {"https://a.example/.htaccess", "text/plain",
	"site/a.example/^^.htaccess^.txt"},
    {"https://a.example/.html", "text/html", "site/a.example/^^.html"},
    {"https://a.example/...", "text/html", "site/a.example/^^...^.html"},
    {"https://a.example/%2e%2e/%2e/../b.txt", "", "site/a.example/b.txt"},
    {"https://a.example/b%2Fc/..%2F..%2Fd.txt", "",
	"site/a.example/b%2Fc/^^..%2F..%2Fd.txt"},

    /* authorities */
    {"http://a.example/", "", "site/a.example^80/index.html"},
    {"http://a.example:8080/", "", "site/a.example^8080/index.html"},
    {"https://a.example:8443/", "", "site/a.example^https8443/index.html"},
    {"https://a.example:80/", "", "site/a.example^https80/index.html"},
    {"http://127.0.0.1:8080/b", "", "site/127.0.0.1^8080/b^.html"},
    {"https://[::1]/", "", "site/::1/index.html"},
    {"http://[2001:db8::1]:81/", "", "site/2001:db8::1^81/index.html"},
    {"https://b\xc3\xbc"
     "cher.example/",
	"", "site/xn--bcher-kva.example/index.html"},
    {"https://example.zip/", "", "site/example.zip/index.html"},
    {"https://user:secret@a.example/b.txt", "", "site/a.example^auth/b.txt"},
    {"https://a.example./", "", "site/a.example./index.html"},
    {"https://../", "", "site/^^../index.html"},
};

static void test_names(void)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		struct pv_buf name = name_of(names[i].address, names[i].type);
		is_text(pv_buf_str(&name), names[i].name, "%s (%s)",
		    names[i].address, names[i].type);
		pv_buf_finish(&name);
	}
}

/* As every system can have them. */
static const struct name portable_names[] = {
    {"https://a.example/b/c.html", "text/html", "site/a.example/b/c.html"},
    {"https://a.example/README", "text/plain",
	"site/a.example/README^^^cf3.txt"},
    {"https://a.example/Read.HTML", "text/html",
	"site/a.example/Read^^c1f.HTML"},
    {"https://a.example/con.html", "text/html", "site/a.example/^^wcon.html"},
    {"https://a.example/Con.jpg", "text/html",
	"site/a.example/^^wCon.jpg^^^c1.html"},
    {"https://a.example/AUX/x", "text/html",
	"site/a.example/^^wAUX^^c7/x^.html"},
    {"https://a.example/com1.a/com10.a/LPT3.b.html", "text/html",
	"site/a.example/^^wcom1.a/com10.a/^^wLPT3.b^^c7.html"},
    {"https://a.example/con%20.txt", "text/plain",
	"site/a.example/^^wcon .txt"},
    {"https://a.example/lpt1%20%20.a.txt", "text/plain",
	"site/a.example/^^wlpt1  .a.txt"},
    {"https://a.example/con%20a.txt", "text/plain", "site/a.example/con a.txt"},
    {"https://a.example/con%20/x.txt", "text/plain",
	"site/a.example/con%20/x.txt"},
    {"https://a.example/a:b*c/d?e=\"f|g\"", "text/html",
	"site/a.example/a^3Ab^2Ac/d^e=%22f^7Cg%22.html"},
    {"https://a.example/end./x", "text/html", "site/a.example/end^2E/x^.html"},
    {"https://a.example/%C3%A4/%E2%82%AC", "text/html",
	"site/a.example/^C3^A4/^E2^82^AC^.html"},
    {"http://[::1]:8080/", "text/html", "site/^3A^3A1^8080/index.html"},
};

static void test_portable_names(void)
{
	for (size_t i = 0; i < COUNT(portable_names); i++) {
		const struct name *name = &portable_names[i];
		struct pv_buf found =
		    name_with(name->address, name->type, true);
		is_text(pv_buf_str(&found), name->name, "portable: %s",
		    name->address);
		pv_buf_finish(&found);
	}
}

/* Many names at once */

struct pair {
	char *name;
	char *address;
};

struct crowd {
	struct pair *pairs;
	size_t count;
	size_t size;
	size_t unsafe;
	bool is_portable; /* then they are compared without regard to case */
	struct pv_url url;
};

static bool is_device_name(struct pv_str part)
{
	static const char *const devices[] = {
	    "con", "prn", "aux", "nul", "com1", "lpt9"};
	struct pv_reader reader = pv_reader_of(part);
	struct pv_str base = pv_str_trim(pv_reader_take_until(&reader, '.'));
	for (size_t i = 0; i < COUNT(devices); i++) {
		if (pv_str_equal_nocase(base, pv_str_of(devices[i])))
			return true;
	}
	return false;
}

static bool is_portable_component(struct pv_str part)
{
	for (size_t i = 0; i < part.len; i++) {
		if ((unsigned char)part.ptr[i] >= 0x80 ||
		    strchr("<>:\"|?*\\", part.ptr[i]))
			return false;
	}
	return !pv_str_ends(part, PV_STR(".")) && !is_device_name(part);
}

static bool is_portable_name(struct pv_str name)
{
	struct pv_reader reader = pv_reader_of(name);
	bool is_good = true;
	do
		is_good = is_good && is_portable_component(
					 pv_reader_take_until(&reader, '/'));
	while (pv_reader_accept(&reader, '/'));
	return is_good;
}

static void make_small(struct pv_buf *name)
{
	for (size_t i = 0; i < name->len; i++)
		name->ptr[i] = pv_lower(name->ptr[i]);
}

static bool is_safe_component(struct pv_str part)
{
	bool has_control = false;
	for (size_t i = 0; i < part.len; i++)
		has_control = has_control || part.ptr[i] == '\\' ||
			      pv_is_control((unsigned char)part.ptr[i]);
	return part.len && part.len <= PV_FILE_COMPONENT_MAX &&
	       part.ptr[0] != '.' && part.ptr[0] != ' ' &&
	       part.ptr[part.len - 1] != ' ' && !has_control;
}

static bool is_file_end(struct pv_str part)
{
	size_t dot = pv_str_find_last(part, '.');
	return dot != PV_NOT_FOUND &&
	       pv_extension_is_known(pv_str_from(part, dot + 1));
}

/* "site", the host, directories, a file; none of which may be dangerous. */
static bool is_safe(struct pv_str name)
{
	struct pv_reader reader = pv_reader_of(name);
	struct pv_str part = pv_reader_take_until(&reader, '/');
	bool is_good = pv_str_equal(part, PV_STR("site"));
	for (unsigned depth = 1; pv_reader_accept(&reader, '/'); depth++) {
		part = pv_reader_take_until(&reader, '/');
		bool is_last = pv_reader_is_end(&reader);
		is_good = is_good && is_safe_component(part) &&
			  (depth == 1 || is_file_end(part) == is_last);
	}
	return is_good && name.len <= PV_FILE_NAME_MAX &&
	       pv_utf8_find_invalid(name) == PV_NOT_FOUND;
}

static void add(struct crowd *crowd, struct pv_str address)
{
	static const char *const types[] = {"text/html",
	    "application/xhtml+xml", "image/png", "application/x-unheard-of"};
	if (pv_url_parse(&crowd->url, address) != PV_URL_OK)
		return;
	for (size_t i = 0; i < COUNT(types); i++) {
		struct pv_buf name, page;
		pv_buf_init(&name, PV_FILE_NAME_MAX);
		pv_buf_init(&page, ADDRESS_MAX);
		bool is_written = pv_file_name_write(&crowd->url,
		    &(struct pv_file_naming){
			pv_str_of(types[i]), crowd->is_portable},
		    &name);
		bool is_fine = is_safe(pv_buf_str(&name)) &&
			       (!crowd->is_portable ||
				   is_portable_name(pv_buf_str(&name)));
		if (crowd->is_portable)
			make_small(&name);
		if (!is_written || !is_fine) {
			crowd->unsafe++;
			printf("# %s: %s\n", pv_buf_text(&crowd->url.text),
			    pv_buf_text(&name));
		}
		pv_buf_append(&page, pv_url_page(&crowd->url));
		*PV_ARRAY_PUSH(crowd->pairs, crowd->count, crowd->size) =
		    (struct pair){pv_buf_take(&name), pv_buf_take(&page)};
	}
}

static int by_name(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;
	return strcmp(a->name, b->name);
}

/* Of names in their order: how many have two addresses. */
static size_t count_shared(const struct crowd *crowd)
{
	size_t shared = 0;
	for (size_t i = 1; i < crowd->count; i++) {
		const struct pair *a = &crowd->pairs[i - 1], *b = a + 1;
		if (strcmp(a->name, b->name) != 0 ||
		    strcmp(a->address, b->address) == 0)
			continue;
		shared++;
		printf("# %s\n#  and %s\n#  are both %s\n", a->address,
		    b->address, a->name);
	}
	return shared;
}

/* How many files stand where others need a directory. */
static size_t count_in_the_way(const struct crowd *crowd)
{
	size_t in_the_way = 0;
	for (size_t i = 0; i < crowd->count; i++) {
		char *name = crowd->pairs[i].name;
		for (char *slash = strchr(name, '/'); slash;
		     slash = strchr(slash + 1, '/')) {
			struct pair wanted = {name, NULL};
			*slash = '\0';
			const struct pair *found =
			    bsearch(&wanted, crowd->pairs, crowd->count,
				sizeof(wanted), by_name);
			/* Itself, while it is cut. */
			if (found && found->name != name)
				in_the_way++;
			*slash = '/';
		}
	}
	return in_the_way;
}

static size_t count_addresses(const struct crowd *crowd)
{
	size_t count = crowd->count > 0;
	for (size_t i = 1; i < crowd->count; i++)
		count += strcmp(crowd->pairs[i - 1].address,
			     crowd->pairs[i].address) != 0;
	return count;
}

static void judge(struct crowd *crowd, size_t least, const char *what)
{
	qsort(crowd->pairs, crowd->count, sizeof(*crowd->pairs), by_name);
	size_t shared = count_shared(crowd);
	ok(count_addresses(crowd) > least, "there are many %s: %zu", what,
	    count_addresses(crowd));
	ok(!crowd->unsafe, "%s have names that may be written", what);
	ok(!shared, "P3: no two of them share a name");
	ok(!count_in_the_way(crowd), "and none is in the way of another");
	for (size_t i = 0; i < crowd->count; i++) {
		free(crowd->pairs[i].name);
		free(crowd->pairs[i].address);
	}
	free(crowd->pairs);
	*crowd = (struct crowd){.url = crowd->url};
}

#define PIECES 12
#define ROW_MAX 5
/* A twelfth of the rows is enough for sanitizers. */
#define ROW (IS_SANITIZED ? ROW_MAX - 1 : ROW_MAX)
#define LEAST(count) (IS_SANITIZED ? (count) / 12 : (count))

/* Each row of so many pieces. */
static void add_all_short(
    struct crowd *crowd, size_t row, const char *const pieces[PIECES])
{
	size_t numbers[ROW_MAX] = {0};
	size_t place = 0;
	struct pv_buf address;
	pv_buf_init(&address, ADDRESS_MAX);
	while (place < row) {
		pv_buf_clear(&address);
		pv_buf_append_text(&address, "https://h/");
		for (size_t i = 0; i < row; i++)
			pv_buf_append_text(&address, pieces[numbers[i]]);
		add(crowd, pv_buf_str(&address));
		for (place = 0; place < row; place++) {
			if (++numbers[place] < PIECES)
				break;
			numbers[place] = 0;
		}
	}
	pv_buf_finish(&address);
}

static void test_all_short(struct crowd *crowd)
{
	static const char *const pieces[PIECES] = {"", "/", "a", ".", ".html",
	    ".png", "?", "^", "index", "%5E", "%20", "\\"};
	static const char *const letters[PIECES] = {"", "/", "a", "A", ".",
	    ".HTML", ".html", "?", "con", ":", "%20", "%C3%A4"};
	add_all_short(crowd, ROW, pieces);
	judge(crowd, LEAST(10000), "addresses of a few nasty pieces");
	crowd->is_portable = true;
	add_all_short(crowd, ROW - 1, pieces);
	judge(crowd, LEAST(3000), "portable ones of the same");
	crowd->is_portable = true;
	add_all_short(crowd, ROW, letters);
	judge(crowd, LEAST(10000), "portable ones of large and small letters");
}

static void append_many(struct pv_buf *address, const char *text, size_t count)
{
	for (size_t i = 0; i < count; i++)
		pv_buf_append_text(address, text);
}

static void append_piece(struct pv_buf *address, struct random *random)
{
	static const char *const pieces[] = {"a", "A", "b", "aa", ".", "..",
	    ".a", "a.", ".html", ".HTML", ".htm", ".png", ".php", ".h", "index",
	    "index.html", "index.", "html", "q", "h", "^", "^^", "^^q", "^^h",
	    "^.", "%5E", "%5e", "%2E", "%2e", "%2F", "%2f", "%5C", "\\", "%",
	    "%2", "%25", "%252F", "%20", "%2520", " ", "+", "%C3%BC", "%c3%bc",
	    "%C3%bc", "%C3", "%BC", "\xc3\xbc", "%E2%80%AE", "%F0%9F%90%88",
	    "%00", "%0A", "%7F", "%C2%80", "0", "2F", "5E", "20", "=", "&", ":",
	    ";", "@", "~", "*", "|", "<", "\"", "'", "`", "{", "#", "auth",
	    "80", "^80", "-", "_", ",", "!", "$", "("};
	size_t which = random_below(random, COUNT(pieces) + 1);
	if (which < COUNT(pieces)) {
		pv_buf_append_text(address, pieces[which]);
		return;
	}
	static const char *const long_pieces[] = {"x", "%C3%BC", "%C3", "^"};
	const char *piece = long_pieces[random_below(random, 4)];
	append_many(address, piece, 60 + random_below(random, 250));
}

static void append_pieces(
    struct pv_buf *address, struct random *random, size_t max)
{
	for (size_t count = random_below(random, max); count; count--)
		append_piece(address, random);
}

static void test_random(struct crowd *crowd)
{
	static const char *const authorities[] = {"https://h", "http://h",
	    "https://h:80", "http://h:8080", "https://h:8080", "https://u@h",
	    "https://[::1]", "https://[::1:8080]", "http://[::1]:8080",
	    "https://index.html", "https://.h", "https://h."};
	struct random random = random_of(20);
	struct pv_buf address;
	pv_buf_init(&address, ADDRESS_MAX);
	for (unsigned i = 0; i < 15000; i++) {
		pv_buf_clear(&address);
		pv_buf_append_text(
		    &address, authorities[random_below(&random, 4)
					      ? 0
					      : random_below(&random,
						    COUNT(authorities))]);
		for (size_t k = random_below(&random, 4); k; k--) {
			pv_buf_append_char(&address, '/');
			append_pieces(&address, &random, 4);
		}
		if (random_below(&random, 3) == 0) {
			pv_buf_append_char(&address, '?');
			append_pieces(&address, &random, 5);
		}
		add(crowd, pv_buf_str(&address));
	}
	pv_buf_finish(&address);
	judge(crowd, 10000, "addresses of random nasty pieces");
}

/* Deep and long ones, of which most differ in one letter only. */
static void test_long(struct crowd *crowd)
{
	struct random random = random_of(7);
	struct pv_buf address;
	pv_buf_init(&address, ADDRESS_MAX);
	for (unsigned i = 0; i < 4000; i++) {
		size_t depth = 28 + random_below(&random, 10);
		pv_buf_clear(&address);
		pv_buf_append_text(&address, "https://h/");
		for (size_t k = 0; k < depth; k++)
			append_many(&address, i % 3 ? "a/" : "aaaaaaaaaaaa/",
			    1 + (i % 5 == 0));
		append_many(&address, "f", random_below(&random, 300));
		append_many(&address, ".html", random_below(&random, 2));
		size_t place =
		    strlen("https://h/") +
		    random_below(&random, address.len - strlen("https://h/"));
		address.ptr[place] = "ab/c?"[random_below(&random, 5)];
		add(crowd, pv_buf_str(&address));
	}
	pv_buf_finish(&address);
	judge(crowd, 3000, "long and deep addresses");
}

/* A text so many times, and what comes behind it. */
struct repeated {
	const char *text;
	unsigned count;
	const char *end;
};

static void append_repeated(
    struct pv_buf *buf, const char *start, const struct repeated *repeated)
{
	pv_buf_append_text(buf, start);
	append_many(buf, repeated->text, repeated->count);
	pv_buf_append_text(buf, repeated->end);
}

#define D50 "dddddddddddddddddddddddddddddddddddddddddddddddddd"
#define D199 D50 D50 D50 "ddddddddddddddddddddddddddddddddddddddddddddddddd"

/* What was kept under a name is found under it by every version; so these are
 * never changed. */
static void test_pinned(void)
{
	static const struct {
		struct repeated address, name;
	} pinned[] = {
	    {{"a/", 32, ""}, {"a/", 32, "index.html"}},
	    {{"a/", 33, ""},
		{"a/", 32, "^^hb3dda5b674f9ce730a37dee0a33bb31e/index.html"}},
	    {{"a/", 34, ""},
		{"a/", 32, "^^hf2ddae27e50743d131afb2e90f638daf/index.html"}},
	    {{D199 "/", 10, ""}, {D199 "/", 10, "index.html"}},
	    {{D199 "/", 11, ""},
		{D199 "/", 10,
		    "^^hff0dd8349cf2477dfa08219f03a20c8d/index.html"}},
	    {{D199 "/", 9, "d/" D199 "/"},
		{D199 "/", 9,
		    "d/^^hff0dd8349cf2477dfa08219f03a20c8d/index.html"}},
	    {{"x", 195, ".html"}, {"x", 195, ".html"}},
	    {{"x", 196, ".html"},
		{"x", 140, "^^he1e8d8b142d1103921b4da9776c5a5d9.html"}},
	    {{"x", 200, "/"},
		{"x", 140, "^^haa20c23e3201834050679e1d88941b9a/index.html"}},
	};
	for (size_t i = 0; i < sizeof(pinned) / sizeof(*pinned); i++) {
		struct pv_buf address, wanted;
		pv_buf_init(&address, ADDRESS_MAX);
		pv_buf_init(&wanted, ADDRESS_MAX);
		append_repeated(&address, "https://h/", &pinned[i].address);
		append_repeated(&wanted, "site/h/", &pinned[i].name);
		struct pv_buf name = name_of(pv_buf_text(&address), "");
		is_text(pv_buf_str(&name), pv_buf_text(&wanted),
		    "P3: %u times %.1s has the name that it always had",
		    pinned[i].address.count, pinned[i].address.text);
		pv_buf_finish(&address);
		pv_buf_finish(&wanted);
		pv_buf_finish(&name);
	}
}

/* Who knows how a long name is cut asks for one that looks the same. */
static void test_forged(void)
{
	static const char *const marks[] = {
	    "?", "?h", "?^h", "?^^h", "^^h", "%5E%5Eh"};
	struct pv_buf address, forged;
	pv_buf_init(&address, ADDRESS_MAX);
	pv_buf_init(&forged, ADDRESS_MAX);
	append_many(&address, "https://h/", 1);
	append_many(&address, "x", 250);
	struct pv_buf name = name_of(pv_buf_text(&address), "");
	const char *mark = strstr(pv_buf_text(&name), "^^h");
	ok(mark && pv_str_ends(pv_buf_str(&name), PV_STR(".html")),
	    "a long name is cut: %s", pv_buf_text(&name));
	for (size_t i = 0; mark && i < COUNT(marks); i++) {
		const char *head = pv_buf_text(&name) + strlen("site/h/");
		pv_buf_clear(&forged);
		pv_buf_append_format(&forged, "https://h/%.*s%s%.32s",
		    (int)(mark - head), head, marks[i], mark + 3);
		struct pv_buf other = name_of(pv_buf_text(&forged), "");
		ok(!pv_str_equal(pv_buf_str(&name), pv_buf_str(&other)),
		    "and cannot be had by \"%s\"", marks[i]);
		pv_buf_finish(&other);
	}
	pv_buf_finish(&name);
	pv_buf_finish(&forged);
	pv_buf_finish(&address);
}

static void test_ceiling(void)
{
	struct pv_url url;
	struct pv_buf name;
	pv_url_init(&url, ADDRESS_MAX);
	pv_url_parse(&url, PV_STR("https://a.example/b/c"));
	pv_buf_init(&name, 20);
	pv_buf_append_text(&name, "before");
	ok(!pv_file_name_write(
	       &url, &(struct pv_file_naming){PV_STR(""), false}, &name),
	    "a name for which there is no room is told");
	is_text(pv_buf_str(&name), "before", "and not begun");
	pv_buf_finish(&name);
	pv_url_finish(&url);
}

static void test_credentials(void)
{
	struct pv_buf name = name_of("https://me:hush@a.example:8/b?c", "");
	ok(!strstr(pv_buf_text(&name), "hush") &&
		!strstr(pv_buf_text(&name), "me"),
	    "P7: no credentials are in a name");
	pv_buf_finish(&name);
}

int main(void)
{
	struct crowd crowd = {0};
	pv_url_init(&crowd.url, ADDRESS_MAX);
	test_names();
	test_portable_names();
	test_all_short(&crowd);
	test_random(&crowd);
	test_long(&crowd);
	test_pinned();
	pv_url_finish(&crowd.url);
	test_forged();
	test_ceiling();
	test_credentials();
	return tap_done();
}
