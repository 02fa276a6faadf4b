#ifndef PAVANE_TESTS_CRAWL_SHOP_ROWS_H
#define PAVANE_TESTS_CRAWL_SHOP_ROWS_H

#include "crawl/scene.h"
#include "crawl/shop.h"
#include "torture/lines.h"

/* The rows of a shop as the shop knows them, and those that a crawl has
 * written, held against each other.
 *
 * Which category a product brings along depends on which link to it came
 * first: the journal says that, as the page that it was found on. */
struct shop_rows {
	struct crawl_scene *scene;
	const struct shop *shop;
	unsigned *categories; /* by product; UINT_MAX: not known */
	unsigned category_count;
};

static const char *const shop_kind_names[SHOP_KINDS] = {
    [SHOP_CATEGORY] = "category",
    [SHOP_PRODUCT] = "product",
    [SHOP_REVIEW] = "review",
};

/* What the journal knows */

static inline void shop_rows_read_line(struct shop_rows *rows, char *line)
{
	const char *url = strstr(line, "\"url\":\"http://127.0.0.1:");
	const char *via = strstr(line, "\"via\":\"http://127.0.0.1:");
	const char *path = url ? strchr(url + 14, '/') : NULL;
	const char *from = via ? strchr(via + 14, '/') : NULL;
	unsigned number, category;
	if (!path || !from)
		return;
	if (sscanf(path, "/product/%u", &number) == 1 &&
	    sscanf(from, "/category/%u", &category) == 1 &&
	    number < rows->category_count &&
	    rows->categories[number] == UINT_MAX)
		rows->categories[number] = category;
}

static inline void shop_rows_init(
    struct shop_rows *rows, struct crawl_scene *scene, const struct shop *shop)
{
	struct pv_buf journal;
	*rows = (struct shop_rows){.scene = scene,
	    .shop = shop,
	    .category_count = shop_count(shop, 9)};
	rows->categories =
	    calloc(rows->category_count, sizeof(*rows->categories));
	for (unsigned i = 0; i < rows->category_count; i++)
		rows->categories[i] = shop_is_moved(i) || shop_is_teased(i)
					  ? i % shop_categories(shop)
					  : UINT_MAX;
	pv_buf_init(&journal, SIZE_MAX);
	home_read(&scene->home, "o/journal.jsonl", &journal);
	char *line = journal.ptr;
	while (line && *line) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		shop_rows_read_line(rows, line);
		line = end ? end + 1 : NULL;
	}
	pv_buf_finish(&journal);
}

static inline void shop_rows_finish(struct shop_rows *rows)
{
	free(rows->categories);
}

/* What the shop knows */

static inline void shop_row_address(
    enum shop_kind kind, unsigned number, char *address, size_t size)
{
	unsigned page = number % SHOP_CATEGORY_PAGES;
	if (kind == SHOP_PRODUCT)
		snprintf(address, size, "/product/%u", number);
	else if (kind == SHOP_REVIEW)
		snprintf(address, size, "/reviews/%u", number);
	else if (page)
		snprintf(address, size, "/category/%u?page=%u",
		    number / SHOP_CATEGORY_PAGES, page);
	else
		snprintf(address, size, "/category/%u",
		    number / SHOP_CATEGORY_PAGES);
}

static inline void shop_row_write_images(
    const struct shop_rows *rows, unsigned number, struct pv_buf *values)
{
	for (unsigned i = 0; i < 1 + number % 2; i++)
		pv_buf_append_format(values,
		    "%s\"http://127.0.0.1:%u/image/%u-%u.png\"", i ? "," : "",
		    (unsigned)server_port(rows->scene->server), number, i);
}

static inline void shop_row_write_product(const struct shop_rows *rows,
    unsigned number, unsigned version, struct pv_buf *values)
{
	char sku[24];
	shop_sku(number, sku);
	pv_buf_append_format(values,
	    ",\"category\":\"=Range %u\",\"title\":\"Chair \\\"%u\\\", large "
	    "& f\u00fcr alle\",\"price\":1%03u.%02u,\"sku\":%s,"
	    "\"stock\":%u,\"added\":",
	    rows->categories[number], number, number % 1000,
	    shop_revision(number, version), sku, number % 7);
	if (shop_has_date(number))
		pv_buf_append_format(
		    values, "\"2026-03-%02uT09:30:00+02:00\"", 1 + number % 28);
	else
		pv_buf_append_text(values, "null");
	pv_buf_append_text(values, ",\"images\":[");
	shop_row_write_images(rows, number, values);
	pv_buf_append_text(values, "],\"reviews\":[");
	for (unsigned i = 0; i < shop_reviews_within(number); i++)
		pv_buf_append_format(values,
		    "%s{\"by\":\"Reader %u\",\"stars\":%u}", i ? "," : "", i,
		    1 + (number + i) % 5);
	pv_buf_append_text(values, "]");
}

/* Appends the columns behind the first ones; false if there is no such row.
 * Items count from 0. */
static inline bool shop_row_write(const struct shop_rows *rows,
    enum shop_kind kind, unsigned number, unsigned item, unsigned version,
    struct pv_buf *values)
{
	const struct shop *shop = rows->shop;
	unsigned category = number / SHOP_CATEGORY_PAGES;
	char sku[24];
	if (kind == SHOP_CATEGORY) {
		pv_buf_append_format(
		    values, ",\"category\":\"=Range %u\"", category);
		return item == 0 && number % SHOP_CATEGORY_PAGES <
					shop_pages(shop, category, version);
	}
	if (!shop_sells(shop, number, version))
		return false;
	if (kind == SHOP_PRODUCT) {
		shop_row_write_product(rows, number, version, values);
		return item == 0 && shop_has_title(number);
	}
	/* A row that is not there carries nothing. */
	shop_sku(number, sku);
	if (shop_has_title(number))
		pv_buf_append_format(values, ",\"sku\":%s", sku);
	else
		pv_buf_append_text(values, ",\"sku\":null");
	pv_buf_append_format(values, ",\"text\":\"Review %u of %u, %u\"",
	    item + 1, number, item ? 0 : shop_revision(number, version));
	return item < shop_reviews(number, version);
}

static inline unsigned shop_rows_limit(
    const struct shop *shop, enum shop_kind kind, unsigned version)
{
	return kind == SHOP_CATEGORY
		   ? shop_categories(shop) * SHOP_CATEGORY_PAGES
		   : shop_count(shop, version);
}

static inline void shop_rows_add(const struct shop_rows *rows,
    enum shop_kind kind, unsigned number, unsigned item, const char *change,
    const struct pv_buf *values, struct lines *lines)
{
	char address[64];
	shop_row_address(kind, number, address, sizeof(address));
	lines_add(lines,
	    "%s {\"_url\":\"http://127.0.0.1:%u%s\",\"_item\":%u%s%s%s%s}",
	    shop_kind_names[kind], (unsigned)server_port(rows->scene->server),
	    address, item + 1, change ? ",\"_change\":\"" : "",
	    change ? change : "", change ? "\"" : "",
	    values ? pv_buf_text(values) : "");
}

/* The rows of a page as they were, and as they are now. */
struct shop_page_rows {
	bool has_had[SHOP_ITEMS_MAX];
	bool has[SHOP_ITEMS_MAX];
	bool is_same;
};

static inline void shop_rows_add_page(const struct shop_rows *rows,
    enum shop_kind kind, unsigned number, const unsigned versions[2],
    struct lines *lines)
{
	struct pv_buf had[SHOP_ITEMS_MAX], now[SHOP_ITEMS_MAX];
	struct shop_page_rows page = {.is_same = true};
	for (unsigned i = 0; i < SHOP_ITEMS_MAX; i++) {
		pv_buf_init(&had[i], 1 << 16);
		pv_buf_init(&now[i], 1 << 16);
		page.has_had[i] =
		    versions[0] != UINT_MAX &&
		    shop_row_write(rows, kind, number, i, versions[0], &had[i]);
		page.has[i] =
		    shop_row_write(rows, kind, number, i, versions[1], &now[i]);
		page.is_same =
		    page.is_same && page.has_had[i] == page.has[i] &&
		    (!page.has[i] ||
			pv_str_equal(pv_buf_str(&had[i]), pv_buf_str(&now[i])));
	}
	for (unsigned i = 0; i < SHOP_ITEMS_MAX && !page.is_same; i++) {
		if (page.has[i])
			shop_rows_add(rows, kind, number, i,
			    page.has_had[i] ? "changed" : "new", &now[i],
			    lines);
		else if (page.has_had[i])
			shop_rows_add(
			    rows, kind, number, i, "gone", NULL, lines);
	}
	for (unsigned i = 0; i < SHOP_ITEMS_MAX; i++) {
		pv_buf_finish(&had[i]);
		pv_buf_finish(&now[i]);
	}
}

/* What is to be told of rows from one version to another, which is later;
 * UINT_MAX: from nothing. */
static inline void shop_rows_between(const struct shop_rows *rows,
    unsigned before, unsigned after, struct lines *lines)
{
	const unsigned versions[2] = {before, after};
	for (unsigned kind = 0; kind < SHOP_KINDS; kind++) {
		unsigned limit = shop_rows_limit(rows->shop, kind, after);
		for (unsigned i = 0; i < limit; i++)
			if (kind != SHOP_CATEGORY ||
			    i % SHOP_CATEGORY_PAGES < 50)
				shop_rows_add_page(
				    rows, kind, i, versions, lines);
	}
	lines_sort(lines);
}

/* What is missing in version 0. */
static inline void shop_rows_problems(
    const struct shop_rows *rows, struct lines *lines)
{
	for (unsigned i = 0; i < rows->shop->first_count; i++) {
		const bool is_missing[] = {!shop_has_title(i),
		    !shop_has_date(i), !shop_reviews_within(i)};
		static const char *const fields[] = {
		    "title", "added", "reviews"};
		for (unsigned k = 0; k < 3; k++)
			if (is_missing[k])
				lines_add(lines,
				    "problems {\"url\":\"http://127.0.0.1:%u"
				    "/product/%u\",\"kind\":\"product\","
				    "\"field\":\"%s\",\"item\":1,\"why\":"
				    "\"nothing found\",\"required\":%s,"
				    "\"detail\":null}",
				    (unsigned)server_port(rows->scene->server),
				    i, fields[k], k ? "false" : "true");
	}
	lines_sort(lines);
}

/* What a crawl has written */

/* Takes out a member and the comma at its end. */
static inline void shop_line_cut(char *line, const char *key)
{
	char *at = strstr(line, key);
	char *comma = at ? strchr(at, ',') : NULL;
	if (comma)
		memmove(at, comma + 1, strlen(comma + 1) + 1);
}

/* The lines of a file behind its first ones, without when they were read and
 * the digests of pages; how many there are in all. */
static inline size_t shop_read_file(struct crawl_scene *scene, const char *name,
    size_t skipped, struct lines *lines)
{
	struct pv_buf text;
	size_t count = 0;
	char path[128];
	snprintf(path, sizeof(path), "o/fields/%s.jsonl", name);
	pv_buf_init(&text, SIZE_MAX);
	home_read(&scene->home, path, &text);
	char *line = text.ptr;
	while (line && *line) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		shop_line_cut(line, "\"_time\":");
		shop_line_cut(line, "\"time\":");
		shop_line_cut(line, "\"_digest\":");
		if (count++ >= skipped)
			lines_add(lines, "%s %s%s", name, line,
			    end ? "" : " is torn");
		line = end ? end + 1 : NULL;
	}
	pv_buf_finish(&text);
	return count;
}

/* So many lines the files of each kind have. */
struct shop_lengths {
	size_t counts[SHOP_KINDS];
};

/* Those behind these lengths, which are set to what there is. */
static inline void shop_read(struct crawl_scene *scene,
    struct shop_lengths *lengths, struct lines *lines)
{
	for (unsigned kind = 0; kind < SHOP_KINDS; kind++)
		lengths->counts[kind] = shop_read_file(
		    scene, shop_kind_names[kind], lengths->counts[kind], lines);
	lines_sort(lines);
}

/* Claims */

static inline bool shop_claim_same(
    const struct lines *found, const struct lines *wanted, const char *claim)
{
	struct pv_buf faults;
	pv_buf_init(&faults, 1 << 20);
	size_t count = lines_compare(found, wanted, "row", &faults);
	bool is_same = ok(count == 0 && found->count == wanted->count,
	    "%s (%zu lines)", claim, wanted->count);
	if (!is_same)
		printf("# %zu differ of %zu:\n%s", count, found->count,
		    pv_buf_text(&faults));
	pv_buf_finish(&faults);
	return is_same;
}

/* From one version to the other there were exactly these lines, behind those
 * that there were. */
static inline bool shop_claim_lines(struct shop_rows *rows, unsigned before,
    unsigned after, struct shop_lengths *lengths, const char *claim)
{
	struct lines found = {0}, wanted = {0};
	shop_read(rows->scene, lengths, &found);
	shop_rows_between(rows, before, after, &wanted);
	bool is_same = shop_claim_same(&found, &wanted, claim);
	lines_finish(&found);
	lines_finish(&wanted);
	return is_same;
}

/* All forms have the rows of a version, each once; a Python program reads
 * them. */
static inline bool shop_claim_forms(struct shop_rows *rows, unsigned version)
{
	static const char claim[] =
	    "JSON lines, CSV and SQLite have each row once";
	struct lines wanted = {0};
	struct pv_buf text;
	char command[2048];
	if (system("python3 -c 'import sqlite3' 2>/dev/null") != 0) {
		tap_skip(claim, "needs python3");
		return true;
	}
	pv_buf_init(&text, SIZE_MAX);
	shop_rows_between(rows, UINT_MAX, version, &wanted);
	/* A kind that all its pages have left. */
	pv_buf_append_text(&text, "teaser {}\n");
	for (size_t i = 0; i < wanted.count; i++)
		pv_buf_append_format(&text, "%s\n", wanted.items[i]);
	home_write(&rows->scene->home, "wanted.txt", pv_buf_str(&text));
	snprintf(command, sizeof(command),
	    "python3 \"${srcdir:-.}/tests/crawl/shop_rows.py\" '%s/wanted.txt' "
	    "'%s/o/fields'",
	    rows->scene->home.path, rows->scene->home.path);
	fflush(stdout);
	bool is_right =
	    ok(system(command) == 0, "%s (%zu)", claim, wanted.count);
	pv_buf_finish(&text);
	lines_finish(&wanted);
	return is_right;
}

#endif
