#include "sink/change_line.h"

#include "tap.h"

#define A32 "0101010101010101010101010101010101010101010101010101010101010101"
#define B32 "0202020202020202020202020202020202020202020202020202020202020202"
#define BEGINNING                                                     \
	"{\"round\":3,\"time\":\"1970-01-01T00:00:01.000Z\",\"url\":" \
	"\"https://a.example/\","

static const struct {
	const char *claim;
	enum pv_change change;
	int status; /* 0: it was not asked for */
	bool has_copy;
	bool is_kept;
	const char *line;
} cases[] = {
    {"what is new has a digest", PV_CHANGE_NEW, 200, false, true,
	"\"change\":\"new\",\"status\":200,\"digest\":\"sha256:" B32 "\""},
    {"what is back was something, too", PV_CHANGE_NEW, 200, true, true,
	"\"change\":\"new\",\"status\":200,\"digest\":\"sha256:" B32
	"\",\"was\":\"sha256:" A32 "\""},
    {"what has changed was something else", PV_CHANGE_CHANGED, 200, true, true,
	"\"change\":\"changed\",\"status\":200,\"digest\":\"sha256:" B32
	"\",\"was\":\"sha256:" A32 "\",\"by\":\"digest\""},
    {"what is gone was something", PV_CHANGE_GONE, 410, true, false,
	"\"change\":\"gone\",\"status\":410,\"was\":\"sha256:" A32 "\""},
    {"what is the same is so by 304", PV_CHANGE_SAME, 304, true, false,
	"\"change\":\"same\",\"status\":304,\"digest\":\"sha256:" A32
	"\",\"was\":\"sha256:" A32 "\",\"by\":\"304\""},
    {"or by its sitemap", PV_CHANGE_SAME, 0, true, false,
	"\"change\":\"same\",\"digest\":\"sha256:" A32
	"\",\"was\":\"sha256:" A32 "\",\"by\":\"sitemap\""},
};

static void test_case(size_t number)
{
	struct pv_copy had = {.has_digest = true};
	struct pv_visit visit = {.url = PV_STR("https://me@a.example/")};
	struct pv_response response = {
	    .http_status = (uint16_t)cases[number].status};
	struct pv_page page;
	struct pv_buf packed, line;
	memset(had.digest, 1, sizeof(had.digest));
	pv_page_init(&page);
	pv_buf_init(&packed, 1000);
	pv_buf_init(&line, 1000);
	memset(page.digest, 2, sizeof(page.digest));
	if (cases[number].has_copy)
		pv_copy_pack(&had, &packed);
	visit.copy = pv_buf_str(&packed);
	page.visit = &visit;
	page.response = cases[number].status ? &response : NULL;
	page.wall_ms = 1000;
	page.change = cases[number].change;
	page.is_kept = page.has_digest = cases[number].is_kept;
	pv_change_line_write(&page, 3, &line);
	struct pv_str rest = pv_buf_str(&line);
	ok(pv_str_starts(rest, PV_STR(BEGINNING)),
	    "a line has its round, its time and its address");
	is_text(pv_str_from(rest, strlen(BEGINNING)), cases[number].line, "%s",
	    cases[number].claim);
	pv_buf_finish(&line);
	pv_buf_finish(&packed);
	pv_page_finish(&page);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		test_case(i);
	return tap_done();
}
