#include "serve/webhooks/event_body.h"

#include "base/json/json.h"
#include "base/reader.h"
#include "http/date.h"
#include "serve/fetches/fetch_view.h"

static void begin(const struct pv_webhook_job_record *job, const char *type,
    int64_t time_ms, struct pv_buf *body)
{
	pv_buf_append_format(
	    body, "{\"type\":\"job.%s\",\"timestamp\":\"", type);
	pv_date_write_stamp(time_ms, body);
	pv_buf_append_text(body, "\",\"data\":{\"id\":");
	pv_json_write_text(job->id, body);
	pv_buf_append_text(body, ",\"labels\":");
	pv_buf_append(body, job->labels);
}

void pv_webhook_write_state(const struct pv_webhook_job_record *job,
    const struct pv_webhook_event *event, struct pv_buf *body)
{
	const char *state = pv_job_state_word(event->state);
	begin(job, state, event->at_ms, body);
	pv_buf_append_format(body, ",\"state\":\"%s\"", state);
	if (event->reason.len) {
		pv_buf_append_text(body, ",\"end\":");
		pv_json_write_text(event->reason, body);
	}
	pv_buf_append_text(body, "}}");
}

void pv_webhook_write_results(const struct pv_webhook_job_record *job,
    const struct pv_webhook_results *results, struct pv_buf *body)
{
	struct pv_reader reader = pv_reader_of(results->lines);
	bool is_first = true;
	begin(job, "results", results->made_ms, body);
	pv_buf_append_text(body, ",\"of\":");
	pv_json_write_text(results->of, body);
	pv_buf_append_text(body, ",\"lines\":[");
	while (!pv_reader_is_end(&reader)) {
		struct pv_str line = pv_reader_take_until(&reader, '\n');
		pv_reader_accept(&reader, '\n');
		pv_buf_append_text(body, is_first ? "" : ",");
		pv_buf_append(body, line);
		is_first = false;
	}
	pv_buf_append_format(body, "],\"cursor\":\"%.*s:0:%llu\"}}",
	    PV_STR_ARG(results->of), (unsigned long long)results->until);
}

void pv_webhook_write_fetch(const struct pv_fetch *fetch, struct pv_buf *body)
{
	pv_buf_append_format(body, "{\"type\":\"fetch.%s\",\"timestamp\":\"",
	    pv_fetch_state_word(fetch->state));
	pv_date_write_stamp(fetch->ended_ms, body);
	pv_buf_append_text(body, "\",\"data\":");
	pv_fetch_view_write(fetch, PV_WEBHOOK_ROWS_MOST, body);
	pv_buf_append_char(body, '}');
}
