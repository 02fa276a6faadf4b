#include <ctype.h>

#include "crawl/scene.h"
#include "pavane/pavane.h"
#include "store/database.h"
#include "store/lock.h"

/* Rows written anew from what a mirror keeps are those of a crawl by the new
 * policy, but for their times; nobody is asked; and however it ends there are
 * the old rows or the new. */

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/list/4",
	.answer = {.is_template = true,
	    .body = "<base href=/item/><h1>The last</h1>"
		    "<a class=item href=41>1</a><a class=item href=42>2</a>"}},
    {.path = "/list/*",
	.answer = {.is_template = true,
	    .headers = "X-Shelf: top\r\n",
	    .body = "<h1>List {n}</h1><a class=item href=../item/{n}1>1</a>"
		    "<a class=item href=/item/{n}2>2</a>"
		    "<a class=next href=\"{n+1}\">on</a>"}},
    {.path = "/item/11",
	.answer = {.type = "text/html; charset=windows-1252",
	    .body = "<h1>Caf\xe9</h1><b class=price>7,00</b>"
		    "<a class=more href=../about?q=\xe9>more</a>"}},
    {.path = "/item/*",
	.answer = {.is_template = true,
	    .body = "<h1>Item {n}</h1><b class=price>1.2{n},50</b>"
		    "<a class=more href=\"../about#{n}\">more</a>"
		    "<a class=moved href=/moved>moved</a>"
		    "<a class=away href=/absent>away</a>"
		    "<img src=pic.png alt=\"{n} &amp; more\">"}},
    {.path = "/moved", .answer = {.status = 302, .location = "/about"}},
    {.path = "/about*", .answer = {.body = "<h1>About</h1>"}},
    {.path = "/item/pic.png", .answer = {.type = "image/png", .body = "p"}},
    {.path = "*", .answer = {.status = 404}},
};

#define HEAD                                                        \
	"version: 1\n"                                              \
	"seeds: [\"http://127.0.0.1:PORT/list/0\"]\n"               \
	"politeness: {delay: 2ms, ip_delay: 0, delay_factor: 0}\n"  \
	"rate: {max_rate: 1000, interval: 100ms, concurrency: 4}\n" \
	"scope: {sitemaps: false}\n"

#define MIRROR                                          \
	"output: {mirror: {}, fields: {forms: [jsonl, " \
	"csv, sqlite]}}\n"

#define LIST(fields)                                                    \
	"  list:\n    match: {path: \"/list/*\"}\n    fields: {" fields \
	"}\n    follow:\n"                                              \
	"      - {css: a.item, as: item, carry: [heading]}\n"           \
	"      - {css: a.next, as: list}\n"

#define OLD_ITEM "  item:\n    fields: {title: h1}\n"

static const char old_policy[] =
    HEAD MIRROR "pages:\n" LIST("heading: h1") OLD_ITEM;

/* The same kinds the other way round. */
static const char reordered[] =
    HEAD MIRROR "pages:\n" OLD_ITEM LIST("heading: h1");

static const char new_policy[] = HEAD MIRROR
    "pages:\n"
    "  item:\n    fields:\n"
    "      title: {css: h1, required: true}\n"
    "      price: {css: .price, type: number, decimal: \",\"}\n"
    "      more: {css: \"a.more::attr(href)\", type: url}\n"
    "      moved: {css: \"a.moved::attr(href)\", type: url}\n"
    "      away: {css: \"a.away::attr(href)\", type: url}\n"
    "      pic: {css: \"img::attr(src)\", type: url}\n"
    "      links: {each: a, fields: {to: {css: \"::attr(href)\", type: "
    "url}}}\n" LIST("heading: h1, items: {css: \"a.item::attr(href)\", type: "
		    "url, many: true}");

static const char with_header[] = HEAD MIRROR
    "pages:\n" LIST("heading: h1, shelf: {header: X-Shelf}") OLD_ITEM;

static const char narrow[] =
    HEAD MIRROR "pages:\n"
		"  list:\n    match: {path: \"/list/*\"}\n"
		"    fields: {heading: h1}\n"
		"    follow: [{css: a.next, as: list}]\n" OLD_ITEM;

static const char without_mirror[] =
    HEAD "output: {fields: {forms: [jsonl]}}\n"
	 "pages:\n" LIST("heading: h1") OLD_ITEM;

/* Running */

static void write_policy(
    struct crawl_scene *scene, const char *name, const char *text)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 1 << 20);
	crawl_scene_write(scene, text, &buf);
	home_write(&scene->home, name, pv_buf_str(&buf));
	pv_buf_finish(&buf);
}

static int run(struct crawl_scene *scene, const char *const *arguments)
{
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	return crawl_scene_wait(scene, HANG_MS);
}

static void ends(struct crawl_scene *scene, const char *const *arguments,
    int status, const char *claim)
{
	int found = run(scene, arguments);
	if (ok(found == status, "%s", claim))
		return;
	printf("# ended with %d\n", found);
	crawl_scene_show(scene);
}

#define RUN(scene, status, claim, ...) \
	ends(scene, (const char *const[]){__VA_ARGS__, NULL}, status, claim)

static bool has_said(struct crawl_scene *scene, const char *text)
{
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_errors(scene->program, &said);
	program_output(scene->program, &said);
	bool has_text = strstr(pv_buf_text(&said), text) != NULL;
	if (!has_text)
		printf("# %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
	return has_text;
}

/* Rows */

static bool is_digit_or_mark(char byte)
{
	return isdigit((unsigned char)byte) || strchr("-T:.", byte);
}

/* Times are all the same; nothing else looks like them. */
static void level_times(struct pv_buf *text)
{
	char *at = text->ptr;
	while (at && (at = strstr(at, "T"))) {
		if (at - text->ptr < 10 || at[13] != 'Z' || at[3] != ':') {
			at++;
			continue;
		}
		for (char *byte = at - 10; *byte != 'Z'; byte++)
			if (is_digit_or_mark(*byte))
				*byte = '0';
		at += 13;
	}
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a file, in their alphabet. */
static void read_lines(
    struct crawl_scene *scene, const char *file, struct pv_buf *sorted)
{
	struct pv_buf text;
	char *lines[1000];
	size_t count = 0;
	pv_buf_init(&text, 1 << 20);
	pv_buf_init(sorted, 1 << 20);
	home_read(&scene->home, file, &text);
	level_times(&text);
	for (char *line = text.ptr; line && *line && count < 1000;) {
		char *end = strchr(line, '\n');
		lines[count++] = line;
		if (end)
			*end++ = '\0';
		line = end;
	}
	if (count)
		qsort(lines, count, sizeof(*lines), compare);
	for (size_t i = 0; i < count; i++)
		pv_buf_append_format(sorted, "%s\n", lines[i]);
	pv_buf_finish(&text);
}

static void have_same(struct crawl_scene *scene, const char *name)
{
	struct pv_buf one, other;
	char file[64];
	snprintf(file, sizeof(file), "o/fields/%s", name);
	read_lines(scene, file, &one);
	snprintf(file, sizeof(file), "p/fields/%s", name);
	read_lines(scene, file, &other);
	if (!ok(one.len && pv_str_equal(pv_buf_str(&one), pv_buf_str(&other)),
		"P3: %s is as a new crawl writes it", name))
		printf("# one:\n# %s\n# other:\n# %s\n", pv_buf_text(&one),
		    pv_buf_text(&other));
	pv_buf_finish(&one);
	pv_buf_finish(&other);
}

static int64_t ask(struct crawl_scene *scene, const char *file, const char *sql)
{
	struct pv_database *database =
	    pv_database_look(home_file(&scene->home, file));
	int64_t number = pv_database_number(database, sql);
	if (pv_database_status(database) != PV_STORE_OK)
		number = -1;
	pv_database_close(database);
	return number;
}

static void read_file(
    struct crawl_scene *scene, const char *name, struct pv_buf *text)
{
	pv_buf_init(text, 1 << 20);
	home_read(&scene->home, name, text);
}

/* Tests */

static bool begin(struct crawl_scene *scene, const char *policy)
{
	if (!ok(crawl_scene_open(
		    scene, &(struct server_plan){SERVER_ROUTES(routes)}),
		"a host is there"))
		return false;
	write_policy(scene, "policy.yaml", policy);
	write_policy(scene, "new.yaml", new_policy);
	return true;
}

static void crawl(struct crawl_scene *scene, const char *policy,
    const char *directory, const char *claim)
{
	RUN(scene, 0, claim, "crawl", policy, "-o", directory, "-q");
}

static void is_as_by_new_policy(struct crawl_scene *scene)
{
	static const char *const files[] = {"item.jsonl", "list.jsonl",
	    "item.csv", "item.links.csv", "list.csv", "problems.jsonl"};
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		have_same(scene, files[i]);
	ok(ask(scene, "o/fields/fields.db", "SELECT count(*) FROM item") == 10,
	    "and all rows are in the database");
	ok(ask(scene, "o/fields/fields.db",
	       "SELECT count(*) FROM item_links") ==
		ask(scene, "p/fields/fields.db",
		    "SELECT count(*) FROM item_links"),
	    "with the records within");
	ok(ask(scene, "o/state.db",
	       "SELECT count(*) FROM page_rows WHERE count > 0") == 15,
	    "P3: and the state knows of them");
}

static void test_other_fields(void)
{
	struct crawl_scene scene;
	struct pv_buf before, after;
	if (begin(&scene, old_policy)) {
		crawl(&scene, "policy.yaml", "o", "a shop is crawled");
		size_t asked = server_log_count(scene.server);
		RUN(&scene, 0, "its rows are written anew", "fields", "o",
		    "new.yaml");
		ok(has_said(&scene, "15 pages, 15 rows"), "which is told");
		ok(server_log_count(scene.server) == asked,
		    "P1: nobody is asked for anything");
		crawl(&scene, "new.yaml", "p", "it is crawled by that policy");
		is_as_by_new_policy(&scene);
		ok(access(home_file(&scene.home, "o/fields.new"), F_OK) != 0,
		    "nothing is left of the work");
		read_file(&scene, "o/fields/item.jsonl", &before);
		crawl(&scene, "new.yaml", "o", "the crawl goes on by it");
		RUN(&scene, 0, "and is updated", "update", "o", "-q");
		read_file(&scene, "o/fields/item.jsonl", &after);
		ok(pv_str_equal(pv_buf_str(&before), pv_buf_str(&after)),
		    "P3: an update of pages that are as they were adds "
		    "nothing");
		pv_buf_finish(&before);
		pv_buf_finish(&after);
	}
	crawl_scene_close(&scene);
}

/* Kinds that follow more than those of the crawl did. */
static void test_other_links(void)
{
	static const char note[] = "links are not followed anew";
	struct crawl_scene scene;
	if (begin(&scene, narrow)) {
		crawl(
		    &scene, "policy.yaml", "o", "a part of a shop is crawled");
		RUN(&scene, 0, "its rows are written anew", "fields", "o");
		ok(!has_said(&scene, note), "by the same links, of which "
					    "nothing is told");
		size_t asked = server_log_count(scene.server);
		RUN(&scene, 0, "and by a policy that follows more", "fields",
		    "o", "new.yaml");
		ok(has_said(&scene, note), "P4: which is told");
		ok(has_said(&scene, "pavane crawl new.yaml -o o --fresh\n"),
		    "with what to do");
		ok(server_log_count(scene.server) == asked,
		    "P1: nobody is asked for anything");
		RUN(&scene, 0, "that is done", "crawl", "new.yaml", "-o", "o",
		    "--fresh", "--yes", "-q");
		RUN(&scene, 0, "and its rows are written anew", "fields", "o",
		    "new.yaml");
		ok(!has_said(&scene, note), "of which nothing is told then");
		ok(ask(&scene, "o/fields/fields.db",
		       "SELECT count(*) FROM item") == 10,
		    "since all rows are there");
	}
	crawl_scene_close(&scene);
}

static void test_own_policy(void)
{
	struct crawl_scene scene;
	if (begin(&scene, with_header)) {
		crawl(&scene, "policy.yaml", "o", "a shop is crawled");
		RUN(&scene, 0, "its rows are written anew by its own policy",
		    "fields", "o", "--json");
		ok(has_said(&scene, "{\"pages\":15,\"rows\":15,\"missing\":0}"),
		    "which is told in JSON");
		ok(has_said(&scene, "1 field without values: headers of "
				    "answers are not kept"),
		    "and what is not kept, once");
		RUN(&scene, 0, "it may be done again", "fields", "o", "-q");
	}
	crawl_scene_close(&scene);
}

/* One that cannot be: it is in the way, or somebody wants it to end. */
static bool is_enough(void *ctx)
{
	int *pages = ctx;
	return ++*pages == 5;
}

static void stop_in_the_midst(struct crawl_scene *scene)
{
	int pages = 0;
	struct pavane_fields_made made = PAVANE_INIT(struct pavane_fields_made);
	char directory[600], policy[600];
	snprintf(directory, sizeof(directory), "%s/o", scene->home.path);
	snprintf(policy, sizeof(policy), "%s/new.yaml", scene->home.path);
	const struct pavane_fields_options options = {
	    .size = sizeof(struct pavane_fields_options),
	    .directory = directory,
	    .policy = policy,
	    .is_enough = is_enough,
	    .ctx = &pages,
	};
	ok(pavane_fields(&options, &made) && made.is_cut && made.pages == 4,
	    "it is stopped in the midst");
}

static void test_left(void)
{
	struct crawl_scene scene;
	struct pv_buf before, after;
	struct pv_lock lock;
	struct pv_why why;
	pv_why_init(&why);
	if (begin(&scene, old_policy)) {
		crawl(&scene, "policy.yaml", "o", "a shop is crawled");
		read_file(&scene, "o/fields/item.jsonl", &before);
		pv_lock_take(&lock, home_file(&scene.home, "o"), &why);
		RUN(&scene, 1, "while a crawl runs, no rows are written anew",
		    "fields", "o");
		pv_lock_give(&lock);
		stop_in_the_midst(&scene);
		read_file(&scene, "o/fields/item.jsonl", &after);
		ok(pv_str_equal(pv_buf_str(&before), pv_buf_str(&after)) &&
			ask(&scene, "o/state.db",
			    "SELECT rows FROM row_counts "
			    "WHERE kind = 'item'") == 10,
		    "P3: the old rows stay");
		RUN(&scene, 1, "nor without a crawl", "fields", "nowhere");
		RUN(&scene, 2, "nor without a directory", "fields");
		pv_buf_finish(&before);
		pv_buf_finish(&after);
	}
	pv_why_finish(&why);
	crawl_scene_close(&scene);
}

/* What is kept as it came needs nothing undone. */
static void test_not_rewritten(void)
{
	struct crawl_scene scene;
	if (begin(&scene, old_policy)) {
		RUN(&scene, 0, "a shop is kept as it came", "crawl",
		    "policy.yaml", "-o", "o", "-q", "--set",
		    "output.mirror.rewrite=false");
		RUN(&scene, 0, "its rows are written anew", "fields", "o",
		    "new.yaml");
		crawl(&scene, "new.yaml", "p", "it is crawled by that policy");
		have_same(&scene, "list.jsonl");
		have_same(&scene, "list.csv");
	}
	crawl_scene_close(&scene);
}

/* A file that somebody has removed. */
static void test_unread(void)
{
	static const char file[] = "o/site/127.0.0.1^PORT/item/12^.html";
	struct crawl_scene scene;
	struct pv_buf name;
	pv_buf_init(&name, 200);
	if (begin(&scene, old_policy)) {
		crawl_scene_write(&scene, file, &name);
		crawl(&scene, "policy.yaml", "o", "a shop is crawled");
		ok(unlink(home_file(&scene.home, pv_buf_text(&name))) == 0,
		    "a file of its mirror is removed");
		RUN(&scene, 0, "the others' rows are written anew", "fields",
		    "o");
		ok(has_said(&scene, "1 page without rows: the file in the "
				    "mirror cannot be read"),
		    "and what has none is told");
		ok(has_said(&scene, "14 pages, 14 rows"), "and counted");
	}
	pv_buf_finish(&name);
	crawl_scene_close(&scene);
}

/* Reordered in the midst. */
static void test_reordered(void)
{
	struct crawl_scene scene;
	if (begin(&scene, old_policy)) {
		write_policy(&scene, "other.yaml", reordered);
		RUN(&scene, 4, "a crawl is stopped by a limit", "crawl",
		    "policy.yaml", "-o", "o", "-q", "--set", "limits.pages=3");
		RUN(&scene, 0, "it goes on by kinds in another order", "crawl",
		    "other.yaml", "-o", "o");
		ok(has_said(&scene, "pages: changed: applies to pages read "
				    "from now on"),
		    "P4: which is told");
		crawl(&scene, "other.yaml", "p", "another crawl goes by them");
		have_same(&scene, "item.jsonl");
		have_same(&scene, "list.jsonl");
	}
	crawl_scene_close(&scene);
}

static void test_nothing_kept(void)
{
	struct crawl_scene scene;
	struct pv_buf before, after;
	if (begin(&scene, without_mirror)) {
		crawl(&scene, "policy.yaml", "o", "nothing is kept of a crawl");
		read_file(&scene, "o/fields/item.jsonl", &before);
		RUN(&scene, 1, "so rows cannot be written anew", "fields", "o",
		    "new.yaml");
		ok(has_said(&scene, "no page is kept there"), "as is told");
		read_file(&scene, "o/fields/item.jsonl", &after);
		ok(before.len &&
			pv_str_equal(pv_buf_str(&before), pv_buf_str(&after)),
		    "P3: the old rows stay");
		pv_buf_finish(&before);
		pv_buf_finish(&after);
	}
	crawl_scene_close(&scene);
}

/* Kills */

static void kill_after(
    struct crawl_scene *scene, const char *policy, int wait_ms)
{
	const char *const arguments[] = {"fields", "o", policy, "-q", NULL};
	struct program_end end;
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	program_wait(scene->program, wait_ms, &end);
	program_signal(scene->program, SIGKILL);
	program_wait(scene->program, HANG_MS, &end);
}

#define KILLS 24

static void test_kills(void)
{
	struct crawl_scene scene;
	struct pv_buf olds, news, now;
	unsigned whole = 0;
	if (begin(&scene, old_policy)) {
		crawl(&scene, "policy.yaml", "o", "a shop is crawled");
		RUN(&scene, 0, "rows by a new policy", "fields", "o",
		    "new.yaml");
		read_file(&scene, "o/fields/item.jsonl", &news);
		RUN(&scene, 0, "and by the old one", "fields", "o");
		read_file(&scene, "o/fields/item.jsonl", &olds);
		for (int i = 0; i < KILLS; i++) {
			kill_after(
			    &scene, i % 2 ? "policy.yaml" : "new.yaml", 2 * i);
			read_file(&scene, "o/fields/item.jsonl", &now);
			whole +=
			    pv_str_equal(pv_buf_str(&now), pv_buf_str(&olds)) ||
			    pv_str_equal(pv_buf_str(&now), pv_buf_str(&news));
			pv_buf_finish(&now);
		}
		ok(whole == KILLS,
		    "P3: whenever it is killed, there are the old rows or the "
		    "new (%u of %d)",
		    whole, KILLS);
		RUN(&scene, 0, "and the next one ends well", "fields", "o",
		    "new.yaml");
		read_file(&scene, "o/fields/item.jsonl", &now);
		ok(pv_str_equal(pv_buf_str(&now), pv_buf_str(&news)),
		    "with the new rows");
		pv_buf_finish(&now);
		pv_buf_finish(&olds);
		pv_buf_finish(&news);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	test_other_fields();
	test_other_links();
	test_own_policy();
	test_left();
	test_not_rewritten();
	test_unread();
	test_reordered();
	test_nothing_kept();
	test_kills();
	return tap_done();
}
