#include "server/floods/frames.h"

#include "tap.h"

/* Heads of requests, of RFC 7541, C.2 to C.4, and as libcurl sends them. */
struct head {
	const char *claim;
	struct pv_str block;
	uint8_t flags;
	bool is_for_root;
};

static const struct head heads[] = {
    {"a path of its own", PV_STR("\x04\x0c/sample/path"), 0, false},
    {"\"/\", and text as it is", PV_STR("\x82\x86\x84\x41\x0fwww.example.com"),
	0, true},
    {"\"/\", and text that is coded",
	PV_STR("\x82\x86\x84\x41\x8c\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90"
	       "\xf4\xff"),
	0, true},
    {"\"/index.html\"",
	PV_STR("\x82\x87\x85\x40\x01"
	       "a\x01"
	       "b"),
	0, false},
    {"a table of another size, then \"/\"", PV_STR("\x20\x82\x84"), 0, true},
    {"a size of several bytes, then \"/\"", PV_STR("\x3f\xe1\x1f\x82\x84"), 0,
	true},
    {"a priority before it", PV_STR("\0\0\0\0\x10\x82\x84"), FRAME_HAS_PRIORITY,
	true},
    {"a text that looks like it", PV_STR("\x82\x04\x02\x84\x84"), 0, false},
    {"a length beyond its end", PV_STR("\x82\x04\x7f\xff\xff\xff\xff\x7f\x84"),
	0, false},
    {"nothing", PV_STR(""), 0, false},
};

static void test_heads(void)
{
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		const struct head *head = &heads[i];
		struct frame frame = {
		    FRAME_HEADERS, head->flags, 1, head->block};
		ok(frame_asks_for_root(&frame) == head->is_for_root,
		    "%s: %s for \"/\"", head->claim,
		    head->is_for_root ? "it is" : "it is not");
	}
}

static void test_frames(void)
{
	struct frame frame = {FRAME_PING, FRAME_ACK, 7, PV_STR("12345678")};
	struct frame found;
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	frame_write(&frame, &buf);
	struct pv_str text = pv_buf_str(&buf);
	struct pv_str part = pv_str_head(text, text.len - 1);
	ok(!frame_take(&part, &found) && part.len == text.len - 1,
	    "a frame that is not whole is not taken");
	ok(frame_take(&text, &found) && !text.len && found.type == frame.type &&
		found.flags == frame.flags && found.stream == frame.stream &&
		pv_str_equal(found.payload, frame.payload),
	    "what is written is taken");
	pv_buf_finish(&buf);
}

int main(void)
{
	test_heads();
	test_frames();
	return tap_done();
}
