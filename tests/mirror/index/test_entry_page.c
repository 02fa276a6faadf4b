#include "mirror/index/entry_page.h"

#include "base/hash.h"
#include "mirror/kept/dead_ends.h"
#include "policy/loaded.h"
#include "store/scratch_store.h"
#include "store/statement.h"
#include "store/tables/redirects.h"
#include "tap.h"

/* A state file as a crawl leaves it, and the page that is made of it. */
struct entry {
	struct scratch scratch;
	struct pv_store *store;
	struct loaded loaded;
	struct pv_entry_plan plan;
	struct pv_buf page;
	struct pv_buf fault;
	bool is_awaited; /* somebody waits for the page */
};

static bool open_entry(struct entry *entry, const char *policy)
{
	*entry = (struct entry){.is_awaited = false};
	bool is_made = scratch_make(&entry->scratch);
	entry->store = is_made ? scratch_store_open(&entry->scratch) : NULL;
	entry->loaded = load_text(policy);
	pv_buf_init(&entry->page, PV_ENTRY_PAGE_MAX);
	pv_buf_init(&entry->fault, 4096);
	entry->plan = (struct pv_entry_plan){
	    .directory = "a b",
	    .policy = entry->loaded.policy,
	    .version = "7.8.9",
	    .stopped_by = "it was <asked> to",
	    .pages = 4711,
	    .now_wall_ms = INT64_C(1772357400000),
	};
	return ok(entry->store && is_right(&entry->loaded), "there is a state");
}

static void close_entry(struct entry *entry)
{
	pv_store_close(entry->store);
	loaded_finish(&entry->loaded);
	scratch_remove(&entry->scratch);
	pv_buf_finish(&entry->page);
	pv_buf_finish(&entry->fault);
}

static void run(struct entry *entry, const char *sql)
{
	pv_database_run(entry->store->database, sql);
	if (*pv_database_fault(entry->store->database))
		printf("# %s\n", pv_database_fault(entry->store->database));
}

/* Makes an address known as a crawl does. */
static void know(struct entry *entry, const char *url, unsigned id)
{
	char sql[200];
	struct pv_fingerprint fingerprint =
	    pv_fingerprint_of(&entry->store->key, pv_str_of(url));
	snprintf(sql, sizeof(sql), "INSERT INTO seen VALUES(%u, %lld, %u)",
	    fingerprint.origin, (long long)fingerprint.address, id);
	run(entry, sql);
}

static void redirect(struct entry *entry, const char *url, const char *target)
{
	struct pv_redirects redirects;
	pv_redirects_open(&redirects, entry->store->database);
	pv_redirects_keep(&redirects,
	    pv_fingerprint_of(&entry->store->key, pv_str_of(url)),
	    pv_str_of(target));
	pv_redirects_close(&redirects);
}

/* A file below the directory, and the copy that is in it. */
static void keep(struct entry *entry, const char *name, unsigned id)
{
	char sql[300];
	FILE *file = fopen(scratch_file(&entry->scratch, name), "w");
	if (file)
		fclose(file);
	snprintf(sql, sizeof(sql),
	    "INSERT INTO copies(address, round, fetched_wall_ms, "
	    "checked_wall_ms, modified_ms, file) VALUES(%u, 1, 0, 0, 0, '%s')",
	    id, name);
	run(entry, sql);
}

#define ADDRESS                                                           \
	"INSERT INTO addresses(id, host, state, use, depth, depth_left, " \
	"hops, redirects, attempt, reason, line, outcome, http_status, "  \
	"bytes, may_lead_further, via, url) "

#define LEDGER                                                              \
	"INSERT INTO ledger(host, requests, bytes, too_many, unavailable, " \
	"most_at_once, least_gap_ms, least_reaction_ms, robots_count, "     \
	"robots_wall_ms, gaps, rules) "

/* An address, with all that differs. */
static void add(struct entry *entry, const char *values, const char *url)
{
	struct pv_statement *statement;
	char sql[600];
	snprintf(sql, sizeof(sql),
	    "WITH new(id, host, state, use, redirects, reason, outcome, "
	    "http_status, via) AS (VALUES(%s)) " ADDRESS
	    "SELECT id, host, state, use, 0, 0, 0, redirects, 1, reason, 0, "
	    "outcome, http_status, 0, 0, via, ?1 FROM new",
	    values);
	statement = pv_statement_create(entry->store->database, sql);
	pv_statement_bind_text(statement, 1, pv_str_of(url));
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

static bool write_page(struct entry *entry)
{
	struct pv_entry_facts facts;
	pv_buf_clear(&entry->page);
	bool is_read = pv_entry_facts_read(&facts, entry->scratch.path,
	    entry->plan.policy, !entry->is_awaited, &entry->fault);
	if (is_read)
		pv_entry_page_write(&entry->plan, &facts, &entry->page);
	pv_entry_facts_finish(&facts);
	return ok(is_read, "the state is read%s", pv_buf_text(&entry->fault));
}

static bool has(const struct entry *entry, const char *part)
{
	if (strstr(pv_buf_text(&entry->page), part))
		return true;
	printf("# there is no %s\n", part);
	return false;
}

/* Whether it holds the parts (ended by NULL) in that order. */
static bool has_in_order(const struct entry *entry, const char *const *parts)
{
	const char *at = pv_buf_text(&entry->page);
	for (; at && *parts; parts++) {
		at = strstr(at, *parts);
		if (!at)
			printf("# not there, or not behind: %s\n", *parts);
	}
	return at != NULL;
}

/* The structure of the page: each tag is one of ours, and closed. */

static const char *const tags[] = {"html", "head", "title", "style", "body",
    "header", "main", "footer", "section", "div", "p", "h1", "h2", "dl", "dt",
    "dd", "ul", "li", "a", "b", "span", "code", "table", "thead", "tbody", "tr",
    "th", "td", "details", "summary", "time"};

static size_t tag_of(const char *name, size_t len)
{
	size_t count = sizeof(tags) / sizeof(*tags);
	for (size_t i = 0; i < count; i++) {
		if (strlen(tags[i]) == len && memcmp(tags[i], name, len) == 0)
			return i;
	}
	return count;
}

/* Only double quotes hold values, and nothing in them begins or ends a tag. */
static const char *end_of_tag(const char *at)
{
	const char *end = at + strcspn(at, "<>");
	size_t quotes = 0;
	for (const char *c = at; c < end; c++)
		quotes += *c == '"';
	return *end == '>' && quotes % 2 == 0 ? end : NULL;
}

static bool is_sound(const struct pv_buf *page)
{
	size_t open[32];
	size_t depth = 0;
	const char *at = strstr(pv_buf_text(page), "<html");
	while (at && (at = strchr(at, '<'))) {
		bool is_end = at[1] == '/';
		const char *name = at + 1 + is_end;
		size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz12");
		size_t tag = tag_of(name, len);
		at = end_of_tag(name);
		if (!at)
			return false;
		if (len == 4 && memcmp(name, "meta", 4) == 0 && !is_end)
			continue;
		if (tag == sizeof(tags) / sizeof(*tags))
			return false;
		if (is_end && (!depth || open[--depth] != tag))
			return false;
		if (!is_end && depth == 32)
			return false;
		if (!is_end)
			open[depth++] = tag;
	}
	return !depth && pv_str_ends(pv_buf_str(page), PV_STR("</html>\n"));
}

/* Where the references of the page may lead. */
static bool leads_only_to_us_and_the_web(const struct pv_buf *page)
{
	static const char *const beginnings[] = {"http://", "https://", "site/",
	    "journal.jsonl\"", "policy.yaml\"", "kept"};
	const char *at = pv_buf_text(page);
	while ((at = strstr(at, "href=\""))) {
		bool is_fine = false;
		at += strlen("href=\"");
		for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings);
		     i++)
			is_fine = is_fine || strncmp(at, beginnings[i],
						 strlen(beginnings[i])) == 0;
		if (!is_fine)
			return false;
	}
	return !strstr(pv_buf_text(page), "src=") &&
	       !strstr(pv_buf_text(page), "url(") &&
	       !strstr(pv_buf_text(page), "@import");
}

static void judge(const struct entry *entry)
{
	ok(is_sound(&entry->page) && !entry->page.is_full,
	    "each tag is ours, and closed");
	ok(leads_only_to_us_and_the_web(&entry->page) &&
		!strstr(pv_buf_text(&entry->page), "<script"),
	    "it needs nothing from elsewhere, and runs nothing");
}

/* A small crawl that has come to its end. */

#define SEEDS                                             \
	"name: docs\nseeds:\n"                            \
	"  - http://a.localhost/\n"                       \
	"  - http://me:secret@a.localhost/in\n"           \
	"  - http://a.localhost/old\n"                    \
	"  - http://a.localhost/hop\n"                    \
	"  - http://a.localhost/404\n"                    \
	"  - http://a.localhost/no\n"                     \
	"  - http://a.localhost/slow\n"                   \
	"  - http://a.localhost/later\n"                  \
	"  - {sitemap: \"http://a.localhost/map.xml\"}\n" \
	"  - http://a.localhost/{1..1000000000}\n"

static void fill(struct entry *entry)
{
	static const char *const urls[] = {NULL, "http://a.localhost/",
	    "http://me:secret@a.localhost/in", "http://a.localhost/old",
	    "http://a.localhost/404", "http://a.localhost/no",
	    "http://a.localhost/slow", "http://a.localhost/later",
	    "http://a.localhost/map.xml"};
	static const char *const values[] = {NULL,
	    "1, 1, 2, 2, 0, 0, 1, 200, 0", "2, 1, 2, 2, 0, 0, 1, 401, 0",
	    "3, 1, 2, 2, 0, 0, 1, 301, 0", "4, 1, 2, 2, 0, 0, 1, 404, 0",
	    "5, 1, 3, 2, 0, 12, 0, 0, 0", "6, 1, 2, 2, 0, 0, 5, 0, 0",
	    "7, 1, 0, 2, 0, 0, 0, 0, 0", "8, 1, 2, 2, 0, 0, 1, 200, 0"};
	for (unsigned i = 1; i < sizeof(urls) / sizeof(*urls); i++) {
		add(entry, values[i], urls[i]);
		know(entry, urls[i], i);
	}
	add(entry, "9, 1, 2, 2, 1, 0, 1, 200, 3", "http://a.localhost/new");
	add(entry, "10, 1, 2, 1, 0, 0, 1, 404, 1", "http://a.localhost/x.png");
	add(entry, "11, 2, 3, 0, 0, 1, 0, 0, 1", "http://b.test/");
	add(entry, "12, 1, 2, 2, 0, 0, 1, 404, 0", "http://a.localhost/m.xml");
	run(entry, "UPDATE addresses SET listing = 4 WHERE id IN (8, 12)");
	add(entry, "13, 1, 2, 2, 0, 0, 1, 302, 0", "http://a.localhost/hop");
	know(entry, "http://a.localhost/hop", 13);
	know(entry, "http://a.localhost/new", 9);
	redirect(entry, "http://a.localhost/hop", "http://a.localhost/new#x");
	keep(entry, "kept.html", 1);
	keep(entry, "kept new?.html", 9);
	run(entry, "INSERT INTO host_states(id, name, state, pages) VALUES("
		   "1, 'a.localhost', 0, 1234), (2, 'b.test', 0, 0);" LEDGER
		   "VALUES(1, 2000, 1536, 0, 0, 0, 0, 0, 0, 0, '', '')");
	run(entry, "INSERT INTO counts VALUES(0, 0, 1), (2, 1, 7), (2, 5, 1), "
		   "(2, 9, 44), (3, 12, 3000), (3, 1, 1)");
}

static void test_seeds(struct entry *entry)
{
	ok(has(entry, "<li><a href=\"kept.html\">http://a.localhost/</a>"),
	    "a seed leads to its file");
	ok(has(entry, "http://a.localhost/old <span class=\"note\">moved to"
		      "</span> <a href=\"kept%20new%3F.html\">"
		      "http://a.localhost/new</a></li>"),
	    "one that was moved, to where it is now");
	ok(has(entry, "http://a.localhost/hop <span class=\"note\">moved to"
		      "</span> <a href=\"kept%20new%3F.html\">"
		      "http://a.localhost/new</a></li>"),
	    "also where another page had led there before");
	ok(has(entry, "http://a.localhost/404</a> <span class=\"note bad\">"
		      "answered 404: not found</span>"),
	    "P4: of one that is missing its answer is told");
	ok(has(entry, "http://a.localhost/no</a> <span class=\"note bad\">left "
		      "out: forbidden by robots.txt</span>"),
	    "or why it was left out");
	ok(has(entry, "http://a.localhost/slow</a> <span class=\"note bad\">"
		      "too slow</span>"),
	    "or that there was none");
	ok(has(entry, "http://a.localhost/later</a> <span class=\"note bad\">"
		      "not requested yet</span>"),
	    "or that nobody has asked for it yet");
	ok(has(entry, "map.xml</a> <span class=\"note bad\">a sitemap, which"),
	    "a sitemap is no page");
	ok(has(entry, "http://a.localhost/in</a>") &&
		!strstr(pv_buf_text(&entry->page), "secret"),
	    "P7: credentials leave no trace");
	ok(has(entry, "and <b>1,000,000,001</b> more</summary>") &&
		has(entry, "http://a.localhost/41</a>") &&
		!strstr(pv_buf_text(&entry->page), "http://a.localhost/42<") &&
		has(entry, "and 999,999,959 more"),
	    "P5: of a billion seeds a few are named, and all are counted");
}

static void test_lists(const struct entry *entry)
{
	static const char *const parts[] = {"<h2>Missing</h2>",
	    "<b>1</b> answered 401: login required",
	    "<b>2</b> answered 404: not found", "http://a.localhost/404</a>",
	    "a seed of the policy", "http://a.localhost/x.png</a>",
	    "linked from <a href=\"kept.html\">http://a.localhost/</a>",
	    "<b>1</b> too slow", "<h2>Hosts</h2>",
	    "<a href=\"kept.html\">a.localhost</a></td><td>1,234</td><td>1.5 "
	    "KiB</td>",
	    "<h2>Left out</h2>", "<b>3,000</b> forbidden by robots.txt",
	    "http://a.localhost/no</a>", "and 2,999 more",
	    "<b>1</b> on other hosts", "http://b.test/</a>",
	    "<b>44</b> answered, of a type that fetch.accept does not "
	    "list",
	    NULL};
	ok(has_in_order(entry, parts),
	    "P4: what is missing and what was left out is told by its reason, "
	    "with examples, and where it is linked from");
	ok(!strstr(pv_buf_text(&entry->page), "b.test</a></td>") &&
		!strstr(pv_buf_text(&entry->page), "b.test</td>"),
	    "a host that was not asked is none of the mirror's");
	ok(!strstr(pv_buf_text(&entry->page), "m.xml"),
	    "a sitemap that nobody has named is not missed");
}

static void test_ends(struct entry *entry)
{
	ok(has(entry, "Not complete: stopped <time datetime=\"2026-03-01T"
		      "09:30:00.000Z\">2026-03-01 09:30 UTC</time>: it was "
		      "&lt;asked&gt; to.</p>\n<p>1 address is left. Go on with "
		      "<code>pavane continue &#39;a b&#39;</code>"),
	    "what was stopped says why, and how to go on");
	run(entry,
	    "INSERT INTO crawl VALUES('finished-at', 1772357400000);"
	    "INSERT INTO rounds VALUES(2, 1772357300000, 0, 0, 0, 0, 0, 0, 1, "
	    "2, 3, 4, 5)");
	write_page(entry);
	ok(has(entry, "Complete since <time datetime=\"2026-03-01T") &&
		!strstr(pv_buf_text(&entry->page), "pavane continue") &&
		!strstr(pv_buf_text(&entry->page), "a seed could not"),
	    "what is complete says since when");
	ok(has(entry, "UTC</time>: 1 new, 2 changed, 3 gone, 4 unchanged, 5 "
		      "could not be fetched again (their copies are kept)."),
	    "an update tells what it has found");
	ok(has(entry, "<dt>Pages</dt><dd>2</dd>") &&
		has(entry, "a.localhost</a></td><td>2</td><td>1.5 KiB</td>"),
	    "and pages are those that there are, not those that were new");
	entry->plan.lacks_seed = true;
	write_page(entry);
	ok(has(entry, "Finished <time") &&
		has(entry, "but a seed could not be fetched"),
	    "and where a seed could not be had, that is told");
}

static bool write_facts(struct entry *entry, struct pv_entry_list list)
{
	struct pv_entry_facts facts;
	pv_buf_clear(&entry->page);
	bool is_read = pv_entry_facts_read(&facts, entry->scratch.path,
	    entry->plan.policy, true, &entry->fault);
	facts.list = list;
	pv_entry_page_write(&entry->plan, &facts, &entry->page);
	pv_entry_facts_finish(&facts);
	return is_read;
}

static void test_titles(void)
{
	struct entry entry;
	FILE *file;
	if (!open_entry(&entry, "seeds: [\"http://a.localhost/\"]\n"))
		return;
	add(&entry, "1, 1, 2, 2, 0, 0, 1, 200, 0", "http://a.localhost/");
	know(&entry, "http://a.localhost/", 1);
	keep(&entry, "kept.html", 1);
	file = fopen(scratch_file(&entry.scratch, "kept.html"), "w");
	if (file) {
		fputs("<title>&lt;b> \x1b of dances</title>", file);
		fclose(file);
	}
	write_page(&entry);
	judge(&entry);
	ok(has(&entry, "<li><a href=\"kept.html\">&lt;b&gt; of dances</a>"
		       "<span class=\"via\">http://a.localhost/</span></li>"),
	    "a seed goes by the title of its page, which is text");
	ok(!strstr(pv_buf_text(&entry.page), "<h2>Pages</h2>"),
	    "where there is no list of all pages there is no search");
	struct pv_entry_list list = {.count = 1234, .parts = 2};
	ok(write_facts(&entry, list) &&
		has(&entry,
		    "<a href=\"pages/1.html\">List of 1,234 pages</a>") &&
		has(&entry, "<script src=\"pages/search.js\"") &&
		has(&entry, "<label for=\"search\">"),
	    "where there is one, it is linked and can be searched");
	list.has_more = true;
	ok(write_facts(&entry, list) &&
		has(&entry, ">List of the first 1,234 pages</a>"),
	    "one that is not whole says so");
	close_entry(&entry);
}

/* Hosts that nobody has answered for leave a mirror without their pages. */
static void test_unanswered(void)
{
	struct entry entry;
	if (!open_entry(&entry, "seeds: [\"http://a.localhost/\"]\n"))
		return;
	run(&entry, "INSERT INTO crawl VALUES('finished-at', 1772357400000);"
		    "INSERT INTO counts VALUES(2, 1, 7), (3, 13, 1000)");
	write_page(&entry);
	ok(!strstr(pv_buf_text(&entry.page), "Complete") &&
		has(&entry,
		    "<div class=\"state stopped\">\n<p>Finished <time") &&
		has(&entry, "</time>, but 1,000 addresses are on hosts that "
			    "could not be reached"),
	    "a mirror of hosts whose robots.txt had no answer is not complete");
	run(&entry,
	    "DELETE FROM counts; INSERT INTO counts VALUES(2, 1, 7), (2, 3, 1)");
	write_page(&entry);
	ok(!strstr(pv_buf_text(&entry.page), "Complete") &&
		has(&entry, "</time>, but 1 address is on a host that could "
			    "not be reached"),
	    "nor is one of a host that refuses connections");
	close_entry(&entry);
}

static void test_small(void)
{
	struct entry entry;
	if (!open_entry(&entry, SEEDS))
		return;
	fill(&entry);
	write_page(&entry);
	judge(&entry);
	ok(has(&entry, PV_ENTRY_GENERATOR "7.8.9\">") &&
		has(&entry, "<h1>docs</h1>") &&
		has(&entry, "<title>docs: mirror</title>"),
	    "it says what it is, of what and by which version");
	ok(has(&entry, "<dt>Pages</dt><dd>4,711</dd>") &&
		has(&entry, "<dt>Received</dt><dd>1.5 KiB</dd>") &&
		has(&entry, "<dt>Host</dt><dd>1</dd>") &&
		has(&entry, "<dt>Missing</dt><dd>4</dd>") &&
		has(&entry, "<dt>Left out</dt><dd>3,001</dd>") &&
		has(&entry, "<dt>Pending</dt><dd>1</dd>"),
	    "how much there is stands before all else");
	test_seeds(&entry);
	test_lists(&entry);
	test_ends(&entry);
	judge(&entry);
	close_entry(&entry);
}

/* What is missing though its answer was no error. */
static void test_losses(void)
{
	struct entry entry;
	if (!open_entry(&entry, "seeds: [\"http://a.localhost/\"]\n"))
		return;
	for (unsigned i = 1; i <= 5; i++) {
		char values[100], url[100], target[100];
		snprintf(
		    values, sizeof(values), "%u, 1, 2, 2, 0, 0, 1, 302, 0", i);
		snprintf(url, sizeof(url), "http://a.localhost/%u", i);
		snprintf(target, sizeof(target), "http://a.localhost/%u",
		    i < 5 ? i % 3 + 1 : 9);
		add(&entry, values, url);
		know(&entry, url, i);
		redirect(&entry, url, target);
	}
	add(&entry, "6, 1, 2, 2, 0, 0, 1, 302, 1", "http://a.localhost/6");
	add(&entry, "7, 1, 2, 2, 0, 0, 1, 200, 1", "http://a.localhost/7");
	add(&entry, "8, 1, 2, 2, 0, 0, 1, 200, 1", "http://a.localhost/8");
	keep(&entry, "kept7.html", 7);
	keep(&entry, "kept8.html", 8);
	add(&entry, "10, 1, 2, 2, 0, 0, 1, 404, 1", "http://a.localhost/10");
	keep(&entry, "kept10.html", 10);
	run(&entry, "UPDATE copies SET is_gone = 1;"
		    "UPDATE copies SET heard_status = 301 WHERE address = 8");
	pv_dead_ends_keep(entry.store->database, 6, PV_DEAD_END_NO_ADDRESS,
	    PV_STR("javascript:<b>"));
	pv_dead_ends_keep(
	    entry.store->database, 7, PV_DEAD_END_NOWHERE, PV_STR(""));
	write_page(&entry);
	judge(&entry);
	ok(has(&entry, "<b>4</b> redirected in a circle") &&
		has(&entry, "http://a.localhost/1</a>") &&
		has(&entry, "http://a.localhost/4</a>") &&
		!strstr(pv_buf_text(&entry.page), "http://a.localhost/5<"),
	    "a circle is missing, and what leads into it");
	ok(has(&entry, "<b>1</b> redirected to something that is not a web "
		       "address") &&
		has(&entry, "http://a.localhost/6</a> <span class=\"note\">to "
			    "javascript:&lt;b&gt;</span>") &&
		!strstr(pv_buf_text(&entry.page), "redirected to nowhere"),
	    "what leads to no address says to what it does");
	ok(has(&entry, "<b>1</b> deleted from its server since it was "
		       "fetched") &&
		has(&entry, "<a href=\"kept7.html\">stored copy") &&
		!strstr(pv_buf_text(&entry.page), "http://a.localhost/8<"),
	    "what is gone is missing, and what is redirected since is not");
	ok(has(&entry, "<b>1</b> answered 404") &&
		has(&entry, "<a href=\"kept10.html\">stored copy"),
	    "or had failed already when it was found gone");
	ok(has(&entry, "<dt>Missing</dt><dd>7</dd>") &&
		!strstr(pv_buf_text(&entry.page), "too many redirects"),
	    "all are counted, each once");
	run(&entry,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
	    "LIMIT 300000) INSERT INTO redirects SELECT 1, i, 'x' FROM n");
	write_page(&entry);
	judge(&entry);
	ok(has(&entry, "There are too many redirects to search for circles.") &&
		!strstr(pv_buf_text(&entry.page), "redirected in a circle") &&
		has(&entry, "<dt>Missing</dt><dd>3</dd>"),
	    "P4: of very many redirects circles are not looked for, and it is "
	    "told");
	close_entry(&entry);
}

static void link_from(struct entry *entry, unsigned id, const char *text)
{
	char values[100], name[100];
	snprintf(values, sizeof(values), "%u, 1, 2, 2, 0, 0, 1, 200, 0", id);
	snprintf(name, sizeof(name), "http://a.localhost/%u", id);
	add(entry, values, name);
	snprintf(name, sizeof(name), "kept%u.html", id);
	keep(entry, name, id);
	FILE *file = fopen(scratch_file(&entry->scratch, name), "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

/* Documents of 70 MB, as the state says. */
static void test_time_for_linkers(struct entry *entry)
{
	run(entry, "UPDATE addresses SET bytes = 10000000 WHERE id <= 7");
	write_page(entry);
	ok(has(entry, "first page that links to it"),
	    "unless that would take long beside what they took to come");
	run(entry,
	    "UPDATE copies SET fetched_wall_ms = address * 3000 WHERE address "
	    "<= 7");
	write_page(entry);
	ok(!has(entry, "first page that links to it"),
	    "which those took that came slowly");
	run(entry, "UPDATE addresses SET bytes = 300000000 WHERE id <= 7");
	run(entry,
	    "UPDATE copies SET fetched_wall_ms = fetched_wall_ms * 1000");
	write_page(entry);
	ok(has(entry, "first page that links to it"),
	    "but never for very long");
	run(entry, "UPDATE addresses SET bytes = 0");
}

/* The pages that link to what is missing. */
static void test_linkers(void)
{
	static const char *const parts[] = {"http://a.localhost/404</a>",
	    "linked from <a href=\"kept1.html\">http://a.localhost/1</a>, "
	    "<a href=\"kept2.html\">",
	    "<a href=\"kept5.html\">http://a.localhost/5</a> and 2 more: "
	    "<code>pavane links &#39;a b&#39; --broken</code></span>",
	    "http://a.localhost/405</a>",
	    "linked from <a href=\"kept1.html\">http://a.localhost/1</a>, "
	    "<a href=\"kept7.html\">http://a.localhost/7</a></span>",
	    "http://a.localhost/406</a>",
	    "linked from <a href=\"kept3.html\">http://a.localhost/3</a>"
	    "</span>",
	    NULL};
	struct entry entry;
	if (!open_entry(&entry, "seeds: [\"http://a.localhost/\"]\n"))
		return;
	for (unsigned i = 1; i <= 7; i++)
		link_from(&entry, i,
		    i == 1 || i == 7 ? "<a href=404><a href='405'>"
				     : "<p><a href='/404#x'>");
	add(&entry, "404, 1, 2, 2, 0, 0, 1, 404, 3", "http://a.localhost/404");
	add(&entry, "405, 1, 2, 2, 0, 0, 1, 404, 3", "http://a.localhost/405");
	add(&entry, "406, 1, 2, 2, 0, 0, 1, 404, 3", "http://a.localhost/406");
	write_page(&entry);
	ok(has(&entry,
	       "For each address, the first page that links to it is shown; "
	       "to list all: <code>pavane links &#39;a b&#39; "
	       "--broken</code>") &&
		!strstr(pv_buf_text(&entry.page), "kept2.html"),
	    "of what was stopped no documents are read");
	run(&entry, "INSERT INTO crawl VALUES('finished-at', 1772357400000)");
	write_page(&entry);
	judge(&entry);
	ok(has_in_order(&entry, parts) && !strstr(pv_buf_text(&entry.page),
					      "first page that links to it"),
	    "what is missing has the pages that link to it, or else the one "
	    "that led to it");
	entry.is_awaited = true;
	write_page(&entry);
	ok(has(&entry, "first page that links to it"),
	    "P6: while somebody waits for the end no documents are read");
	entry.is_awaited = false;
	test_time_for_linkers(&entry);
	add(&entry, "300000, 1, 3, 2, 0, 0, 0, 0, 0", "http://a.localhost/x");
	write_page(&entry);
	ok(has(&entry, "first page that links to it"),
	    "nor where there are very many");
	close_entry(&entry);
}

/* Whatever the web, or a state file that was spoilt, holds. */
static void test_hostile(void)
{
	static const char *const urls[] = {
	    "http://a.test/\"><script>alert(1)</script>",
	    "http://a.test/?a&lt;&copy='onclick='x",
	    "http://a.test/</details></li></ul><h1>",
	    "javascript:alert(1)",
	    "JAVASCRIPT:alert(1)",
	    "data:text/html,<b>",
	    "//a.test/",
	    "",
	    "http://a.test/\xff\xfe\x1b[2J\x01<!--",
	    "http://a.test/\xe2\x80\xae]]><![CDATA[",
	    "http://me:secret@a.test/",
	    "http://a.test",
	    "/",
	    "http:/",
	    "http://",
	};
	struct entry entry;
	size_t count = sizeof(urls) / sizeof(*urls);
	if (!open_entry(&entry, "seeds: [\"http://a.localhost/\"]\n"))
		return;
	for (size_t i = 0; i < count; i++) {
		char values[100];
		snprintf(values, sizeof(values),
		    "%zu, 1, 2, 2, 0, 0, 1, 404, %zu", i + 1, i);
		add(&entry, values, urls[i]);
		snprintf(values, sizeof(values),
		    "%zu, 1, 3, 0, 0, %zu, 0, 0, 1", i + 101, i % 5 + 1);
		add(&entry, values, urls[i]);
	}
	run(&entry,
	    "INSERT INTO host_states(id, name, state) VALUES("
	    "1, '</td><script>\"onload=x', 0);" LEDGER
	    "VALUES(1, 1, 1, 0, 0, 0, 0, 0, 0, 0, '', '');"
	    "INSERT INTO counts VALUES(3, 1, 3), (3, 2, 3), (3, 3, 3), (3, 4, "
	    "3), (3, 5, 3), (3, 77, 1), (9, 1, 1), (2, 50, 1)");
	write_page(&entry);
	judge(&entry);
	ok(has(&entry, "<h1>a.localhost</h1>"),
	    "where nobody gave a name, it is that of the first seed's host");
	ok(has(&entry, "href=\"http://a.test/&quot;&gt;&lt;script&gt;alert(1)"
		       "&lt;/script&gt;\">http://a.test/&quot;&gt;"),
	    "what looks like markup is text");
	ok(has(&entry, "<li>javascript:alert(1)<span") &&
		has(&entry, "<li>//a.test/<span"),
	    "what is no web address is no link");
	ok(!strstr(pv_buf_text(&entry.page), "secret"),
	    "P7: credentials leave no trace");
	close_entry(&entry);
}

/* More of everything than there is room for, and as long as can be. */
static void test_large(void)
{
	struct entry entry;
	if (!open_entry(&entry, "seeds: [\"http://a.localhost/\"]\n"))
		return;
	run(&entry,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
	    "LIMIT 12000) " ADDRESS
	    "SELECT i, i, 2, 2, 0, 0, 0, 0, 1, 0, 0, 1, CASE WHEN i % 1000 = 0 "
	    "THEN 500 ELSE 404 END, 0, 0, i - 1, 'http://a.test/' || i || "
	    "printf('%.*c', 900, '&') FROM n");
	run(&entry,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
	    "LIMIT 3000) INSERT INTO host_states(id, name, state, pages) "
	    "SELECT i, 'h' || i || printf('%.*c', 240, '&'), 0, i FROM n");
	run(&entry,
	    LEDGER "SELECT id, 2 * pages, pages, 0, 0, 0, 0, 0, 0, 0, '', '' "
		   "FROM host_states");
	run(&entry,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
	    "LIMIT 30) " ADDRESS
	    "SELECT 20000 + i, 1, 3, 0, 0, 0, 0, 0, 0, i, 0, 0, 0, 0, 0, 1, "
	    "'http://b.test/' || printf('%.*c', 3000, '&') FROM n");
	run(&entry,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
	    "LIMIT 30) INSERT INTO counts SELECT 3, i, 1000000 FROM n");
	write_page(&entry);
	judge(&entry);
	ok(entry.page.len < PV_ENTRY_PAGE_MAX,
	    "P5: a page has a ceiling (it has %zu bytes)", entry.page.len);
	ok(has(&entry, "<b>10,000 or more</b> answered 404") &&
		has(&entry, "<b>12</b> answered 500"),
	    "what there is very much of is not counted to the end");
	ok(has(&entry, "more: <code>pavane links &#39;a b&#39; --broken"),
	    "and a command has them all");
	ok(has(&entry, "<div><dt>Hosts</dt><dd>3,000</dd>") &&
		has(&entry, "<td>3,000</td>") &&
		!strstr(pv_buf_text(&entry.page), "<td>1</td>"),
	    "the largest hosts are named, and all are counted");
	run(&entry,
	    "INSERT INTO rounds VALUES(2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
	    "0, 0);"
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
	    "FROM n LIMIT 9000) " ADDRESS
	    "SELECT 30000 + i, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
	    "0, 1, '' FROM n");
	write_page(&entry);
	ok(!strstr(pv_buf_text(&entry.page), "<dt>Pages") &&
		has(&entry, "<th>Requests</th>") &&
		has(&entry, "<td>6,000</td><td>2.9 KiB</td>"),
	    "after an update of very many addresses requests are counted");
	ok(has(&entry, "<b>1,000,000</b> on other hosts"),
	    "each reason is counted, whether or not there is room for "
	    "examples");
	close_entry(&entry);
}

static void test_unreadable(void)
{
	struct entry entry;
	struct pv_entry_facts facts;
	if (!open_entry(&entry, "seeds: [\"http://a.localhost/\"]\n"))
		return;
	ok(!pv_entry_facts_read(&facts, "/no such place", entry.plan.policy,
	       true, &entry.fault) &&
		strstr(pv_buf_text(&entry.fault), "/no such place"),
	    "P4: what cannot be read is told");
	pv_entry_facts_finish(&facts);
	run(&entry, "DROP INDEX addresses_failed");
	pv_buf_clear(&entry.fault);
	ok(!pv_entry_facts_read(&facts, entry.scratch.path, entry.plan.policy,
	       true, &entry.fault) &&
		strstr(pv_buf_text(&entry.fault), "state.db"),
	    "also a state that makes no sense");
	pv_entry_facts_finish(&facts);
	close_entry(&entry);
}

int main(void)
{
	test_small();
	test_unanswered();
	test_titles();
	test_losses();
	test_linkers();
	test_hostile();
	test_large();
	test_unreadable();
	return tap_done();
}
