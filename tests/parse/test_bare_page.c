#include "parse/bare_page.h"

#include "tap.h"

static const struct {
	const char *claim;
	const char *page;
	bool is_bare;
} pages[] = {
    {"a page that a script makes",
	"<!DOCTYPE html><html><head><title>A long title that nobody sees in "
	"the page</title><style>p{color:red;background:url(a-long-name)}"
	"</style><script src=app.js></script></head><body><div id=root></div>"
	"<noscript>You need to enable scripts to run this.</noscript></body>",
	true},
    {"with a word of waiting",
	"<body><div>Loading...</div><script>let a = '<img>' + 1;</script>",
	true},
    {"with a comment",
	"<!-- <a href=x> a comment that is long enough to be a text -->"
	"<script src=x></SCRIPT >",
	true},
    {"without a script it is what it is", "<p>", false},
    {"words are something",
	"<script></script><p>Forty characters are more than a word of "
	"waiting.",
	false},
    {"so is a picture", "<script></script><img src=x>", false},
    {"or a link", "<script></script><A HREF=x></a>", false},
    {"or a form", "<script></script><form><input></form>", false},
    {"what stands in quotes is none",
	"<script></script><div data-x='<img>' title=\"<a>\"></div>", true},
    {"a script without an end hides the rest", "<script><a href=x>", true},
    {"an empty page has no script", "", false},
    {"nor has half a tag", "<scr", false},
    {"half a comment", "<script></script><!-- <a>", true},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		ok(pv_page_is_bare(pv_str_of(pages[i].page)) ==
			pages[i].is_bare,
		    "%s: %s", pages[i].claim,
		    pages[i].is_bare ? "bare" : "not bare");
	return tap_done();
}
