#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/array.h"
#include "parse/joiner.h"

/* How fast links are read from pages, in MB/s, and what joining them adds.
 *
 * The pages are the documentation of Python and Apache, where they are
 * installed (the packages python3.11-doc and apache2-doc), or those in the
 * directories that are given; otherwise they are made up.
 */

#define PAGES_BYTES_MAX (512 << 20)
#define LINKS_MAX 1000000
#define ADDRESS_LEN_MAX 2000
#define ROUNDS 5

struct corpus {
	struct pv_buf bytes;
	size_t *ends;
	size_t count;
	size_t size;
};

struct measure {
	double reading_ns, joining_ns, scanning_ns;
	size_t links, addresses;
};

/* Of the processor: what others do meanwhile is not ours. */
static double now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void end_page(struct corpus *corpus)
{
	size_t *end = PV_ARRAY_PUSH(corpus->ends, corpus->count, corpus->size);
	*end = corpus->bytes.len;
}

static void add_file(struct corpus *corpus, const FTSENT *entry)
{
	size_t len = (size_t)entry->fts_statp->st_size;
	FILE *file = fopen(entry->fts_accpath, "rb");
	char *room = pv_buf_reserve(&corpus->bytes, len);
	if (file && room && fread(room, 1, len, file) == len) {
		corpus->bytes.len += len;
		end_page(corpus);
	}
	if (file)
		fclose(file);
}

static void add_directory(struct corpus *corpus, char *directory)
{
	char *const paths[] = {directory, NULL};
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!tree)
		return;
	for (FTSENT *entry; (entry = fts_read(tree));) {
		if (entry->fts_info == FTS_F && strstr(entry->fts_name, ".htm"))
			add_file(corpus, entry);
	}
	fts_close(tree);
}

/* Pages as a generator of documentation writes them. */
static void add_made_up(struct corpus *corpus)
{
	struct pv_buf *bytes = &corpus->bytes;
	for (unsigned page = 0; page < 300; page++) {
		pv_buf_append_text(bytes, "<!DOCTYPE html>\n<title>A</title>");
		for (unsigned row = 0; row < 500; row++)
			pv_buf_append_format(bytes,
			    "<dt class=\"sig\" id=\"name-%u\"><span class="
			    "\"pre\">function</span><em>(value)</em></dt>\n"
			    "<dd><p>Returns what <a class=\"reference\" "
			    "href=\"../library/page-%u.html#name-%u\"><code>"
			    "<span>other</span></code></a> was given, or "
			    "raises an error if that is not possible.</p>\n",
			    row, row % 300, row);
		end_page(corpus);
	}
}

static struct pv_str page_of(const struct corpus *corpus, size_t i)
{
	size_t start = i ? corpus->ends[i - 1] : 0;
	return (struct pv_str){
	    corpus->bytes.ptr + start, corpus->ends[i] - start};
}

static void read_page(
    struct pv_links *links, struct pv_str page, struct measure *measure)
{
	const struct pv_page_facts facts = {
	    .charset = PV_STR(""), .product = PV_STR("")};
	double start = now_ns();
	pv_links_read(links, page, &facts);
	measure->reading_ns += now_ns() - start;
	measure->links += links->count;
}

static void join_links(struct pv_joiner *joiner, const struct pv_links *links,
    const struct pv_url *page, struct measure *measure)
{
	struct pv_url url;
	pv_url_init(&url, ADDRESS_LEN_MAX);
	double start = now_ns();
	pv_joiner_turn(joiner, links, page);
	for (size_t i = 0; i < links->count; i++)
		measure->addresses +=
		    pv_joiner_join(joiner, &url, &links->items[i]) == PV_URL_OK;
	measure->joining_ns += now_ns() - start;
	pv_url_finish(&url);
}

/* The least that anybody must do: to look for each tag. */
static void scan_page(struct pv_str page, struct measure *measure)
{
	double start = now_ns();
	size_t tags = 0;
	const char *at = page.ptr, *end = at + page.len;
	while ((at = memchr(at, '<', (size_t)(end - at)))) {
		tags++;
		at++;
	}
	measure->scanning_ns += now_ns() - start;
	measure->addresses += tags == PV_NOT_FOUND;
}

static struct measure measure_round(const struct corpus *corpus)
{
	struct measure measure = {.links = 0};
	struct pv_links links;
	struct pv_joiner joiner;
	struct pv_url page;
	pv_links_init(&links, LINKS_MAX, PAGES_BYTES_MAX);
	pv_joiner_init(&joiner, ADDRESS_LEN_MAX);
	pv_url_init(&page, ADDRESS_LEN_MAX);
	pv_url_parse(&page, PV_STR("https://docs.example.org/3/lib/a.html"));
	for (size_t i = 0; i < corpus->count; i++) {
		scan_page(page_of(corpus, i), &measure);
		read_page(&links, page_of(corpus, i), &measure);
		join_links(&joiner, &links, &page, &measure);
	}
	pv_url_finish(&page);
	pv_joiner_finish(&joiner);
	pv_links_finish(&links);
	return measure;
}

static double speed(const struct corpus *corpus, double ns)
{
	return (double)corpus->bytes.len * 1e3 / ns;
}

static void measure_corpus(const struct corpus *corpus, const char *name)
{
	struct measure best = measure_round(corpus);
	for (unsigned round = 1; round < ROUNDS; round++) {
		struct measure again = measure_round(corpus);
		if (again.reading_ns < best.reading_ns)
			best = again;
	}
	printf("html: %s: %zu pages, %.0f MB, %zu links\n", name, corpus->count,
	    (double)corpus->bytes.len / 1e6, best.links);
	printf("html: links read: %.0f MB/s, %.2f times looking for tags\n",
	    speed(corpus, best.reading_ns), best.reading_ns / best.scanning_ns);
	printf("html: and joined: %.0f MB/s, %.0f ns a link\n",
	    speed(corpus, best.reading_ns + best.joining_ns),
	    best.joining_ns / (double)best.links);
}

static void measure_directory(char *directory)
{
	struct corpus corpus = {.count = 0};
	pv_buf_init(&corpus.bytes, PAGES_BYTES_MAX);
	if (directory)
		add_directory(&corpus, directory);
	else
		add_made_up(&corpus);
	if (corpus.count)
		measure_corpus(&corpus, directory ? directory : "made up");
	else
		printf("html: no pages in %s\n", directory);
	free(corpus.ends);
	pv_buf_finish(&corpus.bytes);
}

int main(int argc, char **argv)
{
	char python[] = "/usr/share/doc/python3.11/html";
	char apache[] = "/usr/share/doc/apache2-doc/manual";
	for (int i = 1; i < argc; i++)
		measure_directory(argv[i]);
	if (argc > 1)
		return 0;
	measure_directory(python);
	measure_directory(apache);
	measure_directory(NULL);
	return 0;
}
