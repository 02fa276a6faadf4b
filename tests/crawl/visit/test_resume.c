#include "crawl/visit/resume.h"

#include <poll.h>

#include "base/digest.h"
#include "crawl/patience.h"
#include "crawl/scene.h"
#include "crawl/visit/part_files.h"
#include "record/part.h"
#include "server/coding.h"
#include "store/database.h"
#include "together.h"

/* Large bodies that are broken off, and what comes of asking for the rest: each
 * way of answering that is a host of its own, and all of them in one crawl. A
 * body is right if it has the digest of the whole, whatever way it came. */

#define SIZE ((uint64_t)5000000)
#define CUT ((uint64_t)1500001)
#define RETRIES 3

/* How the rest is answered. */
enum rest {
	REST_FITS,
	REST_ANEW,      /* 200, of another version */
	REST_NONE,      /* 416 */
	REST_OTHER_TAG, /* 206 of another version */
	REST_NO_TAG,
	REST_SHIFTED,    /* not from where it was asked for */
	REST_OTHER_SIZE, /* of another whole */
	REST_LESS,       /* and not up to its end */
	REST_NO_RANGE,
	REST_MULTIPART,
	REST_OTHER_CODING,
	REST_FEW, /* fewer bytes than it says */
	REST_MANY,
	REST_BUSY, /* 503 once, and then it fits */
};

static const struct way {
	const char *host;
	const char *headers; /* of the whole */
	enum rest rest;
	size_t requests; /* for the page */
	size_t ranges;   /* of these for the rest */
	uint64_t cut;    /* after how many bytes; 0 is CUT */
	enum server_framing framing;
	bool fails;
} ways[] = {
    {"fits", "ETag: \"a\"\r\n", REST_FITS, 4, 3, 0, 0, false},
    {"dated",
	"Last-Modified: Fri, 06 Nov 2020 08:49:37 GMT\r\n"
	"Date: Fri, 06 Nov 2020 08:50:37 GMT\r\n",
	REST_FITS, 4, 3, 0, 0, false},
    {"busy", "ETag: \"a\"\r\n", REST_BUSY, 5, 4, 0, 0, false},
    {"anew", "ETag: \"a\"\r\n", REST_ANEW, 2, 1, 0, 0, false},

    /* what does not fit costs a try, and all is asked for */
    {"none", "ETag: \"a\"\r\n", REST_NONE, 3, 1, 0, 0, false},
    {"other-tag", "ETag: \"a\"\r\n", REST_OTHER_TAG, 3, 1, 0, 0, false},
    {"no-tag", "ETag: \"a\"\r\n", REST_NO_TAG, 3, 1, 0, 0, false},
    {"shifted", "ETag: \"a\"\r\n", REST_SHIFTED, 3, 1, 0, 0, false},
    {"other-size", "ETag: \"a\"\r\n", REST_OTHER_SIZE, 3, 1, 0, 0, false},
    {"less", "ETag: \"a\"\r\n", REST_LESS, 3, 1, 0, 0, false},
    {"no-range", "ETag: \"a\"\r\n", REST_NO_RANGE, 3, 1, 0, 0, false},
    {"multipart", "ETag: \"a\"\r\n", REST_MULTIPART, 3, 1, 0, 0, false},
    {"other-coding", "ETag: \"a\"\r\n", REST_OTHER_CODING, 3, 1, 0, 0, false},
    {"few", "ETag: \"a\"\r\n", REST_FEW, 3, 1, 0, 0, false},
    {"many", "ETag: \"a\"\r\n", REST_MANY, 3, 1, 0, 0, false},

    /* what cannot be continued is asked for whole, and breaks off again */
    {"weak", "ETag: W/\"a\"\r\n", REST_FITS, 4, 0, 0, 0, true},
    {"weak-dated",
	"ETag: W/\"a\"\r\nLast-Modified: Fri, 06 Nov 2020 08:49:37 GMT\r\n"
	"Date: Fri, 06 Nov 2020 09:49:37 GMT\r\n",
	REST_FITS, 4, 0, 0, 0, true},
    {"young",
	"Last-Modified: Fri, 06 Nov 2020 08:49:37 GMT\r\n"
	"Date: Fri, 06 Nov 2020 08:50:36 GMT\r\n",
	REST_FITS, 4, 0, 0, 0, true},
    {"unnamed", "", REST_FITS, 4, 0, 0, 0, true},
    {"small", "ETag: \"a\"\r\n", REST_FITS, 4, 0, 900000, 0, true},
    {"chunked", "ETag: \"a\"\r\n", REST_FITS, 4, 0, 0, SERVER_CHUNKED, true},
};

#define WAYS (sizeof(ways) / sizeof(*ways))

static const struct way *way_of(struct pv_str host)
{
	for (size_t i = 0; i < WAYS; i++)
		if (pv_str_starts(host, pv_str_of(ways[i].host)) &&
		    host.ptr[strlen(ways[i].host)] == '.')
			return &ways[i];
	return NULL;
}

/* The place that is asked for; 0 if all is. */
static uint64_t range_of(const struct server_request *request)
{
	struct pv_str range = server_header(request->headers, "Range");
	return pv_str_starts(range, PV_STR("bytes="))
		   ? strtoull(range.ptr + 6, NULL, 10)
		   : 0;
}

static void answer_whole(const struct way *way,
    const struct server_request *request, struct server_answer *answer)
{
	bool is_first = request->nth == 1 || way->fails;
	answer->kind = SERVER_PATTERN;
	answer->type = "application/octet-stream";
	answer->size = SIZE;
	answer->framing = way->framing;
	pv_buf_append_text(answer->own_headers, way->headers);
	if (is_first)
		answer->fault = (struct server_fault){
		    SERVER_CLOSE, SERVER_IN_BODY, way->cut ? way->cut : CUT};
}

static void answer_rest(const struct way *way,
    const struct server_request *request, struct server_answer *answer)
{
	uint64_t from = range_of(request);
	uint64_t first = from + (way->rest == REST_SHIFTED);
	uint64_t last = SIZE - 1 - (way->rest == REST_LESS);
	uint64_t complete = SIZE + (way->rest == REST_OTHER_SIZE);
	bool fits = way->rest == REST_FITS || way->rest == REST_BUSY;
	answer->status = 206;
	answer->kind = SERVER_PATTERN;
	answer->type = "";
	answer->from = first;
	answer->size = last + 1 - first;
	if (fits && answer->size > CUT)
		answer->fault =
		    (struct server_fault){SERVER_CLOSE, SERVER_IN_BODY, CUT};
	if (way->rest == REST_FEW || way->rest == REST_MANY)
		answer->framing = SERVER_CHUNKED;
	answer->size -= way->rest == REST_FEW;
	answer->size += way->rest == REST_MANY;
	if (way->rest == REST_MULTIPART)
		answer->type = "multipart/byteranges; boundary=x";
	if (way->rest != REST_NO_RANGE)
		pv_buf_append_format(answer->own_headers,
		    "Content-Range: bytes %llu-%llu/%llu\r\n",
		    (unsigned long long)first, (unsigned long long)last,
		    (unsigned long long)complete);
	if (way->rest == REST_OTHER_CODING)
		pv_buf_append_text(
		    answer->own_headers, "Content-Encoding: br\r\n");
	if (way->rest == REST_OTHER_TAG)
		pv_buf_append_text(answer->own_headers, "ETag: \"b\"\r\n");
	else if (way->rest != REST_NO_TAG)
		pv_buf_append_text(answer->own_headers, way->headers);
}

static bool answer_way(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	const struct way *way = way_of(request->host);
	(void)ctx;
	if (!way || !pv_str_equal(request->path, PV_STR("/large.bin")))
		return false;
	if (!range_of(request)) {
		answer_whole(way, request, answer);
	} else if (way->rest == REST_ANEW) {
		answer_whole(way, request, answer);
		answer->size = SIZE - 7;
		answer->fault = (struct server_fault){.kind = SERVER_WHOLE};
	} else if (way->rest == REST_NONE) {
		answer->status = 416;
	} else if (way->rest == REST_BUSY && request->nth == 2) {
		answer->status = 503;
	} else {
		answer_rest(way, request, answer);
	}
	return true;
}

/* The policy */

static void write_policy(struct crawl_scene *scene, const char *more)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_text(&text, "version: 1\nseeds:\n");
	for (size_t i = 0; i < WAYS; i++)
		pv_buf_append_format(&text,
		    "  - \"http://%s.test:PORT/large.bin\"\n", ways[i].host);
	pv_buf_append_format(&text,
	    "rate: {max_rate: 100, interval: 100ms}\n"
	    "politeness: {delay: 20ms, delay_from: start, delay_factor: 0, "
	    "ip_delay: 0, backoff: {failure: 20ms, overload: 20ms, "
	    "factor: 1}}\n"
	    "domains: {\"*.test\": {robots: obey}}\n"
	    "%s"
	    "output: {mirror: {rewrite: false}}\n"
	    "fetch:\n  retries: %d\n  resolve:\n",
	    more, RETRIES);
	for (size_t i = 0; i < WAYS; i++)
		pv_buf_append_format(&text, "    %s.test: \"127.75.0.%zu\"\n",
		    ways[i].host, i + 1);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* What came of it */

static void write_digest(uint64_t size, struct pv_buf *text)
{
	struct pv_buf bytes;
	uint8_t digest[PV_DIGEST_SIZE];
	pv_buf_init(&bytes, SIZE_MAX);
	for (uint64_t i = 0; i < size; i++)
		pv_buf_append_char(&bytes, server_pattern_at(i));
	pv_digest(pv_buf_str(&bytes), digest);
	pv_buf_append_text(text, "\"digest\":\"sha256:");
	pv_digest_write(digest, text);
	pv_buf_append_char(text, '"');
	pv_buf_finish(&bytes);
}

static void judge_requests(struct crawl_scene *scene, const struct way *way)
{
	struct log_view view = log_view_of(scene->server);
	char host[80];
	size_t asked = 0, ranges = 0;
	snprintf(host, sizeof(host), "%s.test", way->host);
	log_view_keep(&view, host, "/large.bin");
	for (size_t i = 0; i < view.count; i++) {
		struct pv_str headers = view.records[i].headers;
		bool has_range = server_header(headers, "Range").ptr != NULL;
		bool has_if = server_header(headers, "If-Range").ptr != NULL;
		asked++;
		ranges += has_range && has_if;
		if (has_range != has_if)
			ranges += 100;
	}
	ok(asked == way->requests && ranges == way->ranges,
	    "%s: it is asked for %zu times, %zu of them for the rest (%zu, "
	    "%zu)",
	    way->host, way->requests, way->ranges, asked, ranges);
	log_view_finish(&view);
}

static bool is_right(struct crawl_scene *scene, const struct way *way,
    const char *address, const char *digest)
{
	if (way->fails)
		return crawl_scene_lines(scene, address, "\"final\":true",
			   "\"outcome\":\"broken-off\"", NULL) == 1 &&
		       crawl_scene_lines(scene, address, "\"file\":", NULL) ==
			   0;
	return crawl_scene_lines(scene, address, "\"final\":true",
		   "\"outcome\":\"answered\"", "\"file\":", digest, NULL) == 1;
}

static void judge_way(struct crawl_scene *scene, const struct way *way)
{
	struct pv_buf address, digest;
	char pattern[100];
	pv_buf_init(&address, 1000);
	pv_buf_init(&digest, 1000);
	pv_buf_append_format(&address, "\"host\":\"%s.test\"", way->host);
	write_digest(way->rest == REST_ANEW ? SIZE - 7 : SIZE, &digest);
	judge_requests(scene, way);
	if (!ok(is_right(
		    scene, way, pv_buf_text(&address), pv_buf_text(&digest)),
		"%s: %s", way->host,
		way->fails ? "nothing that came in part is kept"
			   : "the whole is as it was sent"))
		crawl_scene_show_lines(scene, pv_buf_text(&address));
	snprintf(pattern, sizeof(pattern), "o/site/%s.test*/*", way->host);
	ok(crawl_scene_has(scene, pattern) == !way->fails, "%s: so is its file",
	    way->host);
	pv_buf_finish(&address);
	pv_buf_finish(&digest);
}

static bool open_scene(
    struct crawl_scene *scene, server_answer_fn answer, void *ctx)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere, .answer = answer, .ctx = ctx};
	return ok(crawl_scene_open(scene, &plan), "the hosts are there");
}

static void test_ways(void)
{
	struct crawl_scene scene;
	if (open_scene(&scene, answer_way, NULL)) {
		write_policy(&scene, "");
		crawl_scene_ends(&scene, 5, "bodies break off in many ways");
		for (size_t i = 0; i < WAYS; i++)
			judge_way(&scene, &ways[i]);
		ok(crawl_scene_lines(&scene, "\"host\":\"fits.test\"",
		       "\"bytes\":1500001,", "bytes are kept", NULL) == 3 &&
			crawl_scene_lines(&scene, "\"host\":\"fits.test\"",
			    "\"bytes\":499997,", "\"status\":206",
			    "continued after 4500003 bytes", "\"attempt\":4",
			    NULL) == 1,
		    "the journal tells what each request brought");
		ok(!crawl_scene_has(&scene, "o/parts"),
		    "P5: no part is left behind");
	}
	crawl_scene_close(&scene);
}

/* One host, one file */

struct line {
	uint64_t size;
	uint64_t every;      /* it breaks after so many bytes */
	struct pv_str bytes; /* instead of the pattern, coded ... */
	const char *coding;  /* ... in this */
	const char *tag;
};

static bool answer_line(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	const struct line *line = ctx;
	uint64_t from = range_of(request);
	if (!pv_str_equal(request->path, PV_STR("/large.bin")))
		return false;
	answer->status = from ? 206 : 200;
	answer->type = from ? "" : "application/octet-stream";
	answer->kind = line->coding ? SERVER_TEXT : SERVER_PATTERN;
	answer->from = from;
	answer->size = line->size - from;
	if (line->coding)
		pv_buf_append(answer->own_body, pv_str_from(line->bytes, from));
	if (answer->size > line->every)
		answer->fault = (struct server_fault){
		    SERVER_CLOSE, SERVER_IN_BODY, line->every};
	pv_buf_append_format(answer->own_headers, "ETag: %s\r\n",
	    line->tag ? line->tag : "\"a\"");
	if (line->coding)
		pv_buf_append_format(answer->own_headers,
		    "Content-Encoding: %s\r\n", line->coding);
	if (from)
		pv_buf_append_format(answer->own_headers,
		    "Content-Range: bytes %llu-%llu/%llu\r\n",
		    (unsigned long long)from,
		    (unsigned long long)line->size - 1,
		    (unsigned long long)line->size);
	return true;
}

#define ONE_HOST                                                         \
	"version: 1\n"                                                   \
	"seeds: [\"http://127.0.0.1:PORT/large.bin\"]\n"                 \
	"politeness: {delay: 20ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0, backoff: {failure: 20ms, overload: 20ms, factor: " \
	"1}}\n"                                                          \
	"output: {mirror: {rewrite: false}}\n"

static size_t count_ranges(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	size_t ranges = 0;
	log_view_keep(&view, NULL, "/large.bin");
	for (size_t i = 0; i < view.count; i++)
		ranges +=
		    server_header(view.records[i].headers, "Range").ptr != NULL;
	log_view_finish(&view);
	return ranges;
}

static bool is_whole(struct crawl_scene *scene, uint64_t size)
{
	struct pv_buf digest;
	pv_buf_init(&digest, 1000);
	write_digest(size, &digest);
	bool is_it =
	    crawl_scene_lines(scene, "\"final\":true",
		"\"outcome\":\"answered\"", pv_buf_text(&digest), NULL) == 1;
	pv_buf_finish(&digest);
	return is_it;
}

static void test_progress(void)
{
	struct crawl_scene scene;
	struct line line = {.size = 20000000, .every = 1100001};
	if (open_scene(&scene, answer_line, &line)) {
		crawl_scene_policy(&scene, ONE_HOST "fetch: {retries: 1}\n");
		crawl_scene_ends(&scene, 0, "a line that breaks each megabyte");
		ok(is_whole(&scene, line.size) && count_ranges(&scene) == 18,
		    "brings a large file all the same, though there is one "
		    "retry (%zu)",
		    count_ranges(&scene));
	}
	crawl_scene_close(&scene);
}

/* A first try of which enough comes, and further ones that bring too little to
 * be for nothing. */
static bool answer_slow(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct line line = {
	    .size = SIZE, .every = range_of(request) ? 1000 : 1200000};
	(void)ctx;
	return answer_line(&line, request, answer);
}

static void test_no_progress(void)
{
	struct crawl_scene scene;
	if (open_scene(&scene, answer_slow, NULL)) {
		crawl_scene_policy(&scene, ONE_HOST "fetch: {retries: 4}\n");
		crawl_scene_ends(&scene, 5, "one that gets nowhere");
		ok(count_ranges(&scene) == 4 &&
			crawl_scene_lines(&scene, "\"outcome\":\"broken-off\"",
			    "\"final\":true", NULL) == 1,
		    "is given up after its retries (%zu)",
		    count_ranges(&scene));
		ok(!crawl_scene_has(&scene, "o/parts"),
		    "P5: and nothing of it is left");
	}
	crawl_scene_close(&scene);
}

static void test_too_large(void)
{
	struct crawl_scene scene;
	struct line line = {.size = SIZE, .every = CUT};
	if (open_scene(&scene, answer_line, &line)) {
		crawl_scene_policy(&scene,
		    ONE_HOST "fetch: {retries: 3, max_size: 4999999}\n");
		crawl_scene_ends(&scene, 5, "a file beyond fetch.max_size");
		ok(count_ranges(&scene) == 0 &&
			crawl_scene_lines(&scene, "\"outcome\":\"too-large\"",
			    "\"final\":true", NULL) == 1,
		    "P5: is none in parts either");
	}
	crawl_scene_close(&scene);
}

/* Bytes that no coding makes shorter. */
static void write_noise(size_t size, struct pv_buf *buf)
{
	uint64_t state = 88172645463325252u;
	for (size_t i = 0; i < size; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		pv_buf_append_char(buf, (char)state);
	}
}

static void test_coding(void)
{
	struct crawl_scene scene;
	struct pv_buf plain, coded, text;
	uint8_t digest[PV_DIGEST_SIZE];
	pv_buf_init(&plain, SIZE_MAX);
	pv_buf_init(&coded, SIZE_MAX);
	pv_buf_init(&text, 1000);
	write_noise(3000000, &plain);
	coding_write(
	    SERVER_GZIP, (struct body){pv_buf_str(&plain), plain.len}, &coded);
	pv_digest(pv_buf_str(&plain), digest);
	pv_digest_write(digest, &text);
	struct line line = {.size = coded.len,
	    .every = 1300003,
	    .bytes = pv_buf_str(&coded),
	    .coding = "gzip"};
	if (open_scene(&scene, answer_line, &line)) {
		crawl_scene_policy(&scene, ONE_HOST);
		crawl_scene_ends(&scene, 0, "a body in a content coding");
		ok(count_ranges(&scene) == 2 &&
			crawl_scene_lines(&scene, "\"final\":true",
			    "\"outcome\":\"answered\"", pv_buf_text(&text),
			    NULL) == 1,
		    "is put together as it came, and decoded as a whole");
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&plain);
	pv_buf_finish(&coded);
	pv_buf_finish(&text);
}

/* Ends of the process */

/* A host that breaks off, and whose rest comes only after a while. */
#define RESTS                                                            \
	"version: 1\n"                                                   \
	"seeds: [\"http://127.0.0.1:PORT/large.bin\"]\n"                 \
	"politeness: {delay: 20ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0, backoff: {failure: 1500ms, factor: 1}}\n"          \
	"output: {mirror: {rewrite: false}}\n"

/* Whether the first try is committed. */
static bool knows_part(struct crawl_scene *scene)
{
	if (!crawl_scene_lines(scene, "bytes are kept", NULL))
		return false;
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	bool knows =
	    pv_database_number(database, "SELECT count(*) FROM parts") > 0;
	pv_database_close(database);
	return knows;
}

/* Ends it as soon as there is a part. */
static void end_between(struct crawl_scene *scene, int signal)
{
	crawl_scene_start(scene);
	for (int i = 0; i < 1000 && !knows_part(scene); i++)
		poll(NULL, 0, 10);
	program_signal(scene->program, signal);
	crawl_scene_wait(scene, HANG_MS);
}

static bool has_parts(struct crawl_scene *scene)
{
	return crawl_scene_has(scene, "o/parts/*");
}

static void test_end(int signal, const char *what)
{
	struct crawl_scene scene;
	struct line line = {.size = SIZE, .every = 3000001};
	if (open_scene(&scene, answer_line, &line)) {
		crawl_scene_policy(&scene, RESTS);
		end_between(&scene, signal);
		ok(has_parts(&scene) && !crawl_scene_has(&scene, "o/site/*"),
		    "P3: %s: the part is kept, and nothing under a page's name",
		    what);
		crawl_scene_ends(&scene, 0, "it is gone on with");
		ok(count_ranges(&scene) == 1 && is_whole(&scene, SIZE),
		    "P3: %s: with the rest", what);
		ok(!crawl_scene_has(&scene, "o/parts"),
		    "%s: and then there is no part", what);
	}
	crawl_scene_close(&scene);
}

/* What happens to the part while nobody looks. */
static void spoil(struct crawl_scene *scene, const char *how)
{
	glob_t found;
	if (glob(home_file(&scene->home, "o/parts/*"), 0, NULL, &found) != 0)
		return;
	FILE *file = fopen(found.gl_pathv[0], "r+");
	if (strcmp(how, "longer") == 0) {
		fseek(file, 0, SEEK_END);
		fputs("more", file);
	} else if (strcmp(how, "damaged") == 0) {
		fseek(file, 1000000, SEEK_SET);
		fputc('!', file);
	}
	fclose(file);
	if (strcmp(how, "shorter") == 0 &&
	    truncate(found.gl_pathv[0], 2000000) != 0)
		perror("truncate");
	if (strcmp(how, "gone") == 0)
		unlink(found.gl_pathv[0]);
	globfree(&found);
}

static const struct {
	const char *how;
	size_t ranges; /* all in all */
} spoilt[] = {
    {"longer", 1},  /* killed before its commit */
    {"damaged", 2}, /* which is seen when it is put together */
    {"shorter", 1},
    {"gone", 1},
};

static void test_spoilt(void)
{
	for (size_t i = 0; i < sizeof(spoilt) / sizeof(*spoilt); i++) {
		struct crawl_scene scene;
		struct line line = {.size = SIZE, .every = 3000001};
		if (open_scene(&scene, answer_line, &line)) {
			crawl_scene_policy(&scene, RESTS);
			end_between(&scene, SIGKILL);
			spoil(&scene, spoilt[i].how);
			crawl_scene_ends(&scene, 0, "it is gone on with");
			ok(is_whole(&scene, SIZE) &&
				count_ranges(&scene) == spoilt[i].ranges,
			    "P3: a part that is %s is never a part of the "
			    "whole (%zu)",
			    spoilt[i].how, count_ranges(&scene));
		}
		crawl_scene_close(&scene);
	}
}

static void test_strangers(void)
{
	static const char *const fresh[] = {
	    "crawl", "policy.yaml", "-o", "o", "-q", "--fresh", "--yes", NULL};
	struct crawl_scene scene;
	struct program_end end;
	struct pv_buf said;
	struct line line = {.size = SIZE, .every = 3000001};
	pv_buf_init(&said, 1 << 20);
	if (open_scene(&scene, answer_line, &line)) {
		crawl_scene_policy(&scene, RESTS);
		end_between(&scene, SIGKILL);
		home_write(&scene.home, "o/parts/77", PV_STR("nobody's"));
		line.every = SIZE;
		program_run(&scene.home, fresh, &said, &end);
		ok(end.status == 0 && count_ranges(&scene) == 0 &&
			is_whole(&scene, SIZE),
		    "--fresh begins without it");
		ok(!crawl_scene_has(&scene, "o/parts"),
		    "P5: what nobody refers to is removed");
	}
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

/* What is asked for again because it may have changed, and breaks off. */
static void test_update(void)
{
	static const char *const update[] = {"update", "o", "-q", NULL};
	struct crawl_scene scene;
	struct program_end end;
	struct line line = {.size = SIZE, .every = SIZE};
	if (open_scene(&scene, answer_line, &line)) {
		crawl_scene_policy(&scene, ONE_HOST);
		crawl_scene_ends(&scene, 0, "a page is there");
		line = (struct line){
		    .size = SIZE - 64, .every = CUT, .tag = "\"b\""};
		program_run(&scene.home, update, NULL, &end);
		ok(end.status == 0 && count_ranges(&scene) == 3 &&
			is_whole(&scene, SIZE - 64),
		    "an update continues what has changed (%zu)",
		    count_ranges(&scene));
		struct log_view view = log_view_of(scene.server);
		log_view_keep(&view, NULL, "/large.bin");
		struct pv_str last = view.records[view.count - 1].headers;
		is_text(server_header(last, "If-Range"), "\"b\"",
		    "which it asks for by its new name");
		ok(!server_header(last, "If-None-Match").ptr,
		    "and not whether it has changed");
		log_view_finish(&view);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_ways());
	together(&all, test_progress());
	together(&all, test_no_progress());
	together(&all, test_too_large());
	together(&all, test_coding());
	together(&all, test_end(SIGINT, "after a stop"));
	together(&all, test_end(SIGKILL, "after a kill"));
	together(&all, test_spoilt());
	together(&all, test_strangers());
	together(&all, test_update());
	together_end(&all);
	return tap_done();
}
