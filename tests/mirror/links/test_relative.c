#include "mirror/links/relative.h"

#include "tap.h"

static const struct {
	const char *from;
	const char *to;
	const char *address;
} links[] = {
    {"site/a/index.html", "site/a/b.html", "b.html"},
    {"site/a/index.html", "site/a/index.html", "index.html"},
    {"site/a/b/c.html", "site/a/d.css", "../d.css"},
    {"site/a/b/c.html", "site/e^80/f/g.png", "../../e%5E80/f/g.png"},
    {"site/a/index.html", "site/a/b/c/d.html", "b/c/d.html"},
    {"site/ab/x.html", "site/a/x.html", "../a/x.html"},
    {"site/a/x.html", "site/a/q^a=1&b.html", "q%5Ea=1%26b.html"},
    {"site/a/x.html", "site/a/50% (1)?#.html", "50%25%20%281%29%3F%23.html"},
    {"site/a/x.html", "site/a/m:n.html", "m%3An.html"},
    {"site/a/x.html", "site/a/\xc3\xa4.html", "%C3%A4.html"},
    {"gone/a/b/c.html", "site/a/d.css", "../../../site/a/d.css"},
    {"site/a/x.html", "site/a/it's,\"so\".html", "it%27s%2C%22so%22.html"},
};

static void test_both_ways(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 1000);
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		struct pv_str from = pv_str_of(links[i].from);
		pv_buf_clear(&text);
		pv_relative_write(from, pv_str_of(links[i].to), &text);
		is_text(pv_buf_str(&text), links[i].address, "from %s to %s",
		    links[i].from, links[i].to);
		struct pv_str address = pv_str_of(links[i].address);
		pv_buf_clear(&text);
		ok(pv_relative_read(from, address, &text), "is one of ours");
		is_text(pv_buf_str(&text), links[i].to, "and leads there");
	}
	pv_buf_finish(&text);
}

/* As they may stand in a page at site/a/b/c.html; NULL: none of ours. */
static const struct {
	const char *address;
	const char *file;
} read[] = {
    {"d.html#part", "site/a/b/d.html"},
    {"./d.html", "site/a/b/d.html"},
    {"../x/./y/../d.html", "site/a/x/d.html"},
    {"%64.html", "site/a/b/d.html"},
    {"d%.html", "site/a/b/d%.html"},
    {"d%4.html", "site/a/b/d%4.html"},
    {"a/b:c", "site/a/b/a/b:c"},
    {"", NULL},
    {"#part", NULL},
    {"?a=1", NULL},
    {"d.html?a=1", NULL},
    {"/d.html", NULL},
    {"//host/d.html", NULL},
    {"mailto:d.html", NULL},
    {"https://a.example/d.html", NULL},
    {"..\\d.html", NULL},
    {"d/", NULL},
    {"..", NULL},
    {"../../../site/d.html", "site/d.html"},
    {"../../../gone/a/d.html", "gone/a/d.html"},
    {"../../../site", NULL},
    {"../../../sites/d.html", NULL},
    {"../../../state.db", NULL},
    {"../../../d.html", NULL},
    {"../../../../site/d.html", NULL},
    {"../../../../etc/passwd", NULL},
    {"%2e%2e/%2E./%2e%2e/passwd", NULL},
    {"d%2fe", NULL},
    {"d%00.html", NULL},
};

static void test_reading(void)
{
	struct pv_buf file;
	pv_buf_init(&file, 1000);
	for (size_t i = 0; i < sizeof(read) / sizeof(*read); i++) {
		pv_buf_clear(&file);
		bool is_ours = pv_relative_read(PV_STR("site/a/b/c.html"),
		    pv_str_of(read[i].address), &file);
		ok(is_ours == (read[i].file != NULL), "'%s' is %s",
		    read[i].address, read[i].file ? "ours" : "none of ours");
		is_text(pv_buf_str(&file), read[i].file ? read[i].file : "",
		    "and is read as that");
	}
	pv_buf_finish(&file);
}

int main(void)
{
	test_both_ways();
	test_reading();
	return tap_done();
}
