#include "url/url.h"

#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* What joining a link to its page costs: in nanoseconds, and as a multiple of
 * the least that anybody must do, which is to copy its text. */

#define CEILING 2000
#define ROUNDS 200000

static const struct kind {
	const char *name;
	struct pv_str links[6];
} kinds[] = {
    {"relative",
	{PV_STR("package-summary.html"), PV_STR("../../lang/Object.html"),
	    PV_STR("../../../../index-files/index-1.html"),
	    PV_STR("class-use/ArrayList.html"), PV_STR("./Map.Entry.html"),
	    PV_STR("ArrayList.html#add(int,E)")}},
    {"rooted", {PV_STR("/en/java/javase/21/docs/api/help-doc.html"),
		   PV_STR("/"), PV_STR("/search?q=array+list&page=2"),
		   PV_STR("/static/css/main.3f2a9c.css"),
		   PV_STR("/en/java/javase/21/docs/api/element-list"),
		   PV_STR("/images/logo-small.png")}},
    {"same site", {PV_STR("https://docs.example.org/en/java/javase/21/"),
		      PV_STR("https://docs.example.org/en/java/index.html#top"),
		      PV_STR("https://docs.example.org/search?q=list"),
		      PV_STR("//docs.example.org/static/js/app.js"),
		      PV_STR("https://docs.example.org"),
		      PV_STR("https://docs.example.org/a/b/c/d/e/f.html")}},
    {"other site",
	{PV_STR("https://www.example.com/technetwork/java/index.html"),
	    PV_STR("http://bugs.example.net/bugreport/"),
	    PV_STR("https://en.wikipedia.org/wiki/Java_(software)"),
	    PV_STR("https://fonts.example.com/css?family=Sans:400,700"),
	    PV_STR("https://github.com/example/project/issues/1234"),
	    PV_STR("//cdn.example.net/lib/3.6.0/lib.min.js")}},
    {"fragment", {PV_STR("#"), PV_STR("#method-summary"), PV_STR("#add(E)"),
		     PV_STR("#sort(java.util.Comparator)"),
		     PV_STR("#field-detail"), PV_STR("#skip-navbar-top")}},
    {"odd", {PV_STR("My Page.html"), PV_STR("\n  index.html  "),
		PV_STR("HTTPS://WWW.Example.COM:443/Index.html"),
		PV_STR("a/b/c/../../d/./e.html"),
		PV_STR("/wiki/\xc3\x9c"
		       "bersicht"),
		PV_STR("caf\xc3\xa9.html?x=\"1\"")}},
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))
#define LINKS (sizeof(kinds[0].links) / sizeof(struct pv_str))

static double now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double measure_joining(const struct kind *kind,
    const struct pv_url *base, struct pv_url *url, size_t *len)
{
	double start = now_ns();
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < LINKS; i++) {
			pv_url_join(url, base, kind->links[i], NULL);
			*len += url->text.len;
		}
	}
	return (now_ns() - start) / (ROUNDS * LINKS);
}

static double measure_copying(const struct kind *kind,
    const struct pv_url *base, struct pv_buf *buf, size_t *len)
{
	double start = now_ns();
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < LINKS; i++) {
			pv_buf_clear(buf);
			pv_buf_append(buf, pv_url_text(base));
			pv_buf_append(buf, kind->links[i]);
			*len += buf->len;
		}
	}
	return (now_ns() - start) / (ROUNDS * LINKS);
}

int main(void)
{
	struct pv_url url, base;
	double joining = 0, copying = 0;
	size_t len = 0;
	pv_url_init(&url, CEILING);
	pv_url_init(&base, CEILING);
	pv_url_parse(
	    &base, PV_STR("https://docs.example.org/en/java/javase/21/docs/api/"
			  "java.base/java/util/ArrayList.html"));
	for (size_t i = 0; i < KINDS; i++) {
		double join = measure_joining(&kinds[i], &base, &url, &len);
		joining += join / KINDS;
		copying +=
		    measure_copying(&kinds[i], &base, &url.scratch, &len) /
		    KINDS;
		printf("url: join, %s: %.0f ns\n", kinds[i].name, join);
	}
	printf("url: join, all: %.0f ns, %.1f times copying (%zu bytes)\n",
	    joining, joining / copying, len);
	pv_url_finish(&base);
	pv_url_finish(&url);
	return 0;
}
