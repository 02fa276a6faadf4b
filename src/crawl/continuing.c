#include "crawl/continuing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "crawl/mishap.h"
#include "crawl/open_visit.h"

/* So often an address may get further without that being counted as a try. */
#define GAINS_MAX 100

#define PIECE_BYTES ((size_t)256 * 1024)

static uint64_t id_of(const struct pv_open *open)
{
	return open->errand->visit.id;
}

static bool has_part(const struct pv_open *open)
{
	return open->errand->visit.part.len > 0;
}

/* Asking */

bool pv_continuing_ask(struct pv_open *open, struct pv_request *request)
{
	struct pv_part *part = &open->part;
	if (!has_part(open))
		return false;
	open->is_continuing =
	    pv_part_unpack(open->errand->visit.part, part) &&
	    part->size < part->complete &&
	    part->complete <= open->response.body.ceiling &&
	    pv_part_files_has(open->crawl, id_of(open), part->size);
	if (open->is_continuing)
		request->part = part;
	else
		open->report.drops_part = true;
	return open->is_continuing;
}

/* What came */

/* That what came is bytes of the rest. */
static bool is_rest(const struct pv_open *open)
{
	return open->is_continuing && open->response.http_status == 206 &&
	       open->response.stage >= PV_STAGE_BODY &&
	       !open->response.is_misfit;
}

void pv_continuing_look(struct pv_open *open)
{
	struct pv_response *response = &open->response;
	if (!open->is_continuing || response->outcome != PV_OUTCOME_ANSWERED)
		return;
	if (response->http_status == 416)
		response->is_misfit = true;
	uint64_t rest = open->part.complete - open->part.size;
	if (!is_rest(open) || response->body.size == rest)
		return;
	response->is_misfit = true;
	response->outcome = PV_OUTCOME_BROKEN_OFF;
	pv_open_remark(open, "less came than the rest that was asked for");
}

static bool is_cut(const struct pv_open *open)
{
	enum pv_mishap mishap = pv_mishap_of(&open->response);
	return mishap == PV_MISHAP_CUT_BODY || mishap == PV_MISHAP_SLOW_BODY;
}

bool pv_continuing_has_gained(const struct pv_open *open)
{
	return is_rest(open) && is_cut(open) &&
	       open->response.body.size >= PV_PART_BYTES_MIN &&
	       open->part.gains < GAINS_MAX &&
	       open->crawl->policy->fetch.retries > 0;
}

/* Deciding */

static bool has_room(const struct pv_open *open)
{
	const struct pv_crawl *crawl = open->crawl;
	const struct pv_part_files *files = &crawl->part_files;
	return !crawl->disk_room.is_short &&
	       files->count + !has_part(open) <= PV_PART_FILES_MAX &&
	       files->bytes + open->response.body.size <=
		   PV_PART_FILES_BYTES_MAX;
}

static bool is_to_be_continued(const struct pv_open *open)
{
	return open->kind == PV_REPORT_AGAIN || open->kind == PV_REPORT_ONWARD;
}

static bool begins(struct pv_open *open)
{
	struct pv_part part;
	if (!is_to_be_continued(open) || !is_cut(open) || !has_room(open) ||
	    !pv_part_begin(&open->response, open->crawl->now.wall_ms,
		&open->part_texts, &part))
		return false;
	part.gains = open->errand->visit.gains;
	open->part = part;
	return true;
}

/* It has come anew, or will. */
static bool is_outdated(const struct pv_open *open)
{
	const struct pv_response *response = &open->response;
	return open->kind == PV_REPORT_DONE || response->is_misfit ||
	       open->report.drops_part ||
	       (response->http_status == 200 &&
		   response->stage >= PV_STAGE_BODY);
}

static enum pv_part_plan plan(struct pv_open *open)
{
	if (is_rest(open) && open->response.outcome == PV_OUTCOME_ANSWERED)
		return PV_PART_WHOLE;
	if (is_rest(open) && is_to_be_continued(open))
		return open->response.body.size && has_room(open)
			   ? PV_PART_LONGER
			   : PV_PART_AS_IT_IS;
	if (begins(open))
		return PV_PART_BEGIN;
	return has_part(open) && is_outdated(open) ? PV_PART_DROP
						   : PV_PART_AS_IT_IS;
}

/* What is in the pool counts, too, or many could come at once. */
static void reserve(struct pv_open *open)
{
	struct pv_part_files *files = &open->crawl->part_files;
	struct pv_part had = {.size = 0};
	pv_part_unpack(open->errand->visit.part, &had);
	open->part_count_had = has_part(open);
	open->part_bytes_had = had.size;
	if (open->part_plan == PV_PART_BEGIN)
		files->count += !open->part_count_had;
	if (open->part_plan == PV_PART_BEGIN ||
	    open->part_plan == PV_PART_LONGER)
		files->bytes += open->response.body.size;
}

void pv_continuing_plan(struct pv_open *open)
{
	if (pv_open_is_robots(open) || open->response.is_own_fault)
		return;
	open->part_plan = plan(open);
	if (open->part_plan != PV_PART_AS_IT_IS)
		reserve(open);
}

void pv_continuing_done(struct pv_open *open)
{
	struct pv_part_files *files = &open->crawl->part_files;
	bool is_longer = open->part_plan == PV_PART_BEGIN ||
			 open->part_plan == PV_PART_LONGER;
	if (open->part_plan == PV_PART_AS_IT_IS)
		return;
	if (is_longer)
		files->bytes -= open->part_bytes_came;
	if (open->part_plan == PV_PART_BEGIN)
		files->count -= !open->part_count_had;
	if (is_longer && !open->report.part && !open->report.drops_part)
		return;
	files->count -= open->part_count_had;
	files->bytes -= open->part_bytes_had;
	if (open->report.part) {
		files->count++;
		files->bytes += open->report.part->size;
	}
}

/* Files */

static bool write_at(int file, uint64_t place, struct pv_str bytes)
{
	while (bytes.len) {
		ssize_t count =
		    pwrite(file, bytes.ptr, bytes.len, (off_t)place);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			errno = count < 0 ? errno : ENOSPC;
			return false;
		}
		bytes = pv_str_from(bytes, (size_t)count);
		place += (uint64_t)count;
	}
	return true;
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
	open->report.drops_part = has_part(open);
}

/* The state is to tell of nothing that is not on the disk. */
static bool put(struct pv_open *open, int file, uint64_t place)
{
	struct pv_str came = pv_body_text(&open->response.body);
	return came.ptr && write_at(file, place, came) && fdatasync(file) == 0;
}

static bool begin(struct pv_open *open, struct pv_digester *digester)
{
	int file = pv_part_files_make(open->crawl, id_of(open));
	if (file < 0)
		return false;
	bool is_put = put(open, file, 0);
	if (close(file) != 0 || !is_put)
		return false;
	pv_digester_append(digester, pv_body_text(&open->response.body));
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
	pv_digester_append(all, pv_body_text(&open->response.body));
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
	struct pv_str rest = pv_body_text(&response->body);
	if (!rest.ptr || ftruncate(file, (off_t)part->size) != 0 ||
	    !write_at(file, part->size, rest)) {
		give_up(open);
		close(file);
		return;
	}
	pv_body_give_file(&response->body, file, part->complete);
	response->earlier = part->size;
	pv_part_complete_headers(part, &response->headers);
}

void pv_continuing_run(struct pv_open *open, struct pv_digester *digester)
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

void pv_continuing_remark(struct pv_open *open)
{
	char text[100];
	if (open->response.earlier)
		snprintf(text, sizeof(text),
		    "continued after %" PRIu64 " bytes that came before",
		    open->response.earlier);
	else if (open->report.part)
		snprintf(text, sizeof(text),
		    "%" PRIu64 " of its %" PRIu64 " bytes are kept",
		    open->part.size, open->part.complete);
	else
		return;
	pv_open_add_remark(open, text);
}

void pv_continuing_finish(struct pv_open *open)
{
	if (open->part_plan == PV_PART_WHOLE && !open->is_abandoned)
		pv_part_files_remove(open->crawl, id_of(open));
}
