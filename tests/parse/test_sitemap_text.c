#include "parse/sitemap_text.h"

#include "tap.h"

static struct pv_str joined(struct pv_str file, struct pv_buf *buf)
{
	struct pv_sitemap_text sitemap;
	struct pv_url url;
	pv_url_init(&url, 2000);
	pv_sitemap_text_init(&sitemap, file);
	pv_buf_clear(buf);
	while (pv_sitemap_text_next(&sitemap, &url)) {
		pv_buf_append(buf, pv_url_page(&url));
		pv_buf_append_char(buf, ' ');
	}
	pv_url_finish(&url);
	return pv_buf_str(buf);
}

static void test_lines(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	is_text(joined(PV_STR("http://a.example/\nhttp://b.example/x"), &buf),
	    "http://a.example/ http://b.example/x ", "a line is an address");
	is_text(joined(PV_STR("\xef\xbb\xbfhttp://a.example/\r\n\r\n"), &buf),
	    "http://a.example/ ", "a mark at the start and any end of a line");
	is_text(joined(PV_STR("HTTP://A.example/%7e#top\n"), &buf),
	    "http://a.example/%7e ", "addresses are canonical, and of pages");
	is_text(joined(PV_STR("/relative\nftp://a.example/\n<urlset>\n"), &buf),
	    "", "what is no web address is passed over");
	is_text(joined((struct pv_str){NULL, 0}, &buf), "",
	    "nothing is in "
	    "nothing");
	pv_buf_finish(&buf);
}

static void test_ceiling(void)
{
	struct pv_buf file;
	struct pv_sitemap_text sitemap;
	struct pv_url url;
	size_t count = 0;
	pv_buf_init(&file, (size_t)4 << 20);
	pv_url_init(&url, 2000);
	for (int i = 0; i < PV_SITEMAP_ENTRIES_MAX + 10; i++)
		pv_buf_append_format(&file, "http://a.example/%d\n", i);
	pv_sitemap_text_init(&sitemap, pv_buf_str(&file));
	while (pv_sitemap_text_next(&sitemap, &url))
		count++;
	ok(count == PV_SITEMAP_ENTRIES_MAX,
	    "P5: no more than 50,000 entries are taken");
	pv_url_finish(&url);
	pv_buf_finish(&file);
}

int main(void)
{
	test_lines();
	test_ceiling();
	return tap_done();
}
