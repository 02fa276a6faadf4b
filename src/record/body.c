#include "record/body.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"

/* A file's length is an off_t. */
#define FILE_BYTES_MAX ((uint64_t)INT64_MAX)

/* Pieces under this size are gathered, so many bytes of them at most. */
#define SMALL_BYTES ((size_t)8 * 1024)
#define GATHERED_MAX ((size_t)64 * 1024)

void pv_body_init(struct pv_body *body, const char *directory, uint64_t ceiling)
{
	*body = (struct pv_body){
	    .ceiling = ceiling < FILE_BYTES_MAX ? ceiling : FILE_BYTES_MAX,
	    .directory = directory,
	    .file = -1,
	};
	pv_buf_init(&body->memory, PV_BODY_MEMORY);
}

static void let_map_go(struct pv_body *body)
{
	if (body->map)
		munmap(body->map, (size_t)body->size);
	body->map = NULL;
}

static void let_file_go(struct pv_body *body)
{
	let_map_go(body);
	if (body->file >= 0)
		close(body->file);
	body->file = -1;
}

void pv_body_finish(struct pv_body *body)
{
	let_file_go(body);
	pv_buf_finish(&body->memory);
	body->size = 0;
}

void pv_body_clear(struct pv_body *body)
{
	let_file_go(body);
	pv_buf_clear(&body->memory);
	body->size = 0;
}

/* Where the file system has no files without names, one gets a name for no
 * longer than it takes to remove it. */
static int make_and_unlink(const char *directory)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/.pavane-XXXXXX", directory);
	int file = mkostemp(path.ptr, O_CLOEXEC);
	if (file >= 0)
		unlink(path.ptr);
	pv_buf_finish(&path);
	return file;
}

static int make_file(const char *directory)
{
	int file;
	do {
		file = open(
		    directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	} while (file < 0 && errno == EINTR);
	bool is_unknown = file < 0 && (errno == EOPNOTSUPP || errno == EISDIR ||
					  errno == EINVAL);
	return is_unknown ? make_and_unlink(directory) : file;
}

/* From memory to a file, with the new bytes at its end; if that fails, all
 * stays in memory. What a failure of writing leaves behind lies beyond the
 * body's size, where nobody looks, and is written over the next time. */
static bool move_out(struct pv_body *body, struct pv_str bytes)
{
	int file = make_file(body->directory);
	if (file < 0)
		return false;
	if (!pv_file_write_at(file, 0, pv_buf_str(&body->memory)) ||
	    !pv_file_write_at(file, body->size, bytes)) {
		int saved = errno;
		close(file);
		errno = saved;
		return false;
	}
	body->file = file;
	pv_buf_finish(&body->memory);
	return true;
}

static bool flush(struct pv_body *body)
{
	if (body->file < 0 || !body->memory.len)
		return true;
	if (!pv_file_write_at(body->file, body->size - body->memory.len,
		pv_buf_str(&body->memory)))
		return false;
	pv_buf_clear(&body->memory);
	return true;
}

/* A write costs as much as the bytes of a large piece. */
static bool append_to_file(struct pv_body *body, struct pv_str bytes)
{
	if (bytes.len + body->memory.len > GATHERED_MAX && !flush(body))
		return false;
	if (bytes.len < SMALL_BYTES)
		return pv_buf_append(&body->memory, bytes);
	return flush(body) && pv_file_write_at(body->file, body->size, bytes);
}

static bool append(struct pv_body *body, struct pv_str bytes)
{
	if (body->file >= 0)
		return append_to_file(body, bytes);
	if (pv_buf_append(&body->memory, bytes))
		return true;
	return move_out(body, bytes);
}

enum pv_body_result pv_body_flush(struct pv_body *body)
{
	return flush(body) ? PV_BODY_OK : PV_BODY_FAILED;
}

enum pv_body_result pv_body_append(struct pv_body *body, struct pv_str bytes)
{
	if (bytes.len > body->ceiling - body->size)
		return PV_BODY_FULL;
	if (!bytes.len)
		return PV_BODY_OK;
	let_map_go(body);
	if (!append(body, bytes))
		return PV_BODY_FAILED;
	body->size += bytes.len;
	return PV_BODY_OK;
}

void pv_body_give_file(struct pv_body *body, int file, uint64_t size)
{
	let_file_go(body);
	pv_buf_finish(&body->memory);
	body->file = file;
	body->size = size;
}

struct pv_str pv_body_text(struct pv_body *body)
{
	if (body->file < 0)
		return pv_buf_str(&body->memory);
	if (!flush(body))
		return (struct pv_str){NULL, 0};
	if (!body->map) {
		void *map = mmap(NULL, (size_t)body->size, PROT_READ,
		    MAP_PRIVATE, body->file, 0);
		if (map == MAP_FAILED)
			return (struct pv_str){NULL, 0};
		body->map = map;
	}
	return (struct pv_str){body->map, (size_t)body->size};
}
