#include "server/floods/beside.h"

/* Requests that share a connection of HTTP/2 with the one that is flooded: they
 * are asked again, and bear no blame for what they could not help, so that each
 * is answered though nothing is retried. */
#define STREAMS 12

static const char *const names[] = {
    "h2-empty-data", "h2-priority", "h2-unknown"};

static void judge(struct beside *beside)
{
	struct flood_counts counts = flood_server_counts(beside->server);
	char url[80];
	snprintf(url, sizeof(url), "\"url\":\"https://flood.test:%u/",
	    (unsigned)flood_server_port(beside->server));
	ok(counts.bystanders > 0,
	    "others wait on the connection that is flooded (%u)",
	    counts.bystanders);
	size_t answered = crawl_scene_lines(&beside->scene, url,
	    "\"outcome\":\"answered\"", "\"final\":true", NULL);
	if (!ok(answered == STREAMS,
		"each of them is answered though nothing is retried (%zu)",
		answered))
		crawl_scene_show_lines(&beside->scene, url);
	snprintf(url, sizeof(url), "\"url\":\"https://flood.test:%u/\"",
	    (unsigned)flood_server_port(beside->server));
	ok(crawl_scene_lines(&beside->scene, url, "\"final\":true", NULL) ==
		    1 &&
		crawl_scene_lines(
		    &beside->scene, url, "\"outcome\":\"answered\"", NULL) == 0,
	    "and the address that floods has one end, which is another");
	ok(beside_good_requests(beside) == beside->site.pages + 1,
	    "P3: another host is asked for all its pages (%zu)",
	    beside_good_requests(beside));
}

static void try(const char *name)
{
	struct beside_plan plan = {
	    .flood = flood_find(name), .pages = 30, .streams = STREAMS};
	struct beside beside;
	if (!ok(beside_open(&beside, &plan), "%s: begins", name))
		return;
	beside_wait(&beside, HANG_MS);
	if (ok(beside.status == 5, "%s: the crawl ends by itself (%d)", name,
		beside.status))
		judge(&beside);
	else
		crawl_scene_show(&beside.scene);
	beside_close(&beside);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		try(names[i]);
	return tap_done();
}
