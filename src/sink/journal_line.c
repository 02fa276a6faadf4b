#include "sink/journal_line.h"

#include "base/ascii.h"
#include "base/json.h"
#include "base/reader.h"
#include "http/media_type.h"
#include "record/state.h"

#define DAY_MS INT64_C(86400000)

/* A policy may hold a longer one. */
#define TAG_MAX 1000

/* The beginning of a member, which is never the first. */
#define KEY(name) PV_STR(",\"" name "\":")

static void add_text(struct pv_buf *line, struct pv_str key, struct pv_str text)
{
	if (!text.len)
		return;
	pv_buf_append(line, key);
	pv_json_write_text(text, line);
}

/* printf takes longer for one number than all else for the line. */
static void append_number(struct pv_buf *line, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	pv_buf_append(line, (struct pv_str){digits + at, sizeof(digits) - at});
}

static void add_number(struct pv_buf *line, struct pv_str key, uint64_t number)
{
	pv_buf_append(line, key);
	append_number(line, number);
}

/* Negative: it did not come to that. */
static void add_ms(struct pv_buf *line, struct pv_str key, int64_t ms)
{
	if (ms >= 0)
		add_number(line, key, (uint64_t)ms);
}

/* Time */

/* With zeros before it. */
static void append_digits(struct pv_buf *line, unsigned number, size_t count)
{
	char digits[4];
	for (size_t i = count; i > 0; i--) {
		digits[i - 1] = (char)('0' + number % 10);
		number /= 10;
	}
	pv_buf_append(line, (struct pv_str){digits, count});
}

/* Years are counted from March, so that the day that some have more is their
 * last; 400 of them always have the same number of days (H. Hinnant,
 * "chrono-compatible low-level date algorithms"). */
static void append_date(struct pv_buf *line, unsigned day)
{
	day += 719468; /* from 1 March of the year 0 to 1 January 1970 */
	unsigned era = day / 146097;
	unsigned of_era = day % 146097;
	unsigned year =
	    (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	unsigned of_year = of_era - (365 * year + year / 4 - year / 100);
	unsigned march = (5 * of_year + 2) / 153;
	unsigned month = march < 10 ? march + 3 : march - 9;
	append_digits(line, year + era * 400 + (month <= 2), 4);
	pv_buf_append_char(line, '-');
	append_digits(line, month, 2);
	pv_buf_append_char(line, '-');
	append_digits(line, of_year - (153 * march + 2) / 5 + 1, 2);
}

/* A clock before 1970, or beyond the year 9999, tells nothing. */
static void append_time(struct pv_buf *line, int64_t wall_ms)
{
	bool is_known = wall_ms >= 0 && wall_ms / DAY_MS < 2932897;
	int64_t time_ms = is_known ? wall_ms : 0;
	unsigned of_day = (unsigned)(time_ms % DAY_MS);
	append_date(line, (unsigned)(time_ms / DAY_MS));
	pv_buf_append_char(line, 'T');
	append_digits(line, of_day / 3600000, 2);
	pv_buf_append_char(line, ':');
	append_digits(line, of_day / 60000 % 60, 2);
	pv_buf_append_char(line, ':');
	append_digits(line, of_day / 1000 % 60, 2);
	pv_buf_append_char(line, '.');
	append_digits(line, of_day % 1000, 3);
	pv_buf_append_char(line, 'Z');
}

/* Addresses */

/* Where the authority ends, and where its credentials do, if it has any. */
static void add_url(struct pv_buf *line, struct pv_str key, struct pv_str url)
{
	struct pv_buf clean;
	struct pv_reader reader = pv_reader_of(url);
	pv_reader_take_until(&reader, '/');
	struct pv_str slashes = pv_reader_take(&reader, 2);
	size_t start = url.len - pv_reader_left(&reader);
	struct pv_str authority = pv_reader_take_until(&reader, '/');
	size_t at = pv_str_find_last(authority, '@');
	if (at == PV_NOT_FOUND || !pv_str_equal(slashes, PV_STR("//"))) {
		add_text(line, key, url);
		return;
	}
	pv_buf_init(&clean, url.len);
	pv_buf_append(&clean, pv_str_head(url, start));
	pv_buf_append(&clean, pv_str_from(url, start + at + 1));
	add_text(line, key, pv_buf_str(&clean));
	pv_buf_finish(&clean);
}

/* Parts of the line */

static void add_visit(struct pv_buf *line, const struct pv_page *page)
{
	const struct pv_visit *visit = page->visit;
	if (!page->is_robots)
		add_number(line, KEY("depth"), visit->standing.depth);
	add_url(line, KEY("via"), visit->via);
	if (page->response)
		add_number(line, KEY("attempt"),
		    (uint64_t)visit->attempt + visit->waits + 1);
}

static void add_outcome(struct pv_buf *line, const struct pv_page *page)
{
	const struct pv_response *response = page->response;
	const char *word = response ? pv_outcome_word(response->outcome)
				    : pv_state_word(PV_STATE_REFUSED);
	if (response && response->address.bits) {
		pv_buf_append(line, KEY("ip"));
		pv_buf_append_char(line, '"');
		pv_address_write(&response->address, line);
		pv_buf_append_char(line, '"');
	}
	add_text(line, KEY("outcome"), pv_str_of(word));
	if (response && response->http_status)
		add_number(line, KEY("status"), response->http_status);
	if (page->verdict.reason == PV_REASON_NONE)
		return;
	add_text(line, KEY("reason"),
	    pv_str_of(pv_reason_word(page->verdict.reason)));
	if (page->verdict.line)
		add_number(line, KEY("line"), page->verdict.line);
}

static void add_type(struct pv_buf *line, const struct pv_response *response)
{
	struct pv_media_type type;
	struct pv_str value =
	    pv_headers_get(&response->headers, PV_STR("Content-Type"));
	if (!pv_media_type_read(value, &type))
		return;
	pv_buf_append(line, KEY("type"));
	pv_buf_append_char(line, '"');
	for (size_t i = 0; i < type.name.len; i++)
		pv_buf_append_char(line, pv_lower(type.name.ptr[i]));
	pv_buf_append_char(line, '"');
}

static void add_body(struct pv_buf *line, const struct pv_page *page)
{
	const struct pv_response *response = page->response;
	if (!response)
		return;
	if (response->http_status)
		add_number(line, KEY("bytes"), response->body.size);
	add_type(line, response);
}

static void add_times(struct pv_buf *line, const struct pv_response *response)
{
	const struct pv_response_times *times = &response->times;
	add_ms(line, KEY("name_ms"), times->name_ms);
	add_ms(line, KEY("connect_ms"), times->connect_ms);
	add_ms(line, KEY("tls_ms"), times->tls_ms);
	add_ms(line, KEY("first_byte_ms"), times->first_byte_ms);
	add_ms(line, KEY("total_ms"), times->total_ms);
	if (response->held_ms)
		add_ms(line, KEY("held_ms"), response->held_ms);
}

/* Where it stood in time, for who audits a crawl. */
static void add_pacing(struct pv_buf *line, const struct pv_pacing *pacing)
{
	if (!pacing->run)
		return;
	add_ms(line, KEY("run"), pacing->run);
	add_ms(line, KEY("released_ms"), pacing->released_ms);
	add_ms(line, KEY("sent_ms"), pacing->sent_ms);
	add_ms(line, KEY("end_ms"), pacing->end_ms);
	add_ms(line, KEY("gap_ms"), pacing->gap_ms);
	if (pacing->rule) {
		add_text(line, KEY("rule"), pv_str_of(pacing->rule));
		add_ms(line, KEY("rest_ms"), pacing->rest_ms);
	}
	if (pacing->at_once > 1)
		add_number(line, KEY("at_once"), pacing->at_once);
	add_ms(line, KEY("reaction_ms"), pacing->reaction_ms);
	add_ms(line, KEY("retry_after_ms"), pacing->retry_after_ms);
	if (pacing->held_ms > 0)
		add_ms(line, KEY("held_ms"), pacing->held_ms);
	if (pacing->is_own_fault)
		pv_buf_append(line, PV_STR(",\"own_fault\":true"));
}

static void add_keeping(struct pv_buf *line, const struct pv_page *page)
{
	if (page->has_digest) {
		pv_buf_append(line, KEY("digest"));
		pv_buf_append(line, PV_STR("\"sha256:"));
		pv_digest_write(page->digest, line);
		pv_buf_append_char(line, '"');
	}
	add_text(line, KEY("file"), pv_buf_str(&page->file));
}

static void add_terms(struct pv_buf *line, const struct pv_terms *terms)
{
	for (size_t i = 0; i < terms->count; i++) {
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
	if (response && response->why[0])
		add_text(line, KEY("why"), pv_str_of(response->why));
	else
		add_text(line, KEY("why"), pv_str_of(page->fault));
	if (response && response->framing == PV_FRAMING_CLOSE)
		add_text(line, KEY("framing"),
		    pv_str_of(pv_framing_word(response->framing)));
	if (page->is_robots) {
		pv_buf_append(line, KEY("robots"));
		pv_buf_append(line, PV_STR("true"));
		add_text(line, KEY("robots_of"), page->robots_of);
	}
}

bool pv_journal_line_write(const struct pv_page *page, struct pv_buf *line)
{
	struct pv_str tag = page->visit->tag;
	pv_buf_append(line, PV_STR("{\"time\":\""));
	append_time(line, page->wall_ms);
	pv_buf_append_char(line, '"');
	add_url(line, KEY("url"), page->visit->url);
	add_text(line, KEY("host"), page->host);
	add_outcome(line, page);
	add_visit(line, page);
	add_body(line, page);
	add_text(line, KEY("tag"),
	    pv_str_head(tag, tag.len < TAG_MAX ? tag.len : TAG_MAX));
	add_ms(line, KEY("wait_ms"), page->wait_ms);
	if (page->response)
		add_times(line, page->response);
	add_pacing(line, &page->pacing);
	add_keeping(line, page);
	add_terms(line, &page->terms);
	add_why(line, page);
	return !line->is_full;
}

struct pv_str pv_journal_line_end(bool is_final)
{
	return is_final ? PV_STR(",\"final\":true}\n") : PV_STR("}\n");
}
