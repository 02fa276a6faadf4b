#include "policy/values/never.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/reader.h"

#define NEVER_BYTES_MAX ((size_t)64 * 1024 * 1024)

void pv_never_init(struct pv_never *never)
{
	*never = (struct pv_never){0};
	pv_host_index_init(&never->index);
	pv_arena_init(&never->arena);
}

void pv_never_finish(struct pv_never *never)
{
	pv_host_index_finish(&never->index);
	pv_arena_finish(&never->arena);
}

/* The line without its comment and blanks. */
static struct pv_str line_text(struct pv_str line)
{
	size_t comment = pv_str_find(line, '#');
	if (comment != PV_NOT_FOUND)
		line.len = comment;
	return pv_str_trim(line);
}

/* Adds the pattern, and for a name all that is below it: an owner who asks us
 * away does not list what else there is. */
static const char *add(
    struct pv_never *never, struct pv_str text, uint32_t number)
{
	struct pv_host_pattern pattern;
	struct pv_buf canonical;
	pv_buf_init(&canonical, 512);
	const char *fault = pv_host_pattern_read(text, &pattern, &canonical);
	if (!fault) {
		pv_host_index_add(
		    &never->index, &never->arena, &pattern, &number);
		if (pattern.kind == PV_HOST_EXACT) {
			pattern.kind = PV_HOST_BELOW;
			pv_host_index_add(
			    &never->index, &never->arena, &pattern, &number);
		}
	}
	pv_buf_finish(&canonical);
	return fault;
}

static void read_lines(
    struct pv_never *never, struct pv_str text, struct pv_why *why)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_reader_accept_str(&reader, PV_STR("\xef\xbb\xbf"));
	struct pv_place place = {never->path, 0, 1};
	while (!pv_reader_is_end(&reader)) {
		struct pv_str line = line_text(pv_reader_take_line(&reader));
		place.line++;
		const char *fault =
		    line.len ? add(never, line, place.line) : NULL;
		if (fault)
			pv_why_add(why, place, PV_STR(""), "%s",
			    fault[0] ? fault
				     : "expected a name, *.name or an address "
				       "range such as 192.0.2.0/24");
	}
}

void pv_never_read(struct pv_never *never, const char *path, struct pv_why *why)
{
	struct pv_buf text;
	struct pv_place place = {.file = path};
	never->path = pv_arena_text(&never->arena, pv_str_of(path));
	pv_buf_init(&text, NEVER_BYTES_MAX);
	switch (pv_file_read(path, &text)) {
	case PV_FILE_READ:
		read_lines(never, pv_buf_str(&text), why);
		break;
	case PV_FILE_TOO_LARGE:
		pv_why_add(why, place, PV_STR(""), "larger than %zu MiB",
		    NEVER_BYTES_MAX >> 20);
		break;
	case PV_FILE_FAILED:
		if (errno != ENOENT && errno != ENOTDIR)
			pv_why_add(why, place, PV_STR(""), "cannot be read: %s",
			    pv_file_fault(errno));
		break;
	}
	pv_buf_finish(&text);
}

uint32_t pv_never_find(const struct pv_never *never, struct pv_str host,
    const struct pv_address *address)
{
	uint32_t lines[PV_HOST_MATCHES_MAX];
	size_t count = pv_host_index_find(&never->index, host, address, lines);
	return count ? lines[0] : 0;
}
