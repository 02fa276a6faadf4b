#include "crawl/visit/resume.h"

#include <inttypes.h>
#include <stdio.h>

#include "crawl/conductor.h"
#include "crawl/visit/failure.h"
#include "crawl/visit/flight.h"
#include "reading/answer.h"

/* So often an address may get further without that being counted as a try. */
#define GAINS_MAX 100

static uint64_t id_of(const struct pv_flight *flight)
{
	return flight->task->visit.id;
}

static bool has_part(const struct pv_flight *flight)
{
	return flight->task->visit.part.len > 0;
}

/* Asking */

bool pv_resume_ask(struct pv_flight *flight, struct pv_request *request)
{
	struct pv_part *part = &flight->part.part;
	if (!has_part(flight))
		return false;
	flight->part.is_continuing =
	    pv_part_unpack(flight->task->visit.part, part) &&
	    part->size < part->complete &&
	    part->complete <= flight->response.body.ceiling &&
	    pv_part_files_has(
		flight->crawl->directory, id_of(flight), part->size);
	if (flight->part.is_continuing)
		request->part = part;
	else
		flight->part.is_dropped = true;
	return flight->part.is_continuing;
}

/* What came */

/* That what came is bytes of the rest. */
static bool is_rest(const struct pv_flight *flight)
{
	return flight->part.is_continuing &&
	       flight->response.http_status == 206 &&
	       flight->response.stage >= PV_STAGE_BODY &&
	       !flight->response.is_misfit;
}

void pv_resume_look(struct pv_flight *flight)
{
	struct pv_response *response = &flight->response;
	if (!flight->part.is_continuing ||
	    response->outcome != PV_OUTCOME_ANSWERED)
		return;
	if (response->http_status == 416)
		pv_response_misfit(response);
	uint64_t rest = flight->part.part.complete - flight->part.part.size;
	if (!is_rest(flight) || response->body.size == rest)
		return;
	pv_response_misfit(response);
	pv_response_fail(response, PV_OUTCOME_BROKEN_OFF,
	    response->why[0] ? response->why
			     : "the answer is shorter than the requested rest");
}

static bool is_cut(const struct pv_flight *flight)
{
	enum pv_visit_failure failure = pv_visit_failure_of(&flight->response);
	return failure == PV_FAILURE_CUT_BODY ||
	       failure == PV_FAILURE_SLOW_BODY;
}

static bool has_room(const struct pv_flight *flight)
{
	const struct pv_crawl *crawl = flight->crawl;
	const struct pv_part_files *files = &crawl->part_files;
	return !crawl->backpressure.disk.is_short &&
	       files->count + !has_part(flight) <= PV_PART_FILES_MAX &&
	       files->bytes + flight->response.body.size <=
		   PV_PART_FILES_BYTES_MAX;
}

/* What could not be kept would be asked for again and again. */
bool pv_resume_has_gained(const struct pv_flight *flight)
{
	return is_rest(flight) && is_cut(flight) &&
	       flight->response.body.size >= PV_PART_BYTES_MIN &&
	       flight->part.part.gains < GAINS_MAX && has_room(flight) &&
	       flight->crawl->policy->fetch.retries > 0;
}

/* Deciding */

static bool is_to_be_continued(const struct pv_flight *flight)
{
	return flight->kind == PV_REPORT_AGAIN ||
	       flight->kind == PV_REPORT_ONWARD;
}

static bool begins(struct pv_flight *flight)
{
	struct pv_part part;
	if (!is_to_be_continued(flight) || !is_cut(flight) ||
	    !has_room(flight) ||
	    !pv_part_begin(&flight->response, flight->crawl->now.wall_ms,
		&flight->part.texts, &part))
		return false;
	part.gains = flight->task->visit.gains;
	flight->part.part = part;
	return true;
}

/* It has come anew, or will. */
static bool is_outdated(const struct pv_flight *flight)
{
	const struct pv_response *response = &flight->response;
	return flight->kind == PV_REPORT_DONE || response->is_misfit ||
	       flight->part.is_dropped ||
	       (response->http_status == 200 &&
		   response->stage >= PV_STAGE_BODY);
}

static enum pv_part_plan plan(struct pv_flight *flight)
{
	if (is_rest(flight) && flight->response.outcome == PV_OUTCOME_ANSWERED)
		return PV_PART_WHOLE;
	if (is_rest(flight) && is_to_be_continued(flight))
		return flight->response.body.size && has_room(flight)
			   ? PV_PART_LONGER
			   : PV_PART_AS_IT_IS;
	if (begins(flight))
		return PV_PART_BEGIN;
	return has_part(flight) && is_outdated(flight) ? PV_PART_DROP
						       : PV_PART_AS_IT_IS;
}

/* What is in the pool counts, too, or many could come at once. */
static void reserve(struct pv_flight *flight)
{
	struct pv_part_files *files = &flight->crawl->part_files;
	struct pv_part had = {.size = 0};
	pv_part_unpack(flight->task->visit.part, &had);
	flight->part.had_part = has_part(flight);
	flight->part.had_bytes = had.size;
	if (flight->part.plan == PV_PART_BEGIN)
		files->count += !flight->part.had_part;
	if (flight->part.plan == PV_PART_BEGIN ||
	    flight->part.plan == PV_PART_LONGER)
		files->bytes += flight->response.body.size;
}

void pv_resume_plan(struct pv_flight *flight)
{
	if (!pv_flight_is_visit(flight))
		return;
	flight->part.address = id_of(flight);
	flight->part.is_gain = flight->kind == PV_REPORT_ONWARD;
	flight->part.plan = plan(flight);
	if (flight->part.plan != PV_PART_AS_IT_IS)
		reserve(flight);
}

/* A part that could not be written is as good as none: then the try counts, and
 * all is asked for. What was damaged meanwhile is nobody's fault but ours. */
enum pv_report_kind pv_resume_kind(const struct pv_flight *flight)
{
	const struct pv_resumption *part = &flight->part;
	if (part->result == PV_PART_DAMAGED)
		return PV_REPORT_LATER;
	if (part->result == PV_PART_UNWRITTEN &&
	    flight->kind == PV_REPORT_ONWARD)
		return PV_REPORT_AGAIN;
	return flight->kind;
}

static void count_had(const struct pv_flight *flight)
{
	struct pv_part_files *files = &flight->crawl->part_files;
	const struct pv_resumption *part = &flight->part;
	files->count -= part->had_part;
	files->bytes -= part->had_bytes;
	if (part->is_kept) {
		files->count++;
		files->bytes += part->part.size;
	}
}

void pv_resume_done(const struct pv_flight *flight)
{
	struct pv_part_files *files = &flight->crawl->part_files;
	const struct pv_resumption *part = &flight->part;
	bool is_longer =
	    part->plan == PV_PART_BEGIN || part->plan == PV_PART_LONGER;
	if (part->plan == PV_PART_AS_IT_IS || flight->job.is_abandoned)
		return;
	if (is_longer)
		files->bytes -= part->came_bytes;
	if (part->plan == PV_PART_BEGIN)
		files->count -= !part->had_part;
	if (!is_longer || part->is_kept || part->is_dropped)
		count_had(flight);
}

void pv_resume_remark(const struct pv_resumption *resumption,
    const struct pv_answer *answer, struct pv_findings *findings)
{
	char text[100];
	if (answer->response->earlier)
		snprintf(text, sizeof(text),
		    "continued after %" PRIu64 " bytes that came before",
		    answer->response->earlier);
	else if (resumption->is_kept)
		snprintf(text, sizeof(text),
		    "%" PRIu64 " of its %" PRIu64 " bytes are kept",
		    resumption->part.size, resumption->part.complete);
	else
		return;
	pv_findings_add_remark(findings, text);
}

/* Its memory */

#define TEXTS_MAX (2 * PV_PART_VALIDATOR_MAX + PV_PART_HEADERS_MAX)

void pv_resumption_init(struct pv_resumption *resumption)
{
	*resumption = (struct pv_resumption){.is_kept = false};
	pv_buf_init(&resumption->texts, TEXTS_MAX);
}

void pv_resumption_clear(struct pv_resumption *resumption)
{
	*resumption = (struct pv_resumption){.texts = resumption->texts};
	pv_buf_clear(&resumption->texts);
}

void pv_resumption_finish(struct pv_resumption *resumption)
{
	pv_buf_finish(&resumption->texts);
}
