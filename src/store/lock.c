#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/reader.h"

/* Of the process that wrote it; 0 if it has not done so yet. */
static uint64_t holder(int file)
{
	char text[32];
	uint64_t id = 0;
	ssize_t len = pread(file, text, sizeof(text), 0);
	if (len > 0) {
		struct pv_reader reader =
		    pv_reader_of((struct pv_str){text, (size_t)len});
		if (!pv_reader_take_number(&reader, INT64_MAX, &id))
			id = 0;
	}
	return id;
}

static void tell_holder(int file, struct pv_place place, struct pv_why *why)
{
	uint64_t id = holder(file);
	if (id)
		pv_why_add(why, place, PV_STR(""),
		    "process %" PRIu64 " is at work in this directory: stop "
		    "it first, or choose another directory",
		    id);
	else
		pv_why_add(why, place, PV_STR(""),
		    "another pavane is running in this directory: stop it "
		    "first, or choose another directory");
}

/* For people only: the lock holds whatever stands in the file. */
static void sign(int file)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%jd\n", (intmax_t)getpid());
	if (ftruncate(file, 0) == 0)
		(void)!pwrite(file, text, (size_t)len, 0);
}

/* A start that came to nothing may have removed the file before it was locked here:
 * that is no lock. */
static bool is_there(int file)
{
	struct stat facts;
	bool is_there = fstat(file, &facts) == 0 && facts.st_nlink > 0;
	if (!is_there)
		errno = ENOENT;
	return is_there;
}

bool pv_lock_take(
    struct pv_lock *lock, const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/" PV_LOCK_NAME, directory);
	struct pv_place place = {.file = pv_buf_text(&path)};
	lock->file =
	    open(place.file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	bool is_held = lock->file >= 0 &&
		       flock(lock->file, LOCK_EX | LOCK_NB) == 0 &&
		       is_there(lock->file);
	if (is_held)
		sign(lock->file);
	else if (lock->file >= 0 && errno == EWOULDBLOCK)
		tell_holder(lock->file, place, why);
	else
		pv_why_add(why, place, PV_STR(""), "cannot be locked: %s",
		    strerror(errno));
	if (!is_held && lock->file >= 0)
		close(lock->file);
	pv_buf_finish(&path);
	return is_held;
}

void pv_lock_give(struct pv_lock *lock)
{
	close(lock->file);
}

int64_t pv_lock_holder(const char *directory)
{
	struct pv_buf path;
	int64_t process = 0;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/" PV_LOCK_NAME, directory);
	int file = open(
	    pv_buf_text(&path), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	if (file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 &&
	    errno == EWOULDBLOCK) {
		uint64_t id = holder(file);
		process = id ? (int64_t)id : -1;
	}
	if (file >= 0)
		close(file);
	pv_buf_finish(&path);
	return process;
}
