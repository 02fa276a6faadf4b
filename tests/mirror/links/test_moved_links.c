#include "mirror/links/moved_links.h"

#include "tap.h"

static bool finds(const struct pv_moved_links *moved, size_t *from, size_t link,
    const char *text, const char *named)
{
	return pv_str_equal(
	    pv_moved_links_find(moved, from, link, pv_str_of(text)),
	    pv_str_of(named));
}

int main(void)
{
	struct pv_moved_links moved;
	size_t from = 0;
	pv_moved_links_init(&moved);
	ok(finds(&moved, &from, 0, "a", ""), "where there are none is none");
	pv_moved_links_add(&moved, 3, PV_STR("a"), PV_STR("http://a/"));
	pv_moved_links_add(&moved, 7, PV_STR("b"), PV_STR("http://b/"));
	pv_moved_links_add(&moved, 7, PV_STR("c"), PV_STR("http://c/"));
	pv_moved_links_add(&moved, 9, PV_STR(""), PV_STR("http://d/"));
	is_text(pv_moved_links_text(&moved, 1), "b", "what a link says");
	is_text(pv_moved_links_named(&moved, 1), "http://b/", "and named");
	ok(finds(&moved, &from, 2, "a", ""), "another link named nothing");
	ok(finds(&moved, &from, 3, "a", "http://a/"),
	    "one is known by its number");
	ok(finds(&moved, &from, 3, "b", ""), "if it says what it said");
	ok(finds(&moved, &from, 7, "c", "http://c/") &&
		finds(&moved, &from, 7, "b", "http://b/"),
	    "or one of what it may say");
	ok(finds(&moved, &from, 9, "", "http://d/"), "be that nothing");
	ok(finds(&moved, &from, 12, "a", ""), "and behind the last is none");
	pv_moved_links_clear(&moved);
	from = 0;
	ok(finds(&moved, &from, 3, "a", ""), "nor are there any afterwards");
	pv_moved_links_finish(&moved);
	return tap_done();
}
