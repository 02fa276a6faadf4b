#include "reading/decoding.h"

#include <zlib.h>

#include "tap.h"
#include "url/url.h"

#define CEILING ((uint64_t)500 * 1024 + 1)

/* An answer as it came, and what is decoded of it. */
struct answer {
	struct pv_response response;
	struct pv_body decoded;
	struct pv_decoding decoding;
};

static void open_answer(
    struct answer *open, const char *coding, uint64_t ceiling)
{
	pv_response_init(&open->response, ".", (uint64_t)1 << 30);
	pv_body_init(&open->decoded, ".", ceiling);
	open->decoding = (struct pv_decoding){
	    .response = &open->response, .body = &open->decoded};
	open->response.outcome = PV_OUTCOME_ANSWERED;
	open->response.http_status = 200;
	if (coding)
		pv_headers_add(&open->response.headers,
		    PV_STR("content-encoding"), pv_str_of(coding));
}

/* One to a request for a robots.txt. */
static void open_robots(
    struct answer *open, const char *coding, struct pv_str body)
{
	open_answer(open, coding, CEILING);
	open->decoding.is_robots = true;
	pv_body_append(&open->response.body, body);
}

static void close_answer(struct answer *open)
{
	pv_response_finish(&open->response);
	pv_body_finish(&open->decoded);
}

/* So much of a text that goes on and on, each piece of it different. */
static struct pv_buf long_text(size_t len)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX / 4);
	for (size_t i = 0; text.len < len; i++)
		pv_buf_append_format(&text, "Disallow: /%zx\n", i * 2654435761);
	pv_buf_cut(&text, len);
	return text;
}

static struct pv_buf gzip(struct pv_str text)
{
	struct pv_buf buf;
	z_stream stream = {0};
	pv_buf_init(&buf, SIZE_MAX / 4);
	deflateInit2(&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
	size_t most = deflateBound(&stream, text.len);
	stream.next_in = (Bytef *)(uintptr_t)text.ptr;
	stream.avail_in = (uInt)text.len;
	stream.next_out = (Bytef *)pv_buf_reserve(&buf, most);
	stream.avail_out = (uInt)most;
	deflate(&stream, Z_FINISH);
	buf.len += most - stream.avail_out;
	deflateEnd(&stream);
	return buf;
}

static void put(struct answer *open, struct pv_str bytes)
{
	pv_body_append(&open->response.body, bytes);
}

/* Claims what is left to be read, and as what it counts. */
static void is_read(const struct answer *open, struct pv_str text,
    enum pv_outcome outcome, const char *claim)
{
	bool is_right = pv_str_equal(open->decoding.text, text) &&
			open->response.outcome == outcome;
	if (!ok(is_right, "%s", claim))
		printf("# %s: %zu bytes where %zu were wanted: %s\n",
		    pv_outcome_word(open->response.outcome),
		    open->decoding.text.len, text.len, open->response.why);
}

static void test_plain(void)
{
	static const char *const codings[] = {
	    NULL, "", "identity", " Identity ,"};
	for (size_t i = 0; i < sizeof(codings) / sizeof(*codings); i++) {
		struct answer open;
		open_answer(&open, codings[i], CEILING);
		put(&open, PV_STR("<a href=b>"));
		pv_decoding_undo(&open.decoding);
		is_read(&open, PV_STR("<a href=b>"), PV_OUTCOME_ANSWERED,
		    "an answer without a coding is what it is");
		ok(!open.response.why[0], "and nothing is said about it");
		close_answer(&open);
	}
	struct answer open;
	open_answer(&open, "gzip", CEILING);
	pv_decoding_undo(&open.decoding);
	is_read(&open, PV_STR(""), PV_OUTCOME_ANSWERED,
	    "an empty answer is empty, whatever it claims");
	close_answer(&open);
}

static void test_gzip(void)
{
	struct answer open;
	struct pv_buf text = long_text(400000);
	struct pv_buf coded = gzip(pv_buf_str(&text));
	open_answer(&open, "gzip", CEILING);
	put(&open, pv_buf_str(&coded));
	pv_decoding_undo(&open.decoding);
	is_read(&open, pv_buf_str(&text), PV_OUTCOME_ANSWERED,
	    "a coding is undone, however long the text");
	close_answer(&open);

	/* Once more, in two fields: they are one list. */
	struct pv_buf twice = gzip(pv_buf_str(&coded));
	open_answer(&open, "gzip", CEILING);
	pv_headers_add(&open.response.headers, PV_STR("Content-Encoding"),
	    PV_STR("x-gzip"));
	put(&open, pv_buf_str(&twice));
	pv_decoding_undo(&open.decoding);
	is_read(&open, pv_buf_str(&text), PV_OUTCOME_ANSWERED,
	    "fields of one name are one list");
	close_answer(&open);
	pv_buf_finish(&twice);
	pv_buf_finish(&coded);
	pv_buf_finish(&text);
}

/* Files that are gzip, which a server says are coded so, and others. */
static const struct {
	const char *claim;
	const char *url;
	const char *type;
	const char *coding;
	bool is_kept; /* as it came */
} packed[] = {
    {"a file that is gzip by its type", "http://a.test/a", "application/x-gzip",
	"x-gzip", true},
    {"whatever it is called", "http://a.test/a.html?b", "application/gzip; a=b",
	"GZIP", true},
    {"an archive, by its name", "http://a.test/a.tar.GZ?b", "application/x-tar",
	"x-gzip", true},
    {"or by a shorter one", "http://a.test/a.tgz", "application/octet-stream",
	"gzip", true},
    {"one that is called otherwise is coded", "http://a.test/a.tar",
	"application/x-tar", "gzip", false},
    {"what is in its query is no name", "http://a.test/a?b.gz",
	"application/x-tar", "gzip", false},
    {"a page is coded whatever it is called", "http://a.test/a.html.gz",
	"text/html", "gzip", false},
    {"so is a drawing", "http://a.test/a.svgz", "image/svg+xml", "gzip", false},
};

static void test_packed(void)
{
	struct pv_buf coded = gzip(PV_STR("a text"));
	for (size_t i = 0; i < sizeof(packed) / sizeof(*packed); i++) {
		struct answer open;
		open_answer(&open, packed[i].coding, CEILING);
		pv_headers_add(&open.response.headers, PV_STR("Content-Type"),
		    pv_str_of(packed[i].type));
		struct pv_url url;
		pv_url_init(&url, 1000);
		pv_url_parse(&url, pv_str_of(packed[i].url));
		open.decoding.path = pv_url_path(&url);
		put(&open, pv_buf_str(&coded));
		pv_decoding_undo(&open.decoding);
		is_read(&open,
		    packed[i].is_kept ? pv_buf_str(&coded) : PV_STR("a text"),
		    PV_OUTCOME_ANSWERED, packed[i].claim);
		pv_url_finish(&url);
		close_answer(&open);
	}
	pv_buf_finish(&coded);
}

/* fetch.max_size is `none`. */
static void test_no_ceiling(void)
{
	struct answer open;
	struct pv_buf text = long_text(3000000);
	struct pv_buf coded = gzip(pv_buf_str(&text));
	open_answer(&open, "gzip", 0);
	open.decoded.ceiling = UINT64_MAX;
	put(&open, pv_buf_str(&coded));
	pv_decoding_undo(&open.decoding);
	is_read(&open, pv_buf_str(&text), PV_OUTCOME_ANSWERED,
	    "without a ceiling nothing is too large");
	close_answer(&open);
	open_answer(&open, "gzip", 3000000);
	put(&open, pv_buf_str(&coded));
	pv_decoding_undo(&open.decoding);
	is_read(&open, pv_buf_str(&text), PV_OUTCOME_ANSWERED,
	    "nor is what fills it to the byte");
	close_answer(&open);
	pv_buf_finish(&coded);
	pv_buf_finish(&text);
}

static void test_false_claims(void)
{
	static const char *const codings[] = {"gzip", "br", "zstd", "deflate",
	    "compress", "aes128gcm", "gzip, gzip, gzip, gzip, gzip"};
	for (size_t i = 0; i < sizeof(codings) / sizeof(*codings); i++) {
		struct answer open;
		open_answer(&open, codings[i], CEILING);
		put(&open, PV_STR("<!DOCTYPE html><a href=b>a page</a>"));
		pv_decoding_undo(&open.decoding);
		is_read(&open, PV_STR("<!DOCTYPE html><a href=b>a page</a>"),
		    PV_OUTCOME_ANSWERED,
		    "a page that is not coded as it claims is still a page");
		ok(open.response.why[0], "P4: which is said: %s",
		    open.response.why);
		close_answer(&open);
	}
}

/* So many words that they are not even read. */
static void test_long_names(void)
{
	struct answer open;
	char names[400];
	memset(names, 'x', sizeof(names) - 1);
	names[sizeof(names) - 1] = '\0';
	open_answer(&open, "gzip", CEILING);
	pv_headers_add(&open.response.headers, PV_STR("Content-Encoding"),
	    pv_str_of(names));
	put(&open, PV_STR("a page"));
	pv_decoding_undo(&open.decoding);
	is_read(&open, PV_STR("a page"), PV_OUTCOME_ANSWERED,
	    "P5: a coding of many words is none that we know");
	ok(open.response.why[0], "P4: which is said: %s", open.response.why);
	close_answer(&open);
}

static void test_broken(void)
{
	struct answer open;
	struct pv_buf text = long_text(100000);
	struct pv_buf coded = gzip(pv_buf_str(&text));
	open_answer(&open, "gzip", CEILING);
	put(&open, pv_str_head(pv_buf_str(&coded), coded.len / 2));
	pv_decoding_undo(&open.decoding);
	ok(open.response.outcome == PV_OUTCOME_BROKEN_OFF &&
		open.response.why[0],
	    "a coding that ends early is broken off: %s", open.response.why);
	ok(open.decoding.text.len > 1000 &&
		pv_str_starts(pv_buf_str(&text), open.decoding.text),
	    "what it gave before is the beginning");
	close_answer(&open);
	coded.ptr[coded.len / 2] ^= 0x55;
	open_answer(&open, "gzip", CEILING);
	put(&open, pv_buf_str(&coded));
	pv_decoding_undo(&open.decoding);
	is_read(&open, PV_STR(""), PV_OUTCOME_BROKEN_OFF,
	    "of one that is damaged nothing is read");
	close_answer(&open);
	pv_buf_finish(&coded);
	pv_buf_finish(&text);
}

/* Plain, whatever is said of its coding, and with a byte that no text has. */
static void test_odd_robots(void)
{
	static const struct pv_str texts[] = {
	    PV_STR("User-agent: *\nDisallow: /a\n\x01\n"),
	    PV_STR("Nobody: *\n\x01\x02\x03\n"),
	};
	for (size_t i = 0; i < 2; i++) {
		struct answer open;
		open_robots(&open, "gzip", texts[i]);
		pv_decoding_undo(&open.decoding);
		if (i == 0)
			is_read(&open, texts[i], PV_OUTCOME_ANSWERED,
			    "P1: what has rules is a robots.txt");
		else
			ok(open.response.outcome == PV_OUTCOME_BROKEN_OFF,
			    "P1: bytes without any are none");
		close_answer(&open);
	}
}

/* More names than anybody has use for. */
static void test_many_names(void)
{
	struct answer open;
	char names[400];
	memset(names, ',', sizeof(names));
	memcpy(names, "gzip", 4);
	names[sizeof(names) - 1] = '\0';
	open_answer(&open, names, CEILING);
	put(&open, PV_STR("as it came"));
	pv_decoding_undo(&open.decoding);
	ok(open.response.coding == PV_CODING_UNKNOWN,
	    "P5: a list of codings without end is none that is known");
	is_read(&open, PV_STR("as it came"), PV_OUTCOME_ANSWERED,
	    "so nothing is undone");
	close_answer(&open);
}

static void test_bomb(void)
{
	struct answer open;
	struct pv_buf zeros;
	pv_buf_init(&zeros, (size_t)1 << 26);
	pv_buf_reserve(&zeros, (size_t)1 << 25);
	zeros.len = (size_t)1 << 25;
	struct pv_buf coded = gzip(pv_buf_str(&zeros));
	open_answer(&open, "gzip", (uint64_t)1 << 30);
	put(&open, pv_buf_str(&coded));
	pv_decoding_undo(&open.decoding);
	ok(open.response.outcome == PV_OUTCOME_TOO_LARGE,
	    "P5: what unpacks too steeply is too large: %s", open.response.why);
	ok(open.decoded.size <= (uint64_t)coded.len * 200 + (1 << 20) + 65536,
	    "P5: and is not unpacked to its end");
	close_answer(&open);
	open_answer(&open, "gzip", 1 << 20);
	put(&open, pv_buf_str(&coded));
	pv_decoding_undo(&open.decoding);
	ok(open.response.outcome == PV_OUTCOME_TOO_LARGE &&
		open.decoded.size <= 1 << 20,
	    "P5: nor past the ceiling: %s", open.response.why);
	close_answer(&open);
	pv_buf_finish(&coded);
	pv_buf_finish(&zeros);
}

/* The beginning of a robots.txt counts (RFC 9309, 2.5), in whatever coding it
 * comes: of what is cut off nobody says that it allows anything. */
static void test_beginning(void)
{
	struct answer open;
	struct pv_buf text = long_text(3000000);
	struct pv_buf coded = gzip(pv_buf_str(&text));
	struct pv_str beginning = pv_str_head(pv_buf_str(&text), CEILING);
	open_answer(&open, "gzip", CEILING);
	put(&open, pv_buf_str(&coded));
	pv_decoding_undo(&open.decoding);
	is_read(&open, beginning, PV_OUTCOME_TOO_LARGE,
	    "P5: of what is too large unpacked the beginning is there");
	close_answer(&open);

	/* It was cut on its way, as it is larger than what is taken. */
	open_answer(&open, "gzip", CEILING);
	open.response.outcome = PV_OUTCOME_TOO_LARGE;
	put(&open, pv_str_head(pv_buf_str(&coded), 50000));
	pv_decoding_undo(&open.decoding);
	ok(open.response.outcome == PV_OUTCOME_TOO_LARGE &&
		open.decoding.text.len > 50000 &&
		pv_str_starts(pv_buf_str(&text), open.decoding.text),
	    "P5: so it is of what was too large on the wire");
	close_answer(&open);
	open_answer(&open, NULL, CEILING);
	open.response.outcome = PV_OUTCOME_TOO_LARGE;
	put(&open, beginning);
	pv_decoding_undo(&open.decoding);
	is_read(&open, beginning, PV_OUTCOME_TOO_LARGE,
	    "P5: and of what was not coded at all");
	close_answer(&open);
	pv_buf_finish(&coded);
	pv_buf_finish(&text);
}

/* Codings of a robots.txt: what of it is read, or NULL for nothing. */
#define RULES "User-agent: *\nDisallow: /b\n"
#define NOISE "\x91\x02\xff\0\1\x17\x80"

static const struct {
	const char *claim;
	const char *coding;
	struct pv_str body;
	const char *read;
} robots[] = {
    {"in a coding that nobody knows cannot be had", "compress", PV_STR(NOISE),
	NULL},
    {"neither can one whose text has no rules in such a coding", "rot13",
	PV_STR("Hfre-ntrag: *"), NULL},
    {"that names its charset as the coding is what it is", "utf-8",
	PV_STR(RULES), RULES},
    {"that is not coded as it says is what it is", "gzip", PV_STR(RULES),
	RULES},
    {"with an error's page in it is one without rules", "gzip",
	PV_STR("<html>an error"), "<html>an error"},
    {"that says so and is something else cannot be had", "gzip", PV_STR(NOISE),
	NULL},
    {"that needs more memory than there is cannot be had", "zstd",
	PV_STR("\x28\xb5\x2f\xfd\0\xf8\1\0\0\0"), NULL},
    {"in no coding is read whatever it is", NULL, PV_STR(NOISE), NOISE},
    {"that is empty is empty, whatever it says", "compress", PV_STR(""), ""},
};

static void test_robots(void)
{
	struct answer open;
	for (size_t i = 0; i < sizeof(robots) / sizeof(*robots); i++) {
		const char *read = robots[i].read;
		open_robots(&open, robots[i].coding, robots[i].body);
		pv_decoding_undo(&open.decoding);
		bool is_read = open.response.outcome == PV_OUTCOME_ANSWERED;
		if (!ok(is_read == (read != NULL) &&
			    (!read || pv_str_starts(
					  open.decoding.text, pv_str_of(read))),
			"a robots.txt %s", robots[i].claim))
			printf("# %s: %zu bytes: %s\n",
			    pv_outcome_word(open.response.outcome),
			    open.decoding.text.len, open.response.why);
		ok(is_read || open.response.why[0], "P4: which is said: %s",
		    open.response.why);
		close_answer(&open);
	}
	open_robots(&open, "compress", PV_STR(NOISE));
	open.response.http_status = 404;
	pv_decoding_undo(&open.decoding);
	ok(open.response.outcome == PV_OUTCOME_ANSWERED,
	    "where there is none its coding does not matter");
	close_answer(&open);
}

static void test_packed_robots(void)
{
	struct answer open;
	struct pv_buf coded = gzip(PV_STR(RULES));
	open_robots(&open, "gzip", pv_buf_str(&coded));
	pv_headers_add(&open.response.headers, PV_STR("Content-Type"),
	    PV_STR("application/gzip"));
	pv_decoding_undo(&open.decoding);
	is_read(&open, PV_STR(RULES), PV_OUTCOME_ANSWERED,
	    "a robots.txt is read, whatever type it has");
	close_answer(&open);
	open_robots(&open, NULL, pv_buf_str(&coded));
	pv_decoding_undo(&open.decoding);
	is_read(&open, PV_STR(RULES), PV_OUTCOME_ANSWERED,
	    "and where its header does not say that it is coded");
	close_answer(&open);
	open_robots(&open, "gzip", pv_str_head(pv_buf_str(&coded), 20));
	pv_decoding_undo(&open.decoding);
	ok(open.response.outcome == PV_OUTCOME_BROKEN_OFF,
	    "one that ends early cannot be had: %s", open.response.why);
	close_answer(&open);
	pv_buf_finish(&coded);
}

/* What came to nothing is not read. */
static void test_no_answer(void)
{
	static const enum pv_outcome outcomes[] = {PV_OUTCOME_NO_CONNECTION,
	    PV_OUTCOME_TIMEOUT, PV_OUTCOME_BROKEN_OFF, PV_OUTCOME_NOT_ACCEPTED};
	for (size_t i = 0; i < sizeof(outcomes) / sizeof(*outcomes); i++) {
		struct answer open;
		open_answer(&open, NULL, CEILING);
		open.response.outcome = outcomes[i];
		put(&open, PV_STR("half a pa"));
		pv_decoding_undo(&open.decoding);
		is_read(&open, PV_STR(""), outcomes[i],
		    "what did not come whole is not read");
		close_answer(&open);
	}
}

/* The disk is in the way of a long text: that is nothing about the page. */
static void test_no_disk(void)
{
	struct answer open;
	struct pv_buf text = long_text(1000000);
	struct pv_buf coded = gzip(pv_buf_str(&text));
	open_answer(&open, "gzip", (uint64_t)1 << 30);
	open.decoded.directory = "/nowhere/at/all";
	put(&open, pv_buf_str(&coded));
	pv_decoding_undo(&open.decoding);
	ok(open.decoding.error,
	    "P3: where the disk has no room for it, it has not been read: %s",
	    strerror(open.decoding.error));
	ok(open.response.outcome == PV_OUTCOME_ANSWERED,
	    "P3: and does not count as too large for good");
	close_answer(&open);
	pv_buf_finish(&coded);
	pv_buf_finish(&text);
}

int main(void)
{
	test_plain();
	test_gzip();
	test_packed();
	test_no_ceiling();
	test_many_names();
	test_odd_robots();
	test_false_claims();
	test_long_names();
	test_broken();
	test_bomb();
	test_beginning();
	test_robots();
	test_packed_robots();
	test_no_answer();
	test_no_disk();
	return tap_done();
}
