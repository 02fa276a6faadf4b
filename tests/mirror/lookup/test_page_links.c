#include "mirror/lookup/page_links.h"

#include "mirror/scene.h"

/* The links of a document to addresses that are looked for. */

#define LINK(to) "<a href=\"" to "\">x</a>"

/* Looked for: two addresses, and the file of one that is gone. */
#define BROKEN "http://localhost/a/broken.html"
#define FOLDER "http://localhost/a/folder/index.html"
#define GONE "http://localhost/gone?q"
#define GONE_FILE "site/h/gone^q.html"

static const struct {
	const char *claim;
	const char *name; /* below site/h/a/ */
	const char *came;
	const char *kept; /* NULL: the same */
	int broken, folder, gone, gone_file;
} cases[] = {
    {"a relative link is joined with the page's address", "page.html",
	LINK("broken.html") LINK("other.html"), NULL, 1, 0, 0, 0},
    {"an absolute one stands for itself", "page.html",
	LINK("http://www.localhost/a/broken.html#part"), NULL, 1, 0, 0, 0},
    {"a base counts", "page.html",
	"<base href=/a/>" LINK("broken.html") LINK("../gone?q"), NULL, 1, 0, 1,
	0},
    {"a style sheet has links", "sheet.css",
	"a { background: url(broken.html) }", NULL, 1, 0, 0, 0},
    {"each link is found as often as it stands there", "page.html",
	LINK("broken.html") LINK("/a/broken.html"), NULL, 2, 0, 0, 0},
    {"a page that came so links to what its address makes of it", "page.html",
	LINK("folder/index.html"), NULL, 0, 1, 0, 0},
    {"the same in a page that was rewritten is the path of a file", "page.html",
	LINK("folder/"), LINK("folder/index.html"), 0, 0, 0, 0},
    {"in which an absolute link stands for itself", "page.html",
	LINK("broken.html"), LINK("http://localhost/a/broken.html"), 1, 0, 0,
	0},
    {"and the path of a file that is gone is found", "page.html",
	LINK("/gone?q"), LINK("../gone%5Eq.html#part"), 0, 0, 0, 1},
    {"which means something else in a page that came so", "page.html",
	LINK("../gone%5Eq.html"), NULL, 0, 0, 0, 0},
};

static int count_of(const struct pv_page_links *links, uint64_t key)
{
	int count = 0;
	for (size_t i = 0; i < links->found_count; i++)
		count += links->found[i] == key;
	return count;
}

static void make_directories(struct mirror_scene *scene)
{
	mkdir(scratch_file(&scene->scratch, "site/h"), 0777);
	mkdir(scratch_file(&scene->scratch, "site/h/a"), 0777);
}

static void test_case(
    struct mirror_scene *scene, struct pv_page_links *links, size_t number)
{
	uint8_t digest[PV_DIGEST_SIZE];
	const char *came = cases[number].came;
	char file[128];
	pv_digest(pv_str_of(came), digest);
	snprintf(file, sizeof(file), "site/h/a/%s", cases[number].name);
	mirror_write(
	    scene, file, cases[number].kept ? cases[number].kept : came);
	const struct pv_kept_page page = {
	    .id = 1,
	    .url = PV_STR("http://localhost/a/page.html"),
	    .file = pv_str_of(file),
	    .digest = {(const char *)digest, sizeof(digest)},
	};
	bool is_read = pv_page_links_read(links, &page);
	uint64_t gone_file =
	    pv_page_links_file_key(scene->state, PV_STR(GONE_FILE));
	ok(is_read &&
		count_of(links, mirror_key(scene, BROKEN).address) ==
		    cases[number].broken &&
		count_of(links, mirror_key(scene, FOLDER).address) ==
		    cases[number].folder &&
		count_of(links, mirror_key(scene, GONE).address) ==
		    cases[number].gone &&
		count_of(links, gone_file) == cases[number].gone_file,
	    "%s", cases[number].claim);
}

static void test_unreadable(struct pv_page_links *links)
{
	struct pv_kept_page page = {
	    .url = PV_STR("http://localhost/"),
	    .file = PV_STR("site/h/none.html"),
	};
	ok(!pv_page_links_read(links, &page) && !links->found_count,
	    "a document that is not there has none, and that is told");
}

static void test_names(void)
{
	ok(pv_page_links_is_document(PV_STR("site/h/a.html")) &&
		pv_page_links_is_document(PV_STR("site/h/b^.HTM")) &&
		pv_page_links_is_document(PV_STR("site/h/c.css^x.css")),
	    "pages and style sheets are documents");
	ok(!pv_page_links_is_document(PV_STR("site/h/a.png")) &&
		!pv_page_links_is_document(PV_STR("site/h/html")) &&
		!pv_page_links_is_document(PV_STR("site/h/a.html.gz")),
	    "and nothing else is");
}

int main(void)
{
	struct mirror_scene scene;
	struct pv_wanted_links wanted;
	struct pv_page_links links;
	if (!ok(mirror_scene_open(&scene) && mirror_look(&scene),
		"a crawl's directory is there"))
		return tap_done();
	make_directories(&scene);
	pv_wanted_links_init(&wanted);
	pv_key_table_add(&wanted.addresses, mirror_key(&scene, BROKEN).address);
	pv_key_table_add(&wanted.addresses, mirror_key(&scene, FOLDER).address);
	pv_key_table_add(&wanted.addresses, mirror_key(&scene, GONE).address);
	pv_key_table_add(&wanted.files,
	    pv_page_links_file_key(scene.state, PV_STR(GONE_FILE)));
	pv_page_links_init(&links, scene.state, &wanted);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		test_case(&scene, &links, i);
	test_unreadable(&links);
	test_names();
	pv_page_links_finish(&links);
	pv_wanted_links_finish(&wanted);
	mirror_scene_close(&scene);
	return tap_done();
}
