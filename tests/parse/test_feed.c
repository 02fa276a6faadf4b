#include "parse/feed.h"

#include "parse/xml_base.h"
#include "tap.h"

#define ADDRESS_LEN_MAX 2000
#define RSS(text) \
	PV_STR("<rss xmlns:a='http://www.w3.org/2005/Atom'>" text "</rss>")
#define ATOM(text) \
	PV_STR("<feed xmlns='http://www.w3.org/2005/Atom'>" text "</feed>")
#define RDF(text)                                                              \
	PV_STR("<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' " \
	       "xmlns='http://purl.org/rss/1.0/'>" text "</r:RDF>")

static void write_link(void *ctx, const struct pv_url *url, bool is_page)
{
	struct pv_buf *buf = ctx;
	pv_buf_append_text(buf, is_page ? "p " : "r ");
	pv_buf_append(buf, pv_url_text(url));
	pv_buf_append_char(buf, '\n');
}

static bool read_feed(
    struct pv_str file, struct pv_str charset, struct pv_buf *buf)
{
	struct pv_url address, room;
	pv_url_init(&address, ADDRESS_LEN_MAX);
	pv_url_init(&room, ADDRESS_LEN_MAX);
	pv_url_parse(&address, PV_STR("http://a.example/x/feed"));
	pv_buf_clear(buf);
	bool is_feed =
	    pv_feed_read(file, &address, charset, &room, write_link, buf);
	pv_url_finish(&room);
	pv_url_finish(&address);
	return is_feed;
}

static const struct {
	const char *claim;
	struct pv_str file;
	const char *links;
} feeds[] = {
    {"the links of a channel and of its items lead to pages",
	RSS("<channel><link>/</link><item><link> 1\n</link></item></channel>"),
	"p http://a.example/\np http://a.example/x/1\n"},
    {"so does a guid that is an address",
	RSS("<channel><item><guid>http://a.example/1</guid><guid "
	    "isPermaLink='false'>http://a.example/2</guid><guid>3</guid>"
	    "<guid isPermaLink='true'>http://a.example/4</guid></item>"
	    "</channel>"),
	"p http://a.example/1\np http://a.example/4\n"},
    {"so do comments and enclosures",
	RSS("<channel><item><comments>c</comments><enclosure url='e.mp3' "
	    "href='no'/></item></channel>"),
	"p http://a.example/x/c\np http://a.example/x/e.mp3\n"},
    {"a channel's image is a resource, and what it links to nothing new",
	RSS("<channel><image><url>i.png</url><link>l</link></image></channel>"),
	"r http://a.example/x/i.png\n"},
    {"links of Atom count in RSS, too",
	RSS("<channel><a:link rel='self' href='f'/><a:link rel='hub' "
	    "href='h'/></channel>"),
	"p http://a.example/x/f\n"},
    {"elsewhere the same names mean nothing",
	RSS("<link>1</link><channel><x><link>2</link></x><url>3</url>"
	    "<m:link xmlns:m='http://m.example/'>4</m:link></channel>"),
	""},
    {"in RSS 1.0 channel, items and image stand side by side",
	RDF("<channel><link>c</link></channel><image><url>i</url></image>"
	    "<item><link>1</link></item>"),
	"p http://a.example/x/c\nr http://a.example/x/i\n"
	"p http://a.example/x/1\n"},
    {"Atom's links lead to pages, or resources, or nowhere, by rel",
	ATOM("<link href='1'/><link rel='alternate' href='2'/><link rel='self' "
	     "href='3'/><link rel='NEXT' href='4'/><link rel='previous' "
	     "href='5'/><link rel='first' href='6'/><link rel='last' href='7'/>"
	     "<link rel='related' href='8'/><link rel='via' href='9'/>"
	     "<link rel='replies' href='a'/><link rel='enclosure' href='b'/>"
	     "<link rel='stylesheet' href='c'/><link rel='icon' href='d'/>"
	     "<link rel='edit' href='e'/><link rel='http://www.iana.org/"
	     "assignments/relation/via' href='f'/><link rel='' href='g'/>"),
	"p http://a.example/x/1\np http://a.example/x/2\n"
	"p http://a.example/x/3\np http://a.example/x/4\n"
	"p http://a.example/x/5\np http://a.example/x/6\n"
	"p http://a.example/x/7\np http://a.example/x/8\n"
	"p http://a.example/x/9\np http://a.example/x/a\n"
	"p http://a.example/x/b\nr http://a.example/x/c\n"
	"r http://a.example/x/d\np http://a.example/x/f\n"},
    {"logo and icon are resources, content elsewhere is a page",
	ATOM("<logo>l</logo><icon>i</icon><entry><content src='c'/></entry>"),
	"r http://a.example/x/l\nr http://a.example/x/i\n"
	"p http://a.example/x/c\n"},
    {"the nearest xml:base counts, itself relative to that around it",
	ATOM("<entry xml:base='/b/'><link href='1'/><content xml:base='c/' "
	     "src='2'/><link href='3'/></entry><link href='4'/>"),
	"p http://a.example/b/1\np http://a.example/b/c/2\n"
	"p http://a.example/b/3\np http://a.example/x/4\n"},
    {"under a base of another scheme nothing relative leads anywhere",
	ATOM("<entry xml:base='ftp://a.example/'><link href='1'/><link "
	     "href='http://b.example/'/></entry><link href='2'/>"),
	"p http://b.example/\np http://a.example/x/2\n"},
    {"a link to nothing, or to no web address, is none",
	ATOM("<link href=''/><link/><icon> </icon><link href='mailto:x'/>"),
	""},
    {"a link in which the XML is damaged is left out, others are not",
	ATOM("<link href='?a&b=1'/><link href='?a&amp;b'/><icon>a&b</icon>"
	     "<icon>c</icon>"),
	"p http://a.example/x/feed?a&b\nr http://a.example/x/c\n"},
};

static void check_others(struct pv_buf *buf)
{
	const struct pv_str plain = PV_STR("");
	ok(!read_feed(PV_STR("<urlset/>"), plain, buf) &&
		!read_feed(PV_STR("<!DOCTYPE rss><rss/>"), plain, buf) &&
		!read_feed(PV_STR("text"), plain, buf) &&
		!read_feed(PV_STR(""), plain, buf),
	    "what is no feed is told");
	ok(read_feed(RSS("<channel><link>/\xe9</link></channel>"),
	       PV_STR("iso-8859-1"), buf),
	    "a feed is one, whatever is in it");
	is_text(pv_buf_str(buf), "p http://a.example/%C3%A9\n",
	    "the header's charset counts");
}

static void check_ceilings(struct pv_buf *buf)
{
	struct pv_buf file;
	pv_buf_init(&file, (size_t)16 << 20);
	pv_buf_append_text(&file, "<feed xmlns='http://www.w3.org/2005/Atom'>");
	for (unsigned i = 0; i < PV_FEED_LINKS_MAX + 10; i++)
		pv_buf_append_text(&file, "<link href='/'/>");
	read_feed(pv_buf_str(&file), PV_STR(""), buf);
	ok(buf->len == PV_FEED_LINKS_MAX * strlen("p http://a.example/\n"),
	    "P5: a feed has no more than 100,000 links");
	pv_buf_clear(&file);
	pv_buf_append_text(&file, "<feed xmlns='http://www.w3.org/2005/Atom'>");
	for (unsigned i = 0; i < PV_XML_JOINS_MAX; i++)
		pv_buf_append_text(&file, "<a xml:base='x'/>");
	pv_buf_append_text(&file, "<link href='/'/>");
	read_feed(pv_buf_str(&file), PV_STR(""), buf);
	is_text(pv_buf_str(buf), "", "bases count as links do");
	pv_buf_finish(&file);
}

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, (size_t)16 << 20);
	for (size_t i = 0; i < sizeof(feeds) / sizeof(*feeds); i++) {
		bool is_feed = read_feed(feeds[i].file, PV_STR(""), &buf);
		is_text(pv_buf_str(&buf), is_feed ? feeds[i].links : "a feed",
		    "%s", feeds[i].claim);
	}
	check_others(&buf);
	check_ceilings(&buf);
	pv_buf_finish(&buf);
	return tap_done();
}
