#include "record/response.h"

#include <stdio.h>

/* More than any honest server sends: curl and browsers give up at about the
 * same. */
#define HEADER_BYTES_MAX ((size_t)256 * 1024)
#define HEADERS_MAX 1000

static struct pv_response nothing(void)
{
	return (struct pv_response){
	    .length = PV_BODY_LENGTH_UNKNOWN,
	    .times = {.name_ms = -1,
		.connect_ms = -1,
		.tls_ms = -1,
		.first_byte_ms = -1,
		.total_ms = -1},
	};
}

void pv_response_init(
    struct pv_response *response, const char *directory, uint64_t body_ceiling)
{
	*response = nothing();
	pv_headers_init(&response->headers, HEADERS_MAX, HEADER_BYTES_MAX);
	pv_body_init(&response->body, directory, body_ceiling);
}

void pv_response_clear(struct pv_response *response, uint64_t body_ceiling)
{
	struct pv_response kept = *response;
	*response = nothing();
	response->headers = kept.headers;
	response->body = kept.body;
	pv_headers_clear(&response->headers);
	pv_body_clear(&response->body);
	response->body.ceiling = body_ceiling;
}

void pv_response_finish(struct pv_response *response)
{
	pv_headers_finish(&response->headers);
	pv_body_finish(&response->body);
}

void pv_response_fail(
    struct pv_response *response, enum pv_outcome outcome, const char *why)
{
	response->outcome = outcome;
	if (why != response->why)
		snprintf(response->why, sizeof(response->why), "%s", why);
}

void pv_response_note_unreached(
    struct pv_response *response, enum pv_unreached unreached)
{
	response->unreached = unreached;
}

void pv_response_note_own_fault(struct pv_response *response)
{
	response->is_own_fault = true;
}

void pv_response_withhold(struct pv_response *response)
{
	pv_response_fail(response, PV_OUTCOME_BROKEN_OFF,
	    "the fleet's database was out of reach: another machine may ask "
	    "this host by now");
	pv_response_note_own_fault(response);
	response->is_withheld = true;
}

void pv_response_end(struct pv_response *response)
{
	response->outcome = PV_OUTCOME_ANSWERED;
	response->stage = PV_STAGE_END;
}

void pv_response_misfit(struct pv_response *response)
{
	response->is_misfit = true;
}

void pv_response_complete(
    struct pv_response *response, int file, uint64_t earlier, uint64_t size)
{
	pv_body_give_file(&response->body, file, size);
	response->earlier = earlier;
}

const char *pv_stage_word(unsigned stage)
{
	static const char *const words[PV_STAGE_COUNT] = {
	    [PV_STAGE_NAME] = "name",
	    [PV_STAGE_CONNECT] = "connect",
	    [PV_STAGE_TLS] = "tls",
	    [PV_STAGE_WAIT] = "wait",
	    [PV_STAGE_HEADER] = "header",
	    [PV_STAGE_BODY] = "body",
	    [PV_STAGE_END] = "end",
	};
	return stage < PV_STAGE_COUNT ? words[stage] : "unknown";
}

const char *pv_framing_word(unsigned framing)
{
	static const char *const words[PV_FRAMING_COUNT] = {
	    [PV_FRAMING_NONE] = "none",
	    [PV_FRAMING_LENGTH] = "length",
	    [PV_FRAMING_CHUNKED] = "chunked",
	    [PV_FRAMING_STREAM] = "stream",
	    [PV_FRAMING_CLOSE] = "close",
	};
	return framing < PV_FRAMING_COUNT ? words[framing] : "unknown";
}
