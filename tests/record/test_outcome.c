#include "record/outcome.h"

#include "tap.h"

int main(void)
{
	bool have_words = true;
	for (unsigned i = 1; i < PV_OUTCOME_COUNT; i++)
		have_words = have_words && pv_outcome_word(i)[0] &&
			     pv_outcome_sentence(i)[0];
	ok(have_words, "P4: each outcome has a word and a sentence");
	is_text(pv_str_of(pv_outcome_sentence(PV_OUTCOME_TIMEOUT)), "too slow",
	    "of its own");
	is_text(pv_str_of(pv_outcome_word(PV_OUTCOME_COUNT)), "unknown",
	    "a number that is not ours has none");
	ok(!pv_outcome_sentence(PV_OUTCOME_COUNT)[0] &&
		!pv_outcome_sentence(PV_OUTCOME_NONE)[0],
	    "nor a sentence, and neither has what was not asked");
	return tap_done();
}
