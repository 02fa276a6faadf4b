#include "api/look/fate_text.h"

#include "tap.h"

/* P4: what became of an address, in words that a person can read. */

#define ANSWERED(status)                                                \
	{                                                               \
		.outcome = PV_OUTCOME_ANSWERED, .http_status = (status) \
	}
#define CUT(how)                                     \
	{                                            \
		.outcome = (how), .http_status = 200 \
	}

static const struct {
	struct pv_fate fate;
	const char *text;
	const char *word;
} cases[] = {
    {{.kind = PV_FATE_UNSEEN}, "the crawl has not seen it", "unseen"},
    {{.kind = PV_FATE_PENDING}, "it is pending", "pending"},
    {{.kind = PV_FATE_REFUSED, .verdict = {PV_REASON_RULE, 2}},
	"left out: denied by a rule of the policy (rule, rule 2)", "rule"},
    {{.kind = PV_FATE_GOOD, .result = ANSWERED(200)}, "answered 200", "200"},
    {{.kind = PV_FATE_BROKEN, .result = ANSWERED(410)}, "answered 410 (gone)",
	"410"},
    {{.kind = PV_FATE_BROKEN, .result = ANSWERED(599)}, "answered 599", "599"},
    {{.kind = PV_FATE_BROKEN, .result = {.outcome = PV_OUTCOME_NO_NAME}},
	"its host name does not exist", "no-name"},
    {{.kind = PV_FATE_BROKEN, .result = {.outcome = PV_OUTCOME_NO_CONNECTION}},
	"cannot connect to its host", "no-connection"},
    {{.kind = PV_FATE_BROKEN, .result = {.outcome = PV_OUTCOME_TLS}},
	"the TLS certificate of its host is not valid", "tls"},
    {{.kind = PV_FATE_BROKEN, .result = {.outcome = PV_OUTCOME_TIMEOUT}},
	"timed out", "timeout"},
    {{.kind = PV_FATE_BROKEN, .result = CUT(PV_OUTCOME_BROKEN_OFF)},
	"cut short", "broken-off"},
    {{.kind = PV_FATE_LEFT, .result = CUT(PV_OUTCOME_TOO_LARGE)},
	"larger than fetch.max_size", "too-large"},
    {{.kind = PV_FATE_BROKEN, .result = {.outcome = PV_OUTCOME_NONE}},
	"not requested", "none"},
    {{.kind = PV_FATE_BROKEN, .result = ANSWERED(300)},
	"answered 300 (multiple choices)", "300"},
    {{.kind = PV_FATE_CIRCLE, .result = ANSWERED(302)},
	"redirected in a circle (302)", "302"},
    {{.kind = PV_FATE_CIRCLE,
	 .dead_end = PV_DEAD_END_ITSELF,
	 .result = ANSWERED(307)},
	"redirected to itself (307)", "307"},
    {{.kind = PV_FATE_NOWHERE,
	 .dead_end = PV_DEAD_END_NOWHERE,
	 .result = ANSWERED(302)},
	"redirected to no address (302)", "302"},
    {{.kind = PV_FATE_GONE, .result = ANSWERED(200)},
	"deleted from its server since it was fetched", "gone"},
    {{.kind = PV_FATE_LOST, .result = ANSWERED(200)},
	"could not be fetched again", "lost"},
};

static void test_words(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 1024);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_buf_clear(&text);
		pv_fate_text_write(&cases[i].fate, &text);
		is_text(
		    pv_buf_str(&text), cases[i].text, "\"%s\"", cases[i].text);
		pv_buf_clear(&text);
		pv_fate_text_write_word(&cases[i].fate, &text);
		is_text(
		    pv_buf_str(&text), cases[i].word, "is %s", cases[i].word);
	}
	pv_buf_finish(&text);
}

static void test_json(void)
{
	const struct pv_fate refused = {
	    .kind = PV_FATE_REFUSED, .verdict = {PV_REASON_ROBOTS, 7}};
	struct pv_buf text;
	pv_buf_init(&text, 1024);
	pv_fate_text_write_json(&refused, &text);
	is_text(pv_buf_str(&text),
	    ",\"fate\":\"refused\",\"reason\":\"robots\",\"line\":7",
	    "a refusal has its line");
	pv_buf_finish(&text);
}

/* Of each reason its sentence and its word, or the word alone. */
static void test_reasons(void)
{
	struct pv_buf text, expected;
	pv_buf_init(&text, 1024);
	pv_buf_init(&expected, 1024);
	for (unsigned i = 1; i < PV_REASON_COUNT; i++) {
		const struct pv_fate fate = {
		    .kind = PV_FATE_REFUSED, .verdict = {i, 0}};
		const char *word = pv_reason_word(i);
		pv_buf_clear(&text);
		pv_fate_text_write(&fate, &text);
		pv_fate_text_write_json(&fate, &text);
		pv_buf_clear(&expected);
		pv_buf_append_format(&expected,
		    "left out: %s (%s),\"fate\":\"refused\",\"reason\":\"%s\"",
		    pv_reason_sentence(i), word, word);
		is_text(pv_buf_str(&text), pv_buf_text(&expected),
		    "P4: it says %s", word);
	}
	pv_buf_finish(&text);
	pv_buf_finish(&expected);
}

int main(void)
{
	test_words();
	test_json();
	test_reasons();
	return tap_done();
}
