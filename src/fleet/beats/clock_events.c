#include "fleet/beats/clock_events.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json/json.h"

#define NAME "/clocks.jsonl"
#define LINE_MAX_BYTES ((size_t)16 << 10)

static const char *const words[] = {
    [PV_CLOCK_TAKEN] = "taken",
    [PV_CLOCK_GIVEN] = "given",
};

/* What a kill has left of a line is not to swallow the next one. */
static bool end_last_line(int file)
{
	char last;
	off_t size = lseek(file, 0, SEEK_END);
	if (size <= 0)
		return size == 0;
	if (pread(file, &last, 1, size - 1) != 1)
		return false;
	return last == '\n' || pv_file_write(file, PV_STR("\n"));
}

bool pv_clock_events_open(
    struct pv_clock_events *events, const char *directory, int64_t worker)
{
	struct pv_buf path;
	*events = (struct pv_clock_events){.worker = worker};
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_text(&path, directory);
	pv_buf_append_text(&path, NAME);
	events->file = open(pv_buf_text(&path),
	    O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
	pv_buf_finish(&path);
	if (events->file >= 0 && end_last_line(events->file))
		return true;
	int error = errno;
	pv_clock_events_close(events);
	errno = error;
	return false;
}

void pv_clock_events_close(struct pv_clock_events *events)
{
	if (events->file >= 0)
		close(events->file);
	events->file = -1;
}

/* Lines */

static void begin(struct pv_buf *line, const char *event, int64_t worker)
{
	pv_buf_init(line, LINE_MAX_BYTES);
	pv_buf_append_format(line, "{\"event\":\"%s\",\"worker\":%lld", event,
	    (long long)worker);
}

static void add(struct pv_buf *line, const char *key, int64_t number)
{
	pv_buf_append_format(line, ",\"%s\":%lld", key, (long long)number);
}

/* In one piece: O_APPEND puts it behind all that stands there. */
static bool end(struct pv_clock_events *events, struct pv_buf *line)
{
	pv_buf_append(line, PV_STR("}\n"));
	bool is_written =
	    events->file >= 0 && pv_file_write(events->file, pv_buf_str(line));
	pv_buf_finish(line);
	return is_written;
}

/* With the server's time. */
static bool end_at(
    struct pv_clock_events *events, struct pv_buf *line, int64_t boot_ms)
{
	if (!events->has_offset) {
		pv_buf_finish(line);
		return false;
	}
	add(line, "server_ms", boot_ms + events->offset_ms);
	return end(events, line);
}

bool pv_clock_events_time(
    struct pv_clock_events *events, const struct pv_server_time *time)
{
	struct pv_buf line;
	int64_t way_ms = time->came_ms - time->sent_ms;
	int64_t half_ms = (way_ms + 1) / 2;
	events->offset_ms = time->server_ms - (time->came_ms - way_ms / 2);
	events->has_offset = true;
	begin(&line, "time", events->worker);
	add(&line, "wall_ms", time->came_wall_ms - way_ms / 2);
	add(&line, "server_ms", time->server_ms);
	add(&line, "uncertainty_ms", half_ms + 1); /* and what is rounded off */
	return end(events, &line);
}

static bool tell(struct pv_clock_events *events, const char *event,
    const char *key, struct pv_str name, int64_t boot_ms)
{
	struct pv_buf line;
	begin(&line, event, events->worker);
	pv_buf_append_format(&line, ",\"%s\":", key);
	pv_json_write_text(name, &line);
	return end_at(events, &line, boot_ms);
}

bool pv_clock_events_clock(struct pv_clock_events *events,
    enum pv_clock_event event, struct pv_str name, int64_t boot_ms)
{
	return tell(events, words[event], "clock", name, boot_ms);
}

bool pv_clock_events_address(struct pv_clock_events *events,
    enum pv_clock_event event, struct pv_str address, int64_t boot_ms)
{
	return tell(events, words[event], "address", address, boot_ms);
}

bool pv_clock_events_reaped(
    struct pv_clock_events *events, int64_t worker, int64_t boot_ms)
{
	struct pv_buf line;
	begin(&line, "reaped", worker);
	add(&line, "by", events->worker);
	return end_at(events, &line, boot_ms);
}
