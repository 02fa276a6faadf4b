#include "crawl/hostile.h"

/* Hosts whose answers have bodies that would fill a disk or memory, or are not
 * what is said of them (hostile.md, B3), each beside an innocent one. */

#define HUNDRED_MB 100000000
#define A_LINK "<a href=/x>x</a>"

static char long_type[4200];

static const struct misdeed bodies[] = {
    /* 30 */
    {"endless",
	{.kind = SERVER_PATTERN,
	    .size = SERVER_ENDLESS,
	    .framing = SERVER_CHUNKED},
	.outcome = "too-large", .requests = 1},
    {"endless-close",
	{.kind = SERVER_PATTERN,
	    .size = SERVER_ENDLESS,
	    .framing = SERVER_UNTIL_CLOSE},
	.outcome = "too-large", .requests = 1},
    {"long", {.kind = SERVER_PATTERN, .size = 2000000}, .outcome = "too-large",
	.requests = 1},
    {"long-lie", {.body = "x", .length = "99999999999"}, .outcome = "too-large",
	.requests = 1},
    /* 37 */
    {"gzip-bomb",
	{.kind = SERVER_ZEROS, .size = HUNDRED_MB, .coding = SERVER_GZIP},
	.outcome = "too-large", .requests = 1},
    {"deflate-bomb",
	{.kind = SERVER_ZEROS, .size = HUNDRED_MB, .coding = SERVER_DEFLATE},
	.outcome = "too-large", .requests = 1},
    {"br-bomb", {.kind = SERVER_ZEROS, .size = HUNDRED_MB, .coding = SERVER_BR},
	.outcome = "too-large", .requests = 1},
    {"zstd-bomb",
	{.kind = SERVER_ZEROS, .size = HUNDRED_MB, .coding = SERVER_ZSTD},
	.outcome = "too-large", .requests = 1},
    /* 40 */
    {"not-gzip", {.body = A_LINK, .headers = "Content-Encoding: gzip\r\n"},
	.outcome = "answered", .is_kept = true},
    {"unknown-coding", {.body = "x", .headers = "Content-Encoding: x-evil\r\n"},
	.outcome = "answered", .is_kept = true},
    {"many-codings",
	{.body = "x",
	    .headers = "Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip, "
		       "gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip\r\n"},
	.outcome = "answered", .is_kept = true},
    {"cut-gzip",
	{.kind = SERVER_PATTERN,
	    .size = 10000,
	    .coding = SERVER_GZIP,
	    .coded_cut = 20},
	.outcome = "broken-off", .requests = 1},
    {"corrupt-gzip",
	{.kind = SERVER_PATTERN,
	    .size = 10000,
	    .coding = SERVER_GZIP,
	    .is_corrupt = true},
	.outcome = "broken-off", .requests = 1},
    /* a part that nobody asked for is never taken for the whole */
    {"part",
	{.status = 206,
	    .body = A_LINK,
	    .headers = "Content-Range: bytes 0-15/400\r\nETag: \"a\"\r\n"},
	.outcome = "not-http", .requests = 1},
    {"whole-part",
	{.status = 206,
	    .body = A_LINK,
	    .headers = "Content-Range: bytes 0-15/16\r\n"},
	.outcome = "not-http", .requests = 1},
    {"parts",
	{.status = 206,
	    .type = "multipart/byteranges; boundary=x",
	    .body = "--x\r\nContent-Range: bytes 0-15/16\r\n\r\n" A_LINK
		    "\r\n--x--\r\n"},
	.outcome = "not-http", .requests = 1},
    {"no-such-part",
	{.status = 416, .headers = "Content-Range: bytes */400\r\n"},
	.outcome = "answered", .requests = 1},
    /* 41 */
    {"no-picture", {.type = "image/png", .body = A_LINK}, .outcome = "answered",
	.is_kept = true},
    {"no-page", {.kind = SERVER_PATTERN, .size = 500000}, .outcome = "answered",
	.is_kept = true},
    {"no-type", {.type = "", .body = "x"}, .outcome = "answered",
	.is_kept = true},
    {"long-type", {.type = long_type, .body = "x"}, .outcome = "answered",
	.is_kept = true},
    {"no-charset", {.type = "text/html; charset=\"evil\"", .body = A_LINK},
	.outcome = "answered", .is_kept = true},
    /* 59 */
    {"refresh", {.body = "<meta http-equiv=refresh content=\"0; url=/\">"},
	.outcome = "answered", .is_kept = true},
    {"refresh-header", {.body = "x", .headers = "Refresh: 0; url=/\r\n"},
	.outcome = "answered", .is_kept = true},
};

static const struct misdeed large[] = {
    {"long-page",
	{.kind = SERVER_PATTERN, .size = HUNDRED_MB, .framing = SERVER_CHUNKED},
	.outcome = "answered", .is_kept = true},
    {"many-links", {.kind = SERVER_LINKS, .size = 110000},
	.outcome = "answered", .is_kept = true,
	.line = "too many links on one page"},
};

static void test_large(void)
{
	hostile_try(&(struct misdeeds){
	    MISDEEDS(large),
	    .fetch = "  timeout: {connect: 1h, first_byte: 1h, stall: 1h, "
		     "total: 1h}\n  max_size: 120MiB\n",
	    .scope = "rules: [{deny: {url: 'many-links[^/]*/.'}}]",
	    .memory_max = (size_t)300 << 20,
	    .status = 0,
	    .more = 100000,
	});
}

int main(void)
{
	snprintf(long_type, sizeof(long_type), "text/html; x=%4000d", 1);
	hostile_try(
	    &(struct misdeeds){MISDEEDS(bodies), .status = 5, .more = 2});
	test_large();
	return tap_done();
}
