#include "parse/title.h"

#include "tap.h"

#define ROOM 40

static const struct {
	const char *claim;
	const char *page;
	const char *title; /* NULL: none */
} pages[] = {
    {"a title is read", "<html><head><title>Dances</title>", "Dances"},
    {"whatever its tag looks like", "<TITLE\nlang=en>Dances</TITLE >",
	"Dances"},
    {"white space is collapsed", "<title>\n  Two\t\n dances </title>",
	"Two dances"},
    {"references are read", "<title>Q&amp;A &#8212; &eacute;</title>",
	"Q&A — é"},
    {"markup in it is text", "<title><b>&lt;script&gt;</title>", "<b><script>"},
    {"of two the first counts", "<title>One</title><title>Two</title>", "One"},
    {"the title of a drawing is none of the page's",
	"<svg><title>Circle</title></svg><title>Page</title>", "Page"},
    {"nor is one in a comment or a script",
	"<!--<title>A</title>--><script>'<title>B</title>'</script>"
	"<title>C</title>",
	"C"},
    {"the page's encoding is minded",
	"<meta charset=windows-1252><title>caf\xe9 \x96 bar</title>",
	"café – bar"},
    {"UTF-8 stays what it is",
	"<meta charset=utf-8><title>Ταραντέλλα 舞</title>", "Ταραντέλλα 舞"},
    {"bytes that are no text become a replacement",
	"<meta charset=utf-8><title>a\xff"
	"b</title>",
	"a\xef\xbf\xbd"
	"b"},
    {"marks that turn the direction of writing are spaces",
	"<meta charset=utf-8><title>a\xe2\x80\xae"
	"b&#x202e;c&#x2066;d</title>",
	"a b c d"},
    {"so are controls", "<title>a&#27;[31m&#7;b\x1b[0m&#x85;c</title>",
	"a [31m b [0m…c"},
    {"and the one that deletes",
	"<title>a\x7f"
	"b&#127;c</title>",
	"a b c"},
    {"what is too long is cut between two characters",
	"<meta charset=utf-8><title>ééééééééééééééééééééééééé</title>",
	"éééééééééééééééééé…"},
    {"a title that has no end is cut, too",
	"<title>01234567890123456789012345678901234567890123456789",
	"0123456789012345678901234567890123456…"},
    {"an empty one is none", "<title> &nbsp;&#x200b; </title>", NULL},
    {"a page without one has none", "<p>title</p>", NULL},
    {"nor has half a tag", "<titl", NULL},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		struct pv_buf title;
		pv_buf_init(&title, ROOM);
		bool is_read = pv_title_read(pv_str_of(pages[i].page), &title);
		const char *wanted = pages[i].title ? pages[i].title : "";
		is_text(pv_buf_str(&title), wanted, "%s", pages[i].claim);
		if (is_read != (pages[i].title != NULL) || title.is_full)
			ok(false, "%s: as it says", pages[i].claim);
		pv_buf_finish(&title);
	}
	static const char wide[] = "\xff\xfe<\0t\0i\0t\0l\0e\0>\0a\0<\0";
	struct pv_buf title;
	pv_buf_init(&title, ROOM);
	ok(pv_title_read((struct pv_str){wide, sizeof(wide) - 1}, &title) &&
		pv_str_equal(pv_buf_str(&title), PV_STR("a<")),
	    "a page of two bytes a character is decoded first");
	pv_buf_finish(&title);
	return tap_done();
}
