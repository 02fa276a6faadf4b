#include "crawl/visit/part_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "crawl/visit/open_visit.h"

#define PIECE_BYTES ((size_t)256 * 1024)

static uint64_t id_of(const struct pv_open *open)
{
	return open->task->visit.id;
}

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

static void drop(struct pv_open *open)
{
	pv_part_files_remove(open->crawl, id_of(open));
	open->report.part = NULL;
	open->report.drops_part = open->task->visit.part.len > 0;
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
static bool put(struct pv_open *open, int file, uint64_t place)
{
	return write_body(&open->response.body, file, place) &&
	       fdatasync(file) == 0;
}

static void digest_body(struct pv_digester *digester, struct pv_body *body)
{
	struct pv_pieces pieces = pv_body_pieces(body);
	struct pv_str piece;
	while (pv_pieces_next(&pieces, &piece))
		pv_digester_append(digester, piece);
}

static bool begin(struct pv_open *open, struct pv_digester *digester)
{
	int file = pv_part_files_make(open->crawl, id_of(open));
	if (file < 0)
		return false;
	bool is_put = put(open, file, 0);
	if (close(file) != 0 || !is_put)
		return false;
	digest_body(digester, &open->response.body);
	pv_digester_end(digester, open->part.digest);
	return true;
}

static bool lengthen(struct pv_open *open, struct pv_digester *digester)
{
	struct pv_part *part = &open->part;
	int file = pv_part_files_take(open->crawl, id_of(open));
	if (file < 0)
		return false;
	struct pv_digester *all = pv_digester_create();
	bool is_longer =
	    is_intact(part, file, digester, all) && put(open, file, part->size);
	digest_body(all, &open->response.body);
	pv_digester_end(all, part->digest);
	pv_digester_destroy(all);
	if (close(file) != 0 || !is_longer)
		return false;
	part->size += open->response.body.size;
	part->gains += open->kind == PV_REPORT_ONWARD;
	return true;
}

/* A part that could not be written is as good as none: then the try counts, and
 * all is asked for. */
static void keep(struct pv_open *open, bool is_kept)
{
	if (is_kept) {
		open->report.part = &open->part;
		open->report.drops_part = false;
		return;
	}
	drop(open);
	if (open->kind == PV_REPORT_ONWARD)
		open->kind = PV_REPORT_AGAIN;
}

/* What was damaged meanwhile is nobody's fault but ours. */
static void tell_damaged(struct pv_open *open)
{
	struct pv_response *response = &open->response;
	drop(open);
	open->kind = PV_REPORT_LATER;
	open->page.pacing.is_own_fault = true;
	response->is_own_fault = true;
	response->outcome = PV_OUTCOME_BROKEN_OFF;
	snprintf(response->why, sizeof(response->why),
	    "what was kept of it is damaged, and it is asked for whole");
}

static void give_up(struct pv_open *open)
{
	open->is_abandoned = true;
	open->page.error = errno;
	snprintf(open->page.fault, sizeof(open->page.fault),
	    "a large answer cannot be put together: %s", strerror(errno));
}

static void make_whole(struct pv_open *open, struct pv_digester *digester)
{
	const struct pv_part *part = &open->part;
	struct pv_response *response = &open->response;
	int file = pv_part_files_take(open->crawl, id_of(open));
	if (file < 0 || !is_intact(part, file, digester, NULL)) {
		if (file >= 0)
			close(file);
		tell_damaged(open);
		return;
	}
	if (ftruncate(file, (off_t)part->size) != 0 ||
	    !write_body(&response->body, file, part->size)) {
		give_up(open);
		close(file);
		return;
	}
	pv_body_give_file(&response->body, file, part->complete);
	response->earlier = part->size;
	pv_part_complete_headers(part, &response->headers);
}

void pv_part_job_run(struct pv_open *open, struct pv_digester *digester)
{
	open->part_bytes_came = open->response.body.size;
	switch (open->part_plan) {
	case PV_PART_AS_IT_IS:
		break;
	case PV_PART_DROP:
		drop(open);
		break;
	case PV_PART_BEGIN:
		keep(open, begin(open, digester));
		break;
	case PV_PART_LONGER:
		keep(open, lengthen(open, digester));
		break;
	case PV_PART_WHOLE:
		make_whole(open, digester);
		break;
	}
}

void pv_part_job_finish(struct pv_open *open)
{
	if (open->part_plan == PV_PART_WHOLE && !open->is_abandoned)
		pv_part_files_remove(open->crawl, id_of(open));
}
