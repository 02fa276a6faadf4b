#include "frontier/sqlite/link_pages.h"

#include "frontier/scene.h"
#include "store/wal.h"

/* How many pages links may change: each origin once, and what their texts
 * fill. */

static struct pv_link_list list_of(const uint32_t *origins, size_t count)
{
	struct pv_link_list links;
	pv_link_list_init(&links, 1 << 20);
	for (size_t i = 0; i < count; i++) {
		struct pv_link link = {
		    .fingerprint = {.address = i, .origin = origins[i]},
		    .url = PV_STR("https://a.test/"),
		    .host = PV_STR("a.test"),
		};
		pv_link_list_add(&links, &link);
	}
	return links;
}

static void test_origins(void)
{
	static const uint32_t origins[] = {0, 7, 0, 8, 0, 7, 8, 7};
	static const uint32_t same_place[] = {
	    7, 7 + PV_LINK_PAGES_PLACES, 7, 7 + PV_LINK_PAGES_PLACES};
	static struct pv_link_pages pages;
	struct pv_link_list links = list_of(origins, 8);
	pv_link_pages_begin(&pages);
	size_t first = pv_link_pages_add(&pages, &links, 0, 1);
	ok(first > 0, "a link changes some pages");
	ok(pv_link_pages_add(&pages, &links, 0, 8) == 2 * first,
	    "links to and fro count each further origin once");
	ok(pv_link_pages_add(&pages, &links, 0, 8) == 0,
	    "an origin that the transaction has seen changes no more");
	pv_link_pages_begin(&pages);
	ok(pv_link_pages_add(&pages, &links, 6, 8) == 2 * first,
	    "the next transaction counts anew, and only what it is given");
	pv_link_list_finish(&links);
	links = list_of(same_place, 4);
	pv_link_pages_begin(&pages);
	ok(pv_link_pages_add(&pages, &links, 0, 4) >= 2 * first,
	    "P5: origins that have one place count no less than once each");
	pv_link_list_finish(&links);
}

static struct pv_report *report_of(struct scene *scene, int width)
{
	static char url[5001];
	struct pv_report *report = scene_report(scene, PV_REPORT_LINKS);
	for (int i = 0; i < 200; i++) {
		snprintf(url, sizeof(url), "https://a%d.test/%0*d", i % 10,
		    width, i);
		scene_link(
		    scene, report, url, (struct pv_standing){.use = PV_PAGE});
	}
	return report;
}

/* Beside what links change: counts, roots of trees and the like. */
#define PAGES_OF_COMMIT 16

static void test_file(void)
{
	static const int widths[] = {1, 100, 900, 1300, 2000, 3700, 4900};
	static struct pv_link_pages pages;
	struct scene scene;
	bool is_enough = true;
	scene_init(&scene, 16);
	for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		struct pv_report *report = report_of(&scene, widths[i]);
		size_t before = pv_wal_pages(scene.store->database);
		pv_link_pages_begin(&pages);
		size_t most = PAGES_OF_COMMIT +
			      pv_link_pages_add(&pages, &report->links, 0, 200);
		scene_send(&scene, report);
		scene_settle(&scene);
		size_t added = pv_wal_pages(scene.store->database) - before;
		printf(
		    "# %d: %zu pages, %zu at most\n", widths[i], added, most);
		is_enough = is_enough && added > 0 && added <= most;
	}
	ok(is_enough, "P5: however long addresses are, no more pages change");
	scene_finish(&scene);
}

int main(void)
{
	test_origins();
	test_file();
	return tap_done();
}
