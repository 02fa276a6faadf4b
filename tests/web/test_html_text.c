#include "web/html_text.h"

#include "tap.h"

static void (*const ways[])(struct pv_buf *page, struct pv_str text) = {
    pv_html_text_append,
    pv_html_text_append_value,
    pv_html_text_append_file,
};

static const struct {
	const char *claim;
	size_t way;
	struct pv_str text;
	const char *html;
} cases[] = {
    {"plain text", 0, PV_STR("a b"), "a b"},
    {"nothing", 0, PV_STR(""), ""},
    {"no text", 0, {NULL, 0}, ""},
    {"a script", 0, PV_STR("</title><script>alert(1)</script>"),
	"&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"},
    {"what ends an attribute", 0, PV_STR("\" onclick='x'"),
	"&quot; onclick=&#39;x&#39;"},
    {"a reference", 0, PV_STR("&lt;&amp"), "&amp;lt;&amp;amp"},
    {"other writings", 0, PV_STR("\xc3\xa9"), "\xc3\xa9"},
    {"bytes that are no UTF-8", 0, PV_STR("\xff<"), "\\xff&lt;"},
    {"a NUL and an escape", 0, PV_STR("a\0\x1b"), "a\\x00\\x1b"},
    {"marks that turn the direction", 0,
	PV_STR("\xe2\x80\xae"
	       "cod"),
	"\\u{202e}cod"},
    {"an address in an attribute", 1, PV_STR("http://a/?b=1&lt=\"'<>"),
	"http://a/?b=1&amp;lt=&quot;&#39;&lt;&gt;"},
    {"a plain file", 2, PV_STR("site/a.example/b-c_d~/e.html"),
	"site/a.example/b-c_d~/e.html"},
    {"a mark of ours", 2, PV_STR("site/a^8080/index.html"),
	"site/a%5E8080/index.html"},
    {"what an address gives a meaning to", 2, PV_STR("site/a?b#c%20 d&e:\"'"),
	"site/a%3Fb%23c%2520%20d%26e%3A%22%27"},
    {"letters of a name", 2, PV_STR("site/\xc3\xa9\xff"), "site/%C3%A9%FF"},
    {"a line break in a name", 2, PV_STR("site/a\nb"), "site/a%0Ab"},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_buf page;
		pv_buf_init(&page, 4096);
		ways[cases[i].way](&page, cases[i].text);
		is_text(pv_buf_str(&page), cases[i].html, "%s", cases[i].claim);
		pv_buf_finish(&page);
	}
	return tap_done();
}
