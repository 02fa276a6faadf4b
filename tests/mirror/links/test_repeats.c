#include "mirror/links/repeats.h"

#include <stdlib.h>

#include "tap.h"

#define PLACE PV_STR("http://a.example/d/\nsite/a.example/d/")
#define OTHER PV_STR("http://a.example/e/\nsite/a.example/e/")

/* Longer than what is kept. */
#define LONG 500

/* A page with one link or more, read as any other. */
struct desk {
	struct pv_repeats *repeats;
	struct pv_str place;
	struct pv_links links;
	struct pv_buf page;
	struct pv_buf text;
};

static void open_desk(struct desk *desk)
{
	desk->repeats = pv_repeats_create();
	pv_links_init(&desk->links, 100, 10000);
	pv_buf_init(&desk->page, 10000);
	pv_buf_init(&desk->text, 10000);
	desk->place = PLACE;
}

static void close_desk(struct desk *desk)
{
	pv_repeats_destroy(desk->repeats);
	pv_links_finish(&desk->links);
	pv_buf_finish(&desk->page);
	pv_buf_finish(&desk->text);
}

static const struct pv_page_link *read_page(
    struct desk *desk, struct pv_str page)
{
	const struct pv_page_facts facts = {.is_xml = false};
	pv_buf_clear(&desk->page);
	pv_buf_append(&desk->page, page);
	pv_links_read(&desk->links, pv_buf_str(&desk->page), &facts);
	pv_repeats_turn(desk->repeats, desk->place, desk->links.count);
	return desk->links.count ? &desk->links.items[0] : NULL;
}

static const struct pv_page_link *link_of(struct desk *desk, const char *value)
{
	struct pv_buf page;
	pv_buf_init(&page, 10000);
	pv_buf_append_format(&page, "<a href=\"%s\">", value);
	const struct pv_page_link *link = read_page(desk, pv_buf_str(&page));
	pv_buf_finish(&page);
	return link;
}

static struct pv_repeat *get(struct desk *desk, const char *value)
{
	return pv_repeats_get(desk->repeats, link_of(desk, value));
}

static bool is_known(struct desk *desk, const char *value)
{
	struct pv_repeat *repeat = get(desk, value);
	return repeat && repeat->is_known;
}

/* What came of a link; false if it cannot be kept at all. */
static bool keep(
    struct desk *desk, const char *value, int outcome, const char *written)
{
	const struct pv_page_link *link = link_of(desk, value);
	struct pv_repeat *repeat = pv_repeats_get(desk->repeats, link);
	if (!repeat)
		return false;
	pv_repeat_keep(repeat, outcome, link, pv_str_of(written));
	return true;
}

/* What is written for a link; "" if nobody knows. */
static struct pv_str write_link(struct desk *desk, const char *value)
{
	const struct pv_page_link *link = link_of(desk, value);
	struct pv_repeat *repeat = pv_repeats_get(desk->repeats, link);
	pv_buf_clear(&desk->text);
	if (repeat && repeat->is_known)
		pv_repeat_write(repeat, link, &desk->text);
	return pv_buf_str(&desk->text);
}

static void test_keeping(struct desk *desk)
{
	ok(get(desk, "b.html") && !is_known(desk, "b.html"),
	    "of a link that was not there before nothing is known");
	keep(desk, "b.html", 3, "b%5E.html");
	ok(is_known(desk, "b.html") && get(desk, "b.html")->outcome == 3,
	    "of one that was, what became of it is");
	is_text(write_link(desk, "b.html"), "b%5E.html", "word for word");
	ok(!is_known(desk, "b.htm") && !is_known(desk, "b.html2"),
	    "of another nothing is");
	keep(desk, "b.html", 4, "c.html");
	ok(get(desk, "b.html")->outcome == 4, "the last word counts");
	is_text(write_link(desk, "b.html"), "c.html", "of two");
}

static void test_fragments(struct desk *desk)
{
	keep(desk, "f.html#one", 3, "f%5E.html#one");
	is_text(write_link(desk, "f.html#two"), "f%5E.html#two",
	    "each keeps the part that it leads to");
	is_text(write_link(desk, "f.html"), "f%5E.html", "or none");
	is_text(write_link(desk, "f.html#"), "f%5E.html#", "or one of no name");
	keep(desk, "g.html", 3, "g%5E.html");
	is_text(write_link(desk, "g.html#x#y"), "g%5E.html#x#y",
	    "from its first mark on");
	keep(desk, "h.html#x", 3, "h%5E.html#elsewhere");
	ok(!is_known(desk, "h.html#x") && !is_known(desk, "h.html"),
	    "one that came to another part is not kept");
	keep(desk, "h.html#x", 3, "h%5E.html");
	ok(!is_known(desk, "h.html#x") && !is_known(desk, "h.html"),
	    "nor one that came to none");
}

static void test_places(struct desk *desk)
{
	keep(desk, "p.html", 3, "here.html");
	desk->place = OTHER;
	ok(!is_known(desk, "p.html"), "elsewhere nothing is known of it");
	keep(desk, "p.html", 3, "there.html");
	is_text(write_link(desk, "p.html"), "there.html",
	    "until it comes there, too");
	desk->place = PLACE;
	is_text(write_link(desk, "p.html"), "here.html",
	    "which changes nothing here");
	desk->place = PV_STR("");
	ok(!get(desk, "p.html"),
	    "and where nobody knows the place nothing comes again");
	desk->place = PLACE;
}

static const struct {
	const char *claim;
	const char *page;
} odd[] = {
    {"a query alone", "<a href=\"?a=b\">"},
    {"nothing", "<a href=\"\">"},
    {"a part of the page itself", "<a href=\"#part\">"},
    {"what is escaped as in HTML", "<a href=\"b?c&amp;d\">"},
    {"or might be", "<a href=\"b?c&d\">"},
    {"what is escaped as in addresses", "<a href=\"b%20c\">"},
    {"a space", "<a href=\" b\">"},
    {"other bytes", "<a href=\"\xc3\xa4\">"},
    {"a fragment of other bytes", "<a href=\"b#\xc3\xa4\">"},
    {"a backslash", "<a href=\"b\\c\">"},
    {"one of several", "<img srcset=\"b 1x, c 2x\">"},
    {"one in a text", "<meta http-equiv=refresh content=\"1; url=b\">"},
    {"one of a style", "<p style=\"background:url(b)\">"},
    {"one of a sheet", "<style>p{background:url(b)}</style>"},
};

static void test_odd(struct desk *desk)
{
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		const struct pv_page_link *link =
		    read_page(desk, pv_str_of(odd[i].page));
		ok(link && !pv_repeats_get(desk->repeats, link),
		    "never the same again: %s", odd[i].claim);
	}
	ok(get(desk, "/A-z_0.9~/b=c?d=e:f#g=h"), "while this may be");
}

static void test_lengths(struct desk *desk)
{
	char text[LONG + 1];
	memset(text, 'x', LONG);
	text[LONG] = '\0';
	ok(!get(desk, text), "a link that is too long is not kept");
	ok(keep(desk, "l.html", 3, text) && !is_known(desk, "l.html"),
	    "nor one that would become so");
	desk->place = pv_str_of(text);
	ok(!get(desk, "l.html"), "nor one of such a place");
	desk->place = PLACE;
	ok(keep(desk, "l.html", 3, "m.html"), "the next is, however");
	is_text(write_link(desk, "l.html"), "m.html", "as ever");
	text[100] = '#';
	keep(desk, text, 3, text);
	ok(is_known(desk, text), "and a fragment may be of any length");
}

/* Of so many links a few take each other's place. Whoever asks for one that is
 * not known makes room for it, so the last are asked for first. */
static void test_forgetting(struct desk *desk)
{
	char value[32];
	unsigned known = 0;
	unsigned wrong = 0;
	keep(desk, "first.html", 3, "kept.html");
	for (unsigned i = 0; i < 40000; i++) {
		snprintf(value, sizeof(value), "n%u.html", i);
		keep(desk, value, 3, value);
	}
	ok(!is_known(desk, "first.html"),
	    "what was not asked for is forgotten");
	for (unsigned i = 40000; i-- > 0;) {
		snprintf(value, sizeof(value), "n%u.html", i);
		struct pv_str text = write_link(desk, value);
		known += text.len > 0;
		wrong += text.len && !pv_str_equal(text, pv_str_of(value));
	}
	ok(known > 100 && known < 40000 && wrong == 0,
	    "and never taken for another (%u known, %u wrong)", known, wrong);
}

static void test_many_places(struct desk *desk)
{
	char place[32];
	unsigned wrong = 0;
	for (unsigned i = 0; i < 40000; i++) {
		snprintf(place, sizeof(place), "place %u", i);
		desk->place = pv_str_of(place);
		wrong += is_known(desk, "same.html");
		keep(desk, "same.html", 3, place);
	}
	ok(wrong == 0, "of however many places each is another (%u)", wrong);
	desk->place = PLACE;
}

int main(void)
{
	struct desk desk;
	open_desk(&desk);
	test_keeping(&desk);
	test_fragments(&desk);
	test_places(&desk);
	test_odd(&desk);
	test_lengths(&desk);
	test_forgetting(&desk);
	test_many_places(&desk);
	close_desk(&desk);
	return tap_done();
}
