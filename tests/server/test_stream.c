#include "server/stream.h"

#include "tap.h"

/* What an answer is, as bytes, pauses and breaks: written as text in which
 * [50] is a pause of so many milliseconds, [break] and [end] are what they
 * say. */

#define HELLO_HEAD                                       \
	"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" \
	"Content-Length: 5\r\n"
#define CHUNKED_HEAD                                     \
	"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" \
	"Transfer-Encoding: chunked\r\n\r\n"
#define OPEN_HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

struct row {
	const char *claim;
	struct server_answer answer;
	const char *wanted;
	bool is_head;
};

static const struct row rows[] = {
    {.claim = "an answer says how long it is",
	{.body = "hello"},
	HELLO_HEAD "\r\nhello[end]"},
    {.claim = "an answer may have nothing in it",
	{.status = 404, .type = ""},
	"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n[end]"},
    {.claim = "after HEAD there is no body",
	{.body = "hello"},
	HELLO_HEAD "\r\n[end]",
	true},
    {.claim = "but where it is wanted anyway",
	{.body = "hello", .has_body_anyway = true},
	HELLO_HEAD "\r\nhello[end]",
	true},
    {.claim = "304 has no body and no length",
	{.status = 304, .body = "hello"},
	"HTTP/1.1 304 Not Modified\r\n\r\n[end]"},
    {.claim = "204 may have one",
	{.status = 204, .body = "x", .type = "", .has_body_anyway = true},
	"HTTP/1.1 204 No Content\r\nContent-Length: 1\r\n\r\nx[end]"},
    {.claim = "reason and type are as they are said",
	{.status = 299, .reason = "\x1b[1m", .type = "a/b"},
	"HTTP/1.1 299 \x1b[1m\r\nContent-Type: a/b\r\n"
	"Content-Length: 0\r\n\r\n[end]"},
    {.claim = "headers are sent as they are",
	{.body = "hello", .headers = "No-Colon\r\n folded\nBare: lf\n"},
	HELLO_HEAD "No-Colon\r\n folded\nBare: lf\n\r\nhello[end]"},
    {.claim = "a connection that closes says so",
	{.body = "hello", .closes = true},
	HELLO_HEAD "Connection: close\r\n\r\nhello[end]"},

    {.claim = "a body may end with its connection",
	{.body = "hello", .framing = SERVER_UNTIL_CLOSE},
	OPEN_HEAD "\r\nhello[end]"},
    {.claim = "a length may be wrong",
	{.body = "hello", .length = "-1"},
	OPEN_HEAD "Content-Length: -1\r\n\r\nhello[end]"},
    {.claim = "chunks are of a size",
	{.body = "hello", .framing = SERVER_CHUNKED, .chunks = {.size = 3}},
	CHUNKED_HEAD "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n[end]"},
    {.claim = "chunks may be followed by trailers",
	{.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.trailers = "X: y\r\n"}},
	CHUNKED_HEAD "5\r\nhello\r\n0\r\nX: y\r\n\r\n[end]"},
    {.claim = "a chunk may say what it likes of its size",
	{.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.line = "FFFFFFFFFFFFFFFF"}},
	CHUNKED_HEAD "FFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n[end]"},
    {.claim = "only the first chunk does",
	{.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.size = 3, .line = "3;a=\"b\""}},
	CHUNKED_HEAD "3;a=\"b\"\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n[end]"},
    {.claim = "a last chunk may be missing",
	{.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.has_no_end = true}},
	CHUNKED_HEAD "5\r\nhello\r\n[end]"},
    {.claim = "an empty body has only a last chunk",
	{.framing = SERVER_CHUNKED},
	CHUNKED_HEAD "0\r\n\r\n[end]"},
    {.claim = "both framings may be said",
	{.body = "hello", .framing = SERVER_CHUNKED, .length = "3"},
	OPEN_HEAD "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
		  "5\r\nhello\r\n0\r\n\r\n[end]"},
    {.claim = "something may come behind an answer",
	{.body = "hello", .after = {"HTTP/1.1 200 OK\r\n", 17}},
	HELLO_HEAD "\r\nhelloHTTP/1.1 200 OK\r\n[end]"},
    {.claim = "raw bytes are all that is sent",
	{.raw = {"hello", 5}, .body = "not this"},
	"hello[end]"},

    {.claim = "interim responses come first",
	{.body = "hello", .interims = 2, .interim_status = 100},
	"HTTP/1.1 100 Interim\r\n\r\nHTTP/1.1 100 Interim\r\n\r\n" HELLO_HEAD
	"\r\nhello[end]"},
    {.claim = "headers come by count and size",
	{.body = "hello", .extra_count = 2, .extra_size = 3},
	HELLO_HEAD "X-Extra: xxx\r\nX-Extra: xxx\r\n\r\nhello[end]"},

    {.claim = "a head may come late",
	{.body = "hello", .head_pace = {.delay_ms = 50}},
	"[50]" HELLO_HEAD "\r\nhello[end]"},
    {.claim = "a body may come late",
	{.body = "hello", .body_pace = {.delay_ms = 50}},
	HELLO_HEAD "\r\n[50]hello[end]"},
    {.claim = "a body may come in pieces, and no pause follows the last",
	{.body = "hello", .body_pace = {.piece = 2, .pause_ms = 9}},
	HELLO_HEAD "\r\nhe[9]ll[9]o[end]"},
    {.claim = "a head may come in pieces",
	{.raw = {"hello", 5}, .head_pace = {.piece = 2, .pause_ms = 9}},
	"he[9]ll[9]o[end]"},
    {.claim = "chunks may come in pieces",
	{.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.size = 3},
	    .body_pace = {.piece = 2, .pause_ms = 9}},
	CHUNKED_HEAD "3\r\nhe[9]l\r\n2\r\nl[9]o\r\n0[9]\r\n[9]\r\n[end]"},
    {.claim = "no pause is made before a body that there is not",
	{.status = 304, .body_pace = {.delay_ms = 50}},
	"HTTP/1.1 304 Not Modified\r\n\r\n[end]"},

    {.claim = "it may break before anything is said",
	{.body = "hello", .fault = {SERVER_CLOSE, SERVER_BEFORE, 0}},
	"[break]"},
    {.claim = "but not before the delay",
	{.body = "hello",
	    .head_pace = {.delay_ms = 5},
	    .fault = {SERVER_CLOSE, SERVER_BEFORE, 0}},
	"[5][break]"},
    {.claim = "it may break in its head",
	{.body = "hello", .fault = {SERVER_CLOSE, SERVER_IN_HEAD, 8}},
	"HTTP/1.1[break]"},
    {.claim = "or at the end of it, where that comes first",
	{.raw = {"ab", 2}, .fault = {SERVER_CLOSE, SERVER_IN_HEAD, 8}},
	"ab[break]"},
    {.claim = "it may break in its body",
	{.body = "hello", .fault = {SERVER_CLOSE, SERVER_IN_BODY, 2}},
	HELLO_HEAD "\r\nhe[break]"},
    {.claim = "at its beginning too",
	{.body = "hello", .fault = {SERVER_CLOSE, SERVER_IN_BODY, 0}},
	HELLO_HEAD "\r\n[break]"},
    {.claim = "it may break in a chunk",
	{.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.size = 3},
	    .fault = {SERVER_CLOSE, SERVER_IN_BODY, 2}},
	CHUNKED_HEAD "3\r\nhe[break]"},
    {.claim = "between two chunks",
	{.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .chunks = {.size = 3},
	    .fault = {SERVER_CLOSE, SERVER_IN_BODY, 3}},
	CHUNKED_HEAD "3\r\nhel\r\n[break]"},
    {.claim = "and before the last",
	{.body = "hello",
	    .framing = SERVER_CHUNKED,
	    .fault = {SERVER_CLOSE, SERVER_BEFORE_END, 0}},
	CHUNKED_HEAD "5\r\nhello\r\n[break]"},
    {.claim = "a break past the end of a body comes at the end",
	{.body = "hello", .fault = {SERVER_CLOSE, SERVER_IN_BODY, 99}},
	HELLO_HEAD "\r\nhello[break]"},
};

/* All of a stream, in pieces of at most that many bytes, as text. */
static void play(const struct row *row, size_t most, struct pv_buf *text)
{
	struct stream stream;
	uint32_t pause_ms = 0;
	enum stream_next next = STREAM_MORE;
	stream_init(&stream);
	stream_begin(&stream, &row->answer, row->is_head);
	while (next == STREAM_MORE || next == STREAM_PAUSE) {
		next = stream_fill(&stream, text, most, &pause_ms);
		if (next == STREAM_PAUSE)
			pv_buf_append_format(text, "[%u]", pause_ms);
	}
	pv_buf_append_text(text, next == STREAM_END ? "[end]" : "[break]");
	stream_finish(&stream);
}

static void test_rows(void)
{
	struct pv_buf text;
	struct pv_buf slowly;
	pv_buf_init(&text, 1 << 16);
	pv_buf_init(&slowly, 1 << 16);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		pv_buf_clear(&text);
		pv_buf_clear(&slowly);
		play(&rows[i], 1 << 15, &text);
		play(&rows[i], 1, &slowly);
		is_text(pv_buf_str(&text), rows[i].wanted, "%s", rows[i].claim);
		is_text(pv_buf_str(&slowly), rows[i].wanted,
		    "%s, however little is sent at a time", rows[i].claim);
	}
	pv_buf_finish(&text);
	pv_buf_finish(&slowly);
}

/* The bytes of what has no end, from the stream's beginning. */
static void begin_of(
    const struct server_answer *answer, size_t len, struct pv_buf *text)
{
	struct stream stream;
	uint32_t pause_ms;
	stream_init(&stream);
	stream_begin(&stream, answer, false);
	while (text->len < len &&
	       stream_fill(&stream, text, 4096, &pause_ms) == STREAM_MORE)
		continue;
	stream_finish(&stream);
}

static void test_endless(void)
{
	static const struct server_answer answers[] = {
	    {.kind = SERVER_PATTERN, .size = SERVER_ENDLESS},
	    {.kind = SERVER_ZEROS,
		.size = SERVER_ENDLESS,
		.framing = SERVER_CHUNKED},
	    {.extra_count = SERVER_ENDLESS},
	    {.interims = SERVER_ENDLESS},
	};
	static const char *const names[] = {
	    "a body", "a chunked body", "headers", "interim responses"};
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		struct pv_buf text;
		pv_buf_init(&text, 1 << 24);
		begin_of(&answers[i], 1000000, &text);
		ok(text.len >= 1000000, "%s may have no end", names[i]);
		pv_buf_finish(&text);
	}
}

static bool is_pattern_from(uint64_t from)
{
	struct pv_buf text;
	bool is_pattern = true;
	pv_buf_init(&text, 1 << 24);
	begin_of(
	    &(struct server_answer){
		.kind = SERVER_PATTERN, .size = 100000, .from = from},
	    1 << 24, &text);
	size_t head = text.len - 100000;
	for (size_t i = 0; i < 100000; i++)
		is_pattern = is_pattern &&
			     text.ptr[head + i] == server_pattern_at(from + i);
	pv_buf_finish(&text);
	return is_pattern;
}

static void test_pattern(void)
{
	ok(is_pattern_from(0), "a long body is of the pattern throughout");
	ok(is_pattern_from(1) && is_pattern_from(64) && is_pattern_from(100063),
	    "wherever in it it begins");
}

static void test_flood(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 24);
	begin_of(
	    &(struct server_answer){.extra_count = 1, .extra_size = 1 << 20},
	    1 << 24, &text);
	ok(text.len > 1 << 20 && text.len < (1 << 20) + 200,
	    "one header may be a megabyte");
	pv_buf_clear(&text);
	begin_of(
	    &(struct server_answer){.extra_count = 100000, .extra_size = 3},
	    1 << 24, &text);
	ok(text.len > 1400000 && text.len < 1400200,
	    "there may be a hundred thousand of them");
	pv_buf_finish(&text);
}

int main(void)
{
	test_rows();
	test_endless();
	test_pattern();
	test_flood();
	return tap_done();
}
