#include "record/terms.h"

#include "tap.h"

static void test_adding(void)
{
	struct pv_terms terms;
	struct pv_str text;
	pv_terms_init(&terms);
	pv_terms_add(&terms, PV_TERM_CONTENT_USAGE, PV_STR(""));
	ok(terms.count == 0, "what says nothing is not there");
	pv_terms_add(&terms, PV_TERM_CONTENT_USAGE, PV_STR("a\x1b[0m\xff"));
	pv_terms_add(&terms, PV_TERM_TDM_POLICY, PV_STR("p"));
	ok(terms.count == 2, "what says something is");
	ok(pv_terms_at(&terms, 0, &text) == PV_TERM_CONTENT_USAGE,
	    "in its order");
	is_text(text, "a\\x1b[0m\\xff", "and made visible");
	ok(pv_terms_at(&terms, 1, &text) == PV_TERM_TDM_POLICY,
	    "and the next one");
	is_text(text, "p", "beside it");
	pv_terms_clear(&terms);
	ok(terms.count == 0, "another page says nothing");
	pv_terms_finish(&terms);
}

static void test_much(void)
{
	static char much[5000];
	struct pv_terms terms;
	struct pv_str text;
	memset(much, '\x01', sizeof(much));
	pv_terms_init(&terms);
	for (unsigned i = 0; i < 2 * PV_TERM_COUNT; i++)
		pv_terms_add(&terms, (enum pv_term)(i % PV_TERM_COUNT),
		    (struct pv_str){much, sizeof(much)});
	ok(terms.count == PV_TERM_COUNT, "P5: there are no more than kinds");
	bool is_bounded = true;
	for (size_t i = 0; i < terms.count; i++) {
		pv_terms_at(&terms, i, &text);
		is_bounded =
		    is_bounded && text.len && text.len <= PV_TERM_BYTES;
	}
	ok(is_bounded, "P5: and of each only so much is kept");
	pv_terms_finish(&terms);
}

int main(void)
{
	test_adding();
	test_much();
	return tap_done();
}
