#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "store/orders.h"

/* The file that has the orders to a crawl. */

#define FILE_NAME "control"
#define LOCK_NAME "control.lock"

/* As many pauses and settings as there may be, each of the longest. */
#define TEXT_MAX                                              \
	((size_t)PV_ORDER_PAUSES_MAX *                        \
		(PV_ORDER_HOST_MAX + PV_ORDER_WHY_MAX + 80) + \
	    (size_t)PV_ORDER_SETTINGS_MAX *                   \
		(PV_ORDER_KEY_MAX + PV_ORDER_VALUE_MAX + 8))
#define MODE 0666

static struct pv_buf path_in(const char *directory, const char *name)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, name);
	return path;
}

static bool fail(const char *path, struct pv_why *why, const char *what)
{
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""), "%s: %s",
	    what, strerror(errno));
	return false;
}

static bool read_text(const char *path, struct pv_buf *text,
    struct pv_orders *orders, struct pv_why *why)
{
	uint32_t line = pv_orders_read(orders, pv_buf_str(text));
	if (!line)
		return true;
	pv_why_add(why, (struct pv_place){.file = path, .line = line},
	    PV_STR(""),
	    "this line is not as pavane writes it: remove the file to take "
	    "back all pauses and what was set");
	return false;
}

bool pv_orders_load(const char *directory, struct pv_buf *text,
    struct pv_orders *orders, struct pv_why *why)
{
	struct pv_buf path = path_in(directory, FILE_NAME);
	struct stat status;
	bool is_read = true;
	pv_orders_init(orders);
	pv_buf_init(text, TEXT_MAX);
	switch (pv_file_read_at(AT_FDCWD, pv_buf_text(&path), &status, text)) {
	case PV_FILE_READ:
		is_read = read_text(pv_buf_text(&path), text, orders, why);
		break;
	case PV_FILE_TOO_LARGE:
		errno = EFBIG;
		is_read = fail(pv_buf_text(&path), why, "cannot be read");
		break;
	case PV_FILE_FAILED:
		is_read = errno == ENOENT ||
			  fail(pv_buf_text(&path), why, "cannot be read");
		break;
	}
	pv_buf_finish(&path);
	return is_read;
}

/* Waits for who has it: writing the file takes a moment. */
static int take_lock(const char *directory, struct pv_why *why)
{
	struct pv_buf path = path_in(directory, LOCK_NAME);
	int file = open(pv_buf_text(&path),
	    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, MODE);
	int failed = file < 0;
	if (!failed) {
		do
			failed = flock(file, LOCK_EX);
		while (failed && errno == EINTR);
	}
	if (failed)
		fail(pv_buf_text(&path), why, "cannot be locked");
	pv_buf_finish(&path);
	return file;
}

static bool save(
    const char *directory, const struct pv_orders *orders, struct pv_why *why)
{
	struct pv_buf path = path_in(directory, FILE_NAME);
	struct pv_buf text;
	pv_buf_init(&text, TEXT_MAX);
	pv_orders_write(orders, &text);
	bool is_written =
	    pv_file_replace(pv_buf_text(&path), pv_buf_str(&text), MODE) ||
	    fail(pv_buf_text(&path), why, "cannot be written");
	pv_buf_finish(&text);
	pv_buf_finish(&path);
	return is_written;
}

bool pv_orders_change(
    const char *directory, pv_orders_fn change, void *ctx, struct pv_why *why)
{
	struct pv_orders orders;
	struct pv_buf text;
	int lock = take_lock(directory, why);
	bool is_done = !pv_why_has_problems(why);
	if (is_done) {
		is_done = pv_orders_load(directory, &text, &orders, why);
		if (is_done && change(ctx, &orders))
			is_done = save(directory, &orders, why);
		pv_orders_finish(&orders);
		pv_buf_finish(&text);
	}
	if (lock >= 0)
		close(lock);
	return is_done;
}
