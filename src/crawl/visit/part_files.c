#include "crawl/visit/part_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/reader.h"
#include "crawl/conductor.h"
#include "crawl/visit/resume.h"
#include "record/response.h"
#include "store/tables/part_table.h"

#define PIECE_BYTES ((size_t)256 * 1024)

static void path_of(
    const char *directory, uint64_t address, struct pv_buf *path)
{
	pv_buf_init(path, SIZE_MAX);
	pv_buf_append_format(path, "%s/parts", directory);
	if (address)
		pv_buf_append_format(
		    path, "/%llu", (unsigned long long)address);
}

bool pv_part_files_has(const char *directory, uint64_t address, uint64_t size)
{
	struct stat facts;
	struct pv_buf path;
	path_of(directory, address, &path);
	bool has = lstat(pv_buf_text(&path), &facts) == 0 &&
		   S_ISREG(facts.st_mode) && (uint64_t)facts.st_size >= size;
	pv_buf_finish(&path);
	return has;
}

static int open_one(const char *directory, uint64_t address, int flags)
{
	struct pv_buf path;
	path_of(directory, address, &path);
	int file = open(
	    pv_buf_text(&path), O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	pv_buf_finish(&path);
	return file;
}

int pv_part_files_take(const char *directory, uint64_t address)
{
	return open_one(directory, address, 0);
}

/* The state is to tell of no name that is not on the disk. */
static bool sync_name(const char *directory, uint64_t address)
{
	struct pv_buf path;
	path_of(directory, address, &path);
	bool is_synced = pv_file_sync_name(pv_buf_text(&path));
	pv_buf_finish(&path);
	return is_synced;
}

static bool make_directory(const char *directory)
{
	struct pv_buf path;
	path_of(directory, 0, &path);
	bool is_there = pv_file_make_directory(pv_buf_text(&path), 0700);
	pv_buf_finish(&path);
	return is_there;
}

int pv_part_files_make(const char *directory, uint64_t address)
{
	if (!make_directory(directory))
		return -1;
	pv_part_files_remove(directory, address);
	int file = open_one(directory, address, O_CREAT | O_EXCL);
	if (file < 0 || sync_name(directory, address))
		return file;
	close(file);
	return -1;
}

void pv_part_files_remove(const char *directory, uint64_t address)
{
	struct pv_buf path;
	path_of(directory, address, &path);
	unlink(pv_buf_text(&path));
	pv_buf_finish(&path);
}

/* Those that nobody refers to */

/* 0 if it is not a name of ours. */
static uint64_t address_of(const char *name)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(name));
	uint64_t address = 0;
	bool is_ours = pv_reader_peek(&reader) != '0' &&
		       pv_reader_take_number(&reader, INT64_MAX, &address) &&
		       pv_reader_is_end(&reader);
	return is_ours ? address : 0;
}

static void sweep_all(struct pv_database *database, DIR *directory)
{
	struct pv_part_table parts;
	struct dirent *entry;
	pv_part_table_init(&parts, database);
	while ((entry = readdir(directory))) {
		bool is_there =
		    pv_part_table_has(&parts, address_of(entry->d_name));
		if (pv_database_status(database) != PV_STORE_OK)
			break;
		if (!is_there && entry->d_name[0] != '.')
			unlinkat(dirfd(directory), entry->d_name, 0);
	}
	pv_part_table_finish(&parts);
}

static void sweep(struct pv_crawl *crawl)
{
	struct pv_buf path;
	path_of(crawl->directory, 0, &path);
	DIR *directory = opendir(pv_buf_text(&path));
	if (directory) {
		sweep_all(crawl->store->database, directory);
		closedir(directory);
		rmdir(pv_buf_text(&path)); /* if it is empty */
	}
	pv_buf_finish(&path);
}

void pv_part_files_open(struct pv_crawl *crawl)
{
	sweep(crawl);
	struct pv_part_sums sums = pv_part_table_sums(crawl->store->database);
	crawl->part_files = (struct pv_part_files){
	    .count = (size_t)sums.count, .bytes = sums.bytes};
}

void pv_part_files_close(struct pv_crawl *crawl)
{
	if (crawl->store && crawl->frontier)
		sweep(crawl);
}

/* In the pool */

/* What it works on. */
struct job {
	const char *directory;
	struct pv_resumption *resumption;
	struct pv_response *response;
	struct pv_digester *digester;
};

/* Reads the bytes of the part for all of the digesters; false if they are not
 * there. */
static bool read_part(const struct pv_part *part, int file,
    struct pv_digester *const *digesters, size_t count)
{
	char *piece = pv_alloc(PIECE_BYTES);
	uint64_t place = 0;
	while (place < part->size) {
		uint64_t left = part->size - place;
		ssize_t got = pread(file, piece,
		    left < PIECE_BYTES ? (size_t)left : PIECE_BYTES,
		    (off_t)place);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		for (size_t i = 0; i < count; i++)
			pv_digester_append(
			    digesters[i], (struct pv_str){piece, (size_t)got});
		place += (uint64_t)got;
	}
	free(piece);
	return place == part->size;
}

/* Whether the file has the bytes that it is to have; `all`, if there is one,
 * gets them as well. */
static bool is_intact(const struct pv_part *part, int file,
    struct pv_digester *digester, struct pv_digester *all)
{
	struct pv_digester *digesters[] = {digester, all};
	uint8_t digest[PV_DIGEST_SIZE];
	bool is_read = read_part(part, file, digesters, all ? 2 : 1);
	pv_digester_end(digester, digest);
	return is_read && memcmp(digest, part->digest, sizeof(digest)) == 0;
}

static void drop(const struct job *job)
{
	struct pv_resumption *resumption = job->resumption;
	pv_part_files_remove(job->directory, resumption->address);
	resumption->is_kept = false;
	resumption->is_dropped = resumption->had_part;
}

static bool write_body(struct pv_body *body, int file, uint64_t place)
{
	bool is_written = pv_body_text(body).ptr != NULL;
	struct pv_pieces pieces = pv_body_pieces(body);
	struct pv_str piece;
	while (is_written && pv_pieces_next(&pieces, &piece)) {
		is_written = pv_file_write_at(file, place, piece);
		place += piece.len;
	}
	return is_written;
}

/* The state is to tell of nothing that is not on the disk. */
static bool put(const struct job *job, int file, uint64_t place)
{
	return write_body(&job->response->body, file, place) &&
	       fdatasync(file) == 0;
}

static void digest_body(struct pv_digester *digester, struct pv_body *body)
{
	struct pv_pieces pieces = pv_body_pieces(body);
	struct pv_str piece;
	while (pv_pieces_next(&pieces, &piece))
		pv_digester_append(digester, piece);
}

static bool begin(const struct job *job)
{
	struct pv_resumption *resumption = job->resumption;
	int file = pv_part_files_make(job->directory, resumption->address);
	if (file < 0)
		return false;
	bool is_put = put(job, file, 0);
	if (close(file) != 0 || !is_put)
		return false;
	digest_body(job->digester, &job->response->body);
	pv_digester_end(job->digester, resumption->part.digest);
	return true;
}

static bool lengthen(const struct job *job)
{
	struct pv_resumption *resumption = job->resumption;
	struct pv_part *part = &resumption->part;
	int file = pv_part_files_take(job->directory, resumption->address);
	if (file < 0)
		return false;
	struct pv_digester *all = pv_digester_create();
	bool is_longer = is_intact(part, file, job->digester, all) &&
			 put(job, file, part->size);
	digest_body(all, &job->response->body);
	pv_digester_end(all, part->digest);
	pv_digester_destroy(all);
	if (close(file) != 0 || !is_longer)
		return false;
	part->size += job->response->body.size;
	part->gains += resumption->is_gain;
	return true;
}

static void keep(const struct job *job, bool is_kept)
{
	struct pv_resumption *resumption = job->resumption;
	if (is_kept) {
		resumption->is_kept = true;
		resumption->is_dropped = false;
		return;
	}
	drop(job);
	resumption->result = PV_PART_UNWRITTEN;
}

static void tell_damaged(const struct job *job)
{
	struct pv_response *response = job->response;
	drop(job);
	job->resumption->result = PV_PART_DAMAGED;
	pv_response_note_own_fault(response);
	pv_response_fail(response, PV_OUTCOME_BROKEN_OFF,
	    "the stored beginning of it is damaged: it is requested whole");
}

static bool make_whole(const struct job *job)
{
	const struct pv_part *part = &job->resumption->part;
	struct pv_response *response = job->response;
	int file = pv_part_files_take(job->directory, job->resumption->address);
	if (file < 0 || !is_intact(part, file, job->digester, NULL)) {
		if (file >= 0)
			close(file);
		tell_damaged(job);
		return true;
	}
	if (ftruncate(file, (off_t)part->size) != 0 ||
	    !write_body(&response->body, file, part->size)) {
		int error = errno;
		close(file);
		errno = error;
		return false;
	}
	pv_response_complete(response, file, part->size, part->complete);
	pv_part_complete_headers(part, &response->headers);
	return true;
}

bool pv_part_files_run(const char *directory, struct pv_resumption *resumption,
    struct pv_response *response, struct pv_digester *digester)
{
	const struct job job = {directory, resumption, response, digester};
	resumption->came_bytes = response->body.size;
	switch (resumption->plan) {
	case PV_PART_AS_IT_IS:
		break;
	case PV_PART_DROP:
		drop(&job);
		break;
	case PV_PART_BEGIN:
		keep(&job, begin(&job));
		break;
	case PV_PART_LONGER:
		keep(&job, lengthen(&job));
		break;
	case PV_PART_WHOLE:
		return make_whole(&job);
	}
	return true;
}

void pv_part_files_end(
    const char *directory, const struct pv_resumption *resumption)
{
	if (resumption->plan == PV_PART_WHOLE)
		pv_part_files_remove(directory, resumption->address);
}
