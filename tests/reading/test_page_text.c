#include "reading/page_text.h"

#include "policy/loaded.h"

/* A policy's max_page is 64 KiB at least: what stands before is all "x". */
#define BYTES_MAX 65536

static const char policy[] = "version: 1\n"
			     "seeds: [\"http://127.0.0.1/\"]\n"
			     "pages: {p: {match: {path: /}, fields: {t: h1}}}\n"
			     "output: {fields: {max_page: 64KiB}}\n";

/* The end of a page, which has so many bytes more than are read, and the end of
 * its text. */
static const struct {
	const char *claim;
	const char *encoding; /* "": unknown */
	struct pv_str end;
	size_t more;
	const char *text;
} cases[] = {
    {"a page that is just short enough is read whole", "utf-8",
	PV_STR("a\u00e9"), 0, "xa\u00e9"},
    {"one byte more is too many", "utf-8", PV_STR("ab"), 1, "xa"},
    {"of UTF-8 no half character is left", "utf-8", PV_STR("a\u00e9"), 1,
	"xxa"},
    {"nor a quarter", "utf-8", PV_STR("a\U0001f600"), 3, "xxxa"},
    {"nor where something else is no UTF-8", "utf-8",
	PV_STR("\xff"
	       "a\U0001f600b"),
	2, "xxx\ufffda"},
    {"of two bytes of Shift_JIS none is left", "shift_jis",
	PV_STR("\x83\x5c\x83\x5c"), 1, "x\u30bd"},
    {"of one byte each all are left", "latin1", PV_STR("\xe9\xe9\xe9"), 1,
	"x\u00e9\u00e9"},
    {"in an unknown encoding bytes stay", "", PV_STR("a\xc3\xa9"), 1, "xa\xc3"},
};

static void try_case(size_t i, struct pv_page_text *text)
{
	struct pv_buf page;
	pv_buf_init(&page, 2 * BYTES_MAX);
	while (page.len + cases[i].end.len < BYTES_MAX + cases[i].more)
		pv_buf_append_char(&page, 'x');
	pv_buf_append(&page, cases[i].end);
	pv_page_text_read(text, pv_encoding_find(pv_str_of(cases[i].encoding)),
	    pv_buf_str(&page));
	ok(pv_str_ends(text->text, pv_str_of(cases[i].text)) &&
		text->is_cut == (cases[i].more > 0),
	    "%s", cases[i].claim);
	pv_buf_finish(&page);
}

/* It has half as many bytes afterwards, and has been cut all the same. */
static void test_wide(struct pv_page_text *text)
{
	struct pv_buf page;
	pv_buf_init(&page, 2 * BYTES_MAX);
	for (unsigned i = 0; i < BYTES_MAX / 2 + 1; i++)
		pv_buf_append(&page, PV_STR("x\0"));
	pv_page_text_read(
	    text, pv_encoding_find(PV_STR("utf-16le")), pv_buf_str(&page));
	ok(text->is_cut && text->text.len == BYTES_MAX / 2,
	    "P4: a page that is shorter in UTF-8 is known to be cut");
	pv_buf_finish(&page);
}

int main(void)
{
	struct loaded loaded = load_text(policy);
	struct pv_page_text text;
	if (ok(is_right(&loaded), "the policy is right")) {
		pv_page_text_init(&text, loaded.policy);
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
			try_case(i, &text);
		test_wide(&text);
		pv_page_text_finish(&text);
	}
	loaded_finish(&loaded);
	return tap_done();
}
