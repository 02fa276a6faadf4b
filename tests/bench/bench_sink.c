#include "sink/sink.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/coding.h"
#include "base/json/json.h"
#include "policy/policy.h"
#include "scratch.h"
#include "mirror/files/file_name.h"
#include "sink/journal_line.h"

/* What it costs to keep an answer: undoing its coding, its file, its line; each
 * as a multiple of the least that anybody must do. The best of a few rounds
 * counts.
 *
 *   bench_sink [FILES]
 */
#define ROUNDS 5
#define LINES 100000
#define DIRECTORIES 100
#define PAGE_BYTES 8192
#define TEXT_BYTES ((size_t)16 * 1024 * 1024)

static double now_s(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static _Noreturn void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* A page that has all that a line may tell. */
struct paper {
	struct pv_visit visit;
	struct pv_response response;
	struct pv_page page;
};

static void begin_paper(struct paper *paper)
{
	*paper = (struct paper){
	    .visit = {
		.url = PV_STR("https://docs.example.org/en/java/javase/21/docs/"
			      "api/java.base/java/util/ArrayList.html"),
		.via = PV_STR("https://docs.example.org/en/java/javase/21/docs/"
			      "api/java.base/module-summary.html"),
		.tag = PV_STR("docs"),
		.standing = {.depth = 4},
	    }};
	struct pv_response *response = &paper->response;
	pv_response_init(response, ".", 1 << 20);
	response->outcome = PV_OUTCOME_ANSWERED;
	response->http_status = 200;
	pv_address_read(PV_STR("192.0.2.17"), &response->address);
	pv_headers_add(&response->headers, PV_STR("Date"), PV_STR("now"));
	pv_headers_add(&response->headers, PV_STR("Content-Type"),
	    PV_STR("text/html; charset=utf-8"));
	response->times = (struct pv_response_times){0, 12, 31, 140, 219, 0};
	pv_page_init(&paper->page);
	paper->page.visit = &paper->visit;
	paper->page.response = response;
	paper->page.type = PV_STR("text/html; charset=utf-8");
	paper->page.host = PV_STR("docs.example.org");
	paper->page.wall_ms = INT64_C(1772357400250);
	paper->page.wait_ms = 1000;
	paper->page.has_digest = true;
	pv_buf_append_text(&paper->page.file,
	    "site/docs.example.org/en/java/javase/21/docs/api/java.base/java/"
	    "util/ArrayList.html");
}

static void end_paper(struct paper *paper)
{
	pv_response_finish(&paper->response);
	pv_page_finish(&paper->page);
}

/* Lines */

static double measure_lines(const struct pv_page *page, struct pv_buf *line)
{
	double start = now_s();
	for (unsigned i = 0; i < LINES; i++) {
		pv_buf_clear(line);
		pv_journal_line_write(page, line);
		pv_buf_append(line, pv_journal_line_end(true));
	}
	return (now_s() - start) / LINES;
}

static void set_text(
    struct pv_json *object, const char *name, struct pv_str text)
{
	pv_json_set(object, name, pv_json_text(text));
}

static void write_as_values(const struct pv_page *page, struct pv_buf *line)
{
	static const char *const numbers[] = {"status", "depth", "attempt",
	    "bytes", "wait_ms", "name_ms", "connect_ms", "tls_ms",
	    "first_byte_ms", "total_ms"};
	struct pv_json *object = pv_json_object();
	set_text(object, "time", PV_STR("2026-03-01T09:30:00.250Z"));
	set_text(object, "url", page->visit->url);
	set_text(object, "host", page->host);
	set_text(object, "ip", PV_STR("192.0.2.17"));
	set_text(object, "outcome", PV_STR("answered"));
	set_text(object, "via", page->visit->via);
	set_text(object, "type", PV_STR("text/html"));
	set_text(object, "tag", page->visit->tag);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		pv_json_set(object, numbers[i], pv_json_integer(200));
	set_text(object, "digest",
	    PV_STR("sha256:0000000000000000000000000000000000000000000000000000"
		   "000000000000"));
	set_text(object, "file", pv_buf_str(&page->file));
	pv_json_set(object, "final", pv_json_bool(true));
	pv_json_write(object, false, line);
	pv_json_destroy(object);
}

static double measure_values(const struct pv_page *page, struct pv_buf *line)
{
	double start = now_s();
	for (unsigned i = 0; i < LINES; i++) {
		pv_buf_clear(line);
		write_as_values(page, line);
	}
	return (now_s() - start) / LINES;
}

static double measure_copies(struct pv_str text, struct pv_buf *line)
{
	double start = now_s();
	for (unsigned i = 0; i < LINES; i++) {
		pv_buf_clear(line);
		pv_buf_append(line, text);
	}
	return (now_s() - start) / LINES;
}

static double least(double a, double b)
{
	return a == 0 || b < a ? b : a;
}

static void bench_lines(void)
{
	struct paper paper;
	struct pv_buf line, copy;
	double ours = 0, values = 0, copies = 0;
	begin_paper(&paper);
	pv_buf_init(&line, 65536);
	pv_buf_init(&copy, 65536);
	for (unsigned i = 0; i < ROUNDS; i++) {
		values = least(values, measure_values(&paper.page, &line));
		ours = least(ours, measure_lines(&paper.page, &line));
		copies =
		    least(copies, measure_copies(pv_buf_str(&line), &copy));
	}
	printf("sink: lines of %zu bytes: %.2f us each, %.0f a second; "
	       "%.1f times copying, %.2f of jansson\n",
	    line.len, ours * 1e6, 1 / ours, ours / copies, ours / values);
	pv_buf_finish(&copy);
	pv_buf_finish(&line);
	end_paper(&paper);
}

static double measure_names(const struct pv_url *url, struct pv_buf *name)
{
	double start = now_s();
	for (unsigned i = 0; i < LINES; i++) {
		pv_buf_clear(name);
		pv_file_name_write(url,
		    &(struct pv_file_naming){PV_STR("text/html"), false}, name);
	}
	return (now_s() - start) / LINES;
}

static void bench_names(void)
{
	static const struct pv_str addresses[] = {
	    PV_STR("https://docs.example.org/en/java/javase/21/docs/api/"
		   "java.base/java/util/ArrayList.html"),
	    PV_STR("https://docs.example.org/wiki/Gr%C3%BC%C3%9Fe_aus_Bonn"),
	    PV_STR("https://docs.example.org/index.php?title=a/b&action=edit"),
	};
	struct pv_url url;
	struct pv_buf name;
	pv_url_init(&url, 65536);
	pv_buf_init(&name, PV_FILE_NAME_MAX);
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		double best = 0;
		pv_url_parse(&url, addresses[i]);
		for (unsigned k = 0; k < ROUNDS; k++)
			best = least(best, measure_names(&url, &name));
		printf("sink: name of %.*s: %.0f ns\n",
		    PV_STR_ARG(addresses[i]), best * 1e9);
	}
	pv_buf_finish(&name);
	pv_url_finish(&url);
}

/* Files */

static void remove_tree(int parent, const char *name)
{
	int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	DIR *directory = file < 0 ? NULL : fdopendir(file);
	const struct dirent *entry;
	while (directory && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 &&
		    unlinkat(dirfd(directory), entry->d_name, 0) != 0)
			remove_tree(dirfd(directory), entry->d_name);
	}
	if (directory)
		closedir(directory);
	unlinkat(parent, name, AT_REMOVEDIR);
}

/* What was removed before is not to be paid for now. */
static void settle(void)
{
	int here = open(".", O_RDONLY | O_DIRECTORY);
	syncfs(here);
	close(here);
}

/* Pages of a directory follow one another; `in_turn`, each is in another. */
static unsigned directory_of(unsigned number, unsigned count, bool in_turn)
{
	return in_turn ? number % DIRECTORIES
		       : number / (count / DIRECTORIES + 1);
}

static double measure_files(unsigned count, bool in_turn)
{
	struct scratch scratch;
	struct paper paper;
	struct pv_why why;
	char url[128];
	settle();
	scratch_make(&scratch);
	begin_paper(&paper);
	pv_why_init(&why);
	struct pv_sink_plan plan = {.directory = scratch.path, .round = 1};
	struct pv_sink *sink = pv_sink_mirror.open(&plan, &why);
	char *text = pv_alloc(PAGE_BYTES);
	paper.page.text = (struct pv_str){text, PAGE_BYTES};
	paper.page.is_kept = true;
	double start = now_s();
	for (unsigned i = 0; i < count; i++) {
		snprintf(url, sizeof(url),
		    "https://docs.example.org/en/docs/api/%u/%u.html",
		    directory_of(i, count, in_turn), i);
		paper.visit.url = pv_str_of(url);
		if (!pv_sink_mirror.prepare(sink, &paper.page, NULL))
			fail(paper.page.fault);
	}
	double took = now_s() - start;
	pv_sink_mirror.close(sink);
	pv_why_finish(&why);
	end_paper(&paper);
	free(text);
	remove_tree(AT_FDCWD, scratch.path);
	return took / count;
}

/* Open, write, close and rename, with every directory open. */
static double measure_bare_files(unsigned count, bool in_turn)
{
	struct scratch scratch;
	int directories[DIRECTORIES];
	char name[64];
	char *text = pv_alloc(PAGE_BYTES);
	settle();
	scratch_make(&scratch);
	int root = open(scratch.path, O_PATH | O_DIRECTORY);
	mkdirat(root, "new", 0777);
	int begun = openat(root, "new", O_PATH | O_DIRECTORY);
	double start = now_s();
	for (unsigned i = 0; i < DIRECTORIES; i++) {
		snprintf(name, sizeof(name), "%u", i);
		mkdirat(root, name, 0777);
		directories[i] = openat(root, name, O_PATH | O_DIRECTORY);
	}
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%u.html", i);
		int file =
		    openat(begun, name, O_WRONLY | O_CREAT | O_EXCL, 0666);
		if (file < 0 || write(file, text, PAGE_BYTES) != PAGE_BYTES ||
		    close(file) != 0 ||
		    renameat(begun, name,
			directories[directory_of(i, count, in_turn)],
			name) != 0)
			fail("a file");
	}
	double took = now_s() - start;
	for (unsigned i = 0; i < DIRECTORIES; i++)
		close(directories[i]);
	close(begun);
	close(root);
	free(text);
	remove_tree(AT_FDCWD, scratch.path);
	return took / count;
}

static void bench_files(unsigned count, bool in_turn)
{
	double ours = 0, bare = 0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		bare = least(bare, measure_bare_files(count, in_turn));
		ours = least(ours, measure_files(count, in_turn));
	}
	printf("sink: %u files of %u bytes in %u directories%s: %.1f us each, "
	       "%.0f a second; %.2f times bare calls\n",
	    count, PAGE_BYTES, DIRECTORIES, in_turn ? ", in turn" : "",
	    ours * 1e6, 1 / ours, ours / bare);
}

/* Codings */

static void write_text(struct pv_buf *text)
{
	for (unsigned i = 0; text->len + 200 < TEXT_BYTES; i++)
		pv_buf_append_format(text,
		    "<tr class=\"row%u\"><td><a href=\"page-%u.html\">Method "
		    "%u</a></td><td>returns %u of type %c</td></tr>\n",
		    i % 2, i * 7919 % 10007, i, i * 31337 % 65536,
		    'A' + (int)(i * 17 % 26));
}

static void write_gzip(struct pv_str text, struct pv_buf *coded)
{
	z_stream stream = {0};
	deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
	size_t most = deflateBound(&stream, text.len);
	stream.next_in = (Bytef *)(uintptr_t)text.ptr;
	stream.avail_in = (uInt)text.len;
	stream.next_out = (Bytef *)pv_buf_reserve(coded, most);
	stream.avail_out = (uInt)most;
	deflate(&stream, Z_FINISH);
	coded->len = most - stream.avail_out;
	deflateEnd(&stream);
}

static void write_zstd(struct pv_str text, struct pv_buf *coded)
{
	size_t most = ZSTD_compressBound(text.len);
	coded->len = ZSTD_compress(
	    pv_buf_reserve(coded, most), most, text.ptr, text.len, 3);
}

static void inflate_bare(struct pv_str coded, struct pv_buf *text)
{
	z_stream stream = {0};
	pv_buf_clear(text);
	inflateInit2(&stream, 31);
	stream.next_in = (Bytef *)(uintptr_t)coded.ptr;
	stream.avail_in = (uInt)coded.len;
	stream.next_out = (Bytef *)text->ptr;
	stream.avail_out = (uInt)text->size;
	inflate(&stream, Z_FINISH);
	text->len = text->size - stream.avail_out;
	inflateEnd(&stream);
}

static void zstd_bare(struct pv_str coded, struct pv_buf *text)
{
	pv_buf_clear(text);
	text->len =
	    ZSTD_decompress(text->ptr, text->size, coded.ptr, coded.len);
}

static bool take(void *ctx, struct pv_str bytes)
{
	return pv_buf_append(ctx, bytes);
}

static void undo(struct pv_str name, struct pv_str coded, struct pv_buf *text)
{
	struct pv_coding_plan plan = {.bytes_max = UINT64_MAX,
	    .ratio_max = 1000,
	    .give = take,
	    .ctx = text};
	pv_buf_clear(text);
	pv_coding_undo(name, coded, &plan);
}

static void bench_coding(struct pv_str name, struct pv_str text,
    void (*write)(struct pv_str, struct pv_buf *),
    void (*bare)(struct pv_str, struct pv_buf *))
{
	struct pv_buf coded, decoded;
	double least_ours = 0, least_bare = 0;
	pv_buf_init(&coded, SIZE_MAX);
	pv_buf_init(&decoded, SIZE_MAX);
	write(text, &coded);
	pv_buf_reserve(&decoded, text.len);
	for (unsigned i = 0; i < ROUNDS; i++) {
		double start = now_s();
		bare(pv_buf_str(&coded), &decoded);
		double middle = now_s();
		least_bare = least(least_bare, middle - start);
		undo(name, pv_buf_str(&coded), &decoded);
		least_ours = least(least_ours, now_s() - middle);
		if (!pv_str_equal(pv_buf_str(&decoded), text))
			fail("a coding");
	}
	printf("sink: %.*s: %.0f MB/s, %.2f times the library alone\n",
	    PV_STR_ARG(name), (double)text.len / least_ours / 1e6,
	    least_ours / least_bare);
	pv_buf_finish(&decoded);
	pv_buf_finish(&coded);
}

int main(int argc, char **argv)
{
	struct pv_buf text;
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
	pv_buf_init(&text, TEXT_BYTES);
	write_text(&text);
	bench_lines();
	bench_names();
	bench_files((unsigned)count, false);
	bench_files((unsigned)count, true);
	bench_coding(
	    PV_STR("gzip"), pv_buf_str(&text), write_gzip, inflate_bare);
	bench_coding(PV_STR("zstd"), pv_buf_str(&text), write_zstd, zstd_bare);
	pv_buf_finish(&text);
	return 0;
}
