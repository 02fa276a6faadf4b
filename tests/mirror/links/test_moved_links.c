#include "mirror/links/moved_links.h"

#include "mirror/links/document_list.h"
#include "mirror/scene.h"
#include "tap.h"

static bool finds(const struct pv_moved_links *moved, size_t *from, size_t link,
    const char *text, const char *named)
{
	return pv_str_equal(
	    pv_moved_links_find(moved, from, link, pv_str_of(text)),
	    pv_str_of(named));
}

static void test_finding(void)
{
	struct pv_moved_links moved;
	size_t from = 0;
	pv_moved_links_init(&moved);
	ok(finds(&moved, &from, 0, "a", ""), "where there are none is none");
	pv_moved_links_add(&moved, 3, PV_STR("a"), PV_STR("http://a/"));
	pv_moved_links_add(&moved, 7, PV_STR("b"), PV_STR("http://b/"));
	pv_moved_links_add(&moved, 7, PV_STR("c"), PV_STR("http://c/"));
	pv_moved_links_add(&moved, 9, PV_STR(""), PV_STR("http://d/"));
	is_text(pv_moved_links_text(&moved, 1), "b", "what a link says");
	is_text(pv_moved_links_named(&moved, 1), "http://b/", "and named");
	ok(finds(&moved, &from, 2, "a", ""), "another link named nothing");
	ok(finds(&moved, &from, 3, "a", "http://a/"),
	    "one is known by its number");
	ok(finds(&moved, &from, 3, "b", ""), "if it says what it said");
	ok(finds(&moved, &from, 7, "c", "http://c/") &&
		finds(&moved, &from, 7, "b", "http://b/"),
	    "or one of what it may say");
	ok(finds(&moved, &from, 9, "", "http://d/"), "be that nothing");
	ok(finds(&moved, &from, 12, "a", ""), "and behind the last is none");
	pv_moved_links_clear(&moved);
	from = 0;
	ok(finds(&moved, &from, 3, "a", ""), "nor are there any afterwards");
	pv_moved_links_finish(&moved);
}

/* What is written down of a document is there when it is listed again. */

static struct mirror_scene scene;

static void add(struct pv_moved_links *moved, size_t link, const char *text)
{
	pv_moved_links_add(
	    moved, link, pv_str_of(text), PV_STR("http://localhost/x"));
}

/* The links of the only document, as "3:a 7:b", and the same in `had`. */
static bool lists(struct pv_moved_links *had, const char *wanted)
{
	struct pv_document_list list;
	struct pv_listed_document document;
	struct pv_buf text;
	struct pv_why why;
	pv_buf_init(&text, 1000);
	pv_why_init(&why);
	pv_listed_document_init(&document);
	pv_moved_links_clear(had);
	bool is_listed =
	    pv_document_list_open(&list, scene.scratch.path, &why) &&
	    pv_document_list_take(&list, &document) && document.number == 1;
	const struct pv_moved_links *moved = &document.moved;
	for (size_t i = 0; i < moved->count; i++) {
		pv_buf_append_format(&text, "%zu:%.*s ", moved->items[i].link,
		    PV_STR_ARG(pv_moved_links_text(moved, i)));
		pv_moved_links_add(had, moved->items[i].link,
		    pv_moved_links_text(moved, i),
		    pv_moved_links_named(moved, i));
	}
	pv_document_list_close(&list);
	pv_listed_document_finish(&document);
	pv_why_finish(&why);
	bool is_so = is_listed && strcmp(pv_buf_text(&text), wanted) == 0;
	if (!is_so)
		printf("# %s\n", pv_buf_text(&text));
	pv_buf_finish(&text);
	return is_so;
}

static void test_keeping(struct pv_moved_book *book)
{
	struct pv_moved_links had;
	struct pv_moved_links moved;
	pv_moved_links_init(&had);
	pv_moved_links_init(&moved);
	ok(lists(&had, ""), "in the beginning a document has none");
	add(&moved, 3, "a");
	add(&moved, 7, "b");
	pv_moved_book_keep(book, 1, &had, false, &moved);
	ok(lists(&had, "3:a 7:b "), "then it has those that are kept");
	pv_moved_links_clear(&moved);
	add(&moved, 3, "c");
	pv_moved_book_keep(book, 1, &had, true, &moved);
	ok(lists(&had, "3:a 3:c 7:b "),
	    "P3: one that leads elsewhere is known by what it says and said");
	pv_moved_links_clear(&moved);
	add(&moved, 2, "d");
	pv_moved_book_keep(book, 1, &had, false, &moved);
	ok(lists(&had, "2:d "),
	    "of a document of which none is known again the others go");
	pv_moved_links_clear(&moved);
	pv_moved_book_keep(book, 2, &had, false, &moved);
	ok(lists(&had, "2:d "), "another document is another matter");
	pv_moved_book_keep(book, 1, &had, false, &moved);
	ok(lists(&had, ""), "and so they do where there are none any more");
	ok(!pv_moved_book_fault(book)[0], "all of that was written");
	pv_moved_links_finish(&moved);
	pv_moved_links_finish(&had);
}

/* A directory that somebody has removed. */
static void test_fault(void)
{
	struct pv_moved_book *book = pv_moved_book_create("nowhere/at/all");
	struct pv_moved_links had;
	struct pv_moved_links moved;
	pv_moved_links_init(&had);
	pv_moved_links_init(&moved);
	ok(pv_moved_book_keep(book, 1, &had, true, &moved) &&
		!pv_moved_book_fault(book)[0],
	    "where there is nothing to keep nothing is written");
	add(&moved, 3, "a");
	ok(!pv_moved_book_keep(book, 1, &had, true, &moved) &&
		pv_moved_book_fault(book)[0],
	    "what cannot be written is told");
	pv_moved_links_finish(&moved);
	pv_moved_links_finish(&had);
	pv_moved_book_destroy(book);
}

/* Their moved links would be 119 MiB in one log. */
#define DOCUMENTS 1000
#define LINKS 20
#define LOG_MAX ((off_t)64 << 20)

static void add_documents(void)
{
	pv_database_run(scene.database,
	    "WITH n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < "
	    "1001) INSERT INTO addresses(id, host, state, use, depth, "
	    "depth_left, hops, redirects, attempt, reason, line, outcome, "
	    "http_status, bytes, may_lead_further, via, url) SELECT i, 1, 2, 2, "
	    "0, 0, 0, 0, 0, 0, 0, 1, 200, 0, 0, 0, 'http://localhost/' || i "
	    "FROM n");
	pv_database_run(scene.database,
	    "INSERT INTO copies(address, round, fetched_wall_ms, "
	    "checked_wall_ms, modified_ms, file) SELECT id, 1, 0, 0, 0, "
	    "'site/' || id || '.html' FROM addresses WHERE id > 1");
}

static off_t log_length(void)
{
	struct stat facts;
	const char *path = scratch_file(&scene.scratch, "state.db-wal");
	return stat(path, &facts) == 0 ? facts.st_size : 0;
}

/* A link of 4 KB. */
static void add_long(struct pv_moved_links *moved)
{
	static char text[4000];
	memset(text, 'x', sizeof(text) - 1);
	for (size_t i = 0; i < LINKS; i++)
		add(moved, i, text);
}

/* While all documents are linked, the log is folded in. */
static void test_many(struct pv_moved_book *book)
{
	struct pv_document_list list;
	struct pv_listed_document document;
	struct pv_moved_links moved;
	struct pv_why why;
	off_t longest = 0;
	size_t count = 0;
	pv_why_init(&why);
	pv_listed_document_init(&document);
	pv_moved_links_init(&moved);
	add_long(&moved);
	pv_document_list_open(&list, scene.scratch.path, &why);
	while (pv_document_list_take(&list, &document)) {
		off_t length;
		pv_moved_book_keep(
		    book, document.number, &document.moved, false, &moved);
		length = log_length();
		longest = length > longest ? length : longest;
		count++;
	}
	pv_document_list_close(&list);
	ok(count == DOCUMENTS + 1, "each document is listed once (%zu)", count);
	ok(longest > 0 && longest < LOG_MAX,
	    "P5: the log stays short while moved links are kept (%lld MiB)",
	    (long long)longest >> 20);
	pv_moved_links_finish(&moved);
	pv_listed_document_finish(&document);
	pv_why_finish(&why);
}

int main(void)
{
	test_finding();
	if (!mirror_scene_open(&scene))
		return 99;
	mirror_add(&scene,
	    (struct mirror_address){.id = 1, .url = "http://localhost/1"});
	mirror_keep(&scene,
	    (struct mirror_copy){.id = 1, .name = "1.html", .came = "<p>"});
	pv_database_close(scene.database);
	scene.database = NULL;
	struct pv_moved_book *book = pv_moved_book_create(scene.scratch.path);
	test_keeping(book);
	pv_moved_book_destroy(book);
	scene.database =
	    pv_database_open(scratch_file(&scene.scratch, "state.db"));
	add_documents();
	pv_database_close(scene.database);
	scene.database = NULL;
	book = pv_moved_book_create(scene.scratch.path);
	test_many(book);
	pv_moved_book_destroy(book);
	test_fault();
	mirror_scene_close(&scene);
	return tap_done();
}
