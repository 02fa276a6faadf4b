#include "sink/outbound_line.h"

#include "tap.h"

/* P3: a link that goes to another shard stands there as it stood here. */

#define URL "https://b.test/x?a=%22"
#define BEGINNING "{\"url\":\"" URL "\""

static const struct {
	const char *claim;
	struct pv_link link;
	const char *kind;
	const char *via;
	const char *line; /* behind its beginning */
} links[] = {
    {"what says nothing is left out",
	{.standing = {.use = PV_PAGE, .depth_left = PV_DEPTH_MAX}}, "", "",
	",\"use\":\"page\",\"depth\":0}"},
    {"a page has all that may be said of one",
	{
	    .standing = {.use = PV_PAGE,
		.depth = 2,
		.depth_left = 3,
		.hops = 1,
		.redirects = 4,
		.listing = PV_LISTS_ALL,
		.is_only_list = true},
	    .tag = {"shop", 4},
	    .carry = {"{\"category\":\"B\\\"oks\"}", 21},
	    .lastmod_wall_ms = 1767225600000,
	},
	"product", "https://a.test/",
	",\"use\":\"page\",\"depth\":2,\"depth_left\":3,\"hops\":1,"
	"\"redirects\":4,\"lists\":\"all\",\"only_list\":true,"
	"\"kind\":\"product\",\"tag\":\"shop\","
	"\"carry\":{\"category\":\"B\\\"oks\"},\"lastmod_ms\":1767225600000,"
	"\"via\":\"https://a.test/\"}"},
    {"an entry is one",
	{.standing = {.use = PV_PAGE,
	     .depth_left = 0,
	     .listing = PV_LISTS_PAGES,
	     .is_entry = true}},
	"", "",
	",\"use\":\"page\",\"depth\":0,\"depth_left\":0,\"lists\":\"pages\","
	"\"entry\":true}"},
    {"a part of a page leads as far as it did",
	{.standing = {.use = PV_RESOURCE, .depth = 9, .depth_left = 7}}, "",
	"https://a.test/",
	",\"use\":\"resource\",\"depth\":9,\"depth_left\":7,"
	"\"via\":\"https://a.test/\"}"},
    {"P7: where it was found is written without a password",
	{.standing = {.use = PV_RESOURCE, .depth_left = 8}}, "",
	"https://me:secret@a.test/",
	",\"use\":\"resource\",\"depth\":0,\"depth_left\":8,"
	"\"via\":\"https://a.test/\"}"},
};

static bool has_texts(
    const struct pv_outbound_line *read, const struct pv_link *link)
{
	return pv_str_equal(read->link.url, link->url) &&
	       pv_str_equal(read->link.tag, link->tag) &&
	       pv_str_equal(read->link.carry, link->carry) &&
	       read->link.lastmod_wall_ms == link->lastmod_wall_ms;
}

static void test_link(size_t number)
{
	struct pv_link link = links[number].link;
	struct pv_outbound_line read;
	struct pv_buf line;
	pv_buf_init(&line, PV_OUTBOUND_LINE_MAX);
	link.url = PV_STR(URL);
	link.standing.verdict = (struct pv_verdict){PV_REASON_SHARD, 3};
	pv_outbound_line_write(&link, pv_str_of(links[number].kind),
	    pv_str_of(links[number].via), &line);
	struct pv_str text = pv_buf_str(&line);
	ok(pv_str_starts(text, PV_STR(BEGINNING)),
	    "it begins with the address");
	is_text(pv_str_from(text, strlen(BEGINNING)), links[number].line, "%s",
	    links[number].claim);
	const char *fault = pv_outbound_line_read(&read, text);
	link.standing.verdict = (struct pv_verdict){PV_REASON_NONE, 0};
	ok(!fault && has_texts(&read, &link) &&
		pv_standing_equal(&read.link.standing, &link.standing) &&
		pv_str_equal(read.kind, pv_str_of(links[number].kind)),
	    "and is read as what it was");
	pv_outbound_line_finish(&read);
	pv_buf_finish(&line);
}

/* What is none */

#define PAGE "{\"url\":\"" URL "\",\"use\":\"page\",\"depth\":1"

static const struct {
	const char *line;
	const char *fault; /* NULL: it is one */
} lines[] = {
    {PAGE "}", NULL},
    {PAGE ",\"what\":\"a later version adds\"}", NULL},
    {"", "it is not a JSON object"},
    {"[]", "it is not a JSON object"},
    {"\"" URL "\"", "it is not a JSON object"},
    {PAGE, "it is not a JSON object"},
    {PAGE "}}", "it is not a JSON object"},
    {PAGE ",\"depth\":1}", "it is not a JSON object"},
    {"{}", "it has no url"},
    {"{\"url\":1,\"use\":\"page\",\"depth\":1}", "it has no url"},
    {"{\"url\":\"\",\"use\":\"page\",\"depth\":1}", "it has no url"},
    {"{\"url\":\"" URL "\",\"use\":\"refused\",\"depth\":1}",
	"its use is neither page nor resource"},
    {"{\"url\":\"" URL "\",\"depth\":1}",
	"its use is neither page nor resource"},
    {"{\"url\":\"" URL "\",\"use\":\"page\"}",
	"its depth is no number of links"},
    {"{\"url\":\"" URL "\",\"use\":\"page\",\"depth\":-1}",
	"its depth is no number of links"},
    {"{\"url\":\"" URL "\",\"use\":\"page\",\"depth\":1048576}",
	"its depth is no number of links"},
    {"{\"url\":\"" URL "\",\"use\":\"page\",\"depth\":\"1\"}",
	"its depth is no number of links"},
    {"{\"url\":\"" URL "\",\"use\":\"page\",\"depth\":1.5}",
	"its depth is no number of links"},
    {PAGE ",\"depth_left\":18446744073709551616}", "it is not a JSON object"},
    {PAGE ",\"depth_left\":9223372036854775807}",
	"its depth_left is no number of links"},
    {PAGE ",\"hops\":1024}", "its hops are no number of pages"},
    {PAGE ",\"hops\":null}", "its hops are no number of pages"},
    {PAGE ",\"redirects\":64}", "its redirects are no number of redirects"},
    {PAGE ",\"lists\":\"some\"}", "its lists are neither pages nor all"},
    {PAGE ",\"lists\":2}", "its lists are neither pages nor all"},
    {PAGE ",\"tag\":7}", "its tag is no text"},
    {PAGE ",\"kind\":[]}", "its kind is no text"},
    {PAGE ",\"via\":{}}", "its via is no text"},
    {PAGE ",\"carry\":\"{}\"}", "its carry is not a JSON object"},
    {PAGE ",\"carry\":null}", "its carry is not a JSON object"},
    {PAGE ",\"lastmod_ms\":0}", "its lastmod_ms is no time"},
    {PAGE ",\"lastmod_ms\":-5}", "its lastmod_ms is no time"},
    {PAGE ",\"lastmod_ms\":\"today\"}", "its lastmod_ms is no time"},
};

static void test_line(size_t number)
{
	struct pv_outbound_line read;
	const char *fault =
	    pv_outbound_line_read(&read, pv_str_of(lines[number].line));
	const char *wanted = lines[number].fault ? lines[number].fault : "";
	is_text(pv_str_of(fault ? fault : ""), wanted, "P4: %s",
	    lines[number].line);
	pv_outbound_line_finish(&read);
}

/* What no page can be is read as what it could be. */
static void test_bounds(void)
{
	static const char line[] =
	    "{\"url\":\"" URL "\",\"use\":\"resource\",\"depth\":1,"
	    "\"lists\":\"all\",\"only_list\":true,\"entry\":true}";
	struct pv_outbound_line read;
	const char *fault = pv_outbound_line_read(&read, pv_str_of(line));
	const struct pv_standing *standing = &read.link.standing;
	ok(!fault && standing->listing == PV_LISTS_NOTHING &&
		!standing->is_only_list && !standing->is_entry,
	    "a part of a page lists nothing");
	pv_outbound_line_finish(&read);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		test_link(i);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		test_line(i);
	test_bounds();
	return tap_done();
}
