#include "record/body.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "failing.h"
#include "scratch.h"
#include "tap.h"

#define PIECE ((size_t)1000)
#define LARGE ((size_t)10000)

/* The byte that belongs at that place. */
static char byte_at(uint64_t place)
{
	return (char)(place * 31 >> 3);
}

/* Appends so many bytes of the sequence in one go. */
static enum pv_body_result append(struct pv_body *body, size_t len)
{
	char *bytes = malloc(len ? len : 1);
	for (size_t i = 0; i < len; i++)
		bytes[i] = byte_at(body->size + i);
	enum pv_body_result result =
	    pv_body_append(body, (struct pv_str){bytes, len});
	free(bytes);
	return result;
}

static enum pv_body_result append_many(struct pv_body *body, size_t len)
{
	enum pv_body_result result = PV_BODY_OK;
	for (size_t i = 0; i < len && result == PV_BODY_OK; i += PIECE)
		result = append(body, len - i < PIECE ? len - i : PIECE);
	return result;
}

/* Whether the body holds so many bytes of the sequence. */
static bool holds(struct pv_body *body, uint64_t len)
{
	struct pv_str text = pv_body_text(body);
	if (!text.ptr || text.len != len || body->size != len)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != byte_at(i))
			return false;
	}
	return true;
}

static unsigned count_names(const struct scratch *scratch)
{
	unsigned count = 0;
	DIR *directory = opendir(scratch->path);
	const struct dirent *entry;
	while (directory && (entry = readdir(directory)))
		count += strcmp(entry->d_name, ".") != 0 &&
			 strcmp(entry->d_name, "..") != 0;
	if (directory)
		closedir(directory);
	return count;
}

static void test_sizes(const struct scratch *scratch)
{
	static const size_t sizes[] = {0, 1, PIECE, PV_BODY_MEMORY - 1,
	    PV_BODY_MEMORY, PV_BODY_MEMORY + 1, 5 * PV_BODY_MEMORY + 7};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct pv_body body;
		size_t size = sizes[i];
		pv_body_init(&body, scratch->path, UINT64_MAX);
		ok(append_many(&body, size) == PV_BODY_OK && holds(&body, size),
		    "%zu bytes that come in pieces are what they were", size);
		ok((body.file >= 0) == (size > PV_BODY_MEMORY),
		    "and are %sin a file", size > PV_BODY_MEMORY ? "" : "not ");
		pv_body_clear(&body);
		ok(append(&body, size) == PV_BODY_OK && holds(&body, size),
		    "cleared, it takes them again, all at once");
		pv_body_finish(&body);
	}
}

static void test_growth(const struct scratch *scratch)
{
	struct pv_body body;
	struct stat status;
	pv_body_init(&body, scratch->path, UINT64_MAX);
	append(&body, PV_BODY_MEMORY + 1);
	ok(holds(&body, PV_BODY_MEMORY + 1) && append(&body, 1) == PV_BODY_OK &&
		holds(&body, PV_BODY_MEMORY + 2),
	    "it may grow after it was read");
	ok(body.memory.len == 0, "P5: what is in a file is not in memory");
	ok(count_names(scratch) == 0,
	    "P3: the file has no name, so nothing is left of it after a kill");
	ok(fstat(body.file, &status) == 0 && (status.st_mode & 0777) == 0600,
	    "and nobody else may read it");
	ok(fcntl(body.file, F_GETFD) & FD_CLOEXEC,
	    "and no program that is started inherits it");
	close(body.file);
	pv_body_append(&body, PV_STR(""));
	ok(holds(&body, PV_BODY_MEMORY + 2), "adding nothing changes nothing");
	body.file = -1;
	pv_body_finish(&body);
}

static void test_ceiling(const struct scratch *scratch)
{
	static const uint64_t ceilings[] = {
	    0, 10, PV_BODY_MEMORY, PV_BODY_MEMORY + 10};
	for (size_t i = 0; i < sizeof(ceilings) / sizeof(*ceilings); i++) {
		struct pv_body body;
		size_t ceiling = (size_t)ceilings[i];
		pv_body_init(&body, scratch->path, ceiling);
		append_many(&body, ceiling);
		ok(append(&body, 1) == PV_BODY_FULL && holds(&body, ceiling),
		    "P5: a ceiling of %zu bytes is kept, and what was there "
		    "stays",
		    ceiling);
		pv_body_finish(&body);
	}
}

/* Failures */

static void test_no_tmpfile(const struct scratch *scratch)
{
	static const int errors[] = {EOPNOTSUPP, EISDIR, EINVAL};
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		struct pv_body body;
		struct stat status;
		pv_body_init(&body, scratch->path, UINT64_MAX);
		fail_always("O_TMPFILE", errors[i]);
		append(&body, PV_BODY_MEMORY + 1);
		ok(body.file >= 0 && holds(&body, PV_BODY_MEMORY + 1) &&
			count_names(scratch) == 0,
		    "where files without names are not to be had (%s), the "
		    "name is removed",
		    strerror(errors[i]));
		ok(fstat(body.file, &status) == 0 &&
			(status.st_mode & 0777) == 0600 &&
			(fcntl(body.file, F_GETFD) & FD_CLOEXEC),
		    "and it is as private");
		fail_nothing();
		pv_body_finish(&body);
	}
}

static void test_no_file(const struct scratch *scratch)
{
	struct pv_body body;
	pv_body_init(&body, "no-such-directory", UINT64_MAX);
	append(&body, PV_BODY_MEMORY);
	errno = 0;
	ok(append(&body, 1) == PV_BODY_FAILED && errno == ENOENT &&
		holds(&body, PV_BODY_MEMORY),
	    "a file that cannot be made is told, and memory keeps its bytes");
	pv_body_finish(&body);
	pv_body_init(&body, scratch->path, UINT64_MAX);
	fail_at("O_TMPFILE", 0, EINTR);
	ok(append(&body, PV_BODY_MEMORY + 1) == PV_BODY_OK,
	    "a signal while it is made is none");
	fail_at("O_TMPFILE", 0, EMFILE);
	pv_body_clear(&body);
	ok(append(&body, PV_BODY_MEMORY + 1) == PV_BODY_FAILED &&
		errno == EMFILE,
	    "no descriptor left is told, and no other way is tried");
	pv_body_finish(&body);
}

static void test_writes(const struct scratch *scratch)
{
	struct pv_body body;
	pv_body_init(&body, scratch->path, UINT64_MAX);
	failing.write_max = 100;
	fail_at("pwrite", 7, EINTR);
	ok(append(&body, PV_BODY_MEMORY + 12345) == PV_BODY_OK &&
		holds(&body, PV_BODY_MEMORY + 12345),
	    "short writes and signals only take longer");
	fail_nothing();
	for (unsigned i = 0; i < 2; i++) {
		pv_body_clear(&body);
		append(&body, PV_BODY_MEMORY);
		fail_at("pwrite", i, ENOSPC);
		ok(append(&body, PIECE) == PV_BODY_FAILED && errno == ENOSPC &&
			holds(&body, PV_BODY_MEMORY),
		    "a disk that is full at write %u leaves all in memory", i);
		ok(append(&body, PIECE) == PV_BODY_OK &&
			holds(&body, PV_BODY_MEMORY + PIECE),
		    "and when it has space again, it goes on");
	}
	failing.write_max = LARGE / 2;
	fail_at("pwrite", 1, ENOSPC);
	ok(append(&body, LARGE) == PV_BODY_FAILED && errno == ENOSPC &&
		holds(&body, PV_BODY_MEMORY + PIECE),
	    "what was half written is not there");
	fail_nothing();
	ok(append(&body, 3) == PV_BODY_OK &&
		holds(&body, PV_BODY_MEMORY + PIECE + 3),
	    "and is written over");
	pv_body_finish(&body);
}

static void test_small_pieces(const struct scratch *scratch)
{
	const size_t count = 200000;
	const size_t all = PV_BODY_MEMORY + 1 + count;
	struct pv_body body;
	pv_body_init(&body, scratch->path, UINT64_MAX);
	append(&body, PV_BODY_MEMORY + 1);
	unsigned before = failing.calls;
	for (size_t i = 0; i < count; i++)
		append(&body, 1);
	ok(failing.calls - before <= count / 50000,
	    "%zu bytes that come one by one are written in %u pieces", count,
	    failing.calls - before);
	fail_at("pwrite", 0, ENOSPC);
	ok(pv_body_flush(&body) == PV_BODY_FAILED && errno == ENOSPC,
	    "the last of them are written when it is asked for, or it is told");
	ok(pv_body_flush(&body) == PV_BODY_OK && holds(&body, all),
	    "and are there when there is space again");
	append(&body, 1);
	fail_at("pwrite", 0, EIO);
	ok(!pv_body_text(&body).ptr && errno == EIO,
	    "nothing is read that was not written");
	ok(append(&body, LARGE) == PV_BODY_OK && holds(&body, all + 1 + LARGE),
	    "a large piece comes behind small ones");
	pv_body_finish(&body);
}

static void test_no_map(const struct scratch *scratch)
{
	struct pv_body body;
	pv_body_init(&body, scratch->path, UINT64_MAX);
	append(&body, PV_BODY_MEMORY + 1);
	close(body.file);
	body.file = open(scratch->path, O_RDONLY | O_DIRECTORY);
	errno = 0;
	ok(!pv_body_text(&body).ptr && errno != 0,
	    "a file that cannot be mapped is told");
	pv_body_finish(&body);
	pv_body_finish(&body);
	ok(!body.memory.ptr && body.file < 0 && !body.size,
	    "to be finished twice does no harm");
}

int main(void)
{
	struct scratch scratch;
	if (!ok(scratch_make(&scratch), "a directory to write to"))
		return tap_done();
	test_sizes(&scratch);
	test_growth(&scratch);
	test_ceiling(&scratch);
	test_no_tmpfile(&scratch);
	test_no_file(&scratch);
	test_writes(&scratch);
	test_small_pieces(&scratch);
	test_no_map(&scratch);
	scratch_remove(&scratch);
	return tap_done();
}
