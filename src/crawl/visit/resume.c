#include "crawl/visit/resume.h"

#include <inttypes.h>
#include <stdio.h>

#include "crawl/visit/failure.h"
#include "crawl/visit/open_visit.h"

/* So often an address may get further without that being counted as a try. */
#define GAINS_MAX 100

static uint64_t id_of(const struct pv_open *open)
{
	return open->task->visit.id;
}

static bool has_part(const struct pv_open *open)
{
	return open->task->visit.part.len > 0;
}

/* Asking */

bool pv_resume_ask(struct pv_open *open, struct pv_request *request)
{
	struct pv_part *part = &open->part;
	if (!has_part(open))
		return false;
	open->is_continuing =
	    pv_part_unpack(open->task->visit.part, part) &&
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

void pv_resume_look(struct pv_open *open)
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
	enum pv_visit_failure failure = pv_visit_failure_of(&open->response);
	return failure == PV_FAILURE_CUT_BODY ||
	       failure == PV_FAILURE_SLOW_BODY;
}

static bool has_room(const struct pv_open *open)
{
	const struct pv_crawl *crawl = open->crawl;
	const struct pv_part_files *files = &crawl->part_files;
	return !crawl->backpressure.disk.is_short &&
	       files->count + !has_part(open) <= PV_PART_FILES_MAX &&
	       files->bytes + open->response.body.size <=
		   PV_PART_FILES_BYTES_MAX;
}

/* What could not be kept would be asked for again and again. */
bool pv_resume_has_gained(const struct pv_open *open)
{
	return is_rest(open) && is_cut(open) &&
	       open->response.body.size >= PV_PART_BYTES_MIN &&
	       open->part.gains < GAINS_MAX && has_room(open) &&
	       open->crawl->policy->fetch.retries > 0;
}

/* Deciding */

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
	part.gains = open->task->visit.gains;
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
	pv_part_unpack(open->task->visit.part, &had);
	open->part_count_had = has_part(open);
	open->part_bytes_had = had.size;
	if (open->part_plan == PV_PART_BEGIN)
		files->count += !open->part_count_had;
	if (open->part_plan == PV_PART_BEGIN ||
	    open->part_plan == PV_PART_LONGER)
		files->bytes += open->response.body.size;
}

void pv_resume_plan(struct pv_open *open)
{
	if (pv_open_is_robots(open))
		return;
	open->part_plan = plan(open);
	if (open->part_plan != PV_PART_AS_IT_IS)
		reserve(open);
}

void pv_resume_done(struct pv_open *open)
{
	struct pv_part_files *files = &open->crawl->part_files;
	bool is_longer = open->part_plan == PV_PART_BEGIN ||
			 open->part_plan == PV_PART_LONGER;
	if (open->part_plan == PV_PART_AS_IT_IS || open->is_abandoned)
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

void pv_resume_remark(struct pv_open *open)
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
