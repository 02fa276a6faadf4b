#include "serve/fetches/fetch_view.h"

#include "base/json/json.h"
#include "http/date.h"
#include "record/verdict.h"

/* Members of the journal's line that a caller hears of, and what each is called. */
static const struct {
	const char *key;
	const char *name;
	bool is_number;
} members[] = {
    {"outcome", "outcome", false},
    {"status", "status", true},
    {"reason", "reason", false},
    {"why", "why", false},
    {"type", "type", false},
    {"bytes", "bytes", true},
    {"digest", "digest", false},
    {"time", "time", false},
    {"round", "round", true},
};

/* In words, where the line has none of its own. */
static void add_why(struct pv_json *view, const struct pv_json *line)
{
	struct pv_str word = pv_json_get_text(line, "reason");
	if (!word.len || pv_json_get_text(line, "why").len)
		return;
	for (unsigned i = 1; i < PV_REASON_COUNT; i++) {
		if (pv_str_equal(word, pv_str_of(pv_reason_word(i))))
			pv_json_set_text(view, "why", pv_reason_sentence(i));
	}
}

/* What is as it was is told as it was told then: that its body did not come once
 * more matters to nobody (RFC 9111, 4.3.4). Only pages that were answered well are
 * stored. */
static void add_unchanged(struct pv_json *view, const struct pv_json *line)
{
	if (!pv_json_get_bool(line, "unchanged"))
		return;
	pv_json_set(view, "unchanged", pv_json_bool(true));
	pv_json_set(view, "status", pv_json_integer(200));
	pv_json_set(view, "bytes",
	    pv_json_integer(pv_json_get_integer(line, "stored_bytes", 0)));
}

static void add_answer(struct pv_json *view, const struct pv_fetch *fetch)
{
	struct pv_json *line = pv_json_read(fetch->answer);
	struct pv_buf body;
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		struct pv_str text = pv_json_get_text(line, members[i].key);
		if (!pv_json_get(line, members[i].key))
			continue;
		if (members[i].is_number)
			pv_json_set(view, members[i].name,
			    pv_json_integer(
				pv_json_get_integer(line, members[i].key, 0)));
		else if (text.ptr)
			pv_json_set(view, members[i].name, pv_json_text(text));
	}
	add_why(view, line);
	add_unchanged(view, line);
	if (pv_json_get_text(line, "file").len) {
		pv_buf_init(&body, 200);
		pv_buf_append_format(
		    &body, "/v1/fetches/%.*s/body", PV_STR_ARG(fetch->id));
		pv_json_set(view, "body", pv_json_text(pv_buf_str(&body)));
		pv_buf_finish(&body);
	}
	pv_json_destroy(line);
}

static void set_time(struct pv_json *view, const char *name, int64_t ms)
{
	struct pv_buf text;
	pv_buf_init(&text, 40);
	pv_date_write_stamp(ms, &text);
	pv_json_set(view, name, pv_json_text(pv_buf_str(&text)));
	pv_buf_finish(&text);
}

/* As it stands in its file, since numbers may have more digits than ours. */
static void write_rows(
    const struct pv_fetch *fetch, size_t most, struct pv_buf *json)
{
	bool is_whole = pv_str_starts(fetch->rows, PV_STR("["));
	if (is_whole && fetch->rows.len <= most) {
		pv_buf_append_text(json, ",\"rows\":");
		pv_buf_append(json, fetch->rows);
		return;
	}
	pv_buf_append_text(json, ",\"rows\":[]");
	if (fetch->rows.len)
		pv_buf_append_format(json,
		    ",\"rows_left_out\":\"the page gave more rows than are "
		    "told here: they are at /v1/fetches/%.*s/rows\"",
		    PV_STR_ARG(fetch->id));
}

void pv_fetch_view_write(
    const struct pv_fetch *fetch, size_t rows_most, struct pv_buf *json)
{
	struct pv_json *view = pv_json_object();
	pv_json_set(view, "id", pv_json_text(fetch->id));
	pv_json_set_text(view, "state", pv_fetch_state_word(fetch->state));
	pv_json_set(view, "url", pv_json_text(fetch->url));
	if (fetch->profile.len)
		pv_json_set(view, "profile", pv_json_text(fetch->profile));
	if (fetch->webhook.len)
		pv_json_set(view, "webhook", pv_json_text(fetch->webhook));
	set_time(view, "created", fetch->created_ms);
	if (fetch->state != PV_FETCH_WAITING) {
		set_time(view, "ended", fetch->ended_ms);
		pv_json_set(view, "final_url", pv_json_text(fetch->at));
		add_answer(view, fetch);
	}
	pv_json_write(view, false, json);
	pv_json_destroy(view);
	if (fetch->state == PV_FETCH_WAITING)
		return;
	pv_buf_cut(json, json->len - 1); /* to go on within its braces */
	write_rows(fetch, rows_most, json);
	pv_buf_append_char(json, '}');
}
