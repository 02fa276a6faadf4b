#include "mirror/index/page_list.h"

#include "base/file.h"
#include "base/json/json.h"
#include "mirror/scene.h"
#include "policy/loaded.h"

#define MANY 5100

/* A mirror, and the list of its pages. */
struct list {
	struct mirror_scene scene;
	struct loaded loaded;
	struct pv_entry_plan plan;
	struct pv_entry_facts facts;
	struct pv_buf text; /* of a file of the list */
	struct pv_buf fault;
};

static bool open_list(struct list *list)
{
	bool is_made = mirror_scene_open(&list->scene);
	list->loaded = load_text("name: docs\nseeds: [\"http://a.test/\"]\n");
	list->plan = (struct pv_entry_plan){
	    .directory = list->scene.scratch.path,
	    .policy = list->loaded.policy,
	    .version = "7.8.9",
	};
	list->facts = (struct pv_entry_facts){.list = {.count = 0}};
	pv_buf_init(&list->text, 1 << 22);
	pv_buf_init(&list->fault, 4096);
	return ok(is_made && list->loaded.policy, "there is a mirror");
}

static void close_list(struct list *list)
{
	pv_buf_finish(&list->text);
	pv_buf_finish(&list->fault);
	loaded_finish(&list->loaded);
	mirror_scene_close(&list->scene);
}

static void add(struct list *list, int64_t id, const char *url,
    const char *name, const char *page)
{
	struct mirror_address address = {
	    .id = id, .url = url, .state = 2, .outcome = 1, .status = 200};
	mirror_add(&list->scene, address);
	mirror_keep(&list->scene,
	    (struct mirror_copy){.id = id, .name = name, .came = page});
}

static bool write_list(struct list *list)
{
	pv_buf_clear(&list->fault);
	list->facts.list = (struct pv_entry_list){.count = 0};
	return pv_page_list_write(&list->plan, &list->facts, &list->fault);
}

static const char *file_of(const struct list *list, const char *name)
{
	return scratch_file(&list->scene.scratch, name);
}

static const char *read_text(struct list *list, const char *name)
{
	pv_buf_clear(&list->text);
	pv_file_read(file_of(list, name), &list->text);
	return pv_buf_text(&list->text);
}

static bool has(struct list *list, const char *name, const char *part)
{
	if (strstr(read_text(list, name), part))
		return true;
	printf("# %s has no %s\n", name, part);
	return false;
}

/* The rows of a part as a script, which the caller destroys. */
static struct pv_json *read_rows(struct list *list, const char *name)
{
	const char *rows = strstr(read_text(list, name), "[\n");
	const char *end = rows ? strstr(rows, "]);\n") : NULL;
	size_t len = end && !end[4] ? (size_t)(end - rows) + 1 : 0;
	return len ? pv_json_read((struct pv_str){rows, len}) : NULL;
}

static bool is_row(const struct pv_json *rows, size_t place, const char *title,
    const char *address, const char *file)
{
	const char *const texts[] = {title, address, file};
	struct pv_json *wanted = pv_json_array();
	struct pv_buf a, b;
	for (size_t i = 0; i < 3; i++)
		pv_json_add_text(wanted, texts[i]);
	pv_buf_init(&a, 4096);
	pv_buf_init(&b, 4096);
	if (pv_json_count(rows) > place)
		pv_json_write(pv_json_at(rows, place), false, &a);
	pv_json_write(wanted, false, &b);
	bool is_same = pv_str_equal(pv_buf_str(&a), pv_buf_str(&b));
	if (!is_same)
		printf("# %s\n", pv_buf_text(&a));
	pv_buf_finish(&a);
	pv_buf_finish(&b);
	pv_json_destroy(wanted);
	return is_same;
}

static void add_few(struct list *list)
{
	add(list, 1, "http://a.test/", "index.html", "<title>Home</title>");
	add(list, 2, "http://a.test/x.css", "x.css", "<title>no</title>");
	add(list, 3, "http://me:secret@a.test/b?\"<", "b^q %.html",
	    "<meta charset=utf-8><title>&lt;/script>&lt;img src=x "
	    "onerror=\"a()\">\xe2\x80\xae</title>");
	pv_database_run(
	    list->scene.database, "UPDATE addresses SET use = 1 WHERE id = 2");
	add(list, 4, "http://a.test/none", "none.html", "<p>no title");
	add(list, 5, "http://a.test/lost", "lost.html", "<title>x</title>");
	unlink(file_of(list, "site/lost.html"));
	add(list, 6, "http://a.test/n.txt", "n.txt", "<title>no</title>");
}

static void test_few(struct list *list)
{
	ok(write_list(list) && list->facts.list.count == 4 &&
		list->facts.list.parts == 1 && !list->facts.list.has_more,
	    "a list has the pages that are there, and nothing else");
	ok(has(list, "pages/1.html",
	       "<li><a href=\"../site/index.html\">Home</a><span "
	       "class=\"via\">http://a.test/</span></li>\n"),
	    "each by its title, with its address, and leads to its file");
	ok(has(list, "pages/1.html",
	       "<li><a href=\"../site/none.html\">http://a.test/none</a></li>"),
	    "or by its address, where it has no title");
	ok(has(list, "pages/1.html",
	       "<a href=\"../site/b%5Eq%20%25.html\">&lt;/script&gt;&lt;img "
	       "src=x onerror=&quot;a()&quot;&gt;</a><span class=\"via\">"
	       "http://a.test/b?&quot;&lt;</span>"),
	    "what comes from the web is text");
	ok(has(list, "pages/1.html", "<h1>Pages of docs</h1>"),
	    "it says of which mirror it is");
	ok(!strstr(pv_buf_text(&list->text), "secret") &&
		!strstr(read_text(list, "pages/1.js"), "secret"),
	    "P7: credentials leave no trace");
	ok(!strstr(read_text(list, "pages/1.html"), "<nav"),
	    "a single part leads to no other");
}

static void test_rows(struct list *list)
{
	struct pv_json *rows = read_rows(list, "pages/1.js");
	ok(pv_json_count(rows) == 4 &&
		is_row(rows, 0, "Home", "http://a.test/", "site/index.html"),
	    "the search has the same pages");
	ok(is_row(rows, 1, "</script><img src=x onerror=\"a()\">",
	       "http://a.test/b?\"<", "site/b%5Eq%20%25.html"),
	    "what comes from the web is text there, too");
	ok(is_row(rows, 2, "", "http://a.test/none", "site/none.html"),
	    "a page without a title has an empty one");
	ok(is_row(rows, 3, "", "http://a.test/n.txt", "site/n.txt"),
	    "a text that pages link to is listed, by its address");
	pv_json_destroy(rows);
	ok(has(list, "pages/search.js",
	       "var pavaneParts = 1, pavaneMore = false;"),
	    "and the script of the search knows how many parts there are");
}

static void add_many(struct list *list)
{
	pv_database_run(list->scene.database, "BEGIN");
	for (int i = 0; i < MANY; i++) {
		char url[64], name[32];
		snprintf(url, sizeof(url), "http://a.test/%d", i);
		snprintf(name, sizeof(name), "m%d.html", i);
		add(list, 10 + i, url, name, "<title>One of many</title>");
	}
	pv_database_run(list->scene.database, "COMMIT");
}

static void test_many(struct list *list)
{
	add_many(list);
	ok(write_list(list) && list->facts.list.count == MANY + 4 &&
		list->facts.list.parts == 6,
	    "P5: a long list is written in parts");
	struct pv_json *rows = read_rows(list, "pages/6.js");
	ok(pv_json_count(rows) == MANY + 4 - 5 * PV_PAGE_LIST_PART,
	    "the last has what is left");
	ok(is_row(rows, pv_json_count(rows) - 1, "", "http://a.test/5099",
	       "site/m5099.html"),
	    "titles are read as long as there is time, then pages go by their "
	    "addresses");
	pv_json_destroy(rows);
	ok(has(list, "pages/2.html", "<a href=\"1.html\">previous</a>") &&
		has(list, "pages/2.html", "<a href=\"3.html\">next</a>"),
	    "each leads to the ones beside it");
	ok(!strstr(read_text(list, "pages/6.html"), ">next<") &&
		!strstr(read_text(list, "pages/1.html"), ">previous<"),
	    "as far as there are any");
	pv_database_run(
	    list->scene.database, "DELETE FROM copies WHERE address > 9");
	ok(write_list(list) && list->facts.list.parts == 1 &&
		access(file_of(list, "pages/2.html"), F_OK) != 0 &&
		access(file_of(list, "pages/6.js"), F_OK) != 0,
	    "a shorter list leaves no part of the longer one");
}

static void test_long_addresses(struct list *list)
{
	static char url[1200], name[100];
	struct stat facts;
	memset(url, 'x', sizeof(url) - 1);
	memset(name, '%', sizeof(name) - 1);
	memcpy(url, "http://a.test/", 14);
	pv_database_run(list->scene.database, "BEGIN");
	for (int i = 0; i < 800; i++) {
		snprintf(url + 14, 8, "%07d", i);
		url[21] = 'x';
		snprintf(name + 90, 10, "%04d.html", i);
		add(list, 10000 + i, url, name, "<p>");
	}
	pv_database_run(list->scene.database, "COMMIT");
	ok(write_list(list) && list->facts.list.parts > 1 &&
		stat(file_of(list, "pages/1.html"), &facts) == 0 &&
		(size_t)facts.st_size < 2 * PV_PAGE_LIST_BYTES,
	    "P5: a part of long addresses has fewer pages");
	pv_database_run(
	    list->scene.database, "DELETE FROM copies WHERE address > 9");
}

static void test_foreign(struct list *list)
{
	mirror_write(&list->scene, "pages/1.html", "mine");
	ok(!write_list(list) && !list->facts.list.count,
	    "a file that is not ours is not written over");
	is_text(pv_buf_str(&list->fault),
	    "pages/1.html: it was not written by pavane, so it is not replaced",
	    "P4: and the reason is given");
	pv_page_list_remove(list->plan.directory);
	is_text(pv_str_of(read_text(list, "pages/1.html")), "mine",
	    "nor is it removed");
	unlink(file_of(list, "pages/1.html"));
	write_list(list);
	pv_page_list_remove(list->plan.directory);
	ok(access(file_of(list, "pages"), F_OK) != 0,
	    "a list of ours is removed as a whole");
	mkdir(file_of(list, "other"), 0777);
	ok(symlink("other", file_of(list, "pages")) == 0 && !write_list(list),
	    "a symbolic link in its place is not followed");
	unlink(file_of(list, "pages"));
	mirror_write(&list->scene, "pages", "mine");
	ok(!write_list(list), "nor is a file there replaced");
}

int main(void)
{
	static struct list list;
	if (open_list(&list)) {
		add_few(&list);
		test_few(&list);
		test_rows(&list);
		test_many(&list);
		test_long_addresses(&list);
		test_foreign(&list);
	}
	close_list(&list);
	return tap_done();
}
