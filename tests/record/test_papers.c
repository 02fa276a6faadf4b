#include "record/result.h"
#include "record/host.h"
#include "record/link.h"
#include "record/page.h"
#include "record/state.h"
#include "record/visit.h"

#include "tap.h"

static bool is_even(void *ctx, const struct pv_link *link)
{
	unsigned *asked = ctx;
	++*asked;
	return link->fingerprint.address % 2 == 0;
}

static void test_links(void)
{
	struct pv_link_list links;
	struct pv_link link = {
	    .url = PV_STR("https://a.example/"),
	    .host = PV_STR("a.example"),
	    .tag = PV_STR("t"),
	    .standing = {.use = PV_PAGE, .depth = 4},
	};
	unsigned asked = 0;
	pv_link_list_init(&links, 100 * 28 + 27);
	while (pv_link_list_add(&links, &link))
		link.fingerprint.address++;
	ok(links.count == 100, "as many links as their texts have room for");
	struct pv_link last = pv_link_list_get(&links, 99);
	is_text(last.url, "https://a.example/", "a link keeps its address");
	is_text(last.host, "a.example", "and its host");
	is_text(last.tag, "t", "and its tag");
	ok(last.fingerprint.address == 99 && last.standing.depth == 4,
	    "and how it stands");
	pv_link_list_keep(&links, is_even, &asked);
	ok(asked == 100 && links.count == 50 &&
		pv_link_list_get(&links, 49).fingerprint.address == 98,
	    "what is not wanted is left out, the rest keeps its order");
	link.standing.depth = 5000000;
	pv_link_list_finish(&links);
	pv_link_list_init(&links, 100);
	pv_link_list_add(&links, &link);
	ok(pv_link_list_get(&links, 0).standing.depth == PV_DEPTH_MAX,
	    "P5: no chain of links is deeper than can be counted");
	ok(pv_link_list_bytes(&links) >= 28, "they know what they hold");
	pv_link_list_finish(&links);
}

static void test_visits(void)
{
	struct pv_visit_list visits;
	struct pv_visit visit = {
	    .id = 7,
	    .url = PV_STR("https://a.example/b"),
	    .via = PV_STR("https://a.example/"),
	    .tag = PV_STR("shop"),
	    .copy = PV_STR("c"),
	    .part = PV_STR("p1"),
	};
	struct pv_visit short_one = {.url = PV_STR("https://a.example/cdefgh")};
	pv_visit_list_init(&visits, 2 * 44 + 30);
	ok(pv_visit_list_add(&visits, &visit) &&
		pv_visit_list_add(&visits, &visit),
	    "visits are copied");
	ok(!pv_visit_list_add(&visits, &visit) && visits.count == 2,
	    "P5: up to their ceiling");
	struct pv_visit second = pv_visit_list_get(&visits, 1);
	is_text(second.url, "https://a.example/b", "a visit has an address");
	is_text(second.via, "https://a.example/", "and where it was found");
	is_text(second.tag, "shop", "and a tag");
	is_text(second.copy, "c", "and what there is of it");
	is_text(second.part, "p1", "and the beginning of a body");
	ok(pv_visit_list_add(&visits, &short_one) && visits.count == 3,
	    "a visit that found no room has taken none");
	is_text(pv_visit_list_get(&visits, 2).url, "https://a.example/cdefgh",
	    "and is not mixed up with the next one");
	pv_visit_list_finish(&visits);
}

static void test_hosts(void)
{
	struct pv_host_list hosts;
	struct pv_host host = {.id = 3, .name = PV_STR("a.example")};
	struct pv_host other = {.id = 4, .name = PV_STR("b.example")};
	pv_host_list_init(&hosts, 20);
	ok(pv_host_list_add(&hosts, &host) &&
		pv_host_list_add(&hosts, &other) &&
		!pv_host_list_add(&hosts, &host),
	    "P5: hosts are copied up to their ceiling");
	is_text(
	    pv_host_list_get(&hosts, 0).name, "a.example", "with their names");
	is_text(
	    pv_host_list_get(&hosts, 1).name, "b.example", "each with its own");
	pv_host_list_finish(&hosts);
}

static void test_pages(void)
{
	struct pv_page page;
	pv_page_init(&page);
	size_t empty = pv_page_bytes(&page);
	page.wait_ms = 7;
	pv_buf_append_text(&page.file, "site/index.html");
	size_t with_file = pv_page_bytes(&page);
	for (size_t i = 0; i < PV_PAGE_PARTS_MAX; i++)
		pv_buf_append_text(&page.parts[i], "{}");
	ok(with_file > empty &&
		pv_page_bytes(&page) >= with_file + 2 * PV_PAGE_PARTS_MAX,
	    "P5: a page counts all that it holds");
	pv_page_clear(&page);
	bool is_clear = page.wait_ms == -1 && !page.file.len;
	for (size_t i = 0; i < PV_PAGE_PARTS_MAX; i++)
		is_clear = is_clear && !page.parts[i].len;
	ok(is_clear, "and keeps nothing of the last one");
	pv_page_finish(&page);
}

static void test_words(void)
{
	for (unsigned i = 0; i < PV_OUTCOME_COUNT; i++)
		ok(pv_outcome_word(i), "outcome %u has a word: %s", i,
		    pv_outcome_word(i));
	for (unsigned i = 0; i < PV_STATE_COUNT; i++)
		ok(pv_state_word(i), "state %u has a word: %s", i,
		    pv_state_word(i));
	is_text(pv_str_of(pv_outcome_word(200)), "unknown",
	    "an outcome of a later version is unknown");
	is_text(pv_str_of(pv_state_word(200)), "unknown", "and so is a state");
}

int main(void)
{
	test_links();
	test_visits();
	test_hosts();
	test_pages();
	test_words();
	return tap_done();
}
