#include "web/words.h"

#include "tap.h"

static const struct {
	uint64_t count;
	const char *text;
	const char *size;
} numbers[] = {
    {0, "0", "0 bytes"},
    {1, "1", "1 byte"},
    {999, "999", "999 bytes"},
    {1000, "1,000", "1,000 bytes"},
    {1536, "1,536", "1.5 KiB"},
    {1048576, "1,048,576", "1.0 MiB"},
    {35861299, "35,861,299", "34.2 MiB"},
    {UINT64_MAX, "18,446,744,073,709,551,615", "16384.0 PiB"},
};

static void is_words(struct pv_words words, const char *text, const char *claim)
{
	is_text(pv_str_of(words.text), text, "%s", claim);
}

static void test_numbers(void)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		uint64_t count = numbers[i].count;
		is_words(pv_words_count(count), numbers[i].text, "a count");
		is_words(pv_words_size(count), numbers[i].size, "a size");
	}
}

static void test_time(void)
{
	is_words(pv_words_time(INT64_C(1772357400250)),
	    "<time datetime=\"2026-03-01T09:30:00.250Z\">2026-03-01 09:30 "
	    "UTC</time>",
	    "a time is told to the minute, and for programs");
}

static void test_status(void)
{
	ok(strcmp(pv_words_status(404), "not found") == 0 &&
		strcmp(pv_words_status(503), "service unavailable") == 0,
	    "a status has its words");
	ok(!*pv_words_status(499) && !*pv_words_status(0),
	    "a number that says nothing has none");
}

static void test_directory(void)
{
	static const char *const cases[][2] = {
	    {"o", "o"},
	    {"/a/b_c-d.e", "/a/b_c-d.e"},
	    {"a b", "&#39;a b&#39;"},
	    {"-o", "./-o"},
	    {"", "&#39;&#39;"},
	    {"it's", "&#39;it&#39;\\&#39;&#39;s&#39;"},
	    {"<b>&", "&#39;&lt;b&gt;&amp;&#39;"},
	};
	struct pv_buf page;
	pv_buf_init(&page, 4096);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_buf_clear(&page);
		pv_words_directory(&page, cases[i][0]);
		is_text(pv_buf_str(&page), cases[i][1],
		    "a directory is a word of a shell: %s", cases[i][0]);
	}
	pv_buf_finish(&page);
}

int main(void)
{
	test_numbers();
	test_time();
	test_status();
	test_directory();
	return tap_done();
}
