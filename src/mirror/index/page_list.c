#include "mirror/index/page_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/visible.h"
#include "mirror/index/entry_file.h"
#include "mirror/index/entry_reader.h"
#include "mirror/index/entry_writer.h"
#include "store/tables/state_files.h"
#include "web/html_text.h"
#include "web/search_script.h"
#include "web/words.h"

/* What reading a title takes, about. */
#define TITLE_US 10

struct list {
	struct pv_entry_writer writer; /* of the part as a page */
	struct pv_entry_list listed;   /* that the parts have so far */
	struct pv_buf page;
	struct pv_buf rows; /* the part as a script */
	struct pv_buf title;
	struct pv_buf address;
	struct pv_buf *fault;
	size_t part_count; /* pages in this part */
	uint64_t titles;   /* that may still be read */
	int root;          /* the mirror's directory ... */
	int pages;         /* ... and the one of the list */
	bool has_failed;
};

/* Files */

static bool fail(struct list *list, const char *name, const char *why)
{
	list->has_failed = true;
	pv_buf_append_format(
	    list->fault, PV_PAGE_LIST "%s%s: %s", *name ? "/" : "", name, why);
	return false;
}

static void put_file(struct list *list, const char *name, struct pv_str text)
{
	struct pv_buf why;
	pv_buf_init(&why, 1024);
	if (!list->has_failed &&
	    !pv_entry_file_put(list->pages, name, text, &why))
		fail(list, name, pv_buf_text(&why));
	pv_buf_finish(&why);
}

static void name_part(char name[32], unsigned part, const char *extension)
{
	snprintf(name, 32, "%u.%s", part, extension);
}

/* By this line a script is known for ours. */
static void begin_script(const struct list *list, struct pv_buf *script)
{
	pv_buf_append_format(script, "/* " PV_ENTRY_GENERATOR "%s\"> */\n",
	    list->writer.plan->version);
}

static void put_script(struct list *list)
{
	struct pv_buf script;
	pv_buf_init(&script, SIZE_MAX);
	begin_script(list, &script);
	pv_buf_append_format(&script,
	    "var pavaneParts = %u, pavaneMore = %s;\n", list->listed.parts,
	    list->listed.has_more ? "true" : "false");
	pv_buf_append_text(&script, PV_SEARCH_SCRIPT);
	put_file(list, "search.js", pv_buf_str(&script));
	pv_buf_finish(&script);
}

/* Parts from that number on, as long as there are any. */
static void remove_parts(int pages, unsigned part)
{
	bool is_removed;
	do {
		char page[32], script[32];
		name_part(page, part, "html");
		name_part(script, part++, "js");
		is_removed = pv_entry_file_take(pages, page);
		is_removed = pv_entry_file_take(pages, script) || is_removed;
	} while (is_removed);
}

/* Parts */

static void begin_part(struct list *list)
{
	const struct pv_entry_writer *writer = &list->writer;
	list->listed.parts++;
	pv_buf_clear(&list->page);
	pv_buf_clear(&list->rows);
	pv_entry_put_head(writer, "pages");
	pv_entry_put(writer, "<p class=\"kind\"><a href=\"../" PV_ENTRY_FILE
			     "\">Mirror</a></p>\n<h1>Pages of ");
	pv_entry_put_name(writer);
	pv_entry_put(writer, "</h1>\n</header>\n<main>\n<section>\n");
	pv_entry_put_search(writer, "", "../");
	pv_entry_put(writer, "<ul class=\"plain\">\n");
	begin_script(list, &list->rows);
	pv_buf_append_format(
	    &list->rows, "pavanePages(%u, [\n", list->listed.parts);
}

static void end_part(struct list *list, bool is_last)
{
	const struct pv_entry_writer *writer = &list->writer;
	unsigned part = list->listed.parts;
	char page[32], script[32];
	pv_entry_put(writer, "</ul>\n");
	if (list->listed.has_more)
		pv_entry_put(writer,
		    "<p class=\"note\">Further pages are not listed.</p>\n");
	if (part > 1 || !is_last)
		pv_entry_put(writer, "<nav aria-label=\"Parts\">");
	if (part > 1)
		pv_entry_put(
		    writer, "<a href=\"%u.html\">previous</a>", part - 1);
	if (!is_last)
		pv_entry_put(writer, "<a href=\"%u.html\">next</a>", part + 1);
	pv_entry_put(writer,
	    "%s</section>\n</main>\n<footer><p><a href=\"../" PV_ENTRY_FILE
	    "\">Start page of the mirror</a></p></footer>\n</body>\n</html>\n",
	    part > 1 || !is_last ? "</nav>\n" : "");
	pv_buf_append_text(&list->rows, "]);\n");
	name_part(page, part, "html");
	name_part(script, part, "js");
	put_file(list, page, pv_buf_str(&list->page));
	put_file(list, script, pv_buf_str(&list->rows));
	list->part_count = 0;
}

/* Pages */

static void put_item(struct list *list, struct pv_str file)
{
	const struct pv_entry_writer *writer = &list->writer;
	struct pv_entry_address address = {.url = pv_buf_str(&list->address)};
	pv_entry_put(writer, "<li><a href=\"../");
	pv_html_text_append_file(&list->page, file);
	pv_entry_put(writer, "\">");
	if (list->title.len) {
		pv_html_text_append(&list->page, pv_buf_str(&list->title));
		pv_entry_put(writer, "</a><span class=\"via\">");
		pv_entry_put_shown(writer, &address);
		pv_entry_put(writer, "</span></li>\n");
	} else {
		pv_entry_put_shown(writer, &address);
		pv_entry_put(writer, "</a></li>\n");
	}
}

static void put_row(struct list *list, struct pv_str file)
{
	struct pv_buf *rows = &list->rows;
	struct pv_buf shown;
	pv_buf_init(&shown, SIZE_MAX);
	pv_visible_append(&shown, pv_buf_str(&list->address));
	pv_buf_append_text(rows, list->part_count ? ",\n[" : "[");
	pv_json_write_text(pv_buf_str(&list->title), rows);
	pv_buf_append_char(rows, ',');
	pv_json_write_text(pv_buf_str(&shown), rows);
	pv_buf_append_text(rows, ",\"");
	pv_html_text_append_file(rows, file);
	pv_buf_append_text(rows, "\"]");
	pv_buf_finish(&shown);
}

static void make_room(struct list *list)
{
	bool is_full = list->part_count == PV_PAGE_LIST_PART ||
		       list->page.len + list->rows.len > 2 * PV_PAGE_LIST_BYTES;
	if (list->part_count && !is_full)
		return;
	if (list->part_count)
		end_part(list, false);
	begin_part(list);
}

static void read_title(struct list *list, const char *file)
{
	pv_buf_clear(&list->title);
	if (!list->titles || !pv_entry_is_page(pv_str_of(file)))
		return;
	list->titles--;
	pv_entry_append_title(&list->title, list->root, file);
}

/* A page whose file is where it is said to be. */
static void add(struct list *list, const struct pv_state_file_row *row)
{
	struct pv_buf name;
	struct stat facts;
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append(&name, row->file);
	const char *file = pv_buf_text(&name);
	if (fstatat(list->root, file, &facts, AT_SYMLINK_NOFOLLOW) == 0) {
		make_room(list);
		read_title(list, file);
		pv_buf_clear(&list->address);
		pv_entry_append_address(&list->address, row->url);
		put_item(list, row->file);
		put_row(list, row->file);
		list->part_count++;
		list->listed.count++;
	}
	pv_buf_finish(&name);
}

static void add_all(struct list *list, struct pv_database *database)
{
	struct pv_state_file_row row;
	struct pv_file_cursor *rows =
	    pv_file_cursor_open(database, PV_FILES_KEPT, 0);
	list->titles = pv_entry_time_us(database) / TITLE_US;
	while (!list->has_failed && !list->listed.has_more &&
	       pv_file_cursor_next(rows, &row)) {
		if (!row.is_page)
			continue;
		if (list->listed.count == PV_PAGE_LIST_MAX)
			list->listed.has_more = true;
		else
			add(list, &row);
	}
	if (list->part_count)
		end_part(list, true);
	pv_file_cursor_close(rows);
}

/* The whole */

static int open_pages(int root)
{
	return openat(root, PV_PAGE_LIST,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool open_all(struct list *list, const char *directory)
{
	list->root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (list->root < 0)
		return fail(list, "", strerror(errno));
	if (mkdirat(list->root, PV_PAGE_LIST, 0777) != 0 && errno != EEXIST)
		return fail(list, "", strerror(errno));
	list->pages = open_pages(list->root);
	return list->pages >= 0 || fail(list, "", strerror(errno));
}

static void write_all(struct list *list, const char *directory)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", directory);
	struct pv_database *database = pv_database_look(pv_buf_text(&path));
	add_all(list, database);
	if (pv_database_status(database) != PV_STORE_OK)
		fail(list, "", pv_database_fault(database));
	pv_database_close(database);
	pv_buf_finish(&path);
	put_script(list);
	remove_parts(list->pages, list->listed.parts + 1);
}

static void close_all(struct list *list)
{
	if (list->pages >= 0)
		close(list->pages);
	if (list->root >= 0)
		close(list->root);
	pv_buf_finish(&list->page);
	pv_buf_finish(&list->rows);
	pv_buf_finish(&list->title);
	pv_buf_finish(&list->address);
}

bool pv_page_list_write(const struct pv_entry_plan *plan,
    struct pv_entry_facts *facts, struct pv_buf *fault)
{
	struct list list = {.fault = fault, .root = -1, .pages = -1};
	list.writer = (struct pv_entry_writer){plan, facts, &list.page};
	pv_buf_init(&list.page, SIZE_MAX);
	pv_buf_init(&list.rows, SIZE_MAX);
	pv_buf_init(&list.title, PV_ENTRY_TITLE_MAX);
	pv_buf_init(&list.address, SIZE_MAX);
	if (open_all(&list, plan->directory))
		write_all(&list, plan->directory);
	close_all(&list);
	if (!list.has_failed)
		facts->list = list.listed;
	return !list.has_failed;
}

void pv_page_list_remove(const char *directory)
{
	int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int pages = root < 0 ? -1 : open_pages(root);
	if (pages >= 0) {
		remove_parts(pages, 1);
		pv_entry_file_take(pages, "search.js");
		unlinkat(root, PV_PAGE_LIST, AT_REMOVEDIR);
		close(pages);
	}
	if (root >= 0)
		close(root);
}
