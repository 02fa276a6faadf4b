#include "record/change.h"

#include "tap.h"

#define ANSWER(status)                                                  \
	{                                                               \
		.outcome = PV_OUTCOME_ANSWERED, .http_status = (status) \
	}

static const struct pv_copy had = {.is_there = true,
    .entity_tag = PV_STR("\"a\""),
    .has_digest = true,
    .digest = {1}};
static const struct pv_copy lost = {
    .entity_tag = PV_STR("\"a\""), .has_digest = true, .digest = {1}};
static const struct pv_copy gone = {
    .is_there = true, .is_gone = true, .has_digest = true, .digest = {1}};
static const struct pv_copy other = {.has_digest = true, .digest = {2}};

static const struct {
	const char *claim;
	const struct pv_copy *had;
	struct pv_result result;
	const struct pv_copy *now;
	enum pv_change change;
} cases[] = {
    {"a first answer is new", NULL, ANSWER(200), &other, PV_CHANGE_NEW},
    {"what was never there is no news", NULL, ANSWER(404), NULL,
	PV_CHANGE_NONE},
    {"nor is 304 of it", NULL, ANSWER(304), NULL, PV_CHANGE_NONE},
    {"the same bytes are the same", &had, ANSWER(200), &had, PV_CHANGE_SAME},
    {"others are a change", &had, ANSWER(200), &other, PV_CHANGE_CHANGED},
    {"304 is the same", &had, ANSWER(304), NULL, PV_CHANGE_SAME},
    {"but not where all of it was asked for", &lost, ANSWER(304), NULL,
	PV_CHANGE_FAILED},
    {"404 is gone", &had, ANSWER(404), NULL, PV_CHANGE_GONE},
    {"410 is gone", &had, ANSWER(410), NULL, PV_CHANGE_GONE},
    {"301 is gone from there", &had, ANSWER(301), NULL, PV_CHANGE_GONE},
    {"308 is gone from there", &had, ANSWER(308), NULL, PV_CHANGE_GONE},
    {"a redirect for now tells nothing", &had, ANSWER(302), NULL,
	PV_CHANGE_FAILED},
    {"nor does 307", &had, ANSWER(307), NULL, PV_CHANGE_FAILED},
    {"an error tells nothing", &had, ANSWER(500), NULL, PV_CHANGE_FAILED},
    {"nor does a refusal", &had, ANSWER(403), NULL, PV_CHANGE_FAILED},
    {"nor half a page", &had,
	{.outcome = PV_OUTCOME_BROKEN_OFF, .http_status = 200}, NULL,
	PV_CHANGE_FAILED},
    {"nor half an answer of 404", &had,
	{.outcome = PV_OUTCOME_BROKEN_OFF, .http_status = 404}, NULL,
	PV_CHANGE_FAILED},
    {"nor a host that is not there", &had, {.outcome = PV_OUTCOME_NO_NAME},
	NULL, PV_CHANGE_FAILED},
    {"an empty answer that is not kept tells nothing", &had, ANSWER(200), NULL,
	PV_CHANGE_FAILED},
    {"what was gone and still is is no news", &gone, ANSWER(404), NULL,
	PV_CHANGE_NONE},
    {"nor is an error of it", &gone, ANSWER(500), NULL, PV_CHANGE_NONE},
    {"what was gone and is back is new", &gone, ANSWER(200), &had,
	PV_CHANGE_NEW},
};

static void test_changes(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		enum pv_change change =
		    pv_change_of(cases[i].had, &cases[i].result, cases[i].now);
		ok(change == cases[i].change, "%s (%s)", cases[i].claim,
		    pv_change_word(change));
	}
}

static void test_pages(void)
{
	struct pv_copy empty = {.is_there = true};
	ok(pv_change_is_page(NULL, true) && pv_change_is_page(&had, false),
	    "whatever comes is a page");
	ok(!pv_change_is_page(&had, true) && pv_change_is_page(&empty, true),
	    "but nothing at all, where there was something");
}

static void test_rounds(void)
{
	struct pv_round round = {.number = 2, .due = 10};
	for (unsigned i = 0; i < PV_CHANGE_COUNT; i++) {
		round.counts[i] = 2;
		ok(strcmp(pv_change_word(i), "unknown") != 0, "%s is a word",
		    pv_change_word(i));
	}
	is_text(pv_str_of(pv_change_word(99)), "unknown", "and 99 is none");
	ok(pv_round_left(&round) == 2,
	    "of what was due the rest is left: what is new is none of it");
	round.due = 3;
	ok(pv_round_left(&round) == 0, "and never less than nothing");
}

int main(void)
{
	test_changes();
	test_pages();
	test_rounds();
	return tap_done();
}
