#include "sink/journal_line.h"

#include "base/ascii.h"
#include "base/json/json.h"
#include "http/media_type.h"
#include "record/state.h"
#include "sink/line_parts.h"

/* A policy may hold a longer one. */
#define TAG_MAX 1000

/* Parts of the line */

static void add_visit(struct pv_buf *line, const struct pv_page *page)
{
	const struct pv_visit *visit = page->visit;
	if (!page->is_robots && !page->is_probe)
		pv_line_add_number(
		    line, PV_LINE_KEY("depth"), visit->standing.depth);
	pv_line_add_url(line, PV_LINE_KEY("via"), visit->via);
	if (visit->round)
		pv_line_add_number(line, PV_LINE_KEY("round"), visit->round);
	if (page->response)
		pv_line_add_number(line, PV_LINE_KEY("attempt"),
		    (uint64_t)visit->attempt + visit->waits + visit->gains + 1);
}

static void add_outcome(struct pv_buf *line, const struct pv_page *page)
{
	const struct pv_response *response = page->response;
	const char *word = response ? pv_outcome_word(response->outcome)
				    : pv_state_word(PV_STATE_REFUSED);
	if (response && response->address.bits) {
		pv_buf_append(line, PV_LINE_KEY("ip"));
		pv_buf_append_char(line, '"');
		pv_address_write(&response->address, line);
		pv_buf_append_char(line, '"');
	}
	pv_line_add_text(line, PV_LINE_KEY("outcome"), pv_str_of(word));
	if (response && response->http_status)
		pv_line_add_number(
		    line, PV_LINE_KEY("status"), response->http_status);
	if (page->verdict.reason == PV_REASON_NONE)
		return;
	pv_line_add_text(line, PV_LINE_KEY("reason"),
	    pv_str_of(pv_reason_word(page->verdict.reason)));
	if (page->word)
		pv_line_add_text(
		    line, PV_LINE_KEY("word"), pv_str_of(page->word));
	else if (page->verdict.line)
		pv_line_add_number(
		    line, PV_LINE_KEY("line"), page->verdict.line);
}

static void add_type(struct pv_buf *line, struct pv_str name)
{
	pv_buf_append(line, PV_LINE_KEY("type"));
	pv_buf_append_char(line, '"');
	for (size_t i = 0; i < name.len; i++)
		pv_buf_append_char(line, pv_lower(name.ptr[i]));
	pv_buf_append_char(line, '"');
}

/* The copy that the server says is as it was; false if it says nothing of the
 * kind. */
static bool find_unchanged(const struct pv_page *page, struct pv_copy *copy)
{
	return page->response && page->response->http_status == 304 &&
	       page->change == PV_CHANGE_SAME &&
	       pv_copy_unpack(page->visit->copy, copy);
}

static void add_body(struct pv_buf *line, const struct pv_page *page)
{
	const struct pv_response *response = page->response;
	struct pv_media_type type;
	struct pv_copy copy;
	if (!response)
		return;
	if (response->http_status)
		pv_line_add_number(line, PV_LINE_KEY("bytes"),
		    response->body.size - response->earlier);
	if (find_unchanged(page, &copy)) {
		pv_buf_append(line, PV_STR(",\"unchanged\":true"));
		if (copy.bytes)
			pv_line_add_number(
			    line, PV_LINE_KEY("stored_bytes"), copy.bytes);
		if (copy.type.len)
			add_type(line, copy.type);
	} else if (pv_media_type_read(pv_headers_get(&response->headers,
					  PV_STR("Content-Type")),
		       &type)) {
		add_type(line, type.name);
	}
}

static void add_times(struct pv_buf *line, const struct pv_response *response)
{
	const struct pv_response_times *times = &response->times;
	pv_line_add_ms(line, PV_LINE_KEY("name_ms"), times->name_ms);
	pv_line_add_ms(line, PV_LINE_KEY("connect_ms"), times->connect_ms);
	pv_line_add_ms(line, PV_LINE_KEY("tls_ms"), times->tls_ms);
	pv_line_add_ms(
	    line, PV_LINE_KEY("first_byte_ms"), times->first_byte_ms);
	pv_line_add_ms(line, PV_LINE_KEY("total_ms"), times->total_ms);
	if (response->held_ms)
		pv_line_add_ms(line, PV_LINE_KEY("held_ms"), response->held_ms);
}

/* Where it stood in time, for who audits a crawl. */
static void add_pacing(struct pv_buf *line, const struct pv_pacing *pacing)
{
	if (!pacing->run)
		return;
	if (pacing->worker)
		pv_line_add_ms(line, PV_LINE_KEY("worker"), pacing->worker);
	pv_line_add_ms(line, PV_LINE_KEY("run"), pacing->run);
	pv_line_add_ms(line, PV_LINE_KEY("released_ms"), pacing->released_ms);
	pv_line_add_ms(line, PV_LINE_KEY("sent_ms"), pacing->sent_ms);
	pv_line_add_ms(line, PV_LINE_KEY("end_ms"), pacing->end_ms);
	pv_line_add_ms(line, PV_LINE_KEY("gap_ms"), pacing->gap_ms);
	if (pacing->rule) {
		pv_line_add_text(
		    line, PV_LINE_KEY("rule"), pv_str_of(pacing->rule));
		pv_line_add_ms(line, PV_LINE_KEY("rest_ms"), pacing->rest_ms);
	}
	if (pacing->at_once > 1)
		pv_line_add_number(
		    line, PV_LINE_KEY("at_once"), pacing->at_once);
	pv_line_add_ms(line, PV_LINE_KEY("reaction_ms"), pacing->reaction_ms);
	pv_line_add_ms(
	    line, PV_LINE_KEY("retry_after_ms"), pacing->retry_after_ms);
	if (pacing->is_own_fault)
		pv_buf_append(line, PV_STR(",\"own_fault\":true"));
}

static void add_digest(
    struct pv_buf *line, const uint8_t digest[PV_DIGEST_SIZE])
{
	pv_buf_append(line, PV_LINE_KEY("digest"));
	pv_buf_append(line, PV_STR("\"sha256:"));
	pv_digest_write(digest, line);
	pv_buf_append_char(line, '"');
}

static void add_keeping(struct pv_buf *line, const struct pv_page *page)
{
	struct pv_copy copy;
	bool is_unchanged = find_unchanged(page, &copy);
	if (is_unchanged && copy.has_digest)
		add_digest(line, copy.digest);
	else if (page->has_digest)
		add_digest(line, page->digest);
	pv_line_add_text(line, PV_LINE_KEY("file"),
	    is_unchanged ? copy.file : pv_buf_str(&page->file));
	pv_line_add_url(line, PV_LINE_KEY("moved_to"), page->moved_to);
}

static void add_terms(struct pv_buf *line, const struct pv_terms *terms)
{
	for (size_t i = 0; terms && i < terms->count; i++) {
		struct pv_str text;
		enum pv_term term = pv_terms_at(terms, i, &text);
		pv_buf_append(line, PV_STR(",\""));
		pv_buf_append_text(line, pv_term_word(term));
		pv_buf_append(line, PV_STR("\":"));
		if (term == PV_TERM_TDM_RESERVATION)
			pv_buf_append(line, text);
		else
			pv_json_write_text(text, line);
	}
}

static void add_why(struct pv_buf *line, const struct pv_page *page)
{
	const struct pv_response *response = page->response;
	const char *why = page->why || !response ? page->why : response->why;
	if (why && why[0])
		pv_line_add_text(line, PV_LINE_KEY("why"), pv_str_of(why));
	else
		pv_line_add_text(
		    line, PV_LINE_KEY("why"), pv_str_of(page->fault));
	if (response && response->framing == PV_FRAMING_CLOSE)
		pv_line_add_text(line, PV_LINE_KEY("framing"),
		    pv_str_of(pv_framing_word(response->framing)));
	if (page->is_probe)
		pv_buf_append(line, PV_STR(",\"probe\":true"));
	if (page->is_robots) {
		pv_buf_append(line, PV_LINE_KEY("robots"));
		pv_buf_append(line, PV_STR("true"));
		pv_line_add_text(
		    line, PV_LINE_KEY("robots_of"), page->robots_of);
	}
}

bool pv_journal_line_write(const struct pv_page *page, struct pv_buf *line)
{
	struct pv_str tag = page->visit->tag;
	pv_buf_append(line, PV_STR("{\"time\":\""));
	pv_line_append_time(line, page->wall_ms);
	pv_buf_append_char(line, '"');
	pv_line_add_url(line, PV_LINE_KEY("url"), page->visit->url);
	pv_line_add_text(line, PV_LINE_KEY("host"), page->host);
	add_outcome(line, page);
	add_visit(line, page);
	add_body(line, page);
	pv_line_add_text(line, PV_LINE_KEY("tag"),
	    pv_str_head(tag, tag.len < TAG_MAX ? tag.len : TAG_MAX));
	pv_line_add_ms(line, PV_LINE_KEY("wait_ms"), page->wait_ms);
	if (page->response)
		add_times(line, page->response);
	add_pacing(line, &page->pacing);
	add_keeping(line, page);
	add_terms(line, page->terms);
	add_why(line, page);
	return !line->is_full;
}

struct pv_str pv_journal_line_end(bool is_final)
{
	return is_final ? PV_STR(",\"final\":true}\n") : PV_STR("}\n");
}
