#include "torture/disk_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define PATH_ROOM 4096

static struct ordered_file *file_of(struct disk_order *order, const char *path)
{
	for (size_t i = 0; i < order->count; i++) {
		if (strcmp(order->files[i].path, path) == 0)
			return &order->files[i];
	}
	struct ordered_file *file =
	    PV_ARRAY_PUSH(order->files, order->count, order->size);
	*file = (struct ordered_file){.path = strdup(path)};
	return file;
}

static bool is_in(const char *path, const char *directory)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;
	return len == strlen(directory) && strncmp(path, directory, len) == 0;
}

/* What is told of */

static struct ordered_file *tell(
    struct disk_order *order, const char *name, size_t len)
{
	char path[PATH_ROOM];
	snprintf(path, sizeof(path), "%s/%.*s", order->root, (int)len, name);
	struct ordered_file *file = file_of(order, path);
	file->is_told = true;
	return file;
}

/* Of what has moved it is told, too, that it is where it was no more. */
static void tell_file(struct disk_order *order, const char *name, size_t len)
{
	char before[PATH_ROOM];
	tell(order, name, len);
	if (strncmp(name, "gone/", 5) != 0)
		return;
	snprintf(before, sizeof(before), "site/%.*s", (int)len - 5, name + 5);
	tell(order, before, strlen(before));
	order->gone++;
}

static void tell_lines(struct disk_order *order, size_t len)
{
	static const char key[] = "\"file\":\"";
	const char *at = order->journal + order->written;
	const char *end = at + len;
	order->written += len;
	while ((at = strstr(at, key)) && at < end) {
		at += strlen(key);
		tell_file(order, at, strcspn(at, "\""));
	}
}

/* What is quoted in a row: names of files, and of files' lengths. */
static void tell_quoted(struct disk_order *order, const char *row)
{
	while ((row = strchr(row, '\''))) {
		size_t len = strcspn(++row, "'");
		bool is_file = strncmp(row, "site/", 5) == 0 ||
			       strncmp(row, "gone/", 5) == 0;
		if (is_file)
			tell_file(order, row, len);
		else if (len > 6 && strncmp(row + len - 6, ".jsonl", 6) == 0)
			tell(order, row, len);
		row += len + (row[len] == '\'');
	}
}

/* That all links are written, or that credentials are kept, says something of
 * files that it does not name. */
static void tell_of_note(struct disk_order *order, const char *row)
{
	size_t len = strlen(order->root);
	bool is_linked = strstr(row, "'mirror-linked', 1") ||
			 strstr(row, "'mirror-linked',1");
	if (strstr(row, "'credentials-kept'"))
		tell(order, "secrets", strlen("secrets"));
	for (size_t i = 0; is_linked && i < order->count; i++) {
		struct ordered_file *file = &order->files[i];
		bool is_in_site = strncmp(file->path, order->root, len) == 0 &&
				  strncmp(file->path + len, "/site/", 6) == 0;
		file->is_told |= is_in_site && !file->is_removed;
	}
}

/* Of the beginning of a body, which may become longer before the commit: what is
 * told of is there by then, by its name. */
static void on_part(struct disk_order *order, unsigned long long address)
{
	char path[PATH_ROOM];
	snprintf(path, sizeof(path), "%s/parts/%llu", order->root, address);
	const struct ordered_file *file = file_of(order, path);
	bool is_late = file->has_bytes || file->has_name;
	if (is_late)
		printf("# a row tells of it: %s: not synced\n", path);
	order->parts++;
	order->told[0]++;
	order->untimely += is_late;
}

static void on_row(struct disk_order *order, const char *row)
{
	static const char part[] = "INTO parts(";
	const char *at = strstr(row, part);
	if (strncmp(row, "DELETE", 6) == 0)
		return;
	if (at && (at = strstr(at, "VALUES("))) {
		on_part(order, strtoull(at + strlen("VALUES("), NULL, 10));
	} else {
		tell_quoted(order, row);
		tell_of_note(order, row);
	}
}

/* What is done to files */

static void on_write(struct disk_order *order, const char *text)
{
	char *path;
	size_t len = strtoull(text, &path, 10);
	file_of(order, path + 1)->has_bytes = true;
	if (strcmp(path + 1, order->journal_path) == 0)
		tell_lines(order, len);
}

static void on_make(struct disk_order *order, const char *path)
{
	struct ordered_file *file = file_of(order, path);
	file->has_bytes = file->is_removed = false;
	file->has_name = true;
}

static void on_remove(struct disk_order *order, const char *path)
{
	on_make(order, path);
	file_of(order, path)->is_removed = true;
}

static void on_name(struct disk_order *order, char *text, bool is_replaced)
{
	char *to = strchr(text, '\t');
	*to++ = '\0';
	bool has_bytes = file_of(order, text)->has_bytes;
	on_remove(order, text);
	on_make(order, to);
	file_of(order, to)->has_bytes = has_bytes;
	order->replaced += is_replaced;
	order->unready += is_replaced && has_bytes;
	if (is_replaced && has_bytes)
		printf("# %s takes its place, and is not synced\n", to);
}

static void on_sync(struct disk_order *order, const char *path, bool is_disk)
{
	order->syncs[is_disk]++;
	for (size_t i = 0; i < order->count; i++) {
		struct ordered_file *file = &order->files[i];
		if (is_disk || strcmp(file->path, path) == 0)
			file->has_bytes = false;
		if (is_disk || is_in(file->path, path))
			file->has_name = false;
	}
}

/* Whether a name was given or taken and that may be lost. What was in a directory
 * is gone when that is. */
static bool has_unsynced_name(struct disk_order *order, const char *path)
{
	char above[PATH_ROOM];
	snprintf(above, sizeof(above), "%s", path);
	*strrchr(above, '/') = '\0';
	return file_of(order, path)->has_name &&
	       !file_of(order, above)->is_removed;
}

/* The nearest directory above it of which the name may be lost, or NULL. */
static const char *unsynced_above(struct disk_order *order, const char *path)
{
	char above[PATH_ROOM];
	char *slash;
	snprintf(above, sizeof(above), "%s", path);
	while ((slash = strrchr(above, '/')) &&
	       (size_t)(slash - above) > strlen(order->top)) {
		*slash = '\0';
		if (has_unsynced_name(order, above))
			return file_of(order, above)->path;
	}
	return NULL;
}

/* Whether a power cut would lose something of it; says what. */
static bool is_left(struct disk_order *order, size_t i, const char *when)
{
	const char *path = order->files[i].path;
	bool has_bytes = order->files[i].has_bytes;
	bool has_name = has_unsynced_name(order, path);
	const char *above = unsynced_above(order, path);
	if (has_bytes || has_name || above)
		printf("# %s: %s: not synced:%s%s%s%s\n", when, path,
		    has_bytes ? " its bytes" : "", has_name ? " its name" : "",
		    above ? " " : "", above ? above : "");
	return has_bytes || has_name || above;
}

static void on_commit(struct disk_order *order)
{
	size_t root_len = strlen(order->root);
	bool is_late = false;
	for (size_t i = 0; i < order->count; i++) {
		if (!order->files[i].is_told)
			continue;
		order->files[i].is_told = false;
		order->told[0]++;
		order->told[1] +=
		    strncmp(order->files[i].path + root_len, "/site/", 6) == 0;
		is_late |= is_left(order, i, "a commit tells of it");
	}
	order->untimely += is_late;
}

static void read_line(struct disk_order *order, char *line)
{
	char *rest = strchr(line, ' ');
	if (strcmp(line, "commit") == 0)
		on_commit(order);
	if (!rest)
		return;
	*rest++ = '\0';
	if (strcmp(line, "write") == 0)
		on_write(order, rest);
	else if (strcmp(line, "row") == 0)
		on_row(order, rest);
	else if (strcmp(line, "make") == 0)
		on_make(order, rest);
	else if (strcmp(line, "remove") == 0)
		on_remove(order, rest);
	else if (strcmp(line, "name") == 0 || strcmp(line, "replace") == 0)
		on_name(order, rest, line[0] == 'r');
	else
		on_sync(order, rest, strcmp(line, "syncfs") == 0);
}

void disk_order_init(struct disk_order *order, const char *top,
    const char *root, const char *journal)
{
	*order =
	    (struct disk_order){.top = top, .root = root, .journal = journal};
	snprintf(order->journal_path, sizeof(order->journal_path),
	    "%s/journal.jsonl", root);
}

void disk_order_finish(struct disk_order *order)
{
	for (size_t i = 0; i < order->count; i++)
		free(order->files[i].path);
	free(order->files);
}

void disk_order_read(struct disk_order *order, char *diary)
{
	for (char *line = diary; line && *line;) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		read_line(order, line);
		line = end ? end + 1 : NULL;
	}
}

void disk_order_end(struct disk_order *order)
{
	size_t len = strlen(order->root);
	for (size_t i = 0, count = order->count; i < count; i++) {
		const struct ordered_file *file = &order->files[i];
		bool is_ours = strncmp(file->path, order->root, len) == 0 &&
			       strncmp(file->path + len, "/state.db", 9) != 0;
		if (is_ours && !file->is_removed)
			order->left += is_left(order, i, "at the end");
	}
}
