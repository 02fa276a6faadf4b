#include "record/part.h"

#include "record/response.h"
#include "tap.h"

#define WALL_MS INT64_C(1700000000000)
#define DATE(minute) "Date: Fri, 06 Nov 2020 08:" minute " GMT\r\n"
#define MODIFIED "Last-Modified: Fri, 06 Nov 2020 08:49:37 GMT\r\n"

static void add_lines(struct pv_headers *headers, const char *lines)
{
	while (*lines) {
		const char *end = strchr(lines, '\n') + 1;
		pv_headers_add_line(
		    headers, (struct pv_str){lines, (size_t)(end - lines)});
		lines = end;
	}
}

/* An answer of 5,000,000 bytes of which two million came. */
static void make(struct pv_response *response, const char *headers)
{
	static char bytes[2000000];
	pv_response_init(response, ".", 10000000);
	response->http_status = 200;
	response->length = 5000000;
	add_lines(&response->headers, headers);
	pv_body_append(&response->body, (struct pv_str){bytes, sizeof(bytes)});
}

static const struct {
	const char *claim;
	const char *headers;
	const char *validator; /* NULL: it has none */
} beginnings[] = {
    {"a strong tag", "ETag: \"a\"\r\n", "\"a\""},
    {"a strong tag and a date", "ETag: \"a\"\r\n" MODIFIED, "\"a\""},
    {"a weak tag", "ETag: W/\"a\"\r\n", NULL},
    {"a weak tag and an old date", "ETag: W/\"a\"\r\n" MODIFIED DATE("59:37"),
	NULL},
    {"a tag that is none", "ETag: a\r\n" MODIFIED DATE("59:37"), NULL},
    {"a date a minute old", MODIFIED DATE("50:37"),
	"Fri, 06 Nov 2020 08:49:37 GMT"},
    {"a younger one", MODIFIED DATE("50:36"), NULL},
    {"one of later", MODIFIED DATE("40:00"), NULL},
    {"one with no Date beside it", MODIFIED, NULL},
    {"one that is none", "Last-Modified: soon\r\n" DATE("59:37"), NULL},
    {"nothing", "", NULL},
};

static void test_beginnings(void)
{
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++) {
		struct pv_response response;
		struct pv_part part;
		struct pv_buf texts;
		const char *validator = beginnings[i].validator;
		pv_buf_init(&texts, 100000);
		make(&response, beginnings[i].headers);
		bool begins = pv_part_begin(&response, WALL_MS, &texts, &part);
		ok(begins == (validator != NULL), "%s %s continued",
		    beginnings[i].claim, validator ? "is" : "is not");
		if (begins)
			is_text(part.validator, validator, "by that");
		pv_response_finish(&response);
		pv_buf_finish(&texts);
	}
}

static bool begins(const struct pv_response *response)
{
	struct pv_part part;
	struct pv_buf texts;
	pv_buf_init(&texts, 100000);
	bool is_begun = pv_part_begin(response, WALL_MS, &texts, &part);
	pv_buf_finish(&texts);
	return is_begun;
}

static void test_conditions(void)
{
	struct pv_response response;
	make(&response, "ETag: \"a\"\r\n");
	ok(begins(&response), "a large part of a page is continued");
	response.http_status = 203;
	ok(!begins(&response), "but not of anything else than a 200");
	response.http_status = 200;
	response.length = PV_BODY_LENGTH_UNKNOWN;
	ok(!begins(&response), "nor of what has no length");
	response.length = response.body.size;
	ok(!begins(&response), "nor what is whole");
	response.length = 5000000;
	response.body.size = PV_PART_BYTES_MIN - 1;
	ok(!begins(&response), "nor what is small");
	response.body.size = PV_PART_BYTES_MIN;
	for (int i = 0; i < 20; i++) {
		static char long_text[1000];
		memset(long_text, 'x', sizeof(long_text));
		pv_headers_add(&response.headers, PV_STR("X"),
		    (struct pv_str){long_text, sizeof(long_text)});
	}
	ok(!begins(&response), "P5: nor what has more headers than are kept");
	pv_response_finish(&response);
}

#define RANGE "Content-Range: bytes 2000000-4999999/5000000\r\n"
#define TAG "ETag: \"a\"\r\n"

static const struct {
	const char *claim;
	const char *headers;
	bool fits;
} rests[] = {
    {"the rest", RANGE TAG, true},
    {"with the same coding", RANGE TAG "Content-Encoding: GZIP\r\n", true},
    {"with a type", RANGE TAG "Content-Type: text/html\r\n", true},
    {"without a tag", RANGE, false},
    {"with another tag", RANGE "ETag: \"b\"\r\n", false},
    {"with a weak one", RANGE "ETag: W/\"a\"\r\n", false},
    {"with a date instead", RANGE MODIFIED, false},
    {"in another coding", RANGE TAG "Content-Encoding: br\r\n", false},
    {"in two", RANGE TAG "Content-Encoding: gzip\r\nContent-Encoding: br\r\n",
	false},
    {"in parts", RANGE TAG "Content-Type: multipart/byteranges; b=x\r\n",
	false},
    {"without a range", TAG, false},
    {"with two", RANGE RANGE TAG, false},
    {"from elsewhere", "Content-Range: bytes 1999999-4999999/5000000\r\n" TAG,
	false},
    {"from the beginning", "Content-Range: bytes 0-4999999/5000000\r\n" TAG,
	false},
    {"of another whole", "Content-Range: bytes 2000000-4999999/5000001\r\n" TAG,
	false},
    {"of who knows what", "Content-Range: bytes 2000000-4999999/*\r\n" TAG,
	false},
    {"up to elsewhere", "Content-Range: bytes 2000000-4999998/5000000\r\n" TAG,
	false},
};

static void test_rests(void)
{
	struct pv_response response;
	struct pv_part part;
	struct pv_buf texts;
	pv_buf_init(&texts, 100000);
	make(&response, TAG "Content-Encoding: gzip\r\n");
	pv_part_begin(&response, WALL_MS, &texts, &part);
	for (size_t i = 0; i < sizeof(rests) / sizeof(*rests); i++) {
		struct pv_response rest = {.http_status = 206};
		pv_headers_init(&rest.headers, 100, 10000);
		add_lines(&rest.headers, rests[i].headers);
		ok((pv_part_misfit(&part, &rest) == NULL) == rests[i].fits,
		    "%s: it %s", rests[i].claim,
		    rests[i].fits ? "fits" : "does not fit");
		pv_headers_finish(&rest.headers);
	}
	pv_response_finish(&response);
	pv_buf_finish(&texts);
}

/* Packed, and completed */

static void test_headers(void)
{
	struct pv_response response, rest;
	struct pv_part part, again;
	struct pv_buf texts, packed;
	pv_buf_init(&texts, 100000);
	pv_buf_init(&packed, 100000);
	make(&response, TAG "Content-Type: text/css\r\nLink: </a>\r\n"
			    "Link: </b>\r\nSet-Cookie: a=b\r\n"
			    "Content-Length: 5000000\r\nX: y\r\n");
	pv_part_begin(&response, WALL_MS, &texts, &part);
	part.gains = 7;
	memset(part.digest, 3, sizeof(part.digest));
	pv_part_pack(&part, &packed);
	ok(pv_part_unpack(pv_buf_str(&packed), &again) &&
		again.size == 2000000 && again.complete == 5000000 &&
		again.gains == 7 &&
		memcmp(again.digest, part.digest, PV_DIGEST_SIZE) == 0 &&
		pv_str_equal(again.validator, PV_STR("\"a\"")),
	    "what is packed is unpacked");
	ok(!pv_part_unpack((struct pv_str){NULL, 0}, &again),
	    "of nothing there is none");
	pv_part_unpack(pv_buf_str(&packed), &again);
	pv_response_init(&rest, ".", 100);
	add_lines(&rest.headers, "X: z\r\n" RANGE TAG);
	pv_part_complete_headers(&again, &rest.headers);
	is_text(pv_headers_get(&rest.headers, PV_STR("Content-Type")),
	    "text/css", "what the rest does not tell is completed");
	is_text(pv_headers_get(&rest.headers, PV_STR("X")), "z",
	    "what it tells counts");
	struct pv_str value;
	size_t at = 0, links = 0;
	while (pv_headers_next(&rest.headers, PV_STR("Link"), &at, &value))
		links++;
	ok(links == 2, "of several all are there");
	ok(!pv_headers_get(&rest.headers, PV_STR("Set-Cookie")).ptr &&
		!pv_headers_get(&rest.headers, PV_STR("Content-Length")).ptr,
	    "P7: cookies are not kept, nor what is of one answer only");
	pv_response_finish(&response);
	pv_response_finish(&rest);
	pv_buf_finish(&texts);
	pv_buf_finish(&packed);
}

int main(void)
{
	test_beginnings();
	test_conditions();
	test_rests();
	test_headers();
	return tap_done();
}
