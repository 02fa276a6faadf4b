#include "base/buf.h"

#include <stdint.h>
#include <stdlib.h>

#include "no_memory.h"
#include "tap.h"

static void test_empty(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 10);
	is_text(pv_buf_str(&buf), "", "a new buffer is empty");
	is_text(pv_str_of(pv_buf_text(&buf)), "", "and empty as C text");
	ok(pv_buf_append(&buf, (struct pv_str){NULL, 0}), "no text fits");
	ok(pv_buf_append_text(&buf, ""), "empty text fits");
	ok(pv_buf_append_format(&buf, "%s", ""), "an empty format fits");
	is_text(pv_str_of(pv_buf_text(&buf)), "", "it is empty still");
	pv_buf_finish(&buf);
	pv_buf_finish(&buf);
	ok(!buf.ptr && buf.ceiling == 10, "it may be finished twice");
}

/* Each way to append `text`. */
static bool by_str(struct pv_buf *buf, const char *text)
{
	return pv_buf_append(buf, pv_str_of(text));
}

static bool by_char(struct pv_buf *buf, const char *text)
{
	bool is_whole = true;
	while (*text && is_whole)
		is_whole = pv_buf_append_char(buf, *text++);
	return is_whole;
}

static bool by_format(struct pv_buf *buf, const char *text)
{
	return pv_buf_append_format(buf, "%s", text);
}

static bool by_reserve(struct pv_buf *buf, const char *text)
{
	size_t len = strlen(text);
	char *room = pv_buf_reserve(buf, len);
	if (!room)
		return false;
	memcpy(room, text, len);
	buf->len += len;
	return true;
}

static const struct way {
	const char *name;
	bool (*append)(struct pv_buf *, const char *text);
} ways[] = {
    {"text", pv_buf_append_text},
    {"str", by_str},
    {"char", by_char},
    {"format", by_format},
    {"reserve", by_reserve},
};

static void test_ceiling(const struct way *way)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 5);
	ok(way->append(&buf, "abc") && way->append(&buf, "de") && !buf.is_full,
	    "%s: the ceiling can be reached exactly", way->name);
	ok(buf.size == 6, "%s: nothing is allocated beyond it", way->name);
	ok(!way->append(&buf, "f") && buf.is_full,
	    "%s: one byte more is refused, and that is remembered", way->name);
	is_text(
	    pv_buf_str(&buf), "abcde", "%s: what was there stays", way->name);
	ok(pv_buf_text(&buf)[5] == '\0', "%s: a NUL follows", way->name);
	pv_buf_clear(&buf);
	ok(buf.len == 0 && !buf.is_full && pv_buf_text(&buf)[0] == '\0',
	    "%s: cleared, it is empty and no longer full", way->name);
	ok(way->append(&buf, "vwxyz"), "%s: cleared, it can be filled again",
	    way->name);
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 0);
	ok(way->append(&buf, "") && !way->append(&buf, "a"),
	    "%s: a ceiling of 0 lets nothing in", way->name);
	pv_buf_finish(&buf);
}

static void test_refused_whole(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 5);
	pv_buf_append_text(&buf, "abc");
	ok(!pv_buf_append_text(&buf, "def"), "three bytes do not fit into two");
	is_text(pv_buf_str(&buf), "abc", "none of them is taken");
	ok(!pv_buf_append_format(&buf, "%d", 100), "nor do three digits");
	is_text(pv_buf_str(&buf), "abc", "none of them is taken either");
	ok(pv_buf_append_text(&buf, "de") && buf.is_full,
	    "what fits is taken later, and the refusal is not forgotten");
	pv_buf_finish(&buf);
}

static void test_growing(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100000);
	for (int i = 0; i < 100000; i++)
		pv_buf_append_char(&buf, (char)('a' + i % 26));
	bool is_kept = buf.len == 100000 && buf.ptr[buf.len] == '\0';
	for (int i = 0; i < 100000; i++)
		is_kept = is_kept && buf.ptr[i] == (char)('a' + i % 26);
	ok(is_kept, "bytes keep their places while the buffer grows");
	ok(buf.size <= 100001, "no more is allocated than the ceiling needs");
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 100);
	ok(pv_buf_append(&buf, PV_STR("a\0b")) && pv_buf_append_char(&buf, 0),
	    "NUL is a byte like others");
	ok(pv_str_equal(pv_buf_str(&buf), PV_STR("a\0b\0")),
	    "NUL bytes are kept");
	pv_buf_finish(&buf);
}

static void test_reserving(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 1000);
	ok(pv_buf_reserve(&buf, 10) != NULL, "there is room");
	is_text(pv_str_of(pv_buf_text(&buf)), "",
	    "room that was not used is not part of the text");
	memset(pv_buf_reserve(&buf, 10), 'x', 4);
	buf.len += 4;
	is_text(pv_str_of(pv_buf_text(&buf)), "xxxx",
	    "a NUL follows what was used of it");
	memset(pv_buf_reserve(&buf, 996), 'y', 996);
	ok(pv_buf_text(&buf)[4] == 'y', "the room stands after the text");
	ok(pv_buf_text(&buf)[1000] == '\0',
	    "a NUL follows the room, even at the ceiling");
	ok(!pv_buf_reserve(&buf, 997) && buf.is_full,
	    "there is no room past the ceiling");
	pv_buf_finish(&buf);
}

static void test_cutting(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 5);
	pv_buf_cut(&buf, 0);
	is_text(pv_buf_str(&buf), "", "an empty buffer can be cut");
	pv_buf_append_text(&buf, "abcde");
	pv_buf_append_text(&buf, "f");
	pv_buf_cut(&buf, 6);
	pv_buf_cut(&buf, 5);
	is_text(pv_buf_str(&buf), "abcde", "at or past its end nothing is cut");
	pv_buf_cut(&buf, 2);
	is_text(pv_str_of(pv_buf_text(&buf)), "ab", "before it, the rest is");
	ok(buf.is_full && pv_buf_append_text(&buf, "xyz"),
	    "there is room again, and the refusal is not forgotten");
	pv_buf_finish(&buf);
}

static void test_taking(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 10);
	char *taken = pv_buf_take(&buf);
	is_text(pv_str_of(taken), "", "an empty buffer gives empty text");
	free(taken);
	pv_buf_append_text(&buf, "hello");
	taken = pv_buf_take(&buf);
	is_text(pv_str_of(taken), "hello", "the text can be taken");
	is_text(pv_buf_str(&buf), "", "then the buffer is empty");
	ok(pv_buf_append_text(&buf, "0123456789") &&
		!pv_buf_append_char(&buf, 'a'),
	    "and keeps its ceiling");
	pv_buf_finish(&buf);
	free(taken);
}

static void append_size(void *ctx)
{
	struct pv_buf *buf = ctx;
	pv_buf_reserve(buf, TOO_MUCH / 2);
}

static void test_no_ceiling(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, SIZE_MAX);
	ok(pv_buf_append_text(&buf, "abc") && buf.size > 3,
	    "the largest ceiling is a ceiling");
	ok(!pv_buf_reserve(&buf, SIZE_MAX) && buf.is_full,
	    "sizes that would overflow are over it");
	ok(!pv_buf_reserve(&buf, SIZE_MAX - 3) && buf.is_full,
	    "with their NUL, too");
	ok(runs_out(append_size, &buf), "what no system has is not there");
	is_text(pv_buf_str(&buf), "abc", "what was there stays");
	pv_buf_finish(&buf);
}

/* RFC 4648, 10, and what is none. */
static void test_base64(void)
{
	static const struct {
		const char *bytes;
		const char *text;
	} rows[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"},
	    {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="},
	    {"foobar", "Zm9vYmFy"}};
	static const char *const none[] = {"Zg", "Zg=", "Zg= =", "Zm9v Zm9v",
	    "====", "Z===", "Zm9v=Zm9", "Zm9_", "Zm9v\n", "Zg==Zg=="};
	struct pv_buf buf;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		pv_buf_init(&buf, 20);
		pv_buf_append_base64(&buf, pv_str_of(rows[i].bytes));
		is_text(pv_buf_str(&buf), rows[i].text,
		    "\"%s\" is written in base 64", rows[i].bytes);
		pv_buf_clear(&buf);
		bool is_read =
		    pv_buf_append_from_base64(&buf, pv_str_of(rows[i].text));
		is_text(pv_buf_str(&buf), rows[i].bytes, "and read again");
		ok(is_read && pv_buf_text(&buf)[buf.len] == '\0',
		    "which is said to be right, and ends with a NUL");
		pv_buf_finish(&buf);
	}
	pv_buf_init(&buf, 4);
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		ok(!pv_buf_append_from_base64(&buf, pv_str_of(none[i])) &&
			!buf.len,
		    "what is not base 64 is refused: %s", none[i]);
	ok(!pv_buf_append_from_base64(&buf, PV_STR("Zm9vYmFy")) && !buf.len,
	    "and what has no room");
	pv_buf_finish(&buf);
}

int main(void)
{
	test_empty();
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		test_ceiling(&ways[i]);
	test_refused_whole();
	test_growing();
	test_reserving();
	test_cutting();
	test_taking();
	test_no_ceiling();
	test_base64();
	return tap_done();
}
