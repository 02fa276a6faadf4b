#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "tap.h"

/* Replays a corpus through a fuzz target, so that what was once found stays
 * found: tests/fuzz/replay_NAME reads each file of tests/fuzz/corpus/NAME. */

#define FILE_BYTES_MAX (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The corpus of the program of this name. */
static void write_directory(struct pv_buf *path, const char *program)
{
	const char *source = getenv("srcdir");
	struct pv_str name = pv_str_of(program);
	size_t slash = pv_str_find_last(name, '/');
	if (slash != PV_NOT_FOUND)
		name = pv_str_from(name, slash + 1);
	if (pv_str_starts(name, PV_STR("replay_")))
		name = pv_str_from(name, strlen("replay_"));
	pv_buf_append_format(path, "%s/tests/fuzz/corpus/%.*s",
	    source ? source : ".", PV_STR_ARG(name));
}

static bool read_file(const char *path, struct pv_buf *bytes)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return false;
	char *room = pv_buf_reserve(bytes, FILE_BYTES_MAX);
	bytes->len += fread(room, 1, FILE_BYTES_MAX, file);
	bool is_read = !ferror(file);
	fclose(file);
	return is_read;
}

/* A copy of just its size, so that a sanitizer sees each byte beyond it. */
static void run(const struct pv_buf *bytes)
{
	uint8_t *copy = malloc(bytes->len ? bytes->len : 1);
	if (!copy)
		abort();
	if (bytes->len)
		memcpy(copy, bytes->ptr, bytes->len);
	LLVMFuzzerTestOneInput(copy, bytes->len);
	free(copy);
}

static void replay(const struct pv_buf *directory, const char *name)
{
	struct pv_buf path, bytes;
	pv_buf_init(&path, 4096);
	pv_buf_init(&bytes, FILE_BYTES_MAX);
	pv_buf_append_format(&path, "%s/%s", pv_buf_text(directory), name);
	bool is_read = read_file(pv_buf_text(&path), &bytes);
	if (is_read)
		run(&bytes);
	ok(is_read, "survives %s", name);
	pv_buf_finish(&bytes);
	pv_buf_finish(&path);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	struct pv_buf directory;
	struct dirent **entries;
	pv_buf_init(&directory, 4096);
	write_directory(&directory, argc ? argv[0] : "");
	int count =
	    scandir(pv_buf_text(&directory), &entries, is_visible, alphasort);
	ok(count > 0, "there is a corpus in %s", pv_buf_text(&directory));
	for (int i = 0; i < count; i++) {
		replay(&directory, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	pv_buf_finish(&directory);
	return tap_done();
}
