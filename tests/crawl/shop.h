#ifndef PAVANE_TESTS_CRAWL_SHOP_H
#define PAVANE_TESTS_CRAWL_SHOP_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "server/server.h"

/* A shop of three levels, answered by a function: a front page, categories with
 * pages, products, and for some of them a page of reviews. All of it follows
 * from a product's number and the shop's version, so that a test knows each row
 * that there is (shop_rows.h).
 *
 * Of a hundred products one is another in each version, one is gone from
 * version 1 on, and one is new in each. Every page of a kind that says what is
 * to be followed has other links and images; each has an entity tag, by which it is a 304 where nothing has
 * changed.
 */
#define SHOP_PAGE_LINKS 20
#define SHOP_ITEMS_MAX 8 /* rows a page */

struct shop {
	unsigned first_count; /* products in version 0; hundreds */
	atomic_uint version;
};

enum shop_kind {
	SHOP_CATEGORY, /* number is SHOP_CATEGORY_PAGES times the category, and
			  the page from 0 */
	SHOP_PRODUCT,
	SHOP_REVIEW,
	SHOP_KINDS,
};

#define SHOP_CATEGORY_PAGES 1000

/* Under 40 lines. */
static const char shop_policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "rate: {max_rate: 100000, interval: 100ms}\n"
    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
    "pages:\n"
    "  front:\n"
    "    match: {path: \"/\"}\n"
    "    follow:\n"
    "      - {css: \"ul.teasers a\", as: teaser}\n"
    "      - {css: \"ul.categories a\", as: category}\n"
    "  category:\n"
    "    match: {path: \"/category/*\"}\n"
    "    fields: {category: h1}\n"
    "    follow:\n"
    "      - {css: \"article h3 a\", as: product, carry: [category]}\n"
    "      - {css: \"li.next a\", as: category}\n"
    "  product:\n"
    "    fields:\n"
    "      title: {css: h1, required: true}\n"
    "      price: {css: \".price::text\", type: number, decimal: \",\"}\n"
    "      sku: {json: /sku, in: ld, of: Product}\n"
    "      stock: {json: /item/stock, in: script, after: \"window.state =\",\n"
    "        type: integer, default: 0}\n"
    "      added: {meta: \"article:published_time\", type: date}\n"
    "      images: {css: \"img.big::attr(src)\", type: url, many: true}\n"
    "      reviews:\n"
    "        each: .review\n"
    "        fields: {by: .author, stars: {xpath: \"@data-stars\", "
    "type: integer}}\n"
    "    follow: [{css: a.all, as: review, carry: [sku], limit: 1}]\n"
    "  review:\n"
    "    each: .review\n"
    "    fields: {text: p}\n"
    "  teaser:\n"
    "    fields: {headline: title}\n"
    "    follow: [{css: a.none, as: teaser}]\n"
    "output: {fields: {forms: [jsonl, csv, sqlite]}}\n";

/* As large as make check has time for, or as the environment wants it. */
static inline unsigned shop_size(void)
{
	const char *value = getenv("PAVANE_SHOP");
	unsigned long size = value ? strtoul(value, NULL, 10) : 300;
	return size < 100 ? 100 : (unsigned)(size - size % 100);
}

/* What there is */

static inline unsigned shop_categories(const struct shop *shop)
{
	return shop->first_count < 500 ? 5 : shop->first_count / 100;
}

static inline unsigned shop_count(const struct shop *shop, unsigned version)
{
	return shop->first_count + version * (shop->first_count / 100);
}

static inline bool shop_sells(
    const struct shop *shop, unsigned number, unsigned version)
{
	return number < shop_count(shop, version) &&
	       !(version && number % 100 == 50);
}

/* Which one of itself a product is. */
static inline unsigned shop_revision(unsigned number, unsigned version)
{
	return number % 100 == 7 ? version : 0;
}

static inline bool shop_has_title(unsigned number)
{
	return number % 97 != 13;
}

static inline bool shop_has_date(unsigned number)
{
	return number % 50 != 3;
}

static inline unsigned shop_reviews_within(unsigned number)
{
	return number % 10 ? 1 + number % 3 : 0;
}

/* On the page of reviews; 0: there is no such page. One more with each
 * revision. */
static inline unsigned shop_reviews(unsigned number, unsigned version)
{
	return number % 3 == 1 ? 1 + number % 4 + shop_revision(number, version)
			       : 0;
}

/* A link leads there by a redirect. */
static inline bool shop_is_moved(unsigned number)
{
	return number % 10 == 4 && number % 3;
}

/* The front page leads there as a later kind: so it is read as that first, and
 * once more when its category is read. It stands in no other. */
static inline bool shop_is_teased(unsigned number)
{
	return number % 10 == 1 && number % 3;
}

/* Every third stands in two categories. Of those that are gone one half is
 * still linked. */
static inline bool shop_is_listed(const struct shop *shop, unsigned category,
    unsigned number, unsigned version)
{
	unsigned categories = shop_categories(shop);
	bool is_in = number % categories == category ||
		     (number % 3 == 0 && (number + 1) % categories == category);
	return is_in && !(version && number % 200 == 50);
}

/* How many pages a category has. */
static inline unsigned shop_pages(
    const struct shop *shop, unsigned category, unsigned version)
{
	unsigned listed = 0;
	for (unsigned i = 0; i < shop_count(shop, version); i++)
		listed += shop_is_listed(shop, category, i, version);
	return (listed + SHOP_PAGE_LINKS - 1) / SHOP_PAGE_LINKS;
}

/* Twenty digits. */
static inline void shop_sku(unsigned number, char sku[24])
{
	snprintf(sku, 24, "98765432109876%06u", number);
}

/* Pages */

static inline void shop_write_beside(struct pv_buf *body)
{
	pv_buf_append_text(body,
	    "<nav><a href=/nav/about>About</a> <a href=/nav/basket>Basket</a>"
	    "</nav><img src=/image/logo.png>");
}

static inline void shop_write_front(
    const struct shop *shop, struct pv_buf *body)
{
	shop_write_beside(body);
	pv_buf_append_text(body, "<ul class=teasers>");
	for (unsigned i = 0; i < shop->first_count; i++)
		if (shop_is_teased(i))
			pv_buf_append_format(
			    body, "<li><a href=/product/%u>New</a>", i);
	pv_buf_append_text(body, "</ul><ul class=categories>");
	for (unsigned i = 0; i < shop_categories(shop); i++)
		pv_buf_append_format(
		    body, "<li><a href=/category/%u>Range %u</a>", i, i);
}

static inline bool shop_write_category(const struct shop *shop,
    unsigned category, unsigned page, unsigned version, struct pv_buf *body)
{
	unsigned listed = 0;
	if (category >= shop_categories(shop) ||
	    page >= shop_pages(shop, category, version))
		return false;
	shop_write_beside(body);
	pv_buf_append_format(body, "<h1>=Range %u</h1>", category);
	for (unsigned i = 0; i < shop_count(shop, version); i++) {
		if (!shop_is_listed(shop, category, i, version) ||
		    listed++ / SHOP_PAGE_LINKS != page)
			continue;
		pv_buf_append_format(body,
		    "<article><h3><a href=/%s/%u>Product</a></h3>"
		    "<a href=/nav/buy/%u>Buy</a></article>",
		    shop_is_moved(i) ? "go" : "product", i, i);
	}
	if (page + 1 < shop_pages(shop, category, version))
		pv_buf_append_format(body,
		    "<ul><li class=next><a href=\"/category/%u?page=%u\">"
		    "Next</a></ul>",
		    category, page + 1);
	return true;
}

static inline void shop_write_facts(
    unsigned number, unsigned revision, struct pv_buf *body)
{
	char sku[24];
	shop_sku(number, sku);
	pv_buf_append_format(
	    body, "<!DOCTYPE html><html><head><title>P %u</title>", number);
	if (shop_has_date(number))
		pv_buf_append_format(body,
		    "<meta property=\"article:published_time\" "
		    "content=\"2026-03-%02uT09:30:00+02:00\">",
		    1 + number % 28);
	pv_buf_append_format(body,
	    "<script type=\"application/ld+json\">{\"@graph\": ["
	    "{\"@type\": \"BreadcrumbList\", \"sku\": 1}, "
	    "{\"@type\": \"Product\", \"sku\": %s}]}</script></head><body>",
	    sku);
	shop_write_beside(body);
	if (shop_has_title(number))
		pv_buf_append_format(body,
		    "<h1>Chair \"%u\",\n <b>large</b> &amp; f\u00fcr alle"
		    "</h1>",
		    number);
	pv_buf_append_format(body, "<p class=price>1.%03u,%02u EUR</p>",
	    number % 1000, revision);
}

static inline bool shop_write_product(const struct shop *shop, unsigned number,
    unsigned version, struct pv_buf *body)
{
	if (!shop_sells(shop, number, version))
		return false;
	shop_write_facts(number, shop_revision(number, version), body);
	for (unsigned i = 0; i < 1 + number % 2; i++)
		pv_buf_append_format(
		    body, "<img class=big src=../image/%u-%u.png>", number, i);
	if (number % 7)
		pv_buf_append_format(body,
		    "<script>var a = 1; window.state = {\"item\": "
		    "{\"stock\": %u}}; go();</script>",
		    number % 7);
	for (unsigned i = 0; i < shop_reviews_within(number); i++)
		pv_buf_append_format(body,
		    "<div class=review data-stars=%u><span class=author>"
		    "Reader %u</span></div>",
		    1 + (number + i) % 5, i);
	if (shop_reviews(number, version))
		pv_buf_append_format(
		    body, "<a class=all href=/reviews/%u>All</a>", number);
	return true;
}

static inline bool shop_write_reviews(const struct shop *shop, unsigned number,
    unsigned version, struct pv_buf *body)
{
	unsigned count = shop_reviews(number, version);
	if (!count || !shop_sells(shop, number, version))
		return false;
	for (unsigned i = 0; i < count; i++)
		pv_buf_append_format(body,
		    "<div class=review><p>Review %u of %u, %u</p></div>", i + 1,
		    number, i ? 0 : shop_revision(number, version));
	return true;
}

/* Answers */

static inline bool shop_write(const struct shop *shop, const char *target,
    unsigned version, struct pv_buf *body)
{
	unsigned number = 0, page = 0;
	if (sscanf(target, "/product/%u", &number) == 1)
		return shop_write_product(shop, number, version, body);
	if (sscanf(target, "/reviews/%u", &number) == 1)
		return shop_write_reviews(shop, number, version, body);
	if (sscanf(target, "/category/%u?page=%u", &number, &page) >= 1)
		return shop_write_category(shop, number, page, version, body);
	if (strcmp(target, "/") != 0)
		return false;
	shop_write_front(shop, body);
	return true;
}

/* Fits a server's plan; ctx is the shop. */
static inline bool shop_answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct shop *shop = ctx;
	static const struct pv_hash_key key = {{1, 2}};
	char target[128], tag[32];
	snprintf(target, sizeof(target), "%.*s", PV_STR_ARG(request->target));
	if (strncmp(target, "/go/", 4) == 0) {
		answer->location = "/product/{n}";
		answer->status = 302;
		return true;
	}
	if (!shop_write(
		shop, target, atomic_load(&shop->version), answer->own_body))
		return false;
	snprintf(tag, sizeof(tag), "\"%016llx\"",
	    (unsigned long long)pv_hash(&key, pv_buf_str(answer->own_body)));
	pv_buf_append_format(answer->own_headers, "ETag: %s\r\n", tag);
	if (pv_str_equal(server_header(request->headers, "If-None-Match"),
		pv_str_of(tag)))
		answer->status = 304;
	return true;
}

#endif
