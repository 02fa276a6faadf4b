#include "api/look/fate_text.h"

#include "explain/explanation.h"

/* What those who run sites call the answers that links break with. */
static const char *name_of_status(unsigned status)
{
	static const struct {
		unsigned status;
		const char *name;
	} names[] = {
	    {300, "multiple choices"},
	    {400, "bad request"},
	    {401, "unauthorized"},
	    {403, "forbidden"},
	    {404, "not found"},
	    {405, "method not allowed"},
	    {406, "not acceptable"},
	    {408, "request timeout"},
	    {410, "gone"},
	    {414, "address too long"},
	    {429, "too many requests"},
	    {451, "unavailable for legal reasons"},
	    {500, "internal server error"},
	    {501, "not implemented"},
	    {502, "bad gateway"},
	    {503, "service unavailable"},
	    {504, "gateway timeout"},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].status == status)
			return names[i].name;
	}
	return NULL;
}

static const char *sentence_of(enum pv_outcome outcome)
{
	static const char *const sentences[PV_OUTCOME_COUNT] = {
	    [PV_OUTCOME_NO_NAME] = "its host name does not exist",
	    [PV_OUTCOME_NO_CONNECTION] = "cannot connect to its host",
	    [PV_OUTCOME_TLS] = "the TLS certificate of its host is not valid",
	    [PV_OUTCOME_TIMEOUT] = "timed out",
	    [PV_OUTCOME_BROKEN_OFF] = "cut short",
	    [PV_OUTCOME_NOT_HTTP] = "not answered in HTTP",
	    [PV_OUTCOME_TOO_LARGE] = "larger than fetch.max_size",
	    [PV_OUTCOME_NOT_ACCEPTED] =
		"of a type that fetch.accept does not list",
	};
	bool is_known = outcome < PV_OUTCOME_COUNT && sentences[outcome];
	return is_known ? sentences[outcome] : "not requested";
}

static void write_answer(const struct pv_result *answer, struct pv_buf *text)
{
	const char *name = name_of_status(answer->http_status);
	if (answer->outcome != PV_OUTCOME_ANSWERED) {
		pv_buf_append_text(text, sentence_of(answer->outcome));
		return;
	}
	pv_buf_append_format(
	    text, "answered %u", (unsigned)answer->http_status);
	if (name)
		pv_buf_append_format(text, " (%s)", name);
}

static void write_dead_end(const struct pv_fate *fate, struct pv_buf *text)
{
	if (fate->dead_end)
		pv_dead_end_write(
		    fate->dead_end, pv_buf_str(&fate->location), text);
	else
		pv_buf_append_text(text, "redirected in a circle");
	pv_buf_append_format(text, " (%u)", (unsigned)fate->result.http_status);
}

void pv_fate_text_write(const struct pv_fate *fate, struct pv_buf *text)
{
	switch (fate->kind) {
	case PV_FATE_UNSEEN:
		pv_buf_append_text(text, "the crawl has not seen it");
		break;
	case PV_FATE_PENDING:
		pv_buf_append_text(text, "it is pending");
		break;
	case PV_FATE_REFUSED:
		pv_buf_append_text(text, "left out: ");
		pv_explanation_write_verdict(fate->verdict, text);
		break;
	case PV_FATE_CIRCLE:
	case PV_FATE_NOWHERE:
		write_dead_end(fate, text);
		break;
	case PV_FATE_GONE:
		pv_buf_append_text(
		    text, "deleted from its server since it was fetched");
		break;
	case PV_FATE_LOST:
		pv_buf_append_text(text, "could not be fetched again");
		break;
	default:
		write_answer(&fate->result, text);
		break;
	}
}

void pv_fate_text_write_word(const struct pv_fate *fate, struct pv_buf *text)
{
	static const char *const words[] = {
	    [PV_FATE_UNSEEN] = "unseen",
	    [PV_FATE_PENDING] = "pending",
	    [PV_FATE_GONE] = "gone",
	    [PV_FATE_LOST] = "lost",
	};
	bool has_word =
	    fate->kind < sizeof(words) / sizeof(*words) && words[fate->kind];
	if (has_word)
		pv_buf_append_text(text, words[fate->kind]);
	else if (fate->kind == PV_FATE_REFUSED)
		pv_buf_append_text(text, pv_reason_word(fate->verdict.reason));
	else if (fate->result.outcome == PV_OUTCOME_ANSWERED)
		pv_buf_append_format(
		    text, "%u", (unsigned)fate->result.http_status);
	else
		pv_buf_append_text(text, pv_outcome_word(fate->result.outcome));
}

/* JSON */

static const char *word_of_kind(enum pv_fate_kind kind)
{
	static const char *const words[] = {
	    [PV_FATE_UNSEEN] = "unseen",
	    [PV_FATE_PENDING] = "pending",
	    [PV_FATE_REFUSED] = "refused",
	    [PV_FATE_GOOD] = "good",
	    [PV_FATE_MOVED] = "moved",
	    [PV_FATE_CIRCLE] = "circle",
	    [PV_FATE_NOWHERE] = "nowhere",
	    [PV_FATE_LEFT] = "left",
	    [PV_FATE_BROKEN] = "broken",
	    [PV_FATE_GONE] = "gone",
	    [PV_FATE_LOST] = "lost",
	};
	return words[kind];
}

static void write_request(const struct pv_result *answer, struct pv_buf *text)
{
	if (answer->outcome == PV_OUTCOME_NONE)
		return;
	pv_buf_append_format(
	    text, ",\"outcome\":\"%s\"", pv_outcome_word(answer->outcome));
	if (answer->http_status)
		pv_buf_append_format(
		    text, ",\"status\":%u", (unsigned)answer->http_status);
}

static void write_verdict(struct pv_verdict verdict, struct pv_buf *text)
{
	pv_buf_append_format(
	    text, ",\"reason\":\"%s\"", pv_reason_word(verdict.reason));
	if (verdict.line)
		pv_buf_append_format(
		    text, ",\"line\":%u", (unsigned)verdict.line);
}

void pv_fate_text_write_json(const struct pv_fate *fate, struct pv_buf *text)
{
	pv_buf_append_format(
	    text, ",\"fate\":\"%s\"", word_of_kind(fate->kind));
	if (fate->kind == PV_FATE_REFUSED)
		write_verdict(fate->verdict, text);
	else if (fate->kind != PV_FATE_UNSEEN && fate->kind != PV_FATE_PENDING)
		write_request(&fate->result, text);
}
