#include "audit/clock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/journal.h"

#define PIECE 4096

static bool fail(const char *path, struct pv_why *why)
{
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
	    "cannot be read: %s", strerror(errno));
	return false;
}

/* The end of the last line, looked for from the end of the file. */
static bool find_end(int file, off_t size, uint64_t *length)
{
	char piece[PIECE];
	while (size > 0) {
		off_t from = size > PIECE ? size - PIECE : 0;
		ssize_t got = pread(file, piece, (size_t)(size - from), from);
		if (got != size - from)
			return false;
		size_t end =
		    pv_str_find_last((struct pv_str){piece, (size_t)got}, '\n');
		if (end != PV_NOT_FOUND) {
			*length = (uint64_t)from + end + 1;
			return true;
		}
		size = from;
	}
	*length = 0;
	return true;
}

bool pv_clock_file_length(
    const char *path, uint64_t *length, struct pv_why *why)
{
	struct stat facts;
	*length = 0;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file < 0)
		return errno == ENOENT || fail(path, why);
	bool is_read = fstat(file, &facts) == 0;
	if (is_read && !S_ISREG(facts.st_mode)) {
		errno = EINVAL;
		is_read = false;
	}
	is_read = is_read && find_end(file, facts.st_size, length);
	if (!is_read)
		fail(path, why);
	close(file);
	return is_read;
}

struct reading {
	struct pv_clock_memory *memory;
	const char *path;
};

static bool on_line(
    void *ctx, int64_t number, struct pv_str line, struct pv_why *why)
{
	struct reading *reading = ctx;
	struct pv_clock_event event;
	if (!pv_clock_event_read(&event, line)) {
		pv_why_add(why,
		    (struct pv_place){
			.file = reading->path, .line = (uint32_t)number},
		    PV_STR(""), "is no event of a worker's clocks");
		return false;
	}
	pv_clock_memory_add(reading->memory, &event);
	pv_clock_event_finish(&event);
	return true;
}

bool pv_clock_file_read(
    struct pv_clock_memory *memory, const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	uint64_t length;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, PV_CLOCK_EVENTS_FILE);
	struct reading reading = {memory, pv_buf_text(&path)};
	bool is_read = pv_clock_file_length(reading.path, &length, why) &&
		       (!length || pv_audit_journal_read(reading.path, length,
				       on_line, &reading, why));
	pv_buf_finish(&path);
	return is_read;
}
