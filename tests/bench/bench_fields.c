#include "bench/numbers.h"
#include "bench/page_files.h"
#include "bench/stopwatch.h"
#include "fields/extract.h"
#include "policy/loaded.h"

/* How fast rows of ten fields are read from pages, in MB/s and processor: the
 * tree included. The pages are the documentation of Python and Apache, where
 * they are installed, or those in the directories that are given. */

#define ROUNDS 3

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1/\"]\n"
    "pages:\n"
    "  page:\n"
    "    fields:\n"
    "      title: {css: h1, required: true}\n"
    "      first: p\n"
    "      sections: {css: h2, many: true}\n"
    "      links: {css: \"a::attr(href)\", type: url, many: true}\n"
    "      code: {css: .pre, many: true}\n"
    "      encoding: {css: \"meta::attr(charset)\"}\n"
    "      items: {xpath: \"count(//li)\", type: integer}\n"
    "      described: {meta: viewport}\n"
    "      version: {regex: '[0-9]+\\.[0-9]+\\.[0-9]+'}\n"
    "      name: {url: path, regex: '([a-z]+)$'}\n";

struct measured {
	size_t rows;
	size_t problems;
};

static void read_page(const struct pv_policy *loaded,
    const struct pv_field_readers *readers, struct pv_str text,
    struct measured *measured)
{
	struct pv_rows rows;
	struct pv_url url;
	pv_rows_init(&rows);
	pv_url_init(&url, 1000);
	pv_url_parse(&url, PV_STR("http://127.0.0.1/library/page"));
	struct pv_row_page page = {
	    .kind = &loaded->pages.items[0],
	    .readers = readers,
	    .url = &url,
	    .text = text,
	    .ceilings = pv_field_ceilings_of(loaded),
	};
	pv_row_page_begin(&page);
	pv_rows_extract(&page, &rows);
	pv_row_page_end(&page);
	measured->rows += rows.count;
	measured->problems += rows.problem_count;
	pv_url_finish(&url);
	pv_rows_finish(&rows);
}

static void measure(const struct pages *pages, const char *name)
{
	struct loaded loaded = load_text(policy);
	struct pv_field_readers readers;
	struct measured measured = {0};
	double best_s = 0;
	pv_field_readers_init(&readers, &loaded.policy->pages, NULL);
	for (unsigned round = 0; round < ROUNDS; round++) {
		measured = (struct measured){0};
		struct stopwatch start = stopwatch_start();
		for (size_t i = 0; i < pages->count; i++)
			read_page(loaded.policy, &readers, pages_get(pages, i),
			    &measured);
		best_s = numbers_lesser(best_s, stopwatch_read(start).busy_s);
	}
	printf("fields: %s: %zu pages, %.1f MB, ten fields: %.1f MB/s and "
	       "core; %zu rows, %zu without a value\n",
	    name, pages->count, (double)pages->bytes.len / 1e6,
	    (double)pages->bytes.len / 1e6 / best_s, measured.rows,
	    measured.problems);
	pv_field_readers_finish(&readers);
	loaded_finish(&loaded);
}

int main(int argc, char **argv)
{
	return pages_main(argc, argv, measure);
}
