#include "crawl/control/pause_text.h"

#include <time.h>

/* A line that names so many is long enough. */
#define HOSTS_WRITTEN 5

#define DAY_MS (INT64_C(24) * 3600 * 1000)

static void write_time(
    const char *before, int64_t time_ms, int64_t now_ms, struct pv_buf *buf)
{
	time_t seconds = (time_t)(time_ms / 1000);
	int64_t apart_ms =
	    time_ms > now_ms ? time_ms - now_ms : now_ms - time_ms;
	struct tm parts;
	char text[32] = "";
	if (localtime_r(&seconds, &parts))
		strftime(text, sizeof(text),
		    apart_ms < DAY_MS * 5 / 6 ? "%H:%M" : "%Y-%m-%d %H:%M",
		    &parts);
	pv_buf_append_format(buf, "%s%s", before, text);
}

static void write_pause(const struct pv_pause *pause, int64_t wall_ms,
    const char *by, struct pv_buf *buf)
{
	if (buf->len)
		pv_buf_append_text(buf, "; ");
	if (pause->host[0])
		pv_buf_append_format(buf, "%s is ", pause->host);
	write_time("paused since ", pause->since_wall_ms, wall_ms, buf);
	if (pause->until_wall_ms != INT64_MAX)
		write_time(" until ", pause->until_wall_ms, wall_ms, buf);
	if (*by)
		pv_buf_append_format(buf, " %s", by);
	if (pause->why[0])
		pv_buf_append_format(buf, " (%s)", pause->why);
}

void pv_pause_text_write(const struct pv_orders *orders, int64_t wall_ms,
    const char *by, struct pv_buf *buf)
{
	const struct pv_pause *whole =
	    pv_orders_pause_of(orders, PV_STR(""), wall_ms);
	size_t hosts = 0;
	if (whole)
		write_pause(whole, wall_ms, by, buf);
	for (size_t i = 0; i < orders->count; i++) {
		const struct pv_pause *pause = &orders->pauses[i];
		if (!pause->host[0] || pause->until_wall_ms <= wall_ms)
			continue;
		if (hosts++ < HOSTS_WRITTEN)
			write_pause(pause, wall_ms, by, buf);
	}
	if (hosts > HOSTS_WRITTEN)
		pv_buf_append_format(
		    buf, "; %zu more hosts are paused", hosts - HOSTS_WRITTEN);
}
