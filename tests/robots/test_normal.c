#include "robots/normal.h"

#include "tap.h"

static const struct {
	const char *claim;
	const char *path;
	const char *normal;
} paths[] = {
    {"a plain path stays", "/a/b.html?c=d&e=f", "/a/b.html?c=d&e=f"},
    {"reserved characters stay", "/:?#[]@!$&'()+,;=", "/:?#[]@!$&'()+,;="},
    {"unreserved ones stay", "/-._~aZ0", "/-._~aZ0"},
    {"and are decoded", "/%2D%2e%5F%7e%61%5a%30", "/-._~aZ0"},
    {"reserved ones are not", "/%3a%2F%3f%23%5b%5d%40%21%26%28%29%2b%2c%3b%3d",
	"/%3A%2F%3F%23%5B%5D%40%21%26%28%29%2B%2C%3B%3D"},
    {"but for two", "/%24%27", "/$'"},
    {"an asterisk is always encoded", "/*%2a%2A", "/%2A%2A%2A"},
    {"bytes beyond ASCII are", "/\xc3\xa9\xff", "/%C3%A9%FF"},
    {"controls and blanks are", "/\x01 \x7f", "/%01%20%7F"},
    {"what no address holds is", "/\"<>\\^`{|}",
	"/%22%3C%3E%5C%5E%60%7B%7C%7D"},
    {"and stays so", "/%22%3c%3E%5C%5e%60%7b%7c%7d",
	"/%22%3C%3E%5C%5E%60%7B%7C%7D"},
    {"a percent sign that begins nothing is encoded", "/%/%a/%ag/%",
	"/%25/%25a/%25ag/%25"},
    {"and makes nothing of what follows", "/%%34%31", "/%2541"},
    {"one that is encoded stays", "/%2541", "/%2541"},
    {"nothing stays nothing", "", ""},
};

static const struct {
	const char *claim;
	const char *pattern;
	const char *normal;
} patterns[] = {
    {"an asterisk stays", "/a*b*", "/a*b*"},
    {"one that is encoded stays too", "/a%2ab", "/a%2Ab"},
    {"of several in a row one is left", "***/a**b**", "*/a*b*"},
    {"all else is as in a path", "/%7e\xc3\xa9*%2f", "/~%C3%A9*%2F"},
    {"it does not begin again after one", "/%*41", "/%25*41"},
};

static void test_paths(struct pv_buf *buf)
{
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		struct pv_str path = pv_str_of(paths[i].path);
		pv_buf_clear(buf);
		pv_robots_append_path(buf, path);
		is_text(pv_buf_str(buf), paths[i].normal, "%s", paths[i].claim);
		ok(!pv_robots_is_normal(path) ||
			pv_str_equal(path, pv_buf_str(buf)),
		    "and it was not taken for normal before");
	}
}

/* Every byte, alone and encoded. */
static void test_bytes(struct pv_buf *buf)
{
	int wrong = -1;
	for (int byte = 0; byte < 256; byte++) {
		char raw = (char)byte;
		char text[4];
		snprintf(text, sizeof(text), "%%%02x", (unsigned)byte);
		pv_buf_clear(buf);
		pv_robots_append_path(buf, (struct pv_str){&raw, 1});
		size_t half = buf->len;
		pv_robots_append_path(buf, pv_str_of(text));
		bool is_same = pv_str_equal(pv_str_from(pv_buf_str(buf), half),
		    pv_str_head(pv_buf_str(buf), half));
		bool is_reserved = byte && strchr(":/?#[]@!&()+,;=", byte);
		if (is_same == is_reserved)
			wrong = byte;
	}
	if (!ok(wrong < 0,
		"encoded and not, all bytes are the same but the reserved"))
		printf("# but not %d\n", wrong);
}

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	test_paths(&buf);
	test_bytes(&buf);
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		pv_buf_clear(&buf);
		pv_robots_append_pattern(&buf, pv_str_of(patterns[i].pattern));
		is_text(pv_buf_str(&buf), patterns[i].normal, "%s",
		    patterns[i].claim);
	}
	pv_buf_clear(&buf);
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 2);
	pv_robots_append_path(&buf, PV_STR("/\xff\xff\xff"));
	ok(buf.is_full && buf.len <= 2, "a ceiling is kept (P5)");
	pv_buf_finish(&buf);
	return tap_done();
}
